//! What the checker has to say about a file.
//!
//! In: a code, a place, words. Out: findings that the command line shows as diagnostics and writes as JSON. It refuses to know how they are drawn.

use crate::syntax::Span;
use crate::syntax::visible::{abridge, shorten};
use std::borrow::Cow;

/// How grave a finding is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// The file plays, but it probably does not say what was meant.
    Warning,
    /// The file cannot be played.
    Error,
}

impl Severity {
    /// The word for it in messages and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

macro_rules! codes {
    ($($(#[doc = $doc:literal])+ $code:ident = $name:literal $severity:ident,)*) => {
        /// What kind of finding it is. Names are stable.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code { $($(#[doc = $doc])+ $code,)* }
        impl Code {
            /// Every code there is.
            pub const ALL: &[Code] = &[$(Code::$code),*];
            /// The stable name, in kebab case.
            pub fn name(self) -> &'static str {
                match self { $(Code::$code => $name),* }
            }
            /// How grave such a finding is.
            pub fn severity(self) -> Severity {
                match self { $(Code::$code => Severity::$severity),* }
            }
            /// What the manual says of it.
            pub fn doc(self) -> String {
                match self { $(Code::$code => [$($doc.trim()),+].join(" ")),* }
            }
        }
    };
}

codes! {
    /// The file is larger than a rules file may be.
    FileTooLarge = "file-too-large" Error,
    /// The file is not text in UTF-8.
    NotText = "not-text" Error,
    /// Brackets are nested deeper than any rules need.
    NestedTooDeep = "nested-too-deep" Error,
    /// A bracket is opened and never closed.
    UnclosedBracket = "unclosed-bracket" Error,
    /// A bracket is closed that was never opened.
    StrayBracket = "stray-bracket" Error,
    /// Brackets match, but the rules make sense only if one closes elsewhere.
    MisplacedBracket = "misplaced-bracket" Error,
    /// A text has no closing quote.
    UnclosedText = "unclosed-text" Error,
    /// A character that means nothing here.
    StrayCharacter = "stray-character" Error,
    /// A number that is too large, or finer than a half.
    BadNumber = "bad-number" Error,
    /// A file that the file takes from cannot be read.
    UnreadableFile = "unreadable-file" Error,
    /// A file names another that is not in its own folder, nor in a folder there.
    OutsideFolder = "outside-folder" Error,
    /// A file takes from itself, perhaps by way of others.
    FileCycle = "file-cycle" Error,
    /// An included file has no definitions, or something besides them.
    NotDefinitions = "not-definitions" Error,
    /// The file has no game, or something besides it.
    NotAGame = "not-a-game" Error,
    /// A word that is no ludeme.
    UnknownLudeme = "unknown-ludeme" Error,
    /// A name that the file does not declare.
    UnknownName = "unknown-name" Error,
    /// A site that the board does not have.
    UnknownSite = "unknown-site" Error,
    /// An option's default is not among its values, or a value is written that it does not allow.
    BadOptionValue = "bad-option-value" Error,
    /// Something of one type stands where another is wanted.
    WrongType = "wrong-type" Error,
    /// A ludeme, definition or memory lacks an argument.
    MissingArgument = "missing-argument" Error,
    /// A ludeme, definition or memory has an argument too many.
    ExtraArgument = "extra-argument" Error,
    /// A ludeme stands where it cannot.
    Misplaced = "misplaced" Error,
    /// A part that every game needs is not there.
    MissingPart = "missing-part" Error,
    /// A part that a game has once is there twice.
    RepeatedPart = "repeated-part" Error,
    /// A name is declared twice, or is a word of the language.
    NameTaken = "name-taken" Error,
    /// A declared name begins with a small letter, or a variable or a verb with a capital.
    BadName = "bad-name" Error,
    /// A `case` has no branch for some value, two for one, or one for a value that there is not.
    CaseBranches = "case-branches" Error,
    /// A definition uses itself.
    RecursiveDefinition = "recursive-definition" Error,
    /// A number in the file grows beyond all bounds.
    NumberOverflow = "number-overflow" Error,
    /// A division by zero, or by what is not known beforehand.
    BadDivisor = "bad-divisor" Error,
    /// A half stands where only whole numbers can.
    HalfNotAllowed = "half-not-allowed" Error,
    /// A number lies outside what is allowed here.
    OutOfRange = "out-of-range" Error,
    /// The number must be known before play, from the file and its options.
    NotConstant = "not-constant" Error,
    /// The board has more sites than a board may have.
    BoardTooLarge = "board-too-large" Error,
    /// The board has no site.
    BoardEmpty = "board-empty" Error,
    /// The order of play has no ply, or goes round for ever without one.
    NoPly = "no-ply" Error,
    /// The rules go round without end before the first ply, or take too long.
    NoStart = "no-start" Error,
    /// The rules are larger than the engine can hold.
    RulesTooLarge = "rules-too-large" Error,
    /// A definition, an option, a piece, a memory, a move, a parameter or what `let` names is declared and never used, or a memory is set and never read.
    Unused = "unused" Warning,
    /// A condition is always so, or never, whatever happens.
    ConstantCondition = "constant-condition" Warning,
    /// A clause that does nothing, or says in many words what is said in fewer.
    Redundant = "redundant" Warning,
    /// A change leads a hand or a number of each site beyond its bounds, where it is held.
    Clamped = "clamped" Warning,
    /// The setup puts pieces on the board and names no player, so that all are the first player's.
    UnnamedOwner = "unnamed-owner" Warning,
    /// The setup puts a second piece on a site.
    PutTwice = "put-twice" Warning,
    /// A move can never be legal.
    NeverLegal = "never-legal" Warning,
    /// With some other value of an option than its default, there is an error.
    UnfitValue = "unfit-value" Warning,
    /// An end, or another statement, can never be come to.
    NeverReached = "never-reached" Warning,
    /// A player can be left without a move, and no rule says what happens. `check --deep` looks for it.
    NoMove = "no-move" Warning,
    /// The order of play has no turn of a player's.
    NeverActs = "never-acts" Warning,
    /// Only one player ever wins at an end that speaks of any.
    OneSided = "one-sided" Warning,
    /// A number only ever grows, so that no position comes again. `check --deep` looks for it.
    Unbounded = "unbounded" Warning,
    /// A move changes nothing and leads back to the choice that it was made at.
    LeadsBack = "leads-back" Warning,
    /// Two pieces can be put on one site by a move that chooses two.
    SameSite = "same-site" Warning,
    /// The game can go on for ever: a position can come again and again, and no rule ends it. `check --deep` looks for it.
    Endless = "endless" Warning,
}

/// A further place that helps to understand a finding.
#[derive(Clone, Debug)]
pub struct Label {
    pub span: Span,
    pub text: String,
}

/// A text in the place of another; an empty span is a place to insert it at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    pub span: Span,
    pub text: String,
}

/// A change to the text after which the finding is gone, if it is what was meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// What it does, as a request: "write `empty`".
    pub title: String,
    /// In the order of the text; no two overlap, and all are of one file.
    pub edits: Vec<Edit>,
}

impl Fix {
    /// Writes a text in the place of another.
    pub fn write(span: Span, text: impl Into<String>) -> Fix {
        let text = text.into();
        Fix { title: format!("write `{text}`"), edits: vec![Edit { span, text }] }
    }

    /// Inserts a text.
    pub fn insert(at: usize, text: impl Into<String>) -> Fix {
        let text = text.into();
        Fix { title: format!("insert `{text}`"), edits: vec![Edit { span: Span::new(at, at), text }] }
    }

    /// Takes a text away.
    pub fn delete(span: Span, what: &str) -> Fix {
        Fix { title: format!("delete {what}"), edits: vec![Edit { span, text: String::new() }] }
    }

    /// Exchanges two texts of a source.
    pub fn swap(first: Span, second: Span, source: &str) -> Fix {
        let edit = |span: Span, with: Span| Edit { span, text: with.text(source).to_owned() };
        Fix { title: String::from("exchange them"), edits: vec![edit(first, second), edit(second, first)] }
    }

    /// Makes the change to a source that its spans fit.
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

/// One thing that the checker has to say.
#[derive(Clone, Debug)]
pub struct Finding {
    pub code: Code,
    /// A full sentence without its period, in the author's words.
    pub message: String,
    /// Never empty, and within the file.
    pub span: Span,
    /// What to show at the place itself; the message serves when it is empty.
    pub label: Box<str>,
    pub others: Vec<Label>,
    pub help: Option<String>,
    /// How to mend it, where that is known.
    pub fix: Option<Box<Fix>>,
}

impl Finding {
    /// Makes a finding without help or further places.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Finding {
        Finding { code, message: message.into(), span, label: Box::default(), others: Vec::new(), help: None, fix: None }
    }

    /// Adds what to do about it.
    pub fn with_help(mut self, help: impl Into<String>) -> Finding {
        self.help = Some(help.into());
        self
    }

    /// Adds how to mend it.
    pub fn with_fix(mut self, fix: Fix) -> Finding {
        self.fix = Some(Box::new(fix));
        self
    }

    /// Adds what to show at the place itself.
    pub fn with_label(mut self, text: impl Into<String>) -> Finding {
        self.label = text.into().into_boxed_str();
        self
    }

    /// Adds a further place.
    pub fn with_other(mut self, span: Span, text: impl Into<String>) -> Finding {
        self.others.push(Label { span, text: text.into() });
        self
    }

    /// How grave it is.
    pub fn severity(&self) -> Severity {
        self.code.severity()
    }

    /// Shortens whatever it repeats of a text that nobody would read to its end. What a fix writes
    /// stays as it is.
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
