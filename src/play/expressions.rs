//! Expressions at the prompt: their values in the current position, on request or after each ply.

use super::reply::{Refused, Reply};
use super::session::{Screen, Session};
use crate::engine::game::State;
use crate::evaluate::{Evaluation, Expression};
use crate::language::rules::Rules;
use crate::notation::clip;
use crate::render::{Scene, drawing, spell_with as spelled};

/// The most expressions that are watched.
const MAX_WATCHED: usize = 16;

/// Tests if a word names an option, a memory or a definition, which have values.
pub fn is_name(rules: &Rules, word: &str) -> bool {
    rules.options.iter().any(|option| option.name == word)
        || rules.memories.iter().any(|memory| memory.name == word)
        || rules.definitions.iter().any(|definition| definition.name == word)
}

/// Shows a value: the board with its sites marked or its numbers, then the value in words.
pub fn show(
    expression: &Expression,
    evaluation: &Evaluation,
    position: &State,
    screen: Screen,
) -> String {
    let rules = expression.rules();
    let drawn = match evaluation.sites() {
        Some(sites) if !sites.is_empty() => {
            let scene = Scene::of(position).with_marked(sites);
            spelled(&drawing(&scene, screen.room), screen.escape)
        }
        _ => evaluation.numbers(rules).unwrap_or_default(),
    };
    let told = evaluation.describe(rules);
    let lines: String = told.lines().map(|line| wrapped(line, screen.room.width)).collect();
    format!("{drawn}{lines}")
}

fn wrapped(line: &str, width: usize) -> String {
    let options = textwrap::Options::new(width)
        .subsequent_indent("  ")
        .word_splitter(textwrap::WordSplitter::NoHyphenation);
    format!("{}\n", textwrap::fill(line, options))
}

impl Session {
    /// Evaluates an expression in the current position.
    pub(super) fn evaluate(&self, text: &str) -> Result<Reply, Refused> {
        let expression = Expression::parse(self.position().game(), text)?;
        let evaluation = expression.evaluate(self.position())?;
        let shown = show(&expression, &evaluation, self.position(), self.screen);
        Ok(Reply::Evaluated { expression: Box::new(expression), evaluation, shown })
    }

    /// Explains the value of an expression.
    pub(super) fn explain_value(&self, text: &str) -> Result<Reply, Refused> {
        let expression = Expression::parse(self.position().game(), text)?;
        let answer = Box::new(expression.explain(self.position())?);
        Ok(Reply::ExplainedValue { expression: Box::new(expression), answer })
    }

    /// Watches an expression, stops watching, or lists the watched expressions.
    pub(super) fn watch(&mut self, text: &str) -> Result<Reply, Refused> {
        match text {
            "" if self.watched.is_empty() => Ok(Reply::Said(
                "No expression is watched; `watch (…)` shows one after each ply.\n".to_owned(),
            )),
            "" => Ok(Reply::Said(self.watched_lines())),
            "off" => {
                self.watched.clear();
                Ok(Reply::Said(String::new()))
            }
            _ => {
                let reply = self.evaluate(text)?;
                if self.watched.len() == MAX_WATCHED {
                    let message = format!("at most {MAX_WATCHED} expressions are watched");
                    return Err(Refused {
                        help: Some("`watch off` ends watching all of them".to_owned()),
                        ..message.into()
                    });
                }
                let text = text.split_whitespace().collect::<Vec<&str>>().join(" ");
                if !self.watched.contains(&text) {
                    self.watched.push(text);
                }
                Ok(reply)
            }
        }
    }

    /// Returns the watched expressions with their values in the current position; `None` if one
    /// has no value under these rules.
    pub fn watched(&self) -> Vec<(&str, Option<(Expression, Evaluation)>)> {
        let value = |text: &str| {
            let expression = Expression::parse(self.position().game(), text).ok()?;
            let evaluation = expression.evaluate(self.position()).ok()?;
            Some((expression, evaluation))
        };
        self.watched.iter().map(|text| (text.as_str(), value(text))).collect()
    }

    /// Writes the watched expressions with their values.
    pub(super) fn watched_lines(&self) -> String {
        let line = |(text, found): (&str, Option<(Expression, Evaluation)>)| match found {
            Some((expression, evaluation)) => {
                let told = evaluation.describe(expression.rules()).replace('\n', "; ");
                wrapped(&format!("{text}: {told}"), self.screen.room.width)
            }
            None => format!("{}: no value under these rules\n", clip(text)),
        };
        self.watched().into_iter().map(line).collect()
    }
}
