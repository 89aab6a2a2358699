//! The solver finds symmetries of games, and they are symmetries.

use super::{Solution, SolveLimits, game, prove, solve};
use crate::support::rules_files;
use ludwright::board::{Direction, Site};
use ludwright::engine::game::{Argument, Game, Move};
use ludwright::engine::snapshot::{MemoryValue, Snapshot};
use ludwright::notation::spell;
use ludwright::random::Random;
use ludwright::solve::symmetry::{Symmetry, symmetries};
use std::collections::{BTreeSet, HashMap};
use std::path::PathBuf;

fn turned(symmetry: &Symmetry, game: &Game, snapshot: &Snapshot) -> Snapshot {
    let rules = game.rules();
    let mut image = Snapshot::empty(rules);
    for site in rules.board.sites() {
        image.pieces[symmetry.site(site).index()] = snapshot.pieces[site.index()];
    }
    let sites = |sites: &[Site]| {
        let mut turned: Vec<Site> = sites.iter().map(|&site| symmetry.site(site)).collect();
        turned.sort();
        turned
    };
    image.cut = sites(&snapshot.cut);
    for (memory, memories) in snapshot.memories.iter().enumerate() {
        let directions = &rules.memories[memory].per_direction;
        for (place, value) in memories.iter().enumerate() {
            let to = match directions.len() {
                0 => place,
                many => {
                    let turned = symmetry.direction(directions[place % many]);
                    place - place % many
                        + directions
                            .iter()
                            .position(|&other| other == turned)
                            .expect("a direction of the memory")
                }
            };
            image.memories[memory][to] = match value {
                MemoryValue::Sites(all) => MemoryValue::Sites(sites(all)),
                MemoryValue::Site(site) => MemoryValue::Site(site.map(|site| symmetry.site(site))),
                MemoryValue::NumberPerSite(numbers) => {
                    let mut image = numbers.clone();
                    rules.board.sites().for_each(|site| {
                        image[symmetry.site(site).index()] = numbers[site.index()]
                    });
                    MemoryValue::NumberPerSite(image)
                }
                MemoryValue::KindPerSite(kinds) => {
                    let mut image = kinds.clone();
                    rules
                        .board
                        .sites()
                        .for_each(|site| image[symmetry.site(site).index()] = kinds[site.index()]);
                    MemoryValue::KindPerSite(image)
                }
                MemoryValue::Direction(direction) => {
                    MemoryValue::Direction(direction.map(|direction| symmetry.direction(direction)))
                }
                MemoryValue::SitePerSite(_) | MemoryValue::DirectionPerSite(_) => {
                    panic!("no symmetry is found where sites or directions are stored per site")
                }
                MemoryValue::Number(_)
                | MemoryValue::Player(_)
                | MemoryValue::Kind(_)
                | MemoryValue::Condition(_) => value.clone(),
            };
        }
    }
    image
}

fn turned_ply(symmetry: &Symmetry, game: &Game, ply: &Move) -> Move {
    let turned = |argument: &Argument| match *argument {
        Argument::Site(site) => Argument::Site(symmetry.site(site)),
        Argument::Direction(direction) => Argument::Direction(symmetry.direction(direction)),
        other => other,
    };
    let arguments = ply.arguments.iter().map(turned).collect();
    Move { rule: ply.rule, arguments }.in_order(game.rules())
}

fn spelled(game: &Game, plies: impl Iterator<Item = Move>) -> BTreeSet<String> {
    plies.map(|ply| spell(game.rules(), &ply)).collect()
}

/// Plays random games in lockstep with their images: legal plies, successors and results must be
/// images, too.
#[test]
fn images_of_games_are_games() {
    for (index, path) in rules_files().iter().enumerate() {
        let game = ludwright::load_file(path, &[])
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let symmetries = symmetries(&game);
        // Where there are many symmetries, most are composed of others.
        let plies = 160 / symmetries.len().clamp(2, 8);
        for symmetry in symmetries {
            let mut random = Random::new(index as u64);
            let mut play = game.begin().expect("it begins");
            let start = turned(&symmetry, &game, &play.snapshot());
            let mut image = game
                .begin_at(&start, play.decision().expect("a decision"), &play.counters())
                .expect("an image");
            for _ in 0..plies {
                let what = format!("{}: {symmetry:?}", path.display());
                assert_eq!(turned(&symmetry, &game, &play.snapshot()), image.snapshot(), "{what}");
                assert_eq!(
                    (play.outcome(), play.decision()),
                    (image.outcome(), image.decision()),
                    "{what}"
                );
                let legal = spelled(
                    &game,
                    play.legal().iter().map(|ply| turned_ply(&symmetry, &game, ply)),
                );
                assert_eq!(legal, spelled(&game, image.legal().iter().cloned()), "{what}");
                if play.legal().is_empty() {
                    break;
                }
                let ply = play.legal()[random.below(play.legal().len() as u32) as usize].clone();
                play.play(&ply).expect("a legal move");
                image.play(&turned_ply(&symmetry, &game, &ply)).expect("a legal image");
            }
        }
    }
}

/// Number of symmetries of each game other than the identity, with the reason.
#[test]
fn symmetries_are_found_as_far_as_they_go() {
    let expected = [
        // The square has eight symmetries, and the rules distinguish none of them.
        ("games/cicada.game", 7),
        ("games/diagonal-kitaran.game", 7),
        ("games/hexomino-cicada.game", 7),
        ("games/kitaran.game", 7),
        ("tests/games/amazons.game", 7),
        ("tests/games/connect-six.game", 7),
        ("tests/games/ataxx.game", 7),
        ("tests/games/othello.game", 7),
        ("tests/games/outlast.game", 7),
        ("tests/games/misere-tic-tac-toe.game", 7),
        ("tests/games/three-player-tic-tac-toe.game", 7),
        ("tests/games/three-rounds.game", 7),
        ("tests/games/maelstrom.game", 7),
        ("tests/games/tic-tac-toe.game", 7),
        // Lines that are the same from every side.
        ("tests/games/nine-mens-morris.game", 7),
        ("tests/games/bagh-chal.game", 7),
        ("tests/games/mu-torere.game", 7),
        ("tests/games/surakarta.game", 7),
        // Each player has a row and a store of his own.
        ("tests/games/kalah.game", 0),
        ("tests/games/homeward.game", 0),
        ("tests/games/backgammon.game", 0),
        ("tests/games/kara.game", 0),
        // A hexagon with sides of alternating lengths.
        ("games/double-move-situ.game", 5),
        ("games/wide-situ.game", 5),
        // Lines that are the same on the left and on the right, with a triangle at the top.
        ("tests/games/la-yagua.game", 1),
        ("tests/games/merimueng.game", 1),
        // Stones fall, pawns advance, men step forward: only left and right are interchangeable.
        ("tests/games/breakthrough.game", 1),
        ("tests/games/connect-four.game", 1),
        ("tests/games/draughts.game", 1),
        ("tests/games/lasca.game", 1),
        ("tests/games/flying-draughts.game", 1),
        ("tests/games/international-draughts.game", 1),
        ("tests/games/minishogi.game", 1),
        ("tests/games/xiangqi.game", 1),
        ("tests/games/paper-soccer.game", 1),
        ("tests/games/short-quoridor.game", 1),
        // A reflection in the line from corner to corner keeps the two ways in which a pawn captures.
        ("tests/games/mccooey-chess.game", 1),
        // Some cards lead to the left and others to the right.
        ("tests/games/onitama.game", 0),
        // A wall is named by the one of its two directions that only a half turn does not keep.
        ("tests/games/quoridor.game", 0),
        // Lines of marbles are named by one of two opposite directions, which only one reflection keeps.
        ("tests/games/abalone.game", 1),
        // Too many sites.
        ("tests/games/twixt.game", 0),
        // Groups and jumps are the same from every side.
        ("tests/games/go.game", 7),
        ("tests/games/superko-go.game", 7),
        ("tests/games/tak.game", 7),
        ("tests/games/dots-and-boxes.game", 7),
        // All layers turn together.
        ("tests/games/spline.game", 7),
        ("tests/games/lines-of-action.game", 7),
        ("tests/games/peg-solitaire.game", 7),
        // Pieces are removed, and marbles put, in an order that the proof cannot handle.
        ("tests/games/brandubh.game", 0),
        ("tests/games/pentago.game", 0),
        // Exchanging the two forward directions reflects the rhombus in its long diagonal, which
        // moves the far row.
        ("tests/games/hex-breakthrough.game", 0),
        // Seven rotations of the cylinder, each with its reflection.
        ("tests/games/cylinder-connect-four.game", 13),
        // A half turn keeps both pairs of sides.
        ("tests/games/hex.game", 1),
        ("tests/games/hex-with-pie.game", 1),
        // Each player has directions of his own.
        ("tests/games/dodgem.game", 0),
        ("tests/games/pair-breakthrough.game", 0),
        // A rectangle: left and right, top and bottom.
        ("tests/games/dara.game", 3),
        ("tests/games/fanorona.game", 3),
        ("tests/games/choko.game", 7),
        ("tests/games/guerrilla-checkers.game", 7),
        // Left and right.
        ("tests/games/shanzak-kammar.game", 1),
        // The holes leave the two diagonals, and a half turn.
        ("tests/games/holed-othello.game", 3),
        // Castling relocates the rook site by site, in an order that the proof cannot handle.
        ("tests/games/chess.game", 0),
        // Cubes are captured in the order of directions, which matters when the supply runs out.
        ("games/swarm.game", 0),
        ("games/two-dice-swarm.game", 0),
        // Stones are harvested in an order that the proof cannot handle.
        ("games/lichen-chess.game", 0),
    ];
    let expected: HashMap<PathBuf, usize> =
        expected.into_iter().map(|(file, count)| (PathBuf::from(file), count)).collect();
    let mut wrong = Vec::new();
    for path in rules_files() {
        let game = ludwright::load_file(&path, &[])
            .unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let found = symmetries(&game).len();
        if expected.get(&path) != Some(&found) {
            wrong.push(format!("{} has {found}", path.display()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A rule that names a direction, a site, a row or an order breaks symmetries.
#[test]
fn what_tells_sites_apart_breaks_symmetry() {
    let count = |part: &str| {
        let text = format!(
            "(game \"Test\" (players A B) (board (square 4)) (piece Stone) (remember Last site) {part} (play (turns (choose put))))"
        );
        let game =
            ludwright::load(text.as_str(), &[]).unwrap_or_else(|error| panic!("{part}: {error}"));
        symmetries(&game).len() + 1
    };
    for (part, symmetries) in [
        ("(move put (to t (empty)) (put Stone t))", 8),
        ("(move put (to t (empty)) (put Stone t) (set Last t))", 8),
        ("(move put (to t (empty)) (require (none (step t N))) (put Stone t))", 2),
        ("(move put (to t (empty)) (require (none (beside t (list N S)))) (put Stone t))", 4),
        ("(move put (to t (empty)) (require (none (beside t diagonal))) (put Stone t))", 8),
        ("(move put (to t (and (empty) (not (sites a1)))) (put Stone t))", 2),
        ("(move put (to t (and (empty) (not (sites b1)))) (put Stone t))", 1),
        ("(move put (to t (and (empty) (not (or (row 1) (row 4))))) (put Stone t))", 4),
        ("(move put (to t (empty)) (for d orthogonal (put Stone (step t d))))", 1),
        // A reflection exchanges north and east. The proof does not see that adjacency is mutual,
        // so opposite directions count as different.
        (
            "(move put (to t (empty)) (put Stone t)) (end (if (some d (list N E) (any (where s (mine) (in (step s d) (mine))))) (win mover)))",
            2,
        ),
        (
            "(move put (to t (empty)) (put Stone t)) (end (if (some d (list N E) (any (where s (mine) (>= (count (walk s d (mine))) 2)))) (win mover)))",
            8,
        ),
        // The region of the row depends on the direction.
        (
            "(move put (to t (empty)) (put Stone t)) (end (if (some d (list N E) (any (where s (and (mine) (beside (mine) d)) (>= (count (walk s d (and (mine) (beside (mine) d)))) 2)))) (win mover)))",
            2,
        ),
        (
            "(move put (to t (empty)) (put Stone t)) (end (if (some d (list N E) (any (where s (mine) (and (in (step s d) (mine)) (in (step s (opposite d)) (mine)))))) (win mover)))",
            8,
        ),
        (
            "(move put (to t (empty)) (put Stone t)) (end (if (any (and (group (and (row 1) (mine)) (mine)) (row 4))) (win mover)))",
            4,
        ),
        (
            "(move put (to t (empty)) (put Stone t)) (end (if (any (and (group (and (row 1) (mine)) (mine) (list N E)) (row 4))) (win mover)))",
            1,
        ),
    ] {
        assert_eq!(count(part), symmetries, "{part}");
    }
}

#[test]
fn directions_and_their_images_have_opposites_alike() {
    let game = game("games/double-move-situ.game", &[]);
    for symmetry in symmetries(&game) {
        assert!(
            Direction::ALL.iter().all(
                |&way| symmetry.direction(way.opposite()) == symmetry.direction(way).opposite()
            )
        );
    }
}

/// A comet turns at every step and leaves its tail behind. The only memory is a direction.
const COMET: &str = r#"(game "Comet"
  (players A B)
  (board (rectangle 5 3))
  (piece Head unowned)
  (piece Tail unowned)
  (remember Course direction)
  (setup (put Head centre))
  (move turn
    (from s (pieces Head))
    (towards d all)
    (require (and (not (= d Course)) (in (step s d) (empty))))
    (relocate s (step s d))
    (put Tail s)
    (set Course d))
  (play (turns (choose turn (otherwise (lose mover))))))"#;

/// A remembered direction is turned with the board, in what is explored and in proofs.
#[test]
fn remembered_directions_turn_with_the_board() {
    let game = ludwright::load(COMET, &[]).expect("a game");
    let start = game.begin().expect("it begins");
    let of = |symmetric: bool| {
        let limits = SolveLimits { symmetric, ..SolveLimits::default() };
        let values = |solution: Solution| -> Vec<_> {
            solution
                .first
                .into_iter()
                .map(|first| (first.ply, first.value, first.distance))
                .collect()
        };
        let whole = solve(&start, &limits, &mut |_| true).expect("an end");
        let proof = prove(&start, &limits, &mut |_| true).expect("an end");
        assert_eq!(whole.symmetries, if symmetric { 4 } else { 1 });
        (values(whole), values(proof))
    };
    assert_eq!(of(true), of(false));
}
