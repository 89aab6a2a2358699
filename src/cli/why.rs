//! `ludwright why`: explains why a move is legal or not, what the last plies did, or how the game
//! ended.

use crate::program::answers::explanation::{show, show_value};
use crate::program::arguments::Why;
use crate::program::console::Console;
use crate::program::failure::Failure;
use crate::program::game::Loaded;
use ludwright::evaluate::{Expression, is_expression};
use ludwright::why::{Answer, Reply, Verdict, ask};
use std::io::Write;

/// Answers a question. The exit code is 1 if it cannot be read.
pub fn run(task: &Why, console: &Console, out: &mut dyn Write) -> Result<u8, Failure> {
    let (loaded, position, _) = Loaded::at_start_of(&task.game, &task.start, console)?;
    let question = task.question.join(" ");
    if is_expression(&question) {
        let expression = Expression::parse(&loaded.game, &question)
            .map_err(|rejected| Failure::Rejected(Box::new(rejected)))?;
        let answer = expression.explain(&position).map_err(Failure::input)?;
        show_value(&expression, &answer, loaded.assumed.as_deref(), console, out)?;
        return Ok(0);
    }
    let reply = ask(&position, &question).map_err(Failure::input)?;
    let (rules, assumed) = (loaded.game.rules(), loaded.assumed.as_deref());
    show(&reply, rules, &loaded.source, assumed, console, usize::MAX, out)?;
    let is_unreadable = |answer: &Answer| answer.verdict == Verdict::Unreadable;
    Ok(match reply {
        Reply::Answers(answers) if answers.iter().any(is_unreadable) => 1,
        _ => 0,
    })
}
