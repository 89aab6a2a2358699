//! Positions and moves as numbers: actions, masks, planes and batches, against the same told in
//! sites and moves, on generated games and those that ship.

use crate::generator::generate;
use ludwright::batch::{Batch, BatchError};
use ludwright::random::Random;
use ludwright::{Argument, Game, MemoryValue, Move, Player, State, Turn};
use std::collections::HashSet;
use std::fs;

/// The generated games, and the plies that are made in each.
const GAMES: u64 = 120;
const PLIES: usize = 30;

/// Returns the games that ship and many generated ones, each with its name.
fn games() -> impl Iterator<Item = (String, Game)> {
    let shipped = ["games", "tests/games"].into_iter().flat_map(|folder| {
        let files =
            fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").path());
        files.filter(|path| path.extension().is_some_and(|ending| ending == "game"))
    });
    let shipped = shipped
        .filter_map(|path| Some((path.display().to_string(), Game::from_file(&path, &[]).ok()?)));
    let generated = (0..GAMES).map(|seed| {
        let text = generate(seed).text;
        (text.clone(), Game::from_source(&text, &[]).expect("a generated game"))
    });
    shipped.chain(generated)
}

/// Calls `look` on the positions of a random game.
fn walk(game: &Game, mut look: impl FnMut(&State)) {
    let mut random = Random::new(7);
    let mut state = game.start();
    for _ in 0..PLIES {
        look(&state);
        let moves = state.legal_moves();
        if moves.is_empty() || moves.len() > 5_000 {
            break;
        }
        if state.play(moves[random.below(moves.len() as u32) as usize]).is_err() {
            break;
        }
    }
}

/// Every legal move has a number of its own, which the mask and the spelling agree about.
#[test]
fn legal_moves_have_numbers_of_their_own() {
    let mut numbered = 0;
    for (name, game) in games() {
        let Some(count) = game.action_count() else { continue };
        let mut mask = vec![true; if count > 1 << 22 { 0 } else { count }];
        walk(&game, |state| {
            let mut seen = HashSet::new();
            for ply in state.moves() {
                let action = state.action(ply).unwrap_or_else(|| panic!("{name}: no action"));
                assert!(action < count && seen.insert(action), "{name}: {action}");
                assert_eq!(game.action_name(action), Some(state.spell(ply)), "{name}");
                numbered += 1;
            }
            if let Some(&action) = seen.iter().min() {
                assert_eq!(state.move_of(action).and_then(|ply| state.action(ply)), Some(action));
            }
            if !mask.is_empty() {
                state.mask(&mut mask);
                let marked = (0..count).filter(|&action| mask[action]).collect::<HashSet<_>>();
                assert_eq!(marked, seen, "{name}");
            }
        });
    }
    assert!(numbered > 20_000, "{numbered}");
}

/// Returns what a player is to another, as the names of planes have it.
fn seat(game: &Game, viewer: Player, player: Player) -> String {
    let count = game.players().len();
    match ((player.index() + count - viewer.index()) % count, count) {
        (0, _) => "own".to_owned(),
        (_, 2) => "opponent".to_owned(),
        (after, _) => format!("own+{after}"),
    }
}

/// What each player sees is what the position says of pieces, memories and turns.
#[test]
fn planes_show_the_position() {
    let mut compared = 0;
    for (name, game) in games() {
        let (planes, sites) = (game.planes(), game.sites().len());
        assert_eq!(planes.iter().collect::<HashSet<_>>().len(), planes.len(), "{name}: {planes:?}");
        let mut numbers = vec![f32::NAN; planes.len() * sites];
        walk(&game, |state| {
            for viewer in game.players() {
                numbers.fill(f32::NAN);
                state.observe(viewer, &mut numbers);
                let plane = |wanted: &str| {
                    let index = planes.iter().position(|plane| plane == wanted);
                    index.map(|index| &numbers[index * sites..][..sites])
                };
                let owner = |owner: Option<Player>| {
                    owner.map(|owner| format!(" ({})", seat(&game, viewer, owner)))
                };
                let expected: HashSet<(String, usize)> = state
                    .pieces()
                    .into_iter()
                    .map(|piece| {
                        let site = game.site(&piece.site).expect("a site").index();
                        let owner = owner(piece.owner).unwrap_or_default();
                        (format!("{}{owner}", piece.name), site)
                    })
                    .collect();
                for (kind, site) in &expected {
                    assert_eq!(plane(kind).map(|plane| plane[*site]), Some(1.0), "{name}: {kind}");
                }
                for memory in state.memories() {
                    let part = memory.part.map(|part| format!(" {part}")).unwrap_or_default();
                    let owner = owner(memory.owner).unwrap_or_default();
                    let kept = format!("{}{part}{owner}", memory.name);
                    let one_hot = |what: &str| plane(&format!("{kept} = {what}")).expect("a plane");
                    match memory.value {
                        MemoryValue::Number(number) => {
                            assert_eq!(
                                plane(&kept),
                                Some(&vec![number as f32; sites][..]),
                                "{name}"
                            );
                        }
                        MemoryValue::Condition(holds) => {
                            let number = f32::from(u8::from(holds));
                            assert_eq!(plane(&kept), Some(&vec![number; sites][..]), "{name}");
                        }
                        MemoryValue::Sites(members) => {
                            let plane = plane(&kept).expect("a plane");
                            for site in game.sites() {
                                let number = f32::from(u8::from(members.contains(&site)));
                                assert_eq!(plane[site.index()], number, "{name}: {kept}");
                            }
                        }
                        MemoryValue::Site(at) => {
                            let total: f32 = plane(&kept).expect("a plane").iter().sum();
                            assert_eq!(total, f32::from(u8::from(at.is_some())), "{name}: {kept}");
                            if let (Some(at), Some(plane)) = (at, plane(&kept)) {
                                assert_eq!(plane[at.index()], 1.0);
                            }
                        }
                        MemoryValue::Player(player) => {
                            assert_eq!(one_hot(&seat(&game, viewer, player))[0], 1.0, "{name}");
                        }
                        MemoryValue::Name(Some(value)) => assert_eq!(one_hot(&value)[0], 1.0),
                        MemoryValue::Numbers(all) => {
                            let all: Vec<f32> = all.iter().map(|&number| number as f32).collect();
                            assert_eq!(plane(&kept), Some(&all[..]), "{name}: {kept}");
                        }
                        MemoryValue::Names(all) => {
                            for (site, value) in all.iter().enumerate() {
                                let Some(value) = value else { continue };
                                assert_eq!(one_hot(value)[site], 1.0, "{name}: {kept}");
                            }
                        }
                        _ => {}
                    }
                    compared += 1;
                }
                if let Turn::Player(mover) = state.turn() {
                    let to_move = format!("to move: {}", seat(&game, viewer, mover));
                    assert_eq!(plane(&to_move).map(|plane| plane[0]), Some(1.0), "{name}");
                }
                assert!(numbers.iter().all(|number| !number.is_nan()), "{name}");
                // Nothing is seen that is not there.
                let kinds = planes.iter().take_while(|plane| !plane.starts_with("to move"));
                let pieces = kinds.filter(|kind| expected.iter().any(|(known, _)| known == *kind));
                for kind in pieces {
                    let there = expected.iter().filter(|(known, _)| known == kind).count();
                    let total: f32 = plane(kind).expect("a plane").iter().sum();
                    assert_eq!(total, there as f32, "{name}: {kind}");
                }
            }
        });
    }
    assert!(compared > 1_000, "{compared}");
}

/// What a move consists of is what its spelling names.
#[test]
fn the_parts_of_a_move_are_those_of_its_spelling() {
    for (name, game) in games() {
        walk(&game, |state| {
            for ply in state.moves().take(200) {
                let (parts, spelled) = (state.parts(ply).expect("a move"), state.spell(ply));
                assert_eq!(spelled.split_whitespace().next(), Some(&*parts.verb), "{name}");
                for argument in &parts.arguments {
                    let word = match argument {
                        Argument::Site(site) => game.label(*site).to_owned(),
                        Argument::Number(number) => number.to_string(),
                        Argument::Direction(direction) => (*direction).to_owned(),
                        Argument::Piece(kind) => kind.clone(),
                        _ => unreachable!("no other kind"),
                    };
                    assert!(spelled.contains(&word), "{name}: {spelled} has no {word}");
                }
            }
        });
    }
}

/// The games of a batch are the games that states play with the same actions, whatever the number
/// of threads.
#[test]
fn a_batch_plays_what_states_play() {
    let mut finished = 0;
    for (name, game) in games().filter(|(_, game)| game.start().rolls().is_empty()) {
        let Some(count) = game.action_count().filter(|&count| count <= 1 << 16) else { continue };
        let begin = |threads| Batch::new(&game, 3, 5).map(|batch| batch.threads(threads));
        let (mut one, mut two) = match (begin(1), begin(2)) {
            (Ok(one), Ok(two)) => (one, two),
            (one, two) => {
                assert_eq!(one.err(), two.err());
                continue;
            }
        };
        let sites = game.planes().len() * game.sites().len();
        let mut states = vec![game.start(); 3];
        for step in 0..PLIES as u64 {
            let actions = one.sample(step);
            let stepped = one.step(&actions);
            assert_eq!(stepped, two.step(&actions));
            if stepped.is_err() {
                break;
            }
            assert!(one.masks() == two.masks() && one.observations() == two.observations());
            let mut rolls = false;
            for (number, state) in states.iter_mut().enumerate() {
                let ply: Move = state.move_of(actions[number]).expect("a legal action");
                state.play(ply).expect("a move");
                // A batch goes on with a roll of its own, which can end the game.
                if state.turn() == Turn::Chance {
                    rolls = true;
                    continue;
                }
                let returns = state.returns();
                assert_eq!(one.ended()[number], returns.is_some(), "{name}");
                if let Some(returns) = returns {
                    let told = &one.returns()[number * returns.len()..][..returns.len()];
                    let told: Vec<f64> = told.iter().map(|&score| f64::from(score)).collect();
                    assert!(
                        told.iter().zip(&returns).all(|(one, other)| (one - other).abs() < 1e-6)
                    );
                    *state = game.start();
                    finished += 1;
                }
            }
            if rolls {
                break;
            }
            for (number, state) in states.iter().enumerate() {
                let mut mask = vec![false; count];
                state.mask(&mut mask);
                assert_eq!(&one.masks()[number * count..][..count], mask, "{name}");
                let Turn::Player(mover) = state.turn() else { panic!("{name}: nobody is to move") };
                let Turn::Player(person) = state.personal_turn() else { unreachable!() };
                assert_eq!(usize::from(one.movers()[number]), person.index());
                let mut seen = vec![0.0; sites];
                state.observe(mover, &mut seen);
                assert_eq!(&one.observations()[number * sites..][..sites], seen, "{name}");
            }
        }
    }
    assert!(finished > 50, "{finished}");
}

/// After a swap by the pie rule, movers and returns are still of the same persons.
#[test]
fn a_batch_names_persons() {
    let options = [("Size", "2")];
    let game = Game::from_file("tests/games/hex-with-pie.game", &options).expect("rules");
    let (mut batch, mut state) = (Batch::new(&game, 1, 1).expect("a game"), game.start());
    let mut movers = Vec::new();
    for text in ["place a2", "swap", "place b2", "place a1"] {
        movers.push(batch.movers()[0]);
        let ply = state.parse_move(text).expect("a move");
        batch.step(&[state.action(ply).expect("its action")]).expect("it is legal");
        state.play(ply).expect("it is legal");
    }
    // The second player has taken over Red, who wins.
    assert_eq!((movers, batch.returns()), (vec![0, 1, 0, 1], &[0.0, 1.0][..]));
}

/// Dice are rolled by the seed, alike often.
#[test]
fn a_batch_rolls_the_dice() {
    let game = Game::from_source(
        r#"(game "Roll" (players A B) (board (rectangle 1 1)) (piece Stone) (remember Total number)
          (move roll (number n 1 4) (set Total n))
          (move go)
          (play (turns (chance roll) (choose go) (win mover))))"#,
        &[],
    )
    .expect("rules");
    let seen = |seed| {
        let batch = Batch::new(&game, 400, seed).expect("games");
        let total = game.planes().iter().position(|plane| plane == "Total").expect("a plane");
        let each = batch.observations().chunks(game.planes().len());
        each.map(|planes| planes[total] as usize).collect::<Vec<_>>()
    };
    let rolled = seen(1);
    assert_eq!(rolled, seen(1));
    assert_ne!(rolled, seen(2));
    for number in 1..=4 {
        let times = rolled.iter().filter(|&&roll| roll == number).count();
        assert!((60..=140).contains(&times), "{number}: {times}");
    }
}

/// What a batch cannot take is refused, and changes nothing.
#[test]
fn a_batch_refuses_what_is_not_legal() {
    let game = Game::from_file("tests/games/tic-tac-toe.game", &[]).expect("rules");
    let mut batch = Batch::new(&game, 2, 1).expect("games");
    batch.step(&[0, 4]).expect("legal actions");
    let before = batch.observations().to_vec();
    assert_eq!(batch.step(&[4, 4]), Err(BatchError::Illegal(1)));
    assert_eq!(batch.step(&[100, 0]), Err(BatchError::Illegal(0)));
    assert_eq!(batch.step(&[1]), Err(BatchError::WrongLength));
    assert_eq!(batch.observations(), before);
    let nobody = r#"(game "Over" (players A B) (board (rectangle 1 1)) (piece Stone) (move go)
        (play (turns (win A) (choose go))))"#;
    if let Ok(game) = Game::from_source(nobody, &[]) {
        assert_eq!(Batch::new(&game, 1, 1).err(), Some(BatchError::NoChoice));
    }
    assert_eq!(Batch::new(&game, usize::MAX / 4, 1).err(), Some(BatchError::TooManyGames));
    assert!(Batch::new(&game, 0, 1).is_ok_and(|batch| batch.is_empty()));
}
