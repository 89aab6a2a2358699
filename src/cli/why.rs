//! `ludwright why`: explains why a move is legal or not, what the last plies did, or how the game
//! ended.
//!
//! In JSON an answer has the keys `about`, `verdict` (`legal`, `not-offered`, `requirement`,
//! `incomplete`, `not-now`, `over`, `unreadable` or, about an expression, `value`), `message`, `clause` (the decisive clause, or
//! null), `notes` (places with remarks) and `help`. A place has `file`, `line`, `column`, `start`
//! and `end` (bytes of the file) and `text`, the text there on one line; a note also has `says`. If
//! `--position` fits several turns, `assumed` names the ply assumed. The account of a ply has the
//! keys of `trace`.

use crate::program::answers::explanation::{describe, show, show_value};
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
        if console.json() {
            let rules = expression.rules();
            let told = describe(&answer, rules, &rules.files);
            writeln!(out, "{}", loaded.add_assumed(told))?;
        } else {
            show_value(&expression, &answer, console, out)?;
        }
        return Ok(0);
    }
    let reply = ask(&position, &question).map_err(Failure::input)?;
    match &reply {
        Reply::Answers(answers) if console.json() => {
            for answer in answers {
                writeln!(
                    out,
                    "{}",
                    loaded.add_assumed(describe(answer, loaded.game.rules(), &loaded.source))
                )?;
            }
        }
        _ => show(&reply, loaded.game.rules(), &loaded.source, console, usize::MAX, out)?,
    }
    let is_unreadable = |answer: &Answer| answer.verdict == Verdict::Unreadable;
    Ok(match reply {
        Reply::Answers(answers) if answers.iter().any(is_unreadable) => 1,
        _ => 0,
    })
}
