//! Reports as text (brief and full), Markdown, self-contained HTML and JSON.

mod brief;
mod compared;
mod html;
mod json;
mod left_out;
mod markdown;
mod overview;
mod source;
mod sweep;
mod text;

pub use brief::brief;
pub use html::html;
pub use json::{ReportAnswer, ReportPart, SCHEMA, VERSION, json, read, read_part};
pub use markdown::markdown;
pub use sweep::{Comparison, SCHEMA as SWEEP_SCHEMA, SweepAnswer};
pub use text::full;

use super::plan::Plan;
use super::report::{Figure, Report, Unit};
pub use crate::notation::grouped;
use crate::notation::{counted, list};

/// Formats the value of a figure.
pub fn value(figure: &Figure) -> String {
    number(figure.estimate.value, figure.unit)
}

/// Formats the interval of a figure; empty for exact counts.
pub fn interval(figure: &Figure) -> String {
    let (low, high) = (figure.estimate.low, figure.estimate.high);
    if low == high && figure.unit == Unit::Count {
        return String::new();
    }
    let bound = |bound: f64| match figure.unit {
        _ if !bound.is_finite() => "?".to_owned(),
        Unit::Share => format!("{:.1}", bound * 100.0),
        Unit::PowerOfTen => format!("{bound:.1}"),
        unit => number(bound, unit),
    };
    match figure.unit {
        Unit::PowerOfTen => format!("10^{}–10^{}", bound(low), bound(high)),
        _ => format!("{}–{}", bound(low), bound(high)),
    }
}

/// Formats a figure with its interval, if it has one.
fn with_interval(figure: &Figure) -> String {
    match interval(figure) {
        none if none.is_empty() => value(figure),
        interval => format!("{} ({interval})", value(figure)),
    }
}

fn number(value: f64, unit: Unit) -> String {
    match unit {
        Unit::Share => format!("{:.1} %", value * 100.0),
        Unit::Count => grouped(value.round() as u64),
        Unit::PowerOfTen => format!("10^{value:.1}"),
        Unit::Number if value.abs() >= 100.0 || value.fract() == 0.0 => format!("{value:.0}"),
        Unit::Number if value.abs() >= 10.0 => format!("{value:.1}"),
        Unit::Number => format!("{value:.2}"),
    }
}

/// Formats the sample of a figure.
pub fn sample(figure: &Figure) -> String {
    let noun = match figure.of {
        "plies" => "ply",
        of => of.trim_end_matches('s'),
    };
    counted(figure.estimate.sample, noun)
}

/// Formats the options that differ from their defaults, as command-line arguments.
pub fn options(report: &Report) -> String {
    let chosen =
        report.game.rules().options.iter().filter(|option| option.chosen != option.default);
    chosen.map(|option| format!(" -o {}={}", option.name, option.value())).collect()
}

/// Summarizes in a sentence what was played.
pub fn summary(report: &Report) -> String {
    let plan: &Plan = &report.results.plan;
    let mut kinds: Vec<String> = Vec::new();
    for (_, pairing) in report.results.pairings() {
        for kind in pairing.seats.iter().flatten().map(ToString::to_string) {
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
        }
    }
    let kinds: Vec<&str> = kinds.iter().map(String::as_str).collect();
    let pairings = report.results.pairings().len() as u64;
    format!(
        "{} in {} of {}, seed {}.",
        counted(report.games(), "game"),
        counted(pairings, "pairing"),
        list(&kinds.iter().map(|kind| report.strengths.text(kind)).collect::<Vec<_>>(), "and"),
        plan.seed
    )
}
