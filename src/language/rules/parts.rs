//! What typed rules consist of: each type of expression, and the statements, list their fields.
//!
//! `typed!` declares the types. A field is an expression, a [`Label`], statements, or nothing that
//! anybody compares: its type says which ([`Part`]). Code that treats most expressions alike walks
//! the rules by this; the compiler, the reference interpreter and the proof of symmetries interpret
//! each one and have matches of their own.

use super::{
    Binder, Comparison, Condition, DefinitionId, DirectionOf, Directions, Domain, Local, MemoryId,
    MoveId, Named, Number, Parameter, PieceId, PieceOf, PlayerId, PlayerOf, Rotation, SiteOf,
    Sites, Spanned, Statement, Value, Whose,
};
use crate::board::{Direction, Site};
use std::slice::from_ref;

/// An expression of any type.
#[derive(Clone, Copy)]
pub enum Expression<'r> {
    Number(&'r Spanned<Number>),
    Condition(&'r Spanned<Condition>),
    Sites(&'r Spanned<Sites>),
    Site(&'r Spanned<SiteOf>),
    Direction(&'r Spanned<DirectionOf>),
    Directions(&'r Spanned<Directions>),
    Player(&'r Spanned<PlayerOf>),
    Piece(&'r Spanned<PieceOf>),
}

/// What an expression has besides expressions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Label<'r> {
    Number(i64),
    Site(Site),
    Sites(&'r [Site]),
    Direction(Direction),
    Directions(&'r [Direction]),
    TurnedBy(Rotation),
    Player(PlayerId),
    Piece(PieceId),
    Memory(MemoryId),
    Moves(&'r [MoveId]),
    Definition(DefinitionId),
}

/// What is directly inside an expression or a statement, in the order of the fields.
#[derive(Default)]
pub struct Parts<'r> {
    pub expressions: Vec<Expression<'r>>,
    pub labels: Vec<Label<'r>>,
    /// The lists of statements.
    pub bodies: Vec<&'r [Spanned<Statement>]>,
}

/// The type of an expression, of a statement, or of a field of one.
pub trait Composite: Sized {
    /// Lists what is directly inside it; a field lists itself.
    fn list<'r>(&'r self, parts: &mut Parts<'r>);

    /// Lists several fields.
    fn list_all<'r>(all: &'r [Self], parts: &mut Parts<'r>) {
        all.iter().for_each(|field| field.list(parts));
    }

    /// Returns the lists of statements in it.
    fn bodies_mut(&mut self) -> Vec<&mut Vec<Spanned<Statement>>> {
        Vec::new()
    }

    /// Returns the lists of statements in several.
    fn all_bodies_mut(all: &mut Vec<Self>) -> Vec<&mut Vec<Spanned<Statement>>> {
        all.iter_mut().flat_map(Self::bodies_mut).collect()
    }

    /// Returns what is directly inside it.
    fn inside(&self) -> Parts<'_> {
        let mut parts = Parts::default();
        self.list(&mut parts);
        parts
    }

    /// Returns the expressions directly inside it, those of the statements inside it excluded.
    fn parts(&self) -> Vec<Expression<'_>> {
        self.inside().expressions
    }

    /// Returns what it has besides expressions, statements and variables.
    fn labels(&self) -> Vec<Label<'_>> {
        self.inside().labels
    }

    /// Returns the lists of statements in it, those of definitions excluded.
    fn bodies(&self) -> Vec<&[Spanned<Statement>]> {
        self.inside().bodies
    }
}

/// Declares types of expressions and statements, and lists the fields of their variants.
macro_rules! typed {
    ($(
        $(#[$about:meta])*
        pub enum $type:ident {$(
            $(#[$doc:meta])*
            $variant:ident $(($($inner:ty),*))? $({$(
                $(#[$field_doc:meta])*
                $field:ident: $of:ty,
            )*})?,
        )*}
    )*) => {$(
        $(#[$about])*
        #[derive(Clone, Debug)]
        pub enum $type {$(
            $(#[$doc])*
            $variant $(($($inner),*))? $({$(
                $(#[$field_doc])*
                $field: $of,
            )*})?,
        )*}

        impl Composite for $type {
            fn list<'r>(&'r self, parts: &mut Parts<'r>) {
                match self {$(
                    pattern!($type::$variant [a b c] $(($($inner),*))? $({$($field)*})?) => {
                        each_field!(
                            [a b c] $(($($inner),*))? $({$($field)*})?,
                            field => field.list(parts)
                        );
                    }
                )*}
            }

            fn bodies_mut(&mut self) -> Vec<&mut Vec<Spanned<Statement>>> {
                let mut bodies = Vec::new();
                match self {$(
                    pattern!($type::$variant [a b c] $(($($inner),*))? $({$($field)*})?) => {
                        each_field!(
                            [a b c] $(($($inner),*))? $({$($field)*})?,
                            field => bodies.extend(field.bodies_mut())
                        );
                    }
                )*}
                bodies
            }
        }
    )*};
}

/// The pattern of a variant; the fields of a tuple have the names in brackets.
macro_rules! pattern {
    ($type:ident::$variant:ident [$($name:ident)*]) => { $type::$variant };
    ($type:ident::$variant:ident [$a:ident $($b:ident)*] ($x:ty)) => { $type::$variant($a) };
    ($type:ident::$variant:ident [$a:ident $b:ident $c:ident] ($x:ty, $y:ty)) => {
        $type::$variant($a, $b)
    };
    ($type:ident::$variant:ident [$a:ident $b:ident $c:ident] ($x:ty, $y:ty, $z:ty)) => {
        $type::$variant($a, $b, $c)
    };
    ($type:ident::$variant:ident [$($name:ident)*] {$($field:ident)*}) => {
        $type::$variant { $($field),* }
    };
}

/// Does something with each field of such a pattern.
macro_rules! each_field {
    ([$($name:ident)*], $field:ident => $do:expr) => {};
    ([$a:ident $b:ident $c:ident] ($x:ty), $field:ident => $do:expr) => {
        each_field!([] {$a}, $field => $do)
    };
    ([$a:ident $b:ident $c:ident] ($x:ty, $y:ty), $field:ident => $do:expr) => {
        each_field!([] {$a $b}, $field => $do)
    };
    ([$a:ident $b:ident $c:ident] ($x:ty, $y:ty, $z:ty), $field:ident => $do:expr) => {
        each_field!([] {$a $b $c}, $field => $do)
    };
    ([$($name:ident)*] {$($each:ident)*}, $field:ident => $do:expr) => {
        $({
            let $field = $each;
            $do;
        })*
    };
}

pub(super) use {each_field, pattern, typed};

impl<T: Composite> Composite for Box<T> {
    fn list<'r>(&'r self, parts: &mut Parts<'r>) {
        (**self).list(parts);
    }
}

impl<T: Composite> Composite for Option<T> {
    fn list<'r>(&'r self, parts: &mut Parts<'r>) {
        self.iter().for_each(|field| field.list(parts));
    }

    fn bodies_mut(&mut self) -> Vec<&mut Vec<Spanned<Statement>>> {
        self.iter_mut().flat_map(T::bodies_mut).collect()
    }
}

impl<T: Composite> Composite for Vec<T> {
    fn list<'r>(&'r self, parts: &mut Parts<'r>) {
        T::list_all(self, parts);
    }

    fn bodies_mut(&mut self) -> Vec<&mut Vec<Spanned<Statement>>> {
        T::all_bodies_mut(self)
    }
}

impl Composite for Spanned<Statement> {
    fn list<'r>(&'r self, parts: &mut Parts<'r>) {
        parts.bodies.push(from_ref(self));
    }

    fn list_all<'r>(all: &'r [Self], parts: &mut Parts<'r>) {
        parts.bodies.push(all);
    }

    fn all_bodies_mut(all: &mut Vec<Self>) -> Vec<&mut Vec<Spanned<Statement>>> {
        vec![all]
    }
}

/// Fields that are expressions.
macro_rules! expressions {
    ($($variant:ident($type:ty)),*) => {$(
        impl Composite for Spanned<$type> {
            fn list<'r>(&'r self, parts: &mut Parts<'r>) {
                parts.expressions.push(Expression::$variant(self));
            }
        }

        impl<'r> TryFrom<Expression<'r>> for &'r Spanned<$type> {
            type Error = ();

            fn try_from(expression: Expression<'r>) -> Result<&'r Spanned<$type>, ()> {
                if let Expression::$variant(it) = expression { Ok(it) } else { Err(()) }
            }
        }
    )*};
}
expressions!(
    Number(Number),
    Condition(Condition),
    Sites(Sites),
    Site(SiteOf),
    Direction(DirectionOf),
    Directions(Directions),
    Player(PlayerOf),
    Piece(PieceOf)
);

/// Fields that are labels.
macro_rules! labels {
    ($($type:ty: $it:ident => $label:expr),*) => {$(
        impl Composite for $type {
            fn list<'r>(&'r self, parts: &mut Parts<'r>) {
                let $it = self;
                parts.labels.push($label);
            }
        }
    )*};
}
labels!(
    bool: it => Label::Number(i64::from(*it)),
    u8: it => Label::Number(i64::from(*it)),
    i32: it => Label::Number(i64::from(*it)),
    i64: it => Label::Number(*it),
    usize: it => Label::Number(*it as i64),
    Comparison: it => Label::Number(*it as i64),
    Rotation: it => Label::TurnedBy(*it),
    PlayerId: it => Label::Player(*it),
    PieceId: it => Label::Piece(*it),
    MemoryId: it => Label::Memory(*it),
    DefinitionId: it => Label::Definition(*it)
);

/// Fields that are labels one by one and together.
macro_rules! lists {
    ($($type:ty: $one:expr, $all:ident);*) => {$(
        impl Composite for $type {
            fn list<'r>(&'r self, parts: &mut Parts<'r>) {
                parts.labels.push($one(self));
            }

            fn list_all<'r>(all: &'r [Self], parts: &mut Parts<'r>) {
                parts.labels.push(Label::$all(all));
            }
        }
    )*};
}
lists!(
    Site: |it: &Site| Label::Site(*it), Sites;
    Direction: |it: &Direction| Label::Direction(*it), Directions;
    MoveId: |it: &'r MoveId| Label::Moves(from_ref(it)), Moves
);

/// Names that nothing is compared by.
macro_rules! names {
    ($($type:ty),*) => {$(
        impl Composite for $type {
            fn list<'r>(&'r self, _: &mut Parts<'r>) {}
        }
    )*};
}
names!(Local, Named);

impl Composite for Whose {
    fn list<'r>(&'r self, parts: &mut Parts<'r>) {
        parts.labels.push(Label::Number(i64::from(matches!(self, Whose::Others(_)))));
        match self {
            Whose::Anyones => {}
            Whose::Players(player) | Whose::Others(player) => player.list(parts),
        }
    }
}

impl Composite for Value {
    fn list<'r>(&'r self, parts: &mut Parts<'r>) {
        parts.expressions.extend(self.expression());
    }
}

impl Composite for Binder {
    fn list<'r>(&'r self, parts: &mut Parts<'r>) {
        self.domain.list(parts);
    }
}

impl Composite for Parameter {
    fn list<'r>(&'r self, parts: &mut Parts<'r>) {
        self.domain.list(parts);
    }
}

impl Composite for Domain {
    fn list<'r>(&'r self, parts: &mut Parts<'r>) {
        match self {
            Domain::Sites(sites) => sites.list(parts),
            Domain::Directions(directions) => directions.list(parts),
            Domain::Groups { region, directions, .. } => {
                region.list(parts);
                directions.list(parts);
            }
            Domain::Team(player, _) => player.list(parts),
            Domain::Players(_) | Domain::Pieces(..) | Domain::Numbers { .. } => {}
        }
    }
}
