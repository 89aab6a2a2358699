//! Facts about the sites that a move chooses, derived from the regions that they are chosen from:
//! some are certainly empty, some bear one of certain pieces. Effects omit instructions that have
//! no effect then.

use super::program::{Bearing, SiteFact};
use super::values::{Binding, Scope};
use super::{Compiled, Compiler};
use crate::language::rules::{Domain, Local, Parameter, SiteOf, Sites, Spanned, Value};

/// What is known of the sites that a move chooses. It holds until a piece changes.
#[derive(Clone, Debug, Default)]
pub(super) struct SiteFacts(Vec<(Local, Bearing)>);

impl SiteFacts {
    fn of<'f>(&'f self, site: &SiteOf) -> impl Iterator<Item = &'f Bearing> {
        let local = if let SiteOf::Local(local) = site { Some(*local) } else { None };
        self.0.iter().filter(move |(known, _)| Some(*known) == local).map(|(_, bearing)| bearing)
    }

    /// Tests if the site certainly bears no piece and is not cut out.
    pub(super) fn is_bare(&self, site: &SiteOf) -> bool {
        self.of(site).any(|bearing| *bearing == Bearing::Nothing)
    }

    /// Returns the registers that may hold the piece that the site certainly bears.
    pub(super) fn occupants(&self, site: &SiteOf) -> Option<&Vec<u16>> {
        self.of(site).find_map(|bearing| match bearing {
            Bearing::OneOf(registers) => Some(registers),
            Bearing::Nothing => None,
        })
    }

    /// Returns them as facts about these parameters.
    pub(super) fn about(&self, parameters: &[Parameter]) -> Vec<SiteFact> {
        let about = |(local, bearing): &(Local, Bearing)| {
            let parameter = parameters.iter().position(|one| one.variable == *local)?;
            Some(SiteFact { parameter, bearing: bearing.clone() })
        };
        self.0.iter().filter_map(about).collect()
    }
}

impl<'r> Compiler<'r> {
    /// Returns what the regions imply about the sites chosen from them.
    pub(super) fn site_facts_of(&mut self, parameters: &'r [Parameter]) -> Compiled<SiteFacts> {
        let mut site_facts = SiteFacts::default();
        for parameter in parameters {
            let Domain::Sites(domain) = &parameter.domain else { continue };
            let mut around = Vec::new();
            self.regions_around(domain, &Scope::default(), &mut around)?;
            for region in around {
                match &region.node {
                    Sites::Empty => site_facts.0.push((parameter.variable, Bearing::Nothing)),
                    Sites::Pieces { kinds, whose } => {
                        let bearing = self.registers(kinds, whose).map(Bearing::OneOf);
                        site_facts.0.extend(bearing.map(|it| (parameter.variable, it)));
                    }
                    _ => {}
                }
            }
        }
        Ok(site_facts)
    }

    /// Adds the regions that contain a region by the way it is written: the parts of an
    /// intersection, what a group or a line is within, and the like.
    pub(super) fn regions_around(
        &mut self,
        region: &'r Spanned<Sites>,
        scope: &Scope<'r>,
        around: &mut Vec<&'r Spanned<Sites>>,
    ) -> Compiled<()> {
        self.work(region.span)?;
        match &region.node {
            Sites::And(parts) => {
                parts.iter().try_for_each(|part| self.regions_around(part, scope, around))
            }
            Sites::Group { within: inner, .. }
            | Sites::Lines { region: inner, .. }
            | Sites::Walk { through: inner, .. }
            | Sites::When(_, inner) => self.regions_around(inner, scope, around),
            Sites::Where(binder, _) => match &binder.domain {
                Domain::Sites(inner) => self.regions_around(inner, scope, around),
                _ => Ok(()),
            },
            Sites::Local(local) => match scope.get(*local) {
                Some(Binding::Unevaluated(Value::Sites(inner), scope)) => {
                    self.regions_around(inner, &scope, around)
                }
                _ => Ok(()),
            },
            Sites::Call(definition, arguments) => {
                match self.open_arguments(*definition, arguments, scope) {
                    (scope, Value::Sites(body)) => self.regions_around(body, &scope, around),
                    _ => Ok(()),
                }
            }
            _ => {
                around.push(region);
                Ok(())
            }
        }
    }
}
