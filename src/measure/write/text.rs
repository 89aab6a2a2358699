//! The full report as text.

use super::source::{Mark, marked};
use super::{grouped, interval, options, sample, summary, value};
use crate::board::Site;
use crate::measure::report::{Figure, Heat, Measure, Report};
use crate::notation::write_sites;
use crate::record::Record;
use crate::render::plot;
use std::fmt::Write;

/// Writes a report in lines of at most `width` characters where possible.
pub fn full(report: &Report, width: usize) -> String {
    let mut text = format!(
        "{}{}\n{}",
        report.results.plan.game,
        options(report),
        wrapped(&summary(report), width, "")
    );
    for remark in report.remarks() {
        text.push_str(&wrapped(&remark, width, ""));
    }
    for measure in &report.measures {
        text.push_str(&tell(measure, width));
        if measure.key == "sites" {
            for map in &report.heat {
                let _ = write!(text, "  {}; 9 is most often:\n{}", map.who, heat(report, map));
            }
        }
    }
    text.push_str(&rules(report, width));
    for told in &report.records {
        let _ = write!(
            text,
            "\n{}: {}\n{}",
            told.title,
            told.why,
            wrapped(&moves(&told.record), width, "  ")
        );
    }
    text
}

/// Formats the plies of a record and the result.
fn moves(record: &str) -> String {
    let Ok(record) = Record::parse(record) else { return String::new() };
    let plies = record.plies.iter().map(|ply| ply.text.as_str()).collect::<Vec<&str>>().join(", ");
    match record.result {
        Some(result) => format!("{plies}: {result}"),
        None => plies,
    }
}

fn tell(measure: &Measure, width: usize) -> String {
    let mut text = format!("\n{}\n{}", measure.title, wrapped(&measure.definition, width, "  "));
    text.push_str(&rows(&measure.figures));
    for note in &measure.notes {
        let _ = writeln!(text, "  {note}");
    }
    for plot in &measure.plots {
        let _ = writeln!(text, "  {}, {} by {}:", plot.title, plot.up, plot.across);
        text.push_str(&plot::text(plot, width));
    }
    text
}

/// Formats figures as a table.
pub fn rows(figures: &[Figure]) -> String {
    let cells = figures.iter().map(|figure| {
        let label = [figure.what.as_str(), figure.who.as_str()]
            .into_iter()
            .filter(|word| !word.is_empty())
            .collect::<Vec<&str>>()
            .join(", ");
        [label, value(figure), interval(figure), sample(figure)]
    });
    let cells: Vec<[String; 4]> = cells.collect();
    let widths = [0, 1, 2, 3]
        .map(|column| cells.iter().map(|row| row[column].chars().count()).max().unwrap_or(0));
    let line = |[label, value, interval, sample]: &[String; 4]| {
        format!(
            "  {label:<a$}  {value:>b$}  {interval:>c$}  {sample:>d$}\n",
            a = widths[0],
            b = widths[1],
            c = widths[2],
            d = widths[3]
        )
    };
    cells.iter().map(line).collect()
}

/// Formats the source annotated with coverage.
fn rules(report: &Report, width: usize) -> String {
    let coverage = &report.coverage;
    if coverage.games == 0 {
        return String::new();
    }
    let definition = format!(
        "How often each clause was executed or tested in {} games, how often it was true, and in how many games it decided the result. \
         Requirements were tested for all moves, legal or not, in {} positions. A clause that never took effect is marked \"not observed\"; it may still happen.",
        grouped(coverage.games),
        grouped(coverage.positions)
    );
    let mut text = format!("\nThe rules in use\n{}", wrapped(&definition, width, "  "));
    let files = marked(report);
    for file in &files {
        if files.len() > 1 {
            let _ = writeln!(text, "  {}", file.name);
        }
        for line in &file.lines {
            let _ = writeln!(text, "  {:>4} │ {}", line.number, line.text);
            for Mark { column, says, .. } in &line.marks {
                let _ = writeln!(text, "       │ {}└ {says}", " ".repeat(*column));
            }
        }
    }
    let unobserved = coverage.clauses.iter().filter(|clause| clause.is_unobserved()).count();
    let _ = writeln!(text, "  {unobserved} of {} clauses not observed.", coverage.clauses.len());
    text
}

/// Formats the frequency of each site on the board, from 0 (never) to 9 (most often).
pub fn heat(report: &Report, map: &Heat) -> String {
    let most = map.sites.iter().copied().fold(0.0, f64::max).max(f64::MIN_POSITIVE);
    let digit = |site: Site| {
        format!("{:.0}", map.sites.get(site.index()).map_or(0.0, |part| (part / most * 9.0).ceil()))
    };
    write_sites(&report.game.rules().board, 1, &digit)
}

/// Wraps words into lines of about `width` characters, each with the same indent.
pub fn wrapped(words: &str, width: usize, indent: &str) -> String {
    let options = textwrap::Options::new(width).initial_indent(indent).subsequent_indent(indent);
    textwrap::fill(words, options) + "\n"
}
