//! The first plies: how often they are played and with what result, what a search expects of them,
//! and what the pie rule would do; and mirror play.

use super::{Measure, Unit};
use crate::engine::game::Game;
use crate::measure::copies::Variety;
use crate::measure::game_rows::{GameRow, Opening};
use crate::measure::results::Results;
use crate::measure::statistics::{Clusters, Scores};
use crate::notation::list;
use std::collections::HashMap;

/// The most first plies with a figure of their own.
const MOST: usize = 12;
/// The most first plies that a sentence names.
const NAMED: usize = 3;

/// Computes the measures.
pub fn measures(results: &Results, game: &Game) -> Vec<Measure> {
    let rules = game.rules();
    let pie = match rules.pie {
        Some(pie) => swaps(results, &rules.moves[pie.swap.index()].verb),
        None => pie_rule(results),
    };
    vec![first_moves(results), pie, mirror(results)]
}

fn first_moves(results: &Results) -> Measure {
    let players = &results.plan.players;
    let first = players.first().map_or("the first player", String::as_str);
    let mut measure = Measure::new(
        "first-moves",
        "First moves",
        format!(
            "The score of {first} after each first ply, over the games between equal searchers that begin with it, the most frequent first. Figures of a few games say \
             little. Interval: Wilson's, with the variance of the scores where there are draws."
        ),
    );
    let mut found: HashMap<&str, (Vec<&GameRow>, Scores)> = HashMap::new();
    let pairings = results.pairings();
    let equal = pairings.iter().filter(|(_, pairing)| {
        pairing.challenger.is_none() && pairing.is_even() && !pairing.is_random()
    });
    for row in equal.flat_map(|(index, _)| results.rows(*index)) {
        let Some(ply) = first_ply(row) else { continue };
        let (games, scores) = found.entry(ply).or_default();
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
        let independent =
            Variety::of(&results.plan, finished).independent * clusters.independent_of_proportion();
        let score = scores.estimate_of_independent(players.len(), independent);
        measure.add(*ply, "", Unit::Share, "games", score);
    }
    if all > MOST {
        measure.notes.push(format!("{all} first plies were played; these are the most frequent."));
    }
    let mut judged: Vec<&Opening> = results.openings().collect();
    judged
        .sort_by(|one, other| other.chances[0].cmp(&one.chances[0]).then(one.ply.cmp(&other.ply)));
    if let [best, .., worst] = judged[..] {
        measure.notes.push(format!(
            "A search with {} iterations after each of the {} first plies expects most for {first} of {} ({} %), and least of {} ({} %).",
            results.plan.openings,
            judged.len(),
            best.ply,
            percent(best),
            worst.ply,
            percent(worst)
        ));
    }
    measure
}

/// Returns the first ply of a game; `None` if it is a roll.
fn first_ply(row: &GameRow) -> Option<&str> {
    (*row.movers.first()? >= 0).then(|| row.plies.first().map(String::as_str))?
}

/// Formats the expected score of the first player.
fn percent(opening: &Opening) -> String {
    format!("{:.0}", f64::from(opening.chances[0]) / 10.0)
}

fn pie_rule(results: &Results) -> Measure {
    let mut measure = Measure::new(
        "pie-rule",
        "Pie rule",
        format!(
            "What would happen if the second player could change sides after the first ply: the first player would choose the ply after which the expected scores are \
             nearest to each other, and the second the side that expects more. The expected scores come from a search with {} iterations after each first ply. They have no \
             interval, and the nearest of many estimates looks nearer than it is.",
            results.plan.openings
        ),
    );
    let judged: Vec<&Opening> = results.openings().collect();
    let distance = |opening: &Opening| opening.chances[0].abs_diff(500);
    let Some(nearest) = judged.iter().map(|opening| distance(opening)).min() else {
        return measure;
    };
    let mut names: Vec<&str> = judged
        .iter()
        .filter(|opening| distance(opening) == nearest)
        .map(|opening| opening.ply.as_str())
        .collect();
    let more = names.len().saturating_sub(NAMED);
    names.truncate(NAMED);
    let more = if more > 0 { format!(" (and {more} more)") } else { String::new() };
    let best = judged.iter().map(|opening| opening.chances[0]).max().unwrap_or(500);
    let share = |thousandths: u32| format!("{:.0} %", f64::from(thousandths) / 10.0);
    measure.notes.push(format!(
        "With the pie rule the game would begin with {}{more}, and the player who chooses the side expects {}. Without it, the first player expects {} after the best first ply.",
        list(&names, "or"),
        share(500 + nearest),
        share(best)
    ));
    measure
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
