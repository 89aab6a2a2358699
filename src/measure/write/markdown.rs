//! Reports as Markdown.

use super::compared;
use super::left_out;
use super::overview::{Cell, Group, Overview};
use super::source::{first_line, marked};
use super::text::heat;
use super::{grouped, interval, options, sample, summary, value};
use crate::measure::report::{Measure, Report};
use crate::render::plot;
use std::fmt::Write;

/// Writes a report.
pub fn markdown(report: &Report) -> String {
    let mut page = format!("# {}{}\n\n", plain(&report.results.plan.game), options(report));
    for sentence in &report.summary {
        let _ = writeln!(page, "- {}", plain(sentence));
    }
    if !report.verdict.is_empty() {
        page.push_str("\n## In detail\n\n");
        for sentence in &report.verdict {
            let title =
                report.measure(sentence.measure).map_or("The rules in use", |own| own.title);
            let _ = writeln!(page, "- {} ([{title}](#{}))", plain(&sentence.text), anchor(title));
        }
        page.push('\n');
    }
    page.push_str(&compared::markdown(report, plain));
    page.push_str(&left_out::markdown(report, plain));
    for remark in report.remarks() {
        let _ = writeln!(page, "> {remark}\n");
    }
    let _ = writeln!(page, "{}\n", summary(report));
    if let Some(note) = report.strengths.note() {
        let _ = writeln!(page, "{note}\n");
    }
    overview(&mut page, report);
    for measure in &report.measures {
        tell(&mut page, report, measure);
        if measure.key == "sites" {
            for map in &report.heat {
                let _ = write!(
                    page,
                    "{}; 9 is most often:\n\n```text\n{}```\n\n",
                    plain(&report.strengths.text(&map.who)),
                    heat(report, map)
                );
            }
        }
    }
    rules(&mut page, report);
    for told in &report.records {
        let _ = write!(page, "## {}\n\n{}\n\n", told.title, told.why);
        for critical in &told.critical {
            let _ = writeln!(page, "- critical ply {}", plain(&critical.text));
        }
        let _ = write!(page, "\n```text\n{}```\n\n", told.record);
    }
    page
}

/// Returns the anchor that Markdown makes of a heading.
fn anchor(heading: &str) -> String {
    heading.to_lowercase().replace(' ', "-")
}

/// Writes the overview.
fn overview(page: &mut String, report: &Report) {
    let overview = Overview::of(report);
    let names: String = overview.columns.iter().map(|name| format!(" {} |", plain(name))).collect();
    let _ = write!(
        page,
        "## At a glance\n\n| |{names}\n|---|{}\n",
        "---:|".repeat(overview.columns.len())
    );
    for Group { title, rows, .. } in &overview.groups {
        let _ = writeln!(page, "| **{title}** |{}", " |".repeat(overview.columns.len()));
        for row in rows {
            let shown = |cell: &Option<Cell>| {
                cell.as_ref()
                    .map(|cell| format!(" {} {} |", cell.value, cell.interval))
                    .unwrap_or(" |".to_owned())
            };
            let _ = writeln!(
                page,
                "| {} |{}",
                plain(&row.label),
                row.cells.iter().map(shown).collect::<String>().replace("  |", " |")
            );
        }
    }
    page.push('\n');
}

fn tell(page: &mut String, report: &Report, measure: &Measure) {
    let _ = write!(page, "## {}\n\n{}\n\n", measure.title, measure.definition);
    if !measure.figures.is_empty() {
        page.push_str("| | of | value | 95 % interval | sample |\n|---|---|---:|---:|---:|\n");
    }
    for figure in &measure.figures {
        let (value, interval, sample) = (value(figure), interval(figure), sample(figure));
        let _ = writeln!(
            page,
            "| {} | {} | {value} | {interval} | {sample} |",
            plain(&figure.what),
            plain(&report.strengths.text(&figure.who))
        );
    }
    page.push('\n');
    for note in &measure.notes {
        let _ = writeln!(page, "{note}\n");
    }
    for drawn in measure.plots.iter().map(|drawn| report.strengths.plot(drawn)) {
        let _ = write!(
            page,
            "{}, {} by {}:\n\n```text\n{}```\n\n",
            plain(&drawn.title),
            drawn.up,
            drawn.across,
            plot::text(&drawn, 100)
        );
    }
}

fn rules(page: &mut String, report: &Report) {
    let coverage = &report.coverage;
    if coverage.games == 0 {
        return;
    }
    let (games, positions) = (grouped(coverage.games), grouped(coverage.positions));
    let _ = write!(
        page,
        "## The rules in use\n\nIn {games} games; requirements of moves in {positions} positions. \"Not observed\" does not mean impossible.\n\n"
    );
    page.push_str("| file | line | clause | |\n|---|---:|---|---|\n");
    for file in marked(report) {
        for line in &file.lines {
            for mark in &line.marks {
                let clause = code(&first_line(&mark.clause, 80));
                let _ = writeln!(
                    page,
                    "| {} | {} | `{clause}` | {} |",
                    plain(&file.name),
                    line.number,
                    mark.says
                );
            }
        }
    }
    page.push('\n');
}

/// Escapes text for Markdown.
fn plain(text: &str) -> String {
    text.chars()
        .flat_map(|character| {
            if "\\|*_`<>[]#".contains(character) { vec!['\\', character] } else { vec![character] }
        })
        .collect()
}

/// Escapes code for a table cell.
fn code(text: &str) -> String {
    text.replace('|', "\\|").replace('`', "'")
}
