//! The command-line arguments, as clap parses them. Doc comments here are the `--help` text.

mod explanations;
mod pages;
mod statistics;
mod texts;

pub use explanations::{Eval, Explain, Trace, Why};
#[cfg(feature = "studio")]
pub use pages::Studio;
pub use pages::{Page, RuleSheet, Site};
pub use statistics::{Merge, Output, Playtest, Sweep, Testing, Train};
pub use texts::{Completions, Diff, Fmt, Man, Manual, New, SchemaOf};

use super::readers::{choice, memory, seat, seconds, time};
use clap::{Args, Parser, Subcommand, ValueEnum};
use ludwright::claims::ClaimLimits;
use ludwright::search::PlayerKind;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;
use std::sync::LazyLock;
use std::time::Duration;

/// What `plan` says of how a clause runs.
const MARKS: &str = "\
How a clause runs:
  all at once    for all sites of the board at once
  at once, anew  the same, once for each site chosen before
  by 8 paths     for all sites at once, by each path from the site chosen before
  per decision   once for all moves of a decision
  site by site   for one site after another
  move by move   for each candidate move when it is tried
  when drawn     in random play, for the sampled site only
  looking ahead  after each ply of the look-ahead
  when made      for the move that is played
  when reached   whenever play reaches it
  8 cases        expanded for each direction, number or kind of piece
  known: yes     constant, known before play

The numbers before a clause are its instructions and how many copies of it there are.";

/// Write, check, play and measure abstract board games.
#[derive(Debug, Parser)]
#[command(name = "ludwright", version, long_version = VERSION.as_str(), propagate_version = true)]
pub struct Arguments {
    #[command(subcommand)]
    pub task: Task,
    #[command(flatten)]
    pub common: Common,
}

#[derive(Debug, Args)]
pub struct Common {
    /// Output format: readable text, or JSON for other programs
    #[arg(long, global = true, value_enum, default_value_t = Format::Text)]
    pub format: Format,
    /// When to use colours; `auto` means at a terminal, unless NO_COLOR is set
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
    /// Evaluate an expression in a position
    ///
    /// The expression is written as in the rules, such as `(count (theirs))`, and may use the
    /// game's definitions, memories and options. A lower-case word without a meaning stands for
    /// all values: `(any (and (beside s) (theirs)))` yields every site s for which it holds.
    Eval(Eval),
    /// Count the move sequences of a given length (perft)
    Perft(Perft),
    /// Replay a recorded game
    Replay(Replay),
    /// Convert a record or a position from or to a format of other programs
    ///
    /// PGN, SGF, FEN and diagrams are read and written as the `notation` of the rules says. The
    /// format of the file is recognized unless `--from` names it, and its options are those of the
    /// game.
    Convert(Convert),
    /// Measure the speed of uniformly random games on one thread
    Bench(Bench),
    /// Learn to play a game by self-play, for the players `learned` and `strong`
    ///
    /// Ctrl-C ends the training and its matches; what was learned until then is kept.
    Train(Train),
    /// Solve a position: find the result of best play, the best first moves and a best line
    ///
    /// Searches every reachable position; symmetric positions count once. It finds who can force a
    /// win and in how many plies or, with dice, the expected score. In a game of two players without
    /// dice, a proof search takes turns with that: it visits fewer positions, and finds who wins, but
    /// not in how many plies. It ends with the first of the two, and values first moves that the
    /// result does not need for as many positions again. A game that never ends counts as a draw. The exit code is 3 if memory or time ran out, or if
    /// the value is undefined under the rules.
    Solve(Solve),
    /// Check a certificate that `solve --certificate` has written
    ///
    /// A certificate has a strategy for whoever wins, or one for each player of a draw. The check
    /// plays all that the others can play against it. It needs the rules only, and shares nothing
    /// with the solver. The exit code is 1 if the certificate does not show its value.
    Verify(Verify),
    /// Play many games between computer players and report statistics of the game
    ///
    /// Solves the game first, or else smaller boards, as far as a few seconds allow. Then, without
    /// `--seat`, random players and tree search at four strengths, from beginner to strongest, over
    /// up to 125 times the iterations, play themselves; so do players that use a training, if one is
    /// kept that beats plain playouts. The report tests which figures depend on strength, and
    /// whether twice the thinking still gains. Without `--games`, it ends within about a minute of
    /// processor time. The same seed gives the same figures on any number of threads. Ctrl-C stops
    /// the playtest and keeps its games; the same command resumes it.
    Playtest(Playtest),
    /// Merge the parts of a playtest
    ///
    /// Each part is a JSON report, written by `ludwright playtest … --shard K/N -O PART.json`. The
    /// merged report is the same as if one computer had played all games.
    Merge(Merge),
    /// Playtest several variants of a game and compare them
    Sweep(Sweep),
    /// Play a game at the prompt
    Play(Play),
    /// Explain why a move is legal or illegal, or what the last ply did
    Why(Why),
    /// Explain a recorded game ply by ply, with the clauses of the rules that apply
    Trace(Trace),
    /// Show how each clause of the rules is executed, and what prevents a faster way
    Plan(Plan),
    /// Print a position as a text diagram, or draw it as a picture
    Show(Show),
    /// Write a rule sheet for printing
    ///
    /// The sheet shows the board, the pieces, each move in words with a diagram, and how the game
    /// ends. The diagrams come from the rule cases of the game, or else from random games.
    Rules(RuleSheet),
    /// Write a page that plays: one file of HTML, for friends or for a web server
    ///
    /// The page needs no network and no program beside a browser. It is played on by people at one
    /// screen, against the computer, or by letters: each sends a short text with the game so far.
    Page(Page),
    /// Write a gallery: pictures of games, each of which leads to a page that plays
    ///
    /// The pages share one file with the program, which lies beside them. The folder works from the
    /// disk and from any web server.
    Site(Site),
    /// Play as an engine, by the Universal Game Interface (UGI)
    ///
    /// Reads commands from standard input and answers on standard output: `ugi`, `isready`,
    /// `setoption`, `uginewgame`, `position startpos moves …`, `position fen …`, `go`, `stop`,
    /// `query gameover`, `query p1turn`, `query result`, `query turn`, `query moves`, `query
    /// position`, `quit`. Blanks in moves are spelled `_`, and the lines of a position are joined by
    /// `|`. Before a roll, `query turn` answers `chance`, and `go` rolls. The answer to an invalid
    /// command is `info string` with the reason. If there is no move, as in a game that is over,
    /// `go` answers `info string` with the reason and then `bestmove (none)`. After `go infinite`,
    /// `bestmove` comes only after `stop`.
    Engine(Engine),
    /// Run the rule cases of a game and test its claims
    ///
    /// Every `(claim …)` of the file is tested unless cases are named: exactly where all positions
    /// can be searched, otherwise by random games or a sequential test with stated error rates.
    Test(Test),
    /// Test whether two rules files describe the same game
    ///
    /// Plays both games in lockstep and searches for the shortest sequence of plies after which the
    /// legal moves, the visible position or the result differ. It is shown with both boards and the
    /// clauses responsible. If all positions can be searched, the answer is exact; otherwise random
    /// games search further. The exit code is 0 if the games are the same or no difference is
    /// found, and 1 if they differ.
    Diff(Diff),
    /// Format rules files
    ///
    /// Rewrites each file in the standard layout. The rules do not change: comments stay with their
    /// code, and of several blank lines one is kept. Lines end with a line feed. A file whose
    /// brackets do not match is left unchanged, and its mistakes are shown. A file that is not a
    /// rules file, such as a rule case, is left unchanged as well.
    Fmt(Fmt),
    /// Explain a word of the language, a type or a finding
    Explain(Explain),
    /// Run the language server for editors, on standard input and output
    ///
    /// An editor starts it once it is configured, as in grammar/guides/designers.md. It shows
    /// mistakes as you type and offers fixes, explains words, completes them, shows the signature of
    /// the form at the cursor, colours, folds, goes to declarations, renames and formats. In rule
    /// cases it shows what `ludwright test` would report.
    #[cfg(feature = "lsp")]
    Lsp,
    /// Write, play and measure games on a page in the browser
    ///
    /// Serves the page to this computer only, prints its address and opens it. Rules files of the
    /// folder can be opened and saved; what is not saved is kept until the page is opened again.
    #[cfg(feature = "studio")]
    Studio(Studio),
    /// List the games that come with the program
    ///
    /// Every command that takes a rules file also takes such a name: `ludwright play NAME`. A file
    /// of the same name takes precedence.
    Games,
    /// Create a small working game to start from
    ///
    /// Writes NAME.game, a complete game, and a rule case for it in NAME.cases, which `ludwright
    /// test` runs. Existing files are not overwritten.
    New(New),
    /// Print the manual of the language
    Manual(Manual),
    /// Print the JSON Schema of what a command prints with `--format json`
    ///
    /// Each object that is printed names its schema and the version of it. Without a command, lists
    /// the commands that have one, and `diagnostics`: the lines of standard error.
    Schema(SchemaOf),
    /// Print the completion script of a shell
    ///
    /// Save the output where the shell looks for completions, such as
    /// `ludwright completions bash > ~/.local/share/bash-completion/completions/ludwright`.
    Completions(Completions),
    /// Print the man page of the program, or of a command
    ///
    /// Save the output where `man` looks for pages, such as
    /// `ludwright man > ~/.local/share/man/man1/ludwright.1`.
    Man(Man),
}

/// The version with what distinguishes builds of it: the commit, if it is known, the target and the
/// features.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let features = [
        ("lsp", cfg!(feature = "lsp")),
        ("native", cfg!(feature = "native")),
        ("png", cfg!(feature = "png")),
        ("studio", cfg!(feature = "studio")),
        ("web", cfg!(feature = "web")),
    ];
    let features = features.into_iter().filter_map(|(name, is_in)| is_in.then_some(name));
    let features = features.collect::<Vec<&str>>().join(" ");
    let commit = option_env!("LUDWRIGHT_COMMIT").map(|commit| format!("commit: {commit}\n"));
    format!(
        "{}\n{}target: {}\nfeatures: {features}",
        env!("CARGO_PKG_VERSION"),
        commit.unwrap_or_default(),
        env!("LUDWRIGHT_TARGET"),
    )
});

/// A rules file and the options it is loaded with.
#[derive(Debug, Args)]
pub struct GameFile {
    /// The rules file
    pub file: PathBuf,
    #[command(flatten)]
    pub options: Options,
}

#[derive(Clone, Debug, Args)]
pub struct Options {
    /// Set an option of the game; may be repeated
    #[arg(short = 'o', long = "option", value_name = "KEY=VALUE", value_parser = choice)]
    pub choices: Vec<(String, String)>,
}

#[derive(Debug, Args)]
pub struct Check {
    /// The rules files; for a folder, all rules files in it and below; `-` for standard input, which
    /// cannot name other files
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    #[command(flatten)]
    pub options: Options,
    /// Also search many positions, on small boards too, for rules that never apply and for games
    /// that never end
    #[arg(long)]
    pub deep: bool,
}

/// Where a game begins, if not at the first position.
#[derive(Debug, Args)]
pub struct Beginning {
    /// Start from the end of this record
    #[arg(long, value_name = "RECORD")]
    pub from: Option<PathBuf>,
    /// Start from the position in this file: a diagram and the lines below it, as in rule cases
    #[arg(long, value_name = "FILE", conflicts_with = "from")]
    pub position: Option<PathBuf>,
    /// Accept a record made under other rules, and play it as far as it is legal
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
    /// The depth, in plies (or in turns with `--by turn` and `--by position`)
    pub depth: u32,
    /// The unit of depth; a turn is all consecutive plies of one player, and with `position` turns
    /// that lead to the same position count once
    #[arg(long, value_enum, default_value_t = Unit::Ply, value_name = "UNIT")]
    pub by: Unit,
    /// Whether a game that ends before the depth is reached counts as one sequence
    #[arg(long, value_enum, default_value_t = Finished::Skip, value_name = "HOW")]
    pub finished: Finished,
    #[command(flatten)]
    pub start: Beginning,
    /// Also print the count below each first ply or turn
    #[arg(long)]
    pub divide: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    Ply,
    Turn,
    Position,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Finished {
    Count,
    Skip,
}

#[derive(Debug, Args)]
pub struct Replay {
    #[command(flatten)]
    pub game: GameFile,
    /// The record of a game
    pub record: PathBuf,
    /// List the legal moves before each ply
    #[arg(long)]
    pub legal: bool,
    /// Step through the record at the prompt (the default at a terminal); an empty line shows the
    /// next position
    #[arg(long)]
    pub step: bool,
    /// List all plies at once, even at a terminal
    #[arg(long, conflicts_with = "step")]
    pub list: bool,
    /// Accept a record made under other rules, and play it as far as it is legal
    #[arg(long)]
    pub force: bool,
}

#[derive(Debug, Args)]
pub struct Bench {
    #[command(flatten)]
    pub game: GameFile,
    /// How long to play, in seconds
    #[arg(long, value_name = "S", default_value_t = 1.0, value_parser = seconds)]
    pub seconds: f64,
    /// The seed of the random games
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
}

#[derive(Debug, Args)]
pub struct Solve {
    #[command(flatten)]
    pub game: GameFile,
    #[command(flatten)]
    pub start: Beginning,
    /// Memory limit, such as 500MB or 8GB
    #[arg(long, value_name = "SIZE", default_value = "2GB", value_parser = memory)]
    pub memory: u64,
    /// Time limit, such as 90s, 10m or 2h [default: 10m, unless --positions is given]
    #[arg(long, value_name = "TIME", value_parser = time)]
    pub time: Option<Duration>,
    /// The most positions to explore, and to search for a proof; with it instead of a time, the
    /// answer is the same on every computer
    #[arg(long, value_name = "N")]
    pub positions: Option<u64>,
    /// Number of threads that search for a proof [default: the number of cores]. Nothing but the
    /// time depends on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub threads: Option<u16>,
    /// Search for a proof by numbers alone: sooner for some races, later for most games
    #[arg(long)]
    pub by_numbers: bool,
    /// Solve every board size, smallest first, until memory or time runs out
    #[arg(long, conflicts_with_all = ["from", "position", "line"])]
    pub table: bool,
    /// Write the line of best play to this file as a record
    #[arg(long, value_name = "RECORD")]
    pub line: Option<PathBuf>,
    /// Write a certificate of the value to this file, which `verify` checks
    #[arg(long, value_name = "FILE", conflicts_with = "table")]
    pub certificate: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub struct Verify {
    #[command(flatten)]
    pub game: GameFile,
    /// The certificate
    pub certificate: PathBuf,
}

#[derive(Debug, Args)]
pub struct Play {
    #[command(flatten)]
    pub game: GameFile,
    #[command(flatten)]
    pub start: Beginning,
    /// The seed of the dice [default: the seed of the record, or a new one]
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Reload the rules whenever the file is saved, and go on under them
    #[arg(long)]
    pub watch: bool,
    /// Who plays as NAME: human, random, greedy, learned, mcts:1s or strong:2000it; may be repeated
    #[arg(long = "seat", value_name = "NAME=PLAYER", value_parser = seat)]
    pub seats: Vec<(String, PlayerKind)>,
    /// Tell what programs expect after each of their turns: the winning chance and the plies
    #[arg(long)]
    pub plan: bool,
    /// Resume the last unfinished game of this file, after a crash or a closed terminal
    ///
    /// Games in progress are saved in the folder named by LUDWRIGHT_STATE, by default the state
    /// folder of the system, such as ~/.local/state/ludwright. If LUDWRIGHT_STATE is set but empty,
    /// nothing is saved.
    #[arg(long, conflicts_with_all = ["from", "position"])]
    pub resume: bool,
}

#[derive(Debug, Args)]
pub struct Engine {
    #[command(flatten)]
    pub game: GameFile,
    /// The protocol: `ugi` for every game; the others as the notations of the rules say
    #[arg(long, value_enum, default_value_t = Protocol::Ugi)]
    pub protocol: Protocol,
}

#[derive(Debug, Args)]
pub struct Convert {
    #[command(flatten)]
    pub game: GameFile,
    /// The record or the position
    pub input: PathBuf,
    /// The format of the file
    #[arg(long, value_enum)]
    pub from: Option<Converted>,
    /// The format to write
    #[arg(long, value_enum)]
    pub to: Converted,
}

/// A format of records or positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Converted {
    /// A record of this program
    Record,
    /// A position of this program
    Position,
    /// A record in Portable Game Notation
    Pgn,
    /// A record in the Smart Game Format
    Sgf,
    /// A position on one line
    Fen,
    /// A diagram as in forums
    Diagram,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Protocol {
    /// The Universal Game Interface
    Ugi,
    /// The Universal Chess Interface; needs the notation `uci`
    Uci,
    /// The Go Text Protocol; needs the notation `gtp`
    Gtp,
    /// The Chess Engine Communication Protocol of XBoard; needs the notation `uci`
    Cecp,
}

#[derive(Debug, Args)]
pub struct Show {
    /// The rules file; without it, `--html` looks for the rules that the record was made under: in
    /// the folder of the record, in this folder, and among the games that come with the program
    #[arg(required_unless_present = "html")]
    pub file: Option<PathBuf>,
    #[command(flatten)]
    pub options: Options,
    #[command(flatten)]
    pub start: Beginning,
    /// Draw the position as an SVG picture
    #[arg(long)]
    pub svg: bool,
    /// Draw the position as a PNG picture
    #[arg(long, conflicts_with = "svg")]
    pub png: bool,
    /// Write a page of HTML on which the game in this record can be stepped through, with the
    /// clauses of the rules that each ply executed
    #[arg(long, value_name = "RECORD", conflicts_with_all = ["svg", "png", "targets", "from", "position"])]
    pub html: Option<PathBuf>,
    /// Write the picture or the page to this file; the ending of a picture, `.svg` or `.png`,
    /// chooses the format
    #[arg(short = 'O', long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// In the picture, show where the legal moves from this site lead, or all legal moves
    #[arg(long, value_name = "SITE|all")]
    pub targets: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = MARKS)]
pub struct Plan {
    #[command(flatten)]
    pub game: GameFile,
    /// Also list the instructions of the compiled program
    #[arg(long)]
    pub code: bool,
}

#[derive(Debug, Args)]
pub struct Test {
    #[command(flatten)]
    pub game: GameFile,
    /// The case files [default: those in tests/cases/STEM, or else STEM.cases next to the rules
    /// file]
    #[arg(value_name = "CASE")]
    pub cases: Vec<PathBuf>,
    /// Show each case step by step, and for each claim a game as evidence, if there is one
    #[arg(long)]
    pub show: bool,
    /// Check and run again whenever the rules or a case are saved; stop with Ctrl-C
    #[arg(long)]
    pub watch: bool,
    /// Run the cases only, and skip the claims
    #[arg(long)]
    pub no_claims: bool,
    #[command(flatten)]
    pub spending: Spending,
}

/// What may be spent on each claim.
#[derive(Debug, Args)]
pub struct Spending {
    /// Per claim: the most plies to follow in searching all positions
    #[arg(long, value_name = "N", default_value_t = ClaimLimits::default().plies, conflicts_with = "cases")]
    pub plies: u64,
    /// Per claim: the most random games; fewer if they are longer than 50 plies
    #[arg(long, value_name = "N", default_value_t = ClaimLimits::default().games, conflicts_with = "cases")]
    pub games: u32,
    /// Per claim about scores or draws: the most games between computer players
    #[arg(long, value_name = "N", default_value_t = ClaimLimits::default().contests, conflicts_with = "cases")]
    pub contests: u32,
    /// Per claim: the most time, in seconds
    #[arg(long, value_name = "S", default_value_t = 60.0, value_parser = seconds, conflicts_with = "cases")]
    pub seconds: f64,
    /// The seed of the games
    #[arg(long, value_name = "N", default_value_t = ClaimLimits::default().seed, conflicts_with = "cases")]
    pub seed: u64,
    /// Number of threads [default: the number of cores]; results do not depend on it
    #[arg(long, value_name = "N", default_value_t = ClaimLimits::default().threads, conflicts_with = "cases", hide_default_value = true)]
    pub threads: usize,
}

impl Spending {
    /// The same as the library takes it.
    pub fn limits(&self) -> ClaimLimits {
        let &Spending { plies, games, contests, seconds, seed, threads } = self;
        ClaimLimits {
            plies,
            games,
            contests,
            time: Some(Duration::from_secs_f64(seconds)),
            seed,
            threads,
        }
    }
}
