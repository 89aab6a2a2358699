//! Checks what a memory keeps several values for: `per`.

use super::Checker;
use super::report::Within;
use super::typed::{MemoryDetail, Typed, at};
use crate::board::Direction;
use crate::language::finding::{Code, Finding};
use crate::language::ludemes::Kind;
use crate::language::rules::*;
use crate::syntax::{Node, Span};

/// The maximal value of a number per site.
const MAX_PER_SITE: i64 = 65_535;

impl Checker<'_> {
    /// Checks `(per …)`.
    pub(super) fn per(&mut self, node: &Node, args: &[Node]) -> Option<Typed> {
        let span = node.span;
        let head = node.head().map_or(span, |(_, span)| span);
        let Some((what, rest)) = args.split_first() else {
            let message = "expected `player`, `direction`, `kind`, `number` or `site` in `per`, found nothing";
            let mut finding = Finding::new(Code::MissingArgument, head, message);
            finding.help = self.usage_within();
            self.report_missing(finding);
            return None;
        };
        let most = match what.as_word() {
            Some("player") => 0,
            Some("direction" | "site") => 1,
            Some("kind") => return self.per_kind(rest, span),
            Some("number") => return self.per_number(rest, head, span),
            _ => {
                let message = format!(
                    "expected `player`, `direction`, `kind`, `number` or `site`, found {}",
                    self.snippet(what)
                );
                let word = what.as_word().unwrap_or("");
                let known = ["player", "direction", "kind", "number", "site"];
                self.unknown(Code::WrongType, what.span, message, word, &known, None);
                return None;
            }
        };
        if rest.len() > most {
            self.extra("per", most + 1, &rest[most..]);
            return None;
        }
        let detail = match (what.as_word(), rest.first()) {
            (Some("player"), _) => MemoryDetail::PerPlayer,
            (Some("site"), None) => MemoryDetail::PerSite(None),
            (Some("site"), Some(most)) => {
                let most = self.most_per_site(most)?;
                MemoryDetail::PerSite(Some(most as i32))
            }
            (_, None) => {
                self.missing("per", head, "directions", Kind::Directions);
                return None;
            }
            (_, Some(directions)) => match self.expression(directions, Kind::Directions)? {
                Typed::Directions(Spanned { node: Directions::Fixed(fixed), .. })
                    if self.is_any_path(&fixed) =>
                {
                    let found = self.snippet(directions);
                    let message = format!(
                        "expected directions of the board, found {found}, which has a path"
                    );
                    let help = "for what is kept for each path, remember several memories";
                    self.report(
                        Finding::new(Code::OutOfRange, directions.span, message).with_help(help),
                    );
                    return None;
                }
                Typed::Directions(Spanned { node: Directions::Fixed(fixed), .. })
                    if !fixed.is_empty() =>
                {
                    MemoryDetail::PerDirection(fixed)
                }
                Typed::Directions(Spanned { node: Directions::Fixed(_), .. }) => {
                    let message = format!(
                        "expected directions of this board, found {}, of which it has none",
                        self.snippet(directions)
                    );
                    self.report_live(Finding::new(Code::OutOfRange, directions.span, message));
                    return None;
                }
                _ => {
                    let message = format!(
                        "expected directions that are known before play, found {}",
                        self.snippet(directions)
                    );
                    let help = "write `orthogonal`, `diagonal`, `all` or a list of them";
                    self.report(
                        Finding::new(Code::NotConstant, directions.span, message).with_help(help),
                    );
                    return None;
                }
            },
        };
        Some(Typed::MemoryDetail(at(detail, span)))
    }

    /// Tests if one of these directions leads along a path.
    fn is_any_path(&self, directions: &[Direction]) -> bool {
        let board = self.declared.board.as_ref();
        board.is_some_and(|board| directions.iter().any(|&direction| board.is_path(direction)))
    }

    /// Checks the maximum of a number per site.
    fn most_per_site(&mut self, node: &Node) -> Option<i64> {
        // The usage of `per` shows a number per player.
        let example = Within::Example("(remember Seeds number (per site 12))");
        let outer = std::mem::replace(&mut self.context.within, example);
        let most = self.constant_node(node, 1, MAX_PER_SITE);
        self.context.within = outer;
        most
    }

    /// Checks `(per kind …)`: the listed kinds, or all kinds of the game.
    fn per_kind(&mut self, listed: &[Node], span: Span) -> Option<Typed> {
        let mut kinds = Vec::with_capacity(listed.len());
        let mut sound = true;
        for node in listed {
            match self.expression(node, Kind::Piece) {
                Some(Typed::Piece(kind)) => kinds.push(kind),
                _ => sound = false,
            }
        }
        let kinds = self.distinct_kinds(kinds)?;
        let kinds = Keys::Kinds(self.listed_or_all_kinds(kinds, span)?);
        sound.then(|| Typed::MemoryDetail(at(MemoryDetail::PerKey(kinds), span)))
    }

    /// Checks `(per number 1 6)`: the numbers from the first to the last.
    fn per_number(&mut self, bounds: &[Node], head: Span, span: Span) -> Option<Typed> {
        let example = Within::Example("(remember Dice number (per number 1 6))");
        let outer = std::mem::replace(&mut self.context.within, example);
        let (least, most) = match bounds {
            [least, most] => (least, most),
            [_, _, rest @ ..] => {
                self.context.within = outer;
                self.extra("per", 3, rest);
                return None;
            }
            _ => {
                let lacking = if bounds.is_empty() { "least" } else { "most" };
                self.missing("per", head, lacking, Kind::Number);
                self.context.within = outer;
                return None;
            }
        };
        let bounds = [least, most].map(|node| match self.expression(node, Kind::Number) {
            Some(Typed::Number(number)) => Some(number),
            _ => None,
        });
        let domain = match bounds {
            [Some(least), Some(most)] => self.numbers_between(&least, &most, span),
            _ => None,
        };
        self.context.within = outer;
        let Domain::Numbers { least, most, .. } = domain? else { return None };
        if least > most {
            let message =
                format!("expected numbers to keep a value for, found none from {least} to {most}");
            self.report_live(Finding::new(Code::OutOfRange, span, message));
            return None;
        }
        Some(Typed::MemoryDetail(at(MemoryDetail::PerKey(Keys::Numbers(least..=most)), span)))
    }
}
