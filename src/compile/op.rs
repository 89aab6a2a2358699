//! The instructions of a compiled game.
//!
//! A program works on two files of registers: sets of sites, and whole numbers. The first registers
//! of each file hold the position itself, so that reading it costs nothing; after them come
//! constants and then what a routine needs for the moment. An instruction is eight bytes.

/// What an operand of an instruction is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OperandRole {
    /// The instruction has no such operand.
    Unused,
    SetRead,
    SetWrite,
    /// Read and then written.
    SetChange,
    NumberRead,
    NumberWrite,
    NumberChange,
    /// The index of an instruction.
    Target,
    /// A plain value.
    Plain,
}

macro_rules! instructions {
    ($($(#[doc = $doc:literal])+ $code:ident($a:ident, $b:ident, $c:ident) $purity:ident,)*) => {
        /// What an instruction does with its operands `a`, `b`, `c` and its small immediate `x`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Code { $($(#[doc = $doc])+ $code,)* }
        impl Code {
            /// Every code, in the order above.
            pub const ALL: &[Code] = &[$(Code::$code,)*];
            /// The roles of the operands.
            #[inline]
            pub fn roles(self) -> [OperandRole; 3] {
                match self { $(Code::$code => [OperandRole::$a, OperandRole::$b, OperandRole::$c],)* }
            }
            /// Whether all it does is to write its first operand from the others.
            pub fn is_pure(self) -> bool {
                match self { $(Code::$code => instructions!(@$purity),)* }
            }
        }
    };
    (@pure) => { true };
    (@effect) => { false };
}

instructions! {
    /// a = b
    Copy(SetWrite, SetRead, Unused) pure,
    /// a = b and c
    And(SetWrite, SetRead, SetRead) pure,
    /// a = b or c
    Or(SetWrite, SetRead, SetRead) pure,
    /// a = b without c
    AndNot(SetWrite, SetRead, SetRead) pure,
    /// a = the sites in just one of b and c
    Xor(SetWrite, SetRead, SetRead) pure,
    /// a = the sites one step in direction x from b
    Shift(SetWrite, SetRead, Unused) pure,
    /// a = the sites one step from b in any of the directions of the mask x
    Beside(SetWrite, SetRead, Unused) pure,
    /// a = the sites from which a walk in direction x, over no or more sites of c, comes to b
    Fill(SetWrite, SetRead, SetRead) pure,
    /// a = the sites passed on walks from b in the directions of the mask x for as long as they are
    /// in c
    Walk(SetWrite, SetRead, SetRead) pure,
    /// a = the sites of c connected to those of b in c, by steps in the directions of the mask x
    Flood(SetWrite, SetRead, SetRead) pure,
    /// a = the sites of c that are first on the way from the site with the number b, one for each
    /// direction of the mask x at most; none below zero
    Sight(SetWrite, NumberRead, SetRead) pure,
    /// a = the sites strictly between the sites b and c, where a straight line leads from one to
    /// the other
    Between(SetWrite, NumberRead, NumberRead) pure,
    /// a = the site with the number b; none below zero
    Single(SetWrite, NumberRead, Unused) pure,
    /// a = all sites of b where the number c is not zero, else none
    Gate(SetWrite, SetRead, NumberRead) pure,
    /// a = no site
    Clear(SetWrite, Unused, Unused) pure,
    /// a |= b
    Join(SetChange, SetRead, Unused) effect,
    /// a &= !b
    Drop(SetChange, SetRead, Unused) effect,
    /// Where site b is in a, it leaves it and c enters it; else c leaves it.
    Transfer(SetChange, NumberRead, NumberRead) effect,

    /// a = the number in b and c together
    Constant(NumberWrite, Plain, Plain) pure,
    /// a = b
    Assign(NumberWrite, NumberRead, Unused) pure,
    /// a = b + c, saturating
    Add(NumberWrite, NumberRead, NumberRead) pure,
    /// a = b - c, saturating
    Subtract(NumberWrite, NumberRead, NumberRead) pure,
    /// a = b * c, saturating
    Multiply(NumberWrite, NumberRead, NumberRead) pure,
    /// a = b / c, rounded down; c is a plain value above zero
    Divide(NumberWrite, NumberRead, Plain) pure,
    /// a = what the division rounded down of b by the plain value c leaves
    Remainder(NumberWrite, NumberRead, Plain) pure,
    /// a = the lesser of b and c
    Least(NumberWrite, NumberRead, NumberRead) pure,
    /// a = the greater of b and c
    Greatest(NumberWrite, NumberRead, NumberRead) pure,
    /// a = the number of sites in b
    Count(NumberWrite, SetRead, Unused) pure,
    /// a = the lowest site of b, or -1
    Lowest(NumberWrite, SetRead, Unused) pure,
    /// a = the site one step in direction x from site b, or -1
    Step(NumberWrite, NumberRead, Unused) pure,
    /// a = the direction of the step from site b to site c, or -1
    Direction(NumberWrite, NumberRead, NumberRead) pure,
    /// a = the argument x of the move at hand
    Argument(NumberWrite, Unused, Unused) pure,
    /// a += 2 to the x where site c is in b
    Bit(NumberChange, SetRead, NumberRead) effect,

    /// Goes to c where a is empty.
    IfNone(SetRead, Unused, Target) effect,
    /// Goes to c where a is not empty.
    IfAny(SetRead, Unused, Target) effect,
    /// Goes to c where site a is in b.
    IfIn(NumberRead, SetRead, Target) effect,
    /// Goes to c where site a is not in b.
    IfOut(NumberRead, SetRead, Target) effect,
    /// Goes to c where a = b.
    IfEqual(NumberRead, NumberRead, Target) effect,
    /// Goes to c where a differs from b.
    IfUnequal(NumberRead, NumberRead, Target) effect,
    /// Goes to c where a < b.
    IfLess(NumberRead, NumberRead, Target) effect,
    /// Goes to c where a >= b.
    IfAtLeast(NumberRead, NumberRead, Target) effect,
    /// Goes to c.
    Jump(Unused, Unused, Target) effect,
    /// Goes back to c, at the cost of one round; a is the clause to blame when there are too many.
    LoopBack(Plain, Unused, Target) effect,
    /// Takes the lowest site of b into a, or goes to c where b is empty.
    Take(NumberWrite, SetChange, Target) effect,
    /// Empties the queue of chain x.
    NewQueue(Unused, Unused, Unused) effect,
    /// Adds the sites of a that never were in it to the queue of chain x.
    Enqueue(SetRead, Unused, Unused) effect,
    /// Takes the first of the queue of chain x into a, or goes to c where it is empty.
    Dequeue(NumberWrite, Unused, Target) effect,

    /// Offers a move for every site (or number) of a: variation b, with what `Hold` gave.
    AddMoveSet(SetRead, Plain, Unused) effect,
    /// Keeps a as the outer argument x of the moves offered next.
    SetPrefix(NumberRead, Unused, Unused) effect,
    /// Where a is above zero, every offer of the decision is legal.
    GuardAllLegal(NumberRead, Unused, Unused) effect,
    /// The routine is done.
    Return(Unused, Unused, Unused) effect,
    /// The move is illegal, for clause a.
    Fail(Plain, Unused, Unused) effect,
    /// The turn ends after this ply.
    Leave(Unused, Unused, Unused) effect,
    /// Player a wins.
    Win(NumberRead, Unused, Unused) effect,
    /// The game is drawn.
    Draw(Unused, Unused, Unused) effect,
    /// The order of play has come to decision a.
    Decide(Plain, Unused, Unused) effect,
}

/// One instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Op {
    pub code: Code,
    pub x: u8,
    pub a: u16,
    pub b: u16,
    pub c: u16,
}

impl Op {
    /// Makes an instruction.
    pub fn new(code: Code, x: u8, a: u16, b: u16, c: u16) -> Op {
        Op { code, x, a, b, c }
    }

    /// The operands with their roles.
    pub fn operands(&self) -> [(OperandRole, u16); 3] {
        let [a, b, c] = self.code.roles();
        [(a, self.a), (b, self.b), (c, self.c)]
    }

    /// The operands with their roles, to be changed.
    pub fn operands_mut(&mut self) -> [(OperandRole, &mut u16); 3] {
        let [a, b, c] = self.code.roles();
        [(a, &mut self.a), (b, &mut self.b), (c, &mut self.c)]
    }

    /// The number of a `Constant`.
    pub fn constant(&self) -> i32 {
        (u32::from(self.b) | u32::from(self.c) << 16) as i32
    }
}
