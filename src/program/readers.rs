//! Parsers of argument values, used by clap.

use ludwright::measure::sweep::values;
use ludwright::search::PlayerKind;
use std::time::Duration;

pub fn choice(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((key, value)) if !key.trim().is_empty() => {
            Ok((key.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err("expected KEY=VALUE".to_owned()),
    }
}

pub fn renaming(text: &str) -> Result<(String, String), String> {
    let expected = || "expected LEFT=RIGHT, such as `Stone=Mark`".to_owned();
    let (left, right) = choice(text).map_err(|_| expected())?;
    if right.is_empty() { Err(expected()) } else { Ok((left, right)) }
}

pub fn time(text: &str) -> Result<Duration, String> {
    let expected = || "expected a time such as 90s, 5m or 2h".to_owned();
    let at = text.find(|character: char| character.is_ascii_alphabetic()).ok_or_else(expected)?;
    let (number, unit) = text.split_at(at);
    let seconds = match unit {
        "ms" => 0.001,
        "s" => 1.0,
        "m" | "min" => 60.0,
        "h" => 3600.0,
        _ => return Err(expected()),
    };
    match number.trim().parse::<f64>() {
        Ok(number) if (0.0..=1e9).contains(&(number * seconds)) => {
            Ok(Duration::from_secs_f64(number * seconds))
        }
        _ => Err(expected()),
    }
}

/// Reads the time of a ply, at least a millisecond.
pub fn pace(text: &str) -> Result<Duration, String> {
    match time(text)? {
        short if short < Duration::from_millis(1) => {
            Err("expected a time of at least a millisecond".to_owned())
        }
        pace => Ok(pace),
    }
}

pub fn memory(text: &str) -> Result<u64, String> {
    let expected = || "expected a size such as 500MB or 8GB".to_owned();
    let at = text.find(|character: char| character.is_ascii_alphabetic()).ok_or_else(expected)?;
    let (number, unit) = text.split_at(at);
    let bytes = match unit.to_ascii_uppercase().as_str() {
        "B" => 1.0,
        "KB" => 1e3,
        "MB" => 1e6,
        "GB" => 1e9,
        "TB" => 1e12,
        _ => return Err(expected()),
    };
    match number.trim().parse::<f64>() {
        Ok(number) if (0.0..=1e15).contains(&(number * bytes)) => Ok((number * bytes) as u64),
        _ => Err(expected()),
    }
}

pub fn seat(text: &str) -> Result<(String, PlayerKind), String> {
    match text.split_once('=') {
        Some((name, kind)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), kind.trim().parse()?))
        }
        _ => Err("expected NAME=PLAYER, such as `White=mcts:1s`".to_owned()),
    }
}

pub fn axis(text: &str) -> Result<(String, Vec<String>), String> {
    let (key, value) = choice(text)?;
    Ok((key, values(&value)?))
}

pub fn shard(text: &str) -> Result<(usize, usize), String> {
    let parts =
        text.split_once('/').and_then(|(part, all)| Some((part.parse().ok()?, all.parse().ok()?)));
    match parts {
        Some((part, all)) if 1 <= part && part <= all => Ok((part, all)),
        _ => Err("expected K/N, such as `1/4` for the first of four parts".to_owned()),
    }
}

pub fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=1e9).contains(&seconds) => Ok(seconds),
        _ => Err("expected a number of seconds".to_owned()),
    }
}
