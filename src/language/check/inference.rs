//! Type inference: the type of an expression by the words that it begins with, without checking it,
//! and by such types the row of a word with several meanings.

use super::Checker;
use super::spelling;
use super::typed::accepts;
use crate::board::Direction;
use crate::language::ludemes::{self, Kind, Ludeme, Row, TABLE};
use crate::language::names::Meaning;
use crate::syntax::{Node, NodeKind};

impl Checker<'_> {
    /// Infers the type of an expression without reporting anything; `None` if it is not obvious.
    pub(super) fn kind_of_node(&mut self, node: &Node) -> Option<Kind> {
        match &node.kind {
            NodeKind::Number(_) => Some(Kind::Number),
            NodeKind::Text(_) => Some(Kind::Text),
            NodeKind::Word(word) => self.kind_of_word(word),
            NodeKind::Form(parts) => {
                let (head, args) = parts.split_first()?;
                let word = head.as_word()?;
                let mut rows = ludemes::rows(word).filter(|row| !row.word);
                let Some(first) = rows.next() else {
                    return match self.meaning(word)? {
                        Meaning::Definition(id) => self.definition_kind(id),
                        meaning @ (Meaning::Memory(_) | Meaning::Path(_)) => {
                            self.kind_of_name(meaning)
                        }
                        _ => None,
                    };
                };
                if first.ludeme == Ludeme::Case {
                    return self.kind_of_branches(args.get(1..)?);
                }
                if first.ludeme == Ludeme::IfElse || first.ludeme == Ludeme::If {
                    return self.kind_of_if(args);
                }
                if first.ludeme == Ludeme::ChooseKind || first.ludeme == Ludeme::KindOn {
                    return Some(if args.len() > 1 { Kind::Parameter } else { Kind::Piece });
                }
                if rows.all(|row| row.result == first.result) {
                    return Some(first.result);
                }
                // `and`, `or` and `not` apply to conditions, regions or assertions; an argument
                // decides.
                args.iter().find_map(|arg| match self.kind_of_node(arg)? {
                    Kind::Condition => Some(Kind::Condition),
                    Kind::Sites | Kind::Site => Some(Kind::Sites),
                    Kind::Assertion => Some(Kind::Assertion),
                    _ => None,
                })
            }
        }
    }

    pub(super) fn kind_of_word(&mut self, word: &str) -> Option<Kind> {
        if let Some((_, kind)) = self.variable(word) {
            return Some(kind);
        }
        // `nowhere` counts as a site, which can stand for a region, too.
        let mut rows = ludemes::rows(word).filter(|row| row.word);
        if let Some(first) = rows.next() {
            let row = rows.find(|row| row.result == Kind::Site).unwrap_or(first);
            return Some(row.result);
        }
        // A name spelled like a direction was reported, and counts as a name.
        if Direction::from_name(word).is_some() && !self.declared.names.contains_key(word) {
            return Some(Kind::Direction);
        }
        match self.meaning(word) {
            Some(Meaning::Definition(id)) => self.definition_kind(id),
            Some(meaning) => self.kind_of_name(meaning),
            None if self.wind(word).is_some() => Some(Kind::Direction),
            None if self.names_site(word) => Some(Kind::Site),
            None => None,
        }
    }

    /// Infers a common type of all branches of a case.
    pub(super) fn kind_of_branches(&mut self, branches: &[Node]) -> Option<Kind> {
        let mut common = None;
        let mut empty = false;
        for branch in branches {
            let Some(body) = branch.as_form().and_then(|parts| parts.get(1..)) else {
                continue;
            };
            empty |= body.is_empty();
            if body.len() > 1 {
                return Some(Kind::Statement);
            }
            common = common_kind(common, body.first().and_then(|body| self.kind_of_node(body)));
        }
        // Only a list of statements can be empty.
        common.or(empty.then_some(Kind::Statement))
    }

    /// Infers the type of an `if` with these arguments: that of its two values, or statements.
    pub(super) fn kind_of_if(&mut self, args: &[Node]) -> Option<Kind> {
        let (value, otherwise) = match args {
            [_, value] => return self.kind_of_node(value),
            [_, value, otherwise] => (value, otherwise),
            _ => return Some(Kind::Statement),
        };
        let kind = self.kind_of_node(value);
        match otherwise.as_form() {
            Some([head, other]) if head.as_word() == Some(Ludeme::Else.row().spelling) => {
                common_kind(kind, self.kind_of_node(other))
            }
            _ => kind.or(Some(Kind::Statement)),
        }
    }

    /// Selects the statement or the value for an `if`.
    fn row_of_if(&mut self, args: &[Node], wanted: Kind) -> &'static Row {
        let kind = self.kind_of_if(args);
        let is_value = match wanted {
            Kind::Statement => false,
            Kind::Any => kind.is_some_and(|kind| kind != Kind::Statement),
            _ => kind != Some(Kind::Statement),
        };
        if is_value { Ludeme::IfElse.row() } else { Ludeme::If.row() }
    }

    /// Selects the row of a form: by the wanted type, the number of arguments, and the types of the
    /// arguments, in this order. Reports it if none of several fits.
    pub(super) fn choose_row(
        &mut self,
        node: &Node,
        rows: &[&'static Row],
        args: &[Node],
        wanted: Kind,
    ) -> Option<&'static Row> {
        let &first = rows.first()?;
        if rows.len() == 1 {
            return Some(first);
        }
        if first.spelling == Ludeme::If.row().spelling {
            return Some(self.row_of_if(args, wanted));
        }
        let mut fitting: Vec<&'static Row> = rows.to_vec();
        fitting.retain(|row| accepts(wanted, row.result));
        if fitting.is_empty() {
            return self.no_result(node, rows, wanted);
        }
        narrow(&mut fitting, |row| row.takes(args.len()));
        if let [row] = fitting[..] {
            return Some(row);
        }
        // `(count d …)` with something missing: an unknown word can only be a new variable.
        if let Some(word) = args.first().and_then(Node::as_word)
            && self.kind_of_word(word).is_none()
        {
            narrow(&mut fitting, |row| row.slots[0].kind == Kind::Variable);
        }
        let mut misfit = None;
        for (index, arg) in args.iter().enumerate() {
            let Some(kind) = self.kind_of_node(arg) else {
                continue;
            };
            let fits = |row: &&'static Row| {
                row.slot(index).is_some_and(|slot| match slot.kind {
                    Kind::Name => kind == Kind::OptionValue,
                    Kind::OptionValue => false,
                    wanted => accepts(wanted, kind),
                })
            };
            if fitting.iter().any(fits) {
                fitting.retain(fits);
            } else if kind == Kind::OptionValue
                && let Some(row) = rows.iter().find(|row| row.ludeme == Ludeme::OptionIs)
            {
                return Some(row);
            } else {
                misfit = misfit.or(Some((arg, kind)));
            }
            if let [row] = fitting[..] {
                return Some(row);
            }
        }
        self.no_row(node, rows, misfit)
    }
}

/// Returns the type that both values can have; the first if there is none.
fn common_kind(common: Option<Kind>, kind: Option<Kind>) -> Option<Kind> {
    match (common, kind) {
        (Some(common), Some(kind)) if accepts(common, kind) || !accepts(kind, common) => {
            Some(common)
        }
        (common, kind) => kind.or(common),
    }
}

/// Suggests the row of that type for a misspelled word.
pub(super) fn suggested_row(word: &str, kind: Kind) -> Option<&'static Row> {
    let rows = || TABLE.iter().filter(move |row| row.result == kind && !row.word);
    let meant = spelling::nearest(word, rows().map(|row| row.spelling))?;
    rows().find(|row| row.spelling == meant)
}

/// Keeps the rows that fit, unless none does.
fn narrow(rows: &mut Vec<&'static Row>, fits: impl Fn(&Row) -> bool) {
    if rows.iter().any(|row| fits(row)) {
        rows.retain(|row| fits(row));
    }
}
