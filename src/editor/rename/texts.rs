//! Renames in texts about a game: rule cases and records. Words are replaced where the format has
//! names, and the result is kept only if it says the same of the renamed game.

use crate::cases::Runner;
use crate::engine::game::Game;
use crate::language::rules::Rules;
use crate::notation::{Line, symbols};
use crate::record::{Record, fingerprint};

/// A game before and after a renaming.
pub struct Renamed<'g> {
    pub before: &'g Game,
    pub after: &'g Game,
    pub from: &'g str,
    pub to: &'g str,
}

impl Renamed<'_> {
    /// Renames in a rule case. `None` if nothing changes, or the case would not say the same.
    pub fn case(&self, before: &mut Runner, after: &mut Runner, text: &str) -> Option<String> {
        let symbols = symbol_pairs(self.before.rules(), self.after.rules());
        let rename = |line: &Line| {
            // In the rows of a diagram, `#` is a site.
            let is_row = line.entry().is_none();
            let code = if is_row { line.text.trim() } else { line.content() };
            let (head, tail) = line.text.split_once(code).unwrap_or((line.text, ""));
            let renamed = match line.entry() {
                Some(("title", _)) => return line.text.to_owned(),
                Some(_) => self.words(code),
                None => with_symbols(code, &symbols),
            };
            format!("{head}{renamed}{tail}")
        };
        let lines: Vec<String> = Line::split(text).iter().map(rename).collect();
        let end = if text.ends_with('\n') { "\n" } else { "" };
        let renamed = lines.join("\n").trim_end_matches('\n').to_owned() + end;
        let count = |report: crate::cases::CaseReport| report.differences.len();
        let is_same =
            renamed != text && count(before.run(text, &[])) == count(after.run(&renamed, &[]));
        is_same.then_some(renamed)
    }

    /// Renames in a record. `None` if nothing changes, or it would not be a record of the same game.
    pub fn record(&self, text: &str) -> Option<String> {
        let mut record = Record::parse(text).ok()?;
        let old = record.clone();
        for (name, _) in record.options.iter_mut().chain(&mut record.seats) {
            *name = self.words(name);
        }
        for line in &mut record.start {
            *line = self.words(line);
        }
        for ply in &mut record.plies {
            ply.text = self.words(&ply.text);
        }
        record.result = record.result.map(|result| self.words(&result));
        if record.rules.as_deref() == Some(&fingerprint(self.before.rules())) {
            record.rules = Some(fingerprint(self.after.rules()));
        }
        let is_whole = |game: &Game, record: &Record| {
            let Ok(mut position) = record.begin(game) else { return false };
            record.replay(&mut position).is_ok()
        };
        let is_same = is_whole(self.before, &old) == is_whole(self.after, &record);
        (record != old && is_same).then(|| record.write())
    }

    /// Replaces the name where it is a whole word.
    fn words(&self, text: &str) -> String {
        let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_');
        let mut renamed = String::new();
        let mut rest = text;
        while let Some(at) = rest.find(self.from) {
            let end = at + self.from.len();
            let before = rest[..at].chars().next_back().or(renamed.chars().next_back());
            let is_word = !before.is_some_and(is_part) && !rest[end..].starts_with(is_part);
            renamed.push_str(&rest[..at]);
            renamed.push_str(if is_word { self.to } else { self.from });
            rest = &rest[end..];
        }
        renamed + rest
    }
}

/// Lists the symbols of diagrams before and after a renaming.
fn symbol_pairs(before: &Rules, after: &Rules) -> Vec<(String, String)> {
    let pairs = symbols(before).into_iter().zip(symbols(after));
    pairs.map(|((_, old, _), (_, new, _))| (old, new)).collect()
}

/// Replaces the symbols in a row of a diagram, which begins with its number. Words of a comment
/// behind it have other letters.
fn with_symbols(row: &str, symbols: &[(String, String)]) -> String {
    let digits = row.len() - row.trim_start_matches(|letter: char| letter.is_ascii_digit()).len();
    if digits == 0 || symbols.iter().all(|(old, new)| old == new) {
        return row.to_owned();
    }
    let new =
        |old: &str| symbols.iter().find(|(symbol, _)| symbol == old).map(|(_, new)| new.as_str());
    let word = |word: &str| {
        if let Some(new) = new(word) {
            return new.to_owned();
        }
        let letter = |letter: char| match letter {
            '.' | '#' => Some(letter.to_string()),
            letter => new(&letter.to_string()).map(str::to_owned),
        };
        word.chars().map(letter).collect::<Option<String>>().unwrap_or_else(|| word.to_owned())
    };
    let words = row[digits..].split(' ').map(word);
    format!("{}{}", &row[..digits], words.collect::<Vec<String>>().join(" "))
}
