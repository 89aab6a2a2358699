//! Builds a node of the typed rules from a form and its checked arguments, row by row of the table.
//! Expressions of constants become constants.

mod kinds;
mod lists;

use lists::{differ, listed};

use super::Checker;
use super::arguments::{Form, Slots};
use super::claims::Circumstance;
use super::moves::statement;
use super::typed::{BoardDetail, MemoryDetail, Typed, Wrapping, at};
use crate::board::{Direction, Sort, Wraps};
use crate::language::claims::Assertion;
use crate::language::finding::{Code, Finding};
use crate::language::ludemes::Ludeme;
use crate::language::rules::*;
use crate::syntax::{Node, Span};

/// The maximal number of steps that `step` can be asked for.
const MAX_STEPS: i64 = 32;

impl Checker<'_> {
    /// Builds the node of a word or of a form whose arguments fit its row. `before` is the number
    /// of failures before a form was checked.
    pub(super) fn build(
        &mut self,
        ludeme: Ludeme,
        slots: Slots,
        node: &Node,
        before: usize,
    ) -> Option<Typed> {
        let span = node.span;
        let number = |it| Some(Typed::Number(at(it, span)));
        let condition = |it| Some(Typed::Condition(at(it, span)));
        let compared = |comparison, left: Spanned<Number>, right: Spanned<Number>| {
            condition(Condition::Compare(comparison, left.into(), right.into()))
        };
        let sites = |it| Some(Typed::Sites(at(it, span)));
        let site = |it| Some(Typed::Site(at(it, span)));
        let direction = |it| Some(Typed::Direction(at(it, span)));
        let directions =
            |all: &[Direction]| Some(Typed::Directions(at(Directions::Fixed(all.to_vec()), span)));
        let player = |it| Some(Typed::Player(at(it, span)));
        let detail = |it| Some(Typed::BoardDetail(Box::new(at(it, span))));
        let asserted = |it| Some(Typed::Assertion(at(it, span)));
        let under = |it| Some(Typed::Circumstance(at(it, span)));
        let done = |it| Some(statement(it, span));
        let boxed = |all: Option<Spanned<Directions>>| all.map(Box::new);
        // Rows with functions of their own have no values, and so no branch.
        let built = match Form::new(ludeme, slots)? {
            Form::Travelling(_) => Some(Typed::MemoryDetail(at(MemoryDetail::Travelling, span))),
            Form::Everywhere(_) => sites(Sites::Everywhere),
            Form::Nowhere(_) => sites(Sites::Nowhere),
            Form::CutOut(_) => sites(Sites::CutOut),
            Form::Orthogonal(_) => directions(self.require_board(span)?.orthogonal()),
            Form::Diagonal(_) => directions(self.require_board(span)?.diagonal()),
            Form::Leaping(_) => directions(self.require_board(span)?.leaping()),
            Form::All(_) => directions(self.require_board(span)?.all()),
            Form::Axes(_) => directions(&self.require_board(span)?.axes()),
            Form::Corners(_) => sites(Sites::Literal(self.require_board(span)?.corners())),
            Form::Centre(_) => sites(Sites::Literal(self.require_board(span)?.centre())),
            Form::NoSiteAtAll(_) => site(SiteOf::Nowhere),
            Form::NoDirection(_) => {
                let nowhere = || Box::new(at(SiteOf::Nowhere, span));
                direction(DirectionOf::Between(nowhere(), nowhere()))
            }
            Form::Mover(_) => player(PlayerOf::Mover),
            Form::Forward(_) => self.relative(Ludeme::Forward, span),
            Form::Left(_) => self.relative(Ludeme::Left, span),
            Form::Right(_) => self.relative(Ludeme::Right, span),
            Form::Back(_) => self.relative(Ludeme::Back, span),
            Form::AllPlayers(_) => Some(Typed::Domain(Domain::Players(span))),
            Form::Team(it) => Some(Typed::Domain(Domain::Team(it.player.into(), span))),
            Form::True(_) => condition(Condition::Constant(true)),
            Form::False(_) => condition(Condition::Constant(false)),

            Form::Range(it) => self.range(it.least, it.most, it.step, span),
            Form::OneOf(it) => self.one_of(it.values, span),
            Form::Square(it) => self.shape(Ludeme::Square, it.side, None, span),
            Form::Hexagon(it) => self.shape(Ludeme::Hexagon, it.side, it.other, span),
            Form::Rhombus(it) => self.shape(Ludeme::Rhombus, it.columns, it.rows, span),
            Form::Rectangle(it) => self.shape(Ludeme::Rectangle, it.columns, Some(it.rows), span),
            Form::ColumnsFrom(it) => self.first_column(it.letter, span),
            Form::RowsFrom(it) => detail(BoardDetail::RowsFromTop(it.edge)),
            Form::Wrap(it) => detail(BoardDetail::Wrap(Wraps {
                columns: it.edges.contains(&Wrapping::Columns),
                rows: it.edges.contains(&Wrapping::Rows),
            })),
            Form::Triangle(it) => self.shape(Ludeme::Triangle, it.side, None, span),
            Form::Star(it) => self.shape(Ludeme::Star, it.points, None, span),
            Form::Layers(it) => self.layers(it.shapes.into_iter(), span),
            Form::Drawing(it) => self.drawing(&it.rows, span),
            Form::Diagonals(_) => detail(BoardDetail::Diagonals),
            Form::Leaps(_) => detail(BoardDetail::Leaps),
            Form::Borders(it) => detail(BoardDetail::Borders(it.sorts)),
            Form::Joined(it) => detail(BoardDetail::Joined(it.directions, it.sites)),
            Form::Without(it) => detail(BoardDetail::Without(it.sites)),
            Form::Piled(it) => {
                detail(BoardDetail::Piled(it.most, self.distinct_kinds(it.covered)?))
            }

            Form::After(it) => under(Circumstance::After(it.moves)),
            Form::SeatIs(it) => {
                let player = match it.player {
                    Some(player) => Some(self.fixed_player(player)?),
                    None => None,
                };
                under(Circumstance::Seat(player, it.program))
            }
            Form::EndsWithin(it) => asserted(self.plies(&it.plies)?),
            Form::NeverRepeats(_) => asserted(Assertion::NeverRepeats),
            Form::NeverDraws(_) => asserted(Assertion::NeverDraws),
            Form::Drawn(_) => asserted(Assertion::Drawn),
            Form::Always(it) => asserted(Assertion::Always(it.condition)),
            Form::Possible(it) => asserted(Assertion::Possible(it.condition)),
            Form::NotClaimed(it) => asserted(Assertion::Not(it.assertion.into())),
            Form::Wins(it) => asserted(Assertion::Wins(self.fixed_player(it.player)?)),
            Form::ScoresBelow(it) => asserted(self.mean(ludeme, Some(it.player), &it.percent)?),
            Form::ScoresAbove(it) => asserted(self.mean(ludeme, Some(it.player), &it.percent)?),
            Form::DrawsBelow(it) => asserted(self.mean(ludeme, None, &it.percent)?),

            Form::ChooseAt(it) => {
                chosen(ParameterRole::At, it.variable, Domain::Sites(it.sites), span)
            }
            Form::ChooseFrom(it) => {
                chosen(ParameterRole::From, it.variable, Domain::Sites(it.sites), span)
            }
            Form::ChooseTo(it) => {
                chosen(ParameterRole::To, it.variable, Domain::Sites(it.sites), span)
            }
            Form::ChooseTowards(it) => {
                let domain = Domain::Directions(it.directions);
                chosen(ParameterRole::Towards, it.variable, domain, span)
            }
            Form::ChooseKind(it) => {
                let domain = Domain::Pieces(self.distinct_kinds(it.kinds)?, span);
                chosen(ParameterRole::Piece, it.variable, domain, span)
            }
            Form::ChooseNumber(it) => {
                let domain = self.chosen_number(&it.least, &it.most, span)?;
                chosen(ParameterRole::Number, it.variable, domain, span)
            }

            Form::Empty(_) => sites(Sites::Empty),
            Form::Pieces(it) => sites(Sites::Pieces { kinds: it.kinds, whose: Whose::Anyones }),
            Form::Mine(it) => {
                let kinds = self.owned_kinds(it.kinds, node)?;
                let whose = Whose::Players(at(PlayerOf::Mover, span));
                sites(Sites::Pieces { kinds, whose })
            }
            Form::Theirs(it) => {
                let kinds = self.owned_kinds(it.kinds, node)?;
                let whose = Whose::Others(at(PlayerOf::Mover, span));
                sites(Sites::Pieces { kinds, whose })
            }
            Form::Of(it) => {
                let kinds = self.owned_kinds(it.kinds, node)?;
                sites(Sites::Pieces { kinds, whose: Whose::Players(it.player) })
            }
            Form::SitesListed(it) => sites(listed(it.sites)),
            Form::RowOf(it) => match it.player {
                Some(player) => self.rows_from(&[&it.number], player, span),
                None => self.board_row(&it.number, span),
            },
            Form::ColumnOf(it) => self.board_column(&it.letter, span),
            Form::Cells(it) => self.of_sort(Sort::Cell, it.of, it.directions, span),
            Form::Sides(it) => self.of_sort(Sort::Side, it.of, it.directions, span),
            Form::Posts(it) => self.of_sort(Sort::Post, it.of, it.directions, span),
            Form::Below(it) => self.in_next_layer(it.of, false, span),
            Form::Above(it) => self.in_next_layer(it.of, true, span),
            Form::Beside(it) => {
                let directions = self.orthogonal_unless(boxed(it.directions), span)?;
                sites(Sites::Beside(it.of.into(), directions))
            }
            Form::Group(it) => {
                let directions = self.orthogonal_unless(boxed(it.directions), span)?;
                let (of, within) = (it.of.into(), it.within.into());
                sites(Sites::Group { of, within, directions })
            }
            Form::Walk(it) => sites(Sites::Walk {
                from: it.from.into(),
                directions: it.directions.into(),
                through: it.through.into(),
            }),
            Form::Between(it) => sites(Sites::Between(it.from.into(), it.to.into())),
            Form::Leap(it) => self.leaps(it.from, it.along, it.across, span),
            Form::Slide(it) => {
                sites(Sites::Slide { from: it.from.into(), directions: it.directions.into() })
            }
            Form::Line(it) => self.lines(it.number, it.region, boxed(it.directions), span),
            Form::RowsBetween(it) => match it.player {
                Some(player) => self.rows_from(&[&it.first, &it.last], player, span),
                None => self.board_rows(&it.first, &it.last, span),
            },
            Form::ColumnsBetween(it) => self.board_columns(&it.first, &it.last, span),
            Form::EdgeOf(it) => self.board_edge(&it.direction, span),
            Form::When(it) => sites(Sites::When(it.condition.into(), it.region.into())),
            Form::Reach(it) => {
                let binder = binder(it.variable, Domain::Sites(it.from));
                sites(Sites::Reach(binder, it.step.into()))
            }
            Form::Union(it) => {
                sites(Sites::Union(binder(it.variable, it.domain), it.region.into()))
            }
            Form::Where(it) => {
                let binder = binder(it.variable, Domain::Sites(it.sites));
                sites(Sites::Where(binder, it.condition.into()))
            }
            Form::Both(it) => sites(Sites::And(it.regions)),
            Form::Either(it) => sites(Sites::Or(it.regions)),
            Form::Groups(it) => {
                let directions = self.orthogonal_unless(boxed(it.directions), span)?;
                Some(Typed::Domain(Domain::Groups { region: it.region, directions, span }))
            }
            Form::Outside(it) => sites(Sites::Not(it.region.into())),
            Form::Under(it) => self.under(it.number, &it.region, span),

            Form::Step(it) => {
                let steps = match it.number {
                    Some(number) if super::known::known(&number).is_some() => {
                        self.constant_within(&number, 1, MAX_STEPS)? as u8
                    }
                    Some(number) => {
                        self.whole(&number)?;
                        let (from, direction) = (it.from.into(), it.direction.into());
                        return site(SiteOf::StepBy(from, direction, number.into()));
                    }
                    None => 1,
                };
                site(SiteOf::Step(it.from.into(), it.direction.into(), steps))
            }
            Form::First(it) => site(SiteOf::First {
                from: it.from.into(),
                direction: it.direction.into(),
                stops: it.stops.into(),
            }),
            Form::Start(it) => self.path_start(it.path, span),
            Form::Only(it) => site(match it.region.node {
                Sites::One(site) => site.node,
                _ => SiteOf::Only(it.region.into()),
            }),

            Form::ListOf(it) => Some(Typed::Directions(at(Directions::List(it.directions), span))),
            Form::DirectionBetween(it) => {
                direction(DirectionOf::Between(it.from.into(), it.to.into()))
            }
            Form::Opposite(it) => self.opposite(it.direction, span),
            Form::ForwardOf(it) => self.forward(it.player, span).map(Typed::Direction),
            Form::Clockwise(it) => self.clockwise(it.direction, &it.steps, span),
            Form::Next(it) => player(PlayerOf::Next(it.player.into())),

            Form::KindOn(it) => Some(Typed::Piece(at(PieceOf::At(it.site.into()), span))),
            Form::Kinds(it) => {
                let kinds = self.distinct_kinds(it.kinds)?;
                let kinds = self.listed_or_all_kinds(kinds, span)?;
                Some(Typed::Domain(Domain::Pieces(kinds, span)))
            }

            Form::Add(it) => number(Number::Add(it.numbers)),
            Form::Subtract(it) => number(Number::Subtract(it.from.into(), it.number.into())),
            Form::Multiply(it) => self.product(it.numbers, span),
            Form::Divide(it) => number(Number::Divide(it.number.into(), self.divisor(&it.by)?)),
            Form::Remainder(it) => {
                number(Number::Remainder(it.number.into(), self.divisor(&it.by)?))
            }
            Form::Least(it) => number(Number::Least(it.numbers)),
            Form::Greatest(it) => number(Number::Greatest(it.numbers)),
            Form::Count(it) => number(Number::Count(it.region.into())),
            Form::CountWhere(it) => {
                number(Number::CountWhere(binder(it.variable, it.domain), it.condition.into()))
            }
            Form::Sum(it) => number(Number::Sum(binder(it.variable, it.domain), it.number.into())),
            Form::LeastOver(it) => {
                number(Number::LeastOver(binder(it.variable, it.domain), it.number.into()))
            }
            Form::GreatestOver(it) => {
                number(Number::GreatestOver(binder(it.variable, it.domain), it.number.into()))
            }
            Form::Height(it) => self.height(it.site, span),
            Form::NumbersBetween(it) => {
                Some(Typed::Domain(self.numbers_between(&it.least, &it.most, span)?))
            }
            Form::RowNumber(it) => {
                self.require_board(span)?;
                number(Number::RowOf(it.site.into()))
            }
            Form::ColumnNumber(it) => {
                self.require_board(span)?;
                number(Number::ColumnOf(it.site.into()))
            }
            Form::Distance(it) => number(self.distance(it.from, it.to, it.directions, span)?),

            Form::AllOf(it) => condition(Condition::And(it.conditions)),
            Form::AnyOf(it) => condition(Condition::Or(it.conditions)),
            Form::NotSo(it) => condition(Condition::Not(it.condition.into())),
            Form::AnySite(it) => condition(Condition::Any(it.region.into())),
            Form::NoSite(it) => condition(Condition::None(it.region.into())),
            Form::In(it) => condition(Condition::In(it.site.into(), it.region.into())),
            Form::Connected(it) => {
                let directions = self.orthogonal_unless(boxed(it.directions), span)?;
                condition(Condition::Connected(it.region.into(), directions))
            }
            Form::Exists(it) => {
                condition(Condition::Exists(binder(it.variable, it.domain), it.condition.into()))
            }
            Form::Every(it) => {
                condition(Condition::Every(binder(it.variable, it.domain), it.condition.into()))
            }
            Form::EqualNumbers(it) => compared(Comparison::Equal, it.left, it.right),
            Form::Unequal(it) => compared(Comparison::Unequal, it.left, it.right),
            Form::Less(it) => compared(Comparison::Less, it.left, it.right),
            Form::AtMost(it) => compared(Comparison::AtMost, it.left, it.right),
            Form::Greater(it) => compared(Comparison::Greater, it.left, it.right),
            Form::AtLeast(it) => compared(Comparison::AtLeast, it.left, it.right),
            Form::SamePlayer(it) => {
                condition(Condition::SamePlayer(it.left.into(), it.right.into()))
            }
            Form::SameSite(it) => condition(Condition::SameSite(it.left.into(), it.right.into())),
            Form::SameDirection(it) => {
                condition(Condition::SameDirection(it.left.into(), it.right.into()))
            }
            Form::SameKind(it) => condition(Condition::SameKind(it.left.into(), it.right.into())),
            Form::OtherPlayer(it) => {
                condition(differ(Condition::SamePlayer(it.left.into(), it.right.into()), span))
            }
            Form::OtherSite(it) => {
                condition(differ(Condition::SameSite(it.left.into(), it.right.into()), span))
            }
            Form::OtherDirection(it) => {
                condition(differ(Condition::SameDirection(it.left.into(), it.right.into()), span))
            }
            Form::OtherKind(it) => {
                condition(differ(Condition::SameKind(it.left.into(), it.right.into()), span))
            }

            Form::Throughout(it) => self.throughout(it.condition, it.player, span),

            Form::Put(it) => {
                let piece = self.owned_by(it.piece, &it.owner, node)?;
                self.put(piece, it.at, it.owner, it.beneath, span)
            }
            Form::Diagram(it) => self.diagram(it.rows, span),
            Form::Remove(it) => self.remove(it.at, it.number, span),
            Form::Relocate(it) => self.relocate(it.from, it.to, it.number, it.beneath, span),
            Form::Shift(it) => {
                self.moves_no_piles(ludeme, "relocate the piles one by one, in a `for`", span)?;
                done(Statement::Shift { at: it.at, direction: it.direction })
            }
            Form::Swap(it) => done(Statement::Swap(it.one, it.other)),
            Form::Convert(it) => done(Statement::Convert { at: it.at, to: it.to }),
            Form::Replace(it) => {
                let piece = self.owned_by(it.piece, &it.owner, node)?;
                done(Statement::Replace { at: it.at, piece, owner: it.owner })
            }
            Form::Cut(it) => done(Statement::Cut(it.at)),
            Form::Raise(it) => done(self.change(Ludeme::Raise, it.memory, it.by)?),
            Form::Lower(it) => done(self.change(Ludeme::Lower, it.memory, it.by)?),
            Form::Mark(it) => done(self.mark(Ludeme::Mark, it.sites, it.memory)?),
            Form::Unmark(it) => done(self.mark(Ludeme::Unmark, it.sites, it.memory)?),
            Form::For(it) => done(Statement::For(*binder(it.variable, it.domain), it.statements)),
            Form::Chain(it) => {
                let (variable, from) = (it.variable, it.from);
                done(Statement::Chain { variable, from, body: it.statements })
            }
            Form::Join(it) => done(Statement::Join(it.sites)),
            Form::Require(it) => done(Statement::Require(it.condition)),

            Form::Win(it) => done(Statement::Win(it.player)),
            Form::Lose(it) => done(match self.teams().count() {
                // A single player has no opponent who could win.
                1 => Statement::Draw,
                2 => Statement::Lose(it.player),
                _ => Statement::DropOut(it.player),
            }),
            Form::Draw(_) => done(Statement::Draw),
            Form::Illegal(_) => done(Statement::Illegal),
            Form::ByScore(it) => done(Statement::ByScore(it.variable, it.number)),

            Form::Turns(it) => {
                self.check_endless_loop(Ludeme::Turns, &it.statements, node, before);
                done(Statement::Turns(it.statements))
            }
            Form::Forever(it) => {
                self.check_endless_loop(Ludeme::Forever, &it.statements, node, before);
                done(Statement::Forever(it.statements))
            }
            Form::Turn(it) => done(Statement::Turn(it.player, it.statements)),
            Form::AtMostRounds(it) => {
                self.check_placement(ludeme, node);
                Some(Typed::Limit(Box::new(at(it.rounds, span))))
            }
            Form::While(it) => self.while_statement(it.condition, it.limit, it.statements, span),
            Form::Until(it) => {
                self.check_endless_loop(Ludeme::Until, &it.statements, node, before);
                done(Statement::Until(it.condition, it.statements))
            }
            Form::Repeat(it) => done(Statement::Repeat(it.times, it.statements)),
            Form::Phase(it) => done(Statement::Phase(it.name, it.statements)),
            Form::Chance(it) => done(Statement::Chance(it.roll.node)),
            Form::EndTurn(_) => done(Statement::EndTurn),
            Form::ExtraTurn(_) => done(Statement::ExtraTurn),
        };
        self.folded(built?)
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
        let span = node.head_span();
        let finding = Finding::new(Code::NoPly, span, message)
            .with_help("add a ply to it: `choose`, `chance` or `steps`");
        self.report_live(finding);
    }
}

fn binder(variable: Local, domain: Domain) -> Box<Binder> {
    Box::new(Binder { variable, domain })
}

fn chosen(role: ParameterRole, variable: Local, domain: Domain, span: Span) -> Option<Typed> {
    Some(Typed::Parameter(vec![Parameter { role, variable, span, domain, alike: false }]))
}
