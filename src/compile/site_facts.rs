//! What is known of the sites that a move chooses.
//!
//! In: the regions that they are chosen from. Out: which of them are empty for certain, and which
//! bear one of certain pieces, so that effects need not take away what is not there.

use super::{Compiled, Compiler};
use crate::language::rules::{Domain, Local, MoveRule, SiteOf, Sites, Spanned, Value};

/// What is known of the sites that a move chooses, from the regions that they are chosen from. It
/// holds until a piece is touched.
#[derive(Clone, Debug, Default)]
pub(super) struct SiteFacts {
    /// Variables for sites without a piece that are not cut out.
    pub bare: Vec<Local>,
    /// Variables for sites with a piece, and the registers that may hold it.
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
    /// What the regions that sites are chosen from tell of them.
    pub(super) fn site_facts_of(&mut self, rule: &'r MoveRule) -> Compiled<SiteFacts> {
        let mut site_facts = SiteFacts::default();
        for parameter in &rule.parameters {
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

    /// The parts of a region that all must hold. What speaks of arguments of a definition is among
    /// them as it stands there.
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
                if let Value::Sites(body) = &self.rules.definitions[definition.index()].body {
                    self.flatten(body, parts)?;
                }
            }
            part => parts.push(part),
        }
        Ok(())
    }
}
