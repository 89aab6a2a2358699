//! The text format of trainings.
//!
//! ```text
//! ludwright evaluation 1
//! game: Breakthrough
//! rules: 0123456789abcdef0123456789abcdef
//! options: Size=8
//! seed: 1
//! games: 20000
//! seconds: 60.0
//! strong: alpha-beta
//! match: alpha-beta scored 38.5 of 40 against mcts, 20 ms a ply
//! match: tree scored 31.0 of 40 against mcts, 20 ms a ply
//! match: leaves scored 32.5 of 40 against mcts, 20 ms a ply
//! match: leaves exploration 0.5 scored 24.0 of 40 against leaves, 20 ms a ply
//! layout: 302296 weights, 1 set, 89abcdef01234567
//!
//! believes (explaining 0.83 of its values):
//!   each own Pawn more: 58 %
//!
//! weights (in 1024ths):
//! 12 -7 z300 5 …
//! ```
//!
//! `zN` stands for N zeros. The features are not written: they follow from the rules, and the
//! layout says whether they are still the same.

use super::beliefs::Beliefs;
use super::network::{Evaluation, Features};
use super::observations::Found;
use super::style::Style;
use crate::engine::game::Game;
use crate::language::quantities::counted;
use crate::language::rules::Rules;
use crate::random::mix;
use crate::record::fingerprint;
use std::fmt::Write;
use std::sync::Arc;

/// The first line.
const HEAD: &str = "ludwright evaluation 1";
/// The beginning of the line before the beliefs.
const BELIEVES: &str = "believes (explaining ";
/// Weights are written as integers, in units of 1 / `UNIT`.
const UNIT: f32 = 1024.0;
/// The largest absolute weight, in these units.
const MAX_WEIGHT: f32 = 1_000_000.0;
/// The longest line of weights.
const WIDTH: usize = 100;
/// The largest text of a training, in bytes.
pub const LIMIT: usize = 64 << 20;

/// The result of a match between two styles of search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MatchResult {
    pub style: Style,
    pub against: Style,
    /// A win counts 1, a draw ½.
    pub score: f64,
    pub games: u32,
    /// The time of each ply, in milliseconds.
    pub milliseconds: u64,
}

/// A training of one game.
#[derive(Clone, Debug)]
pub struct Learned {
    pub evaluation: Arc<Evaluation>,
    pub seed: u64,
    /// The number of games from which it was learned.
    pub games: u64,
    pub seconds: f64,
    pub style: Style,
    pub results: Vec<MatchResult>,
    /// What the evaluation believes, in words.
    pub beliefs: Beliefs,
}

/// Rounds weights to the precision of the text.
pub(super) fn rounded(weights: &[f32]) -> Vec<f32> {
    weights.iter().map(|weight| units(*weight) as f32 / UNIT).collect()
}

fn units(weight: f32) -> i32 {
    (weight * UNIT).round().clamp(-MAX_WEIGHT, MAX_WEIGHT) as i32
}

/// Returns the key of the training of these rules: 32 hexadecimal digits that depend on the text of
/// the rules and on the options.
pub fn key(rules: &Rules) -> String {
    let text = format!("{}{}", fingerprint(rules), options(rules));
    let half = |seed: u64| text.bytes().fold(seed, |hash, byte| mix(hash, u64::from(byte)));
    format!("{:016x}{:016x}", half(1), half(2))
}

fn options(rules: &Rules) -> String {
    let option =
        |option: &crate::language::rules::Choice| format!("{}={}", option.name, option.value());
    rules.options.iter().map(option).collect::<Vec<String>>().join(" ")
}

/// Returns a hash of the layout of the features.
fn layout(features: &Features) -> u64 {
    let mut hash = 0;
    let mut add = |number: usize| hash = mix(hash, number as u64);
    add(features.heads.sets);
    add(usize::from(features.is_relative));
    features.sites.keys.iter().for_each(|&key| add(usize::from(key)));
    for family in &features.patterns.families {
        add(family.base as usize);
        add(family.digits as usize);
    }
    for block in &features.patterns.blocks {
        [block.family, block.windows, block.table].iter().for_each(|&number| add(number as usize));
        block.sites.iter().flatten().for_each(|site| add(site.index()));
    }
    for (observation, _) in &features.observations.all {
        add(observation.definition.index());
        add(observation.player.map_or(0, |player| player.index() + 1));
        add(match observation.found {
            Found::Sites => 0,
            Found::Number => 1,
            Found::AtLeast(least) => 1 + least as usize,
            Found::Lead(least) => 100 + least as usize,
        });
    }
    for counter in &features.counters.counters {
        add(counter.least as usize);
        add(counter.stride as usize);
        add(counter.ranges as usize);
    }
    add(features.marks.weights as usize);
    hash
}

impl Learned {
    /// Writes the training as text.
    pub fn write(&self, rules: &Rules) -> String {
        let features = &self.evaluation.features;
        let mut text = format!("{HEAD}\ngame: {}\n", rules.title.replace('\n', " "));
        let mut line = |name: &str, value: &str| {
            let _ = writeln!(text, "{name}: {value}");
        };
        line("rules", &fingerprint(rules));
        line("options", &options(rules));
        line("seed", &self.seed.to_string());
        line("games", &self.games.to_string());
        line("seconds", &format!("{:.1}", self.seconds));
        line("strong", &self.style.to_string());
        for MatchResult { style, against, score, games, milliseconds } in &self.results {
            let said = format!(
                "{style} scored {score:.1} of {games} against {against}, {milliseconds} ms a ply"
            );
            line("match", &said);
        }
        let (weights, sets) = (features.weights(), counted(features.heads.sets as u64, "set"));
        line("layout", &format!("{weights} weights, {sets}, {:016x}", layout(features)));
        let Beliefs { sentences, explained } = &self.beliefs;
        let _ = writeln!(text, "\n{BELIEVES}{explained:.2} of its values):");
        for sentence in sentences {
            let _ = writeln!(text, "  {sentence}");
        }
        let _ = writeln!(text, "\nweights (in 1024ths):");
        write_weights(&self.evaluation.weights, &mut text);
        text
    }

    /// Reads a text that [`Learned::write`] made for a game.
    ///
    /// # Errors
    /// Returns a message: the line and what was expected there, or that the training is of other
    /// rules.
    pub fn read(game: &Game, text: &str) -> Result<Learned, String> {
        let rules = game.rules();
        let mut lines = (1..).zip(text.lines());
        match lines.next() {
            Some((_, HEAD)) => {}
            Some((_, line)) if line.starts_with("ludwright evaluation") => {
                return Err("the training was written by another version of the program".into());
            }
            _ => return Err(format!("line 1: expected `{HEAD}`")),
        }
        let (mut seed, mut games, mut seconds) = (0, 0, 0.0);
        let (mut style, mut results, mut found) = (None, Vec::new(), None);
        let mut beliefs: Option<Beliefs> = None;
        for (number, line) in lines.by_ref() {
            if line.starts_with("weights") {
                break;
            }
            if let Some(explained) = line.strip_prefix(BELIEVES) {
                let share = explained.split_once(' ').and_then(|(share, _)| share.parse().ok());
                beliefs = Some(Beliefs { explained: share.unwrap_or(0.0), ..Beliefs::default() });
            }
            if let (Some(beliefs), Some(sentence)) = (&mut beliefs, line.strip_prefix("  ")) {
                beliefs.sentences.push(sentence.to_owned());
                continue;
            }
            let Some((name, value)) = line.split_once(": ") else { continue };
            let wrong = |expected: &str| format!("line {number}: expected {expected}");
            match name {
                "rules" if value != fingerprint(rules) => {
                    return Err("the training was made for other rules".into());
                }
                "options" if value != options(rules) => {
                    return Err("the training was made for other options".into());
                }
                "seed" => seed = value.parse().map_err(|_| wrong("a seed"))?,
                "games" => games = value.parse().map_err(|_| wrong("a number of games"))?,
                "seconds" => {
                    let read = value.parse().ok().filter(|seconds: &f64| seconds.is_finite());
                    seconds = read.ok_or_else(|| wrong("a number of seconds"))?;
                }
                "strong" => {
                    let read = Style::read(value);
                    style = Some(read.ok_or_else(|| wrong("the name of a method"))?);
                }
                "match" => results.push(read_match(value).ok_or_else(|| wrong("a result"))?),
                "layout" => found = Some(value),
                _ => {}
            }
        }
        let features = Features::new(game);
        let wanted = format!("{:016x}", layout(&features));
        if found.is_none_or(|found| !found.ends_with(&wanted)) {
            return Err("the training was made with other features".into());
        }
        let weights = read_weights(lines, features.all_weights())?;
        Ok(Learned {
            evaluation: Arc::new(Evaluation::new(Arc::new(features), weights)),
            seed,
            games,
            seconds,
            style: style.unwrap_or(Style::PLAIN),
            results,
            beliefs: beliefs.unwrap_or_default(),
        })
    }
}

fn write_weights(weights: &[f32], text: &mut String) {
    let mut column = 0;
    let mut zeros = 0u64;
    let mut add = |token: String| {
        if column > 0 && column + 1 + token.len() > WIDTH {
            text.push('\n');
            column = 0;
        }
        if column > 0 {
            text.push(' ');
            column += 1;
        }
        column += token.len();
        text.push_str(&token);
    };
    for &weight in weights {
        match units(weight) {
            0 => zeros += 1,
            units => {
                if zeros > 0 {
                    add(format!("z{zeros}"));
                }
                zeros = 0;
                add(units.to_string());
            }
        }
    }
    if zeros > 0 {
        add(format!("z{zeros}"));
    }
    text.push('\n');
}

fn read_weights<'t>(
    lines: impl Iterator<Item = (usize, &'t str)>,
    count: usize,
) -> Result<Vec<f32>, String> {
    let mut weights = Vec::with_capacity(count);
    for (number, line) in lines {
        for token in line.split_ascii_whitespace() {
            let left = count - weights.len();
            let read = match token.strip_prefix('z') {
                Some(zeros) => zeros.parse().ok().map(|zeros: usize| (zeros, 0.0)),
                None => {
                    let unit = token.parse::<i32>().ok();
                    unit.map(|unit| (1, (unit as f32).clamp(-MAX_WEIGHT, MAX_WEIGHT) / UNIT))
                }
            };
            let Some((times, weight)) = read else {
                return Err(format!("line {number}: expected a weight"));
            };
            if times > left {
                return Err(format!("line {number}: expected {count} weights, found more"));
            }
            weights.resize(weights.len() + times, weight);
        }
    }
    match weights.len() == count {
        true => Ok(weights),
        false => Err(format!("expected {count} weights, found {}", weights.len())),
    }
}

/// Reads `STYLE scored N of N against STYLE, N ms a ply`.
fn read_match(text: &str) -> Option<MatchResult> {
    let (style, rest) = text.split_once(" scored ")?;
    let style = Style::read(style)?;
    let (score, rest) = rest.split_once(" of ")?;
    let (games, rest) = rest.split_once(" against ")?;
    let (against, rest) = rest.split_once(", ")?;
    let against = Style::read(against)?;
    let milliseconds = rest.strip_suffix(" ms a ply")?.parse().ok()?;
    let score = score.parse().ok().filter(|score: &f64| score.is_finite())?;
    Some(MatchResult { style, against, score, games: games.parse().ok()?, milliseconds })
}
