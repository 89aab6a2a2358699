//! Checks the parts of a game in the order of their dependencies, and builds the typed rules.

mod mended;

use super::assemble::{Assembled, is_many};
use super::memories::{MemoryEntry, holds};
use super::options::{OptionEntry, Values, one_line};
use super::pieces::PieceEntry;
use super::placement::{Placement, Section};
use super::report::{Within, is_number, usage};
use super::typed::at;
use super::{Checker, Stage, spelling};
use crate::language::constraints;
use crate::language::finding::{Code, Finding};
use crate::language::ludemes::{self, Kind, Ludeme, Row};
use crate::language::names::Meaning;
use crate::language::piles::free_outside_moves;
use crate::language::rules::*;
use crate::syntax::{Node, Span, Tree};
use std::collections::HashMap;
use std::sync::LazyLock;

/// The maximal numbers of declarations.
const MAX_PIECES: usize = 32;
const MAX_MEMORIES: usize = 64;
const MAX_OPTIONS: usize = 64;
const MAX_MOVES: usize = 256;
const MAX_DEFINITIONS: usize = 1000;

/// A part of the game.
#[derive(Clone, Copy)]
pub(super) struct Part<'t> {
    pub row: &'static Row,
    pub node: &'t Node,
    /// The arguments after the head.
    pub args: &'t [Node],
}

impl Part<'_> {
    pub(super) fn head(&self) -> Span {
        self.node.head_span()
    }
}

/// Finds the part of a game that it has only once.
pub(super) fn only_part<'p, 't>(parts: &'p [Part<'t>], ludeme: Ludeme) -> Option<&'p Part<'t>> {
    parts.iter().find(|part| part.row.ludeme == ludeme)
}

impl<'t> Checker<'t> {
    /// Checks the game in these files, its own first.
    pub(super) fn game(&mut self, trees: &'t [Tree]) -> Option<Rules> {
        let (title, parts) = self.declarations(trees)?;
        self.move_rules();
        let about = self.about(&parts);
        let setup = self.section(&parts, Ludeme::Setup, Section::Setup);
        let play = self.play(&parts);
        let end = self.section(&parts, Ludeme::End, Section::End);
        let repetition = self.repetition(&parts);
        let look = self.look(&parts);
        let notations = self.notations(&parts);
        let claims = self.claims(&parts);
        self.report_deferred();
        let scope = self.scope_rules(title?)?;
        let mut rules =
            Rules { about, setup, play, end, repetition, look, notations, claims, ..scope };
        free_outside_moves(&mut rules);
        constraints::violations(&rules).into_iter().for_each(|finding| self.report(finding));
        self.check_owners_of_symbols(&parts, &rules);
        self.check_pie_rule(&parts, &rules);
        Some(rules)
    }

    /// Builds rules that contain what expressions refer to, and no play.
    pub(super) fn scope_rules(&mut self, title: &str) -> Option<Rules> {
        let definitions = self.defined();
        let moves =
            self.declared.moves.iter_mut().map(|entry| entry.rule.take()).collect::<Option<_>>()?;
        Some(Rules {
            title: one_line(title),
            about: About::default(),
            files: self.sources.clone(),
            players: self.declared_players(),
            teams: self.teams(),
            options: Vec::new(),
            moves,
            memories: self.all_memories()?,
            definitions,
            board: self.declared.board.clone()?,
            pieces: self.played_pieces(),
            locals: self.context.locals.clone(),
            setup: Vec::new(),
            play: Vec::new(),
            end: Vec::new(),
            repetition: None,
            drop_outs: None,
            pie: None,
            going_on: None,
            last_moves: self.last_moves(),
            piles: self.declared.piles.take(),
            look: Default::default(),
            notations: Default::default(),
            claims: Vec::new(),
        })
    }

    /// Checks everything that expressions can refer to: players, options, board, pieces, memories
    /// and definitions. Returns the title and all parts.
    pub(super) fn declarations(
        &mut self,
        trees: &'t [Tree],
    ) -> Option<(Option<&'t str>, Vec<Part<'t>>)> {
        let Assembled { title, head, mut parts, defaults, additions } = self.assemble(trees)?;
        self.declared.option_names = parts
            .iter()
            .filter(|part| part.row.ludeme == Ludeme::Option)
            .filter_map(|part| part.args.first()?.as_word())
            .collect();
        for part in &parts {
            self.declare_part(part);
        }
        if !self.check_counts() {
            return None;
        }
        self.require_parts(&parts, head);
        self.change_defaults(&defaults);
        self.add(&additions, &mut parts);
        let order = self.order_definitions();
        self.options();
        self.seat_players();
        self.note_teams(&parts);
        self.note_sugar(&parts, &additions);
        self.note_pie_rule(&parts);
        if let Some(part) = only_part(&parts, Ludeme::Board) {
            self.declare_board(part.node, part.args);
        }
        self.lay_paths();
        self.stage = Stage::Remembering;
        let before = self.diagnostics.failures;
        self.describe_pieces();
        self.declared.faulty_pieces |= self.diagnostics.failures > before;
        self.remember();
        self.pile_up();
        self.stage = Stage::Stating;
        self.define(&order);
        Some((title, parts))
    }

    /// Collects the parts. Reports repetitions of parts that a game has only once.
    pub(super) fn gather(&mut self, nodes: &[&'t Node]) -> Vec<Part<'t>> {
        let mut parts: Vec<Part<'t>> = Vec::with_capacity(nodes.len());
        let mut seen: HashMap<Ludeme, Span> = HashMap::new();
        let nodes = self.without_foreign_comments(nodes);
        let nodes = self.without_copies(nodes);
        let nodes = self.without_unopened(nodes);
        for node in self.unwrapped(&nodes) {
            let part = self
                .part_row(node)
                .and_then(|row| Some(Part { row, node, args: node.as_form()?.get(1..)? }));
            let Some(part) = part.or_else(|| self.no_part(node)) else {
                continue;
            };
            if let Some(&before) = seen.get(&part.row.ludeme)
                && !is_many(part.row.ludeme)
            {
                let message = format!(
                    "a game has only one `{}`, and this is a second one",
                    part.row.spelling
                );
                let finding = Finding::new(Code::RepeatedPart, part.head(), message)
                    .with_other(before, "the first one is here");
                self.report(finding.with_help("delete one of them"));
                continue;
            }
            seen.insert(part.row.ludeme, part.head());
            parts.push(part);
        }
        parts
    }

    /// Returns the row of the part that a node is.
    pub(super) fn part_row(&self, node: &Node) -> Option<&'static Row> {
        let whole = |row: &&Row| {
            matches!(row.ludeme, Ludeme::Game | Ludeme::VariantOf | Ludeme::Definitions)
        };
        ludemes::rows(node.head()?.0).find(|row| row.result == Kind::Part && !whole(row))
    }

    /// Declares the names of a part.
    fn declare_part(&mut self, part: &Part<'t>) {
        let &Part { row, node, args } = part;
        self.inside(Within::Row(row), |checker| match row.ludeme {
            Ludeme::Players => checker.declare_players(part),
            Ludeme::Define => checker.declare_definition(node, args),
            Ludeme::MoveRule => checker.declare_move(node, args),
            Ludeme::Path | Ludeme::Option | Ludeme::PieceKind | Ludeme::Hand | Ludeme::Remember => {
                if let Some(([name], args)) = checker.leading(row, node, args) {
                    checker.declare_thing(row.ludeme, node, name, args);
                }
            }
            _ => {}
        });
    }

    fn declare_players(&mut self, part: &Part<'t>) {
        if part.args.is_empty() {
            self.missing_slot(part.row, part.node, 1);
        }
        let names = match part.args.split_first() {
            Some((first, names)) if names.len() > 1 && self.is_count(first) => {
                self.declared.seats = Some(first);
                names
            }
            _ => part.args,
        };
        for (index, node) in names.iter().enumerate() {
            if index == MAX_PLAYERS {
                let message =
                    format!("expected at most {MAX_PLAYERS} players, found {}", names.len());
                self.report(Finding::new(Code::OutOfRange, node.span, message));
                break;
            }
            self.declare_player(node);
        }
    }

    fn declare_thing(&mut self, ludeme: Ludeme, node: &'t Node, name: &'t Node, args: &'t [Node]) {
        let narrow = |count: usize| u16::try_from(count).unwrap_or(u16::MAX);
        match ludeme {
            Ludeme::Path => self.declare_path(node, name, args),
            Ludeme::Option => {
                let meaning = Meaning::Option(self.declared.options.len());
                let Some(name) = self.declare(name, "an option", meaning) else { return };
                let (default, chosen) = (0, 0);
                let (values, description) = (Values::none(), String::new());
                self.declared.options.push(OptionEntry {
                    name,
                    node,
                    args,
                    tried: false,
                    changed: None,
                    values,
                    default,
                    chosen,
                    description,
                });
            }
            Ludeme::PieceKind => {
                let meaning = Meaning::Piece(PieceId(narrow(self.declared.pieces.len())));
                let Some(name) = self.declare(name, "a piece", meaning) else {
                    self.declared.faulty_pieces = true;
                    return;
                };
                // In Ludii, the owner of a piece follows its name, which is in quotes.
                let in_quotes = node
                    .as_form()
                    .and_then(|parts| parts.get(1))
                    .is_some_and(|name| name.as_text().is_some());
                let args = if in_quotes { &[][..] } else { args };
                // Later expressions depend on whether the piece has owners.
                let owned = args.first().and_then(Node::as_word) != Some("unowned");
                self.declared.pieces.push(PieceEntry { name, args, owned, symbols: Vec::new() });
            }
            _ => {
                let meaning = Meaning::Memory(MemoryId(narrow(self.declared.memories.len())));
                let hand = ludeme == Ludeme::Hand;
                let what = if hand { "a hand" } else { "a memory" };
                let Some(name) = self.declare(name, what, meaning) else { return };
                let holds = match hand {
                    true => Some(MemoryType::Number { most: i32::MAX }),
                    false => args.first().and_then(Node::as_word).and_then(holds),
                };
                self.declared.memories.push(MemoryEntry {
                    name,
                    node,
                    hand,
                    holds,
                    tried: false,
                    memory: None,
                });
            }
        }
    }

    /// Checks that the numbers of declarations are within the limits of the engine.
    fn check_counts(&mut self) -> bool {
        let mut counts: HashMap<&str, usize> = HashMap::new();
        let mut excess: Vec<Finding> = Vec::new();
        for (meaning, name) in self.declared.in_order() {
            let (most, what) = match meaning {
                Meaning::Piece(_) => (MAX_PIECES, "pieces"),
                Meaning::Memory(_) => (MAX_MEMORIES, "memories"),
                Meaning::Option(_) => (MAX_OPTIONS, "options"),
                Meaning::Move(_) => (MAX_MOVES, "moves"),
                Meaning::Definition(_) => (MAX_DEFINITIONS, "definitions"),
                Meaning::Player(_) | Meaning::Path(_) => continue,
            };
            let count = counts.entry(what).or_default();
            *count += 1;
            if *count == most + 1 {
                let message = format!("expected at most {most} {what}, found more");
                excess.push(Finding::new(Code::RulesTooLarge, name.span, message));
            }
        }
        let sound = excess.is_empty();
        excess.into_iter().for_each(|finding| self.report(finding));
        sound
    }

    fn require_parts(&mut self, parts: &[Part], head: Span) {
        let has = |ludeme| parts.iter().any(|part| part.row.ludeme == ludeme);
        // An order of play may be left out, but not moves as well.
        let needed = [Ludeme::Players, Ludeme::Board, Ludeme::MoveRule];
        let lacking: Vec<&'static Row> = needed
            .into_iter()
            .filter(|&ludeme| !has(ludeme))
            .filter(|&ludeme| ludeme != Ludeme::MoveRule || !has(Ludeme::Play))
            .map(Ludeme::row)
            .collect();
        if lacking.is_empty() {
            return;
        }
        let names: Vec<&str> = lacking.iter().map(|row| row.spelling).collect();
        let message = format!("the game has no {}", spelling::list(&names, "or"));
        let usages: Vec<String> = lacking.iter().map(|row| usage(row)).collect();
        let finding = Finding::new(Code::MissingPart, head, message);
        self.report_missing(finding.with_help(spelling::lines(&usages)));
    }

    /// Reads the bibliographic parts.
    fn about(&mut self, parts: &[Part]) -> About {
        let mut about = About::default();
        for part in parts {
            let field = match part.row.ludeme {
                Ludeme::Author => &mut about.author,
                Ludeme::Year => &mut about.year,
                Ludeme::Source => &mut about.source,
                Ludeme::License => &mut about.license,
                Ludeme::About => &mut about.description,
                _ => continue,
            };
            let kind = part.row.slots[0].kind;
            self.context.within = Within::Row(part.row);
            let Some(([value], extra)) = self.leading(part.row, part.node, part.args) else {
                continue;
            };
            let text = match kind {
                Kind::Number => value.as_number().map(|number| number.text.clone()),
                _ => value.as_text().map(one_line),
            };
            if text.is_none() {
                let finding = self.mismatch(Code::WrongType, value, kind.phrase());
                let finding = finding.with_help(usage(part.row));
                self.report(self.unless_quoted(finding, value, is_number));
            } else {
                self.extra(part.row.spelling, 1, extra);
            }
            *field = text;
        }
        about
    }

    /// Checks the statements of a part that a game has only once.
    fn section(
        &mut self,
        parts: &[Part],
        ludeme: Ludeme,
        section: Section,
    ) -> Vec<Spanned<Statement>> {
        let Some(part) = only_part(parts, ludeme) else { return Vec::new() };
        self.context.within = Within::Row(part.row);
        self.context.place = Placement::of(section);
        self.context.part += 1;
        if part.args.is_empty() {
            self.missing_slot(part.row, part.node, 0);
        }
        self.statements(part.args)
    }

    /// Checks the order of play. Without one, the players take turns, and each chooses among all
    /// moves.
    fn play(&mut self, parts: &[Part]) -> Vec<Spanned<Statement>> {
        let Some(part) = only_part(parts, Ludeme::Play) else { return self.turns_of_all_moves() };
        let before = self.diagnostics.failures;
        let play = self.section(parts, Ludeme::Play, Section::Play);
        if self.diagnostics.failures == before && !self.has_ply(&play) {
            let finding = Finding::new(Code::NoPly, part.head(), "the order of play has no ply");
            self.report(finding.with_help("add a ply to it: `choose`, `chance` or `steps`"));
        }
        play
    }

    /// Returns `(turns (choose …))` with all moves, at the first of them.
    fn turns_of_all_moves(&mut self) -> Vec<Spanned<Statement>> {
        let Some(first) = self.declared.moves.first() else { return Vec::new() };
        let span = first.verb.span;
        let moves: Vec<MoveId> = (0..self.declared.moves.len() as u16).map(MoveId).collect();
        self.usage.used.extend(moves.iter().copied().map(Meaning::Move));
        let choose = at(Statement::Choose { moves, go_on: Vec::new(), otherwise: None }, span);
        vec![at(Statement::Turns(vec![choose]), span)]
    }
}

/// Lists the words that begin parts of a game.
fn parts_of_a_game() -> &'static str {
    static PARTS: LazyLock<String> = LazyLock::new(|| {
        let whole = |ludeme| {
            matches!(
                ludeme,
                Ludeme::Game
                    | Ludeme::VariantOf
                    | Ludeme::DefaultIs
                    | Ludeme::Omit
                    | Ludeme::AddTo
                    | Ludeme::Definitions
            )
        };
        let parts =
            ludemes::TABLE.iter().filter(|row| row.result == Kind::Part && !whole(row.ludeme));
        spelling::series(&parts.map(|row| format!("`{}`", row.spelling)).collect::<Vec<_>>(), "and")
    });
    &PARTS
}
