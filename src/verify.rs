//! Checks certificates: strategies that show the value of a game's first position.
//!
//! A certificate has a move for every position in which the one whose strategy it is may have to
//! move. The check plays all moves of the other player and that one of his, from the first position
//! to every end. It needs the rules only, and shares nothing with the solver that made the
//! certificate: a wrong move, a missing one or a wrong value is found whatever the solver believes.
//!
//! - *A player wins*: his strategy wins every play. No position recurs in any of them, so that a rule
//!   of repetition never applies, and every play ends.
//! - *A draw*: each player has a strategy that never loses. Play may go round: without a rule of
//!   repetition that is a draw, and so it is where the rule says so.
//! - *A puzzle that cannot be solved*: no play of all solves it; the strategy is empty.

use crate::engine::PackedMove;
use crate::engine::game::{Game, State, Turn};
use crate::engine::position::{Outcome, Position};
use crate::language::rules::{PlayerId, Rules, Statement};
use crate::notation::{Misread, PositionText, clip, list, spell, team_does};
use crate::record::fingerprint;
use std::collections::HashMap;
use std::fmt::Write;

/// The first line of a certificate.
const HEAD: &str = "ludwright certificate 1";
/// The most bytes of a certificate.
pub const LIMIT: usize = 1 << 30;

/// What a strategy claims, of teams by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// The player wins.
    Win(PlayerId),
    /// The player never loses.
    Hold(PlayerId),
    /// Nobody wins, whatever is played.
    NoWin,
}

impl Goal {
    /// Returns the player whose strategy it is.
    pub fn player(self) -> Option<PlayerId> {
        match self {
            Goal::Win(player) | Goal::Hold(player) => Some(player),
            Goal::NoWin => None,
        }
    }

    fn is_met(self, outcome: Outcome) -> bool {
        match (self, outcome) {
            (Goal::Win(player) | Goal::Hold(player), Outcome::Win(winner)) => player == winner,
            (Goal::Win(_), _) => false,
            (Goal::NoWin, Outcome::Win(_)) => false,
            _ => true,
        }
    }

    /// Writes the claim, such as `X wins`.
    fn text(self, rules: &Rules) -> String {
        match self {
            Goal::Win(team) => team_does(rules, team, "wins", "win"),
            Goal::Hold(team) => team_does(rules, team, "never loses", "never lose"),
            Goal::NoWin => String::from("nobody wins"),
        }
    }
}

/// A strategy: a move for each position, by the hash of the position.
#[derive(Clone, Debug)]
pub struct Strategy {
    pub goal: Goal,
    pub moves: Vec<(u64, String)>,
}

/// What shows the value of a position.
#[derive(Clone, Debug)]
pub struct Certificate {
    /// The title of the game.
    pub game: String,
    /// The [`fingerprint`] of the rules.
    pub rules: String,
    pub options: Vec<(String, String)>,
    /// The position, if it is not the game's first.
    pub start: Vec<String>,
    pub strategies: Vec<Strategy>,
}

/// What a check has found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verified {
    /// The value: a winner, or a draw.
    pub value: Outcome,
    /// The positions that were looked at, of all strategies.
    pub positions: u64,
}

/// Why a certificate shows nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// A sentence without its period.
    pub message: String,
    /// The position in question.
    pub position: Option<String>,
}

impl Refused {
    fn new(message: impl Into<String>) -> Refused {
        Refused { message: message.into(), position: None }
    }

    fn at(state: &State, message: impl Into<String>) -> Refused {
        let position = PositionText::of(state).write(state.game());
        Refused { message: message.into(), position: Some(position) }
    }
}

impl Certificate {
    /// Makes a certificate without strategies.
    pub fn new(from: &State) -> Certificate {
        let rules = from.game().rules();
        Certificate {
            game: rules.title.clone(),
            rules: fingerprint(rules),
            options: rules.chosen_options(),
            start: crate::record::beginning(from),
            strategies: Vec::new(),
        }
    }

    /// Writes the certificate in the form that [`Certificate::parse`] reads.
    pub fn write(&self, rules: &Rules) -> String {
        let mut text = format!("{HEAD}\ngame: {}\nrules: {}\n", self.game, self.rules);
        let entries = self.options.iter().map(|(name, value)| format!("option: {name}={value}\n"));
        text.extend(entries);
        text.extend(self.start.iter().map(|line| format!("start: {line}\n")));
        for strategy in &self.strategies {
            // Writing to a text cannot fail.
            let _ = writeln!(text, "\nstrategy: {}", strategy.goal.text(rules));
            for (hash, ply) in &strategy.moves {
                let _ = writeln!(text, "{hash:016x} {ply}");
            }
        }
        text
    }

    /// Reads a certificate; `rules` are those of its game.
    ///
    /// # Errors
    /// Names the line that is none of a certificate.
    pub fn parse(text: &str, rules: &Rules) -> Result<Certificate, Misread> {
        let mut lines = text.lines().zip(1..);
        if lines.next().map(|(line, _)| line.trim()) != Some(HEAD) {
            return Err(Misread::new(1, format!("expected `{HEAD}`")));
        }
        let mut certificate = Certificate {
            game: String::new(),
            rules: String::new(),
            options: Vec::new(),
            start: Vec::new(),
            strategies: Vec::new(),
        };
        for (line, number) in lines {
            if line.trim().is_empty() {
                continue;
            }
            let misread = |message: String| Misread::new(number, message);
            match line.split_once(": ") {
                Some(("game", title)) => certificate.game = title.to_owned(),
                Some(("rules", known)) => certificate.rules = known.to_owned(),
                Some(("option", option)) => {
                    let (name, value) = option.split_once('=').ok_or_else(|| {
                        misread(format!("expected `option: Name=Value`, found `{}`", clip(option)))
                    })?;
                    certificate.options.push((name.to_owned(), value.to_owned()));
                }
                Some(("start", line)) => certificate.start.push(line.to_owned()),
                Some(("strategy", claim)) => {
                    let players = rules.teams.numbers();
                    let goals = players.flat_map(|player| [Goal::Win(player), Goal::Hold(player)]);
                    let goals: Vec<Goal> = goals.chain([Goal::NoWin]).collect();
                    let goal = goals.iter().find(|goal| goal.text(rules) == claim);
                    let goal = *goal.ok_or_else(|| {
                        let known: Vec<String> =
                            goals.iter().map(|goal| format!("`{}`", goal.text(rules))).collect();
                        misread(format!("expected {}, found `{}`", list(&known, "or"), clip(claim)))
                    })?;
                    certificate.strategies.push(Strategy { goal, moves: Vec::new() });
                }
                _ => {
                    let entry = line.split_once(' ').and_then(|(hash, ply)| {
                        Some((u64::from_str_radix(hash, 16).ok()?, ply.to_owned()))
                    });
                    let (Some(entry), Some(strategy)) = (entry, certificate.strategies.last_mut())
                    else {
                        let found = clip(line);
                        return Err(misread(format!(
                            "expected a hash and a move, found `{found}`"
                        )));
                    };
                    strategy.moves.push(entry);
                }
            }
        }
        Ok(certificate)
    }

    /// Returns the value that the strategies show together.
    fn value(&self, rules: &Rules) -> Result<Outcome, Refused> {
        let goals: Vec<Goal> = self.strategies.iter().map(|strategy| strategy.goal).collect();
        let holds = |index: u16| goals.contains(&Goal::Hold(PlayerId(index)));
        match (&goals[..], rules.teams.count()) {
            (&[Goal::Win(team)], 1 | 2) => Ok(Outcome::Win(rules.teams.first(team))),
            (_, 2) if holds(0) && holds(1) => Ok(Outcome::Draw),
            ([Goal::NoWin], 1) => Ok(Outcome::Draw),
            _ => Err(Refused::new(
                "it shows no value: that takes a strategy that wins, or one for each player that never loses",
            )),
        }
    }
}

/// Checks a certificate of a game, loaded with its options. `tell` is called before each ply with
/// the number of positions so far, and ends the check if it returns false.
///
/// # Errors
/// Says what is wrong, and in which position.
pub fn verify(
    game: &Game,
    certificate: &Certificate,
    tell: &mut dyn FnMut(u64) -> bool,
) -> Result<Verified, Refused> {
    let rules = game.rules();
    if fingerprint(rules) != certificate.rules {
        return Err(Refused::new("it was made for other rules"));
    }
    if game.decisions().iter().any(|decision| decision.mover.is_none()) {
        return Err(Refused::new("no strategy shows the value of a game with dice"));
    }
    if rules.depends_on_past() {
        return Err(Refused::new(
            "a strategy has a move for each position, and in this game what is legal or ends the game depends on the positions before",
        ));
    }
    let start = match certificate.start.is_empty() {
        true => game.begin().map_err(|fault| Refused::new(fault.to_string()))?,
        false => crate::record::Start::parse(&certificate.start.join("\n"))
            .and_then(|start| start.begin(game))
            .map_err(|misread| Refused::new(format!("in its start position, {misread}")))?,
    };
    let value = certificate.value(rules)?;
    let mut positions = 0;
    for strategy in &certificate.strategies {
        let moves: HashMap<u64, &str> =
            strategy.moves.iter().map(|(hash, ply)| (*hash, ply.as_str())).collect();
        let goes_round =
            strategy.goal.player().is_none_or(|_| !matches!(strategy.goal, Goal::Win(_)))
                && draws_endless_play(rules);
        let mut walk = Walk {
            goal: strategy.goal,
            moves,
            goes_round,
            state: start.clone(),
            seen: HashMap::new(),
            path: Vec::new(),
        };
        positions += walk.through(positions, tell)?;
    }
    Ok(Verified { value, positions })
}

/// Tests if play that never ends is a draw, whatever rule of repetition there is.
fn draws_endless_play(rules: &Rules) -> bool {
    rules.repetition.as_ref().is_none_or(|rule| {
        matches!(rule.then.first().map(|statement| &statement.node), Some(Statement::Draw))
    })
}

/// A walk through all plays in which one player follows a strategy.
struct Walk<'c> {
    goal: Goal,
    moves: HashMap<u64, &'c str>,
    /// Whether a position may recur.
    goes_round: bool,
    state: State,
    /// The positions that were entered: true once all plays from there are known to meet the goal.
    seen: HashMap<Position, bool>,
    /// The positions of the current play, each with the moves that are still to be followed.
    path: Vec<(Position, Vec<PackedMove>)>,
}

impl Walk<'_> {
    /// Walks through all plays, and returns the number of positions.
    fn through(&mut self, before: u64, tell: &mut dyn FnMut(u64) -> bool) -> Result<u64, Refused> {
        self.enter()?;
        while let Some((position, moves)) = self.path.last_mut() {
            let Some(ply) = moves.pop() else {
                let (position, _) = self.path.pop().expect("it is the last");
                self.seen.insert(position, true);
                continue;
            };
            if !tell(before + self.seen.len() as u64) {
                return Err(Refused::new("the check was interrupted"));
            }
            if !self.state.advance_from(position, &[], ply) {
                return Err(Refused::at(&self.state, "a legal move cannot be played"));
            }
            self.enter()?;
        }
        Ok(self.seen.len() as u64)
    }

    /// Arrives at the current position.
    fn enter(&mut self) -> Result<(), Refused> {
        let state = &mut self.state;
        if let Some(fault) = state.fault() {
            return Err(Refused::new(fault.to_string()));
        }
        if let Some(outcome) = state.team_outcome() {
            let goal = self.goal.text(state.game().rules());
            return match self.goal.is_met(outcome) {
                true => Ok(()),
                false => Err(Refused::at(state, format!("a play ends otherwise than `{goal}`"))),
            };
        }
        let position = state.position();
        match self.seen.get(&position) {
            Some(true) => return Ok(()),
            Some(false) if self.goes_round => return Ok(()),
            Some(false) => {
                let message = "a position recurs, so that a play need not end as is claimed";
                return Err(Refused::at(state, message));
            }
            None => {}
        }
        let legal = state.candidates();
        let owns =
            matches!(state.team_turn(), Turn::Player(player) if Some(player) == self.goal.player());
        let moves = match owns {
            false => legal,
            true => {
                let Some(text) = self.moves.get(&state.hash()) else {
                    return Err(Refused::at(state, "the strategy has no move for a position"));
                };
                let game = state.game();
                let chosen = legal
                    .into_iter()
                    .find(|&ply| spell(game.rules(), &game.spell_out(ply)) == *text);
                match chosen {
                    Some(ply) => vec![ply],
                    None => {
                        let message = format!("the strategy's move `{}` is illegal", clip(text));
                        return Err(Refused::at(state, message));
                    }
                }
            }
        };
        self.seen.insert(position.clone(), false);
        self.path.push((position, moves));
        Ok(())
    }
}
