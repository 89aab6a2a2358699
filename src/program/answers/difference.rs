//! Describes the result of a comparison in JSON.

use crate::program::schema::Answer;
pub use ludwright::answers::difference::DiffAnswer;

impl Answer for DiffAnswer {
    const NAME: &'static str = "diff";
}
