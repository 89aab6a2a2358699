//! The manual of the language, made from the table of ludemes.
//!
//! In: the table, the kinds, the codes of findings. Out: Markdown. It refuses to say anything of a ludeme that the table does not say, or of a finding
//! that is not on its page.

use super::finding::Code;
use super::finding_pages::{Rules, advice};
use super::ludemes::{Kind, Row, TABLE};

/// Writes the manual.
///
/// ```
/// let manual = ludwright::language::manual::manual();
/// assert!(manual.contains("### `beside`"));
/// ```
pub fn manual() -> String {
    let mut text = String::from(INTRODUCTION);
    text.push_str("\n## Kinds\n\n");
    text.push_str("A signature says of every part what kind of thing it takes and, after `->`, what the whole is.\n");
    text.push_str("`name?:` may be left out, `name…:` stands once or more, and `name…?:` any number of times.\n\n");
    for kind in Kind::ALL {
        text.push_str(&format!("- **{kind}**: {}\n", kind.doc()));
    }
    let mut topic = "";
    for (index, row) in TABLE.iter().enumerate() {
        if row.topic != topic {
            topic = row.topic;
            text.push_str(&format!("\n## {topic}\n"));
        }
        // Rows that share a word and a topic share a heading.
        let follows = index.checked_sub(1).and_then(|before| TABLE.get(before));
        if follows.is_none_or(|before| before.spelling != row.spelling || before.topic != row.topic) {
            text.push_str(&format!("\n### `{}`\n", row.spelling));
        }
        text.push_str(&entry(row));
    }
    text.push_str("\n## Findings\n\n");
    text.push_str("What `ludwright check` may say of a file. A file with an error cannot be played; one with warnings can. With `--deep` it looks at many positions, too, and more warnings may come of it.\n");
    for code in Code::ALL {
        let advice = advice(*code);
        text.push_str(&format!("\n### `{}` ({})\n\n{} {}\n", code.name(), code.severity().name(), code.doc(), advice.remedy));
        text.push_str(&format!("\nWrong:\n{}\nRight:\n{}", block(&advice.wrong), block(&advice.right)));
    }
    text
}

/// An example, or what stands for one.
fn block(rules: &Rules) -> String {
    match rules {
        Rules::Made(words, _) => format!("\n{words}\n"),
        Rules::Parts(text) | Rules::Whole(text) => format!("\n```\n{text}\n```\n"),
    }
}

fn entry(row: &Row) -> String {
    format!("\n`{}`\n\n{}\n\n```\n{}\n```\n", row.signature(), row.documentation(), row.example)
}

const INTRODUCTION: &str = r#"# The language of rules

A rules file is text in UTF-8. It holds one game:

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

  (play
    (turns (choose place)))

  (end
    (for p players
      (if (>= (count (of p Stone)) 3) (win p)))
    (if (none (empty)) (draw))))
```

## How a file reads

- A **form** is a word and what belongs to it, between brackets: `(square 5)`. Spaces and line breaks between its parts are free.
- A `;` begins a comment, which runs to the end of its line.
- A **number** is whole or has a half: `5`, `0.5`. A **text** stands between double quotes; `\"` and `\\` stand for a quote and a backslash.
- A **site** is its label on the board: column letters, then the row's number, such as `a1`.
- A **direction** is one of `N`, `NE`, `E`, `SE`, `S`, `SW`, `W` and `NW`. On hexagons there is no `N` and no `S`.
- A **name** that the file declares (a player, an option, a piece, a memory, a definition, a phase) begins with a capital letter. A **variable** and a **verb** begin
  with a small one.
- A **variable** stands for one thing of a set, as in `(for p players …)` or `(to t (empty))`, and is known in what follows it there.
- Rules speak of one site at a time: *for each site t that is empty, provided that …*. A step over the edge of the board leads to **nowhere**, which is in no region and
  equals nothing; an effect upon it does nothing.
- A move is spelled by its verb and what was chosen, in order: `place c3`. A `to` right after a `from` is joined to it: `move b2-c3`.
- An option is chosen when the game is loaded, `-o Size=7`. It can shape anything, the board included.

## Games in several files

A file may take from others. **`(include "lines.game")`** in a game takes the parts of a file that holds `(definitions …)`, as though they stood in its place:

```
(definitions
  (define (Line (site s) (direction d))
    (and (in (step s d) (mine)) (in (step s (opposite d)) (mine)))))
```

**`(variant-of "noughts.game" "Large Noughts" …)`**, as a whole file, is a game that has everything of the game in that file, save what it says itself:

```
(variant-of "noughts.game" "Large Noughts"
  (default Size 5)
  (omit repetition)
  (piece Cross))
```

- A part that a game has once (players, board, setup, play, end, repetition, author and so on) replaces the base's.
- An option, a piece, a hand, a memory, a definition or a move replaces what the base has under that name, and stands in its place; others come after what the base has.
- `default` gives an option of the base another default, and `omit` leaves something out.
- The base may be a variant itself, and both may include files. A file that is included more than once is taken once.

A path is relative to the file that says it and leads downwards only: `lines.game` or `parts/lines.game`, with `/` between the names, never `..`, and never out of the folder by way of
a symbolic link. So a variant stands in the folder of its base or in one above. A file has 1 MiB at most, and a game 32 files.
"#;
