//! The order of play: a structured program that stops wherever a ply is to be made.
//!
//! It is compiled to one routine, a coroutine: it stops at a decision and continues after the ply.
//! Code is specialized for each player who can be the mover, so the mover is a constant in it. Only
//! the position survives a decision, so loop counters and arguments live in numbers of the
//! position.

mod loops;
mod pending;

pub(super) use pending::OrderOfPlay;
use pending::{Pending, PendingEntry};

use super::assembler::{Label, Num};
use super::directions::known;
use super::moves::MoveGenerator;
use super::plan::{ClauseKind, How, Why};
use super::program::{ArgumentSource, DecisionCode, EntryCode, PathStep, PathTarget};
use super::values::{
    Amount, Binding, DirectionOperand, PieceOperand, PlayerOperand, Quantity, Scope, SiteOperand,
};
use super::{Compiled, Compiler, Routine, Stop};
use crate::language::rules::{
    Condition, DefinitionId, Domain, MoveId, Number, PlayerId, Rules, Spanned, Statement, Value,
};
use crate::syntax::Span;
use loops::OpenLoop;
use std::rc::Rc;

/// Message for directions known only in play in a loop, or as an argument, that lasts several
/// plies.
const UNKNOWN_TEAM: &str =
    "the team is only known during play, and must be known before play around plies";
const UNKNOWN_DIRECTION: &str =
    "these directions are only known during play, and must be known before play around plies";

/// Limit on the total length of the paths of all decisions, each from the order of play down to it:
/// a bound on memory, far above what a written game has.
const MAX_PATH_STEPS: usize = 1 << 19;

/// A path from the order of play down to a statement, as a list that shares its prefixes: nested
/// loops can be unrolled up to 65,535 times.
struct PathNode {
    before: Option<Rc<PathNode>>,
    last: PathStep,
}

/// The context of a statement of the order of play.
#[derive(Clone)]
struct FlowContext<'r> {
    phase: Option<&'r str>,
    /// The counter registers of the loops around it.
    counters: Vec<u16>,
    /// Where play continues when the turn ends early.
    leave: Option<Label>,
    /// The loops around it that a ply can leave, the innermost first.
    loops: Option<Rc<OpenLoop<'r>>>,
    /// The loops among `leaving` around the turn.
    around_turn: Option<Rc<OpenLoop<'r>>>,
    /// How many numbers of the position are in use besides the memories.
    depth: u16,
    /// The path to the list that contains it, and its index there.
    way: Option<Rc<PathNode>>,
    statement: usize,
}

impl<'r> FlowContext<'r> {
    /// Returns the context of the statements inside this one.
    fn inside(&self, inside: PathTarget) -> FlowContext<'r> {
        let last = PathStep { statement: self.statement, inside };
        FlowContext {
            way: Some(Rc::new(PathNode { before: self.way.clone(), last })),
            ..self.clone()
        }
    }

    /// Returns the context with one more argument of the definition at the end of the path.
    fn with_argument(&self, source: ArgumentSource) -> FlowContext<'r> {
        let Some(way) = &self.way else { return self.clone() };
        let mut last = way.last.clone();
        if let PathTarget::Definition(arguments) = &mut last.inside {
            arguments.push(source);
        }
        FlowContext {
            way: Some(Rc::new(PathNode { before: way.before.clone(), last })),
            ..self.clone()
        }
    }

    /// Returns the steps of the path, outermost first.
    fn path_steps(&self) -> Vec<PathStep> {
        let ways = std::iter::successors(self.way.as_deref(), |way| way.before.as_deref());
        let mut path_steps: Vec<PathStep> = ways.map(|way| way.last.clone()).collect();
        path_steps.reverse();
        path_steps
    }
}

impl<'r> Compiler<'r> {
    /// Compiles the order of play. Its decisions are collected in the compiler.
    pub(super) fn order_of_play(&mut self) -> Compiled<Routine> {
        let rules = self.rules;
        let span = rules.play.first().map_or(Span { start: 0, end: 0 }, |statement| statement.span);
        let context = FlowContext {
            phase: None,
            counters: Vec::new(),
            leave: None,
            loops: None,
            around_turn: None,
            depth: self.order.counters,
            way: None,
            statement: 0,
        };
        self.routine(span, |c| {
            c.entry(None, |c| c.flow(&rules.play, &Scope::default(), &context))?;
            c.draw();
            Ok(())
        })
    }

    /// Emits statements, of which some may contain plies.
    fn flow(
        &mut self,
        statements: &'r [Spanned<Statement>],
        scope: &Scope<'r>,
        context: &FlowContext<'r>,
    ) -> Compiled<()> {
        let mut scope = scope.clone();
        for (index, statement) in statements.iter().enumerate() {
            if self.belongs_to_flow(&statement.node) {
                self.flow_statement(
                    statement,
                    &scope,
                    &FlowContext { statement: index, ..context.clone() },
                )?;
            } else {
                scope = self.statement(statement, scope)?;
            }
        }
        Ok(())
    }

    /// Emits one statement of the order of play.
    fn flow_statement(
        &mut self,
        statement: &'r Spanned<Statement>,
        scope: &Scope<'r>,
        context: &FlowContext<'r>,
    ) -> Compiled<()> {
        self.work(statement.span)?;
        match &statement.node {
            Statement::Forever(body) => self.emit_loop(statement.span, |c, _| {
                c.flow(body, scope, &context.inside(PathTarget::List(0)))
            }),
            Statement::While(condition, body) => self.emit_loop(statement.span, |c, over| {
                let from = c.asm.length();
                c.jump(condition, scope, false, over)?;
                c.note(ClauseKind::Condition, condition.span, How::Once, from);
                c.flow(body, scope, &context.inside(PathTarget::List(0)))
            }),
            Statement::Until(condition, body) => {
                self.until(condition, body, statement.span, scope, context)
            }
            Statement::Repeat(times, body) => {
                self.repeat(times, body, statement.span, scope, context)
            }
            Statement::Turns(body) => self.emit_loop(statement.span, |c, _| {
                for player in (0..c.rules.players.len() as u16).map(PlayerId) {
                    c.turn(player, body, statement.span, scope, context)?;
                }
                Ok(())
            }),
            Statement::Turn(player, body) => match self.player_operand(player, scope)? {
                PlayerOperand::Fixed(player) => {
                    self.turn(player, body, statement.span, scope, context)
                }
                PlayerOperand::In(who) => self.each_player(who, |c, player| {
                    c.turn(player, body, statement.span, scope, context)
                }),
            },
            Statement::Phase(name, body) => {
                let inside =
                    FlowContext { phase: Some(&name.name), ..context.inside(PathTarget::List(0)) };
                self.entry(Some(name.name.clone()), |c| c.flow(body, scope, &inside))
            }
            Statement::If { condition, then, otherwise } => {
                self.flow_if(condition, then, otherwise, scope, context)
            }
            Statement::ByPlayer(player, branches) => match self.player_operand(player, scope)? {
                PlayerOperand::Fixed(player) => self.flow(
                    &branches[player.index()],
                    scope,
                    &context.inside(PathTarget::List(player.index())),
                ),
                PlayerOperand::In(who) => self.each_player(who, |c, player| {
                    let context = context.inside(PathTarget::List(player.index()));
                    c.flow(&branches[player.index()], scope, &context)
                }),
            },
            Statement::For(binder, body) => {
                if matches!(binder.domain, Domain::Sites(_) | Domain::Groups { .. }) {
                    return Err(Stop::Misplaced(
                        statement.span,
                        "plies are not allowed in a loop over sites or groups",
                    ));
                }
                for (value, (guard, scope)) in
                    self.cases(binder.variable, &binder.domain, scope)?.into_iter().enumerate()
                {
                    // What a guard tests is lost during a ply.
                    if !guard.is_empty() {
                        let unknown = match binder.domain {
                            Domain::Team(..) => UNKNOWN_TEAM,
                            _ => UNKNOWN_DIRECTION,
                        };
                        return Err(Stop::Misplaced(binder.domain.span(), unknown));
                    }
                    self.flow(body, &scope, &context.inside(PathTarget::Value(value)))?;
                }
                Ok(())
            }
            Statement::Do(definition, arguments) => {
                let context = context.inside(PathTarget::Definition(Vec::new()));
                self.call(*definition, arguments, 0, Scope::default(), scope, &context)
            }
            Statement::Choose { moves, otherwise, .. } => {
                let otherwise = otherwise.as_deref();
                self.decide(moves, false, None, statement.span, context, |c, context| {
                    match otherwise {
                        Some(otherwise) => {
                            c.flow(otherwise, scope, &context.inside(PathTarget::List(0)))
                        }
                        None => {
                            c.draw();
                            Ok(())
                        }
                    }
                })
            }
            Statement::Chance(roll) => self.decide(
                std::slice::from_ref(roll),
                true,
                None,
                statement.span,
                context,
                |c, _| {
                    c.draw();
                    Ok(())
                },
            ),
            Statement::Steps { count, moves, ending } => {
                self.steps(count, moves, ending, statement.span, scope, context)
            }
            _ => Err(Stop::Misplaced(statement.span, "this is not allowed in the order of play")),
        }
    }

    /// Emits a turn or a phase such that play can start at its first statement: no temporary is
    /// available there, so code in it reads only registers of the position.
    fn entry(
        &mut self,
        phase: Option<String>,
        emit: impl FnOnce(&mut Self) -> Compiled<()>,
    ) -> Compiled<()> {
        let label = self.asm.label();
        self.asm.place(label);
        self.asm.forget();
        let (index, first) = (self.order.entries.len(), self.order.decisions.len());
        let code = EntryCode { phase, address: 0, decisions: first..first };
        self.order.entries.push(PendingEntry { code, label });
        emit(self)?;
        self.order.entries[index].code.decisions.end = self.order.decisions.len();
        Ok(())
    }

    fn flow_if(
        &mut self,
        condition: &'r Spanned<Condition>,
        then: &'r [Spanned<Statement>],
        otherwise: &'r [Spanned<Statement>],
        scope: &Scope<'r>,
        context: &FlowContext<'r>,
    ) -> Compiled<()> {
        if let Some(holds) = self.settled(condition, scope) {
            self.note(ClauseKind::Condition, condition.span, How::Known(holds), self.asm.length());
            let (list, branch) = if holds { (0, then) } else { (1, otherwise) };
            return self.flow(branch, scope, &context.inside(PathTarget::List(list)));
        }
        let no = self.asm.label();
        let end = self.asm.label();
        let from = self.asm.length();
        self.jump(condition, scope, false, no)?;
        self.note(ClauseKind::Condition, condition.span, How::Once, from);
        self.flow(then, scope, &context.inside(PathTarget::List(0)))?;
        self.asm.jump(end);
        self.asm.place(no);
        self.asm.forget();
        self.flow(otherwise, scope, &context.inside(PathTarget::List(1)))?;
        self.asm.place(end);
        self.asm.forget();
        Ok(())
    }

    /// Emits a call of a definition with plies in it. Arguments must survive the plies, so each is
    /// known before play, specialized for each player, or kept in the position.
    fn call(
        &mut self,
        id: DefinitionId,
        arguments: &'r [Value],
        index: usize,
        inner: Scope<'r>,
        scope: &Scope<'r>,
        context: &FlowContext<'r>,
    ) -> Compiled<()> {
        let definition = &self.rules.definitions[id.index()];
        let (Some(argument), Some(&parameter)) =
            (arguments.get(index), definition.parameters.get(index))
        else {
            let Value::Statements(body) = &definition.body else {
                return Err(Stop::NotLiftable(Why::Value));
            };
            return self.flow(body, &inner, context);
        };
        let mut bound = match self.bind(argument, scope)? {
            Binding::Player(PlayerOperand::In(who)) => {
                return self.each_player(who, |c, player| {
                    let inner =
                        inner.with(parameter, Binding::Player(PlayerOperand::Fixed(player)));
                    c.call(
                        id,
                        arguments,
                        index + 1,
                        inner,
                        scope,
                        &context.with_argument(ArgumentSource::Player(player)),
                    )
                });
            }
            Binding::Directions(cases) if known(&cases).is_none() => {
                return Err(Stop::Misplaced(definition.span, UNKNOWN_DIRECTION));
            }
            Binding::Sites(_) => {
                return Err(Stop::Misplaced(
                    definition.span,
                    "a region cannot be an argument of a definition that contains plies; keep it in a memory instead",
                ));
            }
            bound => bound,
        };
        let Some((num, scale)) = number_of(&mut bound) else {
            let context = context.with_argument(ArgumentSource::Settled);
            let inner = inner.with(parameter, bound);
            return self.call(id, arguments, index + 1, inner, scope, &context);
        };
        let (register, context) = self.counter(context, definition.span)?;
        self.asm.assign_to(register, *num);
        *num = register;
        let context = context.with_argument(ArgumentSource::Kept { register: register.0, scale });
        self.call(id, arguments, index + 1, inner.with(parameter, bound), scope, &context)?;
        self.reset(register);
        Ok(())
    }

    fn steps(
        &mut self,
        count: &'r Spanned<Number>,
        moves: &'r [MoveId],
        ending: &'r Spanned<Condition>,
        span: Span,
        scope: &Scope<'r>,
        context: &FlowContext<'r>,
    ) -> Compiled<()> {
        let count = self.number(count, scope)?;
        let (counter, mut inner) = self.counter(context, span)?;
        inner.counters.push(counter.0);
        self.asm.assign_to(counter, count);
        let ending = self.routine(ending.span, |c| {
            c.asked = How::Ahead;
            c.require(ending, scope)?;
            c.asked = How::Once;
            Ok(())
        })?;
        self.emit_loop(span, |c, over| {
            c.count_down(counter, over, |c| {
                c.decide(moves, false, Some((counter.0, ending)), span, &inner, |c, _| {
                    c.asm.jump(over);
                    Ok(())
                })
            })
        })?;
        self.reset(counter);
        self.leave_loops(&context.loops)?;
        Ok(())
    }

    /// Emits a decision, followed by what happens if no move is legal.
    fn decide(
        &mut self,
        moves: &'r [MoveId],
        chance: bool,
        steps: Option<(u16, Routine)>,
        span: Span,
        context: &FlowContext<'r>,
        otherwise: impl FnOnce(&mut Self, &FlowContext<'r>) -> Compiled<()>,
    ) -> Compiled<()> {
        let MoveGenerator { routine: generate_moves, exact, proposals } =
            self.move_generator(moves, span)?;
        let index = self.order.decisions.len();
        if index >= usize::from(u16::MAX) {
            return Err(Stop::TooLarge(span));
        }
        let (next, none) = (self.asm.label(), self.asm.label());
        // A ply that ends the turn may leave a loop around it.
        let ends_turn = match (context.leave, &context.around_turn) {
            (Some(_), Some(_)) => Some(self.asm.label()),
            _ => None,
        };
        let mover = self.mover;
        let way = context.path_steps();
        self.order.path_steps += way.len();
        if self.order.path_steps > MAX_PATH_STEPS {
            return Err(Stop::TooLarge(span));
        }
        let step = self.order.steps.entry((context.phase, (!chance).then_some(mover))).or_default();
        *step += 1;
        let code = DecisionCode {
            way,
            statement: context.statement,
            mover,
            chance,
            span,
            phase: context.phase.map(str::to_owned),
            step: *step,
            moves: moves.to_vec(),
            counters: context.counters.clone(),
            generate_moves: 0,
            exact,
            proposals: None,
            next: 0,
            leave: 0,
            otherwise: 0,
            steps: None,
        };
        // A ply within `steps` is tested by looking ahead, so it needs the legal moves.
        let is_stepping = steps.is_some();
        let proposals = proposals.filter(|_| !is_stepping);
        self.order.decisions.push(Pending {
            code,
            generate_moves,
            proposals,
            next,
            leave: ends_turn.or(context.leave).unwrap_or(next),
            otherwise: none,
            steps,
        });
        self.asm.decide(index as u16);
        self.asm.place(none);
        self.asm.forget();
        otherwise(self, context)?;
        let after = self.asm.label();
        if context.loops.is_some() {
            self.asm.jump(after);
        }
        if let Some((ends_turn, leave)) = ends_turn.zip(context.leave) {
            self.asm.place(ends_turn);
            self.asm.forget();
            self.leave_loops(&context.around_turn)?;
            self.asm.jump(leave);
        }
        self.asm.place(next);
        self.asm.forget();
        if context.leave.is_none() {
            self.forget_extra_turn();
        }
        if !is_stepping {
            self.leave_loops(&context.loops)?;
        }
        self.asm.place(after);
        self.asm.forget();
        Ok(())
    }
}

/// Returns the register that an argument is in, and the scale of its number.
fn number_of<'b>(bound: &'b mut Binding) -> Option<(&'b mut Num, i64)> {
    match bound {
        Binding::Number(Quantity { amount: Amount::In(num), scale }) => Some((num, *scale)),
        Binding::Site(SiteOperand::In(num))
        | Binding::Condition(num)
        | Binding::Direction(DirectionOperand::In(num))
        | Binding::Piece(PieceOperand::In(num)) => Some((num, 1)),
        _ => None,
    }
}

impl<'r> Compiler<'r> {
    /// Memoizes [`Rules::belongs_to_flow`] for each statement, however often it is compiled.
    fn belongs_to_flow(&mut self, statement: &'r Statement) -> bool {
        let rules = self.rules;
        *self
            .order
            .flow_statements
            .entry(std::ptr::from_ref(statement))
            .or_insert_with(|| rules.belongs_to_flow(statement))
    }
}

/// Tests if the rules cut out sites during play.
pub(super) fn cuts(rules: &Rules) -> bool {
    rules.any_holds(&|inner| matches!(inner, Statement::Cut(_)))
}
