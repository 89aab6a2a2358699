//! Answers the commands of the prompt that do not change the game.

use super::command::{COMMANDS, Command};
use super::reply::Refused;
use super::session::Screen;
use crate::engine::game::{Game, State, Turn};
use crate::language::edit_distance::nearest;
use crate::language::explain::{subjects, suggested_word};
use crate::language::rules::{Choice, PlayerId, Rules};
use crate::notation::{capital, clause, clip, counted, form, legal, list, spell};
use crate::render::{Scene, Targets, drawing, situation, spell_with as spelled, targets as leads};
use crate::search::player::untrained;
use crate::search::{Player, PlayerKind, Thinking, thought};
use crate::syntax::Span;
use crate::why::why_result;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use textwrap::WordSplitter;

/// The reply to commands that need a player to move.
pub const OVER: &str = "the game is over";
/// The default program of `hint` and `eval`.
const DEFAULT_PLAYER: PlayerKind = PlayerKind::Time(Duration::from_secs(1));
/// Maximum number of moves listed by `eval`.
const MAX_EVAL_MOVES: usize = 5;
/// Minimum width for a description beside the command.
const MIN_DESCRIPTION_WIDTH: usize = 30;
/// A space at which lines are not broken.
const NO_BREAK_SPACE: &str = "\u{a0}";

/// Lists the legal moves by verb, in lines of about `width` columns.
pub fn moves(position: &State, width: usize) -> String {
    let rules = position.game().rules();
    if position.turn() == Turn::Nobody {
        return format!("{}\n", situation(position));
    }
    let legal = legal(position);
    let mut text = String::new();
    for rule in &rules.moves {
        let of_verb = legal.iter().filter_map(|spelled| spelled.strip_prefix(rule.verb.as_str()));
        let rests: Vec<&str> = of_verb
            .filter(|rest| rest.is_empty() || rest.starts_with(' '))
            .map(str::trim)
            .collect();
        match rests[..] {
            [] => {}
            [""] => text.push_str(&format!("{}\n", rule.verb)),
            _ => text.push_str(&format!(
                "{} ({})\n{}",
                rule.verb,
                rests.len(),
                columns(&rests, width)
            )),
        }
    }
    text
}

fn columns(words: &[&str], width: usize) -> String {
    let wide = words.iter().map(|word| word.chars().count()).max().unwrap_or(1) + 2;
    let line = |words: &[&str]| {
        let padded: String = words.iter().map(|word| format!("{word:wide$}")).collect();
        format!("  {}\n", padded.trim_end())
    };
    words.chunks((width.saturating_sub(2) / wide).max(1)).map(line).collect()
}

/// Shows the targets of all legal moves, or of the legal moves that choose a site.
pub fn targets(position: &State, site: &str, screen: Screen) -> Result<String, Refused> {
    let board = &position.game().rules().board;
    let wanted = match site {
        "" => Targets::All,
        _ => Targets::Of(
            board.find(site).ok_or_else(|| format!("expected a site, found `{}`", clip(site)))?,
        ),
    };
    let found = leads(position, wanted);
    if found.is_empty() {
        return Err(match (position.turn(), site) {
            (Turn::Nobody, _) => OVER.into(),
            (_, "") => "no legal move leads to a site".into(),
            _ => format!("no legal move chooses {site}").into(),
        });
    }
    let labels: Vec<&str> = found.iter().map(|&site| board.label(site)).collect();
    let lines = drawing(&Scene::of(position).with_targets(position, wanted), screen.room);
    let told = paragraph(&format!("targets: {}", labels.join(" ")), "", "  ", screen.room.width);
    Ok(format!("{}{told}", spelled(&lines, screen.escape)))
}

/// Formats the result of a search; lines are broken only between plies.
pub fn thinking(rules: &Rules, mover: PlayerId, thinking: &Thinking, width: usize) -> String {
    let text = thought(rules, mover, thinking);
    let (expects, rest) = text.split_once(": ").unwrap_or(("", &text));
    let (line, effort) = rest.rsplit_once(" (").unwrap_or((rest, ""));
    let whole = |part: &str| part.replace(' ', NO_BREAK_SPACE);
    let plies: Vec<String> = line.split(", ").map(whole).collect();
    paragraph(&format!("{expects}: {} ({}", plies.join(", "), whole(effort)), "", "  ", width)
}

/// Says how a player plays without the training that it could use; empty if the player uses none or
/// has one.
pub fn note_untrained(game: &Game, kind: PlayerKind, width: usize) -> String {
    let note = untrained(game, kind);
    note.map_or(String::new(), |note| paragraph(&format!("note: {note}"), "", "  ", width))
}

/// Returns the ply that a program would play.
pub fn hint(
    position: &State,
    player: &str,
    seed: u64,
    width: usize,
    stop: Option<&AtomicBool>,
) -> Result<String, Refused> {
    let mover = mover(position)?;
    let kind = if player.is_empty() { DEFAULT_PLAYER } else { player.parse()? };
    let mut program = Player::new(kind, seed).ok_or("expected a computer player, found `human`")?;
    let rules = position.game().rules();
    let Some(choice) = program.choose_until(position, stop)? else { return Err(OVER.into()) };
    let note = note_untrained(position.game(), kind, width);
    let thought = choice.thinking.map(|thought| thinking(rules, mover, &thought, width));
    let reason = choice.reason.map(|reason| paragraph(&reason, "", "  ", width));
    Ok(format!(
        "{note}try `{}`\n{}{}",
        spell(rules, &choice.ply),
        thought.unwrap_or_default(),
        reason.unwrap_or_default()
    ))
}

/// Returns the value of the position for the players, and the best moves.
pub fn eval(
    position: &State,
    player: &str,
    seed: u64,
    width: usize,
    stop: Option<&AtomicBool>,
) -> Result<String, Refused> {
    let mover = mover(position)?;
    let kind = if player.is_empty() { DEFAULT_PLAYER } else { player.parse()? };
    let searcher = Player::new(kind, seed).filter(Player::searches);
    let mut searcher =
        searcher.ok_or_else(|| format!("expected a search such as `mcts:1s`, found `{kind}`"))?;
    let rules = position.game().rules();
    let Some(thought) = searcher.think(position, stop)? else { return Err(OVER.into()) };
    let mut text = note_untrained(position.game(), kind, width);
    text.push_str(&thinking(rules, mover, &thought, width));
    if rules.players.len() != 2 {
        let chances = rules.players.iter().zip(&thought.win_probabilities);
        let chances: Vec<String> = chances
            .map(|(player, chance)| format!("{} {:.0} %", player.name, chance * 100.0))
            .collect();
        // With several players, draws make the sum larger than 100 %.
        let head =
            if chances.len() > 2 { "expected scores, where a draw counts half: " } else { "" };
        text.push_str(&format!("{head}{}\n", chances.join(", ")));
    }
    let best: Vec<(String, String)> = thought
        .plies
        .iter()
        .take(MAX_EVAL_MOVES)
        .map(|tried| {
            let sure = if tried.solved { ", proven" } else { "" };
            // Unproven values are shown as neither certain nor impossible.
            let percent = if tried.solved {
                tried.chance * 100.0
            } else {
                (tried.chance * 100.0).clamp(1.0, 99.0)
            };
            let noun = match thought.depth {
                Some(_) => "position",
                None => "game",
            };
            (
                spell(rules, &tried.ply),
                format!("{percent:>3.0} %{sure}  {}", counted(tried.visits.into(), noun)),
            )
        })
        .collect();
    let wide = best.iter().map(|(ply, _)| ply.chars().count()).max().unwrap_or(0);
    text.extend(best.iter().map(|(ply, said)| format!("  {ply:wide$}  {said}\n")));
    Ok(text)
}

fn mover(position: &State) -> Result<PlayerId, Refused> {
    position.turn().player().ok_or_else(|| OVER.into())
}

/// Lists the options with their values, defaults and descriptions.
pub fn options(rules: &Rules, width: usize) -> String {
    if rules.options.is_empty() {
        return "This game has no options.\n".to_owned();
    }
    let line = |option: &Choice| {
        let values = &option.values;
        let range = if values.len() > 8 {
            format!("{}, {} … {}", values[0], values[1], values[values.len() - 1])
        } else {
            list(values, "or")
        };
        let default = if option.chosen == option.default {
            String::new()
        } else {
            format!("; default {}", values[option.default])
        };
        paragraph(
            &format!(
                "{}={}  {} ({range}{default})",
                option.name, values[option.chosen], option.description
            ),
            "",
            "  ",
            width,
        )
    };
    rules.options.iter().map(line).collect()
}

/// Says which clause ended the game and why, and what can be done next.
pub fn ending(position: &State, width: usize) -> String {
    let rules = position.game().rules();
    let why = match why_result(position) {
        Ok(answer) => {
            let place = answer.clause.map_or(String::new(), |clause| {
                format!(
                    "Decided by {}, {}",
                    clause::quote(rules, clause),
                    clause::line(rules, clause)
                )
            });
            let reason = answer.reason().map(|reason| format!(": {reason}"));
            format!("{place}{}", reason.unwrap_or_default())
        }
        Err(message) => capital(&message),
    };
    let next = "`undo` takes back the last ply, `restart` begins a new game, `save FILE` saves this one, `quit` leaves.";
    [why.as_str(), next].map(|line| paragraph(line, "", "  ", width)).concat()
}

/// Shows the declaration of a move, definition, memory, piece or option of the game.
fn declared(rules: &Rules, word: &str) -> Option<String> {
    let named = |heads: &'static [&'static str], what: &'static str| (heads, what);
    let (span, (heads, what)): (Span, (&[&str], &str)) =
        if let Some(rule) = rules.moves.iter().find(|rule| rule.verb == word) {
            (rule.span, named(&["move", "pie-rule"], "a move of this game"))
        } else if let Some(it) = rules.definitions.iter().find(|it| it.name == word) {
            (it.span, named(&["define"], "a definition of this game"))
        } else if let Some(it) = rules.memories.iter().find(|it| it.name == word) {
            (it.span, named(&["remember", "hand"], "a memory of this game"))
        } else if let Some(it) = rules.pieces.iter().find(|it| it.name == word) {
            (it.span, named(&["piece"], "a piece of this game"))
        } else {
            let it = rules.options.iter().find(|it| it.name == word)?;
            (it.span, named(&["option"], "an option of this game"))
        };
    let form = rules.files.form_around(span, heads)?;
    let (file, place) = rules.files.place(form);
    let text = rules.files.text_of(file);
    // The first line begins in the same column as in the file.
    let start = text[..place.start].rfind('\n').map_or(0, |end| end + 1);
    let indent = &text[start..place.start];
    let begun = if indent.trim().is_empty() { start } else { place.start };
    let lines: String =
        text[begun..place.end].lines().map(|line| format!("{}\n", line.trim_end())).collect();
    Some(format!("{word} ({what}, {})\n{lines}", clause::line(rules, form)))
}

/// Explains a name of the game by its declaration, and a word of the language by its signature,
/// meaning and an example.
pub fn explain(rules: &Rules, word: &str, width: usize) -> Result<String, Refused> {
    let word = word.trim_matches(['(', ')', '`']);
    let own = declared(rules, word);
    let mut found = subjects(word);
    if let Some(own) = &own {
        // Subjects that the word finds only by another name are left out.
        found.retain(|subject| subject.word() == word);
        if found.is_empty() {
            return Ok(own.clone());
        }
    }
    if found.is_empty() {
        let help = match suggested_word(word) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "`ludwright explain` lists all words, types and findings".to_owned(),
        };
        return Err(Refused {
            help: Some(help),
            ..format!("there is no ludeme, type or finding `{}`", clip(word)).into()
        });
    }
    let mut text = own.unwrap_or_default();
    for subject in found {
        text.push_str(&format!("{} ({})\n", subject.word(), subject.what()));
        for meaning in subject.page().meanings {
            let example = if meaning.example.is_empty() {
                String::new()
            } else {
                format!("for example: {}", meaning.example)
            };
            let lines = [meaning.signature, meaning.text, example];
            text.extend(
                lines
                    .iter()
                    .filter(|line| !line.is_empty())
                    .map(|line| paragraph(line, "  ", "    ", width)),
            );
        }
    }
    Ok(text)
}

/// Lists the moves and the commands.
pub fn help(rules: &Rules, width: usize) -> String {
    let forms: Vec<String> = rules.moves.iter().map(|rule| format!("`{}`", form(rule))).collect();
    let mut text = format!("Enter a move of {}:\n", rules.title);
    text.push_str(&paragraph(&forms.join(", "), "  ", "  ", width));
    text.push_str(&paragraph(
        "Whatever tells a move from the others is enough: `b2`, `b2c3`, or the beginning of a verb; several plies are separated by commas or blanks. An expression in brackets, such as `(count (empty))`, is evaluated. Or enter a command:",
        "",
        "",
        width,
    ));
    let wide = COMMANDS.iter().map(|row| row.call().chars().count()).max().unwrap_or(0);
    for row in &COMMANDS {
        let call = row.call();
        // On narrow screens the description is on a line of its own.
        text.push_str(&match width < wide + MIN_DESCRIPTION_WIDTH {
            true => format!("  {call}\n{}", paragraph(row.what, "    ", "    ", width)),
            false => {
                paragraph(row.what, &format!("  {call:wide$}  "), &" ".repeat(wide + 4), width)
            }
        });
    }
    text.push_str(&paragraph(
        "`help COMMAND` explains a command. `?` is `help`, `q` and `exit` are `quit`. Tab completes what you type.",
        "",
        "",
        width,
    ));
    text
}

/// Wraps a text.
fn paragraph(text: &str, first: &str, later: &str, width: usize) -> String {
    let options = textwrap::Options::new(width)
        .initial_indent(first)
        .subsequent_indent(later)
        .word_splitter(WordSplitter::NoHyphenation);
    format!("{}\n", textwrap::fill(text, options).replace(NO_BREAK_SPACE, " "))
}

/// Explains a command in detail.
pub fn help_with(name: &str, width: usize) -> Result<String, Refused> {
    let Some(row) = Command::from_name(name.trim_start_matches('/')) else {
        let help = nearest(name, COMMANDS.iter().map(|row| row.name))
            .map(|near| format!("did you mean `{near}`?"));
        return Err(Refused { help, ..format!("there is no command `{}`", clip(name)).into() });
    };
    let lines: String = [row.what]
        .into_iter()
        .chain(row.more.lines())
        .map(|line| paragraph(line, "  ", "  ", width))
        .collect();
    Ok(format!("{}\n{lines}", row.call()))
}
