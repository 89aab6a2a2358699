//! Sweeps over options: lists the variants, and tests which figures differ significantly.

use super::report::{Figure, Measure};
use super::statistics::{Distribution, difference_test, holm};
use serde::Serialize;

/// The limit of variants.
pub const MAX_VARIANTS: usize = 64;

/// An option with the values to try.
pub type Axis = (String, Vec<String>);

/// Parses values separated by commas or spaces, or inclusive ranges of integers such as `1..4`.
///
/// # Errors
/// Returns a message for the user.
pub fn values(text: &str) -> Result<Vec<String>, String> {
    let mut values = Vec::new();
    // The values of an option have no spaces, but a range may be written with some.
    let text = text.split("..").map(str::trim).collect::<Vec<&str>>().join("..");
    let parts = text.split(',').flat_map(|part| match part.trim() {
        "" => vec![""],
        several => several.split_whitespace().collect(),
    });
    for part in parts {
        match part.split_once("..") {
            None if part.is_empty() => return Err("a value is missing next to a comma".to_owned()),
            None => values.push(part.to_owned()),
            Some((from, to)) => {
                let range = || {
                    Some((
                        from.trim().parse::<i64>().ok()?,
                        to.trim().trim_start_matches('=').parse::<i64>().ok()?,
                    ))
                };
                let (from, to) = range().ok_or_else(|| {
                    format!("expected a range of whole numbers such as `1..4`, found `{part}`")
                })?;
                if from > to || to.saturating_sub(from) >= MAX_VARIANTS as i64 {
                    return Err(format!(
                        "expected a range of at most {MAX_VARIANTS} whole numbers, the smaller first, found `{part}`"
                    ));
                }
                values.extend((from..=to).map(|number| number.to_string()));
            }
        }
    }
    for (index, value) in values.iter().enumerate() {
        if values[..index].contains(value) {
            return Err(format!("`{value}` appears twice"));
        }
    }
    Ok(values)
}

/// Returns the Cartesian product of the axes, the last option varying fastest.
///
/// # Errors
/// Returns a message if there are more than [`MAX_VARIANTS`].
pub fn product(axes: &[Axis]) -> Result<Vec<Vec<(String, String)>>, String> {
    let count = axes.iter().try_fold(1_usize, |count, (_, values)| count.checked_mul(values.len()));
    if count.is_none_or(|count| count > MAX_VARIANTS) {
        return Err(format!("these options make more than {MAX_VARIANTS} variants"));
    }
    let mut variants = vec![Vec::new()];
    for (name, values) in axes {
        let longer = |variant: &Vec<(String, String)>| -> Vec<Vec<(String, String)>> {
            values
                .iter()
                .map(|value| {
                    variant.iter().cloned().chain([(name.clone(), value.clone())]).collect()
                })
                .collect()
        };
        variants = variants.iter().flat_map(longer).collect();
    }
    Ok(variants)
}

/// A figure by variant; `None` where a variant lacks it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct FigureRow {
    pub measure: &'static str,
    pub title: &'static str,
    pub what: String,
    pub who: String,
    pub figures: Vec<Option<Figure>>,
}

impl FigureRow {
    /// Tests if the figures are quantiles.
    pub fn is_quantile(&self) -> bool {
        let mut figures = self.figures.iter().flatten();
        figures.any(|figure| figure.estimate.distribution == Distribution::Quantile)
    }
}

/// A difference between two variants.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct Difference {
    pub measure: &'static str,
    pub title: &'static str,
    pub what: String,
    pub who: String,
    /// The indices of the variants.
    pub variants: (usize, usize),
    pub values: (f64, f64),
    /// The p-value after Holm's correction.
    pub p: f64,
    #[serde(skip)]
    pub figures: (Figure, Figure),
}

/// The measures that are not compared: single first plies, and tests within one variant.
const APART: [&str; 2] = ["first-moves", "depends-on-strength"];

/// Aligns the figures of all variants, without those that are not compared.
pub fn rows(variants: &[&[Measure]]) -> Vec<FigureRow> {
    let mut rows: Vec<FigureRow> = Vec::new();
    for (index, measures) in variants.iter().enumerate() {
        for measure in measures.iter().filter(|measure| !APART.contains(&measure.key)) {
            for figure in &measure.figures {
                let same = |row: &&mut FigureRow| {
                    row.measure == measure.key && row.what == figure.what && row.who == figure.who
                };
                let found = rows.iter().position(|row| {
                    row.measure == measure.key && row.what == figure.what && row.who == figure.who
                });
                let at = found.unwrap_or_else(|| {
                    // Next to the other figures of its measure.
                    let at = rows
                        .iter()
                        .rposition(|row| row.measure == measure.key)
                        .map_or(rows.len(), |last| last + 1);
                    let (what, who) = (figure.what.clone(), figure.who.clone());
                    rows.insert(
                        at,
                        FigureRow {
                            measure: measure.key,
                            title: measure.title,
                            what,
                            who,
                            figures: vec![None; variants.len()],
                        },
                    );
                    at
                });
                if let Some(row) = rows.get_mut(at).filter(same) {
                    row.figures[index] = Some(figure.clone());
                }
            }
        }
    }
    rows
}

/// Measures that are not compared: levels are measured between other players in every game, and
/// minutes follow from plies.
const UNCOMPARED: [&str; 2] = ["levels", "minutes"];

/// The family-wise error rate of all comparisons of a sweep.
pub const ERROR: f64 = 0.05;

/// Returns every pair of indices below `variants`.
pub fn all_pairs(variants: usize) -> Vec<(usize, usize)> {
    (0..variants).flat_map(|second| (0..second).map(move |first| (first, second))).collect()
}

/// Returns the number of comparisons, and the differences that are significant at a family-wise
/// error rate of 5 %. Of two players' scores only the first player's are compared, since the
/// second's mirror them.
pub fn differences(rows: &[FigureRow], players: &[String]) -> (usize, Vec<Difference>) {
    let compared = |row: &&FigureRow| {
        let is_mirror =
            players.len() == 2 && row.measure == "seat-advantage" && row.what == players[1];
        !UNCOMPARED.contains(&row.measure) && !is_mirror
    };
    let variants = rows.iter().map(|row| row.figures.len()).max().unwrap_or(0);
    let found = tested(rows.iter().filter(compared), &all_pairs(variants));
    (found.len(), found.into_iter().filter(|difference| difference.p <= ERROR).collect())
}

/// Tests these pairs of variants by each mean and proportion that both have (see
/// [`difference_test`]), with Holm's correction for all tests.
pub fn tested<'r>(
    rows: impl Iterator<Item = &'r FigureRow>,
    pairs: &[(usize, usize)],
) -> Vec<Difference> {
    let mut found = Vec::new();
    for row in rows {
        for &(first, second) in pairs {
            let figure = |variant: usize| row.figures.get(variant).and_then(Option::as_ref);
            let (Some(one), Some(other)) = (figure(first), figure(second)) else { continue };
            let Some(p) = difference_test(&one.estimate, &other.estimate) else { continue };
            found.push(Difference {
                measure: row.measure,
                title: row.title,
                what: row.what.clone(),
                who: row.who.clone(),
                variants: (first, second),
                values: (one.estimate.value, other.estimate.value),
                p,
                figures: (one.clone(), other.clone()),
            });
        }
    }
    let corrected = holm(&found.iter().map(|difference| difference.p).collect::<Vec<f64>>());
    found.into_iter().zip(corrected).map(|(own, p)| Difference { p, ..own }).collect()
}
