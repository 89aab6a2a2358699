//! Clauses about piles, in terms of the sets of what lies below the tops ([`Piles`]).
//!
//! A question about heights or depths becomes one about these sets; a move by which a pile would
//! be too high is illegal by a requirement before the effect. Clauses that the text does not
//! contain have empty spans.

use super::builder::Builder;
use super::rules::*;
use crate::syntax::Span;
use std::collections::BTreeSet;
use std::ops::Range;

/// Builds clauses about piles.
pub(super) struct PileClauses {
    pub piles: Piles,
    teams: Teams,
    players: u16,
    new: Builder,
}

impl PileClauses {
    /// Builds at the empty span before a clause.
    pub fn before(clause: Span, piles: Piles, teams: Teams, players: usize) -> PileClauses {
        PileClauses { piles, teams, players: players as u16, new: Builder::before(clause) }
    }

    /// Returns the height of a site.
    pub fn height(&self, site: Spanned<SiteOf>) -> Number {
        Number::Call(self.piles.height, vec![Value::Site(site)])
    }

    /// Returns the definition of heights, which counts the depths at which a site has a piece.
    pub fn height_definition(&self) -> Definition {
        let counted = (0..self.piles.most).map(|depth| {
            let site = self.new.at(SiteOf::Local(self.piles.site));
            let here = self.is_in(&site, self.any_piece(depth));
            self.new.at(Number::If(here.into(), self.number(1).into(), self.number(0).into()))
        });
        Definition {
            name: "height".to_owned(),
            span: self.new.span,
            parameters: vec![self.piles.site],
            body: Value::Number(self.new.at(Number::Add(counted.collect()))),
        }
    }

    /// Returns the sites with pieces of a region at one of the depths below the top; if `number`
    /// is given, at the depth that it is during play. `None` if the region is about anything but
    /// pieces.
    pub fn under(
        &self,
        region: &Spanned<Sites>,
        depths: Range<usize>,
        number: Option<&Spanned<Number>>,
    ) -> Option<Sites> {
        let at_depth = |depth: usize| {
            let sunk = self.sunk(region, depth)?;
            Some(match number {
                Some(number) => {
                    let is_depth = self.compare(number.clone(), Comparison::Equal, depth);
                    self.when(is_depth, sunk)
                }
                None => sunk,
            })
        };
        let mut all = depths.map(at_depth).collect::<Option<Vec<_>>>()?;
        match all.len() {
            1 => all.pop().map(|only| only.node),
            _ => Some(Sites::Or(all)),
        }
    }

    /// Returns what must hold so that a piece can be put on sites, or beneath what they hold.
    pub fn can_put(
        &self,
        piece: &Spanned<PieceOf>,
        sites: &Spanned<Sites>,
        beneath: bool,
    ) -> Spanned<Condition> {
        let closed = match beneath {
            false => self.closed(),
            true => self.closed_beneath(piece),
        };
        let over = self.new.at(Sites::And(vec![sites.clone(), closed]));
        self.new.at(Condition::None(over.into()))
    }

    /// Returns what must hold so that a number of pieces, all if it is not given, can be relocated
    /// on another pile, or beneath it.
    pub fn can_relocate(
        &self,
        from: &Spanned<SiteOf>,
        to: &Spanned<SiteOf>,
        number: Option<&Spanned<Number>>,
        beneath: bool,
    ) -> Vec<Spanned<Condition>> {
        let is_one = number.is_some_and(|number| matches!(number.node, Number::Constant(2)));
        if is_one && !beneath {
            return vec![self.new.not(self.is_in(to, self.closed()))];
        }
        let height = self.new.at(self.height(from.clone()));
        let moved = match number {
            Some(number) => self.new.at(Number::Least(vec![number.clone(), height])),
            None => height,
        };
        let is_low = if is_one {
            self.new.not(self.is_in(to, self.full()))
        } else {
            let grown = Number::Add(vec![self.new.at(self.height(to.clone())), moved.clone()]);
            self.compare(self.new.at(grown), Comparison::AtMost, self.piles.most)
        };
        if !self.piles.is_choosy {
            return vec![is_low];
        }
        let is_covering = match beneath {
            false => self.is_in(to, self.uncovered()),
            true => self
                .new
                .and(vec![self.is_in(to, self.any_piece(0)), self.is_in(from, self.uncovered())]),
        };
        let none = self.compare(number.cloned().unwrap_or(moved), Comparison::AtMost, 0);
        let is_open = Condition::Or(vec![none, self.new.not(is_covering)]);
        vec![is_low, self.new.at(is_open)]
    }

    /// Returns the sites with a piece of the kind, and of the player if it is owned, so many pieces
    /// below the top.
    fn set(
        &self,
        depth: usize,
        kind: PieceId,
        owner: Option<&Spanned<PlayerOf>>,
    ) -> Spanned<Sites> {
        self.new.at(match (depth, self.piles.set(depth.max(1), kind)) {
            (0, _) => Sites::Pieces {
                kinds: vec![self.new.at(PieceOf::Fixed(kind))],
                whose: owner.map_or(Whose::Anyones, |owner| Whose::Players(owner.clone())),
            },
            (_, Some(memory)) => Sites::Memory { memory, player: owner.cloned(), direction: None },
            (_, None) => Sites::Nowhere,
        })
    }

    /// Returns the sites with a piece of the kind, whoever has it, so many pieces below the top.
    fn sets_of(&self, depth: usize, kind: PieceId) -> Vec<Spanned<Sites>> {
        if !self.piles.is_owned(kind) {
            return vec![self.set(depth, kind, None)];
        }
        let players = (0..self.players).map(|player| self.player(PlayerId(player)));
        players.map(|player| self.set(depth, kind, Some(&player))).collect()
    }

    /// Returns the sites with any piece so many pieces below the top.
    fn any_piece(&self, depth: usize) -> Spanned<Sites> {
        self.new.at(match depth {
            0 => Sites::Pieces { kinds: Vec::new(), whose: Whose::Anyones },
            _ => Sites::Or(self.piles.kinds().flat_map(|kind| self.sets_of(depth, kind)).collect()),
        })
    }

    /// Returns the sites of piles that cannot grow.
    fn full(&self) -> Spanned<Sites> {
        self.any_piece(self.piles.most - 1)
    }

    /// Returns the sites of pieces that nothing lies on.
    fn uncovered(&self) -> Spanned<Sites> {
        let covered = self.piles.kinds().map(|kind| self.new.at(PieceOf::Fixed(kind))).collect();
        let covered = self.new.at(Sites::Pieces { kinds: covered, whose: Whose::Anyones });
        let others = self.new.at(Sites::Not(covered.into()));
        self.new.at(Sites::And(vec![self.any_piece(0), others]))
    }

    /// Returns the sites where no piece can come on top.
    fn closed(&self) -> Spanned<Sites> {
        if !self.piles.is_choosy {
            return self.full();
        }
        self.new.at(Sites::Or(vec![self.full(), self.uncovered()]))
    }

    /// Returns the sites where a piece cannot come beneath.
    fn closed_beneath(&self, piece: &Spanned<PieceOf>) -> Spanned<Sites> {
        match piece.node.fixed() {
            _ if !self.piles.is_choosy => self.full(),
            Some(kind) if self.piles.covers(kind) => self.full(),
            Some(_) => self.any_piece(0),
            None => {
                let known = self.piles.kinds().map(|kind| self.is_kind(piece, kind));
                let is_covered = self.new.at(Condition::Or(known.collect()));
                let others = self.when(self.new.not(is_covered), self.any_piece(0));
                self.new.at(Sites::Or(vec![self.full(), others]))
            }
        }
    }

    /// Returns a region of pieces as it were if so many pieces were lifted from every pile; `None`
    /// if it asks for anything else.
    fn sunk(&self, region: &Spanned<Sites>, depth: usize) -> Option<Spanned<Sites>> {
        let all = |regions: &[Spanned<Sites>]| {
            regions.iter().map(|region| self.sunk(region, depth)).collect::<Option<Vec<_>>>()
        };
        let node = match &region.node {
            Sites::Pieces { kinds, whose } => self.sunk_pieces(kinds, whose, depth),
            Sites::Empty => {
                let pieces = Sites::Not(self.any_piece(depth).into());
                Sites::And(vec![self.new.at(Sites::Everywhere), self.new.at(pieces)])
            }
            Sites::And(regions) => Sites::And(all(regions)?),
            Sites::Or(regions) => Sites::Or(all(regions)?),
            Sites::Not(region) => Sites::Not(self.sunk(region, depth)?.into()),
            Sites::When(condition, region) => {
                Sites::When(condition.clone(), self.sunk(region, depth)?.into())
            }
            Sites::ByPlayer(player, branches) => Sites::ByPlayer(player.clone(), all(branches)?),
            Sites::Everywhere
            | Sites::Nowhere
            | Sites::Literal(_)
            | Sites::One(_)
            | Sites::Local(_)
            | Sites::Memory { .. } => return Some(region.clone()),
            _ => return None,
        };
        Some(self.new.at(node))
    }

    fn sunk_pieces(&self, kinds: &[Spanned<PieceOf>], whose: &Whose, depth: usize) -> Sites {
        let of_kind = |kind: PieceId| match whose {
            Whose::Anyones => self.sets_of(depth, kind),
            _ if !self.piles.is_owned(kind) => Vec::new(),
            Whose::Players(player) => vec![self.set(depth, kind, Some(player))],
            Whose::Others(player) => {
                let others = (0..self.players).map(PlayerId);
                others.map(|other| self.set_of_other(depth, kind, player, other)).collect()
            }
        };
        let mut found = Vec::new();
        for kind in self.piles.kinds() {
            if kinds.is_empty() {
                found.extend(of_kind(kind));
            }
            for asked in kinds {
                match asked.node.fixed() {
                    Some(fixed) if fixed == kind => found.extend(of_kind(kind)),
                    Some(_) => {}
                    None => {
                        let is_kind = self.is_kind(asked, kind);
                        let pieces = of_kind(kind).into_iter();
                        found.extend(pieces.map(|sites| self.when(is_kind.clone(), sites)));
                    }
                }
            }
        }
        if found.is_empty() { Sites::Nowhere } else { Sites::Or(found) }
    }

    /// Returns the sites with a piece of the kind that is `other`'s, unless the player is in the
    /// same team.
    fn set_of_other(
        &self,
        depth: usize,
        kind: PieceId,
        player: &Spanned<PlayerOf>,
        other: PlayerId,
    ) -> Spanned<Sites> {
        let set = self.set(depth, kind, Some(&self.player(other)));
        self.teams.members(self.teams.of(other)).fold(set, |set, member| {
            let same = Condition::SamePlayer(self.player(member).into(), player.clone().into());
            self.when(self.new.not(self.new.at(same)), set)
        })
    }

    fn player(&self, player: PlayerId) -> Spanned<PlayerOf> {
        self.new.at(PlayerOf::Fixed(player))
    }

    fn number(&self, number: usize) -> Spanned<Number> {
        self.new.at(Number::Constant(2 * number as i64))
    }

    fn compare(
        &self,
        left: Spanned<Number>,
        comparison: Comparison,
        right: usize,
    ) -> Spanned<Condition> {
        self.new.at(Condition::Compare(comparison, left.into(), self.number(right).into()))
    }

    fn is_in(&self, site: &Spanned<SiteOf>, region: Spanned<Sites>) -> Spanned<Condition> {
        self.new.at(Condition::In(site.clone().into(), region.into()))
    }

    fn is_kind(&self, piece: &Spanned<PieceOf>, kind: PieceId) -> Spanned<Condition> {
        let kind = self.new.at(PieceOf::Fixed(kind));
        self.new.at(Condition::SameKind(piece.clone().into(), kind.into()))
    }

    fn when(&self, condition: Spanned<Condition>, region: Spanned<Sites>) -> Spanned<Sites> {
        self.new.at(Sites::When(condition.into(), region.into()))
    }
}

/// Takes what keeps piles from growing too high out of definitions that are executed outside of
/// moves, where no clause can require anything.
pub(super) fn free_outside_moves(rules: &mut Rules) {
    if rules.piles.is_none() {
        return;
    }
    let mut free: BTreeSet<DefinitionId> = BTreeSet::new();
    let mut lists: Vec<&[Spanned<Statement>]> = vec![&rules.setup, &rules.play, &rules.end];
    while let Some(list) = lists.pop() {
        for statement in list {
            lists.extend(statement.node.bodies());
            if let Statement::Do(definition, _) = statement.node
                && free.insert(definition)
            {
                lists.push(rules.definitions[definition.index()].body.statements());
            }
        }
    }
    for definition in free {
        if let Value::Statements(body) = &mut rules.definitions[definition.index()].body {
            without_requirements(body);
        }
    }
}

fn without_requirements(list: &mut Vec<Spanned<Statement>>) {
    list.retain(|statement| !matches!(statement.node, Statement::Require(_)));
    for statement in list {
        statement.node.bodies_mut().into_iter().for_each(without_requirements);
    }
}
