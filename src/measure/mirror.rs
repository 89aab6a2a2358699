//! Mirror play: the second player answers each ply of the first by its image under a symmetry of
//! the board, as long as that is legal, and otherwise plays like the first.
//!
//! Only involutions are tried: mirroring an image must lead back. The symmetry is the one by which
//! the most replies in random games are images.

use super::game_rows::{Effort, Ending, MirroredGame};
use super::play::CAP;
use crate::engine::game::{Move, State, Turn};
use crate::random::{Random, mix};
use crate::search::{Mcts, Player, PlayerKind, roll_with};
use crate::solve::symmetry::{Symmetry, automorphisms};
use std::sync::atomic::{AtomicBool, Ordering};

/// The symmetries that are tried, and the random games for each.
const MAX_SYMMETRIES: usize = 24;
const RANDOM_GAMES: u64 = 12;
/// The plies of a random game.
const RANDOM_PLIES: usize = 200;
/// The most legal plies that are listed for a symmetry; its random games stop after them.
const MAX_LISTED: usize = 1 << 20;
/// The memory limit of a searcher's tree, in bytes.
const MEMORY: usize = 32 << 20;

/// Plays games from a position in which player 1 mirrors player 0; none if the board has no
/// symmetry or if it was stopped. Also returns the work of the searches.
pub fn play(
    start: &State,
    iterations: u64,
    games: u64,
    seed: u64,
    stop: &AtomicBool,
) -> (Vec<MirroredGame>, Effort) {
    let board = &start.game().rules().board;
    let is_involution = |symmetry: &Symmetry| {
        board.sites().any(|site| symmetry.site(site) != site)
            && board.sites().all(|site| symmetry.site(symmetry.site(site)) == site)
    };
    let mut symmetries = automorphisms(board);
    symmetries.retain(is_involution);
    symmetries.truncate(MAX_SYMMETRIES);
    let share = |symmetry: &Symmetry| {
        let mut listed = 0;
        let games = (0..RANDOM_GAMES).map(|game| {
            let mut random = Random::new(mix(seed, game));
            let mut choose = |position: &State| {
                if listed > MAX_LISTED {
                    return None;
                }
                let legal = position.legal();
                listed += legal.len();
                legal.get(random.below(legal.len().max(1) as u32) as usize).cloned()
            };
            game_of(start, symmetry, mix(!seed, game), RANDOM_PLIES, stop, &mut choose)
        });
        let (images, replies) = games.fold((0, 0), |(images, replies), game| {
            (images + u64::from(game.images), replies + u64::from(game.replies))
        });
        images as f64 / replies.max(1) as f64
    };
    // Ties go to the first symmetry.
    let mut best: Option<(f64, Symmetry)> = None;
    for symmetry in symmetries {
        let share = share(&symmetry);
        if best.as_ref().is_none_or(|(most, _)| share > *most) {
            best = Some((share, symmetry));
        }
    }
    let mut effort = Effort::default();
    let mut played = Vec::new();
    let Some((_, symmetry)) = best else { return (played, effort) };
    for game in 0..games {
        let seed = mix(seed, RANDOM_GAMES + game);
        let player = |seat| {
            let kind = PlayerKind::Iterations(iterations);
            Player::searching(kind, mix(seed, seat), || Mcts::new(1, MEMORY))
        };
        let mut players = [player(0), player(1)];
        let mut choose = |position: &State| {
            let Turn::Player(mover) = position.team_turn() else { return None };
            let program = players.get_mut(mover.index())?.as_mut()?;
            let choice = program.choose_until(position, Some(stop)).ok()??;
            choice.thinking.iter().for_each(|thinking| effort.add_search(thinking));
            Some(choice.ply)
        };
        let row = game_of(start, &symmetry, !seed, CAP as usize, stop, &mut choose);
        if stop.load(Ordering::Relaxed) {
            return (Vec::new(), effort);
        }
        played.push(row);
    }
    (played, effort)
}

/// Plays a game. `choose` chooses the plies of the first player, and of the second player where no
/// image is legal.
fn game_of(
    start: &State,
    symmetry: &Symmetry,
    dice: u64,
    most: usize,
    stop: &AtomicBool,
    choose: &mut dyn FnMut(&State) -> Option<Move>,
) -> MirroredGame {
    let mut position = start.clone();
    let mut game = MirroredGame { ending: Ending::TooLong, replies: 0, images: 0 };
    // The plies of the first player's last turn that are not answered yet.
    let mut asked: Vec<Move> = Vec::new();
    let mut last = None;
    for ply in 0..most {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let turn = position.team_turn();
        let chosen = match turn {
            Turn::Nobody => break,
            Turn::Chance => Some(roll_with(&position, mix(dice, ply as u64))).flatten(),
            Turn::Player(player) if player.index() == 1 => {
                game.replies += 1;
                let image = (!asked.is_empty()).then(|| image(&asked.remove(0), symmetry));
                match image.filter(|image| position.legal().contains(image)) {
                    Some(image) => {
                        game.images += 1;
                        Some(image)
                    }
                    None => choose(&position),
                }
            }
            Turn::Player(_) => {
                let chosen = choose(&position);
                if last != Some(0) {
                    asked.clear();
                }
                asked.extend(chosen.clone());
                chosen
            }
        };
        if let Turn::Player(player) = turn {
            last = Some(player.index());
        }
        let Some(chosen) = chosen else { break };
        if position.play(&chosen).is_err() {
            game.ending = Ending::Endless;
            break;
        }
    }
    if position.outcome().is_some() {
        game.ending = Ending::from(position.team_outcome());
    }
    game
}

/// Returns the image of a ply.
fn image(ply: &Move, symmetry: &Symmetry) -> Move {
    let arguments = ply.arguments.iter().map(|&argument| symmetry.argument(argument)).collect();
    Move { rule: ply.rule, arguments }
}
