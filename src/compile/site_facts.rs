//! Facts about the sites that a move chooses, derived from the regions that they are chosen from:
//! some are certainly empty, some bear one of certain pieces. Effects omit instructions that have
//! no effect then.

use super::program::{Bearing, SiteFact};
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
            let mut parts = Vec::new();
            self.flatten(domain, &mut parts)?;
            for part in parts {
                match part {
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

    /// Adds the parts of an intersection. A part that mentions parameters of a definition is added
    /// as it is, with the parameters unbound, and yields no fact.
    fn flatten(&mut self, region: &'r Spanned<Sites>, parts: &mut Vec<&'r Sites>) -> Compiled<()> {
        self.work(region.span)?;
        match &region.node {
            Sites::And(inner) => inner.iter().try_for_each(|part| self.flatten(part, parts))?,
            Sites::When(_, region) => self.flatten(region, parts)?,
            Sites::Where(binder, _) => {
                if let Domain::Sites(region) = &binder.domain {
                    self.flatten(region, parts)?;
                }
            }
            Sites::Call(definition, _) => {
                if let Value::Sites(body) = &self.definition(*definition).body {
                    self.flatten(body, parts)?;
                }
            }
            part => parts.push(part),
        }
        Ok(())
    }
}
