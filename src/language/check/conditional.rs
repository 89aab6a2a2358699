//! Checks `if` used as a value: `(if condition value (else value))`.
//!
//! Regions and conditions are rewritten with `when`, `and` and `or`, so that they are lifted as
//! these are; other types have a node of their own.

use super::Checker;
use super::known::BEFORE_PLAY;
use super::report::usage;
use super::typed::{Typed, at};
use crate::language::finding::{Code, Finding, Fix};
use crate::language::ludemes::{Kind, Ludeme};
use crate::language::rules::*;
use crate::syntax::{Node, Span};

impl Checker<'_> {
    /// Checks an `if` of the wanted type.
    pub(super) fn if_expression(
        &mut self,
        node: &Node,
        args: &[Node],
        wanted: Kind,
    ) -> Option<Typed> {
        let head = node.head_span();
        let wanted = match wanted {
            Kind::Any => self.kind_of_if(args).unwrap_or(Kind::Any),
            _ => wanted,
        };
        let [condition, value, rest @ ..] = args else {
            let missing = if args.is_empty() { Kind::Condition } else { wanted };
            let name = if args.is_empty() { "condition" } else { "value" };
            args.iter().for_each(|arg| drop(self.expression(arg, Kind::Condition)));
            self.missing("if", head, name, missing);
            return None;
        };
        let condition = self.expression(condition, Kind::Condition);
        let value = self.expression(value, wanted);
        let other = match rest {
            [] => {
                let what = wanted.phrase();
                let message = format!("expected `(else …)` in this `if`, which stands for {what}");
                let help = match wanted {
                    Kind::Sites => String::from(
                        "add `(else …)`, or write `(when condition region)` for no site otherwise",
                    ),
                    _ => usage(Ludeme::IfElse.row()),
                };
                let finding = Finding::new(Code::MissingArgument, head, message);
                return self.refuse_missing(finding.with_help(help));
            }
            [other] => match other.as_form() {
                Some([word, other]) if word.as_word() == Some("else") => {
                    self.expression(other, wanted)
                }
                _ => {
                    let right = format!("(else {})", other.span.text(self.source));
                    let wanted = format_args!("`(else …)` with {}", wanted.phrase());
                    let finding = self.mismatch(Code::WrongType, other, wanted);
                    let help = match right.contains('\n') {
                        true => String::from("put it in `(else …)`"),
                        false => format!("write `{right}`"),
                    };
                    let fix = Fix::write(other.span, right);
                    return self.refuse(finding.with_help(help).with_fix(fix));
                }
            },
            [_, extra, ..] => {
                let message = format!(
                    "expected one value and `(else …)` in this `if`, which stands for {}; found also {}",
                    wanted.phrase(),
                    self.snippet(extra)
                );
                let finding = Finding::new(Code::ExtraArgument, extra.span, message);
                return self.refuse(finding.with_help(usage(Ludeme::IfElse.row())));
            }
        };
        let (Typed::Condition(condition), value, other) = (condition?, value?, other?) else {
            return None;
        };
        match condition.node {
            Condition::Constant(true) => Some(value),
            Condition::Constant(false) => Some(other),
            _ => self.selected(condition, value, other, node.span),
        }
    }

    /// Builds the node that selects by a condition.
    pub(super) fn selected(
        &mut self,
        condition: Spanned<Condition>,
        value: Typed,
        other: Typed,
        span: Span,
    ) -> Option<Typed> {
        let not = at(Condition::Not(Box::new(condition.clone())), condition.span);
        let condition = Box::new(condition);
        Some(match (value, other) {
            (Typed::Number(value), Typed::Number(other)) => {
                Typed::Number(at(Number::If(condition, value.into(), other.into()), span))
            }
            (Typed::Condition(value), Typed::Condition(other)) => {
                let (value_span, other_span) = (value.span, other.span);
                let value = at(Condition::And(vec![*condition, value]), value_span);
                let other = at(Condition::And(vec![not, other]), other_span);
                Typed::Condition(at(Condition::Or(vec![value, other]), span))
            }
            (Typed::Sites(value), Typed::Sites(other)) => {
                let (value_span, other_span) = (value.span, other.span);
                let value = at(Sites::When(condition, Box::new(value)), value_span);
                let other = at(Sites::When(Box::new(not), Box::new(other)), other_span);
                Typed::Sites(at(Sites::Or(vec![value, other]), span))
            }
            (Typed::Site(value), Typed::Site(other)) => {
                Typed::Site(at(SiteOf::If(condition, value.into(), other.into()), span))
            }
            (Typed::Direction(value), Typed::Direction(other)) => {
                Typed::Direction(at(DirectionOf::If(condition, value.into(), other.into()), span))
            }
            (Typed::Player(value), Typed::Player(other)) => {
                Typed::Player(at(PlayerOf::If(condition, value.into(), other.into()), span))
            }
            (Typed::Piece(value), Typed::Piece(other)) => {
                Typed::Piece(at(PieceOf::If(condition, value.into(), other.into()), span))
            }
            (value, _) => {
                let message = format!(
                    "expected {} that is known before play, found an `if` on a condition that changes during play",
                    value.kind().phrase()
                );
                return self
                    .refuse(Finding::new(Code::NotConstant, span, message).with_help(BEFORE_PLAY));
            }
        })
    }
}
