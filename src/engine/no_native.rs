//! Stands in for `native` in builds without machine code.

use super::frame::{Frame, MoveSet, Queue};
use super::history::History;
use super::tables::Tables;
use super::task::{CallResult, CodeQuality, CountResult, Stop, Task};
use crate::compile::program::Program;
use std::convert::Infallible;
use std::sync::Arc;

/// An uninhabited type: there is no machine code.
pub struct Native<const W: usize>(Infallible);

impl<const W: usize> Native<W> {
    /// Returns `None`.
    pub fn new(_: &Arc<Program>, _: &Arc<Tables<W>>, _: CodeQuality) -> Option<Native<W>> {
        None
    }

    /// Unreachable.
    pub fn call(
        &self,
        _: Task,
        _: &mut Frame<W>,
        _: &mut [MoveSet<W>],
        _: &mut [Queue<W>],
    ) -> CallResult {
        match self.0 {}
    }

    /// Unreachable.
    pub fn look_ahead(
        &self,
        _: u16,
        _: &mut [Frame<W>],
        _: &mut [MoveSet<W>],
        _: &mut [Queue<W>],
    ) -> Option<Stop> {
        match self.0 {}
    }

    /// Unreachable.
    pub fn can_run_playouts(&self, _: bool) -> bool {
        match self.0 {}
    }

    /// Unreachable.
    pub fn can_count(&self, _: bool) -> bool {
        match self.0 {}
    }

    /// Unreachable.
    pub fn run_playout(
        &self,
        _: u16,
        _: &mut Frame<W>,
        _: &mut History,
        _: &mut [Queue<W>],
    ) -> Option<Stop> {
        match self.0 {}
    }

    /// Unreachable.
    pub fn perft(
        &self,
        _: u16,
        _: &mut [Frame<W>],
        _: &mut [MoveSet<W>],
        _: &mut [Queue<W>],
    ) -> CountResult {
        match self.0 {}
    }
}
