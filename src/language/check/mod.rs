//! The checker: a text in, a typed game and findings out.
//!
//! The parts of the game are gathered first and their names declared; then come the options, the board, the memories, the
//! definitions in the order in which they lean on each other, and last the statements. What fails is reported where it fails, and yields
//! nothing upwards, silently: no finding is the echo of another. It refuses to know what the rules will be used for.

mod arguments;
mod assemble;
mod build;
mod cases;
mod choices;
mod constants;
mod definitions;
mod expressions;
mod faults;
mod inference;
mod layout;
mod leap;
mod look;
mod memories;
mod moves;
mod options;
mod parts;
mod pieces;
mod places;
mod report;
mod scope;
mod spelling;
mod statements;
mod typed;
mod usage;

use super::{Checked, ChoiceFault};
use crate::board::Board;
use crate::language::finding::{Code, Finding};
use crate::language::ludemes::Kind;
use crate::language::rules::*;
use crate::language::sources::Sources;
use crate::syntax::Span;
use definitions::DefinitionEntry;
use memories::MemoryEntry;
use moves::MoveEntry;
use options::OptionEntry;
use pieces::PieceEntry;
use places::Place;
use report::Within;
use scope::{Meaning, Scope};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Checks a game; see [`check`](super::check).
pub(super) fn check(sources: &Sources, choices: &[(String, String)]) -> Checked {
    let trees = sources.trees();
    let mut checker = Checker::new(sources, choices);
    let mut trusted = sources.findings().is_empty();
    sources.findings().iter().for_each(|finding| checker.report(finding.clone()));
    for tree in &trees {
        trusted &= checker.faults(&tree.faults);
    }
    let rules = if trusted { checker.game(&trees) } else { None };
    checker.finish(rules)
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

    findings: Vec<Finding>,
    reported: HashSet<(Code, Span)>,
    choice_faults: Vec<ChoiceFault>,
    /// Whether a finding is an error.
    failed: bool,
    /// How often something has failed, whether it was reported or not.
    failures: usize,
    /// Where the text itself is at fault: what stands there is passed over.
    faulty: Vec<Span>,

    players: Vec<Named>,
    options: Vec<OptionEntry<'t>>,
    board: Option<Arc<Board>>,
    pieces: Vec<PieceEntry<'t>>,
    memories: Vec<MemoryEntry<'t>>,
    definitions: Vec<DefinitionEntry<'t>>,
    moves: Vec<MoveEntry<'t>>,
    names: HashMap<&'t str, (Meaning, Span)>,
    verbs: HashMap<&'t str, MoveId>,
    used: HashSet<Meaning>,

    locals: Vec<Named>,
    /// The types of the locals.
    kinds: Vec<Kind>,
    scope: Scope,
    /// The form whose arguments are being looked at.
    within: Within,
    place: Place,
    /// In how many branches of cases that are not taken we are.
    dead: usize,
    /// How much of the text has been taken for more than one player.
    copied: usize,
    /// The definition whose body is being looked at.
    defining: Option<usize>,
    /// The definitions that are used where it counts, outside of definitions.
    called: Vec<usize>,
}

impl<'t> Checker<'t> {
    fn new(sources: &'t Sources, choices: &'t [(String, String)]) -> Checker<'t> {
        Checker {
            sources,
            source: sources.text(),
            choices,
            stage: Stage::Shaping,
            findings: Vec::new(),
            reported: HashSet::new(),
            choice_faults: Vec::new(),
            failed: false,
            failures: 0,
            faulty: Vec::new(),
            players: Vec::new(),
            options: Vec::new(),
            board: None,
            pieces: Vec::new(),
            memories: Vec::new(),
            definitions: Vec::new(),
            moves: Vec::new(),
            names: HashMap::new(),
            verbs: HashMap::new(),
            used: HashSet::new(),
            locals: Vec::new(),
            kinds: Vec::new(),
            scope: Scope::default(),
            within: Within::Nothing,
            place: Place::default(),
            dead: 0,
            copied: 0,
            defining: None,
            called: Vec::new(),
        }
    }

    fn finish(mut self, rules: Option<Rules>) -> Checked {
        self.findings.sort_by_key(|finding| (finding.span, finding.code));
        let sound = !self.failed && self.choice_faults.is_empty();
        Checked { rules: rules.filter(|_| sound), findings: self.findings, choice_faults: self.choice_faults }
    }
}
