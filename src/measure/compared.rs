//! Comparison of a playtest with playtests of other games: longer, more drawish, and so on.
//!
//! Figures depend on who plays. So two games are compared by the games of the same players: the
//! strongest who meet as equals in both playtests and have enough games. The tests are those of a
//! [`sweep`] with pairs of this game and another. All of them are corrected together, so that of a
//! hundred comparisons of games that do not differ at most five claim a difference.

use super::plan::Plan;
use super::report::{Figure, Report};
use super::results::Results;
use super::sweep::{self, FigureRow};
use crate::search::PlayerKind;
use serde::Serialize;
use std::collections::BTreeMap;

/// The most games that a playtest is compared with.
pub const MAX_COMPARED: usize = 8;
/// With fewer independent games, or a smaller sample of a figure, the tests would not hold their
/// error rate.
pub const FEW: u64 = 15;

/// What a playtest is, compared with those of other games.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Compared {
    /// The number of tests made.
    pub tests: usize,
    pub games: Vec<ComparedGame>,
}

/// The comparison with another game.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct ComparedGame {
    /// Its title, with the options that differ from their defaults.
    pub game: String,
    /// The hash of its rules.
    pub rules: String,
    pub options: BTreeMap<String, String>,
    /// The plies that begin every game of it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub opening: Vec<String>,
    /// Who plays both games against itself; null if none of those who do has played enough games.
    pub player: Option<String>,
    /// Those who are stronger and play both games against themselves, but of whom there are too few
    /// games that are independent.
    pub stronger: Vec<String>,
    /// The number of the games: of the game that was tested, and of the other one.
    pub games: (u64, u64),
    pub figures: Vec<ComparedFigure>,
    /// The measures of which there are too few games.
    pub too_few: Vec<&'static str>,
    /// The measures that mean something else with another number of players.
    pub other_players: Vec<&'static str>,
    /// The measures that rest on winning chances, where another search has estimated those.
    pub other_judge: Vec<&'static str>,
    /// Whether players can win or lose only, in both games.
    #[serde(skip)]
    pub is_solitaire: bool,
}

/// A figure of both games.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct ComparedFigure {
    pub measure: &'static str,
    pub title: &'static str,
    pub what: String,
    /// Of the game that was tested.
    pub own: Figure,
    /// Of the other game.
    pub other: Figure,
    /// The p-value after Holm's correction for all tests.
    pub p: f64,
}

impl ComparedFigure {
    /// Tests if the games differ.
    pub fn differs(&self) -> bool {
        self.p <= sweep::ERROR
    }
}

/// The figures that are compared, by their measures.
const FIGURES: [(&str, &str); 8] = [
    ("plies", "mean"),
    ("branching", ""),
    ("draws", ""),
    ("unfinished", ""),
    ("decisiveness", ""),
    ("comebacks", ""),
    ("forced", ""),
    ("repetition", "games"),
];

/// The measure with a figure for each player.
pub(super) const SCORES: &str = "seat-advantage";

/// The names of places in the order of the players.
const PLACES: [&str; 8] =
    ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth"];

/// Returns the players who meet as equals in both plans, the strongest first.
pub fn common_players(own: &Plan, other: &Plan) -> Vec<PlayerKind> {
    let is_trained = own.training.is_some() || other.training.is_some();
    let kinds = |plan: &Plan| -> Vec<PlayerKind> {
        let all = plan.pairings.iter().filter_map(|pairing| pairing.comparable());
        all.filter(|kind| !is_trained || !kind.uses_training()).collect()
    };
    let others = kinds(other);
    let mut common: Vec<PlayerKind> =
        kinds(own).into_iter().filter(|kind| others.contains(kind)).collect();
    common.sort_by_key(|kind| std::cmp::Reverse(strength(*kind)));
    common.dedup();
    common
}

/// Returns a key by which players are ordered by strength.
pub(super) fn strength(kind: PlayerKind) -> (u8, u64) {
    match kind {
        PlayerKind::Iterations(iterations) => (2, iterations),
        PlayerKind::StrongIterations(iterations) => (3, iterations),
        PlayerKind::Greedy => (1, 0),
        _ => (0, 0),
    }
}

/// Returns the pairing in which these players meet as equals.
fn pairing(results: &Results, kind: PlayerKind) -> Option<usize> {
    results.plan.pairings.iter().position(|own| own.comparable() == Some(kind))
}

/// Compares a report with the reports of other games.
pub fn compare(own: &Report, others: &[Report]) -> Compared {
    let mut games: Vec<ComparedGame> =
        others.iter().map(|other| ComparedGame::new(own, other)).collect();
    let mut rows = Vec::new();
    for (index, (game, other)) in games.iter_mut().zip(others).enumerate() {
        let both = game.rows(own, other);
        rows.extend(both.into_iter().map(|(measure, what, who, one, other)| {
            let mut figures = vec![None; others.len() + 1];
            (figures[0], figures[index + 1]) = (Some(one), Some(other));
            FigureRow { measure, title: title(own, measure), what, who, figures }
        }));
    }
    let pairs: Vec<(usize, usize)> = (1..=others.len()).map(|other| (0, other)).collect();
    let tested = sweep::tested(rows.iter(), &pairs);
    let tests = tested.len();
    for difference in tested {
        let (own, other) = difference.figures;
        games[difference.variants.1 - 1].figures.push(ComparedFigure {
            measure: difference.measure,
            title: difference.title,
            what: difference.what,
            own,
            other,
            p: difference.p,
        });
    }
    distinguish(own, &mut games);
    Compared { tests, games }
}

/// Numbers games of the same name.
fn distinguish(own: &Report, games: &mut [ComparedGame]) {
    let mut seen = BTreeMap::from([(own.title(), 1)]);
    for game in games {
        let times = seen.entry(game.game.clone()).or_insert(0);
        *times += 1;
        if *times > 1 {
            game.game = format!("{} [{times}]", game.game);
        }
    }
}

fn title(report: &Report, measure: &str) -> &'static str {
    report.measure(measure).map_or("", |measure| measure.title)
}

/// A figure of both games: its measure, `what`, `who`, and the two figures.
type Both = (&'static str, String, String, Figure, Figure);

impl ComparedGame {
    /// Chooses the strongest common players with enough games.
    fn new(own: &Report, other: &Report) -> ComparedGame {
        let (one, two) = (own.results, other.results);
        let enough = |results: &Results, pairing: usize| {
            (results.independent_games(pairing) >= FEW as f64).then_some(results.games(pairing))
        };
        let games = |kind: PlayerKind| {
            Some((enough(one, pairing(one, kind)?)?, enough(two, pairing(two, kind)?)?))
        };
        let common = common_players(&one.plan, &two.plan);
        let found = common.iter().position(|kind| games(*kind).is_some());
        let names: Vec<String> = common.iter().map(ToString::to_string).collect();
        ComparedGame {
            game: other.title(),
            rules: two.plan.rules.clone(),
            options: two.plan.options.iter().cloned().collect(),
            opening: two.plan.opening.clone(),
            player: found.map(|at| names[at].clone()),
            stronger: names[..found.unwrap_or(0)].to_vec(),
            games: found.and_then(|at| games(common[at])).unwrap_or_default(),
            figures: Vec::new(),
            too_few: Vec::new(),
            other_players: Vec::new(),
            other_judge: Vec::new(),
            is_solitaire: one.plan.players.len() == 1 && two.plan.players.len() == 1,
        }
    }

    /// Collects the figures of both games, and the measures that cannot be compared.
    fn rows(&mut self, own: &Report, other: &Report) -> Vec<Both> {
        let Some(player) = &self.player else { return Vec::new() };
        let who = format!("{player} against itself");
        let plans = (&own.results.plan, &other.results.plan);
        let players = (plans.0.players.len(), plans.1.players.len());
        let figures = FIGURES.map(|(key, what)| (key, Of::What(what))).into_iter();
        let mut rows = Vec::new();
        for (key, of) in figures.chain(scores(players.0).map(|of| (SCORES, of))) {
            let (Some(one), Some(two)) = (of.figure(own, key, &who), of.figure(other, key, &who))
            else {
                continue;
            };
            let samples = one.estimate.sample.min(two.estimate.sample);
            let left_out = if !means_the_same(key, players) {
                &mut self.other_players
            } else if rests_on_chances(key) && plans.0.judge != plans.1.judge {
                &mut self.other_judge
            } else if samples < FEW {
                &mut self.too_few
            } else {
                rows.push((key, of.name(), who.clone(), one, two));
                continue;
            };
            if !left_out.contains(&key) {
                left_out.push(key);
            }
        }
        rows
    }
}

/// Whether a figure is found by a text or by a player.
#[derive(Clone, Copy)]
pub(super) enum Of {
    What(&'static str),
    /// A player by index and by the name of the place; the player's name depends on the game.
    Place(usize, &'static str),
}

impl Of {
    pub(super) fn figure(self, report: &Report, measure: &str, who: &str) -> Option<Figure> {
        let what = match self {
            Of::What(what) => what,
            Of::Place(place, _) => report.results.plan.players.get(place)?,
        };
        report.measure(measure)?.figure(what, who).cloned()
    }

    pub(super) fn name(self) -> String {
        match self {
            Of::What(what) => what.to_owned(),
            Of::Place(_, name) => format!("{name} player"),
        }
    }
}

/// Returns the places whose scores are compared in games of `players` players.
pub(super) fn scores(players: usize) -> impl Iterator<Item = Of> {
    PLACES.iter().take(places(players)).enumerate().map(|(place, name)| Of::Place(place, name))
}

/// Returns how many scores are compared: the second of two players mirrors the first, and a single
/// player's score says the same as the share of lost games.
fn places(players: usize) -> usize {
    match players {
        0 | 1 => 0,
        2 => 1,
        more => more.min(PLACES.len()),
    }
}

/// Tests if a measure means the same with these numbers of players.
fn means_the_same(measure: &str, players: (usize, usize)) -> bool {
    match measure {
        SCORES | "comebacks" => players.0 == players.1,
        "draws" => (players.0 == 1) == (players.1 == 1),
        _ => true,
    }
}

/// Tests if a measure rests on estimated winning chances.
fn rests_on_chances(measure: &str) -> bool {
    ["decisiveness", "comebacks"].contains(&measure)
}
