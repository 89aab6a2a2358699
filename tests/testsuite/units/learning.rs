//! Learned evaluations: both sides see the same.

use crate::support::rules_file;
use ludwright::board::Site;
use ludwright::language::rules::PlayerId;
use ludwright::learn::network::{Features, SAMPLE_SEED, Scratch};
use ludwright::learn::sides::Exchange;
use ludwright::load_file;
use ludwright::random::Random;

/// Where sides can be exchanged, a position and the exchanged one have the same weights, also
/// those of what is observed and of marks.
#[test]
fn both_sides_see_the_same() {
    let mut compared = 0;
    for name in ["lichen-chess", "kitaran", "breakthrough", "double-move-situ"] {
        let game = load_file(&rules_file(name), &[]).expect("a game");
        let exchange =
            Exchange::find(&game, SAMPLE_SEED).unwrap_or_else(|| panic!("{name}: sides"));
        let features = Features::new(&game);
        let mut state = game.begin().expect("a first position");
        let mut scratch = Scratch::new(&features, &state.position());
        let mut random = Random::new(8);
        for _ in 0..40 {
            let Some(decision) = state.decision() else { break };
            let legal = state.candidates();
            let next = legal[random.below(legal.len() as u32) as usize];
            let partner = exchange.decision(decision);
            if partner == decision {
                // The other player never acts like this.
                state.advance(next);
                continue;
            }
            let image = exchange.image(game.rules(), &state.snapshot());
            let image = game.begin_at(&image, partner, &state.counters()).expect("a position");
            let mut seen = [&state, &image].map(|state| {
                let mut active = Vec::new();
                let moves = state.move_count_bound();
                features.active(&state.position(), moves, &mut scratch, &mut active);
                active
            });
            seen.iter_mut().for_each(|active| active.sort_unstable());
            assert_eq!(seen[0], seen[1], "{name}");
            compared += 1;
            state.advance(next);
        }
    }
    assert!(compared > 60, "{compared}");
}

/// In the first position each player has a token on three stones, all of which point to an empty
/// site of the middle row.
#[test]
fn marks_tell_which_way_tokens_point() {
    let game = load_file(&rules_file("lichen-chess"), &[]).expect("a game");
    let features = Features::new(&game);
    let state = game.begin().expect("a first position");
    let mut scratch = Scratch::new(&features, &state.position());
    scratch.look(&state.position());
    let states = features.codes(&mut scratch);
    let mut seen = Vec::new();
    let (width, sites) = (game.width(), features.marks.sites());
    let position = scratch.position();
    features.marks.look(position, width, 0, &states, &mut Vec::new(), |weight| seen.push(weight));
    let board = &game.rules().board;
    let empty = Site(board.sites().position(|site| board.label(site) == "C2").expect("C2") as u16);
    let mut told = Vec::new();
    for (site, weight) in sites.zip(&seen) {
        let (table, look) = features.marks.explain(*weight).expect("a weight of a mark");
        assert_eq!(look.state, states[site.index()]);
        if look.owners != 0 {
            let owner: Vec<_> = table.players(look.owners).map(PlayerId::index).collect();
            assert_eq!((look.next_owners, look.next_state), (0, Some(states[empty.index()])));
            told.push(format!("{} {owner:?}", board.label(site)));
        }
    }
    assert_eq!(seen.len(), 8 * 15);
    told.sort();
    assert_eq!(told, ["B1 [1]", "B3 [0]", "C1 [1]", "C3 [0]", "D1 [1]", "D3 [0]"]);
}
