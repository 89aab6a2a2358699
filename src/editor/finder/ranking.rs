//! Ranks documents, each with names and a text, by how well they fit a query.
//!
//! Words are compared by their stems ([`stem`](super::terms::stem)). A stem of the query also
//! matches its synonyms, words that begin with it and, if no document has it, the stem nearest in
//! spelling. Each word is weighted by its inverse document frequency (Spärck Jones, 1972). The
//! score of a document is the score of its best name, compared in both directions so that the
//! shorter of two fitting names wins; its text adds a little.

use super::terms::{alike, stems};
use crate::language::edit_distance::is_typo;
use rustc_hash::{FxHashMap, FxHashSet};

/// A document to rank.
#[derive(Debug)]
pub struct Document {
    pub names: Vec<String>,
    pub text: String,
    /// The factor of the document's score.
    pub weight: f64,
}

/// The factors of a synonym, of a word that the query's word begins, and of a misspelling.
const ALIKE: f64 = 0.75;
const BEGUN: f64 = 0.7;
const MISSPELT: f64 = 0.6;
/// The exponent of the used share of a name in its score; the explained share of the query has the
/// rest.
const NAME_SHARE: f64 = 0.35;
/// The factor of a text's score, relative to names.
const TEXT: f64 = 0.35;
/// The least score relative to the best one, and the most results.
const LEAST: f64 = 0.3;
const MOST: usize = 40;

/// A document in stems.
struct Ranked {
    names: Vec<Vec<u32>>,
    text: FxHashSet<u32>,
    weight: f64,
}

/// An index of documents.
#[derive(Default)]
pub struct Index {
    documents: Vec<Ranked>,
    numbers: FxHashMap<String, u32>,
    stems: Vec<String>,
    /// The inverse document frequency of each stem.
    rarity: Vec<f64>,
}

impl Index {
    /// Adds a document.
    pub fn add(&mut self, document: Document) {
        let names = document.names.iter().map(|name| self.numbers_of(name)).collect();
        let text = self.numbers_of(&document.text).into_iter().collect();
        self.documents.push(Ranked { names, text, weight: document.weight });
    }

    fn numbers_of(&mut self, text: &str) -> Vec<u32> {
        let mut numbers = Vec::new();
        for stem in stems(text) {
            let number = *self.numbers.entry(stem.clone()).or_insert_with(|| {
                self.stems.push(stem);
                self.stems.len() as u32 - 1
            });
            numbers.push(number);
        }
        numbers
    }

    /// Computes the inverse document frequencies, after all documents are added.
    pub fn finish(&mut self) {
        let mut counts = vec![0usize; self.stems.len()];
        for document in &self.documents {
            let stems: FxHashSet<u32> =
                document.names.iter().flatten().chain(&document.text).copied().collect();
            stems.iter().for_each(|&stem| counts[stem as usize] += 1);
        }
        let all = self.documents.len() as f64;
        self.rarity = counts.iter().map(|&count| (1.0 + all / count as f64).ln()).collect();
    }

    /// Ranks the documents that fit a query, the best first.
    pub fn rank(&self, query: &str) -> Vec<usize> {
        let words = self.meanings(query);
        let whole: f64 = words.iter().map(|(rarity, _)| rarity).sum();
        if whole == 0.0 {
            return Vec::new();
        }
        let score = |document: &Ranked| {
            let names = document.names.iter().map(|name| self.name_score(name, &words, whole));
            let name = names.fold(0.0, f64::max);
            let in_text = words.iter().map(|(rarity, meanings)| {
                let fit = |(&stem, factor): (&u32, &f64)| {
                    let there = document.text.contains(&stem)
                        || document.names.iter().any(|name| name.contains(&stem));
                    if there { *factor } else { 0.0 }
                };
                rarity * meanings.iter().map(fit).fold(0.0, f64::max)
            });
            document.weight * (name + TEXT * in_text.sum::<f64>() / whole)
        };
        let scores = self.documents.iter().map(score).enumerate();
        let mut scores: Vec<(usize, f64)> = scores.filter(|(_, score)| *score > 0.0).collect();
        scores
            .sort_by(|(one, better), (other, worse)| worse.total_cmp(better).then(one.cmp(other)));
        let best = scores.first().map_or(0.0, |(_, best)| *best);
        scores.retain(|(_, score)| *score >= LEAST * best);
        scores.truncate(MOST);
        scores.into_iter().map(|(index, _)| index).collect()
    }

    /// Returns how well a name fits the words of a query: a weighted geometric mean of the share of
    /// the query that the name explains, and the share of the name that the query explains.
    fn name_score(&self, name: &[u32], words: &[(f64, FxHashMap<u32, f64>)], whole: f64) -> f64 {
        let (mut explained, mut used) = (0.0, vec![0.0f64; name.len()]);
        for (rarity, meanings) in words {
            let mut best = 0.0f64;
            for (index, stem) in name.iter().enumerate() {
                let factor = meanings.get(stem).copied().unwrap_or(0.0);
                best = best.max(factor);
                used[index] = used[index].max(factor);
            }
            explained += rarity * best;
        }
        let rarity = |stem: &u32| self.rarity[*stem as usize];
        let own: f64 = name.iter().map(rarity).sum();
        let used: f64 = name.iter().zip(used).map(|(stem, factor)| rarity(stem) * factor).sum();
        if own == 0.0 {
            return 0.0;
        }
        // A name that explains little of the query scores low, however well the query explains the
        // name.
        (explained / whole).powf(1.0 - NAME_SHARE) * (used / own).powf(NAME_SHARE)
    }

    /// Returns the weight of each word of a query, and the stems that it may stand for with a
    /// factor.
    fn meanings(&self, query: &str) -> Vec<(f64, FxHashMap<u32, f64>)> {
        let wanted = stems(query);
        let is_open = query.ends_with(char::is_alphanumeric);
        let count = wanted.len();
        let common = (1.0 + self.documents.len() as f64).ln();
        let meaning = |(index, word): (usize, String)| {
            let mut meanings: FxHashMap<u32, f64> = FxHashMap::default();
            let own = self.numbers.get(&word).copied();
            if let Some(number) = own {
                mean(&mut meanings, number, 1.0);
            }
            self.mean_alike(&mut meanings, &word, ALIKE);
            let length = word.chars().count();
            if is_open && index + 1 == count && length >= 2 {
                let begun = self.stems.iter().enumerate();
                begun.filter(|(_, stem)| stem.starts_with(&word)).for_each(|(number, _)| {
                    mean(&mut meanings, number as u32, BEGUN);
                });
            }
            if meanings.is_empty() && length >= 4 {
                let near = self.stems.iter().enumerate().filter(|(_, stem)| is_typo(&word, stem));
                for (number, stem) in near {
                    mean(&mut meanings, number as u32, MISSPELT);
                    self.mean_alike(&mut meanings, stem, MISSPELT * ALIKE);
                }
            }
            let rarity = own.map(|number| self.rarity[number as usize]);
            let likeness = || {
                let known = meanings.keys().map(|&number| self.rarity[number as usize]);
                known.fold(None, |least: Option<f64>, rarity| {
                    Some(least.map_or(rarity, |least| least.min(rarity)))
                })
            };
            // A word that no document has weighs little, so that it does not spoil the other words.
            (rarity.or_else(likeness).unwrap_or(common / 4.0), meanings)
        };
        wanted.into_iter().enumerate().map(meaning).collect()
    }
    /// Adds the synonyms of a stem.
    fn mean_alike(&self, meanings: &mut FxHashMap<u32, f64>, stem: &str, factor: f64) {
        for other in alike(stem) {
            if let Some(&number) = self.numbers.get(other) {
                mean(meanings, number, factor);
            }
        }
    }
}

/// Adds a stem that a word may stand for.
fn mean(meanings: &mut FxHashMap<u32, f64>, number: u32, factor: f64) {
    let known = meanings.entry(number).or_insert(0.0);
    *known = known.max(factor);
}
