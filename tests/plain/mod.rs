//! The rules obeyed word by word: an interpreter of the typed game that goes from site to site and makes no haste. It is what the engine is held
//! against.
//!
//! In: rules, moves by their spelling. Out: who moves, what is legal, the position, the result. It refuses to know the engine and everything that
//! makes the engine fast.

mod effects;
mod expressions;
mod flow;
mod moves;
mod place;
mod position;
mod scripts;
mod values;

use flow::{Flow, Outcome, Stop};
use ludwright::engine::setting::Setting;
use ludwright::language::rules::{PlayerId, Rules, Statement};
use ludwright::random::Random;
use moves::Instance;
use place::Root;
use std::sync::Arc;
use values::Variables;

/// A game in the course of being played.
#[derive(Clone)]
pub struct Plain {
    rules: Arc<Rules>,
    setting: Setting,
    /// The order of play, standing at the decision.
    flow: Flow,
    /// The legal moves, by spelling.
    legal: Arc<Vec<Instance>>,
    /// Every position that there was, the present one included, if the rules ask for them.
    history: Vec<Arc<(Setting, Flow)>>,
    outcome: Option<Outcome>,
}

impl Plain {
    /// Sets the board up and goes on to the first decision.
    pub fn start(rules: &Arc<Rules>) -> Plain {
        let first = PlayerId(0);
        let mut plain = Plain {
            rules: Arc::clone(rules),
            setting: Setting::empty(rules),
            flow: Flow::new(Root::Play, Variables::default(), first),
            legal: Arc::default(),
            history: Vec::new(),
            outcome: None,
        };
        let mut setup = Flow::new(Root::Setup, Variables::default(), first);
        let stop = setup.run(rules, &mut plain.setting);
        plain.heed(stop);
        if plain.outcome.is_none() {
            plain.go_on(first);
        }
        plain
    }

    /// Names the player who is to move, or "chance"; none when the game is over.
    pub fn to_move(&self) -> Option<String> {
        if self.outcome.is_some() {
            return None;
        }
        match self.flow.statement(&self.rules) {
            Statement::Chance(_) => Some("chance".to_string()),
            _ => Some(self.name(self.flow.mover())),
        }
    }

    /// Lists the legal moves in their canonical spelling, sorted by bytes.
    pub fn legal(&self) -> Vec<String> {
        self.legal.iter().map(|instance| instance.spelling.clone()).collect()
    }

    /// Makes a ply.
    ///
    /// # Panics
    /// If it is not legal.
    pub fn play(&mut self, spelling: &str) {
        let legal = Arc::clone(&self.legal);
        let found = legal.iter().find(|instance| instance.spelling == spelling);
        let instance = found.unwrap_or_else(|| panic!("{spelling} is not legal"));
        let mover = self.flow.mover();
        let after = instance.ply(&self.rules, &self.setting, mover).expect("a legal move");
        self.legal = Arc::default();
        self.setting = after.setting;
        self.outcome = after.outcome;
        if self.outcome.is_none() {
            self.flow.ply_done(after.ends_turn);
            self.go_on(mover);
        }
    }

    /// Spells the result, "NAME wins" or "draw"; none while the game goes on.
    pub fn result(&self) -> Option<String> {
        self.outcome.map(|outcome| match outcome {
            Outcome::Win(player) => format!("{} wins", self.name(player)),
            Outcome::Draw => "draw".to_string(),
        })
    }

    /// Returns the position as it is now.
    pub fn setting(&self) -> Setting {
        self.setting.clone()
    }

    fn name(&self, player: PlayerId) -> String {
        self.rules.players[player.index()].name.clone()
    }

    /// Goes on to the next decision, and sees if that position has been there before.
    fn go_on(&mut self, mover: PlayerId) {
        let rules = Arc::clone(&self.rules);
        self.go_to_decision();
        let Some(repetition) = rules.repetition.as_ref().filter(|_| self.outcome.is_none()) else { return };
        let position = (self.setting.clone(), self.flow.clone());
        self.history.push(Arc::new(position));
        let occurrences = self.history.iter().filter(|earlier| **earlier == self.history[self.history.len() - 1]).count();
        if occurrences >= repetition.times as usize {
            let mut flow = Flow::new(Root::Repetition, Variables::default(), mover);
            let stop = flow.run(&rules, &mut self.setting);
            self.heed(stop);
        }
    }

    fn go_to_decision(&mut self) {
        let rules = Arc::clone(&self.rules);
        match self.flow.run(&rules, &mut self.setting) {
            Stop::Decision(legal) => self.legal = Arc::new(legal),
            Stop::Done => self.outcome = Some(Outcome::Draw),
            stop => self.heed(stop),
        }
    }

    fn heed(&mut self, stop: Stop) {
        match stop {
            Stop::Done => {}
            Stop::Over(outcome) => {
                self.outcome = Some(outcome);
                self.legal = Arc::default();
            }
            Stop::Decision(_) | Stop::Refused => panic!("expected no decision and no requirement"),
        }
    }
}

/// Counts the distinct sequences of so many plies.
pub fn perft(plain: &Plain, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => plain.legal.len() as u64,
        _ => {
            let after = |instance: &Instance| {
                let mut next = plain.clone();
                next.play(&instance.spelling);
                perft(&next, depth - 1)
            };
            plain.legal.iter().map(after).sum()
        }
    }
}

/// Plays a game of random legal moves, of so many plies at most, and returns the moves.
pub fn random_game(rules: &Arc<Rules>, seed: u64, max_plies: usize) -> Vec<String> {
    let mut random = Random::new(seed);
    let mut plain = Plain::start(rules);
    let mut played = Vec::new();
    while plain.result().is_none() && played.len() < max_plies {
        let legal = plain.legal();
        let spelling = &legal[random.below(legal.len() as u32) as usize];
        plain.play(spelling);
        played.push(spelling.clone());
    }
    played
}
