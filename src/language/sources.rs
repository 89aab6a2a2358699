//! The files of a game, concatenated to one text, so that a span identifies a file and a place in
//! it: the game's own file, the files that it includes, and the game it is a variant of.
//!
//! Files are read by a function of the caller ([`Fetch`]).

use super::finding::{Code, Edit, Finding};
use crate::syntax::{self, BracketMove, Node, SOURCE_LIMIT, Span, Tree};
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

/// The maximal number of files of a game.
pub const MAX_FILES: usize = 32;
/// The maximal total size of the files of a game, in bytes.
const MAX_BYTES: usize = 4 * SOURCE_LIMIT;

/// The concatenated texts of a game, its own file first. Cheap to clone.
///
/// ```
/// use ludwright::language::sources::{Fetched, Sources};
///
/// let main = Fetched::new("small.game", "(variant-of \"large.game\" \"Small\" (board (square 3)))");
/// let sources = Sources::gather(main, &mut |_, name| Ok(Fetched::new(name, "(game \"Large\" (board (square 9)))")));
/// assert_eq!(sources.names().collect::<Vec<_>>(), ["small.game", "large.game"]);
/// ```
#[derive(Clone, Debug)]
pub struct Sources {
    text: Arc<str>,
    files: Arc<[File]>,
    /// The files that paths in the text refer to, by the spans of the paths.
    links: Arc<HashMap<Span, usize>>,
    findings: Arc<[Finding]>,
    /// Whether the text can be parsed.
    is_parsable: bool,
    /// The parsed files, computed on first use.
    trees: Arc<OnceLock<Vec<Tree>>>,
}

#[derive(Clone, Debug)]
struct File {
    name: String,
    span: Span,
}

/// A file with its content.
#[derive(Clone, Debug)]
pub struct Fetched {
    /// Its name in findings.
    pub name: String,
    /// Identifies the file, whatever path it was requested by.
    pub key: String,
    pub text: String,
}

impl Fetched {
    /// Creates a file whose name is its key.
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Fetched {
        let name = name.into();
        Fetched { key: name.clone(), name, text: text.into() }
    }
}

/// Why a file cannot be fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FetchError {
    /// It is neither in the folder of the requesting file nor below.
    Outside,
    /// It cannot be read; the reason, in a few words.
    Unreadable(String),
    /// It has more than [`SOURCE_LIMIT`] bytes.
    TooLarge,
    /// It is not UTF-8 text.
    NotText,
}

/// Fetches a file. The arguments are the key of the requesting file and the path written in it.
pub type Fetch<'f> = &'f mut dyn FnMut(&str, &str) -> Result<Fetched, FetchError>;

impl Sources {
    /// Reads a game's file and, recursively, all files that it refers to. Failures become
    /// [`findings`](Self::findings).
    pub fn gather(main: Fetched, fetch: Fetch) -> Sources {
        let mut gathering = Gathering {
            fetch,
            text: String::new(),
            files: Vec::new(),
            keys: HashMap::new(),
            path: Vec::new(),
            links: HashMap::new(),
            findings: Vec::new(),
            trees: Vec::new(),
        };
        gathering.add(main);
        Sources {
            text: gathering.text.into(),
            files: gathering.files.into(),
            links: Arc::new(gathering.links),
            findings: gathering.findings.into(),
            is_parsable: true,
            trees: Arc::new(OnceLock::from(gathering.trees)),
        }
    }

    /// Takes a text with a name for findings; it cannot refer to other files.
    pub fn named(name: &str, text: &str) -> Sources {
        let nowhere = || FetchError::Unreadable(String::from("this text is not in a folder"));
        Sources::gather(Fetched::new(name, text), &mut |_, _| Err(nowhere()))
    }

    /// Takes a text that cannot be parsed, with the reason.
    pub fn faulty(name: impl Into<String>, text: &str, finding: Finding) -> Sources {
        let files = [File { name: name.into(), span: Span::new(0, text.len()) }];
        Sources {
            text: text.into(),
            files: files.into(),
            links: Arc::default(),
            findings: [finding].into(),
            is_parsable: false,
            trees: Arc::default(),
        }
    }

    /// Returns the concatenated text. The spans of findings and rules refer to it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the names of the files, the game's own first.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.files.iter().map(|file| file.name.as_str())
    }

    /// Returns the name of the game's own file.
    pub fn name(&self) -> &str {
        self.files.first().map_or("", |file| &file.name)
    }

    /// Returns the text of a file.
    pub fn text_of(&self, file: usize) -> &str {
        self.files.get(file).map_or("", |file| file.span.text(&self.text))
    }

    /// Returns the findings about references to files, such as a missing file or a cycle.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Returns the file that contains a span.
    pub fn file_of(&self, span: Span) -> usize {
        self.files.partition_point(|file| file.span.start <= span.start).saturating_sub(1)
    }

    /// Returns the file that contains a span, and the span relative to that file.
    pub fn place(&self, span: Span) -> (usize, Span) {
        let file = self.file_of(span);
        let start = self.files.get(file).map_or(0, |file| file.span.start);
        (file, Span::new(span.start - start, span.end - start))
    }

    /// Converts a byte offset of a file to one of the concatenated text, clamped to the end of the
    /// file.
    pub fn byte_of(&self, file: usize, byte: usize) -> usize {
        self.files.get(file).map_or(0, |file| file.span.end.min(file.span.start + byte))
    }

    /// Applies an edit within one file. The references between files are kept.
    pub fn spliced(&self, edit: &Edit) -> Sources {
        let Edit { span, text } = edit;
        let (start, end) = (span.start, span.end);
        let moved =
            |byte: usize| if byte >= end { byte - (end - start) + text.len() } else { byte };
        let before = |file: &File| file.span.end < start;
        let files = self.files.iter().map(|file| match file.span {
            _ if before(file) => file.clone(),
            Span { start: first, end: last } if first <= start => {
                File { name: file.name.clone(), span: Span::new(first, moved(last)) }
            }
            Span { start: first, end: last } => {
                File { name: file.name.clone(), span: Span::new(moved(first), moved(last)) }
            }
        });
        let links = self.links.iter().map(|(&link, &file)| match link.start < end {
            true => (link, file),
            false => (Span::new(moved(link.start), moved(link.end)), file),
        });
        let text = [self.text.get(..start), Some(text.as_str()), self.text.get(end..)]
            .map(Option::unwrap_or_default)
            .concat();
        Sources {
            text: text.into(),
            files: files.collect(),
            links: Arc::new(links.collect()),
            findings: Arc::default(),
            is_parsable: self.is_parsable,
            trees: Arc::default(),
        }
    }

    /// Appends a text that no file refers to, such as an expression typed at a prompt, as a last
    /// file. It is not part of the game: [`check`](super::check) does not read it.
    pub fn with_text(&self, name: &str, text: &str) -> Sources {
        // The trees of the game's own files are shared.
        self.trees();
        // Gives the text a first byte of its own, as `gather` does.
        let start = self.text.len() + 1;
        let file = File { name: name.to_owned(), span: Span::new(start, start + text.len()) };
        Sources {
            text: [&self.text, "\n", text].concat().into(),
            files: self.files.iter().cloned().chain([file]).collect(),
            ..self.clone()
        }
    }

    /// Groups findings by file, in the order of the files, each list in the order of its text and
    /// with spans relative to the file. The game's own file is always present. A secondary location
    /// in another file becomes a line of help.
    pub fn by_file(&self, findings: &[Finding]) -> Vec<(usize, Vec<Finding>)> {
        let mut sorted: Vec<&Finding> = findings.iter().collect();
        sorted.sort_by_key(|finding| (finding.span, finding.code));
        let mut files: Vec<(usize, Vec<Finding>)> = vec![(0, Vec::new())];
        for finding in sorted {
            let (file, finding) = self.local(finding);
            match files.iter_mut().find(|(known, _)| *known == file) {
                Some((_, findings)) => findings.push(finding),
                None => files.push((file, vec![finding])),
            }
        }
        files
    }

    fn local(&self, finding: &Finding) -> (usize, Finding) {
        let (file, span) = self.place(finding.span);
        let mut local = Finding { span, others: Box::default(), ..finding.clone() };
        for other in &finding.others {
            let (elsewhere, span) = self.place(other.span);
            if elsewhere == file {
                local.add_others([super::finding::Label { span, text: other.text.clone() }]);
                continue;
            }
            let line = self.text_of(elsewhere)[..span.start].matches('\n').count() + 1;
            let place = format!("{} ({}, line {line})", other.text, self.files[elsewhere].name);
            local.help = Some(match local.help {
                Some(help) => format!("{help}\n{place}"),
                None => place,
            });
        }
        local.fix = local.fix.and_then(|mut fix| {
            for edit in &mut fix.edits {
                let (elsewhere, span) = self.place(edit.span);
                edit.span = span;
                if elsewhere != file {
                    return None;
                }
            }
            Some(fix)
        });
        (file, local)
    }

    /// Returns the trees of all files, with spans of the concatenated text.
    pub fn trees(&self) -> &[Tree] {
        let read = |file: &File| syntax::parse(file.span.text(&self.text)).shifted(file.span.start);
        self.trees
            .get_or_init(|| self.files.iter().filter(|_| self.is_parsable).map(read).collect())
    }

    /// Finds the innermost form that contains a span and begins with one of these words.
    pub fn form_around(&self, place: Span, heads: &[&str]) -> Option<Span> {
        let mut found = None;
        let mut nodes: Vec<&Node> = self.trees().iter().flat_map(|tree| &tree.forms).collect();
        while let Some(node) = nodes.pop() {
            if node.span.start <= place.start && place.end <= node.span.end {
                if node.head().is_some_and(|(head, _)| heads.contains(&head)) {
                    found = Some(node.span);
                }
                nodes = node.as_form().into_iter().flatten().collect();
            }
        }
        found
    }

    /// Finds brackets that contradict the indentation of their file, in the first file that has
    /// any.
    pub(super) fn misplaced_brackets(&self) -> Vec<BracketMove> {
        let shifted = |file: &File, moved: BracketMove| BracketMove {
            brackets: moved.brackets.shifted(file.span.start),
            to: moved.to + file.span.start,
        };
        let in_file = |(file, tree): (&File, &Tree)| {
            let moves = tree.as_indented(file.span.text(&self.text)).into_iter();
            moves.map(|moved| shifted(file, moved)).collect()
        };
        self.files
            .iter()
            .zip(self.trees())
            .map(in_file)
            .find(|moves: &Vec<BracketMove>| !moves.is_empty())
            .unwrap_or_default()
    }

    /// Parses every file as if these brackets stood elsewhere in theirs.
    pub(super) fn trees_moving(&self, moved: BracketMove) -> Vec<Tree> {
        let read = |(file, tree): (&File, &Tree)| {
            let Span { start, end } = file.span;
            if moved.brackets.start < start
                || moved.brackets.end > end
                || moved.to < start
                || moved.to > end
            {
                return tree.clone();
            }
            let brackets = Span::new(moved.brackets.start - start, moved.brackets.end - start);
            syntax::parse_moved(
                file.span.text(&self.text),
                BracketMove { brackets, to: moved.to - start },
            )
            .shifted(start)
        };
        self.files.iter().zip(self.trees()).map(read).collect()
    }

    /// Lists the paths in a file that refer to other files, each with the file.
    pub fn links_of(&self, file: usize) -> Vec<(String, usize)> {
        let in_file = |(span, _): &(&Span, &usize)| self.file_of(**span) == file;
        let link = |(span, &to): (&Span, &usize)| {
            let tree = syntax::parse(span.text(&self.text));
            Some((tree.forms.first()?.as_text()?.to_owned(), to))
        };
        let mut links: Vec<_> = self.links.iter().filter(in_file).filter_map(link).collect();
        links.sort();
        links
    }

    /// Returns the file that the path at this span refers to.
    pub fn linked(&self, name: Span) -> Option<usize> {
        self.links.get(&name).copied()
    }
}

impl<S: AsRef<str> + ?Sized> From<&S> for Sources {
    /// Takes a text that cannot refer to other files.
    fn from(text: &S) -> Sources {
        Sources::named("", text.as_ref())
    }
}

impl From<&Sources> for Sources {
    fn from(sources: &Sources) -> Sources {
        sources.clone()
    }
}

struct Gathering<'f> {
    fetch: Fetch<'f>,
    text: String,
    files: Vec<File>,
    /// The files by their keys.
    keys: HashMap<String, usize>,
    /// The chain of references to the current file, itself included.
    path: Vec<usize>,
    links: HashMap<Span, usize>,
    findings: Vec<Finding>,
    trees: Vec<Tree>,
}

impl Gathering<'_> {
    /// Adds a file, then those that it refers to. The recursion is at most [`MAX_FILES`] deep.
    fn add(&mut self, fetched: Fetched) -> usize {
        let index = self.files.len();
        if index > 0 {
            // Gives every file a first byte of its own, even an empty one.
            self.text.push('\n');
        }
        let start = self.text.len();
        self.text.push_str(&fetched.text);
        self.files.push(File { name: fetched.name, span: Span::new(start, self.text.len()) });
        self.keys.insert(fetched.key.clone(), index);
        self.path.push(index);
        let tree = syntax::parse(&fetched.text).shifted(start);
        let named: Vec<(String, Span)> = tree
            .forms
            .iter()
            .flat_map(names)
            .filter_map(|name| Some((name.as_text()?.to_owned(), name.span)))
            .collect();
        self.trees.push(tree);
        for (path, span) in named {
            if let Some(linked) = self.link(&fetched.key, &path, span) {
                self.links.insert(span, linked);
            }
        }
        self.path.pop();
        index
    }

    fn link(&mut self, from: &str, path: &str, span: Span) -> Option<usize> {
        let fetched = match is_below(path) {
            true => (self.fetch)(from, path),
            false => Err(FetchError::Outside),
        };
        let finding = match fetched {
            Ok(fetched) if fetched.text.len() > SOURCE_LIMIT => too_large(path, span),
            Ok(fetched) => match self.keys.get(&fetched.key) {
                Some(&known) if self.path.contains(&known) => self.cycle(known, span),
                Some(&known) => return Some(known),
                None if self.files.len() == MAX_FILES => {
                    Finding::new(Code::RulesTooLarge, span, format!("expected a game of at most {MAX_FILES} files, found more"))
                }
                None if self.text.len() + fetched.text.len() > MAX_BYTES => Finding::new(
                    Code::RulesTooLarge,
                    span,
                    format!("expected a game of at most {MAX_BYTES} bytes in all its files, found more"),
                ),
                None => return Some(self.add(fetched)),
            },
            Err(FetchError::Outside) => Finding::new(Code::OutsideFolder, span, format!("`{path}` is outside the folder of this file"))
                .with_help("use a file in the same folder or below, such as `lines.game` or `parts/lines.game`"),
            Err(FetchError::Unreadable(why)) => Finding::new(Code::UnreadableFile, span, format!("cannot read `{path}`: {why}")),
            Err(FetchError::TooLarge) => too_large(path, span),
            Err(FetchError::NotText) => {
                Finding::new(Code::NotText, span, format!("`{path}` is not text in UTF-8")).with_help("save that file as UTF-8")
            }
        };
        self.findings.push(finding);
        None
    }

    fn cycle(&self, back: usize, span: Span) -> Finding {
        let from = self.path.iter().position(|&file| file == back).unwrap_or(0);
        let names: Vec<&str> = self.path[from..]
            .iter()
            .chain([&back])
            .map(|&file| self.files[file].name.as_str())
            .collect();
        Finding::new(
            Code::FileCycle,
            span,
            format!("`{}` includes itself: {}", names[0], names.join(" → ")),
        )
    }
}

fn too_large(path: &str, span: Span) -> Finding {
    Finding::new(
        Code::FileTooLarge,
        span,
        format!("`{path}` is larger than {SOURCE_LIMIT} bytes, the limit for a rules file"),
    )
}

/// Returns the paths in a top-level form that refer to other files.
fn names(form: &Node) -> Vec<&Node> {
    let Some((head, parts)) = form.head().map(|(head, _)| head).zip(form.as_form()) else {
        return Vec::new();
    };
    let named = |form: &'_ Node| {
        form.as_form().and_then(|parts| parts.get(1)).is_some_and(|name| name.as_text().is_some())
    };
    let included = parts
        .iter()
        .filter(|part| part.head().is_some_and(|(head, _)| head == "include") && named(part));
    let included = included.filter_map(|part| part.as_form()?.get(1));
    match head {
        "game" | "definitions" => included.collect(),
        "variant-of" => parts.get(1).into_iter().chain(included).collect(),
        _ => Vec::new(),
    }
}

/// Tests if a path cannot leave its folder: plain names separated by slashes.
fn is_below(path: &str) -> bool {
    let plain = |name: &str| !matches!(name, "" | "." | "..") && !name.contains(['\\', ':', '\0']);
    path.split('/').all(plain)
}
