//! Effects of moves: rows of the table, and captures of what is flanked or surrounded.

use super::Writer;
use super::moves::{arguments, as_region};
use super::table::Type;
use crate::syntax::{Node, NodeKind};

impl Writer {
    /// Translates an effect to statements.
    pub(super) fn effect(&mut self, node: &Node) -> Option<String> {
        match node.head().map(|(head, _)| head) {
            Some(capture @ ("custodial" | "surround" | "enclose")) => self.capture(node, capture),
            // What fails of several effects does not take the others with it.
            Some("and" | "or") => {
                let effects = node.args().iter().flat_map(super::elements);
                let effects: Vec<&Node> = effects.collect();
                let written = effects
                    .into_iter()
                    .map(|effect| self.or_comment(|writer| writer.effect(effect)));
                Some(written.collect::<String>())
            }
            Some("if") if (2..=3).contains(&node.args().len()) => {
                let condition = self.translate(Type::Condition, &node.args()[0])?;
                let effect = self.effect(&node.args()[1])?;
                let otherwise = match node.args().get(2) {
                    Some(effect) => format!("(else {})", self.effect(effect)?),
                    None => String::new(),
                };
                Some(format!("(if {condition} {effect} {otherwise})"))
            }
            _ => self.translate(Type::Effect, node),
        }
    }

    /// Captures between the last piece and another one, beside the last piece, or in groups.
    fn capture(&mut self, node: &Node, capture: &str) -> Option<String> {
        self.surplus(node, 1, &[], &["from", "between", "to"]);
        let fields = arguments(node.args());
        for part in &fields.forms {
            self.surplus(part, 0, &["if:"], &["apply", "max", "last", "from", "to", "site"]);
        }
        let from = fields.form("from").and_then(|from| from.args().first());
        let site = match from {
            Some(from) => self.translate(Type::Site, from)?,
            None => self.last_to(),
        };
        let directions = match fields.words.as_slice() {
            [] => String::from("all"),
            [word, ..] => self.translate(Type::Directions, &word_of(node, word))?,
        };
        let between = fields.form("between").map_or(&[][..], Node::args);
        let inner = arguments(between);
        let limit = inner.form("max").and_then(|max| max.args().first()?.as_number().cloned());
        let apply = inner.form("apply").and_then(|apply| apply.args().first());
        let (Some(taken), Some(apply)) = (inner.label("if:"), apply) else {
            self.gap(node);
            return None;
        };
        let taken = self.region_where(taken, "(between)", "b")?;
        let to = fields.form("to").map(|to| arguments(to.args()));
        let holder = match to.and_then(|to| to.label("if:")) {
            Some(holder) => self.region_where(holder, "(to)", "h")?,
            None => String::from("(mine)"),
        };
        let (head, meaning) = match (capture, limit) {
            ("custodial", Some(one)) if one.halves == 2 => (
                format!(
                    "(for d {directions} (if (and (in (step {site} d) {taken}) (in (step {site} d 2) {holder}))"
                ),
                format!("(step {site} d)"),
            ),
            ("custodial", None) => (
                format!("(for d {directions} (if (in (first {site} d (not {taken})) {holder})"),
                format!("(walk {site} d {taken})"),
            ),
            ("surround", None) => (
                format!(
                    "(for d {directions} (if (and (in (step {site} d) {taken}) (none (and (beside (step {site} d) {directions}) (not {holder}))))"
                ),
                format!("(step {site} d)"),
            ),
            ("enclose", None) => (
                format!(
                    "(for g (groups {taken} {directions}) (if (and (any (and g (beside {site} {directions}))) (none (and (beside g {directions}) (empty))))"
                ),
                String::from("g"),
            ),
            _ => {
                self.gap(node);
                return None;
            }
        };
        let effect = self.within(&[("(between)", &meaning)], |writer| writer.effect(apply))?;
        Some(format!("{head} {effect}))"))
    }

    /// Translates a condition on a variable to the region of the sites for which it holds.
    pub(super) fn region_where(
        &mut self,
        node: &Node,
        form: &'static str,
        variable: &str,
    ) -> Option<String> {
        let condition =
            self.within(&[(form, variable)], |writer| writer.translate(Type::Condition, node))?;
        let region = as_region(&condition, variable);
        if region.is_none() {
            self.gap(node);
        }
        region
    }

    fn last_to(&self) -> String {
        let meant = self.scope.iter().rfind(|(form, _)| *form == "(last To)");
        meant.map_or_else(|| String::from("LastTo"), |(_, site)| site.clone())
    }
}

/// Makes a node of a word that is an argument of a form.
pub(super) fn word_of(form: &Node, word: &str) -> Node {
    let same = form.args().iter().find(|arg| arg.as_word() == Some(word));
    let span = same.map_or(form.span, |arg| arg.span);
    Node { kind: NodeKind::Word(word.to_owned()), span }
}
