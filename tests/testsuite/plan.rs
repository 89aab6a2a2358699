//! The output of `plan` matches the compiler: it covers every clause, with a reason for those that
//! are not lifted, and agrees with the instructions of requirements.

use crate::support::{self, Variant, files, load, published, variants};
use ludwright::compile::clauses::{Clause, clauses};
use ludwright::compile::listing::listing;
use ludwright::compile::op::Code;
use ludwright::compile::plan::{ClauseKind, ClausePart, How, Unlifted};
use ludwright::compile::program::ParameterSource;
use ludwright::engine::game::Game;
use ludwright::language::ludemes::{Kind, TABLE};
use ludwright::syntax::{Node, NodeKind, Span, parse};
use std::collections::{BTreeMap, BTreeSet};

/// Returns every game with every tested choice of options, and the variants of `games`.
fn games() -> impl Iterator<Item = (Variant, Game)> {
    let plain =
        files("games").into_iter().map(|name| Variant { name, options: Vec::new(), plies: 0 });
    let all = variants().into_iter().chain(published()).chain(plain);
    all.map(|variant| {
        let game = load(&variant);
        (variant, game)
    })
}

fn planned(game: &Game) -> Vec<Clause> {
    clauses(game.program(), game.rules())
}

fn reason(how: &How) -> Option<&Unlifted> {
    match how {
        How::Tried(why) | How::Never(why) | How::Each(Some(why)) => Some(why),
        _ => None,
    }
}

#[test]
fn every_clause_says_how_it_runs_and_why() {
    for (variant, game) in games() {
        let source = game.rules().source();
        for clause in planned(&game) {
            let at = format!("{variant}: {clause:?}");
            assert!(!clause.runs.is_empty() && !clause.span.text(source).is_empty(), "{at}");
            assert!(clause.kind != ClauseKind::Bound, "{at}");
            let runs = clause.runs.iter().map(|(how, copies)| (how, copies, false));
            let within = clause.within.iter().map(|((_, how), copies)| (how, copies, true));
            for (how, copies, inside) in runs.chain(within) {
                let never = matches!(how, How::Never(_));
                assert!(
                    never == (copies.copies == 0) && !matches!(how, How::Guarded { .. }),
                    "{at}"
                );
                if let Some(Unlifted { why, span }) = reason(how) {
                    assert!(!span.text(source).is_empty() && !why.words().is_empty(), "{at}");
                    assert!(
                        source.is_char_boundary(span.start) && source.is_char_boundary(span.end),
                        "{at}"
                    );
                }
                // Only clauses that execute statements per site, and loops inside others, may loop
                // over sites without a reason.
                if matches!(how, How::Each(None)) {
                    assert!(
                        matches!(
                            clause.kind,
                            ClauseKind::For | ClauseKind::Choice | ClauseKind::Loop
                        ) || inside,
                        "{at}"
                    );
                }
            }
        }
    }
}

/// Finds conditions, requirements and the regions of choices in a file by its syntax alone.
fn forms(node: &Node, (in_move, is_value): (bool, bool), found: &mut Vec<Span>) {
    let NodeKind::Form(parts) = &node.kind else { return };
    let place = match node.head().map(|(word, _)| word) {
        Some("require" | "while") => Some(1),
        Some("if") if !is_value => Some(1),
        // Several variables may be chosen together, from one region.
        Some("to" | "from" | "at") if in_move => {
            let names = parts[1..].iter().take_while(|part| part.as_word().is_some()).count();
            Some(1 + names.min(parts.len().saturating_sub(2)))
        }
        _ => None,
    };
    let clause = place.and_then(|place| parts.get(place));
    found.extend(clause.map(|clause| clause.span));
    let in_move = node.head().is_some_and(|(word, _)| word == "move");
    // An `if` inside a clause is a value, and so is one that is an argument of an expression or of
    // an effect.
    let is_value = is_value
        || node.head().is_some_and(|(word, _)| {
            let rows = TABLE.iter().filter(|row| row.spelling == word);
            let mut slots = rows.flat_map(|row| row.slots).map(|slot| slot.kind);
            word != "define"
                && word != "choose"
                && slots.next().is_some()
                && !slots.any(|kind| kind == Kind::Statement)
        });
    let inside = parts.iter().enumerate().filter(|&(index, _)| Some(index) != place);
    inside.for_each(|(_, part)| forms(part, (in_move, is_value), found));
}

#[test]
fn every_clause_of_every_file_is_there() {
    // Options exclude clauses, but every clause occurs for some choice of them.
    let mut missing: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (variant, game) in games() {
        let source = game.rules().source();
        let text = std::fs::read_to_string(support::rules_file(&variant.name)).expect("a file");
        if source != text {
            continue;
        }
        let mut written = Vec::new();
        parse(source).forms.iter().for_each(|form| forms(form, (false, false), &mut written));
        assert!(!written.is_empty(), "{variant}");
        let there: BTreeSet<Span> = planned(&game).iter().map(|clause| clause.span).collect();
        let lacking = written
            .into_iter()
            .filter(|span| !there.contains(span))
            .map(|span| span.text(source).to_owned())
            .collect();
        match missing.get_mut(&variant.name) {
            Some(known) => known.retain(|clause| BTreeSet::contains(&lacking, clause)),
            None => _ = missing.insert(variant.name, lacking),
        }
    }
    assert!(missing.len() >= 12, "{missing:?}");
    missing.retain(|_, lacking| !lacking.is_empty());
    assert_eq!(missing, BTreeMap::new());
}

#[test]
fn requirements_fail_where_they_are_said_to_be_asked() {
    let (mut tried, mut lifted) = (0, 0);
    for (variant, game) in games() {
        let program = game.program();
        let notes = &program.notes;
        let end = |routine: usize| {
            program.origins.get(routine + 1).map_or(program.code.len() as u16, |&(start, _)| start)
        };
        let routine =
            |address: u16| program.origins.partition_point(|&(start, _)| start <= address) - 1;
        for note in notes {
            let inside = note.from <= note.to
                && note.to <= end(routine(note.from.min(program.code.len() as u16 - 1)));
            assert!(inside, "{variant}: {note:?}");
        }
        // Each instruction that makes a move illegal belongs to a requirement that is tested there
        // …
        for (op, address) in program.code.iter().zip(0..) {
            if op.code == Code::Fail {
                let span = program.clauses[usize::from(op.a)];
                // A repetition makes it illegal, and no requirement.
                if span.text(game.rules().source()) == "(illegal)" {
                    continue;
                }
                let asks = notes.iter().find(|note| {
                    note.kind == ClauseKind::Requirement
                        && note.span == span
                        && note.to == address + 1
                });
                let asks = asks
                    .unwrap_or_else(|| panic!("{variant}: {}", span.text(game.rules().source())));
                assert!(
                    matches!(asks.how, How::Tried(_) | How::Sampled | How::Ahead | How::Once),
                    "{variant}: {asks:?}"
                );
                tried += 1;
            }
        }
        // … and requirements that are lifted, tested per decision or known emit no such
        // instruction.
        for (index, specialization) in program.specializations.iter().enumerate() {
            let range = specialization.apply..end(routine(specialization.apply));
            let fails = program.code[usize::from(range.start)..usize::from(range.end)]
                .iter()
                .any(|op| op.code == Code::Fail);
            assert!(!(fails && specialization.exact), "{variant}: variation {index}");
            if specialization.exact {
                let of_it = notes.iter().filter(|note| {
                    note.part == ClausePart::Move(specialization.rule) && range.contains(&note.from)
                });
                assert!(
                    of_it.clone().all(|note| !matches!(note.how, How::Tried(_))),
                    "{variant}: variation {index}"
                );
            }
        }
        lifted += notes
            .iter()
            .filter(|note| note.kind == ClauseKind::Requirement && note.how == How::Lifted)
            .count();
    }
    assert!(tried > 100 && lifted > 100, "{tried} {lifted}");
}

#[test]
fn a_refusal_points_at_what_causes_it() {
    // Game, clause, cause, reason.
    let table = [
        ("cicada", "(<= (count (Group t)) Molt)", "(put Nymph t)", "effect"),
        ("amazons", "(mine Amazon)", "(walk s all (empty))", "length"),
        ("chess", "(mine)", "(walk s forward (empty))", "length"),
        (
            "chess",
            "(every x (or s (between s t)) (not (Attacked x)))",
            "(every x (or s (between s t)) (not (Attacked x)))",
            "two-sites",
        ),
    ];
    for (name, clause, blamed, why) in table {
        let game = load(&Variant { name: name.to_owned(), options: Vec::new(), plies: 0 });
        let source = game.rules().source();
        let mut reasons = Vec::new();
        for found in planned(&game) {
            reasons.extend(found.runs.keys().map(|how| (found.span, *how)));
            reasons.extend(found.within.keys().copied());
        }
        let causes = reasons
            .iter()
            .filter(|(span, _)| span.text(source) == clause)
            .filter_map(|(_, how)| reason(how));
        let causes: Vec<(&str, &str)> =
            causes.map(|cause| (cause.span.text(source), cause.why.name())).collect();
        assert!(causes.contains(&(blamed, why)), "{name}, {clause}: {causes:?}");
    }
}

#[test]
fn listings_hold_every_instruction_once() {
    let mut seen = BTreeSet::new();
    for (variant, game) in games() {
        let program = game.program();
        let lines: Vec<_> =
            listing(program, game.rules()).into_iter().flat_map(|routine| routine.lines).collect();
        assert!(
            lines.iter().map(|line| usize::from(line.address)).eq(0..program.code.len()),
            "{variant}"
        );
        assert!(
            lines.iter().all(|line| !line.text.is_empty() && !line.text.contains('?')),
            "{variant}"
        );
        seen.extend(program.code.iter().map(|op| op.code as u8));
    }
    // The games use nearly all instructions.
    assert!(seen.len() + 4 >= Code::ALL.len(), "{} of {}", seen.len(), Code::ALL.len());
}

/// Compiles a game of two players on a square board with stones.
fn small(parts: &str) -> Game {
    let text = format!(
        "(game \"Small\" (players White Black) (board (square 5)) (piece Stone) (remember Spot site nowhere) {parts})"
    );
    ludwright::load::load(text.as_str(), &[]).unwrap_or_else(|error| panic!("{}", error.report()))
}

/// Counts the instructions with these codes in the move generator of the first decision.
fn generating(game: &Game, codes: &[Code]) -> usize {
    let program = game.program();
    let routine = program.routine(program.decisions[0].generate_moves);
    routine.into_iter().filter(|&at| codes.contains(&program.code[usize::from(at)].code)).count()
}

#[test]
fn what_depends_on_the_board_alone_takes_no_instructions() {
    for (region, requirement) in [
        ("(where s (row 1) (= (mod (count (walk s W everywhere)) 2) 1))", "true"),
        ("(union d orthogonal (walk c3 d everywhere))", "true"),
        ("(row 1)", "(= (mod (count (walk t W everywhere)) 2) 1)"),
        ("(row 1)", "(some d all (none (step t d 4)))"),
        ("(group a1 (where s everywhere (> (row-of s) (column-of s))) diagonal)", "true"),
    ] {
        let game = small(&format!(
            "(move drop (to t (and (empty) {region})) (require {requirement}) (put Stone t)) (play (turns (choose drop)))"
        ));
        let program = game.program();
        let codes: Vec<Code> = program
            .routine(program.decisions[0].generate_moves)
            .into_iter()
            .map(|at| program.code[usize::from(at)].code)
            .collect();
        let simple = [Code::Or, Code::And, Code::AndNot, Code::AddMoveSet, Code::Return];
        assert!(
            codes.iter().all(|code| simple.contains(code)),
            "{region} {requirement}: {codes:?}"
        );
    }
}

#[test]
fn a_site_in_play_is_looked_up_in_a_table_of_the_board() {
    let game = small(
        "(move drop (to t (empty)) (put Stone t) (if (= (mod (count (walk t W everywhere)) 2) 1) (end-turn))) (play (turns (choose drop)))",
    );
    let count =
        |codes: &[Code]| game.program().code.iter().filter(|op| codes.contains(&op.code)).count();
    assert_eq!(count(&[Code::Walk, Code::Count, Code::Remainder]), 0);
    assert_eq!(count(&[Code::IfIn, Code::IfOut]), game.rules().players.len());
}

#[test]
fn a_definition_is_computed_once_for_all_moves_of_a_decision() {
    let game = |region: &str| {
        small(&format!(
            "(define Loose (where s (pieces) (connected (and (pieces) (not s)) all)))
             (define (Alone (player p)) (where s (of p) (connected (and (of p) (not s)) all)))
             (move drop (to t (empty)) (put Stone t))
             (move lift (at s (and (mine) {region})) (remove s))
             (move slip (from s (and (mine) {region})) (to t (and (beside s) (empty))) (relocate s t))
             (play (turns (choose drop lift slip)))"
        ))
    };
    for region in ["Loose", "(Alone mover)"] {
        assert_eq!(generating(&game(region), &[Code::Take]), 1, "{region}");
    }
    // What differs in an argument is computed for each.
    let other = small(
        "(define (Alone (player p)) (where s (of p) (connected (and (of p) (not s)) all)))
         (move lift (at s (Alone mover)) (remove s))
         (move take (at s (Alone (next mover))) (remove s))
         (play (turns (choose lift take)))",
    );
    assert_eq!(generating(&other, &[Code::Take]), 2);
}

#[test]
fn a_definition_is_computed_once_although_a_requirement_may_skip_it() {
    let generating_of = |drop: &str, lift: &str, take: &str| {
        let game = small(&format!(
            "(define Crowded (where s everywhere (>= (count (and (beside s all) (mine))) 3)))
             (move drop (to t (and (empty) Crowded)) {drop} (put Stone t))
             (move lift (at s (and (mine) Crowded)) {lift} (remove s))
             (move take (at s (and (theirs) Crowded)) {take} (remove s))
             (play (turns (choose drop lift take)))"
        ));
        generating(&game, &[Code::Shift])
    };
    let once = generating_of("", "", "");
    assert!(once > 0);
    let [pieces, mine, theirs] =
        ["(pieces)", "(mine)", "(theirs)"].map(|region| format!("(require (any {region}))"));
    // Behind what may be skipped, before it, and behind several such stretches.
    assert_eq!(generating_of(&pieces, "", ""), once);
    assert_eq!(generating_of("", &mine, &pieces), once);
    assert_eq!(generating_of(&mine, &theirs, ""), once);
    // It is not computed in any case.
    assert_eq!(generating_of(&pieces, &mine, &theirs), 3 * once);
}

#[test]
fn requirements_have_their_common_part_once() {
    let game = small(
        "(define Guarded (> (count (group a1 (mine))) 2))
         (move drop (to t (empty)) (require Guarded) (put Stone t))
         (move lift (at s (mine)) (require (and Guarded (any (theirs)))) (remove s))
         (move pass (require (not Guarded)))
         (play (turns (choose drop lift pass)))",
    );
    assert_eq!(generating(&game, &[Code::Flood]), 1);
}

#[test]
fn what_was_computed_before_a_loop_is_read_in_it() {
    let game = small(
        "(move take
           (at s (and (mine) (beside (group a1 (pieces)))))
           (at t (and (theirs) (beside s) (group a1 (pieces))))
           (at u (and (empty) (group t (or (empty) (group a1 (pieces))))))
           (relocate s u))
         (play (turns (choose take)))",
    );
    // The group of a1 is flooded once, not for each site, and that of t for each.
    assert_eq!(generating(&game, &[Code::Flood]), 2);
}

#[test]
fn a_step_that_is_chosen_after_effects_is_lifted() {
    let game = small(
        "(move two
           (from s (mine)) (to t (and (beside s) (empty))) (relocate s t)
           (then (from u (mine)) (to v (and (beside u) (empty))) (relocate u v)))
         (play (turns (choose two)))",
    );
    // The first steps are tried one by one, along four paths; the second ones are sets.
    assert_eq!(generating(&game, &[Code::Take]), 4);
}

#[test]
fn each_region_of_an_if_about_no_choice_is_generated_as_it_would_be_alone() {
    let sets = |region: &str| {
        let game = small(&format!(
            "(move go (from s (mine)) (to t {region}) (relocate s t)) (play (turns (choose go)))"
        ));
        [Code::Take, Code::AddMoveSet].map(|code| generating(&game, &[code]))
    };
    let (step, jump) = ("(and (beside s) (empty))", "(and (not (beside s)) (empty))");
    // Steps are a set for each direction; other sites are tried one by one.
    assert_eq!((sets(step), sets(jump)), ([0, 4], [1, 1]));
    let either = |condition| sets(&format!("(if {condition} {step} (else {jump}))"));
    assert_eq!(either("(> (count (mine)) 3)"), [1, 5]);
    assert_eq!(either("(in s (row 1))"), [1, 1]);
}

#[test]
fn the_sites_of_a_small_known_region_are_cases() {
    let game = small(
        "(move turn (to t (empty)) (at c (sites b2 d4)) (put Stone t) (remove (beside c)))
         (play (turns (choose turn)))",
    );
    assert_eq!(generating(&game, &[Code::Take]), 0);
    assert_eq!(generating(&game, &[Code::AddMoveSet]), 2);
    let state = game.begin().expect("a first position");
    assert_eq!(state.legal().len(), 50);
    // The last site that a move chooses is lifted over, and so are two that a step joins.
    for choice in ["(at c (sites b2 d4))", "(at c (sites b2 d4)) (to t (and (beside c) (empty)))"] {
        let game = small(&format!("(move turn {choice} (remove c)) (play (turns (choose turn)))"));
        let program = game.program();
        let fixed = |source: &ParameterSource| matches!(source, ParameterSource::Site(_));
        let sources = program.specializations.iter().flat_map(|one| &one.sources);
        assert_eq!(sources.filter(|source| fixed(source)).count(), 0, "{choice}");
    }
}
