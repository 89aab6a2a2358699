//! Formats decided claims as text and JSON.

use ludwright::claims::{ClaimVerdict, Decided, Example};
use ludwright::notation::counted;
use serde_json::{Value, json};

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

/// Describes a claim in JSON.
pub fn describe(decided: &Decided) -> Value {
    let example = |example: &Example| {
        json!({
            "plies": example.record.plies.len(),
            "shortest": example.shortest,
            "record": example.record.write(),
        })
    };
    json!({
        "claim": decided.text,
        "verdict": decided.verdict.word(),
        "exact": decided.exact,
        "reason": decided.reason,
        "positions": decided.positions,
        "games": decided.games,
        "error": decided.error,
        "example": decided.example.as_ref().map(example),
        "smaller": decided.smaller.as_ref().map(example),
    })
}
