//! Renaming in texts about a game: rule cases and records. Words are replaced where the format has
//! names, and the result is kept only if it means the same in the renamed game.

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

impl<'g> Renamed<'g> {
    /// Finds the renaming, if the games differ in exactly one name of a verb, piece, player or
    /// memory.
    pub fn between(before: &'g Game, after: &'g Game) -> Option<Renamed<'g>> {
        let (old, new) = (names(before.rules()), names(after.rules()));
        if old.iter().map(Vec::len).ne(new.iter().map(Vec::len)) {
            return None;
        }
        let (old, new) = (old.concat(), new.concat());
        let mut changed = old.iter().zip(&new).filter(|(one, other)| one != other);
        let (&from, &to) = changed.next()?;
        let is_one = changed.next().is_none() && !old.contains(&to) && !new.contains(&from);
        is_one.then_some(Renamed { before, after, from, to })
    }

    /// Renames in a rule case. `None` if nothing changes, or the meaning of the case would change.
    pub fn case(&self, before: &mut Runner, after: &mut Runner, text: &str) -> Option<String> {
        let end = if text.ends_with('\n') { "\n" } else { "" };
        let renamed = self.lines(text).trim_end_matches('\n').to_owned() + end;
        let count = |report: crate::cases::CaseReport| report.differences.len();
        let is_same =
            renamed != text && count(before.run(text, &[])) == count(after.run(&renamed, &[]));
        is_same.then_some(renamed)
    }

    /// Renames in the lines of a rule case or of a position.
    fn lines(&self, text: &str) -> String {
        let symbols = symbol_pairs(self.before.rules(), self.after.rules());
        let rename = |line: &Line| {
            // In the rows of a diagram, `#` is a site.
            let is_row = line.entry().is_none();
            let code = if is_row { line.text.trim() } else { line.content() };
            let (head, tail) = line.text.split_once(code).unwrap_or((line.text, ""));
            let renamed = match line.entry() {
                Some(("title", _)) => return self.title(line.text, text),
                Some(_) => self.words(code),
                None => with_symbols(code, &symbols),
            };
            format!("{head}{renamed}{tail}")
        };
        Line::split(text).iter().map(rename).collect::<Vec<String>>().join("\n")
    }

    /// Renames words in the title of a rule case, which is free text, if its other lines have them
    /// too.
    fn title(&self, title: &str, case: &str) -> String {
        let values = Line::split(case).into_iter().filter_map(|line| match line.entry() {
            Some(("title", _)) | None => None,
            Some((_, value)) => Some(value.to_owned()),
        });
        let moves = values.filter(|value| value.contains(' '));
        moves.fold(title.to_owned(), |title, value| title.replace(&value, &self.words(&value)))
    }

    /// Renames in the lines of the position that a record starts from.
    pub fn start(&self, lines: &[String]) -> Vec<String> {
        match lines {
            [] => Vec::new(),
            lines => self.lines(&lines.join("\n")).split('\n').map(str::to_owned).collect(),
        }
    }

    /// Renames in a record. `None` if nothing changes, or the record would be of another game.
    pub fn record(&self, text: &str) -> Option<String> {
        let mut record = Record::parse(text).ok()?;
        let old = record.clone();
        for (name, _) in record.options.iter_mut().chain(&mut record.seats) {
            *name = self.words(name);
        }
        record.start = self.start(&record.start);
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
    pub fn words(&self, text: &str) -> String {
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

/// Lists the names that occur in texts about a game.
fn names(rules: &Rules) -> [Vec<&str>; 4] {
    [
        rules.moves.iter().map(|rule| &*rule.verb).collect(),
        rules.pieces.iter().map(|piece| &*piece.name).collect(),
        rules.players.iter().map(|player| &*player.name).collect(),
        rules.memories.iter().map(|memory| &*memory.name).collect(),
    ]
}

/// Lists the symbols of diagrams before and after a renaming.
fn symbol_pairs(before: &Rules, after: &Rules) -> Vec<(String, String)> {
    let pairs = symbols(before).into_iter().zip(symbols(after));
    pairs.map(|((_, old, _), (_, new, _))| (old, new)).collect()
}

/// Replaces the symbols in a row of a diagram, which begins with the row's number. The words of a
/// comment after the row contain other letters, so they stay.
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
