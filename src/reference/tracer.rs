//! What the account reports while the rules are obeyed, and to whom. It refuses to know what
//! anybody makes of it.

use super::effects::Clamped;
use super::expressions::View;
use super::statement_list::Root;
use super::values::Value;
use crate::engine::position::Outcome;
use crate::engine::snapshot::Snapshot;
use crate::language::rules::{Condition, Local, Parameter, PlayerId, Spanned};
use crate::syntax::Span;

/// What became of a clause of the rules.
#[derive(Clone, Copy, Debug)]
pub enum Event<'e> {
    /// What was chosen for a parameter of a move was looked for among what is offered.
    Offered { parameter: &'e Parameter, chosen: &'e Value, offered: bool },
    /// A requirement was asked.
    Required { condition: &'e Spanned<Condition>, holds: bool },
    /// An `if` or a `while` asked a condition.
    Asked { condition: &'e Spanned<Condition>, holds: bool },
    /// A variable was given its value.
    Named { variable: Local, value: &'e Value },
    /// An effect was done; the view is from before it. A number that it would have led beyond what
    /// its memory can hold was held at the bound.
    Done { after: &'e Snapshot, clamped: Option<Clamped> },
    /// The order of play came to a ply, which can be made or not.
    Asks { legal: bool },
    /// The turn is to end with the ply.
    TurnEnds,
    /// The position has arisen so often.
    Repeated { times: usize },
    /// The players' scores were compared, in parts of [`ONE`](super::ONE).
    Scored { scores: &'e [(PlayerId, i128)] },
    /// The game ended.
    Over(Outcome),
}

/// Somebody who is told of every clause as it is obeyed. What he is told he must take down at once;
/// nothing of it outlives the call.
///
/// Moves that are only tried, to see if there is a legal one, are not told of.
pub trait Tracer {
    /// A part of the rules is obeyed from now on.
    fn begin(&mut self, _part: Root) {}
    /// The clause at this place was obeyed, seen from before it had any effect.
    fn on_event(&mut self, view: &View, clause: Span, event: Event);
}

/// Nobody listens.
pub struct NoopTracer;

impl Tracer for NoopTracer {
    fn on_event(&mut self, _: &View, _: Span, _: Event) {}
}
