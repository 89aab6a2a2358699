//! Comparison of the reports of several variants.

use super::html::body;
use super::json::ReportAnswer;
use super::overview::equals;
use super::text::wrapped;
use super::{interval, summary, value, with_interval};
use crate::measure::report::{Figure, Report, best_play};
use crate::measure::statistics::Estimate;
use crate::measure::sweep::{Difference, FigureRow, differences, rows};
use crate::measure::{Fairness, VariantFairness};
use crate::notation::list;
use crate::pages::{PageKind, escaped, page};
use serde::Serialize;
use serde_json::Value;
use std::fmt::Write;

/// Identifies JSON as a sweep.
pub const SCHEMA: &str = "ludwright-sweep";

/// The most variants side by side on a page.
const COLUMNS: usize = 3;

/// The most differences in the brief text.
const DIFFERENCES: usize = 30;

/// The reports of several variants, compared.
pub struct Comparison<'r> {
    pub variants: Vec<(String, Report<'r>)>,
    rows: Vec<FigureRow>,
    /// The number of comparisons made.
    compared: usize,
    differences: Vec<Difference>,
    fairness: Option<Fairness>,
}

/// How variants are excluded as the fairest.
const EXCLUSION: &str = "A variant is excluded where another one is significantly fairer: where the score of a player differs more from an equal one by one-sided Welch tests, so that the \
     fairest is excluded in at most 5 of 100 sweeps (Shanti Gupta, On Some Multiple Decision (Selection and Ranking) Rules, Technometrics 7, 1965).";

impl<'r> Comparison<'r> {
    /// Compares reports, each named by its options.
    pub fn new(variants: Vec<(String, Report<'r>)>) -> Comparison<'r> {
        let measures: Vec<&[_]> = variants.iter().map(|(_, report)| &report.measures[..]).collect();
        let rows = rows(&measures);
        let players = variants
            .first()
            .map(|(_, report)| &report.results.plan.players[..])
            .unwrap_or_default();
        let (compared, differences) = differences(&rows, players);
        let fairness = fairness(&variants);
        Comparison { variants, rows, compared, differences, fairness }
    }

    /// Says what best play leads to in the variants that were solved, grouped by result.
    fn best_play(&self) -> Option<String> {
        let mut alike: Vec<(String, Vec<&str>)> = Vec::new();
        for (name, report) in &self.variants {
            let Some((value, _)) = best_play(report.results, report.game.rules()) else { continue };
            match alike.iter_mut().find(|(other, _)| *other == value) {
                Some((_, names)) => names.push(name),
                None => alike.push((value, vec![name])),
            }
        }
        let told =
            alike.iter().map(|(value, names)| format!("{value} with {}", list(names, "and")));
        let told = told.collect::<Vec<String>>().join("; ");
        (!told.is_empty()).then(|| format!("With best play, {told}."))
    }

    /// Says which variants may be the fairest.
    fn fairest(&self) -> Option<String> {
        let fairness = self.fairness.as_ref()?;
        let (_, report) = self.variants.get(fairness.nearest)?;
        let results = report.results;
        let players = &results.plan.players;
        let scores = |own: &VariantFairness| {
            // The second of two players mirrors the first.
            let shown = if players.len() == 2 { 1 } else { players.len() };
            let score = |(player, score): (&String, &Estimate)| {
                let [value, low, high] = [score.value, score.low, score.high].map(|it| it * 100.0);
                format!("{player} {value:.0} % ({low:.0}–{high:.0})")
            };
            let each = players.iter().zip(&own.scores).take(shown).map(score);
            each.collect::<Vec<String>>().join(", ")
        };
        let named = |own: &VariantFairness| self.variants[own.variant].0.clone();
        let nearest = fairness.variants.iter().find(|own| own.variant == fairness.nearest)?;
        let (_, pairing) = results.strongest_equals()?;
        let who = self.named(&pairing.name(players));
        let mut text =
            format!("{} is nearest to even: {}, {who}.", named(nearest), scores(nearest));
        text.extend(self.change(fairness, nearest.variant));
        if let Some((value, false)) = best_play(results, report.game.rules()) {
            text.push_str(&format!(" That is between these players: with best play, {value}."));
        }
        let excluded = |own: &&VariantFairness| own.is_excluded();
        let out: Vec<&VariantFairness> = fairness.variants.iter().filter(excluded).collect();
        match &out[..] {
            [] => text.push_str(" The games exclude no variant as the fairest."),
            out => {
                let possible: Vec<String> = fairness.possible().map(named).collect();
                let out: Vec<String> =
                    out.iter().map(|own| format!("{}: {}", named(own), scores(own))).collect();
                text.push_str(&format!(
                    " Not excluded as the fairest: {}. Excluded: {}.",
                    list(&possible, "and"),
                    out.join("; ")
                ));
            }
        }
        let fit = |own: &VariantFairness| {
            own.fitted.map(|fitted| format!("{} {:.0} %", named(own), fitted * 100.0))
        };
        let fitted: Vec<String> = fairness.variants.iter().filter_map(fit).collect();
        if !fitted.is_empty() {
            text.push_str(&format!(
                " Fitted so that the score of {} moves one way with the option: {}.",
                players[0],
                list(&fitted, "and")
            ));
        }
        Some(text)
    }

    /// Says by which change of options the nearest variant differs from the game as it is, and
    /// whether that makes it fairer.
    fn change(&self, fairness: &Fairness, nearest: usize) -> Option<String> {
        let report = |variant: usize| Some(&self.variants.get(variant)?.1);
        let is_default = |variant: usize| {
            report(variant).is_some_and(|own| {
                own.game.rules().options.iter().all(|option| option.chosen == option.default)
            })
        };
        let usual = fairness.variants.iter().find(|own| is_default(own.variant))?;
        if usual.variant == nearest {
            return Some(" That is the game as it is.".to_owned());
        }
        let options = &report(nearest)?.game.rules().options;
        let changed = options.iter().filter(|option| option.chosen != option.default);
        let changed: Vec<String> = changed
            .map(|option| {
                let [own, usual] = [option.chosen, option.default].map(|at| &option.values[at]);
                format!("{} {own} instead of {usual}", option.name)
            })
            .collect();
        let changed = list(&changed, "and");
        Some(match usual.is_excluded() {
            true => format!(" The game is fairer with {changed}."),
            false => {
                format!(" With {changed} the game may be fairer, but its games do not show it.")
            }
        })
    }

    fn title(&self) -> String {
        let title = self.variants.first().map_or("", |(_, report)| &report.results.plan.game);
        format!("{title}: {} variants", self.variants.len())
    }

    /// Explains the differences.
    fn verdict(&self) -> String {
        let noun = if self.differences.len() == 1 { "difference is" } else { "differences are" };
        format!(
            "{} of {} compared figures differ significantly: the {noun} those with p of at most 0.05 by Welch's test of means or Yates's of proportions after Holm's correction for multiple comparisons \
             (Sture Holm, A Simple Sequentially Rejective Multiple Test Procedure, Scandinavian Journal of Statistics 6, 1979), so that 95 of 100 sweeps over variants that do not differ show none.",
            self.differences.len(),
            self.compared
        )
    }

    /// Formats the differences, one row each, optionally with intervals.
    fn told(&self, intervals: bool) -> impl Iterator<Item = [String; 4]> + '_ {
        self.differences.iter().map(move |difference| {
            let (one, other) = difference.variants;
            let spelled =
                |figure: &Figure| if intervals { with_interval(figure) } else { value(figure) };
            let (first, second) = &difference.figures;
            let p = if difference.p < 0.0001 {
                "p < 0.0001".to_owned()
            } else {
                format!("p = {:.4}", difference.p)
            };
            [
                label(difference.title, &difference.what, &self.named(&difference.who)),
                format!("{}: {}", self.variants[one].0, spelled(first)),
                format!("{}: {}", self.variants[other].0, spelled(second)),
                p,
            ]
        })
    }

    /// Formats the sweep as text: in full, or only means and proportions of pairings without a
    /// challenger. Columns that do not fit into `width` characters continue below.
    pub fn text(&self, full: bool, width: usize) -> String {
        let mut text = format!("{}\n", self.title());
        for (name, report) in self.variants.iter().filter(|(_, report)| !report.is_complete()) {
            let _ = writeln!(
                text,
                "{name}: {} of {} batches of games have been played.",
                report.played.0, report.played.1
            );
        }
        let players: Vec<String> =
            self.variants.iter().flat_map(|(_, report)| equals(report)).collect();
        if let Some((_, report)) = self.variants.first() {
            // Every variant has its own seed.
            let games = summary(report).split(", seed").next().unwrap_or_default().to_owned();
            text.push_str(&wrapped(&format!("Each: {games}."), width, ""));
        }
        let matters = |row: &&FigureRow| {
            full || !row.is_quantile() && (row.who.is_empty() || players.contains(&row.who))
        };
        let rows: Vec<&FigureRow> = self.rows.iter().filter(matters).collect();
        let shown = |figure: &Option<Figure>| {
            figure.as_ref().map(|figure| (value(figure), interval(figure))).unwrap_or_default()
        };
        let cells: Vec<Vec<(String, String)>> =
            rows.iter().map(|row| row.figures.iter().map(shown).collect()).collect();
        // In brief, rows carry the title of their measure, and the pairing only if there are
        // several.
        let one =
            !full && rows.iter().all(|row| row.who.is_empty() || players.first() == Some(&row.who));
        let named = |row: &&FigureRow| {
            let who = if one { String::new() } else { self.named(&row.who) };
            let who = who.strip_suffix(" against itself").unwrap_or(&who);
            label(if full { "" } else { row.title }, &row.what, who)
        };
        let labels: Vec<String> = rows.iter().map(named).collect();
        let titles = rows.iter().map(|row| if full { row.title.chars().count() } else { 0 });
        let first =
            labels.iter().map(|label| label.chars().count() + 2).chain(titles).max().unwrap_or(0);
        let widths = |column: usize| {
            let width = |part: fn(&(String, String)) -> &String| {
                cells.iter().map(|row| part(&row[column]).chars().count()).max().unwrap_or(0)
            };
            (width(|cell| &cell.0), width(|cell| &cell.1))
        };
        let widths: Vec<(usize, usize)> = (0..self.variants.len()).map(widths).collect();
        let whole = |column: usize| {
            (widths[column].0 + widths[column].1 + 1).max(self.variants[column].0.chars().count())
        };
        let mut columns = 0..0;
        while columns.end < self.variants.len() {
            columns = columns.end..columns.end + 1;
            let mut room = width.saturating_sub(first + 2 + whole(columns.start));
            while columns.end < self.variants.len() && room >= whole(columns.end) + 2 {
                room -= whole(columns.end) + 2;
                columns.end += 1;
            }
            let mut title = None;
            for ((row, label), cells) in rows.iter().zip(&labels).zip(&cells) {
                let mut line = String::new();
                // In brief, there is a single heading.
                let heading = if full { row.title } else { "" };
                if title != Some(heading) {
                    title = Some(heading);
                    let _ = write!(line, "\n{heading:<first$}");
                    for column in columns.clone() {
                        let _ = write!(
                            line,
                            "  {:>width$}",
                            self.variants[column].0,
                            width = whole(column)
                        );
                    }
                    line.push('\n');
                }
                let _ = write!(line, "  {label:<width$}", width = first - 2);
                for column in columns.clone() {
                    let (value, interval) = &cells[column];
                    let both = format!(
                        "{value:>a$} {interval:>b$}",
                        a = widths[column].0,
                        b = widths[column].1
                    );
                    let _ = write!(line, "  {both:>width$}", width = whole(column));
                }
                let _ = writeln!(text, "{}", line.trim_end());
            }
        }
        if let Some(best_play) = self.best_play() {
            let _ = write!(text, "\nExactly\n{}", wrapped(&best_play, width, "  "));
        }
        if let Some(fairest) = self.fairest() {
            let _ = write!(text, "\nThe fairest\n{}", wrapped(&fairest, width, "  "));
            if full {
                text.push_str(&wrapped(EXCLUSION, width, "  "));
            }
        }
        let _ = write!(text, "\nDifferences\n{}", wrapped(&self.verdict(), width, "  "));
        let most = if full { usize::MAX } else { DIFFERENCES };
        let mut last = String::new();
        for [what, one, other, p] in self.told(full).take(most) {
            if what != last {
                let _ = writeln!(text, "  {what}");
                last = what;
            }
            text.push_str(&wrapped(&format!("{one}, {other}, {p}"), width, "    "));
        }
        if let Some(more) = self.differences.len().checked_sub(most).filter(|more| *more > 0) {
            let _ = writeln!(text, "  … and {more} more");
        }
        text
    }

    /// Formats the sweep as Markdown.
    pub fn markdown(&self) -> String {
        let mut page = format!("# {}\n\n| | |", self.title());
        self.variants.iter().for_each(|(name, _)| page.push_str(&format!(" {name} |")));
        let _ = write!(page, "\n|---|---|{}\n", "---:|".repeat(self.variants.len()));
        for row in &self.rows {
            let who = self.named(&row.who);
            let _ = write!(page, "| {} | {} |", row.title, label("", &row.what, &who));
            for figure in &row.figures {
                match figure {
                    Some(figure) => page.push_str(&format!(" {} |", with_interval(figure))),
                    None => page.push_str(" |"),
                }
            }
            page.push('\n');
        }
        if let Some(best_play) = self.best_play() {
            let _ = write!(page, "\n## Exactly\n\n{best_play}\n");
        }
        if let Some(fairest) = self.fairest() {
            let _ = write!(page, "\n## The fairest\n\n{fairest}\n\n{EXCLUSION}\n");
        }
        let _ = write!(page, "\n## Differences\n\n{}\n\n", self.verdict());
        for [what, one, other, p] in self.told(true) {
            let _ = writeln!(page, "- {what}: {one}, {other}; {p}");
        }
        page
    }

    /// Formats the sweep as one self-contained page that includes every report.
    pub fn html(&self) -> String {
        let mut text = format!("<h1>{}</h1>\n", escaped(&self.title()));
        if let Some(best_play) = self.best_play() {
            let _ = write!(
                text,
                "<section>\n<h2>Exactly</h2>\n<p>{}</p>\n</section>\n",
                escaped(&best_play)
            );
        }
        if let Some(fairest) = self.fairest() {
            let _ = write!(
                text,
                "<section>\n<h2>The fairest</h2>\n<p>{}</p>\n<p class=\"definition\">{EXCLUSION}</p>\n</section>\n",
                escaped(&fairest)
            );
        }
        let _ = write!(
            text,
            "<section>\n<h2>Differences</h2>\n<p class=\"definition\">{}</p>\n",
            escaped(&self.verdict())
        );
        if !self.differences.is_empty() {
            text.push_str("<table>\n<tr><th></th><th></th><th></th><th></th></tr>\n");
            for row in self.told(true) {
                let cells: String =
                    row.iter().map(|cell| format!("<td>{}</td>", escaped(cell))).collect();
                let _ = writeln!(text, "<tr>{cells}</tr>");
            }
            text.push_str("</table>\n");
        }
        text.push_str("</section>\n<section>\n<h2>Side by side</h2>\n");
        // More columns would not fit into a narrow window.
        for columns in (0..self.variants.len()).collect::<Vec<usize>>().chunks(COLUMNS) {
            self.side_by_side(&mut text, columns);
        }
        text.push_str("</section>\n");
        for (number, (name, report)) in (1..).zip(&self.variants) {
            let _ = write!(
                text,
                "<details class=\"variant\">\n<summary>{}: the whole report</summary>\n{}</details>\n",
                escaped(name),
                body(report, &format!("variant{number}-"))
            );
        }
        page(PageKind::Report, &self.title(), &text)
    }

    /// Writes the figures of some variants as a table.
    fn side_by_side(&self, text: &mut String, columns: &[usize]) {
        text.push_str("<table>\n<tr><th></th>");
        for &column in columns {
            let _ = write!(text, "<th>{}</th>", escaped(&self.variants[column].0));
        }
        text.push_str("</tr>\n");
        for row in &self.rows {
            let label = label(row.title, &row.what, &self.named(&row.who));
            let _ = write!(text, "<tr><td>{}</td>", escaped(&label));
            for &column in columns {
                let cell = row.figures[column]
                    .as_ref()
                    .map(|figure| format!("{}<small>{}</small>", value(figure), interval(figure)));
                let _ = write!(text, "<td class=\"number\">{}</td>", cell.unwrap_or_default());
            }
            text.push_str("</tr>\n");
        }
        text.push_str("</table>\n");
    }

    /// Replaces the players in the name of a pairing by their plain names.
    fn named(&self, who: &str) -> String {
        self.variants.first().map_or(who.to_owned(), |(_, report)| report.strengths.text(who))
    }

    /// Converts the sweep to JSON, in the form of [`SweepAnswer`], with the whole report of each
    /// variant.
    ///
    /// # Errors
    /// Returns the error of the serializer, if any.
    pub fn json(&self) -> Result<Value, serde_json::Error> {
        serde_json::to_value(self.answer(|report| ReportAnswer::new(report, None)))
    }

    /// Describes the sweep without the results of the single games.
    pub fn without_games(&self) -> SweepAnswer<'_> {
        self.answer(ReportAnswer::without_games)
    }

    fn answer<'c>(
        &'c self,
        describe: impl Fn(&'c Report<'r>) -> ReportAnswer<'c>,
    ) -> SweepAnswer<'c> {
        let variants = self
            .variants
            .iter()
            .map(|(name, report)| VariantAnswer { name, report: describe(report) });
        SweepAnswer {
            schema: SCHEMA,
            version: super::VERSION,
            variants: variants.collect(),
            rows: &self.rows,
            compared: self.compared,
            differences: &self.differences,
            fairest: &self.fairness,
        }
    }
}

/// The comparison of several variants in JSON.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
pub struct SweepAnswer<'r> {
    #[cfg_attr(feature = "cli", schemars(extend("const" = SCHEMA)))]
    schema: &'static str,
    #[cfg_attr(feature = "cli", schemars(extend("const" = super::VERSION)))]
    version: u64,
    variants: Vec<VariantAnswer<'r>>,
    /// The figures, each of all variants.
    rows: &'r [FigureRow],
    /// The number of comparisons made.
    compared: usize,
    /// The differences that are significant.
    differences: &'r [Difference],
    /// Which variants may be the fairest; null if no equal players have met.
    fairest: &'r Option<Fairness>,
}

/// A variant with its report.
#[derive(Serialize)]
#[cfg_attr(feature = "cli", derive(schemars::JsonSchema))]
struct VariantAnswer<'r> {
    /// Its options.
    name: &'r str,
    report: ReportAnswer<'r>,
}

/// Compares the scores between the strongest equal players.
fn fairness(variants: &[(String, Report)]) -> Option<Fairness> {
    let scores = |(index, (_, report)): (usize, &(String, Report))| {
        let results = report.results;
        let (pairing, _) = results.strongest_equals()?;
        let players = 0..results.plan.players.len();
        let scores = players.map(|player| results.score(pairing, player));
        Some((index, scores.collect::<Option<Vec<Estimate>>>()?))
    };
    let scores: Vec<(usize, Vec<Estimate>)> =
        variants.iter().enumerate().filter_map(scores).collect();
    let values = |index: &usize| {
        let options = variants[*index].0.split(' ').filter_map(|option| option.split_once('='));
        options.collect::<Vec<(&str, &str)>>()
    };
    let options: Vec<Vec<(&str, &str)>> = scores.iter().map(|(index, _)| values(index)).collect();
    let first = options.first()?;
    let varies = |at: &usize| options.iter().any(|own| own.get(*at) != first.get(*at));
    let varying: Vec<usize> = (0..first.len()).filter(varies).collect();
    let option: Option<Vec<f64>> = match varying[..] {
        [at] => options.iter().map(|own| own.get(at)?.1.parse().ok()).collect(),
        _ => None,
    };
    Fairness::of(scores, option.as_deref())
}

fn label(title: &str, what: &str, who: &str) -> String {
    [title, what, who].into_iter().filter(|word| !word.is_empty()).collect::<Vec<&str>>().join(", ")
}
