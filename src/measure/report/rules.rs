//! Coverage of the clauses of the rules.

use crate::engine::game::Game;
use crate::measure::clauses::{ClauseRole, Clauses};
use crate::measure::game_rows::ClauseCounts;
use crate::measure::results::Results;
use crate::notation::{counted, grouped};
use crate::syntax::Span;
use serde::Serialize;

/// The coverage in a sample of games.
#[derive(Clone, Debug)]
pub struct Coverage {
    /// The sample size in games.
    pub games: u64,
    /// The number of positions in which all moves were tried.
    pub positions: u64,
    pub clauses: Vec<ClauseUse>,
}

/// The coverage of a clause.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct ClauseUse {
    #[serde(skip)]
    pub span: Span,
    /// `question`, `choice`, `effect` or `result`.
    pub role: &'static str,
    #[serde(flatten)]
    pub found: ClauseCounts,
}

impl ClauseUse {
    /// Describes the coverage in one line.
    pub fn says(&self, coverage: &Coverage) -> String {
        let ClauseCounts { asked, held, decided } = self.found;
        let games = format!("decided {}", counted(decided, "game"));
        let deciding = if decided == 0 { String::new() } else { format!(", {games}") };
        let (often, true_often) = (grouped(asked), grouped(held));
        match (self.role, asked) {
            (_, 0) => format!(
                "not observed in {} positions of {} games",
                grouped(coverage.positions),
                grouped(coverage.games)
            ),
            ("question", _) if held == 0 => {
                format!("tested {often} ×, never true: not observed{deciding}")
            }
            ("question", _) if held == asked => format!("tested {often} ×, always true{deciding}"),
            ("question", _) => format!(
                "tested {often} ×, true {true_often} × ({:.0} %){deciding}",
                100.0 * held as f64 / asked as f64
            ),
            ("choice", _) if held < asked => {
                format!("reached {often} ×, no legal move {} ×{deciding}", grouped(asked - held))
            }
            ("choice", _) => format!("reached {often} ×{deciding}"),
            ("result", _) => games,
            _ => format!("executed {often} ×{deciding}"),
        }
    }

    /// Tests if it was never executed, or never true.
    pub fn is_unobserved(&self) -> bool {
        self.found.asked == 0 || self.role == "question" && self.found.held == 0
    }
}

/// Sums the coverage over all recorded games.
pub fn coverage(results: &Results, game: &Game) -> Coverage {
    let clauses = Clauses::of(game.rules());
    let mut uses = vec![ClauseCounts::default(); clauses.list().len()];
    let (mut games, mut positions) = (0, 0);
    for row in results.all_rows() {
        let Some(own) = &row.clauses else { continue };
        games += 1;
        positions += row.listened;
        for (&number, found) in own {
            let Some(sum) = uses.get_mut(number) else { continue };
            sum.asked += found.asked;
            sum.held += found.held;
            sum.decided += found.decided;
        }
    }
    // A condition is credited with the results in the statement that it controls.
    let decided: Vec<(Span, u64)> = clauses
        .list()
        .iter()
        .zip(&uses)
        .map(|(clause, found)| (clause.span, found.decided))
        .collect();
    for (clause, found) in clauses
        .list()
        .iter()
        .zip(&mut uses)
        .filter(|(clause, _)| clause.role == ClauseRole::Question)
    {
        let inside = |span: &Span| clause.whole.start <= span.start && span.end <= clause.whole.end;
        found.decided =
            decided.iter().filter(|(span, _)| inside(span)).map(|(_, decided)| decided).sum();
    }
    let clauses = clauses.list().iter().zip(uses).map(|(clause, found)| {
        let role = match clause.role {
            ClauseRole::Question => "question",
            ClauseRole::Choice => "choice",
            ClauseRole::Effect => "effect",
            ClauseRole::Result => "result",
        };
        ClauseUse { span: clause.span, role, found }
    });
    Coverage { games, positions, clauses: clauses.collect() }
}
