//! A program as machine code of the computer at hand.
//!
//! In: a program and the tables of its board. Out: functions that do what
//! [`Machine::run`](super::machine::Machine::run) does for the same routines, only faster: an
//! instruction costs the few operations that it is, and stretches that always follow one another
//! (what ends the game, the order of play, the offers) are one function. So are random games from
//! beginning to end, counting sequences of plies, and looking ahead within `steps`. The code is
//! made by Cranelift. Where there is none for the computer at hand, there is no [`Native`], and the
//! machine interprets.
//!
//! What makes code knows the width of sets as a number: it is compiled once. Generic in the width
//! are only [`Native`], which hands typed pointers to the functions, and what fills an environment
//! and the addresses of the helpers.
//!
//! - `code`: the functions. `jit`: makes them with Cranelift. `environment`: what they are made
//!   for, with `layout` and `steps`.
//! - `set_ops`, `wide`: operations on sets. `routine`: instructions. `sightlines`: lines of sight
//!   that are kept from ply to ply. `helpers`: what is left to functions of the engine.

mod code;
mod environment;
mod helpers;
mod jit;
mod layout;
mod routine;
mod set_ops;
mod sightlines;
mod steps;
mod wide;

use super::frame::{Frame, MoveSet, Queue};
use super::history::History;
use super::tables::Tables;
use super::task::{CallResult, CountResult, Stop, Task};
use crate::compile::program::Program;
use code::{Function, NativeCode};
use environment::Environment;
use std::sync::Arc;

/// How a function says why it stopped: in the lowest eight bits, with what belongs to it above
/// them.
mod status {
    pub const RETURN: u64 = 0;
    pub const FAIL: u64 = 1;
    pub const DECIDE: u64 = 2;
    pub const WIN: u64 = 3;
    pub const DRAW: u64 = 4;
    pub const OUT_OF_FUEL: u64 = 5;
    /// There is no room for the offers. Nothing was done.
    pub const FULL: u64 = 6;
}

/// The functions of a program for a board whose sets have `W` words: their parameters with types.
pub struct Native<const W: usize> {
    code: NativeCode,
    /// The functions point into it.
    _tables: Arc<Tables<W>>,
}

impl<const W: usize> Native<W> {
    /// Makes the functions; none where no code can be made for the computer at hand.
    pub fn new(program: &Arc<Program>, tables: &Arc<Tables<W>>) -> Option<Native<W>> {
        let code = NativeCode::new(program, Environment::of(tables))?;
        Some(Native { code, _tables: Arc::clone(tables) })
    }

    /// Does a task on a frame of this program, with room for offers behind those that there are.
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
            Task::Attempt(specialization) => {
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
        // SAFETY: the function reads and writes the frame at offsets within it, offers only below
        // the number given, queues only below `chains`, and calls nothing but helpers with what it
        // was handed, with the tables that it keeps alive, and with sets on its own stack.
        let status =
            unsafe { call_native(function, frame, room.as_mut_ptr(), room.len() as u64, queues) };
        stop(status).map_or(CallResult::Full, CallResult::Stop)
    }
}

impl<const W: usize> Native<W> {
    /// How many sequences begin at the decision with the offers that the first frame speaks of, of
    /// as many plies as there are frames. The position is in the first frame.
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
        // SAFETY: as in `call`; of the offers those are read that are below the frame's number. A
        // function calls another with the frame behind its own, down to the last frame but one.
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
    /// Whether as many further plies of the decision as there are frames can be made that the
    /// ending condition of `steps` holds then: [`Stop::Return`] where they can, [`Stop::Fail`]
    /// where they cannot, [`Stop::OutOfFuel`] where that is not found out by the rounds of the
    /// first frame. The position is in every frame. None where there is no room for the offers
    /// behind those that the first frame says there are, and nothing was done.
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
        assert!(queues.len() >= usize::from(self.code.source.program.chains));
        frames.iter_mut().for_each(|frame| frame.capacity = room.len() as u32);
        // SAFETY: as in `call`; the function calls itself with the frame behind its own and one ply
        // less, and not with the last one.
        stop(unsafe {
            call_native(function, frames.as_mut_ptr(), room.as_mut_ptr(), plies, queues)
        })
    }

    /// Whether there is a function for random plies. If there is none yet, it is made here and now
    /// for whoever waits, and otherwise begun on a thread of its own.
    #[inline(always)]
    pub fn can_run_playouts(&self, blocks_on_jit: bool) -> bool {
        self.code.can_run_playouts(blocks_on_jit)
    }

    /// The same of the functions that count sequences.
    pub fn can_count(&self, blocks_on_jit: bool) -> bool {
        self.code.can_count(blocks_on_jit)
    }

    /// Makes random plies from a decision on, as many as the frame says at most, and gives why it
    /// stopped: [`Stop::Decide`] at a decision of which it is not known that it has a legal ply, or
    /// where there are no more plies to be made. None, with nothing done, where this is no way to
    /// play the game.
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
            // SAFETY: as in `call`; offers are not written down. Hashes are added only where the
            // rules count repetitions: then the history has been lent, and says how many it has
            // room for and where, which the function asks before each.
            stop(unsafe { call_native(function, frame, history, u64::from(decision), queues) })
        };
        if self.code.source.program.repetition.is_some() {
            history.lend(play)
        } else {
            play(history)
        }
    }
}

/// Calls a function with the addresses of what it was made for.
///
/// # Safety
/// The function was made for sets of `W` words, for as many frames and queues as there are, and for
/// a `T` in place of room for offers. What it may write there is what its caller says.
#[inline(always)]
unsafe fn call_native<const W: usize, T>(
    function: Function,
    frame: *mut Frame<W>,
    room: *mut T,
    number: u64,
    queues: &mut [Queue<W>],
) -> u64 {
    // SAFETY: as the caller says. The function takes all of them as addresses.
    unsafe { function(frame.cast(), room.cast(), number, queues.as_mut_ptr().cast()) }
}

/// What a status says; none where there was no room.
#[inline(always)]
fn stop(status: u64) -> Option<Stop> {
    let payload = (status >> 8) as u16;
    Some(match status & 0xff {
        status::RETURN => Stop::Return,
        status::FAIL => Stop::Fail(payload),
        status::DECIDE => Stop::Decide(payload),
        status::WIN => Stop::Win(payload as u8),
        status::DRAW => Stop::Draw,
        status::OUT_OF_FUEL => Stop::OutOfFuel(payload),
        _ => return None,
    })
}
