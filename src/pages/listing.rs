//! The text of the rules, cut into numbered segments at the ends of clauses, so that a page can
//! highlight any clause.

use super::escaped;
use crate::language::sources::Sources;
use crate::syntax::Span;
use std::collections::{BTreeSet, HashMap};
use std::fmt::Write;
use std::ops::Range;

/// The rules of a game as HTML, and the segments of each clause.
pub struct Listing {
    pub html: String,
    segments: HashMap<Span, Range<usize>>,
}

impl Listing {
    /// Cuts the rules at both ends of each clause. A segment has the attribute `data-segment`; line
    /// breaks and the indentation after them belong to no segment.
    pub fn new(sources: &Sources, clauses: &[Span]) -> Listing {
        let places: Vec<(Span, usize, Span)> = clauses
            .iter()
            .map(|&clause| {
                let (file, place) = sources.place(clause);
                (clause, file, place)
            })
            .collect();
        let mut html = String::new();
        let mut segments = HashMap::new();
        let mut number = 0;
        let several = sources.names().len() > 1;
        for (file, name) in sources.names().enumerate() {
            if several {
                let _ = writeln!(html, "<h4>{}</h4>", escaped(name));
            }
            let own: Vec<&(Span, usize, Span)> =
                places.iter().filter(|(_, of, _)| *of == file).collect();
            let cuts: BTreeSet<usize> =
                own.iter().flat_map(|(_, _, place)| [place.start, place.end]).collect();
            // The first byte of every segment, by number.
            let mut starts = Vec::new();
            let first = number;
            html.push_str("<div class=\"listing\">");
            let mut at = 0;
            for (line, text) in (1..).zip(sources.text_of(file).split_inclusive('\n')) {
                let content = text.trim_end_matches(['\n', '\r']);
                let indent = content.len() - content.trim_start().len();
                let _ = write!(
                    html,
                    "<div class=\"line\"><span class=\"number\">{line}</span><code>{}",
                    escaped(&content[..indent])
                );
                let end = at + content.len();
                let mut from = at + indent;
                while from < end {
                    let to = cuts.range(from + 1..end).next().copied().unwrap_or(end);
                    let shown = content.get(from - at..to - at).unwrap_or_default();
                    let _ =
                        write!(html, "<span data-segment=\"{number}\">{}</span>", escaped(shown));
                    starts.push(from);
                    number += 1;
                    from = to;
                }
                html.push_str("</code></div>");
                at += text.len();
            }
            html.push_str("</div>\n");
            for (clause, _, place) in own {
                let begin = first + starts.partition_point(|&start| start < place.start);
                let end = first + starts.partition_point(|&start| start < place.end);
                segments.insert(*clause, begin..end);
            }
        }
        Listing { html, segments }
    }

    /// Returns the numbers of the segments of a clause.
    pub fn segments(&self, clause: Span) -> Range<usize> {
        self.segments.get(&clause).cloned().unwrap_or_default()
    }
}
