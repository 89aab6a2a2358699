//! The short report for a terminal: the verdict, the overview, a few small plots, and clauses that
//! were not observed.

use super::overview::{Group, Overview, equals};
use super::source::{first_line, marked};
use super::text::{heat, opening, rows, shortened, wrapped};
use super::{grouped, interval, value};
use crate::measure::report::{Figure, Report};
use crate::render::plot::{self, Plot, Shape};
use std::fmt::Write;

/// The most unobserved clauses that are listed.
const UNOBSERVED: usize = 12;
/// The most first plies that are listed.
const FIRST_MOVES: usize = 6;

/// The advice where there is no second family of players.
const TRAINING: &str = "With `--train`, players who learn from self-play join as a second family, so that there can be a verdict on who is ahead; that takes at most a minute of processor time more, once.";

/// Writes a report in lines of at most `width` characters.
pub fn brief(report: &Report, width: usize) -> String {
    let mut text = opening(report, false, width);
    table(&mut text, &Overview::of(report), width);
    skill(&mut text, report, width);
    levels(&mut text, report, width);
    openings(&mut text, report, width);
    pictures(&mut text, report, width);
    positions(&mut text, report, width);
    rules(&mut text, report, width);
    records(&mut text, report, width);
    if report.lacks_training() {
        text.push_str(&wrapped(TRAINING, width, ""));
    }
    text
}

/// Writes the overview. Columns that do not fit continue below.
fn table(text: &mut String, overview: &Overview, width: usize) {
    let all = || overview.groups.iter().flat_map(|group| &group.rows);
    let titles = overview.groups.iter().map(|group| group.title.chars().count().saturating_sub(2));
    let first = all().map(|row| row.label.chars().count()).chain(titles).max().unwrap_or(0);
    let widths: Vec<(usize, usize)> = (0..overview.columns.len())
        .map(|column| {
            let cells = || {
                all().filter(|row| !row.is_sample).filter_map(move |row| row.cells[column].as_ref())
            };
            let value = cells().map(|cell| cell.value.chars().count()).max().unwrap_or(0);
            (value, cells().map(|cell| cell.interval.chars().count()).max().unwrap_or(0))
        })
        .collect();
    // A name that is wider than the figures and does not fit is cut.
    let room = width.saturating_sub(first + 4).max(8);
    let names: Vec<String> = overview.columns.iter().map(|name| shortened(name, room)).collect();
    let whole = |column: usize| {
        (widths[column].0 + 1 + widths[column].1).max(names[column].chars().count())
    };
    for Group { title, means, rows } in &overview.groups {
        let mut columns = 0..0;
        while columns.end < names.len() {
            columns = columns.end..columns.end + 1;
            let mut left = room.saturating_sub(whole(columns.start));
            while columns.end < names.len() && left >= whole(columns.end) + 2 {
                left -= whole(columns.end) + 2;
                columns.end += 1;
            }
            let title = if columns.start == 0 { title } else { "" };
            let mut line = format!("\n{:<width$}", title, width = first + 2);
            for column in columns.clone() {
                let _ = write!(line, "  {:>width$}", names[column], width = whole(column));
            }
            text.push_str(&line);
            text.push('\n');
            for row in rows {
                let mut line = format!("  {:<first$}", row.label);
                for column in columns.clone() {
                    let shown = match &row.cells[column] {
                        None => String::new(),
                        Some(cell) => format!(
                            "{:>a$} {:>b$}",
                            cell.value,
                            cell.interval,
                            a = widths[column].0,
                            b = widths[column].1
                        ),
                    };
                    let _ = write!(line, "  {shown:>width$}", width = whole(column));
                }
                let _ = writeln!(text, "{}", line.trim_end());
            }
        }
        text.push_str(&wrapped(&format!("({means})"), width, "  "));
    }
}

/// Writes the first plies, what follows from them, and the puzzles.
fn openings(text: &mut String, report: &Report, width: usize) {
    for (key, most) in
        [("first-moves", FIRST_MOVES), ("pie-rule", 0), ("mirror", 0), ("puzzles", 0)]
    {
        let Some(measure) = report.measure(key) else { continue };
        let _ = writeln!(text, "\n{}", measure.title);
        let figures: Vec<Figure> = match most {
            0 => measure.figures.clone(),
            most => measure.figures.iter().take(most).cloned().collect(),
        };
        text.push_str(&rows(&figures, report, width));
        for note in &measure.notes {
            text.push_str(&wrapped(note, width, "  "));
        }
    }
}

fn skill(text: &mut String, report: &Report, width: usize) {
    let figures: Vec<Figure> = ["strength", "skill-ladder"]
        .iter()
        .filter_map(|key| report.measure(key))
        .flat_map(|measure| measure.figures.clone())
        .collect();
    if figures.is_empty() {
        return;
    }
    text.push_str("\nSkill\n");
    text.push_str(&rows(&figures, report, width));
    text.push_str(&wrapped("(score of the first player named, over all seatings)", width, "  "));
    for note in report.measure("depends-on-strength").iter().flat_map(|measure| &measure.notes) {
        text.push_str(&wrapped(note, width, "  "));
    }
}

fn levels(text: &mut String, report: &Report, width: usize) {
    let Some(measure) = report.measure("levels") else { return };
    let _ = writeln!(text, "\n{}", measure.title);
    text.push_str(&rows(&measure.figures, report, width));
    text.push_str(&wrapped(
        "(score of a search with so many iterations a ply, against the level below)",
        width,
        "  ",
    ));
}

/// Writes the plots of the strongest players.
fn pictures(text: &mut String, report: &Report, width: usize) {
    text.push('\n');
    let names = equals(report);
    for key in ["seat-advantage", "plies", "branching", "uncertainty"] {
        let Some(plot) = report.measure(key).and_then(|measure| measure.plots.last()) else {
            continue;
        };
        let plot = match &plot.shape {
            Shape::Lines(lines) => Plot {
                shape: Shape::Lines(
                    lines
                        .iter()
                        .rfind(|line| names.contains(&line.name))
                        .cloned()
                        .into_iter()
                        .collect(),
                ),
                ..plot.clone()
            },
            _ => plot.clone(),
        };
        let plot = report.strengths.plot(&plot);
        let title = format!("{}, {} by {}", plot.title, plot.up, plot.across);
        let _ = write!(text, "{}{}", wrapped(&title, width, ""), plot::text(&plot, width));
    }
    if let Some(last) = report.heat.last() {
        let who = report.strengths.text(&last.who);
        let title = format!("How often each site is chosen, {who}; 9 is most often");
        let _ = write!(text, "{}{}", wrapped(&title, width, ""), heat(report, last));
    }
}

fn positions(text: &mut String, report: &Report, width: usize) {
    let Some(states) = report.measure("states") else { return };
    let spelled = |figure: &Figure| match interval(figure) {
        none if none.is_empty() => format!("{} {}", value(figure), figure.what),
        interval => format!("{} {} ({interval})", figure.what, value(figure)),
    };
    let figures: Vec<String> = states.figures.iter().map(spelled).collect();
    text.push_str(&wrapped(
        &format!("Different positions: {}. {}", figures.join(", "), states.notes.join(" ")),
        width,
        "",
    ));
}

fn rules(text: &mut String, report: &Report, width: usize) {
    let coverage = &report.coverage;
    if coverage.games == 0 {
        return;
    }
    let unobserved = coverage.clauses.iter().filter(|clause| clause.is_unobserved()).count();
    let sample =
        format!("{} games, {} positions", grouped(coverage.games), grouped(coverage.positions));
    let says = match unobserved {
        0 => format!(
            "Rules: each of the {} clauses was observed ({sample}).",
            coverage.clauses.len()
        ),
        _ => format!(
            "Rules: {unobserved} of {} clauses not observed ({sample}); they may still happen:",
            coverage.clauses.len()
        ),
    };
    text.push_str(&wrapped(&says, width, ""));
    let files = marked(report);
    let marks = files.iter().flat_map(|file| file.lines.iter().map(move |line| (file, line)));
    let marks =
        marks.flat_map(|(file, line)| line.marks.iter().map(move |mark| (file, line.number, mark)));
    for (file, number, mark) in marks.filter(|(_, _, mark)| mark.unobserved).take(UNOBSERVED) {
        let name = if files.len() > 1 { format!("{} ", file.name) } else { String::new() };
        let line = format!("{name}line {number}: {}", first_line(&mark.clause, 60));
        text.push_str(&wrapped(&line, width, "  "));
    }
    if unobserved > UNOBSERVED {
        let _ = writeln!(text, "  … and {} more", unobserved - UNOBSERVED);
    }
}

fn records(text: &mut String, report: &Report, width: usize) {
    for told in &report.records {
        text.push_str(&wrapped(&format!("{}: {}", told.title, told.why), width, ""));
        for critical in &told.critical {
            text.push_str(&wrapped(&format!("critical ply {}", critical.text), width, "  "));
        }
    }
}
