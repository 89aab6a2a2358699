//! What a game is without each of its rules, in words.

use super::text::{item, wrapped};
use super::with_interval;
use crate::diagnostics::{Place, place};
use crate::measure::compared::ComparedFigure;
use crate::measure::left_out::{LeftOut, LeftOutRule, Verdict};
use crate::measure::report::Report;
use crate::notation::{clip, counted, grouped};
use crate::pages::escaped;
use serde::Serialize;
use std::fmt::Write;

/// What a game is without each of its rules, in JSON.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct LeftOutAnswer<'r> {
    #[serde(flatten)]
    left_out: &'r LeftOut,
    /// The rules in the order of the report: first those that can be left out.
    rules: Vec<RuleAnswer<'r>>,
}

/// What a game is without a rule.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
struct RuleAnswer<'r> {
    #[serde(flatten)]
    rule: &'r LeftOutRule,
    /// Where the rule is.
    at: Place,
    /// What the figures say.
    sentence: String,
}

impl LeftOutAnswer<'_> {
    /// Describes which rules can be left out, if a report says so.
    pub fn of<'r>(report: &'r Report) -> Option<LeftOutAnswer<'r>> {
        let left_out = report.left_out.as_ref()?;
        let describe = |rule: &'r LeftOutRule| RuleAnswer {
            rule,
            at: place(rule.clause, report.game.rules(), report.sources),
            sentence: sentence(rule, report),
        };
        let rules = in_order(left_out).map(describe).collect();
        Some(LeftOutAnswer { left_out, rules })
    }
}

/// Tests if a rule can be left out.
fn is_idle(rule: &LeftOutRule) -> bool {
    matches!(rule.verdict, Verdict::Same | Verdict::Alike)
}

/// Returns the rules that can be left out, then those that matter, then those with too few games.
fn in_order(left_out: &LeftOut) -> impl Iterator<Item = &LeftOutRule> {
    let rank = |rule: &&LeftOutRule| match rule.verdict {
        Verdict::Same => 0,
        Verdict::Alike => 1,
        Verdict::Different | Verdict::Endless | Verdict::Over => 2,
        Verdict::Unknown => 3,
    };
    let mut rules: Vec<&LeftOutRule> = left_out.rules.iter().collect();
    rules.sort_by_key(rank);
    rules.into_iter()
}

/// Says how a figure differs without a rule: `games are longer: 34.1 (31.9–36.4) plies instead of
/// 22.0 (20.8–23.1)`.
fn difference(figure: &ComparedFigure, report: &Report) -> String {
    let [more, less, unit] = match figure.measure {
        "plies" => ["games are longer", "games are shorter", " plies"],
        "branching" => ["there is more choice", "there is less choice", " legal plies"],
        "draws" if report.results.plan.players.len() == 1 => {
            ["more games are lost", "fewer games are lost", ""]
        }
        "draws" => ["more games are drawn", "fewer games are drawn", ""],
        "unfinished" => ["more games do not end", "fewer games do not end", ""],
        _ => ["scores more", "scores less", ""],
    };
    let is_more = figure.other.estimate.value > figure.own.estimate.value;
    let what = if is_more { more } else { less };
    let what = match figure.measure {
        "plies" | "branching" | "draws" | "unfinished" => what.to_owned(),
        _ => format!("the {} {what}", figure.what),
    };
    let (own, other) = (with_interval(&figure.own), with_interval(&figure.other));
    format!("{what}: {other}{unit} instead of {own}")
}

/// Says what the game is without a rule.
fn sentence(rule: &LeftOutRule, report: &Report) -> String {
    let different = rule.figures.iter().filter(|figure| figure.differs());
    let different: Vec<String> = different.map(|own| difference(own, report)).collect();
    match rule.verdict {
        Verdict::Same => "the same game without it, in all positions".to_owned(),
        Verdict::Endless => "without it, the rules do not end".to_owned(),
        Verdict::Over => "without it, the game is over before its first ply".to_owned(),
        Verdict::Alike if different.is_empty() => {
            "can be left out without a difference that matters".to_owned()
        }
        Verdict::Alike => {
            format!("can be left out with only small differences: {}", different.join("; "))
        }
        Verdict::Different => format!("without it, {}", different.join("; ")),
        Verdict::Unknown => match rule.enough {
            Some(games) => {
                format!("not enough games to say; about {} would do", grouped(games))
            }
            None => "not enough games to say".to_owned(),
        },
    }
}

/// Names a rule by its line and text.
fn named(rule: &LeftOutRule, report: &Report) -> String {
    let at = place(rule.clause, report.game.rules(), report.sources);
    format!("Line {}, `{}`", at.line, clip(&at.text))
}

/// Says how many rules can be left out, and who played.
fn headline(left_out: &LeftOut, report: &Report) -> String {
    let of = |verdict: fn(&LeftOutRule) -> bool| {
        left_out.rules.iter().filter(|rule| verdict(rule)).count() as u64
    };
    let (idle, all) = (of(is_idle), left_out.rules.len() as u64);
    let unknown = of(|rule| rule.verdict == Verdict::Unknown);
    let little = if left_out.player == "random" { ", which says little of good play" } else { "" };
    let can = match (idle, all) {
        (0, 1) => "The one rule cannot be shown to be of no use".to_owned(),
        (0, _) => format!("None of {} rules is shown to be of no use", grouped(all)),
        (1, _) => format!("1 of {} can be left out", counted(all, "rule")),
        _ => format!("{} of {} can be left out", grouped(idle), counted(all, "rule")),
    };
    let open = match unknown {
        0 => String::new(),
        1 => "; of 1 there are not enough games to say".to_owned(),
        _ => format!("; of {} there are not enough games to say", grouped(unknown)),
    };
    format!(
        "{can}, one at a time{open}. The game was played by {} players{little}: {} with all rules, and as often without each.",
        report.strengths.text(&left_out.player),
        counted(left_out.games, "time")
    )
}

/// Explains the tests.
fn method(left_out: &LeftOut) -> String {
    format!(
        "A rule can be left out where no figure differs by as much as {:.0} % (length, choice) or {:.0} points of 100 (scores, draws, games without an end), by two one-sided tests of each. Figures differ by Welch's test of means or Yates's of proportions. \
         All are corrected together by Holm's method, for {}, so that at most 5 of 100 reports claim what is wrong. Brackets hold 95 % intervals. Rules that are left out together may be another matter.",
        left_out.ratio_margin * 100.0,
        left_out.share_margin * 100.0,
        counted(left_out.tests as u64, "test")
    )
}

/// Formats the figures of a rule, one row each: label, with the rule, without it, p-value.
fn rows(rule: &LeftOutRule) -> impl Iterator<Item = [String; 4]> + '_ {
    let p = |p: f64| if p < 0.0001 { "p < 0.0001".to_owned() } else { format!("p = {p:.4}") };
    let figures = rule.figures.iter().map(move |figure| {
        let label: Vec<&str> =
            [figure.title, &figure.what].into_iter().filter(|word| !word.is_empty()).collect();
        [label.join(", "), with_interval(&figure.own), with_interval(&figure.other), p(figure.p)]
    });
    let alike =
        rule.p.map(|own| ["Within the margins".to_owned(), String::new(), String::new(), p(own)]);
    figures.chain(alike)
}

const TITLE: &str = "Which rules can be left out";

/// Writes which rules can be left out as text, in full with every figure. Empty if the report does
/// not say.
pub fn text(report: &Report, full: bool, width: usize) -> String {
    let Some(left_out) = &report.left_out else { return String::new() };
    let mut text = format!("\n{TITLE}\n{}", wrapped(&headline(left_out, report), width, ""));
    for rule in in_order(left_out) {
        let told = format!("{}: {}.", named(rule, report), sentence(rule, report));
        text.push_str(&item(&told, width));
        for [label, own, other, p] in rows(rule).filter(|_| full) {
            let figures = match own.is_empty() {
                true => p,
                false => format!("{own}; without it {other}; {p}"),
            };
            text.push_str(&wrapped(&format!("{label}: {figures}"), width, "  "));
        }
    }
    text + &wrapped(&method(left_out), width, "")
}

/// Writes which rules can be left out as Markdown; `plain` escapes texts.
pub fn markdown(report: &Report, plain: impl Fn(&str) -> String) -> String {
    let Some(left_out) = &report.left_out else { return String::new() };
    let mut page = format!("## {TITLE}\n\n{}\n\n", plain(&headline(left_out, report)));
    for rule in in_order(left_out) {
        let told = format!("{}: {}.", named(rule, report), sentence(rule, report));
        let _ = writeln!(page, "- {}", plain(&told));
    }
    let _ = write!(page, "\n{}\n\n", plain(&method(left_out)));
    page
}

/// Writes which rules can be left out as a section of a page.
pub fn html(report: &Report, name: &str) -> String {
    let Some(left_out) = &report.left_out else { return String::new() };
    let mut body = format!("<section id=\"{name}left-out\">\n<h2>{TITLE}</h2>\n");
    let _ = writeln!(body, "<p>{}</p>", escaped(&headline(left_out, report)));
    for rule in in_order(left_out) {
        let told = format!("{}: {}.", named(rule, report), sentence(rule, report));
        let _ = writeln!(body, "<details>\n<summary>{}</summary>", escaped(&told));
        if rule.figures.is_empty() {
            body.push_str("</details>\n");
            continue;
        }
        body.push_str("<table>\n<tr><th></th><th>with it</th><th>without it</th><th></th></tr>\n");
        for [label, own, other, p] in rows(rule) {
            let _ = writeln!(
                body,
                "<tr><td>{}</td><td class=\"number\">{own}</td><td class=\"number\">{other}</td><td class=\"number\">{}</td></tr>",
                escaped(&label),
                escaped(&p)
            );
        }
        body.push_str("</table>\n</details>\n");
    }
    let _ =
        writeln!(body, "<p class=\"definition\">{}</p>\n</section>", escaped(&method(left_out)));
    body
}
