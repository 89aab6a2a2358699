//! The arguments of the command line.

use super::readers::{axis, choice, memory, renaming, seat, seconds, shard, time};
use clap::{Args, Parser, Subcommand, ValueEnum};
use ludwright::claims::ClaimLimits;
use ludwright::measure::MAX_GAMES;
use ludwright::search::PlayerKind;
use std::path::PathBuf;
use std::time::Duration;

/// Write, check, play and measure abstract board games.
#[derive(Debug, Parser)]
#[command(name = "ludwright", version, propagate_version = true)]
pub struct Arguments {
    #[command(subcommand)]
    pub task: Task,
    #[command(flatten)]
    pub common: Common,
}

#[derive(Debug, Args)]
pub struct Common {
    /// How to write what is found out
    #[arg(long, global = true, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// Whether to use colours; `auto` heeds the terminal and NO_COLOR
    #[arg(long, global = true, value_enum, default_value_t = Color::Auto, value_name = "WHEN")]
    pub color: Color,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Text,
    Json,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Color {
    Auto,
    Always,
    Never,
}

#[derive(Debug, Subcommand)]
pub enum Task {
    /// Check rules files and explain every mistake
    Check(Check),
    /// List the legal moves of a position
    Moves(Moves),
    /// Count the sequences of so many plies or turns
    Perft(Perft),
    /// Play a record over
    Replay(Replay),
    /// Play random games and measure them
    Bench(Bench),
    /// Find out what a position is worth when everybody plays as well as can be
    ///
    /// Looks at every position that can arise, once for all that are images of each other, and works out for each who can force a win, in how many plies, or what score
    /// can be expected where dice are rolled. Where that takes too much memory or a third of the time, two players without dice get a proof instead, which looks at fewer
    /// positions and tells who wins, but not in how many plies. A play that never ends counts as a draw. The exit code is 3 where memory or time ran out, or the rules leave the value open.
    Solve(Solve),
    /// Play many games between programs and report what they say of the game
    ///
    /// Without `--seat`, random players and tree search at three strengths meet, each itself and the others, seats changed; and then each doubling of iterations the one before. The same
    /// seed gives the same figures on any number of threads. Ctrl-C stops; what was played is kept, and the same command goes on.
    Playtest(Playtest),
    /// Put parts of a playtest together
    ///
    /// Each part is a JSON report, made by `ludwright playtest … --shard K/N -O PART.json`. The whole is the same as if one computer had played it.
    Merge(Merge),
    /// Playtest the variants of a game side by side
    Sweep(Sweep),
    /// Play at a prompt
    Play(Play),
    /// Say why a move is legal or not, or what happened in the last ply
    Why(Why),
    /// Tell a record ply by ply, with the clauses that did it
    Trace(Trace),
    /// Show how each clause of a game is executed, and why not for all sites at once where it is not
    Plan(Plan),
    /// Print a position as `--position` reads it, or draw a picture of it
    Show(Show),
    /// Play for another program, by the Universal Game Interface
    ///
    /// Reads commands from standard input and answers on standard output: `ugi`, `isready`, `setoption`, `uginewgame`, `position startpos moves …`, `position fen …`, `go`, `stop`,
    /// `query gameover`, `query p1turn`, `query result`, `query turn`, `query position`, `quit`. Blanks in moves are spelled `_`, and the lines of a position are joined by `|`. Before
    /// a roll `query turn` says `chance`, and `go` rolls. Whatever cannot be obeyed is answered with `info string`. Where there is no move, as in a game that is over, `go` says why
    /// and then `bestmove (none)`.
    Engine(Engine),
    /// Run rule cases, and decide what the file claims
    ///
    /// Decides every `(claim …)` of the file, unless cases are named: for certain where all positions can be looked at, and else by random games or a sequential test, with the error
    /// rates stated.
    Test(Test),
    /// Find out whether two rules files are the same game
    ///
    /// Plays both in lockstep and looks for the shortest sequence of plies after which the legal moves, what there is to see of the position or the result
    /// differ; shows it with both boards and the clauses that make the difference. Where all positions can be searched the answer is exact; else random
    /// games go on beyond. The exit code is 0 if the games are the same or no difference is found, and 1 if they differ.
    Diff(Diff),
    /// Lay rules files out in the one way
    ///
    /// Writes each file back in its one layout. What it says does not change: comments stay at the code that they are written at, and where there are blank
    /// lines one is kept. Lines end with a line feed. A file whose brackets do not match is left alone, and its mistakes are shown.
    /// What does not begin as rules files do, such as a rule case, is left alone as well.
    Fmt(Fmt),
    /// Explain a word of the language, a type or a finding
    Explain(Explain),
    /// Answer an editor: a language server on standard input and output
    ///
    /// Editors start it by themselves, once they are told to; the README says how. It shows what is wrong while you write, says what a word means,
    /// completes it, goes to declarations, renames, lays out and mends.
    #[cfg(feature = "lsp")]
    Lsp,
    /// List the games that come with the program
    ///
    /// Where a command takes a rules file, such a name serves as well: `ludwright play NAME`. A file of that name comes first.
    Games,
    /// Write a small working game to start from
    ///
    /// Writes NAME.game, which checks and plays, and a rule case for it in NAME.cases, which `ludwright test` runs. Nothing that is there already is
    /// overwritten.
    New(New),
    /// Print the manual of the language
    Manual(Manual),
    /// Print completions for a shell
    ///
    /// Put what is printed where the shell looks for completions, such as
    /// `ludwright completions bash > ~/.local/share/bash-completion/completions/ludwright`.
    Completions(Completions),
}

/// A rules file and the options it is loaded with.
#[derive(Debug, Args)]
pub struct GameFile {
    /// The rules file
    pub file: PathBuf,
    #[command(flatten)]
    pub options: Options,
}

#[derive(Debug, Args)]
pub struct Options {
    /// Choose an option's value; may be repeated
    #[arg(short = 'o', long = "option", value_name = "KEY=VALUE", value_parser = choice)]
    pub choices: Vec<(String, String)>,
}

#[derive(Debug, Args)]
pub struct Check {
    /// The rules files
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub options: Options,
    /// Look at many positions, on small boards too, for what can never come about, and for games that go on for ever
    #[arg(long)]
    pub deep: bool,
}

/// Where a game begins, if not at the first position.
#[derive(Debug, Args)]
pub struct Beginning {
    /// Start where this record ends
    #[arg(long, value_name = "RECORD")]
    pub from: Option<PathBuf>,
    /// Start at the position in this file: a diagram and what completes it, as in rule cases
    #[arg(long, value_name = "FILE", conflicts_with = "from")]
    pub position: Option<PathBuf>,
    /// Play a record as far as it goes, even if it was made under other rules
    #[arg(long)]
    pub force: bool,
}

#[derive(Debug, Args)]
pub struct Moves {
    #[command(flatten)]
    pub game: GameFile,
    #[command(flatten)]
    pub start: Beginning,
}

#[derive(Debug, Args)]
pub struct Perft {
    #[command(flatten)]
    pub game: GameFile,
    /// How many plies or turns deep
    pub depth: u32,
    /// What to count by; a turn is all that one player does in a row
    #[arg(long, value_enum, default_value_t = Unit::Ply, value_name = "UNIT")]
    pub by: Unit,
    #[command(flatten)]
    pub start: Beginning,
    /// Count below each first ply or turn, too
    #[arg(long)]
    pub divide: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Unit {
    Ply,
    Turn,
}

#[derive(Debug, Args)]
pub struct Replay {
    #[command(flatten)]
    pub game: GameFile,
    /// The record
    pub record: PathBuf,
    /// List the legal moves before each ply
    #[arg(long)]
    pub legal: bool,
    /// Step through it at the prompt, as is usual at a terminal: an empty line shows the next position
    #[arg(long)]
    pub step: bool,
    /// List its plies at once, also at a terminal
    #[arg(long, conflicts_with = "step")]
    pub list: bool,
    /// Play it as far as it goes, even if it was made under other rules
    #[arg(long)]
    pub force: bool,
}

#[derive(Debug, Args)]
pub struct Bench {
    #[command(flatten)]
    pub game: GameFile,
    /// For how long
    #[arg(long, value_name = "S", default_value_t = 1.0, value_parser = seconds)]
    pub seconds: f64,
    /// What the random games are drawn from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

/// What is to be played in a playtest, and where its report goes.
#[derive(Debug, Args)]
pub struct Testing {
    /// How many games each pairing has; as many as take about a minute unless given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MAX_GAMES))]
    pub games: Option<u64>,
    /// Who plays for a player of the game: random, greedy, mcts:1s or mcts:2000it; may be repeated
    #[arg(long = "seat", value_name = "NAME=PLAYER", value_parser = seat)]
    pub seats: Vec<(String, PlayerKind)>,
    /// What everything is drawn from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// How many games are played at the same time; as many as there are cores unless given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Begin again, whatever was kept of the same command when it was stopped
    #[arg(long)]
    pub anew: bool,
    #[command(flatten)]
    pub output: Output,
}

/// Where a report goes.
#[derive(Debug, Args)]
pub struct Output {
    /// Write the report to this file; `.html`, `.json` or `.md` at its end says how; may be repeated
    #[arg(short = 'O', long = "output", value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Print everything: definitions, samples, all plots, the rules with what became of each clause, the records
    #[arg(long)]
    pub full: bool,
}

#[derive(Debug, Args)]
pub struct Playtest {
    #[command(flatten)]
    pub game: GameFile,
    #[command(flatten)]
    pub testing: Testing,
    /// Begin every game where this record ends
    #[arg(long, value_name = "RECORD")]
    pub from: Option<PathBuf>,
    /// Play only the Kth of N parts; write it with `-O PART.json`, and put the parts together with `ludwright merge`
    #[arg(long, value_name = "K/N", value_parser = shard)]
    pub shard: Option<(usize, usize)>,
}

#[derive(Debug, Args)]
pub struct Merge {
    /// The parts
    #[arg(required = true, value_name = "PART.json")]
    pub parts: Vec<PathBuf>,
    #[command(flatten)]
    pub output: Output,
}

#[derive(Debug, Args)]
pub struct Sweep {
    /// The rules file
    pub file: PathBuf,
    /// Try values of an option, such as `Surplus=1..4` or `Grid=hex,square`; may be repeated, for all of them together
    #[arg(short = 'o', long = "option", value_name = "KEY=VALUES", value_parser = axis)]
    pub axes: Vec<(String, Vec<String>)>,
    #[command(flatten)]
    pub testing: Testing,
}

#[derive(Debug, Args)]
pub struct Solve {
    #[command(flatten)]
    pub game: GameFile,
    #[command(flatten)]
    pub start: Beginning,
    /// How much memory to use at most, such as 500MB or 8GB
    #[arg(long, value_name = "SIZE", default_value = "2GB", value_parser = memory)]
    pub memory: u64,
    /// How long to look at most, such as 90s, 10m or 2h
    #[arg(long, value_name = "TIME", default_value = "10m", value_parser = time)]
    pub time: Duration,
    /// Solve every size of the game, the smaller ones first, for as long as memory and time last
    #[arg(long, conflicts_with_all = ["from", "position", "line"])]
    pub table: bool,
    /// Write the line of best play to this file, as a record
    #[arg(long, value_name = "RECORD")]
    pub line: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct Play {
    #[command(flatten)]
    pub game: GameFile,
    #[command(flatten)]
    pub start: Beginning,
    /// What the dice are rolled with; the record's seed unless given, or else a new one
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Whenever the rules are saved, check them again and go on under them
    #[arg(long)]
    pub watch: bool,
    /// Who plays for a player of the game: human, random, greedy, mcts:1s or mcts:2000it; may be repeated
    #[arg(long = "seat", value_name = "NAME=PLAYER", value_parser = seat)]
    pub seats: Vec<(String, PlayerKind)>,
    /// Go on with the last game of this file that was not finished, after a crash or a closed terminal
    ///
    /// Games are kept while they are played in the folder that LUDWRIGHT_STATE names, or else in that for the state of programs,
    /// such as ~/.local/state/ludwright. Where LUDWRIGHT_STATE is set and empty, nothing is kept.
    #[arg(long, conflicts_with_all = ["from", "position"])]
    pub resume: bool,
}

#[derive(Debug, Args)]
pub struct Engine {
    #[command(flatten)]
    pub game: GameFile,
}

#[derive(Debug, Args)]
pub struct Show {
    #[command(flatten)]
    pub game: GameFile,
    #[command(flatten)]
    pub start: Beginning,
    /// Draw a picture as SVG
    #[arg(long)]
    pub svg: bool,
    /// Draw a picture as PNG
    #[arg(long, conflicts_with = "svg")]
    pub png: bool,
    /// Write the picture to this file; `.svg` or `.png` at its end says which
    #[arg(short = 'O', long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// In a picture, show where the legal moves lead that choose this site, or where all of them do
    #[arg(long, value_name = "SITE|all")]
    pub targets: Option<String>,
}

#[derive(Debug, Args)]
pub struct Why {
    #[command(flatten)]
    pub game: GameFile,
    /// The move, such as "place c3"; or `result`; without it, the last ply
    #[arg(value_name = "MOVE", num_args = 0..)]
    pub question: Vec<String>,
    #[command(flatten)]
    pub start: Beginning,
}

#[derive(Debug, Args)]
pub struct Trace {
    #[command(flatten)]
    pub game: GameFile,
    /// The record
    pub record: PathBuf,
}

/// What `plan` says of how a clause runs.
const MARKS: &str = "\
How a clause runs:
  all at once    for all sites of the board together
  at once, anew  the same, but once for each site chosen before
  by 8 paths     for all sites together, by each path that leads on from the site chosen before
  per decision   once for all that a decision offers
  site by site   for one site after the other
  move by move   for each candidate when it is tried
  when drawn     in random play, for the one site that it has drawn
  looking ahead  after each ply that is looked ahead to
  when made      for the one move that is made
  when reached   whenever play comes to it
  8 cases        written out in the program for each direction, number or kind of piece
  known: yes     known before play

Before a clause stands how many instructions it has, and in how many copies.";

#[derive(Debug, Args)]
#[command(after_help = MARKS)]
pub struct Plan {
    #[command(flatten)]
    pub game: GameFile,
    /// List the instructions, too
    #[arg(long)]
    pub code: bool,
}

#[derive(Debug, Args)]
pub struct Test {
    #[command(flatten)]
    pub game: GameFile,
    /// The cases; without any, those in tests/cases/STEM, or else in STEM.cases beside the rules file
    #[arg(value_name = "CASE")]
    pub cases: Vec<PathBuf>,
    /// Show how each case goes, and a game for each claim where there is one to show
    #[arg(long)]
    pub show: bool,
    /// Whenever the rules or a case are saved, check and run them again, until it is interrupted
    #[arg(long)]
    pub watch: bool,
    /// Run the cases only
    #[arg(long)]
    pub no_claims: bool,
    #[command(flatten)]
    pub spending: Spending,
}

/// What may be spent on each claim.
#[derive(Debug, Args)]
pub struct Spending {
    /// For each claim, follow so many plies at most to see every position
    #[arg(long, value_name = "N", default_value_t = ClaimLimits::default().plies, conflicts_with = "cases")]
    pub plies: u64,
    /// For each claim, play so many random games at most; fewer where they are longer than 50 plies
    #[arg(long, value_name = "N", default_value_t = ClaimLimits::default().games, conflicts_with = "cases")]
    pub games: u32,
    /// For each claim about scores or draws, play so many games between programs at most
    #[arg(long, value_name = "N", default_value_t = ClaimLimits::default().contests, conflicts_with = "cases")]
    pub contests: u32,
    /// For each claim, take so long at most
    #[arg(long, value_name = "S", default_value_t = 60.0, value_parser = seconds, conflicts_with = "cases")]
    pub seconds: f64,
    /// What the games are drawn from
    #[arg(long, value_name = "N", default_value_t = ClaimLimits::default().seed, conflicts_with = "cases")]
    pub seed: u64,
    /// On how many threads; the answers are the same on any number of them
    #[arg(long, value_name = "N", default_value_t = ClaimLimits::default().threads, conflicts_with = "cases", hide_default_value = true)]
    pub threads: usize,
}

impl Spending {
    /// The same as the library takes it.
    pub fn limits(&self) -> ClaimLimits {
        let &Spending { plies, games, contests, seconds, seed, threads } = self;
        ClaimLimits { plies, games, contests, time: Some(Duration::from_secs_f64(seconds)), seed, threads }
    }
}

#[derive(Debug, Args)]
pub struct Diff {
    /// The one rules file
    #[arg(value_name = "LEFT")]
    pub one: PathBuf,
    /// The other; without it, the same file with other options
    #[arg(value_name = "RIGHT")]
    pub other: Option<PathBuf>,
    /// Choose an option's value in both files, where they have it; may be repeated
    #[arg(short = 'o', long = "option", value_name = "KEY=VALUE", value_parser = choice)]
    pub choices: Vec<(String, String)>,
    /// Choose an option's value in the left file alone
    #[arg(long, value_name = "KEY=VALUE", value_parser = choice)]
    pub left: Vec<(String, String)>,
    /// Choose an option's value in the right file alone
    #[arg(long, value_name = "KEY=VALUE", value_parser = choice)]
    pub right: Vec<(String, String)>,
    /// What the left file calls by one name and the right file by another: a player, a piece, a move, something remembered; may be repeated
    #[arg(long = "rename", value_name = "LEFT=RIGHT", value_parser = renaming)]
    pub renamings: Vec<(String, String)>,
    /// Find out by what they do which names stand for each other, where the files have different ones
    #[arg(long)]
    pub match_names: bool,
    /// How long to look, such as 90s or 5m
    #[arg(long, value_name = "TIME", default_value = "1m", value_parser = time)]
    pub time: Duration,
    /// How much memory the search may take, such as 500MB or 8GB
    #[arg(long, value_name = "SIZE", default_value = "1GB", value_parser = memory)]
    pub memory: u64,
    /// How many random games to play where not all positions can be searched
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub games: u32,
    /// What the random games are drawn from
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// Write the sequence after which they differ to this file, as a record of the left game
    #[arg(short = 'O', long, value_name = "FILE")]
    pub output: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct Fmt {
    /// The rules files; `-`, or none, lays out standard input to standard output
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Write nothing, but say which files are laid out otherwise, and exit with 1 if any is
    #[arg(long)]
    pub check: bool,
}

#[derive(Debug, Args)]
pub struct Explain {
    /// A ludeme, a type or the code of a finding; without one, the index by topic
    #[arg(value_name = "WORD")]
    pub words: Vec<String>,
}

#[derive(Debug, Args)]
pub struct New {
    /// What the game is called, such as "Three Stones"; a path such as games/three-stones says where to put it
    pub name: PathBuf,
    /// What kind of game to begin with
    #[arg(long, value_enum, default_value_t = Like::Placement, value_name = "KIND")]
    pub like: Like,
    /// A game that comes with the program, to begin with its rules
    #[arg(long, value_name = "GAME", conflicts_with = "like")]
    pub from: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Like {
    /// Stones are placed and stay
    Placement,
    /// Pieces move towards a goal
    Movement,
    /// Pieces capture each other
    Capture,
}

#[derive(Debug, Args)]
pub struct Manual {
    /// Print the TextMate grammar for editors instead
    #[arg(long)]
    pub textmate: bool,
}

#[derive(Debug, Args)]
pub struct Completions {
    /// The shell
    pub shell: clap_complete::Shell,
}
