//! Recognizes uses of a definition that have the same value, so that it is computed once.
//!
//! A use is described by the definition, the mover and what its arguments stand for: constants, or
//! registers with the versions of their contents. The assembler keeps the value of the use as long
//! as it is available and the position has not changed. Values that take loops to compute are
//! shared among all moves of a decision this way; value numbering shares single instructions only.

use super::assembler::Num;
use super::plan::Why;
use super::values::{
    Amount, Binding, DirectionOperand, PieceOperand, PlayerOperand, Quantity, Scope, SiteOperand,
};
use super::{Compiled, Compiler, Stop};
use crate::language::rules::{
    DefinitionId, DirectionOf, Number, PieceOf, PlayerOf, SiteOf, Spanned, Value,
};
use crate::language::visit::Expression;

impl<'r> Compiler<'r> {
    /// Binds a definition's parameters to unevaluated arguments; returns that scope and the body.
    pub(super) fn open_arguments(
        &self,
        definition: DefinitionId,
        arguments: &'r [Value],
        scope: &Scope<'r>,
    ) -> (Scope<'r>, &'r Value) {
        let definition = self.definition(definition);
        let mut inner = Scope::default();
        for (parameter, argument) in definition.parameters.iter().zip(arguments) {
            inner = inner.with(*parameter, Binding::Unevaluated(argument, scope.clone()));
        }
        (inner, &definition.body)
    }

    /// The expression that a use of a definition stands for, and the scope to evaluate it in.
    pub(super) fn open_call<T>(
        &self,
        definition: DefinitionId,
        arguments: &'r [Value],
        scope: &Scope<'r>,
    ) -> Compiled<(&'r Spanned<T>, Scope<'r>)>
    where
        &'r Spanned<T>: TryFrom<Expression<'r>>,
    {
        let (inner, body) = self.open_arguments(definition, arguments, scope);
        unevaluated(Some(Binding::Unevaluated(body, inner)))
    }

    /// Returns the description of a use of a definition; `None` if an argument depends on the
    /// lifted site or is not a constant or a variable.
    pub(super) fn call_key(
        &self,
        definition: DefinitionId,
        arguments: &'r [Value],
        scope: &Scope<'r>,
    ) -> Option<Vec<u32>> {
        let mut key = Vec::with_capacity(2 + 3 * arguments.len());
        key.extend([definition.index() as u32, u32::from(self.mover.0)]);
        arguments.iter().all(|argument| self.describe(argument, scope, &mut key)).then_some(key)
    }

    /// Adds what an argument stands for. Each description begins with its kind, which tells its
    /// length.
    fn describe(&self, argument: &'r Value, scope: &Scope<'r>, key: &mut Vec<u32>) -> bool {
        if let Some(local) = argument.expression().and_then(Expression::local) {
            return match scope.get(local) {
                Some(Binding::Unevaluated(value, scope)) => self.describe(value, &scope, key),
                Some(bound) => self.describe_bound(&bound, key),
                None => false,
            };
        }
        let bound = match argument {
            Value::Site(Spanned { node: SiteOf::Literal(site), .. }) => {
                Binding::Site(SiteOperand::Fixed(*site))
            }
            Value::Direction(Spanned { node: DirectionOf::Fixed(way), .. }) => {
                Binding::Direction(DirectionOperand::Fixed(*way))
            }
            Value::Player(Spanned { node: PlayerOf::Fixed(player), .. }) => {
                Binding::Player(PlayerOperand::Fixed(*player))
            }
            Value::Player(Spanned { node: PlayerOf::Mover, .. }) => {
                Binding::Player(PlayerOperand::Fixed(self.mover))
            }
            Value::Piece(Spanned { node: PieceOf::Fixed(piece), .. }) => {
                Binding::Piece(PieceOperand::Fixed(*piece))
            }
            Value::Number(Spanned { node: Number::Constant(halves), .. }) => {
                Binding::Number(Quantity { amount: Amount::Fixed(*halves), scale: 2 })
            }
            _ => return false,
        };
        self.describe_bound(&bound, key)
    }

    fn describe_bound(&self, bound: &Binding<'r>, key: &mut Vec<u32>) -> bool {
        let mut add = |description: &[u32]| {
            key.extend(description);
            true
        };
        match bound {
            Binding::Site(site) => self.describe_site(site.clone(), key),
            Binding::Direction(DirectionOperand::Nowhere) => add(&[10]),
            Binding::Direction(DirectionOperand::Fixed(way)) => add(&[11, way.index() as u32]),
            Binding::Direction(DirectionOperand::In(num)) => self.describe_number(12, *num, key),
            Binding::Player(PlayerOperand::Fixed(player)) => add(&[20, u32::from(player.0)]),
            Binding::Player(PlayerOperand::In(num)) => self.describe_number(21, *num, key),
            Binding::Piece(PieceOperand::Nothing) => add(&[30]),
            Binding::Piece(PieceOperand::Fixed(piece)) => add(&[31, u32::from(piece.0)]),
            Binding::Piece(PieceOperand::In(num)) => self.describe_number(32, *num, key),
            Binding::Number(Quantity { amount: Amount::Fixed(amount), scale }) => {
                add(&[40, *amount as u32, (*amount >> 32) as u32, *scale as u32])
            }
            Binding::Number(Quantity { amount: Amount::In(num), scale }) => {
                self.describe_number(41, *num, key);
                key.push(*scale as u32);
                true
            }
            Binding::Sites(set) => add(&[50, u32::from(set.0), self.asm.set_version(set.0)]),
            Binding::Changing(held) => self.describe_bound(held, key),
            Binding::Directions(_)
            | Binding::Piece(PieceOperand::On(_))
            | Binding::Number(_)
            | Binding::Condition(_)
            | Binding::Unevaluated(..) => false,
        }
    }

    fn describe_site(&self, site: SiteOperand, key: &mut Vec<u32>) -> bool {
        match site {
            SiteOperand::Nowhere => key.push(0),
            SiteOperand::Fixed(site) => key.extend([1, u32::from(site.0)]),
            SiteOperand::In(num) => return self.describe_number(2, num, key),
            SiteOperand::Lifted { lift, path } => match self.fixed_column(lift) {
                Some(site) if path.is_empty() => return self.describe_number(2, site, key),
                _ => return false,
            },
        }
        true
    }

    fn describe_number(&self, kind: u32, num: Num, key: &mut Vec<u32>) -> bool {
        key.extend([kind, u32::from(num.0), self.asm.num_version(num.0)]);
        true
    }
}

/// The expression that a variable is bound to, and the scope to evaluate it in.
pub(super) fn unevaluated<'r, T>(
    binding: Option<Binding<'r>>,
) -> Compiled<(&'r Spanned<T>, Scope<'r>)>
where
    &'r Spanned<T>: TryFrom<Expression<'r>>,
{
    let Some(Binding::Unevaluated(value, scope)) = binding else {
        return Err(Stop::NotLiftable(Why::Value));
    };
    let expression = value.expression().and_then(|value| value.try_into().ok());
    Ok((expression.ok_or(Stop::NotLiftable(Why::Value))?, scope))
}
