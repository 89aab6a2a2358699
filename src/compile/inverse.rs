//! Inverts regions that depend on a site: if `(Reach x)` is the region that a piece on x reaches,
//! its inverse at s is the set of the sites x from which s is reached.
//!
//! A rule that says where pieces go can then be read the other way round. `(some x (theirs) (in s
//! (Reach x)))` asks if s is attacked; computed as it stands, it is a loop over x. With the
//! inverse it is a test if `(theirs)` and one region at s intersect, which is compiled like any
//! other region, for one s or lifted over all of them.
//!
//! Every part of a region is inverted by itself: steps are taken back, directions are turned
//! around, a slide is its own inverse, and a part `(when (in x A) R)` becomes the inverse of R
//! within A. In the inverted region the parameter stands for s. What has no inverse here leaves
//! the definition without one.

use super::values::{Binding, Scope};
use super::{Compiled, Compiler};
use crate::board::Direction;
use crate::language::rules::{
    Binder, Condition, Definition, DefinitionId, DirectionOf, Directions, Domain, Local, Rules,
    SiteOf, Sites, Spanned, Value,
};
use crate::language::visit::Expression;
use crate::syntax::Span;
use rustc_hash::FxHashMap;

/// The inverses of the definitions of a game.
#[derive(Debug, Default)]
pub(super) struct Inverses {
    /// Their ids follow those of the definitions of the game.
    definitions: Vec<Definition>,
    /// The inverse of a definition in one of its parameters, if it has one.
    regions: FxHashMap<(DefinitionId, Local), Option<DefinitionId>>,
    /// The opposites of definitions of directions.
    directions: FxHashMap<DefinitionId, Option<DefinitionId>>,
}

impl Inverses {
    /// Inverts every definition of a region in every site that it depends on.
    pub(super) fn of(rules: &Rules) -> Inverses {
        let mut inverter = Inverter { rules, made: Inverses::default(), variables: 0 };
        for (index, definition) in rules.definitions.iter().enumerate() {
            for &parameter in &definition.parameters {
                inverter.definition(DefinitionId(index as u16), parameter);
            }
        }
        inverter.made
    }

    /// Returns a definition by its id, less the number of definitions of the game.
    pub(super) fn get(&self, index: usize) -> &Definition {
        &self.definitions[index]
    }
}

struct Inverter<'r> {
    rules: &'r Rules,
    made: Inverses,
    /// Number of variables in the inverses that the game does not have.
    variables: usize,
}

impl Inverter<'_> {
    /// Returns the inverse of a definition, which is made if need be.
    fn definition(&mut self, id: DefinitionId, site: Local) -> Option<DefinitionId> {
        if let Some(known) = self.made.regions.get(&(id, site)) {
            return *known;
        }
        // No definition uses itself, so that this entry is not read before it is replaced.
        self.made.regions.insert((id, site), None);
        let definition = &self.rules.definitions[id.index()];
        let made = match &definition.body {
            Value::Sites(body) if mentions(Expression::Sites(body), site) => {
                self.region(body, site).map(|body| self.add(definition, Value::Sites(body)))
            }
            _ => None,
        };
        self.made.regions.insert((id, site), made.flatten());
        made.flatten()
    }

    fn add(&mut self, original: &Definition, body: Value) -> Option<DefinitionId> {
        let index = self.rules.definitions.len() + self.made.definitions.len();
        let id = DefinitionId(u16::try_from(index).ok()?);
        self.made.definitions.push(Definition { body, ..original.clone() });
        Some(id)
    }

    /// Returns the sites x from which the site is in the region, which is written about x. In the
    /// result the variable is the site, except where it is bound anew.
    fn region(&mut self, region: &Spanned<Sites>, x: Local) -> Option<Spanned<Sites>> {
        let span = region.span;
        let all = |parts: &[Spanned<Sites>], inverter: &mut Self| {
            parts.iter().map(|part| inverter.region(part, x)).collect::<Option<Vec<_>>>()
        };
        if !mentions(Expression::Sites(region), x) {
            return Some(when(in_region(site(x, span), region.clone()), everywhere(span)));
        }
        Some(match &region.node {
            Sites::One(end) => self.sites_that_lead_to(&end.node, one(site(x, span)), x)?,
            Sites::Beside(of, directions) => {
                let Sites::One(from) = &of.node else { return None };
                let back = Box::new(self.opposites(directions, x)?);
                let before = sites(Sites::Beside(Box::new(one(site(x, span))), back), span);
                self.sites_that_lead_to(&from.node, before, x)?
            }
            Sites::Group { of, within, directions } => {
                let (Sites::One(from), false) = (&of.node, mentions(Expression::Sites(within), x))
                else {
                    return None;
                };
                let of = Box::new(one(site(x, span)));
                let directions = Box::new(self.opposites(directions, x)?);
                let group = Sites::Group { of, within: within.clone(), directions };
                self.sites_that_lead_to(&from.node, sites(group, span), x)?
            }
            Sites::Slide { from, directions } => {
                let back = Box::new(self.opposites(directions, x)?);
                let slide = Sites::Slide { from: Box::new(site(x, span)), directions: back };
                // What was cut out stops a slide, so that nothing slides there.
                let there = in_region(site(x, span), sites(Sites::Everywhere, span));
                let slide = match self.cuts() {
                    true => when(there, sites(slide, span)),
                    false => sites(slide, span),
                };
                self.sites_that_lead_to(&from.node, slide, x)?
            }
            Sites::Walk { from, directions, through } => {
                if mentions(Expression::Sites(through), x) {
                    return None;
                }
                // A site from which a walk reaches s need not be in `through` itself, so it is one
                // that a walk back passes, or the one at which that walk ends.
                let backs = match self.opposites(directions, x)?.node {
                    Directions::One(back) => vec![*back],
                    Directions::List(backs) => backs,
                    Directions::Fixed(backs) => backs
                        .into_iter()
                        .map(|back| Spanned { node: DirectionOf::Fixed(back), span })
                        .collect(),
                    _ => return None,
                };
                let starts = backs
                    .into_iter()
                    .map(|back| self.start_of_walk(&site(x, span), back, through))
                    .collect();
                let starts = sites(Sites::Or(starts), span);
                let starts = when(in_region(site(x, span), (**through).clone()), starts);
                self.sites_that_lead_to(&from.node, starts, x)?
            }
            Sites::When(condition, region) => {
                let inverse = self.region(region, x)?;
                match mentions(Expression::Condition(condition), x) {
                    true => both(satisfying(condition, x), inverse),
                    false => when((**condition).clone(), inverse),
                }
            }
            Sites::Union(binder, region) => {
                if matches!(binder.domain, Domain::Sites(_)) || binder_mentions(binder, x) {
                    return None;
                }
                let inverse = self.region(region, x)?;
                sites(Sites::Union(binder.clone(), Box::new(inverse)), span)
            }
            Sites::Reach(binder, step) => {
                let Domain::Sites(Spanned { node: Sites::One(from), .. }) = &binder.domain else {
                    return None;
                };
                if mentions(Expression::Sites(step), x) {
                    return None;
                }
                let back = Box::new(self.region(step, binder.variable)?);
                let domain = Domain::Sites(one(site(x, span)));
                let binder = Box::new(Binder { variable: binder.variable, domain });
                self.sites_that_lead_to(&from.node, sites(Sites::Reach(binder, back), span), x)?
            }
            Sites::And(parts) => sites(Sites::And(all(parts, self)?), span),
            Sites::Or(parts) => sites(Sites::Or(all(parts, self)?), span),
            Sites::Not(region) => {
                // Nowhere is in no complement either.
                let there = in_region(site(x, span), everywhere(span));
                when(there, sites(Sites::Not(Box::new(self.region(region, x)?)), span))
            }
            Sites::Where(binder, condition) => {
                let Domain::Sites(domain) = &binder.domain else { return None };
                if mentions(Expression::Condition(condition), x) {
                    return None;
                }
                // The condition is about s alone.
                let here = Domain::Sites(one(site(x, span)));
                let here = Binder { variable: binder.variable, domain: here };
                let holds = Condition::Exists(Box::new(here), condition.clone());
                when(Spanned { node: holds, span }, self.region(domain, x)?)
            }
            Sites::ByPlayer(player, branches) => {
                if mentions(Expression::Player(player), x) {
                    return None;
                }
                sites(Sites::ByPlayer(player.clone(), all(branches, self)?), span)
            }
            Sites::Call(id, arguments) => {
                let argument = argument_of(arguments, x)?;
                let parameter = self.rules.definitions[id.index()].parameters[argument];
                sites(Sites::Call(self.definition(*id, parameter)?, arguments.clone()), span)
            }
            Sites::Everywhere
            | Sites::Nowhere
            | Sites::Empty
            | Sites::CutOut
            | Sites::Pieces { .. }
            | Sites::Memory { .. }
            | Sites::Literal(_)
            | Sites::Lines { .. }
            | Sites::Between(..)
            | Sites::Local(_) => return None,
        })
    }

    /// Returns the sites x for which an expression leads into the region.
    fn sites_that_lead_to(
        &mut self,
        end: &SiteOf,
        region: Spanned<Sites>,
        x: Local,
    ) -> Option<Spanned<Sites>> {
        let span = region.span;
        match end {
            SiteOf::Local(local) if *local == x => Some(region),
            SiteOf::Step(from, direction, number) => {
                let back = Box::new(self.opposite(direction, x)?);
                let before = match region.node {
                    Sites::One(end) => {
                        one(Spanned { node: SiteOf::Step(end, back, *number), span })
                    }
                    _ => {
                        let back = Box::new(Spanned { node: Directions::One(back), span });
                        let beside =
                            |region, _| sites(Sites::Beside(Box::new(region), back.clone()), span);
                        (0..*number).fold(region, beside)
                    }
                };
                self.sites_that_lead_to(&from.node, before, x)
            }
            SiteOf::First { from, direction, stops } => {
                if mentions(Expression::Sites(stops), x) {
                    return None;
                }
                let back = self.opposite(direction, x)?;
                let starts = match region.node {
                    Sites::One(end) => {
                        let through = sites(Sites::Not(stops.clone()), span);
                        let start = self.start_of_walk(&end, back, &through);
                        when(in_region(*end, (**stops).clone()), start)
                    }
                    _ => {
                        let start = self.fresh_variable()?;
                        let first = SiteOf::First {
                            from: Box::new(site(start, span)),
                            direction: direction.clone(),
                            stops: stops.clone(),
                        };
                        let reached = in_region(Spanned { node: first, span }, region);
                        let domain = Domain::Sites(everywhere(span));
                        let binder = Box::new(Binder { variable: start, domain });
                        sites(Sites::Where(binder, Box::new(reached)), span)
                    }
                };
                self.sites_that_lead_to(&from.node, starts, x)
            }
            _ => None,
        }
    }

    /// Returns the sites from which a walk through a region ends at the given one: those that a
    /// walk back passes, and the one behind them.
    fn start_of_walk(
        &self,
        end: &Spanned<SiteOf>,
        back: Spanned<DirectionOf>,
        through: &Spanned<Sites>,
    ) -> Spanned<Sites> {
        let span = end.span;
        let from = Box::new(end.clone());
        let directions = Box::new(Spanned { node: Directions::One(Box::new(back.clone())), span });
        let passed =
            Sites::Walk { from: from.clone(), directions, through: Box::new(through.clone()) };
        let stops = Box::new(sites(Sites::Not(Box::new(through.clone())), span));
        let behind = SiteOf::First { from, direction: Box::new(back), stops };
        let behind = one(Spanned { node: behind, span });
        sites(Sites::Or(vec![sites(passed, span), behind]), span)
    }

    /// Returns a variable that the game does not have.
    fn fresh_variable(&mut self) -> Option<Local> {
        let index = self.rules.locals.len() + self.variables;
        self.variables += 1;
        u16::try_from(index).ok().map(Local)
    }

    /// Tests if sites can be cut out during play.
    fn cuts(&self) -> bool {
        super::flow::cuts(self.rules)
    }

    /// Returns the opposite of a direction that does not depend on the site.
    fn opposite(
        &mut self,
        direction: &Spanned<DirectionOf>,
        x: Local,
    ) -> Option<Spanned<DirectionOf>> {
        if mentions(Expression::Direction(direction), x) {
            return None;
        }
        let node = match &direction.node {
            DirectionOf::Fixed(direction) => DirectionOf::Fixed(direction.opposite()),
            _ => {
                let half = self.rules.board.all().len() / 2;
                DirectionOf::Turned(Box::new(direction.clone()), half as u8)
            }
        };
        Some(Spanned { node, span: direction.span })
    }

    /// Returns the opposites of directions that do not depend on the site.
    fn opposites(
        &mut self,
        directions: &Spanned<Directions>,
        x: Local,
    ) -> Option<Spanned<Directions>> {
        if mentions(Expression::Directions(directions), x) {
            return None;
        }
        let node = match &directions.node {
            Directions::Fixed(all) => {
                Directions::Fixed(all.iter().map(|one: &Direction| one.opposite()).collect())
            }
            Directions::One(one) => Directions::One(Box::new(self.opposite(one, x)?)),
            Directions::List(all) => Directions::List(
                all.iter().map(|one| self.opposite(one, x)).collect::<Option<_>>()?,
            ),
            Directions::ByPlayer(player, branches) => Directions::ByPlayer(
                player.clone(),
                branches.iter().map(|all| self.opposites(all, x)).collect::<Option<_>>()?,
            ),
            Directions::Call(id, arguments) => {
                Directions::Call(self.opposite_definition(*id)?, arguments.clone())
            }
            Directions::Local(_) => return None,
        };
        Some(Spanned { node, span: directions.span })
    }

    fn opposite_definition(&mut self, id: DefinitionId) -> Option<DefinitionId> {
        if let Some(known) = self.made.directions.get(&id) {
            return *known;
        }
        let definition = &self.rules.definitions[id.index()];
        let Value::Directions(body) = &definition.body else { return None };
        // No variable has this number.
        let made = self
            .opposites(body, Local(u16::MAX))
            .and_then(|body| self.add(definition, Value::Directions(body)));
        self.made.directions.insert(id, made);
        made
    }
}

/// Returns the sites for which a condition on the variable holds.
fn satisfying(condition: &Spanned<Condition>, x: Local) -> Spanned<Sites> {
    let span = condition.span;
    let all = |parts: &[Spanned<Condition>]| parts.iter().map(|part| satisfying(part, x)).collect();
    match &condition.node {
        Condition::In(at, region) if is_local(at, x) && !mentions(Expression::Sites(region), x) => {
            (**region).clone()
        }
        Condition::Not(part) => sites(Sites::Not(Box::new(satisfying(part, x))), span),
        Condition::And(parts) => sites(Sites::And(all(parts)), span),
        Condition::Or(parts) => sites(Sites::Or(all(parts)), span),
        _ => {
            let domain = Domain::Sites(everywhere(span));
            let binder = Box::new(Binder { variable: x, domain });
            sites(Sites::Where(binder, Box::new(condition.clone())), span)
        }
    }
}

/// Returns the index of the only argument that mentions a site, if it is that site. Steps away from
/// it would not do: they may lead nowhere, and a region may have sites even then.
pub(super) fn argument_of(arguments: &[Value], x: Local) -> Option<usize> {
    let mentioning =
        |argument: &Value| argument.expression().is_some_and(|expression| mentions(expression, x));
    let index = arguments.iter().position(mentioning)?;
    let is_site = matches!(&arguments[index], Value::Site(site) if is_local(site, x));
    (is_site && !arguments[index + 1..].iter().any(mentioning)).then_some(index)
}

pub(super) fn binder_mentions(binder: &Binder, x: Local) -> bool {
    match &binder.domain {
        Domain::Sites(domain) => mentions(Expression::Sites(domain), x),
        Domain::Directions(domain) => mentions(Expression::Directions(domain), x),
        Domain::Groups { .. } => true,
        Domain::Players(_) | Domain::Pieces(..) | Domain::Numbers { .. } => false,
    }
}

impl<'r> Compiler<'r> {
    /// Returns the region of the sites for which a condition `(in s (Reach x))` on the variable x
    /// holds, if it is one and has an inverse, and the scope to evaluate it in.
    pub(super) fn inverse(
        &mut self,
        x: Local,
        condition: &'r Spanned<Condition>,
        scope: &Scope<'r>,
    ) -> Compiled<Option<(&'r Spanned<Sites>, Scope<'r>)>> {
        let Condition::In(site, region) = &condition.node else { return Ok(None) };
        let Sites::Call(id, arguments) = &region.node else { return Ok(None) };
        if mentions(Expression::Site(site), x) {
            return Ok(None);
        }
        let Some(index) = argument_of(arguments, x) else { return Ok(None) };
        let parameter = self.definition(*id).parameters[index];
        let inverse = self.inverses.regions.get(&(*id, parameter)).copied().flatten();
        let Some(inverse) = inverse else { return Ok(None) };
        let target = self.site_operand(site, scope)?;
        let (inner, body) = self.open_arguments(inverse, arguments, scope);
        let Value::Sites(body) = body else { return Ok(None) };
        Ok(Some((body, inner.with(parameter, Binding::Site(target)))))
    }
}

/// Returns the parts that must all hold for a condition to hold.
pub(super) fn conjuncts(condition: &Spanned<Condition>) -> &[Spanned<Condition>] {
    match &condition.node {
        Condition::And(parts) => parts,
        _ => std::slice::from_ref(condition),
    }
}

/// Tests if a site is the variable.
pub(super) fn is_local(site: &Spanned<SiteOf>, x: Local) -> bool {
    matches!(site.node, SiteOf::Local(local) if local == x)
}

/// Tests if the variable is in an expression.
pub(super) fn mentions(expression: Expression, x: Local) -> bool {
    expression.local() == Some(x) || expression.parts().into_iter().any(|part| mentions(part, x))
}

/// Visits the variables in an expression, as often as they occur.
pub(super) fn each_local(expression: Expression, visit: &mut dyn FnMut(Local)) {
    expression.local().into_iter().for_each(&mut *visit);
    expression.parts().into_iter().for_each(|part| each_local(part, visit));
}

fn sites(node: Sites, span: Span) -> Spanned<Sites> {
    Spanned { node, span }
}

fn site(x: Local, span: Span) -> Spanned<SiteOf> {
    Spanned { node: SiteOf::Local(x), span }
}

fn one(site: Spanned<SiteOf>) -> Spanned<Sites> {
    let span = site.span;
    sites(Sites::One(Box::new(site)), span)
}

/// Every site, those that were cut out included.
fn everywhere(span: Span) -> Spanned<Sites> {
    sites(Sites::Not(Box::new(sites(Sites::Nowhere, span))), span)
}

fn in_region(site: Spanned<SiteOf>, region: Spanned<Sites>) -> Spanned<Condition> {
    let span = region.span;
    Spanned { node: Condition::In(Box::new(site), Box::new(region)), span }
}

fn when(condition: Spanned<Condition>, region: Spanned<Sites>) -> Spanned<Sites> {
    let span = region.span;
    sites(Sites::When(Box::new(condition), Box::new(region)), span)
}

fn both(one: Spanned<Sites>, other: Spanned<Sites>) -> Spanned<Sites> {
    let span = other.span;
    sites(Sites::And(vec![one, other]), span)
}
