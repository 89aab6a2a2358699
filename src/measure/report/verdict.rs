//! The verdict: what a playtest says in a few sentences, each with the measure that it rests on.

use super::course::{MINUTES, duration};
use super::evidence::{Evidence, Standing};
use super::families::{self, FamilyScores};
use super::outcome::LITTLE;
use super::significance::{Claim, Claims};
use super::trends::{self, probability};
use super::{Coverage, Figure, Strengths, blunders, capital, comebacks, exact, levels};
use crate::engine::game::Game;
use crate::measure::plan::{Pairing, iterations};
use crate::measure::results::Results;
use crate::measure::statistics::Estimate;
use crate::notation::clause::{line_number, quote};
use crate::notation::{grouped, inflected, list};
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

/// Writes the verdict: first what is known exactly of the game, then what games say, last what is
/// known of a smaller board. Empty if no game between players was played and nothing was solved.
pub fn verdict(
    (results, game): (&Results, &Game),
    evidence: Option<&Evidence>,
    claims: &Claims,
    coverage: &Coverage,
    strengths: &Strengths,
) -> Vec<Sentence> {
    let exact = exact::sentence(results, game.rules(), strengths, claims)
        .map(|text| Sentence { text, measure: exact::KEY });
    let hang = hang(results, game);
    let Some(evidence) = evidence else { return hang.into_iter().chain(exact).collect() };
    let (solved, smaller) = if results.is_solved() { (exact, None) } else { (None, exact) };
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

impl Evidence<'_> {
    fn balance(&self) -> Option<Sentence> {
        match families::strongest(self.results, self.measures) {
            Some(families) => self.families(&families),
            None => self.single(),
        }
    }

    /// Says why there is no claim although the interval alone would make one.
    fn among(&self) -> String {
        format!("which a report of {} tests can show by chance", self.claims.count())
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
        let text = match self.common_standing(one, other)? {
            Standing::Ahead(player) => {
                format!(
                    "{} is clearly ahead with both families of players: {}.",
                    players[player],
                    shown(player)
                )
            }
            Standing::Close => {
                format!("The sides are close to even with both families of players: {}.", shown(0))
            }
            Standing::Differ { leader, p } => format!(
                "The two families of players differ, so there is no verdict on who is ahead: {} ({}).",
                shown(leader),
                probability(p)
            ),
            Standing::Open(leader) | Standing::ByChance(leader) => format!(
                "No player is clearly ahead with both families of players: {}.",
                shown(leader)
            ),
        };
        Some(Sentence { text, measure: families::KEY })
    }

    /// Says what tree search finds where there is no other family of players.
    fn tree_search_alone(&self, scores: &[Estimate], why: &str) -> Option<Sentence> {
        let players = &self.results.plan.players;
        if players.len() == 1 {
            return self.single();
        }
        let mut but = String::new();
        let (finds, player) = match self.standing(scores)? {
            Standing::Ahead(player) => (format!("{} ahead", players[player]), player),
            Standing::ByChance(player) => {
                but = format!(", {}", self.among());
                ("no player clearly ahead".to_owned(), player)
            }
            Standing::Close => ("the sides close to even".to_owned(), 0),
            Standing::Open(leader) | Standing::Differ { leader, .. } => {
                ("no player clearly ahead".to_owned(), leader)
            }
        };
        let found = format!(
            "Tree search finds {finds}: {}, {} scores {}{but}.",
            self.between(),
            players[player],
            share(&scores[player], "games")
        );
        // Best play is the verdict where it is known.
        let text = match self.results.is_solved() {
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
        let scores = self.scores();
        let shown = |player: usize| {
            format!("{} scores {}", players[player], share(&scores[player], "games"))
        };
        let between = capital(&self.between());
        let leader = families::leader(&scores)?;
        let text = if players.len() == 1 || !self.pairing.is_even() {
            format!("{between}, {}.", shown(leader))
        } else {
            match self.standing(&scores)? {
                Standing::Ahead(player) => {
                    format!("{between}, {} is clearly ahead: {}.", players[player], shown(player))
                }
                Standing::Close => {
                    format!("{between}, the sides are close to even: {}.", shown(leader))
                }
                Standing::ByChance(player) => format!(
                    "{between}, no player is clearly ahead: {}, {}.",
                    shown(player),
                    self.among()
                ),
                Standing::Open(player) | Standing::Differ { leader: player, .. } => format!(
                    "{between}, no player is clearly ahead: {}, which includes an even game.",
                    shown(player)
                ),
            }
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
        let text = if self.results.is_solved() {
            // An exact result does not wait for stronger players.
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
        // Turns and plies are of the same games only where all games were recorded.
        let turns = turns
            .filter(|turns| {
                turns.sample == plies.sample && digits(turns.value) != digits(plies.value)
            })
            .map(|turns| format!(", or {} turns", digits(turns.value)));
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
                digits(plies.value),
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
        let (low, high) = (self.figure(MINUTES, "5 %")?.value, self.figure(MINUTES, "95 %")?.value);
        let range = match digits(low) == digits(high) {
            true => String::new(),
            false => format!(", nine in ten {} to {}", digits(low), digits(high)),
        };
        let pace = duration(self.results.plan.pace as f64 / 1e3);
        Some(format!(" At {pace} a ply that is {} minutes{range}.", digits(mean)))
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

/// Formats a length in two digits, or more of long ones.
pub fn digits(value: f64) -> String {
    if value < 9.95 { format!("{value:.1}") } else { format!("{value:.0}") }
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
