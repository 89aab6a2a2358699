//! Compiles a program to machine code of the host with Cranelift.
//!
//! The functions do what `Machine::run` does for the same routines, but an instruction costs only
//! its machine operations, and routines that always follow one another (the end of the game, the
//! order of play, move generation) are one function. Whole random games, perft counts and the
//! look-ahead within `steps` are functions, too. Where Cranelift does not support the host there is
//! no [`Native`], and the machine interprets.
//!
//! The emitter treats the width of sets as a number, so it is compiled once for all widths. Only
//! [`Native`], which passes typed pointers to the functions, and the code that fills in the
//! environment and the addresses of helpers are generic in the width.
//!
//! - `code`: the functions. `jit`: makes them with Cranelift. `environment`, `layout`, `steps`:
//!   what the code depends on besides the program.
//! - `routine`: emits instructions. `set_ops`, `wide`: operations on sets. `sightlines`: lines of
//!   sight that are updated from ply to ply. `helpers`: engine functions that the code calls.

mod code;
pub mod combinations;
mod environment;
mod helpers;
mod jit;
mod layout;
mod routine;
mod set_ops;
pub mod sightlines;
pub mod steps;
mod wide;

use super::frame::{Frame, MoveSet, Queue};
use super::history::History;
use super::tables::Tables;
use super::task::{CallResult, CodeQuality, CountResult, Stop, Task};
use crate::compile::program::Program;
use code::{Function, NativeCode};
use environment::Environment;
use std::sync::Arc;

/// The status that a function returns: the reason why it stopped in the lowest eight bits, its
/// payload above.
mod status {
    pub const RETURN: u64 = 0;
    pub const FAIL: u64 = 1;
    pub const DECIDE: u64 = 2;
    pub const WIN: u64 = 3;
    pub const DRAW: u64 = 4;
    pub const OUT_OF_FUEL: u64 = 5;
    /// There is no room for the move sets. The frame is unchanged.
    pub const FULL: u64 = 6;
}

/// The functions of a program for sets of `W` words, with typed parameters.
pub struct Native<const W: usize> {
    code: NativeCode,
    /// The functions point into it.
    _tables: Arc<Tables<W>>,
}

impl<const W: usize> Native<W> {
    /// Compiles the functions; `None` if the host is not supported.
    pub fn new(
        program: &Arc<Program>,
        tables: &Arc<Tables<W>>,
        quality: CodeQuality,
    ) -> Option<Native<W>> {
        let code = NativeCode::new(program, Environment::of(tables, quality))?;
        Some(Native { code, _tables: Arc::clone(tables) })
    }

    /// Executes a task on a frame of this program, with room for further move sets behind the
    /// present ones.
    #[inline(always)]
    pub fn call(
        &self,
        task: Task,
        frame: &mut Frame<W>,
        room: &mut [MoveSet<W>],
        queues: &mut [Queue<W>],
    ) -> CallResult {
        let function = match task {
            Task::Apply(specialization) => {
                self.code.specializations[usize::from(specialization)][0]
            }
            Task::TestRequirements(specialization) => {
                self.code.specializations[usize::from(specialization)][1]
            }
            Task::GenerateMoves(decision) => self.code.decisions[usize::from(decision)][0],
            Task::Ending(decision) => self.code.decisions[usize::from(decision)][1],
            Task::End(decision) => self.code.decisions[usize::from(decision)][2],
            Task::GoOn(decision) => self.code.decisions[usize::from(decision)][3],
            Task::EndAndGoOn(decision) => self.code.decisions[usize::from(decision)][4],
            Task::Otherwise(decision) => self.code.decisions[usize::from(decision)][5],
            Task::GenerateProposals(decision) => self.code.decisions[usize::from(decision)][6],
        };
        assert!(queues.len() >= usize::from(self.code.source.program.chains));
        // SAFETY: the function accesses the frame at offsets within it, move sets only below the
        // number given and queues only below `chains`, and calls only helpers, with its own
        // arguments, the tables that it keeps alive, and sets on its own stack.
        let status =
            unsafe { call_native(function, frame, room.as_mut_ptr(), room.len() as u64, queues) };
        stop(status).map_or(CallResult::Full, CallResult::Stop)
    }
}

impl<const W: usize> Native<W> {
    /// Counts the sequences of as many plies as there are frames that begin with the decision's
    /// moves in the first frame. The first frame holds the position.
    pub fn perft(
        &self,
        decision: u16,
        frames: &mut [Frame<W>],
        room: &mut [MoveSet<W>],
        queues: &mut [Queue<W>],
    ) -> CountResult {
        let (Some([tally, perft]), plies @ 2..) =
            (self.code.perft_functions(decision), frames.len())
        else {
            return CountResult::Unknown;
        };
        frames[0].left = plies as u32;
        assert!(
            queues.len() >= usize::from(self.code.source.program.chains)
                && room.len() >= frames[0].move_set_count as usize
        );
        let function = if plies == 2 { tally } else { perft };
        // SAFETY: as in `call`; move sets are read below the frame's number. A function calls
        // another with the next frame, at most the last but one.
        let status = unsafe {
            call_native(function, frames.as_mut_ptr(), room.as_mut_ptr(), room.len() as u64, queues)
        };
        match status & 0xff {
            status::RETURN => CountResult::Sequences(status >> 8),
            status::FULL => CountResult::Full,
            _ => CountResult::Unknown,
        }
    }
}

impl<const W: usize> Native<W> {
    /// Tests if as many further plies of the decision as there are frames can be made such that the
    /// ending condition of `steps` then holds: [`Stop::Return`] if so, [`Stop::Fail`] if not,
    /// [`Stop::OutOfFuel`] if the fuel of the first frame does not suffice. Every frame holds the
    /// position. `None`, with nothing done, if there is no room for more move sets after the move
    /// sets of the first frame.
    pub fn look_ahead(
        &self,
        decision: u16,
        frames: &mut [Frame<W>],
        room: &mut [MoveSet<W>],
        queues: &mut [Queue<W>],
    ) -> Option<Stop> {
        let plies = frames.len() as u64;
        let Some(function) = self.code.lookaheads[usize::from(decision)].filter(|_| plies > 0)
        else {
            return Some(Stop::OutOfFuel(0));
        };
        assert!(
            queues.len() >= usize::from(self.code.source.program.chains)
                && room.len() >= frames[0].move_set_count as usize
        );
        frames.iter_mut().for_each(|frame| frame.capacity = room.len() as u32);
        // SAFETY: as in `call`; move sets are read where the function has written them, behind the
        // move sets of the first frame. The function calls itself with the next frame and one ply
        // less, and not in the last frame.
        stop(unsafe {
            call_native(function, frames.as_mut_ptr(), room.as_mut_ptr(), plies, queues)
        })
    }

    /// Tests if there is a function for playouts. If not, compiles it: now if `blocks_on_jit`, else
    /// in the background.
    #[inline(always)]
    pub fn can_run_playouts(&self, blocks_on_jit: bool) -> bool {
        self.code.can_run_playouts(blocks_on_jit)
    }

    /// Tests if there are functions for perft. If not, compiles them: now if `blocks_on_jit`, else
    /// in the background.
    pub fn can_count(&self, blocks_on_jit: bool) -> bool {
        self.code.can_count(blocks_on_jit)
    }

    /// Makes random plies from a decision on, at most as many as the frame says, and returns why it
    /// stopped: [`Stop::Decide`] at a decision that may have no legal ply, or after the last ply
    /// allowed. `None`, with nothing done, if there is no function for playouts or it does not
    /// support the decision.
    #[inline(always)]
    pub fn run_playout(
        &self,
        decision: u16,
        frame: &mut Frame<W>,
        history: &mut History,
        queues: &mut [Queue<W>],
    ) -> Option<Stop> {
        let function = self.code.playout_function()?;
        assert!(queues.len() >= usize::from(self.code.source.program.chains));
        let mut play = |history: *mut History| {
            // SAFETY: as in `call`; move sets are not written to memory. Hashes are added only if
            // the rules count repetitions: then the history has been lent, and states its capacity
            // and address, which the function checks before each addition.
            stop(unsafe { call_native(function, frame, history, u64::from(decision), queues) })
        };
        if self.code.source.program.repetition.is_some() {
            history.lend(play)
        } else {
            play(history)
        }
    }
}

/// Calls a function with untyped pointers.
///
/// # Safety
/// The function was compiled for sets of `W` words, for at least as many frames and queues as it
/// uses, and for a `T` at `room`. The caller states which memory the function may write to.
#[inline(always)]
unsafe fn call_native<const W: usize, T>(
    function: Function,
    frame: *mut Frame<W>,
    room: *mut T,
    number: u64,
    queues: &mut [Queue<W>],
) -> u64 {
    // SAFETY: guaranteed by the caller. The function takes all of them as addresses.
    unsafe { function(frame.cast(), room.cast(), number, queues.as_mut_ptr().cast()) }
}

/// Decodes a status; `None` if there was no room.
#[inline(always)]
fn stop(status: u64) -> Option<Stop> {
    let payload = (status >> 8) as u16;
    Some(match status & 0xff {
        status::RETURN => Stop::Return,
        status::FAIL => Stop::Fail(payload),
        status::DECIDE => Stop::Decide(payload),
        status::WIN => Stop::won(payload),
        status::DRAW => Stop::Draw,
        status::OUT_OF_FUEL => Stop::OutOfFuel(payload),
        _ => return None,
    })
}
