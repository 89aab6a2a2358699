//! Lists of parts that are nearly right: foreign comments, a bracket that was left out, copies.

use super::super::{Checker, inference, spelling};
use super::{Part, parts_of_a_game};
use crate::language::finding::{Code, Finding, Fix};
use crate::language::ludemes::{self, Kind, Ludeme};
use crate::language::{ludii_hints, recipes};
use crate::syntax::{Node, Span};
use std::collections::HashMap;

impl<'t> Checker<'t> {
    /// Drops words after the sign of a comment of another language, and reports the sign.
    pub(super) fn without_foreign_comments(&mut self, nodes: &[&'t Node]) -> Vec<&'t Node> {
        let mut left = Vec::with_capacity(nodes.len());
        let mut comment_end = 0;
        for &node in nodes {
            let sign = ["//", "--", "#"]
                .into_iter()
                .find(|sign| node.as_word().is_some_and(|word| word.starts_with(sign)));
            if node.span.start < comment_end {
                continue;
            }
            let Some(sign) = sign else {
                left.push(node);
                continue;
            };
            let rest = &self.source[node.span.start..];
            comment_end = node.span.start + rest.find('\n').unwrap_or(rest.len());
            let span = Span::new(node.span.start, node.span.start + sign.len());
            let message = format!("`{sign}` does not begin a comment");
            let finding = Finding::new(Code::Misplaced, span, message)
                .with_help("comments begin with `;` and end with the line")
                .with_fix(Fix::write(span, ";"));
            self.report_again(format!("comment {sign}"), finding);
        }
        left
    }

    /// Drops the words and forms of a part that lacks its opening bracket, and reports the bracket.
    pub(super) fn without_unopened(&mut self, nodes: Vec<&'t Node>) -> Vec<&'t Node> {
        let mut left = Vec::with_capacity(nodes.len());
        let mut inside = false;
        for (index, &node) in nodes.iter().enumerate() {
            let begins = node.as_word().filter(|word| {
                ludemes::rows(word).any(|row| row.result == Kind::Part && !row.word)
                    && self.begins_line(node.span)
                    && nodes.get(index + 1).is_some()
            });
            let Some(word) = begins else {
                inside &= self.part_row(node).is_none();
                if !inside {
                    left.push(node);
                }
                continue;
            };
            inside = true;
            // The bracket that closes the part closes nothing.
            let last = nodes[index + 1..].iter().find(|node| self.part_row(node).is_some());
            let end = last.map_or(self.source.len(), |node| node.span.start);
            self.diagnostics.findings.retain(|finding| {
                !matches!(finding.code, Code::StrayBracket | Code::MisplacedBracket)
                    || !(node.span.start..end).contains(&finding.span.start)
            });
            if let Some(row) = ludemes::rows(word).next() {
                self.diagnostics.stray_parts.insert(row.spelling);
            }
            let next = nodes[index + 1];
            if let Some(name) = next.as_word().or(next.head().map(|(head, _)| head)) {
                self.diagnostics.lost.insert(name.to_owned(), node.span.join(next.span));
            }
            self.diagnostics.certain.insert(node.span);
            let message = format!("an opening bracket is missing before `{word}`");
            let finding = Finding::new(Code::StrayBracket, node.span, message)
                .with_help(format!("write `({word}`"))
                .with_fix(Fix::insert(node.span.start, "("));
            self.report(finding);
        }
        left
    }

    /// Tests if only blanks precede a span on its line.
    pub(super) fn begins_line(&self, span: Span) -> bool {
        let before = &self.source[..span.start];
        before.rsplit('\n').next().is_some_and(|line| line.trim().is_empty())
    }

    /// Drops parts that are copies of earlier ones, as when a file is pasted twice, and reports
    /// them as one.
    pub(super) fn without_copies(&mut self, nodes: Vec<&'t Node>) -> Vec<&'t Node> {
        const FEW: usize = 3;
        let mut known: HashMap<&str, &'t Node> = HashMap::new();
        let source = self.source;
        let is_copy: Vec<Option<&'t Node>> = nodes
            .iter()
            .map(|&node| {
                let text = node.span.text(source);
                let first = known.get(text).copied();
                known.entry(text).or_insert(node);
                first.filter(|first| node.as_form().is_some() && first.span != node.span)
            })
            .collect();
        let copies = is_copy.iter().flatten().count();
        let Some(at) = is_copy.iter().position(Option::is_some).filter(|_| copies >= FEW) else {
            return nodes;
        };
        let (Some(first), Some(last)) =
            (is_copy[at], is_copy.iter().rposition(Option::is_some).map(|last| nodes[last]))
        else {
            return nodes;
        };
        let line = |at: usize| source[..at].matches('\n').count() + 1;
        let head = nodes[at].head_span();
        let message = format!("{copies} parts from here on are copies of parts above");
        let mut finding = Finding::new(Code::RepeatedPart, head, message)
            .with_other(first.head_span(), "the first one is here");
        if copies == nodes.len() - at && self.sources.trees().len() == 1 {
            let span = Span::new(nodes[at].span.start, last.span.end);
            let (from, to) = (line(span.start), line(span.end));
            finding = finding
                .with_help(format!("delete lines {from} to {to}, which repeat the text above"))
                .with_fix(Fix::delete(span, "the copies"));
        } else {
            finding = finding.with_help("delete the copies");
        }
        self.report(finding);
        nodes
            .iter()
            .zip(&is_copy)
            .filter(|(_, copy)| copy.is_none())
            .map(|(&node, _)| node)
            .collect()
    }

    /// Replaces nodes that only wrap parts, as in Ludii, by their contents.
    pub(super) fn unwrapped(&mut self, nodes: &[&'t Node]) -> Vec<&'t Node> {
        let mut all = Vec::with_capacity(nodes.len());
        for &node in nodes {
            let args = node.args();
            match node.head() {
                Some((head @ ("equipment" | "rules"), _))
                    if self.is_ludii_form(node, head, args) =>
                {
                    // The list may have brackets of its own.
                    self.diagnostics.withdrawn.extend(
                        args.iter().map(|arg| Span::new(arg.span.start, arg.span.start + 1)),
                    );
                    let parts = args.iter().flat_map(|arg| match arg.as_form() {
                        Some(parts) if arg.head().is_none() => parts,
                        _ => std::slice::from_ref(arg),
                    });
                    all.extend(parts);
                }
                _ => all.push(node),
            }
        }
        all
    }

    /// Reports a node that is no part of a game. Returns it as a part if it is a misspelled one.
    pub(super) fn no_part(&mut self, node: &'t Node) -> Option<Part<'t>> {
        let Some((head, span)) = node.head() else {
            let finding = self.mismatch(Code::Misplaced, node, "a part of the game");
            self.report_again(
                String::from("no part"),
                finding.with_help(format!("its parts are {}", parts_of_a_game())),
            );
            return None;
        };
        if let Some(row) = ludemes::rows(head).next() {
            let message = format!(
                "expected a part of the game, found `{head}`, which is {}",
                row.result.phrase()
            );
            let mut finding = Finding::new(Code::Misplaced, span, message);
            if row.result == Kind::Statement {
                finding = finding.with_help(
                    "statements belong in `setup`, `move`, `play`, `end`, `repetition` or `define`",
                );
            } else if let Some(hint) = ludii_hints::part(head) {
                finding = finding.with_help(hint.help());
            }
            self.report_again(String::from("no part"), finding);
            return None;
        }
        let args = node.args();
        let recipe = recipes::recipe(head);
        let meant = match recipes::find(head) {
            Some(recipes::Entry::Word(row)) if row.result == Kind::Part => Some(row),
            _ => inference::suggested_row(head, Kind::Part).filter(|_| recipe.is_none()),
        };
        if !meant.is_some_and(|row| spelling::is_typo(head, row.spelling)) {
            self.record_lost_name(node);
            if self.is_ludii_form(node, head, args) {
                return None;
            }
        }
        let mut finding = Finding::new(
            Code::UnknownLudeme,
            span,
            format!("there is no part of the game `{head}`"),
        );
        finding.help = match meant {
            Some(row) => Some(format!("did you mean `{}`?", row.spelling)),
            None => Some(recipe.map_or_else(
                || format!("its parts are {}", parts_of_a_game()),
                recipes::Recipe::help,
            )),
        };
        finding.fix = meant.map(|row| Box::new(Fix::write(span, row.spelling)));
        self.report(finding);
        let row = meant.filter(|row| {
            !matches!(
                row.ludeme,
                Ludeme::Game | Ludeme::VariantOf | Ludeme::Definitions | Ludeme::Include
            ) && spelling::is_typo(head, row.spelling)
        })?;
        let args = node.as_form()?.get(1..)?;
        Some(Part { row, node, args })
    }
}
