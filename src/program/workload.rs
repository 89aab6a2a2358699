//! How much work a playtest is, and how many threads share it.

use ludwright::measure::{Batch, Plan};
use ludwright::search::PlayerKind;

/// Estimated cost of a batch, for the progress bar: games times search iterations per ply.
pub fn weight(plan: &Plan, lot: Batch) -> u64 {
    let iterations = |pairing: usize| {
        let kinds = plan.pairings[pairing].seats.iter().flatten();
        kinds
            .map(|kind| match kind {
                PlayerKind::Iterations(iterations) => *iterations,
                PlayerKind::StrongIterations(iterations) => *iterations / 4,
                _ => 4,
            })
            .max()
            .unwrap_or(1)
    };
    match lot {
        Batch::Census => 1,
        Batch::Openings => plan.openings * plan.sites as u64 / 16,
        Batch::Mirrored => plan.mirrored * plan.judge,
        Batch::Exact => plan.exact / plan.sites.max(1) as u64,
        // Milliseconds as iterations that take a microsecond, in games of some forty plies.
        Batch::Levels => plan.levels.map_or(0, |levels| levels.milliseconds * 1_000 / 40),
        Batch::Written { pairing, games, .. } => games * iterations(pairing),
        Batch::Light { games, .. } => games.div_ceil(16),
    }
}

/// Number of threads that can run at the same time.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
