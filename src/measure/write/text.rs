//! The full report as text.

use super::compared;
use super::left_out;
use super::source::{Mark, marked};
use super::{grouped, interval, options, sample, summary, value};
use crate::board::Site;
use crate::measure::report::{Figure, Heat, Measure, Report};
use crate::notation::write_sites;
use crate::record::Record;
use crate::render::plot;
use std::fmt::Write;

/// Writes a report in lines of at most `width` characters.
pub fn full(report: &Report, width: usize) -> String {
    let mut text = opening(report, true, width);
    for measure in &report.measures {
        text.push_str(&tell(measure, report, width));
        if measure.key == "sites" {
            for map in &report.heat {
                let title = format!("{}; 9 is most often:", report.strengths.text(&map.who));
                let _ = write!(text, "{}{}", wrapped(&title, width, "  "), heat(report, map));
            }
        }
    }
    text.push_str(&rules(report, width));
    for told in &report.records {
        let _ = write!(
            text,
            "\n{}{}",
            wrapped(&format!("{}: {}", told.title, told.why), width, ""),
            wrapped(&moves(&told.record), width, "  ")
        );
        for critical in &told.critical {
            text.push_str(&wrapped(&format!("critical ply {}", critical.text), width, "  "));
        }
    }
    text
}

/// Writes the title, the summary, the verdict, the comparisons with other games and without rules,
/// the remarks, and who played.
pub fn opening(report: &Report, full: bool, width: usize) -> String {
    let title = format!("{}{}", report.results.plan.game, options(report));
    let mut text = wrapped(&title, width, "");
    for sentence in &report.summary {
        text.push_str(&item(sentence, width));
    }
    if !report.verdict.is_empty() {
        text.push_str("\nIn detail\n");
    }
    for sentence in &report.verdict {
        let title = report.measure(sentence.measure).map_or("The rules in use", |own| own.title);
        text.push_str(&item(&format!("{} [{title}]", sentence.text), width));
    }
    text.push_str(&compared::text(report, full, width));
    text.push_str(&left_out::text(report, full, width));
    text.push('\n');
    for remark in report.remarks() {
        text.push_str(&wrapped(&remark, width, ""));
    }
    text.push_str(&wrapped(&summary(report), width, ""));
    if let Some(note) = report.strengths.note() {
        text.push_str(&wrapped(&note, width, ""));
    }
    text
}

/// Formats an item of a list.
pub fn item(words: &str, width: usize) -> String {
    let wrap = textwrap::Options::new(width).initial_indent("- ").subsequent_indent("  ");
    textwrap::fill(words, wrap) + "\n"
}

/// Cuts a text to at most `width` characters, with an ellipsis if anything is left out.
pub fn shortened(text: &str, width: usize) -> String {
    if text.chars().count() <= width {
        return text.to_owned();
    }
    text.chars().take(width.saturating_sub(1)).chain(['…']).collect()
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

fn tell(measure: &Measure, report: &Report, width: usize) -> String {
    let mut text = format!("\n{}\n{}", measure.title, wrapped(&measure.definition, width, "  "));
    text.push_str(&rows(&measure.figures, report, width));
    for note in &measure.notes {
        text.push_str(&wrapped(note, width, "  "));
    }
    for plot in &measure.plots {
        let plot = report.strengths.plot(plot);
        let title = format!("{}, {} by {}:", plot.title, plot.up, plot.across);
        text.push_str(&wrapped(&title, width, "  "));
        text.push_str(&plot::text(&plot, width));
    }
    text
}

/// Formats figures as a table. A label that does not fit has a line of its own.
pub fn rows(figures: &[Figure], report: &Report, width: usize) -> String {
    let cells = figures.iter().map(|figure| {
        let label = [figure.what.clone(), report.strengths.text(&figure.who)]
            .into_iter()
            .filter(|word| !word.is_empty())
            .collect::<Vec<String>>()
            .join(", ");
        [label, value(figure), interval(figure), sample(figure)]
    });
    let cells: Vec<[String; 4]> = cells.collect();
    let widest = |column: usize| {
        cells.iter().map(|row: &[String; 4]| row[column].chars().count()).max().unwrap_or(0)
    };
    let (b, c, d) = (widest(1), widest(2), widest(3));
    let room = width.saturating_sub(b + c + d + 8);
    let a = widest(0).min(room);
    let line = |[label, value, interval, sample]: &[String; 4]| {
        let figures = format!("  {value:>b$}  {interval:>c$}  {sample:>d$}\n");
        if label.chars().count() <= room {
            return format!("  {label:<a$}{figures}");
        }
        format!("{}  {:<a$}{figures}", wrapped(label, width, "  "), "")
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
            text.push_str(&source_line(line.number, &line.text, width));
            for Mark { column, says, .. } in &line.marks {
                // The mark moves to the left if there is no room for what it says.
                let most = width.saturating_sub(11 + says.chars().count());
                let text_of_mark = format!("{}└ {says}", " ".repeat((*column).min(most)));
                let _ = writeln!(text, "       │ {text_of_mark}");
            }
        }
    }
    let unobserved = coverage.clauses.iter().filter(|clause| clause.is_unobserved()).count();
    let _ = writeln!(text, "  {unobserved} of {} clauses not observed.", coverage.clauses.len());
    text
}

/// Formats a line of the rules; what does not fit continues below.
fn source_line(number: usize, content: &str, width: usize) -> String {
    let room = width.saturating_sub(9).max(16);
    let indent = content.chars().take_while(|letter| *letter == ' ').count().min(room / 2);
    let later = " ".repeat(indent + 2);
    let wrap = textwrap::Options::new(room).subsequent_indent(&later);
    let mut text = String::new();
    for (index, line) in textwrap::wrap(content, wrap).into_iter().enumerate() {
        let number = if index == 0 { number.to_string() } else { String::new() };
        let _ = writeln!(text, "{}", format!("  {number:>4} │ {line}").trim_end());
    }
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
