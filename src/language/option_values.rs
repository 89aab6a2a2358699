//! The values of options.

use super::edit_distance::list;
use super::quantities::spell_halves;
use std::collections::HashMap;

/// A value of an option.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum OptionValue {
    /// In halves.
    Number(i64),
    Word(String),
}

impl OptionValue {
    /// Returns its canonical spelling.
    pub fn spelling(&self) -> String {
        match self {
            OptionValue::Number(halves) => spell_halves(*halves),
            OptionValue::Word(word) => word.clone(),
        }
    }
}

/// The values of an option. A range is not expanded, because games are checked repeatedly with
/// different values, and a list of thousands each time would be expensive.
#[derive(Clone, Debug)]
pub(super) enum Values {
    /// In halves.
    Range { first: i64, step: i64, count: usize },
    /// Distinct values, with their positions.
    List { values: Vec<OptionValue>, positions: HashMap<OptionValue, usize> },
}

impl Values {
    /// Creates an empty list, for an option whose values are unknown.
    pub fn none() -> Values {
        Values::list(Vec::new())
    }

    /// Creates a list of distinct values.
    pub fn list(values: Vec<OptionValue>) -> Values {
        let positions = values.iter().cloned().zip(0..).collect();
        Values::List { values, positions }
    }

    pub fn len(&self) -> usize {
        match self {
            Values::Range { count, .. } => *count,
            Values::List { values, .. } => values.len(),
        }
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn get(&self, index: usize) -> Option<OptionValue> {
        match self {
            Values::Range { first, step, count } => {
                (index < *count).then(|| OptionValue::Number(first + index as i64 * step))
            }
            Values::List { values, .. } => values.get(index).cloned(),
        }
    }

    /// Returns the spelling of a value; nothing if there is no such value.
    pub fn spelling(&self, index: usize) -> String {
        self.get(index).map_or(String::new(), |value| value.spelling())
    }

    /// Iterates over the spellings of all values.
    pub fn spellings(&self) -> impl Iterator<Item = String> {
        (0..self.len()).map(|index| self.spelling(index))
    }

    /// Returns the position of a value.
    pub fn position(&self, value: &OptionValue) -> Option<usize> {
        match (self, value) {
            (Values::Range { first, step, count }, OptionValue::Number(halves)) => {
                let index = usize::try_from((halves - first).checked_div(*step)?).ok()?;
                (index < *count && first + index as i64 * step == *halves).then_some(index)
            }
            (Values::Range { .. }, OptionValue::Word(_)) => None,
            (Values::List { positions, .. }, value) => positions.get(value).copied(),
        }
    }

    /// Returns the minimum and the maximum, in halves, if all values are numbers.
    pub fn bounds(&self) -> Option<(i64, i64)> {
        match self {
            Values::Range { first, step, count } => {
                Some((*first, first + (*count as i64 - 1) * step))
            }
            Values::List { values, .. } => {
                let numbers = numbers(values)?;
                Some((*numbers.iter().min()?, *numbers.iter().max()?))
            }
        }
    }

    /// Summarizes the values: `3 to 9`, `0 to 10.5 in steps of 0.5`, `hex or square`.
    pub fn summary(&self) -> String {
        if let Some((first, step, last)) = self.steps() {
            let range = format!("{} to {}", spell_halves(first), spell_halves(last));
            return match step {
                2 => range,
                step => format!("{range} in steps of {}", spell_halves(step)),
            };
        }
        list(&self.spellings().collect::<Vec<_>>(), "or")
    }

    /// Returns the first value, the step and the last of an arithmetic sequence of numbers.
    fn steps(&self) -> Option<(i64, i64, i64)> {
        match self {
            Values::Range { first, step, count } => {
                (*count > 1).then(|| (*first, *step, first + (*count as i64 - 1) * step))
            }
            Values::List { values, .. } => {
                let numbers = numbers(values)?;
                let [first, second, .., last] = numbers[..] else { return None };
                let step = second - first;
                let is_even = numbers.windows(2).all(|pair| pair[1] - pair[0] == step);
                is_even.then_some((first, step, last))
            }
        }
    }

    /// Tests if all values are numbers; true if there are none.
    pub fn is_numeric(&self) -> bool {
        match self {
            Values::Range { .. } => true,
            Values::List { values, .. } => numbers(values).is_some(),
        }
    }
}

/// Returns values in halves, if all are numbers.
fn numbers(values: &[OptionValue]) -> Option<Vec<i64>> {
    let halves = values.iter().map(|value| match value {
        OptionValue::Number(halves) => Some(*halves),
        OptionValue::Word(_) => None,
    });
    halves.collect()
}
