//! Claims about best play: none of them is decided yet.

use super::question::Question;
use super::{Clock, Decided, Limits, Verdict};
use crate::language::rules::PlayerId;
pub fn decide(question: &Question, _: Option<PlayerId>, _: bool, _: &Limits, clock: &Clock) -> Decided {
    let _ = clock.left();
    Decided::new(&question.claim, Verdict::Undecided, "best play is not looked at yet")
}
