//! The time that learning and searching take, estimated from the work and not from a clock.
//!
//! The estimates are the same on every computer, under any load, and for any number of threads. So
//! a training with a limit of time learns from the same games everywhere, and the matches that
//! choose its style of search have the same results. The unit is a second of one core of a usual
//! computer.

use super::style::Method;

/// Seconds per evaluation of a position, with the ply that leads to it, beyond the cost of a ply of
/// random play; and seconds for each weight that is added up.
const EVALUATED: f64 = 1e-6;
const SUMMED: f64 = 4e-9;
/// Seconds per unit of fuel that observing a position takes.
const OBSERVED: f64 = 6e-9;
/// Alpha-beta lists the plies of about one in this many of the positions that it reaches.
const LISTED_BY_DEPTH: f64 = 3.0;
/// The most plies of a node that a tree search rates.
pub const MAX_RATED: usize = 256;
/// Learning from a position takes this many times as long as summing up its weights does.
const LESSON: f64 = 8.0;

/// What a game costs, in estimated seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Costs {
    /// The mean length of a random game, in plies.
    pub plies: f64,
    /// Seconds per ply of random play.
    pub ply: f64,
    /// Seconds per iteration of tree search with plain playouts in the middle of a game.
    pub iteration: f64,
    /// The mean number of legal plies, and the seconds for listing them.
    pub branching: f64,
    pub listing: f64,
    /// The number of weights that are summed up for a position.
    pub weights: f64,
    /// The fuel that observing a position takes.
    pub fuel: f64,
}

impl Costs {
    /// Returns the seconds to evaluate a position, with the ply that leads to it.
    pub fn evaluation(&self) -> f64 {
        EVALUATED + OBSERVED * self.fuel + SUMMED * self.weights + self.ply
    }

    /// Returns the seconds to learn from a position once.
    pub fn lesson(&self) -> f64 {
        EVALUATED + OBSERVED * self.fuel + LESSON * SUMMED * self.weights
    }

    /// Returns the seconds per iteration of a search: a playout, or a position of alpha-beta.
    pub fn each(&self, method: Method) -> f64 {
        match method {
            Method::Mcts => self.iteration + self.listing,
            Method::Tree => self.iteration + self.listing + self.evaluation(),
            Method::AlphaBeta | Method::Quiescence => {
                self.evaluation() + self.listing / LISTED_BY_DEPTH
            }
            Method::Leaves if self.branching > MAX_RATED as f64 => self.evaluation() + self.listing,
            Method::Leaves => (1.0 + self.branching) * self.evaluation() + self.listing,
        }
    }

    /// Returns how many iterations of a search fit into these seconds, at least one.
    pub fn iterations(&self, method: Method, seconds: f64) -> u64 {
        (seconds / self.each(method)).max(1.0) as u64
    }
}
