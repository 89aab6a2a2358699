//! Matches the arguments of a form against the slots of its row, and checks each against its slot.

use super::Checker;
use super::typed::{Content, OfKind, Payload, Typed};
use crate::language::finding::{Code, Finding};
use crate::language::ludemes::{Kind, Ludeme, Row, Slot, Times, with_rows};
use crate::language::rules::{Domain, Local};
use crate::syntax::Node;

/// The maximal number of arguments of a form, except for statements.
const MAX_ARGUMENTS: usize = 10_000;

/// The word of [`Kind::Beneath`].
pub(super) const BENEATH: &str = "beneath";

/// The typed arguments of each slot of a row.
pub(super) type Slots = Vec<Vec<Typed>>;

/// The type of the values of a slot. Statements are one value.
macro_rules! argument {
    (Maybe $kind:ident) => { ::std::option::Option<argument!(One $kind)> };
    (Piled $kind:ident) => { argument!(Maybe $kind) };
    (One $kind:ident) => { <OfKind<{ Kind::$kind as usize }> as Payload>::Is };
    ($times:ident Statement) => { argument!(One Statement) };
    ($times:ident $kind:ident) => { Vec<argument!(One $kind)> };
}

/// Turns the values of a slot into what the slot holds.
macro_rules! take {
    ($values:expr, Maybe $kind:ident) => {
        match $values.pop() {
            Some(typed) => Some(Content::of(typed)?),
            None => None,
        }
    };
    ($values:expr, Piled $kind:ident) => { take!($values, Maybe $kind) };
    ($values:expr, One $kind:ident) => { Content::of($values.pop()?)? };
    ($values:expr, $times:ident Statement) => { take!($values, One Statement) };
    ($values:expr, $times:ident $kind:ident) => {
        $values.into_iter().map(Content::of).collect::<Option<_>>()?
    };
}

/// Makes of each row of the table a struct of its arguments. A row that is built by a function of
/// its own has none: its type has no values.
macro_rules! forms {
    (@type special $ludeme:ident $slots:tt) => { pub enum $ludeme {} };
    (@type $shape:ident $ludeme:ident ($($slot:ident: $times:ident $kind:ident),*)) => {
        pub struct $ludeme { $(pub $slot: argument!($times $kind),)* }
    };
    (@read special $ludeme:ident $slots:tt) => { |_| None.map(Form::$ludeme) };
    (@read $shape:ident $ludeme:ident ()) => { |_| Some(Form::$ludeme(form::$ludeme {})) };
    (@read $shape:ident $ludeme:ident ($($slot:ident: $times:ident $kind:ident),+)) => {
        |slots| {
            let mut slots = slots.into_iter();
            Some(Form::$ludeme(form::$ludeme { $($slot: take!(slots.next()?, $times $kind),)+ }))
        }
    };
    ($($topic:literal { $(
        $(#[doc = $doc:literal])+
        $ludeme:ident = $shape:ident $spelling:literal $row:tt -> $result:ident { $example:literal }
    )* })*) => {
        mod form {
            use super::{Kind, OfKind, Payload};
            $($(forms!(@type $shape $ludeme $row);)*)*
        }

        /// A form with its typed arguments.
        pub(super) enum Form { $($($ludeme(form::$ludeme),)*)* }

        impl Form {
            /// Takes the values of all slots of a row.
            pub(super) fn new(ludeme: Ludeme, slots: Slots) -> Option<Form> {
                // A function for each row: one that made all of them would need 300 kB of stack in
                // unoptimized builds.
                let read: fn(Slots) -> Option<Form> =
                    match ludeme { $($(Ludeme::$ludeme => forms!(@read $shape $ludeme $row),)*)* };
                read(slots)
            }
        }
    };
}
with_rows!(forms);

impl Checker<'_> {
    /// Matches arguments to the slots of a row, greedily from left to right. Checks all of them,
    /// even if one fails.
    pub(super) fn arguments(
        &mut self,
        row: &'static Row,
        node: &Node,
        args: &[Node],
    ) -> Option<Slots> {
        let mark = self.context.scope.mark();
        let kinds: Vec<Kind> = row.slots.iter().map(|slot| slot.kind).collect();
        let matched = match self.swapped(row.spelling, &kinds, args) {
            Some((first, second)) => {
                let mut args = args.to_vec();
                args.swap(first, second);
                self.matched(row, node, &args)
            }
            None => self.matched(row, node, args),
        };
        if matched.is_none()
            && row.slots.first().is_some_and(|slot| slot.kind == Kind::Variable)
            && let Some(name) =
                args.iter().find(|arg| arg.as_word().is_some_and(|word| self.is_new_variable(word)))
        {
            self.bind_unknown(name);
        }
        // The choices of a move are visible in the rest of the move.
        if row.result != Kind::Parameter {
            self.context.scope.release(mark);
        }
        matched
    }

    /// Returns the parameters of a row in this game.
    fn slots_of(&self, row: &'static Row) -> &'static [Slot] {
        if self.declared.piled.is_some() { row.slots } else { row.plain_slots() }
    }

    fn matched(&mut self, row: &'static Row, node: &Node, args: &[Node]) -> Option<Slots> {
        let taken = self.slots_of(row);
        let mut needed = taken.iter().filter(|slot| slot.is_required()).count();
        let bound_after = bound_after(row);
        let head = node.head_span();
        let mut rest = args;
        let mut variable: Option<&Node> = None;
        let mut slots: Slots = Vec::with_capacity(row.slots.len());
        let mut sound = true;
        for (index, slot) in taken.iter().enumerate() {
            needed -= usize::from(slot.is_required());
            let spare = rest.len().saturating_sub(needed);
            let count = match slot.times {
                Times::One => rest.len().min(1),
                // Before other arguments, only a branch with brackets of its own can be told from
                // them.
                Times::Maybe if slot.kind.is_branch() && index + 1 < taken.len() => {
                    let first = rest.first().and_then(|node| self.kind_of_node(node));
                    usize::from(first == Some(slot.kind))
                }
                // Of two optional ones, `beneath` is the last.
                Times::Maybe | Times::Piled
                    if slot.kind != Kind::Beneath
                        && taken.last().is_some_and(|last| last.kind == Kind::Beneath)
                        && rest.first().and_then(Node::as_word) == Some(BENEATH) =>
                {
                    0
                }
                Times::Maybe | Times::Piled => spare.min(1),
                Times::Some | Times::Any => {
                    spare.max(rest.len().min(usize::from(slot.is_required())))
                }
            };
            if self.is_left_over(taken, index, rest) {
                self.extra(row.spelling, taken.len(), &rest[..1]);
                rest = &rest[1..];
                sound = false;
            }
            if self.is_left_out(taken, index, rest, args.len()) {
                self.missing(row.spelling, head, slot.name, slot.kind);
                slots.push(Vec::new());
                sound = false;
                continue;
            }
            let (given, others) = rest.split_at(count);
            rest = others;
            if given.is_empty() && slot.is_required() {
                self.missing(row.spelling, head, slot.name, slot.kind);
                return None;
            }
            if given.len() > MAX_ARGUMENTS && slot.kind != Kind::Statement {
                let message =
                    format!("expected at most {MAX_ARGUMENTS} arguments, found {}", given.len());
                return self.refuse(Finding::new(Code::RulesTooLarge, head, message));
            }
            let mut values = Vec::with_capacity(given.len());
            match slot.kind {
                Kind::Variable => {
                    variable = given.first();
                    if variable.is_some_and(|node| node.as_word().is_none()) {
                        self.new_variable(&given[0], Kind::Any);
                        return None;
                    }
                }
                Kind::Statement => {
                    let outer = self.context.place;
                    self.enter(row.ludeme, &slots);
                    values.push(Typed::Statement(self.statements(given)));
                    self.context.place = outer;
                }
                Kind::Name => {
                    let what = format!("a {}", row.spelling);
                    let named = given.first().and_then(|node| self.new_name(node, &what));
                    values.extend(named.map(Typed::Name));
                    sound &= values.len() == given.len();
                }
                _ => {
                    for node in given {
                        values.extend(self.argument(row, slot.kind, node));
                    }
                    sound &= values.len() == given.len();
                }
            }
            slots.push(values);
            if bound_after == Some(index)
                && let Some(node) = variable.take()
            {
                match self.bound(row, node, &slots) {
                    Some(local) => slots[0] = vec![Typed::Variable(local)],
                    None => return None,
                }
            }
        }
        if !rest.is_empty() {
            self.extra(row.spelling, args.len() - rest.len(), rest);
            sound = false;
        }
        slots.resize_with(row.slots.len(), Vec::new);
        sound.then_some(slots)
    }

    fn argument(&mut self, row: &'static Row, kind: Kind, node: &Node) -> Option<Typed> {
        let typed = self.expression(node, kind)?;
        match &typed {
            Typed::Number(number) if !takes_halves(row.ludeme) => self.whole(number)?,
            _ => {}
        }
        Some(typed)
    }

    /// Binds the variable of a form. Its type follows from its domain, if that is known.
    fn bound(&mut self, row: &'static Row, node: &Node, slots: &[Vec<Typed>]) -> Option<Local> {
        let domain = slots.get(1).and_then(|values| values.first());
        let kind = match (row.ludeme, domain) {
            (Ludeme::ByScore, _) => Kind::Player,
            (Ludeme::ChooseNumber, _) => Kind::Number,
            (Ludeme::ChooseKind, _) => Kind::Piece,
            (_, Some(Typed::Sites(_) | Typed::Domain(Domain::Sites(_)))) => Kind::Site,
            (_, Some(Typed::Directions(_) | Typed::Domain(Domain::Directions(_)))) => {
                Kind::Direction
            }
            (_, Some(Typed::Domain(Domain::Players(_) | Domain::Team(..)))) => Kind::Player,
            (_, Some(Typed::Domain(Domain::Pieces(..)))) => Kind::Piece,
            (_, Some(Typed::Domain(Domain::Numbers { .. }))) => Kind::Number,
            (_, Some(Typed::Domain(Domain::Groups { .. }))) => Kind::Sites,
            // The domain has failed, but often the slot determines the type.
            _ => match row.slots.get(1).map(|slot| slot.kind) {
                Some(Kind::Sites) => Kind::Site,
                Some(Kind::Directions) => Kind::Direction,
                _ => Kind::Any,
            },
        };
        let local = self.new_variable(node, kind)?;
        self.bind(local);
        Some(local)
    }
}

/// Returns the slot after which the variable of a row is visible.
fn bound_after(row: &Row) -> Option<usize> {
    if row.slots.first()?.kind != Kind::Variable {
        return None;
    }
    match row.ludeme {
        Ludeme::ByScore => Some(0),
        Ludeme::ChooseNumber => Some(2),
        _ => Some(1),
    }
}

/// Tests if numbers in a form may be halves, where the context of the form allows them.
fn takes_halves(ludeme: Ludeme) -> bool {
    matches!(
        ludeme,
        Ludeme::Range
            | Ludeme::Add
            | Ludeme::Subtract
            | Ludeme::Multiply
            | Ludeme::EqualNumbers
            | Ludeme::Unequal
            | Ludeme::Less
            | Ludeme::AtMost
            | Ludeme::Greater
            | Ludeme::AtLeast
            | Ludeme::ByScore
            | Ludeme::ScoresBelow
            | Ludeme::ScoresAbove
            | Ludeme::DrawsBelow
    )
}
