//! Findings: the diagnostics of the checker. Rendering is left to [`crate::diagnostics`] and the
//! command line.

use crate::syntax::Span;
use crate::syntax::visible::{abridge, shorten};
use std::borrow::Cow;

/// The severity of a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The file can be played, but probably contains a mistake.
    Warning,
    /// The file cannot be played.
    Error,
}

impl Severity {
    /// Returns its name in messages and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $code:ident = $name:literal $severity:ident,)*) => {
        /// The kind of a finding. Names are stable.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code { $($(#[doc = $doc])+ $code,)* }
        impl Code {
            /// All codes.
            pub const ALL: &[Code] = &[$(Code::$code),*];
            /// Returns the stable name, in kebab case.
            pub fn name(self) -> &'static str {
                match self { $(Code::$code => $name),* }
            }
            /// Returns the severity of such findings.
            pub fn severity(self) -> Severity {
                match self { $(Code::$code => Severity::$severity),* }
            }
            /// Returns the documentation of the code.
            pub fn doc(self) -> String {
                match self { $(Code::$code => [$($doc.trim()),+].join(" ")),* }
            }
        }
    };
}

codes! {
    /// The file is larger than the limit for a rules file.
    FileTooLarge = "file-too-large" Error,
    /// The file is not text in UTF-8.
    NotText = "not-text" Error,
    /// The brackets are nested too deeply.
    NestedTooDeep = "nested-too-deep" Error,
    /// A bracket is opened and never closed.
    UnclosedBracket = "unclosed-bracket" Error,
    /// A closing bracket has no opening bracket.
    StrayBracket = "stray-bracket" Error,
    /// The brackets match, but the rules only make sense if one of them closes elsewhere.
    MisplacedBracket = "misplaced-bracket" Error,
    /// A text has no closing quotation mark.
    UnclosedText = "unclosed-text" Error,
    /// A character is not allowed here.
    StrayCharacter = "stray-character" Error,
    /// A number is too large, or has a fraction other than a half.
    BadNumber = "bad-number" Error,
    /// A file that this one includes, or is a variant of, cannot be read.
    UnreadableFile = "unreadable-file" Error,
    /// A file refers to another outside its own folder and the folders in it.
    OutsideFolder = "outside-folder" Error,
    /// A file includes itself, directly or through other files.
    FileCycle = "file-cycle" Error,
    /// An included file has no definitions, or contains something else.
    NotDefinitions = "not-definitions" Error,
    /// The file has no game, or contains something else.
    NotAGame = "not-a-game" Error,
    /// A word is not a ludeme.
    UnknownLudeme = "unknown-ludeme" Error,
    /// A name is not declared.
    UnknownName = "unknown-name" Error,
    /// The board does not have this site.
    UnknownSite = "unknown-site" Error,
    /// A default is not among the values of its option, or a value is not allowed by it.
    BadOptionValue = "bad-option-value" Error,
    /// A value has another type than expected.
    WrongType = "wrong-type" Error,
    /// A ludeme, definition or memory lacks an argument.
    MissingArgument = "missing-argument" Error,
    /// A ludeme, definition or memory has too many arguments.
    ExtraArgument = "extra-argument" Error,
    /// A ludeme is not allowed here.
    Misplaced = "misplaced" Error,
    /// A part that every game needs is missing.
    MissingPart = "missing-part" Error,
    /// A part that a game has only once appears twice.
    RepeatedPart = "repeated-part" Error,
    /// A name is declared twice, or is a word of the language.
    NameTaken = "name-taken" Error,
    /// A declared name begins with a lower-case letter, or a variable or a verb with an upper-case
    /// one.
    BadName = "bad-name" Error,
    /// A diagram in `setup` does not fit the board, or has a symbol that is no piece's.
    BadDiagram = "bad-diagram" Error,
    /// A `case` has no branch for some value, two for one, or one for a value that does not exist.
    CaseBranches = "case-branches" Error,
    /// A definition uses itself.
    RecursiveDefinition = "recursive-definition" Error,
    /// A move asks by `can` if it is legal itself, directly or through other moves.
    RecursiveCan = "recursive-can" Error,
    /// A number in the file is too large.
    NumberOverflow = "number-overflow" Error,
    /// A division by zero, or by a number that is not known before play.
    BadDivisor = "bad-divisor" Error,
    /// A half is used where only whole numbers are allowed.
    HalfNotAllowed = "half-not-allowed" Error,
    /// A number is outside the range that is allowed here.
    OutOfRange = "out-of-range" Error,
    /// A value must be known before play, from the file and its options.
    NotConstant = "not-constant" Error,
    /// The board has more sites than allowed.
    BoardTooLarge = "board-too-large" Error,
    /// The board has no sites.
    BoardEmpty = "board-empty" Error,
    /// The order of play has no ply, or repeats for ever without one.
    NoPly = "no-ply" Error,
    /// The rules never reach the first ply, or take too long.
    NoStart = "no-start" Error,
    /// In some positions the rules never reach the next ply, or take too long.
    NoNextPly = "no-next-ply" Error,
    /// A word needs the direction in which a player plays, and he has none, or none of this kind.
    NoSide = "no-side" Error,
    /// The rules are larger than the engine can hold.
    RulesTooLarge = "rules-too-large" Error,
    /// A definition, option, piece, memory, move, parameter or `let` variable is never used, or a
    /// memory is set and never read.
    Unused = "unused" Warning,
    /// A condition is always true or always false.
    ConstantCondition = "constant-condition" Warning,
    /// A clause has no effect, or can be written more briefly.
    Redundant = "redundant" Warning,
    /// A change would take a hand or a number per site beyond its bounds, where it stops.
    Clamped = "clamped" Warning,
    /// A loop over numbers ends before a number that its rounds are compared with.
    LoopTooShort = "loop-too-short" Warning,
    /// The setup puts pieces on the board without an owner, so all of them belong to the first
    /// player.
    UnnamedOwner = "unnamed-owner" Warning,
    /// The setup puts a second piece on a site.
    PutTwice = "put-twice" Warning,
    /// A move can never be legal.
    NeverLegal = "never-legal" Warning,
    /// There is an error with another value of an option than its default.
    UnfitValue = "unfit-value" Warning,
    /// An end, or another statement, is never reached.
    NeverReached = "never-reached" Warning,
    /// A player can have no legal move, and no rule says what happens then. Found by `check
    /// --deep`.
    NoMove = "no-move" Warning,
    /// The order of play never gives a player a turn.
    NeverActs = "never-acts" Warning,
    /// An end is written for any player, but only one player can win by it.
    OneSided = "one-sided" Warning,
    /// A number only grows, so no position ever repeats. Found by `check --deep`.
    Unbounded = "unbounded" Warning,
    /// A move changes nothing and leads back to the same choice.
    LeadsBack = "leads-back" Warning,
    /// A move chooses two sites that can be the same, and puts a piece on each.
    SameSite = "same-site" Warning,
    /// The game can go on for ever: positions can repeat, and no rule ends it. Found by `check
    /// --deep`.
    Endless = "endless" Warning,
}

/// A secondary location of a finding, with a text.
#[derive(Clone, Debug)]
pub struct Label {
    pub span: Span,
    pub text: String,
}

/// Replaces a span by a text; an empty span inserts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    pub span: Span,
    pub text: String,
}

/// A suggested change that removes the finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does, in the imperative: "write `empty`".
    pub title: String,
    /// In the order of the text, without overlaps, all in one file.
    pub edits: Vec<Edit>,
}

impl Fix {
    /// Replaces a span.
    pub fn write(span: Span, text: impl Into<String>) -> Fix {
        let text = text.into();
        Fix { title: format!("write `{text}`"), edits: vec![Edit { span, text }] }
    }

    /// Inserts a text.
    pub fn insert(at: usize, text: impl Into<String>) -> Fix {
        let text = text.into();
        Fix {
            title: format!("insert `{text}`"),
            edits: vec![Edit { span: Span::new(at, at), text }],
        }
    }

    /// Deletes a span.
    pub fn delete(span: Span, what: &str) -> Fix {
        Fix { title: format!("delete {what}"), edits: vec![Edit { span, text: String::new() }] }
    }

    /// Swaps two spans of a source.
    pub fn swap(first: Span, second: Span, source: &str) -> Fix {
        let edit = |span: Span, with: Span| Edit { span, text: with.text(source).to_owned() };
        Fix {
            title: String::from("swap them"),
            edits: vec![edit(first, second), edit(second, first)],
        }
    }

    /// Applies the edits to a source.
    ///
    /// ```
    /// use ludwright::{language::finding::Fix, syntax::Span};
    ///
    /// assert_eq!(Fix::write(Span::new(1, 5), "empty").applied("(emty)"), "(empty)");
    /// ```
    pub fn applied(&self, source: &str) -> String {
        let mut text = String::with_capacity(source.len());
        let mut from = 0;
        for edit in &self.edits {
            text.push_str(source.get(from..edit.span.start).unwrap_or_default());
            text.push_str(&edit.text);
            from = edit.span.end;
        }
        text + source.get(from..).unwrap_or_default()
    }
}

/// A diagnostic of the checker.
#[derive(Clone, Debug)]
pub struct Finding {
    pub code: Code,
    /// A full sentence without its period, with the author's words.
    pub message: String,
    /// Never empty, and within the file.
    pub span: Span,
    /// The text at the span; if empty, the message is shown there.
    pub label: Box<str>,
    pub others: Vec<Label>,
    pub help: Option<String>,
    /// How to correct it, where that is known.
    pub fix: Option<Box<Fix>>,
}

impl Finding {
    /// Creates a finding without help and secondary locations.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Finding {
        Finding {
            code,
            message: message.into(),
            span,
            label: Box::default(),
            others: Vec::new(),
            help: None,
            fix: None,
        }
    }

    /// Adds advice.
    pub fn with_help(mut self, help: impl Into<String>) -> Finding {
        self.help = Some(help.into());
        self
    }

    /// Adds a fix.
    pub fn with_fix(mut self, fix: Fix) -> Finding {
        self.fix = Some(Box::new(fix));
        self
    }

    /// Sets the text at the span.
    pub fn with_label(mut self, text: impl Into<String>) -> Finding {
        self.label = text.into().into_boxed_str();
        self
    }

    /// Adds a secondary location.
    pub fn with_other(mut self, span: Span, text: impl Into<String>) -> Finding {
        self.others.push(Label { span, text: text.into() });
        self
    }

    /// Returns the severity of its code.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// Shortens overlong quotations of the source. The texts that a fix writes are kept.
    pub(crate) fn shortened(mut self) -> Finding {
        let short = |text: &mut String| {
            if let Cow::Owned(short) = shorten(text) {
                *text = short;
            }
        };
        if let Cow::Owned(short) = abridge(&self.message) {
            self.message = short;
        }
        self.help.iter_mut().for_each(short);
        self.others.iter_mut().for_each(|other| short(&mut other.text));
        self.fix.iter_mut().for_each(|fix| short(&mut fix.title));
        if let Cow::Owned(short) = abridge(&self.label) {
            self.label = short.into();
        }
        self
    }
}
