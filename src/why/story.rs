//! Records everything that happens in a ply, clause by clause.

use super::changes::changes;
use super::notes::{Note, Notes, VariableValue, bindings};
use super::values;
use crate::board::Site;
use crate::engine::game::{Fault, Move, PlayError, State};
use crate::engine::snapshot::Snapshot;
use crate::language::rules::{Condition, Domain, Parameter, Rules};
use crate::notation::clause::among;
use crate::notation::{list, partners, player, shown_outcome, spell, team_does, turn};
use crate::reference::{Clamped, Event, Interpreter, Root, Tracer, Value, View, is_out};
use crate::syntax::Span;

/// The part of the rules that a clause belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RulesPart {
    Setup,
    Move,
    End,
    Play,
    Repetition,
}

/// What kind of clause was executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HappeningKind {
    /// An argument of the move.
    Choice,
    /// The arguments of a `then` are missing, or the move has arguments but no `then` for them.
    Unchosen,
    Requirement,
    /// The condition of an `if` or a `while`.
    Condition,
    /// A variable was bound.
    Let,
    Effect,
    /// The turn ends with the ply.
    TurnEnd,
    /// A decision without a legal move.
    NoMove,
    Repetition,
    Result,
}

impl RulesPart {
    /// Returns the name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            RulesPart::Setup => "setup",
            RulesPart::Move => "move",
            RulesPart::End => "end",
            RulesPart::Play => "play",
            RulesPart::Repetition => "repetition",
        }
    }
}

impl HappeningKind {
    /// Returns the name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            HappeningKind::Choice => "choice",
            HappeningKind::Unchosen => "unchosen",
            HappeningKind::Requirement => "requirement",
            HappeningKind::Condition => "condition",
            HappeningKind::Let => "let",
            HappeningKind::Effect => "effect",
            HappeningKind::TurnEnd => "turn-end",
            HappeningKind::NoMove => "no-move",
            HappeningKind::Repetition => "repetition",
            HappeningKind::Result => "result",
        }
    }
}

/// A clause that was executed, and its outcome.
#[derive(Clone, Debug)]
pub struct Happening {
    pub part: RulesPart,
    pub kind: HappeningKind,
    /// The whole clause.
    pub span: Span,
    /// Whether the condition holds; true of clauses without one.
    pub holds: bool,
    /// A short description of the outcome.
    pub text: String,
    /// Remarks on places inside the clause and in definitions that it uses.
    pub notes: Vec<Note>,
    /// The values of the variables that the clause names.
    pub bound: Vec<VariableValue>,
    /// The sites that decide the condition.
    pub sites: Vec<Site>,
}

/// What happened in a ply.
#[derive(Clone, Debug)]
pub struct Story {
    /// The move in canonical spelling; empty for the setup.
    pub played: String,
    /// The player who made the ply, or chance; empty for the setup.
    pub mover: String,
    /// In order of execution.
    pub happenings: Vec<Happening>,
}

impl Story {
    /// Plays a ply in an interpreter, and leaves out idle happenings as [`Story::without_idle`].
    ///
    /// # Errors
    /// As [`Interpreter::play`].
    pub fn of(interpreter: &mut Interpreter, ply: &Move) -> Result<Story, PlayError> {
        Ok(Story::whole(interpreter, ply)?.without_idle(|_| false))
    }

    /// Plays a ply in an interpreter and records everything.
    ///
    /// # Errors
    /// As [`Interpreter::play`].
    pub fn whole(interpreter: &mut Interpreter, ply: &Move) -> Result<Story, PlayError> {
        let rules = interpreter.rules();
        let mover = turn(rules, interpreter.turn()).to_owned();
        let mut recorder = Recorder::default();
        interpreter.play(ply, &mut recorder)?;
        Ok(Story { played: spell(rules, ply), mover, happenings: recorder.happenings })
    }

    /// Records the setup and the way to the first decision.
    ///
    /// # Errors
    /// As [`Interpreter::start`].
    pub fn of_setup(rules: &Rules) -> Result<Story, Fault> {
        let mut recorder = Recorder::default();
        Interpreter::start(rules, &mut recorder)?;
        Ok(Story { played: String::new(), mover: String::new(), happenings: recorder.happenings })
    }

    /// Removes conditions that do not hold, unless they are `wanted`, and variables that are not
    /// used.
    pub fn without_idle(mut self, wanted: impl Fn(&Happening) -> bool) -> Story {
        self.happenings.retain(|happening| happening.holds || wanted(happening));
        let happenings = &self.happenings;
        let idle: Vec<bool> = (0..happenings.len())
            .map(|index| is_idle(&happenings[index], &happenings[index + 1..]))
            .collect();
        let mut idle = idle.into_iter();
        self.happenings.retain(|_| !idle.next().unwrap_or(false));
        self
    }

    /// For each happening, describes the variables whose values were not mentioned before it.
    /// Choices and `let` have none, since their text states the value.
    pub fn news(&self) -> Vec<Option<String>> {
        let mut known = vec![VariableValue { name: "mover".to_owned(), value: self.mover.clone() }];
        let news = self.happenings.iter().map(|happening| {
            let new: Vec<VariableValue> =
                happening.bound.iter().filter(|bound| !known.contains(bound)).cloned().collect();
            known.retain(|known| !new.iter().any(|new| new.name == known.name));
            known.extend(new.iter().cloned());
            if matches!(happening.kind, HappeningKind::Choice | HappeningKind::Let) {
                None
            } else {
                bindings(&new)
            }
        });
        news.collect()
    }

    /// Records the last `plies` plies of a match; fewer if one takes too long.
    pub fn of_last(position: &State, plies: usize) -> Vec<Story> {
        let mut earlier = position.clone();
        while earlier.ply_count() + plies > position.ply_count() && earlier.undo() {}
        let from = earlier.ply_count();
        let mut interpreter = Interpreter::with_past(&earlier);
        let stories =
            position.plies()[from..].iter().map_while(|ply| Story::of(&mut interpreter, ply).ok());
        stories.collect()
    }
}

/// Tests if a variable is not used between its binding and the next binding by the same clause.
fn is_idle(named: &Happening, after: &[Happening]) -> bool {
    let [bound] = &named.bound[..] else { return false };
    let is_anew = |happening: &&Happening| {
        happening.kind == HappeningKind::Let && happening.span == named.span
    };
    let speaks = |happening: &Happening| happening.bound.contains(bound);
    named.kind == HappeningKind::Let
        && !after.iter().take_while(|happening| !is_anew(happening)).any(speaks)
}

/// Collects happenings.
#[derive(Debug)]
pub struct Recorder {
    part: RulesPart,
    /// The scores that decide the next result.
    deciding: Option<String>,
    /// The last clause by which a player has dropped out.
    dropped: Span,
    pub happenings: Vec<Happening>,
}

impl Default for Recorder {
    fn default() -> Recorder {
        Recorder {
            part: RulesPart::Play,
            deciding: None,
            dropped: Span::default(),
            happenings: Vec::new(),
        }
    }
}

impl Tracer for Recorder {
    fn begin(&mut self, part: Root) {
        self.part = match part {
            Root::Setup => RulesPart::Setup,
            Root::Move(_) => RulesPart::Move,
            Root::End => RulesPart::End,
            Root::Repetition => RulesPart::Repetition,
            Root::Play | Root::Definition(_) => RulesPart::Play,
        };
    }

    fn on_event(&mut self, view: &View, clause: Span, event: Event) {
        let rules = view.rules;
        let mut notes = Notes::default();
        let mut span = clause;
        let mut holds_here = true;
        let (kind, text) = match event {
            Event::Offered { parameter, chosen, offered } => {
                holds_here = offered;
                (HappeningKind::Choice, choice(&mut notes, view, parameter, chosen, offered))
            }
            Event::Unchosen { parameters } => {
                holds_here = false;
                let names = parameters
                    .iter()
                    .map(|parameter| rules.locals[parameter.variable.index()].name.as_str());
                let names = names.collect::<Vec<&str>>();
                (HappeningKind::Unchosen, format!("{} must be chosen, too", list(&names, "and")))
            }
            Event::Overchosen => {
                holds_here = false;
                (HappeningKind::Unchosen, "nothing more is chosen in this move here".to_owned())
            }
            Event::Required { condition, holds } => {
                holds_here = holds;
                notes.bind(view, clause);
                let said = match rules.is_limit_of_pile(condition) {
                    // Only a limit of piles that is exceeded is worth a note.
                    true if holds => return,
                    true => rules.piles.as_ref().map(|piles| piles.limit(&rules.pieces)),
                    false => notes.condition(view, condition),
                };
                (
                    HappeningKind::Requirement,
                    said.unwrap_or_else(|| {
                        (if holds { "the condition is true" } else { "the condition is false" })
                            .to_owned()
                    }),
                )
            }
            Event::Asked { condition, .. } if matches!(condition.node, Condition::Constant(_)) => {
                return;
            }
            Event::Asked { condition, holds } => {
                holds_here = holds;
                span = condition.span;
                notes.bind(view, span);
                let said = notes.condition(view, condition);
                (
                    HappeningKind::Condition,
                    said.unwrap_or_else(|| {
                        (if holds { "the condition is true" } else { "the condition is false" })
                            .to_owned()
                    }),
                )
            }
            Event::Named { variable, value } => {
                let bound = VariableValue {
                    name: rules.locals[variable.index()].name.clone(),
                    value: values::value(rules, value),
                };
                let text = format!("{} is {}", bound.name, bound.value);
                notes.bound.push(bound);
                (HappeningKind::Let, text)
            }
            Event::Done { after, clamped } => {
                notes.bind(view, clause);
                (HappeningKind::Effect, done(view, after, clamped))
            }
            Event::DropsOut(out) if is_out(rules, view.snapshot, out) => return,
            Event::DropsOut(out) => {
                self.dropped = clause;
                notes.bind(view, clause);
                let team = rules.teams.of(out);
                (HappeningKind::Effect, team_does(rules, team, "drops out", "drop out"))
            }
            Event::TurnEnds { again } => {
                let text = match again {
                    true => format!("{} has another turn", player(rules, view.mover)),
                    false => "the turn ends with this ply".to_owned(),
                };
                (HappeningKind::TurnEnd, text)
            }
            Event::Asks { legal: true } => return,
            Event::Asks { legal: false } => (
                HappeningKind::NoMove,
                format!("{} has no legal move here", player(rules, view.mover)),
            ),
            Event::Repeated { times } => {
                (HappeningKind::Repetition, format!("the position has occurred {times} times"))
            }
            Event::Scored { scores } => {
                let scores = scores.iter().map(|&(who, score)| {
                    format!("{} {}", partners(rules, who), values::number(score))
                });
                self.deciding = Some(scores.collect::<Vec<String>>().join(", "));
                return;
            }
            Event::Over(over) => {
                if clause.is_empty() {
                    span = self.dropped;
                }
                notes.bind(view, span);
                let over = shown_outcome(rules, Some(over));
                (
                    HappeningKind::Result,
                    self.deciding
                        .take()
                        .map_or(over.clone(), |deciding| format!("{over}: {deciding}")),
                )
            }
        };
        let Notes { notes, bound, sites } = notes;
        self.happenings.push(Happening {
            part: self.part,
            kind,
            span,
            holds: holds_here,
            text,
            notes,
            bound,
            sites,
        });
    }
}

/// Describes an effect.
fn done(view: &View, after: &Snapshot, clamped: Option<Clamped>) -> String {
    let changes = changes(view.rules, view.snapshot, after);
    let said = if changes.is_empty() { "nothing changes".to_owned() } else { changes.join("; ") };
    match clamped {
        None => said,
        Some(Clamped::Least(least)) => format!("{said}: stopped at {least}"),
        Some(Clamped::Most(most)) => format!("{said}: stopped at its maximum, {most}"),
    }
}

/// Describes an argument, or why it cannot be chosen.
fn choice(
    notes: &mut Notes,
    view: &View,
    parameter: &Parameter,
    chosen: &Value,
    offered: bool,
) -> String {
    let rules = view.rules;
    let found = values::value(rules, chosen);
    if offered {
        let bound = VariableValue {
            name: rules.locals[parameter.variable.index()].name.clone(),
            value: found,
        };
        let text = format!("{} is {}", bound.name, bound.value);
        notes.bound.push(bound);
        return text;
    }
    if parameter.alike && view.domain(&parameter.domain).contains(chosen) {
        return format!("{found} is chosen twice");
    }
    notes.bind(view, parameter.span);
    match (&parameter.domain, chosen) {
        (Domain::Sites(region), Value::Site(Some(site))) => {
            format!("{found} cannot be chosen: {}", notes.missing(view, region, *site))
        }
        (Domain::Directions(directions), _) => {
            notes.note(
                rules,
                directions.span,
                values::directions(rules, &view.directions(&directions.node)),
            );
            format!("{found} is not one of {}", among(rules, &parameter.domain))
        }
        (domain, _) => format!("{found} is not one of {}", among(rules, domain)),
    }
}
