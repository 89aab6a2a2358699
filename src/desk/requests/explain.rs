//! Shows the rules at work: values at the cursor, why a move is not legal, what a ply did.

use super::{Arguments, Refused};
use crate::board::Site;
use crate::desk::Desk;
use crate::desk::offsets::Offsets;
use crate::engine::game::State;
use crate::evaluate::at_cursor;
use crate::language::rules::{ParameterRole, Rules};
use crate::notation::clip;
use crate::play::{Part, choices};
use crate::syntax::Span;
use crate::syntax::visible::shown;
use crate::why::{Answer, Reply, Story, Verdict, ask, read};
use serde_json::{Map, Value, json};

/// The most answers to a question, and the most clauses of an answer.
const MAX_ANSWERS: usize = 6;
const MAX_CLAUSES: usize = 200;

/// The position in which expressions are evaluated with the text of the rules; or the reason why
/// nothing can be evaluated.
pub struct Lit(Result<(State, String), &'static str>);

impl Lit {
    /// Takes the shown position and the text of a desk.
    pub fn of(desk: &Desk) -> Lit {
        let Some(run) = desk.run.as_ref().filter(|_| !desk.is_faulty()) else {
            return Lit(Err("the rules have errors, so nothing has a value yet"));
        };
        if desk.pending.is_some() {
            return Lit(Err("the game is being played again under these rules"));
        }
        Lit(Ok((run.state.clone(), desk.draft.text.clone())))
    }
}

/// Evaluates the smallest expression at the cursor in the current position.
pub fn light(lit: &Lit, arguments: &Arguments) -> Result<Value, Refused> {
    let (position, text) = match &lit.0 {
        Ok(lit) => lit,
        Err(reason) => return Ok(json!({ "reason": reason })),
    };
    if arguments.maybe_text("text").is_some_and(|given| given != text) {
        return Ok(json!({ "reason": "the text has changed" }));
    }
    let rules = position.game().rules();
    let offsets = Offsets::new(text);
    let byte = offsets.byte(arguments.number("at")?);
    let pointed = arguments.maybe_text("site").and_then(|label| rules.board.find(label));
    // A cursor behind the last letter of a word, or behind a bracket, is at that word or form.
    let is_end = |byte: usize| {
        let is_open = |letter: u8| !letter.is_ascii_whitespace() && letter != b')';
        let bytes = text.as_bytes();
        byte > 0 && !bytes.get(byte).copied().is_some_and(is_open)
    };
    let at = |byte: usize| at_cursor(position, rules.files.byte_of(0, byte), pointed);
    let before = (0..byte).rev().find(|&byte| text.is_char_boundary(byte)).unwrap_or(0);
    let behind = is_end(byte) && !text[before..].starts_with(char::is_whitespace);
    let found = match behind {
        true => at(before).or_else(|_| at(byte)),
        false => at(byte),
    };
    let found = match found {
        Ok(found) => found,
        Err(reason) => return Ok(json!({ "reason": shown(&reason) })),
    };
    let (_, span) = rules.files.place(found.span);
    let name = |site: &Site| rules.board.label(*site).to_owned();
    let mut answer = json!({
        "at": offsets.range(span), "type": found.kind, "text": shown(&found.text),
    });
    if let Some(sites) = &found.sites {
        answer["sites"] = sites.iter().map(name).collect();
    }
    if !found.at_sites.is_empty() {
        let numbers = found.at_sites.iter().map(|(site, text)| (name(site), json!(text)));
        answer["numbers"] = Value::Object(numbers.collect::<Map<String, Value>>());
    }
    Ok(answer)
}

/// A move that a click could stand for.
struct Question {
    text: String,
    /// The clicked part of the move, if a site was added to complete it.
    part: Option<String>,
}

/// Explains a move, or the possible moves at a site after the parts chosen so far. In the answer,
/// `moves` lists the moves that the click could stand for; `open` says that one of them needs
/// another site.
pub fn why(desk: &mut Desk, arguments: &Arguments) -> Result<Value, Refused> {
    desk.settle();
    let run = desk.run.as_ref().ok_or("the rules cannot be played yet")?;
    desk.listable()?;
    let position = &run.state;
    let question = match (arguments.maybe_text("move"), arguments.maybe_text("site")) {
        (Some(text), _) => vec![Question { text: text.to_owned(), part: None }],
        (None, Some(site)) => {
            questions(position, site, &arguments.texts("chosen").unwrap_or_default())
        }
        (None, None) => return Err("the request lacks `move` or `site`".into()),
    };
    let mut answers: Vec<Answer> = Vec::new();
    let mut message = String::new();
    let mut moves: Vec<String> = Vec::new();
    let is_open = question.iter().any(|question| question.part.is_some());
    for Question { text, part } in question {
        match ask(position, &text) {
            Ok(Reply::Answers(mut found)) => {
                for answer in &mut found {
                    let whole = format!("`{}`", answer.about);
                    if let (Some(part), Some(rest)) = (&part, answer.message.strip_prefix(&whole)) {
                        answer.message = format!("{part}{rest}");
                    }
                }
                let named = found.iter().filter(|_| part.is_none()).map(|answer| &answer.about);
                let is_move = |about: &&String| match read(position, about) {
                    Ok(_) => true,
                    Err(refusal) => !refusal.reason.is_no_move(),
                };
                moves.extend(named.filter(is_move).cloned());
                answers.extend(found);
            }
            Ok(Reply::Stories(_)) => {}
            Err(said) => message = said,
        }
    }
    // The most informative answers come first: a requirement, then a choice that is not offered.
    let rank = |answer: &Answer| match answer.verdict {
        Verdict::Legal | Verdict::Value => 0,
        Verdict::Requirement => 1,
        Verdict::Incomplete => 2,
        Verdict::NotOffered => 3,
        Verdict::NotNow | Verdict::Over => 4,
        Verdict::Unreadable => 5,
    };
    answers.sort_by_key(rank);
    let best = answers.first().map(rank).unwrap_or(5);
    answers.retain(|answer| rank(answer) == best || rank(answer) < 4);
    answers.dedup_by(|one, other| one.message == other.message);
    answers.truncate(MAX_ANSWERS);
    let rules = position.game().rules();
    let clauses = answers.iter().flat_map(|answer| clauses(desk, rules, answer));
    let texts: Vec<String> = answers
        .iter()
        .map(|answer| match &answer.help {
            Some(help) => format!("{} ({help})", answer.message),
            None => answer.message.clone(),
        })
        .collect();
    let text = if texts.is_empty() { message } else { texts.join("\n") };
    moves.dedup();
    moves.truncate(MAX_ANSWERS);
    Ok(json!({
        "text": shown(&text),
        "legal": best == 0,
        "moves": moves,
        "open": is_open,
        "clauses": clauses.take(MAX_CLAUSES).collect::<Vec<Value>>(),
    }))
}

/// Lists the moves that a click on a site could stand for, after the parts chosen before, one for
/// each possible verb.
fn questions(position: &State, site: &str, chosen: &[&str]) -> Vec<Question> {
    let rules = position.game().rules();
    let parts: Vec<Part> = chosen.iter().filter_map(|text| Part::parse(rules, text)).collect();
    let sites: Vec<&str> = parts
        .iter()
        .filter_map(|part| match part {
            Part::Site(site) => Some(rules.board.label(*site)),
            _ => None,
        })
        .chain([site])
        .collect();
    let verb = parts.iter().find_map(|part| match part {
        Part::Verb(id) => Some(rules.moves[id.index()].verb.as_str()),
        _ => None,
    });
    let place = sites.join("-");
    if rules.board.find(site).is_none() {
        return Vec::new();
    }
    let decision = position.decision().map(|index| &position.game().decisions()[index]);
    let offered: Vec<&str> = match verb {
        Some(verb) => vec![verb],
        None => decision
            .into_iter()
            .flat_map(|decision| &decision.moves)
            .map(|id| rules.moves[id.index()].verb.as_str())
            .collect(),
    };
    let is_from =
        choices(position, &parts).sites.iter().any(|(one, _)| rules.board.label(*one) == site);
    if is_from || offered.is_empty() {
        return vec![Question { text: place, part: None }];
    }
    // If no move can start at the site, an arbitrary destination completes the move to explain.
    let elsewhere = rules.board.sites().map(|one| rules.board.label(one)).find(|&one| one != site);
    let to = |verb: &str| {
        let rule = rules.moves.iter().find(|rule| rule.verb == verb);
        let second = rule.and_then(|rule| rule.parameters.get(1)).map(|second| second.role);
        elsewhere.filter(|_| second == Some(ParameterRole::To) && sites.len() == 1)
    };
    let question = |verb: &str| match to(verb) {
        Some(to) => Question {
            text: format!("{verb} {place}-{to}"),
            part: Some(format!("A `{verb}` from {place}")),
        },
        None => Question { text: format!("{verb} {place}"), part: None },
    };
    offered.into_iter().map(question).collect()
}

fn clauses(desk: &Desk, rules: &Rules, answer: &Answer) -> Vec<Value> {
    let is_ok = matches!(answer.verdict, Verdict::Legal | Verdict::Value);
    answer
        .notes
        .iter()
        .filter_map(|note| {
            let mut clause = desk.clause(rules, note.span)?;
            clause["value"] = json!(shown(&note.text));
            clause["ok"] = json!(is_ok);
            Some(clause)
        })
        .collect()
}

/// Lists the clauses that the last ply of a player and the rolls after it executed.
pub fn trace(desk: &Desk) -> Value {
    let Some(run) = &desk.run else { return json!({ "clauses": [] }) };
    let rules = run.state.game().rules();
    let rolls = run
        .path
        .iter()
        .rev()
        .take_while(|&&node| desk.draft.variations.nodes[node].player.is_none());
    let plies = (rolls.count() + 1).min(run.path.len());
    let stories = Story::of_last(&run.state, plies);
    let mut clauses = Vec::new();
    for story in &stories {
        let text = format!("{} {}", story.mover, story.played);
        for happening in &story.happenings {
            let Some(mut clause) = desk.clause(rules, first_line(rules, happening.span)) else {
                continue;
            };
            clause["text"] = json!(shown(&happening.text));
            clause["kind"] = json!(happening.kind.name());
            clause["ok"] = json!(happening.holds);
            clause["ply"] = json!(shown(&clip(text.trim())));
            clauses.push(clause);
        }
    }
    clauses.truncate(MAX_CLAUSES);
    json!({ "clauses": clauses })
}

/// Returns the first line of a clause.
fn first_line(rules: &Rules, clause: Span) -> Span {
    let line = clause.text(rules.source()).lines().next().unwrap_or_default();
    Span::new(clause.start, clause.start + line.trim_end().len().max(1))
}
