//! Each optimization of the assembler by itself, and all of them on random routines; the listing of
//! instructions.

use ludwright::board::Direction::{E, N, NE, S, SE};
use ludwright::compile::assembler::{Assembler, FIXED, FoldedConstants, Set};
use ludwright::compile::listing::Names;
use ludwright::compile::op::{Code, Op, OperandRole, RegisterFile};
use ludwright::language::sources::Sources;
use ludwright::random::Random;

/// Registers of the position that the routines read and write.
const A: Set = Set(0);
const B: Set = Set(1);
const KNOWN: FoldedConstants =
    FoldedConstants { none: Set(8), board: Set(9), pieces_end: 0, below_first: 0, below_end: 0 };
/// The first registers for temporaries.
const FREE: (u16, u16) = (10, 10);

fn assembler() -> Assembler {
    Assembler::new(KNOWN)
}

/// Copies a set to the register from which the tests read the result.
fn store(asm: &mut Assembler, set: Set, to: Set) {
    asm.copy_to(to, set);
}

/// Formats instructions, one per line: registers with the prefix `s` or `n`, targets with `@`.
fn listed(ops: &[Op]) -> Vec<String> {
    let operand = |(role, number): (OperandRole, u16)| match (role, role.file()) {
        (_, Some(RegisterFile::Sets)) => Some(format!(" s{number}")),
        (_, Some(RegisterFile::Numbers)) => Some(format!(" n{number}")),
        (OperandRole::Target, _) => Some(format!(" @{number}")),
        (OperandRole::Plain, _) => Some(format!(" {number}")),
        _ => None,
    };
    let line = |op: &Op| {
        format!(
            "{:?}{}",
            op.code,
            op.operands().into_iter().filter_map(operand).collect::<String>()
        )
    };
    ops.iter().map(line).collect()
}

fn finished(asm: Assembler) -> Vec<String> {
    listed(&asm.finish(0, FREE).expect("it is small").ops)
}

#[test]
fn equal_values_are_computed_once() {
    let mut asm = assembler();
    let first = asm.and(A, B);
    assert_eq!(asm.and(B, A), first, "the order of operands does not matter");
    assert_eq!(asm.constant(70_000), asm.constant(70_000));
    assert_eq!(asm.requests(), 4);
    assert_eq!(listed(asm.ops()), ["And s256 s0 s1", "Constant n256 4464 1"]);
}

#[test]
fn a_value_is_computed_again_after_an_operand_has_changed() {
    let mut asm = assembler();
    let before = asm.or(A, B);
    asm.join(B, before);
    assert_ne!(asm.or(A, B), before);
}

#[test]
fn operations_with_no_site_and_all_sites_are_folded() {
    let mut asm = assembler();
    let FoldedConstants { none, board, .. } = KNOWN;
    for (set, expected) in [
        (asm.and(A, none), none),
        (asm.and(board, A), A),
        (asm.and(A, A), A),
        (asm.or(A, none), A),
        (asm.or(A, board), board),
        (asm.without(A, A), none),
        (asm.without(A, none), A),
        (asm.without(A, board), none),
        (asm.xor(A, A), none),
        (asm.xor(none, A), A),
    ] {
        assert_eq!(set, expected);
    }
    assert!(asm.ops().is_empty());
}

#[test]
fn pieces_of_different_kinds_or_owners_are_disjoint() {
    let mut asm = Assembler::new(FoldedConstants { pieces_end: 4, ..KNOWN });
    let pieces = [0, 1, 2, 3].map(Set);
    let mine = asm.or(pieces[0], pieces[1]);
    let theirs = asm.or(pieces[2], pieces[3]);
    let all = asm.or(mine, theirs);
    let kind = asm.or(pieces[0], pieces[2]);
    let before = asm.length();
    assert_eq!(asm.and(mine, theirs), KNOWN.none);
    assert_eq!(asm.and(all, mine), mine);
    assert_eq!(asm.or(all, kind), all);
    assert_eq!(asm.and(kind, theirs), pieces[2]);
    assert_eq!(asm.without(kind, mine), pieces[2]);
    assert_eq!(asm.without(all, theirs), mine);
    assert_eq!(asm.without(mine, theirs), mine);
    assert_eq!(asm.length(), before);
    store(&mut asm, A, pieces[3]);
    assert_ne!(asm.and(all, mine), mine, "the pieces have changed");
}

#[test]
fn complements_are_taken_last() {
    let mut asm = assembler();
    let complement = asm.without(KNOWN.board, B);
    assert_eq!(asm.without(KNOWN.board, complement), B, "twice the complement is the set itself");
    let difference = asm.and(A, complement);
    store(&mut asm, difference, A);
    assert_eq!(
        finished(asm),
        ["AndNot s10 s0 s1", "Copy s0 s10"],
        "the complement itself is not needed"
    );

    let mut asm = assembler();
    let (one, other) = (asm.without(KNOWN.board, A), asm.without(KNOWN.board, B));
    let either = asm.xor(one, other);
    store(&mut asm, either, A);
    assert_eq!(finished(asm), ["Xor s10 s0 s1", "Copy s0 s10"]);
}

#[test]
fn a_complement_is_forgotten_when_its_set_changes() {
    let mut asm = assembler();
    let complement = asm.without(KNOWN.board, B);
    asm.clear(B);
    let both = asm.and(A, complement);
    store(&mut asm, both, A);
    assert_eq!(finished(asm), ["AndNot s10 s9 s1", "Clear s1", "And s10 s0 s10", "Copy s0 s10"]);
}

#[test]
fn values_of_a_skipped_stretch_are_not_at_hand_after_it() {
    let mut asm = assembler();
    let over = asm.label();
    asm.if_none(A, over);
    asm.open();
    let inside = asm.and(A, B);
    asm.close();
    asm.place(over);
    assert_ne!(asm.and(A, B), inside);
}

#[test]
fn values_before_the_only_jump_out_of_a_stretch_stay_at_hand() {
    for jumps in [1, 2] {
        let mut asm = assembler();
        let over = asm.label();
        let from = asm.length();
        asm.open();
        if jumps == 2 {
            asm.if_none(A, over);
        }
        let inside = asm.and(A, B);
        asm.if_any(inside, over);
        asm.close_before(over, from);
        assert_eq!(asm.and(A, B) == inside, jumps == 1);
        asm.place(over);
    }
}

#[test]
fn an_attempt_is_taken_back_whole() {
    let mut asm = assembler();
    let attempt = asm.attempt();
    let inside = asm.and(A, B);
    let label = asm.label();
    asm.place(label);
    asm.roll_back(attempt);
    assert_eq!(asm.length(), 0);
    assert_ne!(asm.and(A, B), inside, "its value was never computed");

    let mut asm = assembler();
    let attempt = asm.attempt();
    let inside = asm.and(A, B);
    asm.commit(attempt);
    assert_eq!(asm.and(A, B), inside);
}

#[test]
fn what_is_never_read_is_dropped_with_what_it_alone_reads() {
    let mut asm = assembler();
    let end = asm.label();
    let both = asm.and(A, B);
    asm.xor(both, A);
    asm.jump(end);
    let either = asm.or(A, B);
    store(&mut asm, either, A);
    asm.place(end);
    asm.ret();
    assert_eq!(
        finished(asm),
        ["Jump @3", "Or s10 s0 s1", "Copy s0 s10", "Return"],
        "the jump leads to the same instruction"
    );
}

#[test]
fn a_register_is_used_again_once_its_value_has_been_read() {
    let mut asm = assembler();
    let mut set = asm.and(A, B);
    for direction in [N, NE, E, SE, S] {
        set = asm.shift(set, direction);
    }
    store(&mut asm, set, A);
    let ops = finished(asm);
    assert!(ops.iter().all(|op| !op.contains("s11")), "{ops:?}");
}

#[test]
fn a_value_that_is_read_in_a_loop_lives_to_its_end() {
    let mut asm = assembler();
    let (again, done) = (asm.label(), asm.label());
    let kept = asm.and(A, B);
    let left = asm.fresh_set();
    asm.copy_to(left, A);
    let round = asm.open_loop();
    asm.place(again);
    let site = asm.fresh_num();
    asm.take(site, left, done);
    asm.join(B, kept);
    let beside = asm.single(site);
    store(&mut asm, beside, A);
    asm.loop_back(0, again);
    asm.close_loop(round);
    asm.place(done);
    asm.ret();
    let ops = finished(asm);
    assert_eq!(
        ops,
        [
            "And s10 s0 s1",
            "Copy s11 s0",
            "Take n10 s11 @7",
            "Join s1 s10",
            "Single s12 n10",
            "Copy s0 s12",
            "LoopBack 0 @2",
            "Return"
        ],
        "the set of a later round is not overwritten by what this one computes"
    );
}

#[test]
fn labels_and_addresses_begin_at_the_origin() {
    let mut asm = assembler();
    let label = asm.label();
    asm.jump(label);
    asm.place(label);
    asm.ret();
    let finished = asm.finish(40, FREE).expect("it is small");
    assert_eq!(
        (listed(&finished.ops), finished.places),
        (vec!["Jump @41".into(), "Return".into()], vec![Some(41)])
    );
}

#[test]
fn more_values_at_a_time_than_registers_are_an_error() {
    for (count, fits) in [(2, true), (3, false)] {
        let mut asm = assembler();
        let sets: Vec<Set> =
            [N, E, S].into_iter().take(count).map(|way| asm.shift(A, way)).collect();
        for set in sets {
            asm.join(B, set);
        }
        assert_eq!(asm.finish(0, (FIXED - 2, 10)).is_ok(), fits);
    }
}

/// Executes instructions on sets, without jumps.
fn run(ops: &[Op], sets: &mut [u64]) {
    for op in ops {
        let [a, b, c] = [op.a, op.b, op.c].map(usize::from);
        sets[a] = match op.code {
            Code::Copy => sets[b],
            Code::And => sets[b] & sets[c],
            Code::Or => sets[b] | sets[c],
            Code::AndNot => sets[b] & !sets[c],
            Code::Xor => sets[b] ^ sets[c],
            code => unreachable!("{code:?} is not emitted here"),
        };
    }
}

/// Each step computes a set from two of the sets so far, the first eight of which are the position,
/// or writes a register of the position.
#[test]
fn a_routine_computes_the_same_as_its_steps_one_by_one() {
    (0..1000).for_each(computes_as_its_steps);
}

fn computes_as_its_steps(seed: u64) {
    let mut random = Random::new(seed);
    let board = random.bits64();
    let pieces_end = [0, 4][random.below(2) as usize];
    let mut asm = Assembler::new(FoldedConstants { pieces_end, ..KNOWN });
    let mut position = [0; 8].map(|_: u64| random.bits64());
    for register in 1..usize::from(pieces_end) {
        position[register] &= !position[..register].iter().fold(0, |all, set| all | set);
    }
    let (none, board) = ((KNOWN.none, 0), (KNOWN.board, board));
    let position = position.iter().enumerate();
    let mut sets: Vec<(Set, u64)> =
        position.map(|(register, &set)| (Set(register as u16), set & board.1)).collect();
    let mut expected: Vec<u64> = sets.iter().map(|&(_, set)| set).chain([0, board.1]).collect();
    expected.resize(usize::from(FIXED), 0);
    let mut registers = expected.clone();
    sets.extend([none, board]);
    for _ in 0..random.below(60) {
        let mut any = || sets[random.below(sets.len() as u32) as usize];
        let ((a, one), (b, other)) = (any(), any());
        sets.push(match random.below(5) {
            0 => (asm.and(a, b), one & other),
            1 => (asm.or(a, b), one | other),
            2 => (asm.without(a, b), one & !other),
            3 => (asm.xor(a, b), one ^ other),
            _ => {
                let written = random.below(8) as usize;
                // Pieces stay disjoint.
                let (a, one) = if written < usize::from(pieces_end) { none } else { (a, one) };
                store(&mut asm, a, Set(written as u16));
                expected[written] = one;
                sets[written].1 = one;
                continue;
            }
        });
        // A value that was folded to a register of the position would change with it.
        if sets.last().is_some_and(|(set, _)| set.0 < 8) {
            sets.pop();
        }
    }
    if let Ok(finished) = asm.finish(0, FREE) {
        run(&finished.ops, &mut registers);
        assert_eq!(registers[..8], expected[..8], "{seed}");
    }
}

#[test]
fn a_step_into_a_set_is_not_asked_again_whether_it_stays_on_the_board() {
    let mut asm = assembler();
    let (there, empty) = (asm.shift(KNOWN.board, E), asm.without(KNOWN.board, A));
    let into = asm.shift(empty, E);
    assert_eq!(asm.and(there, into), into);
    let (there_twice, into_twice) = (asm.shift(there, S), asm.shift(into, S));
    assert_eq!(asm.and(into_twice, there_twice), into_twice);
    let other = asm.shift(empty, N);
    assert_ne!(asm.and(there, other), other, "another direction");
    assert_ne!(asm.and(there_twice, into), into, "another number of steps");
}

#[test]
fn every_instruction_names_its_operands() {
    let text = "(game \"G\" (players A B) (board (square 3)) (piece Stone) (move place (to t (empty)) (put Stone t)) (play (turns (choose place))))";
    let game = ludwright::load(Sources::named("g.game", text), &[]).expect("a game");
    let (program, rules) = (game.program(), game.rules());
    let names = Names::new(program, rules);
    // Registers beyond those with names of their own.
    let (sets, nums) = (names.sets.len() as u16, names.nums.len() as u16);
    let mut texts = std::collections::HashSet::new();
    for &code in Code::ALL {
        let operand = |index: usize| match (code.roles()[index], code.roles()[index].file()) {
            (_, Some(RegisterFile::Sets)) => (sets + 10 + index as u16, format!("s{}", 11 + index)),
            (_, Some(RegisterFile::Numbers)) => {
                (nums + 10 + index as u16, format!("n{}", 11 + index))
            }
            (OperandRole::Target, _) => (77, String::from("77")),
            _ => (0, String::new()),
        };
        let operands = [operand(0), operand(1), operand(2)];
        let [a, b, c] = [0, 1, 2].map(|index| operands[index].0);
        let line = names.line(&Op { code, x: 1, a, b, c });
        let words: Vec<&str> = line.split([' ', ',', ':', '(', ')']).collect();
        for (_, name) in operands.iter().filter(|(_, name)| !name.is_empty()) {
            assert!(words.contains(&name.as_str()), "{code:?}: {line}");
        }
        assert!(texts.insert(line.clone()), "{code:?} reads like another: {line}");
    }
}
