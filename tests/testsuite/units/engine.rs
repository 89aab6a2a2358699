//! Sets of sites, the history of positions, and buffers between canaries.

use ludwright::engine::bits::{Bits, select};
#[cfg(debug_assertions)]
use ludwright::engine::guarded::{Guarded, GuardedBox};
use ludwright::engine::history::History;
use ludwright::random::{Random, mix};

#[test]
fn selects_every_number() {
    let numbers = [0, 1, 5, 31, 32, 63, 64, 70, 127, 130, 191];
    let set: Bits<3> = numbers.into_iter().collect();
    assert_eq!(set.count() as usize, numbers.len());
    for (rank, &number) in numbers.iter().enumerate() {
        assert_eq!(set.nth(rank as u32), Some(number));
        assert_eq!(set.nth_by(rank as u32, select), Some(number));
    }
    assert_eq!(set.nth(numbers.len() as u32), None);
    assert_eq!(set.iter().collect::<Vec<_>>(), numbers);
}

#[test]
fn moves_up_and_down_across_words() {
    for by in [0, 1, 7, 63, 64, 65, 100, 128, 191] {
        for number in 0..192usize {
            let single = Bits::<3>::single(number);
            let up: Vec<usize> = single.up(by).iter().collect();
            assert_eq!(
                up,
                (number + by as usize)
                    .checked_rem(usize::MAX)
                    .filter(|&n| n < 192)
                    .into_iter()
                    .collect::<Vec<_>>()
            );
            let down: Vec<usize> = single.down(by).iter().collect();
            assert_eq!(down, number.checked_sub(by as usize).into_iter().collect::<Vec<_>>());
        }
    }
    assert!(Bits::<1>::single(3).up(64).is_none());
    assert!(Bits::<1>::single(3).down(4).is_none());
}

/// Histories that begin alike, begin anew, grow and shrink count as a plain list does.
#[test]
fn a_history_counts_as_a_plain_list_does() {
    let mut random = Random::new(1);
    let mut history = History::default();
    let mut plain: Vec<u64> = Vec::new();
    for _ in 0..20_000 {
        match random.below(40) {
            0 => plain = (0..random.below(300)).map(|_| hash(random.below(150))).collect(),
            1 => {
                plain.truncate(random.below(plain.len() as u32 + 1) as usize);
                plain.extend((0..random.below(100)).map(|_| hash(random.below(150))));
            }
            2 => {
                plain.truncate(plain.len().saturating_sub(random.below(3) as usize));
                history.truncate(plain.len());
            }
            _ => {
                plain.push(hash(random.below(150)));
                let times = plain.iter().filter(|each| plain.last() == Some(each)).count();
                assert_eq!(history.push(plain[plain.len() - 1]), times);
            }
        }
        if history.hashes() != plain {
            history.replace(&plain);
        }
        assert_eq!(history.hashes(), plain);
        let mut sorted = plain.clone();
        sorted.sort_unstable();
        let most = sorted.chunk_by(|one, other| one == other).map(<[u64]>::len).max().unwrap_or(0);
        assert!(history.max_count() >= most, "{} {most}", history.max_count());
    }
}

fn hash(number: u32) -> u64 {
    mix(u64::from(number), 7)
}

#[cfg(debug_assertions)]
fn buffer() -> Guarded<u64> {
    let mut buffer = Guarded::default();
    buffer.extend_to(3, || 1);
    buffer.push(2);
    buffer
}

#[cfg(debug_assertions)]
#[test]
fn a_buffer_is_what_was_put_in() {
    let buffer = buffer();
    buffer.check();
    assert_eq!(*buffer, [1, 1, 1, 2]);
}

#[cfg(debug_assertions)]
#[test]
#[should_panic(expected = "beside a buffer of 4")]
fn a_word_behind_a_buffer_is_noticed() {
    let mut buffer = buffer();
    *buffer.with_canaries().last_mut().expect("a canary") = 7;
    buffer.check();
}

#[cfg(debug_assertions)]
#[test]
#[should_panic(expected = "beside a buffer of 4")]
fn a_word_before_a_buffer_is_noticed() {
    let mut buffer = buffer();
    buffer.with_canaries()[0] = 7;
    buffer.check();
}

#[cfg(debug_assertions)]
#[test]
#[should_panic(expected = "beside a value")]
fn a_word_behind_a_value_is_noticed() {
    let mut value = GuardedBox::new([0u64; 4]);
    value.fences()[1].words[0] = 7;
    value.check();
}
