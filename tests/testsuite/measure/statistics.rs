//! Every statistic against a worked example or a closed form, and every interval by simulation.

use ludwright::measure::statistics::{
    Estimate, Scores, Sequential, TestVerdict, chao1, holm, homogeneity, intraclass_ci,
    intraclass_correlation, mean_ci, normal_cdf, p_value, pooled_estimates, proportion_ci,
    quantile_ci, t_quantile, two_proportion_test, weighted_mean_ci, weighted_trend,
};
use ludwright::random::{Random, mix};

fn near(one: f64, other: f64, by: f64) {
    assert!((one - other).abs() <= by, "{one} is not {other}");
}

/// Returns a uniform number in [0, 1).
fn uniform(random: &mut Random) -> f64 {
    f64::from(random.bits32()) / (f64::from(u32::MAX) + 1.0)
}

/// Returns the fraction of samples whose interval contains the true value.
fn coverage(samples: u64, truth: f64, mut sample: impl FnMut(&mut Random) -> Estimate) -> f64 {
    let holds = (0..samples).filter(|&index| {
        let Estimate { low, high, .. } = sample(&mut Random::new(mix(77, index)));
        (low..=high).contains(&truth)
    });
    holds.count() as f64 / samples as f64
}

/// Robert Newcombe, *Two-sided confidence intervals for the single proportion*, Statistics in
/// Medicine 17, 1998, table I, method 3.
#[test]
fn wilsons_interval_is_the_published_one() {
    for (so, sample, low, high) in [
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ] {
        let estimate = proportion_ci(so, sample).expect("a sample");
        near(estimate.low, low, 5e-5);
        near(estimate.high, high, 5e-5);
        near(estimate.value, so as f64 / sample as f64, 1e-12);
    }
    assert_eq!(proportion_ci(0, 0), None);
}

#[test]
fn scores_without_draws_are_wilsons_and_draws_narrow_them() {
    let plain = Scores { wins: 15, draws: 0, losses: 133, shared: 0 }.estimate(2).expect("games");
    assert_eq!(Some(plain), proportion_ci(15, 148));
    let drawish = Scores { wins: 10, draws: 80, losses: 10, shared: 0 }.estimate(2).expect("games");
    let decisive = Scores { wins: 50, draws: 0, losses: 50, shared: 0 }.estimate(2).expect("games");
    assert_eq!((drawish.value, decisive.value), (0.5, 0.5));
    // By hand: d = 80/103.8415, spared = d/4 = 0.192601; half = (0.5 + s/2)/(1 + s) = 0.5 with s =
    // z²/100; reach² = 0.25 − (0.25 + s · 0.192601)/(1 + s).
    let s: f64 = 0.038_414_588;
    near(drawish.high - 0.5, (0.25 - (0.25 + s * 0.192601) / (1.0 + s)).sqrt(), 1e-5);
    assert!(drawish.high - drawish.low < 0.5 * (decisive.high - decisive.low));
    let all = Scores { wins: 0, draws: 3, losses: 0, shared: 0 }.estimate(2).expect("games");
    assert!(all.low < 0.3 && all.high > 0.7, "three draws prove little: {all:?}");
    // With three players, a draw is a third of a win.
    near(
        Scores { wins: 1, draws: 3, losses: 2, shared: 0 }.estimate(3).expect("games").value,
        2.0 / 6.0,
        1e-12,
    );
    assert_eq!(Scores::default().estimate(2), None);
}

#[test]
fn means_are_students() {
    let values: Vec<f64> = (1..=10).map(f64::from).collect();
    let estimate = mean_ci(&values).expect("a sample");
    near(estimate.value, 5.5, 1e-12);
    near(estimate.error, 0.957_427, 1e-6);
    // The t quantile with nine degrees of freedom is 2.262157.
    near(estimate.high, 5.5 + 2.262_157 * 0.957_427, 1e-5);
    near(t_quantile(9.0), 2.262_157, 1e-6);
    near(normal_cdf(1.96), 0.975_002, 1e-6);
    assert_eq!(mean_ci(&[3.0]).map(|one| (one.value, one.low)), Some((3.0, f64::NEG_INFINITY)));
    assert_eq!(mean_ci(&[]), None);
}

#[test]
fn quantiles_lie_between_ranks() {
    let values: Vec<(f64, u64)> = (1..=10).map(|value| (f64::from(value), 1)).collect();
    // Ranks 5 ± 1.96 √2.5, rounded up: 2 and 9.
    let median = quantile_ci(&values, 0.5).expect("a sample");
    assert_eq!((median.value, median.low, median.high), (5.0, 2.0, 9.0));
    assert_eq!(quantile_ci(&values, 0.95).map(|found| found.value), Some(10.0));
    assert_eq!(quantile_ci(&values, 0.0).map(|found| found.value), Some(1.0));
    assert_eq!(quantile_ci(&[], 0.5), None);
    // Weights count like repeated values.
    let apart =
        |values: &[f64]| values.iter().map(|&value| (value, 1)).collect::<Vec<(f64, u64)>>();
    let (together, apart) =
        ([(1.0, 3), (4.0, 1), (9.0, 2)], apart(&[1.0, 1.0, 1.0, 4.0, 9.0, 9.0]));
    for part in [0.05, 0.5, 0.6, 0.95] {
        assert_eq!(quantile_ci(&together, part), quantile_ci(&apart, part));
    }
    assert_eq!(weighted_mean_ci(&together), weighted_mean_ci(&apart));
}

#[test]
fn chao_counts_what_was_not_seen() {
    // 10 + 4·3/(2·3) = 12; the variance is 12/6 + 4·49/36 + 16·2·9/(4·81) = 8.333.
    let found = chao1(10, 4, 2);
    near(found.least, 12.0, 1e-12);
    let spread = (1.959_964 * (1.0 + 8.333_333_f64 / 4.0).ln().sqrt()).exp();
    near(found.low, 10.0 + 2.0 / spread, 1e-4);
    near(found.high, 10.0 + 2.0 * spread, 1e-3);
    // Without singletons, the estimate is the number seen.
    assert_eq!((chao1(7, 0, 3).least, chao1(7, 0, 3).high), (7.0, 7.0));
    assert!(chao1(5, 5, 0).least == 15.0);
}

#[test]
fn holm_corrects_step_by_step() {
    // Four tests: 0.005·4, 0.01·3, 0.03·2, 0.04·1, made monotone.
    let corrected = holm(&[0.01, 0.04, 0.03, 0.005]);
    for (found, expected) in corrected.iter().zip([0.03, 0.06, 0.06, 0.02]) {
        near(*found, expected, 1e-12);
    }
    assert!(holm(&[]).is_empty());
    near(p_value(1.959_964), 0.05, 1e-6);
    assert_eq!(p_value(f64::NAN), 1.0);
    // (51/102 − 31/102) / √((0.5·0.5 + 0.3039·0.6961)/102) = 0.196078/0.067266 = 2.9150.
    near(two_proportion_test((50, 100), (30, 100)), p_value(2.914_97), 1e-4);
    near(two_proportion_test((0, 10), (0, 10)), 1.0, 1e-12);
}

#[test]
fn groups_are_as_alike_as_fisher_says() {
    let same: [&[f64]; 3] = [&[0.0, 0.0], &[1.0, 1.0], &[0.5, 0.5]];
    near(intraclass_correlation(&same).expect("a share"), 1.0, 1e-12);
    let opposite: [&[f64]; 2] = [&[0.0, 1.0], &[1.0, 0.0]];
    near(intraclass_correlation(&opposite).expect("a share"), -1.0, 1e-12);
    // Means 1, 2, 6 around 3: between = 2·14/2 = 14; within = (2 + 0 + 8)/3 = 10/3; (14 − 10/3)/(14
    // + 10/3) = 8/13.
    let mixed: [&[f64]; 3] = [&[0.0, 2.0], &[2.0, 2.0], &[4.0, 8.0]];
    near(intraclass_correlation(&mixed).expect("a share"), 8.0 / 13.0, 1e-12);
    assert_eq!(intraclass_correlation(&[&[1.0, 1.0], &[1.0, 1.0]]), None);
    assert_eq!(intraclass_correlation(&[&[1.0], &[2.0]]), None);
}

/// Ten pairs that are all alike say that the dice decide much, but not that they decide all.
#[test]
fn few_groups_that_are_alike_leave_the_bound_open() {
    let pairs: Vec<Vec<f64>> = (0..10).map(|pair| vec![f64::from(pair % 2); 2]).collect();
    let found = intraclass_ci(&pairs, 0.5).expect("groups");
    near(found.value, 1.0, 1e-12);
    near(found.high, 1.0, 1e-12);
    // Wilson's bound of no pair of ten that differs is 0.2775; a quarter of that, over 0.25.
    assert!((0.35..0.5).contains(&found.low), "{found:?}");
    assert_eq!(found.sample, 20);
    // None is alike.
    let pairs: Vec<Vec<f64>> = (0..10).map(|_| vec![0.0, 1.0]).collect();
    let found = intraclass_ci(&pairs, 0.5).expect("groups");
    assert!(found.value < -0.99 && found.high > -0.6 && found.high < 0.0, "{found:?}");
}

/// Equal shares of few games have a trend, and differ, in one test of twenty.
#[test]
fn tests_of_few_games_keep_their_error_rate() {
    for probability in [2, 5, 8] {
        let (mut trends, mut uneven) = (0, 0);
        for number in 0..2_000 {
            let mut random = Random::new(mix(8, number));
            let samples: Vec<(Scores, f64)> = (0..4)
                .map(|_| {
                    let won = (0..20).filter(|_| random.below(10) < probability).count();
                    (Scores::of_proportion(won as u64, 20), 1.0)
                })
                .collect();
            let found: Vec<Estimate> =
                pooled_estimates(&samples, 2).into_iter().map(|own| own.expect("games")).collect();
            let points: Vec<(f64, Estimate)> = (0..).map(f64::from).zip(found.clone()).collect();
            trends += u32::from(weighted_trend(&points).is_some_and(|trend| trend.p <= 0.05));
            uneven += u32::from(homogeneity(&found).is_some_and(|p| p <= 0.05));
        }
        for found in [trends, uneven] {
            assert!((40..=125).contains(&found), "{probability}: {trends} {uneven} of 2,000");
        }
    }
}

#[test]
fn intervals_hold_the_truth_in_95_of_100_samples() {
    const SAMPLES: u64 = 4_000;
    for (probability, sample) in [(0.5, 40), (0.1, 60), (0.9, 200)] {
        let found = coverage(SAMPLES, probability, |random| {
            proportion_ci(
                (0..sample).filter(|_| uniform(random) < probability).count() as u64,
                sample,
            )
            .expect("a sample")
        });
        assert!((0.925..0.985).contains(&found), "a share of {probability}: {found}");
    }
    for (win, draw, sample) in [(0.3, 0.3, 60), (0.1, 0.8, 100), (0.5, 0.2, 30), (0.05, 0.05, 80)] {
        let found = coverage(SAMPLES, win + draw / 2.0, |random| {
            let mut scores = Scores::default();
            for _ in 0..sample {
                match uniform(random) {
                    drawn if drawn < win => scores.wins += 1,
                    drawn if drawn < win + draw => scores.draws += 1,
                    _ => scores.losses += 1,
                }
            }
            scores.estimate(2).expect("games")
        });
        assert!((0.925..0.985).contains(&found), "a score of {win} and {draw} draws: {found}");
    }
    let found = coverage(SAMPLES, 0.5, |random| {
        mean_ci(&(0..12).map(|_| uniform(random)).collect::<Vec<f64>>()).expect("a sample")
    });
    assert!((0.93..0.97).contains(&found), "a mean: {found}");
    for part in [0.05, 0.5, 0.95] {
        let found = coverage(SAMPLES, part, |random| {
            let mut values: Vec<(f64, u64)> = (0..120).map(|_| (uniform(random), 1)).collect();
            values.sort_by(|one, other| one.0.total_cmp(&other.0));
            quantile_ci(&values, part).expect("a sample")
        });
        assert!((0.92..0.99).contains(&found), "the quantile {part}: {found}");
    }
}

#[test]
fn intervals_of_kinds_and_of_likeness_hold_the_truth() {
    // With a hundred equally frequent kinds, the lower bound is exact.
    let found = coverage(1_000, 100.0, |random| {
        let mut seen = [0_u32; 100];
        (0..150).for_each(|_| seen[random.below(100) as usize] += 1);
        let often = |times: u32| seen.iter().filter(|&&count| count == times).count() as u64;
        let found = chao1(100 - often(0), often(1), often(2));
        Estimate { low: found.low, high: found.high, ..Estimate::count(found.least, 150) }
    });
    assert!((0.90..0.99).contains(&found), "kinds: {found}");
    // What a pair shares decides this part of its games.
    for (probability, alike, pairs) in
        [(0.5, 0.5, 10), (0.5, 0.9, 30), (0.3, 0.0, 20), (0.2, 0.7, 60)]
    {
        let found = coverage(2_000, alike, |random| {
            let score = |random: &mut Random| f64::from(u8::from(uniform(random) < probability));
            let pairs: Vec<Vec<f64>> = (0..pairs)
                .map(|_| {
                    let one = score(random);
                    let same = uniform(random) < alike;
                    vec![one, if same { one } else { score(random) }]
                })
                .collect();
            let all: Vec<f64> = pairs.iter().flatten().copied().collect();
            let mean = all.iter().sum::<f64>() / all.len() as f64;
            intraclass_ci(&pairs, mean).unwrap_or(Estimate { high: 1.0, ..Estimate::count(0.0, 0) })
        });
        assert!((0.93..=1.0).contains(&found), "likeness {alike} of {probability}: {found}");
    }
    // The quantiles of few values are open, and those of many are not.
    for sample in [20, 60, 73, 200] {
        let mut open = 0;
        let found = coverage(2_000, 95.0, |random| {
            let mut values: Vec<(f64, u64)> =
                (0..sample).map(|_| ((uniform(random) * 100.0).ceil(), 1)).collect();
            values.sort_by(|one, other| one.0.total_cmp(&other.0));
            let found = quantile_ci(&values, 0.95).expect("values");
            open += u64::from(found.high.is_infinite());
            found
        });
        assert!(found >= 0.92, "the 95 % quantile of {sample}: {found}");
        assert_eq!(open > 0, sample < 73, "{open} of {sample}");
    }
}

#[test]
fn the_sequential_test_errs_no_more_often_than_it_says() {
    let wrong = |probability: f64, answer: TestVerdict| {
        let runs = (0..2_000_u64).filter(|&run| {
            let mut random = Random::new(mix(9, run));
            let mut test = Sequential::new(0.45, 0.55, 0.05, 0.1);
            while test.verdict() == TestVerdict::Open {
                test.see(uniform(&mut random) < probability);
            }
            test.verdict() == answer
        });
        runs.count() as f64 / 2_000.0
    };
    let (low, high) = (wrong(0.45, TestVerdict::High), wrong(0.55, TestVerdict::Low));
    assert!((0.02..0.06).contains(&low) && (0.06..0.115).contains(&high), "{low} {high}");
}
