//! Which rules of a game can be left out without a difference that matters.
//!
//! The same players play the game without each of its rules, as often as with all rules. A rule can
//! be left out if tests of equivalence show that all figures differ by less than a margin; a rule
//! matters if a figure differs significantly. If neither is shown, there are not enough games to
//! say. All tests of all rules are corrected together (Holm), so that at most five of a hundred
//! reports claim what is wrong.

use super::compared::{ComparedFigure, FEW, Of, SCORES, scores};
use super::cost_model::CostModel;
use super::other_game::{Incomparable, OtherGame};
use super::plan::{Pairing, Plan};
use super::report::{Figure, Report};
use super::results::Results;
use super::statistics::{Margins, difference_test, equivalence_test, holm, times_for_equivalence};
use super::sweep::ERROR;
use crate::compare::CompareLimits;
use crate::compare::leave_out::{LeftOut as LeftOutClause, Without as Found, leave_out};
use crate::engine::game::Game;
use crate::language::finding::Edit;
use crate::language::sources::Sources;
use crate::load::load;
use crate::random::mix;
use crate::search::PlayerKind;
use crate::syntax::Span;
use serde::Serialize;

/// Differences that do not matter: ten points of a hundred, and a tenth of a mean.
pub const MARGINS: Margins = Margins { share: 0.1, ratio: 0.1 };

/// The figures that tell games apart, by their measures; and the scores of the players.
const FIGURES: [(&str, &str); 4] =
    [("plies", "mean"), ("branching", ""), ("draws", ""), ("unfinished", "")];

/// The most pairs of positions that are compared to prove that a rule changes nothing.
const POSITIONS: u64 = 20_000;
/// The most rules that are left out.
const MAX_RULES: usize = 500;

/// A game without one of its rules.
pub struct Without {
    /// The clause that is left out.
    pub clause: Span,
    pub game: WithoutRule,
}

/// What is left without a rule.
pub enum WithoutRule {
    /// The same game, in all positions.
    Same,
    /// Rules that do not end.
    Endless,
    /// A game that is over before its first ply.
    Over,
    /// Another game, to be played.
    Game(Box<OtherGame>),
}

/// What a game is without each of its rules.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct LeftOut {
    /// Who plays against itself.
    pub player: String,
    /// The number of games with all rules.
    pub games: u64,
    /// The difference of scores and shares that counts as none.
    pub share_margin: f64,
    /// The difference of means that counts as none, as a part of the mean with all rules.
    pub ratio_margin: f64,
    /// The number of tests made, for which the p-values are corrected.
    pub tests: usize,
    #[serde(skip)]
    pub rules: Vec<LeftOutRule>,
}

/// What a game is without a rule.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct LeftOutRule {
    #[serde(skip)]
    pub clause: Span,
    pub verdict: Verdict,
    /// The number of games without it.
    pub games: u64,
    /// The p-value that some figure differs by the margin or more; null if it was not played.
    pub p: Option<f64>,
    /// About how many games would be enough, where there are too few and nothing differs.
    pub enough: Option<u64>,
    /// The figures with the rule (`own`) and without it (`other`), and the p-values of differences.
    pub figures: Vec<ComparedFigure>,
}

/// What leaving out a rule does to a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// Nothing: proved in all positions.
    Same,
    /// No figure differs by as much as the margin.
    Alike,
    /// Some figure differs.
    Different,
    /// There are not enough games to say.
    Unknown,
    /// The rules do not end without it.
    Endless,
    /// The game is over before its first ply without it.
    Over,
}

/// Returns the players whose games tell what a rule changes, with the index of their pairing: the
/// strongest who meet as equals and have enough games.
pub fn player(results: &Results) -> Option<(usize, PlayerKind)> {
    let plan = &results.plan;
    let is_steady = |kind: PlayerKind| plan.training.is_none() || !kind.uses_training();
    let pairings = results.pairings().into_iter();
    let kinds = pairings.filter_map(|(index, pairing)| Some((index, pairing.comparable()?)));
    let enough = kinds.filter(|(index, kind)| {
        is_steady(*kind) && results.independent_games(*index) >= FEW as f64
    });
    enough.max_by_key(|(_, kind)| super::compared::strength(*kind))
}

/// Leaves out each rule that can be left out, one at a time, and plans games without it: of the
/// same players, as many as with all rules. `None` if those are too few.
pub fn reduced(game: &Game, sources: &Sources, own: &Results) -> Option<Vec<Without>> {
    player(own)?;
    let limits = CompareLimits {
        time: None,
        positions: Some(POSITIONS),
        games: 0,
        ..CompareLimits::default()
    };
    let options = &own.plan.options;
    let found = leave_out(game, sources, options, &limits, &mut |_, _| {});
    let without = |(number, rule): (u64, LeftOutClause)| {
        let game = match rule.without {
            Found::Endless => WithoutRule::Endless,
            Found::Game(comparison) if comparison.is_same() => WithoutRule::Same,
            Found::Game(_) => {
                let edit = Edit { span: rule.clause, text: String::new() };
                planned(sources.spliced(&edit), own, mix(own.plan.seed, number))?
            }
        };
        Some(Without { clause: rule.clause, game })
    };
    Some((1..).zip(found.into_iter().take(MAX_RULES)).filter_map(without).collect())
}

/// Plans games with the remaining rules. `None` if the same players cannot play them.
fn planned(sources: Sources, own: &Results, seed: u64) -> Option<WithoutRule> {
    let game = load(&sources, &own.plan.options).ok()?;
    let Ok(start) = game.begin() else { return Some(WithoutRule::Endless) };
    let effort = CostModel::of(&game);
    let mut other = match OtherGame::planned(start, sources, effort, &own.plan, seed) {
        Ok(other) => other,
        Err(Incomparable::Over) => return Some(WithoutRule::Over),
        Err(Incomparable::Players) => return None,
    };
    let plan = plan(own, &other.results.plan)?;
    other.results = Results::new(plan);
    Some(WithoutRule::Game(Box::new(other)))
}

/// Reduces a plan to the pairing that is compared, with as many games as with all rules.
fn plan(own: &Results, other: &Plan) -> Option<Plan> {
    let (index, kind) = player(own)?;
    let games = own.games(index);
    let again = other.pairings.iter().find(|again| again.comparable() == Some(kind))?;
    let written = again.written.min(games);
    let pairing = Pairing { games, written, judged: 0, ..again.clone() };
    Some(Plan { allowance: None, pairings: vec![pairing], ..other.clone() })
}

/// Compares a game with and without each of its rules. `None` if there are too few games with all
/// rules.
pub fn compare(own: &Report, without: &[Without]) -> Option<LeftOut> {
    let (index, kind) = player(own.results)?;
    let who = format!("{kind} against itself");
    let mut rules: Vec<LeftOutRule> =
        without.iter().map(|without| LeftOutRule::of(own, without, &who)).collect();
    // The tests of all rules: of every figure, and of the equivalence of all figures.
    let mut p: Vec<f64> = Vec::new();
    for rule in &rules {
        p.extend(rule.figures.iter().map(|figure| figure.p).chain(rule.p));
    }
    let (tests, mut corrected) = (p.len(), holm(&p).into_iter());
    for rule in &mut rules {
        let own = rule.figures.iter_mut().map(|figure| &mut figure.p).chain(rule.p.as_mut());
        own.zip(&mut corrected).for_each(|(p, corrected)| *p = corrected);
        rule.judge(tests);
    }
    Some(LeftOut {
        player: kind.to_string(),
        games: own.results.games(index),
        share_margin: MARGINS.share,
        ratio_margin: MARGINS.ratio,
        tests,
        rules,
    })
}

impl LeftOutRule {
    /// Tests the figures of the games without a rule, each by itself.
    fn of(own: &Report, without: &Without, who: &str) -> LeftOutRule {
        let verdict = match &without.game {
            WithoutRule::Same => Verdict::Same,
            WithoutRule::Endless => Verdict::Endless,
            WithoutRule::Over => Verdict::Over,
            WithoutRule::Game(reduced) if reduced.results.hang().is_some() => Verdict::Endless,
            WithoutRule::Game(_) => Verdict::Unknown,
        };
        let clause = without.clause;
        let mut rule =
            LeftOutRule { clause, verdict, games: 0, p: None, enough: None, figures: Vec::new() };
        let (WithoutRule::Game(reduced), Verdict::Unknown) = (&without.game, verdict) else {
            return rule;
        };
        let other = reduced.report();
        rule.games = other.games();
        let is_enough = other.results.independent_games(0) >= FEW as f64;
        let mut alike = if is_enough { Some(0.0) } else { None };
        let players = own.results.plan.players.len();
        let figures = FIGURES.map(|(key, what)| (key, Of::What(what)));
        for (key, of) in figures.into_iter().chain(scores(players).map(|of| (SCORES, of))) {
            let (one, two) = (of.figure(own, key, who), of.figure(&other, key, who));
            let (Some(one), Some(two)) = (&one, &two) else {
                // A figure that only one of the games has is a difference without a test.
                alike = alike.filter(|_| one.is_none() && two.is_none());
                continue;
            };
            let equivalence = equivalence_test(&one.estimate, &two.estimate, &MARGINS);
            alike = alike.zip(equivalence).map(|(alike, p)| f64::max(alike, p));
            let figure = tested(own, key, of, (one, two));
            rule.figures.extend(figure.filter(|_| is_enough));
        }
        rule.p = alike;
        rule
    }

    /// Sets the verdict from p-values that are corrected for `tests` tests.
    fn judge(&mut self, tests: usize) {
        if self.verdict != Verdict::Unknown {
            return;
        }
        if self.p.is_some_and(|p| p <= ERROR) {
            self.verdict = Verdict::Alike;
        } else if self.figures.iter().any(ComparedFigure::differs) {
            self.verdict = Verdict::Different;
        } else {
            let level = ERROR / tests.max(1) as f64;
            let times = self.figures.iter().filter_map(|figure| {
                let (own, other) = (&figure.own.estimate, &figure.other.estimate);
                times_for_equivalence(own, other, &MARGINS, level)
            });
            let enough = times.fold(0.0, f64::max) * self.games as f64;
            // Rounded up to two digits.
            let digit = 10_f64.powf(enough.max(1.0).log10().floor() - 1.0).max(1.0);
            let enough = ((enough / digit).ceil() * digit) as u64;
            self.enough = Some(enough).filter(|enough| self.p.is_some() && *enough > self.games);
        }
    }
}

/// Tests if a figure differs.
fn tested(
    own: &Report,
    measure: &'static str,
    of: Of,
    (one, two): (&Figure, &Figure),
) -> Option<ComparedFigure> {
    let measure = own.measure(measure)?;
    Some(ComparedFigure {
        measure: measure.key,
        title: measure.title,
        what: of.name(),
        own: one.clone(),
        other: two.clone(),
        p: difference_test(&one.estimate, &two.estimate)?,
    })
}
