//! Executes lists of statements: the order of play, the bodies of moves, the setup and the end.
//!
//! A flow is a stack of frames, one per open list, each with a program counter. It runs until the
//! next decision and can then be cloned, compared and resumed.

use super::effects;
use super::expressions::{View, is_out};
use super::list_frame::{ListEnd, ListFrame};
use super::moves::{CompletionSearch, has_choice};
use super::position::mark;
use super::statement_list::{ListPath, Root};
use super::tracer::{Event, Tracer};
use super::values::{ONE, Value, Variables};
use crate::board::Site;
use crate::budget::Fuel;
use crate::engine::position::Outcome;
use crate::engine::snapshot::Snapshot;
use crate::language::rules::{DefinitionId, Local, PlayerId, Rules, Spanned, Statement};
use crate::syntax::Span;

/// Why a flow stopped.
#[derive(Debug)]
pub enum Stop {
    /// The outermost list is finished.
    Done,
    /// A ply is to be made, and a legal one exists.
    Decision,
    /// A ply may have to be made: the flow [arrives](Flow::arriving) at the statement that asks for
    /// it.
    Arrival,
    Over(Outcome),
    /// The requirement at this span failed.
    Refused(Span),
    /// The fuel ran out at this clause.
    OutOfFuel(Span),
    /// The next statement is a `then`.
    Then,
}

/// How a ply ends the turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnEnd {
    /// The flow continues after the turn.
    Over,
    /// The same player takes another turn.
    Again,
}

/// A suspended execution. Two flows are equal if they stand at the same point with the same
/// variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flow {
    frames: Vec<ListFrame>,
    /// How the turn ends with the ply; `None` if it continues.
    pub turn_end: Option<TurnEnd>,
    /// Whether a ply was made since the conditions of `until` were evaluated.
    follows_ply: bool,
    /// Whether the flow stops at a statement that asks for a ply without testing for a legal one.
    arrives: bool,
}

impl Flow {
    /// Starts before the first statement.
    pub fn new(root: Root, variables: Variables, mover: PlayerId) -> Flow {
        let frame = ListFrame::new(ListPath::root(root), variables, mover, ListEnd::Once);
        Flow { frames: vec![frame], turn_end: None, follows_ply: false, arrives: false }
    }

    /// Sets whether the flow stops at every statement that may ask for a ply.
    pub fn arriving(self, arrives: bool) -> Flow {
        Flow { arrives, ..self }
    }

    /// Skips the statement at which the flow has arrived, because no ply is legal. Returns false if
    /// the game is then drawn.
    pub fn pass_over(&mut self, rules: &Rules) -> bool {
        let otherwise = match &self.statement(rules).node {
            Statement::Choose { otherwise, .. } => otherwise.is_some(),
            _ => false,
        };
        if otherwise {
            self.enter(0, ListEnd::Once);
        }
        otherwise
    }

    /// Executes statements up to the next decision, result, failed requirement or end.
    pub fn run(
        &mut self,
        rules: &Rules,
        snapshot: &mut Snapshot,
        fuel: &Fuel,
        tracer: &mut dyn Tracer,
    ) -> Stop {
        let mut last = Span::default();
        loop {
            if std::mem::take(&mut self.follows_ply) {
                self.leave_loops(rules, snapshot, fuel);
            }
            let Some(frame) = self.frames.last_mut() else { return Stop::Done };
            fuel.spend(1);
            let stop = match frame.path.statements(rules).get(frame.next) {
                Some(statement) => {
                    last = statement.span;
                    self.run_statement(rules, snapshot, statement, fuel, tracer)
                }
                None => {
                    if !frame.begin_iteration(rules) {
                        self.frames.pop();
                    }
                    None
                }
            };
            // Values computed without fuel are meaningless.
            if fuel.is_empty() {
                return Stop::OutOfFuel(last);
            }
            if let Some(stop) = stop {
                return stop;
            }
        }
    }

    /// Returns the view of the next statement.
    pub fn view<'v>(&self, rules: &'v Rules, snapshot: &'v Snapshot, fuel: &'v Fuel) -> View<'v> {
        self.top().view(rules, snapshot, fuel)
    }

    /// Tests if the next statement is inside a turn.
    pub fn is_in_turn(&self) -> bool {
        self.innermost_turn().is_some()
    }

    /// Returns the number of plies left of the `steps` that is the next statement.
    pub fn steps_left(&self) -> i128 {
        self.top().steps_left.unwrap_or(0)
    }

    /// Returns the next statement: at a decision, the statement that asks for the ply.
    ///
    /// # Panics
    /// At the end of the flow.
    pub fn statement<'r>(&self, rules: &'r Rules) -> &'r Spanned<Statement> {
        let frame = self.top();
        &frame.path.statements(rules)[frame.next]
    }

    /// Executes the statements of the `then` that is the next statement, with the chosen arguments.
    pub fn enter_then(&mut self, variables: Variables) {
        let frame = self.enter(0, ListEnd::Once);
        frame.variables = variables;
    }

    /// Skips the `then` that is the next statement.
    pub fn skip_then(&mut self) {
        self.top_mut().next += 1;
    }

    /// Returns the player whose turn it is.
    pub fn mover(&self) -> PlayerId {
        self.top().mover
    }

    /// Resumes after the ply that the flow stopped for.
    pub fn ply_done(&mut self, turn_end: Option<TurnEnd>) {
        let frame = self.top_mut();
        match &mut frame.steps_left {
            Some(left) => *left -= 1,
            None => {
                frame.next += 1;
                self.follows_ply = true;
            }
        }
        if let Some(end) = turn_end {
            self.leave_turn(end);
            self.follows_ply = true;
        }
    }

    /// Leaves the innermost `until` whose condition holds, if there is such a loop.
    fn leave_loops(&mut self, rules: &Rules, snapshot: &Snapshot, fuel: &Fuel) {
        for inside in (1..self.frames.len()).rev() {
            if self.frames[inside].list_end != ListEnd::Until {
                continue;
            }
            let frame = &self.frames[inside - 1];
            let statement = &frame.path.statements(rules)[frame.next];
            let Statement::Until(condition, _) = &statement.node else { continue };
            if frame.view(rules, snapshot, fuel).condition(&condition.node) {
                self.frames.truncate(inside);
                self.top_mut().next += 1;
                return;
            }
        }
    }

    fn top(&self) -> &ListFrame {
        self.frames.last().unwrap_or_else(|| unreachable!("the order of play has ended"))
    }

    fn top_mut(&mut self) -> &mut ListFrame {
        self.frames.last_mut().unwrap_or_else(|| unreachable!("the order of play has ended"))
    }

    fn innermost_turn(&self) -> Option<usize> {
        self.frames
            .iter()
            .rposition(|frame| matches!(frame.list_end, ListEnd::Turn | ListEnd::Turns))
    }

    /// Exits all lists inside the innermost turn, and skips its rest or goes back to its first
    /// statement.
    fn leave_turn(&mut self, end: TurnEnd) {
        if let Some(turn) = self.innermost_turn() {
            self.frames.truncate(turn + 1);
            let frame = self.top_mut();
            frame.next = match end {
                // Past the end of the list, where `begin_iteration` ends the turn.
                TurnEnd::Over => usize::MAX,
                TurnEnd::Again => 0,
            };
            frame.steps_left = None;
        }
    }

    /// Makes the statement with this index in the innermost list the next one.
    pub(super) fn go_to(&mut self, statement: usize) {
        self.top_mut().next = statement;
    }

    /// Sets the number of plies left of the `steps` that is the next statement.
    pub(super) fn set_steps_left(&mut self, left: i128) {
        self.top_mut().steps_left = Some(left);
    }

    /// Enters the body of a definition; execution continues after the statement.
    pub(super) fn enter_definition(&mut self, definition: DefinitionId, variables: Variables) {
        let frame = self.top_mut();
        let body = ListFrame::new(
            ListPath::root(Root::Definition(definition)),
            variables,
            frame.mover,
            ListEnd::Once,
        );
        frame.next += 1;
        self.frames.push(body);
    }

    /// Enters a list of the next statement; execution continues after the statement.
    pub(super) fn enter(&mut self, list: usize, list_end: ListEnd) -> &mut ListFrame {
        let frame = self.top_mut();
        let inside = ListFrame::new(
            frame.path.inside(frame.next, list),
            frame.variables.clone(),
            frame.mover,
            list_end,
        );
        frame.next += 1;
        self.frames.push(inside);
        self.top_mut()
    }

    /// Enters the body of a loop, unless it has no iteration.
    pub(super) fn enter_loop(&mut self, rules: &Rules, list_end: ListEnd) {
        if !self.enter(0, list_end).begin_iteration(rules) {
            self.frames.pop();
        }
    }

    /// Enters the body of the next statement; the statement is then executed again.
    pub(super) fn enter_again(&mut self, list_end: ListEnd) {
        let statement = self.top().next;
        self.enter(0, list_end);
        let outer = self.frames.len() - 2;
        self.frames[outer].next = statement;
    }

    fn run_statement(
        &mut self,
        rules: &Rules,
        snapshot: &mut Snapshot,
        statement: &Spanned<Statement>,
        fuel: &Fuel,
        tracer: &mut dyn Tracer,
    ) -> Option<Stop> {
        let in_turn = self.is_in_turn();
        let arrives = self.arrives;
        let view = self.view(rules, snapshot, fuel);
        let frame = self.top_mut();
        // Statements that the checker adds are not reported, except results.
        let generated = statement.span.is_empty();
        let mut on_event = |event: Event| {
            let told = match &event {
                Event::Over(_) => true,
                Event::Asked { condition, .. } => !condition.span.is_empty(),
                _ => !generated,
            };
            if told {
                tracer.on_event(&view, statement.span, event);
            }
        };
        let over = |outcome: Outcome, on_event: &mut dyn FnMut(Event)| {
            on_event(Event::Over(outcome));
            Some(Stop::Over(outcome))
        };
        match &statement.node {
            Statement::Require(condition) => {
                let holds = view.condition(&condition.node);
                on_event(Event::Required { condition, holds });
                if !holds {
                    return Some(Stop::Refused(condition.span));
                }
                frame.next += 1;
            }
            Statement::Let(local, value) => {
                let value = view.value(value);
                on_event(Event::Named { variable: *local, value: &value });
                frame.variables = frame.variables.with(*local, value);
                frame.next += 1;
            }
            Statement::Assign(local, value) => {
                let value = view.value(value);
                on_event(Event::Named { variable: *local, value: &value });
                frame.next += 1;
                self.assign(*local, &value);
            }
            Statement::If { condition, .. } => {
                let holds = view.condition(&condition.node);
                on_event(Event::Asked { condition, holds });
                self.enter(if holds { 0 } else { 1 }, ListEnd::Once);
            }
            Statement::ByPlayer(player, _) => {
                let list = view.player(&player.node).index();
                self.enter(list, ListEnd::Once);
            }
            Statement::Do(definition, arguments) => {
                let (inner, _) = view.call(*definition, arguments);
                self.enter_definition(*definition, inner.variables);
            }
            Statement::For(binder, _) => {
                let left = view.domain(&binder.domain).into();
                self.enter_loop(rules, ListEnd::For { variable: binder.variable, left });
            }
            Statement::Chain { variable, from, .. } => {
                let joined = view.sites(&from.node).list();
                let queue = joined.clone().into();
                self.enter_loop(rules, ListEnd::Chain { variable: *variable, queue, joined });
            }
            Statement::Join(sites) => {
                let sites = view.sites(&sites.node).list();
                frame.next += 1;
                self.join(sites);
            }
            Statement::Then { .. } => return Some(Stop::Then),
            Statement::Forever(_) => self.enter_again(ListEnd::Once),
            Statement::While(condition, _) => {
                let holds = view.condition(&condition.node);
                on_event(Event::Asked { condition, holds });
                if holds {
                    self.enter_again(ListEnd::Once);
                } else {
                    frame.next += 1;
                }
            }
            Statement::Until(condition, _) => {
                let holds = view.condition(&condition.node);
                on_event(Event::Asked { condition, holds });
                if holds {
                    frame.next += 1;
                } else {
                    self.enter_again(ListEnd::Until);
                }
            }
            Statement::Repeat(number, _) => {
                let left = view.number(&number.node).div_euclid(ONE);
                self.enter_loop(rules, ListEnd::Repeat { left });
            }
            Statement::Turns(_) => self.enter(0, ListEnd::Turns).mover = PlayerId(0),
            Statement::Turn(player, _) => {
                let player = view.player(&player.node);
                self.enter(0, ListEnd::Turn).mover = player;
            }
            Statement::Phase(..) => {
                self.enter(0, ListEnd::Once);
            }
            Statement::EndTurn => {
                on_event(Event::TurnEnds { again: false });
                frame.next += 1;
                self.turn_end = Some(TurnEnd::Over);
            }
            Statement::ExtraTurn => {
                on_event(Event::TurnEnds { again: true });
                frame.next += 1;
                self.turn_end = Some(TurnEnd::Again);
            }
            Statement::Choose { .. } | Statement::Chance(_) if arrives => {
                return Some(Stop::Arrival);
            }
            Statement::Choose { moves, otherwise, .. } => {
                let legal = has_choice(&view, moves);
                on_event(Event::Asks { legal });
                if legal {
                    return Some(Stop::Decision);
                }
                if otherwise.is_none() {
                    return over(drawn(rules, view.snapshot), &mut on_event);
                }
                self.enter(0, ListEnd::Once);
            }
            Statement::Chance(rule) => {
                let legal = has_choice(&view, std::slice::from_ref(rule));
                on_event(Event::Asks { legal });
                return if legal {
                    Some(Stop::Decision)
                } else {
                    over(drawn(rules, view.snapshot), &mut on_event)
                };
            }
            // Without a legal continuation `most` is 0, or `None` if the condition cannot be
            // reached; both skip the remaining plies.
            Statement::Steps { count, moves, ending } => {
                let left = match frame.steps_left {
                    Some(left) => left,
                    None => view.number(&count.node).div_euclid(ONE),
                };
                let legal = CompletionSearch::new(&view, moves, ending, in_turn)
                    .most(view.snapshot, left)
                    .is_some_and(|most| most > 0);
                if left > 0 {
                    on_event(Event::Asks { legal });
                }
                if legal {
                    frame.steps_left = Some(left);
                    return Some(Stop::Decision);
                }
                frame.steps_left = None;
                frame.next += 1;
                self.follows_ply = true;
            }
            Statement::Win(player) => {
                let winner = rules.teams.leader(view.player(&player.node));
                return over(Outcome::Win(winner), &mut on_event);
            }
            // The checker allows this only in games of two teams.
            Statement::Lose(player) => {
                let winner = rules.teams.rival(view.player(&player.node));
                return over(Outcome::Win(winner), &mut on_event);
            }
            Statement::Illegal => return Some(Stop::Refused(statement.span)),
            Statement::Draw => return over(drawn(rules, view.snapshot), &mut on_event),
            Statement::ByScore(variable, number) => {
                let score = |player| {
                    (player, view.with(*variable, Value::Player(player)).number(&number.node))
                };
                let players = view.players();
                let playing = players.filter(|&player| !is_out(rules, view.snapshot, player));
                let scores: Vec<(PlayerId, i128)> = playing.map(score).collect();
                let teams = rules.teams;
                let sum = |team| {
                    let own = scores.iter().filter(|(player, _)| teams.of(*player) == team);
                    own.map(|&(_, score)| score).reduce(|sum, score| sum + score)
                };
                let sums = teams.numbers().filter_map(|team| Some((teams.first(team), sum(team)?)));
                let scores: Vec<(PlayerId, i128)> = sums.collect();
                on_event(Event::Scored { scores: &scores });
                let winner = highest(&scores);
                let outcome = winner.map_or_else(|| drawn(rules, view.snapshot), Outcome::Win);
                return over(outcome, &mut on_event);
            }
            effect => {
                frame.next += 1;
                // Operands and tracer must see the position before the effect.
                let before = view.snapshot.clone();
                let view = View {
                    rules,
                    snapshot: &before,
                    variables: view.variables,
                    mover: view.mover,
                    fuel,
                };
                let clamped = effects::apply_effect(&view, snapshot, effect);
                let event = match effect {
                    Statement::DropOut(player) => Event::DropsOut(view.player(&player.node)),
                    _ => Event::Done { after: snapshot, clamped },
                };
                if !generated {
                    tracer.on_event(&view, statement.span, event);
                }
            }
        }
        None
    }

    /// Assigns a value to a variable, in all open lists that bind it.
    fn assign(&mut self, local: Local, value: &Value) {
        for frame in self.frames.iter_mut().rev() {
            let Some(variables) = frame.variables.assigned(local, value) else { return };
            frame.variables = variables;
            if let Some(outer) = frame.outer.assigned(local, value) {
                frame.outer = outer;
            }
        }
    }

    /// Adds sites to the queue of the innermost chain.
    fn join(&mut self, sites: Vec<Site>) {
        let chain = self.frames.iter_mut().rev().find_map(|frame| match &mut frame.list_end {
            ListEnd::Chain { queue, joined, .. } => Some((queue, joined)),
            _ => None,
        });
        let Some((queue, joined)) = chain else { return };
        for site in sites {
            if !joined.contains(&site) {
                mark(joined, site);
                queue.push_back(site);
            }
        }
    }
}

/// Returns the player with the highest score; `None` on a tie.
fn highest(scores: &[(PlayerId, i128)]) -> Option<PlayerId> {
    let greatest = scores.iter().map(|&(_, score)| score).max();
    let mut best = scores.iter().filter(|&&(_, score)| Some(score) == greatest);
    match (best.next(), best.next()) {
        (Some(&(winner, _)), None) => Some(winner),
        _ => None,
    }
}

/// Returns a draw, shared by the players who have not dropped out.
pub(super) fn drawn(rules: &Rules, snapshot: &Snapshot) -> Outcome {
    if rules.drop_outs.is_none() {
        return Outcome::Draw;
    }
    let players = (0..rules.players.len() as u16).map(PlayerId);
    Outcome::Shared(players.filter(|&player| !is_out(rules, snapshot, player)).collect())
}
