//! Plain names for the strengths of the default players: beginner, club, strong.

use crate::measure::plan::Plan;
use crate::notation::list;
use crate::render::plot::{Plot, Shape};
use crate::search::PlayerKind;

/// The names of the first strengths; each has twice the iterations of the one before.
const NAMES: [&str; 3] = ["beginner", "club", "strong"];

/// The players of a plan that have plain names. Empty if the players were chosen by hand.
#[derive(Clone, Debug)]
pub struct Strengths(Vec<(PlayerKind, String)>);

impl Strengths {
    /// Names the players of a default plan, weakest first.
    pub fn of(plan: &Plan) -> Strengths {
        let mut kinds: Vec<u64> = Vec::new();
        for kind in plan.pairings.iter().flat_map(|pairing| pairing.seats.iter().flatten()) {
            if let PlayerKind::Iterations(iterations) = kind {
                kinds.push(*iterations);
            }
        }
        kinds.sort_unstable();
        kinds.dedup();
        let is_default = plan.pairings.len() > NAMES.len() && kinds.len() >= NAMES.len();
        let named = kinds.into_iter().enumerate().filter(|_| is_default);
        let name = |place: usize| match NAMES.get(place) {
            Some(name) => (*name).to_owned(),
            None => format!("strong ×{}", 1_u64 << (place + 1 - NAMES.len()).min(32)),
        };
        Strengths(
            named
                .map(|(place, iterations)| (PlayerKind::Iterations(iterations), name(place)))
                .collect(),
        )
    }

    /// Replaces the players in the name of a pairing, a title or a label by their plain names.
    pub fn text(&self, text: &str) -> String {
        let plain = |word: &str| {
            let (bare, comma) = word.strip_suffix(',').map_or((word, ""), |bare| (bare, ","));
            let named = |(kind, _): &&(PlayerKind, String)| {
                let kind = kind.to_string();
                kind == bare || kind.strip_prefix("mcts:") == Some(bare)
            };
            let found = self.0.iter().find(named);
            found.map_or(word.to_owned(), |(_, name)| format!("{name}{comma}"))
        };
        text.split(' ').map(plain).collect::<Vec<String>>().join(" ")
    }

    /// Replaces the players in a plot.
    pub fn plot(&self, plot: &Plot) -> Plot {
        let mut plot = plot.clone();
        plot.title = self.text(&plot.title);
        match &mut plot.shape {
            Shape::Lines(lines) => {
                lines.iter_mut().for_each(|line| line.name = self.text(&line.name))
            }
            Shape::Intervals { points, .. } => {
                points.iter_mut().for_each(|point| point.name = self.text(&point.name))
            }
            Shape::Histogram { .. } => {}
        }
        plot
    }

    /// Says what the names mean; `None` if there are none.
    pub fn note(&self) -> Option<String> {
        let first: Vec<&(PlayerKind, String)> = self.0.iter().take(NAMES.len()).collect();
        if first.is_empty() {
            return None;
        }
        let names: Vec<&str> = first.iter().map(|(_, name)| name.as_str()).collect();
        let iterations: Vec<String> = first.iter().map(|(kind, _)| kind.to_string()).collect();
        let beyond = if self.0.len() > NAMES.len() {
            "; strong ×2 has twice the iterations of strong, and so on"
        } else {
            ""
        };
        Some(format!(
            "Random players choose any legal ply. The players {} are tree searches ({}), with so many iterations per ply{beyond}.",
            list(&names, "and"),
            list(&iterations, "and")
        ))
    }

    /// Returns the named players, weakest first.
    pub fn list(&self) -> &[(PlayerKind, String)] {
        &self.0
    }
}
