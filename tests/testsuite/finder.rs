//! Search by intention: what players say leads to the recipe or the word that they mean.

use ludwright::editor::finder::Finder;
use std::fs;

/// Returns the phrases of players, each with the titles that it may lead to.
fn phrases() -> Vec<(String, Vec<String>)> {
    let text = fs::read_to_string("tests/phrases.txt").expect("phrases");
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let phrase = |line: &str| {
        let (phrase, titles) = line.split_once(" = ").expect("a phrase and its titles");
        (phrase.to_owned(), titles.split(", ").map(str::to_owned).collect())
    };
    lines.map(phrase).collect()
}

#[test]
fn phrases_of_players_lead_to_recipes() {
    let finder = Finder::new(&[]);
    let mut missed = Vec::new();
    let phrases = phrases();
    for (phrase, titles) in &phrases {
        let found: Vec<&str> =
            finder.find(phrase).iter().take(3).map(|entry| entry.title.as_str()).collect();
        if !titles.iter().any(|title| found.contains(&title.as_str())) {
            missed.push(format!("{phrase}: {} instead of {}", found.join(", "), titles.join(", ")));
        }
    }
    assert!(phrases.len() >= 60);
    assert!(missed.len() <= 5, "{} missed:\n{}", missed.len(), missed.join("\n"));
}
