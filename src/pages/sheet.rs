//! A rule sheet for printing: the board, the pieces, each move in words with a diagram, and how the
//! game ends.
//!
//! The words are made from the typed rules, so options have their values. The diagrams show a ply
//! of an example: from a rule case, or else from a random game.

use super::sentences::{Sentence, html};
use super::words::Words;
use super::{PageKind, escaped, page};
use crate::engine::game::{Argument, Game, Move, State};
use crate::engine::{PackedMove, PlyBudget};
use crate::language::rules::{Comparing, MemoryId, MoveRule, Rules, Spanned, Statement, Value};
use crate::language::visit::Composite;
use crate::notation::{form, list, player, spell, team};
use crate::random::Random;
use crate::render::{Scene, Targets, figures, svg_among};
use std::fmt::Write;

/// The limits of the search for example plies: random games, plies of each, and the budget of all.
const GAMES: u64 = 20;
const PLIES: usize = 200;
const BUDGET: u64 = 40_000;

/// A ply to show, in a position in which it is legal.
#[derive(Clone)]
pub struct Example {
    /// The title of the rule case; empty if there is none.
    pub title: String,
    pub position: State,
    pub ply: Move,
}

/// Writes the rule sheet of a game as a page. Moves without an example get one from a random game.
pub fn sheet(game: &Game, examples: &[Example]) -> String {
    page(PageKind::Rules, &game.rules().title, &sheet_body(game, examples))
}

/// Writes the rule sheet of a game as an element for a page.
pub fn sheet_body(game: &Game, examples: &[Example]) -> String {
    let rules = game.rules();
    let words = Words { rules };
    let mut body = format!("<div class=\"sheet\">\n<h1>{}</h1>\n", escaped(&rules.title));
    about(&mut body, rules);
    if let Ok(start) = game.begin() {
        let picture = svg_among(&Scene::of(&start), "first-");
        let _ = writeln!(
            body,
            "<section>\n<h2>Board and pieces</h2>\n<div class=\"game\">\n<div class=\"picture\">{picture}</div>\n<div>"
        );
        pieces(&mut body, rules, words);
        body.push_str("</div>\n</div>\n</section>\n");
    }
    let mut order = words.statements(&rules.play);
    if let Some(pie) = rules.pie {
        let swap = &rules.moves[pie.swap.index()].verb;
        let second = player(rules, pie.second);
        let text = format!("In place of the first ply of {second}, its player may {swap} instead.");
        order.push(Sentence { text, below: Vec::new() });
    }
    let _ = writeln!(body, "<section>\n<h2>Order of play</h2>\n{}</section>", html(&order));
    body.push_str("<section>\n<h2>Moves</h2>\n<div class=\"moves\">\n");
    let own =
        |index: usize| examples.iter().find(|example| example.ply.rule.index() == index).cloned();
    let mut shown: Vec<Option<Example>> = (0..rules.moves.len()).map(own).collect();
    add_random_examples(game, &mut shown);
    for (index, (rule, example)) in rules.moves.iter().zip(shown).enumerate() {
        a_move(&mut body, rule, words, example.as_ref(), index);
    }
    body.push_str("</div>\n</section>\n");
    end(&mut body, rules, words);
    terms(&mut body, rules, words);
    body.push_str("</div>\n");
    body
}

fn about(body: &mut String, rules: &Rules) {
    let about = &rules.about;
    let by = about.by();
    if !by.is_empty() {
        let _ = writeln!(body, "<p>{}</p>", escaped(&by));
    }
    if let Some(description) = &about.description {
        let _ = writeln!(body, "<p>{}</p>", escaped(description));
    }
    let options = rules
        .options
        .iter()
        .map(|option| format!("{} = {} ({})", option.name, option.value(), option.description));
    let options: Vec<String> = options.collect();
    if !options.is_empty() {
        let _ = writeln!(body, "<p><small>Options: {}</small></p>", escaped(&options.join("; ")));
    }
}

fn pieces(body: &mut String, rules: &Rules, words: Words) {
    let names: Vec<&str> = rules.players.iter().map(|player| player.name.as_str()).collect();
    let noun = if names.len() == 1 { "Player" } else { "Players, in this order" };
    let _ = writeln!(
        body,
        "<p>{noun}: {}. The board has {} sites.</p>",
        escaped(&names.join(", ")),
        rules.board.len()
    );
    if rules.teams.has_partners() {
        let teams: Vec<String> = rules.teams.numbers().map(|one| team(rules, one)).collect();
        let _ = writeln!(body, "<p>Teams: {}.</p>", escaped(&teams.join("; ")));
    }
    if let Some(piles) = &rules.piles {
        let limit = piles.limit(&rules.pieces);
        let _ = writeln!(body, "<p>Pieces lie one on another: {}.</p>", escaped(&limit));
    }
    body.push_str("<ul class=\"kinds\">\n");
    for (name, figure) in figures(rules) {
        let _ = writeln!(body, "<li>{figure}<span>{}</span></li>", escaped(&name));
    }
    body.push_str("</ul>\n");
    let setup = words.statements(&rules.setup);
    match setup.is_empty() {
        true => body.push_str("<p>The board is empty at the start.</p>\n"),
        false => {
            let _ = writeln!(body, "<h3>At the start</h3>\n{}", html(&setup));
        }
    }
    for memory in rules.memories.iter().filter(|memory| memory.hand) {
        let _ = writeln!(
            body,
            "<p>Each player has a hand: {}, {} at the start.</p>",
            escaped(&memory.name),
            memory.initial
        );
    }
}

fn a_move(
    body: &mut String,
    rule: &MoveRule,
    words: Words,
    example: Option<&Example>,
    index: usize,
) {
    let _ = writeln!(
        body,
        "<div class=\"rule\" id=\"move{index}\">\n<h3>{}</h3>\n<p><small>Written <code>{}</code></small></p>",
        escaped(&rule.verb),
        escaped(&form(rule))
    );
    let mut sentences = words.choices(&rule.parameters);
    sentences.extend(words.statements(&rule.body));
    if sentences.is_empty() {
        sentences.push(Sentence { text: "Nothing changes.".to_owned(), below: Vec::new() });
    }
    body.push_str(&html(&sentences));
    match example.and_then(|example| diagrams(example, index)) {
        Some(diagrams) => body.push_str(&diagrams),
        None => {
            body.push_str("<p><small>No position was found in which it is legal.</small></p>\n")
        }
    }
    body.push_str("</div>\n");
}

/// Draws the position before a ply, with the targets of the ply's first site, and the position
/// after it.
fn diagrams(example: &Example, index: usize) -> Option<String> {
    let rules = example.position.game().rules();
    let mut after = example.position.clone();
    after.play(&example.ply).ok()?;
    let mut before = Scene::of(&example.position).without_last();
    let mut sites = example.ply.arguments.iter().filter_map(|argument| match argument {
        Argument::Site(site) => Some(*site),
        _ => None,
    });
    if let (Some(first), Some(_)) = (sites.next(), sites.next()) {
        before = before.with_targets(&example.position, Targets::Of(first));
    }
    let title = match example.title.as_str() {
        "" => String::new(),
        title => format!(": {title}"),
    };
    Some(format!(
        "<figure>\n<div class=\"diagrams\"><div>{}</div><div>{}</div></div>\n<figcaption>Before and after <b>{}</b>{}</figcaption>\n</figure>\n",
        svg_among(&before, &format!("before{index}-")),
        svg_among(&Scene::of(&after), &format!("after{index}-")),
        escaped(&spell(rules, &example.ply)),
        escaped(&title)
    ))
}

/// Finds for each move without an example a position in which it is legal: the first in random
/// games.
fn add_random_examples(game: &Game, examples: &mut [Option<Example>]) {
    let mut budget = PlyBudget::of(BUDGET);
    for seed in 0..GAMES {
        let mut random = Random::new(seed);
        let Ok(mut position) = game.begin() else { return };
        for _ in 0..PLIES {
            if examples.iter().all(Option::is_some) {
                return;
            }
            let legal = position.packed().to_vec();
            let Some(&drawn) = legal.get(random.below(legal.len().max(1) as u32) as usize) else {
                break;
            };
            for (index, example) in examples.iter_mut().enumerate() {
                let is_own = |ply: &&PackedMove| position.rule(**ply).index() == index;
                // Prefers the ply that the game plays.
                let own = [drawn].iter().chain(&legal).find(is_own).copied();
                if let (None, Some(own)) = (&example, own) {
                    let (title, ply) = (String::new(), game.spell_out(own));
                    *example = Some(Example { title, position: position.clone(), ply });
                }
            }
            if !budget.spend(&position, legal.len()) {
                return;
            }
            if position.play_packed(drawn).is_err() || position.outcome().is_some() {
                break;
            }
        }
    }
}

fn end(body: &mut String, rules: &Rules, words: Words) {
    body.push_str("<section>\n<h2>How the game ends</h2>\n");
    let mut sentences = words.statements(&rules.end);
    if let Some(repetition) = &rules.repetition {
        sentences.push(Sentence {
            text: format!(
                "If a position occurs {} times{}:",
                repetition.times,
                compared(rules, &repetition.comparing)
            ),
            below: words.statements(&repetition.then),
        });
    }
    let ending = ending_definitions(rules);
    for rule in rules.moves.iter().filter(|rule| ends(&rule.body, &ending)) {
        let text = format!("The move {} can end it; see there.", rule.verb);
        sentences.push(Sentence { text, below: Vec::new() });
    }
    if ends(&rules.play, &ending) {
        let text = "The order of play can end it; see there.".to_owned();
        sentences.push(Sentence { text, below: Vec::new() });
    }
    if sentences.is_empty() {
        let text = "No rule ends the game; it ends with its order of play.".to_owned();
        sentences.push(Sentence { text, below: Vec::new() });
    }
    let _ = writeln!(body, "{}</section>", html(&sentences));
}

/// Writes which parts of a position must repeat, after "times"; empty if it is all of them.
fn compared(rules: &Rules, comparing: &Comparing) -> String {
    let name = |memory: &MemoryId| rules.memories[memory.index()].name.clone();
    match comparing {
        Comparing::AllBut(ignored) if ignored.is_empty() => String::new(),
        Comparing::AllBut(ignored) => {
            let ignored: Vec<String> = ignored.iter().map(name).collect();
            format!(", whatever {} is", list(&ignored, "and"))
        }
        Comparing::Only { board, mover, memories } => {
            let mut parts = Vec::new();
            parts.extend(board.then(|| String::from("the board")));
            parts.extend(mover.then(|| String::from("the player to move")));
            parts.extend(memories.iter().map(name));
            format!(", as far as {} can tell", list(&parts, "and"))
        }
    }
}

/// Tests if statements can end the game, directly or by a definition. `ending` tells which
/// definitions can.
fn ends(statements: &[Spanned<Statement>], ending: &[bool]) -> bool {
    statements.iter().any(|statement| match &statement.node {
        Statement::Win(_)
        | Statement::Lose(_)
        | Statement::DropOut(_)
        | Statement::Draw
        | Statement::ByScore(..) => true,
        Statement::Do(definition, _) => ending[definition.index()],
        other => other.bodies().into_iter().any(|body| ends(body, ending)),
    })
}

/// Finds the definitions that can end the game, as a fixpoint: directly, or by using one that can.
fn ending_definitions(rules: &Rules) -> Vec<bool> {
    let mut ending = vec![false; rules.definitions.len()];
    loop {
        let mut found = false;
        for (index, definition) in rules.definitions.iter().enumerate() {
            if let Value::Statements(body) = &definition.body
                && !ending[index]
                && ends(body, &ending)
            {
                ending[index] = true;
                found = true;
            }
        }
        if !found {
            return ending;
        }
    }
}

/// Explains the definitions.
fn terms(body: &mut String, rules: &Rules, words: Words) {
    let generated = rules.drop_outs.map(|drop_outs| drop_outs.playing.index());
    let written = generated.unwrap_or(rules.definitions.len());
    if written == 0 {
        return;
    }
    body.push_str("<section>\n<h2>Terms</h2>\n<ul class=\"ends\">\n");
    for definition in &rules.definitions[..written] {
        let parameters: Vec<String> =
            definition.parameters.iter().map(|&local| words.local(local).to_string()).collect();
        let of = match parameters.len() {
            0 => String::new(),
            _ => format!(" of {}", parameters.join(" and ")),
        };
        let (text, below) = match &definition.body {
            Value::Statements(statements) => (String::new(), html(&words.statements(statements))),
            Value::Condition(condition) => {
                (format!("true if {}", words.condition(&condition.node)), String::new())
            }
            value => (words.value(value).to_string(), String::new()),
        };
        let _ = writeln!(
            body,
            "<li><b>{}</b>{}: {}{below}</li>",
            escaped(&definition.name),
            escaped(&of),
            escaped(&text)
        );
    }
    body.push_str("</ul>\n</section>\n");
}
