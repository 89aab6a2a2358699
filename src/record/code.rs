//! Short codes of games, for links and messages: a few letters for each ply.
//!
//! A ply is written as its number among the legal plies of its position, sorted by their spelling,
//! in as many bits as the largest number needs. A game that cannot be coded (with a starting
//! position of its own, or too many legal plies) is written as a record. The first byte tells a
//! code from a record, and the bytes are written in Base64 for addresses (RFC 4648, section 5). A
//! code is for one rules file; a checksum over rules and plies detects codes of other rules and
//! truncated codes.

use super::{LIMIT, PlyNote, Record, RecordedPly, fingerprint};
use crate::engine::game::{Game, Move, State};
use crate::language::rules::Rules;
use crate::notation::spell;
use sha2::{Digest, Sha256};

/// The most legal plies of a position that are sorted for a code.
const MAX_LEGAL: u64 = 20_000;
/// The most plies of a code.
const MAX_PLIES: u64 = 20_000;
/// The first byte of a coded game, and of a record.
const CODE: u8 = 1;
const RECORD: u8 = 2;
const CHECKSUM: usize = 3;
const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// Makes the game with these options, or says why it cannot.
pub type Load<'l> = &'l mut dyn FnMut(&[(String, String)]) -> Result<Game, String>;

/// A record with its expected checksum.
type Checked = (Record, [u8; CHECKSUM]);

/// Writes a match as a code, which [`Record::of_code`] reads.
pub fn encode(position: &State, seed: u64) -> String {
    let record = Record::of(position, seed);
    let bytes = match record.start.is_empty().then(|| packed(position, &record)).flatten() {
        Some(bytes) => bytes,
        None => [&[RECORD], record.write().as_bytes()].concat(),
    };
    base64(&bytes)
}

fn packed(position: &State, record: &Record) -> Option<Vec<u8>> {
    let rules = position.game().rules();
    let mut writer = Writer::default();
    let changed: Vec<_> = rules
        .options
        .iter()
        .enumerate()
        .filter(|(_, option)| option.chosen != option.default)
        .collect();
    writer.number(changed.len() as u64);
    for (index, option) in changed {
        writer.number(index as u64);
        writer.number(option.chosen as u64);
    }
    writer.number(record.seed.map_or(0, |seed| seed.saturating_add(1)));
    writer.number(record.plies.len() as u64);
    let mut state = position.game().begin().ok()?;
    for ply in position.plies() {
        let legal = sorted(&state)?;
        let text = spell(rules, ply);
        let index = legal.binary_search_by(|(known, _)| known.cmp(&text)).ok()?;
        writer.bits(index as u64, bits_of(legal.len()));
        state.play(ply).ok()?;
    }
    let checksum = checksum(rules, record.plies.iter().map(|ply| ply.text.as_str()));
    Some([&[CODE], &checksum[..], &writer.finish()].concat())
}

/// Lists the legal plies by their spelling; `None` if there are too many.
fn sorted(state: &State) -> Option<Vec<(String, Move)>> {
    if state.game().perft(state, 1).ok()? > MAX_LEGAL {
        return None;
    }
    let rules = state.game().rules();
    let mut legal: Vec<(String, Move)> =
        state.legal().iter().map(|ply| (spell(rules, ply), ply.clone())).collect();
    legal.sort_by(|one, other| one.0.cmp(&other.0));
    legal.dedup_by(|one, other| one.0 == other.0);
    Some(legal)
}

/// Returns the number of bits in which numbers below `count` are written.
fn bits_of(count: usize) -> u32 {
    usize::BITS - count.saturating_sub(1).leading_zeros()
}

fn checksum<'t>(rules: &Rules, plies: impl Iterator<Item = &'t str>) -> [u8; CHECKSUM] {
    let mut digest = Sha256::new();
    digest.update(fingerprint(rules));
    for ply in plies {
        digest.update(b"\n");
        digest.update(ply);
    }
    let digest = digest.finalize();
    std::array::from_fn(|index| digest[index])
}

impl Record {
    /// Reads a code. `load` makes the game with these options.
    ///
    /// # Errors
    /// Says why the text is no code of the game.
    pub fn of_code(code: &str, rules: &Rules, load: Load) -> Result<Record, String> {
        const BROKEN: &str = "this code is not whole; copy all of it";
        let code = code.trim();
        if code.len() > 2 * LIMIT {
            return Err("this code is too long".to_owned());
        }
        let bytes = unbase64(code).ok_or(BROKEN)?;
        match bytes.split_first() {
            Some((&RECORD, text)) => {
                let text = std::str::from_utf8(text).map_err(|_| BROKEN)?;
                Record::parse(text).map_err(|misread| misread.to_string())
            }
            Some((&CODE, rest)) if rest.len() >= CHECKSUM => {
                let (sum, rest) = rest.split_at(CHECKSUM);
                let (record, found) = unpacked(rest, rules, load).ok_or(BROKEN)??;
                match found == sum {
                    true => Ok(record),
                    false => Err("this code is of another game, of other rules of this game, or \
                                  not whole"
                        .to_owned()),
                }
            }
            _ => Err(BROKEN.to_owned()),
        }
    }
}

/// Reads the output of [`packed`], with the expected checksum; `None` if it is truncated.
fn unpacked(bytes: &[u8], rules: &Rules, load: Load) -> Option<Result<Checked, String>> {
    let mut reader = Reader { bytes, at: 0 };
    let mut options = Vec::new();
    for _ in 0..reader.number()?.min(rules.options.len() as u64) {
        let option = rules.options.get(usize::try_from(reader.number()?).ok()?)?;
        let value = option.values.get(usize::try_from(reader.number()?).ok()?)?;
        options.push((option.name.clone(), value.clone()));
    }
    let seed = reader.number()?.checked_sub(1);
    let count = reader.number().filter(|&count| count <= MAX_PLIES)?;
    let game = match load(&options) {
        Ok(game) => game,
        Err(message) => return Some(Err(message)),
    };
    let mut state = game.begin().ok()?;
    let mut plies = Vec::new();
    for _ in 0..count {
        let legal = sorted(&state)?;
        let index = usize::try_from(reader.bits(bits_of(legal.len()))?).ok()?;
        let (text, ply) = legal.into_iter().nth(index)?;
        state.play(&ply).ok()?;
        plies.push(RecordedPly { line: 0, text, note: PlyNote::default() });
    }
    let sum = checksum(game.rules(), plies.iter().map(|ply| ply.text.as_str()));
    let game = Some(game.rules().title.clone());
    Some(Ok((Record { game, options, seed, plies, ..Record::default() }.numbered(), sum)))
}

/// Writes numbers as bits, the least first.
#[derive(Default)]
struct Writer {
    bytes: Vec<u8>,
    used: u32,
}

impl Writer {
    fn bits(&mut self, value: u64, count: u32) {
        for bit in 0..count {
            if self.used.is_multiple_of(8) {
                self.bytes.push(0);
            }
            if let Some(last) = self.bytes.last_mut() {
                *last |= (((value >> bit) & 1) as u8) << (self.used % 8);
            }
            self.used += 1;
        }
    }

    /// Writes a number of any size in groups of four bits.
    fn number(&mut self, mut value: u64) {
        while value > 7 {
            self.bits(value & 7 | 8, 4);
            value >>= 3;
        }
        self.bits(value, 4);
    }

    fn finish(self) -> Vec<u8> {
        self.bytes
    }
}

/// Reads the output of a [`Writer`].
struct Reader<'b> {
    bytes: &'b [u8],
    at: usize,
}

impl Reader<'_> {
    fn bits(&mut self, count: u32) -> Option<u64> {
        let mut value = 0;
        for bit in 0..count {
            let byte = self.bytes.get(self.at / 8)?;
            value |= u64::from(byte >> (self.at % 8) & 1) << bit;
            self.at += 1;
        }
        Some(value)
    }

    fn number(&mut self) -> Option<u64> {
        let (mut value, mut shift) = (0u64, 0);
        loop {
            let group = self.bits(4)?;
            value |= (group & 7).checked_shl(shift).filter(|_| shift < 63)?;
            shift += 3;
            if group < 8 {
                return Some(value);
            }
        }
    }
}

/// Writes bytes in Base64 for addresses, without padding.
fn base64(bytes: &[u8]) -> String {
    let letter = |bits: u32| char::from(LETTERS[(bits & 63) as usize]);
    let group = |group: &[u8]| -> String {
        let byte = |index: usize| u32::from(group.get(index).copied().unwrap_or(0));
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        (0..=group.len()).map(|index| letter(bits >> (18 - 6 * index))).collect()
    };
    bytes.chunks(3).map(group).collect()
}

fn unbase64(text: &str) -> Option<Vec<u8>> {
    let digit = |letter: &u8| LETTERS.iter().position(|known| known == letter);
    let mut bytes = Vec::with_capacity(text.len() * 3 / 4);
    for group in text.as_bytes().chunks(4) {
        let mut bits = 0u32;
        for (index, letter) in group.iter().enumerate() {
            bits |= (digit(letter)? as u32) << (18 - 6 * index);
        }
        bytes.extend(&bits.to_be_bytes()[1..group.len()]);
    }
    Some(bytes)
}
