//! Writes a first draft of the rules of a game of Ludii, another system for games, from its `.lud`
//! file. What has no counterpart in our language becomes a comment in the draft and a finding in
//! the file.
//!
//! Expressions are translated by rows of a table, which are data; what the parts of the game
//! become is in `equipment` and `play`.

mod effects;
mod equipment;
mod library;
mod moves;
mod play;
mod reader;
mod table;

use super::finding::{Code, Finding};
use super::format::format;
use super::ludii_hints::{self, LudiiHint};
use crate::board::Direction;
use crate::syntax::visible::shown;
use crate::syntax::{Node, NodeKind, Span};
use equipment::Equipment;
use moves::Verb;
use play::MEMORIES;
use reader::{Choice, LIST};
use std::collections::HashSet;
use table::Type;

/// A draft of the rules of a game.
#[derive(Debug)]
pub struct Draft {
    /// The rules, formatted.
    pub rules: String,
    /// What has no counterpart, with places in the `.lud` file.
    pub findings: Vec<Finding>,
}

/// Writes a draft of the rules in the text of a `.lud` file.
///
/// ```
/// let lud = r#"(game "Three" (players 2)
///     (equipment { (board (square 3)) (piece "Disc" Each) })
///     (rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))))"#;
/// let draft = ludwright::language::ludii::draft(lud, "Three").expect("it is a game");
/// assert!(draft.findings.is_empty());
/// assert!(draft.rules.contains("(if (any (line 3 (mine))) (win mover))"));
/// ```
///
/// # Errors
/// Returns the reasons why the file cannot be read, such as a bracket that is not closed.
pub fn draft(lud: &str, title: &str) -> Result<Draft, Vec<Finding>> {
    let file = reader::read(lud)?;
    let mut writer = Writer::default();
    let text = writer.game(&file, title).replace("\n\n;", "\n;");
    let Writer { mut findings, .. } = writer;
    findings.sort_by_key(|finding| finding.span);
    Ok(Draft { rules: format(&text)?, findings })
}

/// How long a translated expression may be, in bytes, and all of them together: templates may
/// repeat what they contain.
const LONGEST: usize = 20_000;
const LONGEST_IN_ALL: usize = 1 << 25;

/// Names of the players, in order.
const PLAYERS: [&str; 8] =
    ["First", "Second", "Third", "Fourth", "Fifth", "Sixth", "Seventh", "Eighth"];

/// Makes a name of our language from one of Ludii's: letters and digits, the first a capital.
fn name(text: &str) -> String {
    let plain: String = text.chars().filter(char::is_ascii_alphanumeric).collect();
    let mut letters = plain.trim_start_matches(|letter: char| letter.is_ascii_digit()).chars();
    let first = letters.next().map_or('X', |letter| letter.to_ascii_uppercase());
    let name: String = std::iter::once(first).chain(letters).take(40).collect();
    // A capital with a number would be a site, and drafts have names of their own.
    let digits = name.trim_start_matches(|letter: char| letter.is_ascii_uppercase());
    let is_site = name.len() > 1 && digits.bytes().all(|digit| digit.is_ascii_digit());
    let own = |name: &str| MEMORIES.iter().any(|(memory, ..)| *memory == name);
    match is_site
        || own(&name)
        || ["Supply", "Connects"].contains(&&*name)
        || PLAYERS.contains(&&*name)
    {
        true => format!("{name}Piece"),
        false => name,
    }
}

/// Writes the parts of a game and collects what has no counterpart.
#[derive(Default)]
struct Writer {
    equipment: Equipment,
    verbs: Vec<Verb>,
    /// What forms stand for at this place, such as `(to)`.
    scope: Vec<(&'static str, String)>,
    findings: Vec<Finding>,
    reported: HashSet<Span>,
    /// The length of all translated expressions.
    length: usize,
    /// Parts that were left out and that no comment names yet.
    uncommented: Vec<String>,
}

impl Writer {
    fn game(&mut self, file: &reader::File, title: &str) -> String {
        let parts = file.game.args();
        let find = |word: &str| parts.iter().find(|part| is(part, word));
        self.equipment.options = file.options.iter().map(Choice::name).collect();
        let options = self.options(&file.options);
        self.players(find("players"));
        let equipment = self.equip(find("equipment"));
        let rules = self.rules(find("rules"));
        for part in parts.iter().skip(1) {
            let known = ["players", "equipment", "rules", "metadata"];
            if !part.head().is_some_and(|(head, _)| known.contains(&head)) {
                self.gap(part);
            }
        }
        let rest = self.comment();
        let regions = self.regions(&rules);
        let memories = self.memories(&rules);
        let players = self.facing(&rules);
        format!(
            "(game \"{title}\"\n{players}\n{options}{equipment}{memories}\n{regions}\n{rest}{rules})\n"
        )
    }

    /// Translates an expression. `None` if a part of it has no counterpart, which is then reported.
    fn translate(&mut self, of: Type, node: &Node) -> Option<String> {
        let has_room = self.length <= LONGEST_IN_ALL;
        let text = if has_room { self.expression(of, node)? } else { String::new() };
        self.length += text.len();
        if !has_room || text.len() > LONGEST {
            self.gap(node);
            return None;
        }
        Some(text)
    }

    fn expression(&mut self, of: Type, node: &Node) -> Option<String> {
        if let Some(text) = self.literal(of, node) {
            return Some(text);
        }
        if is(node, LIST)
            && !node.args().is_empty()
            && [Type::Region, Type::Directions].contains(&of)
        {
            let parts: Vec<_> = node.args().iter().map(|part| self.translate(of, part)).collect();
            let parts: Option<Vec<String>> = parts.into_iter().collect();
            let head = match of {
                Type::Directions => "list",
                _ if node.args().iter().all(|part| part.as_form().is_none()) => "sites",
                _ => "or",
            };
            return Some(format!("({head} {})", parts?.join(" ")));
        }
        match (of, spelling(node).as_str()) {
            (Type::Condition, "(can Move …)") => return self.can_move(node),
            (Type::Condition, "(is Connected …)") if is_listed(node) => {
                let regions = node.args()[1].args().iter();
                let regions: Vec<_> =
                    regions.map(|region| self.translate(Type::Region, region)).collect();
                let touches =
                    regions.into_iter().map(|region| Some(format!("(any (and g {}))", region?)));
                let touches: Option<Vec<String>> = touches.collect();
                return Some(format!("(some g (groups (mine) all) (and {}))", touches?.join(" ")));
            }
            // Where a piece would lie that is moved to a site.
            (Type::Condition, "(is Flat)") => {
                let (_, site) = self.scope.iter().rfind(|(form, _)| *form == "(to)")?;
                return Some(format!("(none (and (below {site}) (empty)))"));
            }
            (Type::Result, "(byScore …)") => return self.by_score(node),
            _ => {}
        }
        let as_site = || table::find(Type::Site, node).filter(|_| of == Type::Region);
        if let Some((row, bindings)) = table::find(of, node).or_else(as_site) {
            let mut text = row.template.to_owned();
            let mut filled = Vec::new();
            for (variable, of, nodes) in bindings {
                let parts = nodes.iter().map(|node| self.translate(of, node));
                // All parts are translated, so that everything without a counterpart is reported.
                let parts: Vec<Option<String>> = parts.collect();
                filled.push((variable, parts.into_iter().collect::<Option<Vec<String>>>()));
            }
            // The longer names contain the shorter ones.
            filled.sort_by_key(|(variable, _)| std::cmp::Reverse(variable.len()));
            for (variable, parts) in filled {
                text = text.replace(variable, &parts?.join(" "));
            }
            return Some(text);
        }
        let hint = node.head().and_then(|(head, _)| ludii_hints::form(head, node.args()));
        if let Some(exact) = hint.and_then(|hint| hint.exactly(node.args())) {
            return Some(exact.to_owned());
        }
        self.gap(node);
        None
    }

    /// Translates words, numbers and texts, and what the scope says.
    fn literal(&self, of: Type, node: &Node) -> Option<String> {
        if let (NodeKind::Form(_), Some((_, meaning))) =
            (&node.kind, self.scope.iter().rfind(|(form, _)| *form == spelling(node)))
        {
            return Some(meaning.clone());
        }
        match (of, &node.kind) {
            (Type::Number, NodeKind::Number(number)) => Some(number.text.clone()),
            (Type::Number, NodeKind::Word(word)) => self.equipment.option(word),
            (Type::Index, NodeKind::Number(number)) => Some(format!("{}", number.halves / 2 + 1)),
            (Type::Letter, NodeKind::Number(number)) => {
                let letter = u8::try_from(number.halves / 2).ok().filter(|&column| column < 26)?;
                Some(format!("\"{}\"", char::from(b'a' + letter)))
            }
            (Type::Site | Type::Region, NodeKind::Text(text)) => self.equipment.site(text),
            (Type::Site | Type::Region, NodeKind::Number(number)) => {
                self.equipment.numbered_site(number.halves / 2)
            }
            (Type::Site | Type::Region, NodeKind::Word(word)) => {
                let (first, last) = word.split_once("__")?;
                let sites: Option<Vec<String>> = (first.parse().ok()?..=last.parse().ok()?)
                    .take(400)
                    .map(|number: i64| self.equipment.numbered_site(number))
                    .collect();
                Some(sites?.join(" "))
            }
            (Type::Region, NodeKind::Form(_)) if is(node, "sites") => {
                self.equipment.owned(node.args())
            }
            (Type::Directions, NodeKind::Word(word)) => {
                let known = ["Orthogonal", "Diagonal"].contains(&word.as_str());
                let turned = || self.equipment.direction(word);
                let ours = || ludii_hints::word(word).map(|(ours, _)| ours.to_owned());
                known.then(|| word.to_lowercase()).or_else(turned).or_else(|| {
                    ours().filter(|_| !["Adjacent", "Forwards", "Backwards"].contains(&&**word))
                })
            }
            (Type::Player, NodeKind::Word(word)) => self.equipment.player(word).map(str::to_owned),
            (Type::Piece, NodeKind::Text(text)) => Some(self.equipment.piece(text)?.0),
            _ => None,
        }
    }

    /// Reports what has no counterpart.
    fn gap(&mut self, node: &Node) {
        if !self.reported.insert(node.span) {
            return;
        }
        let called = node.as_text().or_else(|| node.as_form()?.first()?.as_text());
        let hint = node.head().and_then(|(head, _)| ludii_hints::form(head, node.args()));
        let spelled: String = spelling(node).chars().take(80).collect();
        let (message, help) = match (called, &node.kind) {
            (Some(called), _)
                if called.starts_with(char::is_alphabetic)
                    && called.ends_with(|letter: char| letter.is_ascii_digit()) =>
            {
                (
                    format!("Ludii's `{spelled}` has no counterpart in the draft"),
                    "write the label of the site, or the name of the piece and its owner"
                        .to_owned(),
                )
            }
            (Some(_), _) => (
                format!("`{spelled}` is not defined in this file"),
                "copy its `(define …)` into the file, or write by hand what it stands for"
                    .to_owned(),
            ),
            (None, NodeKind::Number(_)) => (
                format!("Ludii's site `{spelled}` has no counterpart in the draft"),
                "write the label of the site, such as `a1`".to_owned(),
            ),
            (None, _) => (
                format!("Ludii's `{spelled}` has no counterpart in the draft"),
                hint.map_or_else(
                    || "write by hand what it does, or leave it out".to_owned(),
                    LudiiHint::help,
                ),
            ),
        };
        let finding = Finding::new(Code::UnknownLudeme, node.head_span(), message)
            .with_label("left out")
            .with_help(help);
        self.findings.push(finding.shortened());
        self.uncommented.push(spelled);
    }

    /// Translates one statement or part, after a comment for what is left out of it.
    fn or_comment(&mut self, write: impl FnOnce(&mut Writer) -> Option<String>) -> String {
        let text = write(self).unwrap_or_default();
        format!("{}{text}\n", self.comment())
    }

    /// Writes a comment that names what was left out since the last one.
    fn comment(&mut self) -> String {
        let names = std::mem::take(&mut self.uncommented);
        if names.is_empty() {
            String::new()
        } else {
            format!("\n; left out: {}\n", names.join(", "))
        }
    }

    /// Evaluates with meanings of forms that hold only there.
    fn within<T>(
        &mut self,
        meanings: &[(&'static str, &str)],
        run: impl FnOnce(&mut Writer) -> T,
    ) -> T {
        let before = self.scope.len();
        self.scope.extend(meanings.iter().map(|&(form, ours)| (form, ours.to_owned())));
        let result = run(self);
        self.scope.truncate(before);
        result
    }
}

/// Tests if a node is a form with this head.
fn is(node: &Node, word: &str) -> bool {
    node.head().is_some_and(|(head, _)| head == word)
}

/// Tests if a form has a list of forms as its last argument.
fn is_listed(node: &Node) -> bool {
    node.args().len() == 2 && is(&node.args()[1], LIST) && !node.args()[1].args().is_empty()
}

/// The elements of a list in braces; of anything else, itself.
fn elements(node: &Node) -> &[Node] {
    if is(node, LIST) { node.args() } else { std::slice::from_ref(node) }
}

/// Formats a form by its head and the word after it: `(is Target …)`; without further parts, all of
/// it.
fn spelling(node: &Node) -> String {
    let parts = match &node.kind {
        NodeKind::Form(parts) => parts,
        NodeKind::Word(word) => return word.replace("__", ".."),
        NodeKind::Text(text) => return format!("\"{}\"", shown(text).replace(['`', '\n'], " ")),
        NodeKind::Number(number) => return number.text.clone(),
    };
    let head = match parts.first().map(|part| &part.kind) {
        Some(NodeKind::Text(_)) => return spelling(&parts[0]),
        Some(NodeKind::Word(word)) if word == LIST => return String::from("{…}"),
        Some(NodeKind::Word(word)) => word.as_str(),
        _ => return String::from("(…)"),
    };
    let second = parts.get(1).and_then(Node::as_word).filter(|word| !word.ends_with(':'));
    let shown: Vec<&str> = std::iter::once(head).chain(second).collect();
    let more = if parts.len() > shown.len() { " …" } else { "" };
    format!("({}{more})", shown.join(" "))
}

/// Tests if a word of Ludii is a compass direction.
fn is_compass(word: &str) -> bool {
    Direction::from_name(word).is_some()
}
