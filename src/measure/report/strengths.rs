//! Plain names for the strengths of the default players: beginner, club, strong, strongest, and
//! trained.

use crate::measure::plan::{Plan, STRENGTHS};
use crate::notation::list;
use crate::render::plot::{Plot, Shape};
use crate::search::PlayerKind;

/// The names of the tree searches, weakest first: for reports, and for users who ask for a player.
pub const NAMES: [&str; STRENGTHS] = ["beginner", "club", "strong", "strongest"];
/// The name of a search with half the iterations of the strongest.
const HALF: &str = "half-strongest";
/// The name of the second family.
const TRAINED: &str = "trained";

/// The players with plain names: of a default plan, or asked for by name. Empty if the players were
/// chosen otherwise.
#[derive(Clone, Debug)]
pub struct Strengths(Vec<(PlayerKind, String)>);

impl Strengths {
    /// Names the players of a default plan, weakest first.
    pub fn of(plan: &Plan) -> Strengths {
        let ladder = plan.ladder();
        if ladder.len() < NAMES.len() {
            return Strengths(plan.named.clone());
        }
        let named = ladder.into_iter().zip(NAMES).map(|(kind, name)| (kind, name.to_owned()));
        let mut all: Vec<(PlayerKind, String)> = named.collect();
        for kind in plan.pairings.iter().flat_map(|pairing| pairing.seats.iter().flatten()) {
            let name = match kind {
                PlayerKind::Iterations(_) => HALF,
                PlayerKind::StrongIterations(_) => TRAINED,
                _ => continue,
            };
            if !all.iter().any(|(known, _)| known == kind) {
                all.push((*kind, name.to_owned()));
            }
        }
        Strengths(all)
    }

    /// Returns the name of a player.
    pub fn name(&self, kind: &PlayerKind) -> String {
        self.text(&kind.to_string())
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
        let searches: Vec<&(PlayerKind, String)> = self.0.iter().take(NAMES.len()).collect();
        if searches.is_empty() {
            return None;
        }
        let names: Vec<&str> = searches.iter().map(|(_, name)| name.as_str()).collect();
        let iterations: Vec<String> = searches.iter().map(|(kind, _)| kind.to_string()).collect();
        let trained = self.0.iter().find(|(_, name)| name == TRAINED);
        let trained = trained.map_or(String::new(), |(kind, _)| {
            format!(" Trained players ({kind}) search with what was learned from self-play, for about as long as the strongest.")
        });
        Some(format!(
            "Random players choose any legal ply. The players {} are tree searches ({}), with these numbers of iterations per ply; \
             the names compare them with each other, not with people.{trained}",
            list(&names, "and"),
            list(&iterations, "and")
        ))
    }

    /// Returns the named players, the searches of the ladder first.
    pub fn list(&self) -> &[(PlayerKind, String)] {
        &self.0
    }
}
