//! Checks expressions: words and forms become typed nodes, according to the declared names, the
//! table of ludemes, and the type expected in their place.

use super::Checker;
use super::arguments::BENEATH;
use super::diagnosis::Diagnosis;
use super::options::OptionValue;
use super::placement::Section;
use super::report::{Within, usage};
use super::scope;
use super::typed::{Content, Typed, Wrapping, accepts, at};
use crate::board::{Direction, Sort};
use crate::language::finding::{Code, Finding};
use crate::language::ludemes::{self, Kind, Ludeme, Row};
use crate::language::names::Meaning;
use crate::language::rules::*;
use crate::syntax::{Node, NodeKind, Span};

impl<'t> Checker<'t> {
    /// Checks an expression of the wanted type.
    pub(super) fn expression(&mut self, node: &Node, wanted: Kind) -> Option<Typed> {
        self.record_expected(node, wanted);
        self.checked_expressions += 1;
        let before = self.diagnostics.failures;
        let typed = match self.is_full() {
            true => self.fail(),
            false => self.elaborated(node, wanted),
        };
        if typed.is_none() || self.diagnostics.failures > before {
            self.failed.insert(node.span);
        }
        typed
    }

    fn elaborated(&mut self, node: &Node, wanted: Kind) -> Option<Typed> {
        match wanted {
            Kind::Domain => return self.domain(node),
            Kind::Memory => return self.target(node).map(Typed::Memory),
            _ => {}
        }
        let span = node.span;
        let found = match &node.kind {
            NodeKind::Number(_) if self.diagnostics.faulty.contains(&span) => self.fail(),
            NodeKind::Number(number) if wanted == Kind::OptionValue => {
                self.bounded(number.halves, span)?;
                let value = OptionValue::Number(number.halves);
                Some(Typed::OptionValue(at(value, span)))
            }
            NodeKind::Number(number) => {
                let number = self.bounded(number.halves, span)?;
                Some(Typed::Number(at(number, span)))
            }
            NodeKind::Text(text) => Some(Typed::Text(at(text.clone(), span))),
            NodeKind::Word(word) => self.word(node, word, wanted),
            NodeKind::Form(_) => self.form(node, wanted),
        }?;
        let kind = found.kind();
        match found.coerced(wanted) {
            Some(typed) => Some(typed),
            None => {
                self.wrong_type(node, wanted, kind);
                None
            }
        }
    }

    /// Checks an expression of the type whose values these are.
    pub(super) fn value<T: Content>(&mut self, node: &Node) -> Option<T> {
        self.expression(node, T::KIND).and_then(T::of)
    }

    /// Checks the domain of a variable.
    fn domain(&mut self, node: &Node) -> Option<Typed> {
        if self.is_singular_domain(node) {
            return self.fail();
        }
        let kind = self.kind_of_node(node);
        match (kind, &node.kind) {
            (Some(Kind::Domain), NodeKind::Word(_)) => {
                Some(Typed::Domain(Domain::Players(node.span)))
            }
            (Some(Kind::Domain), NodeKind::Form(_)) => self.form(node, Kind::Domain),
            (Some(kind), _) if !accepts(Kind::Domain, kind) => {
                self.wrong_type(node, Kind::Domain, kind);
                None
            }
            (Some(Kind::Direction | Kind::Directions), _) => {
                self.expression(node, Kind::Directions)?.coerced(Kind::Domain)
            }
            // An unknown form may be meant as a region or as directions.
            (None, NodeKind::Form(_)) => {
                let typed = self.form(node, Kind::Domain)?;
                let kind = typed.kind();
                let domain = typed.coerced(Kind::Domain);
                if domain.is_none() {
                    self.wrong_type(node, Kind::Domain, kind);
                }
                domain
            }
            _ => self.expression(node, Kind::Sites)?.coerced(Kind::Domain),
        }
    }

    /// Checks a word.
    fn word(&mut self, node: &Node, word: &str, wanted: Kind) -> Option<Typed> {
        let span = node.span;
        match wanted {
            Kind::OptionValue => {
                let value = OptionValue::Word(word.to_owned());
                return Some(Typed::OptionValue(at(value, span)));
            }
            Kind::Edge if word == "top" || word == "bottom" => {
                return Some(Typed::Edge(word == "top"));
            }
            Kind::Wrapping if word == "columns" => return Some(Typed::Wrapping(Wrapping::Columns)),
            Kind::Wrapping if word == "rows" => return Some(Typed::Wrapping(Wrapping::Rows)),
            Kind::Border if word == "sides" => return Some(Typed::Border(Sort::Side)),
            Kind::Border if word == "posts" => return Some(Typed::Border(Sort::Post)),
            Kind::Beneath if word == BENEATH => return Some(Typed::Beneath(span)),
            Kind::Edge | Kind::Wrapping | Kind::Border | Kind::Beneath
                if self.kind_of_node(node).is_none() =>
            {
                let message = format!("expected {}, found `{word}`", wanted.phrase());
                return self.refuse(Finding::new(Code::WrongType, span, message));
            }
            Kind::Move => {
                if let Some(&id) =
                    self.declared.verbs.get(word).or_else(|| self.declared.verb_aliases.get(word))
                {
                    self.note_use(Meaning::Move(id), span);
                    return Some(Typed::Move(at(id, span)));
                }
            }
            _ => {}
        }
        if let Some((local, kind)) = self.variable(word) {
            self.note_variable(local, span);
            return scope::read(local, kind, span);
        }
        let mut rows = ludemes::rows(word).filter(|row| row.word);
        if let Some(first) = rows.next() {
            // `nowhere` is no site or no direction where one is wanted, and elsewhere the empty
            // region.
            let wanted = if wanted == Kind::Directions { Kind::Direction } else { wanted };
            let row = rows.find(|row| row.result == wanted).unwrap_or(first);
            return self.build(row.ludeme, Vec::new(), node, 0);
        }
        if let Some(direction) =
            Direction::from_name(word).filter(|_| accepts(wanted, Kind::Direction))
        {
            return Some(Typed::Direction(at(DirectionOf::Fixed(direction), span)));
        }
        // A declared name is no direction or site, unless that was reported.
        if let Some(meaning) = self.meaning(word) {
            return self.named(node, meaning, wanted);
        }
        if let Some(direction) = Direction::from_name(word).or_else(|| self.wind(word)) {
            return Some(Typed::Direction(at(DirectionOf::Fixed(direction), span)));
        }
        if self.names_site(word) {
            return self.site(word, span);
        }
        if let Some(local) = self.new_free_variable(node, word, wanted) {
            return scope::read(local, self.context.kinds[local.index()], span);
        }
        self.unknown_word(node, word, wanted);
        None
    }

    /// Checks a declared name without arguments.
    fn named(&mut self, node: &Node, meaning: Meaning, wanted: Kind) -> Option<Typed> {
        let span = node.span;
        match meaning {
            Meaning::Memory(id) => {
                self.usage.read.insert(id);
                return self.access(node).map(|access| access.read());
            }
            Meaning::Definition(id) => return self.call(id, node, &[], wanted),
            Meaning::Path(index) => return self.path_direction(index, node, &[]),
            _ => {}
        }
        self.note_use(meaning, span);
        match meaning {
            Meaning::Player(id) if !self.plays(id, span) => None,
            Meaning::Player(id) => Some(Typed::Player(at(PlayerOf::Fixed(id), span))),
            Meaning::Piece(id) => Some(Typed::Piece(at(PieceOf::Fixed(id), span))),
            Meaning::Option(index) => self.option_value(index, node, wanted),
            Meaning::Memory(_) | Meaning::Definition(_) | Meaning::Move(_) | Meaning::Path(_) => {
                None
            }
        }
    }

    /// Finds a site of the board.
    fn site(&mut self, word: &str, span: Span) -> Option<Typed> {
        let board = self.require_board(span)?;
        if let Some(site) = board.find(word) {
            return Some(Typed::Site(at(SiteOf::Literal(site), span)));
        }
        let message = format!("the board has no site `{word}`");
        let mut finding = Finding::new(Code::UnknownSite, span, message);
        let folded = board.sites().find(|&site| board.label(site).eq_ignore_ascii_case(word));
        let mut ends = board.sites();
        finding.help = match (folded, ends.next(), ends.next_back()) {
            (Some(site), ..) => Some(format!("did you mean `{}`?", board.label(site))),
            (None, Some(first), Some(last)) => {
                Some(format!("its sites are `{}` to `{}`", board.label(first), board.label(last)))
            }
            _ => None,
        };
        self.refuse_live(finding)
    }

    /// Checks a form, and diagnoses it first if it is suspect.
    fn form(&mut self, node: &Node, wanted: Kind) -> Option<Typed> {
        if !self.is_suspect(node) {
            return self.elaborated_form(node, wanted);
        }
        let outer = std::mem::replace(&mut self.context.is_suspect, true);
        let typed = match self.diagnosis(node, wanted) {
            Diagnosis::Unknown => self.elaborated_form(node, wanted),
            Diagnosis::Corrected(form) => self.form(&form, wanted),
            Diagnosis::Reported => self.fail(),
        };
        self.context.is_suspect = outer;
        typed
    }

    fn elaborated_form(&mut self, node: &Node, wanted: Kind) -> Option<Typed> {
        let Some((word, _)) = node.head() else { return self.fail() };
        let args = node.args();
        let mut rows: Vec<&'static Row> = ludemes::rows(word).filter(|row| !row.word).collect();
        // Assertions are allowed in `claim` only; elsewhere their words have their other meaning,
        // if any.
        if wanted != Kind::Assertion && rows.iter().any(|row| row.result != Kind::Assertion) {
            rows.retain(|row| row.result != Kind::Assertion);
        }
        if !rows.is_empty() {
            let row = self.choose_row(node, &rows, args, wanted)?;
            return self.row(row, node, args, wanted);
        }
        match self.meaning(word) {
            Some(Meaning::Memory(id)) => {
                self.usage.read.insert(id);
                self.access(node).map(|access| access.read())
            }
            Some(Meaning::Definition(id)) => self.call(id, node, args, wanted),
            Some(Meaning::Path(index)) => self.path_direction(index, node, args),
            _ => self.fail(),
        }
    }

    /// Checks a form by its row, if its result is allowed here.
    fn row(
        &mut self,
        row: &'static Row,
        node: &Node,
        args: &[Node],
        wanted: Kind,
    ) -> Option<Typed> {
        if !self.can_stand(row, node, wanted) {
            return None;
        }
        let place = self.context.place;
        let before = self.diagnostics.failures;
        if row.result == Kind::Statement {
            self.check_placement(row.ludeme, node);
        }
        let outer = std::mem::replace(&mut self.context.within, Within::Row(row));
        let typed = match row.ludeme {
            Ludeme::Case => self.case(node, args, wanted),
            Ludeme::If => self.if_statement(node, args),
            Ludeme::IfElse => self.if_expression(node, args, wanted),
            Ludeme::Let => self.let_statement(node, args),
            Ludeme::Set => self.set_statement(node, args),
            Ludeme::Choose => self.choose(node, args),
            Ludeme::Can => self.can(node, args),
            Ludeme::LastMove => self.last_move(node, args),
            Ludeme::Steps => self.steps(node, args),
            Ludeme::Then => self.then_statement(node, args),
            Ludeme::ChooseAt | Ludeme::ChooseFrom | Ludeme::ChooseTo
                if self.are_chosen_together(args) =>
            {
                self.chosen_together(row.ludeme, node, args)
            }
            Ludeme::Per => self.per(node, args),
            Ludeme::Lines => self.listed_lines(args, node.span),
            Ludeme::GridIs
            | Ludeme::LookLines
            | Ludeme::ColorOf
            | Ludeme::ShapeOf
            | Ludeme::Hide => self.look_detail(row, node, args),
            Ludeme::Comparing | Ludeme::Ignoring => self.repetition_detail(row, node, args),
            Ludeme::Spell => self.spelling(node, args),
            Ludeme::OptionIs => self.option_is(node, args),
            Ludeme::Offsets => self.offsets(node, args),
            Ludeme::With => self.with_option(node, args),
            _ => self
                .arguments(row, node, args)
                .and_then(|slots| self.build(row.ludeme, slots, node, before)),
        };
        self.context.within = outer;
        self.context.place = place;
        typed
    }

    /// Tests if the result of a row is allowed where a type is wanted. Reports it if not, unless
    /// errors in its arguments take precedence.
    fn can_stand(&mut self, row: &'static Row, node: &Node, wanted: Kind) -> bool {
        if accepts(wanted, row.result) {
            return true;
        }
        let home = match row.result {
            Kind::Part => Some("belongs directly in `game`"),
            Kind::Shape | Kind::BoardDetail => Some("belongs in `board`"),
            Kind::Values => Some("belongs in `option`"),
            Kind::MemoryDetail => Some("belongs in `remember`"),
            Kind::LookDetail => Some("belongs in `look`"),
            Kind::RepetitionDetail => Some("belongs in `repetition`, before the results"),
            Kind::Spelling => Some("belongs in `notation`"),
            Kind::Circumstance => Some("belongs in `claim`, before the assertion"),
            Kind::Assertion => Some("belongs at the end of `claim`"),
            Kind::Parameter => {
                Some("belongs in `move` or `then`, before all requirements and effects")
            }
            Kind::Else => Some("belongs at the end of `if` or `case`"),
            Kind::Otherwise => Some("belongs at the end of `choose`"),
            Kind::GoOn => Some("belongs in `choose`, after the moves"),
            Kind::SoThat => Some("belongs at the end of `steps`"),
            Kind::Limit => Some("belongs in `while`, after the condition"),
            _ => None,
        };
        let Some(home) = home else {
            // An expression of another type: errors in its arguments are reported first.
            let expressions = [row.result, wanted]
                .iter()
                .all(|kind| !matches!(kind, Kind::Statement | Kind::Shape | Kind::BoardDetail));
            if !expressions {
                self.wrong_type(node, wanted, row.result);
            }
            return expressions;
        };
        let span = node.head_span();
        let message =
            format!("expected {}, found `{}`, which {home}", wanted.phrase(), row.spelling);
        let finding = Finding::new(Code::Misplaced, span, message);
        if row.result == Kind::Part
            && matches!(
                wanted,
                Kind::Statement | Kind::BoardDetail | Kind::MemoryDetail | Kind::Parameter
            )
        {
            self.misplaced_part(row, node, finding);
            return false;
        }
        self.report(finding.with_help(match row.result {
            Kind::Parameter if matches!(self.context.place.section, Section::Move) => String::from("move it up, directly after the verb"),
            Kind::Otherwise if matches!(self.context.within, Within::Row(row) if row.ludeme == Ludeme::Choose) => {
                String::from("move it after the moves")
            }
            Kind::GoOn => String::from(
                "write it in a `choose`, after the moves: `(choose jump step (go-on jump))`",
            ),
            _ => usage(row),
        }));
        let args = node.args();
        match row.result {
            // Its variable is bound all the same.
            Kind::Parameter => {
                self.arguments(row, node, args);
            }
            Kind::Part => self.record_lost_name(node),
            _ => {}
        }
        false
    }

    /// Reports a part of the game inside another part, which is a sign of misplaced brackets.
    pub(super) fn misplaced_part(&mut self, row: &'static Row, node: &Node, finding: Finding) {
        self.diagnostics.stray_parts.insert(row.spelling);
        self.record_lost_name(node);
        self.diagnostics.damaged.push(node.span);
        self.diagnostics.certain.insert(finding.span);
        let help = "a closing bracket may be missing before it, with one too many further on";
        self.report_again(String::from("a part in a part"), finding.with_help(help));
    }
}
