//! Checks moves and the statements that play them: `choose` and `steps`.

use super::Checker;
use super::inference;
use super::placement::{Placement, Section};
use super::report::{Within, usage};
use super::scope::small_first;
use super::spelling;
use super::typed::Typed;
use crate::language::finding::{Code, Finding, Fix};
use crate::language::ludemes::{self, Kind, Ludeme, Row};
use crate::language::names::Meaning;
use crate::language::rules::*;
use crate::syntax::{Node, Span};

/// The maximal number of values of a `number` parameter.
const MAX_CHOICES: i64 = 10_000;

/// A move in the course of checking.
pub(super) struct MoveEntry<'t> {
    pub verb: Named,
    /// The arguments after the verb.
    pub args: &'t [Node],
    pub rule: Option<MoveRule>,
}

impl<'t> Checker<'t> {
    /// Declares the verb of `(move verb …)`.
    pub(super) fn declare_move(&mut self, node: &'t Node, args: &'t [Node]) {
        let Some(([verb], args)) = self.leading(Ludeme::MoveRule.row(), node, args) else { return };
        let Some(word) = verb.as_word() else {
            let finding = self.mismatch(Code::WrongType, verb, "the verb of a move");
            self.report(finding.with_help(usage(Ludeme::MoveRule.row())));
            return;
        };
        if !word.starts_with(|first: char| first.is_alphabetic() && !first.is_uppercase()) {
            let message =
                format!("`{word}` is the verb of a move, and verbs begin with a lower-case letter");
            self.bad_name(verb.span, message, small_first(word));
            if let (Some(better), Ok(index)) =
                (small_first(word), u16::try_from(self.declared.moves.len()))
            {
                self.declared.verb_aliases.insert(better, MoveId(index));
            }
        }
        if let Some(&MoveId(before)) = self.declared.verbs.get(word) {
            let before = self.declared.moves[usize::from(before)].verb.span;
            let message = format!("`{word}` is already the verb of a move");
            let finding = Finding::new(Code::NameTaken, verb.span, message)
                .with_other(before, "declared here");
            self.report(finding.with_help("choose another verb"));
        } else if let Ok(index) = u16::try_from(self.declared.moves.len()) {
            self.declared.verbs.insert(word, MoveId(index));
        }
        let verb = Named { name: word.to_owned(), span: verb.span };
        let rule = None;
        self.declared.moves.push(MoveEntry { verb, args, rule });
    }

    /// Checks all moves.
    pub(super) fn move_rules(&mut self) {
        for index in 0..self.declared.moves.len() {
            self.context.place = Placement::of(Section::Move);
            let mark = self.context.scope.mark();
            self.context.part += 1;
            let form = Within::Row(Ludeme::MoveRule.row());
            let rule = self.inside(form, |checker| checker.move_rule(index));
            self.context.scope.release(mark);
            self.declared.moves[index].rule = Some(rule);
        }
    }

    fn move_rule(&mut self, index: usize) -> MoveRule {
        let MoveEntry { args, verb, .. } = &self.declared.moves[index];
        let (args, verb) = (*args, verb.clone());
        let (first, body) = args.split_at(self.count_parameters(args));
        let parameters = self.parameters(first);
        let body = self.statements(body);
        let further = self.further(&body);
        MoveRule { verb: verb.name, span: verb.span, parameters, further, body }
    }

    /// Returns how many of the nodes, which follow the head of a `move` or a `then`, are
    /// parameters.
    pub(super) fn count_parameters(&self, args: &[Node]) -> usize {
        let is_parameter = |node: &Node| {
            let Some((head, _)) = node.head() else { return false };
            match ludemes::rows(head).next() {
                Some(_) => ludemes::rows(head).any(|row| row.result == Kind::Parameter),
                None if self.meaning(head).is_some() => false,
                // A misspelled parameter has a variable and a domain.
                None if inference::suggested_row(head, Kind::Parameter).is_some() => {
                    let args = node.as_form().map_or(0, <[Node]>::len);
                    let variable = node.as_form().and_then(|parts| parts.get(1)?.as_word());
                    inference::suggested_row(head, Kind::Statement).is_none()
                        || args == 3 && variable.is_some_and(|word| self.is_new_variable(word))
                }
                None => false,
            }
        };
        args.iter().take_while(|arg| is_parameter(arg)).count()
    }

    /// Checks parameters, whose variables stay in scope.
    pub(super) fn parameters(&mut self, nodes: &[Node]) -> Vec<Parameter> {
        nodes.iter().filter_map(|node| self.value::<Vec<_>>(node)).flatten().collect()
    }

    /// Builds the domain of a `number` parameter.
    pub(super) fn chosen_number(
        &mut self,
        least: &Spanned<Number>,
        most: &Spanned<Number>,
        span: Span,
    ) -> Option<Domain> {
        self.number_domain([least, most], span, false, (MAX_CHOICES, "numbers to choose from"))
    }

    /// Checks `(choose …)`.
    pub(super) fn choose(&mut self, node: &Node, args: &[Node]) -> Option<Typed> {
        let (rest, last) = self.split_branch(args, "otherwise");
        let (moves, going) = self.split_branch(rest, Ludeme::GoOn.row().spelling);
        let chosen = self.chosen_moves(node, moves, Ludeme::Choose.row());
        let go_on = match going {
            Some(going) => self.going_on(going),
            None => Some(Vec::new()),
        };
        let otherwise = last.map(|branch| self.statements(branch.args()));
        let choose = Statement::Choose { moves: chosen?, go_on: go_on?, otherwise };
        Some(statement(choose, node.span))
    }

    /// Checks `(go-on …)`.
    fn going_on(&mut self, node: &Node) -> Option<Vec<MoveId>> {
        let moves = self.chosen_moves(node, node.args(), Ludeme::GoOn.row())?;
        let from = Ludeme::ChooseFrom.row().spelling;
        let moves_piece = |id: &MoveId| {
            let args = self.declared.moves[id.index()].args;
            args.iter().any(|arg| arg.begins_with(from))
        };
        if !moves.iter().any(moves_piece) {
            let message = "no piece can go on: none of these moves has a `from`";
            let finding = Finding::new(Code::MissingPart, node.head_span(), message);
            let help = "choose the piece in the move by `from`, as in `(from s (mine))`";
            return self.refuse(finding.with_help(help));
        }
        Some(moves)
    }

    /// Checks `(steps count (choose …) (so-that …))`.
    pub(super) fn steps(&mut self, node: &Node, args: &[Node]) -> Option<Typed> {
        let row = Ludeme::Steps.row();
        let head = node.head_span();
        let (args, last) = self.split_branch(args, "so-that");
        let mut args = args.to_vec();
        if let Some((one, other)) =
            self.swapped(row.spelling, &[Kind::Number, Kind::Statement], &args)
        {
            args.swap(one, other);
        }
        let ([count], _) = self.leading(row, node, &args)?;
        let count = self.value::<Spanned<Number>>(count);
        let moves = match args.get(1) {
            Some(choice) if choice.begins_with("choose") => {
                let (moves, otherwise) = self.split_branch(choice.args(), "otherwise");
                if let Some((_, span)) = otherwise.and_then(Node::head) {
                    let message =
                        "`otherwise` is not allowed in `steps`, which end when no move is legal";
                    self.report(Finding::new(Code::Misplaced, span, message));
                }
                self.chosen_moves(choice, moves, Ludeme::Choose.row())
            }
            Some(other) => {
                let finding = self.mismatch(Code::WrongType, other, "`(choose …)`");
                self.refuse(finding.with_help(usage(row)))
            }
            None => {
                let message = "expected `(choose …)` in `steps`, found nothing";
                let finding = Finding::new(Code::MissingArgument, head, message);
                self.refuse_missing(finding.with_help(usage(row)))
            }
        };
        self.extra(row.spelling, 2, args.get(2..).unwrap_or_default());
        let ending = match last {
            Some(branch) => self.so_that(branch),
            None => Some(Spanned { node: Condition::Constant(true), span: node.span }),
        };
        let count = count?;
        self.whole(&count)?;
        let (moves, ending) = (moves?, ending?);
        let steps = Statement::Steps { count, moves, ending };
        Some(statement(steps, node.span))
    }

    fn so_that(&mut self, branch: &Node) -> Option<Spanned<Condition>> {
        let row = Ludeme::SoThat.row();
        self.inside(Within::Row(row), |checker| {
            let ([condition], extra) = checker.leading(row, branch, branch.args())?;
            checker.extra(row.spelling, 1, extra);
            checker.value(condition)
        })
    }

    /// Checks the verbs of `choose` or `can`.
    pub(super) fn chosen_moves(
        &mut self,
        node: &Node,
        nodes: &[Node],
        row: &'static Row,
    ) -> Option<Vec<MoveId>> {
        self.inside(Within::Row(row), |checker| checker.verbs(node, nodes, row))
    }

    fn verbs(&mut self, node: &Node, nodes: &[Node], row: &Row) -> Option<Vec<MoveId>> {
        let head = node.head_span();
        let mut sound = !nodes.is_empty();
        if !sound {
            self.missing(row.spelling, head, "moves", Kind::Move);
        }
        let mut moves: Vec<MoveId> = Vec::with_capacity(nodes.len());
        let choose = node.span;
        let mut own: Vec<MoveId> = Vec::with_capacity(nodes.len());
        let mut omitted: Option<Span> = None;
        let mut left = nodes.iter();
        while let Some(node) = left.next() {
            let node = self.without_brackets(node);
            if self.are_verbs_in_brackets(node) {
                sound = false;
                continue;
            }
            if let Some(span) = self.omitted_from_base(node) {
                omitted = Some(span);
                self.add_moves(node, choose, &mut moves);
                continue;
            }
            if self.is_split_verb(node, left.as_slice().first()) {
                left.next();
                sound = false;
                continue;
            }
            let Some(chosen) = self.value::<Spanned<MoveId>>(node) else {
                sound = false;
                continue;
            };
            let is_twice = moves.contains(&chosen.node);
            if is_twice && own.contains(&chosen.node) {
                let message = format!("{} appears twice", self.snippet(node));
                self.report(Finding::new(Code::ExtraArgument, node.span, message));
            }
            own.push(chosen.node);
            // A variant may have added the move before.
            if is_twice {
                continue;
            }
            moves.push(chosen.node);
            self.add_moves(node, choose, &mut moves);
        }
        if let Some(span) = omitted.filter(|_| moves.is_empty() && sound) {
            let message = "nothing is left to choose here: all of these moves are left out";
            let help = "write the order of play again in the variant, or keep one of the moves";
            let finding = Finding::new(Code::UnknownName, head, message).with_help(help);
            return self.refuse(finding.with_other(span, "left out here"));
        }
        sound.then_some(moves)
    }

    /// Tests if two words are one verb without its hyphen, such as `drop queen` for `drop-queen`,
    /// and reports them.
    fn is_split_verb(&mut self, node: &Node, next: Option<&Node>) -> bool {
        let (Some(first), Some(next)) = (node.as_word(), next) else { return false };
        let Some(last) = next.as_word() else { return false };
        let verb = format!("{first}-{last}");
        let Some(&id) = self.declared.verbs.get(verb.as_str()) else { return false };
        if self.declared.verbs.contains_key(first) || self.declared.verbs.contains_key(last) {
            return false;
        }
        self.note_use(Meaning::Move(id), node.span);
        let span = node.span.join(next.span);
        let message = format!("there is no move `{first}`: a verb is one word");
        let finding = Finding::new(Code::UnknownName, span, message).with_suggestion(span, verb);
        self.report(finding);
        true
    }

    /// Tests if a node is a list of verbs in brackets, such as `(drop pass)`, and reports it.
    fn are_verbs_in_brackets(&mut self, node: &Node) -> bool {
        let Some([first, .., last]) = node.as_form() else { return false };
        let verbs = node.as_form().unwrap_or_default().iter();
        let moves: Option<Vec<(MoveId, Span)>> = verbs
            .map(|verb| Some((*self.declared.verbs.get(verb.as_word()?)?, verb.span)))
            .collect();
        let Some(moves) = moves else { return false };
        moves.into_iter().for_each(|(id, span)| self.note_use(Meaning::Move(id), span));
        let right = first.span.join(last.span).text(self.source);
        let message = "these moves are written without brackets";
        let finding =
            Finding::new(Code::Misplaced, node.span, message).with_right(node.span, right);
        self.report(finding);
        true
    }

    /// Returns the verb of a move; reports one in brackets of its own.
    fn without_brackets<'n>(&mut self, node: &'n Node) -> &'n Node {
        let Some([verb]) = node.as_form() else { return node };
        let Some(word) = verb.as_word().filter(|word| self.declared.verbs.contains_key(word))
        else {
            return node;
        };
        let message = format!("`{word}` is a move and is written without brackets");
        let finding = Finding::new(Code::Misplaced, node.span, message).with_right(node.span, word);
        self.report_again(String::from("move in brackets"), finding);
        verb
    }
}

/// Builds a list of one statement.
pub(super) fn statement(it: Statement, span: Span) -> Typed {
    Typed::Statement(vec![Spanned { node: it, span }])
}

impl Checker<'_> {
    /// Splits off a last form with that head. A misspelled or confused head is accepted and
    /// reported.
    pub(super) fn split_branch<'n>(
        &mut self,
        args: &'n [Node],
        word: &str,
    ) -> (&'n [Node], Option<&'n Node>) {
        let Some((last, rest)) = args.split_last() else { return (args, None) };
        let Some((head, span)) = last.head() else { return (args, None) };
        let is_else = |word: &str| matches!(word, "else" | "otherwise");
        if head == word {
            return (rest, Some(last));
        }
        if is_else(head) && is_else(word) {
            let message = format!("expected `({word} …)`, found `({head} …)`");
            let finding = Finding::new(Code::Misplaced, span, message);
            let help = "use `else` in `if` and `case`, where a condition does not hold; use `otherwise` in `choose`, where no move is legal";
            self.report(finding.with_help(help).with_fix(Fix::write(span, word)));
        } else if spelling::is_typo(head, word)
            && ludemes::rows(head).next().is_none()
            && self.meaning(head).is_none()
        {
            let message = format!("there is no ludeme `{head}`");
            let finding = Finding::new(Code::UnknownLudeme, span, message);
            self.report(finding.with_suggestion(span, word));
        } else {
            return (args, None);
        }
        (rest, Some(last))
    }
}
