//! Reports as one self-contained page of HTML: the verdict, the game, games to step through, and
//! all figures with their definitions.

use super::compared;
use super::left_out;
use super::overview::{Group, Overview};
use super::source::marked;
use super::{grouped, interval, options, sample, summary, value};
use crate::measure::report::{Heat, Measure, NotableGame, Report, opening_map as scores_by_site};
use crate::pages::{Highlight, PageKind, ShownGame, Walkthrough, escaped, of_record, page};
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
    let mut body = format!("<h1>{}</h1>\n", escaped(&title(report)));
    verdict(&mut body, report, name);
    body.push_str(&compared::html(report, name));
    body.push_str(&left_out::html(report, name));
    for remark in report.remarks() {
        let _ = writeln!(body, "<p class=\"remark\">{}</p>", escaped(&remark));
    }
    let _ = writeln!(
        body,
        "<details>\n<summary>Who played, and how many games</summary>\n<p class=\"summary\">{}</p>",
        escaped(&summary(report))
    );
    if let Some(note) = report.strengths.note() {
        let _ = writeln!(body, "<p>{}</p>", escaped(&note));
    }
    body.push_str("</details>\n");
    contents(&mut body, report, name);
    the_game(&mut body, report, name);
    overview(&mut body, report, name);
    records(&mut body, report, name);
    for measure in &report.measures {
        tell(&mut body, report, measure, name);
        if measure.key == "sites" {
            heats(&mut body, report);
        }
    }
    rules(&mut body, report, name);
    body
}

fn verdict(body: &mut String, report: &Report, name: &str) {
    if report.verdict.is_empty() {
        return;
    }
    body.push_str("<ul class=\"verdict\">\n");
    for sentence in &report.summary {
        let _ = writeln!(body, "<li>{}</li>", escaped(sentence));
    }
    body.push_str("</ul>\n<details>\n<summary>In detail</summary>\n<ul class=\"details\">\n");
    for sentence in &report.verdict {
        let _ = writeln!(
            body,
            "<li>{} <a href=\"#{name}{}\">figures and definition</a></li>",
            escaped(&sentence.text),
            sentence.measure
        );
    }
    body.push_str("</ul>\n</details>\n");
}

/// Writes the game: who made it, its options, the first position, and the rules.
fn the_game(body: &mut String, report: &Report, name: &str) {
    let rules = report.game.rules();
    let _ = writeln!(
        body,
        "<section id=\"{name}game\">\n<h2>The game</h2>\n<div class=\"game\">\n<div class=\"picture\">{}</div>\n<div>",
        report
            .game
            .begin()
            .map(|position| svg_among(&Scene::of(&position), &format!("{name}first-")))
            .unwrap_or_default()
    );
    let by = rules.about.by();
    let _ = writeln!(body, "<h3>{}</h3>", escaped(&rules.title));
    if !by.is_empty() {
        let _ = writeln!(body, "<p>{}</p>", escaped(&by));
    }
    if let Some(description) = &rules.about.description {
        let _ = writeln!(body, "<p>{}</p>", escaped(description));
    }
    if !rules.options.is_empty() {
        body.push_str(
            "<table>\n<tr><th class=\"group\">option</th><th>value</th><th>default</th></tr>\n",
        );
        for option in &rules.options {
            let _ = writeln!(
                body,
                "<tr><td>{}<br><small>{}</small></td><td class=\"number\">{}</td><td class=\"number\">{}</td></tr>",
                escaped(&option.name),
                escaped(&option.description),
                escaped(option.value()),
                escaped(&option.values[option.default])
            );
        }
        body.push_str("</table>\n");
    }
    body.push_str("</div>\n</div>\n<details>\n<summary>The rules</summary>\n");
    for (index, file) in report.sources.names().enumerate() {
        let text = report.sources.text_of(index);
        let _ = writeln!(body, "<h4>{}</h4>\n<pre>{}</pre>", escaped(file), escaped(text));
    }
    body.push_str("</details>\n</section>\n");
}

fn contents(body: &mut String, report: &Report, name: &str) {
    body.push_str("<nav>");
    let _ = write!(
        body,
        "<a href=\"#{name}game\">The game</a> <a href=\"#{name}overview\">At a glance</a> "
    );
    let links = report.measures.iter().map(|measure| (measure.key, measure.title));
    let rules = (report.coverage.games > 0).then_some(("rules", "The rules in use"));
    let records = report.records.iter().take(1).map(|_| ("records", "Games to step through"));
    for (key, title) in records.chain(links).chain(rules) {
        let _ = write!(body, "<a href=\"#{name}{key}\">{title}</a> ");
    }
    body.push_str("</nav>\n");
}

/// Writes the overview.
fn overview(body: &mut String, report: &Report, name: &str) {
    let overview = Overview::of(report);
    let _ = writeln!(body, "<section id=\"{name}overview\">\n<h2>At a glance</h2>\n<table>");
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
                    .map(|cell| format!("{}<small>{}</small>", cell.value, cell.interval))
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
    body.push_str("</table>\n</section>\n");
}

fn tell(body: &mut String, report: &Report, measure: &Measure, name: &str) {
    let _ = writeln!(
        body,
        "<section id=\"{name}{}\">\n<h2>{}</h2>\n<p class=\"definition\">{}</p>",
        measure.key,
        measure.title,
        escaped(&measure.definition)
    );
    figures(body, report, measure);
    for note in &measure.notes {
        let _ = writeln!(body, "<p>{}</p>", escaped(note));
    }
    if measure.key == "first-moves" {
        opening_map(body, report);
    }
    if !measure.plots.is_empty() {
        body.push_str("<div class=\"plots\">\n");
        let plots = measure.plots.iter().map(|drawn| report.strengths.plot(drawn));
        plots.for_each(|drawn| body.push_str(&plot::svg(&drawn)));
        body.push_str("</div>\n");
    }
    body.push_str("</section>\n");
}

fn figures(body: &mut String, report: &Report, measure: &Measure) {
    if measure.figures.is_empty() {
        return;
    }
    body.push_str("<table>\n<tr><th></th><th>value<br><small>95 % interval</small></th><th>sample</th></tr>\n");
    for figure in &measure.figures {
        let words = [figure.what.clone(), report.strengths.text(&figure.who)];
        let label: Vec<String> = words.into_iter().filter(|word| !word.is_empty()).collect();
        let _ = writeln!(
            body,
            "<tr><td>{}</td><td class=\"number\">{}<small>{}</small></td><td class=\"number\">{}</td></tr>",
            escaped(&label.join(", ")),
            value(figure),
            interval(figure),
            sample(figure)
        );
    }
    body.push_str("</table>\n");
}

/// Draws the score of the first player after each first ply, if each ply chooses another site.
fn opening_map(body: &mut String, report: &Report) {
    let board = &report.game.rules().board;
    let mut numbers = vec![0.0; board.slots()];
    let mut labels = vec![String::new(); board.slots()];
    let Some((is_exact, scores)) = scores_by_site(report.results) else { return };
    if scores.len() < 2 {
        return;
    }
    for (site, percent) in scores {
        let Some(label) = labels.get_mut(usize::from(site)) else { return };
        *label = format!("{percent:.0}");
        numbers[usize::from(site)] = percent;
    }
    let player = &report.results.plan.players[0];
    let title = match is_exact {
        true => format!("Score of {player} after each first ply with best play, in %"),
        false => format!("Expected score of {player} after each first ply, in %"),
    };
    let _ = writeln!(
        body,
        "<div class=\"plots\"><figure>{}<figcaption>{}</figcaption></figure></div>",
        heat(board, &title, &numbers, &labels),
        escaped(&title)
    );
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
            heat(board, &report.strengths.text(who), sites, &labels),
            escaped(&report.strengths.text(who))
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
        let _ = writeln!(body, "<h3>{}</h3>\n<div class=\"source\">", escaped(&file.name));
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
                "<div class=\"line\"><span class=\"number\">{}</span><code>{}</code></div>\n<div class=\"counts\">{says}</div>",
                line.number,
                escaped(&line.text)
            );
        }
        body.push_str("</div>\n");
    }
    body.push_str("</section>\n");
}

/// Writes the notable games, to be stepped through.
fn records(body: &mut String, report: &Report, name: &str) {
    let mut walkthrough = Walkthrough::new(report.game, report.sources, name);
    for told in &report.records {
        walkthrough.extend(shown(report, told));
    }
    if walkthrough.is_empty() {
        return;
    }
    let _ = writeln!(
        body,
        "<section id=\"{name}records\">\n<h2>Games to step through</h2>\n{}</section>",
        walkthrough.html()
    );
}

/// Prepares a notable game; `None` if it cannot be replayed.
fn shown(report: &Report, told: &NotableGame) -> Option<ShownGame> {
    let record = Record::parse(&told.record).ok()?;
    let shown = of_record(report.game, &record).ok()?;
    let why = format!("{}: {}", told.title, told.why);
    let about = shown.about.iter().map(|line| report.strengths.text(line));
    let about = std::iter::once(why).chain(about).collect();
    let note = |plies: usize| told.chances.get(&plies).cloned().unwrap_or_default();
    let notes = (1..=shown.plies.len()).map(note).collect();
    let highlights = told
        .critical
        .iter()
        .map(|critical| Highlight { ply: critical.ply - 1, text: critical.text.clone() });
    let title = told.title.to_owned();
    Some(ShownGame { title, about, notes, highlights: highlights.collect(), ..shown })
}
