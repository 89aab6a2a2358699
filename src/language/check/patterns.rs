//! The table of likely mistakes: nodes that mean something else than they say, with the right form.
//!
//! A shape is written like the node that it fits. In it, `s:site` stands for a node of that type
//! and gives it a name, `s:site|sites` for one of either type, `s:new` for a word without a
//! meaning, `S:new` for one that begins with a capital, and `s:_` for any node. A type with `*`
//! takes all further arguments, one with `+` at least two. The same name twice stands for the same
//! text twice.
//!
//! In messages and corrections, `{s}` is the node as written, `{#s}` how many there are, and
//! `{s|(row _)}` such a form of each; `{it}` is the whole.
//!
//! A form is only reported if no row of its word accepts it, so that a pattern is silent where a
//! word has gained a meaning.

use super::Checker;

use super::report::Within;
use super::typed::accepts;
use crate::language::finding::{Code, Finding, Fix};
use crate::language::ludemes::{self, Kind, Ludeme, Row};
use crate::syntax::Node;
use std::slice::from_ref;

/// A row of the table.
struct Pattern {
    /// The types that are expected in its place; empty for all.
    wanted: &'static [Kind],
    /// The row whose argument it is, if that matters.
    within: Option<Ludeme>,
    shape: &'static str,
    /// The code and the message; without them, the pattern only advises on a wrong type.
    says: Option<(Code, &'static str)>,
    /// The advice; if empty, to write the right form.
    help: &'static str,
    right: Right,
}

/// How the node is corrected.
enum Right {
    Unknown,
    /// Another node.
    Node(&'static str),
    /// Another word at the beginning of the form.
    Head(&'static str),
}

macro_rules! patterns {
    (@right) => { Right::Unknown };
    (@right $right:literal) => { Right::Node($right) };
    (@right, $right:literal) => { Right::Head($right) };
    (@within) => { None };
    (@within $ludeme:ident) => { Some(Ludeme::$ludeme) };
    (@says) => { None };
    (@says $code:ident $says:literal) => { Some((Code::$code, $says)) };
    ($(
        [$($wanted:ident)*] $(in $within:ident)? $shape:literal
        $(says $code:ident $says:literal)? $(help $help:literal)? $(write $node:literal)? $(head $head:literal)?;
    )*) => {
        &[$(Pattern {
            wanted: &[$(Kind::$wanted),*],
            within: patterns!(@within $($within)?),
            shape: $shape,
            says: patterns!(@says $($code $says)?),
            help: concat!($($help)?),
            right: patterns!(@right $($node)? $(, $head)?),
        }),*]
    };
}

/// The likely mistakes, the more specific first.
const PATTERNS: &[Pattern] = patterns! {
    // Forms.
    [] "(= s:site r:sites)" says WrongType "`=` compares two sites, and `{r}` is a set of sites" write "(in {s} {r})";
    [] "(= r:sites s:site)" says WrongType "`=` compares two sites, and `{r}` is a set of sites" write "(in {s} {r})";
    [] "(!= s:site r:sites)" says WrongType "`!=` compares two sites, and `{r}` is a set of sites" write "(not (in {s} {r}))";
    [] "(!= r:sites s:site)" says WrongType "`!=` compares two sites, and `{r}` is a set of sites" write "(not (in {s} {r}))";
    [] "(connected one:sites other:sites|site)" says WrongType "`connected` tests if one region is connected, and `{one}` is another"
        write "(any (and (group (and {one} (mine)) (mine)) {other}))";
    [] "(connected through:sites one:sites|site other:sites|site)" says WrongType "`connected` tests if one region is connected, and `{one}` is another"
        write "(any (and (group (and {one} {through}) {through}) {other}))";
    [] "(- a:sites b:sites)" says WrongType "`-` is for numbers, and these are sets of sites" write "(and {a} (not {b}))";
    [] "(+ a:sites b:sites)" says WrongType "`+` is for numbers, and these are sets of sites" write "(or {a} {b})";
    [] "(* a:sites b:sites)" says WrongType "`*` is for numbers, and these are sets of sites" write "(and {a} {b})";
    [] "(to t:new r:sites+)" says WrongType "`to` takes one region, and these are {#r}" write "(to {t} (and {r}))";
    [] "(from t:new r:sites+)" says WrongType "`from` takes one region, and these are {#r}" write "(from {t} (and {r}))";
    [] "(at t:new r:sites+)" says WrongType "`at` takes one region, and these are {#r}" write "(at {t} (and {r}))";
    [] "(row n:number+)" says WrongType "`row` is one row, and this lists {#n}" write "(or {n|(row _)})";
    [] "(row n:text+)" says WrongType "`row` is one row, and this lists {#n}" write "(or {n|(row _)})";
    [] "(column n:text+)" says WrongType "`column` is one column, and this lists {#n}" write "(or {n|(column _)})";
    [] "(column n:number+)" says WrongType "`column` is one column, and this lists {#n}" write "(or {n|(column _)})";
    [] "(square n:number n:number)" says WrongType "a square has sides of one length, and these are two" write "(square {n})";
    [] "(square n:number m:number)" says WrongType "a square has sides of one length, and these are two" write "(rectangle {n} {m})";
    [] "(step r:sites d:direction|directions)" says WrongType "`step` starts at one site, and `{r}` is a set of sites" write "(beside {r} {d})";
    [] "(step s:site d:directions)" says WrongType "`step` takes one direction, and `{d}` is a list of directions" write "(beside {s} {d})";
    [Statement] "(move a:site b:site)" says Misplaced "`move` declares a move, and a piece is moved by `relocate`" head "relocate";
    [] "(next)" says MissingArgument "expected a player for `player` in `next`, found nothing" write "(next mover)";
    // Words for what a variable runs through.
    [Domain] "player" write "players";
    [Domain] "site" write "everywhere";
    [Domain] "cell" write "everywhere";
    [Domain] "cells" write "everywhere";
    [Domain] "direction" write "all";
    [Domain] "directions" write "all";
    [Domain] "kind" write "(kinds)";
    [Domain] "kinds" write "(kinds)";
    // Unknown words where something of that type is expected.
    [Move] "pass" help "to let a player pass, add the part `(move pass)`";
    [Move] "v:new" help "to declare a move, add a part `(move {v} …)`";
    [Piece] "N:new" help "to declare a piece, write `(piece {N})`";
    [Memory] "N:new" help "to declare a memory, write `(remember {N} …)`";
    [Values] "v:new" help "write `(range 4 7)` for numbers, or `(one-of small large)`";
    [Any Number Sites Site Condition] "N:new"
        help "to define it yourself, write `(define {N} …)`, or `(remember {N} …)` for a memory";
    // Values of another type than expected.
    [Number] "nowhere" write "0";
    [Number Sites] "(groups r:_*)"
        help "take the groups one by one: `(count g (groups (mine)) true)` is their number, and `(max g (groups (mine)) (count g))` the size of the largest";
    [Number] "r:sites" write "(count {r})";
    [Condition] "r:sites|site" help "write `(any {r})` or `(none {r})`";
    [Condition] "n:number" help "compare it: `(> {n} 0)`";
    [Statement] "m:move" write "(choose {m})";
    [Statement] "(= m:memory v:_)"
        help "write `set` to change the memory, and `(if {it} …)` or, in a move, `(require {it})` to test it" head "set";
    [Statement] "c:condition" help "write `(if {c} …)` or, in a move, `(require {c})`";
    [] "(list s:site+)" says WrongType "`list` is of directions, and these are sites" head "sites";
    [Statement] "(when r:_*)" help "to do something only under a condition, write `if`" head "if";
    [Sites] "k:kind" write "(pieces {k})";
    [Sites] "p:player" write "(of {p})";
    [Site] "r:sites"
        help "a set can have many sites, or none; if it has just one, write `(one {r})`; to take its sites one by one, use `for`, `where` or `union`";
    [Text] in ColumnOf "n:number" help "columns have letters, such as `(column \"a\")`, and rows have numbers: `(row {n})`";
    [Number] in RowOf "c:text" help "rows have numbers, such as `(row 1)`, and columns have letters: `(column {c})`";
};

/// The nodes that the names of a shape stand for.
type Named<'n> = Vec<(&'static str, &'n [Node])>;

impl Pattern {
    /// Tests if the form begins with a word.
    fn has_head(&self, word: &str) -> bool {
        let rest = self.shape.strip_prefix('(').and_then(|shape| shape.strip_prefix(word));
        rest.is_some_and(|rest| rest.starts_with([' ', ')']))
    }
}

impl Checker<'_> {
    /// Tests if a form says something else than it means, and reports it with the right form.
    pub(super) fn is_mistaken(
        &mut self,
        node: &Node,
        word: &str,
        rows: &[&Row],
        wanted: Kind,
    ) -> bool {
        let args = node.args();
        for pattern in PATTERNS.iter().filter(|pattern| pattern.has_head(word)) {
            let Some((code, message)) = pattern.says else { continue };
            let Some(named) = self.named_nodes(pattern, node, wanted, None) else { continue };
            if rows.iter().any(|row| self.takes_all(row, args)) {
                return false;
            }
            let (help, fix) = self.correction(pattern, node, &named);
            let span = fix.as_ref().map_or(node.span, |fix| fix.edits[0].span);
            let finding = Finding::new(code, span, self.filled(message, &named, true));
            self.report(finding.with_help(help).with_optional_fix(fix));
            return true;
        }
        false
    }

    /// Tests if a word names one element where a variable needs a domain, and reports it.
    pub(super) fn is_singular_domain(&mut self, node: &Node) -> bool {
        let is_unknown = |word: &&str| {
            self.variable(word).is_none()
                && self.meaning(word).is_none()
                && ludemes::rows(word).all(|row| !row.word)
        };
        let Some(word) = node.as_word().filter(is_unknown) else { return false };
        let fits = |pattern: &&Pattern| pattern.wanted == [Kind::Domain] && pattern.shape == word;
        let Some(pattern) = PATTERNS.iter().find(fits) else { return false };
        let finding = self.mismatch(Code::UnknownName, node, Kind::Domain.phrase());
        let (help, fix) = self.correction(pattern, node, &Vec::new());
        self.report(finding.with_help(help).with_optional_fix(fix));
        true
    }

    /// Suggests a conversion from the found to the wanted type, where one is likely; for an unknown
    /// word, which has no type, how to declare it.
    pub(super) fn conversion(
        &mut self,
        node: &Node,
        wanted: Kind,
        found: Option<Kind>,
    ) -> Option<(String, Option<Fix>)> {
        PATTERNS.iter().filter(|pattern| pattern.says.is_none()).find_map(|pattern| {
            let named = self.named_nodes(pattern, node, wanted, found)?;
            Some(self.correction(pattern, node, &named))
        })
    }

    /// Tests if a row accepts arguments, as far as their types are obvious.
    fn takes_all(&mut self, row: &Row, args: &[Node]) -> bool {
        row.takes(args.len())
            && args.iter().enumerate().all(|(index, arg)| {
                let kind = self.kind_of_node(arg);
                row.slot(index).is_some_and(|slot| kind.is_none_or(|kind| accepts(slot.kind, kind)))
            })
    }

    /// Matches a node with the shape of a pattern. `found` is the type of the whole.
    fn named_nodes<'n>(
        &mut self,
        pattern: &Pattern,
        node: &'n Node,
        wanted: Kind,
        found: Option<Kind>,
    ) -> Option<Named<'n>> {
        let is_within = |ludeme: Ludeme| match self.context.within {
            Within::Row(row) => row.ludeme == ludeme,
            _ => false,
        };
        let is_wanted = pattern.wanted.is_empty() || pattern.wanted.contains(&wanted);
        if !is_wanted || !pattern.within.is_none_or(is_within) {
            return None;
        }
        let (shape, found, mut nodes) = match pattern.shape.strip_prefix('(') {
            Some(parts) => (parts.trim_end_matches(')'), None, node.as_form()?),
            None => (pattern.shape, found, from_ref(node)),
        };
        let mut named: Named = vec![("it", from_ref(node))];
        for word in shape.split(' ') {
            let Some((name, kind)) = word.split_once(':') else {
                let (first, rest) = nodes.split_first()?;
                if first.as_word() != Some(word) {
                    return None;
                }
                nodes = rest;
                continue;
            };
            let kinds = kind.trim_end_matches(['+', '*']);
            let least = if kind.ends_with('+') { 2 } else { usize::from(kinds == kind) };
            let most = if kinds == kind { 1 } else { nodes.len() };
            let (these, rest) = nodes.split_at_checked(most.max(least))?;
            let is_same = named.iter().filter(|(known, _)| *known == name).all(|(_, same)| {
                let texts = [same, these].map(|nodes| {
                    nodes.iter().map(|node| node.span.text(self.source)).collect::<Vec<_>>()
                });
                texts[0] == texts[1]
            });
            if !is_same || !these.iter().all(|node| self.is_of_kind(node, name, kinds, found)) {
                return None;
            }
            named.push((name, these));
            nodes = rest;
        }
        nodes.is_empty().then_some(named)
    }

    fn is_of_kind(&mut self, node: &Node, name: &str, kinds: &str, found: Option<Kind>) -> bool {
        match kinds {
            "_" => true,
            "memory" => self.is_memory(node),
            "new" => {
                let is_named = |word: &str| {
                    name.starts_with(char::is_lowercase) || word.starts_with(char::is_uppercase)
                };
                let is_word = node.as_word().is_some_and(is_named);
                found.is_none() && is_word && self.kind_of_node(node).is_none()
            }
            _ => found.or_else(|| self.kind_of_node(node)).is_some_and(|kind| {
                // `nowhere` counts as a site, and is rarely meant as one.
                let is_nowhere = node.as_word() == Some(Ludeme::Nowhere.row().spelling);
                !is_nowhere && kinds.split('|').any(|name| name == kind.spelling())
            }),
        }
    }

    /// Returns the advice, and the fix if there is one.
    fn correction(&self, pattern: &Pattern, node: &Node, named: &Named) -> (String, Option<Fix>) {
        let (span, right) = match pattern.right {
            Right::Unknown => return (self.filled(pattern.help, named, true), None),
            Right::Node(right) => (node.span, right),
            Right::Head(right) => (node.head_span(), right),
        };
        let help = match pattern.help {
            "" => format!("write `{}`", self.filled(right, named, true)),
            help => self.filled(help, named, true),
        };
        (help, Some(Fix::write(span, self.filled(right, named, false))))
    }

    /// Puts nodes into a text; if `brief`, each on several lines is left out.
    fn filled(&self, template: &str, named: &Named, brief: bool) -> String {
        let mut filled = String::new();
        for (index, piece) in template.split(['{', '}']).enumerate() {
            if index % 2 == 0 {
                filled += piece;
                continue;
            }
            let (name, each) = piece.split_once('|').unwrap_or((piece, "_"));
            let is_named = |(known, _): &&(&str, &[Node])| *known == name.trim_start_matches('#');
            let nodes = named.iter().find(is_named).map_or(&[][..], |(_, nodes)| nodes);
            if name.starts_with('#') {
                filled += &nodes.len().to_string();
                continue;
            }
            let texts = nodes.iter().map(|node| match node.span.text(self.source) {
                text if brief && text.contains('\n') => each.replace('_', "…"),
                text => each.replace('_', text),
            });
            filled += &texts.collect::<Vec<_>>().join(" ");
        }
        filled
    }
}
