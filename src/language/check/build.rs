//! Builds a node of the typed rules from a ludeme and its checked arguments, row by row of the
//! table. Expressions of constants are folded.

mod kinds;
mod lists;

use lists::{differ, joined, listed};

use super::Checker;
use super::arguments::Arguments;
use super::claims::Circumstance;
use super::moves::statement;
use super::typed::{Access, BoardDetail, MemoryDetail, Typed, Wrapping, at};
use crate::board::Wraps;
use crate::language::claims::{Assertion, Counted};
use crate::language::finding::{Code, Finding};
use crate::language::ludemes::{Ludeme, Row};
use crate::language::rules::*;
use crate::syntax::{Node, Span};

/// The maximal number of steps that `step` can be asked for.
const MAX_STEPS: i64 = 32;

impl Checker<'_> {
    /// Builds the node of a single word of the language.
    pub(super) fn bare(&mut self, row: &'static Row, span: Span) -> Option<Typed> {
        let directions = |directions: &[crate::board::Direction]| {
            Typed::Directions(at(Directions::Fixed(directions.to_vec()), span))
        };
        Some(match row.ludeme {
            Ludeme::Travelling => Typed::MemoryDetail(at(MemoryDetail::Travelling, span)),
            Ludeme::Everywhere => Typed::Sites(at(Sites::Everywhere, span)),
            Ludeme::Nowhere => Typed::Sites(at(Sites::Nowhere, span)),
            Ludeme::CutOut => Typed::Sites(at(Sites::CutOut, span)),
            Ludeme::Orthogonal => directions(self.require_board(span)?.orthogonal()),
            Ludeme::Diagonal => directions(self.require_board(span)?.diagonal()),
            Ludeme::All => directions(self.require_board(span)?.all()),
            Ludeme::Axes => directions(&self.require_board(span)?.axes()),
            Ludeme::Corners => {
                let corners = self.require_board(span)?.corners();
                Typed::Sites(at(Sites::Literal(corners), span))
            }
            Ludeme::Centre => {
                let centre = self.require_board(span)?.centre();
                Typed::Sites(at(Sites::Literal(centre), span))
            }
            Ludeme::NoSiteAtAll => Typed::Site(at(SiteOf::Nowhere, span)),
            Ludeme::NoDirection => {
                let nowhere = || Box::new(at(SiteOf::Nowhere, span));
                Typed::Direction(at(DirectionOf::Between(nowhere(), nowhere()), span))
            }
            Ludeme::Mover => Typed::Player(at(PlayerOf::Mover, span)),
            Ludeme::Forward | Ludeme::Left | Ludeme::Right | Ludeme::Back => {
                return self.relative(row.ludeme, span);
            }
            Ludeme::AllPlayers => Typed::Domain(Domain::Players(span)),
            Ludeme::True => Typed::Condition(at(Condition::Constant(true), span)),
            Ludeme::False => Typed::Condition(at(Condition::Constant(false), span)),
            _ => return None,
        })
    }

    /// Builds the node of a form whose arguments fit its row. `before` is the number of failures
    /// before the form was checked.
    pub(super) fn build(
        &mut self,
        ludeme: Ludeme,
        mut given: Arguments,
        node: &Node,
        before: usize,
    ) -> Option<Typed> {
        let span = node.span;
        let number = |it| Some(Typed::Number(at(it, span)));
        let condition = |it| Some(Typed::Condition(at(it, span)));
        let sites = |it| Some(Typed::Sites(at(it, span)));
        let site = |it| Some(Typed::Site(at(it, span)));
        let direction = |it| Some(Typed::Direction(at(it, span)));
        let player = |it| Some(Typed::Player(at(it, span)));
        let asserted = |it| Some(Typed::Assertion(at(it, span)));
        let done = |it| Some(statement(it, span));
        let given = &mut given;
        match ludeme {
            // Parts of the game, single words and these forms have functions of their own.
            Ludeme::Game
            | Ludeme::VariantOf
            | Ludeme::DefaultIs
            | Ludeme::Omit
            | Ludeme::AddTo
            | Ludeme::Include
            | Ludeme::Definitions
            | Ludeme::Author
            | Ludeme::Year
            | Ludeme::Source
            | Ludeme::License
            | Ludeme::About
            | Ludeme::Players
            | Ludeme::Option
            | Ludeme::PieceKind
            | Ludeme::Hand
            | Ludeme::Remember
            | Ludeme::Per
            | Ludeme::Define
            | Ludeme::Setup
            | Ludeme::MoveRule
            | Ludeme::Play
            | Ludeme::End
            | Ludeme::Repetition
            | Ludeme::PieRule
            | Ludeme::Board
            | Ludeme::Look
            | Ludeme::GridIs
            | Ludeme::ColorOf
            | Ludeme::ShapeOf
            | Ludeme::Hide
            | Ludeme::OptionIs
            | Ludeme::Claim
            | Ludeme::With
            | Ludeme::Case
            | Ludeme::Else
            | Ludeme::Otherwise
            | Ludeme::SoThat
            | Ludeme::Set
            | Ludeme::Let
            | Ludeme::If
            | Ludeme::IfElse
            | Ludeme::Choose
            | Ludeme::Can
            | Ludeme::Steps
            | Ludeme::Then
            | Ludeme::Travelling
            | Ludeme::Everywhere
            | Ludeme::Nowhere
            | Ludeme::CutOut
            | Ludeme::Orthogonal
            | Ludeme::Diagonal
            | Ludeme::All
            | Ludeme::Axes
            | Ludeme::Corners
            | Ludeme::Centre
            | Ludeme::NoSiteAtAll
            | Ludeme::NoDirection
            | Ludeme::Mover
            | Ludeme::Forward
            | Ludeme::Left
            | Ludeme::Right
            | Ludeme::Back
            | Ludeme::AllPlayers
            | Ludeme::True
            | Ludeme::False => None,

            Ludeme::Range => self.range(given.one()?, given.one()?, given.maybe()?, span),
            Ludeme::OneOf => self.one_of(given.all()?, span),
            Ludeme::Square | Ludeme::Hexagon | Ludeme::Rhombus | Ludeme::Rectangle => {
                let side = given.one()?;
                let other = match ludeme {
                    Ludeme::Square => None,
                    _ => given.maybe()?,
                };
                self.shape(ludeme, side, other, span)
            }
            Ludeme::ColumnsFrom => self.first_column(given.one()?, span),
            Ludeme::RowsFrom => {
                let detail = BoardDetail::RowsFromTop(given.one()?);
                Some(Typed::BoardDetail(at(detail, span)))
            }
            Ludeme::Wrap => {
                let edges: Vec<Wrapping> = given.all()?;
                let wraps = Wraps {
                    columns: edges.contains(&Wrapping::Columns),
                    rows: edges.contains(&Wrapping::Rows),
                };
                Some(Typed::BoardDetail(at(BoardDetail::Wrap(wraps), span)))
            }
            Ludeme::Without => {
                let detail = BoardDetail::Without(given.one()?);
                Some(Typed::BoardDetail(at(detail, span)))
            }

            Ludeme::After => Some(Typed::Circumstance(at(Circumstance::After(given.all()?), span))),
            Ludeme::SeatIs => {
                let (player, program): (Option<Spanned<PlayerOf>>, _) =
                    (given.maybe()?, given.one()?);
                let player = match player {
                    Some(player) => Some(self.fixed_player(player)?),
                    None => None,
                };
                Some(Typed::Circumstance(at(Circumstance::Seat(player, program), span)))
            }
            Ludeme::EndsWithin => {
                let plies = given.one()?;
                asserted(self.plies(&plies)?)
            }
            Ludeme::NeverRepeats => asserted(Assertion::NeverRepeats),
            Ludeme::NeverDraws => asserted(Assertion::NeverDraws),
            Ludeme::Drawn => asserted(Assertion::Drawn),
            Ludeme::Always => asserted(Assertion::Always(given.one()?)),
            Ludeme::Possible => asserted(Assertion::Possible(given.one()?)),
            Ludeme::NotClaimed => asserted(Assertion::Not(given.one()?)),
            Ludeme::Wins => {
                let player = given.one()?;
                asserted(Assertion::Wins(self.fixed_player(player)?))
            }
            Ludeme::ScoresBelow | Ludeme::ScoresAbove => {
                let (player, percent) = (given.one()?, given.one()?);
                let player = self.fixed_player(player)?;
                asserted(self.mean(ludeme.row(), Counted::Score(player), &percent)?)
            }
            Ludeme::DrawsBelow => {
                let percent = given.one()?;
                asserted(self.mean(ludeme.row(), Counted::Draws, &percent)?)
            }

            Ludeme::ChooseAt => chosen_site(ParameterRole::At, given, span),
            Ludeme::ChooseFrom => chosen_site(ParameterRole::From, given, span),
            Ludeme::ChooseTo => chosen_site(ParameterRole::To, given, span),
            Ludeme::ChooseTowards => {
                let variable = given.one()?;
                let domain = Domain::Directions(given.one()?);
                Some(chosen(ParameterRole::Towards, variable, domain, span))
            }
            Ludeme::ChooseKind => {
                let variable = given.one()?;
                let kinds = self.distinct_kinds(given.all()?)?;
                Some(chosen(ParameterRole::Piece, variable, Domain::Pieces(kinds, span), span))
            }
            Ludeme::ChooseNumber => {
                let (variable, least, most) = (given.one()?, given.one()?, given.one()?);
                let domain = self.chosen_number(&least, &most, span)?;
                Some(chosen(ParameterRole::Number, variable, domain, span))
            }

            Ludeme::Empty => sites(Sites::Empty),
            Ludeme::Pieces => {
                let (kinds, whose) = (given.all()?, Whose::Anyones);
                sites(Sites::Pieces { kinds, whose })
            }
            Ludeme::Mine | Ludeme::Theirs => {
                let kinds = self.owned_kinds(given.all()?, node)?;
                let mover = at(PlayerOf::Mover, span);
                let whose = match ludeme {
                    Ludeme::Mine => Whose::Players(mover),
                    _ => Whose::Others(mover),
                };
                sites(Sites::Pieces { kinds, whose })
            }
            Ludeme::Of => {
                let whose = Whose::Players(given.one()?);
                let kinds = self.owned_kinds(given.all()?, node)?;
                sites(Sites::Pieces { kinds, whose })
            }
            Ludeme::SitesListed => sites(listed(given.all()?)),
            Ludeme::RowOf => {
                let number = given.one()?;
                match given.maybe()? {
                    Some(player) => self.rows_from(&[&number], player, span),
                    None => self.board_row(&number, span),
                }
            }
            Ludeme::ColumnOf => self.board_column(&given.one()?, span),
            Ludeme::Beside => {
                let of = given.one()?;
                let directions = self.orthogonal_unless(given.maybe()?, span)?;
                sites(Sites::Beside(of, directions))
            }
            Ludeme::Group => {
                let (of, within) = (given.one()?, given.one()?);
                let directions = self.orthogonal_unless(given.maybe()?, span)?;
                sites(Sites::Group { of, within, directions })
            }
            Ludeme::Walk => sites(Sites::Walk {
                from: given.one()?,
                directions: given.one()?,
                through: given.one()?,
            }),
            Ludeme::Between => sites(Sites::Between(given.one()?, given.one()?)),
            Ludeme::Leap => self.leaps(given.one()?, given.one()?, given.one()?, span),
            Ludeme::Slide => sites(Sites::Slide { from: given.one()?, directions: given.one()? }),
            Ludeme::Line => self.lines(given.one()?, given.one()?, given.maybe()?, span),
            Ludeme::RowsBetween => {
                let (first, last) = (given.one()?, given.one()?);
                match given.maybe()? {
                    Some(player) => self.rows_from(&[&first, &last], player, span),
                    None => self.board_rows(&first, &last, span),
                }
            }
            Ludeme::ColumnsBetween => self.board_columns(&given.one()?, &given.one()?, span),
            Ludeme::EdgeOf => self.board_edge(&given.one()?, span),
            Ludeme::When => sites(Sites::When(given.one()?, given.one()?)),
            Ludeme::Reach => {
                let (variable, from) = (given.one()?, given.one()?);
                let domain = Domain::Sites(from);
                sites(Sites::Reach(Box::new(Binder { variable, domain }), given.one()?))
            }
            Ludeme::Union => sites(Sites::Union(binder(given)?, given.one()?)),
            Ludeme::Where => {
                let (variable, region) = (given.one()?, given.one()?);
                let domain = Domain::Sites(region);
                let binder = Box::new(Binder { variable, domain });
                sites(Sites::Where(binder, given.one()?))
            }
            Ludeme::Both => sites(Sites::And(given.all()?)),
            Ludeme::Either => sites(Sites::Or(given.all()?)),
            Ludeme::Groups => {
                let region = given.one()?;
                let directions = self.orthogonal_unless(given.maybe()?, span)?;
                Some(Typed::Domain(Domain::Groups { region, directions, span }))
            }
            Ludeme::Outside => sites(Sites::Not(given.one()?)),

            Ludeme::Step => {
                let (from, direction) = (given.one()?, given.one()?);
                let number: Option<Spanned<Number>> = given.maybe()?;
                let number = match number {
                    Some(number) => self.constant_within(&number, 1, MAX_STEPS)? as u8,
                    None => 1,
                };
                site(SiteOf::Step(from, direction, number))
            }
            Ludeme::First => site(SiteOf::First {
                from: given.one()?,
                direction: given.one()?,
                stops: given.one()?,
            }),

            Ludeme::Only => {
                let region: SpannedBox<Sites> = given.one()?;
                site(match region.node {
                    Sites::One(site) => site.node,
                    _ => SiteOf::Only(region),
                })
            }

            Ludeme::ListOf => self.listed_directions(given.all()?, span),
            Ludeme::DirectionBetween => direction(DirectionOf::Between(given.one()?, given.one()?)),
            Ludeme::Opposite => self.opposite(given.one()?, span),
            Ludeme::ForwardOf => self.forward(given.one()?, span).map(Typed::Direction),
            Ludeme::Clockwise => {
                let turned = given.one()?;
                self.clockwise(turned, &given.one()?, span)
            }
            Ludeme::Next => {
                let before: Box<Spanned<PlayerOf>> = given.one()?;
                player(match before.node {
                    PlayerOf::Fixed(PlayerId(id)) if !self.declared.drop_outs => {
                        let next = (usize::from(id) + 1) % self.declared.players.len().max(1);
                        PlayerOf::Fixed(PlayerId(next as u16))
                    }
                    _ => PlayerOf::Next(before),
                })
            }

            Ludeme::KindOn => Some(Typed::Piece(at(PieceOf::At(given.one()?), span))),
            Ludeme::Kinds => {
                let kinds = self.distinct_kinds(given.all()?)?;
                let kinds = self.listed_or_all_kinds(kinds, span)?;
                Some(Typed::Domain(Domain::Pieces(kinds, span)))
            }

            Ludeme::Add => number(self.sum(given.all()?, span)?),
            Ludeme::Subtract => number(self.difference(given.one()?, given.one()?, span)?),
            Ludeme::Multiply => number(self.product(given.all()?, span)?),
            Ludeme::Divide | Ludeme::Remainder => {
                number(self.quotient(ludeme, given.one()?, given.one()?)?)
            }
            Ludeme::Least | Ludeme::Greatest => number(self.extreme(ludeme, given.all()?)?),
            Ludeme::Count => number(Number::Count(given.one()?)),
            Ludeme::CountWhere => number(Number::CountWhere(binder(given)?, given.one()?)),
            Ludeme::Sum => number(Number::Sum(binder(given)?, given.one()?)),
            Ludeme::LeastOver => number(Number::LeastOver(binder(given)?, given.one()?)),
            Ludeme::GreatestOver => number(Number::GreatestOver(binder(given)?, given.one()?)),
            Ludeme::NumbersBetween => {
                let (least, most) = (given.one()?, given.one()?);
                Some(Typed::Domain(self.numbers_between(&least, &most, span)?))
            }
            Ludeme::RowNumber | Ludeme::ColumnNumber => {
                number(self.coordinate(ludeme, given.one()?, span)?)
            }
            Ludeme::Distance => {
                number(self.distance(given.one()?, given.one()?, given.maybe()?, span)?)
            }

            Ludeme::AllOf => condition(joined(true, given.all()?)),
            Ludeme::AnyOf => condition(joined(false, given.all()?)),
            Ludeme::NotSo => {
                let inner: Box<Spanned<Condition>> = given.one()?;
                condition(match inner.node {
                    Condition::Constant(so) => Condition::Constant(!so),
                    _ => Condition::Not(inner),
                })
            }
            Ludeme::AnySite => condition(Condition::Any(given.one()?)),
            Ludeme::NoSite => condition(Condition::None(given.one()?)),
            Ludeme::In => condition(Condition::In(given.one()?, given.one()?)),
            Ludeme::Connected => {
                let region = given.one()?;
                let directions = self.orthogonal_unless(given.maybe()?, span)?;
                condition(Condition::Connected(region, directions))
            }
            Ludeme::Exists => condition(Condition::Exists(binder(given)?, given.one()?)),
            Ludeme::Every => condition(Condition::Every(binder(given)?, given.one()?)),
            Ludeme::EqualNumbers
            | Ludeme::Unequal
            | Ludeme::Less
            | Ludeme::AtMost
            | Ludeme::Greater
            | Ludeme::AtLeast => {
                let comparison = match ludeme {
                    Ludeme::Unequal => Comparison::Unequal,
                    Ludeme::Less => Comparison::Less,
                    Ludeme::AtMost => Comparison::AtMost,
                    Ludeme::Greater => Comparison::Greater,
                    Ludeme::AtLeast => Comparison::AtLeast,
                    _ => Comparison::Equal,
                };
                condition(compared(comparison, given.one()?, given.one()?))
            }
            Ludeme::SamePlayer => condition(Condition::SamePlayer(given.one()?, given.one()?)),
            Ludeme::SameSite => condition(Condition::SameSite(given.one()?, given.one()?)),
            Ludeme::SameDirection => {
                condition(Condition::SameDirection(given.one()?, given.one()?))
            }

            Ludeme::SameKind => condition(same_kind(given.one()?, given.one()?)),
            Ludeme::OtherKind => condition(match same_kind(given.one()?, given.one()?) {
                Condition::Constant(same) => Condition::Constant(!same),
                same => differ(same, span),
            }),

            Ludeme::OtherPlayer => {
                condition(differ(Condition::SamePlayer(given.one()?, given.one()?), span))
            }
            Ludeme::OtherSite => {
                condition(differ(Condition::SameSite(given.one()?, given.one()?), span))
            }
            Ludeme::OtherDirection => {
                condition(differ(Condition::SameDirection(given.one()?, given.one()?), span))
            }

            Ludeme::Put => {
                let (piece, at, owner) = (given.one()?, given.one()?, given.maybe()?);
                let piece = self.owned_by(piece, &owner, node)?;
                done(Statement::Put { piece, at, owner })
            }
            Ludeme::Diagram => self.diagram(given.all()?, span),
            Ludeme::Remove => done(Statement::Remove(given.one()?)),
            Ludeme::Relocate => done(Statement::Relocate { from: given.one()?, to: given.one()? }),
            Ludeme::Shift => done(Statement::Shift { at: given.one()?, direction: given.one()? }),
            Ludeme::Swap => done(Statement::Swap(given.one()?, given.one()?)),
            Ludeme::Convert => done(Statement::Convert { at: given.one()?, to: given.one()? }),
            Ludeme::Replace => {
                let (at, piece, owner) = (given.one()?, given.one()?, given.maybe()?);
                let piece = self.owned_by(piece, &owner, node)?;
                done(Statement::Replace { at, piece, owner })
            }
            Ludeme::Cut => done(Statement::Cut(given.one()?)),
            Ludeme::Raise | Ludeme::Lower => {
                let (access, by): (Box<Access>, Spanned<Number>) = (given.one()?, given.one()?);
                done(self.change(ludeme, *access, by)?)
            }
            Ludeme::Mark | Ludeme::Unmark => {
                let (marked, access): (Spanned<Sites>, Box<Access>) = (given.one()?, given.one()?);
                done(self.mark(ludeme, marked, *access)?)
            }
            Ludeme::For => done(Statement::For(*binder(given)?, given.one()?)),
            Ludeme::Chain => done(Statement::Chain {
                variable: given.one()?,
                from: given.one()?,
                body: given.one()?,
            }),
            Ludeme::Join => done(Statement::Join(given.one()?)),
            Ludeme::Require => done(Statement::Require(given.one()?)),

            Ludeme::Win => done(Statement::Win(given.one()?)),
            Ludeme::Lose => {
                let loser = given.one()?;
                done(match self.declared.players.len() {
                    // A single player has no opponent who could win.
                    1 => Statement::Draw,
                    2 => Statement::Lose(loser),
                    _ => Statement::DropOut(loser),
                })
            }
            Ludeme::Draw => done(Statement::Draw),
            Ludeme::ByScore => done(Statement::ByScore(given.one()?, given.one()?)),

            Ludeme::Turns => {
                let body: Vec<Spanned<Statement>> = given.one()?;
                self.check_endless_loop(ludeme, &body, node, before);
                done(Statement::Turns(body))
            }
            Ludeme::Forever => {
                let body: Vec<Spanned<Statement>> = given.one()?;
                self.check_endless_loop(ludeme, &body, node, before);
                done(Statement::Forever(body))
            }
            Ludeme::Turn => done(Statement::Turn(given.one()?, given.one()?)),
            Ludeme::While => done(Statement::While(given.one()?, given.one()?)),
            Ludeme::Repeat => done(Statement::Repeat(given.one()?, given.one()?)),
            Ludeme::Phase => done(Statement::Phase(given.one()?, given.one()?)),
            Ludeme::Chance => {
                let roll: Spanned<MoveId> = given.one()?;
                done(Statement::Chance(roll.node))
            }
            Ludeme::EndTurn => done(Statement::EndTurn),
        }
    }

    /// Checks that an endless loop contains a ply or a result.
    fn check_endless_loop(
        &mut self,
        ludeme: Ludeme,
        body: &[Spanned<Statement>],
        node: &Node,
        before: usize,
    ) {
        if self.diagnostics.failures > before || self.has_ply(body) || self.has_result(body) {
            return;
        }
        let spelling = ludeme.row().spelling;
        let message = format!("`{spelling}` never ends and contains no ply");
        let span = node.head().map_or(node.span, |(_, span)| span);
        let finding = Finding::new(Code::NoPly, span, message)
            .with_help("add a ply to it: `choose`, `chance` or `steps`");
        self.report_live(finding);
    }
}

fn binder(given: &mut Arguments) -> Option<Box<Binder>> {
    let (variable, domain) = (given.one()?, given.one()?);
    Some(Box::new(Binder { variable, domain }))
}

fn chosen_site(role: ParameterRole, given: &mut Arguments, span: Span) -> Option<Typed> {
    let variable = given.one()?;
    let domain = Domain::Sites(given.one()?);
    Some(chosen(role, variable, domain, span))
}

fn chosen(role: ParameterRole, variable: Local, domain: Domain, span: Span) -> Typed {
    Typed::Parameters(vec![Parameter { role, variable, span, domain, alike: false }])
}

/// Builds an equality of kinds, folded if both are constant.
pub(super) fn same_kind(left: Box<Spanned<PieceOf>>, right: Box<Spanned<PieceOf>>) -> Condition {
    match (&left.node, &right.node) {
        (PieceOf::Fixed(one), PieceOf::Fixed(other)) => Condition::Constant(one == other),
        _ => Condition::SameKind(left, right),
    }
}

/// Builds a comparison, folded if both numbers are constant.
pub(super) fn compared(
    comparison: Comparison,
    left: Box<Spanned<Number>>,
    right: Box<Spanned<Number>>,
) -> Condition {
    let (Number::Constant(a), Number::Constant(b)) = (&left.node, &right.node) else {
        return Condition::Compare(comparison, left, right);
    };
    Condition::Constant(comparison.holds(*a, *b))
}
