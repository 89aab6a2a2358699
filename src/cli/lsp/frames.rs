//! Reads messages of the language server protocol from a stream.
//!
//! A reader of its own, because it must survive any input: a malformed message is answered and
//! skipped, and an oversized one is skipped without being stored.

use lsp_server::Message;
use std::io::{self, BufRead, Read};

/// Longest accepted message, in bytes; the largest rules file in JSON is smaller.
const LONGEST: u64 = 16 << 20;
/// Longest header line, in bytes.
const LONGEST_LINE: u64 = 4096;

/// A message as read.
pub enum WireMessage {
    Message(Message),
    /// Not a message; holds the reason.
    Malformed(String),
}

/// Reads the next message; `None` at the end of the stream.
///
/// # Errors
/// If the stream cannot be read, ends within a message, or has a malformed header, after
/// which the next message cannot be found.
pub fn read(from: &mut impl BufRead) -> io::Result<Option<WireMessage>> {
    let invalid = |message: String| io::Error::new(io::ErrorKind::InvalidData, message);
    let mut length = None;
    let mut line = Vec::new();
    loop {
        line.clear();
        if from.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
            return match length {
                None => Ok(None),
                Some(_) => Err(io::ErrorKind::UnexpectedEof.into()),
            };
        }
        let text = String::from_utf8_lossy(&line);
        let text = text.trim_end_matches(['\r', '\n']);
        if text.is_empty() && line.ends_with(b"\n") {
            match length {
                Some(_) => break,
                None => return Err(invalid(String::from("a message without Content-Length"))),
            }
        }
        let Some((name, value)) = text.split_once(':').filter(|_| line.ends_with(b"\n")) else {
            let shown: String = text.chars().take(60).collect();
            return Err(invalid(format!(
                "expected the header of a message, found `{}`",
                shown.escape_debug()
            )));
        };
        if name.trim().eq_ignore_ascii_case("content-length") {
            let count: u64 = value
                .trim()
                .parse()
                .map_err(|_| invalid(String::from("a Content-Length that is no number")))?;
            length = Some(count);
        }
    }
    let length = length.unwrap_or(0);
    if length > LONGEST {
        let passed = io::copy(&mut from.by_ref().take(length), &mut io::sink())?;
        return match passed == length {
            true => Ok(Some(WireMessage::Malformed(format!(
                "a message of {length} bytes; {LONGEST} is the most"
            )))),
            false => Err(io::ErrorKind::UnexpectedEof.into()),
        };
    }
    let mut body = Vec::new();
    if from.by_ref().take(length).read_to_end(&mut body)? as u64 != length {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(Some(match serde_json::from_slice(&body) {
        Ok(message) => WireMessage::Message(message),
        Err(error) => WireMessage::Malformed(error.to_string()),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anything_is_a_message_or_none() {
        let read = |text: &str| match read(&mut text.as_bytes()) {
            Ok(Some(WireMessage::Message(Message::Notification(notification)))) => {
                notification.method
            }
            Ok(Some(WireMessage::Message(_))) => String::from("a message"),
            Ok(Some(WireMessage::Malformed(_))) => String::from("malformed"),
            Ok(None) => String::from("the end"),
            Err(error) => error.to_string(),
        };
        let exit = r#"{"jsonrpc":"2.0","method":"exit"}"#;
        for (text, expected) in [
            (format!("Content-Length: {}\r\n\r\n{exit}", exit.len()), "exit"),
            (format!("Content-Type: x\ncontent-length:{}\n\n{exit}", exit.len()), "exit"),
            (String::from("Content-Length: 2\r\n\r\n{}"), "malformed"),
            (String::from("Content-Length: 2\r\n\r\n\u{e9}"), "malformed"),
            (String::from("Content-Length: 0\r\n\r\n"), "malformed"),
            (String::new(), "the end"),
            (String::from("\r\n"), "a message without Content-Length"),
            (String::from("Content-Length: x\r\n\r\n"), "a Content-Length that is no number"),
            (
                String::from("{\"method\"}"),
                "expected the header of a message, found `{\\\"method\\\"}`",
            ),
            (String::from("Content-Length: 9\r\n\r\n{}"), "unexpected end of file"),
            (String::from("Content-Length: 99999999999999\r\n\r\n{}"), "unexpected end of file"),
            (String::from("Content-Length: 5\r\n"), "unexpected end of file"),
        ] {
            assert_eq!(read(&text), expected, "{text}");
        }
    }
}
