//! Maps colours to terminal styles.

use crate::language::look::Color;
use anstyle::{Ansi256Color, AnsiColor, Style};

/// Labels and lines.
pub const FAINT: Style = Style::new().dimmed();
/// The last move.
pub const LAST: Style = AnsiColor::Yellow.on_default().bold();
/// Legal targets.
pub const TARGET: Style = AnsiColor::Green.on_default().bold();

/// Returns black or white on a coloured background.
pub fn on(color: Color) -> Style {
    let ink = if color.lightness() > 125 { 16 } else { 231 };
    Style::new()
        .fg_color(Some(Ansi256Color(ink).into()))
        .bg_color(Some(nearest(color).into()))
        .bold()
}

/// Returns coloured text.
pub fn of(color: Color) -> Style {
    Style::new().fg_color(Some(nearest(color).into())).bold()
}

/// Returns the nearest of the 256 ANSI colours, from the 6×6×6 cube or the 24 greys.
pub fn nearest(color: Color) -> Ansi256Color {
    let channels = [color.red, color.green, color.blue];
    let level = |step: u8| if step == 0 { 0 } else { 55 + 40 * step };
    let steps = channels
        .map(|channel| (0..6).min_by_key(|&step| level(step).abs_diff(channel)).unwrap_or(0));
    let distance = |levels: [u8; 3]| -> u32 {
        levels.iter().zip(channels).map(|(&a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
    };
    let grey = (0..24u8).min_by_key(|&step| distance([8 + 10 * step; 3])).unwrap_or(0);
    match distance([8 + 10 * grey; 3]) < distance(steps.map(level)) {
        true => Ansi256Color(232 + grey),
        false => Ansi256Color(16 + 36 * steps[0] + 6 * steps[1] + steps[2]),
    }
}
