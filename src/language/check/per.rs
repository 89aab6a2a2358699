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

/// What a memory can keep a value for.
const KEYS: [&str; 5] = ["player", "direction", "kind", "number", "site"];
const WANTED: &str = "`player`, `direction`, `kind`, `number` or `site`";

impl Checker<'_> {
    /// Checks `(per …)`.
    pub(super) fn per(&mut self, node: &Node, args: &[Node]) -> Option<Typed> {
        let span = node.span;
        let head = node.head_span();
        let Some((what, rest)) = args.split_first() else {
            let message = format!("expected {WANTED} in `per`, found nothing");
            let finding = Finding::new(Code::MissingArgument, head, message);
            return self.refuse_missing(finding.with_optional_help(self.usage_within()));
        };
        let word = what.as_word().unwrap_or_default();
        let most = match word {
            "player" => 0,
            "direction" | "site" => 1,
            "kind" => return self.per_kind(rest, span),
            "number" => return self.per_number(rest, head, span),
            _ => {
                let finding = self.mismatch(Code::WrongType, what, WANTED);
                self.unknown(finding, word, &KEYS, None);
                return None;
            }
        };
        if rest.len() > most {
            self.extra("per", most + 1, &rest[most..]);
            return None;
        }
        let detail = match (word, rest.first()) {
            ("player", _) => MemoryDetail::PerPlayer,
            ("site", None) => MemoryDetail::PerSite(None),
            ("site", Some(most)) => MemoryDetail::PerSite(Some(self.most_per_site(most)? as i32)),
            (_, Some(directions)) => MemoryDetail::PerDirection(self.kept_directions(directions)?),
            (_, None) => {
                self.missing("per", head, "directions", Kind::Directions);
                return None;
            }
        };
        Some(Typed::MemoryDetail(at(detail, span)))
    }

    /// Checks the directions that a memory is kept for.
    fn kept_directions(&mut self, node: &Node) -> Option<Vec<Direction>> {
        let Directions::Fixed(fixed) = self.value::<Spanned<Directions>>(node)?.node else {
            let help = "write `orthogonal`, `diagonal`, `all` or a list of them";
            return self.not_constant(node, "directions", help);
        };
        let found = self.snippet(node);
        if fixed.is_empty() {
            let message =
                format!("expected directions of this board, found {found}, of which it has none");
            return self.refuse_live(Finding::new(Code::OutOfRange, node.span, message));
        }
        if self.is_any_path(&fixed) {
            let message =
                format!("expected directions of the board, found {found}, which has a path");
            let help = "for what is kept for each path, remember several memories";
            return self.refuse(Finding::new(Code::OutOfRange, node.span, message).with_help(help));
        }
        Some(fixed)
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
        self.inside(example, |checker| checker.constant_node(node, 1, MAX_PER_SITE))
    }

    /// Checks `(per kind …)`: the listed kinds, or all kinds of the game.
    fn per_kind(&mut self, listed: &[Node], span: Span) -> Option<Typed> {
        let mut kinds = Vec::with_capacity(listed.len());
        let mut sound = true;
        for node in listed {
            match self.value(node) {
                Some(kind) => kinds.push(kind),
                None => sound = false,
            }
        }
        let kinds = self.distinct_kinds(kinds)?;
        let kinds = Keys::Kinds(self.listed_or_all_kinds(kinds, span)?);
        sound.then(|| Typed::MemoryDetail(at(MemoryDetail::PerKey(kinds), span)))
    }

    /// Checks `(per number 1 6)`: the numbers from the first to the last.
    fn per_number(&mut self, bounds: &[Node], head: Span, span: Span) -> Option<Typed> {
        if bounds.len() > 2 {
            self.extra("per", 3, &bounds[2..]);
            return None;
        }
        let example = Within::Example("(remember Dice number (per number 1 6))");
        let domain = self.inside(example, |checker| {
            let Some(([least, most], _)) = bounds.split_first_chunk() else {
                let lacking = if bounds.is_empty() { "least" } else { "most" };
                checker.missing("per", head, lacking, Kind::Number);
                return None;
            };
            let (least, most) = (checker.value(least), checker.value(most));
            checker.numbers_between(&least?, &most?, span)
        });
        let Domain::Numbers { least, most, .. } = domain? else { return None };
        if least > most {
            let message =
                format!("expected numbers to keep a value for, found none from {least} to {most}");
            return self.refuse_live(Finding::new(Code::OutOfRange, span, message));
        }
        Some(Typed::MemoryDetail(at(MemoryDetail::PerKey(Keys::Numbers(least..=most)), span)))
    }
}
