//! The events that the interpreter reports for each executed clause.

use super::effects::Clamped;
use super::expressions::View;
use super::statement_list::Root;
use super::values::Value;
use crate::engine::position::Outcome;
use crate::engine::snapshot::Snapshot;
use crate::language::rules::{Condition, Local, Parameter, PlayerId, Spanned};
use crate::syntax::Span;

/// What an executed clause did.
#[derive(Clone, Copy, Debug)]
pub enum Event<'e> {
    /// The argument of a parameter was looked up in its domain.
    Offered { parameter: &'e Parameter, chosen: &'e Value, offered: bool },
    /// A move without arguments for a `then` reached it, although something can be chosen there.
    Unchosen { parameters: &'e [Parameter] },
    /// The move has ended without the `then` for which it has arguments.
    Overchosen,
    /// A requirement was evaluated.
    Required { condition: &'e Spanned<Condition>, holds: bool },
    /// The condition of an `if` or a `while` was evaluated.
    Asked { condition: &'e Spanned<Condition>, holds: bool },
    /// A variable was bound.
    Named { variable: Local, value: &'e Value },
    /// An effect was applied; the view shows the position before it. `clamped` is the bound at
    /// which a number saturated.
    Done { after: &'e Snapshot, clamped: Option<Clamped> },
    /// The order of play reached a decision; `legal` tells if a legal ply exists.
    Asks { legal: bool },
    /// The turn ends with the ply; `again` tells if the same player has another one.
    TurnEnds { again: bool },
    /// The position occurred for the `times`th time.
    Repeated { times: usize },
    /// The players' scores were compared, in multiples of [`ONE`](super::ONE).
    Scored { scores: &'e [(PlayerId, i128)] },
    /// A player drops out, if he has not done so before.
    DropsOut(PlayerId),
    /// The game ended. The clause is empty if it ended because players have dropped out.
    Over(Outcome),
}

/// Receives an event per executed clause. Events borrow from the interpreter and do not outlive the
/// call.
///
/// Moves executed only to test if a legal one exists are not reported.
pub trait Tracer {
    /// Execution of a part of the rules begins.
    fn begin(&mut self, _part: Root) {}
    /// A clause was executed; the view shows the position before its effect.
    fn on_event(&mut self, view: &View, clause: Span, event: Event);
}

/// Ignores all events.
pub struct NoopTracer;

impl Tracer for NoopTracer {
    fn on_event(&mut self, _: &View, _: Span, _: Event) {}
}
