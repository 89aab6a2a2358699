//! The overview of a report: a row for each figure, a column for each pairing without a challenger.
//! Cells are text, shared by all formats.

use super::{grouped, interval, value};
use crate::measure::report::{Figure, Measure, Report, Unit};

/// A table of figures.
pub struct Overview {
    /// The pairings.
    pub columns: Vec<String>,
    pub groups: Vec<Group>,
}

/// A group of related figures.
pub struct Group {
    pub title: &'static str,
    /// A short definition.
    pub means: String,
    pub rows: Vec<OverviewRow>,
}

/// A row of figures, one for each column.
pub struct OverviewRow {
    pub label: String,
    pub cells: Vec<Option<Cell>>,
    /// Whether it gives the sample sizes of the rows below.
    pub is_sample: bool,
}

/// A value and its interval.
pub struct Cell {
    pub value: String,
    pub interval: String,
}

/// A group: title, definition, and the keys of its measures with their row labels.
type Measures = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

const GROUPS: [Measures; 5] = [
    (
        "Who wins",
        "a win counts 1, a draw is divided equally, unfinished games do not count",
        &[
            ("seat-advantage", "scores"),
            ("draws", "draws"),
            ("unfinished", "unfinished"),
            ("chance", "due to the dice"),
        ],
    ),
    (
        "How well they play",
        "as best play: games that end as with best play, on the largest board that was solved; blunders: plies that give away a result that can be proven",
        &[("best-play", "as best play"), ("blunders", "blunders")],
    ),
    (
        "How long it takes",
        "nine games in ten lie between the 5 % and the 95 % quantile; a turn is all consecutive plies of a player",
        &[("plies", "plies"), ("turns", "turns"), ("minutes", "minutes")],
    ),
    (
        "What there is to choose",
        "legal plies of a player; forced: only one is legal; game tree: legal plies multiplied along a game, as a power of ten; repeating: games in which a position repeats; board used: the share of \
         sites that a game uses",
        &[
            ("branching", "legal plies"),
            ("forced", "forced"),
            ("game-tree", "game tree, 10^"),
            ("repetition", "repeating"),
            ("sites", "board used"),
        ],
    ),
    (
        "How it goes",
        "by the winning chances that a search of {judge} iterations estimates; drama: how far behind the winner was, from 0 to 1; played on: the share of the game after the winner's chance reached 80 % for good; settled: the part of a game after which it stays there; comebacks: how often the player wins who is the first to fall clearly behind; uncertainty: 100 % when all chances are equal",
        &[
            ("drama", "drama"),
            ("lead-changes", "lead changes"),
            ("decisiveness", "played on"),
            ("settled", "settled"),
            ("comebacks", "comebacks"),
            ("uncertainty", "uncertainty"),
        ],
    ),
];

impl Overview {
    /// Builds the overview of a report.
    pub fn of(report: &Report) -> Overview {
        let names = equals(report);
        let groups = GROUPS.iter().map(|&(title, means, keys)| {
            let measures =
                keys.iter().filter_map(|&(key, label)| Some((report.measure(key)?, label)));
            let alone = report.results.plan.players.len() == 1;
            let measures = measures.map(|(measure, label)| match label {
                "draws" if alone => (measure, "lost"),
                _ => (measure, label),
            });
            let means = match report.results.plan.players.len() {
                1 => means.replace("a draw is divided equally", "any other end 0"),
                _ => means.to_owned(),
            };
            let mut rows = Vec::new();
            let mut last = Vec::new();
            measures
                .for_each(|(measure, label)| gather(measure, label, &names, &mut last, &mut rows));
            Group {
                title,
                means: means.replace("{judge}", &report.results.plan.judge.to_string()),
                rows,
            }
        });
        let groups = groups.filter(|group| !group.rows.is_empty()).collect();
        let short = |name: String| {
            report.strengths.text(name.strip_suffix(" against itself").unwrap_or(&name))
        };
        Overview { columns: names.into_iter().map(short).collect(), groups }
    }
}

/// Returns the names of the pairings without a challenger.
pub fn equals(report: &Report) -> Vec<String> {
    let equals =
        report.results.pairings().into_iter().filter(|(_, pairing)| pairing.challenger.is_none());
    equals.map(|(_, pairing)| pairing.name(&report.results.plan.players)).collect()
}

/// Adds the rows of a measure, preceded by a row of sample sizes where they differ from the last.
fn gather(
    measure: &Measure,
    label: &str,
    names: &[String],
    last: &mut Vec<String>,
    rows: &mut Vec<OverviewRow>,
) {
    let mut whats: Vec<&str> = Vec::new();
    for figure in measure.figures.iter().filter(|figure| names.contains(&figure.who)) {
        // For turns and minutes, the mean is enough.
        if !whats.contains(&figure.what.as_str())
            && (!["turns", "minutes"].contains(&measure.key) || figure.what == "mean")
        {
            whats.push(&figure.what);
        }
    }
    for what in whats {
        let figures: Vec<Option<&Figure>> =
            names.iter().map(|name| measure.figure(what, name)).collect();
        let samples: Vec<String> = figures
            .iter()
            .map(|figure| figure.map_or(String::new(), |figure| grouped(figure.estimate.sample)))
            .collect();
        if samples != *last {
            let cell = |sample: &String| {
                (!sample.is_empty())
                    .then(|| Cell { value: sample.clone(), interval: String::new() })
            };
            let of = figures.iter().flatten().next().map_or("", |figure| figure.of);
            rows.push(OverviewRow {
                label: format!("sample, {of}"),
                cells: samples.iter().map(cell).collect(),
                is_sample: true,
            });
            *last = samples;
        }
        let label = match (measure.key, what) {
            (_, "") => label.to_owned(),
            ("seat-advantage", player) => format!("{player} {label}"),
            ("repetition", "games") => label.to_owned(),
            ("repetition", _) => format!("{label} {what}"),
            _ => format!("{label}, {what}"),
        };
        let cells = figures.into_iter().map(|figure| figure.map(cell)).collect();
        rows.push(OverviewRow { label, cells, is_sample: false });
    }
}

fn cell(figure: &Figure) -> Cell {
    // The label of the row says that it is a power of ten.
    let plain = if figure.unit == Unit::PowerOfTen {
        Figure { unit: Unit::Number, ..figure.clone() }
    } else {
        figure.clone()
    };
    Cell { value: value(&plain), interval: interval(&plain) }
}
