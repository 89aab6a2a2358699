//! Plays random games for every value of an option and shows who wins.
//!
//! `cargo run --example variants -- games/kitaran.game Komi`

use ludwright::Game;
use ludwright::playouts::Playouts;
use std::error::Error;
use std::fmt::Write;

/// Makes a table with a row for each value of the option.
pub fn table(path: &str, option: &str, games: u64) -> Result<String, Box<dyn Error>> {
    let game = Game::from_file(path, &[])?;
    let option = game
        .options()
        .into_iter()
        .find(|one| one.name == option)
        .ok_or("the game has no such option")?;
    let mut text = format!("{:>8}", option.name);
    for player in game.players() {
        write!(text, "{:>10}", game.name_of(player))?;
    }
    writeln!(text, "{:>10}{:>10}", "draws", "moves")?;
    for value in &option.values {
        let game = Game::from_file(path, &[(&option.name, value)])?;
        let tally = Playouts::new(games).threads(4).play(&game.start())?;
        write!(text, "{value:>8}")?;
        for player in game.players() {
            write!(text, "{:>8.1} %", 100.0 * tally.share(player))?;
        }
        writeln!(
            text,
            "{:>8.1} %{:>10.1}",
            100.0 * tally.draws as f64 / games as f64,
            tally.mean_plies()
        )?;
    }
    Ok(text)
}

#[allow(dead_code, reason = "the test calls what this prints")]
fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [path, option] = ["games/kitaran.game", "Komi"].map(String::from);
    let path = arguments.first().unwrap_or(&path);
    print!("{}", table(path, arguments.get(1).unwrap_or(&option), 1_000)?);
    Ok(())
}
