//! Lets two programs play a game and draws the board after every move: Monte-Carlo tree search for
//! the first player, a program that looks one move ahead for the others.
//!
//! `cargo run --example bot -- games/kitaran.game Size=4`

use ludwright::players::{Bot, roll};
use ludwright::{Game, Turn};
use std::error::Error;
use std::fmt::Write;

/// Plays a game and returns the moves and boards as text.
pub fn play(path: &str, options: &[(&str, &str)], seed: u64) -> Result<String, Box<dyn Error>> {
    let game = Game::from_file(path, options)?;
    let mut bots: Vec<Bot> = game.players().map(|_| Bot::greedy(seed)).collect();
    bots[0] = Bot::iterations(300, seed);
    let mut state = game.start();
    let mut text = format!(
        "{}: {} plays for {}\n\n{state}",
        game.title(),
        bots[0],
        game.players().next().map_or("", |first| game.name_of(first))
    );
    loop {
        let number = state.played().len() as u64 + 1;
        let chosen = match state.turn() {
            Turn::Player(player) => bots[player.index()].choose(&state)?.map(|choice| choice.ply),
            Turn::Chance => roll(&state, seed + number),
            Turn::Over => None,
        };
        let Some(ply) = chosen else { return Ok(text) };
        write!(text, "\n{number}. {}\n\n", state.spell(ply))?;
        state.play(ply)?;
        write!(text, "{state}")?;
    }
}

#[allow(dead_code, reason = "the test calls what this prints")]
fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let path = arguments.first().map_or("games/kitaran.game", String::as_str);
    let options: Vec<(&str, &str)> =
        arguments.iter().skip(1).filter_map(|option| option.split_once('=')).collect();
    print!("{}", play(path, &options, 1)?);
    Ok(())
}
