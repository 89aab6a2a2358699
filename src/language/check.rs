//! The checker: turns trees into typed rules and findings.
//!
//! Parts are assembled and their names declared first; then come the options, the board, the
//! memories, the definitions in dependency order, and last the statements. A failure is reported
//! where it occurs and propagates upwards silently as `None`, so that no finding is the consequence
//! of another.
//!
//! Rules without errors are checked once. Rules with errors are checked a second time, in which each
//! form that failed is first compared with likely mistakes (`diagnosis.rs`, `patterns.rs`).

mod ability;
mod additions;
mod arguments;
mod assemble;
mod borders;
mod brackets;
mod build;
mod cases;
mod choices;
mod claims;
mod conditional;
mod coordinates;
mod definitions;
mod diagnosis;
mod drawing;
mod expectation;
mod expressions;
mod headings;
mod inference;
mod known;
mod last_moves;
mod layers;
mod layout;
mod leap;
mod lines;
mod look;
mod memories;
mod moves;
mod notations;
mod occurrences;
mod options;
mod parts;
mod passages;
mod paths;
mod patterns;
mod per;
mod pie;
mod pieces;
mod piles;
mod placement;
mod query;
mod repetition;
mod report;
mod scope;
mod sides;
mod spelling;
mod statements;
mod sugar;
mod suggestions;
mod syntax_findings;
mod teams;
mod then;
mod together;
mod typed;

use super::{Checked, ChoiceFault, Expected};
use crate::board::Board;
use crate::language::desugar::{Sugar, desugar};
use crate::language::diagram::Symbol;
use crate::language::finding::{Code, Finding, Severity};
use crate::language::lints::{self, CheckedGame, DeclaredOption};
use crate::language::ludemes::Kind;
use crate::language::names::{Meaning, Usage};
use crate::language::rules::*;
use crate::language::sources::Sources;
use crate::syntax::{Node, Span, Tree};
use additions::AddedMoves;
use definitions::DefinitionEntry;
use expectation::ExpectationQuery;
use last_moves::LastMoveEntry;
use memories::MemoryEntry;
use moves::MoveEntry;
use options::OptionEntry;
use paths::PathEntry;
use pieces::PieceEntry;
use placement::Placement;
pub(super) use query::query;
use report::Within;
use rustc_hash::FxHashSet;
use scope::Scope;
use sides::PlayerEntry;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::sync::Arc;
pub(super) use typed::accepts;

/// Checks a game; see [`check`](super::check).
pub(super) fn check(sources: &Sources, choices: &[(String, String)]) -> Checked {
    let checked = check_trees(sources, sources.trees(), choices);
    brackets::explained(sources, choices, &checked).unwrap_or(checked)
}

fn check_trees(sources: &Sources, trees: &[Tree], choices: &[(String, String)]) -> Checked {
    let (mut checker, mut rules) = read(sources, trees, choices);
    if let Some(rules) = &mut rules {
        rules.options = checker.chosen();
        if !checker.diagnostics.failed {
            let board_size = |choices: &_| Some(read(sources, trees, choices).1?.board.len());
            let findings = lints::lint(&checker.checked_game(rules), board_size);
            findings.into_iter().for_each(|finding| checker.report(finding));
        }
        desugar(rules, &checker.declared.sugar);
    }
    checker.finish(rules)
}

/// Returns the errors of a game with these options, and the number of expressions checked.
pub(super) fn errors(sources: &Sources, choices: &[(String, String)]) -> (Vec<Finding>, usize) {
    let (mut checker, _) = read(sources, sources.trees(), choices);
    checker.settle_findings();
    checker.diagnostics.findings.retain(|finding| finding.severity() == Severity::Error);
    (checker.diagnostics.findings, checker.checked_expressions)
}

/// Checks a game without lints, and without listing the values of its options. If something fails,
/// the game is checked again, and the forms that failed are diagnosed.
fn read<'t>(
    sources: &'t Sources,
    trees: &'t [Tree],
    choices: &'t [(String, String)],
) -> (Checker<'t>, Option<Rules>) {
    let (checker, rules) = read_once(sources, trees, choices, Suspects::None);
    match rules.is_some() && checker.diagnostics.failures == 0 {
        true => (checker, rules),
        false => read_once(sources, trees, choices, Suspects::Forms(checker.failed)),
    }
}

fn read_once<'t>(
    sources: &'t Sources,
    trees: &'t [Tree],
    choices: &'t [(String, String)],
    suspects: Suspects,
) -> (Checker<'t>, Option<Rules>) {
    let mut checker = Checker::new(sources, choices, suspects);
    sources.findings().iter().for_each(|finding| checker.report(finding.clone()));
    let mut legible = true;
    for tree in trees {
        legible &= checker.faults(&tree.faults);
    }
    let before = checker.diagnostics.findings.len();
    let rules = if legible { checker.game(trees) } else { None };
    if let Some(rules) = &rules {
        checker.report_returns(rules);
    }
    if !sources.findings().is_empty() || !checker.diagnostics.damaged.is_empty() {
        checker.keep_certain(before, trees);
    }
    (checker, rules)
}

/// Determines what is expected at a place; see [`expected`](super::expected).
pub(super) fn expected(sources: &Sources, place: Span) -> Expected {
    let trees = sources.trees();
    let mut checker = Checker::new(sources, &[], Suspects::All);
    checker.asked = Some(ExpectationQuery::about(place));
    checker.game(trees);
    checker.expected()
}

/// The stage of checking, which limits what expressions can refer to.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    /// Options are evaluated, and the shape of the board is determined.
    Shaping,
    /// The board exists; memories are being checked.
    Remembering,
    /// Everything that statements can refer to is known.
    Stating,
}

/// The forms that are [diagnosed](Checker::diagnosis).
enum Suspects {
    None,
    /// Those that failed when the game was checked before, and what is in them.
    Forms(FxHashSet<Span>),
    All,
}

/// The state of checking a game.
struct Checker<'t> {
    sources: &'t Sources,
    /// The concatenated text of all files.
    source: &'t str,
    choices: &'t [(String, String)],
    stage: Stage,
    diagnostics: Diagnostics,
    declared: Declarations<'t>,
    usage: Usage,
    context: Context,
    /// The size of the branches copied for further players, in bytes.
    copied: usize,
    /// The lists of directions of distances, as bit masks.
    distance_masks: Vec<u16>,
    /// The number of expressions and statements checked: a measure of cost.
    checked_expressions: usize,
    suspects: Suspects,
    /// The spans of the expressions and statements that failed, or contain one that did.
    failed: FxHashSet<Span>,
    /// The place whose expected types are queried.
    asked: Option<ExpectationQuery>,
    /// The variables that the expression of a query leaves free; `None` where none may be free.
    free: Option<Vec<Local>>,
}

/// The findings so far, and the reasons to suppress or withdraw some.
#[derive(Default)]
struct Diagnostics {
    findings: Vec<Finding>,
    reported: FxHashSet<(Code, Span)>,
    choice_faults: Vec<ChoiceFault>,
    /// Whether a finding is an error.
    failed: bool,
    /// How many failures occurred, reported or not.
    failures: usize,
    /// Spans of syntax faults in the text, where further findings are suppressed.
    faulty: Vec<Span>,
    /// Spans of faults that make the structure around them doubtful.
    damaged: Vec<Span>,
    /// Spans of findings that hold even where the text is damaged.
    certain: HashSet<Span>,
    /// Indices of findings that may recur, by key.
    repeated: HashMap<String, usize>,
    /// Names whose declaration failed, with its span: unknown uses elsewhere are not reported.
    lost: HashMap<String, Span>,
    /// Parts found in wrong places: they are not reported as missing.
    stray_parts: HashSet<&'static str>,
    /// Spans whose findings are withdrawn because another finding explains them.
    withdrawn: HashSet<Span>,
}

/// The declarations of the game.
#[derive(Default)]
struct Declarations<'t> {
    players: Vec<PlayerEntry<'t>>,
    /// The number of players, where it is given, and those beyond it.
    seats: Option<&'t Node>,
    absent: Vec<PlayerEntry<'t>>,
    /// The teams, if the game has them and they are sound.
    teams: Option<Teams>,
    option_names: HashSet<&'t str>,
    /// What will be rewritten when all is checked.
    sugar: Sugar,
    options: Vec<OptionEntry<'t>>,
    board: Option<Arc<Board>>,
    /// The span of the `board` part.
    board_span: Option<Span>,
    /// What the rules ask of the last ply, each question once.
    last_moves: Vec<LastMoveEntry>,
    /// How many pieces a site holds at most, if several, and the clause.
    piled: Option<(Spanned<Number>, Vec<PieceId>, Span)>,
    /// The same once pieces and memories are known.
    piles: Option<Piles>,
    pieces: Vec<PieceEntry<'t>>,
    /// Whether a piece or one of its symbols is faulty.
    faulty_pieces: bool,
    /// The symbols of the pieces, listed on first use.
    symbols: Option<Rc<[Symbol]>>,
    memories: Vec<MemoryEntry<'t>>,
    definitions: Vec<DefinitionEntry<'t>>,
    moves: Vec<MoveEntry<'t>>,
    paths: Vec<PathEntry<'t>>,
    /// Whether the board has the paths.
    has_laid_paths: bool,
    names: HashMap<&'t str, (Meaning, Span)>,
    /// Capitalized spellings of names that begin with a lower-case letter.
    aliases: HashMap<String, &'t str>,
    verbs: HashMap<&'t str, MoveId>,
    /// What a variant leaves out of its base game, and where it says so.
    omitted: HashMap<&'t str, Span>,
    /// The moves that variants add to a `choose`, by the verb that they follow.
    added_moves: HashMap<&'t str, Vec<AddedMoves>>,
    /// Lower-case spellings of verbs that begin with an upper-case letter.
    verb_aliases: HashMap<String, MoveId>,
}

/// The current position: the part, the variables in scope, the enclosing form.
#[derive(Default)]
struct Context {
    locals: Vec<Named>,
    /// The types of the locals.
    kinds: Vec<Kind>,
    /// The variables of `let`, which can be changed.
    lets: HashSet<Local>,
    scope: Scope,
    /// The form whose arguments are being checked.
    within: Within,
    place: Placement,
    /// What the results of `repetition` have asked of the past so far.
    throughout: Vec<Throughout>,
    /// Whether an enclosing form is suspect.
    is_suspect: bool,
    /// The number of enclosing branches of cases that are not taken.
    dead: usize,
    /// Whether the rules before the notations have errors: what a notation lacks may be missing for
    /// that reason alone, and is not reported.
    is_faulty: bool,
    /// The number of branches of the enclosing cases on kinds, directions and numbers.
    case_branches: usize,
    /// The definition whose body is being checked.
    defining: Option<usize>,
    /// The number of parts begun so far; variables are limited to one part.
    part: usize,
}

impl Declarations<'_> {
    /// Returns the names of the declarations of some sorts, those of players excepted.
    fn names_of(&self, is_of_sort: impl Fn(Meaning) -> bool) -> Vec<String> {
        let named = self.in_order().filter(|(meaning, _)| is_of_sort(*meaning));
        named.map(|(_, named)| named.name.clone()).collect()
    }

    /// Returns the names of those who play.
    fn player_names(&self) -> Vec<String> {
        self.players.iter().map(|player| player.name.clone()).collect()
    }

    /// Iterates over the declarations of each sort, those of players excepted.
    fn in_order(&self) -> impl Iterator<Item = (Meaning, &Named)> {
        fn numbered<'n>(
            names: impl Iterator<Item = &'n Named>,
            meaning: fn(usize) -> Meaning,
        ) -> impl Iterator<Item = (Meaning, &'n Named)> {
            (0..).map(meaning).zip(names)
        }
        let options = self.options.iter().map(|entry| &entry.name);
        let pieces = self.pieces.iter().map(|entry| &entry.name);
        let memories = self.memories.iter().map(|entry| &entry.name);
        let definitions = self.definitions.iter().map(|entry| &entry.name);
        let moves = self.moves.iter().map(|entry| &entry.verb);
        let paths = self.paths.iter().map(|entry| &entry.name);
        numbered(options, Meaning::Option)
            .chain(numbered(pieces, |index| Meaning::Piece(PieceId(index as u16))))
            .chain(numbered(memories, |index| Meaning::Memory(MemoryId(index as u16))))
            .chain(numbered(definitions, |index| Meaning::Definition(DefinitionId(index as u16))))
            .chain(numbered(moves, |index| Meaning::Move(MoveId(index as u16))))
            .chain(numbered(paths, Meaning::Path))
    }
}

impl<'t> Checker<'t> {
    fn new(
        sources: &'t Sources,
        choices: &'t [(String, String)],
        suspects: Suspects,
    ) -> Checker<'t> {
        Checker {
            sources,
            source: sources.text(),
            choices,
            stage: Stage::Shaping,
            diagnostics: Diagnostics::default(),
            declared: Declarations::default(),
            usage: Usage::default(),
            context: Context::default(),
            copied: 0,
            distance_masks: Vec::new(),
            checked_expressions: 0,
            suspects,
            failed: FxHashSet::default(),
            asked: None,
            free: None,
        }
    }

    /// Returns what the lints read.
    fn checked_game<'r>(&'r self, rules: &'r Rules) -> CheckedGame<'r> {
        let options = self.declared.options.iter().map(|option| DeclaredOption {
            arguments: option.args.iter().map(|part| part.span).collect(),
            bounds: option.values.bounds(),
        });
        CheckedGame {
            rules,
            choices: self.choices,
            declarations: self.declared.in_order().collect(),
            usage: &self.usage,
            options: options.collect(),
            board: self.declared.board_span,
        }
    }

    /// Withdraws superfluous findings and sorts the rest.
    fn settle_findings(&mut self) {
        self.settle_names();
        self.diagnostics.findings.sort_by_key(|finding| (finding.span, finding.code));
    }

    fn finish(mut self, rules: Option<Rules>) -> Checked {
        self.settle_findings();
        let sound = !self.diagnostics.failed && self.diagnostics.choice_faults.is_empty();
        let names = self.declared_names();
        Checked {
            rules: rules.filter(|_| sound),
            findings: self.diagnostics.findings,
            choice_faults: self.diagnostics.choice_faults,
            names,
        }
    }
}
