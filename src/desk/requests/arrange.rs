//! Set-up by hand: a position arranged site by site, written as the setup of the rules or as a rule
//! case; and an expectation, written as a case or a claim.
//!
//! The page sends the position back and forth as text, in the format of rule cases; the desk does
//! not keep it.

use super::assist::written;
use super::{Arguments, Refused};
use crate::board::Site;
use crate::cases::Runner;
use crate::desk::Desk;
use crate::desk::offsets::Offsets;
use crate::editor::outline::parts;
use crate::engine::game::{Game, State};
use crate::engine::snapshot::{MemoryValue, Occupant, Snapshot};
use crate::language::finding::Edit;
use crate::language::rules::{MemoryId, Rules};
use crate::language::samples::rank;
use crate::language::sources::Sources;
use crate::load::load;
use crate::notation::{
    Line, PositionText, Refusal, legal, outcome, player, symbols, write_memories,
};
use crate::record::Start;
use crate::render::{Scene, figure, touch_svg};
use crate::syntax::visible::shown;
use crate::syntax::{Node, Span, parse};
use serde_json::{Value, json};

/// The sign that a cut site has in place of a piece's symbol.
const CUT: &str = "#";
/// The most legal moves that are listed.
const MAX_MOVES: usize = 400;

/// Changes a position and describes it: the current one, or the `position` of an earlier answer.
/// `put` is a list of sites with symbols, `mover` the player to act, `memory` a name with a value;
/// `clear` empties the board first.
pub fn arrange(desk: &mut Desk, arguments: &Arguments) -> Result<Value, Refused> {
    desk.settle();
    let state = &desk.run.as_ref().ok_or("the rules cannot be played yet")?.state;
    let game = state.game();
    let rules = game.rules();
    let mut position = match arguments.maybe_text("position") {
        Some(text) => read(game, text)?,
        None => begun(game, PositionText::of(state))?,
    };
    if arguments.flag("clear") {
        position.snapshot = Snapshot::empty(rules);
    }
    let tray = symbols(rules);
    let put = arguments.value("put").and_then(Value::as_array).cloned().unwrap_or_default();
    for place in &put {
        let site = place["site"].as_str().and_then(|label| rules.board.find(label));
        let site = site.ok_or("the board has no such site")?;
        let symbol = place["symbol"].as_str().unwrap_or_default();
        let pieces = &mut position.snapshot.pieces;
        let from = place["from"].as_str().and_then(|label| rules.board.find(label));
        let piece: Option<Occupant> = match from {
            Some(from) => pieces[from.index()].take(),
            None => tray.iter().find(|(_, known, _)| known == symbol).map(|(piece, _, _)| *piece),
        };
        // Putting a piece where the same piece stands takes it off.
        let is_there = from.is_none() && pieces[site.index()] == piece;
        pieces[site.index()] = piece.filter(|_| !is_there);
        position.snapshot.cut.retain(|cut| *cut != site);
        if symbol == CUT && can_cut(game) {
            position.snapshot.cut.push(site);
            position.snapshot.cut.sort_unstable();
        }
    }
    let mut text = position.write(game);
    if let Some(mover) = arguments.maybe_text("mover") {
        let is_kept = |line: &&str| {
            !["to move:", "phase:", "step:", "left:"].iter().any(|key| line.starts_with(key))
        };
        let lines: Vec<&str> = text.lines().filter(is_kept).collect();
        text = format!("{}\nto move: {mover}\n", lines.join("\n"));
        text = read(game, &text)?.write(game);
    }
    if let Some(memory) = arguments.value("memory") {
        let name = memory["name"].as_str().unwrap_or_default();
        let value = memory["value"].as_str().unwrap_or_default().trim();
        let start = format!("{name}:");
        let lines = text.lines().map(|line| match line.starts_with(&start) {
            true => format!("{name}: {value}"),
            false => line.to_owned(),
        });
        text = lines.collect::<Vec<String>>().join("\n");
        text = read(game, &text)?.write(game);
    }
    let position = read(game, &text)?;
    let memories = write_memories(rules, &position.snapshot);
    let mover = text.lines().find_map(|line| line.strip_prefix("to move: "));
    let movers = rules.players.iter().map(|player| player.name.as_str());
    let tray = tray.iter().map(|(occupant, symbol, name)| {
        let owner = occupant.owner.map(|owner| player(rules, owner));
        let picture = figure(rules, *occupant);
        json!({ "symbol": symbol, "name": name, "player": owner, "picture": picture })
    });
    let mut answer = json!({
        "position": text,
        "tray": tray.collect::<Vec<Value>>(),
        "cuts": can_cut(game),
        "mover": mover,
        "movers": movers.collect::<Vec<&str>>(),
        "memories": memories.iter().map(|memory| {
            json!({ "name": memory.name, "value": memory.value })
        }).collect::<Vec<Value>>(),
    });
    let state = shown_state(game, &position)?;
    let picture = touch_svg(&Scene::of(&state), "set-up-");
    let sites = picture.sites.iter().map(
        |site| json!({ "name": site.name, "label": site.label, "at": [site.at.0, site.at.1] }),
    );
    answer["board"] = json!(picture.svg);
    answer["sites"] = sites.collect();
    answer["radius"] = json!(picture.radius);
    Ok(answer)
}

/// Returns the edits that make a position the setup of the rules, and a note about the parts of the
/// position that a setup cannot express.
pub fn set_up(desk: &mut Desk, arguments: &Arguments) -> Result<Value, Refused> {
    desk.settle();
    let state = &desk.run.as_ref().ok_or("the rules cannot be played yet")?.state;
    let game = state.game();
    let position = read(game, arguments.text("position")?)?;
    let begins = game.begin().is_ok_and(|start| start.snapshot() == position.snapshot);
    if begins && desk.draft.text == arguments.text("text")? {
        let message = "the game begins with these pieces and memories already; who begins is said by the order of play";
        return Err(message.into());
    }
    let sources = written(&desk.study, arguments)?;
    let text = sources.text_of(0);
    let edit = setup_edit(text, &setup(game.rules(), &position.snapshot));
    let after = sources
        .spliced(&Edit { span: edit.span.shifted(sources.byte_of(0, 0)), text: edit.text.clone() });
    let made = load(&after, &desk.draft.options).map_err(|error| Refused::from(error.summary()))?;
    let start = made.begin().map_err(|fault| Refused::from(fault.to_string()))?;
    let mut notes = Vec::new();
    if start.snapshot() != position.snapshot {
        notes.push(
            "The start differs from what you have set up: the rules change the board or a memory \
             before the first move, or keep something that a setup cannot write.",
        );
    }
    let first = PositionText::of(&start).write(&made);
    let mover = |text: &str| {
        let line = text.lines().find(|line| line.starts_with("to move: "));
        line.map(str::to_owned)
    };
    if mover(&first) != mover(arguments.text("position")?) {
        notes.push("Who begins is said by the order of play, not by the setup.");
    }
    let offsets = Offsets::new(text);
    Ok(json!({
        "changes": [{ "at": offsets.range(edit.span), "text": edit.text }],
        "note": notes.join(" "),
    }))
}

/// Reads a move; if the text is no move in any position, returns why.
fn no_move(state: &State, text: &str) -> Option<Refusal> {
    let refusal = crate::why::read(state, text).err()?;
    refusal.reason.is_no_move().then_some(refusal)
}

/// Writes and runs a rule case of the given position, or else of the current one. `title` is its
/// title, `expect` a list of keys with values.
pub fn must_be(desk: &mut Desk, arguments: &Arguments) -> Result<Value, Refused> {
    desk.settle();
    let state = &desk.run.as_ref().ok_or("the rules cannot be played yet")?.state;
    let game = state.game();
    let title = arguments.text("title")?.split_whitespace().collect::<Vec<&str>>().join(" ");
    let title = title.replace('#', "");
    if title.is_empty() {
        return Err("say in a sentence what the case shows".into());
    }
    let start = Start::write(state);
    let start = match arguments.maybe_text("position") {
        Some(text) => {
            let options = start.split("position:").next().unwrap_or_default();
            format!("{options}position:\n{}", read(game, text)?.write(game))
        }
        None => start,
    };
    let expect = arguments.value("expect").and_then(Value::as_array).cloned().unwrap_or_default();
    let mut text = format!("title: {title}\n{}\n", start.trim_end());
    for line in &expect {
        let key = line["key"].as_str().unwrap_or_default();
        if !["legal", "illegal", "play", "result", "moves", "count", "mover"].contains(&key) {
            return Err("a case cannot expect this".into());
        }
        let value = line["value"].as_str().unwrap_or_default().replace(['\n', '#'], " ");
        // A text that is no move in any position is an error of the designer, and the case is not
        // run.
        if ["legal", "illegal", "play"].contains(&key)
            && let Some(refusal) = value.split(',').find_map(|said| no_move(state, said.trim()))
        {
            let about = shown(&refusal.line()).into_owned();
            return Ok(json!({ "text": text, "holds": false, "misread": true, "about": about }));
        }
        text.push_str(format!("{key}: {}", value.trim()).trim_end());
        text.push('\n');
    }
    let sources: Sources = desk.study.sources.clone();
    let report = Runner::new(sources).run(&text, &[]);
    let faults: Vec<String> = report
        .differences
        .iter()
        .map(|fault| match &*fault.expected {
            "" => fault.found.clone(),
            expected => format!("expected {expected}, found {}", fault.found),
        })
        .collect();
    Ok(json!({
        "text": text, "holds": report.passed(), "misread": false, "about": shown(&faults.join("; ")),
    }))
}

/// Lists the legal moves of the current position, at most `MAX_MOVES`.
pub fn moves(desk: &mut Desk) -> Result<Value, Refused> {
    desk.settle();
    desk.listable()?;
    let state = &desk.run.as_ref().ok_or("the rules cannot be played yet")?.state;
    let result = state.outcome().map(|over| outcome(state.game().rules(), Some(over)));
    let mut moves = if result.is_some() { Vec::new() } else { legal(state) };
    let count = moves.len();
    moves.truncate(MAX_MOVES);
    Ok(json!({ "moves": moves, "count": count, "result": result }))
}

/// Returns the edits that add a claim to the rules.
pub fn claim(desk: &Desk, arguments: &Arguments) -> Result<Value, Refused> {
    let sources = written(&desk.study, arguments)?;
    let text = sources.text_of(0);
    let sentence = arguments.text("sentence")?.replace('\\', "\\\\").replace('"', "\\\"");
    let rules = format!("(claim \"{}\" {})", sentence.trim(), arguments.text("form")?.trim());
    let tree = parse(text);
    let whole = tree.forms.first().and_then(Node::as_form).and_then(<[Node]>::last);
    let at = whole.ok_or("the file has no game")?.span.end;
    let edit = Edit { span: Span::new(at, at), text: format!("\n\n  {rules}") };
    let after = sources
        .spliced(&Edit { span: edit.span.shifted(sources.byte_of(0, 0)), text: edit.text.clone() });
    load(&after, &desk.draft.options).map_err(|error| Refused::from(error.summary()))?;
    let offsets = Offsets::new(text);
    Ok(json!({ "changes": [{ "at": offsets.range(edit.span), "text": edit.text }] }))
}

/// Reads a position from the text of an earlier answer.
fn read(game: &Game, text: &str) -> Result<PositionText, Refused> {
    let lines = Line::split(text);
    let position = PositionText::read_whole(game, &lines);
    begun(game, position.map_err(|misread| Refused::from(misread.message))?)
}

/// Replaces the end of the game, or the beginning of its rules, by the game's first ply.
fn begun(game: &Game, position: PositionText) -> Result<PositionText, Refused> {
    if position.decision.is_some() {
        return Ok(position);
    }
    let first = game.decisions().first().ok_or("the game has no ply")?;
    let counters = vec![1; first.counters];
    Ok(PositionText { decision: Some(0), counters, outcome: None, beginning: None, ..position })
}

/// Returns a state for drawing: the statements before the ply are not executed.
fn shown_state(game: &Game, position: &PositionText) -> Result<State, Refused> {
    let still = PositionText { beginning: None, ..position.clone() };
    still.begin(game).map_err(Refused::from)
}

fn can_cut(game: &Game) -> bool {
    game.program().layout.cut.is_some()
}

/// Writes a setup: the pieces by kind and owner, the cut sites, and the memories whose values
/// differ from their first ones and can be set by a statement.
fn setup(rules: &Rules, snapshot: &Snapshot) -> String {
    let mut lines = Vec::new();
    let piles: Vec<(Site, Vec<Occupant>)> =
        rules.board.sites().map(|site| (site, snapshot.pile(rules, site))).collect();
    let highest = piles.iter().map(|(_, pile)| pile.len()).max().unwrap_or(0);
    // The lowest pieces first.
    for level in 0..highest {
        for (occupant, _, _) in symbols(rules) {
            let here = piles.iter().filter(|(_, pile)| pile.get(level) == Some(&occupant));
            let sites: Vec<&str> = here.map(|&(site, _)| rules.board.label(site)).collect();
            if sites.is_empty() {
                continue;
            }
            let piece = &rules.pieces[occupant.piece.index()].name;
            let owner =
                occupant.owner.map(|owner| format!(" {}", rules.players[owner.index()].name));
            lines.push(format!("(put {piece} {}{})", region(&sites), owner.unwrap_or_default()));
        }
    }
    if !snapshot.cut.is_empty() {
        let sites: Vec<&str> = snapshot.cut.iter().map(|&site| rules.board.label(site)).collect();
        lines.push(format!("(cut {})", region(&sites)));
    }
    let before = Snapshot::empty(rules);
    for (index, memory) in rules.memories.iter().enumerate() {
        // No statement can set a memory that the checker has added.
        let is_added = memory.span.is_empty() || rules.is_of_pile(MemoryId(index as u16));
        if is_added || memory.values_per_player() != 1 {
            continue;
        }
        for (number, value) in snapshot.memories[index].iter().enumerate() {
            if before.memories[index].get(number) == Some(value) {
                continue;
            }
            let owner = rules.players.get(number).filter(|_| memory.per_player);
            let name = match owner {
                Some(owner) => format!("({} {})", memory.name, owner.name),
                None => memory.name.clone(),
            };
            match value {
                MemoryValue::Sites(sites) => {
                    let sites: Vec<&str> =
                        sites.iter().map(|&site| rules.board.label(site)).collect();
                    lines.push(format!("(mark {} {name})", region(&sites)));
                }
                value => {
                    lines.extend(of_one(rules, value).map(|value| format!("(set {name} {value})")))
                }
            }
        }
    }
    let lines: String = lines.iter().map(|line| format!("\n    {line}")).collect();
    format!("(setup{lines})")
}

/// Writes a single value, as a setup spells it; `None` for sets and lists.
fn of_one(rules: &Rules, value: &MemoryValue) -> Option<String> {
    match value {
        MemoryValue::Number(number) => Some(number.to_string()),
        MemoryValue::Site(site) => {
            Some(site.map_or("nowhere", |site| rules.board.label(site)).to_owned())
        }
        MemoryValue::Player(of) => Some(player(rules, *of).to_owned()),
        MemoryValue::Kind(kind) => kind.map(|kind| rules.pieces[kind.index()].name.clone()),
        MemoryValue::Direction(way) => way.map(|way| rules.board.direction_name(way)),
        MemoryValue::Condition(holds) => Some(holds.to_string()),
        _ => None,
    }
}

fn region(sites: &[&str]) -> String {
    match sites {
        [site] => (*site).to_owned(),
        sites => format!("(sites {})", sites.join(" ")),
    }
}

/// Returns the edit that replaces the setup of a file, or adds one before the parts that usually
/// follow it.
fn setup_edit(text: &str, setup: &str) -> Edit {
    let parts = parts(text);
    if let Some(part) = parts.iter().find(|part| part.row.spelling == "setup") {
        return Edit { span: part.span, text: setup.to_owned() };
    }
    let later = parts.iter().find(|part| {
        // The outline also lists players with a direction, which are no parts of the game.
        let form = format!("({}", part.row.spelling);
        part.span.text(text).starts_with(&form) && rank(&form) > rank("(setup")
    });
    match later {
        Some(part) => {
            let at = part.span.start;
            Edit { span: Span::new(at, at), text: format!("{setup}\n\n  ") }
        }
        None => {
            let at = text.trim_end().len().saturating_sub(1);
            Edit { span: Span::new(at, at), text: format!("\n\n  {setup}") }
        }
    }
}
