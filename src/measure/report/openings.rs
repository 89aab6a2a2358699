//! The first plies: how often they are played and with what result, what a search expects of them,
//! and what the pie rule would do; and mirror play.

use super::dominance::differences;
use super::{Measure, Unit, exact};
use crate::engine::game::Game;
use crate::language::rules::{PlayerId, Rules};
use crate::measure::copies::Variety;
use crate::measure::first_plies::FirstPlies;
use crate::measure::game_rows::{ExactValue, GameRow, Opening, SolvedBoard, SolvedPly};
use crate::measure::plan::Pairing;
use crate::measure::results::Results;
use crate::measure::statistics::{Clusters, Estimate, Scores};
use crate::notation::{list, team_does};
use std::collections::{HashMap, HashSet};

/// The most first plies with a figure of their own.
const MOST: usize = 12;
/// The most first plies that a sentence names.
const NAMED: usize = 3;
/// Exact scores that differ by less count as the same.
const EQUAL_SCORES: f64 = 1e-9;

/// Computes the measures.
pub fn measures(results: &Results, game: &Game) -> Vec<Measure> {
    let rules = game.rules();
    let first = FirstMoves { results, rules, images: FirstPlies::named(&results.plan, game) };
    let pie = match rules.pie {
        Some(pie) => swaps(results, &rules.moves[pie.swap.index()].verb),
        None => first.pie_rule(),
    };
    vec![first.measure(), pie, mirror(results)]
}

/// Returns the score of the first player after each first ply, in percent, by number of the site
/// that the ply chooses; and whether the scores are those of best play, known for all plies, or
/// else a search's. `None` if a ply chooses no site, or two plies choose the same.
pub fn map(results: &Results) -> Option<(bool, Vec<(u16, f64)>)> {
    let exact = solved(results).and_then(|board| {
        let score =
            |own: &SolvedPly| Some((own.site, own.value?.score(results.plan.players.len())?));
        board.first_plies.iter().map(score).collect::<Option<Vec<_>>>()
    });
    let is_exact = exact.is_some();
    let scores = exact.unwrap_or_else(|| {
        let score = |own: &Opening| (own.site, f64::from(own.chances[0]) / 1000.0);
        results.openings().map(score).collect()
    });
    let mut seen = HashSet::new();
    let place = |(site, score): (Option<u16>, f64)| {
        let site = site.filter(|&site| seen.insert(site))?;
        Some((site, score * 100.0))
    };
    Some((is_exact, scores.into_iter().map(place).collect::<Option<Vec<_>>>()?))
}

/// Returns the solution of the game itself, if its first plies are known.
fn solved(results: &Results) -> Option<&SolvedBoard> {
    results.exact().find(|board| board.options.is_empty() && !board.first_plies.is_empty())
}

/// The first plies of a playtest.
struct FirstMoves<'r> {
    results: &'r Results,
    rules: &'r Rules,
    /// By first ply that is an image of an earlier one: the earlier ply.
    images: HashMap<String, String>,
}

impl FirstMoves<'_> {
    /// Returns the first of the images of a first ply.
    fn same<'p>(&'p self, ply: &'p str) -> &'p str {
        self.images.get(ply).map_or(ply, String::as_str)
    }

    fn measure(&self) -> Measure {
        let results = self.results;
        let players = &results.plan.players;
        let first = players.first().map_or("the first player", String::as_str);
        let mut measure = Measure::new(
            "first-moves",
            "First moves",
            format!(
                "The score of {first} after each first ply, over the games between equal searchers that begin with it, the most frequent first. First plies that are images of each other \
                 under a symmetry of the game count as one. Figures of a few games say little. Interval: Wilson's, with the variance of the scores where there are draws."
            ),
        );
        let mut found: HashMap<&str, (Vec<&GameRow>, Scores)> = HashMap::new();
        let pairings = results.pairings();
        let equal = pairings.iter().filter(|(_, pairing)| {
            pairing.challenger.is_none() && pairing.is_even() && !pairing.is_random()
        });
        for row in equal.flat_map(|(index, _)| results.rows(*index)) {
            let Some(ply) = first_ply(row) else { continue };
            let (games, scores) = found.entry(self.same(ply)).or_default();
            games.push(row);
            scores.add(row.ending, 0, players.len(), 1);
        }
        let mut found: Vec<(&str, (Vec<&GameRow>, Scores))> = found.into_iter().collect();
        found.sort_by(|(one, (games, _)), (other, (more, _))| {
            more.len().cmp(&games.len()).then(one.cmp(other))
        });
        let all = found.len();
        for (ply, (games, scores)) in found.iter().take(MOST) {
            let finished = games.iter().filter(|row| row.ending.is_finished()).copied();
            let mut clusters = Clusters::default();
            games.iter().for_each(|row| {
                results.add_to(&mut clusters, row, row.ending.score(0, players.len()));
            });
            let independent = Variety::of(&results.plan, finished).independent
                * clusters.independent_of_proportion();
            let score = scores.estimate_of_independent(players.len(), independent);
            measure.add(*ply, "", Unit::Share, "games", score);
        }
        if all > MOST {
            measure
                .notes
                .push(format!("{all} first plies were played; these are the most frequent."));
        }
        measure.notes.extend(self.dominance());
        match solved(results) {
            Some(board) => measure.notes.push(self.exact(board)),
            None => measure.notes.extend(self.expected(first)),
        }
        measure
    }

    /// Says which first plies are significantly better or worse than the others. `None` where best
    /// play is known, which says more.
    fn dominance(&self) -> Option<String> {
        let (results, players) = (self.results, self.results.plan.players.len());
        if solved(results).is_some() || players < 2 {
            return None;
        }
        let mut games = Vec::new();
        for (index, pairing) in results.pairings() {
            if pairing.challenger.is_some() || !pairing.is_even() || pairing.is_random() {
                continue;
            }
            let (_, independent) = results.score_sample(index, 0);
            let own = results.rows(index).filter_map(|row| {
                let ply = self.same(first_ply(row)?);
                Some((index, ply, row.ending.score(0, players)?, independent))
            });
            games.extend(own);
        }
        let found = differences(&games);
        let [better, worse] = [true, false].map(|is_better| {
            let own = found.iter().filter(|own| own.is_better == is_better);
            own.map(|own| format!("{} (p = {:.3})", own.ply, own.p)).collect::<Vec<String>>()
        });
        let says = |plies: Vec<String>, how: &str| {
            (!plies.is_empty())
                .then(|| format!("{} scores {how} than the others", list(&plies, "and")))
        };
        let says: Vec<String> =
            says(better, "more").into_iter().chain(says(worse, "less")).collect();
        let first = results.plan.players.first()?;
        (!says.is_empty()).then(|| {
            format!(
                "For {first}, {}, compared in games of the same players and corrected for the number of first plies.",
                says.join("; ")
            )
        })
    }

    /// Says what best play leads to after each first ply.
    fn exact(&self, board: &SolvedBoard) -> String {
        let mut by_value: Vec<(String, Vec<&SolvedPly>)> = Vec::new();
        for ply in &board.first_plies {
            let value = match ply.value {
                Some(known) => result(known, self.rules),
                None => "not known".to_owned(),
            };
            match by_value.iter_mut().find(|(own, _)| *own == value) {
                Some((_, plies)) => plies.push(ply),
                None => by_value.push((value, vec![ply])),
            }
        }
        let all = board.first_plies.len();
        let told = by_value.iter().map(|(value, plies)| match plies.len() {
            one if one == all => format!("{value} after every first ply"),
            _ => format!("{value} after {}", self.names(plies.iter().map(|own| own.ply.as_str()))),
        });
        format!("With best play: {}.", told.collect::<Vec<String>>().join("; "))
    }

    /// Says after which first plies a search expects the first player to score most and least.
    fn expected(&self, first: &str) -> Option<String> {
        let mut judged: Vec<&Opening> = self.results.openings().collect();
        judged.sort_by(|one, other| {
            other.chances[0].cmp(&one.chances[0]).then(one.ply.cmp(&other.ply))
        });
        let [best, .., worst] = judged[..] else { return None };
        let share = |opening: &Opening| {
            format!("{} ({:.0} %)", self.same(&opening.ply), f64::from(opening.chances[0]) / 10.0)
        };
        Some(format!(
            "A search with {} iterations after each of the {} first plies expects most for {first} of {}, and least of {}.",
            self.results.plan.openings,
            judged.len(),
            share(best),
            share(worst)
        ))
    }

    /// Names a few first plies: `place b2 or place a1 (and 3 more)`. Images of each other are named
    /// by the first of them.
    fn names<'p>(&'p self, plies: impl Iterator<Item = &'p str>) -> String {
        let mut names: Vec<&str> = Vec::new();
        let mut all = 0;
        for ply in plies.map(|ply| (ply, self.same(ply))) {
            all += 1;
            if !names.contains(&ply.1) {
                names.push(ply.1);
            }
        }
        names.truncate(NAMED);
        let named = list(&names, "or");
        match all - names.len() {
            0 => named,
            more => format!("{named} (and {more} more)"),
        }
    }

    fn pie_rule(&self) -> Measure {
        let mut measure = Measure::new(
            "pie-rule",
            "Pie rule",
            format!(
                "What would happen if the second player could change sides after the first ply: the first player would choose the ply after which the expected scores are \
                 nearest to each other, and the second the side that expects more. Where the game is solved, these are the scores of best play. Elsewhere they come from a search \
                 with {} iterations after each first ply, have no interval, and the nearest of many estimates looks nearer than it is.",
                self.results.plan.openings
            ),
        );
        let says = match solved(self.results) {
            Some(board) => self.exact_pie_rule(board),
            None => self.expected_pie_rule(),
        };
        measure.notes.extend(says);
        measure
    }

    /// Says what the pie rule would do to a solved game of two players.
    fn exact_pie_rule(&self, board: &SolvedBoard) -> Option<String> {
        let plies = &board.first_plies;
        if self.results.plan.players.len() != 2 {
            return None;
        }
        let known: Vec<(&SolvedPly, f64)> =
            plies.iter().filter_map(|ply| Some((ply, ply.value?.score(2)?))).collect();
        let distance = |score: f64| (score - 0.5).abs();
        let nearest = known.iter().map(|(_, score)| distance(*score)).min_by(f64::total_cmp)?;
        let names = || {
            let is_nearest =
                |(_, score): &&(&SolvedPly, f64)| distance(*score) < nearest + EQUAL_SCORES;
            self.names(known.iter().filter(is_nearest).map(|(ply, _)| ply.ply.as_str()))
        };
        let scores = known.iter().any(|(ply, _)| matches!(ply.value, Some(ExactValue::Score(_))));
        let says = if scores {
            format!(
                "the game would begin with {}, and the player who chooses the side expects {:.1} %",
                names(),
                (0.5 + nearest) * 100.0
            )
        } else if nearest < EQUAL_SCORES {
            format!("the game would begin with {} and be a draw", names())
        } else if known.len() == plies.len() {
            "the player who chooses the side wins, whatever the first ply is".to_owned()
        } else {
            format!(
                "the player who chooses the side wins after {} of {} first plies; of the others it is not known",
                known.len(),
                plies.len()
            )
        };
        let without = exact::value(board, self.rules);
        Some(format!("With the pie rule and best play, {says}. Without it, {without}."))
    }

    /// Returns the score of the first player between the strongest equal searchers, and their name.
    fn strongest(&self) -> Option<(String, Estimate)> {
        let is_equal = |pairing: &Pairing| {
            pairing.challenger.is_none() && pairing.is_even() && !pairing.is_random()
        };
        let mut equal = self.results.pairings().into_iter();
        let (index, pairing) = equal.rfind(|(_, pairing)| is_equal(pairing))?;
        Some((pairing.seats[0].first()?.to_string(), self.results.score(index, 0)?))
    }

    /// Says what a search expects the pie rule to do.
    fn expected_pie_rule(&self) -> Option<String> {
        let judged: Vec<&Opening> = self.results.openings().collect();
        let distance = |opening: &Opening| opening.chances[0].abs_diff(500);
        let nearest = judged.iter().map(|opening| distance(opening)).min()?;
        let names = judged.iter().filter(|opening| distance(opening) == nearest);
        let best = judged.iter().map(|opening| opening.chances[0]).max().unwrap_or(500);
        let share = |thousandths: u32| format!("{:.0} %", f64::from(thousandths) / 10.0);
        if let Some((who, score)) = self.strongest()
            && !(score.low..=score.high).contains(&(f64::from(best) / 1_000.0))
        {
            return Some(format!(
                "Nothing can be said: a search expects {} after the best first ply, but between {who} players {} scores {:.0} % ({:.0}–{:.0}).",
                share(best),
                self.results.plan.players[0],
                score.value * 100.0,
                score.low * 100.0,
                score.high * 100.0
            ));
        }
        Some(format!(
            "With the pie rule the game would begin with {}, and the player who chooses the side expects {}. Without it, the first player expects {} after the best first ply.",
            self.names(names.map(|opening| opening.ply.as_str())),
            share(500 + nearest),
            share(best)
        ))
    }
}

/// Says what best play leads to after a first ply.
fn result(value: ExactValue, rules: &Rules) -> String {
    let does = |player, one, all| team_does(rules, PlayerId(player), one, all);
    match value {
        ExactValue::Win(winner) => does(winner, "wins", "win"),
        ExactValue::Draw | ExactValue::NeverEnds if rules.players.len() == 1 => {
            does(0, "cannot win", "cannot win")
        }
        ExactValue::Draw | ExactValue::NeverEnds => "a draw".to_owned(),
        ExactValue::Open => "open".to_owned(),
        ExactValue::Score(score) => {
            format!("{} {:.1} %", does(0, "scores", "score"), score * 100.0)
        }
    }
}

/// Returns the first ply of a game; `None` if it is a roll.
fn first_ply(row: &GameRow) -> Option<&str> {
    (*row.movers.first()? >= 0).then(|| row.plies.first().map(String::as_str))?
}

/// Returns how often the second player swaps, in a game with the pie rule.
fn swaps(results: &Results, verb: &str) -> Measure {
    let mut measure = Measure::new(
        "pie-rule",
        "Pie rule",
        format!(
            "The share of recorded games in which the second player says `{verb}`. With this rule a score is that of a person, named by the colour with which he begins: a \
             win of the other colour after a swap is his. Interval: Wilson's."
        ),
    );
    for (index, pairing) in results.pairings() {
        let name = pairing.name(&results.plan.players);
        let swapped = results
            .proportion_in(index, |row| (u64::from(row.plies.iter().any(|ply| ply == verb)), 1));
        measure.add("", &name, Unit::Share, "games", swapped);
    }
    measure
}

fn mirror(results: &Results) -> Measure {
    let mut measure = Measure::new(
        "mirror",
        "Mirror play",
        "What happens if the second player answers each ply by its image under a symmetry of the board while that is legal, and otherwise plays like the first, a search of club \
         strength: the share of the second player's plies that are images, and the second player's score. The symmetry is the one by which most replies are images in random \
         games. Interval of the plies: Wilson's, with plies of one game as a cluster; of the score: Wilson's, with the variance of the scores where there are draws.",
    );
    let mut scores = Scores::default();
    let mut clusters = Clusters::default();
    let (mut images, mut replies, mut games) = (0, 0, 0);
    for game in results.mirrored() {
        let (own, all) = (u64::from(game.images), u64::from(game.replies));
        clusters.add(1.0, own, Some((0, games)));
        clusters.add(0.0, all - own, Some((0, games)));
        games += 1;
        images += own;
        replies += all;
        scores.add(game.ending, 1, results.plan.players.len(), 1);
    }
    if games == 0 {
        return measure;
    }
    let mirrored = Scores::of_proportion(images, replies)
        .estimate_of_independent(2, clusters.independent_of_proportion());
    measure.add("mirrored", "", Unit::Share, "plies", mirrored);
    let score = scores.estimate(results.plan.players.len());
    if images == 0 {
        measure.notes.push("No reply could be mirrored.".to_owned());
        return measure;
    }
    let verdict = score.map(|score| match score {
        score if score.low > 0.5 => "Mirror play holds: it scores more than half.",
        score if score.high < 0.5 => "Mirror play does not hold: it scores less than half.",
        _ => "Mirror play is not refuted: the interval of its score includes one half.",
    });
    measure.add("score", "", Unit::Share, "games", score);
    measure.notes.extend(verdict.map(str::to_owned));
    measure
}
