//! Compiles statements: effects, requirements and results; `memories` compiles changes of memories.

mod displacements;
mod loops;
mod memories;
mod pieces;
mod piles;
mod variables;

use self::memories::NumberPlace;
use piles::Carried;

use super::assembler::{Assembler, Num, Set};
use super::layout::Home;
use super::op::{LOST, SHARED};
use super::plan::{ClauseKind, How, Why};
use super::site_facts::SiteFacts;
use super::values::{
    Amount, Binding, DirectionOperand, PlayerOperand, Quantity, Scope, SiteOperand,
};
use super::{Compiled, Compiler, Stop};
use crate::language::rules::{
    Condition, Definition, DropOuts, Local, Number, PlayerId, Sites, Spanned, Statement, Value,
};
use crate::language::visit::StatementClass;

impl<'r> Compiler<'r> {
    /// Compiles statements in order. A `let` is visible in those after it.
    pub(super) fn statements(
        &mut self,
        statements: &'r [Spanned<Statement>],
        scope: &Scope<'r>,
    ) -> Compiled<()> {
        let mut scope = scope.clone();
        for statement in statements {
            scope = self.statement(statement, scope)?;
        }
        Ok(())
    }

    /// Compiles one statement; returns the scope for those after it.
    pub(super) fn statement(
        &mut self,
        statement: &'r Spanned<Statement>,
        scope: Scope<'r>,
    ) -> Compiled<Scope<'r>> {
        self.work(statement.span)?;
        // A move that is only tried and ends the game is legal; that it ends the turn does not
        // matter.
        if let Some(trial) = self.trial() {
            match statement.node.class() {
                StatementClass::Result => {
                    self.asm.jump(trial.succeeds);
                    return Ok(scope);
                }
                _ if matches!(statement.node, Statement::EndTurn | Statement::ExtraTurn) => {
                    return Ok(scope);
                }
                _ => {}
            }
        }
        match &statement.node {
            Statement::Require(condition) => self.require(condition, &scope)?,
            Statement::Then { parameters, body } => self.then(parameters, body, &scope)?,
            Statement::Let(variable, value) => {
                let mut bound = self.bind(value, &scope)?;
                if self.assigned.contains(variable) {
                    bound = self.held_apart(bound)?;
                }
                return Ok(scope.with(*variable, bound));
            }
            Statement::Assign(variable, value) => {
                let bound = self.bind(value, &scope)?;
                self.reassign(*variable, bound, &scope)?;
            }
            Statement::If { condition, then, otherwise } => {
                self.branch(condition, then, otherwise, &scope)?
            }
            Statement::For(binder, body) => self.each(binder, body, &scope)?,
            Statement::While(condition, body) => {
                self.as_long_as(condition, body, statement.span, &scope)?
            }
            Statement::Repeat(times, body) => {
                self.times(times, statement.span, &scope, |c| c.statements(body, &scope))?
            }
            Statement::ByPlayer(player, branches) => match self.player_operand(player, &scope)? {
                PlayerOperand::Fixed(player) => {
                    self.statements(&branches[player.index()], &scope)?
                }
                PlayerOperand::In(who) => self.each_player(who, |c, player| {
                    c.statements(&branches[player.index()], &scope)
                })?,
            },
            Statement::Chain { variable, from, body } => {
                self.chain(*variable, from, body, statement.span, &scope)?
            }
            Statement::Join(sites) => {
                let sites = self.region(sites, &scope)?;
                self.asm.enqueue(self.context.chain.saturating_sub(1), sites);
            }
            Statement::Do(definition, arguments) => {
                let definition = &self.rules.definitions[definition.index()];
                let mut inner = Scope::default();
                for (parameter, argument) in definition.parameters.iter().zip(arguments) {
                    inner = inner.with(*parameter, self.bind(argument, &scope)?);
                }
                if let Value::Statements(body) = &definition.body {
                    self.statements(body, &inner)?;
                }
            }
            Statement::Put { piece, at, owner, beneath } => {
                let bare = matches!(&at.node, Sites::One(site) if self.context.site_facts.is_bare(&site.node));
                let at = self.region(at, &scope)?;
                let at = if bare { at } else { self.not_cut(at) };
                self.context.site_facts = SiteFacts::default();
                let piece = self.piece_operand(piece, &scope)?;
                let piece = self.frozen_kind(piece)?;
                self.each_kind(&piece, |c, piece| {
                    match c.owner(piece, owner.as_ref(), &scope)? {
                        Some(PlayerOperand::In(who)) => c.each_player(who, |c, player| {
                            c.put(c.layout.piece(piece, Some(player)), at, bare, *beneath);
                            Ok(())
                        })?,
                        Some(PlayerOperand::Fixed(player)) => {
                            c.put(c.layout.piece(piece, Some(player)), at, bare, *beneath)
                        }
                        None => c.put(c.layout.piece(piece, None), at, bare, *beneath),
                    }
                    Ok(())
                })?;
            }
            Statement::Remove { at, number } => {
                self.context.site_facts = SiteFacts::default();
                let at = self.region(at, &scope)?;
                match number {
                    Some(number) => self.lift_off(at, number, &scope)?,
                    None => self.clear(at, None),
                }
            }
            Statement::Relocate { from, to, number, beneath } if self.rules.piles.is_some() => {
                let carried = Carried { number: number.as_ref(), beneath: *beneath };
                self.relocate_pile((from, to), carried, &scope)?
            }
            Statement::Relocate { from, to, .. } => self.relocate(from, to, &scope)?,
            Statement::Shift { at, direction } => self.shift(at, direction, &scope)?,
            Statement::Swap(one, other) => self.swap(one, other, &scope)?,
            Statement::Convert { at, to } => {
                self.context.site_facts = SiteFacts::default();
                let at = self.region(at, &scope)?;
                let at = self.frozen_set(at);
                match self.player_operand(to, &scope)? {
                    PlayerOperand::Fixed(player) => self.convert(at, player),
                    PlayerOperand::In(who) => self.each_player(who, |c, player| {
                        c.convert(at, player);
                        Ok(())
                    })?,
                }
            }
            Statement::Replace { at, piece, owner } => {
                self.context.site_facts = SiteFacts::default();
                let at = self.region(at, &scope)?;
                let owner = match owner {
                    Some(owner) => Some(self.player_operand(owner, &scope)?),
                    None => None,
                };
                let piece = self.piece_operand(piece, &scope)?;
                let piece = self.frozen_kind(piece)?;
                self.each_kind(&piece, |c, piece| {
                    match owner {
                        Some(PlayerOperand::In(who)) => c.each_player(who, |c, player| {
                            c.replace(at, piece, Some(player));
                            Ok(())
                        })?,
                        Some(PlayerOperand::Fixed(player)) => c.replace(at, piece, Some(player)),
                        None => c.replace(at, piece, None),
                    }
                    Ok(())
                })?;
            }
            Statement::Cut(at) => {
                self.context.site_facts = SiteFacts::default();
                let at = self.region(at, &scope)?;
                let at = self.frozen_set(at);
                self.clear(at, None);
                if let Some(cut) = self.layout.cut {
                    self.asm.join(cut, at);
                }
            }
            Statement::SetNumber { memory, player, site, key, to } => {
                let to = self.number(to, &scope)?;
                let at = NumberPlace::new(*memory, player, site, key);
                self.set_number(at, to, &scope)?;
            }
            Statement::Raise { memory, player, site, key, by } => {
                self.change(NumberPlace::new(*memory, player, site, key), by, false, &scope)?
            }
            Statement::Lower { memory, player, site, key, by } => {
                let at = NumberPlace::new(*memory, player, site, key);
                self.change(at, by, true, &scope)?
            }
            Statement::SetSite { memory, player, site, to } => {
                let to = self.site_operand(to, &scope)?;
                let to = self.site_number(&to)?;
                self.assign(*memory, player.as_ref(), site.as_ref(), to, &scope)?;
            }
            Statement::SetKind { memory, player, site, to } => {
                let to = self.piece_operand(to, &scope)?;
                let to = self.piece_number(&to)?;
                self.assign(*memory, player.as_ref(), site.as_ref(), to, &scope)?;
            }
            Statement::SetPlayer { memory, player, to } => {
                let to = self.player_operand(to, &scope)?;
                let to = self.player_number(to);
                self.assign(*memory, player.as_ref(), None, to, &scope)?;
            }
            Statement::SetDirection { memory, player, site, to } => {
                let to = self.direction_operand(to, &scope)?;
                let to = self.direction_number(to);
                self.assign(*memory, player.as_ref(), site.as_ref(), to, &scope)?;
            }
            Statement::SetCondition { memory, player, to } => {
                let to = match self.settled(to, &scope) {
                    Some(holds) => self.asm.constant(i32::from(holds)),
                    None => self.truth(to, &scope)?,
                };
                self.assign(*memory, player.as_ref(), None, to, &scope)?;
            }
            Statement::SetSites { memory, player, direction, to } => {
                let to = self.region(to, &scope)?;
                let at = (*memory, player.as_ref(), direction.as_ref());
                self.change_marks(at, Assembler::copy_to, to, &scope)?;
            }
            Statement::Mark { memory, player, direction, sites } => {
                let sites = self.region(sites, &scope)?;
                let at = (*memory, player.as_ref(), direction.as_ref());
                self.change_marks(at, Assembler::join, sites, &scope)?;
            }
            Statement::Unmark { memory, player, direction, sites } => {
                let sites = self.region(sites, &scope)?;
                let at = (*memory, player.as_ref(), direction.as_ref());
                self.change_marks(at, Assembler::drop, sites, &scope)?;
            }
            Statement::Win(player) => {
                let who = self.player_operand(player, &scope)?;
                let who = self.player_number(who);
                self.asm.win(who);
            }
            Statement::Lose(player) => {
                // The other one of two teams.
                let loser = self.player_operand(player, &scope)?;
                let loser = self.player_number(loser);
                let over = match self.rules.teams.has_partners() {
                    true => {
                        let lost = self.asm.constant(i32::from(LOST));
                        self.asm.add(lost, loser)
                    }
                    false => {
                        let one = self.asm.constant(1);
                        self.asm.subtract(one, loser)
                    }
                };
                self.asm.win(over);
            }
            Statement::DropOut(player) => {
                if let Some(drop_outs) = self.rules.drop_outs {
                    let yes = self.asm.constant(1);
                    self.assign(drop_outs.leaving, Some(player), None, yes, &scope)?;
                }
            }
            Statement::Draw => self.draw(),
            Statement::Illegal => {
                let clause = self.clause(statement.span);
                self.asm.fail(clause);
            }
            Statement::ByScore(variable, number) => self.by_score(*variable, number, &scope)?,
            Statement::EndTurn => self.end_turn(false),
            Statement::ExtraTurn => self.end_turn(true),
            Statement::Forever(_)
            | Statement::Until(..)
            | Statement::Turns(_)
            | Statement::Turn(..)
            | Statement::Phase(..)
            | Statement::Choose { .. }
            | Statement::Chance(_)
            | Statement::Steps { .. } => {
                return Err(Stop::Misplaced(
                    statement.span,
                    "this is only allowed in the order of play",
                ));
            }
        }
        Ok(scope)
    }

    /// Fails the move if the condition does not hold, unless that has been tested.
    pub(super) fn require(
        &mut self,
        condition: &'r Spanned<Condition>,
        scope: &Scope<'r>,
    ) -> Compiled<()> {
        if let Some(trial) = self.trial() {
            let from = self.asm.length();
            self.jump(condition, scope, false, trial.fails)?;
            self.note(ClauseKind::Requirement, condition.span, self.asked, from);
            return Ok(());
        }
        if self.context.are_requirements_met {
            return Ok(());
        }
        let clause = self.clause(condition.span);
        let fine = self.asm.label();
        let from = self.asm.length();
        self.asm.open();
        self.skip_low_pile(condition, scope, fine)?;
        self.jump(condition, scope, true, fine)?;
        self.asm.close_before(fine, from);
        self.asm.fail(clause);
        self.note(ClauseKind::Requirement, condition.span, self.asked, from);
        self.asm.place(fine);
        Ok(())
    }

    fn branch(
        &mut self,
        condition: &'r Spanned<Condition>,
        then: &'r [Spanned<Statement>],
        otherwise: &'r [Spanned<Statement>],
        scope: &Scope<'r>,
    ) -> Compiled<()> {
        if let Some(holds) = self.settled(condition, scope) {
            self.note(ClauseKind::Condition, condition.span, How::Known(holds), self.asm.length());
            return self.statements(if holds { then } else { otherwise }, scope);
        }
        let no = self.asm.label();
        self.asm.open();
        let from = self.asm.length();
        self.jump(condition, scope, false, no)?;
        self.asm.close_before(no, from);
        self.note(ClauseKind::Condition, condition.span, How::Once, from);
        self.asm.open();
        self.statements(then, scope)?;
        self.asm.close();
        if otherwise.is_empty() {
            self.asm.place(no);
            return Ok(());
        }
        let end = self.asm.label();
        self.asm.jump(end);
        self.asm.place(no);
        self.asm.open();
        self.statements(otherwise, scope)?;
        self.asm.close();
        self.asm.place(end);
        Ok(())
    }

    /// Evaluates an expression now, so that later changes of the position do not affect its value.
    pub(super) fn bind(&mut self, value: &'r Value, scope: &Scope<'r>) -> Compiled<Binding<'r>> {
        Ok(match value {
            Value::Number(number) => {
                let quantity = self.lift_number(number, scope)?;
                match quantity.amount {
                    Amount::In(num) => {
                        let kept = self.frozen_number(num);
                        Binding::Number(Quantity {
                            amount: Amount::In(kept),
                            scale: quantity.scale,
                        })
                    }
                    _ => Binding::Number(quantity),
                }
            }
            Value::Condition(condition) => Binding::Condition(self.truth(condition, scope)?),
            Value::Sites(sites) => {
                let set = self.region(sites, scope)?;
                Binding::Sites(self.frozen_set(set))
            }
            Value::Site(site) => Binding::Site(match self.site_operand(site, scope)? {
                SiteOperand::In(num) => SiteOperand::In(self.frozen_number(num)),
                place => place,
            }),
            Value::Direction(direction) => {
                Binding::Direction(match self.direction_operand(direction, scope)? {
                    DirectionOperand::In(num) => DirectionOperand::In(self.frozen_number(num)),
                    way => way,
                })
            }
            Value::Directions(directions) => {
                let cases = self.direction_cases(directions, scope)?;
                Binding::Directions(self.frozen_cases(cases))
            }
            Value::Player(player) => Binding::Player(match self.player_operand(player, scope)? {
                PlayerOperand::In(num) => PlayerOperand::In(self.frozen_number(num)),
                who => who,
            }),
            Value::Piece(piece) => {
                let piece = self.piece_operand(piece, scope)?;
                Binding::Piece(self.frozen_kind(piece)?)
            }
            Value::Statements(_) => return Err(Stop::NotLiftable(Why::Value)),
        })
    }

    /// Copies the set if it is a register of the position, which later effects may change.
    pub(super) fn frozen_set(&mut self, set: Set) -> Set {
        if set.0 >= self.layout.sets {
            return set;
        }
        self.asm.copy(set)
    }

    pub(super) fn frozen_number(&mut self, num: Num) -> Num {
        if num.0 >= super::assembler::FIXED {
            return num;
        }
        self.asm.assign(num)
    }

    fn by_score(
        &mut self,
        variable: Local,
        number: &'r Spanned<Number>,
        scope: &Scope<'r>,
    ) -> Compiled<()> {
        let from = self.asm.length();
        let mut scores = Vec::new();
        for player in (0..self.rules.players.len() as u16).map(PlayerId) {
            let scope = scope.with(variable, Binding::Player(PlayerOperand::Fixed(player)));
            scores.push(self.lift_number(number, &scope)?);
        }
        let scale = scores.iter().map(|score| score.scale).max().unwrap_or(1);
        let mut held = Vec::new();
        for score in scores {
            let score = self.scaled(score, scale)?;
            held.push(self.held(&score)?);
        }
        // By team, the first player and the sum of the scores.
        let teams = self.rules.teams;
        let mut sums: Vec<(PlayerId, Num)> = Vec::new();
        for team in teams.numbers() {
            let mut scores = teams.members(team).filter_map(|it| held.get(it.index()).copied());
            let Some(first) = scores.next() else { continue };
            let mut sum = scores.fold(first, |sum, score| self.asm.add(sum, score));
            if let Some(drop_outs) = self.rules.drop_outs {
                sum = self.score_in_play(drop_outs, teams.first(team), sum)?;
            }
            sums.push((teams.first(team), sum));
        }
        self.note(ClauseKind::Score, number.span, How::Once, from);
        for &(leader, score) in &sums {
            // The winner has more than each of the others.
            let beaten = self.asm.label();
            for &(_, other) in sums.iter().filter(|(other, _)| *other != leader) {
                self.asm.if_at_least(other, score, beaten);
            }
            self.asm.open();
            let winner = self.asm.constant(leader.0.into());
            self.asm.win(winner);
            self.asm.close();
            self.asm.place(beaten);
        }
        self.draw();
        Ok(())
    }

    /// Returns a player's score, or one that is below all others if he has dropped out.
    fn score_in_play(
        &mut self,
        drop_outs: DropOuts,
        player: PlayerId,
        score: Num,
    ) -> Compiled<Num> {
        let Definition { parameters, body, .. } =
            &self.rules.definitions[drop_outs.playing.index()];
        let (Value::Condition(playing), [parameter]) = (body, &parameters[..]) else {
            return Ok(score);
        };
        let player = Binding::Player(PlayerOperand::Fixed(player));
        let scope = Scope::default().with(*parameter, player);
        self.num_if(playing, &scope, |c, holds| {
            Ok(if holds { score } else { c.asm.constant(i32::MIN) })
        })
    }

    /// Emits a draw, which those share who have not dropped out.
    pub(super) fn draw(&mut self) {
        let home = self.rules.drop_outs.map(|drop_outs| self.layout.home(drop_outs.out));
        let Some(Home::Nums { first }) = home else {
            return self.asm.draw();
        };
        let players = self.rules.players.len() as u16;
        let everyone = SHARED + (1 << players) - 1;
        let mut among = self.asm.constant(i32::from(everyone));
        for player in 0..players {
            let bit = self.asm.constant(1 << player);
            let out = self.asm.multiply(Num(first + player), bit);
            among = self.asm.subtract(among, out);
        }
        self.asm.win(among);
    }
}
