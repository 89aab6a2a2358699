//! Checks the placement of statements: a requirement in a move, a ply in the order of play, and so
//! on. Statements of definitions are checked where the definition is used.

use super::Checker;
use super::definitions::DefinitionEntry;
use super::report::usage;
use super::typed::Typed;
use crate::language::finding::{Code, Finding};
use crate::language::ludemes::{Kind, Ludeme};
use crate::language::rules::*;
use crate::language::visit::StatementClass;
use crate::syntax::{Node, Span};

/// The part of the game that contains a statement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Section {
    /// A definition, which is checked where it is used.
    #[default]
    Definition,
    Setup,
    Move,
    Play,
    End,
    Repetition,
}

impl Section {
    fn name(self) -> &'static str {
        match self {
            Section::Definition => "define",
            Section::Setup => "setup",
            Section::Move => "move",
            Section::Play => "play",
            Section::End => "end",
            Section::Repetition => "repetition",
        }
    }
}

/// The placement of a statement.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Placement {
    pub section: Section,
    /// Whether it is inside a `chain`.
    pub chained: bool,
    /// The enclosing form that iterates over sites, if there is one.
    pub over_sites: Option<Ludeme>,
}

impl Placement {
    /// Creates the placement of a part's own statements.
    pub(super) fn of(section: Section) -> Placement {
        Placement { section, ..Placement::default() }
    }

    /// Returns the reason if a statement is not allowed here.
    fn forbids(self, ludeme: Ludeme) -> Option<String> {
        let (allowed, why): (&[Section], &str) = match sort(ludeme) {
            PlacementClass::Free => return None,
            PlacementClass::Joining if self.chained => return None,
            PlacementClass::Joining => (&[], "is only allowed in `chain`"),
            PlacementClass::Requirement => {
                (&[Section::Move], "is only allowed in `move`, not in `{part}`")
            }
            PlacementClass::Result => (
                &[Section::Move, Section::Play, Section::End, Section::Repetition],
                "is not allowed in `{part}`",
            ),
            PlacementClass::Verdict => {
                (&[Section::Repetition], "is only allowed in `repetition`, not in `{part}`")
            }
            PlacementClass::Effect => (
                &[Section::Setup, Section::Move, Section::Play],
                "is an effect and is not allowed in `{part}`",
            ),
            PlacementClass::Loop => {
                (&[Section::Setup, Section::Move, Section::Play], "is not allowed in `{part}`")
            }
            PlacementClass::Drawing => {
                (&[Section::Setup], "is only allowed in `setup`, not in `{part}`")
            }
            PlacementClass::Order => match self.over_sites {
                Some(around) => {
                    return Some(format!(
                        "is a step in the order of play and is not allowed in a `{}` over sites",
                        around.row().spelling
                    ));
                }
                None => (
                    &[Section::Play],
                    "is a step in the order of play and is only allowed in `play`, not in `{part}`",
                ),
            },
        };
        let is_allowed = self.section == Section::Definition || allowed.contains(&self.section);
        (!is_allowed).then(|| why.replace("{part}", self.section.name()))
    }
}

impl Placement {
    /// Returns advice for a statement that is not allowed here.
    fn advice(self, ludeme: Ludeme) -> Option<&'static str> {
        match (sort(ludeme), self.section) {
            (PlacementClass::Effect, Section::End | Section::Repetition) => {
                Some("an `end` only decides the result; write effects in `setup`, `move` or `play`")
            }
            (PlacementClass::Effect, _) => Some("write effects in `setup`, `move` or `play`"),
            (PlacementClass::Drawing, _) => Some("to put pieces during the game, use `put`"),
            (PlacementClass::Verdict, Section::Move) => {
                Some("in a move, write what must hold: `(require CONDITION)`")
            }
            (_, Section::Play) if ludeme == Ludeme::Then => {
                Some("in the order of play, `choose` a move of its own")
            }
            (PlacementClass::Requirement, _) if ludeme == Ludeme::AtMostRounds => {
                Some("ask for the bound in the condition, with a memory that counts the rounds")
            }
            (PlacementClass::Requirement, Section::End) if ludeme != Ludeme::Then => {
                Some("in an `end`, use `if`: `(if (none (theirs)) (win mover))`")
            }
            (PlacementClass::Requirement, _) if ludeme == Ludeme::Require => Some("use `if` here"),
            (PlacementClass::Order, Section::Move) if ludeme == Ludeme::Until => {
                Some("in a move, repeat by `while`, which asks before each round")
            }
            (PlacementClass::Order, Section::Move) => {
                Some("a move is one ply; write what follows it in `play`")
            }
            (PlacementClass::Result, Section::Setup) => {
                Some("decide the result in a `move`, in `play` or in an `end`")
            }
            _ => None,
        }
    }
}

/// Classes of statements with the same placement.
enum PlacementClass {
    Free,
    Requirement,
    Joining,
    Effect,
    Drawing,
    Result,
    Verdict,
    Loop,
    Order,
}

fn sort(ludeme: Ludeme) -> PlacementClass {
    match ludeme {
        Ludeme::Require
        | Ludeme::EndTurn
        | Ludeme::ExtraTurn
        | Ludeme::Then
        | Ludeme::AtMostRounds => PlacementClass::Requirement,
        Ludeme::Join => PlacementClass::Joining,
        Ludeme::Put
        | Ludeme::Remove
        | Ludeme::Relocate
        | Ludeme::Shift
        | Ludeme::Swap
        | Ludeme::Convert
        | Ludeme::Replace
        | Ludeme::Cut
        | Ludeme::Set
        | Ludeme::Raise
        | Ludeme::Lower
        | Ludeme::Mark
        | Ludeme::Unmark
        | Ludeme::Chain => PlacementClass::Effect,
        Ludeme::Diagram => PlacementClass::Drawing,
        Ludeme::Win | Ludeme::Lose | Ludeme::Draw | Ludeme::ByScore => PlacementClass::Result,
        Ludeme::Illegal => PlacementClass::Verdict,
        Ludeme::Turns
        | Ludeme::Turn
        | Ludeme::Forever
        | Ludeme::Until
        | Ludeme::Phase
        | Ludeme::Choose
        | Ludeme::Chance
        | Ludeme::Steps => PlacementClass::Order,
        Ludeme::While | Ludeme::Repeat => PlacementClass::Loop,
        Ludeme::Let | Ludeme::If | Ludeme::For => PlacementClass::Free,
        other => {
            debug_assert_ne!(other.row().result, Kind::Statement, "a statement has a place");
            PlacementClass::Free
        }
    }
}

impl Checker<'_> {
    /// Checks the placement of a statement. If it is not allowed here, the placement of statements
    /// inside it is not checked.
    pub(super) fn check_placement(&mut self, ludeme: Ludeme, node: &Node) {
        let row = ludeme.row();
        let span = node.head_span();
        if let Some(why) = self.context.place.forbids(ludeme) {
            let message = format!("`{}` {why}", row.spelling);
            let help = self.context.place.advice(ludeme).map_or_else(|| usage(row), str::to_owned);
            self.report(Finding::new(Code::Misplaced, span, message).with_help(help));
            self.context.place =
                Placement { section: Section::Definition, chained: true, over_sites: None };
        } else if !matches!(sort(ludeme), PlacementClass::Free) {
            self.note_need(ludeme, span);
        }
    }

    /// Notes in the definition that is being checked a statement whose placement is restricted.
    fn note_need(&mut self, ludeme: Ludeme, span: Span) {
        let Some(definition) = self.context.defining else { return };
        let needs = &mut self.declared.definitions[definition].needs;
        let is_joined = ludeme == Ludeme::Join && self.context.place.chained;
        if !is_joined && !needs.iter().any(|&(known, _)| known == ludeme) {
            needs.push((ludeme, span));
        }
    }

    /// Checks the placement of a definition's statements where it is used.
    pub(super) fn check_definition_placement(&mut self, id: DefinitionId, span: Span) {
        let needs = self.declared.definitions[id.index()].needs.clone();
        for (ludeme, origin) in needs {
            let spelling = ludeme.row().spelling;
            if let Some(why) = self.context.place.forbids(ludeme) {
                let name = &self.declared.definitions[id.index()].name.name;
                let message =
                    format!("`{name}` cannot be used here: it contains `{spelling}`, which {why}");
                let finding = Finding::new(Code::Misplaced, span, message)
                    .with_other(origin, format!("`{spelling}` is here"));
                self.report(finding);
            } else {
                self.note_need(ludeme, span);
            }
        }
    }

    /// Updates the placement for the body of a form; `slots` has its other arguments.
    pub(super) fn enter(&mut self, ludeme: Ludeme, slots: &[Vec<Typed>]) {
        let over_sites = match ludeme {
            Ludeme::Chain => true,
            Ludeme::For => {
                let domain = slots.get(1).and_then(|values| values.first());
                matches!(domain, Some(Typed::Domain(Domain::Sites(_) | Domain::Groups { .. })))
            }
            _ => false,
        };
        self.context.place.chained |= ludeme == Ludeme::Chain;
        if over_sites {
            self.context.place.over_sites = self.context.place.over_sites.or(Some(ludeme));
        }
    }

    /// Tests if statements contain a ply, directly or in definitions that they call. Parts that
    /// failed count as plies.
    pub(super) fn has_ply(&self, statements: &[Spanned<Statement>]) -> bool {
        self.has(statements, StatementClass::Ply, &|definition| definition.has_ply)
    }

    /// Tests the same, but parts that failed do not count.
    pub(super) fn has_known_ply(&self, statements: &[Spanned<Statement>]) -> bool {
        self.has(statements, StatementClass::Ply, &|definition| definition.has_known_ply)
    }

    /// Tests if statements contain a result, directly or in definitions that they call.
    pub(super) fn has_result(&self, statements: &[Spanned<Statement>]) -> bool {
        self.has(statements, StatementClass::Result, &|definition| definition.has_result)
    }

    fn has(
        &self,
        statements: &[Spanned<Statement>],
        class: StatementClass,
        definition_has: &dyn Fn(&DefinitionEntry) -> bool,
    ) -> bool {
        statements.iter().any(|statement| {
            statement.node.class() == class
                || matches!(statement.node, Statement::Do(id, _) if definition_has(&self.declared.definitions[id.index()]))
                || statement.node.bodies().into_iter().any(|body| self.has(body, class, definition_has))
        })
    }
}
