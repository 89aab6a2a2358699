//! Moves: what they may be about, which of them are legal, and what they lead to.
//!
//! In: a position as the one who is to move sees it. Out: the legal moves with their spellings. It refuses to know what comes after the ply,
//! except for the further plies of the same `steps`.

use super::expressions::View;
use super::flow::{Flow, Outcome, Stop};
use super::place::Root;
use super::values::{ONE, Value, Variables};
use ludwright::engine::setting::Setting;
use ludwright::language::rules::{Condition, MoveId, PlayerId, Role, Rules};
use std::collections::HashMap;

/// A move with everything about it chosen.
#[derive(Clone, Debug)]
pub struct Instance {
    pub spelling: String,
    rule: MoveId,
    variables: Variables,
}

/// What a move or a whole ply has led to.
pub struct After {
    pub setting: Setting,
    pub outcome: Option<Outcome>,
    /// Whether the turn ends with the ply.
    pub ends_turn: bool,
}

impl Instance {
    /// Does what the move says; none where a requirement fails.
    pub fn make(&self, rules: &Rules, setting: &Setting, mover: PlayerId) -> Option<After> {
        let mut after = After { setting: setting.clone(), outcome: None, ends_turn: false };
        follow(rules, &mut after, Flow::new(Root::Move(self.rule), self.variables.clone(), mover)).then_some(after)
    }

    /// Makes the move and then looks at what ends the game; none where a requirement fails.
    pub fn ply(&self, rules: &Rules, setting: &Setting, mover: PlayerId) -> Option<After> {
        let mut after = self.make(rules, setting, mover)?;
        if after.outcome.is_none() {
            let legal = follow(rules, &mut after, Flow::new(Root::End, Variables::default(), mover));
            assert!(legal, "nothing is required at the end");
        }
        Some(after)
    }
}

/// Runs statements without decisions; false where a requirement fails.
fn follow(rules: &Rules, after: &mut After, mut flow: Flow) -> bool {
    match flow.run(rules, &mut after.setting) {
        Stop::Done => {}
        Stop::Over(outcome) => after.outcome = Some(outcome),
        Stop::Refused => return false,
        Stop::Decision(_) => panic!("there are no decisions within a ply"),
    }
    after.ends_turn |= flow.ends_turn;
    true
}

/// Lists every legal instance of the moves, by spelling.
pub fn choices(view: &View, moves: &[MoveId]) -> Vec<Instance> {
    by_spelling(instances(view, moves).filter(|instance| instance.make(view.rules, view.setting, view.mover).is_some()))
}

/// Instances that are spelled alike count as one, the first of them.
fn by_spelling(instances: impl Iterator<Item = Instance>) -> Vec<Instance> {
    let mut instances: Vec<Instance> = instances.collect();
    instances.sort_by(|one, other| one.spelling.cmp(&other.spelling));
    instances.dedup_by(|later, earlier| later.spelling == earlier.spelling);
    instances
}

/// Lists every way to choose what the moves are about, legal or not.
fn instances(view: &View, moves: &[MoveId]) -> impl Iterator<Item = Instance> {
    moves.iter().flat_map(|&rule| instances_of(view, rule))
}

fn instances_of(view: &View, rule: MoveId) -> Vec<Instance> {
    let spelling = view.rules.moves[rule.index()].verb.clone();
    let mut instances = vec![Instance { spelling, rule, variables: Variables::default() }];
    let mut role_before = None;
    for parameter in &view.rules.moves[rule.index()].parameters {
        let joint = if role_before == Some(Role::From) && parameter.role == Role::To { '-' } else { ' ' };
        let mut longer = Vec::new();
        for instance in instances {
            let view = View::new(view.rules, view.setting, &instance.variables, view.mover);
            for value in view.domain(&parameter.domain) {
                longer.push(Instance {
                    spelling: format!("{}{joint}{}", instance.spelling, spell(view.rules, &value)),
                    rule,
                    variables: instance.variables.with(parameter.variable, value),
                });
            }
        }
        instances = longer;
        role_before = Some(parameter.role);
    }
    instances
}

fn spell(rules: &Rules, value: &Value) -> String {
    match value {
        Value::Site(Some(site)) => rules.board.label(*site).to_string(),
        Value::Direction(Some(direction)) => direction.name().to_string(),
        Value::Number(number) => (number / ONE).to_string(),
        Value::Piece(piece) => rules.pieces[piece.index()].name.clone(),
        other => panic!("{other:?} is nothing to choose"),
    }
}

/// Lists the legal moves with so many plies left of a `steps`; none when it is over.
pub fn steps(view: &View, moves: &[MoveId], ending: &Condition, left: i128, in_turn: bool) -> Vec<Instance> {
    let mut search = Search { view, moves, ending, in_turn, known: HashMap::new() };
    match search.most(view.setting, left) {
        None | Some(0) => Vec::new(),
        most => by_spelling(instances(view, moves).filter(|instance| search.most_with(view.setting, left, instance) == most)),
    }
}

/// The search for how many plies of a `steps` can be made.
struct Search<'a> {
    view: &'a View<'a>,
    moves: &'a [MoveId],
    ending: &'a Condition,
    /// Whether there is a turn that a ply can end.
    in_turn: bool,
    known: HashMap<(Setting, i128), Option<i128>>,
}

impl<'a> Search<'a> {
    /// The largest number of plies, up to those that are left, that can be made such that the condition holds after the last of them; none when
    /// it cannot be made to hold.
    fn most(&mut self, setting: &Setting, left: i128) -> Option<i128> {
        if let Some(&most) = self.known.get(&(setting.clone(), left)) {
            return most;
        }
        let mut most = self.holds(setting).then_some(0);
        if left > 0 {
            let moves = self.moves;
            let view = self.view_of(setting);
            for instance in instances(&view, moves) {
                most = most.max(self.most_with(setting, left, &instance));
                if most == Some(left) {
                    break; // There is no more to be had.
                }
            }
        }
        self.known.insert((setting.clone(), left), most);
        most
    }

    /// The same if the first of the plies is this one; none also when it is not legal.
    fn most_with(&mut self, setting: &Setting, left: i128, instance: &Instance) -> Option<i128> {
        let after = instance.ply(self.view.rules, setting, self.view.mover)?;
        if after.outcome.is_some() || after.ends_turn && self.in_turn {
            // A ply that ends the game or the turn counts for all that are left.
            self.holds(&after.setting).then_some(left)
        } else {
            self.most(&after.setting, left - 1).map(|further| 1 + further)
        }
    }

    fn holds(&self, setting: &Setting) -> bool {
        self.view_of(setting).condition(self.ending)
    }

    fn view_of<'s>(&self, setting: &'s Setting) -> View<'s>
    where
        'a: 's,
    {
        View::new(self.view.rules, setting, &self.view.variables, self.view.mover)
    }
}
