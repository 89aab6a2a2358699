//! Checks the headings of definitions: a name, and optionally parameters with types.

use super::Checker;
use super::definitions::DefinitionEntry;
use super::scope::capitalised;
use crate::language::finding::{Code, Finding, Fix};
use crate::language::ludemes::{self, Kind, Ludeme};
use crate::language::ludii_hints;
use crate::language::names::Meaning;
use crate::language::rules::*;
use crate::syntax::Node;

/// The types of parameters.
pub(super) const PARAMETERS: [Kind; 8] = [
    Kind::Number,
    Kind::Condition,
    Kind::Sites,
    Kind::Site,
    Kind::Direction,
    Kind::Directions,
    Kind::Player,
    Kind::Piece,
];

impl<'t> Checker<'t> {
    /// Checks the heading of `(define heading body…)` and declares its name.
    pub(super) fn declare_definition(&mut self, node: &'t Node, args: &'t [Node]) {
        let Some(([heading], body)) = self.leading(Ludeme::Define.row(), node, args) else {
            return;
        };
        let (name, parameters) = match heading.as_form() {
            Some([name, parameters @ ..]) => (name, parameters),
            _ => (heading, &[][..]),
        };
        let Ok(index) = u16::try_from(self.declared.definitions.len()) else {
            return;
        };
        if let Some((word, _)) = heading.head()
            && ludemes::rows(word).next().is_some()
        {
            let span = name.span;
            let message = format!("`{word}` is a word of the language and cannot be defined again");
            let mut finding = Finding::new(Code::NameTaken, span, message)
                .with_help("choose another name, which begins with an upper-case letter");
            let is_free = |name: &String| !self.declared.names.contains_key(name.as_str());
            if let Some(capital) = capitalised(word).filter(is_free) {
                finding = finding.with_help(format!(
                    "names begin with an upper-case letter: write `{capital}`, and `({capital} …)` where you use it"
                ));
            }
            self.diagnostics.lost.insert(word.to_owned(), heading.span);
            return self.report(finding);
        }
        let meaning = Meaning::Definition(DefinitionId(index));
        let Some(name) = self.declare(name, "a definition", meaning) else {
            return;
        };
        let (parameters, body) = self.parameters_outside(heading, parameters, body);
        let mark = self.context.scope.mark();
        let named = self.usage.named.len();
        let mut known = Vec::with_capacity(parameters.len());
        for parameter in parameters {
            known.extend(self.parameter(parameter));
        }
        self.context.scope.release(mark);
        if body.is_empty() {
            // A hook for variants need not use its parameters.
            self.usage.named.truncate(named);
        }
        self.declared.definitions.push(DefinitionEntry {
            name,
            heading: heading.span,
            body,
            broken: known.len() < parameters.len(),
            parameters: known,
            ..DefinitionEntry::default()
        });
    }

    /// Accepts parameters that follow the name instead of standing in brackets with it, and reports
    /// them.
    fn parameters_outside(
        &mut self,
        heading: &Node,
        parameters: &'t [Node],
        body: &'t [Node],
    ) -> (&'t [Node], &'t [Node]) {
        let is_parameter = |node: &&Node| match node.as_form() {
            Some([kind, variable]) => {
                PARAMETERS.iter().any(|known| Some(known.spelling()) == kind.as_word())
                    && variable.as_word().is_some_and(|word| self.is_new_variable(word))
            }
            _ => false,
        };
        let count = body.iter().take_while(is_parameter).count();
        let Some(last) = count
            .checked_sub(1)
            .map(|last| &body[last])
            .filter(|_| heading.as_word().is_some() && count < body.len())
        else {
            return (parameters, body);
        };
        let text = format!("({})", heading.span.join(last.span).text(self.source));
        let message = "write the parameters in brackets with the name";
        let finding = Finding::new(Code::WrongType, body[0].span.join(last.span), message)
            .with_help(format!("write `{}`", self.short(&text)));
        self.report(finding.with_fix(Fix::write(heading.span.join(last.span), text)));
        body.split_at(count)
    }

    fn parameter(&mut self, node: &Node) -> Option<(Local, Kind)> {
        let types: Vec<&str> = PARAMETERS.iter().map(|kind| kind.spelling()).collect();
        let Some([word, variable]) = node.as_form() else {
            let finding = self.mismatch(Code::WrongType, node, "a parameter such as `(site s)`");
            return self.refuse(finding.with_help(types_of_parameters(&types)));
        };
        let known = |kind: &&Kind| Some(kind.spelling()) == word.as_word();
        let Some(&kind) = PARAMETERS.iter().find(known) else {
            if let (Some(name), Some(kind)) = (word.as_word(), variable.as_word())
                && let Some(&kind) = PARAMETERS.iter().find(|known| known.spelling() == kind)
                && self.is_new_variable(name)
            {
                let message = format!(
                    "`{name}` and `{}` are in the wrong order: write the type first, then the variable",
                    kind.spelling()
                );
                let finding = Finding::new(Code::WrongType, node.span, message)
                    .with_help(format!("write `({} {name})`", kind.spelling()));
                self.report(finding.with_fix(Fix::swap(word.span, variable.span, self.source)));
                let local = self.new_variable(word, kind)?;
                self.bind(local);
                return Some((local, kind));
            }
            self.bind_unknown(variable);
            let finding = self.mismatch(Code::WrongType, word, "the type of a parameter");
            let text = word.as_word().unwrap_or("");
            match ludii_hints::kind(text) {
                Some(ours) => self.report(finding.with_right(word.span, ours)),
                None => self.unknown(finding, text, &types, Some(types_of_parameters(&types))),
            }
            return None;
        };
        let local = self.new_variable(variable, kind)?;
        self.bind(local);
        self.usage.named.push(local);
        Some((local, kind))
    }
}

fn types_of_parameters(types: &[&str]) -> String {
    format!("a parameter has one of these types: {}", super::spelling::list(types, "and"))
}
