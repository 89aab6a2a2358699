//! Checks options: their values, defaults and chosen values.

use super::Checker;
use super::choices::OptionChoices;
use super::report::{Within, usage};
use super::spelling;
use super::typed::{Typed, at};
use crate::language::finding::{Code, Finding};
use crate::language::ludemes::{Kind, Ludeme};
use crate::language::names::Meaning;
pub(super) use crate::language::option_values::{OptionValue, Values};
use crate::language::quantities::spell_halves;
use crate::language::rules::*;
use crate::syntax::{Node, Span};
use std::collections::HashSet;

/// The maximal number of values of an option.
const MAX_VALUES: i64 = 10_000;

/// An option in the course of checking.
pub(super) struct OptionEntry<'t> {
    pub name: Named,
    pub node: &'t Node,
    /// The arguments after the name.
    pub args: &'t [Node],
    /// The default set by a variant.
    pub changed: Option<&'t Node>,
    /// Whether its values have been checked.
    pub tried: bool,
    /// Empty until they are known.
    pub values: Values,
    pub default: usize,
    pub chosen: usize,
    pub description: String,
}

impl OptionEntry<'_> {
    /// Tests if its values are numbers; assumed until they are known.
    pub(super) fn is_numeric(&self) -> bool {
        self.values.is_numeric()
    }

    fn value(&self) -> Option<OptionValue> {
        self.values.get(self.chosen)
    }
}

impl<'t> Checker<'t> {
    /// Checks the options and chooses their values, in the order of the file.
    pub(super) fn options(&mut self) {
        let mut choosing = OptionChoices::new(self.choices);
        for index in 0..self.declared.options.len() {
            let form = Within::Row(Ludeme::Option.row());
            let known = self.inside(form, |checker| checker.option(index));
            let option = &mut self.declared.options[index];
            option.tried = true;
            match known {
                Some((values, default, description)) => {
                    option.values = values;
                    option.description = description;
                    let chosen = choosing.choose(option);
                    option.default = default.or(chosen).unwrap_or(0);
                    option.chosen = chosen.unwrap_or(option.default);
                    if default.is_none() && chosen.is_none() {
                        self.bad_default(index);
                    }
                }
                None => choosing.ignore(&option.name.name),
            }
        }
        self.diagnostics.choice_faults = choosing.faults(&self.declared.options);
    }

    /// Checks the values of an option, its default and its description.
    fn option(&mut self, index: usize) -> Option<(Values, Option<usize>, String)> {
        let OptionEntry { args, node, changed, .. } = self.declared.options[index];
        let head = node.head_span();
        let slots = &Ludeme::Option.row().slots[1..];
        let kinds: Vec<Kind> = slots.iter().map(|slot| slot.kind).collect();
        if args.len() <= slots.len() && self.swapped("option", &kinds, args).is_some() {
            return None;
        }
        if args.len() > slots.len() {
            match &args[2..] {
                // A description without quotes.
                words
                    if words
                        .iter()
                        .all(|word| word.as_form().is_none() && word.as_text().is_none()) =>
                {
                    self.unquoted(words, "the description in quotes");
                }
                // The ends of a range without `range`.
                [_, text]
                    if text.as_text().is_some()
                        && args[..3].iter().all(|arg| arg.as_number().is_some()) =>
                {
                    let span = args[0].span.join(args[1].span);
                    let ends = span.text(self.source);
                    let message = format!("expected the values of an option, found `{ends}`");
                    let finding = Finding::new(Code::WrongType, span, message);
                    self.report(finding.with_right(span, format!("(range {ends})")));
                }
                [spare, text, ..] if args.len() == slots.len() + 1 && text.as_text().is_some() => {
                    self.extra("option", slots.len() + 1, std::slice::from_ref(spare));
                }
                _ => self.extra("option", slots.len() + 1, &args[slots.len()..]),
            }
            return None;
        }
        let mut given: Vec<Typed> = Vec::new();
        for (index, slot) in slots.iter().enumerate() {
            let early = |arg: &&Node| {
                slot.kind == Kind::Text || arg.as_text().is_none() || args.len() >= slots.len()
            };
            let Some(arg) = args.get(index).filter(early) else {
                self.missing("option", head, slot.name, slot.kind);
                return None;
            };
            if let Some(typed) = self.expression(arg, slot.kind) {
                given.push(typed);
            }
        }
        let [Typed::Values(values), Typed::OptionValue(default), Typed::Text(text)] = &given[..]
        else {
            return None;
        };
        let default = match changed {
            Some(node) => &self.value::<Spanned<OptionValue>>(node)?,
            None => default,
        };
        let default = values.node.position(&default.node);
        Some((values.node.clone(), default, one_line(&text.node)))
    }

    fn bad_default(&mut self, index: usize) {
        let option = &self.declared.options[index];
        let Some(node) = option.changed.or(option.args.get(1)) else {
            return;
        };
        let message =
            format!("`{}` is not a value of `{}`", node.span.text(self.source), option.name.name);
        let help = format!("its values are {}", option.values.summary());
        let finding = Finding::new(Code::BadOptionValue, node.span, message).with_help(help);
        self.report(finding);
    }

    /// Builds the values of a range.
    pub(super) fn range(
        &mut self,
        least: Spanned<Number>,
        most: Spanned<Number>,
        step: Option<Spanned<Number>>,
        span: Span,
    ) -> Option<Typed> {
        let (first, last) = (self.constant_of(&least)?, self.constant_of(&most)?);
        let by = match &step {
            Some(step) => self.constant_of(step)?,
            None => 2,
        };
        let finding = if by <= 0 {
            let place = step.map_or(span, |step| step.span);
            let message = format!("expected a step above zero, found {}", spell_halves(by));
            Finding::new(Code::OutOfRange, place, message)
        } else if first > last {
            self.reversed_bounds(least.span, most.span, [first, last].map(spell_halves))
        } else {
            let count = (last - first) / by + 1;
            if count <= MAX_VALUES {
                let values = Values::Range { first, step: by, count: count as usize };
                return Some(Typed::Values(at(values, span)));
            }
            let message = format!("expected at most {MAX_VALUES} values, found {count}");
            Finding::new(Code::OutOfRange, span, message)
        };
        self.refuse_live(finding)
    }

    /// Builds the values of a list.
    pub(super) fn one_of(
        &mut self,
        values: Vec<Spanned<OptionValue>>,
        span: Span,
    ) -> Option<Typed> {
        let mut known: Vec<OptionValue> = Vec::with_capacity(values.len());
        let mut met: HashSet<OptionValue> = HashSet::with_capacity(values.len());
        for value in values {
            if met.insert(value.node.clone()) {
                known.push(value.node);
            } else {
                let message = format!("`{}` appears twice", value.node.spelling());
                self.report(Finding::new(Code::BadOptionValue, value.span, message));
            }
        }
        Some(Typed::Values(at(Values::list(known), span)))
    }

    /// Checks an option used as its value.
    pub(super) fn option_value(
        &mut self,
        index: usize,
        node: &Node,
        wanted: Kind,
    ) -> Option<Typed> {
        let option = &self.declared.options[index];
        let name = &option.name.name;
        let Some(value) = option.value() else {
            return self.unready_option(index, node.span);
        };
        if let OptionValue::Number(halves) = value
            && option.is_numeric()
        {
            let number = self.bounded(halves, node.span)?;
            return Some(Typed::Number(at(number, node.span)));
        }
        let message = format!(
            "expected {}, found `{name}`, an option whose values are words",
            wanted.phrase()
        );
        let help = format!(
            "test its value: `(case {name} ({0} …) (else …))` or `(= {name} {0})`",
            option.values.spelling(0)
        );
        let finding = Finding::new(Code::WrongType, node.span, message)
            .with_help(help)
            .with_other(option.name.span, format!("`{name}` is declared here"));
        self.refuse(finding)
    }

    /// Fails because an option has no value, or none yet.
    pub(super) fn unready_option<T>(&mut self, index: usize, span: Span) -> Option<T> {
        let option = &self.declared.options[index];
        if option.tried {
            // It failed, which was reported.
            return self.fail();
        }
        let message = format!("`{}` has no value yet", option.name.name);
        let help = "an option can only use options declared before it; move this one further down";
        let finding = Finding::new(Code::NotConstant, span, message).with_help(help);
        self.refuse(finding.with_other(option.name.span, "declared here"))
    }

    /// Checks `(= Grid square)`.
    pub(super) fn option_is(&mut self, node: &Node, args: &[Node]) -> Option<Typed> {
        let row = Ludeme::OptionIs.row();
        let [subject, value] = self.exactly(row, node, args)?;
        let Some(Meaning::Option(index)) = self.meaning_of(subject) else {
            let finding = self.mismatch(Code::WrongType, subject, "the name of an option");
            return self.refuse(finding.with_help(usage(row)));
        };
        self.note_use(Meaning::Option(index), subject.span);
        let position = self.option_position(index, value)?;
        let so = self.declared.options[index].chosen == position;
        Some(Typed::Condition(at(Condition::Constant(so), node.span)))
    }

    /// Reports a value that an option does not have. `others` are words that stand in its place.
    pub(super) fn no_value_of<T>(
        &mut self,
        code: Code,
        index: usize,
        (value, span): (&OptionValue, Span),
        others: &[&str],
    ) -> Option<T> {
        let option = &self.declared.options[index];
        let is_number = matches!(value, OptionValue::Number(_));
        let spellings: Vec<String> = option.values.spellings().take(100).collect();
        let near = spellings.iter().map(String::as_str).chain(others.iter().copied());
        let help = match spelling::nearest(&value.spelling(), near) {
            Some(meant) if !is_number => format!("did you mean `{meant}`?"),
            _ => format!("its values are {}", option.values.summary()),
        };
        let message = format!("`{}` is not a value of `{}`", self.excerpt(span), option.name.name);
        let finding = Finding::new(code, span, message)
            .with_help(help)
            .with_other(option.name.span, "declared here");
        // The numbers of a range may depend on other options.
        match is_number && option.is_numeric() {
            true => self.refuse_live(finding),
            false => self.refuse(finding),
        }
    }

    /// Finds the position of the value that a word or a number denotes.
    pub(super) fn option_position(&mut self, index: usize, node: &Node) -> Option<usize> {
        if self.declared.options[index].values.is_empty() {
            return self.unready_option(index, node.span);
        }
        let value = self.value::<Spanned<OptionValue>>(node)?.node;
        let position = self.declared.options[index].values.position(&value);
        position.or_else(|| self.no_value_of(Code::BadOptionValue, index, (&value, node.span), &[]))
    }

    /// Returns the options with their chosen values.
    pub(super) fn chosen(&self) -> Vec<Choice> {
        let choices = self.declared.options.iter().map(|option| Choice {
            name: option.name.name.clone(),
            span: option.name.span,
            description: option.description.clone(),
            values: option.values.spellings().collect(),
            default: option.default,
            chosen: option.chosen,
        });
        choices.collect()
    }
}

/// Joins a text of several lines to one.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
