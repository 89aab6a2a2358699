//! Piles: `(piles 8)`, `height`, `under`, and what keeps piles from growing too high.
//!
//! The pieces of the typed rules are those on top, and what lies under them is in sets of sites,
//! for each depth and kind ([`Piles`]). Questions about heights and depths become questions about
//! these sets; a move by which a pile would be too high is illegal by a requirement before the
//! effect.

use super::Checker;
use super::placement::Section;
use super::report::Within;
use super::typed::{Typed, at};
use crate::language::finding::{Code, Finding};
use crate::language::ludemes::{Kind, Ludeme};
use crate::language::rules::*;
use crate::syntax::Span;
use std::collections::BTreeSet;

/// How many sets of sites the pieces of a position may take, so that others are left for its
/// memories.
const MAX_SETS: usize = 112;

impl Checker<'_> {
    /// Makes the sets below the top once pieces and memories are known.
    pub(super) fn pile_up(&mut self) {
        let Some((most, covered, span)) = &self.declared.piled else { return };
        let (most, mut covered, span) = (most.clone(), covered.clone(), *span);
        let pieces = self.played_pieces();
        if covered.is_empty() {
            covered = (0..pieces.len() as u16).map(PieceId).collect();
        }
        let owners = |piece: &Piece| self.owners(piece.owned);
        let tops: usize = pieces.iter().map(owners).sum();
        let each: usize = covered.iter().map(|kind| owners(&pieces[kind.index()])).sum();
        let room = 1 + MAX_SETS.saturating_sub(tops) / each.max(1);
        if room < 2 {
            let message = "the game has too many players and kinds of piece for piles";
            self.report(Finding::new(Code::RulesTooLarge, span, message));
            return;
        }
        let most = self.inside(Within::Row(Ludeme::Piled.row()), |checker| {
            checker.constant_within(&most, 2, room as i64)
        });
        let Some(most) = most else { return };
        let known = self.declared.memories.iter().filter_map(|entry| entry.memory.as_ref());
        let travelling: Vec<&Memory> = known.filter(|memory| memory.travels).collect();
        if let Some(memory) = travelling.first() {
            let message = "a memory that travels with a piece says nothing of a pile";
            let help = "leave `travelling` out: what is kept for a site stays there";
            let finding = Finding::new(Code::Misplaced, memory.span, message).with_help(help);
            self.report(finding.with_other(span, "sites hold several pieces"));
            return;
        }
        let memories = self.declared.memories.len();
        let hidden = Span::new(span.start, span.start);
        let Some(site) = self.add_variable("s", hidden, Kind::Site) else { return };
        let height = DefinitionId(self.declared.definitions.len() as u16);
        let piles = Piles::new(span, most as usize, (&pieces, &covered), memories, (height, site));
        self.declared.piles = Some(piles);
    }

    /// Returns how many sets there are below the top.
    pub(super) fn sets_of_piles(&self) -> usize {
        let piles = self.declared.piles.as_ref();
        piles.map_or(0, |piles| (piles.most - 1) * piles.kinds().count())
    }

    fn owners(&self, owned: bool) -> usize {
        if owned { self.declared.players.len().max(1) } else { 1 }
    }

    /// Returns the piles of the game, or reports that it has none.
    fn require_piles(&mut self, ludeme: Ludeme, span: Span) -> Option<Piled> {
        if let Some(piled) = self.piled(span) {
            return Some(piled);
        }
        if self.declared.piled.is_none() {
            let spelling = ludeme.row().spelling;
            let message = format!(
                "`{spelling}` needs piles, and a site of this game holds one piece at most"
            );
            let help = "let sites hold several: `(board … (piles 8))`";
            self.report_live(Finding::new(Code::Misplaced, span, message).with_help(help));
        }
        None
    }

    /// Returns what builds clauses about piles, as part of a clause of the text; `None` if a site
    /// holds one piece at most.
    fn piled(&self, clause: Span) -> Option<Piled> {
        let players = self.declared.players.len() as u16;
        let hidden = Span::new(clause.start, clause.start);
        let teams = self.teams();
        Some(Piled { piles: self.declared.piles.clone()?, teams, players, hidden })
    }

    /// Builds `(height s)`.
    pub(super) fn height(&mut self, site: Spanned<SiteOf>, span: Span) -> Option<Typed> {
        let piled = self.require_piles(Ludeme::Height, span)?;
        Some(Typed::Number(at(piled.height(site), span)))
    }

    /// Returns the definition of heights, which comes after those of the text.
    pub(super) fn height_definition(&self) -> Option<Definition> {
        let piles = self.declared.piles.as_ref()?;
        let piled = self.piled(Span::new(piles.span.start, piles.span.start))?;
        let body = Value::Number(piled.at(piled.counted(&piled.at(SiteOf::Local(piles.site)))));
        let (name, span) = ("height".to_owned(), piled.hidden);
        Some(Definition { name, span, parameters: vec![piles.site], body })
    }

    /// Builds `(under region n?)`.
    pub(super) fn under(
        &mut self,
        depth: Option<Spanned<Number>>,
        region: &Spanned<Sites>,
        span: Span,
    ) -> Option<Typed> {
        let piled = self.require_piles(Ludeme::Under, span)?;
        let most = piled.piles.most;
        let known = depth.as_ref().is_some_and(|depth| super::known::known(depth).is_some());
        let depths = match &depth {
            Some(depth) if known => {
                let depth = self.constant_within(depth, 1, most as i64 - 1)? as usize;
                depth..depth + 1
            }
            Some(depth) => {
                self.whole(depth)?;
                1..most
            }
            None => 1..most,
        };
        let mut all = Vec::with_capacity(depths.len());
        for below in depths {
            let Some(sunk) = piled.sunk(region, below) else {
                let help = "`under` looks at pieces below the top: by `mine`, `theirs`, `of`, `pieces` and `empty`, joined by `and`, `or` and `not`";
                return self.refuse_live(
                    self.mismatch(Code::WrongType, region.span, "pieces, such as `(theirs)`")
                        .with_help(help),
                );
            };
            all.push(match depth.as_ref().filter(|_| !known) {
                Some(depth) => piled.when(piled.is(depth.clone(), below), sunk),
                None => sunk,
            });
        }
        let only = if all.len() == 1 { all.pop() } else { None };
        Some(Typed::Sites(at(only.map_or(Sites::Or(all), |only| only.node), span)))
    }

    /// Builds `put`.
    pub(super) fn put(
        &mut self,
        piece: Spanned<PieceOf>,
        sites: Spanned<Sites>,
        owner: Option<Spanned<PlayerOf>>,
        beneath: Option<Span>,
        span: Span,
    ) -> Option<Typed> {
        if beneath.is_some() {
            self.require_piles(Ludeme::Put, span)?;
        }
        let fits = self.bounding(span).map_or(Vec::new(), |piled| {
            let closed = match beneath {
                None => piled.closed(),
                Some(_) => piled.closed_beneath(&piece),
            };
            let over = piled.both(vec![sites.clone(), closed]);
            vec![piled.at(Condition::None(Box::new(over)))]
        });
        let beneath = beneath.is_some();
        Some(required(fits, Statement::Put { piece, at: sites, owner, beneath }, span))
    }

    /// Builds `remove`.
    pub(super) fn remove(
        &mut self,
        sites: Spanned<Sites>,
        number: Option<Spanned<Number>>,
        span: Span,
    ) -> Option<Typed> {
        if let Some(number) = &number {
            self.require_piles(Ludeme::Remove, span)?;
            self.whole(number)?;
        }
        Some(required(Vec::new(), Statement::Remove { at: sites, number }, span))
    }

    /// Builds `relocate`.
    pub(super) fn relocate(
        &mut self,
        from: Spanned<SiteOf>,
        to: Spanned<SiteOf>,
        number: Option<Spanned<Number>>,
        beneath: Option<Span>,
        span: Span,
    ) -> Option<Typed> {
        if number.is_some() || beneath.is_some() {
            self.require_piles(Ludeme::Relocate, span)?;
        }
        if let Some(number) = &number {
            self.whole(number)?;
        }
        let one = number.as_ref().and_then(super::known::known) == Some(2);
        let beneath = beneath.is_some();
        let fits = self.bounding(span).map_or(Vec::new(), |piled| {
            let is_in = |site: &Spanned<SiteOf>, region| {
                piled.at(Condition::In(Box::new(site.clone()), Box::new(region)))
            };
            let not = |condition| piled.at(Condition::Not(Box::new(condition)));
            if one && !beneath {
                return vec![not(is_in(&to, piled.closed()))];
            }
            let height = piled.at(piled.height(from.clone()));
            let moved = match &number {
                Some(number) => piled.at(Number::Least(vec![number.clone(), height])),
                None => height,
            };
            let compare = |left, comparison, right: usize| {
                let right = piled.at(Number::Constant(2 * right as i64));
                piled.at(Condition::Compare(comparison, Box::new(left), Box::new(right)))
            };
            let low = if one {
                not(is_in(&to, piled.full()))
            } else {
                let grown = Number::Add(vec![piled.at(piled.height(to.clone())), moved.clone()]);
                compare(piled.at(grown), Comparison::AtMost, piled.piles.most)
            };
            if !piled.piles.is_choosy {
                return vec![low];
            }
            let open = match beneath {
                false => not(is_in(&to, piled.uncovered())),
                true => {
                    let covering =
                        vec![is_in(&to, piled.any_piece(0)), is_in(&from, piled.uncovered())];
                    not(piled.at(Condition::And(covering)))
                }
            };
            let none = compare(number.clone().unwrap_or(moved), Comparison::AtMost, 0);
            vec![low, piled.at(Condition::Or(vec![none, open]))]
        });
        Some(required(fits, Statement::Relocate { from, to, number, beneath }, span))
    }

    /// Returns what builds clauses about piles where an effect is part of a move, which is then
    /// illegal if a pile would be too high.
    fn bounding(&self, span: Span) -> Option<Piled> {
        let is_of_move = matches!(self.context.place.section, Section::Move | Section::Definition);
        self.piled(span).filter(|_| is_of_move)
    }

    /// Tells of an effect that does not move piles.
    pub(super) fn moves_no_piles(&mut self, ludeme: Ludeme, help: &str, span: Span) -> Option<()> {
        if self.declared.piled.is_none() {
            return Some(());
        }
        let message = format!("`{}` moves no piles", ludeme.row().spelling);
        self.refuse_live(Finding::new(Code::Misplaced, span, message).with_help(help))
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

/// Builds an effect after what it requires.
fn required(fits: Vec<Spanned<Condition>>, effect: Statement, span: Span) -> Typed {
    let require = fits.into_iter().map(|fits| at(Statement::Require(at(fits.node, span)), span));
    Typed::Statement(require.chain([at(effect, span)]).collect())
}

/// Builds clauses about piles.
struct Piled {
    piles: Piles,
    teams: Teams,
    players: u16,
    /// An empty span: reports and sheets leave out the clauses that have it.
    hidden: Span,
}

impl Piled {
    fn at<T>(&self, node: T) -> Spanned<T> {
        at(node, self.hidden)
    }

    /// Returns the sites with a piece of the kind, and of the player if it is owned, so many pieces
    /// below the top.
    fn set(
        &self,
        depth: usize,
        kind: PieceId,
        owner: Option<&Spanned<PlayerOf>>,
    ) -> Spanned<Sites> {
        self.at(match (depth, self.piles.set(depth.max(1), kind)) {
            (0, _) => Sites::Pieces {
                kinds: vec![self.at(PieceOf::Fixed(kind))],
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
        let players = (0..self.players).map(|player| self.at(PlayerOf::Fixed(PlayerId(player))));
        players.map(|player| self.set(depth, kind, Some(&player))).collect()
    }

    /// Returns the sites with any piece so many pieces below the top.
    fn any_piece(&self, depth: usize) -> Spanned<Sites> {
        self.at(match depth {
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
        let covered = self.piles.kinds().map(|kind| self.at(PieceOf::Fixed(kind))).collect();
        let covered = self.at(Sites::Pieces { kinds: covered, whose: Whose::Anyones });
        self.both(vec![self.any_piece(0), self.not(covered)])
    }

    /// Returns the sites where no piece can come on top.
    fn closed(&self) -> Spanned<Sites> {
        if !self.piles.is_choosy {
            return self.full();
        }
        self.at(Sites::Or(vec![self.full(), self.uncovered()]))
    }

    /// Returns the sites where a piece cannot come beneath.
    fn closed_beneath(&self, piece: &Spanned<PieceOf>) -> Spanned<Sites> {
        if !self.piles.is_choosy {
            return self.full();
        }
        match piece.node.fixed() {
            Some(kind) if self.piles.covers(kind) => self.full(),
            Some(_) => self.any_piece(0),
            None => {
                let known = self.piles.kinds().map(|kind| self.is_kind(piece.clone(), kind));
                let covered = self.at(Condition::Or(known.collect()));
                let other = self.at(Condition::Not(Box::new(covered)));
                let other = self.when(other, self.any_piece(0));
                self.at(Sites::Or(vec![self.full(), other]))
            }
        }
    }

    fn height(&self, site: Spanned<SiteOf>) -> Number {
        Number::Call(self.piles.height, vec![Value::Site(site)])
    }

    /// Counts the depths at which a site has a piece.
    fn counted(&self, site: &Spanned<SiteOf>) -> Number {
        let whole = |number: i64| Box::new(self.at(Number::Constant(2 * number)));
        let counted = (0..self.piles.most).map(|depth| {
            let here = Condition::In(Box::new(site.clone()), Box::new(self.any_piece(depth)));
            self.at(Number::If(Box::new(self.at(here)), whole(1), whole(0)))
        });
        Number::Add(counted.collect())
    }

    fn is(&self, number: Spanned<Number>, other: usize) -> Spanned<Condition> {
        let other = self.at(Number::Constant(2 * other as i64));
        self.at(Condition::Compare(Comparison::Equal, Box::new(number), Box::new(other)))
    }

    fn when(&self, condition: Spanned<Condition>, region: Spanned<Sites>) -> Spanned<Sites> {
        self.at(Sites::When(Box::new(condition), Box::new(region)))
    }

    fn both(&self, regions: Vec<Spanned<Sites>>) -> Spanned<Sites> {
        self.at(Sites::And(regions))
    }

    fn not(&self, region: Spanned<Sites>) -> Spanned<Sites> {
        self.at(Sites::Not(Box::new(region)))
    }

    /// Returns a region of pieces as it were if so many pieces were lifted from every pile; `None`
    /// if it asks for anything else.
    fn sunk(&self, region: &Spanned<Sites>, depth: usize) -> Option<Spanned<Sites>> {
        let all = |regions: &[Spanned<Sites>]| {
            regions.iter().map(|region| self.sunk(region, depth)).collect::<Option<Vec<_>>>()
        };
        let node = match &region.node {
            Sites::Pieces { kinds, whose } => return Some(self.sunk_pieces(kinds, whose, depth)),
            Sites::Empty => {
                let everywhere = self.at(Sites::Everywhere);
                Sites::And(vec![everywhere, self.not(self.any_piece(depth))])
            }
            Sites::And(regions) => Sites::And(all(regions)?),
            Sites::Or(regions) => Sites::Or(all(regions)?),
            Sites::Not(region) => Sites::Not(Box::new(self.sunk(region, depth)?)),
            Sites::When(condition, region) => {
                Sites::When(condition.clone(), Box::new(self.sunk(region, depth)?))
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
        Some(self.at(node))
    }

    fn sunk_pieces(
        &self,
        kinds: &[Spanned<PieceOf>],
        whose: &Whose,
        depth: usize,
    ) -> Spanned<Sites> {
        let of_kind = |kind: PieceId| match whose {
            Whose::Anyones => self.sets_of(depth, kind),
            _ if !self.piles.is_owned(kind) => Vec::new(),
            Whose::Players(player) => vec![self.set(depth, kind, Some(player))],
            Whose::Others(player) => (0..self.players)
                .map(|other| {
                    let team = self.teams.of(PlayerId(other));
                    let other = self.at(PlayerOf::Fixed(PlayerId(other)));
                    // The player is none of the other one's team.
                    self.teams.members(team).fold(
                        self.set(depth, kind, Some(&other)),
                        |set, partner| {
                            let partner = Box::new(self.at(PlayerOf::Fixed(partner)));
                            let same = Condition::SamePlayer(partner, Box::new(player.clone()));
                            let differs = self.at(Condition::Not(Box::new(self.at(same))));
                            self.when(differs, set)
                        },
                    )
                })
                .collect(),
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
                        let is_kind = self.is_kind(asked.clone(), kind);
                        let pieces = of_kind(kind).into_iter();
                        found.extend(pieces.map(|sites| self.when(is_kind.clone(), sites)));
                    }
                }
            }
        }
        self.at(if found.is_empty() { Sites::Nowhere } else { Sites::Or(found) })
    }

    fn is_kind(&self, piece: Spanned<PieceOf>, kind: PieceId) -> Spanned<Condition> {
        let kind = self.at(PieceOf::Fixed(kind));
        self.at(Condition::SameKind(Box::new(piece), Box::new(kind)))
    }
}
