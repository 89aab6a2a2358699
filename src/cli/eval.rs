//! `ludwright eval`: evaluates an expression in a position.

use crate::program::answers::evaluation::{EvalAnswer, describe};
use crate::program::arguments::Eval;
use crate::program::console::Console;
use crate::program::failure::Failure;
use crate::program::game::Loaded;
use crate::program::schema::print;
use ludwright::evaluate::Expression;
use ludwright::play::{Screen, show_value};
use ludwright::render::Room;
use std::io::Write;

/// Evaluates an expression. The exit code is 1 if the expression has errors.
pub fn run(task: &Eval, console: &Console, out: &mut dyn Write) -> Result<u8, Failure> {
    let (loaded, position, _) = Loaded::at_start_of(&task.game, &task.start, console)?;
    let expression = Expression::parse(&loaded.game, &task.expression.join(" "))
        .map_err(|rejected| Failure::Rejected(Box::new(rejected)))?;
    let evaluation = expression.evaluate(&position).map_err(Failure::input)?;
    if console.json() {
        let evaluation = describe(&expression, &evaluation);
        print(&EvalAnswer { subject: Some(loaded.subject()), evaluation }, out)?;
    } else {
        let screen = Screen { room: Room::default(), escape: console.color_prefix() };
        write!(out, "{}", show_value(&expression, &evaluation, &position, screen))?;
    }
    Ok(0)
}
