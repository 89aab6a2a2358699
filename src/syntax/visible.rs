//! Makes invisible and control characters visible, and shortens overlong words of messages.

use std::borrow::Cow;

/// The maximal length of a word of a message, in characters.
const LONGEST: usize = 200;
/// How many characters are kept of its beginning and of its end.
const KEPT: (usize, usize) = (60, 20);
/// The maximal length of a message, in characters.
const MOST: usize = 4_000;

/// Tests if a character is invisible or acts on the display: control characters, marks of writing
/// direction, characters without width, and separators of lines and paragraphs.
///
/// On a terminal, such characters can move the cursor, change colours, and hide or reorder text
/// (<https://www.unicode.org/reports/tr36/>).
///
/// ```
/// use ludwright::syntax::visible::is_hidden;
///
/// assert!(['\u{1b}', '\u{9b}', '\u{202e}', '\u{200b}', '\u{7f}'].into_iter().all(is_hidden));
/// assert!(!['a', ' ', 'é', '蛙', '♟'].into_iter().any(is_hidden));
/// ```
pub fn is_hidden(character: char) -> bool {
    character.is_control()
        || matches!(character,
            '\u{061c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}' | '\u{e0000}'..='\u{e007f}')
}

/// Replaces hidden characters by their escapes, such as `\u{1b}`. Line feeds and tabs are kept.
///
/// ```
/// use ludwright::syntax::visible::shown;
///
/// assert_eq!(shown("re\u{202e}d\n"), "re\\u{202e}d\n");
/// ```
pub fn shown(text: &str) -> Cow<'_, str> {
    let acts = |character: char| is_hidden(character) && !matches!(character, '\n' | '\t');
    if !text.contains(acts) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match acts(character) {
            true => shown.extend(character.escape_unicode()),
            false => shown.push(character),
        }
    }
    Cow::Owned(shown)
}

/// Shortens overlong words of a message, such as a name of a million letters.
///
/// ```
/// use ludwright::syntax::visible::shorten;
///
/// assert_eq!(shorten("there is no `Stome`"), "there is no `Stome`");
/// assert!(shorten(&format!("there is no `{}`", "é".repeat(1000))).chars().count() < 100);
/// ```
pub fn shorten(text: &str) -> Cow<'_, str> {
    // No word has more characters than bytes.
    if text.len() <= LONGEST
        || text.split(char::is_whitespace).all(|word| word.chars().nth(LONGEST).is_none())
    {
        return Cow::Borrowed(text);
    }
    let mut short = String::new();
    for word in text.split_inclusive(char::is_whitespace) {
        if word.chars().nth(LONGEST + 1).is_none() {
            short.push_str(word);
            continue;
        }
        let first = word.char_indices().nth(KEPT.0).map_or(0, |(at, _)| at);
        let last = word.char_indices().nth_back(KEPT.1).map_or(0, |(at, _)| at);
        short.extend([&word[..first], "…", &word[last..]]);
    }
    Cow::Owned(short)
}

/// Shortens the words of a message like [`shorten`], and truncates a message that is still too
/// long.
pub fn abridge(text: &str) -> Cow<'_, str> {
    let short = shorten(text);
    match short.char_indices().nth(MOST) {
        Some((end, _)) => Cow::Owned(format!("{}…", &short[..end])),
        None => short,
    }
}
