//! Starting positions as text: options, then the same lines as after `position:` in a rule case.

use crate::engine::game::{Game, State};
use crate::language::rules::Rules;
use crate::notation::{Line, Misread, PositionText, clip};

/// A starting position that is not yet matched against a game.
///
/// ```
/// use ludwright::record::Start;
///
/// let start = Start::parse("option: Size=3\nposition:\n 3 . B .\n 2 B W .\n 1 . . .\nto move: White\n")?;
/// assert_eq!(start.options, [("Size".to_owned(), "3".to_owned())]);
/// # Ok::<(), ludwright::notation::Misread>(())
/// ```
#[derive(Clone, Debug)]
pub struct Start<'t> {
    /// Names and values of options.
    pub options: Vec<(String, String)>,
    /// The lines of the diagram and of the rest of the position.
    pub position: Vec<Line<'t>>,
}

impl<'t> Start<'t> {
    /// Reads the options and finds the beginning of the diagram, which [`Start::begin`] reads.
    ///
    /// # Errors
    /// Names the line that is not part of a starting position.
    pub fn parse(text: &'t str) -> Result<Start<'t>, Misread> {
        let lines = Line::split(text.strip_prefix('\u{feff}').unwrap_or(text));
        let mut options: Vec<(String, String)> = Vec::new();
        let mut rest = &lines[..];
        while let Some((line, after)) = rest.split_first() {
            match line.entry() {
                Some(("title", _)) => {}
                Some(("option", value)) => {
                    let found = || {
                        Misread::new(
                            line.number,
                            format!("expected `option: Name=Value`, found `{}`", clip(value)),
                        )
                    };
                    let (name, value) = value.split_once('=').ok_or_else(found)?;
                    let (name, value) = (name.trim(), value.trim());
                    if let Some((_, other)) =
                        options.iter().find(|(known, other)| known == name && other != value)
                    {
                        return Err(Misread::new(
                            line.number,
                            format!("{name} is {} here but {} above", clip(value), clip(other)),
                        ));
                    }
                    options.push((name.to_owned(), value.to_owned()));
                }
                Some(("position", "")) => {
                    rest = after;
                    break;
                }
                None if line.is_blank() => {}
                _ => break,
            }
            rest = after;
        }
        if rest.iter().all(Line::is_blank) {
            return Err(Misread::new(
                lines.len().max(1),
                "expected the rows of a diagram, found the end of the file",
            ));
        }
        Ok(Start { options, position: rest.to_vec() })
    }

    /// Returns the options of the text, with the values of these rules for options that the text
    /// lacks.
    pub fn options_under(&self, rules: &Rules) -> Vec<(String, String)> {
        let is_left =
            |option: &(String, String)| !self.options.iter().any(|(name, _)| *name == option.0);
        let left = rules.chosen_options().into_iter().filter(is_left);
        self.options.iter().cloned().chain(left).collect()
    }

    /// Starts a match at the position.
    ///
    /// # Errors
    /// Names the line that does not fit the game.
    pub fn begin(&self, game: &Game) -> Result<State, Misread> {
        begin_at(game, &self.position)
    }

    /// As [`Start::begin`], and describes the ply that was assumed if the text matches several
    /// turns.
    ///
    /// # Errors
    /// As [`Start::begin`].
    pub fn begin_assuming(&self, game: &Game) -> Result<(State, Option<String>), Misread> {
        begin_assuming(game, &self.position)
    }

    /// Writes the position of a match in the form that [`Start::parse`] reads.
    pub fn write(position: &State) -> String {
        let game = position.game();
        let options = game
            .rules()
            .options
            .iter()
            .map(|option| format!("option: {}={}\n", option.name, option.value()));
        format!(
            "{}position:\n{}",
            options.collect::<String>(),
            PositionText::of(position).write(game)
        )
    }
}

/// Starts a match at the position in `lines`.
pub(super) fn begin_at(game: &Game, lines: &[Line]) -> Result<State, Misread> {
    begin_assuming(game, lines).map(|(begun, _)| begun)
}

fn begin_assuming(game: &Game, lines: &[Line]) -> Result<(State, Option<String>), Misread> {
    let first = lines.first().map_or(1, |line| line.number);
    let position = PositionText::read_whole(game, lines)?;
    let begun = position.begin(game).map_err(|message| Misread::new(first, message))?;
    let assumption = position.assumption(&begun);
    Ok((begun, assumption))
}
