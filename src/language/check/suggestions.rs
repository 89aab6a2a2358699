//! Reports unknown words and forms, with a suggestion and, where it is unambiguous, a fix. A form
//! with an obvious correction is checked as corrected, so that one mistake gives one finding.

use super::Checker;
use super::report::{Within, is_number, usage};
use super::scope;
use super::spelling;
use super::typed::accepts;
use crate::board::Direction;
use crate::language::finding::{Code, Finding, Fix};
use crate::language::lints::lacking_directions;
use crate::language::ludemes::{self, Kind, Ludeme, Row, TABLE, Times};
use crate::language::ludii_hints;
use crate::language::names::Meaning;
use crate::language::recipes;
use crate::syntax::{Node, Span};

impl Checker<'_> {
    /// Reports an unknown word.
    pub(super) fn unknown_word(&mut self, node: &Node, word: &str, wanted: Kind) {
        let span = node.span;
        if let Some(row) = ludemes::rows(word).next().filter(|_| wanted != Kind::Move) {
            let message = format!("`{word}` is a ludeme and needs brackets");
            let mut finding = Finding::new(Code::Misplaced, span, message);
            finding.help = Some(usage(row));
            if takes_nothing(row) {
                finding = finding.with_fix(Fix::write(span, format!("({word})")));
            }
            return self.report(finding);
        }
        if self.declared.verbs.contains_key(word) {
            return self.wrong_type(node, wanted, Kind::Move);
        }
        if self.is_omitted(word, span) {
            return;
        }
        let message = match wanted {
            Kind::Move => format!("there is no move `{word}`"),
            Kind::Any => format!("`{word}` is not defined here"),
            _ => format!("expected {}, found `{word}`, which is not defined here", wanted.phrase()),
        };
        let finding = Finding::new(Code::UnknownName, span, message);
        if self.is_full() {
            return self.report(finding);
        }
        if wanted == Kind::Text {
            return self.unquoted(std::slice::from_ref(node), Kind::Text.phrase());
        }
        let fitting: Vec<String> = self.words_for(wanted).into_iter().map(str::to_owned).collect();
        let fitting: Vec<&str> = fitting.iter().map(String::as_str).collect();
        if let Within::Row(row) = self.context.within
            && row.ludeme == Ludeme::RowOf
            && word.len() <= 2
        {
            let help = format!(
                "rows have numbers, such as `(row 1)`, and columns have letters: `(column \"{word}\")`"
            );
            return self.report(finding.with_help(help));
        }
        if let Some(site) = self.reversed_site(word).filter(|_| accepts(wanted, Kind::Site)) {
            return self.report_again(self.key(word), finding.with_suggestion(span, site));
        }
        if Direction::is_name(word)
            && accepts(wanted, Kind::Direction)
            && let Some(lacking) =
                self.declared.board.as_ref().and_then(|board| lacking_directions(board))
        {
            return self.report_again(self.key(word), finding.with_help(lacking));
        }
        let near = spelling::nearest(word, fitting.iter().copied());
        // Meaning comes before spelling, except for another case of the same letters and for the
        // names of the file itself.
        let is_direction =
            |near: &str| near.eq_ignore_ascii_case(word) && Direction::from_name(near).is_some();
        let is_own = |near: &str| {
            near.eq_ignore_ascii_case(word)
                || ludemes::rows(near).next().is_none() && spelling::is_typo(word, near)
        };
        if near.is_none_or(|near| is_direction(near) || !is_own(near)) {
            let ours = match near.filter(|near| is_direction(near)) {
                Some(near) => Some((near, "directions are written in upper case")),
                None => ludii_hints::word(word),
            };
            if let Some((ours, why)) = ours {
                let help = format!("write `{ours}`: {why}");
                let finding = finding.with_help(help).with_fix(Fix::write(span, ours));
                return self.report_again(format!("{} {why}", self.context.part), finding);
            }
            let recipe = recipes::help(word)
                .filter(|_| wanted != Kind::Move && !word.starts_with(char::is_uppercase));
            if let Some(recipe) = recipe {
                return self.report_again(self.key(word), finding.with_help(recipe));
            }
            let forms = TABLE.iter().filter(|row| {
                !row.word
                    && near.is_none()
                    && accepts(wanted, row.result)
                    && (wanted != Kind::Any || is_expression(row.result))
            });
            if let Some(row) = spelling::nearest(word, forms.map(|row| row.spelling))
                .and_then(|meant| ludemes::rows(meant).next())
            {
                let form = if takes_nothing(row) {
                    format!("({})", row.spelling)
                } else {
                    format!("({} …)", row.spelling)
                };
                let suggested = match takes_nothing(row) {
                    true => finding.with_suggestion(span, form),
                    false => finding.with_help(format!("did you mean `{form}`?")),
                };
                return self.report_again(self.key(word), suggested);
            }
        }
        let advice =
            joined_numbers(wanted, word).or_else(|| Some(self.conversion(node, wanted, None)?.0));
        self.unknown(finding, word, &fitting, advice);
    }

    /// Returns the site that a word denotes if its letter and number are swapped: `3c`.
    fn reversed_site(&self, word: &str) -> Option<String> {
        let letters = word.trim_start_matches(|digit: char| digit.is_ascii_digit());
        let turned = format!("{letters}{}", &word[..word.len() - letters.len()]);
        (turned != word && self.declared.board.as_ref()?.find(&turned).is_some()).then_some(turned)
    }

    /// Reports words in place of a text in quotes.
    pub(super) fn unquoted(&mut self, nodes: &[Node], expected: &str) {
        let (Some(first), Some(last)) = (nodes.first(), nodes.last()) else { return };
        let span = first.span.join(last.span);
        let text = span.text(self.source).trim_matches(['\'', '`']).replace(['"', '\\'], "");
        let finding = self
            .mismatch(Code::WrongType, span, expected)
            .with_fix(Fix::write(span, format!("\"{text}\"")));
        self.report(finding.with_help(format!("write `\"{}\"`", self.short(&text))));
    }

    /// Reports a form that does not begin with a word.
    pub(super) fn no_head(&mut self, node: &Node, head: &Node, args: &[Node]) {
        if self.has_foreign_brackets(node) {
            self.diagnostics.failures += 1;
            return;
        }
        let finding = self.mismatch(Code::UnknownLudeme, head, "a ludeme after the bracket");
        self.report(match args {
            [] => finding
                .with_help("remove one pair of brackets")
                .with_fix(Fix::write(node.span, head.span.text(self.source))),
            _ => finding,
        });
    }

    /// Tests if the brackets of a form were reported as foreign ones.
    fn has_foreign_brackets(&self, node: &Node) -> bool {
        self.diagnostics.faulty.iter().any(|span| span.start == node.span.start)
    }

    /// Reports a form of which no meaning has the wanted type, and fails.
    pub(super) fn no_result<T>(&mut self, node: &Node, rows: &[&Row], wanted: Kind) -> Option<T> {
        let mut results: Vec<&str> = rows.iter().map(|row| row.result.phrase()).collect();
        results.dedup();
        let mut finding = self.mismatch(Code::WrongType, node, wanted.phrase());
        finding.message.push_str(&format!(", which is {}", results.join(" or ")));
        finding.help = self.usage_within();
        let conversion =
            rows.iter().find_map(|row| self.conversion(node, wanted, Some(row.result)));
        if let Some((help, fix)) = conversion {
            finding.help = Some(help);
            // What can be of several types is not rewritten.
            finding.fix = fix.filter(|_| results.len() == 1).map(Box::new);
        }
        self.refuse(finding)
    }

    /// Reports a form with several meanings of which its arguments choose none: the errors in the
    /// arguments; if there are none, the one with a type that no meaning takes, or else that some
    /// are missing. Fails.
    pub(super) fn no_row<T>(
        &mut self,
        node: &Node,
        rows: &[&'static Row],
        misfit: Option<(&Node, Kind)>,
    ) -> Option<T> {
        let before = self.diagnostics.failures;
        self.inside(Within::Row(rows[0]), |checker| {
            for arg in node.args() {
                checker.expression(arg, Kind::Any);
            }
        });
        if self.diagnostics.failures > before {
            return None;
        }
        let kinds = rows.iter().filter_map(|row| row.slots.first()).map(|slot| slot.kind);
        let mut kinds: Vec<&str> = kinds
            .filter(|kind| !matches!(kind, Kind::Name | Kind::Variable))
            .map(Kind::phrase)
            .collect();
        kinds.dedup();
        let kinds = spelling::series(&kinds, "or");
        let usages: Vec<String> = rows.iter().map(|row| format!("`{}`", row.signature())).collect();
        let usages = spelling::lines(&usages);
        match misfit {
            Some((arg, kind)) => {
                let mut finding = self.mismatch(Code::WrongType, arg, kinds);
                finding.message.push_str(&format!(", which is {}", kind.phrase()));
                self.refuse(finding.with_help(usages))
            }
            None => {
                let message = format!("expected {kinds} in `{}`, found nothing", rows[0].spelling);
                let finding = Finding::new(Code::MissingArgument, node.head_span(), message);
                self.refuse_missing(finding.with_help(usages))
            }
        }
    }

    /// Reports a form with an unknown head. Returns the suggested ludeme.
    pub(super) fn unknown_head(
        &mut self,
        node: &Node,
        span: Span,
        word: &str,
        meaning: Option<Meaning>,
        wanted: Kind,
    ) -> Option<&'static str> {
        if self.has_foreign_brackets(node) {
            return self.fail();
        }
        if let Some(meaning) = meaning {
            self.note_use(meaning, span);
        }
        let bare = match meaning {
            Some(meaning) => Some(format!("is {}", meaning.phrase())),
            None if self.context.scope.find(word).is_some() => Some("is a variable".to_owned()),
            None if ludemes::rows(word).any(|row| row.word) => {
                Some("takes no arguments".to_owned())
            }
            None if Direction::from_name(word).is_some() => Some("is a direction".to_owned()),
            None => scope::is_site(word).then(|| "is a site".to_owned()),
        };
        let parts = node.as_form().unwrap_or_default();
        let is_alone = parts.len() == 1;
        let is_direction =
            |part: &Node| part.as_word().is_some_and(|word| Direction::from_name(word).is_some());
        if parts.len() > 1 && meaning.is_none() && parts.iter().all(is_direction) {
            let right = format!("(list {}", &node.span.text(self.source)[1..]);
            let message = "a list of directions begins with `list`";
            let finding = Finding::new(Code::UnknownLudeme, span, message);
            return self.refuse(finding.with_right(node.span, right));
        }
        if let Some(what) = bare {
            let message = format!("`{word}` {what} and is written without brackets");
            let finding =
                Finding::new(Code::Misplaced, span, message).with_help(format!("write `{word}`"));
            let fix = is_alone.then(|| Fix::write(node.span, word));
            return self.refuse(finding.with_optional_fix(fix));
        }
        if wanted == Kind::Statement && self.declared.verbs.contains_key(word) {
            let message = format!("`{word}` is a move, which is played by `choose`");
            let finding = Finding::new(Code::Misplaced, span, message)
                .with_help(format!("write `(choose {word})` in `play`"));
            self.note_use(Meaning::Move(self.declared.verbs[word]), span);
            let fix = is_alone.then(|| Fix::write(node.span, format!("(choose {word})")));
            return self.refuse(finding.with_optional_fix(fix));
        }
        // `Any` accepts expressions and statements.
        let fits = |kind: Kind| {
            accepts(wanted, kind)
                && (wanted != Kind::Any || is_expression(kind) || kind == Kind::Statement)
        };
        let mut fitting: Vec<&str> = TABLE
            .iter()
            .filter(|row| !row.word && fits(row.result))
            .map(|row| row.spelling)
            .collect();
        for (&name, &(meaning, _)) in &self.declared.names {
            let applied =
                matches!(meaning, Meaning::Memory(_) | Meaning::Definition(_) | Meaning::Path(_));
            if applied && self.kind_of_name(meaning).is_none_or(fits) {
                fitting.push(name);
            }
        }
        let capital = word.starts_with(char::is_uppercase);
        let defined =
            self.context.defining.map(|index| &self.declared.definitions[index].name.name);
        fitting.retain(|fitting| {
            // A capitalized word is a name: a word of the language was hardly meant by a short one.
            let far = capital
                && ludemes::rows(fitting).next().is_some()
                && !fitting.eq_ignore_ascii_case(word)
                && word.len() < 5;
            !far && defined.is_none_or(|defined| defined != fitting)
        });
        let (code, message) = match capital {
            true => (Code::UnknownName, format!("there is no definition or memory `{word}`")),
            false => (Code::UnknownLudeme, format!("there is no ludeme `{word}`")),
        };
        if self.is_lost(word, span) || self.is_omitted(word, span) {
            return self.fail();
        }
        fitting.sort_unstable();
        let near = spelling::all_nearest(word, fitting);
        let takes = near.iter().position(|meant| self.may_take(meant, &parts[1..]));
        let meant = near.get(takes.unwrap_or(0)).copied();
        let recipe = recipes::help(word)
            .filter(|_| !capital && !meant.is_some_and(|meant| meant.eq_ignore_ascii_case(word)));
        let meant = meant.filter(|_| recipe.is_none());
        let help = match meant {
            Some(meant) => Some(format!("did you mean `{meant}`?")),
            None if recipe.is_some() => recipe,
            None if wanted == Kind::Shape => Some(shapes()),
            None if capital => {
                Some(format!("to define it yourself, write `(define ({word} …) …)`"))
            }
            None => None,
        };
        let finding = Finding::new(code, span, message)
            .with_optional_help(help)
            .with_optional_fix(meant.map(|meant| Fix::write(span, meant)));
        let spelling = meant
            .and_then(|meant| TABLE.iter().find(|row| row.spelling == meant))
            .map(|row| row.spelling);
        self.report_again(format!("form {word}"), finding);
        spelling
    }

    /// Tests if a form with this head can have these arguments, by their number and the type of the
    /// first.
    fn may_take(&mut self, head: &str, args: &[Node]) -> bool {
        let mut rows = ludemes::rows(head).filter(|row| !row.word).peekable();
        rows.peek().is_none()
            || rows.any(|row| {
                let first = row.slots.first().filter(|slot| slot.is_required()).zip(args.first());
                row.takes(args.len())
                    && !first.is_some_and(|(slot, arg)| self.misfits(arg, slot.kind))
            })
    }

    /// Tests if the variant leaves out a name, and reports its use.
    pub(super) fn is_omitted(&mut self, word: &str, span: Span) -> bool {
        let Some(&omitted) = self.declared.omitted.get(word) else { return false };
        let message = format!("`{word}` is left out by `(omit {word})`, and is used here");
        let finding = Finding::new(Code::UnknownName, span, message)
            .with_other(omitted, "left out here")
            .with_help("in the variant, write the part that uses it without it");
        self.report_again(self.key(word), finding);
        true
    }

    pub(super) fn is_memory(&self, node: &Node) -> bool {
        let word = node.as_word().or(node.head().map(|(head, _)| head));
        let is_let =
            |word| self.variable(word).is_some_and(|(it, _)| self.context.lets.contains(&it));
        node.as_word().is_some_and(is_let)
            || word
                .and_then(|word| self.meaning(word))
                .is_some_and(|meaning| matches!(meaning, Meaning::Memory(_)))
    }

    /// Tests if a word can be a new variable.
    pub(super) fn is_new_variable(&self, word: &str) -> bool {
        let small = word.starts_with(|first: char| first.is_alphabetic() && !first.is_uppercase());
        small
            && self.context.scope.find(word).is_none()
            && !scope::is_site(word)
            && ludemes::rows(word).all(|row| !row.word)
    }
}

fn takes_nothing(row: &Row) -> bool {
    row.word || row.plain_slots().iter().all(|slot| matches!(slot.times, Times::Maybe | Times::Any))
}

/// Lists the shapes of boards.
fn shapes() -> String {
    let shapes: Vec<&str> =
        TABLE.iter().filter(|row| row.result == Kind::Shape).map(|row| row.example).collect();
    format!("the shapes of boards are {}", spelling::list(&shapes, "and"))
}

/// Tests if a kind can be part of an expression.
fn is_expression(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Number
            | Kind::Condition
            | Kind::Sites
            | Kind::Site
            | Kind::Direction
            | Kind::Directions
            | Kind::Player
            | Kind::Any
    )
}

/// Suggests the form for numbers that are joined to one word: `8x8`, `4..7`.
fn joined_numbers(wanted: Kind, word: &str) -> Option<String> {
    let dimensions = |separator: &str| {
        let (first, last) = word.split_once(separator)?;
        (is_number(first) && is_number(last)).then_some((first, last))
    };
    match wanted {
        Kind::Shape => Some(match dimensions("x").or(dimensions("×")) {
            Some((one, other)) if one == other => format!("write `(square {one})`"),
            Some((columns, rows)) => format!("write `(rectangle {columns} {rows})`"),
            None => shapes(),
        }),
        Kind::Values => dimensions("..")
            .or(dimensions("-"))
            .or(dimensions("..."))
            .map(|(least, most)| format!("write `(range {least} {most})`")),
        _ => None,
    }
}
