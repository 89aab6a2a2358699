//! Explains why a site is not in a region.

use super::notes::Notes;
use super::values;
use crate::board::Site;
use crate::language::rules::{Domain, Sites, Spanned, Value as Expression};
use crate::notation::clause::quote;
use crate::notation::player;
use crate::reference::{Value, View};

impl Notes {
    /// Notes why a site is not in a region, and returns a short explanation.
    pub fn missing(&mut self, view: &View, region: &Spanned<Sites>, site: Site) -> String {
        let rules = view.rules;
        let label = rules.board.label(site);
        let elsewhere = format!("{label} is not in {}", quote(rules, region.span));
        if let (true, Some(memory)) = (region.span.is_empty(), rules.going_on) {
            let goes_on = Sites::Memory { memory, player: None, direction: None };
            return format!("the piece on {} goes on", values::sites(rules, &view.sites(&goes_on)));
        }
        let lacks = |part: &&Spanned<Sites>| !view.sites(&part.node).contains(site);
        match &region.node {
            Sites::And(parts) => {
                let lacking: Vec<String> =
                    parts.iter().filter(lacks).map(|part| self.missing(view, part, site)).collect();
                if lacking.is_empty() { elsewhere } else { lacking.join("; ") }
            }
            Sites::Or(parts) => {
                // Guarded parts whose condition holds are specific to this case, so only they are
                // explained.
                let is_active = |part: &&Spanned<Sites>| matches!(&part.node, Sites::When(condition, _) if view.condition(&condition.node));
                let active: Vec<&Spanned<Sites>> = parts.iter().filter(is_active).collect();
                let looked_at = if active.is_empty() { parts.iter().collect() } else { active };
                let said: Vec<String> =
                    looked_at.into_iter().map(|part| self.missing(view, part, site)).collect();
                if let [only] = &said[..] { only.clone() } else { elsewhere }
            }
            Sites::Empty | Sites::Pieces { .. } | Sites::Everywhere => {
                let found = what_stands(view, site);
                self.note(rules, region.span, &found);
                found
            }
            Sites::Where(binder, condition) => {
                if let Domain::Sites(from) = &binder.domain
                    && lacks(&from)
                {
                    return self.missing(view, from, site);
                }
                let view = view.with(binder.variable, Value::Site(Some(site)));
                self.bind(&view, condition.span);
                self.condition(&view, condition).unwrap_or(elsewhere)
            }
            Sites::When(condition, inner) => match view.condition(&condition.node) {
                true => self.missing(view, inner, site),
                false => self.condition(view, condition).unwrap_or(elsewhere),
            },
            Sites::ByPlayer(player, branches) => {
                let player = self.player(view, player);
                branches.get(player).map_or(elsewhere, |branch| self.missing(view, branch, site))
            }
            Sites::Call(definition, arguments) => {
                self.note(rules, region.span, format!("{label} is not in it"));
                let (inner, body) = self.inside(view, *definition, arguments);
                let Expression::Sites(body) = body else { return elsewhere };
                let said = self.missing(&inner, body, site);
                // The definition's name explains more than one of its alternatives does.
                if matches!(body.node, Sites::Or(_)) { elsewhere } else { said }
            }
            _ => {
                self.note(rules, region.span, values::sites(rules, &view.sites(&region.node)));
                elsewhere
            }
        }
    }
}

/// Describes the contents of a site.
fn what_stands(view: &View, site: Site) -> String {
    let rules = view.rules;
    let label = rules.board.label(site);
    match view.snapshot.pieces.get(site.index()).copied().flatten() {
        _ if view.snapshot.cut.contains(&site) => format!("{label} is cut out"),
        None => format!("{label} is empty"),
        Some(occupant) => {
            let piece = &rules.pieces[occupant.piece.index()].name;
            let owner = occupant
                .owner
                .map(|owner| format!("{}'s ", player(rules, owner)))
                .unwrap_or_default();
            format!("{owner}{piece} is on {label}")
        }
    }
}
