//! The verdict: what a playtest says in a few sentences, each with the measure that it rests on.

use super::{Coverage, Measure, Strengths};
use crate::engine::game::Game;
use crate::measure::plan::Pairing;
use crate::measure::results::Results;
use crate::measure::statistics::Estimate;
use crate::notation::clause::{line_number, quote};
use crate::notation::{grouped, list};
use serde::Serialize;

/// The most clauses that a sentence names.
const NAMED: usize = 3;

/// A sentence of the verdict.
#[derive(Clone, Debug, Serialize)]
pub struct Sentence {
    pub text: String,
    /// The key of the measure with its figures and definition; `rules` for the clauses.
    pub measure: &'static str,
}

/// What the sentences are made from.
struct Evidence<'r> {
    results: &'r Results,
    measures: &'r [Measure],
    strengths: &'r Strengths,
    /// The strongest players that play each other as equals, or else those that were chosen.
    pairing: &'r Pairing,
    who: String,
}

/// Writes the verdict; empty if no game between players was played.
pub fn verdict(
    results: &Results,
    game: &Game,
    measures: &[Measure],
    coverage: &Coverage,
    strengths: &Strengths,
) -> Vec<Sentence> {
    let pairings = results.pairings();
    let mut equals = pairings.iter().filter(|(_, pairing)| pairing.challenger.is_none());
    let Some((_, pairing)) = equals.next_back() else { return Vec::new() };
    let who = pairing.name(&results.plan.players);
    let evidence = Evidence { results, measures, strengths, pairing, who };
    let sentences = [
        evidence.balance(),
        evidence.length(),
        evidence.draws(),
        evidence.skill(),
        Some(unused(game, coverage)).filter(|_| coverage.games > 0),
    ];
    sentences.into_iter().flatten().collect()
}

impl Evidence<'_> {
    fn figure(&self, key: &str, what: &str) -> Option<Estimate> {
        let measure = self.measures.iter().find(|measure| measure.key == key)?;
        let own = |figure: &&super::Figure| figure.who == self.who && figure.what == what;
        measure.figures.iter().find(own).map(|figure| figure.estimate)
    }

    /// Names the players: `between two strong players`.
    fn between(&self) -> String {
        let count = match self.pairing.seats[0].len() {
            1 => "a",
            2 => "two",
            _ => "several",
        };
        let noun = if self.pairing.seats[0].len() == 1 { "player" } else { "players" };
        let joint = if self.pairing.seats[0].len() == 1 { "for" } else { "between" };
        match self.pairing.seats[0].first() {
            Some(kind) if self.pairing.is_even() => {
                format!("{joint} {count} {} {noun}", self.strengths.text(&kind.to_string()))
            }
            _ => format!("with {}", self.strengths.text(&self.who)),
        }
    }

    fn balance(&self) -> Option<Sentence> {
        let players = &self.results.plan.players;
        let even = 1.0 / players.len() as f64;
        let scores: Vec<(&String, Estimate)> = players
            .iter()
            .filter_map(|player| Some((player, self.figure("seat-advantage", player)?)))
            .collect();
        let best =
            scores.iter().max_by(|(_, one), (_, other)| one.value.total_cmp(&other.value))?;
        let (player, score) = best;
        let between = capital(&self.between());
        let shown = format!("{player} scores {}", share(score, "games"));
        let text = if players.len() == 1 || !self.pairing.is_even() {
            format!("{between}, {shown}.")
        } else if score.low > even {
            format!("{between}, {player} is clearly ahead: {shown}.")
        } else if players.len() == 2 && score.low > even - 0.1 && score.high < even + 0.1 {
            format!("{between}, the sides are close to even: {shown}.")
        } else {
            format!("{between}, no player is clearly ahead: {shown}, which includes an even game.")
        };
        Some(Sentence { text, measure: "seat-advantage" })
    }

    fn length(&self) -> Option<Sentence> {
        let plies = self.figure("plies", "mean")?;
        let turns = self.figure("turns", "mean");
        let number =
            |value: f64| if value < 10.0 { format!("{value:.1}") } else { format!("{value:.0}") };
        // Both are of the same games only where all of them were recorded.
        let turns = turns
            .filter(|turns| {
                turns.sample == plies.sample && number(turns.value) != number(plies.value)
            })
            .map(|turns| format!(", or {} turns", number(turns.value)));
        let range = self.figure("plies", "5 %").zip(self.figure("plies", "95 %"));
        let range = range.map(|(low, high)| {
            format!("; nine in ten take {} to {} plies", number(low.value), number(high.value))
        });
        Some(Sentence {
            text: format!(
                "A game takes {} plies on average{}{}.",
                number(plies.value),
                turns.unwrap_or_default(),
                range.unwrap_or_default()
            ),
            measure: "plies",
        })
    }

    fn draws(&self) -> Option<Sentence> {
        let unfinished = self.figure("unfinished", "")?;
        let Some(draws) = self.figure("draws", "") else {
            return Some(Sentence {
                text: "No game came to an end.".to_owned(),
                measure: "unfinished",
            });
        };
        let drawn = match draws.value {
            0.0 => format!("No game of {} was drawn", grouped(draws.sample)),
            _ => format!("{} of the games are drawn", share(&draws, "games")),
        };
        let rest = match unfinished.value {
            0.0 if draws.value == 0.0 => ", and all were finished".to_owned(),
            0.0 => "; all were finished".to_owned(),
            _ => format!("; {} were not finished", share(&unfinished, "games")),
        };
        let measure = if unfinished.value > draws.value { "unfinished" } else { "draws" };
        Some(Sentence { text: format!("{drawn}{rest}."), measure })
    }

    fn skill(&self) -> Option<Sentence> {
        let players = self.results.plan.players.len();
        let even = 1.0 / players.max(1) as f64;
        let strength = self.measures.iter().find(|measure| measure.key == "strength")?;
        let figure = strength.figures.first()?;
        let gain = figure.estimate;
        let (stronger, weaker) = figure.who.split_once(" against ")?;
        let (stronger, weaker) = (self.strengths.text(stronger), self.strengths.text(weaker));
        let ladder = self.measures.iter().find(|measure| measure.key == "skill-ladder");
        let rungs = ladder.map_or(&[][..], |ladder| &ladder.figures);
        let climbed = rungs.iter().filter(|rung| rung.estimate.low > even).count();
        let far = match (rungs.len(), climbed) {
            (0, _) => String::new(),
            (1, 1) => {
                "; a doubling of thinking brings a further gain, and no more were tried".to_owned()
            }
            (all, climbed) if all == climbed => format!(
                "; each of {all} doublings of thinking brings a further gain, and no end was reached"
            ),
            (_, 0) => "; a single doubling of thinking brings no significant gain".to_owned(),
            (_, 1) => "; one doubling of thinking brings a gain, the next none that is significant"
                .to_owned(),
            (_, climbed) => format!(
                "; {climbed} doublings of thinking bring a gain, the next none that is significant"
            ),
        };
        let shown = share(&gain, "games");
        let text = if gain.low > even {
            format!("Skill tells: a {stronger} player scores {shown} against a {weaker}{far}.")
        } else {
            format!(
                "Skill hardly tells: a {stronger} player scores {shown} against a {weaker}, not significantly more than an equal one{far}."
            )
        };
        Some(Sentence { text, measure: if rungs.is_empty() { "strength" } else { "skill-ladder" } })
    }
}

fn unused(game: &Game, coverage: &Coverage) -> Sentence {
    let unobserved: Vec<_> =
        coverage.clauses.iter().filter(|clause| clause.is_unobserved()).collect();
    let games = format!("{} games that were examined", grouped(coverage.games));
    let text = if unobserved.is_empty() {
        format!("Every clause of the rules took effect in the {games}.")
    } else {
        let rules = game.rules();
        let names: Vec<String> = unobserved
            .iter()
            .take(NAMED)
            .map(|clause| {
                format!("{} in line {}", quote(rules, clause.span), line_number(rules, clause.span))
            })
            .collect();
        let more = unobserved.len() - names.len();
        let more = if more > 0 { format!(", and {more} more") } else { String::new() };
        format!(
            "{} of {} clauses never took effect in the {games}: {}{more}.",
            unobserved.len(),
            coverage.clauses.len(),
            if more.is_empty() { list(&names, "and") } else { names.join(", ") }
        )
    };
    Sentence { text, measure: "rules" }
}

/// Formats a proportion with its interval and sample.
fn share(estimate: &Estimate, of: &str) -> String {
    format!(
        "{:.0} % (95 % interval {:.0}–{:.0}, {} {of})",
        estimate.value * 100.0,
        estimate.low * 100.0,
        estimate.high * 100.0,
        grouped(estimate.sample)
    )
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
