//! Checks `(look …)`: colours and shapes of players, pieces and memories.

use super::Checker;
use super::layout::fixed_sites;
use super::parts::Part;
use super::report::{Within, usage};
use super::spelling;
use super::typed::Typed;
use crate::board::Site;
use crate::language::finding::{Code, Finding};
use crate::language::look::{
    COLORS, Color, Curve, Figure, Grid, Look, MemoryLook, PieceLook, Shape, draw_run,
};
use crate::language::ludemes::{Kind, Ludeme, Row, Times};
use crate::language::names::Meaning;
use crate::language::rules::*;
use crate::syntax::visible::is_hidden;
use crate::syntax::{Node, NodeKind, Span};

/// The maximal number of characters on a piece.
const MAX_LETTERS: usize = 3;

/// A detail of the look.
#[derive(Clone, Debug)]
pub(super) struct LookDetail {
    /// Identifies the detail: details with the same key conflict.
    key: (Ludeme, Option<Subject>, Option<PlayerId>),
    says: LookValue,
    span: Span,
}

#[derive(Clone, Debug)]
enum LookValue {
    Grid(Grid),
    Color(Color),
    Figure(Figure),
    Hidden(Vec<MemoryId>),
    Lines(Vec<(Site, Site)>, Vec<Curve>),
}

/// Something that has a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Subject {
    Board,
    Player(PlayerId),
    Piece(PieceId),
    Memory(MemoryId),
}

impl Checker<'_> {
    /// Checks the look of the game.
    pub(super) fn look(&mut self, parts: &[Part]) -> Look {
        let mut look = Look {
            players: vec![None; self.declared.all_players().count()],
            pieces: vec![PieceLook::default(); self.declared.pieces.len()],
            memories: vec![MemoryLook::default(); self.declared.memories.len()],
            ..Look::default()
        };
        for part in parts.iter().filter(|part| part.row.ludeme == Ludeme::Look) {
            self.look_part(part, &mut look);
        }
        look.players.truncate(self.declared.players.len());
        look
    }

    /// Applies the details of a `look`, which replace earlier ones about the same things.
    fn look_part(&mut self, part: &Part, look: &mut Look) {
        self.context.within = Within::Row(part.row);
        if part.args.is_empty() {
            self.missing_slot(part.row, part.node, 0);
        }
        let mut seen: Vec<LookDetail> = Vec::new();
        for node in part.args {
            if self.is_about_omitted(node) {
                continue;
            }
            let Some(detail) = self.value::<Box<LookDetail>>(node) else { continue };
            if let Some(before) =
                seen.iter().find(|before| before.key == detail.key && detail.key.0 != Ludeme::Hide)
            {
                let message = format!("{} conflicts with an earlier detail", self.snippet(node));
                let finding = Finding::new(Code::RepeatedPart, node.span, message)
                    .with_other(before.span, "the earlier one is here");
                self.report(finding.with_help("delete one of them"));
                continue;
            }
            detail.apply(look);
            seen.push(*detail);
        }
    }

    /// Tests if a colour or shape in the base game's look belongs to something that a variant
    /// leaves out.
    fn is_about_omitted(&self, detail: &Node) -> bool {
        let mut with_subject = [Ludeme::ColorOf, Ludeme::ShapeOf].iter();
        with_subject.any(|ludeme| detail.begins_with(ludeme.row().spelling))
            && detail.args().first().is_some_and(|of| self.omitted_from_base(of).is_some())
    }

    /// Checks `(grid …)`, `(lines …)`, `(color …)`, `(shape …)` or `(hide …)`.
    pub(super) fn look_detail(
        &mut self,
        row: &'static Row,
        node: &Node,
        args: &[Node],
    ) -> Option<Typed> {
        let head = node.head_span();
        if let Some(slot) =
            row.slots.iter().filter(|slot| slot.times != Times::Maybe).nth(args.len())
        {
            self.missing(row.spelling, head, slot.name, slot.kind);
            return None;
        }
        let is_list = matches!(row.ludeme, Ludeme::Hide | Ludeme::LookLines);
        let most = if is_list { args.len() } else { row.slots.len() };
        if args.len() > most {
            self.extra(row.spelling, most, &args[most..]);
            return None;
        }
        let (subject, player, says) = match row.ludeme {
            Ludeme::GridIs => (None, None, LookValue::Grid(self.grid(&args[0])?)),
            Ludeme::LookLines => (None, None, self.drawn_lines(args)?),
            Ludeme::ColorOf => {
                let subject = self.colored(&args[0])?;
                (Some(subject), None, LookValue::Color(self.color(&args[1])?))
            }
            Ludeme::Hide => {
                let mut memories = Vec::with_capacity(args.len());
                for node in args {
                    if self.omitted_from_base(node).is_some() {
                        continue;
                    }
                    match self.subject(node)? {
                        Subject::Memory(memory) => memories.push(memory),
                        _ => return self.inapplicable(node, "the name of a memory"),
                    }
                }
                (None, None, LookValue::Hidden(memories))
            }
            _ => {
                let (subject, player, figure) = self.shaped(args, head)?;
                (Some(subject), player, LookValue::Figure(figure))
            }
        };
        Some(Typed::LookDetail(Box::new(LookDetail {
            key: (row.ludeme, subject, player),
            says,
            span: node.span,
        })))
    }

    fn grid(&mut self, node: &Node) -> Option<Grid> {
        let grid = node.as_word().and_then(Grid::from_word);
        grid.or_else(|| self.unknown_choice(node, "`cells`, `checkered` or `points`", Grid::WORDS))
    }

    /// Reads lines that join sites one to the next, and paths, whose jumps are curves.
    fn drawn_lines(&mut self, listed: &[Node]) -> Option<LookValue> {
        let (mut lines, mut curves) = (Vec::new(), Vec::new());
        for node in listed {
            if let Some(Meaning::Path(index)) = self.meaning_of(node) {
                self.note_use(Meaning::Path(index), node.span);
                let board = self.require_board(node.span)?;
                let runs = self.runs_of_path(index, &board);
                runs.iter().for_each(|run| draw_run(run, &board, &mut lines, &mut curves));
                continue;
            }
            let Some(nodes @ [_, _, ..]) = node.as_form() else {
                return self.no_line(node);
            };
            let mut sites = Vec::with_capacity(nodes.len());
            for node in nodes {
                sites.push(self.drawn_site(node)?);
            }
            lines.extend(sites.iter().copied().zip(sites.iter().copied().skip(1)));
        }
        Some(LookValue::Lines(lines, curves))
    }

    fn drawn_site(&mut self, node: &Node) -> Option<Site> {
        let site = self.value(node)?;
        let board = self.declared.board.clone()?;
        let fixed = fixed_sites(&Sites::One(Box::new(site)), &board).and_then(|sites| sites.only());
        if fixed.is_none() {
            self.report(self.mismatch(Code::NotConstant, node, "a site that is known before play"));
        }
        fixed
    }

    fn color(&mut self, node: &Node) -> Option<Color> {
        let color = match &node.kind {
            NodeKind::Text(text) => Color::parse(text),
            _ => node.as_word().and_then(Color::named),
        };
        color.or_else(|| {
            let wanted = "a colour, as a name or as `\"#rrggbb\"`";
            self.unknown_choice(node, wanted, &COLORS.map(|(name, _)| name))
        })
    }

    /// Reports a word that is none of a few, with a suggestion.
    pub(super) fn unknown_choice<T>(
        &mut self,
        node: &Node,
        wanted: &str,
        words: &[impl AsRef<str>],
    ) -> Option<T> {
        let finding = self.mismatch(Code::UnknownName, node, wanted);
        let written = node.as_word().or(node.as_text());
        let words = words.iter().map(AsRef::as_ref);
        self.refuse(match written.and_then(|word| spelling::nearest(word, words.clone())) {
            Some(meant) => finding.with_suggestion(node.span, meant),
            None => {
                let all: Vec<String> = words.map(|word| format!("`{word}`")).collect();
                finding.with_help(format!("choose one of {}", spelling::series(&all, "and")))
            }
        })
    }

    /// Finds the subject of a detail. This does not count as a use of the name.
    fn subject(&mut self, node: &Node) -> Option<Subject> {
        let word = node.as_word().unwrap_or_default();
        match self.mention(node) {
            Some(Meaning::Player(player)) => Some(Subject::Player(player)),
            Some(Meaning::Piece(piece)) => Some(Subject::Piece(piece)),
            Some(Meaning::Memory(memory)) => Some(Subject::Memory(memory)),
            _ if word == Ludeme::Board.row().spelling => Some(Subject::Board),
            _ if self.is_omitted(word, node.span) => None,
            _ => {
                let is_drawn = |meaning| matches!(meaning, Meaning::Piece(_) | Meaning::Memory(_));
                let mut names = self.declared.player_names();
                names.extend(self.declared.names_of(is_drawn));
                self.unknown_name(node, "the name of something that is drawn", &names)
            }
        }
    }

    /// Reports a subject that cannot have this detail.
    fn inapplicable<T>(&mut self, node: &Node, wanted: &str) -> Option<T> {
        let finding = self.mismatch(Code::Misplaced, node, wanted);
        self.refuse(finding.with_optional_help(self.usage_within()))
    }

    fn colored(&mut self, node: &Node) -> Option<Subject> {
        let subject = self.subject(node)?;
        match subject {
            Subject::Piece(piece) if self.has_owners(piece) => {
                let message =
                    format!("{} takes its colour from the player who owns it", self.snippet(node));
                let help = "set the colour of the player, or give the piece a shape";
                self.refuse(Finding::new(Code::Misplaced, node.span, message).with_help(help))
            }
            Subject::Memory(memory)
                if ![None, Some(Shape::Seeds), Some(Shape::Arrow)]
                    .into_iter()
                    .any(|shape| self.can_show(memory, shape)) =>
            {
                self.inapplicable(node, "`board`, a player, a piece or a memory of sites")
            }
            _ => Some(subject),
        }
    }

    fn shaped(&mut self, args: &[Node], head: Span) -> Option<(Subject, Option<PlayerId>, Figure)> {
        let (of, mut figure) = args.split_first()?;
        let subject = self.subject(of)?;
        let mut player = None;
        if let Some((first, rest)) = figure.split_first()
            && let Some(meaning @ Meaning::Player(id)) = self.meaning_of(first)
        {
            self.note_mention(meaning, first.span);
            (player, figure) = (Some(id), rest);
        }
        let row = Ludeme::ShapeOf.row();
        let (shape, letters) = match figure {
            [] => {
                self.missing(row.spelling, head, "figure", Kind::Figure);
                return None;
            }
            [text] if text.as_text().is_some() => (None, Some(self.letters(text)?)),
            [shape] => (Some(self.figure(shape)?), None),
            [shape, text] => (Some(self.figure(shape)?), Some(self.letters(text)?)),
            [_, _, extra @ ..] => {
                self.extra(row.spelling, 3, extra);
                return None;
            }
        };
        let figure = Figure { shape, letters };
        let fits = match subject {
            Subject::Piece(piece) => {
                figure.shape.is_none_or(Shape::is_of_pieces)
                    && (player.is_none() || self.has_owners(piece))
            }
            Subject::Memory(memory) => {
                figure.letters.is_none() && player.is_none() && self.can_show(memory, figure.shape)
            }
            Subject::Board | Subject::Player(_) => false,
        };
        if !fits {
            let message = format!("{} cannot have this shape", self.snippet(of));
            let help = "a piece can have any shape but `die`, `seeds`, `arrow` and `line`, per player if it is owned; a memory of sites has marks, or lines if it is per direction, a memory of a number can be a `die`, or `seeds` if it is per site, and a memory of a direction per site an `arrow`";
            return self.refuse(Finding::new(Code::Misplaced, of.span, message).with_help(help));
        }
        Some((subject, player, figure))
    }

    fn has_owners(&self, piece: PieceId) -> bool {
        self.declared.pieces.get(piece.index()).is_some_and(|piece| piece.owned)
    }

    fn figure(&mut self, node: &Node) -> Option<Shape> {
        let shape = node.as_word().and_then(Shape::from_word);
        shape.or_else(|| self.unknown_choice(node, "a shape, or a letter in quotes", Shape::WORDS))
    }

    fn letters(&mut self, node: &Node) -> Option<String> {
        let text = node.as_text().filter(|text| {
            let count = text.chars().take(MAX_LETTERS + 1).count();
            (1..=MAX_LETTERS).contains(&count)
                && !text.chars().any(|sign| is_hidden(sign) || sign.is_whitespace())
        });
        if text.is_none() {
            let wanted = format_args!("1 to {MAX_LETTERS} characters in quotes");
            let finding = self.mismatch(Code::WrongType, node, wanted);
            self.report(finding.with_help(usage(Ludeme::ShapeOf.row())));
        }
        text.map(str::to_owned)
    }

    /// Tests if a memory can have marks of this shape: marks show sites, lines sites by direction,
    /// a die a number, seeds a number of each site, arrows a direction of each site. Of a faulty
    /// memory anything is believed that its type allows.
    fn can_show(&self, memory: MemoryId, shape: Option<Shape>) -> bool {
        let Some(entry) = self.declared.memories.get(memory.index()) else { return false };
        let is = |such: fn(&Memory) -> bool| entry.memory.as_ref().is_none_or(such);
        match (entry.holds, shape) {
            (Some(MemoryType::Number { .. }), Some(Shape::Seeds))
            | (Some(MemoryType::Direction), Some(Shape::Arrow)) => is(|memory| memory.per_site),
            (Some(MemoryType::Sites | MemoryType::Site), Some(Shape::Line)) => {
                is(|memory| !memory.per_direction.is_empty())
            }
            (_, Some(Shape::Seeds | Shape::Arrow | Shape::Line)) => false,
            (Some(MemoryType::Sites | MemoryType::Site), shape) => shape != Some(Shape::Die),
            (_, shape) => shape == Some(Shape::Die),
        }
    }
}

impl LookDetail {
    fn apply(&self, look: &mut Look) {
        let (_, subject, player) = self.key;
        match (&self.says, subject) {
            (LookValue::Grid(grid), _) => look.grid = Some(*grid),
            (LookValue::Lines(lines, curves), _) => {
                look.lines.clone_from(lines);
                look.curves.clone_from(curves);
            }
            (LookValue::Hidden(memories), _) => {
                memories.iter().for_each(|memory| look.memories[memory.index()].hidden = true)
            }
            (LookValue::Color(color), Some(Subject::Board)) => look.board = Some(*color),
            (LookValue::Color(color), Some(Subject::Player(player))) => {
                look.players[player.index()] = Some(*color)
            }
            (LookValue::Color(color), Some(Subject::Piece(piece))) => {
                look.pieces[piece.index()].color = Some(*color)
            }
            (LookValue::Color(color), Some(Subject::Memory(memory))) => {
                look.memories[memory.index()].color = Some(*color)
            }
            (LookValue::Figure(figure), Some(Subject::Piece(piece))) => match player {
                Some(player) => {
                    let figures = &mut look.pieces[piece.index()].figures;
                    figures.retain(|(known, _)| *known != player);
                    figures.push((player, figure.clone()));
                }
                None => look.pieces[piece.index()].figure = Some(figure.clone()),
            },
            (LookValue::Figure(figure), Some(Subject::Memory(memory))) => {
                look.memories[memory.index()].shape = figure.shape
            }
            _ => {}
        }
    }
}
