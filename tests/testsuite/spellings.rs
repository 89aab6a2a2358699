//! One meaning runs one way: a region that is written about a site, in every use and in several
//! spellings, is computed for all sites at once, by the same number of instructions.

use ludwright::compile::clauses::clauses;
use ludwright::compile::op::Code;
use ludwright::compile::plan::{ClauseKind, How};
use ludwright::engine::game::Game;

/// Regions written about a site `x`.
const REGIONS: &[&str] = &[
    "(beside x)",
    "(beside x diagonal)",
    "(beside (and (beside x) (empty)) all)",
    "(step x N)",
    "(step x E 2)",
    "(step (step x N) W)",
    "(leap x 2 1)",
    "(walk x N (not (mine)))",
    "(walk x all (or (mine) (empty)))",
    "(slide x orthogonal)",
    "(slide (step x S) all)",
    "(first x E (pieces))",
    "(first (step x N) W (theirs))",
    "(group x (not (theirs)) orthogonal)",
    "(and (group x (or (empty) (mine)) all) (row 1))",
    "(when (in x (row 1)) (beside x))",
    "(when (any (mine)) (beside x))",
    "(or (beside x) (step x N 2))",
    "(and (beside x) (not (row 2)))",
    "(where y (beside x all) (in (step y N) (empty)))",
    "(union d (list N E) (step x d))",
    "(union d (list N E) (when (in (step x d) (empty)) (walk (step x d) d (not (mine)))))",
    "(union z (mine) (when (in z (beside x)) (beside z diagonal)))",
    "(case Turn (White (beside x)) (Black (walk x N (empty))))",
    "(case mover (White (slide x diagonal)) (Black (step x S)))",
    "(beside x Course)",
    "(walk x Course (empty))",
    "(if (in x (mine)) (step x N) (else (slide x diagonal)))",
    "(if (in x (mine Stone)) (slide x diagonal) (else (step x E)))",
    "(case (kind x) (Stone (beside x)) (Disc (slide x orthogonal)) (else nowhere))",
];

/// Uses of the region: that it leads from t to a set.
const LEADS: &[&str] = &[
    "(any (and @t (theirs)))",
    "(any (and (theirs) (Rel t)))",
    "(some y (theirs) (in y @t))",
    "(some y (theirs) (in y (Rel t)))",
    "(some y (Rel t) (in y (theirs)))",
    "(not (none (and (theirs) @t)))",
    "(not (every y @t (not (in y (theirs)))))",
    "(any (where y (Rel t) (in y (theirs))))",
    "(>= (count (and (Rel t) (theirs))) 1)",
    "(Meets t)",
];

/// Uses of the region: that it leads from a set to t.
const LED_TO: &[&str] = &[
    "(some y (theirs) (in t @y))",
    "(some y (theirs) (in t (Rel y)))",
    "(in t (union y (theirs) @y))",
    "(in t (union y (theirs) (Rel y)))",
    "(any (and t (union y (theirs) (Rel y))))",
    "(any (where y (theirs) (in t (Rel y))))",
    "(not (every y (theirs) (not (in t (Rel y)))))",
];

/// Ways to write a use in a move, `USE` about t.
const WAYS: &[&str] = &[
    "(to t (empty)) (require USE)",
    "(to t (where t (empty) USE))",
    "(to t (and (empty) (where t (empty) USE)))",
    "(to t (empty)) (require (not (not USE)))",
    "(to t (empty)) (require (case mover (White USE) (Black USE)))",
    "(to t (empty)) (require (if (in t (empty)) USE (else false)))",
    "(to t (empty)) (require (case (kind t) (Stone false) (else USE)))",
    "(to t (empty)) (let r USE) (require r)",
];

/// Ways in which the first use, that the region meets the enemies, has a name.
const NAMED: &[&str] = &[
    "(to t (empty)) (let r @t) (require (any (and r (theirs))))",
    "(to t (empty)) (let r (and @t (theirs))) (require (any r))",
    "(to t (empty)) (let r (theirs)) (require (any (and @t r)))",
];

fn game(region: &str, choice: &str) -> Game {
    // `@t` is the region about t.
    let spelled = ["t", "y"].into_iter().fold(choice.to_owned(), |text, site| {
        let about =
            region.replace(" x ", &format!(" {site} ")).replace(" x)", &format!(" {site})"));
        text.replace(
            &format!("@{site}"),
            &about
                .replace(" y (beside", " w (beside")
                .replace("(step y N) (empty)", "(step w N) (empty)"),
        )
    });
    let text = format!(
        "(game \"Small\" (players (White N) (Black S)) (board (square 5))
          (piece Stone) (piece Disc) (remember Turn player) (remember Course direction N)
          (setup (put Stone (sites a1 c3 e4) White) (put Disc (sites b2 d3) White)
            (put Stone (sites c1 d4 a4) Black) (put Disc (sites b4 e2) Black))
          (define (Rel (site x)) {region})
          (define (Meets (site u)) (any (and (Rel u) (theirs))))
          (move drop {spelled} (put Stone t))
          (play (turns (choose drop (otherwise (lose mover))))))"
    );
    ludwright::load::load(text.as_str(), &[])
        .unwrap_or_else(|error| panic!("{text}\n{}", error.report()))
}

/// Checks that spellings run for all sites at once, offer the same moves and take as many
/// instructions as the shortest, within a fifth. Returns what differs.
fn check(region: &str, choices: &[String], faults: &mut Vec<String>) {
    let mut found: Vec<(usize, &str)> = Vec::new();
    let mut offered = None;
    for requirement in choices {
        let game = game(region, requirement);
        let program = game.program();
        let routine = program.routine(program.decisions[0].generate_moves);
        let loops = routine.iter().filter(|&&at| program.code[usize::from(at)].code == Code::Take);
        let clauses = clauses(program, game.rules());
        let at_once = clauses
            .iter()
            .filter(|clause| [ClauseKind::Requirement, ClauseKind::Choice].contains(&clause.kind))
            .all(|clause| clause.runs.keys().all(|how| *how == How::Lifted));
        if loops.count() > 0 || !at_once {
            faults.push(format!("{region}, {requirement}: site by site"));
        }
        let legal: Vec<String> = {
            let state = game.begin().expect("a first position");
            state.legal().iter().map(|ply| format!("{ply:?}")).collect()
        };
        let expected = offered.get_or_insert_with(|| legal.clone());
        assert_eq!(&legal, expected, "{region}, {requirement}");
        found.push((routine.len(), requirement));
    }
    let least = found.iter().map(|(count, _)| *count).min().unwrap_or(0);
    for (count, requirement) in found {
        if count * 5 > least * 6 {
            faults.push(format!("{region}, {requirement}: {count} instructions for {least}"));
        }
    }
}

#[test]
fn every_region_runs_one_way_in_every_use() {
    let mut faults = Vec::new();
    let spelled = |uses: &[&str]| -> Vec<String> {
        let plain = uses.iter().map(|use_of| WAYS[0].replace("USE", use_of));
        let ways = WAYS[1..].iter().map(|way| way.replace("USE", uses[0]));
        plain.chain(ways).collect()
    };
    let named = NAMED.iter().map(|&way| way.to_owned());
    let (leads, led_to): (Vec<String>, _) =
        (spelled(LEADS).into_iter().chain(named).collect(), spelled(LED_TO));
    for region in REGIONS {
        check(region, &leads, &mut faults);
        check(region, &led_to, &mut faults);
    }
    assert!(faults.is_empty(), "{}:\n{}", faults.len(), faults.join("\n"));
}
