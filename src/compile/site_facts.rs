//! Facts about the sites that a move chooses, derived from the regions that they are chosen from:
//! some are certainly empty, some bear one of certain pieces. Effects omit instructions that have
//! no effect then.

use super::{Compiled, Compiler};
use crate::language::rules::{Domain, Local, Parameter, SiteOf, Sites, Spanned, Value};

/// What is known of the sites that a move chooses. It holds until a piece changes.
#[derive(Clone, Debug, Default)]
pub(super) struct SiteFacts {
    /// Variables of sites without a piece that are not cut out.
    pub bare: Vec<Local>,
    /// Variables of sites with a piece, and the registers that may hold it.
    pub occupants: Vec<(Local, Vec<u16>)>,
}

impl SiteFacts {
    pub(super) fn is_bare(&self, site: &SiteOf) -> bool {
        matches!(site, SiteOf::Local(local) if self.bare.contains(local))
    }

    pub(super) fn occupants(&self, site: &SiteOf) -> Option<&Vec<u16>> {
        let SiteOf::Local(local) = site else { return None };
        self.occupants.iter().find(|(known, _)| known == local).map(|(_, registers)| registers)
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
                    Sites::Empty => site_facts.bare.push(parameter.variable),
                    Sites::Pieces { kinds, whose } => {
                        let registers = self.attempt(|c| c.registers(kinds, whose))?;
                        site_facts
                            .occupants
                            .extend(registers.map(|registers| (parameter.variable, registers)));
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
