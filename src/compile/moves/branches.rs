//! Branches of move generation: where a region is an `if` about no choice of the move.

use super::super::values::Scope;
use super::super::{Compiled, Compiler};
use crate::language::rules::{Condition, Domain, MoveRule, Sites, Spanned, Value};
use crate::language::visit::Expression;

/// On so many conditions the generation of a rule branches.
const MAX_BRANCHINGS: usize = 2;

impl<'r> Compiler<'r> {
    /// Returns the condition of an `if` that is the region of a site, if it mentions no variable,
    /// as both of its branches have it. On more than two conditions generation does not branch.
    pub(super) fn branching(&self, rule: &'r MoveRule) -> Option<[&'r Spanned<Condition>; 2]> {
        if self.context.assumed.len() >= MAX_BRANCHINGS {
            return None;
        }
        rule.parameters.iter().find_map(|parameter| {
            let Domain::Sites(domain) = &parameter.domain else { return None };
            let mut region = &domain.node;
            while let Sites::Call(definition, _) = region {
                let Value::Sites(body) = &self.definition(*definition).body else { return None };
                region = &body.node;
            }
            let Sites::Or(parts) = region else { return None };
            let [
                Spanned { node: Sites::When(one, _), .. },
                Spanned { node: Sites::When(other, _), .. },
            ] = &parts[..]
            else {
                return None;
            };
            let Condition::Not(other) = &other.node else { return None };
            let mut locals = Expression::Condition(one).descendants().filter_map(Expression::local);
            let is_closed = one.span == other.span && locals.next().is_none();
            let assumed = &self.context.assumed;
            let is_new = !assumed.iter().any(|([known, _], _)| std::ptr::eq(*known, &**one));
            (is_closed && is_new).then_some([&**one, &**other])
        })
    }

    /// Emits two branches: the condition holds on the first and not on the second.
    pub(super) fn on_both_branches(
        &mut self,
        condition: [&'r Spanned<Condition>; 2],
        mut emit: impl FnMut(&mut Self) -> Compiled<bool>,
    ) -> Compiled<bool> {
        let (otherwise, end) = (self.asm.label(), self.asm.label());
        let mut exact = true;
        for holds in [true, false] {
            self.asm.open();
            if holds {
                self.jump(condition[0], &Scope::default(), false, otherwise)?;
            } else {
                self.asm.place(otherwise);
            }
            self.context.assumed.push((condition, holds));
            exact &= emit(self)?;
            self.context.assumed.pop();
            if holds {
                self.asm.jump(end);
            }
            self.asm.close();
        }
        self.asm.place(end);
        Ok(exact)
    }
}
