//! Formats the result of a comparison as text.

use super::place::locate;
use crate::program::console::Console;
use crate::program::failure::Failure;
use crate::program::game::Loaded;
use crate::program::schema::print;
use ludwright::answers::difference::{Pair, lines};
use ludwright::compare::{
    Comparison, Difference, Incompatible, Incomplete, Names, Namespace, Reason, ToldStory, reasons,
};
use ludwright::language::rules::Rules;
use ludwright::notation::{counted, grouped, list};
use ludwright::render::diagram;
use std::io::Write;
use std::path::Path;
use unicode_width::UnicodeWidthStr;

/// At most this many lines of a kind are printed; the rest are counted.
const MOST: usize = 10;
/// Boards are printed side by side if they fit into this many columns.
const WIDTH: usize = 100;

/// The two games and their names in messages.
pub struct Report<'l> {
    sides: &'l [Loaded; 2],
    pair: Pair<'l>,
    /// Distinct short names: file names if they differ, else paths or options.
    names: [String; 2],
}

impl<'l> Report<'l> {
    /// Chooses the names.
    pub fn new(paths: [&Path; 2], sides: &'l [Loaded; 2]) -> Report<'l> {
        let files = paths.map(|path| path.display().to_string());
        let short = paths.map(|path| {
            path.file_name().map_or_else(
                || path.display().to_string(),
                |name| name.to_string_lossy().into_owned(),
            )
        });
        let names = match () {
            _ if short[0] != short[1] => short,
            _ if files[0] != files[1] => files.clone(),
            _ => [0, 1].map(|side| format!("{}{}", short[side], differing(sides, side))),
        };
        let names = if names[0] == names[1] {
            ["the left one".to_owned(), "the right one".to_owned()]
        } else {
            names
        };
        let pair = Pair { files, sides: sides.each_ref().map(|side| (&side.source, &side.game)) };
        Report { sides, pair, names }
    }

    fn rules(&self, side: usize) -> &Rules {
        self.pair.rules(side)
    }

    /// Reports that boards or players differ, so that no positions can be compared.
    pub fn apart(
        &self,
        apart: &Incompatible,
        help: Option<&str>,
        console: &Console,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        if console.json() {
            return print(&self.pair.answer_apart(apart, help), out);
        }
        self.heading(out)?;
        writeln!(out, "They differ before the first ply: {apart}.")?;
        if let Some(help) = help {
            writeln!(out, "  help: {help}")?;
        }
        Ok(())
    }

    /// Writes the result of the comparison.
    pub fn write(
        &mut self,
        names: &Names,
        found: &Comparison,
        matched: bool,
        console: &Console,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        if console.json() {
            return print(&self.pair.answer(names, found), out);
        }
        self.heading(out)?;
        for renaming in names.renamings() {
            writeln!(
                out,
                "`{}` on the left is matched with `{}` on the right.",
                renaming.left, renaming.right
            )?;
        }
        let Some(difference) = &found.difference else {
            return Ok(write!(out, "{}", agreement(found) + &self.unshown(names))?);
        };
        writeln!(out, "{}", distance(difference, found))?;
        self.record(difference, out)?;
        write!(out, "\n{}\n", self.boards(difference))?;
        self.divergence(difference, out)?;
        // An excerpt already ends with an empty line.
        let mut space = "\n";
        for reason in reasons(names, difference) {
            write!(out, "{space}")?;
            self.reason(&reason, console, out)?;
            space = if matches!(reason, Reason::Move { .. }) { "" } else { "\n" };
        }
        if let Some(help) = self.help(names, matched) {
            writeln!(out, "{space}{help}")?;
        }
        Ok(())
    }

    fn heading(&self, out: &mut dyn Write) -> Result<(), Failure> {
        for (side, name) in ["left: ", "right:"].into_iter().enumerate() {
            let options = self
                .rules(side)
                .options
                .iter()
                .map(|option| format!("{}={}", option.name, option.value()));
            let options: Vec<String> = options.collect();
            let options =
                if options.is_empty() { String::new() } else { format!(", {}", options.join(" ")) };
            writeln!(out, "{name} {}, {}{options}", self.pair.files[side], self.rules(side).title)?;
        }
        Ok(writeln!(out)?)
    }

    /// Lists the plies and their players.
    fn record(&self, difference: &Difference, out: &mut dyn Write) -> Result<(), Failure> {
        let spelled = [&difference.left, &difference.right].map(lines);
        let widest = spelled[0].iter().map(|(mover, _)| mover.width()).max().unwrap_or(0);
        for (index, ((mover, ply), (_, other))) in spelled[0].iter().zip(&spelled[1]).enumerate() {
            let renamed =
                if ply == other { String::new() } else { format!("  ({other} on the right)") };
            writeln!(
                out,
                "{:>4}. {mover}{}  {ply}{renamed}",
                index + 1,
                " ".repeat(widest - mover.width())
            )?;
        }
        Ok(())
    }

    /// Formats both boards, side by side if they fit.
    fn boards(&self, difference: &Difference) -> String {
        let drawn = [&difference.left, &difference.right].map(diagram);
        let texts = [0, 1].map(|side| format!("{}\n{}", self.names[side], drawn[side]));
        let widest = texts[0].lines().map(UnicodeWidthStr::width).max().unwrap_or(0);
        if widest + 4 + texts[1].lines().map(UnicodeWidthStr::width).max().unwrap_or(0) > WIDTH {
            return format!("{}\n{}", texts[0], texts[1]);
        }
        // Aligns the text below the boards.
        let heights =
            [0, 1].map(|side| texts[side].lines().take_while(|line| !line.is_empty()).count());
        let parts = [0, 1].map(|side| {
            let mut lines: Vec<&str> = texts[side].lines().collect();
            let divergence = heights.iter().max().unwrap_or(&0) - heights[side];
            lines.splice(heights[side]..heights[side], std::iter::repeat_n("", divergence));
            lines
        });
        let rows = (0..parts[0].len().max(parts[1].len())).map(|row| {
            let [left, right] =
                [0, 1].map(|side| parts[side].get(row).copied().unwrap_or_default());
            format!("{left}{}{right}", " ".repeat(widest + 4 - left.width())).trim_end().to_owned()
                + "\n"
        });
        rows.collect()
    }

    /// Lists the differences, one per line.
    fn divergence(&self, difference: &Difference, out: &mut dyn Write) -> Result<(), Failure> {
        let divergence = &difference.divergence;
        let mut lines = Vec::new();
        let mut say = |what: &str, values: &[String; 2]| {
            lines.push(format!(
                "{what}: {} in {}, {} in {}",
                values[0], self.names[0], values[1], self.names[1]
            ));
        };
        divergence.result.iter().for_each(|values| say("result", values));
        divergence.turn.iter().for_each(|values| say("to act", values));
        divergence.sites.iter().take(MOST).for_each(|(site, values)| say(site, values));
        divergence.memories.iter().for_each(|(name, values)| say(name, values));
        if divergence.sites.len() > MOST {
            lines.push(format!("and {} more sites", divergence.sites.len() - MOST));
        }
        for (side, only) in [&divergence.only_left, &divergence.only_right]
            .into_iter()
            .enumerate()
            .filter(|(_, only)| !only.is_empty())
        {
            let mut shown: Vec<String> =
                only.iter().take(MOST).map(|ply| format!("`{ply}`")).collect();
            if only.len() > MOST {
                shown.push(format!("{} more", only.len() - MOST));
            }
            lines.push(format!("legal in {} only: {}", self.names[side], list(&shown, "and")));
        }
        for line in lines {
            writeln!(out, "{line}")?;
        }
        Ok(())
    }

    fn reason(
        &self,
        reason: &Reason,
        console: &Console,
        out: &mut dyn Write,
    ) -> Result<(), Failure> {
        match reason {
            Reason::Move { answers, .. } => {
                for (side, answer) in answers.iter().enumerate() {
                    write!(
                        out,
                        "{}:\n{}",
                        self.names[side],
                        console.answer(&self.sides[side].source, answer)
                    )?;
                }
            }
            Reason::Stories(told) => {
                for (side, told) in told.iter().enumerate() {
                    write!(out, "{}", self.story(side, told))?;
                }
                writeln!(out, "Lines marked `>` differ between the two sides.")?;
            }
            Reason::Asked(clauses) => {
                for (side, clause) in clauses.iter().enumerate() {
                    let Some(clause) = clause else { continue };
                    let place = locate(*clause, self.rules(side), &self.sides[side].source);
                    writeln!(out, "{} chooses the next ply at {place}", self.names[side])?;
                }
            }
        }
        Ok(())
    }

    /// Describes a ply on one side, and marks what happens on this side only.
    fn story(&self, side: usize, told: &ToldStory) -> String {
        let ToldStory { story, differs } = told;
        let played = match story.played.is_empty() {
            true => "the setup".to_owned(),
            false => format!("`{}`", story.played),
        };
        let mut text = format!("{played} in {}:\n", self.names[side]);
        for ((happening, news), &differs) in story.happenings.iter().zip(story.news()).zip(differs)
        {
            let of = news.map(|news| format!(" ({news})")).unwrap_or_default();
            let so = if happening.holds { "" } else { "does not hold: " };
            let mark = if differs { '>' } else { ' ' };
            let place = locate(happening.span, self.rules(side), &self.sides[side].source);
            text.push_str(&format!("    {mark} {place}: {so}{}{of}\n", happening.text));
        }
        if story.happenings.is_empty() {
            text.push_str("      nothing happens\n");
        }
        text
    }

    /// Names the memories that could not be compared.
    fn unshown(&self, names: &Names) -> String {
        let mut text = String::new();
        for (side, name) in self.names.iter().enumerate() {
            let own = names.unmatched().iter().filter(|unmatched_name| {
                unmatched_name.sort == Namespace::Memory && unmatched_name.is_left == (side == 0)
            });
            let own: Vec<String> =
                own.map(|unmatched_name| format!("`{}`", unmatched_name.name)).collect();
            if !own.is_empty() {
                text.push_str(&format!(
                    "Not compared: {}, which only {name} has.\n",
                    list(&own, "and")
                ));
            }
        }
        text
    }

    /// Lists the names that only one file has, and suggests how to match them.
    fn help(&self, names: &Names, matched: bool) -> Option<String> {
        let mut said = Vec::new();
        let mut pair = None;
        for sort in Namespace::ALL {
            let [left, right] = [true, false].map(|is_left| {
                let own = names.unmatched().iter().filter(|unmatched_name| {
                    unmatched_name.sort == sort && unmatched_name.is_left == is_left
                });
                own.map(|unmatched_name| unmatched_name.name.as_str()).collect::<Vec<&str>>()
            });
            let only = |own: &[&str], others: &[&str]| {
                own.iter()
                    .filter(|name| !others.contains(name))
                    .map(|name| format!("`{name}`"))
                    .collect()
            };
            let only: [Vec<String>; 2] = [only(&left, &right), only(&right, &left)];
            let many = match sort {
                Namespace::Memory => "memories".to_owned(),
                _ => format!("{}s", sort.name()),
            };
            for (side, own) in only.iter().enumerate().filter(|(_, own)| !own.is_empty()) {
                let sort = if own.len() > 1 { &many } else { sort.name() };
                said.push(format!(
                    "Only {} has the {sort} {}.",
                    self.names[side],
                    list(own, "and")
                ));
            }
            let unlike: Vec<String> = left
                .iter()
                .filter(|name| right.contains(name))
                .map(|name| format!("`{name}`"))
                .collect();
            if !unlike.is_empty() {
                said.push(format!(
                    "Both have the {} {}, but declared differently.",
                    if unlike.len() > 1 { &many } else { sort.name() },
                    list(&unlike, "and")
                ));
            }
            if let (None, [left, ..], [right, ..]) = (&pair, &only[0][..], &only[1][..]) {
                pair =
                    Some((left.trim_matches('`').to_owned(), right.trim_matches('`').to_owned()));
            }
        }
        if let Some((left, right)) = pair.filter(|_| !matched) {
            let rename = format!(
                "If they are the same under two names, match them with `--rename {left}={right}`"
            );
            said.push(format!("{rename}; `--match-names` finds all matching names."));
        }
        (!said.is_empty()).then(|| said.join("\n"))
    }
}

/// Options with different values in two games from one file.
fn differing(sides: &[Loaded; 2], side: usize) -> String {
    let [own, other] = [side, 1 - side].map(|side| &sides[side].game.rules().options);
    let differ = own.iter().zip(other).filter(|(own, other)| own.chosen != other.chosen);
    let differ: Vec<String> =
        differ.map(|(own, _)| format!("{}={}", own.name, own.values[own.chosen])).collect();
    if differ.is_empty() { String::new() } else { format!(" with {}", differ.join(" ")) }
}

/// Describes how far two games agree.
fn agreement(found: &Comparison) -> String {
    let positions = grouped(found.positions);
    if found.is_same() {
        let all = if found.positions == 1 {
            "the only position".to_owned()
        } else {
            format!("all {positions} reachable positions")
        };
        let agree = if found.positions == 1 { "agrees" } else { "agree" };
        let chance =
            "(Positions were compared by 128-bit hashes; the probability of a collision is below";
        return format!(
            "They are the same game: {all} {agree}.\n{chance} 2^{:.0}.)\n",
            found.confusion().ceil()
        );
    }
    let searched = match found.positions {
        0 => "No position was searched".to_owned(),
        _ => format!("No difference in {positions} positions up to depth {}", found.depth),
    };
    let average = found.plies as f64 / f64::from(found.games.max(1));
    let games = match found.games {
        0 => String::new(),
        1 => format!(", nor in 1 random game of {} plies", found.plies),
        games => format!(
            ", nor in {} random games of {average:.1} plies on average",
            grouped(games.into())
        ),
    };
    let more = match found.short {
        Some(Incomplete::OfMemory) => {
            "The search ran out of memory; raise the limit with `--memory`."
        }
        Some(Incomplete::OfPositions) => {
            "The search ran out of positions; raise the limit with `--positions`."
        }
        _ => "The search ran out of time; raise the limit with `--time`.",
    };
    format!("{searched}{games}.\n{more}\n")
}

/// Describes after how many plies two games differ.
fn distance(difference: &Difference, found: &Comparison) -> String {
    let plies = |count: usize| counted(count as u64, "ply");
    match difference.left.ply_count() {
        0 => "They differ in the first position.".to_owned(),
        count if difference.is_shortest => {
            format!("They differ after {}; no shorter sequence tells them apart.", plies(count))
        }
        count => format!(
            "They differ after {}. A shorter sequence may exist, but none of {} or fewer.",
            plies(count),
            plies(found.depth as usize)
        ),
    }
}
