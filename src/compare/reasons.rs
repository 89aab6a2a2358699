//! Finds the clauses of both files that cause a difference, by asking the reference interpreter.
//! Reasons that take too long to find are left out.

use super::{Difference, Names, Side};
use crate::engine::game::{Move, State};
use crate::language::rules::Rules;
use crate::notation::clause::quote;
use crate::notation::spell;
use crate::reference::Interpreter;
use crate::syntax::Span;
use crate::why::{Answer, Happening, HappeningKind, Reply, Story, Verdict, ask, why_move};

/// A cause of a difference.
#[derive(Clone, Debug)]
pub enum Reason {
    /// A move that only one game allows.
    Move {
        /// The game that allows it.
        legal: Side,
        /// The left and the right game's explanation.
        answers: Box<[Answer; 2]>,
    },
    /// The effects of the last ply in each game, or of the setup if none was played.
    Stories([ToldStory; 2]),
    /// The choices that ask different players for the next ply; `None` where a game is over.
    Asked([Option<Span>; 2]),
}

/// The happenings in one game, and which of them did not happen in the other.
#[derive(Clone, Debug)]
pub struct ToldStory {
    pub story: Story,
    /// One flag for each happening.
    pub differs: Vec<bool>,
}

/// Finds the clauses that cause the difference. Of the moves that only one game allows, the first
/// stands for all.
pub fn reasons(names: &Names, difference: &Difference) -> Vec<Reason> {
    let Difference { left, right, divergence, .. } = difference;
    let mut reasons = Vec::new();
    if divergence.is_of_moves() {
        let explained =
            [(Side::Left, &divergence.only_left), (Side::Right, &divergence.only_right)];
        reasons.extend(
            explained
                .into_iter()
                .filter_map(|(legal, only)| explain(names, left, right, legal, only.first()?)),
        );
        // If one game cannot read the move, the verbs or their arguments differ, and one example is
        // enough.
        if reasons
            .iter()
            .all(|reason| matches!(reason, Reason::Move { answers, .. } if answers.iter().any(|it| it.verdict == Verdict::Unreadable)))
        {
            reasons.truncate(1);
        }
    } else {
        let told = stories(left, right)
            .filter(|told| told.iter().any(|told| told.differs.contains(&true)));
        reasons.extend(told.map(Reason::Stories));
        if divergence.turn.is_some() {
            let asks = |position: &State| {
                position.decision().map(|index| position.game().program().decisions[index].span)
            };
            reasons.push(Reason::Asked([asks(left), asks(right)]));
        }
    }
    reasons
}

/// Asks both games about a move that one of them allows.
fn explain(
    names: &Names,
    left: &State,
    right: &State,
    legal: Side,
    spelled: &str,
) -> Option<Reason> {
    let rules = [left, right].map(|position| position.game().rules());
    let own = if legal == Side::Left { left } else { right };
    let ply: &Move = own.legal().iter().find(|ply| spell(own.game().rules(), ply) == spelled)?;
    let about = |position: &State, text: &str| match ask(position, text) {
        Ok(Reply::Answers(answers)) => answers.into_iter().next(),
        _ => None,
    };
    let answers = match legal {
        Side::Left => {
            [why_move(left, ply), about(right, &names.spell_right(rules[0], rules[1], ply))?]
        }
        Side::Right => {
            [about(left, &names.spell_left(rules[0], rules[1], ply))?, why_move(right, ply)]
        }
    };
    Some(Reason::Move { legal, answers: Box::new(answers) })
}

/// Narrates the last ply in both games.
fn stories(left: &State, right: &State) -> Option<[ToldStory; 2]> {
    let stories = [whole(left)?, whole(right)?];
    let rules = [left, right].map(|position| position.game().rules());
    let keys = [0, 1].map(|side| {
        stories[side]
            .happenings
            .iter()
            .map(|happening| key(rules[side], happening))
            .collect::<Vec<String>>()
    });
    let mut told = stories.into_iter().enumerate().map(|(side, story)| {
        let differs =
            |happening: &Happening| !keys[1 - side].contains(&key(rules[side], happening));
        // A condition that fails in one game only explains why something did not happen.
        let story = story.without_idle(|happening| {
            happening.kind == HappeningKind::Condition && differs(happening)
        });
        let differs = story.happenings.iter().map(differs).collect();
        ToldStory { story, differs }
    });
    Some([told.next()?, told.next()?])
}

fn whole(position: &State) -> Option<Story> {
    let Some(last) = position.plies().last() else {
        return Story::of_setup(position.game().rules()).ok();
    };
    let mut earlier = position.clone();
    earlier.undo();
    Story::whole(&mut Interpreter::with_past(&earlier), last).ok()
}

/// Returns a key to compare happenings across games: their effect, regardless of position in the
/// file. Conditions are identified by their clause, too; the text of failed ones is ignored.
fn key(rules: &Rules, happening: &Happening) -> String {
    let clause = match happening.kind {
        HappeningKind::Condition | HappeningKind::Requirement => quote(rules, happening.span),
        _ => String::new(),
    };
    let text = if happening.holds { happening.text.as_str() } else { "" };
    format!("{:?} {} {text} {clause}", happening.kind, happening.holds)
}
