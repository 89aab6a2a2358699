//! Players who drop out: `lose` in a game of three players or more.
//!
//! Two memories per player say who is out and who is leaving. After every ply, and after statements
//! of the order of play that let a player drop out, the leaving players are out. If one player
//! remains, he has won; if none remains, the leaving players are in again and share a draw. A turn
//! is skipped, or ends, if its player is out. The checker adds this to rules without errors, as
//! memories, definitions and statements. For engines, only [`Statement::DropOut`], the next player
//! and a draw have a new meaning.

use super::Checker;
use super::additions::Addition;
use super::parts::Part;
use super::typed::at;
use crate::language::finding::{Code, Finding};
use crate::language::ludemes::Ludeme;
use crate::language::rules::*;
use crate::syntax::{Node, Span};

/// Tests if a part, or what a variant adds to a definition, contains `lose`.
pub(super) fn loses(parts: &[Part], additions: &[Addition]) -> bool {
    let added = additions.iter().flat_map(|addition| match addition {
        Addition::Body { body, .. } => *body,
        Addition::Look(_) | Addition::Moves { .. } => &[],
    });
    let mut left: Vec<&Node> = parts.iter().flat_map(|part| part.args).chain(added).collect();
    while let Some(node) = left.pop() {
        if node.head().is_some_and(|(head, _)| head == Ludeme::Lose.row().spelling) {
            return true;
        }
        left.extend(node.as_form().into_iter().flatten());
    }
    false
}

impl Checker<'_> {
    /// Checks that no player drops out by repetition: the next ply has been decided on then.
    pub(super) fn check_drop_outs(&mut self, rules: &Rules) {
        let Some(repetition) = &rules.repetition else { return };
        let statements = repetition.then.iter();
        for statement in statements.filter(|statement| drops(rules, &statement.node)) {
            let message =
                "no player can drop out by `repetition` in a game of three players or more";
            let finding = Finding::new(Code::Misplaced, statement.span, message);
            self.report(finding.with_help(
                "write a result that ends the game, such as `(draw)` or `(win (next mover))`",
            ));
        }
    }
}

/// Adds what is needed for players to drop out.
pub(super) fn generate(rules: &mut Rules) {
    let dropping = |statement: &Spanned<Statement>| matches!(statement.node, Statement::DropOut(_));
    let span = rules.statements().find(|statement| dropping(statement)).map(|found| found.span);
    // What is generated is at an empty span, so that no report mentions it.
    let start = span.unwrap_or_default().start;
    let span = Span::new(start, start);
    let mut memory = |name: &str| {
        let id = MemoryId(rules.memories.len() as u16);
        let memory = Memory::new(name.to_owned(), span, MemoryType::Condition);
        rules.memories.push(Memory { per_player: true, ..memory });
        id
    };
    let (out, leaving) = (memory("out"), memory("leaving"));
    let first = rules.definitions.len() as u16;
    let [playing, next, settle] = [0, 1, 2].map(|index| DefinitionId(first + index));
    let player = Local(rules.locals.len() as u16);
    rules.locals.push(Named { name: "p".to_owned(), span });
    let made =
        Generator { players: rules.players.len() as u16, out, leaving, playing, settle, span };
    let definition = |name: &str, parameters: Vec<Local>, body: Value| Definition {
        name: name.to_owned(),
        span,
        parameters,
        body,
    };
    let of = at(PlayerOf::Local(player), span);
    let body = Value::Condition(made.not(made.holds(out, of.clone())));
    rules.definitions.push(definition("in play", vec![player], body));
    let body = Value::Player(made.next_of(of));
    rules.definitions.push(definition("next in play", vec![player], body));
    let body = Value::Statements(made.settle());
    rules.definitions.push(definition("drop out", Vec::new(), body));
    rules.drop_outs = Some(DropOuts { out, leaving, playing, next, settle });
    made.add(rules);
}

/// Tests if a statement lets a player drop out, itself or in what it contains and calls.
fn drops(rules: &Rules, statement: &Statement) -> bool {
    rules.holds(statement, &|inner| matches!(inner, Statement::DropOut(_)))
}

struct Generator {
    players: u16,
    out: MemoryId,
    leaving: MemoryId,
    playing: DefinitionId,
    settle: DefinitionId,
    /// The empty span before a clause by which a player drops out.
    span: Span,
}

impl Generator {
    fn each(&self) -> impl Iterator<Item = Spanned<PlayerOf>> + use<> {
        let span = self.span;
        (0..self.players).map(move |player| at(PlayerOf::Fixed(PlayerId(player)), span))
    }

    fn holds(&self, memory: MemoryId, player: Spanned<PlayerOf>) -> Spanned<Condition> {
        at(Condition::Memory { memory, player: Some(Box::new(player)) }, self.span)
    }

    fn not(&self, condition: Spanned<Condition>) -> Spanned<Condition> {
        at(Condition::Not(Box::new(condition)), self.span)
    }

    fn is_out(&self, player: Spanned<PlayerOf>) -> Spanned<Condition> {
        self.holds(self.out, player)
    }

    /// Tests if the mover is in play.
    fn mover_plays(&self) -> Spanned<Condition> {
        let mover = Value::Player(at(PlayerOf::Mover, self.span));
        at(Condition::Call(self.playing, vec![mover]), self.span)
    }

    fn set(
        &self,
        memory: MemoryId,
        player: Spanned<PlayerOf>,
        to: Condition,
    ) -> Spanned<Statement> {
        let to = at(to, self.span);
        at(Statement::SetCondition { memory, player: Some(player), to }, self.span)
    }

    fn when(
        &self,
        condition: Spanned<Condition>,
        then: Vec<Spanned<Statement>>,
    ) -> Spanned<Statement> {
        at(Statement::If { condition, then, otherwise: Vec::new() }, self.span)
    }

    /// Returns the first player after the given one who is in play, or that player if there is
    /// none.
    fn next_of(&self, player: Spanned<PlayerOf>) -> Spanned<PlayerOf> {
        let fixed = |id: u16| at(PlayerOf::Fixed(PlayerId(id % self.players)), self.span);
        let after = |id: u16| {
            (id + 1..id + self.players).rev().fold(fixed(id), |otherwise, next| {
                let plays = Box::new(self.not(self.is_out(fixed(next))));
                at(PlayerOf::If(plays, Box::new(fixed(next)), Box::new(otherwise)), self.span)
            })
        };
        let branches = (0..self.players).map(after).collect();
        at(PlayerOf::ByPlayer(Box::new(player), branches), self.span)
    }

    /// Returns the statements that let those who are leaving drop out.
    fn settle(&self) -> Vec<Spanned<Statement>> {
        let any_leaves = self.each().map(|player| self.holds(self.leaving, player)).collect();
        let gone = |player: Spanned<PlayerOf>| {
            let left = self.is_out(player.clone());
            at(Condition::Or(vec![left, self.holds(self.leaving, player)]), self.span)
        };
        let stays = |player| self.set(self.leaving, player, Condition::Constant(false));
        let all_gone = at(Condition::And(self.each().map(gone).collect()), self.span);
        let mut shared: Vec<Spanned<Statement>> = self.each().map(stays).collect();
        shared.push(at(Statement::Draw, self.span));
        let mut then = vec![self.when(all_gone, shared)];
        for player in self.each() {
            let goes = Condition::Constant(true);
            then.push(self.when(
                self.holds(self.leaving, player.clone()),
                vec![self.set(self.out, player.clone(), goes), stays(player)],
            ));
        }
        for (index, winner) in self.each().enumerate() {
            let others = self.each().enumerate().filter(|&(other, _)| other != index);
            let others = others.map(|(_, other)| self.is_out(other)).collect();
            let last = at(Condition::And(others), self.span);
            then.push(self.when(last, vec![at(Statement::Win(winner), self.span)]));
        }
        vec![self.when(at(Condition::Or(any_leaves), self.span), then)]
    }

    fn settles(&self) -> Spanned<Statement> {
        at(Statement::Do(self.settle, Vec::new()), self.span)
    }

    /// Adds the statements to the end and to the order of play.
    fn add(&self, rules: &mut Rules) {
        rules.end.push(self.settles());
        let leaves = vec![at(Statement::EndTurn, self.span)];
        rules.end.push(self.when(self.not(self.mover_plays()), leaves));
        // Each definition with plies is rewritten once: as one that is used within turns, unless it
        // is used outside of them.
        let written = usize::from(self.playing.0);
        let mut outside = vec![false; written];
        called_outside(rules, &rules.play, &mut outside);
        for (index, &outside) in outside.iter().enumerate() {
            let Value::Statements(body) = &rules.definitions[index].body else { continue };
            if !body.iter().any(|statement| rules.belongs_to_flow(&statement.node)) {
                continue;
            }
            let body = self.rewritten(rules, body.clone(), !outside);
            rules.definitions[index].body = Value::Statements(body);
        }
        let play = std::mem::take(&mut rules.play);
        rules.play = self.rewritten(rules, play, false);
    }

    /// Rewrites a list of the order of play.
    fn rewritten(
        &self,
        rules: &Rules,
        list: Vec<Spanned<Statement>>,
        in_turn: bool,
    ) -> Vec<Spanned<Statement>> {
        let mut made = Vec::with_capacity(list.len());
        let mut list = list.into_iter();
        while let Some(statement) = list.next() {
            let may_drop = drops(rules, &statement.node);
            if rules.belongs_to_flow(&statement.node) {
                made.push(self.rewritten_order(rules, statement, in_turn, may_drop));
            } else {
                made.push(statement);
                if may_drop {
                    made.push(self.settles());
                }
            }
            if may_drop && in_turn && list.len() > 0 {
                let rest = self.rewritten(rules, list.collect(), in_turn);
                made.push(self.when(self.mover_plays(), rest));
                break;
            }
        }
        made
    }

    /// Rewrites a statement of the order of play.
    fn rewritten_order(
        &self,
        rules: &Rules,
        mut statement: Spanned<Statement>,
        in_turn: bool,
        may_drop: bool,
    ) -> Spanned<Statement> {
        let is_turn = matches!(statement.node, Statement::Turn(..) | Statement::Turns(_));
        let in_turn = in_turn || is_turn;
        for body in statement.node.bodies_mut() {
            *body = self.rewritten(rules, std::mem::take(body), in_turn);
        }
        if !(is_turn || may_drop && in_turn) {
            return statement;
        }
        // A turn, and each round of a loop in which its player may drop out, is skipped without him.
        statement.node = match statement.node {
            Statement::Turn(player, body) => {
                Statement::Turn(player, vec![self.when(self.mover_plays(), body)])
            }
            Statement::Turns(body) => Statement::Turns(vec![self.when(self.mover_plays(), body)]),
            Statement::Repeat(times, body) => {
                Statement::Repeat(times, vec![self.when(self.mover_plays(), body)])
            }
            Statement::For(binder, body) => {
                Statement::For(binder, vec![self.when(self.mover_plays(), body)])
            }
            Statement::Forever(body) => Statement::While(self.mover_plays(), body),
            Statement::While(condition, body) => {
                let both = Condition::And(vec![self.mover_plays(), condition]);
                Statement::While(at(both, self.span), body)
            }
            other => other,
        };
        statement
    }
}

/// Finds the definitions that the order of play uses outside of turns.
fn called_outside(rules: &Rules, list: &[Spanned<Statement>], found: &mut [bool]) {
    for statement in list {
        match &statement.node {
            Statement::Turn(..) | Statement::Turns(_) => {}
            Statement::Do(definition, _) => {
                if !std::mem::replace(&mut found[definition.index()], true) {
                    let body = rules.definitions[definition.index()].body.statements();
                    called_outside(rules, body, found);
                }
            }
            other => other.bodies().into_iter().for_each(|body| called_outside(rules, body, found)),
        }
    }
}
