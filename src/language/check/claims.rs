//! Checks `(claim …)`: its circumstances and its assertion.

use super::Checker;
use super::assemble::words_before;
use super::parts::Part;
use super::placement::{Placement, Section};
use super::report::{Within, usage};
use super::spelling;
use super::typed::{Typed, at};
use crate::language::claims::{Assertion, Claim, Counted, Side};
use crate::language::finding::{Code, Finding};
use crate::language::ludemes::{Kind, Ludeme};
use crate::language::rules::*;
use crate::syntax::{Node, Span};

/// The maximal number of claims of a game.
const MAX_CLAIMS: usize = 256;
/// The maximal bound of `ends-within`, in plies.
const MAX_PLIES: i64 = 1_000_000;

/// A circumstance of a claim.
#[derive(Clone, Debug)]
pub(super) enum Circumstance {
    /// An option and the index of its value.
    With {
        option: usize,
        value: usize,
    },
    After(Vec<Spanned<String>>),
    Seat(Option<PlayerId>, Spanned<String>),
}

impl Checker<'_> {
    /// Checks all claims.
    pub(super) fn claims(&mut self, parts: &[Part]) -> Vec<Claim> {
        let mut claims = Vec::new();
        for (index, part) in
            parts.iter().filter(|part| part.row.ludeme == Ludeme::Claim).enumerate()
        {
            if index == MAX_CLAIMS {
                let message = format!("expected at most {MAX_CLAIMS} claims, found more");
                self.report(Finding::new(Code::RulesTooLarge, part.head(), message));
                break;
            }
            self.context.within = Within::Row(part.row);
            self.context.place = Placement::of(Section::Definition);
            self.context.part += 1;
            let dead = self.context.dead;
            claims.extend(self.claim(part));
            self.context.dead = dead;
        }
        claims
    }

    fn claim(&mut self, part: &Part) -> Option<Claim> {
        let row = part.row;
        let Some((text, rest)) =
            part.args.split_first().filter(|(text, _)| text.as_text().is_some())
        else {
            match words_before(part.args) {
                [] => self.missing_slot(row, part.node, 0),
                words => self.unquoted(words, "the claim as a text in quotes"),
            }
            return None;
        };
        let Some((assertion, circumstances)) = rest.split_last() else {
            self.missing_slot(row, part.node, 2);
            return None;
        };
        if let Some(early) =
            circumstances.iter().find(|node| self.kind_of_node(node) == Some(Kind::Assertion))
        {
            let message = format!(
                "expected one assertion, last in `claim`, found {} before {}",
                self.snippet(early),
                self.snippet(assertion)
            );
            let help = "a claim makes one assertion, after all of its circumstances; split it into two claims";
            return self.refuse(Finding::new(Code::Misplaced, early.span, message).with_help(help));
        }
        let mut claim = Claim {
            text: super::options::one_line(text.as_text()?),
            span: part.node.span,
            options: Vec::new(),
            opening: Vec::new(),
            seats: Vec::new(),
            assertion: None,
        };
        let mut sound = true;
        let mut seen: Vec<(Span, &'static str, Option<usize>)> = Vec::new();
        for node in circumstances {
            let Some(circumstance) = self.value::<Spanned<Circumstance>>(node) else {
                sound = false;
                continue;
            };
            let key = match &circumstance.node {
                Circumstance::With { option, .. } => (Ludeme::With.row().spelling, Some(*option)),
                Circumstance::After(_) => (Ludeme::After.row().spelling, None),
                Circumstance::Seat(player, _) => {
                    (Ludeme::SeatIs.row().spelling, player.map(PlayerId::index))
                }
            };
            if let Some(&(before, ..)) = seen.iter().find(|(_, word, of)| (*word, *of) == key) {
                let message =
                    format!("{} conflicts with an earlier circumstance", self.snippet(node));
                let finding = Finding::new(Code::RepeatedPart, node.span, message)
                    .with_other(before, "the earlier one is here");
                self.report(finding.with_help("delete one of them"));
                sound = false;
            }
            seen.push((node.span, key.0, key.1));
            match circumstance.node {
                Circumstance::With { option, value } => {
                    let option = &self.declared.options[option];
                    // The names in the claim may exist with that value only.
                    self.context.dead += usize::from(option.chosen != value);
                    claim.options.push((option.name.name.clone(), option.values.spelling(value)));
                }
                Circumstance::After(moves) => claim.opening = moves,
                Circumstance::Seat(player, program) => claim.seats.push((player, program)),
            }
        }
        if let Some(assertion) = self.asserted(assertion) {
            self.check_seats(&assertion.node, &seen)?;
            claim.assertion = Some(assertion);
        }
        (sound && (claim.assertion.is_some() || self.context.dead > 0)).then_some(claim)
    }

    /// Checks that `seat` affects the assertion.
    fn check_seats(
        &mut self,
        assertion: &Assertion,
        seen: &[(Span, &'static str, Option<usize>)],
    ) -> Option<()> {
        let assertion = match assertion {
            Assertion::Not(inner) => &inner.node,
            assertion => assertion,
        };
        match seen.iter().find(|(_, word, _)| *word == Ludeme::SeatIs.row().spelling) {
            Some(&(span, ..))
                if !matches!(assertion, Assertion::Mean { .. } | Assertion::Not(_)) =>
            {
                let message = "`seat` has no effect here: the claim is not about scores or draws";
                self.refuse(Finding::new(Code::Misplaced, span, message).with_help(
                    "delete it; `seat` is used by `scores-below`, `scores-above` and `draws-below`",
                ))
            }
            _ => Some(()),
        }
    }

    /// Checks an assertion. A condition and a result get findings of their own.
    fn asserted(&mut self, node: &Node) -> Option<Spanned<Assertion>> {
        let text = self.excerpt(node.span);
        let help = match (self.kind_of_node(node), node.head()) {
            (Some(Kind::Condition), _) => {
                format!("say in which positions it holds: `(always {text})` or `(possible {text})`")
            }
            (_, Some(("win", _))) => {
                String::from("to claim that a player wins with best play, write `(wins White)`")
            }
            (_, Some(("draw", _))) => String::from(
                "to claim that best play is a draw, write `(drawn)`; that no game is drawn, `(never-draws)`",
            ),
            _ => return self.value(node),
        };
        self.refuse(self.mismatch(Code::WrongType, node, "an assertion").with_help(help))
    }

    /// Checks `(with Size 3)`.
    pub(super) fn with_option(&mut self, node: &Node, args: &[Node]) -> Option<Typed> {
        let [name, value] = self.exactly(Ludeme::With.row(), node, args)?;
        let option = self.named_option(name, "the name of an option")?;
        let value = self.option_position(option, value)?;
        Some(Typed::Circumstance(at(Circumstance::With { option, value }, node.span)))
    }

    /// Returns a player that must be constant.
    pub(super) fn fixed_player(&mut self, player: Spanned<PlayerOf>) -> Option<PlayerId> {
        if let PlayerOf::Fixed(id) = player.node {
            return Some(id);
        }
        let names = spelling::list(&self.declared.player_names(), "and");
        let help = format!("the players are {names}");
        let finding = self.mismatch(Code::NotConstant, player.span, "the name of a player");
        self.refuse(finding.with_help(help))
    }

    /// Checks a number of plies.
    pub(super) fn plies(&mut self, number: &Spanned<Number>) -> Option<Assertion> {
        let plies = self.constant_within(number, 1, MAX_PLIES)?;
        u32::try_from(plies).ok().map(Assertion::EndsWithin)
    }

    /// Checks a percentage: of the score of a player, or else of draws.
    pub(super) fn mean(
        &mut self,
        ludeme: Ludeme,
        player: Option<Spanned<PlayerOf>>,
        percent: &Spanned<Number>,
    ) -> Option<Assertion> {
        let of = match player {
            Some(player) => Counted::Score(self.fixed_player(player)?),
            None => Counted::Draws,
        };
        let side = if ludeme == Ludeme::ScoresAbove { Side::Above } else { Side::Below };
        let halves = self.constant_of(percent)?;
        match u32::try_from(halves) {
            Ok(halves @ 1..200) => Some(Assertion::Mean { of, side, halves }),
            _ => {
                let wanted = "a percentage above 0 and below 100";
                let finding = self.mismatch(Code::OutOfRange, percent.span, wanted);
                self.refuse_live(finding.with_help(usage(ludeme.row())))
            }
        }
    }
}
