//! Says why a move is legal or not, and how a value came about, as text or JSON.

use super::story::{StoryAnswer, describe_story, tell};
use crate::program::console::{Console, broken};
use crate::program::failure::Failure;
use crate::program::schema::{Answer, print};
pub use ludwright::answers::explanation::{Explanation, describe};
use ludwright::evaluate::Expression;
use ludwright::language::rules::Rules;
use ludwright::language::sources::Sources;
use ludwright::why::{self, Reply};
use schemars::JsonSchema;
use serde::Serialize;
use std::io::Write;

/// An explanation: of a move or a value, or of a ply.
#[derive(Serialize, JsonSchema)]
#[serde(untagged)]
pub enum WhyAnswer {
    Explanation(Explanation),
    Ply(StoryAnswer),
}

impl Answer for WhyAnswer {
    const NAME: &'static str = "why";
}

/// Prints the explanation of a value.
pub fn show_value(
    expression: &Expression,
    answer: &why::Answer,
    assumed: Option<&str>,
    console: &Console,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let rules = expression.rules();
    match console.json() {
        true => print_explanation(answer, rules, &rules.files, assumed, out)?,
        false => write!(out, "{}", console.answer(&rules.files, answer))?,
    }
    Ok(())
}

/// Prints a reply. The lines of a ply's account are wrapped at `width` columns.
pub fn show(
    reply: &Reply,
    rules: &Rules,
    source: &Sources,
    assumed: Option<&str>,
    console: &Console,
    width: usize,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    match reply {
        Reply::Answers(answers) if console.json() => {
            for answer in answers {
                print_explanation(answer, rules, source, assumed, out)?;
            }
        }
        Reply::Answers(answers) => {
            for answer in answers {
                write!(out, "{}", console.answer(source, answer))?;
            }
        }
        Reply::Stories(stories) if console.json() => {
            for story in stories {
                print(&WhyAnswer::Ply(describe_story(story, rules, source)), out)?;
            }
        }
        Reply::Stories(stories) => {
            for story in stories {
                write!(out, "{}", broken(&tell(story, rules, source), width))?;
            }
        }
    }
    Ok(())
}

fn print_explanation(
    answer: &why::Answer,
    rules: &Rules,
    source: &Sources,
    assumed: Option<&str>,
    out: &mut dyn Write,
) -> Result<(), Failure> {
    let assumed = assumed.map(str::to_owned);
    let explanation = Explanation { assumed, ..describe(answer, rules, source) };
    print(&WhyAnswer::Explanation(explanation), out)
}
