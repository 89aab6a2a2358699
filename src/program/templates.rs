//! Small games to begin with.

/// Placeholder for the title in templates.
pub const NAME: &str = "NAME";

/// A game to begin with.
#[cfg_attr(not(feature = "studio"), expect(dead_code))]
pub struct Template {
    pub name: &'static str,
    pub title: &'static str,
    /// The course of the game, in a sentence.
    pub summary: &'static str,
    pub game: &'static str,
    pub case: &'static str,
}

/// Lists templates with their texts.
macro_rules! templates {
    ($($name:literal, $title:literal, $summary:literal;)*) => {
        [$(Template {
            name: $name,
            title: $title,
            summary: $summary,
            game: include_str!(concat!("../templates/", $name, ".game")),
            case: include_str!(concat!("../templates/", $name, ".case")),
        }),*]
    };
}

/// All templates, the simplest first, in the order of [`crate::program::arguments::Like`].
pub const TEMPLATES: [Template; 3] = templates! {
    "placement", "Placing stones", "Two players place stones in turn; three in a row win.";
    "movement", "Moving pieces", "Runners step forward; the first to reach the far row wins.";
    "capture", "Capturing pieces",
        "Guards capture diagonally; whoever captures all of the other's wins.";
};

/// A nearly blank game, to extend by hand or with recipes.
#[cfg(feature = "studio")]
const BLANK: Template = Template {
    name: "blank",
    title: "A blank page",
    summary: "Players, a board and a piece; write the rest, or put recipes in.",
    game: include_str!("../templates/blank/blank.game"),
    case: "",
};

/// Lists the templates that the studio offers for a new game.
#[cfg(feature = "studio")]
pub fn beginnings() -> impl Iterator<Item = &'static Template> {
    std::iter::once(&BLANK).chain(&TEMPLATES)
}

/// Returns the rules of a template with a title.
#[cfg(feature = "studio")]
pub fn named(template: &Template, title: &str) -> String {
    let title = self::title(title).unwrap_or_else(|| template.title.to_owned());
    template.game.replacen(NAME, &title, 1)
}

/// Makes a capitalized title from a file name. `None` if the name has no letter or digit, or has a
/// control character.
pub fn title(stem: &str) -> Option<String> {
    if stem.chars().any(char::is_control) || !stem.chars().any(char::is_alphanumeric) {
        return None;
    }
    let words = stem.split(['-', '_', ' ']).filter(|word| !word.is_empty()).map(|word| {
        let mut letters = word.chars();
        letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect::<String>()
    });
    let title = words.collect::<Vec<String>>().join(" ");
    Some(title.replace('\\', "\\\\").replace('"', "\\\""))
}
