//! Says in JSON where the studio is.

use crate::program::schema::Answer;
use schemars::JsonSchema;
use serde::Serialize;

/// A studio that is served.
#[derive(Serialize, JsonSchema)]
pub struct StudioAnswer {
    /// The address of its page.
    pub address: String,
}

impl Answer for StudioAnswer {
    const NAME: &'static str = "studio";
}
