//! The value of an expression inside a move, after some of its effects, for every move that is
//! tried.
//!
//! The reference interpreter executes the moves of the current choice, legal or not, up to the
//! clause that forbids them. Whenever a move reaches the statement, the expression is evaluated
//! there.

use super::cursor::{Found, Free, place_of};
use super::scope::Target;
use crate::board::Site;
use crate::engine::game::State;
use crate::language::rules::Local;
use crate::reference::{Event, Interpreter, Tracer, Value, View};
use crate::syntax::Span;

/// The most values, and the most interpreter steps of all moves together.
const MAX_VALUES: usize = 10_000;
const MAX_STEPS: u64 = 100_000;

/// Evaluates at one statement.
struct AtStatement<'r, 'f> {
    statement: Span,
    target: Target<'r>,
    /// The free variables of the target; those that a move has bound keep their values.
    free: &'f [Free<'r>],
    fixed: Option<(Local, Site)>,
    shown: Option<Local>,
    found: Found,
}

/// Returns the values; `None` if no move reaches the statement.
pub fn values(
    position: &State,
    statement: Span,
    target: Target,
    free: &[Free],
    fixed: Option<(Local, Site)>,
    shown: Option<Local>,
) -> Option<Found> {
    let interpreter = Interpreter::at(position);
    let found = Found::default();
    let mut tracer = AtStatement { statement, target, free, fixed, shown, found };
    let is_cut = std::cell::Cell::new(false);
    interpreter.trace_all_moves_while(&mut tracer, &|| {
        let goes_on = interpreter.steps() < MAX_STEPS;
        is_cut.set(is_cut.get() || !goes_on);
        goes_on
    });
    let mut found = tracer.found;
    found.is_cut |= is_cut.get() || interpreter.is_exhausted();
    (!found.values.is_empty()).then_some(found)
}

impl Tracer for AtStatement<'_, '_> {
    fn on_event(&mut self, view: &View, clause: Span, _: Event) {
        if clause != self.statement {
            return;
        }
        if self.found.values.len() >= MAX_VALUES {
            self.found.is_cut = true;
            return;
        }
        let variables = view.variables.list();
        let at = |local: Local| {
            variables.iter().find(|(name, _)| *name == local).map(|(_, value)| (*value).clone())
        };
        let is_there = |(local, site): (Local, Site)| match at(local) {
            Some(Value::Site(found)) => found == Some(site),
            Some(Value::Sites(region)) => region.contains(site),
            _ => true,
        };
        if !self.fixed.is_none_or(is_there) {
            return;
        }
        let place = self.shown.and_then(at).as_ref().and_then(place_of);
        // Variables that are bound inside the statement range over their values.
        let is_bound = |free: &&Free| at(free.local).is_none();
        let inside: Vec<Free> = self.free.iter().filter(is_bound).copied().collect();
        self.found.try_all(view, &inside, self.target, self.fixed, self.shown, place);
    }
}
