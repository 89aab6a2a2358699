//! The methods that emit single instructions, made from the rows in `op`. Their parameters are `x`
//! and the operands, with types by their roles. A pure instruction returns its result, which may be
//! shared, or writes it to a register.

use super::Assembler;
use crate::board::Direction;
use crate::compile::op::{Code, MaskNumber, Op, each_instruction};

/// The types of operands, by their roles.
mod operand {
    pub use crate::compile::assembler::{
        Label as Target, Num as NumberChange, Num as NumberRead, Num as NumberWrite,
        Set as SetChange, Set as SetRead, Set as SetWrite,
    };
    pub type Plain = u16;
}

macro_rules! emitter {
    ($op:tt ($a:ident $b:ident $c:ident) effect($name:ident)) => {
        emitter! { @method $op ($name) [] (a $a) (b $b) (c $c) }
    };
    ($op:tt ($a:ident $b:ident $c:ident) pure($($value:ident)? $(; $to:ident)?)) => {
        $(emitter! { @method $op ($value $a) [] (b $b) (c $c) })?
        $(emitter! { @method $op ($to) [] (a $a) (b $b) (c $c) })?
    };
    // An operand that the instruction does not have is no parameter.
    (@method $op:tt $name:tt $used:tt ($operand:ident Unused) $($rest:tt)*) => {
        emitter! { @method $op $name $used $($rest)* }
    };
    (@method $op:tt $name:tt [$($used:tt)*] $operand:tt $($rest:tt)*) => {
        emitter! { @method $op $name [$($used)* $operand] $($rest)* }
    };
    (
        @method ($code:ident $($x:ident: $type:ty)?)
        ($name:ident $($result:ident)?) [$(($operand:ident $role:ident))*]
    ) => {
        #[doc = concat!("Emits [`Code::", stringify!($code), "`].")]
        pub fn $name(
            &mut self, $($x: $type,)? $($operand: operand::$role),*
        ) $(-> operand::$result)? {
            let op = Op {
                $($x: $x.into(),)?
                $($operand: emitter!(@register $role $operand),)*
                ..Op::new(Code::$code)
            };
            emitter!(@emit self op $($result)?)
        }
    };
    (@register Plain $operand:ident) => { $operand };
    (@register $role:ident $operand:ident) => { $operand.0 };
    (@emit $self:ident $op:ident) => { $self.emit($op) };
    (@emit $self:ident $op:ident $role:ident) => { operand::$role($self.value($op)) };
}

impl Assembler {
    each_instruction!(emitter);
}
