//! Words the library's results as text and as JSON, in the same way for the prompt, the commands
//! and the studio.

pub mod claims;
pub mod coverage;
pub mod diagnostic;
pub mod difference;
pub mod explanation;
pub mod place;
pub mod position;
pub mod solution;
pub mod story;
pub mod subject;

use serde::{Serialize, Serializer};

/// Values by name, in the order given: an object in JSON.
pub struct ByName<T>(pub Vec<(String, T)>);

impl<T> FromIterator<(String, T)> for ByName<T> {
    fn from_iter<I: IntoIterator<Item = (String, T)>>(pairs: I) -> Self {
        ByName(pairs.into_iter().collect())
    }
}

impl<T: Serialize> Serialize for ByName<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

#[cfg(feature = "cli")]
impl<T: schemars::JsonSchema> schemars::JsonSchema for ByName<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        std::collections::BTreeMap::<String, T>::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        std::collections::BTreeMap::<String, T>::json_schema(generator)
    }
}
