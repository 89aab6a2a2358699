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
//! Below the language, only code that asks which person acts or wins knows of the pie rule.

use super::Builder;
use crate::language::rules::*;
use crate::syntax::Span;
use std::collections::{BTreeSet, HashMap};

/// The verb of the move by which the persons exchange their colours.
pub const SWAP: &str = "swap";

/// Adds what is needed for the second player to swap.
pub(super) fn rewrite(rules: &mut Rules, span: Span) {
    let new = Builder::before(span);
    let mut memory = |name: &str, initial: i32| new.memory(rules, name, false, initial);
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
        body: vec![Builder { span }.set(swapped, None, true)],
    });
    rules.pie = Some(pie);
    let rewriter = Rewriter { pie, new };
    for index in 0..rules.definitions.len() {
        if let Value::Statements(body) = &mut rules.definitions[index].body {
            let body = std::mem::take(body);
            let body = rewriter.rewritten(rules, body);
            rules.definitions[index].body = Value::Statements(body);
        }
    }
    let play = std::mem::take(&mut rules.play);
    rules.play = rewriter.rewritten(rules, play);
}

struct Rewriter {
    pie: Pie,
    new: Builder,
}

impl Rewriter {
    /// Tests if the second player is the mover.
    fn is_second(&self) -> Spanned<Condition> {
        let player = |player| Box::new(self.new.at(player));
        let second = PlayerOf::Fixed(self.pie.second);
        self.new.at(Condition::SamePlayer(player(PlayerOf::Mover), player(second)))
    }

    /// Tests if the second player is the mover and a memory holds.
    fn second_and(&self, memory: MemoryId) -> Spanned<Condition> {
        self.new.and(vec![self.is_second(), self.new.holds(memory, None)])
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
                    let done = vec![self.new.set(self.pie.kept, None, false)];
                    made.push(self.new.when(kept, done, vec![statement]));
                }
                // The second player's first ply cannot be replaced there.
                Statement::Steps { .. } => {
                    let now = self.second_and(self.pie.swappable);
                    let gone = vec![self.new.set(self.pie.swappable, None, false)];
                    made.push(self.new.when(now, gone, Vec::new()));
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
        let Statement::Choose { moves, go_on, otherwise } = &statement.node else { return None };
        let Pie { swapped, swappable, kept, swap, .. } = self.pie;
        let is_open = self.new.not(self.new.holds(swapped, None));
        let mut now = vec![self.is_second(), self.new.holds(swappable, None), is_open.clone()];
        if otherwise.iter().flatten().any(|other| rules.belongs_to_flow(&other.node)) {
            let mover = Box::new(self.new.at(PlayerOf::Mover));
            now.push(self.new.at(Condition::Can(mover, moves.clone())));
        }
        let moves = moves.iter().copied().chain([swap]).collect();
        let then = vec![
            self.new.set(swappable, None, false),
            Spanned {
                node: Statement::Choose { moves, go_on: go_on.clone(), otherwise: None },
                span: statement.span,
            },
            self.new.when(is_open, vec![self.new.set(kept, None, true)], Vec::new()),
        ];
        Some(self.new.when(self.new.and(now), then, Vec::new()))
    }
}

/// Returns the players who can have the first turn. Plies outside of turns are the first player's.
pub fn first_players(rules: &Rules) -> BTreeSet<PlayerId> {
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
            Statement::While(_, body) | Statement::Until(_, body) | Statement::For(_, body) => {
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
