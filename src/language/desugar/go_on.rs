//! Pieces that go on: `go-on` in a `choose`.
//!
//! A memory says where the piece is that goes on. Moves that go on note where their piece comes to,
//! and while the memory holds a site, only the piece there can be moved by them. After the `choose`
//! stands a loop for the further plies, and every other ply begins without such a piece:
//!
//! ```text
//! (set Going nowhere)
//! (choose VERB… (otherwise …))
//! (while (any Going) (choose GOING… (otherwise (set Going nowhere))))
//! ```

use super::{Builder, before_effects};
use crate::language::rules::*;
use crate::syntax::Span;
use std::collections::BTreeSet;

/// What the memory is called in positions.
const NAME: &str = "goes-on";

/// Adds what is needed for pieces to go on with moves of these verbs.
pub(super) fn rewrite(rules: &mut Rules, first: Span, verbs: &BTreeSet<String>) {
    let new = Builder::before(first);
    let memory = MemoryId(rules.memories.len() as u16);
    rules.memories.push(Memory::new(NAME.to_owned(), new.span, MemoryType::Sites));
    rules.going_on = Some(memory);
    let rewriter = Rewriter { memory, new };
    // Rules that are only asked a question have no order of play.
    let mut going: BTreeSet<MoveId> =
        rules.statements().flat_map(|statement| statement.node.go_on()).copied().collect();
    let named = rules.moves.iter().enumerate().filter(|(_, rule)| verbs.contains(&rule.verb));
    going.extend(named.map(|(index, _)| MoveId(index as u16)));
    rewriter.mark_moves(rules, &going);
    for index in 0..rules.definitions.len() {
        if let Value::Statements(body) = &mut rules.definitions[index].body {
            let body = std::mem::take(body);
            let body = rewriter.order(rules, body);
            rules.definitions[index].body = Value::Statements(body);
        }
    }
    let play = std::mem::take(&mut rules.play);
    rules.play = rewriter.order(rules, play);
}

struct Rewriter {
    memory: MemoryId,
    new: Builder,
}

impl Rewriter {
    /// The site of the piece that goes on.
    fn place(&self) -> Spanned<Sites> {
        self.new.at(Sites::Memory { memory: self.memory, player: None, direction: None })
    }

    fn any(&self) -> Spanned<Condition> {
        self.new.at(Condition::Any(Box::new(self.place())))
    }

    fn set(&self, to: Spanned<Sites>) -> Spanned<Statement> {
        let memory = self.memory;
        self.new.at(Statement::SetSites { memory, player: None, direction: None, to })
    }

    fn nobody(&self) -> Spanned<Statement> {
        self.set(self.new.at(Sites::Nowhere))
    }

    fn one(&self, site: &Spanned<SiteOf>) -> Spanned<Sites> {
        self.new.at(Sites::One(Box::new(site.clone())))
    }

    /// Rewrites the order of play, or a definition that may be part of it.
    fn order(&self, rules: &Rules, list: Vec<Spanned<Statement>>) -> Vec<Spanned<Statement>> {
        let mut made = Vec::with_capacity(list.len());
        for mut statement in list {
            for body in statement.node.bodies_mut() {
                *body = self.order(rules, std::mem::take(body));
            }
            let further = match &statement.node {
                Statement::Choose { go_on, .. } if !go_on.is_empty() => {
                    self.further(rules, go_on, &statement)
                }
                Statement::Choose { .. } | Statement::Chance(_) | Statement::Steps { .. } => {
                    Vec::new()
                }
                _ => {
                    made.push(statement);
                    continue;
                }
            };
            made.push(self.nobody());
            made.push(statement);
            made.extend(further);
        }
        made
    }

    /// Returns the plies by which a piece goes on. Where the player may stop, they are offered only
    /// as long as the piece can go on.
    fn further(
        &self,
        rules: &Rules,
        go_on: &[MoveId],
        choose: &Spanned<Statement>,
    ) -> Vec<Spanned<Statement>> {
        let (moving, stops) = rules.moving_and_stops(go_on);
        let mut goes_on = self.any();
        if !stops.is_empty() {
            let mover = Box::new(self.new.at(PlayerOf::Mover));
            goes_on = self.new.and(vec![goes_on, self.new.at(Condition::Can(mover, moving))]);
        }
        let ply = Statement::Choose {
            moves: go_on.to_vec(),
            go_on: Vec::new(),
            otherwise: Some(vec![self.nobody()]),
        };
        let ply = Spanned { node: ply, span: choose.span };
        vec![self.new.at(Statement::While(goes_on, vec![ply])), self.nobody()]
    }

    /// Lets the moves that go on note where their piece is, and move only that one.
    fn mark_moves(&self, rules: &mut Rules, going: &BTreeSet<MoveId>) {
        let mut called = BTreeSet::new();
        for &id in going {
            let rule = &mut rules.moves[id.index()];
            let begins = match rule.parameters.iter_mut().find(|it| it.role == ParameterRole::From)
            {
                Some(Parameter { variable, domain: Domain::Sites(sites), .. }) => {
                    let everywhere = Box::new(self.new.at(Sites::Everywhere));
                    let free = Box::new(self.new.at(Condition::None(Box::new(self.place()))));
                    let free = self.new.at(Sites::When(free, everywhere));
                    let allowed = self.new.at(Sites::Or(vec![self.place(), free]));
                    let written = std::mem::replace(sites, allowed.clone());
                    *sites =
                        Spanned { span: written.span, node: Sites::And(vec![written, allowed]) };
                    self.set(self.one(&self.new.at(SiteOf::Local(*variable))))
                }
                _ => self.nobody(),
            };
            let body = std::mem::take(&mut rule.body);
            let mut body = self.followed(body, &mut called);
            body.insert(before_effects(&body), begins);
            rules.moves[id.index()].body = body;
        }
        let mut done = BTreeSet::new();
        while let Some(id) = called.pop_first() {
            if done.insert(id)
                && let Value::Statements(body) = &mut rules.definitions[id.index()].body
            {
                let body = std::mem::take(body);
                let body = self.followed(body, &mut called);
                rules.definitions[id.index()].body = Value::Statements(body);
            }
            called.retain(|id| !done.contains(id));
        }
    }

    /// Lets the memory follow the piece through the effects of a list.
    fn followed(
        &self,
        list: Vec<Spanned<Statement>>,
        called: &mut BTreeSet<DefinitionId>,
    ) -> Vec<Spanned<Statement>> {
        let mut made = Vec::with_capacity(list.len());
        for mut statement in list {
            for body in statement.node.bodies_mut() {
                *body = self.followed(std::mem::take(body), called);
            }
            let stands = |site: &Spanned<SiteOf>| {
                let place = Box::new(self.place());
                self.new.at(Condition::In(Box::new(site.clone()), place))
            };
            let comes = |site: &Spanned<SiteOf>| vec![self.set(self.one(site))];
            match &statement.node {
                Statement::Do(definition, _) => {
                    called.insert(*definition);
                }
                Statement::Relocate { from, to, .. } => {
                    made.push(self.new.when(stands(from), comes(to), Vec::new()));
                }
                Statement::Swap(one, other) => {
                    let back = self.new.when(stands(other), comes(one), Vec::new());
                    made.push(self.new.when(stands(one), comes(other), vec![back]));
                }
                _ => {}
            }
            made.push(statement);
        }
        made
    }
}
