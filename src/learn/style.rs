//! How a player with a training searches.

use std::fmt;

/// How the player `strong` searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// By alpha-beta with the evaluation.
    AlphaBeta,
    /// By alpha-beta that evaluates only positions in which no piece can be taken.
    Quiescence,
    /// By Monte-Carlo tree search, with the evaluation and playouts.
    Tree,
    /// By Monte-Carlo tree search with the evaluation in place of playouts.
    Leaves,
    /// By Monte-Carlo tree search with plain playouts, without the evaluation.
    Mcts,
}

impl Method {
    /// The methods that use the evaluation.
    pub const LEARNED: [Method; 4] =
        [Method::AlphaBeta, Method::Quiescence, Method::Tree, Method::Leaves];

    /// Finds the method with this name.
    pub fn named(name: &str) -> Option<Method> {
        let mut all = Method::LEARNED.into_iter().chain([Method::Mcts]);
        all.find(|method| method.name() == name)
    }

    /// Returns the name of the method.
    pub fn name(self) -> &'static str {
        match self {
            Method::AlphaBeta => "alpha-beta",
            Method::Quiescence => "quiescence",
            Method::Tree => "tree",
            Method::Leaves => "leaves",
            Method::Mcts => "mcts",
        }
    }

    /// Returns the usual constant by which a tree explores; `None` for methods without a tree.
    ///
    /// Over the shipped games, `Mcts` did no better with 0.4 or 1.0, nor `Tree` with 0.5 or 2.0.
    pub const fn exploration(self) -> Option<f32> {
        match self {
            Method::AlphaBeta | Method::Quiescence => None,
            Method::Tree | Method::Leaves => Some(1.0),
            Method::Mcts => Some(0.7),
        }
    }
}

/// A method, and the exploration constant of its tree.
///
/// Its text is the name of the method, followed by the constant if it is not the usual one:
/// `leaves`, `leaves exploration 0.5`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    pub method: Method,
    /// The factor of the bonus by which a tree explores plies that were tried rarely, of UCT for
    /// plain playouts and of PUCT otherwise; `None` for methods without a tree.
    pub exploration: Option<f32>,
}

/// The exploration constants that a text may have.
const EXPLORATIONS: std::ops::RangeInclusive<f32> = 0.01..=100.0;

impl From<Method> for Style {
    fn from(method: Method) -> Style {
        Style { method, exploration: method.exploration() }
    }
}

impl Style {
    /// Plain playouts.
    pub const PLAIN: Style =
        Style { method: Method::Mcts, exploration: Method::Mcts.exploration() };

    /// Returns the style with its constant multiplied; `None` for methods without a tree.
    pub fn times(self, factor: f32) -> Option<Style> {
        let exploration = Some(self.exploration? * factor);
        Some(Style { exploration, ..self })
    }

    /// Parses the text of a style; `None` if the text is none.
    pub fn read(text: &str) -> Option<Style> {
        let Some((method, exploration)) = text.split_once(" exploration ") else {
            return Method::named(text).map(Style::from);
        };
        let method = Method::named(method).filter(|method| method.exploration().is_some())?;
        let exploration = exploration.parse().ok().filter(|read| EXPLORATIONS.contains(read))?;
        Some(Style { method, exploration: Some(exploration) })
    }
}

impl fmt::Display for Style {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(self.method.name())?;
        match self.exploration {
            Some(exploration) if self.exploration != self.method.exploration() => {
                write!(out, " exploration {exploration}")
            }
            _ => Ok(()),
        }
    }
}
