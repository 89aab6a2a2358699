//! A move rule while its parameters are being fixed, and how each of them is.

use super::products::{Factor, Relations};
use super::then::MovesToTry;
use crate::board::Site;
use crate::compile::assembler::{Num, Set};
use crate::compile::plan::{How, Unlifted, Why};
use crate::compile::program::ParameterSource;
use crate::compile::values::Scope;
use crate::compile::{Compiled, Compiler};
use crate::language::rules::{Domain, MoveId, MoveRule, Parameter, Spanned, Statement};
use crate::syntax::Span;
use std::ops::Range;

/// In more cases of numbers than these, one routine makes the moves of all of them.
const MAX_NUMBER_CASES: i64 = 32;

/// A move rule while its parameters are being fixed.
#[derive(Clone)]
pub(in crate::compile) struct PartialSpecialization<'r> {
    pub(super) id: MoveId,
    pub(in crate::compile) rule: &'r MoveRule,
    /// The parameters to be fixed and the statements that follow them, of the rule or of its
    /// `then`.
    pub(super) parameters: &'r [Parameter],
    pub(super) body: &'r [Spanned<Statement>],
    /// The index of the first of `parameters` among all parameters of the move.
    pub(super) first: usize,
    /// The parameter that is lifted over, and the next one if it is a path away from it.
    pub(super) lifted: Option<usize>,
    pub(super) stepped: Option<usize>,
    /// By parameter: the sites of a region that is known before play, if each of them is a case.
    pub(super) cases: Vec<Option<Vec<Site>>>,
    /// By parameter: its values, if it is independent of the others.
    pub(super) values: Vec<Option<Set>>,
    /// The parameters that are chosen together with the lifted one, if nothing depends on them.
    pub(super) together: Range<usize>,
    /// The independent parameters that are fixed so far.
    pub(super) factors: Vec<Factor>,
    /// Whether numbers that are cases are prefix arguments of a specialization for all of them.
    pub(super) shares_numbers: bool,
    /// The numbers fixed so far that are prefix arguments, by prefix argument.
    pub(super) numbers: Vec<(u8, i32)>,
    /// Why the last two sites are not lifted together.
    pub(super) apart: Option<Unlifted>,
    /// Indexes of the requirements that every set of moves meets: requirements that mention no
    /// parameter, tested once per decision, and requirements on an independent parameter.
    pub(super) asked: Vec<usize>,
    /// Indexes of the requirements that cannot be lifted, and why.
    pub(super) unlifted: Vec<(usize, Unlifted)>,
    /// Whether some requirements are not lifted because the moves are proposals.
    pub(super) proposals: bool,
    pub(super) sources: Vec<ParameterSource>,
    pub(super) prefix: u8,
    /// The registers of the sites that are fixed so far.
    pub(in crate::compile) prefixes: Vec<Num>,
    /// Sets of moves that are still to be tried, because the rule has a `then`.
    pub(super) pending: Vec<MovesToTry>,
    /// Within a `then`: the register that collects the members of its sets.
    pub(super) found: Option<Set>,
    /// The sites of the region after the site that was chosen last: the candidates for the next
    /// site that is chosen together with it.
    pub(super) rest: Option<Set>,
}

impl PartialSpecialization<'_> {
    /// Tests if move generation has tested the statement, given those that it has lifted.
    pub(in crate::compile) fn is_settled(&self, statement: usize, lifted: &[usize]) -> bool {
        self.asked.contains(&statement) || lifted.contains(&statement)
    }

    /// Tests if some choices are factors of a product.
    pub(super) fn is_product(&self) -> bool {
        !self.together.is_empty() || self.values.iter().any(Option::is_some)
    }

    /// Returns how the lifted parts are executed: once, or again for every prefix.
    pub(super) fn at_once(&self) -> How {
        let looped = usize::from(self.prefix) > self.factors.len() + self.together.len();
        if looped { How::Anew } else { How::Lifted }
    }

    /// Returns why the requirements in a statement of the body are tested move by move. `effect` is
    /// the first effect so far.
    pub(super) fn why_tried(
        &self,
        index: usize,
        statement: &Spanned<Statement>,
        effect: &mut Option<Span>,
    ) -> Unlifted {
        // What the checker has added stands before an effect of the text.
        let does = !matches!(statement.node, Statement::Require(_) | Statement::Let(..))
            && !statement.span.is_empty();
        if does && effect.is_none() {
            *effect = Some(statement.span);
        }
        let known = self.unlifted.iter().find(|(known, _)| *known == index);
        known.map_or_else(
            || match *effect {
                Some(span) if span == statement.span => Unlifted { why: Why::Inside, span },
                Some(span) => Unlifted { why: Why::Effect, span },
                None => Unlifted { why: Why::Siteless, span: self.rule.span },
            },
            |(_, unlifted)| *unlifted,
        )
    }
}

impl<'r> Compiler<'r> {
    /// Chooses which parameters are lifted over, which are factors of a product, and which are
    /// cases. `asked` are the requirements tested once per decision.
    pub(super) fn partial(
        &mut self,
        rule: &'r MoveRule,
        id: MoveId,
        asked: &[usize],
        products: bool,
    ) -> Compiled<PartialSpecialization<'r>> {
        let sites: Vec<usize> = (0..rule.parameters.len())
            .filter(|&index| matches!(rule.parameters[index].domain, Domain::Sites(_)))
            .collect();
        // In a search, moves that must be tried are compiled once, not for each path or site.
        let once = self.search.is_some() && self.requires_after_effect(rule);
        // Moves that are searched or tried are so one by one.
        let products = products && self.search.is_none() && rule.further.is_empty();
        let (relations, scope) = (Relations::of(rule), Scope::default());
        let independent = match products {
            true => self.independent(rule, &relations)?,
            false => vec![false; rule.parameters.len()],
        };
        let (free, related): (Vec<usize>, Vec<usize>) =
            sites.iter().partition(|&&index| independent[index]);
        let mut cases = vec![None; rule.parameters.len()];
        let (mut lifted, mut stepped, mut apart) = match once {
            true => (sites.last().copied(), None, None),
            false => self.lifted_sites(&rule.parameters, &related, &scope)?,
        };
        if stepped.is_none() && !once {
            cases = self.site_cases(rule)?;
            let rest: Vec<usize> =
                related.iter().copied().filter(|&index| cases[index].is_none()).collect();
            if rest.len() < related.len() {
                (lifted, stepped, apart) = self.lifted_sites(&rule.parameters, &rest, &scope)?;
            }
        }
        lifted = lifted.or(free.last().copied());
        let together = lifted.filter(|_| products).map(|lifted| relations.combined(rule, lifted));
        let mut partial = PartialSpecialization {
            id,
            rule,
            parameters: &rule.parameters,
            body: &rule.body,
            first: 0,
            lifted,
            stepped,
            cases,
            values: vec![None; rule.parameters.len()],
            together: together.unwrap_or_default(),
            factors: Vec::new(),
            shares_numbers: false,
            numbers: Vec::new(),
            apart,
            asked: asked.to_vec(),
            unlifted: Vec::new(),
            proposals: false,
            sources: vec![ParameterSource::Number(0); rule.parameters.len()],
            prefix: 0,
            prefixes: Vec::new(),
            pending: Vec::new(),
            found: None,
            rest: None,
        };
        self.find_values(&mut partial, &relations, &independent)?;
        let numbers = rule.parameters.iter().zip(&partial.values);
        let numbers = numbers.filter_map(|(parameter, values)| match parameter.domain {
            Domain::Numbers { least, most, .. } if values.is_none() => {
                Some(i64::from(most) - i64::from(least) + 1)
            }
            _ => None,
        });
        let (cases, most) = numbers
            .fold((1, 0), |(cases, most), many| (i64::saturating_mul(cases, many), most.max(many)));
        // A prefix argument is less than the number of sites.
        partial.shares_numbers = cases > MAX_NUMBER_CASES
            && most <= self.board.slots() as i64
            && self.search.is_none()
            && rule.further.is_empty();
        partial.unlift_dependent();
        Ok(partial)
    }

    /// Tests if the rule has a requirement after an effect, or inside one.
    fn requires_after_effect(&self, rule: &MoveRule) -> bool {
        let is_early =
            |statement: &Statement| matches!(statement, Statement::Require(_) | Statement::Let(..));
        let mut late = rule.body.iter().skip_while(|statement| is_early(&statement.node));
        late.any(|statement| {
            self.rules.holds(&statement.node, &|inner| matches!(inner, Statement::Require(_)))
        })
    }
}
