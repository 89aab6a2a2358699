//! How a format writes moves.

use super::names::Names;
use crate::engine::game::{Argument, Game, Move, State};
use crate::engine::position::Outcome;
use crate::engine::snapshot::Snapshot;
use crate::evaluate::{Evaluation, Expression};
use crate::language::notations::{Aspect, Format, MoveSpelling, PatternPart, Spellings};
use crate::language::rules::PlayerId;
use crate::notation::{clip, list, spell};
use crate::reference::Value;
use crate::why::read;
use std::cell::OnceCell;

/// The most moves that a message lists.
const MAX_LISTED: usize = 12;

/// Writes and reads the moves of a game in a format. Moves that the rules do not spell are written
/// as in records, with `_` for blanks.
pub struct Speller {
    spellings: Spellings,
    /// The sign after a move for which the condition holds.
    conditions: Vec<(Expression, String)>,
}

impl Speller {
    /// Makes the speller of a format, or of none: it writes all moves as in records.
    pub fn new(game: &Game, format: Option<Format>) -> Speller {
        let rules = game.rules();
        let spellings = format.and_then(|format| rules.notations.of(format)).cloned();
        let spellings = spellings.unwrap_or_default();
        let conditions = spellings.conditions.iter().filter_map(|(id, text)| {
            let name = &rules.definitions.get(id.index())?.name;
            Some((Expression::parse(game, name).ok()?, text.clone()))
        });
        Speller { conditions: conditions.collect(), spellings }
    }

    /// Writes a legal move.
    pub fn write(&self, position: &State, ply: &Move) -> String {
        let seen = Seen::of(position);
        let mut texts = self.texts(&seen, ply);
        let text = match texts.len() {
            0 => spell(position.game().rules(), ply).replace(' ', "_"),
            1 => texts.swap_remove(0),
            last => {
                let others: Vec<String> = position
                    .legal()
                    .iter()
                    .filter(|other| *other != ply)
                    .flat_map(|other| self.texts(&seen, other))
                    .collect();
                let own = |text: &String| !others.contains(text);
                let place = texts.iter().position(own).unwrap_or(last - 1);
                texts.swap_remove(place)
            }
        };
        text + self.after(position, ply)
    }

    /// Returns the signs after a move.
    fn after(&self, position: &State, ply: &Move) -> &str {
        if self.conditions.is_empty() && self.spellings.win.is_none() {
            return "";
        }
        let mut after = position.clone();
        if after.play(ply).is_err() {
            return "";
        }
        let (mover, teams) = (position.turn().player(), position.game().rules().teams);
        if let (Some(Outcome::Win(winner)), Some(win)) = (after.outcome(), &self.spellings.win)
            && mover.map(|mover| teams.leader(mover)) == Some(winner)
        {
            return win;
        }
        let holds = |expression: &Expression| {
            expression.evaluate(&after) == Ok(Evaluation::Value(Value::Condition(true)))
        };
        let written = self.conditions.iter().find(|(condition, _)| holds(condition));
        written.map_or("", |(_, text)| text)
    }

    /// Reads a legal move.
    ///
    /// # Errors
    /// Says why the text is no legal move, as a sentence without a period.
    pub fn read(&self, position: &State, text: &str) -> Result<Move, String> {
        let seen = Seen::of(position);
        let bare = self.without_remarks(text);
        let mut fitting: Vec<&Move> = position
            .legal()
            .iter()
            .filter(|ply| self.texts(&seen, ply).iter().any(|known| known == bare))
            .collect();
        if fitting.len() > 1 {
            let written = |ply: &&Move| self.without_remarks(&self.write(position, ply)) == bare;
            if let Some(&exact) = fitting.iter().find(|ply| written(ply)) {
                fitting = vec![exact];
            }
        }
        match &fitting[..] {
            [only] => Ok((*only).clone()),
            [] => read(position, &text.replace('_', " ")).map_err(|refusal| {
                match self.spellings.moves.is_empty() {
                    true => refusal.line(),
                    false => self.no_move(position, text),
                }
            }),
            several => {
                let written: Vec<String> =
                    several.iter().map(|ply| format!("`{}`", self.write(position, ply))).collect();
                Err(format!("`{}` may be {}", clip(text), list(&written, "or")))
            }
        }
    }

    fn no_move(&self, position: &State, text: &str) -> String {
        let legal = position.legal();
        let mut listed: Vec<String> = legal
            .iter()
            .take(MAX_LISTED)
            .map(|ply| format!("`{}`", self.write(position, ply)))
            .collect();
        if legal.len() > MAX_LISTED {
            listed.push(format!("{} more", legal.len() - MAX_LISTED));
        }
        let text = clip(text);
        match listed.is_empty() {
            true => format!("`{text}` is no legal move: the game is over"),
            false => format!("`{text}` is no legal move here; legal are {}", list(&listed, "and")),
        }
    }

    /// Removes the signs after a move: of a condition, a win, or a comment such as `!?`.
    fn without_remarks<'t>(&self, text: &'t str) -> &'t str {
        let mut bare = text;
        loop {
            let known = self.conditions.iter().map(|(_, text)| text).chain(&self.spellings.win);
            let mut shorter = known
                .filter(|text| !text.is_empty())
                .filter_map(|text| bare.strip_suffix(text.as_str()));
            let without = shorter.next().or_else(|| bare.strip_suffix(['!', '?']));
            match without {
                Some(without) if !self.spellings.moves.is_empty() => bare = without,
                _ => return bare,
            }
        }
    }

    /// Lists the ways to write a move, the shortest first.
    fn texts(&self, seen: &Seen, ply: &Move) -> Vec<String> {
        let entries = self.spellings.moves.iter().filter(|entry| entry.rule == ply.rule);
        let Some(entry) = entries.into_iter().find(|entry| seen.fits(entry, ply)) else {
            return Vec::new();
        };
        let captures = OnceCell::new();
        let captures = || *captures.get_or_init(|| seen.captures(ply));
        let names = self.names(seen.position);
        entry.patterns.iter().map(|pattern| seen.fill(&names, pattern, ply, &captures)).collect()
    }

    fn names<'n>(&'n self, position: &'n State) -> Names<'n> {
        Names { rules: position.game().rules(), spellings: &self.spellings }
    }
}

/// A position in which moves are written.
struct Seen<'p> {
    position: &'p State,
    snapshot: Snapshot,
    mover: Option<PlayerId>,
}

impl Seen<'_> {
    fn of(position: &State) -> Seen<'_> {
        Seen { position, snapshot: position.snapshot(), mover: position.turn().player() }
    }

    /// Tests if an entry is about a move.
    fn fits(&self, entry: &MoveSpelling, ply: &Move) -> bool {
        let mut sites = ply.arguments.iter().filter_map(|argument| match argument {
            Argument::Site(site) => Some(*site),
            _ => None,
        });
        let meets = entry.sites.is_empty() || sites.clone().any(|site| entry.sites.contains(&site));
        let first = sites.next();
        let stands =
            first.and_then(|first| self.snapshot.pieces.get(first.index()).copied().flatten());
        meets
            && (entry.pieces.is_empty()
                || stands.is_some_and(|stands| entry.pieces.contains(&stands.piece)))
    }

    /// Tests if a move takes pieces of other players off the board.
    fn captures(&self, ply: &Move) -> bool {
        let others = |snapshot: &Snapshot| {
            let standing = snapshot.pieces.iter().flatten();
            standing.filter(|occupant| occupant.owner != self.mover).count()
        };
        let mut after = self.position.clone();
        after.play(ply).is_ok() && others(&after.snapshot()) < others(&self.snapshot)
    }

    fn fill(
        &self,
        names: &Names,
        pattern: &[PatternPart],
        ply: &Move,
        captures: &dyn Fn() -> bool,
    ) -> String {
        let mut text = String::new();
        for part in pattern {
            match part {
                PatternPart::Text(written) => text.push_str(written),
                PatternPart::Capture(inner) => {
                    if captures() {
                        text.push_str(&self.fill(names, inner, ply, captures));
                    }
                }
                PatternPart::Choice { parameter, aspect } => {
                    if let Some(argument) = ply.arguments.get(*parameter) {
                        text.push_str(&self.choice(names, argument, *aspect));
                    }
                }
            }
        }
        text
    }

    fn choice(&self, names: &Names, argument: &Argument, aspect: Aspect) -> String {
        match (argument, aspect) {
            (Argument::Site(site), Aspect::Whole) => names.site(*site),
            (Argument::Site(site), Aspect::Column) => names.column(*site),
            (Argument::Site(site), Aspect::Row) => names.row(*site),
            (Argument::Site(site), Aspect::Piece) => {
                let occupant = self.snapshot.pieces.get(site.index()).copied().flatten();
                occupant.map_or_else(String::new, |it| names.piece(it.piece, it.owner).to_owned())
            }
            (Argument::Piece(piece), _) => names.piece(*piece, self.mover).to_owned(),
            (Argument::Direction(direction), _) => names.direction(*direction),
            (Argument::Number(number), _) => number.to_string(),
        }
    }
}
