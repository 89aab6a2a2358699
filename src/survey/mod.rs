//! What can never come about in a game, and what should not.
//!
//! In: the texts of a game that checks clean, and the options chosen. Out: warnings of moves that are never legal, of ends that never come, of players left
//! without a move where no rule says what happens, of games that can go on for ever. It refuses to guess: "never" is said only where every position of a
//! board was looked at, and of all else what was seen, and on which board.
//!
//! - `marks`: rules that remember what ended the game. `view`: what was seen with one choice of options.
//! - `graph`: all positions of a small board. `games`: random games on a large one. `boards`: which boards are small.
//! - `suspects`: what in the rules is to be looked out for. `words`: what is said of it.

mod boards;
mod games;
mod graph;
mod marks;
mod suspects;
mod view;
mod words;

use crate::language::check;
use crate::language::finding::Finding;
use crate::language::rules::Rules;
use crate::language::sources::Sources;
use crate::syntax::Span;
use marks::Marked;
use view::{Budget, View};

/// Rules with more instructions than this have slower plies, and a glance takes the fewer of them.
const INSTRUCTIONS: u64 = 400;

/// How much is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// A few hundred plies with the options chosen: a millisecond or two.
    Glance,
    /// Some ten thousand plies, on small boards too: up to a few seconds.
    Deep,
}

impl Effort {
    /// What looking at all positions of one board may cost, and random games, in plies.
    fn budgets(self, view: &View) -> (Budget, Budget) {
        match self {
            Effort::Glance => {
                let part = 1 + view.marked.game.program().code.len() as u64 / INSTRUCTIONS;
                (Budget::of(120 / part), Budget::of(240 / part))
            }
            Effort::Deep => (Budget::of(20_000), Budget::of(20_000)),
        }
    }

    /// A cycle that is found by chance and takes more plies than this is no help to anybody.
    fn showable(self) -> usize {
        match self {
            Effort::Glance => 20,
            Effort::Deep => 100,
        }
    }
}

/// What a look at a game has found, and how much it looked at.
#[derive(Clone, Debug)]
pub struct Survey {
    /// In the order of the text.
    pub findings: Vec<Finding>,
    /// The boards that were looked at, the smallest first; the last is that of the options chosen.
    pub looked: Vec<Looked>,
    /// The ends that nothing came to that was looked at, where not all was: this proves nothing.
    pub unreached: Vec<Span>,
}

/// How much of a game was looked at with one choice of options.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Looked {
    /// The options that differ from those chosen, by name.
    pub options: Vec<(String, String)>,
    /// Each as often as the search came there.
    pub positions: usize,
    /// The random games that came to an end.
    pub games: usize,
    pub plies: usize,
    /// Whether there is no other position that can be reached, rules of repetition left aside.
    pub exhaustive: bool,
}

/// Looks at the positions of a game, with the options chosen and perhaps on smaller boards, and tells what seems wrong with it, in the order of the text. The
/// same rules give the same warnings on every computer.
///
/// `rules` are what the texts say with these options. None when they do not compile, or not with what is added to them here.
pub fn survey(source: &Sources, choices: &[(String, String)], rules: Rules, effort: Effort) -> Option<Vec<Finding>> {
    examine(source, choices, rules, effort).map(|survey| survey.findings)
}

/// The same, and tells how much was looked at.
pub fn examine(source: &Sources, choices: &[(String, String)], rules: Rules, effort: Effort) -> Option<Survey> {
    let mut chosen = view(rules, effort)?;
    let mut small: Vec<View> = Vec::new();
    if !chosen.complete {
        if effort == Effort::Deep {
            for choices in boards::smaller(source, choices, chosen.rules()) {
                let Some(rules) = check(source, &choices).rules else { continue };
                // The board as it is has been looked at.
                if rules.options.iter().zip(&chosen.rules().options).all(|(one, other)| one.chosen == other.chosen) {
                    break;
                }
                let Some(view) = view(rules, effort) else { continue };
                // Boards grow; the first that cannot be seen wholly is the last to be looked at.
                let complete = view.complete;
                small.push(view);
                if !complete {
                    break;
                }
            }
        }
        let (_, mut games) = effort.budgets(&chosen);
        games::play(&mut chosen, &mut games, effort.showable());
    }
    Some(words::describe(&chosen, &small))
}

/// Looks at the positions with the options of these rules.
fn view(rules: Rules, effort: Effort) -> Option<View> {
    let mut view = View::new(Marked::new(rules)?);
    let (mut positions, _) = effort.budgets(&view);
    graph::explore(&mut view, &mut positions);
    Some(view)
}
