//! Checks `(notation …)`: how formats of other programs write the game.

use super::Checker;
use super::parts::Part;
use super::report::Within;
use super::spelling;
use super::typed::Typed;
use crate::board::Site;
use crate::language::finding::{Code, Finding};
use crate::language::ludemes::{Kind, Ludeme};
use crate::language::names::Meaning;
use crate::language::notations::{
    Field, Format, MoveSpelling, Notations, SUBJECTS, Spellings, read_pattern,
};
use crate::language::rules::*;
use crate::syntax::{Node, Span};

/// What a `spell` says.
#[derive(Clone, Debug)]
pub(super) enum Spelling {
    Move(MoveSpelling),
    Piece(PieceId, Vec<String>),
    Player(PlayerId, String),
    Option(usize, String),
    Condition(DefinitionId, String),
    Position(Vec<Field>),
    Tag(String, String),
    /// Any other word.
    Word(&'static str, String),
}

impl Checker<'_> {
    /// Checks all notations of the game.
    pub(super) fn notations(&mut self, parts: &[Part]) -> Notations {
        let mut notations = Notations::default();
        self.context.is_faulty = self.diagnostics.failures > 0;
        for part in parts.iter().filter(|part| part.row.ludeme == Ludeme::Notation) {
            self.context.within = Within::Row(part.row);
            let Some(([format], entries)) = self.leading(part.row, part.node, part.args) else {
                continue;
            };
            let Some(known) = format.as_word().and_then(Format::from_word) else {
                let words = Format::ALL.map(|(_, word)| word);
                self.unknown_choice::<()>(format, "the name of a format", &words);
                continue;
            };
            if notations.formats.iter().any(|(format, _)| *format == known) {
                let message = format!("`{}` has a notation already", known.word());
                let finding = Finding::new(Code::RepeatedPart, format.span, message);
                self.report(finding.with_help("put everything into one `notation`"));
                continue;
            }
            if entries.is_empty() {
                self.missing_slot(part.row, part.node, 1);
            }
            let mut spellings = Spellings::default();
            for node in entries {
                if let Some(spelling) = self.value::<Box<Spelling>>(node) {
                    spelling.apply(&mut spellings);
                }
            }
            spellings.players.retain(|(player, _)| !self.is_absent(*player));
            notations.formats.push((known, spellings));
        }
        notations
    }

    /// Checks `(spell …)`.
    pub(super) fn spelling(&mut self, node: &Node, args: &[Node]) -> Option<Typed> {
        let row = Ludeme::Spell.row();
        let ([subject], rest) = self.leading(row, node, args)?;
        let words = rest.iter().take_while(|node| node.as_text().is_none()).count();
        let (words, texts) = rest.split_at(words);
        if let Some(strange) = texts.iter().find(|node| node.as_text().is_none()) {
            self.wrong_type(strange, Kind::Text, Kind::Any);
            return None;
        }
        let meaning = subject.as_word().and_then(|word| {
            let mut moves = self.declared.moves.iter();
            let rule = moves.position(|entry| entry.verb.name == word);
            rule.map(|index| Meaning::Move(MoveId(index as u16))).or_else(|| self.meaning(word))
        });
        if let Some(meaning) = meaning {
            self.note_mention(meaning, subject.span);
        }
        if !matches!(meaning, Some(Meaning::Move(_)))
            && let Some(extra) = words.first()
        {
            self.wrong_type(extra, Kind::Text, Kind::Any);
            return None;
        }
        if texts.is_empty() {
            self.missing_slot(row, node, 2);
            return None;
        }
        let most = match (meaning, subject.as_word()) {
            (Some(Meaning::Move(_)), _) => usize::MAX,
            (Some(Meaning::Piece(_)), _) => self.declared.all_players().count(),
            (None, Some("tag")) => 2,
            _ => 1,
        };
        if texts.len() > most {
            self.extra(row.spelling, 1 + most, &texts[most..]);
            return None;
        }
        let text = || texts[0].as_text().unwrap_or_default().to_owned();
        let spelling = match (meaning, subject.as_word()) {
            (Some(Meaning::Move(rule)), _) => self.move_spelling(rule, words, texts)?,
            (Some(Meaning::Piece(piece)), _) => {
                let texts = texts.iter().filter_map(|node| node.as_text().map(str::to_owned));
                Spelling::Piece(piece, texts.collect())
            }
            (Some(Meaning::Player(player)), _) => Spelling::Player(player, text()),
            (Some(Meaning::Option(option)), _) => Spelling::Option(option, text()),
            (Some(Meaning::Definition(id)), _) if self.is_plain_condition(id) => {
                Spelling::Condition(id, text())
            }
            (None, Some("tag")) => {
                let Some(value) = texts.get(1).and_then(Node::as_text) else {
                    self.missing(row.spelling, node.head_span(), "value", Kind::Text);
                    return None;
                };
                Spelling::Tag(text(), value.to_owned())
            }
            (None, Some("position")) => Spelling::Position(self.fields(&texts[0])?),
            (None, Some(word)) if SUBJECTS.contains(&word) => {
                let known = SUBJECTS.iter().find(|known| **known == word)?;
                Spelling::Word(known, text())
            }
            _ if self.context.is_faulty => return None,
            _ => {
                let mut names = SUBJECTS.map(str::to_owned).to_vec();
                names.extend(self.declared.player_names());
                names.extend(self.declared.names_of(|meaning| {
                    matches!(meaning, Meaning::Piece(_) | Meaning::Option(_) | Meaning::Move(_))
                }));
                let wanted = "the verb of a move, a piece, a player, an option, a condition or a word such as `columns`";
                let finding = self.mismatch(Code::UnknownName, subject, wanted);
                let word = subject.as_word().unwrap_or_default();
                // A verb that is missing is missing in all notations.
                let others = SUBJECTS.map(|word| format!("`{word}`"));
                let advice = format!(
                    "besides names and verbs of the game, there are {}",
                    spelling::series(&others, "and")
                );
                self.unknown(finding, word, &names, Some(advice));
                return None;
            }
        };
        Some(Typed::Spelling(Box::new(spelling)))
    }

    /// Tests if a definition is a condition without arguments.
    fn is_plain_condition(&self, id: DefinitionId) -> bool {
        self.declared.definitions.get(id.index()).is_some_and(|entry| {
            entry.parameters.is_empty() && matches!(entry.value, Some(Value::Condition(_)))
        })
    }

    /// Checks how the moves of a rule are written: the pieces and sites of the moves that are
    /// meant, and patterns.
    fn move_spelling(&mut self, rule: MoveId, words: &[Node], texts: &[Node]) -> Option<Spelling> {
        let mut spelling = MoveSpelling {
            rule,
            pieces: Vec::new(),
            sites: Vec::new(),
            patterns: Vec::with_capacity(texts.len()),
        };
        for node in words {
            let word = node.as_word().unwrap_or_default();
            match (self.meaning(word), self.site_named(word)) {
                (Some(Meaning::Piece(piece)), _) => {
                    self.note_mention(Meaning::Piece(piece), node.span);
                    spelling.pieces.push(piece);
                }
                (_, Some(site)) => spelling.sites.push(site),
                _ => {
                    let pieces =
                        self.declared.names_of(|meaning| matches!(meaning, Meaning::Piece(_)));
                    let wanted = "a piece, a site, or a text in quotes";
                    return self.unknown_choice(node, wanted, &pieces);
                }
            }
        }
        for node in texts {
            let text = node.as_text()?;
            let help = "`{s}` stands for what the move chooses for s, `{s.column}`, `{s.row}` and `{s.piece}` for a part of it, and `[x]` for x if the move captures";
            let pattern = read_pattern(text, self.choices_of(rule).as_deref());
            spelling.patterns.push(self.read(pattern, node.span, help)?);
        }
        Some(Spelling::Move(spelling))
    }

    /// Returns what was read of a text, or reports why it was not.
    fn read<T>(&mut self, read: Result<T, String>, span: Span, help: &str) -> Option<T> {
        match read {
            Ok(read) => Some(read),
            Err(_) if self.context.is_faulty => None,
            Err(message) => {
                self.refuse(Finding::new(Code::WrongType, span, message).with_help(help))
            }
        }
    }

    fn site_named(&self, word: &str) -> Option<Site> {
        self.declared.board.as_ref()?.find(word)
    }

    /// Returns the names and roles of what a move chooses; `None` if the move has errors.
    fn choices_of(&self, rule: MoveId) -> Option<Vec<(&str, ParameterRole)>> {
        let rule = self.declared.moves.get(rule.index())?.rule.as_ref()?;
        let name = |local: Local| self.context.locals[local.index()].name.as_str();
        let parameters = rule.parameters.iter();
        Some(parameters.map(|parameter| (name(parameter.variable), parameter.role)).collect())
    }

    /// Reads the fields of a position, such as `{board} {mover} {Passed} 0`.
    fn fields(&mut self, node: &Node) -> Option<Vec<Field>> {
        let mut rest = node.as_text()?.trim();
        let mut fields = Vec::new();
        while !rest.is_empty() {
            let field = match rest.strip_prefix('{').map(|inner| inner.split_once('}')) {
                None => {
                    let (word, after) = rest.split_once(' ').unwrap_or((rest, ""));
                    rest = after.trim_start();
                    Ok(Field::Ignored(word.to_owned()))
                }
                Some(None) => Err(String::from("expected `}` after this `{`")),
                Some(Some((inner, after))) => {
                    rest = after.trim_start();
                    self.field(inner, node.span)
                }
            };
            let help = "`{board}`, `{mover}`, `{round}` and `{Memory}` stand for their values, `{Memory K=h1 Q=a1}` for letters, each for a site; anything else is written as it stands";
            fields.push(self.read(field, node.span, help)?);
        }
        Some(fields)
    }

    fn field(&mut self, inner: &str, span: Span) -> Result<Field, String> {
        let mut words = inner.split_whitespace();
        let name = words.next().unwrap_or_default();
        let letters: Vec<&str> = words.collect();
        match (name, self.meaning(name)) {
            ("board", None) => Ok(Field::Board),
            ("mover", None) => Ok(Field::Mover),
            ("round", None) => Ok(Field::Round),
            (_, Some(Meaning::Memory(memory))) => {
                self.note_mention(Meaning::Memory(memory), span);
                let holds =
                    self.declared.memories.get(memory.index()).and_then(|entry| entry.holds);
                match holds {
                    _ if letters.is_empty() => Ok(Field::Memory(memory)),
                    Some(MemoryType::Sites) => {
                        let letters = letters.iter().map(|each| self.flag(each));
                        Ok(Field::Flags(memory, letters.collect::<Result<_, _>>()?))
                    }
                    _ => {
                        Err(format!("`{name}` holds no set of sites, of which letters could speak"))
                    }
                }
            }
            _ => Err(format!("expected `board`, `mover`, `round` or a memory, found `{name}`")),
        }
    }

    /// Reads `K=h1`.
    fn flag(&self, text: &str) -> Result<(char, Site), String> {
        let site = text.split_once('=').and_then(|(letter, site)| {
            let mut letters = letter.chars();
            let letter = letters.next().filter(|_| letters.next().is_none())?;
            Some((letter, self.site_named(site)?))
        });
        site.ok_or_else(|| {
            format!("expected a letter and its site, such as `K=h1`, found `{text}`")
        })
    }
}

impl Spelling {
    fn apply(self, all: &mut Spellings) {
        match self {
            Spelling::Move(spelling) => all.moves.push(spelling),
            Spelling::Piece(piece, texts) => all.pieces.push((piece, texts)),
            Spelling::Player(player, text) => all.players.push((player, text)),
            Spelling::Option(option, text) => all.options.push((option, text)),
            Spelling::Condition(definition, text) => all.conditions.push((definition, text)),
            Spelling::Position(fields) => all.position = fields,
            Spelling::Tag(name, value) => all.tags.push((name, value)),
            Spelling::Word(word, text) => {
                let place = match word {
                    "columns" => &mut all.columns,
                    "rows" => &mut all.rows,
                    "rows-down" => &mut all.rows_down,
                    "win" => &mut all.win,
                    "line" => &mut all.line,
                    _ => &mut all.empty,
                };
                *place = Some(text);
            }
        }
    }
}
