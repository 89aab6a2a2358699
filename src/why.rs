//! Explains why a move is legal or not, what happened in a ply, and how a game ended.
//!
//! Answers point at the deciding clauses, with the values in them. The engine alone decides on
//! legality and result; the [`reference`](crate::reference) interpreter then finds the clause.
//!
//! ```
//! use ludwright::why::{Reply, ask};
//!
//! let text = r#"(game "Fill" (players A B) (board (square 3)) (piece Stone)
//!   (move place (to t (empty)) (require (none (and (beside t) (mine)))) (put Stone t))
//!   (play (turns (choose place (otherwise (lose mover))))))"#;
//! let mut position = ludwright::load(text, &[])?.begin()?;
//! for ply in ["place b2", "place a1"] {
//!     let ply = ludwright::notation::read(&position, ply).expect("a legal move");
//!     position.play(&ply).expect("a legal move");
//! }
//! let Ok(Reply::Answers(answers)) = ask(&position, "b1") else { panic!("an answer") };
//! assert_eq!(answers[0].message, "`place b1` is illegal: this requirement fails: `(and (beside t) (mine))` contains b2");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod branches;
mod changes;
mod expression;
mod membership;
mod notes;
mod result;
mod story;
pub(crate) mod values;

pub use changes::changes;
pub use expression::why_value;
pub use notes::{Note, VariableValue};
pub use result::{Ending, why_result};
pub use story::{Happening, HappeningKind, Recorder, RulesPart, Story};

use crate::engine::game::{Move, State, Turn};
use crate::language::rules::{Comparing, MoveId, ParameterRole, Rules, Statement};
use crate::notation::{
    self, Reason, Refusal, clause, clip, form, readings, refuse_bare, shown_outcome, spell, turn,
};
use crate::reference::{Illegality, Interpreter};
use crate::syntax::Span;
use branches::Decided;
use notes::bindings;

/// The verdict on a move or result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    Legal,
    /// An argument is outside its domain.
    NotOffered,
    /// A requirement fails, or finding the reason takes too long.
    Requirement,
    /// The `steps` could not be completed after the move.
    Incomplete,
    /// The move is not in the current choice.
    NotNow,
    /// The game is over.
    Over,
    /// The text cannot be read as a move.
    Unreadable,
    /// The question is an expression, and the answer its value.
    Value,
}

impl Verdict {
    /// Returns the name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Legal => "legal",
            Verdict::NotOffered => "not-offered",
            Verdict::Requirement => "requirement",
            Verdict::Incomplete => "incomplete",
            Verdict::NotNow => "not-now",
            Verdict::Over => "over",
            Verdict::Unreadable => "unreadable",
            Verdict::Value => "value",
        }
    }
}

/// The message for explanations that run out of fuel.
pub const TOO_LONG: &str = "explaining what happened takes too long here";

/// An explanation of a move or of the result.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The move in canonical spelling, or `result`.
    pub about: String,
    pub verdict: Verdict,
    /// A sentence without its period.
    pub message: String,
    /// The deciding clause, if there is one.
    pub clause: Option<Span>,
    /// Remarks on places in the rules, the deciding one first.
    pub notes: Vec<Note>,
    pub help: Option<String>,
    /// The explanation of the game's result, if the question is about it.
    pub ending: Option<Ending>,
}

impl Answer {
    /// Returns why a game has its result: the part of the message after the result.
    pub fn reason(&self) -> Option<&str> {
        self.message.split_once(": ").map(|(_, reason)| reason)
    }
}

/// The answer to a question.
#[derive(Clone, Debug)]
pub enum Reply {
    /// One per possible reading of the move.
    Answers(Vec<Answer>),
    /// What happened, one story per ply.
    Stories(Vec<Story>),
}

/// Answers a question about a match: a move, with or without its verb; `result`; or the empty
/// string, which asks for the last player's ply and the rolls after it.
///
/// # Errors
/// Returns the reason, without a period, why there is nothing to explain.
pub fn ask(position: &State, question: &str) -> Result<Reply, String> {
    let rules = position.game().rules();
    match question.trim() {
        "" => {
            let since = position
                .plies()
                .iter()
                .rev()
                .take_while(|ply| position.game().is_roll(ply))
                .count();
            let plies = (since + 1).min(position.ply_count());
            if plies == 0 {
                return Err("nothing has been played yet; `why MOVE` explains a move".to_owned());
            }
            let stories = Story::of_last(position, plies);
            if stories.len() < plies {
                Err(TOO_LONG.to_owned())
            } else {
                Ok(Reply::Stories(stories))
            }
        }
        "result" if !rules.moves.iter().any(|rule| rule.verb == "result") => {
            Ok(Reply::Answers(vec![why_result(position)?]))
        }
        text => Ok(Reply::Answers(match readings(position, text) {
            Err(refusal)
                if refusal.reason == Reason::UnknownVerb && position.turn() == Turn::Nobody =>
            {
                vec![over(position, text)]
            }
            Ok(plies) => plies.iter().map(|ply| why_move(position, ply)).collect(),
            Err(refusal) => vec![unreadable(position, text, refusal)],
        })),
    }
}

/// Reads a legal move in its canonical spelling.
///
/// # Errors
/// Names the part of the text that is wrong, or the rule that forbids the move and its line.
pub fn read(position: &State, text: &str) -> Result<Move, Refusal> {
    notation::read(position, text).map_err(|refusal| {
        match (refusal.reason, readings(position, text).as_deref()) {
            (Reason::NotAllowed, Ok([ply])) => against(position, ply),
            (Reason::NotNow, Ok([ply])) => match branches::decided(position, ply) {
                Some(decided) => passed_by(refusal, &decided),
                None => refusal,
            },
            _ => refusal,
        }
    })
}

/// Adds the condition that led the order of play to another choice.
fn passed_by(refusal: Refusal, decided: &Decided) -> Refusal {
    Refusal { message: format!("{}, and {}", refusal.message, decided.text), ..refusal }
}

/// Describes why a move of the current choice is illegal.
fn against(position: &State, ply: &Move) -> Refusal {
    let Answer { message, clause, help, .. } = why_move(position, ply);
    let place =
        clause.map(|clause| format!("see {}", clause::line(position.game().rules(), clause)));
    let help: Vec<String> = place.into_iter().chain(help).collect();
    Refusal {
        reason: Reason::NotAllowed,
        message,
        help: (!help.is_empty()).then(|| help.join(", ")),
        slip: false,
    }
}

/// Explains why a move is legal or not.
pub fn why_move(position: &State, ply: &Move) -> Answer {
    let rules = position.game().rules();
    let about = spell(rules, ply);
    let interpreter = match rules.forbids_repetition() {
        true => Interpreter::with_past(position),
        false => Interpreter::at(position),
    };
    let mut recorder = Recorder::default();
    let illegality = interpreter.illegality(ply, &mut recorder);
    if position.legal().contains(ply) {
        return legal(position, about, recorder.happenings);
    }
    match illegality {
        _ if interpreter.is_exhausted() => unexplained(about),
        Some(Illegality::Over | Illegality::NotNow) => not_now(position, ply, about),
        Some(Illegality::Repeats(plies)) => repeated(position, about, plies),
        Some(_) => forbidden(rules, about, recorder.happenings),
        None => incomplete(position, &interpreter, ply, about),
    }
}

fn legal(position: &State, about: String, happenings: Vec<Happening>) -> Answer {
    let rules = position.game().rules();
    let whom = match position.turn() {
        Turn::Chance => String::new(),
        who => format!(" for {}", turn(rules, who)),
    };
    let satisfied = happenings.into_iter().filter(|happening| {
        matches!(happening.kind, HappeningKind::Choice | HappeningKind::Requirement)
    });
    let mut notes: Vec<Note> = satisfied
        .map(|happening| Note {
            span: first_line(rules, happening.span),
            text: satisfied_by(happening),
        })
        .collect();
    if let Some(decision) = position.decision().filter(|_| notes.is_empty()) {
        let asks = position.game().program().decisions[decision].span;
        notes
            .push(Note { span: first_line(rules, asks), text: "no further conditions".to_owned() });
    }
    let message = format!("`{about}` is legal{whom}");
    Answer {
        about,
        verdict: Verdict::Legal,
        message,
        clause: None,
        notes,
        help: None,
        ending: None,
    }
}

/// Describes how a move satisfies a clause.
fn satisfied_by(happening: Happening) -> String {
    match happening.kind {
        HappeningKind::Choice => format!("{}, a valid choice", happening.text),
        _ => format!("holds: {}", happening.text),
    }
}

/// Explains the clause that forbids the move; it is the last happening.
fn forbidden(rules: &Rules, about: String, mut happenings: Vec<Happening>) -> Answer {
    let Some(Happening { kind, span, text, notes: inside, mut bound, .. }) = happenings.pop()
    else {
        return unexplained(about);
    };
    let (verdict, why, label) = match kind {
        HappeningKind::Choice => (Verdict::NotOffered, "", "cannot be chosen here"),
        HappeningKind::Unchosen => (Verdict::NotOffered, "", "here"),
        _ => (Verdict::Requirement, "this requirement fails: ", "fails"),
    };
    let mut notes = vec![Note { span: opening(rules, span, &inside), text: label.to_owned() }];
    notes.extend(inside);
    if kind == HappeningKind::Unchosen {
        // The condition of an `if` around a `then` may be the reason for a missing choice.
        let conditions = happenings
            .iter()
            .filter(|happening| happening.kind == HappeningKind::Condition && !happening.holds);
        notes.extend(conditions.map(|condition| Note {
            span: first_line(rules, condition.span),
            text: condition.text.clone(),
        }));
    }
    // Values may have been computed by an earlier `let`, which is then shown, too.
    for happening in happenings.into_iter().filter(|happening| happening.kind == HappeningKind::Let)
    {
        if bound.iter().any(|bound| happening.bound.contains(bound)) {
            bound.retain(|bound| !happening.bound.contains(bound));
            notes.push(Note { span: happening.span, text: happening.text });
        }
    }
    Answer {
        message: format!("`{about}` is illegal: {why}{text}"),
        about,
        verdict,
        clause: Some(span),
        notes,
        help: bindings(&bound),
        ending: None,
    }
}

/// Answers that the move would repeat the position after this number of plies.
fn repeated(position: &State, about: String, plies: usize) -> Answer {
    let rules = position.game().rules();
    let repetition = rules.repetition.as_ref();
    let what = match repetition.map(|rule| &rule.comparing) {
        Some(Comparing::Only { board: true, .. }) => "the board",
        _ => "the position",
    };
    let made = plies.checked_sub(1).and_then(|last| position.plies().get(last));
    let when = match made {
        Some(made) => format!("after ply {plies}, `{}`", spell(rules, made)),
        None => String::from("at the beginning"),
    };
    let clause = repetition.map(|rule| rule.span);
    let note = clause.map(|clause| Note {
        span: first_line(rules, clause),
        text: format!("{what} would be as {when}"),
    });
    Answer {
        message: format!("`{about}` is illegal: it would repeat {what} {when}"),
        about,
        verdict: Verdict::Requirement,
        clause,
        notes: note.into_iter().collect(),
        help: None,
        ending: None,
    }
}

/// Returns the start of a clause, up to the first note inside it.
fn opening(rules: &Rules, clause: Span, notes: &[Note]) -> Span {
    let inside = notes
        .iter()
        .map(|note| note.span)
        .filter(|span| clause.start < span.start && span.end <= clause.end);
    let Some(first) = inside.map(|span| span.start).min() else { return first_line(rules, clause) };
    let text = Span::new(clause.start, first).text(rules.source());
    first_line(
        rules,
        Span::new(
            clause.start,
            clause.start + text.trim_end().trim_end_matches('(').trim_end().len().max(1),
        ),
    )
}

/// Returns the part of a clause on its first line.
fn first_line(rules: &Rules, clause: Span) -> Span {
    let line = clause.text(rules.source()).lines().next().unwrap_or_default();
    Span::new(clause.start, clause.start + line.trim_end().len().max(1))
}

/// Answers that the game is over.
fn over(position: &State, text: &str) -> Answer {
    let about = text.split_whitespace().collect::<Vec<&str>>().join(" ");
    let ended = shown_outcome(position.game().rules(), position.outcome());
    let message = format!("`{}` cannot be played: the game is over ({ended})", clip(&about));
    let result = why_result(position).ok();
    let help = result.as_ref().map(|result| result.message.clone());
    Answer {
        about,
        verdict: Verdict::Over,
        message,
        clause: None,
        notes: result.map(|result| result.notes).unwrap_or_default(),
        help,
        ending: None,
    }
}

/// Answers that the move is not in the current choice, or that the game is over.
fn not_now(position: &State, ply: &Move, about: String) -> Answer {
    let decided = branches::decided(position, ply);
    let Refusal { message, help, .. } = match (notation::read(position, &about), &decided) {
        (Err(refusal), Some(decided)) => passed_by(refusal, decided),
        (Err(refusal), None) => refusal,
        (Ok(_), _) => return unexplained(about),
    };
    let program = position.game().program();
    let Some(now) = position.decision() else {
        return over(position, &about);
    };
    let asks = program.decisions[now].span;
    let rules = position.game().rules();
    let mut notes = Vec::new();
    if let Some(decided) = &decided {
        notes.extend(decided.notes.iter().cloned());
        if notes.is_empty() {
            let text = "decides which choice is made now".to_owned();
            notes.push(Note { span: first_line(rules, decided.span), text });
        }
    }
    notes
        .push(Note { span: first_line(rules, asks), text: "the choice to be made now".to_owned() });
    for decision in program.decisions.iter().filter(|decision| decision.moves.contains(&ply.rule)) {
        let verb = &rules.moves[ply.rule.index()].verb;
        let note = Note {
            span: first_line(rules, decision.span),
            text: format!("`{verb}` is chosen here"),
        };
        if !notes.contains(&note) && decision.span != asks {
            notes.push(note);
        }
    }
    let clause = Some(decided.map_or(asks, |decided| decided.span));
    Answer { about, verdict: Verdict::NotNow, message, clause, notes, help, ending: None }
}

/// Answers that finding the reason takes too long.
fn unexplained(about: String) -> Answer {
    let message =
        format!("`{about}` is illegal; finding the clause that forbids it takes too long here");
    Answer {
        about,
        verdict: Verdict::Requirement,
        message,
        clause: None,
        notes: Vec::new(),
        help: None,
        ending: None,
    }
}

/// Answers that the `steps` cannot be completed after the move.
fn incomplete(position: &State, interpreter: &Interpreter, ply: &Move, about: String) -> Answer {
    let rules = position.game().rules();
    let clause = interpreter.decision();
    let message = format!("`{about}` is illegal: the turn cannot be completed after it");
    let mut notes = Vec::new();
    if let Some((span, Statement::Steps { ending, count, .. })) =
        clause.zip(interpreter.statement())
    {
        let lookahead = interpreter.lookahead(ply);
        let text = match &lookahead {
            Some(lookahead) => {
                let left = if lookahead.left == 1 {
                    "1 ply is".to_owned()
                } else {
                    format!("{} plies are", lookahead.left)
                };
                let most = lookahead.most.map_or("none".to_owned(), |most| most.to_string());
                let with = lookahead.with.map_or("none".to_owned(), |with| format!("only {with}"));
                format!("{left} left and {most} can be played; starting with this one, {with}")
            }
            None => "starting with this ply, fewer of the remaining plies can be played".to_owned(),
        };
        let first = Note { span: count.span, text: String::new() };
        notes.push(Note { span: opening(rules, span, &[first]), text });
        if ending.span.start >= span.start && ending.span != span {
            notes.push(Note {
                span: ending.span,
                text: "this must hold after the last ply".to_owned(),
            });
        }
    }
    Answer { about, verdict: Verdict::Incomplete, message, clause, notes, help: None, ending: None }
}

/// Answers that the text cannot be read, with the parameters of its verb.
fn unreadable(position: &State, text: &str, refusal: Refusal) -> Answer {
    let rules = position.game().rules();
    let mut answer = Answer {
        about: text.split_whitespace().collect::<Vec<&str>>().join(" "),
        verdict: Verdict::Unreadable,
        message: refusal.message,
        clause: None,
        notes: Vec::new(),
        help: refusal.help,
        ending: None,
    };
    let verb = text.split_whitespace().next().unwrap_or_default();
    let Some(index) = rules.moves.iter().position(|rule| rule.verb == verb) else {
        if refusal.reason == Reason::UnknownVerb
            && let Some(refusal) = refuse_bare(position, text)
        {
            (answer.message, answer.help) = (refusal.message, refusal.help);
        }
        return answer;
    };
    let rule = &rules.moves[index];
    answer.clause = Some(rule.span);
    let kinds = rule.parameters.iter().map(|parameter| {
        let kind = match parameter.role {
            ParameterRole::At | ParameterRole::From | ParameterRole::To => "a site",
            ParameterRole::Towards => "a direction",
            ParameterRole::Number => "a number",
            ParameterRole::Piece => "a kind of piece",
        };
        Note { span: parameter.span, text: kind.to_owned() }
    });
    answer.notes = kinds.collect();
    let legal: Option<String> = position
        .legal()
        .iter()
        .filter(|ply| ply.rule == MoveId(index as u16))
        .map(|ply| spell(rules, ply))
        .min();
    let example = legal.map(|legal| format!(", such as `{legal}`")).unwrap_or_default();
    let spelled = format!("it is written `{}`{example}", form(rule));
    answer.help = Some(match answer.help {
        Some(help) if !help.starts_with("it is written") => format!("{help}; {spelled}"),
        _ => spelled,
    });
    answer
}
