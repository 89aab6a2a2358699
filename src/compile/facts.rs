//! What is known of the sites that a move chooses.
//!
//! In: the regions that they are chosen from. Out: which of them are empty for certain, and which bear one of certain pieces, so that effects need not take away what is not there.

use super::{Compiled, Compiler};
use crate::language::rules::{At, Domain, Local, MoveRule, SiteOf, Sites, Value};

/// What is known of the sites that a move chooses, from the regions that they are chosen from. It holds until a piece is touched.
#[derive(Clone, Debug, Default)]
pub(super) struct Facts {
    /// Variables for sites without a piece that are not cut out.
    pub bare: Vec<Local>,
    /// Variables for sites with a piece, and the registers that may hold it.
    pub standing: Vec<(Local, Vec<u16>)>,
}

impl Facts {
    pub(super) fn is_bare(&self, site: &SiteOf) -> bool {
        matches!(site, SiteOf::Local(local) if self.bare.contains(local))
    }

    pub(super) fn standing(&self, site: &SiteOf) -> Option<&Vec<u16>> {
        let SiteOf::Local(local) = site else { return None };
        self.standing.iter().find(|(known, _)| known == local).map(|(_, registers)| registers)
    }
}

impl<'r> Compiler<'r> {
    /// What the regions that sites are chosen from tell of them.
    pub(super) fn facts_of(&mut self, rule: &'r MoveRule) -> Compiled<Facts> {
        let mut facts = Facts::default();
        for parameter in &rule.parameters {
            let Domain::Sites(domain) = &parameter.domain else { continue };
            if self.is_surely_bare(domain)? {
                facts.bare.push(parameter.variable);
            }
            let mut parts = Vec::new();
            self.flatten(domain, &mut parts)?;
            for part in parts {
                if let Sites::Pieces { kinds, whose } = &part.it
                    && let Some(registers) = self.attempt(|c| c.registers(kinds, whose))?
                {
                    facts.standing.push((parameter.variable, registers));
                }
            }
        }
        Ok(facts)
    }

    /// Whether it is for certain that all sites of a region are empty.
    fn is_surely_bare(&mut self, region: &'r At<Sites>) -> Compiled<bool> {
        self.work(region.span)?;
        match &region.it {
            Sites::Empty => Ok(true),
            Sites::And(parts) => {
                for part in parts {
                    if self.is_surely_bare(part)? {
                        return Ok(true);
                    }
                }
                Ok(false)
            }
            Sites::When(_, region) => self.is_surely_bare(region),
            Sites::Where(binder, _) => match &binder.domain {
                Domain::Sites(region) => self.is_surely_bare(region),
                _ => Ok(false),
            },
            Sites::Call(definition, _) => match &self.rules.definitions[definition.index()].body {
                Value::Sites(body) => self.is_surely_bare(body),
                _ => Ok(false),
            },
            _ => Ok(false),
        }
    }

    /// The parts of a region that all must hold.
    fn flatten(&mut self, region: &'r At<Sites>, parts: &mut Vec<&'r At<Sites>>) -> Compiled<()> {
        self.work(region.span)?;
        match &region.it {
            Sites::And(inner) => inner.iter().try_for_each(|part| self.flatten(part, parts)),
            Sites::When(_, region) => self.flatten(region, parts),
            Sites::Where(binder, _) => match &binder.domain {
                Domain::Sites(region) => self.flatten(region, parts),
                _ => Ok(()),
            },
            // What a definition is given would have to be put in its place.
            Sites::Call(definition, given) if given.is_empty() => match &self.rules.definitions[definition.index()].body {
                Value::Sites(body) => self.flatten(body, parts),
                _ => Ok(()),
            },
            _ => {
                parts.push(region);
                Ok(())
            }
        }
    }
}
