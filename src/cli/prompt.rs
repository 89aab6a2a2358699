//! The line that somebody types at a terminal, with what it may become.

use ludwright::render::Room;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};

/// A prompt that remembers what was typed and completes words.
pub struct Prompt {
    editor: Editor<Words, DefaultHistory>,
}

impl Prompt {
    /// Takes over the terminal.
    pub fn new() -> Result<Prompt, ReadlineError> {
        let config = Config::builder().completion_type(CompletionType::List).build();
        let mut editor = Editor::with_config(config)?;
        editor.set_helper(Some(Words::default()));
        Ok(Prompt { editor })
    }

    /// How much room the terminal has now.
    pub fn room(&mut self) -> Option<Room> {
        let (width, height) = self.editor.dimensions()?;
        // The prompt itself takes a line, and an empty one is above it.
        Some(Room { width: usize::from(width), height: usize::from(height).saturating_sub(2) })
    }

    /// Reads a line that may begin with one of the words.
    pub fn read(&mut self, prompt: &str, words: Vec<String>) -> Result<String, ReadlineError> {
        self.editor.set_helper(Some(Words { words }));
        let line = self.editor.readline(prompt)?;
        // The history is a convenience: a line that it does not take is no loss.
        let _ = self.editor.add_history_entry(line.as_str());
        Ok(line)
    }
}

/// What a line may begin with.
#[derive(Default)]
struct Words {
    words: Vec<String>,
}

impl Completer for Words {
    type Candidate = String;

    fn complete(&self, line: &str, position: usize, _: &Context<'_>) -> rustyline::Result<(usize, Vec<String>)> {
        let typed = line.get(..position).unwrap_or(line);
        let fitting = self.words.iter().filter(|word| word.starts_with(typed));
        Ok((0, fitting.cloned().collect()))
    }
}

impl Hinter for Words {
    type Hint = String;
}

impl Highlighter for Words {}
impl Validator for Words {}
impl Helper for Words {}
