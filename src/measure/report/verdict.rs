//! The verdict: what a playtest says in a few sentences, each with the measure that it rests on.

use super::course::{MINUTES, duration};
use super::families::{self, Agreement, Balance, FamilyScores};
use super::outcome::LITTLE;
use super::significance::{Claim, Claims};
use super::trends::{self, Movement, probability};
use super::{Coverage, Figure, Measure, Strengths, blunders, capital, comebacks, exact, levels};
use crate::engine::game::Game;
use crate::measure::plan::{Pairing, iterations};
use crate::measure::results::Results;
use crate::measure::statistics::Estimate;
use crate::notation::clause::{line_number, quote};
use crate::notation::{equal_share, grouped, inflected, list};
use serde::Serialize;

/// The most clauses that a sentence names.
const NAMED: usize = 3;

/// A sentence of the verdict.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Sentence {
    pub text: String,
    /// The key of the measure with its figures and definition; `rules` for the clauses.
    pub measure: &'static str,
}

/// What the sentences are made from.
struct Evidence<'r> {
    results: &'r Results,
    measures: &'r [Measure],
    movements: &'r [Movement],
    claims: &'r Claims,
    strengths: &'r Strengths,
    /// The strongest tree searches that play each other as equals, or else those that were chosen.
    pairing: &'r Pairing,
    index: usize,
    who: String,
}

/// Writes the verdict: first what is known exactly of the game, then what games say, last what is
/// known of a smaller board. Empty if no game between players was played and nothing was solved.
pub fn verdict(
    (results, game): (&Results, &Game),
    measures: &[Measure],
    (movements, claims): (&[Movement], &Claims),
    coverage: &Coverage,
    strengths: &Strengths,
) -> Vec<Sentence> {
    let exact = exact::sentence(results, game.rules(), strengths, claims)
        .map(|text| Sentence { text, measure: exact::KEY });
    let hang = hang(results, game);
    let Some((index, pairing)) = results.strongest_equals() else {
        return hang.into_iter().chain(exact).collect();
    };
    let who = pairing.name(&results.plan.players);
    let evidence =
        Evidence { results, measures, movements, claims, strengths, pairing, index, who };
    let (solved, smaller) = if is_solved(results) { (exact, None) } else { (None, exact) };
    let sentences = [
        hang,
        solved,
        evidence.balance(),
        evidence.movement(),
        evidence.doubling(),
        evidence.blunders(),
        evidence.length(),
        evidence.draws(),
        evidence.comebacks(),
        evidence.skill(),
        levels::sentence(results).map(|text| Sentence { text, measure: levels::KEY }),
        Some(unused(game, coverage)).filter(|_| coverage.games > 0),
        smaller,
    ];
    sentences.into_iter().flatten().collect()
}

/// Tests if the value of the game itself is known.
fn is_solved(results: &Results) -> bool {
    results.exact().any(|board| board.options.is_empty())
}

impl Evidence<'_> {
    /// Tests if a claim may be made.
    fn holds(&self, claim: Claim) -> bool {
        self.claims.hold(claim)
    }

    /// Says why there is no claim although the interval alone would make one.
    fn among(&self) -> String {
        format!("which a report of {} tests can show by chance", self.claims.count())
    }

    fn measure(&self, key: &str) -> Option<&Measure> {
        self.measures.iter().find(|measure| measure.key == key)
    }

    fn figure(&self, key: &str, what: &str) -> Option<Estimate> {
        self.measure(key)?.figure(what, &self.who).map(|figure| figure.estimate)
    }

    /// Names the players: `between two strong players`.
    fn between(&self) -> String {
        let count = match self.pairing.seats[0].len() {
            1 => "a".to_owned(),
            2 => "two".to_owned(),
            players => players.to_string(),
        };
        let noun = inflected(self.pairing.seats[0].len() as u64, "player");
        let joint = if self.pairing.seats[0].len() == 1 { "for" } else { "between" };
        match self.pairing.seats[0].first() {
            Some(kind) if self.pairing.is_even() => {
                format!("{joint} {count} {} {noun}", self.strengths.text(&kind.to_string()))
            }
            _ => format!("with {}", self.strengths.text(&self.who)),
        }
    }

    /// Says what an equal share is, if there are more than two players.
    fn equal_share(&self) -> String {
        equal_share(self.results.plan.players.len(), |share| format!("{:.0} %", share * 100.0))
    }

    fn balance(&self) -> Option<Sentence> {
        match families::strongest(self.results, self.measures) {
            Some(families) => self.families(&families),
            None => self.single(),
        }
    }

    /// Says who is ahead, as far as both families agree.
    fn families(&self, families: &[FamilyScores]) -> Option<Sentence> {
        let [one, rest @ ..] = families else { return None };
        let [other] = rest else {
            let why = match &self.results.plan.training {
                Some(training) if training.is_used() => "trained players have not played yet",
                Some(_) => "the training that is kept did not beat it",
                None => "no training is kept",
            };
            return self.tree_search_alone(&one.scores, why);
        };
        let players = &self.results.plan.players;
        let shown = |player: usize| {
            let text = |family: &FamilyScores| family.text(player, players, self.strengths);
            format!("{} scores {}, and {}", players[player], text(one), text(other))
        };
        let ahead = families::leader(&one.scores)?;
        let p = self.claims.p(Claim::Differ);
        let text = match families::compare_with(&one.scores, &other.scores, p) {
            Agreement::Both(Balance::Ahead(player)) => {
                format!(
                    "{} is clearly ahead with both families of players: {}.",
                    players[player],
                    shown(player)
                )
            }
            Agreement::Both(Balance::Close) => {
                format!("The sides are close to even with both families of players: {}.", shown(0))
            }
            Agreement::Differ(p) => format!(
                "The two families of players differ, so there is no verdict on who is ahead: {} ({}).",
                shown(ahead),
                probability(p)
            ),
            Agreement::Both(Balance::Open) | Agreement::Neither => format!(
                "No player is clearly ahead with both families of players: {}.",
                shown(ahead)
            ),
        };
        Some(Sentence { text, measure: families::KEY })
    }

    /// Says what tree search finds where there is no other family of players.
    fn tree_search_alone(&self, scores: &[Estimate], why: &str) -> Option<Sentence> {
        let players = &self.results.plan.players;
        let leader = families::leader(scores)?;
        if players.len() == 1 {
            return self.single();
        }
        let ahead = |player| self.holds(Claim::Score { pairing: self.index, player });
        let mut but = String::new();
        let (finds, player) = match families::balance(scores) {
            Balance::Ahead(player) if ahead(player) => {
                (format!("{} ahead", players[player]), player)
            }
            Balance::Ahead(player) => {
                but = format!(", {}", self.among());
                ("no player clearly ahead".to_owned(), player)
            }
            Balance::Close => ("the sides close to even".to_owned(), 0),
            Balance::Open => ("no player clearly ahead".to_owned(), leader),
        };
        let found = format!(
            "Tree search finds {finds}: {}, {} scores {}{but}.",
            self.between(),
            players[player],
            share(&scores[player], "games")
        );
        // Best play is the verdict where it is known.
        let text = match is_solved(self.results) {
            true => found,
            false => {
                format!("{found} That is no verdict, which takes two families of players: {why}.")
            }
        };
        Some(Sentence { text, measure: families::KEY })
    }

    /// Says who is ahead between players that were chosen.
    fn single(&self) -> Option<Sentence> {
        let players = &self.results.plan.players;
        let even = 1.0 / players.len() as f64;
        let scores: Vec<(&String, Estimate)> = players
            .iter()
            .filter_map(|player| Some((player, self.figure("seat-advantage", player)?)))
            .collect();
        let best = scores.iter().enumerate();
        let best =
            best.max_by(|(_, (_, one)), (_, (_, other))| one.value.total_cmp(&other.value))?;
        let (seat, (player, score)) = best;
        let is_ahead = score.low > even;
        let between = capital(&self.between());
        let shown = format!("{player} scores {}", share(score, "games"));
        let text = if players.len() == 1 || !self.pairing.is_even() {
            format!("{between}, {shown}.")
        } else if is_ahead && self.holds(Claim::Score { pairing: self.index, player: seat }) {
            format!("{between}, {player} is clearly ahead: {shown}.")
        } else if players.len() == 2 && score.low > even - 0.1 && score.high < even + 0.1 {
            format!("{between}, the sides are close to even: {shown}.")
        } else if is_ahead {
            format!("{between}, no player is clearly ahead: {shown}, {}.", self.among())
        } else {
            format!("{between}, no player is clearly ahead: {shown}, which includes an even game.")
        };
        Some(Sentence { text, measure: "seat-advantage" })
    }

    fn movement(&self) -> Option<Sentence> {
        let text = trends::sentence(self.movements, self.strengths)?;
        Some(Sentence { text, measure: trends::KEY })
    }

    /// Says if doubling the thinking of the strongest players still gains.
    fn doubling(&self) -> Option<Sentence> {
        let even = 1.0 / self.results.plan.players.len().max(1) as f64;
        let figure = self.measure("skill-ladder")?.figures.last()?;
        let gain = figure.estimate;
        let rung =
            self.results.rungs().into_iter().rfind(|&index| self.results.games(index) > 0)?;
        let gains = gain.low > even && self.holds(Claim::Gain(rung));
        let most = self.results.plan.ladder().last().map_or(1, iterations);
        let shown = format!(
            "the strongest player scores {} against {} with half its iterations{}",
            share(&gain, "games"),
            if self.results.plan.players.len() > 2 { "others" } else { "one" },
            self.equal_share()
        );
        let text = if is_solved(self.results) {
            // What is exact does not wait for stronger players.
            let still = if gains { "still gains" } else { "is not seen to gain" };
            let text = format!("Twice the thinking {still}: {shown}.");
            return Some(Sentence { text, measure: "skill-ladder" });
        } else if gains {
            format!("All this is provisional, since twice the thinking still gains: {shown}.")
        } else if gain.high < even + LITTLE {
            format!("Twice the thinking gains little more: {shown}.")
        } else {
            format!("All this is provisional, since twice the thinking may still gain: {shown}.")
        };
        let text = format!(
            "{text} Nothing is said about players who think longer than {} iterations per ply.",
            grouped(most)
        );
        Some(Sentence { text, measure: "skill-ladder" })
    }

    fn blunders(&self) -> Option<Sentence> {
        let measure = self.measure(blunders::KEY)?;
        let text = blunders::sentence(self.results, measure, self.strengths)?;
        Some(Sentence { text, measure: blunders::KEY })
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
        // Quantiles are numbers of plies that were seen.
        let range = range.map(|(low, high)| match low.value == high.value {
            true => format!("; nine in ten take {:.0} plies", low.value),
            false => format!("; nine in ten take {:.0} to {:.0} plies", low.value, high.value),
        });
        Some(Sentence {
            text: format!(
                "{}, a game takes {} plies on average{}{}.{}",
                capital(&self.between()),
                number(plies.value),
                turns.unwrap_or_default(),
                range.unwrap_or_default(),
                self.minutes().unwrap_or_default()
            ),
            measure: "plies",
        })
    }

    /// Says how long games take at the pace of the plan.
    fn minutes(&self) -> Option<String> {
        let mean = self.figure(MINUTES, "mean")?.value;
        let number = |minutes: f64| match minutes {
            short if short < 9.95 => format!("{short:.1}"),
            long => format!("{long:.0}"),
        };
        let (low, high) = (self.figure(MINUTES, "5 %")?.value, self.figure(MINUTES, "95 %")?.value);
        let range = match number(low) == number(high) {
            true => String::new(),
            false => format!(", nine in ten {} to {}", number(low), number(high)),
        };
        let pace = duration(self.results.plan.pace as f64 / 1e3);
        Some(format!(" At {pace} a ply that is {} minutes{range}.", number(mean)))
    }

    fn draws(&self) -> Option<Sentence> {
        let unfinished = self.figure("unfinished", "")?;
        let Some(draws) = self.figure("draws", "") else {
            return Some(Sentence {
                text: "No such game came to an end.".to_owned(),
                measure: "unfinished",
            });
        };
        if self.results.plan.players.len() == 1 {
            // A single player wins or loses.
            let text = match unfinished.value {
                0.0 => "All such games were finished.".to_owned(),
                _ => format!("Of such games, {} were not finished.", share(&unfinished, "games")),
            };
            return Some(Sentence { text, measure: "unfinished" });
        }
        let drawn = match draws.value {
            0.0 => format!("None of {} such games was drawn", grouped(draws.sample)),
            _ => format!("{} of such games are drawn", share(&draws, "games")),
        };
        let rest = match unfinished.value {
            0.0 if draws.value == 0.0 => ", and all were finished".to_owned(),
            0.0 => "; all were finished".to_owned(),
            _ => format!("; {} were not finished", share(&unfinished, "games")),
        };
        let measure = if unfinished.value > draws.value { "unfinished" } else { "draws" };
        Some(Sentence { text: format!("{drawn}{rest}."), measure })
    }

    fn comebacks(&self) -> Option<Sentence> {
        let own = (self.index, self.who.as_str());
        let text = comebacks::sentence(self.results, self.measures, own, self.claims)?;
        Some(Sentence { text, measure: comebacks::COMEBACKS })
    }

    fn skill(&self) -> Option<Sentence> {
        let even = 1.0 / self.results.plan.players.len().max(1) as f64;
        let steps = &self.measure("strength")?.figures;
        let shown: Vec<String> = steps
            .iter()
            .filter_map(|figure| {
                let (stronger, weaker) = figure.who.split_once(" against ")?;
                Some(format!(
                    "a {} player scores {} against a {} one",
                    self.strengths.text(stronger),
                    share(&figure.estimate, "games"),
                    self.strengths.text(weaker)
                ))
            })
            .collect();
        let equal = self.equal_share();
        let pairings = self.results.pairings();
        let gains = |figure: &&Figure| {
            let is_own =
                |(_, own): &&(usize, &Pairing)| own.name(&self.results.plan.players) == figure.who;
            let found = pairings.iter().find(is_own);
            figure.estimate.low > even
                && found.is_some_and(|(index, _)| self.holds(Claim::Gain(*index)))
        };
        let gaining = steps.iter().filter(gains).count();
        let shown = list(&shown, "and");
        let text = match gaining {
            0 => format!(
                "Skill hardly tells: {shown}, not significantly more than an equal one{equal}."
            ),
            _ => format!("Skill tells: {shown}{equal}."),
        };
        Some(Sentence { text, measure: "strength" })
    }
}

/// Says that games hang, and at which clause.
fn hang(results: &Results, game: &Game) -> Option<Sentence> {
    let (rules, clause) = (game.rules(), results.hang()?);
    let text = format!(
        "The rules are at fault: in {} {} they never reach the next ply, or take too long, at {} in line {}; `ludwright check --deep` looks for a record that leads there.",
        grouped(results.hung_games()),
        inflected(results.hung_games(), "game"),
        quote(rules, clause),
        line_number(rules, clause)
    );
    Some(Sentence { text, measure: "unfinished" })
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
