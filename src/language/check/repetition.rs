//! Checks the rule of repetition: what is compared, and what its results ask of the past.

use super::Checker;
use super::parts::{Part, only_part};
use super::placement::{Placement, Section};
use super::report::Within;
use super::typed::{Typed, at};
use crate::language::finding::{Code, Finding, Fix};
use crate::language::ludemes::{Kind, Ludeme, Row};
use crate::language::names::Meaning;
use crate::language::rules::*;
use crate::language::visit::Expression;
use crate::syntax::{Node, Span};

/// The maximal count of `repetition`.
const MAX_TIMES: i64 = 1000;

impl Checker<'_> {
    pub(super) fn repetition(&mut self, parts: &[Part]) -> Option<Repetition> {
        let part = only_part(parts, Ludeme::Repetition)?;
        self.context.within = Within::Row(part.row);
        self.context.place = Placement::of(Section::Repetition);
        let ([times], body) = self.leading(part.row, part.node, part.args)?;
        let times = self.constant_node(times, 2, MAX_TIMES);
        let is_detail = |node: &Node| {
            let details = [Ludeme::Comparing, Ludeme::Ignoring];
            details.iter().any(|detail| node.begins_with(detail.row().spelling))
        };
        let details = body.iter().take_while(|node| is_detail(node)).count();
        let (details, results) = body.split_at(details);
        let comparing = self.compared(details);
        if results.is_empty() {
            self.missing_slot(part.row, part.node, 2);
        }
        if let [word] = results
            && let Some("illegal" | "forbidden" | "superko") = word.as_word()
        {
            let written = word.span.text(self.source);
            let message = format!("expected {}, found `{written}`", Kind::Statement.phrase());
            let finding = Finding::new(Code::WrongType, word.span, message)
                .with_help("write `(illegal)`: the ply that repeats the position is then illegal");
            return self.refuse(finding.with_fix(Fix::write(word.span, "(illegal)")));
        }
        self.context.throughout.clear();
        let then = self.statements(results);
        let throughout = std::mem::take(&mut self.context.throughout);
        let times = u32::try_from(times?).ok()?;
        Some(Repetition { times, comparing: comparing?, throughout, then, span: part.node.span })
    }

    /// Checks what is compared: at most one detail.
    fn compared(&mut self, details: &[Node]) -> Option<Comparing> {
        let Some((detail, others)) = details.split_first() else {
            return Some(Comparing::AllBut(Vec::new()));
        };
        if let Some(other) = others.first() {
            let message = "a repetition has only one `comparing` or `ignoring`";
            let finding = Finding::new(Code::ExtraArgument, other.span, message)
                .with_other(detail.span, "the first one is here");
            self.report(finding.with_help("delete one of them"));
        }
        self.value(detail)
    }

    /// Checks `comparing` or `ignoring`.
    pub(super) fn repetition_detail(
        &mut self,
        row: &'static Row,
        node: &Node,
        args: &[Node],
    ) -> Option<Typed> {
        if args.is_empty() {
            self.missing_slot(row, node, 0);
            return None;
        }
        let only = row.ludeme == Ludeme::Comparing;
        let (mut board, mut mover, mut memories) = (false, false, Vec::new());
        let mut sound = true;
        for part in args {
            if self.omitted_from_base(part).is_some() {
                continue;
            }
            let again = match part.as_word() {
                Some("board") if only => std::mem::replace(&mut board, true),
                Some("mover") if only => std::mem::replace(&mut mover, true),
                _ => {
                    let Some(memory) = self.compared_memory(part, only) else {
                        sound = false;
                        continue;
                    };
                    let again = memories.contains(&memory);
                    memories.push(memory);
                    again
                }
            };
            if again {
                let message = format!("{} appears twice", self.snippet(part));
                let finding = Finding::new(Code::ExtraArgument, part.span, message);
                self.report(finding.with_help("delete one of them"));
                sound = false;
            }
        }
        let comparing = match only {
            true => Comparing::Only { board, mover, memories },
            false => Comparing::AllBut(memories),
        };
        sound.then_some(Typed::RepetitionDetail(comparing))
    }

    /// Returns the memory that is compared or ignored.
    fn compared_memory(&mut self, node: &Node, only: bool) -> Option<MemoryId> {
        if let Some(Meaning::Memory(memory)) = self.mention(node) {
            return Some(memory);
        }
        let wanted = match only {
            true => "`board`, `mover` or the name of a memory",
            false => "the name of a memory",
        };
        let names = self.declared.names_of(|meaning| matches!(meaning, Meaning::Memory(_)));
        self.unknown_name(node, wanted, &names)
    }

    /// Builds `throughout`: a variable that play sets when it comes to the repetition.
    pub(super) fn throughout(
        &mut self,
        condition: Spanned<Condition>,
        player: Option<Spanned<PlayerOf>>,
        span: Span,
    ) -> Option<Typed> {
        let players = self.declared.players.len();
        let drop_outs = self.declared.sugar.drop_outs;
        let unknown = player.as_ref().filter(|player| {
            // `next` passes over players who have dropped out.
            drop_outs && !matches!(player.node, PlayerOf::Fixed(_) | PlayerOf::Mover)
                || (0..players as u16).any(|mover| {
                    Throughout::player_of(&player.node, PlayerId(mover), players).is_none()
                })
        });
        let wrong = if self.context.place.section != Section::Repetition {
            Some((Code::Misplaced, span, "`throughout` is only allowed directly in `repetition`"))
        } else if self.context.scope.mark() > 0 {
            let message = "`throughout` cannot stand where there are variables: it is about plies that were made before";
            Some((Code::Misplaced, span, message))
        } else if let Some(player) = unknown {
            let message = "`throughout` needs a player that is known before play, or `mover` or the players after him";
            Some((Code::NotConstant, player.span, message))
        } else if self.context.throughout.len() >= Throughout::MOST {
            Some((Code::RulesTooLarge, span, "a repetition has at most 6 times `throughout`"))
        } else if self.asks_throughout(&condition) {
            Some((Code::Misplaced, condition.span, "a `throughout` cannot stand in another one"))
        } else {
            None
        };
        if let Some((code, span, message)) = wrong {
            let help = "write it as a condition of the result: `(repetition 4 (if (throughout CONDITION mover) (lose mover)) (draw))`";
            return self.refuse(Finding::new(code, span, message).with_help(help));
        }
        let hidden = Span::new(span.start, span.start);
        let name = Ludeme::Throughout.row().spelling;
        let variable = self.add_variable(name, hidden, Kind::Condition)?;
        self.context.throughout.push(Throughout { condition, player, variable });
        Some(Typed::Condition(at(Condition::Local(variable), span)))
    }

    /// Tests if a condition contains a `throughout`.
    fn asks_throughout(&self, condition: &Spanned<Condition>) -> bool {
        let is_throughout = |local: Local| {
            self.context.throughout.iter().any(|throughout| throughout.variable == local)
        };
        let mut inside = Expression::Condition(condition).descendants();
        inside.any(|expression| expression.local().is_some_and(is_throughout))
    }
}
