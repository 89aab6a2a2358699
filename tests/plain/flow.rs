//! Lists of statements, done one after the other: the order of play, and just so the body of a move, the setup and the end.
//!
//! In: rules and a position. Out: the position after the statements, as far as the next decision, and where they stand then. It refuses to know
//! who decides, and how.
//!
//! A flow is a stack of frames, one inside the other. Each is a list of statements with the number of the one to do next.

use super::effects;
use super::expressions::{View, next_player};
use super::moves::{Instance, choices, steps};
use super::place::{Place, Root};
use super::position::mark;
use super::values::{ONE, Value, Variables};
use ludwright::board::Site;
use ludwright::engine::setting::Setting;
use ludwright::language::rules::{Local, PlayerId, Rules, Statement};
use std::collections::VecDeque;

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    Win(PlayerId),
    Draw,
}

/// Why a flow came to a stop.
#[derive(Debug)]
pub enum Stop {
    /// It has come to its end.
    Done,
    /// One of these legal moves is to be made; there is at least one.
    Decision(Vec<Instance>),
    Over(Outcome),
    /// A requirement does not hold.
    Refused,
}

/// Statements in the course of being done. What they know and where they are can be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flow {
    frames: Vec<Frame>,
    /// Whether the turn is to end when the ply is done.
    pub ends_turn: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Frame {
    place: Place,
    /// The number of the statement to do next.
    next: usize,
    variables: Variables,
    /// The variables as they were before the first statement.
    outer: Variables,
    mover: PlayerId,
    round: Round,
    /// How many plies are left of the `steps` that the next statement is; none when it has not been begun.
    steps_left: Option<i128>,
}

/// What is done when a list has come to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Round {
    Once,
    Turn,
    /// The next player has his turn.
    Turns,
    Repeat {
        left: i128,
    },
    For {
        variable: Local,
        left: VecDeque<Value>,
    },
    Chain {
        variable: Local,
        queue: VecDeque<Site>,
        joined: Vec<Site>,
    },
}

/// No order of play does so much between two decisions, unless it never comes to one.
const PATIENCE: usize = 1_000_000;

impl Flow {
    /// Stands before the first statement.
    pub fn new(root: Root, variables: Variables, mover: PlayerId) -> Flow {
        let frame = Frame::new(Place::root(root), variables, mover, Round::Once);
        Flow { frames: vec![frame], ends_turn: false }
    }

    /// Does statements until something else has to happen first.
    ///
    /// # Panics
    /// If the statements go on for ever without a decision.
    pub fn run(&mut self, rules: &Rules, setting: &mut Setting) -> Stop {
        for _ in 0..PATIENCE {
            let Some(frame) = self.frames.last_mut() else { return Stop::Done };
            let stop = match frame.place.statements(rules).get(frame.next) {
                Some(statement) => self.obey(rules, setting, &statement.it),
                None => {
                    if !frame.begin_round(rules) {
                        self.frames.pop();
                    }
                    None
                }
            };
            if let Some(stop) = stop {
                return stop;
            }
        }
        panic!("the statements never come to a decision");
    }

    /// The statement that is to be done next: at a decision, the one that asks for it.
    pub fn statement<'r>(&self, rules: &'r Rules) -> &'r Statement {
        let frame = self.top();
        &frame.place.statements(rules)[frame.next].it
    }

    /// Who moves where the flow stands.
    pub fn mover(&self) -> PlayerId {
        self.top().mover
    }

    /// Goes on after the ply that the flow stopped for.
    pub fn ply_done(&mut self, ends_turn: bool) {
        let frame = self.top_mut();
        match &mut frame.steps_left {
            Some(left) => *left -= 1,
            None => frame.next += 1,
        }
        if ends_turn {
            self.leave_turn();
        }
    }

    fn top(&self) -> &Frame {
        self.frames.last().expect("a statement")
    }

    fn top_mut(&mut self) -> &mut Frame {
        self.frames.last_mut().expect("a statement")
    }

    fn innermost_turn(&self) -> Option<usize> {
        self.frames.iter().rposition(|frame| matches!(frame.round, Round::Turn | Round::Turns))
    }

    /// Leaves everything inside the innermost turn, and the rest of it.
    fn leave_turn(&mut self) {
        if let Some(turn) = self.innermost_turn() {
            self.frames.truncate(turn + 1);
            let frame = self.top_mut();
            frame.next = usize::MAX;
            frame.steps_left = None;
        }
    }

    /// Goes into a list inside the statement that is to be done next, and once that list is done goes on after the statement.
    fn enter(&mut self, list: usize, round: Round) -> &mut Frame {
        let frame = self.top_mut();
        let inside = Frame::new(frame.place.inside(frame.next, list), frame.variables.clone(), frame.mover, round);
        frame.next += 1;
        self.frames.push(inside);
        self.top_mut()
    }

    /// Goes into the list inside the statement for as many rounds as there are, perhaps none.
    fn enter_rounds(&mut self, rules: &Rules, round: Round) {
        if !self.enter(0, round).begin_round(rules) {
            self.frames.pop();
        }
    }

    /// Goes into the list inside the statement, and once that list is done does the statement again.
    fn enter_again(&mut self) {
        let statement = self.top().next;
        self.enter(0, Round::Once);
        let outer = self.frames.len() - 2;
        self.frames[outer].next = statement;
    }

    fn obey(&mut self, rules: &Rules, setting: &mut Setting, statement: &Statement) -> Option<Stop> {
        let in_turn = self.innermost_turn().is_some();
        let frame = self.frames.last_mut().expect("a statement");
        let view = View::new(rules, setting, &frame.variables, frame.mover);
        match statement {
            Statement::Require(condition) => {
                if !view.condition(&condition.it) {
                    return Some(Stop::Refused);
                }
                frame.next += 1;
            }
            Statement::Let(local, value) => {
                frame.variables = frame.variables.with(*local, view.value(value));
                frame.next += 1;
            }
            Statement::If { condition, .. } => {
                let list = if view.condition(&condition.it) { 0 } else { 1 };
                self.enter(list, Round::Once);
            }
            Statement::ByPlayer(player, _) => {
                let list = view.player(&player.it).index();
                self.enter(list, Round::Once);
            }
            Statement::Do(definition, arguments) => {
                let (inner, _) = view.call(*definition, arguments);
                let body = Frame::new(Place::root(Root::Definition(*definition)), inner.variables, frame.mover, Round::Once);
                frame.next += 1;
                self.frames.push(body);
            }
            Statement::For(binder, _) => {
                let left = view.domain(&binder.domain).into();
                self.enter_rounds(rules, Round::For { variable: binder.variable, left });
            }
            Statement::Chain { variable, from, .. } => {
                let joined = view.sites(&from.it).list();
                let queue = joined.clone().into();
                self.enter_rounds(rules, Round::Chain { variable: *variable, queue, joined });
            }
            Statement::Join(sites) => {
                let sites = view.sites(&sites.it).list();
                frame.next += 1;
                self.join(sites);
            }
            Statement::Forever(_) => self.enter_again(),
            Statement::While(condition, _) => {
                if view.condition(&condition.it) {
                    self.enter_again();
                } else {
                    frame.next += 1;
                }
            }
            Statement::Repeat(number, _) => {
                let left = view.number(&number.it).div_euclid(ONE);
                self.enter_rounds(rules, Round::Repeat { left });
            }
            Statement::Turns(_) => self.enter(0, Round::Turns).mover = PlayerId(0),
            Statement::Turn(player, _) => {
                let player = view.player(&player.it);
                self.enter(0, Round::Turn).mover = player;
            }
            Statement::Phase(..) => {
                self.enter(0, Round::Once);
            }
            Statement::EndTurn => {
                frame.next += 1;
                self.ends_turn = true;
            }
            Statement::Choose { moves, otherwise } => {
                let legal = choices(&view, moves);
                if !legal.is_empty() {
                    return Some(Stop::Decision(legal));
                }
                if otherwise.is_none() {
                    return Some(Stop::Over(Outcome::Draw));
                }
                self.enter(0, Round::Once);
            }
            Statement::Chance(rule) => {
                let outcomes = choices(&view, &[*rule]);
                return Some(if outcomes.is_empty() { Stop::Over(Outcome::Draw) } else { Stop::Decision(outcomes) });
            }
            Statement::Steps { count, moves, ending } => {
                let left = match frame.steps_left {
                    Some(left) => left,
                    None => view.number(&count.it).div_euclid(ONE),
                };
                let legal = steps(&view, moves, &ending.it, left, in_turn);
                if legal.is_empty() {
                    frame.steps_left = None;
                    frame.next += 1;
                } else {
                    frame.steps_left = Some(left);
                    return Some(Stop::Decision(legal));
                }
            }
            Statement::Win(player) => return Some(Stop::Over(Outcome::Win(view.player(&player.it)))),
            Statement::Lose(player) => {
                assert_eq!(rules.players.len(), 2, "a loser makes a winner only among two");
                return Some(Stop::Over(Outcome::Win(next_player(rules, view.player(&player.it)))));
            }
            Statement::Draw => return Some(Stop::Over(Outcome::Draw)),
            Statement::ByScore(variable, number) => {
                let score = |player| {
                    let variables = frame.variables.with(*variable, Value::Player(player));
                    View::new(rules, setting, &variables, frame.mover).number(&number.it)
                };
                return Some(Stop::Over(by_score(rules, score)));
            }
            effect => {
                effects::work(rules, setting, &frame.variables, frame.mover, effect);
                frame.next += 1;
            }
        }
        None
    }

    /// Adds sites to the queue of the innermost chain.
    fn join(&mut self, sites: Vec<Site>) {
        let chain = self.frames.iter_mut().rev().find_map(|frame| match &mut frame.round {
            Round::Chain { queue, joined, .. } => Some((queue, joined)),
            _ => None,
        });
        let (queue, joined) = chain.expect("a chain around `join`");
        for site in sites {
            if !joined.contains(&site) {
                mark(joined, site);
                queue.push_back(site);
            }
        }
    }
}

impl Frame {
    fn new(place: Place, variables: Variables, mover: PlayerId, round: Round) -> Frame {
        Frame { place, next: 0, outer: variables.clone(), variables, mover, round, steps_left: None }
    }

    /// Goes back to the first statement if there is another round; false if there is none.
    fn begin_round(&mut self, rules: &Rules) -> bool {
        let bound = match &mut self.round {
            Round::Once | Round::Turn => return false,
            Round::Turns => {
                self.mover = next_player(rules, self.mover);
                None
            }
            Round::Repeat { left } if *left <= 0 => return false,
            Round::Repeat { left } => {
                *left -= 1;
                None
            }
            Round::For { variable, left } => match left.pop_front() {
                Some(value) => Some((*variable, value)),
                None => return false,
            },
            Round::Chain { variable, queue, .. } => match queue.pop_front() {
                Some(site) => Some((*variable, Value::Site(Some(site)))),
                None => return false,
            },
        };
        self.next = 0;
        self.variables = match bound {
            Some((variable, value)) => self.outer.with(variable, value),
            None => self.outer.clone(),
        };
        true
    }
}

fn by_score(rules: &Rules, score: impl Fn(PlayerId) -> i128) -> Outcome {
    let scores: Vec<i128> = (0..rules.players.len() as u16).map(|player| score(PlayerId(player))).collect();
    let greatest = scores.iter().max().expect("players");
    let best: Vec<usize> = (0..scores.len()).filter(|&player| scores[player] == *greatest).collect();
    match best[..] {
        [winner] => Outcome::Win(PlayerId(winner as u16)),
        _ => Outcome::Draw,
    }
}
