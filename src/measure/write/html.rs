//! Reports as one self-contained page of HTML, without scripts, fonts or external images.

use super::overview::{Group, Overview};
use super::source::marked;
use super::{grouped, interval, options, sample, summary, value};
use crate::measure::report::{Heat, Measure, NotableGame, Report};
use crate::pages::{PageKind, escaped, page};
use crate::record::Record;
use crate::render::{Scene, heat, plot, svg_among};
use std::fmt::Write;

/// Writes a report.
pub fn html(report: &Report) -> String {
    page(PageKind::Report, &title(report), &body(report, ""))
}

fn title(report: &Report) -> String {
    format!("{}{}", report.results.plan.game, options(report))
}

/// Writes the content of the page. The prefix `name` makes ids unique among several reports on a
/// page.
pub fn body(report: &Report, name: &str) -> String {
    let title = title(report);
    let mut body = format!(
        "<h1>{}</h1>\n<p class=\"summary\">{}</p>\n",
        escaped(&title),
        escaped(&summary(report))
    );
    for remark in report.remarks() {
        let _ = writeln!(body, "<p class=\"remark\">{}</p>", escaped(&remark));
    }
    contents(&mut body, report, name);
    overview(&mut body, report, name);
    for measure in &report.measures {
        tell(&mut body, measure, name);
        if measure.key == "sites" {
            heats(&mut body, report);
        }
    }
    rules(&mut body, report, name);
    records(&mut body, report, name);
    body
}

fn contents(body: &mut String, report: &Report, name: &str) {
    body.push_str("<nav>");
    let links = report.measures.iter().map(|measure| (measure.key, measure.title));
    let rules = (report.coverage.games > 0).then_some(("rules", "The rules in use"));
    let records = report.records.iter().take(1).map(|_| ("records", "Records"));
    for (key, title) in links.chain(rules).chain(records) {
        let _ = write!(body, "<a href=\"#{name}{key}\">{title}</a> ");
    }
    body.push_str("</nav>\n");
}

/// Writes the overview.
fn overview(body: &mut String, report: &Report, name: &str) {
    let overview = Overview::of(report);
    let _ = writeln!(
        body,
        "<section id=\"{name}overview\">\n<h2>At a glance</h2>\n<div class=\"wide\"><table>"
    );
    for Group { title, means, rows } in &overview.groups {
        let _ = write!(body, "<tr><th class=\"group\">{title}</th>");
        overview
            .columns
            .iter()
            .for_each(|column| body.push_str(&format!("<th>{}</th>", escaped(column))));
        body.push_str("</tr>\n");
        for row in rows {
            let class = if row.is_sample { " class=\"sample\"" } else { "" };
            let _ = write!(body, "<tr{class}><td>{}</td>", escaped(&row.label));
            for cell in &row.cells {
                let shown = cell
                    .as_ref()
                    .map(|cell| format!("{} <small>{}</small>", cell.value, cell.interval))
                    .unwrap_or_default();
                let _ = write!(body, "<td class=\"number\">{shown}</td>");
            }
            body.push_str("</tr>\n");
        }
        let _ = writeln!(
            body,
            "<tr><td class=\"means\" colspan=\"{}\">{}</td></tr>",
            overview.columns.len() + 1,
            escaped(means)
        );
    }
    body.push_str("</table></div>\n</section>\n");
}

fn tell(body: &mut String, measure: &Measure, name: &str) {
    let _ = writeln!(
        body,
        "<section id=\"{name}{}\">\n<h2>{}</h2>\n<p class=\"definition\">{}</p>",
        measure.key,
        measure.title,
        escaped(&measure.definition)
    );
    figures(body, measure);
    for note in &measure.notes {
        let _ = writeln!(body, "<p>{}</p>", escaped(note));
    }
    if !measure.plots.is_empty() {
        body.push_str("<div class=\"plots\">\n");
        measure.plots.iter().for_each(|drawn| body.push_str(&plot::svg(drawn)));
        body.push_str("</div>\n");
    }
    body.push_str("</section>\n");
}

fn figures(body: &mut String, measure: &Measure) {
    if measure.figures.is_empty() {
        return;
    }
    body.push_str("<div class=\"wide\"><table>\n<tr><th></th><th></th><th>value</th><th>95 % interval</th><th>sample</th></tr>\n");
    for figure in &measure.figures {
        let _ = writeln!(
            body,
            "<tr><td>{}</td><td>{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td></tr>",
            escaped(&figure.what),
            escaped(&figure.who),
            value(figure),
            interval(figure),
            sample(figure)
        );
    }
    body.push_str("</table></div>\n");
}

fn heats(body: &mut String, report: &Report) {
    let board = &report.game.rules().board;
    body.push_str(
        "<section>\n<p class=\"definition\">How often each site was chosen, in % of all choices of a site.</p>\n<div class=\"plots\">\n",
    );
    for Heat { who, sites, .. } in &report.heat {
        let labels: Vec<String> = sites.iter().map(|part| format!("{:.1}", part * 100.0)).collect();
        let _ = writeln!(
            body,
            "<figure>{}<figcaption>{}</figcaption></figure>",
            heat(board, who, sites, &labels),
            escaped(who)
        );
    }
    body.push_str("</div>\n</section>\n");
}

fn rules(body: &mut String, report: &Report, name: &str) {
    let coverage = &report.coverage;
    if coverage.games == 0 {
        return;
    }
    let _ = writeln!(
        body,
        "<section id=\"{name}rules\">\n<h2>The rules in use</h2>\n<p class=\"definition\">How often each clause was executed or tested in {} games, how often it was true, and in how many \
         games it decided the result. Requirements were tested for all moves, legal or not, in {} positions. A clause that never took effect is marked “not observed”; it may still happen.</p>",
        grouped(coverage.games),
        grouped(coverage.positions)
    );
    for file in marked(report) {
        let _ = writeln!(
            body,
            "<h3>{}</h3>\n<div class=\"wide\"><table class=\"source\">",
            escaped(&file.name)
        );
        for line in &file.lines {
            let mut says = String::new();
            for mark in &line.marks {
                let class = if mark.unobserved {
                    "unobserved"
                } else if mark.decided {
                    "decided"
                } else {
                    "observed"
                };
                let _ = write!(
                    says,
                    "<div class=\"{class}\" title=\"{}\">{}</div>",
                    escaped(&mark.clause),
                    escaped(&mark.says)
                );
            }
            let _ = writeln!(
                body,
                "<tr><td class=\"line\">{}</td><td><code>{}</code></td><td>{says}</td></tr>",
                line.number,
                escaped(&line.text)
            );
        }
        body.push_str("</table></div>\n");
    }
    body.push_str("</section>\n");
}

fn records(body: &mut String, report: &Report, name: &str) {
    if report.records.is_empty() {
        return;
    }
    let _ =
        writeln!(body, "<section id=\"{name}records\">\n<h2>Records</h2>\n<div class=\"plots\">");
    for (number, told) in (1..).zip(&report.records) {
        let _ = writeln!(
            body,
            "<figure>{}<figcaption><b>{}</b>: {}</figcaption><details><summary>the record</summary><pre>{}</pre></details></figure>",
            board(report, told, &format!("{name}record{number}-")),
            told.title,
            escaped(&told.why),
            escaped(&told.record)
        );
    }
    body.push_str("</div>\n</section>\n");
}

/// Draws the last position of a record; empty if the record cannot be replayed.
fn board(report: &Report, told: &NotableGame, name: &str) -> String {
    let Ok(record) = Record::parse(&told.record) else { return String::new() };
    let Ok(mut position) = record.begin(report.game) else { return String::new() };
    match record.replay(&mut position) {
        Ok(()) => svg_among(&Scene::of(&position), name),
        Err(_) => String::new(),
    }
}
