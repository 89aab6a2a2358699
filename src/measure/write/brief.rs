//! The short report for a terminal: the overview, a few small plots, and clauses that were not
//! observed.

use super::overview::{Group, Overview, equals};
use super::source::{first_line, marked};
use super::text::{heat, rows, wrapped};
use super::{grouped, interval, options, summary, value};
use crate::measure::report::{Figure, Report};
use crate::render::plot::{self, Plot, Shape};
use std::fmt::Write;

/// The most unobserved clauses that are listed.
const UNOBSERVED: usize = 12;

/// Writes a report in lines of about `width` characters.
pub fn brief(report: &Report, width: usize) -> String {
    let mut text = format!(
        "{}{}\n{}",
        report.results.plan.game,
        options(report),
        wrapped(&summary(report), width, "")
    );
    for remark in report.remarks() {
        text.push_str(&wrapped(&remark, width, ""));
    }
    table(&mut text, &Overview::of(report), width);
    skill(&mut text, report, width);
    pictures(&mut text, report, width);
    positions(&mut text, report, width);
    rules(&mut text, report, width);
    records(&mut text, report);
    text
}

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
    let whole = |column: usize| {
        (widths[column].0 + 1 + widths[column].1).max(overview.columns[column].chars().count())
    };
    for Group { title, means, rows } in &overview.groups {
        let _ = write!(text, "\n{:<width$}", title, width = first + 2);
        for (column, name) in overview.columns.iter().enumerate() {
            let _ = write!(text, "  {name:>width$}", width = whole(column));
        }
        text.push('\n');
        for row in rows {
            let mut line = format!("  {:<first$}", row.label);
            for (column, cell) in row.cells.iter().enumerate() {
                let shown = match cell {
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
        text.push_str(&wrapped(&format!("({means})"), width, "  "));
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
    text.push_str(&rows(&figures));
    let notes =
        report.measure("skill-ladder").map_or(String::new(), |ladder| ladder.notes.join(" "));
    text.push_str(&wrapped(
        &format!("(score of the first player named, over all seatings) {notes}"),
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
        let _ = write!(
            text,
            "{}, {} by {}\n{}",
            plot.title,
            plot.up,
            plot.across,
            plot::text(&plot, width)
        );
    }
    if let Some(last) = report.heat.last() {
        let _ = write!(
            text,
            "How often each site is chosen, {}; 9 is most often\n{}",
            last.who,
            heat(report, last)
        );
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
        let _ = writeln!(text, "  {name}line {number}: {}", first_line(&mark.clause, 60));
    }
    if unobserved > UNOBSERVED {
        let _ = writeln!(text, "  … and {} more", unobserved - UNOBSERVED);
    }
}

fn records(text: &mut String, report: &Report) {
    for told in &report.records {
        let _ = writeln!(text, "{}: {}", told.title, told.why);
    }
}
