//! Inserts a recipe into a game. Each part of the recipe goes where a game has such parts; a part
//! that a game has only once is merged with the game's own; a name that is taken is replaced by a
//! new one.
//!
//! The result is checked before it is returned. If the recipe does not fit, for example because it
//! names sites that the board lacks, the next weaker `Merging` is tried; the last one inserts the
//! recipe as a comment, from which the designer copies what fits. So a recipe never adds an error
//! to a game.

mod naming;
mod order_of_play;
mod own_move;

use self::naming::{declaration, renamings, with_words};
use super::completion::word_at;
use super::outline::{OutlinePart, parts};
use super::path_to;
use crate::language::check;
use crate::language::finding::{Code, Edit, Fix, Severity};
use crate::language::ludemes::{Kind, Ludeme, rows};
use crate::language::recipes::Recipe;
use crate::language::samples::rank;
use crate::language::sources::Sources;
use crate::syntax::{Node, Span, Tree, parse};
use std::collections::BTreeMap;

/// The names by which recipes refer to a move and a piece of the game.
const OWN_MOVE: &str = "drop";
const OWN_PIECE: &str = "Stone";

/// How much of a recipe is merged with the game; each variant less than the one before.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Merging {
    /// Everything; the recipe's move that places a piece is merged with the game's.
    Grown,
    /// Everything, but the recipe's moves stand beside the game's.
    Whole,
    /// The parts, and of the order of play only that it offers the recipe's moves.
    Offered,
    /// The parts, but the recipe's order of play becomes a comment.
    Beside,
    /// Everything, and the recipe's board replaces the game's.
    Board,
    /// Nothing: the whole recipe becomes a comment.
    Comment,
}

/// Returns the edits that insert a recipe into a file of a game, in the order of the text; spans
/// are of that file. The list is empty if the game already has all of the recipe. An empty file
/// becomes the complete game of the recipe. If the recipe could change several moves of the game,
/// it changes the one at the byte `at`.
///
/// ```
/// use ludwright::editor::recipe::insert;
/// use ludwright::language::recipes::{Entry, find};
/// use ludwright::language::{finding::Fix, sources::Sources};
///
/// let text = "(game \"G\"
///   (players White Black)
///   (board (square 3))
///   (piece Stone)
///   (move place (to t (empty)) (put Stone t))
///   (play (turns (choose place))))";
/// let Some(Entry::Recipe(pass)) = find("pass") else { unreachable!() };
/// let edits = insert(&Sources::from(text), 0, None, &[], pass);
/// let after = Fix { title: String::new(), edits }.applied(text);
/// assert!(after.contains("  (move pass)\n"));
/// assert!(after.ends_with("  (play (turns (choose place pass))))"), "{after}");
/// ```
pub fn insert(
    sources: &Sources,
    file: usize,
    at: Option<usize>,
    options: &[(String, String)],
    recipe: &Recipe,
) -> Vec<Edit> {
    let text = sources.text_of(file);
    let tree = parse(text);
    if tree.forms.is_empty() && tree.faults.is_empty() {
        let sample = recipe.sample().text;
        let gap = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
        return vec![Edit {
            span: Span::new(text.len(), text.len()),
            text: gap.to_owned() + &sample,
        }];
    }
    let before = errors(sources, options);
    let all = [Merging::Grown, Merging::Whole, Merging::Offered, Merging::Beside, Merging::Board];
    let merged = all.into_iter().find_map(|merging| {
        let edits = Insertion::new(sources, (file, at), &tree, recipe)?.edits(merging);
        let start = sources.byte_of(file, 0);
        let shifted = edits.iter().rev();
        let after = shifted.fold(sources.clone(), |sources, edit| {
            sources.spliced(&Edit { span: edit.span.shifted(start), text: edit.text.clone() })
        });
        has_no_more(&errors(&after, options), &before).then_some(edits)
    });
    merged.unwrap_or_else(|| match Insertion::new(sources, (file, at), &tree, recipe) {
        Some(insertion) => insertion.edits(Merging::Comment),
        None => {
            let comment = format!("\n{}\n", commented(recipe, recipe.parts, ""));
            vec![Edit { span: Span::new(text.len(), text.len()), text: comment }]
        }
    })
}

/// Finds the span of the recipe name that is being typed at a byte: the word there, with its
/// brackets if they contain nothing else. `None` where no name is typed, or if the span has several
/// lines.
pub fn name_at(text: &str, byte: usize) -> Option<Span> {
    let word = word_at(text, byte)?;
    let tree = parse(text);
    let is_own = |node: &&&Node| {
        let parts = node.as_form().unwrap_or_default();
        node.as_form().is_some()
            && node.span.start + 1 == word.start
            && parts.iter().all(|part| part.span == word)
    };
    let path = path_to(&tree.forms, word.start);
    let Some(form) = path.iter().find(is_own) else { return Some(word) };
    let is_closed = form.span.text(text).ends_with(')');
    let end = if is_closed { form.span.end } else { word.end };
    let name = Span::new(form.span.start, end);
    (!name.text(text).contains(['\n', '\r'])).then_some(name)
}

/// Returns the edits that insert a recipe into a file when its name is completed, in the order of
/// the text: the edits of [`insert`], and the removal of the name's line if nothing else is on it.
/// The caller removes the name itself, as [`name_at`] finds it; no edit may overlap the name or
/// insert text there, and `None` is returned if one would.
pub fn complete(
    sources: &Sources,
    file: usize,
    name: Span,
    options: &[(String, String)],
    recipe: &Recipe,
) -> Option<Vec<Edit>> {
    let text = sources.text_of(file);
    let line = text[..name.start].rfind('\n').filter(|&end| {
        let after = text[name.end..].split('\n').next().unwrap_or_default();
        text[end..name.start].trim().is_empty() && after.trim().is_empty()
    });
    let line = line.map(|end| end - usize::from(text[..end].ends_with('\r')));
    let gone = Span::new(line.unwrap_or(name.start), name.end);
    let start = sources.byte_of(file, 0);
    let without = sources.spliced(&Edit { span: gone.shifted(start), text: String::new() });
    let (mut edits, mut before) = (Vec::new(), String::new());
    for Edit { span, text } in insert(&without, file, Some(gone.start), options, recipe) {
        if span == Span::new(gone.start, gone.start) {
            before.push_str(&text);
        } else if span.end <= gone.start {
            edits.push(Edit { span, text });
        } else if span.start >= gone.start {
            edits.push(Edit { span: span.shifted(gone.end - gone.start), text });
        } else {
            return None;
        }
    }
    let mut from = gone.start;
    if from == name.start && !before.is_empty() {
        // An insertion at the name itself becomes a replacement of the letter before it.
        let letter = text[..from].chars().next_back()?;
        from -= letter.len_utf8();
        before.insert(0, letter);
    }
    if edits.iter().any(|edit| edit.span.end > from && edit.span.start < name.start) {
        return None;
    }
    if from < name.start {
        edits.push(Edit { span: Span::new(from, name.start), text: before });
    }
    edits.sort_by_key(|edit| edit.span);
    Some(edits)
}

/// Inserts a recipe whose name was typed inside a form that the recipe changes, where [`complete`]
/// returns `None`. Returns one edit, which also removes the name.
pub fn replace(
    sources: &Sources,
    file: usize,
    name: Span,
    options: &[(String, String)],
    recipe: &Recipe,
) -> Edit {
    let text = sources.text_of(file);
    let gone = Edit { span: name.shifted(sources.byte_of(file, 0)), text: String::new() };
    let without = sources.spliced(&gone);
    let edits = insert(&without, file, Some(name.start), options, recipe);
    let after = Fix { title: String::new(), edits }.applied(without.text_of(file));
    let same = |(one, other): &(char, char)| one == other;
    let length =
        |pairs: Vec<(char, char)>| pairs.iter().map(|(one, _)| one.len_utf8()).sum::<usize>();
    let before = length(text.chars().zip(after.chars()).take_while(same).collect());
    let ends = text[before..].chars().rev().zip(after[before..].chars().rev());
    let behind = length(ends.take_while(same).collect());
    let span = Span::new(before, text.len() - behind);
    Edit { span, text: after[before..after.len() - behind].to_owned() }
}

/// Lists the error codes of a game. Messages are not compared, because they may name lines, which
/// move.
fn errors(sources: &Sources, options: &[(String, String)]) -> Vec<Code> {
    let codes = check(sources, options).findings.into_iter().map(|finding| finding.code);
    codes.filter(|code| code.severity() == Severity::Error).collect()
}

/// Tests if each error occurred at least as often before.
fn has_no_more(after: &[Code], before: &[Code]) -> bool {
    let count = |errors: &[Code], code: &Code| errors.iter().filter(|other| *other == code).count();
    after.iter().all(|code| count(after, code) <= count(before, code))
}

/// Writes rules as a comment that names the recipe.
fn commented(recipe: &Recipe, rules: &str, indent: &str) -> String {
    let lines = rules.lines().map(|line| format!("\n{indent}; {line}"));
    format!("{indent}; The recipe \"{}\":{}", recipe.title(), lines.collect::<String>())
}

/// The insertion of a recipe into a game.
struct Insertion<'t> {
    text: &'t str,
    tree: &'t Tree,
    /// The form of the game, the variant or the definitions.
    whole: &'t Node,
    recipe: &'t Recipe,
    /// The byte at which the designer points.
    at: Option<usize>,
    /// The recipe's parts, with the names that they get in the game.
    parts: String,
    /// The order of play of the recipe.
    play: Option<String>,
    /// The recipe's name for the move by which the game places pieces.
    own_verb: String,
    /// The verbs that the recipe declares.
    verbs: Vec<String>,
    /// The verbs of the game.
    moves: Vec<String>,
    /// The text to insert at each byte, in order.
    insertions: BTreeMap<usize, String>,
    replacements: Vec<Edit>,
}

impl<'t> Insertion<'t> {
    /// Prepares an insertion; `None` if the file has no form with parts.
    fn new(
        sources: &'t Sources,
        (file, at): (usize, Option<usize>),
        tree: &'t Tree,
        recipe: &'t Recipe,
    ) -> Option<Insertion<'t>> {
        let text = sources.text_of(file);
        let is_whole = |form: &&Node| {
            form.head()
                .is_some_and(|(head, _)| matches!(head, "game" | "variant-of" | "definitions"))
        };
        let whole = tree.forms.iter().find(is_whole)?;
        let declared: Vec<(usize, OutlinePart)> = (0..sources.names().len())
            .flat_map(|file| parts(sources.text_of(file)).into_iter().map(move |part| (file, part)))
            .collect();
        let (renamed, reused) = renamings(sources, &declared, recipe);
        let recipe_tree = parse(recipe.parts);
        let kept = recipe_tree.forms.iter().filter(|part| !reused.contains(&part.span));
        let kept: Vec<&str> = kept.map(|part| part.span.text(recipe.parts)).collect();
        let parts = with_words(&kept.join("\n"), &renamed);
        let is_play = |node: &&Node| node.head().is_some_and(|(head, _)| head == "play");
        let play = recipe_tree.forms.iter().find(is_play);
        let play = play.map(|play| with_words(play.span.text(recipe.parts), &renamed));
        let own_verb = renamed.get(OWN_MOVE).cloned().unwrap_or_else(|| OWN_MOVE.to_owned());
        let verbs = recipe_tree.forms.iter().filter_map(declaration).filter_map(|(head, name)| {
            let new = renamed.get(&name).cloned().unwrap_or(name);
            (head == "move").then_some(new)
        });
        let verbs = verbs.collect();
        let moves = declared
            .iter()
            .filter(|(_, part)| part.row.ludeme == Ludeme::MoveRule)
            .map(|(_, part)| part.name.clone())
            .collect();
        let (insertions, replacements) = (BTreeMap::new(), Vec::new());
        Some(Insertion {
            text,
            tree,
            whole,
            recipe,
            at,
            parts,
            play,
            own_verb,
            verbs,
            moves,
            insertions,
            replacements,
        })
    }

    fn edits(mut self, merging: Merging) -> Vec<Edit> {
        let parts = std::mem::take(&mut self.parts);
        let is_variant = self.whole.head().is_some_and(|(head, _)| head == "variant-of");
        let tree = parse(&parts);
        if merging == Merging::Comment {
            self.comment(self.recipe.parts);
        } else {
            for part in &tree.forms {
                let rules = part.span.text(&parts);
                let head = part.head().map_or("", |(head, _)| head);
                match (head, self.standing(head)) {
                    ("play", Some(_)) => {}
                    // In a variant, the part would replace the base game's part.
                    ("play" | "end" | "board" | "repetition" | "players", None) if is_variant => {
                        self.comment(rules);
                    }
                    ("play", None) => {
                        let play = self.with_all_moves(rules);
                        self.add(&play);
                    }
                    ("end", Some(end)) => self.add_clauses(end, part, &parts),
                    ("board", Some(board)) => self.merge_board(board, part, &parts, merging),
                    ("repetition", Some(old)) => self.replace(old, rules),
                    ("players", Some(players)) => self.add_sides(players, part),
                    ("move", _) if merging == Merging::Grown && self.grow(part, &parts) => {}
                    _ => self.add(rules),
                }
            }
            if let Some(standing) = self.standing("play") {
                let play = self.play.take().unwrap_or_default();
                let choice = first_choice(standing);
                let is_merged =
                    choice.is_some_and(|choice| self.merge_play(choice, &play, merging));
                if !is_merged && !play.is_empty() {
                    self.comment(&play);
                }
            }
        }
        let mut edits = self.replacements;
        let added = self.insertions.into_iter();
        edits.extend(added.map(|(at, text)| Edit { span: Span::new(at, at), text }));
        edits.sort_by_key(|edit| edit.span);
        edits
    }

    /// Adds all moves of the game to the choice of an order of play, for a game without one.
    fn with_all_moves(&self, play: &str) -> String {
        let play = with_words(play, &self.stand_in(&self.moves));
        let tree = parse(&play);
        let Some(choice) = tree.forms.first().and_then(first_choice) else { return play };
        let offered: Vec<&str> =
            choice.as_form().unwrap_or_default().iter().filter_map(Node::as_word).collect();
        let missing = self.moves.iter().filter(|verb| !offered.contains(&verb.as_str()));
        let missing: String = missing.map(|verb| format!(" {verb}")).collect();
        let at = choice.head().map_or(choice.span.start, |(_, word)| word.end);
        format!("{}{missing}{}", &play[..at], &play[at..])
    }

    /// Returns the replacement for the move that a recipe uses without declaring it, or that is
    /// merged with a move of the game.
    fn stand_in(&self, offered: &[String]) -> BTreeMap<String, String> {
        let is_known = |verbs: &[String]| verbs.contains(&self.own_verb);
        match is_known(&self.verbs) || is_known(offered) && self.own_verb == OWN_MOVE {
            true => BTreeMap::new(),
            false => BTreeMap::from([(self.own_verb.clone(), offered.join(" "))]),
        }
    }

    /// Finds the file's part with this head, of which a game has only one.
    fn standing(&self, head: &str) -> Option<&'t Node> {
        let is_standing = |node: &&Node| node.head().is_some_and(|(word, _)| word == head);
        self.whole.as_form()?.iter().find(is_standing)
    }

    /// Inserts text at a byte, after earlier insertions there.
    fn put(&mut self, at: usize, text: &str) {
        if text.is_empty() {
            return;
        }
        self.insertions.entry(at).or_default().push_str(text);
    }

    /// Adds a part after the last of the parts that usually precede it.
    fn add(&mut self, rules: &str) {
        let own = rank(rules);
        let gap = if own >= rank("(define)") { "\n\n" } else { "\n" };
        let (at, indent) = self.place(own);
        let lines = rules.lines().map(|line| format!("{indent}{line}")).collect::<Vec<String>>();
        self.put(at, &format!("{gap}{}", lines.join("\n")));
    }

    /// Adds a comment after the last part.
    fn comment(&mut self, rules: &str) {
        let (at, indent) = self.place(rank("(repetition)"));
        let comment = commented(self.recipe, rules, &indent);
        // The line break keeps the closing bracket out of the comment.
        self.put(at, &format!("\n\n{comment}\n{indent}"));
    }

    /// Returns where a part of this rank is added, and how parts are indented.
    fn place(&self, rank_of_part: usize) -> (usize, String) {
        let nodes = self.whole.as_form().unwrap_or_default();
        let is_part = |node: &&Node| {
            node.head().is_some_and(|(head, _)| rows(head).any(|row| row.result == Kind::Part))
        };
        let indent = nodes.iter().filter(is_part).find_map(|part| self.indent(part));
        let indent = indent.unwrap_or_else(|| "  ".to_owned());
        let before = nodes
            .iter()
            .filter(is_part)
            .rfind(|part| rank(part.span.text(self.text)) <= rank_of_part)
            .or_else(|| nodes.iter().take_while(|node| node.as_form().is_none()).last());
        let end = before.map_or(self.whole.span.start + 1, |node| node.span.end);
        (self.after_comment(end), indent)
    }

    /// Returns the white space before a node that begins its line.
    fn indent(&self, node: &Node) -> Option<String> {
        let line = self.text[..node.span.start].rfind('\n').map_or(0, |end| end + 1);
        let before = &self.text[line..node.span.start];
        before.chars().all(char::is_whitespace).then(|| before.to_owned())
    }

    /// Returns the end of the comment that follows a byte on its line, or else the byte.
    fn after_comment(&self, end: usize) -> usize {
        let comment = self.tree.comments.iter().find(|comment| comment.span.start >= end);
        let is_behind = |start: usize| {
            self.text[end..start].chars().all(|letter| letter.is_whitespace() && letter != '\n')
        };
        comment
            .filter(|comment| is_behind(comment.span.start))
            .filter(|comment| comment.span.end < self.whole.span.end)
            .map_or(end, |comment| comment.span.end)
    }

    /// Adds the clauses of an `end` before those of the game, so that they are tested first.
    fn add_clauses(&mut self, end: &Node, part: &Node, rules: &str) {
        let clauses = part.as_form().unwrap_or_default().iter().skip(1);
        let clauses = clauses.map(|clause| clause.span.text(rules));
        let nodes = end.as_form().unwrap_or_default();
        let (Some(head), Some(first)) = (nodes.first(), nodes.get(1)) else { return };
        match self.indent(first) {
            Some(indent) => {
                let clauses: String = clauses.map(|clause| format!("{clause}\n{indent}")).collect();
                self.put(first.span.start, &clauses);
            }
            // The clauses get lines of their own; the blank after the head indents the last one.
            None => {
                let outer = self.indent(end).unwrap_or_else(|| "  ".to_owned());
                let clauses: String =
                    clauses.map(|clause| format!("\n{outer}  {clause}")).collect();
                self.put(head.span.end, &format!("{clauses}\n{outer} "));
            }
        }
    }

    /// Adds the board details that the game's board lacks. If there are none, or not all of them
    /// fit, the recipe's board replaces the game's.
    fn merge_board(&mut self, board: &Node, part: &Node, rules: &str, merging: Merging) {
        let nodes = board.as_form().unwrap_or_default();
        let heads: Vec<&str> = nodes.iter().filter_map(|node| Some(node.head()?.0)).collect();
        let details = part.as_form().unwrap_or_default().iter().skip(2);
        let missing: String = details
            .filter(|detail| detail.head().is_some_and(|(head, _)| !heads.contains(&head)))
            .map(|detail| format!(" {}", detail.span.text(rules)))
            .collect();
        match missing.is_empty() || merging == Merging::Board {
            true => self.replace(board, part.span.text(rules)),
            false => self.put(board.span.end - 1, &missing),
        }
    }

    /// Adds the players' directions of play, if the game has as many players and does not declare
    /// them.
    fn add_sides(&mut self, players: &Node, part: &Node) {
        let nodes = players.as_form().unwrap_or_default();
        let sides = part.as_form().unwrap_or_default();
        if nodes.len() != sides.len() || nodes.iter().any(|player| player.as_word().is_none()) {
            return;
        }
        for (player, side) in nodes.iter().zip(sides).skip(1) {
            let Some(direction) = side.as_form().and_then(|nodes| nodes.get(1)?.as_word()) else {
                continue;
            };
            self.put(player.span.start, "(");
            self.put(player.span.end, &format!(" {direction})"));
        }
    }

    /// Replaces a part or a clause, unless both are the same. The old text stays before it as a
    /// comment.
    fn replace(&mut self, old: &Node, rules: &str) {
        if old.span.text(self.text).split_whitespace().eq(rules.split_whitespace()) {
            return;
        }
        let line = self.text[..old.span.start].rfind('\n').map_or(0, |end| end + 1);
        let blanks = self.text[line..].chars().take_while(|letter| *letter == ' ').count();
        let indent = " ".repeat(blanks);
        let was: Vec<&str> = old.span.text(self.text).split_whitespace().collect();
        let lead = if self.indent(old).is_some() { String::new() } else { format!("\n{indent}") };
        let text = format!("{lead}; Instead of {}:\n{indent}{rules}", was.join(" "));
        self.replacements.push(Edit { span: old.span, text });
    }
}

/// Finds the first form that begins with `choose`, in the order of the text.
fn first_choice(node: &Node) -> Option<&Node> {
    match node.head() {
        Some(("choose", _)) => Some(node),
        _ => node.as_form()?.iter().find_map(first_choice),
    }
}
