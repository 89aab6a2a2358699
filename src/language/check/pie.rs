//! The pie rule: in place of his first ply, the second of two players may take over the other
//! colour.
//!
//! The rules stay rules about colours. One memory says whether the two persons have exchanged their
//! colours, another whether the second player's first ply is still to come. Before each `choose`
//! stands a second one, for that ply, which also offers `swap`:
//!
//! ```text
//! (if (and (= mover SECOND) swappable (not swapped)) (set swappable false)
//!   (choose VERB… swap) (if (not swapped) (set kept true)))
//! (if (and (= mover SECOND) kept) (set kept false) (else (choose VERB…)))
//! ```
//!
//! The checker adds this to rules without errors. Below it, only code that asks which person acts
//! or wins knows of the pie rule.

use super::Checker;
use super::parts::Part;
use super::report::Within;
use super::typed::at;
use crate::language::finding::{Code, Finding};
use crate::language::ludemes::Ludeme;
use crate::language::rules::*;
use crate::syntax::Span;
use std::collections::{BTreeSet, HashMap};

/// The verb of the move by which the persons exchange their colours.
const SWAP: &str = "swap";

impl Checker<'_> {
    /// Notes the part, if the game has it, before anything else is checked.
    pub(super) fn note_pie_rule(&mut self, parts: &[Part]) {
        let part = parts.iter().find(|part| part.row.ludeme == Ludeme::PieRule);
        self.declared.pie = part.map(|part| part.node.span);
    }

    /// Checks the part: the game has two players, no move with this verb and a ply that can be
    /// replaced, and it is known who has the first turn.
    pub(super) fn check_pie_rule(&mut self, parts: &[Part], rules: &Rules) {
        let Some(part) = parts.iter().find(|part| part.row.ludeme == Ludeme::PieRule) else {
            return;
        };
        self.context.within = Within::Row(part.row);
        if !part.args.is_empty() {
            self.extra(part.row.spelling, 0, part.args);
        }
        let head = part.head();
        let misplaced = |message: &str| Finding::new(Code::Misplaced, head, message);
        let players = rules.players.len();
        if players != 2 {
            let found = if players == 1 { "one".to_owned() } else { players.to_string() };
            let message = format!("the pie rule needs two players, and this game has {found}");
            self.report(misplaced(&message).with_help(
                "delete it; where more players choose their sides, write a move that changes owners",
            ));
            return;
        }
        if let Some(rule) = rules.moves.iter().find(|rule| rule.verb == SWAP) {
            let message = format!("`{SWAP}` is the move of the pie rule");
            let finding = Finding::new(Code::NameTaken, rule.span, message);
            self.report(
                finding
                    .with_other(head, "the game has it here")
                    .with_help("give this move another name"),
            );
        }
        let chooses = |list: &[Spanned<Statement>]| {
            list.iter().any(|statement| {
                rules.holds(&statement.node, &|inner| matches!(inner, Statement::Choose { .. }))
            })
        };
        if !rules.play.is_empty() && !chooses(&rules.play) {
            self.report(
                misplaced("this game has no `choose`, in which the second player could swap")
                    .with_help("a ply of `steps` cannot be replaced; begin the turn with `choose`"),
            );
        } else if first_players(rules).len() > 1 {
            self.report(
                misplaced("the pie rule needs a first turn whose player is known before play")
                    .with_help("begin the order of play with `turns`, or with `turn` and the name of a player"),
            );
        }
    }
}

/// Adds what is needed for the second player to swap.
pub(super) fn generate(rules: &mut Rules, span: Span) {
    // What is generated is at an empty span, so that no report mentions it.
    let start = Span::new(span.start, span.start);
    let mut memory = |name: &str, initial: i32| {
        let id = MemoryId(rules.memories.len() as u16);
        let memory = Memory::new(name.to_owned(), start, MemoryType::Condition);
        rules.memories.push(Memory { initial, ..memory });
        id
    };
    let (swapped, swappable, kept) =
        (memory("swapped", 0), memory("swappable", 1), memory("kept", 0));
    let swap = MoveId(rules.moves.len() as u16);
    let first = first_players(rules).first().copied().unwrap_or(PlayerId(0));
    let second = PlayerId(1u16.saturating_sub(first.0));
    let pie = Pie { span, swapped, swappable, kept, swap, second };
    rules.moves.push(MoveRule {
        verb: SWAP.to_owned(),
        span,
        parameters: Vec::new(),
        further: Vec::new(),
        body: vec![at(set(swapped, true, span), span)],
    });
    rules.pie = Some(pie);
    let made = Generator { pie, span: start };
    for index in 0..rules.definitions.len() {
        if let Value::Statements(body) = &mut rules.definitions[index].body {
            let body = std::mem::take(body);
            let body = made.rewritten(rules, body);
            rules.definitions[index].body = Value::Statements(body);
        }
    }
    let play = std::mem::take(&mut rules.play);
    rules.play = made.rewritten(rules, play);
}

fn set(memory: MemoryId, to: bool, span: Span) -> Statement {
    Statement::SetCondition { memory, player: None, to: at(Condition::Constant(to), span) }
}

struct Generator {
    pie: Pie,
    span: Span,
}

impl Generator {
    fn holds(&self, memory: MemoryId) -> Spanned<Condition> {
        at(Condition::Memory { memory, player: None }, self.span)
    }

    fn not(&self, condition: Spanned<Condition>) -> Spanned<Condition> {
        at(Condition::Not(Box::new(condition)), self.span)
    }

    fn set(&self, memory: MemoryId, to: bool) -> Spanned<Statement> {
        at(set(memory, to, self.span), self.span)
    }

    /// Tests if the second player is the mover.
    fn is_second(&self) -> Spanned<Condition> {
        let player = |player| Box::new(at(player, self.span));
        let second = PlayerOf::Fixed(self.pie.second);
        at(Condition::SamePlayer(player(PlayerOf::Mover), player(second)), self.span)
    }

    /// Tests if the second player is the mover and a memory holds.
    fn second_and(&self, memory: MemoryId) -> Spanned<Condition> {
        at(Condition::And(vec![self.is_second(), self.holds(memory)]), self.span)
    }

    fn when(
        &self,
        condition: Spanned<Condition>,
        then: Vec<Spanned<Statement>>,
        otherwise: Vec<Spanned<Statement>>,
    ) -> Spanned<Statement> {
        at(Statement::If { condition, then, otherwise }, self.span)
    }

    /// Rewrites a list of statements, in which there may be plies.
    fn rewritten(&self, rules: &Rules, list: Vec<Spanned<Statement>>) -> Vec<Spanned<Statement>> {
        let mut made = Vec::with_capacity(list.len());
        for mut statement in list {
            let offers = self.offers(rules, &statement);
            for body in statement.node.bodies_mut() {
                *body = self.rewritten(rules, std::mem::take(body));
            }
            match statement.node {
                Statement::Choose { .. } => {
                    made.extend(offers);
                    let kept = self.second_and(self.pie.kept);
                    let done = vec![self.set(self.pie.kept, false)];
                    made.push(self.when(kept, done, vec![statement]));
                }
                // The second player's first ply cannot be replaced there.
                Statement::Steps { .. } => {
                    let now = self.second_and(self.pie.swappable);
                    let gone = vec![self.set(self.pie.swappable, false)];
                    made.push(self.when(now, gone, Vec::new()));
                    made.push(statement);
                }
                _ => made.push(statement),
            }
        }
        made
    }

    /// Returns the choice with `swap` that precedes a `choose`. Where plies are made if no move is
    /// legal, it is made only if one is.
    fn offers(&self, rules: &Rules, statement: &Spanned<Statement>) -> Option<Spanned<Statement>> {
        let Statement::Choose { moves, otherwise } = &statement.node else { return None };
        let Pie { swapped, swappable, kept, swap, .. } = self.pie;
        let is_open = self.not(self.holds(swapped));
        let mut now = vec![self.is_second(), self.holds(swappable), is_open.clone()];
        if otherwise.iter().flatten().any(|other| rules.belongs_to_flow(&other.node)) {
            let mover = Box::new(at(PlayerOf::Mover, self.span));
            now.push(at(Condition::Can(mover, moves.clone()), self.span));
        }
        let moves = moves.iter().copied().chain([swap]).collect();
        let then = vec![
            self.set(swappable, false),
            at(Statement::Choose { moves, otherwise: None }, statement.span),
            self.when(is_open, vec![self.set(kept, true)], Vec::new()),
        ];
        Some(self.when(at(Condition::And(now), self.span), then, Vec::new()))
    }
}

/// Returns the players who can have the first turn. Plies outside of turns are the first player's.
fn first_players(rules: &Rules) -> BTreeSet<PlayerId> {
    let mut turns = FirstTurns { rules, players: BTreeSet::new(), known: HashMap::new() };
    turns.search(&rules.play);
    turns.players
}

struct FirstTurns<'r> {
    rules: &'r Rules,
    players: BTreeSet<PlayerId>,
    /// The definitions that were searched, and whether each surely has a turn.
    known: HashMap<DefinitionId, bool>,
}

impl FirstTurns<'_> {
    /// Adds the players whose turn can be the first in a list; returns true if there surely is one.
    fn search(&mut self, list: &[Spanned<Statement>]) -> bool {
        list.iter().any(|statement| match &statement.node {
            Statement::Turn(player, _) => {
                match &player.node {
                    PlayerOf::Fixed(player) => self.players.extend([*player]),
                    _ => self.players.extend((0..self.rules.players.len() as u16).map(PlayerId)),
                }
                true
            }
            Statement::Turns(_) | Statement::Choose { .. } | Statement::Steps { .. } => {
                self.players.insert(PlayerId(0));
                true
            }
            Statement::Do(definition, _) => match self.known.get(definition) {
                Some(&sure) => sure,
                None => {
                    let rules = self.rules;
                    let sure = self.search(rules.definitions[definition.index()].body.statements());
                    self.known.insert(*definition, sure);
                    sure
                }
            },
            Statement::While(_, body) | Statement::For(_, body) => {
                self.search(body);
                false
            }
            other => {
                let bodies = other.bodies().into_iter();
                let sure: Vec<bool> = bodies.map(|body| self.search(body)).collect();
                !sure.is_empty() && sure.into_iter().all(|sure| sure)
            }
        })
    }
}
