//! Assembles the parts of a game from its files: inserts included files, and applies variants to
//! their base games.

use super::Checker;
use super::additions::Addition;
use super::parts::Part;
use super::report::{Within, usage};
use crate::language::finding::{Code, Finding};
use crate::language::ludemes::{Kind, Ludeme};
use crate::syntax::{Node, Span, Tree};
use std::collections::HashSet;

/// A game assembled from its files.
pub(super) struct Assembled<'t> {
    pub title: Option<&'t str>,
    /// The first word of the game's own file; findings about missing parts point at it.
    pub head: Span,
    pub parts: Vec<Part<'t>>,
    /// The parts that change defaults of options; those of the base come first.
    pub defaults: Vec<Part<'t>>,
    /// The additions of variants; those of the base come first.
    pub additions: Vec<Addition<'t>>,
}

/// Identifies a part: a part of a variant replaces the part of the base with the same key.
#[derive(PartialEq, Eq)]
enum Key<'t> {
    /// A part that a game has only once.
    Once(Ludeme),
    Verb(&'t str),
    /// A notation, by its format.
    Format(&'t str),
    Name(&'t str),
    Nothing,
}

impl<'t> Checker<'t> {
    /// Assembles a game from its files, the game's own first.
    pub(super) fn assemble(&mut self, trees: &'t [Tree]) -> Option<Assembled<'t>> {
        let (node, outside) = self.only_game(trees, 0, None)?;
        self.assemble_game(node, outside, trees, &mut HashSet::new())
    }

    /// Finds the game of a file and the parts after it. `named` is the reference to the file, if it
    /// is the base of a variant.
    fn only_game(
        &mut self,
        trees: &'t [Tree],
        file: usize,
        named: Option<Span>,
    ) -> Option<(&'t Node, Vec<&'t Node>)> {
        let forms = &trees.get(file)?.forms;
        let is_game = |node: &&Node| node.begins_with("game") || node.begins_with("variant-of");
        let game = forms.iter().find(is_game);
        let mut outside: Vec<&'t Node> = Vec::new();
        for node in forms {
            let message = match game {
                Some(game) if std::ptr::eq(game, node) => continue,
                Some(game) if node.span > game.span && self.part_row(node).is_some() => {
                    outside.push(node);
                    continue;
                }
                Some(_) if is_game(&node) => {
                    String::from("a file holds one game, and this is a second one")
                }
                Some(_) => format!("expected nothing but the game, found {}", self.snippet(node)),
                None => format!("expected `(game …)`, found {}", self.snippet(node)),
            };
            let help = match node.head() {
                Some(("definitions", _)) if game.is_none() => String::from(
                    "a file of definitions is not a game; check a game that includes it",
                ),
                Some(("game" | "variant-of", _)) => match game {
                    Some(game) if game.span.text(self.source) == node.span.text(self.source) => {
                        String::from("delete it: it repeats the first one")
                    }
                    _ => String::from("give it a file of its own"),
                },
                _ => usage(Ludeme::Game.row()),
            };
            self.report(Finding::new(Code::NotAGame, node.span, message).with_help(help));
            if game.is_none() {
                break;
            }
        }
        if let (Some(game), Some(first)) = (game, outside.first()) {
            // The superfluous bracket is probably in the last part inside.
            let last = game.as_form().and_then(<[Node]>::last);
            self.diagnostics.damaged.extend(last.map(|last| last.span));
            self.diagnostics.certain.insert(first.span);
            let end = Span::new(game.span.end - 1, game.span.end);
            let finding = self.mismatch(Code::NotAGame, *first, "nothing after the game");
            let finding = finding.with_other(end, "the game ends here");
            self.report(finding.with_help("move the game's last bracket behind all of its parts"));
        }
        if forms.is_empty() {
            // The file is blank; the finding needs a span.
            let first = Span::new(0, self.source.chars().next().map_or(0, char::len_utf8));
            let message = "expected `(game …)`, found nothing";
            let finding = Finding::new(Code::NotAGame, named.unwrap_or(first), message);
            self.report(finding.with_help(usage(Ludeme::Game.row())));
        }
        // Parts after the game are treated as parts of it.
        Some((game?, outside))
    }

    fn assemble_game(
        &mut self,
        node: &'t Node,
        outside: Vec<&'t Node>,
        trees: &'t [Tree],
        included: &mut HashSet<usize>,
    ) -> Option<Assembled<'t>> {
        let (head, args) = node.as_form()?.split_first()?;
        let is_game = head.as_word() == Some("game");
        let row = if is_game { Ludeme::Game.row() } else { Ludeme::VariantOf.row() };
        self.context.within = Within::Row(row);
        if is_game {
            let (title, nodes) = self.title(args, head.span, row.spelling);
            let nodes = self.with_included(nodes.iter().chain(outside).collect(), trees, included);
            let mut parts = self.gather(&nodes);
            parts.retain(|part| !self.is_for_variants(part));
            return Some(Assembled {
                title,
                head: head.span,
                parts,
                defaults: Vec::new(),
                additions: Vec::new(),
            });
        }
        let Some((file, args)) = args.split_first().filter(|(file, _)| file.as_text().is_some())
        else {
            match args.first() {
                Some(first) if first.as_form().is_none() => {
                    let wanted = "the name of a file in quotes";
                    let finding = self.mismatch(Code::WrongType, first, wanted);
                    self.report(finding.with_help(usage(row)));
                }
                _ => self.missing(row.spelling, head.span, row.slots[0].name, Kind::Text),
            }
            return None;
        };
        let (title, nodes) = self.title(args, head.span, row.spelling);
        let (base, behind) =
            self.only_game(trees, self.sources.linked(file.span)?, Some(file.span))?;
        let base = self.assemble_game(base, behind, trees, included)?;
        self.context.within = Within::Row(row);
        let nodes = self.with_included(nodes.iter().chain(outside).collect(), trees, included);
        let own = self.gather(&nodes);
        Some(self.changed(Assembled { title, head: head.span, ..base }, own))
    }

    /// Reads the title, which precedes the parts.
    fn title(
        &mut self,
        args: &'t [Node],
        head: Span,
        spelling: &str,
    ) -> (Option<&'t str>, &'t [Node]) {
        if let Some((first, rest)) = args.split_first()
            && let Some(title) = first.as_text()
        {
            return (Some(title), rest);
        }
        let words = words_before(args);
        match words {
            [] => self.missing(spelling, head, "name", Kind::Text),
            _ => self.unquoted(words, "the name of the game in quotes"),
        }
        (None, &args[words.len()..])
    }

    /// Replaces `include` forms by the parts of the files. A file is inserted once, however often
    /// it is included.
    fn with_included(
        &mut self,
        nodes: Vec<&'t Node>,
        trees: &'t [Tree],
        included: &mut HashSet<usize>,
    ) -> Vec<&'t Node> {
        let mut all = Vec::with_capacity(nodes.len());
        for node in nodes {
            match node.head() {
                Some(("include", _)) => {
                    if let Some(name) = self.file_name(node)
                        && let Some(file) = self.sources.linked(name)
                        && included.insert(file)
                    {
                        let defined = self.definitions_of(trees, file, name);
                        all.extend(self.with_included(defined, trees, included));
                    }
                }
                _ => all.push(node),
            }
        }
        all
    }

    fn file_name(&mut self, include: &'t Node) -> Option<Span> {
        let row = Ludeme::Include.row();
        self.inside(Within::Row(row), |checker| match include.args() {
            [name, ..] if name.as_text().is_none() => {
                let finding =
                    checker.mismatch(Code::WrongType, name, "the name of a file in quotes");
                checker.refuse(finding.with_help(usage(row)))
            }
            args => checker.exactly(row, include, args).map(|[name]| name.span),
        })
    }

    /// Returns the parts of an included file.
    fn definitions_of(&mut self, trees: &'t [Tree], file: usize, named: Span) -> Vec<&'t Node> {
        let forms = trees.get(file).map_or(&[][..], |tree| &tree.forms[..]);
        let found = forms.iter().find(|node| node.begins_with("definitions"));
        let strange = match (found, forms) {
            (None, []) => {
                Some((named, "expected `(definitions …)` in this file, found nothing".to_owned()))
            }
            (None, [first, ..]) => {
                let message = format!("expected `(definitions …)`, found {}", self.snippet(first));
                Some((first.head_span(), message))
            }
            (Some(found), forms) => {
                let other = forms.iter().find(|node| !std::ptr::eq(*node, found));
                let wanted = "nothing besides the definitions";
                other.map(|node| {
                    (node.span, format!("expected {wanted}, found {}", self.snippet(node)))
                })
            }
        };
        if let Some((span, message)) = strange {
            let mut finding = Finding::new(Code::NotDefinitions, span, message)
                .with_help(usage(Ludeme::Definitions.row()));
            if span != named {
                finding = finding.with_other(named, "included here");
            }
            self.report(finding);
        }
        let Some(parts) = found.and_then(Node::as_form) else { return Vec::new() };
        let mut defined = Vec::with_capacity(parts.len());
        for node in &parts[1..] {
            let lone = self
                .part_row(node)
                .filter(|row| row.ludeme == Ludeme::Claim || !is_many(row.ludeme));
            match lone {
                Some(row) => {
                    let what = match row.ludeme {
                        Ludeme::Claim => "which makes a claim about one game",
                        _ => "of which a game has only one",
                    };
                    let message =
                        format!("expected a definition, found `{}`, {what}", row.spelling);
                    let span = node.head_span();
                    let help = "a file of definitions may contain options, pieces, hands, memories, definitions and moves";
                    self.report(Finding::new(Code::Misplaced, span, message).with_help(help));
                }
                None => defined.push(node),
            }
        }
        defined
    }

    /// Tests if a part is allowed in variants only, and reports it.
    fn is_for_variants(&mut self, part: &Part) -> bool {
        let found = matches!(part.row.ludeme, Ludeme::DefaultIs | Ludeme::Omit | Ludeme::AddTo);
        if found {
            let message = format!(
                "`{}` is only allowed in a variant: it changes the base game, and this game has no base",
                part.row.spelling
            );
            let finding = Finding::new(Code::Misplaced, part.head(), message);
            self.report(finding.with_help(usage(Ludeme::VariantOf.row())));
        }
        found
    }

    /// Applies a variant to its base: a part of its own replaces the part with the same key, or is
    /// added at the end.
    fn changed(&mut self, base: Assembled<'t>, own: Vec<Part<'t>>) -> Assembled<'t> {
        let Assembled { title, head, parts, mut defaults, mut additions } = base;
        // Claims are not inherited.
        let of_base = parts.into_iter().filter(|part| part.row.ludeme != Ludeme::Claim);
        let mut parts: Vec<(Part<'t>, bool)> = of_base.map(|part| (part, true)).collect();
        for part in own.iter().filter(|part| part.row.ludeme == Ludeme::Omit) {
            self.omit(part, &mut parts);
        }
        let has_look = own.iter().any(|part| part.row.ludeme == Ludeme::Look);
        let omits_look = |part: &Part| {
            part.row.ludeme == Ludeme::Omit
                && part.args.iter().any(|word| word.as_word() == Some(Ludeme::Look.row().spelling))
        };
        let keeps_look = !has_look && !own.iter().any(omits_look);
        let mut added: Vec<Part<'t>> = Vec::new();
        for part in own {
            match part.row.ludeme {
                Ludeme::Omit => {}
                Ludeme::AddTo => added.push(part),
                Ludeme::DefaultIs => defaults.push(part),
                _ => {
                    let own_key = key(&part);
                    let replaced = parts.iter_mut().find(|(known, of_base)| {
                        *of_base && own_key != Key::Nothing && key(known) == own_key
                    });
                    match replaced {
                        Some(known) => *known = (part, false),
                        None => parts.push((part, false)),
                    }
                }
            }
        }
        let of_base: Vec<Part<'t>> =
            parts.iter().filter(|(_, of_base)| *of_base).map(|(part, _)| *part).collect();
        // What an inner variant adds to a part goes with that part.
        additions.retain(|addition| addition.is_kept(&of_base, keeps_look));
        additions.extend(self.additions(&added, &of_base, &additions));
        let parts = parts.into_iter().map(|(part, _)| part).collect();
        Assembled { title, head, parts, defaults, additions }
    }

    fn omit(&mut self, part: &Part<'t>, parts: &mut Vec<(Part<'t>, bool)>) {
        self.context.within = Within::Row(part.row);
        if part.args.is_empty() {
            self.missing_slot(part.row, part.node, 0);
        }
        for node in part.args {
            let Some(word) = node.as_word() else {
                let wanted = "the name of something in the base game";
                let finding = self.mismatch(Code::WrongType, node, wanted);
                self.report(finding.with_help(usage(part.row)));
                continue;
            };
            let known = |(part, _): &(Part, bool)| key(part).word() == Some(word);
            let before = parts.len();
            parts.retain(|part| !known(part));
            self.declared.omitted.insert(word, node.span);
            if parts.len() == before {
                let words: Vec<&str> =
                    parts.iter().filter_map(|(part, _)| key(part).word()).collect();
                let message = format!("the base game has no `{word}`");
                let finding = Finding::new(Code::UnknownName, node.span, message);
                self.unknown(finding, word, &words, None);
            }
        }
    }

    /// Returns the place in a variant that leaves out a name which another file uses here. Lists of
    /// the base game, such as the moves of a `choose` or the details of its look, go on without it.
    pub(super) fn omitted_from_base(&self, node: &Node) -> Option<Span> {
        let word = node.as_word()?;
        if self.declared.verbs.contains_key(word) || self.meaning(word).is_some() {
            return None;
        }
        let span = *self.declared.omitted.get(word)?;
        (self.sources.file_of(span) != self.sources.file_of(node.span)).then_some(span)
    }

    /// Applies the changed defaults, after all options are declared.
    pub(super) fn change_defaults(&mut self, defaults: &[Part<'t>]) {
        let mut changed: HashSet<usize> = HashSet::new();
        // The variant's own defaults take precedence over those of its bases.
        for part in defaults.iter().rev() {
            let row = part.row;
            self.context.within = Within::Row(row);
            let Some([name, value]) = self.exactly(row, part.node, part.args) else { continue };
            if let Some(index) = self.named_option(name, "an option of the base game")
                && changed.insert(index)
            {
                self.declared.options[index].changed = Some(value);
            }
        }
    }
}

/// Returns the words and numbers before the first form or text.
pub(super) fn words_before(args: &[Node]) -> &[Node] {
    let is_word = |arg: &&Node| arg.as_form().is_none() && arg.as_text().is_none();
    &args[..args.iter().take_while(is_word).count()]
}

/// Tests if a game may have several such parts.
pub(super) fn is_many(ludeme: Ludeme) -> bool {
    matches!(
        ludeme,
        Ludeme::Option
            | Ludeme::PieceKind
            | Ludeme::Hand
            | Ludeme::Remember
            | Ludeme::Define
            | Ludeme::Path
            | Ludeme::MoveRule
            | Ludeme::DefaultIs
            | Ludeme::Omit
            | Ludeme::AddTo
            | Ludeme::Include
            | Ludeme::Notation
            | Ludeme::Claim
    )
}

fn key<'t>(part: &Part<'t>) -> Key<'t> {
    match (part.row.ludeme, part.args.first().and_then(Node::word_or_head)) {
        (Ludeme::MoveRule, Some(verb)) => Key::Verb(verb),
        (Ludeme::Notation, Some(format)) => Key::Format(format),
        (ludeme, Some(name)) if is_many(ludeme) => Key::Name(name),
        (ludeme, _) if is_many(ludeme) => Key::Nothing,
        (ludeme, _) => Key::Once(ludeme),
    }
}

impl<'t> Key<'t> {
    /// Returns the word that `omit` uses for it.
    fn word(&self) -> Option<&'t str> {
        match self {
            Key::Once(ludeme) => Some(ludeme.row().spelling),
            Key::Verb(word) | Key::Name(word) => Some(word),
            Key::Format(_) | Key::Nothing => None,
        }
    }
}
