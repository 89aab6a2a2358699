//! Reports as JSON. A report contains all results, so that it can be read again and parts can be
//! merged.
//!
//! `ludwright schema playtest` prints the schema, which is generated from [`ReportAnswer`]. Both
//! versions are read: for the `options` of a board and the frequencies of `sites`, version 2 has
//! objects and version 1 had pairs.

use super::compared::ComparedAnswer;
use super::left_out::LeftOutAnswer;
use crate::diagnostics::{Place, place};
use crate::engine::game::Game;
use crate::load::load;
use crate::measure::game_rows::{BoardGames, ExactValue, Opening, SolvedPly};
use crate::measure::levels::LevelTrial;
use crate::measure::plan::TrainingSummary;
use crate::measure::report::{ClauseUse, Heat, Measure, NotableGame, Puzzle, Report, Sentence};
use crate::measure::results::{Mismatch, Results};
use serde::{Deserialize, Serialize, Serializer};
use serde_json::Value;
use std::collections::BTreeMap;

/// Identifies JSON as a report.
pub const SCHEMA: &str = "ludwright-playtest";
/// The schema version that is written.
pub const VERSION: u64 = 2;
/// The version of this program.
const PROGRAM: &str = env!("CARGO_PKG_VERSION");

/// A report that was read.
#[derive(Clone, Debug)]
pub struct ReportPart {
    pub results: Results,
    /// The version of the program that played it; `None` in reports that lack the key.
    pub program: Option<String>,
    /// The shard and the number of shards, from 1, if the report is one of several.
    pub shard: Option<(usize, usize)>,
}

impl ReportPart {
    /// Tests if this version of the program has played it.
    pub fn is_of_this_program(&self) -> bool {
        self.program.as_deref() == Some(PROGRAM)
    }

    /// Merges another part.
    ///
    /// # Errors
    /// Returns [`Mismatch`] if the parts do not belong to the same playtest.
    pub fn join(&mut self, other: ReportPart) -> Result<(), Mismatch> {
        if self.program != other.program {
            return Err(Mismatch::Program);
        }
        if self.results.plan.rules != other.results.plan.rules {
            return Err(Mismatch::Rules);
        }
        self.results.join(other.results)
    }

    /// Loads the game that was played, from the rules in the report.
    ///
    /// # Errors
    /// Returns a message if this version of the program cannot play them.
    pub fn game(&self) -> Result<Game, String> {
        let plan = &self.results.plan;
        let game = load(plan.sources(), &plan.options).map_err(|error| {
            format!("this program cannot play the rules in it: {}", error.summary())
        })?;
        match game.rules().teams.count() == plan.players.len() {
            true => Ok(game),
            false => Err("the players of its rules and of its plan differ".to_owned()),
        }
    }
}

/// A report in JSON. Lists by player are in the order of `players`.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct ReportAnswer<'r> {
    #[cfg_attr(feature = "cli", schemars(extend("const" = SCHEMA)))]
    schema: &'static str,
    #[cfg_attr(feature = "cli", schemars(extend("const" = VERSION)))]
    version: u64,
    /// The version of the program that played.
    program: &'static str,
    game: &'r str,
    options: BTreeMap<&'r str, &'r str>,
    players: &'r [String],
    /// The plies that begin every game.
    opening: &'r [String],
    seed: u64,
    /// The number of games.
    games: u64,
    /// Whether all batches were played.
    complete: bool,
    lots: LotsAnswer,
    /// Remarks that qualify all figures.
    remarks: Vec<String>,
    /// At most three short sentences that the report begins with: what a designer asks first.
    summary: &'r [String],
    /// What the figures say, with intervals and caveats.
    verdict: &'r [Sentence],
    /// The players by their plain names; empty if they were chosen otherwise.
    strengths: BTreeMap<&'r str, String>,
    /// The boards that were solved, the largest last.
    exact: Vec<SolvedBoardAnswer<'r>>,
    /// The training that players use.
    training: &'r Option<TrainingSummary>,
    measures: &'r [Measure],
    /// The trials of the ladder of levels, in their order; empty if it was not climbed.
    levels: &'r [LevelTrial],
    /// The first plies, where they were judged.
    openings: Vec<OpeningAnswer<'r>>,
    /// How often each site was chosen, by player.
    sites: Vec<HeatAnswer<'r>>,
    coverage: CoverageAnswer<'r>,
    /// The longest, the shortest, the most decisive and the most dramatic game.
    records: &'r [NotableGame],
    /// The best positions of the games in which exactly one ply wins.
    puzzles: &'r [Puzzle],
    /// The comparison with other games, if one was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    compared_with: Option<ComparedAnswer<'r>>,
    /// What the game is without each of its rules, if that was tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    leave_out: Option<LeftOutAnswer<'r>>,
    /// The plan, with the files of the game, and the results of all batches, which `ludwright merge`
    /// reads. They change with the version of the program.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "cli", schemars(with = "BTreeMap<String, Value>"))]
    played: Option<&'r Results>,
    /// Which part it is, if it is a part of a playtest.
    #[serde(skip_serializing_if = "Option::is_none")]
    shard: Option<ShardAnswer>,
}

/// How many batches were played, and of how many as far as known.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
struct LotsAnswer {
    played: usize,
    of: usize,
}

/// Which part of how many, from 1.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
struct ShardAnswer {
    part: usize,
    of: usize,
}

/// A board whose value with best play is known.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
struct SolvedBoardAnswer<'r> {
    /// The options in which it differs from the game; empty for the game itself.
    options: BTreeMap<&'r str, &'r str>,
    value: ExactValue,
    /// The score of each player with best play, expected where there are dice; null if it is open.
    scores: Option<BTreeMap<&'r str, f64>>,
    /// The plies to the win, if they are known.
    #[serde(skip_serializing_if = "Option::is_none")]
    plies: Option<u32>,
    /// How many first plies keep the value, of how many.
    optimal: u32,
    first: u32,
    /// The positions that were searched.
    positions: u64,
    /// Whether the value of each position is known, and not only who wins.
    tabulated: bool,
    /// Of the game itself, the first plies and the values after them.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    first_plies: &'r [SolvedPly],
    /// Games on a smaller board between equal players of each strength.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    games: &'r [BoardGames],
}

/// A first ply, and what is expected after it.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
struct OpeningAnswer<'r> {
    #[serde(flatten)]
    opening: &'r Opening,
    /// The expected score of each player after it.
    scores: BTreeMap<&'r str, f64>,
}

/// The frequency of each site among all choices of sites.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
struct HeatAnswer<'r> {
    who: &'r str,
    #[serde(serialize_with = "by_name")]
    #[cfg_attr(feature = "cli", schemars(with = "BTreeMap<String, f64>"))]
    sites: &'r [(String, f64)],
}

fn by_name<S: Serializer>(pairs: &[(String, f64)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(pairs.iter().map(|(name, value)| (name, value)))
}

/// How the clauses of the rules were used in a sample of games.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
struct CoverageAnswer<'r> {
    games: u64,
    /// The positions in which all moves were tried.
    positions: u64,
    clauses: Vec<CoveredClause<'r>>,
}

/// How a clause was used.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
struct CoveredClause<'r> {
    #[serde(flatten)]
    place: Place,
    #[serde(flatten)]
    used: &'r ClauseUse,
}

impl<'r> ReportAnswer<'r> {
    /// Describes a report, or a shard: its number from 1, and the number of shards.
    pub fn new(report: &'r Report<'r>, shard: Option<(usize, usize)>) -> ReportAnswer<'r> {
        let plan = &report.results.plan;
        let clauses = report.coverage.clauses.iter().map(|used| CoveredClause {
            place: place(used.span, report.game.rules(), report.sources),
            used,
        });
        let by_player = |scores: &mut dyn Iterator<Item = f64>| {
            plan.players.iter().map(String::as_str).zip(scores).collect::<BTreeMap<&str, f64>>()
        };
        let exact = report.results.exact().map(|board| SolvedBoardAnswer {
            options: pairs(&board.options),
            value: board.value,
            scores: board
                .value
                .scores(plan.players.len())
                .map(|all| by_player(&mut all.into_iter())),
            plies: board.plies,
            optimal: board.optimal,
            first: board.first,
            positions: board.positions,
            tabulated: board.tabulated,
            first_plies: &board.first_plies,
            games: &board.games,
        });
        let openings = report.results.openings().map(|opening| {
            let mut scores = opening.chances.iter().map(|&chance| f64::from(chance) / 1000.0);
            OpeningAnswer { opening, scores: by_player(&mut scores) }
        });
        let strengths = report.strengths.list().iter();
        ReportAnswer {
            schema: SCHEMA,
            version: VERSION,
            program: PROGRAM,
            game: &plan.game,
            options: pairs(&plan.options),
            players: &plan.players,
            opening: &plan.opening,
            seed: plan.seed,
            games: report.games(),
            complete: report.is_complete(),
            lots: LotsAnswer { played: report.played.0, of: report.played.1 },
            remarks: report.remarks(),
            summary: &report.summary,
            verdict: &report.verdict,
            strengths: strengths.map(|(kind, name)| (name.as_str(), kind.to_string())).collect(),
            exact: exact.collect(),
            training: &plan.training,
            measures: &report.measures,
            levels: report.results.levels(),
            openings: openings.collect(),
            sites: report
                .heat
                .iter()
                .map(|Heat { who, named, .. }| HeatAnswer { who, sites: named })
                .collect(),
            coverage: CoverageAnswer {
                games: report.coverage.games,
                positions: report.coverage.positions,
                clauses: clauses.collect(),
            },
            records: &report.records,
            puzzles: &report.puzzles,
            compared_with: ComparedAnswer::of(report),
            leave_out: LeftOutAnswer::of(report),
            played: Some(report.results),
            shard: shard.map(|(part, of)| ShardAnswer { part, of }),
        }
    }

    /// Describes a report without the results of the single games.
    pub fn without_games(report: &'r Report<'r>) -> ReportAnswer<'r> {
        ReportAnswer { played: None, ..ReportAnswer::new(report, None) }
    }
}

fn pairs(pairs: &[(String, String)]) -> BTreeMap<&str, &str> {
    pairs.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
}

/// Converts a report to JSON.
///
/// # Errors
/// Returns the error of the serializer, if any.
pub fn json(report: &Report) -> Result<Value, serde_json::Error> {
    serde_json::to_value(ReportAnswer::new(report, None))
}

/// Reads the results in a report.
///
/// # Errors
/// Returns a message if the text is not a valid report.
pub fn read(text: &str) -> Result<Results, String> {
    read_part(text).map(|part| part.results)
}

/// Reads the results in a report, with its origin.
///
/// # Errors
/// Returns a message if the text is not a valid report.
pub fn read_part(text: &str) -> Result<ReportPart, String> {
    #[derive(Deserialize)]
    struct Head {
        schema: Option<String>,
        version: Option<u64>,
        program: Option<String>,
        shard: Option<ShardAnswer>,
    }
    #[derive(Deserialize)]
    struct Whole {
        played: Results,
    }
    let head: Head =
        serde_json::from_str(text).map_err(|error| format!("it is not a JSON report: {error}"))?;
    match (head.schema.as_deref(), head.version) {
        (Some(SCHEMA), Some(1..=VERSION)) => {}
        (Some(SCHEMA), Some(version)) => {
            return Err(format!(
                "it has version {version}; this program reads versions up to {VERSION}"
            ));
        }
        _ => {
            return Err(format!(
                "it is not a report of a playtest: it has no `\"schema\": \"{SCHEMA}\"`"
            ));
        }
    }
    let Whole { played } = serde_json::from_str(text)
        .map_err(|error| format!("cannot read the games in it: {error}"))?;
    played.plan.check()?;
    let mut results = Results::new(played.plan);
    match results.add(played.lots) {
        Ok(()) => {
            let shard = head
                .shard
                .map(|ShardAnswer { part, of }| (part, of))
                .filter(|&(part, of)| 1 <= part && part <= of);
            Ok(ReportPart { results, program: head.program, shard })
        }
        Err(_) => Err("its games do not match its plan".to_owned()),
    }
}
