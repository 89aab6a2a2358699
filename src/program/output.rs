//! Standard output and standard error: the only module that writes to them.
//!
//! A text may contain parts of an untrusted file. Control characters, and characters that change
//! the writing direction or have no width, are printed as escapes instead of acting on the
//! terminal. The program's own colours pass: their sequences begin with [`own`], which contains a
//! random number per run, so that no file can forge it.

use ludwright::syntax::visible::is_hidden;
use std::borrow::Cow;
use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::io::{IsTerminal, StdoutLock, Write};
use std::sync::OnceLock;

/// Size of the output buffer, in bytes.
const GATHERED: usize = 1 << 16;
/// Upper bound on the length of the program's own sequences, in bytes.
const SEQUENCE: usize = 64;

/// Prefix of the program's own terminal sequences.
pub fn own() -> &'static str {
    static OWN: OnceLock<String> = OnceLock::new();
    OWN.get_or_init(|| format!("\u{1b}[{};", RandomState::new().hash_one(std::process::id())))
}

/// Marks the terminal sequences in a text as the program's own. Text from files must already be
/// escaped.
pub fn owned(drawn: &str) -> String {
    drawn.replace("\u{1b}[", own())
}

/// How characters that must not reach a terminal are escaped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As `\u{…}`, wherever the text goes: redirected output may be printed to a terminal later.
    Text,
    /// As JSON escapes, on a terminal only.
    Json,
    /// Unchanged, except on a terminal.
    Data,
}

/// Escapes a text for a terminal.
pub fn cleaned(text: &str, form: Form) -> Cow<'_, str> {
    let acts = |character: char| is_hidden(character) && !matches!(character, '\n' | '\t');
    if !text.contains(acts) {
        return Cow::Borrowed(text);
    }
    let mut cleaned = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix(own()) {
            cleaned.push_str("\u{1b}[");
            rest = after;
            continue;
        }
        rest = &rest[character.len_utf8()..];
        match form {
            _ if !acts(character) || character == '\r' && rest.starts_with('\n') => {
                cleaned.push(character)
            }
            Form::Json => {
                let units = character
                    .encode_utf16(&mut [0; 2])
                    .iter()
                    .map(|unit| format!("\\u{unit:04x}"))
                    .collect::<String>();
                cleaned.push_str(&units);
            }
            Form::Text | Form::Data => cleaned.extend(character.escape_unicode()),
        }
    }
    Cow::Owned(cleaned)
}

/// Standard output, buffered and escaped for terminals.
pub struct Out {
    to: StdoutLock<'static>,
    form: Form,
    terminal: bool,
    pending: Vec<u8>,
}

impl Out {
    /// Locks standard output.
    pub fn new(form: Form) -> Out {
        let to = std::io::stdout().lock();
        let terminal = to.is_terminal();
        Out { to, form, terminal, pending: Vec::new() }
    }

    /// Writes bytes unchanged, such as a picture, except on a terminal.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn data(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.drain(true)?;
        let form = std::mem::replace(&mut self.form, Form::Data);
        self.pending.extend_from_slice(bytes);
        let written = self.drain(true);
        self.form = form;
        written
    }

    /// Writes the buffer. Unless `all`, it keeps an incomplete character or sequence at the end.
    fn drain(&mut self, all: bool) -> std::io::Result<()> {
        let bytes = std::mem::take(&mut self.pending);
        if self.form != Form::Text && !self.terminal {
            return self.to.write_all(&bytes);
        }
        let mut rest = &bytes[..];
        if !all {
            let tail = rest.len().saturating_sub(SEQUENCE);
            let begun = rest[tail..].iter().position(|&byte| matches!(byte, b'\x1b' | b'\r'));
            let end = begun.map_or(rest.len(), |begun| tail + begun);
            self.pending.extend_from_slice(&rest[end..]);
            rest = &rest[..end];
        }
        loop {
            let (text, after) = match std::str::from_utf8(rest) {
                Ok(text) => (text, None),
                Err(error) => {
                    let (text, after) = rest.split_at(error.valid_up_to());
                    (
                        std::str::from_utf8(text).unwrap_or_default(),
                        Some((after, error.error_len())),
                    )
                }
            };
            self.to.write_all(cleaned(text, self.form).as_bytes())?;
            match after {
                None => return Ok(()),
                Some((after, None)) if !all => {
                    self.pending.splice(0..0, after.iter().copied());
                    return Ok(());
                }
                Some((after, length)) => {
                    self.to.write_all("\u{fffd}".as_bytes())?;
                    rest = &after[length.unwrap_or(after.len())..];
                }
            }
        }
    }
}

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.pending.extend_from_slice(bytes);
        if self.pending.len() >= GATHERED {
            self.drain(false)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.drain(true)?;
        self.to.flush()
    }
}

/// Writes to standard error. Failures are ignored: they cannot be reported.
pub fn say(text: &str) {
    let _ = std::io::stderr().lock().write_all(cleaned(text, Form::Text).as_bytes());
}

/// Writes JSON to standard error.
pub fn say_in_json(json: &str) {
    let mut to = std::io::stderr().lock();
    let _ = match to.is_terminal() {
        true => to.write_all(cleaned(json, Form::Json).as_bytes()),
        false => to.write_all(json.as_bytes()),
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_ours_passes() {
        let text = format!("a\u{1b}[31mb{}32mc\u{9b}d\r\ne\rf\tg\u{e0001}", own());
        assert_eq!(
            cleaned(&text, Form::Text),
            "a\\u{1b}[31mb\u{1b}[32mc\\u{9b}d\r\ne\\u{d}f\tg\\u{e0001}"
        );
        assert_eq!(cleaned("\"\u{9b}\u{e0001}\"", Form::Json), "\"\\u009b\\udb40\\udc01\"");
        assert!(matches!(cleaned("蛙 é\n", Form::Text), Cow::Borrowed(_)));
        assert_eq!(owned("\u{1b}[1m"), format!("{}1m", own()));
    }
}
