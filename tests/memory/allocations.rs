//! Random play and counting do not allocate after warm-up.

use crate::counting::{in_perft, in_playouts};
use crate::support::{Variant, files, load};

/// Allowance for perft: one ply deeper visits other positions and stores one more, so each of a few
/// buffers may double a few times.
const DOUBLINGS: u64 = 32;

#[test]
fn no_ply_asks_for_memory() {
    let names = ["games", "tests/games"].into_iter().flat_map(files);
    for name in names {
        let game = load(&Variant { name: name.clone(), options: Vec::new(), plies: 0 });
        // Compilation allocates once; it belongs to the warm-up.
        game.jit_compile();
        let playouts = in_playouts(&game, 300);
        assert_eq!(playouts.allocations, 0, "{name}: {playouts:?}");
        let perft = in_perft(&game);
        assert!(perft.allocations <= DOUBLINGS, "{name}: {perft:?}");
    }
}
