//! Programs are checked before they run.

use ludwright::compile::Defect;
use ludwright::compile::op::{OperandRole, RegisterFile};
use ludwright::engine::game::Game;
use std::path::Path;

fn game(file: &str) -> Game {
    ludwright::load_file(Path::new(file), &[]).unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// Each instruction in turn leads nowhere, or reads what nothing writes.
#[test]
fn an_instruction_that_leads_nowhere_or_reads_nothing_is_found() {
    for file in ["games/lichen-chess.game", "games/swarm.game", "tests/games/go.game"] {
        let game = game(file);
        let program = game.program();
        assert_eq!(program.verify(), Ok(()), "{file}");
        let unused = |wanted: RegisterFile| {
            let named = program.code.iter().flat_map(|op| op.operands());
            let named = named.filter(|(role, _)| role.file() == Some(wanted));
            named.map(|(_, register)| register).max().map_or(0, |most| most + 1)
        };
        let (sets, numbers) = (unused(RegisterFile::Sets), unused(RegisterFile::Numbers));
        let mut found = [0; 2];
        for address in 0..program.code.len() {
            for (operand, role) in program.code[address].code.roles().into_iter().enumerate() {
                let (to, which) = match role {
                    OperandRole::Target => (program.code.len() as u16, 0),
                    OperandRole::SetRead => (sets, 1),
                    OperandRole::NumberRead => (numbers, 1),
                    _ => continue,
                };
                let mut changed = program.clone();
                *changed.code[address].operands_mut()[operand].1 = to;
                let defect = changed.verify().expect_err("a defect").defect;
                let expected = match which {
                    0 => defect == Defect::NoInstruction,
                    _ => matches!(defect, Defect::ReadsUnwritten(_, register) if register == to),
                };
                assert!(expected, "{file}, instruction {address}: {defect:?}");
                found[which] += 1;
            }
        }
        assert!(found[0] > 10 && found[1] > 100, "{file}: {found:?}");
    }
}

#[test]
fn a_part_that_does_not_exist_and_a_constant_that_changes_are_found() {
    let game = game("games/lichen-chess.game");
    let mut program = game.program().clone();
    program.clauses.clear();
    assert_eq!(program.verify().expect_err("no clause").defect, Defect::NoSuchPart);

    let mut program = game.program().clone();
    let constant = program.layout.sets;
    assert!(!program.constants.is_empty());
    let writes = |role| role == OperandRole::SetWrite;
    let op = program.code.iter_mut().find(|op| writes(op.code.roles()[0])).expect("a set");
    op.a = constant;
    assert_eq!(program.verify().expect_err("a constant").defect, Defect::WritesConstant);
}

/// What is computed before a loop with a decision is computed in it again: the game goes on there after
/// a ply, without what was in registers.
#[test]
fn nothing_is_shared_with_a_loop_that_a_decision_leads_back_to() {
    for turn in [
        "(set (Card White) 0) (while (can drop) (choose drop))",
        "(set (Card White) 0) (while (can drop) (choose drop)) (set (Card Black) 0)",
        "(set (Card Black) 1) (while (can drop) (while (can twice) (choose twice)) (choose drop))",
    ] {
        let text = format!(
            "(game \"Cards\" (players White Black) (board (square 3)) (piece Stone)
               (hand Supply 3) (remember Card number (per player))
               (move drop (to t (empty)) (require (> (Supply mover) 0)) (lower (Supply mover) 1) (put Stone t))
               (move twice (to t (empty)) (require (> (Supply mover) 1)) (lower (Supply mover) 2) (put Stone t))
               (play (turns {turn})))"
        );
        let game = ludwright::load(text.as_str(), &[]).expect("a game");
        assert_eq!(game.program().verify(), Ok(()), "{turn}");
    }
}
