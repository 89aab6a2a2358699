//! The checker: a text in, a typed game and findings out.
//!
//! The parts of the game are gathered first and their names declared; then come the options, the
//! board, the memories, the definitions in the order in which they lean on each other, and last the
//! statements. What fails is reported where it fails, and yields nothing upwards, silently: no
//! finding is the echo of another. It refuses to know what the rules will be used for.

mod arguments;
mod assemble;
mod brackets;
mod build;
mod cases;
mod choices;
mod claims;
mod constants;
mod definitions;
mod expectation;
mod expressions;
mod headings;
mod inference;
mod layout;
mod leap;
mod lints;
mod look;
mod memories;
mod moves;
mod occurrences;
mod options;
mod parts;
mod pieces;
mod placement;
mod report;
mod scope;
mod spelling;
mod statements;
mod suggestions;
mod syntax_findings;
mod typed;
mod usage;
mod value_analysis;

use super::{Checked, ChoiceFault, Expected};
use crate::board::Board;
use crate::language::finding::{Code, Finding, Severity};
use crate::language::ludemes::Kind;
use crate::language::rules::*;
use crate::language::sources::Sources;
use crate::syntax::{Span, Tree};
use definitions::DefinitionEntry;
use expectation::ExpectationQuery;
use memories::MemoryEntry;
use moves::MoveEntry;
use options::OptionEntry;
use pieces::PieceEntry;
use placement::Placement;
use report::Within;
use rustc_hash::{FxHashMap, FxHashSet};
use scope::{Meaning, Scope};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;
pub(super) use typed::accepts;

/// Checks a game; see [`check`](super::check).
pub(super) fn check(sources: &Sources, choices: &[(String, String)]) -> Checked {
    let checked = check_trees(sources, sources.trees(), choices);
    brackets::explained(sources, choices, &checked).unwrap_or(checked)
}

fn check_trees(sources: &Sources, trees: &[Tree], choices: &[(String, String)]) -> Checked {
    let (mut checker, rules) = read(sources, trees, choices);
    if let Some(rules) = rules.as_ref().filter(|_| !checker.diagnostics.failed) {
        checker.lint(rules);
    }
    let rules = rules.map(|rules| Rules { options: checker.chosen(), ..rules });
    checker.finish(rules)
}

/// Finds what a game is rejected for with these options, and how many expressions were looked at.
pub(super) fn errors(sources: &Sources, choices: &[(String, String)]) -> (Vec<Finding>, usize) {
    let (mut checker, _) = read(sources, sources.trees(), choices);
    checker.settle_findings();
    checker.diagnostics.findings.retain(|finding| finding.severity() == Severity::Error);
    (checker.diagnostics.findings, checker.looked_at)
}

/// Reads all there is of a game, but does not list the values of its options.
fn read<'t>(
    sources: &'t Sources,
    trees: &'t [Tree],
    choices: &'t [(String, String)],
) -> (Checker<'t>, Option<Rules>) {
    let mut checker = Checker::new(sources, choices);
    sources.findings().iter().for_each(|finding| checker.report(finding.clone()));
    let mut legible = true;
    for tree in trees {
        legible &= checker.faults(&tree.faults);
    }
    let before = checker.diagnostics.findings.len();
    let rules = if legible { checker.game(trees) } else { None };
    if !sources.findings().is_empty() || !checker.diagnostics.damaged.is_empty() {
        checker.keep_certain(before, trees);
    }
    (checker, rules)
}

/// Finds out what is wanted at a place; see [`expectation`](super::expected).
pub(super) fn expected(sources: &Sources, place: Span) -> Expected {
    let trees = sources.trees();
    let mut checker = Checker::new(sources, &[]);
    checker.asked = Some(ExpectationQuery::about(place));
    checker.game(trees);
    checker.expected()
}

/// How far the game has come.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Stage {
    /// Options are getting their values, and the board its shape.
    Shaping,
    /// The board is laid out; memories are getting their details.
    Remembering,
    /// All is known that statements can speak of.
    Stating,
}

/// What is known of the file so far.
struct Checker<'t> {
    sources: &'t Sources,
    /// The texts of all files, one after the other.
    source: &'t str,
    choices: &'t [(String, String)],
    stage: Stage,
    diagnostics: Diagnostics,
    declared: Declarations<'t>,
    usage: Usage,
    context: Context,
    /// How much of the text has been taken for more than one player.
    copied: usize,
    /// How many expressions and statements have been looked at: the measure of what checking costs.
    looked_at: usize,
    /// The place at which somebody wants to know what could stand there.
    asked: Option<ExpectationQuery>,
}

/// What has been said so far, and what is known of why something should not be said.
#[derive(Default)]
struct Diagnostics {
    findings: Vec<Finding>,
    reported: FxHashSet<(Code, Span)>,
    choice_faults: Vec<ChoiceFault>,
    /// Whether a finding is an error.
    failed: bool,
    /// How often something has failed, whether it was reported or not.
    failures: usize,
    /// Where the text itself is at fault: what stands there is passed over.
    faulty: Vec<Span>,
    /// Where the text is at fault such that what stands around it may not be what was meant.
    damaged: Vec<Span>,
    /// The places of findings that hold whatever is damaged.
    certain: HashSet<Span>,
    /// What was said of something that may be met again, by what it was.
    repeated: HashMap<String, usize>,
    /// Names whose declaration has failed, and where: nothing is said of their uses elsewhere.
    lost: HashMap<String, Span>,
    /// Parts that stand where no part can: they are not missing.
    stray_parts: HashSet<&'static str>,
    /// Where findings are taken back that something else explains.
    withdrawn: HashSet<Span>,
}

/// What the file declares.
#[derive(Default)]
struct Declarations<'t> {
    players: Vec<Named>,
    options: Vec<OptionEntry<'t>>,
    board: Option<Arc<Board>>,
    /// The part that says what the board is.
    board_span: Option<Span>,
    pieces: Vec<PieceEntry<'t>>,
    memories: Vec<MemoryEntry<'t>>,
    definitions: Vec<DefinitionEntry<'t>>,
    moves: Vec<MoveEntry<'t>>,
    names: HashMap<&'t str, (Meaning, Span)>,
    /// Other spellings of names, as they should have been.
    aliases: HashMap<String, &'t str>,
    verbs: HashMap<&'t str, MoveId>,
    /// Verbs as they should have been.
    verb_aliases: HashMap<String, MoveId>,
}

/// What of it is used, and where.
#[derive(Default)]
struct Usage {
    used: FxHashSet<Meaning>,
    /// Where each use of a name leads.
    uses: FxHashMap<Span, Span>,
    /// The memories that something depends on.
    read: FxHashSet<MemoryId>,
    /// What `let` names, and the parameters of definitions.
    named: Vec<Local>,
    /// The definitions that are used where it counts, outside of definitions.
    called: Vec<usize>,
}

/// Where the check stands: the part, the variables in scope, the form around.
#[derive(Default)]
struct Context {
    locals: Vec<Named>,
    /// The types of the locals.
    kinds: Vec<Kind>,
    scope: Scope,
    /// The form whose arguments are being looked at.
    within: Within,
    place: Placement,
    /// In how many branches of cases that are not taken we are.
    dead: usize,
    /// The definition whose body is being looked at.
    defining: Option<usize>,
    /// How many parts have been begun: variables are known in one only.
    part: usize,
}

impl<'t> Checker<'t> {
    fn new(sources: &'t Sources, choices: &'t [(String, String)]) -> Checker<'t> {
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
            looked_at: 0,
            asked: None,
        }
    }

    /// Takes back what is said for nothing, and puts the rest in order.
    fn settle_findings(&mut self) {
        self.settle_names();
        self.diagnostics.findings.sort_by_key(|finding| (finding.span, finding.code));
    }

    fn finish(mut self, rules: Option<Rules>) -> Checked {
        self.settle_findings();
        let sound = !self.diagnostics.failed && self.diagnostics.choice_faults.is_empty();
        let names = self.names_met();
        Checked {
            rules: rules.filter(|_| sound),
            findings: self.diagnostics.findings,
            choice_faults: self.diagnostics.choice_faults,
            names,
        }
    }
}
