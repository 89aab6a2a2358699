//! The directions in which players play, and the words that depend on them: `forward`, `left`,
//! `right`, `back`, turned directions, and rows counted from a player's side.
//!
//! All of them are rewritten to constant directions and regions, selected by player; only a turn of
//! a direction that is not constant stays in the typed rules.

use super::report::Within;
use super::spelling;
use super::typed::{Typed, at};
use super::{Checker, Declarations};
use crate::board::{Board, Direction, Site};
use crate::language::finding::{Code, Finding};
use crate::language::ludemes::{Kind, Ludeme};
use crate::language::names::Meaning;
use crate::language::rules::*;
use crate::syntax::{Node, Span};

/// A declared player.
pub(super) struct PlayerEntry<'t> {
    pub name: String,
    pub span: Span,
    /// The expression for his direction.
    direction: Option<&'t Node>,
    /// His direction, once the board is known; stays empty if he has none or it is wrong.
    pub forward: Option<Direction>,
}

impl<'t> Declarations<'t> {
    /// Iterates over all players, those beyond the number of players last.
    pub(super) fn all_players(&self) -> impl Iterator<Item = &PlayerEntry<'t>> {
        self.players.iter().chain(&self.absent)
    }
}

impl<'t> Checker<'t> {
    /// Declares a player: `White`, or `(White N)` with the direction in which he plays.
    pub(super) fn declare_player(&mut self, node: &'t Node) {
        // A form that begins with a lower-case word is not a name with a direction.
        let is_name = |name: &Node| {
            name.as_text().is_some()
                || name.as_word().is_some_and(|word| word.starts_with(char::is_uppercase))
        };
        let (name, rest) = match node.as_form() {
            Some([name, rest @ ..]) if is_name(name) => (name, rest),
            _ => (node, &[][..]),
        };
        let meaning = Meaning::Player(PlayerId(self.declared.players.len() as u16));
        let Some(player) = self.declare(name, "a player", meaning) else { return };
        let direction = rest.first();
        let word = &player.name;
        if direction.is_none() && !std::ptr::eq(name, node) {
            let message = format!("expected the direction in which {word} plays, found nothing");
            let help = format!("write `{word}`, or `({word} N)` if he plays to the north");
            let finding = Finding::new(Code::MissingArgument, node.span, message);
            self.report_missing(finding.with_help(help));
        }
        if let [_, extra @ ..] = rest {
            self.extra(&player.name, 1, extra);
        }
        // A duplicate name does not add a player.
        if self.meaning(&player.name) == Some(meaning) {
            let Named { name, span } = player;
            self.declared.players.push(PlayerEntry { name, span, direction, forward: None });
        }
    }

    /// Tests if the first argument of `players` is the number of players: it is no name, or the
    /// name of an option.
    pub(super) fn is_count(&self, node: &Node) -> bool {
        match (node.as_word(), node.head()) {
            (Some(word), _) => {
                self.declared.option_names.contains(word) || word.parse::<f64>().is_ok()
            }
            (None, Some((head, _))) => !head.starts_with(char::is_uppercase),
            (None, None) => node.as_text().is_none() && node.as_form().is_none(),
        }
    }

    /// Leaves only as many players as the game says, once the options are known.
    pub(super) fn seat_players(&mut self) {
        let Some(node) = self.declared.seats else { return };
        let most = self.declared.players.len().max(1) as i64;
        let form = Within::Row(Ludeme::Players.row());
        let count = self.inside(form, |checker| checker.constant_node(node, 1, most));
        if let Some(count) = count.and_then(|count| usize::try_from(count).ok()) {
            self.declared.absent = self.declared.players.split_off(count);
        }
    }

    /// Tests if a declared player plays; reports the use of one who does not.
    pub(super) fn plays(&mut self, player: PlayerId, span: Span) -> bool {
        let count = self.declared.players.len();
        if player.index() < count {
            return true;
        }
        let Some(absent) = self.declared.absent.get(player.index() - count) else { return true };
        let (name, declared) = (absent.name.clone(), absent.span);
        let who = match count {
            1 => String::from("only the first player does"),
            _ => format!("only the first {count} players do"),
        };
        let message = format!("`{name}` does not play: {who}");
        let help = "speak of all who play by `(for p players …)`, or of each in `(case p …)`";
        let finding = Finding::new(Code::OutOfRange, span, message).with_help(help);
        let other = "declared here, after the number of players";
        self.report_live(finding.with_other(declared, other));
        false
    }

    /// Tests if the number of players leaves out a declared player.
    pub(super) fn is_absent(&self, player: PlayerId) -> bool {
        player.index() >= self.declared.players.len() && !self.declared.absent.is_empty()
    }

    /// Returns the players for the typed rules.
    pub(super) fn declared_players(&self) -> Vec<Player> {
        let player = |entry: &PlayerEntry| Player {
            name: entry.name.clone(),
            span: entry.span,
            forward: entry.forward,
        };
        self.declared.players.iter().map(player).collect()
    }

    /// Checks the directions of the players, once the board has its shape.
    pub(super) fn check_sides(&mut self, board: &Board) {
        for index in 0..self.declared.players.len() {
            let Some(node) = self.declared.players[index].direction else { continue };
            let form = Within::Row(Ludeme::Players.row());
            let direction = self.inside(form, |checker| checker.value(node));
            let Some(Spanned { node: direction, span }) = direction else { continue };
            let DirectionOf::Fixed(fixed) = direction else {
                let help = "write `N` or another direction of the board";
                self.not_constant::<()>(node, Kind::Direction.phrase(), help);
                continue;
            };
            if self.has_direction(board, fixed, span) {
                self.declared.players[index].forward = Some(fixed);
            }
        }
    }

    /// Tests if the board has a direction, and reports it if not.
    fn has_direction(&mut self, board: &Board, direction: Direction, span: Span) -> bool {
        if board.compass().contains(&direction) {
            return true;
        }
        let names: Vec<&str> = board.compass().iter().map(|one| one.name()).collect();
        let message = match board.is_wind(direction) {
            true => format!("`{}` has no rows ahead of it", board.direction_name(direction)),
            false => format!("the board has no direction `{}`", direction.name()),
        };
        let help = format!("choose one of {}", spelling::list(&names, "and"));
        self.report_live(Finding::new(Code::OutOfRange, span, message).with_help(help));
        false
    }

    /// Returns a player's direction; reports that it is needed if he has none.
    pub(super) fn forward_of(&mut self, player: PlayerId, span: Span) -> Option<Direction> {
        let entry = self.declared.players.get(player.index())?;
        if entry.forward.is_some() {
            return entry.forward;
        }
        if entry.direction.is_some() {
            // It is wrong, which is reported there, or it depends on the board.
            return self.fail();
        }
        let (name, declared) = (entry.name.clone(), entry.span);
        let all: Vec<Direction> = match self.declared.board.as_ref() {
            Some(board) if board.compass().len() == 6 => {
                vec![Direction::NW, Direction::SE, Direction::E, Direction::W]
            }
            _ => vec![Direction::N, Direction::S, Direction::E, Direction::W],
        };
        let mut free: Vec<Direction> = all
            .iter()
            .copied()
            .filter(|one| self.declared.players.iter().all(|it| it.forward != Some(*one)))
            .collect();
        free.extend(&all);
        free.reverse();
        let mut players = String::from("(players");
        for entry in &self.declared.players {
            let forward = entry.forward.or_else(|| free.pop()).unwrap_or(Direction::N);
            players.push_str(&format!(" ({} {})", entry.name, forward.name()));
        }
        let message = format!(
            "`{}` needs the direction in which {name} plays, and he has none",
            self.excerpt(span)
        );
        let finding = Finding::new(Code::NoSide, span, message)
            .with_other(declared, "he is declared here")
            .with_help(format!("give each player his direction, such as `{players})`"));
        self.report_again(format!("the side of {name}"), finding);
        None
    }

    /// Builds the direction in which a player plays.
    pub(super) fn forward(
        &mut self,
        player: Spanned<PlayerOf>,
        span: Span,
    ) -> Option<Spanned<DirectionOf>> {
        // It is known once the board is.
        self.require_board(span)?;
        if let PlayerOf::Fixed(player) = player.node {
            return Some(at(DirectionOf::Fixed(self.forward_of(player, span)?), span));
        }
        let branches = self.each_player(|checker, player| {
            Some(at(DirectionOf::Fixed(checker.forward_of(player, span)?), span))
        })?;
        Some(at(DirectionOf::ByPlayer(Box::new(player), branches), span))
    }

    /// Collects the results of `build` for each player, in order; `None` if one fails.
    pub(super) fn each_player<T>(
        &mut self,
        mut build: impl FnMut(&mut Self, PlayerId) -> Option<T>,
    ) -> Option<Vec<T>> {
        let count = self.declared.players.len() as u16;
        if count == 0 {
            return self.fail();
        }
        (0..count).map(|player| build(self, PlayerId(player))).collect()
    }

    /// Builds the mover's direction, turned to his left, right or back.
    pub(super) fn relative(&mut self, ludeme: Ludeme, span: Span) -> Option<Typed> {
        let board = self.require_board(span)?;
        let half = i32::from(board.half_turn());
        // A quarter turn on squares, a sixth on hexagons.
        let side = half / 2;
        let steps = match ludeme {
            Ludeme::Left => -side,
            Ludeme::Right => side,
            Ludeme::Back => half,
            _ => 0,
        };
        let forward = self.forward(at(PlayerOf::Mover, span), span)?;
        self.turned(forward, steps, span).map(Typed::Direction)
    }

    /// Builds `(clockwise d n)`.
    pub(super) fn clockwise(
        &mut self,
        direction: Spanned<DirectionOf>,
        steps: &Spanned<Number>,
        span: Span,
    ) -> Option<Typed> {
        self.whole(steps)?;
        let board = self.require_board(span)?;
        let steps = (self.constant_of(steps)? / 2).rem_euclid(board.compass().len() as i64) as i32;
        self.turned(direction, steps, span).map(Typed::Direction)
    }

    /// Builds the opposite of a direction.
    pub(super) fn opposite(
        &mut self,
        direction: Spanned<DirectionOf>,
        span: Span,
    ) -> Option<Typed> {
        if let DirectionOf::Fixed(fixed) = direction.node {
            return Some(Typed::Direction(at(DirectionOf::Fixed(fixed.opposite()), span)));
        }
        let half = i32::from(self.require_board(span)?.half_turn());
        self.turned(direction, half, span).map(Typed::Direction)
    }

    /// Builds the direction that many steps clockwise from another: constants are turned, and
    /// branches of players one by one.
    fn turned(
        &mut self,
        direction: Spanned<DirectionOf>,
        steps: i32,
        span: Span,
    ) -> Option<Spanned<DirectionOf>> {
        let board = self.require_board(span)?;
        let steps = steps.rem_euclid(board.compass().len() as i32);
        let node = match direction.node {
            node if steps == 0 => node,
            DirectionOf::Fixed(fixed) => match board.turned(fixed, steps) {
                Some(turned) => DirectionOf::Fixed(turned),
                None if fixed.is_track() => {
                    let name = self.excerpt(direction.span);
                    let (message, help) = if board.is_wind(fixed) {
                        let message =
                            format!("only the eight of the compass turn, and not `{name}`");
                        (message, "it has an `opposite` only")
                    } else {
                        let message =
                            format!("`{name}` is a path, which has no directions to its sides");
                        (message, "a path has an `opposite` only")
                    };
                    let finding = Finding::new(Code::OutOfRange, direction.span, message);
                    return self.refuse_live(finding.with_help(help));
                }
                None => {
                    self.has_direction(&board, fixed, direction.span);
                    return None;
                }
            },
            DirectionOf::ByPlayer(player, branches) => {
                let branches: Option<Vec<_>> =
                    branches.into_iter().map(|branch| self.turned(branch, steps, span)).collect();
                DirectionOf::ByPlayer(player, branches?)
            }
            node => DirectionOf::Turned(Box::new(at(node, direction.span)), Rotation(steps as u8)),
        };
        Some(at(node, span))
    }

    /// Builds the n-th row counted from a player's side.
    pub(super) fn rows_from(
        &mut self,
        numbers: &[&Spanned<Number>],
        player: Spanned<PlayerOf>,
        span: Span,
    ) -> Option<Typed> {
        self.require_board(span)?;
        if let PlayerOf::Fixed(player) = player.node {
            return self.rows_of(numbers, player, span).map(Typed::Sites);
        }
        let branches =
            self.each_player(|checker, player| checker.rows_of(numbers, player, span))?;
        Some(Typed::Sites(at(Sites::ByPlayer(Box::new(player), branches), span)))
    }

    /// Builds the rows from the lowest of the numbers to the highest.
    fn rows_of(
        &mut self,
        numbers: &[&Spanned<Number>],
        player: PlayerId,
        span: Span,
    ) -> Option<Spanned<Sites>> {
        let forward = self.forward_of(player, span)?;
        let board = self.require_board(span)?;
        let most = board.rows_from(forward) as i64;
        let rows: Vec<Option<i64>> =
            numbers.iter().map(|number| self.constant_within(number, 1, most)).collect();
        let rows = rows.into_iter().collect::<Option<Vec<i64>>>()?;
        let (first, last) = (*rows.iter().min()?, *rows.iter().max()?);
        let sites: Option<Vec<Vec<Site>>> =
            (first..=last).map(|row| board.row_from(forward, usize::try_from(row).ok()?)).collect();
        let Some(sites) = sites else {
            let entry = &self.declared.players[player.index()];
            let message = format!(
                "expected a player who plays along rows or columns, found {}, who plays {}",
                entry.name,
                forward.name()
            );
            let finding = Finding::new(Code::NoSide, span, message)
                .with_other(entry.span, "he is declared here")
                .with_help("on squares, rows are counted for players who play N, S, E or W");
            return self.refuse_live(finding);
        };
        let mut sites = sites.concat();
        sites.sort_unstable();
        Some(at(Sites::Literal(sites), span))
    }
}
