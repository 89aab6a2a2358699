//! Checks a choice of several sites at once: `(to s t (empty))`.

use super::Checker;
use super::report::usage;
use super::typed::Typed;
use crate::language::finding::{Code, Finding};
use crate::language::ludemes::{self, Kind, Ludeme};
use crate::language::rules::*;
use crate::syntax::Node;

/// The maximal number of sites that are chosen together.
const MOST: usize = 4;

impl Checker<'_> {
    /// Tests if the arguments of `at`, `from` or `to` are several new variables and a region.
    pub(super) fn are_chosen_together(&self, args: &[Node]) -> bool {
        let Some((region, variables)) = args.split_last() else { return false };
        let is_variable = |node: &Node| {
            let is_free = |word| self.is_new_variable(word) && ludemes::rows(word).next().is_none();
            node.as_word().is_some_and(is_free)
        };
        variables.len() > 1 && !is_variable(region) && variables.iter().all(is_variable)
    }

    /// Checks such a choice. Every variable is a parameter of its own, from the same region.
    pub(super) fn chosen_together(
        &mut self,
        ludeme: Ludeme,
        node: &Node,
        args: &[Node],
    ) -> Option<Typed> {
        let (region, variables) = args.split_last()?;
        if variables.len() > MOST {
            let message = format!(
                "expected at most {MOST} variables in `{}`, found {}",
                ludeme.row().spelling,
                variables.len()
            );
            let finding = Finding::new(Code::ExtraArgument, variables[MOST].span, message);
            self.report(finding.with_help(usage(ludeme.row())));
        }
        let role = match ludeme {
            Ludeme::ChooseFrom => ParameterRole::From,
            Ludeme::ChooseTo => ParameterRole::To,
            _ => ParameterRole::At,
        };
        let region: Option<Spanned<Sites>> = self.value(region);
        let mut parameters = Vec::with_capacity(variables.len());
        for (index, name) in variables.iter().enumerate() {
            let Some(variable) = self.new_variable(name, Kind::Site) else { continue };
            self.bind(variable);
            if let Some(region) = &region {
                let domain = Domain::Sites(region.clone());
                let (span, alike) = (node.span, index > 0);
                parameters.push(Parameter { role, variable, span, domain, alike });
            }
        }
        (parameters.len() == variables.len().min(MOST)).then_some(Typed::Parameter(parameters))
    }
}
