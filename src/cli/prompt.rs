//! The line editor of the prompt: history, completion, hints and highlighting.

use ludwright::play::{Candidate, CompletionContext, Hint, Sense};
use ludwright::render::Room;
use ludwright::syntax::visible;
use rustyline::completion::{Completer, FilenameCompleter, Pair};
use rustyline::error::ReadlineError;
use rustyline::highlight::{CmdKind, Highlighter};
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{
    Cmd, ColorMode, CompletionType, ConditionalEventHandler, Config, Context, Editor, Event,
    EventContext, EventHandler, Helper, KeyEvent, RepeatCount,
};
use std::borrow::Cow;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use textwrap::core::display_width;

/// Number of lines in the history.
const HISTORY: usize = 1000;

/// A line editor with history, hints and completion. The history in the file has the moves of
/// earlier sessions; while the prompt runs, other lines can be recalled as well.
pub struct Prompt {
    editor: Editor<LineHelper, DefaultHistory>,
    history: Option<PathBuf>,
    words: Arc<Mutex<CompletionContext>>,
}

impl Prompt {
    /// Takes over the terminal. `history` is the file that keeps the typed moves.
    pub fn new(color: bool, history: Option<PathBuf>) -> Result<Prompt, ReadlineError> {
        let mode = if color { ColorMode::Forced } else { ColorMode::Disabled };
        let config = Config::builder()
            .completion_type(CompletionType::List)
            .completion_show_all_if_ambiguous(true)
            .color_mode(mode)
            .max_history_size(HISTORY)?
            .build();
        let mut editor = Editor::with_config(config)?;
        // If a pipe has the name of the file, opening it would block.
        let is_file = |path: &Path| path.metadata().map_or(true, |about| about.is_file());
        let history = history.filter(|path| is_file(path)).filter(|path| {
            path.parent().is_some_and(|folder| std::fs::create_dir_all(folder).is_ok())
        });
        if let Some(path) = &history {
            for line in earlier_moves(path) {
                // A line that the history rejects is left out.
                let _ = editor.add_history_entry(line);
            }
        }
        let words = Arc::default();
        editor.bind_sequence(
            KeyEvent::ctrl('C'),
            EventHandler::Conditional(Box::new(EraseHintOnInterrupt)),
        );
        editor.set_helper(Some(LineHelper {
            words: Arc::clone(&words),
            room: usize::MAX,
            columns: usize::MAX,
            files: FilenameCompleter::new(),
        }));
        Ok(Prompt { editor, history, words })
    }

    /// Size of the terminal, as far as it is free for a drawing.
    pub fn room(&mut self) -> Option<Room> {
        let (width, height) = self.editor.dimensions()?;
        // The prompt and the empty line above it take two lines.
        Some(Room { width: usize::from(width), height: usize::from(height).saturating_sub(2) })
    }

    /// Shared completion context; it may be replaced while a line is read.
    pub fn words(&self) -> Arc<Mutex<CompletionContext>> {
        Arc::clone(&self.words)
    }

    /// Reads a line, and keeps it for this session if it is worth repeating.
    pub fn read(&mut self, prompt: &str, remembered: bool) -> Result<String, ReadlineError> {
        let columns =
            self.editor.dimensions().map_or(usize::MAX, |(columns, _)| usize::from(columns));
        if let Some(typist) = self.editor.helper_mut() {
            // The cursor takes one column.
            typist.room = columns.saturating_sub(display_width(prompt) + 1);
            typist.columns = columns.saturating_sub(2).max(2);
        }
        let line = self.editor.readline(prompt)?;
        if !remembered {
            return Ok(line);
        }
        // A line that the history rejects is still a valid line.
        let _ = self.editor.add_history_entry(line.as_str());
        Ok(line)
    }

    /// Adds a move to the history in the file.
    pub fn remember(&self, line: &str) {
        let Some(path) = &self.history else { return };
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            return;
        }
        // A history that cannot be written is not worth a message.
        let _ = OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .and_then(|mut file| file.write_all(format!("{line}\n").as_bytes()));
    }
}

/// Reads the moves of earlier sessions, the latest last, and shortens a long file. A file that
/// cannot be read has none.
fn earlier_moves(path: &Path) -> Vec<String> {
    let bytes = std::fs::read(path).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<&str> =
        text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    let latest = &lines[lines.len().saturating_sub(HISTORY)..];
    if lines.len() > 2 * HISTORY {
        let _ =
            std::fs::write(path, latest.iter().map(|line| format!("{line}\n")).collect::<String>());
    }
    latest.iter().map(|&line| line.to_owned()).collect()
}

/// Handler of Ctrl-C that erases the hint of the abandoned line.
struct EraseHintOnInterrupt;

impl ConditionalEventHandler for EraseHintOnInterrupt {
    fn handle(&self, _: &Event, _: RepeatCount, _: bool, context: &EventContext) -> Option<Cmd> {
        if context.has_hint() {
            // The hint stands after the cursor; if erasing fails, it stays.
            let mut out = std::io::stdout();
            let _ = out.write_all(b"\x1b[J").and_then(|()| out.flush());
        }
        Some(Cmd::Interrupt)
    }
}

/// Completer, hinter and highlighter.
struct LineHelper {
    words: Arc<Mutex<CompletionContext>>,
    /// Columns available for the typed text and its hint.
    room: usize,
    /// Columns of the terminal, less the gap between columns of a list.
    columns: usize,
    files: FilenameCompleter,
}

impl LineHelper {
    fn words(&self) -> MutexGuard<'_, CompletionContext> {
        // The context is replaced as a whole, so a poisoned lock holds a valid one.
        self.words.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Completer for LineHelper {
    type Candidate = Pair;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<Pair>)> {
        if ["save ", "load ", "position "].iter().any(|command| line.starts_with(command)) {
            return self.files.complete_path(line, position);
        }
        let (begin, found) = self.words().candidates(line.get(..position).unwrap_or(line));
        let pair = |Candidate { text, shown }: Candidate| Pair {
            display: cut(visible::shown(&shown).into_owned(), self.columns),
            replacement: text,
        };
        Ok((begin, found.into_iter().map(pair).collect()))
    }
}

/// Cuts a text to a number of columns.
fn cut(mut text: String, columns: usize) -> String {
    if display_width(&text) <= columns {
        return text;
    }
    while display_width(&text) >= columns && text.pop().is_some() {}
    format!("{}…", text.trim_end())
}

/// A hint, cut to the width of the line.
struct Shown(Hint);

impl rustyline::hint::Hint for Shown {
    fn display(&self) -> &str {
        &self.0.shown
    }

    fn completion(&self) -> Option<&str> {
        self.0.rest.as_deref()
    }
}

impl Hinter for LineHelper {
    type Hint = Shown;

    fn hint(&self, line: &str, position: usize, _: &Context<'_>) -> Option<Shown> {
        if position < line.len() {
            return None;
        }
        let Hint { shown, rest } = self.words().hint(line)?;
        let shown = visible::shown(&shown).into_owned();
        let room = self.room.saturating_sub(display_width(line));
        if room == 0 {
            return None;
        }
        let shown = cut(shown, room);
        Some(Shown(Hint { shown, rest }))
    }
}

impl Highlighter for LineHelper {
    fn highlight<'l>(&self, line: &'l str, _: usize) -> Cow<'l, str> {
        match self.words().sense(line) {
            Sense::Move => Cow::Owned(format!("\u{1b}[32m{line}\u{1b}[0m")),
            Sense::Command => Cow::Owned(format!("\u{1b}[36m{line}\u{1b}[0m")),
            Sense::Open => Cow::Borrowed(line),
        }
    }

    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _: bool) -> Cow<'b, str> {
        Cow::Owned(format!("\u{1b}[1m{prompt}\u{1b}[0m"))
    }

    fn highlight_hint<'h>(&self, hint: &'h str) -> Cow<'h, str> {
        Cow::Owned(format!("\u{1b}[2m{hint}\u{1b}[0m"))
    }

    fn highlight_char(&self, _: &str, _: usize, _: CmdKind) -> bool {
        true
    }
}

impl Validator for LineHelper {}
impl Helper for LineHelper {}
