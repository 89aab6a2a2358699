//! What learning and searching take, estimated from the work and not from a clock.
//!
//! The estimates are the same on every computer, under any load, and for any number of threads. So
//! a training with a limit of time learns from the same games everywhere, and the matches that
//! decide how to search with it have the same results. Their unit is a second of one core of a
//! usual computer.

use super::style::Method;

/// Seconds per evaluation of a position, with the ply that leads to it, besides what a ply of
/// random play takes; and what each weight that is summed up adds.
const EVALUATED: f64 = 1e-6;
const SUMMED: f64 = 4e-9;
/// Seconds per unit of fuel of what is observed.
const OBSERVED: f64 = 6e-9;
/// Alpha-beta lists the plies of about one position in this many that it reaches.
const LISTED_BY_DEPTH: f64 = 3.0;
/// A tree lists the plies of each node, and rates them if they are not more than this.
pub const MAX_RATED: usize = 256;
/// Learning from a position takes this many times as long as summing up its weights does.
const LESSON: f64 = 8.0;

/// What a game costs, in estimated seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Costs {
    /// The mean length of a random game, in plies.
    pub plies: f64,
    /// A ply of random play.
    pub ply: f64,
    /// An iteration of tree search with plain playouts in the middle of a game.
    pub iteration: f64,
    /// The mean number of legal plies, and what listing them takes.
    pub branching: f64,
    pub listing: f64,
    /// The number of weights that are summed up for a position.
    pub weights: f64,
    /// The fuel of what is observed in a position.
    pub fuel: f64,
}

impl Costs {
    /// An evaluation of a position, with the ply that leads to it.
    pub fn evaluation(&self) -> f64 {
        EVALUATED + OBSERVED * self.fuel + SUMMED * self.weights + self.ply
    }

    /// Learning from a position once.
    pub fn lesson(&self) -> f64 {
        EVALUATED + OBSERVED * self.fuel + LESSON * SUMMED * self.weights
    }

    /// An iteration of a search: a playout or a position.
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

    /// Returns how many iterations of a search fit into that many seconds, at least one.
    pub fn iterations(&self, method: Method, seconds: f64) -> u64 {
        (seconds / self.each(method)).max(1.0) as u64
    }
}
