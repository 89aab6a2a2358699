//! Checks what is said of piles: `(piles 8)`, `height`, `under`, and the effects that move pieces of
//! piles. Their clauses are built by [`PileClauses`].

use super::Checker;
use super::known::known;
use super::moves::statement;
use super::placement::Section;
use super::report::Within;
use super::typed::{Typed, at};
use crate::language::finding::{Code, Finding};
use crate::language::ludemes::{Kind, Ludeme};
use crate::language::piles::PileClauses;
use crate::language::rules::*;
use crate::syntax::Span;

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
            return self.report(Finding::new(Code::RulesTooLarge, span, message));
        }
        let most = self.inside(Within::Row(Ludeme::Piled.row()), |checker| {
            checker.constant_within(&most, 2, room as i64)
        });
        let Some(most) = most else { return };
        let mut known = self.declared.memories.iter().filter_map(|entry| entry.memory.as_ref());
        if let Some(memory) = known.find(|memory| memory.travels) {
            let message = "a memory that travels with a piece says nothing of a pile";
            let help = "leave `travelling` out: what is kept for a site stays there";
            let finding = Finding::new(Code::Misplaced, memory.span, message).with_help(help);
            return self.report(finding.with_other(span, "sites hold several pieces"));
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

    /// Returns the builder of clauses about piles that belong to a clause of the text; `None` if a
    /// site holds one piece at most.
    fn pile_clauses(&self, clause: Span) -> Option<PileClauses> {
        let piles = self.declared.piles.clone()?;
        let players = self.declared.players.len();
        Some(PileClauses::before(clause, piles, self.teams(), players))
    }

    /// Returns the builder of clauses for a word that needs piles; reports a game without piles.
    fn require_piles(&mut self, ludeme: Ludeme, span: Span) -> Option<PileClauses> {
        if self.declared.piled.is_none() {
            let message = format!(
                "`{}` needs piles, and a site of this game holds one piece at most",
                ludeme.row().spelling
            );
            let help = "let sites hold several: `(board … (piles 8))`";
            return self.refuse_live(Finding::new(Code::Misplaced, span, message).with_help(help));
        }
        self.pile_clauses(span)
    }

    /// Returns the builder of clauses if the effect that is being checked is part of a move, which
    /// is then illegal if a pile would be too high.
    fn bounding(&self, span: Span) -> Option<PileClauses> {
        let is_of_move = matches!(self.context.place.section, Section::Move | Section::Definition);
        self.pile_clauses(span).filter(|_| is_of_move)
    }

    /// Builds `(height s)`.
    pub(super) fn height(&mut self, site: Spanned<SiteOf>, span: Span) -> Option<Typed> {
        let piles = self.require_piles(Ludeme::Height, span)?;
        Some(Typed::Number(at(piles.height(site), span)))
    }

    /// Returns the definition of heights, which comes after those of the text.
    pub(super) fn height_definition(&self) -> Option<Definition> {
        let clause = self.declared.piles.as_ref()?.span;
        Some(self.pile_clauses(clause)?.height_definition())
    }

    /// Builds `(under region n?)`.
    pub(super) fn under(
        &mut self,
        depth: Option<Spanned<Number>>,
        region: &Spanned<Sites>,
        span: Span,
    ) -> Option<Typed> {
        let piles = self.require_piles(Ludeme::Under, span)?;
        let most = piles.piles.most;
        let under = match &depth {
            Some(depth) if known(depth).is_some() => {
                let depth = self.constant_within(depth, 1, most as i64 - 1)? as usize;
                piles.under(region, depth..depth + 1, None)
            }
            Some(depth) => {
                self.whole(depth)?;
                piles.under(region, 1..most, Some(depth))
            }
            None => piles.under(region, 1..most, None),
        };
        let Some(under) = under else {
            let help = "`under` looks at pieces below the top: by `mine`, `theirs`, `of`, `pieces` and `empty`, joined by `and`, `or` and `not`";
            let finding = self.mismatch(Code::WrongType, region.span, "pieces, such as `(theirs)`");
            return self.refuse_live(finding.with_help(help));
        };
        Some(Typed::Sites(at(under, span)))
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
        let beneath = beneath.is_some();
        if beneath {
            self.require_piles(Ludeme::Put, span)?;
        }
        let can_put = self.bounding(span).map(|piles| piles.can_put(&piece, &sites, beneath));
        Some(required(can_put, Statement::Put { piece, at: sites, owner, beneath }, span))
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
        Some(statement(Statement::Remove { at: sites, number }, span))
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
        let beneath = beneath.is_some();
        if number.is_some() || beneath {
            self.require_piles(Ludeme::Relocate, span)?;
        }
        if let Some(number) = &number {
            self.whole(number)?;
        }
        let bounding = self.bounding(span);
        let can_relocate =
            bounding.map(|piles| piles.can_relocate(&from, &to, number.as_ref(), beneath));
        let effect = Statement::Relocate { from, to, number, beneath };
        Some(required(can_relocate.into_iter().flatten(), effect, span))
    }

    /// Reports an effect that does not move piles, in a game with piles.
    pub(super) fn moves_no_piles(&mut self, ludeme: Ludeme, help: &str, span: Span) -> Option<()> {
        if self.declared.piled.is_none() {
            return Some(());
        }
        let message = format!("`{}` moves no piles", ludeme.row().spelling);
        self.refuse_live(Finding::new(Code::Misplaced, span, message).with_help(help))
    }
}

/// Builds an effect after what it requires.
fn required(
    requirements: impl IntoIterator<Item = Spanned<Condition>>,
    effect: Statement,
    span: Span,
) -> Typed {
    let requirements = requirements.into_iter();
    let require = requirements.map(|fits| at(Statement::Require(at(fits.node, span)), span));
    Typed::Statement(require.chain([at(effect, span)]).collect())
}
