//! Limits of time, and portable random numbers.

use ludwright::budget::{Deadline, Pace};
use ludwright::random::{Random, mix};
use std::thread::sleep;
use std::time::Duration;

#[test]
fn expensive_units_are_each_followed_by_a_reading() {
    let mut pace = Pace::new(64);
    (0..10_000).for_each(|_| {
        pace.count(1);
    });
    assert_eq!(pace.stride(), 64);
    let readings = (0..200).filter(|_| {
        sleep(Duration::from_millis(2));
        pace.count(1).is_some()
    });
    // The readings missed before the stride has adapted, and no more.
    assert!(readings.count() >= 200 - 64);
}

#[test]
fn a_deadline_that_never_comes_is_never_over() {
    let mut never = Deadline::at(None);
    assert!((0..1000).all(|_| !never.is_over()) && !never.has_passed());
    assert_eq!(never.half().left(), None);
}

/// The first numbers printed by the reference implementation's demonstration (seed 42, stream
/// 54).
#[test]
fn gives_the_numbers_of_the_reference_implementation() {
    let mut random = Random::new(42);
    let numbers: Vec<u32> = (0..6).map(|_| random.bits32()).collect();
    assert_eq!(numbers, [0xa15c02b7, 0x7b47f409, 0xba1d3330, 0x83d2f293, 0xbfa4784b, 0xcbed606e]);
}

/// The first numbers of SplitMix64 with seed 1234567, as published with Vigna's implementation.
#[test]
fn mixes_as_splitmix_does() {
    let numbers: Vec<u64> = (0..3).map(|index| mix(1_234_567, index)).collect();
    assert_eq!(
        numbers,
        [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
    );
}

#[test]
fn draws_each_number_about_equally_often() {
    let mut random = Random::new(1);
    let mut counts = [0; 7];
    for _ in 0..70_000 {
        counts[random.below(7) as usize] += 1;
    }
    assert!(counts.iter().all(|count| (9_600..10_400).contains(count)), "{counts:?}");
    assert_eq!(random.below(1), 0);
    assert_eq!(random.below(0), 0);
}
