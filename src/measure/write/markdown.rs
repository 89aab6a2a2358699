//! A report as Markdown.

use super::source::marked;
use super::{interval, options, sample, summary, value};
use crate::measure::report::{Measure, Report};
use crate::render::plot;
use std::fmt::Write;

/// Writes a report.
pub fn markdown(report: &Report) -> String {
    let mut page = format!("# {}{}\n\n{}\n\n", plain(&report.results.plan.game), options(report), summary(report));
    for remark in report.remarks() {
        let _ = writeln!(page, "> {remark}\n");
    }
    for measure in &report.measures {
        tell(&mut page, measure);
    }
    rules(&mut page, report);
    for told in &report.records {
        let _ = write!(page, "## {}\n\n{}\n\n```text\n{}```\n\n", told.title, told.why, told.record);
    }
    page
}

fn tell(page: &mut String, measure: &Measure) {
    let _ = write!(page, "## {}\n\n{}\n\n", measure.title, measure.definition);
    if !measure.figures.is_empty() {
        page.push_str("| | of | value | 95 % interval | sample |\n|---|---|---:|---:|---:|\n");
    }
    for figure in &measure.figures {
        let (value, interval, sample) = (value(figure), interval(figure), sample(figure));
        let _ = writeln!(page, "| {} | {} | {value} | {interval} | {sample} |", plain(&figure.what), plain(&figure.who));
    }
    page.push('\n');
    for note in &measure.notes {
        let _ = writeln!(page, "{note}\n");
    }
    for drawn in &measure.plots {
        let _ = write!(page, "{}, {} by {}:\n\n```text\n{}```\n\n", plain(&drawn.title), drawn.up, drawn.across, plot::text(drawn, 100));
    }
}

fn rules(page: &mut String, report: &Report) {
    let coverage = &report.coverage;
    if coverage.games == 0 {
        return;
    }
    let (games, positions) = (coverage.games, coverage.positions);
    let _ = write!(
        page,
        "## The rules in use\n\nIn {games} games; what moves require, in {positions} positions. \"Not observed\" does not mean impossible.\n\n"
    );
    page.push_str("| file | line | clause | |\n|---|---:|---|---|\n");
    for file in marked(report) {
        for line in &file.lines {
            for mark in &line.marks {
                let clause: String = line.text.chars().skip(mark.column).collect();
                let _ = writeln!(page, "| {} | {} | `{}` | {} |", plain(&file.name), line.number, code(&clause), mark.says);
            }
        }
    }
    page.push('\n');
}

/// Text in which nothing is taken for markup.
fn plain(text: &str) -> String {
    text.chars().flat_map(|character| if "\\|*_`<>[]#".contains(character) { vec!['\\', character] } else { vec![character] }).collect()
}

/// A line of code in a cell of a table.
fn code(text: &str) -> String {
    text.replace('|', "\\|").replace('`', "'")
}
