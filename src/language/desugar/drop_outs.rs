//! Players who drop out: `lose` in a game of three players or more.
//!
//! Two memories per player say who is out and who is leaving; with [teams](Teams), the whole team
//! of a player leaves with him. After every ply, and after statements of the order of play that let
//! a player drop out, the leaving players are out. If one team remains, it has won; if none
//! remains, the leaving players are in again and share a draw. A turn is skipped, or ends, if its
//! player is out. For engines, only [`Statement::DropOut`], the next player and a draw have a new
//! meaning.

use super::Builder;
use crate::language::rules::*;

/// Adds what is needed for players to drop out.
pub(super) fn rewrite(rules: &mut Rules) {
    let dropping = |statement: &Spanned<Statement>| matches!(statement.node, Statement::DropOut(_));
    let span = rules.statements().find(|statement| dropping(statement)).map(|found| found.span);
    let new = Builder::before(span.unwrap_or_default());
    let [out, leaving] = ["out", "leaving"].map(|name| new.memory(rules, name, true, 0));
    let first = rules.definitions.len() as u16;
    let [playing, next, settle] = [0, 1, 2].map(|index| DefinitionId(first + index));
    let player = Local(rules.locals.len() as u16);
    rules.locals.push(Named { name: "p".to_owned(), span: new.span });
    let rewriter = Rewriter {
        players: rules.players.len() as u16,
        teams: rules.teams,
        out,
        leaving,
        playing,
        settle,
        new,
    };
    let mut definition = |name: &str, parameters: Vec<Local>, body: Value| {
        rules.definitions.push(Definition {
            name: name.to_owned(),
            span: new.span,
            parameters,
            body,
        });
    };
    let of = new.at(PlayerOf::Local(player));
    let in_play = new.not(rewriter.is_out(of.clone()));
    definition("in play", vec![player], Value::Condition(in_play));
    definition("next in play", vec![player], Value::Player(rewriter.next_of(of)));
    definition("drop out", Vec::new(), Value::Statements(rewriter.settle()));
    rules.drop_outs = Some(DropOuts { out, leaving, playing, next, settle });
    rewriter.add(rules);
}

/// Tests if a statement lets a player drop out, itself or in what it contains and calls.
fn drops(rules: &Rules, statement: &Statement) -> bool {
    rules.holds(statement, &|inner| matches!(inner, Statement::DropOut(_)))
}

struct Rewriter {
    players: u16,
    teams: Teams,
    out: MemoryId,
    leaving: MemoryId,
    playing: DefinitionId,
    settle: DefinitionId,
    /// Before a clause by which a player drops out.
    new: Builder,
}

impl Rewriter {
    fn players(&self) -> impl Iterator<Item = PlayerId> + use<> {
        (0..self.players).map(PlayerId)
    }

    fn fixed(&self, player: PlayerId) -> Spanned<PlayerOf> {
        self.new.at(PlayerOf::Fixed(player))
    }

    fn each(&self) -> impl Iterator<Item = Spanned<PlayerOf>> + use<> {
        let new = self.new;
        self.players().map(move |player| new.at(PlayerOf::Fixed(player)))
    }

    fn is_out(&self, player: Spanned<PlayerOf>) -> Spanned<Condition> {
        self.new.holds(self.out, Some(player))
    }

    /// Tests if the mover is in play.
    fn mover_plays(&self) -> Spanned<Condition> {
        let mover = Value::Player(self.new.at(PlayerOf::Mover));
        self.new.at(Condition::Call(self.playing, vec![mover]))
    }

    /// Returns the first player after the given one who is in play, or that player if there is
    /// none.
    fn next_of(&self, player: Spanned<PlayerOf>) -> Spanned<PlayerOf> {
        let fixed = |id: u16| self.new.at(PlayerOf::Fixed(PlayerId(id % self.players)));
        let after = |id: u16| {
            (id + 1..id + self.players).rev().fold(fixed(id), |otherwise, next| {
                let plays = Box::new(self.new.not(self.is_out(fixed(next))));
                self.new.at(PlayerOf::If(plays, Box::new(fixed(next)), Box::new(otherwise)))
            })
        };
        let branches = (0..self.players).map(after).collect();
        self.new.at(PlayerOf::ByPlayer(Box::new(player), branches))
    }

    /// Returns the statements that let those who are leaving drop out.
    fn settle(&self) -> Vec<Spanned<Statement>> {
        let any_leaves =
            self.each().map(|player| self.new.holds(self.leaving, Some(player))).collect();
        let gone = |player: Spanned<PlayerOf>| {
            let left = self.is_out(player.clone());
            self.new.at(Condition::Or(vec![left, self.new.holds(self.leaving, Some(player))]))
        };
        let stays = |player| self.new.set(self.leaving, Some(player), false);
        let all_gone = self.new.and(self.each().map(gone).collect());
        let mut shared: Vec<Spanned<Statement>> = self.each().map(stays).collect();
        shared.push(self.new.at(Statement::Draw));
        // A whole team leaves.
        let partners = |player: &PlayerId| self.teams.members(self.teams.of(*player));
        let mut then: Vec<Spanned<Statement>> = self
            .players()
            .filter(|one| partners(one).count() > 1)
            .map(|one| {
                self.when(
                    self.new.holds(self.leaving, Some(self.fixed(one))),
                    partners(&one)
                        .map(|partner| self.new.set(self.leaving, Some(self.fixed(partner)), true))
                        .collect(),
                )
            })
            .collect();
        then.push(self.when(all_gone, shared));
        for player in self.each() {
            then.push(self.when(
                self.new.holds(self.leaving, Some(player.clone())),
                vec![self.new.set(self.out, Some(player.clone()), true), stays(player)],
            ));
        }
        for team in self.teams.numbers() {
            let others = self.players().filter(|&player| self.teams.of(player) != team);
            let others = others.map(|other| self.is_out(self.fixed(other))).collect();
            let winner = self.fixed(self.teams.first(team));
            let last = self.new.and(others);
            then.push(self.when(last, vec![self.new.at(Statement::Win(winner))]));
        }
        vec![self.when(self.new.at(Condition::Or(any_leaves)), then)]
    }

    fn when(
        &self,
        condition: Spanned<Condition>,
        then: Vec<Spanned<Statement>>,
    ) -> Spanned<Statement> {
        self.new.when(condition, then, Vec::new())
    }

    fn settles(&self) -> Spanned<Statement> {
        self.new.at(Statement::Do(self.settle, Vec::new()))
    }

    /// Adds the statements to the end and to the order of play.
    fn add(&self, rules: &mut Rules) {
        rules.end.push(self.settles());
        let leaves = vec![self.new.at(Statement::EndTurn)];
        rules.end.push(self.when(self.new.not(self.mover_plays()), leaves));
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
        // A turn, and each round of a loop in which its player may drop out, is skipped without
        // him.
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
                Statement::While(self.new.at(both), body)
            }
            Statement::Until(condition, body) => {
                let out = self.mover_plays();
                let out = Spanned { span: out.span, node: Condition::Not(Box::new(out)) };
                let either = Condition::Or(vec![out, condition]);
                Statement::Until(self.new.at(either), body)
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
