//! The comparison with other games in words: which differences there are, which are not found, and
//! what cannot be compared.

use super::text::{item, wrapped};
use super::with_interval;
use crate::measure::compared::{Compared, ComparedFigure, ComparedGame, FEW};
use crate::measure::report::{Report, Strengths};
use crate::notation::{counted, list};
use crate::pages::escaped;
use serde::Serialize;
use std::fmt::Write;

/// The comparison in JSON.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct ComparedAnswer<'r> {
    /// The number of tests made, for which the p-values are corrected.
    tests: usize,
    games: Vec<ComparedGameAnswer<'r>>,
}

/// The comparison with another game.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
struct ComparedGameAnswer<'r> {
    #[serde(flatten)]
    game: &'r ComparedGame,
    /// What the figures say.
    sentences: Vec<String>,
}

impl ComparedAnswer<'_> {
    /// Describes the comparison of a report, if it has one.
    pub fn of<'r>(report: &'r Report) -> Option<ComparedAnswer<'r>> {
        let compared = report.compared.as_ref()?;
        let games = compared.games.iter();
        let games = games
            .map(|game| ComparedGameAnswer { game, sentences: sentences(game, &report.strengths) });
        Some(ComparedAnswer { tests: compared.tests, games: games.collect() })
    }
}

/// The wording for figures of a measure.
struct Wording {
    /// What precedes the other game's name if the figure is greater than there, and if it is less.
    more: &'static str,
    less: &'static str,
    /// The text before and after the figure.
    before: &'static str,
    after: &'static str,
    /// The name of the figure.
    noun: &'static str,
}

fn wording(measure: &str, is_solitaire: bool) -> Wording {
    let [more, less, before, after, noun] = match measure {
        "plies" => ["Longer than", "Shorter than", "", " plies", "length"],
        "branching" => ["More choice than in", "Less choice than in", "", " legal plies", "choice"],
        "draws" if is_solitaire => {
            ["Harder than", "Easier than", "", " of games are lost", "difficulty"]
        }
        "draws" => ["More drawish than", "Less drawish than", "", " of games are drawn", "draws"],
        "unfinished" => [
            "Less often finished than",
            "More often finished than",
            "",
            " of games do not end",
            "games without an end",
        ],
        "decisiveness" => [
            "Less decisive than",
            "More decisive than",
            "",
            " of a game is played after its decision",
            "decisiveness",
        ],
        "comebacks" => [
            "More comebacks than in",
            "Fewer comebacks than in",
            "who falls clearly behind still wins ",
            " of games",
            "comebacks",
        ],
        "forced" => [
            "More forced plies than in",
            "Fewer forced plies than in",
            "a player has no choice at ",
            " of plies",
            "forced plies",
        ],
        "repetition" => [
            "More repetition than in",
            "Less repetition than in",
            "a position repeats in ",
            " of games",
            "repetition",
        ],
        _ => ["Better for the", "Worse for the", "a score of ", "", "the score of the"],
    };
    Wording { more, less, before, after, noun }
}

/// Names what a figure is of: `the score of the first player`.
fn noun(figure: &ComparedFigure, is_solitaire: bool) -> String {
    let noun = wording(figure.measure, is_solitaire).noun;
    match figure.measure {
        "seat-advantage" => format!("{noun} {}", figure.what),
        _ => noun.to_owned(),
    }
}

/// Says how a figure differs: `Longer than Go: 84.2 (80.1–88.3) plies, against 61.0 (59.2–62.8)`.
fn difference(figure: &ComparedFigure, game: &ComparedGame) -> String {
    let Wording { more, less, before, after, .. } = wording(figure.measure, game.is_solitaire);
    let is_more = figure.own.estimate.value > figure.other.estimate.value;
    let start = if is_more { more } else { less };
    let start = match figure.measure {
        "seat-advantage" => format!("{start} {} than", figure.what),
        _ => start.to_owned(),
    };
    let (own, other) = (with_interval(&figure.own), with_interval(&figure.other));
    format!("{start} {}: {before}{own}{after}, against {other}.", game.game)
}

/// Says whose games are compared, and how many.
fn players(game: &ComparedGame, strengths: &Strengths) -> String {
    let Some(player) = &game.player else {
        return format!(
            "Too few games to compare it with {}: of both, the same players need {FEW} games that neither repeat each other nor share their dice.",
            game.game
        );
    };
    let stronger: Vec<String> = game.stronger.iter().map(|kind| strengths.text(kind)).collect();
    let stronger = match &stronger[..] {
        [] => String::new(),
        stronger => format!(
            " Too few games of {} neither repeat each other nor share their dice.",
            list(stronger, "and")
        ),
    };
    let little = if player == "random" { ", which says little of good play" } else { "" };
    format!(
        "Both games were played by {} players{little}: this one {}, {} {}.{stronger}",
        strengths.text(player),
        counted(game.games.0, "time"),
        game.game,
        counted(game.games.1, "time")
    )
}

/// Says in which way a game differs from another one: whose games are compared, what differs, what
/// does not, and what cannot be compared.
pub fn sentences(game: &ComparedGame, strengths: &Strengths) -> Vec<String> {
    let mut said = vec![players(game, strengths)];
    let (different, alike): (Vec<_>, Vec<_>) =
        game.figures.iter().partition(|figure| figure.differs());
    said.extend(different.into_iter().map(|figure| difference(figure, game)));
    if !alike.is_empty() {
        let alike: Vec<String> =
            alike.into_iter().map(|figure| noun(figure, game.is_solitaire)).collect();
        said.push(format!("No significant difference is found in {}.", list(&alike, "and")));
    }
    let nouns = |keys: &[&str]| {
        let noun = |key: &&str| match *key {
            "seat-advantage" => "scores",
            key => wording(key, game.is_solitaire).noun,
        };
        list(&keys.iter().map(noun).collect::<Vec<&str>>(), "and")
    };
    let remarks = [
        (&game.too_few, "Too few games to compare"),
        (&game.other_players, "Not to be compared with another number of players:"),
        (
            &game.other_judge,
            "Not to be compared, since another search estimated the chances there:",
        ),
    ];
    let remarks = remarks.into_iter().filter(|(keys, _)| !keys.is_empty());
    said.extend(remarks.map(|(keys, why)| format!("{why} {}.", nouns(keys))));
    if !game.opening.is_empty() {
        said.push(format!("Games of {} start after {}.", game.game, game.opening.join(", ")));
    }
    said
}

/// Says how the differences are tested.
fn method(compared: &Compared) -> String {
    format!(
        "Brackets hold 95 % intervals. Figures differ if Welch's test of means or Yates's of proportions says so after Holm's correction for {}, so that of 100 comparisons of games that do not differ at most 5 claim a difference.",
        counted(compared.tests as u64, "test")
    )
}

/// Formats the figures, one row each: label, both figures, p-value.
fn rows(game: &ComparedGame) -> impl Iterator<Item = [String; 4]> + '_ {
    game.figures.iter().map(|figure| {
        let label: Vec<&str> =
            [figure.title, &figure.what].into_iter().filter(|word| !word.is_empty()).collect();
        let p = if figure.p < 0.0001 {
            "p < 0.0001".to_owned()
        } else {
            format!("p = {:.4}", figure.p)
        };
        [label.join(", "), with_interval(&figure.own), with_interval(&figure.other), p]
    })
}

/// Writes the comparison of a report as text, in full with every figure. Empty if it has none.
pub fn text(report: &Report, full: bool, width: usize) -> String {
    let Some(compared) = &report.compared else { return String::new() };
    let mut text = String::new();
    for game in &compared.games {
        let _ = write!(text, "\n{}", wrapped(&format!("Compared with {}", game.game), width, ""));
        for sentence in sentences(game, &report.strengths) {
            text.push_str(&item(&sentence, width));
        }
        for [label, own, other, p] in rows(game).filter(|_| full) {
            text.push_str(&wrapped(&format!("{label}: {own}; there {other}; {p}"), width, "  "));
        }
    }
    text + &wrapped(&method(compared), width, "")
}

/// Writes the comparison of a report as Markdown; `plain` escapes texts. Empty if it has none.
pub fn markdown(report: &Report, plain: impl Fn(&str) -> String) -> String {
    let Some(compared) = &report.compared else { return String::new() };
    let mut page = String::new();
    for game in &compared.games {
        let _ = write!(page, "## Compared with {}\n\n", plain(&game.game));
        for sentence in sentences(game, &report.strengths) {
            let _ = writeln!(page, "- {}", plain(&sentence));
        }
        page.push('\n');
        if !game.figures.is_empty() {
            page.push_str("| | this game | the other game | |\n|---|---:|---:|---:|\n");
        }
        for [label, own, other, p] in rows(game) {
            let _ = writeln!(page, "| {label} | {own} | {other} | {} |", plain(&p));
        }
        page.push('\n');
    }
    let _ = writeln!(page, "{}\n", method(compared));
    page
}

/// Writes the comparison of a report as a section of a page. Empty if it has none.
pub fn html(report: &Report, name: &str) -> String {
    let Some(compared) = &report.compared else { return String::new() };
    let mut body = format!("<section id=\"{name}compared\">\n");
    for game in &compared.games {
        let title = escaped(&game.game);
        let _ = write!(body, "<h2>Compared with {title}</h2>\n<ul class=\"details\">\n");
        for sentence in sentences(game, &report.strengths) {
            let _ = writeln!(body, "<li>{}</li>", escaped(&sentence));
        }
        body.push_str("</ul>\n");
        if game.figures.is_empty() {
            continue;
        }
        let _ = writeln!(
            body,
            "<table>\n<tr><th></th><th>this game</th><th>{title}</th><th></th></tr>"
        );
        for [label, own, other, p] in rows(game) {
            let _ = writeln!(
                body,
                "<tr><td>{}</td><td class=\"number\">{own}</td><td class=\"number\">{other}</td><td class=\"number\">{}</td></tr>",
                escaped(&label),
                escaped(&p)
            );
        }
        body.push_str("</table>\n");
    }
    let _ =
        writeln!(body, "<p class=\"definition\">{}</p>\n</section>", escaped(&method(compared)));
    body
}
