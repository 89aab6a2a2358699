//! `ludwright eval`: evaluates an expression in a position.
//!
//! In JSON the value has the key `expression` and, without a free variable, `type` (`number`,
//! `condition`, `sites`, `site`, `direction`, `directions`, `player`, `piece`, `list` or `word`)
//! and `value`. With a free variable it has `variable`, `of` (the number of its values) and either
//! `holds` (the values for which a condition holds) or `values` (pairs of `at` and `value`).
//! Nowhere, no direction and no kind are null. If `--position` fits several turns, `assumed` names
//! the ply assumed.

use crate::program::answers::evaluation::describe;
use crate::program::arguments::Eval;
use crate::program::console::Console;
use crate::program::failure::Failure;
use crate::program::game::Loaded;
use ludwright::evaluate::Expression;
use ludwright::play::{Screen, show_value};
use ludwright::render::Room;
use std::io::Write;

/// Evaluates an expression. The exit code is 1 if it is wrong.
pub fn run(task: &Eval, console: &Console, out: &mut dyn Write) -> Result<u8, Failure> {
    let (loaded, position, _) = Loaded::at_start_of(&task.game, &task.start, console)?;
    let expression = Expression::parse(&loaded.game, &task.expression.join(" "))
        .map_err(|rejected| Failure::Rejected(Box::new(rejected)))?;
    let evaluation = expression.evaluate(&position).map_err(Failure::input)?;
    if console.json() {
        writeln!(out, "{}", loaded.add_assumed(describe(&expression, &evaluation)))?;
    } else {
        let screen = Screen { room: Room::default(), escape: console.color_prefix() };
        write!(out, "{}", show_value(&expression, &evaluation, &position, screen))?;
    }
    Ok(0)
}
