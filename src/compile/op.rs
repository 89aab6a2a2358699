//! The instruction set of compiled games.
//!
//! A program works on two register files: sets of sites, and 32-bit numbers. The first registers of
//! each file hold the position itself, so reading the position costs nothing; constant sets and
//! temporaries follow. An instruction is eight bytes: several directions are a mask, which the
//! program lists and whose number is `x`.

use crate::board::Direction;

/// The role of an instruction's operand.
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
    /// An address in the program.
    Target,
    /// An immediate.
    Plain,
}

/// The least operand of [`Code::Win`] that stands for a set of players, plus the set.
pub const SHARED: u16 = 256;

/// What [`Code::Win`] adds to a player who loses.
pub const LOST: u16 = 512;

/// The two sorts of registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum RegisterFile {
    Sets,
    Numbers,
}

/// The number of a mask of directions in the list of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MaskNumber(pub u8);

impl From<MaskNumber> for u8 {
    fn from(number: MaskNumber) -> u8 {
        number.0
    }
}

impl From<Direction> for u8 {
    fn from(direction: Direction) -> u8 {
        direction.index() as u8
    }
}

impl OperandRole {
    /// Returns the file of the register that the operand names, if it names one.
    pub fn file(self) -> Option<RegisterFile> {
        match self {
            OperandRole::SetRead | OperandRole::SetWrite | OperandRole::SetChange => {
                Some(RegisterFile::Sets)
            }
            OperandRole::NumberRead | OperandRole::NumberWrite | OperandRole::NumberChange => {
                Some(RegisterFile::Numbers)
            }
            OperandRole::Unused | OperandRole::Target | OperandRole::Plain => None,
        }
    }

    /// Tests if the instruction writes the register.
    pub fn is_written(self) -> bool {
        matches!(
            self,
            OperandRole::SetWrite
                | OperandRole::SetChange
                | OperandRole::NumberWrite
                | OperandRole::NumberChange
        )
    }
}

/// Makes the instructions of rows. A row has the roles of `a`, `b` and `c`, and the type of `x` if
/// there is one. In brackets follow the methods of the assembler that emit it. A pure instruction
/// may have one that returns the result and, behind a semicolon, one that writes it to a register;
/// without either, the assembler has a method of its own, which simplifies it. Then comes how it is
/// listed.
macro_rules! instructions {
    ($(
        $(#[doc = $doc:literal])+
        $code:ident($a:ident, $b:ident, $c:ident $(; x: $x:ty)?) $purity:ident($($names:tt)*)
            $text:literal,
    )*) => {
        /// The instructions. Operands are `a`, `b`, `c` and a small immediate `x`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[repr(u8)]
        pub enum Code { $($(#[doc = $doc])+ $code,)* }
        impl Code {
            /// All instructions, in order of declaration.
            pub const ALL: &[Code] = &[$(Code::$code,)*];
            /// Returns the roles of the operands.
            #[inline]
            pub fn roles(self) -> [OperandRole; 3] {
                match self { $(Code::$code => [OperandRole::$a, OperandRole::$b, OperandRole::$c],)* }
            }
            /// Tests if it changes the registers of piles, which are not among its operands.
            pub fn moves_piles(self) -> bool {
                matches!(self, Code::Sink | Code::Rise | Code::Carry)
            }
            /// Tests if it works on the registers of piles, which are not among its operands.
            pub fn works_on_piles(self) -> bool {
                self.moves_piles() || self == Code::Height
            }
            /// Returns how it is listed, with its operands in braces: see `listing`.
            pub fn text(self) -> &'static str {
                match self { $(Code::$code => $text,)* }
            }
            /// Tests if one of its operands is a set.
            pub fn has_sets(self) -> bool {
                self.roles().into_iter().any(|role| role.file() == Some(RegisterFile::Sets))
            }
            /// Tests if its only effect is to write its first operand, computed from the others.
            pub fn is_pure(self) -> bool {
                match self { $(Code::$code => instructions!(@$purity),)* }
            }
        }
        /// Hands every row to a macro.
        macro_rules! each_instruction {
            ($emitter:ident) => {
                $($emitter! { ($code $(x: $x)?) ($a $b $c) $purity($($names)*) })*
            };
        }
    };
    (@pure) => { true };
    (@effect) => { false };
}

instructions! {
    /// a = b
    Copy(SetWrite, SetRead, Unused) pure(copy; copy_to) "{a} = {b}",
    /// a = b and c
    And(SetWrite, SetRead, SetRead) pure() "{a} = {b} and {c}",
    /// a = b or c
    Or(SetWrite, SetRead, SetRead) pure() "{a} = {b} or {c}",
    /// a = b without c
    AndNot(SetWrite, SetRead, SetRead) pure() "{a} = {b} without {c}",
    /// a = b xor c
    Xor(SetWrite, SetRead, SetRead) pure() "{a} = {b} xor {c}",
    /// a = the sites one step in direction x from b
    Shift(SetWrite, SetRead, Unused; x: Direction) pure() "{a} = one step {way} from {b}",
    /// a = the sites one step from b in any of the directions of the mask
    /// with the number x
    Beside(SetWrite, SetRead, Unused; x: MaskNumber) pure(beside) "{a} = beside {b} by {ways}",
    /// a = the sites from which a walk in direction x over zero or more sites of c reaches b
    Fill(SetWrite, SetRead, SetRead; x: Direction) pure(fill)
        "{a} = sites that reach {b} going {way} through {c}",
    /// a = the sites passed on walks from b in the directions of the mask x while they are in c
    Walk(SetWrite, SetRead, SetRead; x: MaskNumber) pure(walk)
        "{a} = walk from {b} by {ways} through {c}",
    /// a = the sites of c connected to b within c, by steps in the directions of the mask x
    Flood(SetWrite, SetRead, SetRead; x: MaskNumber) pure(flood)
        "{a} = group of {b} within {c} by {ways}",
    /// a = the first sites of c on the lines from site b, at most one for each direction of the
    /// mask x; empty if b is negative
    Sight(SetWrite, NumberRead, SetRead; x: MaskNumber) pure(sight)
        "{a} = first of {c} {ways} of the site {b}",
    /// a = the sites strictly between the sites b and c, if they are on a straight line
    Between(SetWrite, NumberRead, NumberRead) pure(between) "{a} = between {b} and {c}",
    /// a = the set of the site b; empty if b is negative
    Single(SetWrite, NumberRead, Unused) pure(single) "{a} = the site {b}",
    /// a = b if the number c is not zero, else empty
    Gate(SetWrite, SetRead, NumberRead) pure(gate) "{a} = {b} if {c}",
    /// a = the empty set
    Clear(SetWrite, Unused, Unused) pure(; clear) "{a} = nowhere",
    /// a |= b
    Join(SetChange, SetRead, Unused) effect(join) "{a} gains {b}",
    /// a &= !b
    Drop(SetChange, SetRead, Unused) effect(drop) "{a} loses {b}",
    /// If site b is in a, removes it and adds c; else removes c.
    Transfer(SetChange, NumberRead, NumberRead) effect(transfer) "{a} takes {b} to {c}",
    /// On the sites of a, every piece of a pile goes down by one, and none is on top. Here and
    /// below, the registers of the piles are those of
    /// [`PileRegisters`](super::layout::PileRegisters).
    Sink(SetRead, Unused, Unused) effect(sink) "piles on {a} sink by one",
    /// The top b pieces of the piles on the sites of a leave the board.
    Rise(SetRead, NumberRead, Unused) effect(rise) "the top {b} of the piles on {a} leave",
    /// The top c pieces of the pile on site a come to site b: on top of the pile there in their
    /// order, or beneath it one by one if x is 1. No effect if that pile would be too high, or if a
    /// piece would cover one that nothing lies on.
    Carry(NumberRead, NumberRead, NumberRead; x: bool) effect(carry)
        "the top {c} of the pile on {a} come to {b}, {place}",
    /// a = the number of pieces on the site b; 0 if b is negative
    Height(NumberWrite, NumberRead, Unused) effect(height) "{a} = height of the pile on {b}",

    /// a = the number whose low half is b and whose high half is c
    Constant(NumberWrite, Plain, Plain) pure() "{a} = {constant}",
    /// a = b
    Assign(NumberWrite, NumberRead, Unused) pure(assign; assign_to) "{a} = {b}",
    /// a = b + c, saturating
    Add(NumberWrite, NumberRead, NumberRead) pure(add; add_to) "{a} = {b} + {c}",
    /// a = b - c, saturating
    Subtract(NumberWrite, NumberRead, NumberRead) pure(subtract; subtract_to) "{a} = {b} - {c}",
    /// a = b * c, saturating
    Multiply(NumberWrite, NumberRead, NumberRead) pure(multiply) "{a} = {b} * {c}",
    /// a = b / c, rounded down; c is an immediate above zero
    Divide(NumberWrite, NumberRead, Plain) pure(divide) "{a} = {b} / {c}",
    /// a = b modulo the immediate c, never negative
    Remainder(NumberWrite, NumberRead, Plain) pure(remainder) "{a} = {b} mod {c}",
    /// a = the lesser of b and c
    Least(NumberWrite, NumberRead, NumberRead) pure(least; least_to) "{a} = least of {b} and {c}",
    /// a = the greater of b and c
    Greatest(NumberWrite, NumberRead, NumberRead) pure(greatest; greatest_to)
        "{a} = greatest of {b} and {c}",
    /// a = the number of sites in b
    Count(NumberWrite, SetRead, Unused) pure(count) "{a} = count {b}",
    /// a = the lowest site of b, or -1
    Lowest(NumberWrite, SetRead, Unused) pure(lowest) "{a} = lowest of {b}",
    /// a = the site one step in direction x from site b, or -1
    Step(NumberWrite, NumberRead, Unused; x: Direction) pure(step) "{a} = step {way} from {b}",
    /// a = the site c steps in direction x from site b, in the opposite direction if c is negative,
    /// or -1
    StepBy(NumberWrite, NumberRead, NumberRead; x: Direction) pure(step_by)
        "{a} = {c} steps {way} from {b}",
    /// a = the index of the direction of the step from site b to site c, or -1
    Direction(NumberWrite, NumberRead, NumberRead) pure(direction)
        "{a} = direction from {b} to {c}",
    /// a = the least number of steps in the directions of the mask x from site b to site c, or
    /// `Board::FAR`
    Distance(NumberWrite, NumberRead, NumberRead; x: MaskNumber) pure(distance)
        "{a} = distance from {b} to {c} by {ways}",
    /// a = argument x of the current move
    Argument(NumberWrite, Unused, Unused; x: u8) pure(argument) "{a} = argument {x}",
    /// a += 2^x if site c is in b
    Bit(NumberChange, SetRead, NumberRead; x: u8) effect(bit) "{a} += {bit} if {c} in {b}",

    /// Jumps to c if a is empty.
    IfNone(SetRead, Unused, Target) effect(if_none) "if {a} is empty: go to {c}",
    /// Jumps to c if a is not empty.
    IfAny(SetRead, Unused, Target) effect(if_any) "if {a} is not empty: go to {c}",
    /// Jumps to c if site a is in b.
    IfIn(NumberRead, SetRead, Target) effect(if_in) "if {a} in {b}: go to {c}",
    /// Jumps to c if site a is not in b.
    IfOut(NumberRead, SetRead, Target) effect(if_out) "if {a} not in {b}: go to {c}",
    /// Jumps to c if a = b.
    IfEqual(NumberRead, NumberRead, Target) effect(if_equal) "if {a} = {b}: go to {c}",
    /// Jumps to c if a differs from b.
    IfUnequal(NumberRead, NumberRead, Target) effect(if_unequal) "if {a} != {b}: go to {c}",
    /// Jumps to c if a < b.
    IfLess(NumberRead, NumberRead, Target) effect(if_less) "if {a} < {b}: go to {c}",
    /// Jumps to c if a >= b.
    IfAtLeast(NumberRead, NumberRead, Target) effect(if_at_least) "if {a} >= {b}: go to {c}",
    /// Jumps to c.
    Jump(Unused, Unused, Target) effect(jump) "go to {c}",
    /// Jumps back to c and uses the fuel of a round; a is the clause to blame if none is left.
    LoopBack(Plain, Unused, Target) effect(loop_back) "again from {c} ({clause})",
    /// Moves the lowest site of b to a, or jumps to c if b is empty. Uses the fuel of a
    /// round.
    Take(NumberWrite, SetChange, Target) effect(take) "{a} = take the lowest of {b}, or go to {c}",
    /// Empties the queue of chain x.
    NewQueue(Unused, Unused, Unused; x: u8) effect(new_queue) "begin chain {x}",
    /// Adds those sites of a to the queue of chain x that have never been in it.
    Enqueue(SetRead, Unused, Unused; x: u8) effect(enqueue) "{a} joins chain {x}",
    /// Moves the first site of the queue of chain x to a, or jumps to c if the queue is empty. Uses
    /// the fuel of a round.
    Dequeue(NumberWrite, Unused, Target; x: u8) effect(dequeue)
        "{a} = next of chain {x}, or go to {c}",

    /// Adds a move set: specialization b, for every site (or number) of a, with the current prefix.
    /// The x instructions directly before it make it a product; there, no member can be illegal.
    AddMoveSet(SetRead, Plain, Unused; x: u8) effect(add_move_set) "offer {a} by variation {b}",
    /// The move set added next has a move for every value of prefix argument x in a.
    EachPrefix(SetRead, Unused, Unused; x: u8) effect(each_prefix)
        "hold each of {a} as argument {argument}",
    /// In the move set added next, the b prefix arguments from x on and the member are chosen
    /// together: every combination of members, in ascending order.
    Together(Unused, Plain, Unused; x: u8) effect(together)
        "hold {b} more together as arguments from {argument}",
    /// Sets prefix argument x of the move sets added next to a.
    SetPrefix(NumberRead, Unused, Unused; x: u8) effect(set_prefix)
        "hold {a} as argument {argument}",
    /// If a is above zero, all moves generated for the decision are legal.
    GuardAllLegal(NumberRead, Unused, Unused) effect(guard_all_legal)
        "if {a} > 0: all offers are legal",
    /// Ends the routine.
    Return(Unused, Unused, Unused) effect(ret) "done",
    /// The move is illegal because of clause a.
    Fail(Plain, Unused, Unused) effect(fail) "illegal, by {clause}",
    /// The turn ends after this ply.
    Leave(Unused, Unused, Unused) effect(leave) "end the turn",
    /// Player a wins; or, from [`SHARED`] on, the players of the set a - `SHARED` share a draw; or,
    /// from [`LOST`] on, player a - `LOST` loses.
    Win(NumberRead, Unused, Unused) effect(win) "player {a} wins",
    /// The game is drawn.
    Draw(Unused, Unused, Unused) effect(draw) "draw",
    /// Stops at decision a.
    Decide(Plain, Unused, Unused) effect(decide) "decision {a}",
}

pub(super) use each_instruction;

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
    /// Makes an instruction whose operands are 0.
    pub fn new(code: Code) -> Op {
        Op { code, x: 0, a: 0, b: 0, c: 0 }
    }

    /// Returns the instruction with the operands of a commutative one in order.
    pub fn in_order(self) -> Op {
        match self.code {
            Code::And | Code::Or | Code::Xor if self.c < self.b => {
                Op { b: self.c, c: self.b, ..self }
            }
            _ => self,
        }
    }

    /// Returns the operands with their roles.
    pub fn operands(&self) -> [(OperandRole, u16); 3] {
        let [a, b, c] = self.code.roles();
        [(a, self.a), (b, self.b), (c, self.c)]
    }

    /// Returns the operands with their roles, mutably.
    pub fn operands_mut(&mut self) -> [(OperandRole, &mut u16); 3] {
        let [a, b, c] = self.code.roles();
        [(a, &mut self.a), (b, &mut self.b), (c, &mut self.c)]
    }

    /// Returns the number of a `Constant`.
    pub fn constant(&self) -> i32 {
        (u32::from(self.b) | u32::from(self.c) << 16) as i32
    }
}
