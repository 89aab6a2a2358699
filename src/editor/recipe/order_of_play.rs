//! Merges the order of play of a recipe with the game's: the recipe's statements before and after
//! its choice are put around the game's choice, which then offers the moves of both.

use super::naming::with_words;
use super::{Insertion, Merging, first_choice};
use crate::syntax::{Node, Tree, parse};

impl Insertion<'_> {
    /// Merges the recipe's order of play into the game's first choice; false if that choice offers
    /// no move by its verb.
    pub(super) fn merge_play(&mut self, choice: &Node, play: &str, merging: Merging) -> bool {
        let nodes = choice.as_form().unwrap_or_default();
        let (otherwise, goes_on) = (named(nodes, "otherwise"), named(nodes, "go-on"));
        let moves: Vec<&Node> = nodes[1..].iter().filter(|node| node.as_word().is_some()).collect();
        let Some(last) = moves.last() else { return false };
        let offered: Vec<String> =
            moves.iter().filter_map(|node| node.as_word()).map(str::to_owned).collect();
        let play = with_words(play, &self.stand_in(&offered));
        let tree = parse(&play);
        let statements = statements(&tree);
        let is_choice = |node: &Node| node.head().is_some_and(|(head, _)| head == "choose");
        let index = statements.iter().position(is_choice);
        let theirs = index.and_then(|index| statements[index].as_form()).unwrap_or_default();
        let mut added: Vec<&str> = theirs.iter().skip(1).filter_map(Node::as_word).collect();
        // A recipe without an order of play of its own offers all its moves.
        if merging == Merging::Offered || index.is_none() {
            added = self.verbs.iter().map(String::as_str).collect();
        }
        let is_new = |verb: &&str| !offered.iter().any(|other| other == verb);
        added.retain(|verb| is_new(verb) && self.verbs.iter().any(|own| own == verb));
        let added: String = added.iter().map(|verb| format!(" {verb}")).collect();
        let (Some(index), Merging::Grown | Merging::Whole) = (index, merging) else {
            if merging == Merging::Beside && !play.is_empty() {
                self.comment(&play);
            } else if merging != Merging::Beside {
                // The recipe would add neither a move nor a statement.
                if added.is_empty() && !play.is_empty() {
                    return false;
                }
                self.put(last.span.end, &added);
            }
            return true;
        };
        let indent = self.text[self.text[..choice.span.start].rfind('\n').map_or(0, |end| end + 1)
            ..choice.span.start]
            .chars()
            .count();
        let gap = format!("\n{}", " ".repeat(indent));
        for statement in &statements[..index] {
            self.put(choice.span.start, &format!("{}{gap}", statement.span.text(&play)));
        }
        self.put(last.span.end, &added);
        match (named(theirs, "go-on"), goes_on) {
            (Some(wanted), Some(own)) => {
                let words = |node: &Node| -> Vec<String> {
                    let words = node.as_form().unwrap_or_default().iter().skip(1);
                    words.filter_map(Node::as_word).map(str::to_owned).collect()
                };
                let known = words(own);
                let more = words(wanted).into_iter().filter(|verb| !known.contains(verb));
                let more: String = more.map(|verb| format!(" {verb}")).collect();
                self.put(own.span.end - 1, &more);
            }
            (Some(wanted), None) => {
                self.put(last.span.end, &format!("{gap}  {}", wanted.span.text(&play)));
            }
            (None, _) => {}
        }
        match (named(theirs, "otherwise"), otherwise) {
            (Some(wanted), Some(own)) => self.nest(own, wanted, &play),
            (Some(wanted), None) => {
                self.put(choice.span.end - 1, &format!("{gap}  {}", wanted.span.text(&play)));
            }
            (None, _) => {}
        }
        for statement in &statements[index + 1..] {
            self.put(choice.span.end, &format!("{gap}{}", statement.span.text(&play)));
        }
        true
    }

    /// Puts the recipe's statement for the case that no move is legal around the game's, or
    /// replaces it.
    fn nest(&mut self, own: &Node, wanted: &Node, play: &str) {
        let text = wanted.span.text(play);
        let inner = first_choice(wanted).filter(|choice| {
            let nodes = choice.as_form().unwrap_or_default();
            nodes.iter().all(|node| node.as_form().is_none())
        });
        match inner {
            Some(choice) => {
                let at = choice.span.end - 1 - wanted.span.start;
                let (before, after) = text.split_at(at);
                self.put(own.span.start, &format!("{before} "));
                self.put(own.span.end, after);
            }
            None => self.replace(own, text),
        }
    }
}

/// Returns the statements of the turns of an order of play.
fn statements(tree: &Tree) -> &[Node] {
    let play = tree.forms.first().and_then(Node::as_form).unwrap_or_default();
    let turns = play.iter().find(|node| node.head().is_some_and(|(head, _)| head == "turns"));
    turns.and_then(Node::as_form).and_then(|nodes| nodes.get(1..)).unwrap_or_default()
}

/// Finds the form with this head.
fn named<'n>(nodes: &'n [Node], head: &str) -> Option<&'n Node> {
    nodes.iter().find(|node| node.head().is_some_and(|(known, _)| known == head))
}
