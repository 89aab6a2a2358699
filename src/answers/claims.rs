//! Formats decided claims as text and JSON.

use crate::claims::{ClaimVerdict, Decided, Example};
use crate::notation::counted;
use serde::Serialize;

/// Formats a claim in two lines, followed by the record of its example if the claim fails or
/// `whole` is set.
pub fn show(decided: &Decided, whole: bool) -> String {
    let word = match decided.verdict {
        ClaimVerdict::Fails => "FAILS",
        ClaimVerdict::Faulty => "FAULTY",
        verdict => verdict.word(),
    };
    let mut text = format!("{word:<12} {}\n{:13}{}\n", decided.text, "", decided.reason);
    let example = decided.smaller.as_ref().or(decided.example.as_ref());
    if let Some(example) = example.filter(|_| whole || decided.verdict == ClaimVerdict::Fails) {
        let record = example.record.write();
        if decided.smaller.is_some() {
            let plies = counted(example.record.plies.len() as u64, "ply");
            text.push_str(&format!(
                "{:13}the shortest such game on the smallest board, {plies}:\n",
                ""
            ));
        }
        for line in record.lines() {
            text.push_str(format!("{:15}{line}", "").trim_end());
            text.push('\n');
        }
    }
    text
}

/// Counts claims by verdict, in one line.
pub fn summary(all: &[Decided]) -> String {
    let count =
        |verdict: ClaimVerdict| all.iter().filter(|decided| decided.verdict == verdict).count();
    let verdicts = [
        ClaimVerdict::Holds,
        ClaimVerdict::NotRefuted,
        ClaimVerdict::Undecided,
        ClaimVerdict::Faulty,
        ClaimVerdict::Fails,
    ];
    let parts: Vec<String> = verdicts
        .into_iter()
        .filter(|&verdict| {
            count(verdict) > 0 || matches!(verdict, ClaimVerdict::Holds | ClaimVerdict::Fails)
        })
        .map(|verdict| {
            let word = match (verdict, count(verdict)) {
                (ClaimVerdict::Holds, 1) => "holds",
                (ClaimVerdict::Holds, _) => "hold",
                (ClaimVerdict::Fails, 1) => "fails",
                (ClaimVerdict::Fails, _) => "fail",
                (ClaimVerdict::Faulty, 1) => "is faulty",
                (ClaimVerdict::Faulty, _) => "are faulty",
                (verdict, _) => verdict.word(),
            };
            format!("{} {word}", count(verdict))
        })
        .collect();
    format!("of {}, {}", counted(all.len() as u64, "claim"), parts.join(", "))
}

/// A claim of the rules, and what is known of it.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct ClaimAnswer {
    /// The claim in words.
    pub claim: String,
    /// `holds`, `not refuted`, `undecided`, `faulty` or `fails`.
    pub verdict: &'static str,
    /// Whether all positions were searched.
    pub exact: bool,
    /// What the verdict rests on.
    pub reason: String,
    /// The positions searched.
    pub positions: u64,
    /// The games played.
    pub games: u64,
    /// The most probable error of the verdict, if it rests on a test.
    pub error: Option<f64>,
    /// A game as evidence.
    pub example: Option<ExampleAnswer>,
    /// The shortest such game on the smallest board.
    pub smaller: Option<ExampleAnswer>,
}

/// A game as evidence.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct ExampleAnswer {
    /// Its length.
    pub plies: usize,
    /// Whether no shorter game is evidence.
    pub shortest: bool,
    /// The game as a record.
    pub record: String,
}

/// Describes a claim in JSON.
pub fn describe(decided: &Decided) -> ClaimAnswer {
    let example = |example: &Example| ExampleAnswer {
        plies: example.record.plies.len(),
        shortest: example.shortest,
        record: example.record.write(),
    };
    ClaimAnswer {
        claim: decided.text.clone(),
        verdict: decided.verdict.word(),
        exact: decided.exact,
        reason: decided.reason.clone(),
        positions: decided.positions,
        games: decided.games,
        error: decided.error,
        example: decided.example.as_ref().map(example),
        smaller: decided.smaller.as_ref().map(example),
    }
}
