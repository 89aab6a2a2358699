//! Small plots of numbers, as SVG or as text.

mod svg;
mod text;

pub use svg::svg;
pub use text::text;

use serde::Serialize;

/// A plot.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Plot {
    pub title: String,
    /// The labels of the horizontal axis (`across`) and the vertical axis (`up`).
    pub across: String,
    pub up: String,
    pub shape: Shape,
}

/// The kind of plot, with its data.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Shape {
    /// Bars for bins of equal `width`, the first starting at `from`.
    Histogram { from: f64, width: f64, heights: Vec<f64> },
    /// One line per series; points are sorted by the horizontal coordinate.
    Lines(Vec<Series>),
    /// One point with an interval per name, and a line at the neutral value.
    Intervals { neutral: f64, points: Vec<Interval> },
}

/// A named line.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Series {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

/// A named value with its interval.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Interval {
    pub name: String,
    pub value: f64,
    pub low: f64,
    pub high: f64,
}

impl Shape {
    /// Returns the range of the horizontal axis, then of the vertical one.
    fn bounds(&self) -> [(f64, f64); 2] {
        match self {
            Shape::Histogram { from, width, heights } => {
                let most = heights.iter().copied().fold(0.0, f64::max);
                [(*from, from + width * heights.len() as f64), (0.0, most)]
            }
            Shape::Lines(lines) => {
                let points = || lines.iter().flat_map(|line| &line.points);
                let (across, up) =
                    (around(points().map(|point| point.0)), around(points().map(|point| point.1)));
                [across, (up.0.min(0.0), up.1)]
            }
            Shape::Intervals { neutral, points } => {
                let up = around(
                    points
                        .iter()
                        .flat_map(|point| [point.low, point.high])
                        .chain([*neutral])
                        .filter(|bound| bound.is_finite()),
                );
                [(0.0, points.len() as f64), up]
            }
        }
    }
}

fn around(numbers: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = numbers.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), number| {
        (low.min(number), high.max(number))
    });
    if low <= high { (low, high) } else { (0.0, 1.0) }
}

/// Returns about `about` round numbers in a range as axis marks, spaced by 1, 2 or 5 times a power
/// of ten.
pub fn marks((low, high): (f64, f64), about: usize) -> Vec<f64> {
    let span = high - low;
    if span.is_nan() || span <= 0.0 {
        return vec![low];
    }
    let rough = span / about.max(1) as f64;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0]
        .map(|times| times * power)
        .into_iter()
        .find(|step| *step >= rough * 0.999)
        .unwrap_or(10.0 * power);
    // The tolerance keeps the marks at both ends in spite of rounding errors.
    let first = (low / step - 1e-9).ceil() as i64;
    let last = (high / step + 1e-9).floor() as i64;
    (first..=last.min(first + 100)).map(|times| times as f64 * step).collect()
}

/// Formats an axis mark: two decimals at most, none from 10 upwards.
pub fn spelled(number: f64) -> String {
    let text = if number.abs() >= 10.0 { format!("{number:.0}") } else { format!("{number:.2}") };
    let trimmed =
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    if trimmed == "-0" { "0".to_owned() } else { trimmed.to_owned() }
}
