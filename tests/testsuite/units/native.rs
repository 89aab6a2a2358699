//! What the emitter of machine code computes beforehand.

use ludwright::compile::op::Code;
use ludwright::engine::bits::Bits;
use ludwright::engine::native::combinations::{binomial, combination};
use ludwright::engine::native::sightlines::SightlineCache;
use ludwright::engine::native::steps::shifted;
use ludwright::engine::tables::Tables;
use ludwright::load;

#[test]
fn combinations_are_listed_by_rank() {
    for (many, size) in [(1, 1), (5, 1), (2, 2), (7, 2), (361, 2), (3, 3), (9, 3), (8, 5), (6, 6)] {
        let mut expected: Vec<u32> = (0..size).collect();
        for rank in 0..binomial(many, size) as u32 {
            let found = combination(many, size, rank);
            assert_eq!(found[..size as usize], expected, "{size} of {many}, {rank}");
            // The last number that can grow grows, and those after it follow it.
            let Some(place) =
                (0..size).rev().find(|&place| expected[place as usize] < many - size + place)
            else {
                assert_eq!(u64::from(rank) + 1, binomial(many, size));
                break;
            };
            let grown = expected[place as usize] + 1;
            (place..size).for_each(|later| expected[later as usize] = grown + later - place);
        }
    }
}

/// The stones that each player sees are counted along eight lines, through sites disjoint from
/// them.
#[test]
fn lines_of_sight_are_found() {
    let text = "(game \"Lookouts\" (players A B) (board (square 10)) (piece Stone)
        (define (Seen (player p) (site s)) (count d all (in (first s d (not (empty))) (of p Stone))))
        (move post (to t (empty)) (require (>= (Seen mover t) (Seen (next mover) t))) (put Stone t))
        (play (turns (choose post (otherwise (draw))))))";
    let game = load(text, &[]).expect("a game");
    let program = game.program();
    let sightlines =
        SightlineCache::new(program, &Tables::<2>::new(&game.rules().board, program).board, 2);
    let fills = program.code.iter().filter(|op| op.code == Code::Fill).count();
    assert!(fills >= 32, "{fills}");
    assert_eq!(sightlines.places.len(), fills);
}

#[test]
fn shifts_as_sets_of_a_fixed_width_do() {
    let set: Bits<3> = [0, 1, 7, 62, 63, 64, 100, 127, 128, 190, 191].into_iter().collect();
    for by in [0, 1, 7, 63, 64, 65, 100, 128, 191, 192] {
        assert_eq!(shifted(&set.0, by)[..], set.up(by as u32).0, "{by}");
        assert_eq!(shifted(&set.0, -by)[..], set.down(by as u32).0, "-{by}");
    }
}
