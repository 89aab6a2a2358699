//! Two positions that do not agree in, the clauses of both files that make the difference out. It
//! decides no rule: the account tells, and what it takes too long to tell is left out.

use super::{Difference, Names, Side};
use crate::engine::game::{Move, State};
use crate::language::rules::Rules;
use crate::notation::clause::quote;
use crate::notation::spell;
use crate::reference::Interpreter;
use crate::syntax::Span;
use crate::why::{Answer, Happening, HappeningKind, Reply, Story, Verdict, ask, why_move};

/// Why two games differ.
#[derive(Clone, Debug)]
pub enum Reason {
    /// A move that only one of them allows.
    Move {
        /// The game that allows it.
        legal: Side,
        /// What the left game says of it, and the right one.
        answers: Box<[Answer; 2]>,
    },
    /// What the last ply did in the left game and in the right one; or, where nothing has been
    /// played, the setup.
    Stories([ToldStory; 2]),
    /// The clauses that ask for the ply at hand, which is not the same player's; none where a game
    /// is over.
    Asked([Option<Span>; 2]),
}

/// What happened in a game, and which of it did not happen in the other one.
#[derive(Clone, Debug)]
pub struct ToldStory {
    pub story: Story,
    /// One for each happening.
    pub differs: Vec<bool>,
}

/// Finds the clauses that make the difference. Where there are many moves that only one of the
/// games allows, one of each game tells for all of them. What would take too long to tell is left
/// out.
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
        // Where verbs or their arguments are not alike, the moves of one game show it.
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

/// Tells the last ply of both games.
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
        // A condition that fails in one game alone says why something was not done.
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

/// What a happening comes to, wherever its clause stands; of conditions, which say little, the
/// clause as well, and of those that fail nothing else.
fn key(rules: &Rules, happening: &Happening) -> String {
    let clause = match happening.kind {
        HappeningKind::Condition | HappeningKind::Requirement => quote(rules, happening.span),
        _ => String::new(),
    };
    let text = if happening.holds { happening.text.as_str() } else { "" };
    format!("{:?} {} {text} {clause}", happening.kind, happening.holds)
}
