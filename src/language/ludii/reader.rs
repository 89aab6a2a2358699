//! Reads the text of a `.lud` file to a tree of our own nodes, in which options and definitions are
//! expanded.
//!
//! Ludii's brackets, comments and references are first rewritten to ours, byte for byte, so that
//! the spans of the tree are spans of the file, and the limits of [`crate::syntax`] hold for it,
//! too.

use super::library;
use crate::language::finding::{Code, Finding};
use crate::language::format::syntax_findings;
use crate::syntax::{FaultKind, Node, NodeKind, Number, Span, parse};
use std::collections::HashMap;
use std::rc::Rc;

/// The head of a list in braces.
pub(super) const LIST: &str = "{";
/// How large a game may become when its definitions are expanded, in nodes and long texts, and how
/// deeply nested.
const LARGEST: usize = 100_000;
const DEEPEST: usize = 100;

/// An option, with the default of each of its parameters.
pub(super) struct Choice {
    pub tag: String,
    pub title: String,
    pub span: Span,
    /// Its values and the default, if they are numbers.
    pub numbers: Option<(Vec<u16>, u16)>,
    /// Whether there is something to choose.
    pub is_open: bool,
    defaults: Vec<(String, Vec<Node>)>,
}

impl Choice {
    /// Returns the name of our option.
    pub fn name(&self) -> String {
        super::name(&self.title)
    }
}

/// What a file contains.
pub(super) struct File {
    /// The form `(game …)`, expanded.
    pub game: Node,
    /// The options that the game refers to, in order of first mention.
    pub options: Vec<Choice>,
}

/// Reads a file.
///
/// # Errors
/// If its brackets do not match, or there is no game, or its definitions expand to too much.
pub(super) fn read(text: &str) -> Result<File, Vec<Finding>> {
    let mut definitions = library::definitions();
    let (mut game, mut options) = (None, HashMap::new());
    for form in nodes(text, 0)? {
        let Some((head, span)) = form.head() else { continue };
        match (head, form.args()) {
            ("define", [name, body @ ..]) => {
                let name = name.as_text().unwrap_or_default().to_owned();
                definitions.insert(name, (body.into(), true));
            }
            ("option", args) => {
                if let Some(choice) = choice(text, span, args) {
                    options.insert(choice.tag.clone(), choice);
                }
            }
            ("game" | "match", _) if game.is_none() => game = Some(form),
            _ => {}
        }
    }
    let Some(game) = game else {
        let end = text.chars().next().map_or(0, char::len_utf8);
        let finding = Finding::new(Code::NotAGame, Span::new(0, end), "there is no `(game …)`")
            .with_help("a file of Ludii has the rules of a game in `(game \"Name\" …)`");
        return Err(vec![finding]);
    };
    let mut expansion = Expansion { definitions, options, mentioned: Vec::new(), size: 0 };
    let span = game.head_span();
    let expanded = expansion.node(&game, &[], None, 0);
    let Some([game]) = expanded.and_then(|nodes| <[Node; 1]>::try_from(nodes).ok()) else {
        let message = "this game is too large, or its definitions refer to themselves";
        let help = format!(
            "a game may have {LARGEST} ludemes with all that its definitions stand for, nested in at most {DEEPEST} others"
        );
        return Err(vec![Finding::new(Code::RulesTooLarge, span, message).with_help(help)]);
    };
    let Expansion { mut options, mentioned, .. } = expansion;
    Ok(File { game, options: mentioned.iter().filter_map(|tag| options.remove(tag)).collect() })
}

/// Reads forms that begin at a byte of the file.
pub(super) fn nodes(text: &str, start: usize) -> Result<Vec<Node>, Vec<Finding>> {
    let plain = plain(text);
    let tree = parse(&plain);
    let brackets = |kind: &FaultKind| {
        let harmless = [FaultKind::BadNumber, FaultKind::WrongQuotes];
        !harmless.contains(kind) && !matches!(kind, FaultKind::StrayCharacter(_))
    };
    let faults: Vec<_> =
        tree.faults.iter().filter(|fault| brackets(&fault.kind)).cloned().collect();
    if !faults.is_empty() {
        let without_fix = |finding| Finding { fix: None, ..finding };
        return Err(syntax_findings(&plain, &faults).into_iter().map(without_fix).collect());
    }
    let mut nodes = Vec::new();
    tree.forms.into_iter().for_each(|node| marked(node, text, start, &mut nodes));
    Ok(nodes)
}

/// Replaces what only Ludii writes so by what our parser reads, without moving a byte: braces,
/// comments, and the points of numbers and ranges.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    let (mut in_text, mut in_comment, mut escaped) = (false, false, false);
    let mut letters = text.chars().peekable();
    while let Some(letter) = letters.next() {
        in_comment |= !in_text && letter == '/' && letters.peek() == Some(&'/');
        in_comment &= letter != '\n';
        if !in_comment && letter == '"' && !escaped {
            in_text = !in_text;
        }
        if in_comment {
            plain.extend(std::iter::repeat_n(' ', letter.len_utf8() - 1));
        }
        escaped = in_text && letter == '\\' && !escaped;
        plain.push(match letter {
            _ if in_text => letter,
            _ if in_comment && letter != '\n' => ' ',
            '{' => '(',
            '}' => ')',
            '.' => '_',
            ',' | ';' | '[' | ']' => ' ',
            _ => letter,
        });
    }
    plain
}

/// Puts [`LIST`] before the elements of lists, and parts labels from values: `use:Vertex` becomes
/// `use:` and `Vertex`.
fn marked(node: Node, text: &str, start: usize, nodes: &mut Vec<Node>) {
    let span = Span::new(node.span.start + start, node.span.end + start);
    match node.kind {
        NodeKind::Form(parts) => {
            let mut marked_parts = Vec::with_capacity(parts.len());
            if text[node.span.start..].starts_with(LIST) {
                marked_parts.push(Node { kind: NodeKind::Word(LIST.to_owned()), span });
            }
            parts.into_iter().for_each(|part| marked(part, text, start, &mut marked_parts));
            nodes.push(Node { kind: NodeKind::Form(marked_parts), span });
        }
        NodeKind::Word(word) => {
            let label = word.find(':').filter(|_| word.starts_with(char::is_alphabetic));
            let at = label.map_or(word.len(), |at| at + 1);
            for (range, part) in [(0..at, &word[..at]), (at..word.len(), &word[at..])] {
                if part.is_empty() {
                    continue;
                }
                let span = Span::new(span.start + range.start, span.start + range.end);
                let kind = match Number::halves(part) {
                    Some(halves) => NodeKind::Number(Number { text: part.to_owned(), halves }),
                    None => NodeKind::Word(part.to_owned()),
                };
                nodes.push(Node { kind, span });
            }
        }
        kind => nodes.push(Node { kind, span }),
    }
}

/// Reads an option: `(option "Title" <Tag> args:{ <name> } { (item "…" <value> "…")* … })`.
fn choice(text: &str, span: Span, args: &[Node]) -> Option<Choice> {
    let word = |node: &Node| node.as_word().map(|word| word.trim_matches(['<', '>']).to_owned());
    let title = args.first()?.as_text()?.to_owned();
    let tag = word(args.get(1)?)?;
    let mut lists = args.iter().filter(|node| node.head().is_some_and(|(head, _)| head == LIST));
    let parameters: Vec<String> = lists.next()?.args().iter().filter_map(word).collect();
    let (mut items, mut default, mut stars) = (Vec::new(), 0, 0);
    for node in lists.next()?.args() {
        match node.as_word() {
            Some(word) if word.len() > stars && word.chars().all(|letter| letter == '*') => {
                (default, stars) = (items.len().saturating_sub(1), word.len());
            }
            None if node.head().is_some_and(|(head, _)| head == "item") => {
                items.push(values(node.span.text(text), node.span.start));
            }
            _ => {}
        }
    }
    let chosen = items.get(default)?;
    let number = |item: &Vec<(&str, usize)>| match item.as_slice() {
        [(text, _)] => text.trim().parse::<u16>().ok(),
        _ => None,
    };
    let mut numbers: Vec<u16> = items.iter().map_while(number).collect();
    let number = number(chosen).filter(|_| numbers.len() == items.len());
    numbers.sort_unstable();
    numbers.dedup();
    let numbers = number.filter(|_| numbers.len() > 1).map(|default| (numbers, default));
    let is_open = items.len() > 1;
    let read = |&(text, start): &(&str, usize)| nodes(text, start).unwrap_or_default();
    let defaults = parameters.into_iter().zip(chosen.iter().map(read)).collect();
    Some(Choice { tag, title, span, numbers, is_open, defaults })
}

/// Lists the values `<…>` in the text of an item, with the bytes where they start. A value can
/// contain forms, and these `<` and `>`.
fn values(item: &str, start: usize) -> Vec<(&str, usize)> {
    let (mut values, mut opened, mut depth, mut in_text) = (Vec::new(), None, 0_usize, false);
    for (at, letter) in item.char_indices().skip(1) {
        match (letter, opened) {
            ('"', _) => in_text = !in_text,
            _ if in_text => {}
            ('(' | '{', _) => depth += 1,
            (')' | '}', _) => depth = depth.saturating_sub(1),
            ('<', None) if depth == 0 => opened = Some(at + 1),
            ('>', Some(from)) if depth == 0 => {
                values.push((&item[from..at], start + from));
                opened = None;
            }
            _ => {}
        }
    }
    values
}

/// Replaces references to definitions and options.
struct Expansion {
    /// The bodies by name, and whether they stand in the file.
    definitions: HashMap<String, (Rc<[Node]>, bool)>,
    options: HashMap<String, Choice>,
    mentioned: Vec<String>,
    size: usize,
}

impl Expansion {
    /// Expands a node to the nodes that it stands for. The arguments belong to the definition
    /// around the node; `at` is the place where a definition from outside the file is used.
    fn node(
        &mut self,
        node: &Node,
        arguments: &[Vec<Node>],
        at: Option<Span>,
        depth: usize,
    ) -> Option<Vec<Node>> {
        if depth > DEEPEST || !self.grows_by(node, false) {
            return None;
        }
        let span = at.unwrap_or(node.span);
        match &node.kind {
            NodeKind::Word(word) if word.starts_with('#') => {
                let argument = word[1..]
                    .parse()
                    .ok()
                    .and_then(|number: usize| arguments.get(number.checked_sub(1)?));
                let argument = argument.map_or(&[][..], Vec::as_slice);
                let fits = argument
                    .iter()
                    .all(|node| depth + height(node) <= DEEPEST && self.grows_by(node, true));
                return fits.then(|| argument.to_vec());
            }
            NodeKind::Word(word) if word.len() > 2 && word.starts_with('<') => {
                let reference = word.trim_matches(['<', '>']);
                if let Some(value) = self.value(reference, span) {
                    return self.all(&value, arguments, at, depth);
                }
            }
            NodeKind::Text(name) if self.definitions.contains_key(name) => {
                return self.definition(name, &[], span, depth);
            }
            NodeKind::Form(parts) => {
                let name = parts.first().and_then(Node::as_text).unwrap_or_default().to_owned();
                let parts = if self.definitions.contains_key(&name) {
                    let given = self.all(&parts[1..], arguments, at, depth)?;
                    return self.definition(&name, &labelled(given), span, depth);
                } else {
                    self.all(parts, arguments, at, depth)?
                };
                return Some(vec![Node { kind: NodeKind::Form(parts), span }]);
            }
            _ => {}
        }
        Some(vec![Node { kind: node.kind.clone(), span }])
    }

    fn all(
        &mut self,
        nodes: &[Node],
        arguments: &[Vec<Node>],
        at: Option<Span>,
        depth: usize,
    ) -> Option<Vec<Node>> {
        let mut all = Vec::new();
        for node in nodes {
            all.extend(self.node(node, arguments, at, depth + 1)?);
        }
        Some(all)
    }

    fn definition(
        &mut self,
        name: &str,
        arguments: &[Vec<Node>],
        used: Span,
        depth: usize,
    ) -> Option<Vec<Node>> {
        let (body, in_file) = self.definitions.get(name)?;
        let (body, at) = (Rc::clone(body), (!in_file).then_some(used));
        self.all(&body, arguments, at, depth + 1)
    }

    /// Returns what an option has by default: for an option of numbers our option of this name,
    /// otherwise the nodes of the value.
    fn value(&mut self, reference: &str, span: Span) -> Option<Vec<Node>> {
        let (tag, parameter) = reference.split_once(':').unwrap_or((reference, ""));
        let choice = self.options.get(tag)?;
        if !self.mentioned.iter().any(|known| known == tag) {
            self.mentioned.push(tag.to_owned());
        }
        if choice.numbers.is_some() {
            return Some(vec![Node { kind: NodeKind::Word(choice.name()), span }]);
        }
        let named = choice.defaults.iter().find(|(name, _)| name == parameter);
        Some(named.or(choice.defaults.first())?.1.clone())
    }

    /// Counts a node, or all of it, towards the size of the game. Returns whether it has room.
    fn grows_by(&mut self, node: &Node, whole: bool) -> bool {
        self.size += match &node.kind {
            NodeKind::Word(text) | NodeKind::Text(text) => 1 + text.len() / 16,
            _ => 1,
        };
        let parts = node.as_form().filter(|_| whole).unwrap_or_default();
        self.size <= LARGEST && parts.iter().all(|part| self.grows_by(part, true))
    }
}

/// Returns how deeply a node is nested.
fn height(node: &Node) -> usize {
    node.as_form().map_or(0, |parts| 1 + parts.iter().map(height).max().unwrap_or_default())
}

/// Puts labels together with the values after them: one argument each.
fn labelled(nodes: Vec<Node>) -> Vec<Vec<Node>> {
    let mut arguments: Vec<Vec<Node>> = Vec::new();
    let mut is_label = false;
    for node in nodes {
        let labels = node.as_word().is_some_and(|word| word.ends_with(':'));
        match arguments.last_mut().filter(|_| is_label) {
            Some(argument) => argument.push(node),
            // No argument here.
            None if node.as_word() == Some("~") => arguments.push(Vec::new()),
            None => arguments.push(vec![node]),
        }
        is_label = labels;
    }
    arguments
}
