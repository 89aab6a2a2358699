//! Generates the reference manual in Markdown from the tables of kinds, ludemes and findings.

use super::finding::{Code, Rules};
use super::ludemes::{Kind, Row, TABLE};
use super::recipes::recipes;

/// Generates the manual.
///
/// ```
/// let manual = ludwright::language::manual::manual();
/// assert!(manual.contains("### `beside`"));
/// ```
pub fn manual() -> String {
    let mut text = String::from(INTRODUCTION);
    text.push_str("\n## Kinds\n\n");
    text.push_str(
        "A signature shows the type of every argument and, after `->`, the type of the result.\n",
    );
    text.push_str("`name?:` is optional, `name…:` can be repeated, and `name…?:` can be repeated or left out.\n\n");
    for kind in Kind::ALL {
        text.push_str(&format!("- **{kind}**: {}\n", kind.doc()));
    }
    let mut topic = "";
    for (index, row) in TABLE.iter().enumerate() {
        if row.topic != topic {
            topic = row.topic;
            text.push_str(&format!("\n## {topic}\n"));
        }
        // Rows with the same word and topic share a heading.
        let follows = index.checked_sub(1).and_then(|before| TABLE.get(before));
        if follows.is_none_or(|before| before.spelling != row.spelling || before.topic != row.topic)
        {
            text.push_str(&format!("\n### `{}`\n", row.spelling));
        }
        text.push_str(&entry(row));
    }
    text.push_str("\n## Recipes\n\n");
    text.push_str("How to write what has no word of its own. Each can be looked up by all of its names: `ludwright explain must capture`.\n");
    for recipe in recipes() {
        text.push_str(&format!(
            "\n### {}\n\n{}\n\n```\n{}\n```\n",
            recipe.title(),
            recipe.text,
            recipe.parts
        ));
        if let [_, others @ ..] = recipe.names
            && !others.is_empty()
        {
            text.push_str(&format!("\nAlso called: {}.\n", others.join(", ")));
        }
    }
    text.push_str("\n## Findings\n\n");
    text.push_str("The findings of `ludwright check`. A file with errors cannot be played; a file with warnings can. With `--deep` it also searches many positions, which can give more warnings.\n");
    for code in Code::ALL {
        let advice = code.advice();
        text.push_str(&format!(
            "\n### `{}` ({})\n\n{} {}\n",
            code.name(),
            code.severity().name(),
            code.doc(),
            advice.remedy
        ));
        text.push_str(&format!(
            "\nWrong:\n{}\nRight:\n{}",
            block(&advice.wrong),
            block(&advice.right)
        ));
    }
    text
}

/// Formats an example, or the description of one.
fn block(rules: &Rules) -> String {
    match rules {
        Rules::Made(words, _) => format!("\n{words}\n"),
        Rules::Parts(text) | Rules::Whole(text) => format!("\n```\n{text}\n```\n"),
    }
}

fn entry(row: &Row) -> String {
    format!(
        "\n`{}`\n\n{}\n\n```\n{}\n```\n",
        row.full_signature(),
        row.documentation(),
        row.example
    )
}

const INTRODUCTION: &str = r#"# The language of rules

A rules file is UTF-8 text. It contains one game:

```
(game "Three Stones"
  (players Black White)
  (option Size (range 3 9) 5 "Sites along each side of the board.")
  (board (square Size))
  (piece Stone)

  ; Put a stone where there is none.
  (move place
    (to t (empty))
    (put Stone t))

  (play (turns (choose place)))

  (end
    (for p players
      (if (>= (count (of p Stone)) 3) (win p)))
    (if (none (empty)) (draw))))
```

## How a file reads

- A **form** is a word and its arguments in brackets: `(square 5)`. Spaces and line breaks between arguments do not matter.
- A `;` starts a comment, which ends with the line.
- A **number** is whole or a half: `5`, `0.5`. A **text** is written between quotation marks; `\"` and `\\` stand for a quotation mark and a backslash.
- A **site** is written by its label: the column letter, then the row number, such as `a1`.
- A **direction** is one of `N`, `NE`, `E`, `SE`, `S`, `SW`, `W` and `NW`. Boards of hexagons have `N` and `S` only with `diagonals`, and then `ENE`, `ESE`, `WSW` and `WNW`, too; boards of squares have all eight between those of the compass with `leaps`.
- A **name** that the file declares (a player, an option, a piece, a memory, a definition, a phase) begins with an upper-case letter. A **variable** and a **verb** begin
  with a lower-case one.
- A **variable** stands for one element of a set, as in `(for p players …)` or `(to t (empty))`. It is known in the rest of the form or move.
- Rules are written about one site at a time: *for each site t that is empty, if …*. A step over the edge of the board leads to **nowhere**, which is in no region and
  equals nothing; an effect on it does nothing.
- A move is written as its verb and the choices in order: `place c3`. A `to` directly after a `from` is joined to it by `-`: `move b2-c3`.
- An option is set when the game is loaded, as in `-o Size=7`. Any part of the game can depend on it, including the board.

## Games in several files

A file can use others. **`(include "lines.game")`** in a game inserts the parts of a file that contains `(definitions …)`:

```
(definitions
  (define (Line (site s) (direction d))
    (and (in (step s d) (mine)) (in (step s (opposite d)) (mine)))))
```

**`(variant-of "noughts.game" "Large Noughts" …)`**, as a whole file, is a variant: it has everything of the game in the other file, except what it declares itself:

```
(variant-of "noughts.game" "Large Noughts"
  (default Size 5)
  (omit repetition)
  (piece Cross))
```

- A part that a game has only once (players, board, setup, play, end, repetition, author and so on) replaces the part of the base game.
- An option, piece, hand, memory, definition or move replaces the one of the same name in the base game, at its place; new ones are added at the end.
- `default` gives an option of the base game another default, and `omit` removes something from it.
- The base game can be a variant itself, and both can include files. A file that is included several times is inserted once.

A path is relative to the file that contains it and cannot leave its folder: `lines.game` or `parts/lines.game`, with `/` between the names, without `..`, and not out of the folder through
a symbolic link. A variant is therefore in the folder of its base game or in one above it. A file can have at most 1 MiB, and a game at most 32 files.
"#;
