//! Renders a plot as a few lines of text.

use super::{Plot, Shape, spelled};

const EIGHTHS: [char; 9] = [' ', '▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];
/// Maximum width of the plot area in columns.
const COLUMNS: usize = 48;

/// Renders a plot in lines of at most `width` characters.
pub fn text(plot: &Plot, width: usize) -> String {
    match &plot.shape {
        Shape::Histogram { from, width: bin, heights } => {
            histogram(plot, *from, *bin, heights, width)
        }
        Shape::Lines(lines) => {
            let most = plot.shape.bounds()[1].1;
            let [(left, right), _] = plot.shape.bounds();
            let columns = COLUMNS.min(width.saturating_sub(30)).max(8);
            let mut text = String::new();
            for line in lines {
                let bars: String = (0..columns)
                    .map(|column| left + (right - left) * column as f64 / (columns - 1) as f64)
                    .map(|x| EIGHTHS[eighths(at(&line.points, x), most)])
                    .collect();
                text.push_str(&format!(
                    "   {}  {}\n",
                    bars.trim_end(),
                    clipped(&line.name, width.saturating_sub(columns + 6))
                ));
            }
            text.push_str(&format!(
                "   {}\n",
                scale(plot, left, right, columns, width.saturating_sub(3))
            ));
            text
        }
        Shape::Intervals { neutral, points } => {
            let [_, (low, high)] = plot.shape.bounds();
            let name = points
                .iter()
                .map(|point| point.name.chars().count())
                .max()
                .unwrap_or(0)
                .min(width / 3);
            let columns = COLUMNS.min(width.saturating_sub(name + 6)).max(8);
            let place = |value: f64| {
                (((value - low) / (high - low).max(1e-12)).clamp(0.0, 1.0) * (columns - 1) as f64)
                    .round() as usize
            };
            let mut text = String::new();
            for point in points {
                let mut bar = vec![' '; columns];
                bar[place(point.low)..=place(point.high)].fill('─');
                bar[place(*neutral)] = '┊';
                bar[place(point.value)] = '●';
                let bar: String = bar.into_iter().collect();
                text.push_str(&format!(
                    "   {:>name$}  {}\n",
                    clipped(&point.name, name),
                    bar.trim_end()
                ));
            }
            // The scale shows both ends, and the neutral value if it does not overlap them.
            let (left, right) = (format!("{low:.0}"), format!("{high:.0} {}", plot.up));
            let mut scale = format!("{left:<columns$}");
            let middle = format!("{neutral:.0}");
            let at = place(*neutral);
            let last = columns.saturating_sub(right.chars().count());
            scale.replace_range(last.., &right);
            if at > left.len() && at + middle.len() < last {
                scale.replace_range(at..at + middle.len(), &middle);
            }
            text.push_str(&format!(
                "   {:>name$}  {}\n",
                "",
                clipped(&scale, width.saturating_sub(name + 5))
            ));
            text
        }
    }
}

fn histogram(plot: &Plot, from: f64, bin: f64, heights: &[f64], width: usize) -> String {
    let most = heights.iter().copied().fold(0.0, f64::max);
    let bars: String = heights.iter().map(|&height| EIGHTHS[eighths(height, most)]).collect();
    let end = from + bin * heights.len() as f64;
    let noun = if most == 1.0 { plot.up.trim_end_matches('s') } else { &plot.up };
    let first = format!("  {bars}  most: {} {noun}", spelled(most));
    let axis = format!("  └{}", "─".repeat(heights.len()));
    let last = format!("   {}", scale(plot, from, end, heights.len(), width.saturating_sub(3)));
    [first, axis, last].map(|line| clipped(&line, width) + "\n").concat()
}

/// Returns the scale below a plot of `columns` columns, with the axis label.
fn scale(plot: &Plot, from: f64, to: f64, columns: usize, width: usize) -> String {
    let (from, to) = (spelled(from), spelled(to));
    let gap = columns.saturating_sub(from.len() + to.len()).max(1);
    clipped(&format!("{from}{}{to}  {}", " ".repeat(gap), plot.across), width)
}

fn clipped(text: &str, width: usize) -> String {
    text.chars().take(width).collect()
}

fn eighths(height: f64, most: f64) -> usize {
    match most > 0.0 && height > 0.0 {
        true => ((height / most * 8.0).round() as usize).clamp(1, 8),
        false => 0,
    }
}

/// Evaluates a step function: the height of the last point at or before `x`, 0 before the first.
fn at(points: &[(f64, f64)], x: f64) -> f64 {
    let after = points.partition_point(|point| point.0 <= x + 1e-9);
    points.get(after.saturating_sub(1)).map_or(0.0, |point| if after == 0 { 0.0 } else { point.1 })
}
