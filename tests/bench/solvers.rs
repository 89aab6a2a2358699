//! Compares the solver with searches written by hand for one game: alpha-beta, or by numbers where
//! that takes fewer positions.

use super::Settings;
use super::report::{Column, Table};
use ludwright::engine::game::Turn;
use ludwright::solve::{Progress, SolveLimits, Value, solve};
use std::path::Path;
use std::time::{Duration, Instant};

/// A position of a game written by hand. A value is 1 for a win, 0 for a draw and -1 for a loss of
/// the player to act.
trait Position: Copy {
    fn start() -> Self;
    fn key(self) -> u64;
    /// Returns the value if it is known without a search, as that of a win in one ply is.
    fn known(self) -> Option<i8>;
    /// Lists the positions after each ply, the most promising first.
    fn next(self, after: &mut Vec<Self>);
}

/// Alpha-beta with bounds in a table that always replaces.
struct ByHand<P> {
    table: Vec<(u64, i8, i8)>,
    lists: Vec<Vec<P>>,
    positions: u64,
}

/// The entries of the table, as a power of two.
const TABLE_BITS: u32 = 23;

impl<P: Position> ByHand<P> {
    /// Returns the value of the starting position for the player to act, and the positions.
    fn solve() -> (i8, u64) {
        let table = vec![(u64::MAX, -1, 1); 1 << TABLE_BITS];
        let mut search = ByHand { table, lists: Vec::new(), positions: 0 };
        (search.value(P::start(), -1, 1, 0), search.positions)
    }

    fn value(&mut self, at: P, mut alpha: i8, beta: i8, depth: usize) -> i8 {
        self.positions += 1;
        if let Some(known) = at.known() {
            return known;
        }
        let key = at.key();
        let place = (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - TABLE_BITS)) as usize;
        let (mut low, mut high) = (-1, 1);
        if self.table[place].0 == key {
            (_, low, high) = self.table[place];
            if low >= beta || low == high || high <= alpha {
                return if high <= alpha { high } else { low };
            }
            alpha = alpha.max(low);
        }
        if self.lists.len() <= depth {
            self.lists.push(Vec::new());
        }
        let mut after = std::mem::take(&mut self.lists[depth]);
        after.clear();
        at.next(&mut after);
        let (mut best, least) = (-1, alpha);
        for &next in &after {
            best = best.max(-self.value(next, -beta, -alpha, depth + 1));
            alpha = alpha.max(best);
            if alpha >= beta || best >= high {
                break;
            }
        }
        self.lists[depth] = after;
        low = if best > least { low.max(best) } else { low };
        high = if best < beta { high.min(best.max(low)) } else { high };
        self.table[place] = (key, low, high);
        best
    }
}

/// Connect Four on a number of columns and five rows. A column takes six bits, the last always
/// empty.
#[derive(Clone, Copy)]
struct Four<const COLUMNS: u32> {
    mine: u64,
    all: u64,
}

const COLUMN: u64 = 0b1_1111;

impl<const COLUMNS: u32> Four<COLUMNS> {
    fn drops(self) -> impl Iterator<Item = u64> {
        // From the middle outwards.
        let outwards = (0..COLUMNS).map(|index| match index % 2 {
            0 => COLUMNS / 2 + index / 2,
            _ => COLUMNS / 2 - index.div_ceil(2),
        });
        let bottom = |column: u32| 1 << (6 * column);
        outwards.map(move |column| (self.all + bottom(column)) & COLUMN << (6 * column))
    }

    fn has_line(stones: u64) -> bool {
        [1, 5, 6, 7].into_iter().any(|step| {
            let pairs = stones & stones >> step;
            pairs & pairs >> (2 * step) != 0
        })
    }
}

impl<const COLUMNS: u32> Position for Four<COLUMNS> {
    fn start() -> Self {
        Four { mine: 0, all: 0 }
    }

    fn key(self) -> u64 {
        // The lowest empty site of each column marks its height.
        self.mine + self.all + (0..COLUMNS).map(|column| 1 << (6 * column)).sum::<u64>()
    }

    fn known(self) -> Option<i8> {
        let mut drops = self.drops();
        match drops.any(|drop| drop != 0 && Self::has_line(self.mine | drop)) {
            true => Some(1),
            false => (self.all.count_ones() >= 5 * COLUMNS - 1).then_some(0),
        }
    }

    fn next(self, after: &mut Vec<Self>) {
        let drops = self.drops().filter(|&drop| drop != 0);
        after.extend(drops.map(|drop| Four { mine: self.all ^ self.mine, all: self.all | drop }));
    }
}

/// Hex on four by four hexagons; the player to act joins the rows, or with `turned` the columns.
#[derive(Clone, Copy)]
struct Hex {
    mine: u16,
    theirs: u16,
    turned: bool,
}

impl Hex {
    fn joins(stones: u16, turned: bool) -> bool {
        const LEFT: u16 = 0x1111;
        let (first, last) = if turned { (LEFT, LEFT << 3) } else { (0xf, 0xf000) };
        let mut chain = stones & first;
        loop {
            let sideways = (chain & !(LEFT << 3)) << 1 | (chain & !LEFT) >> 1;
            let slanted = (chain & !LEFT) << 3 | (chain & !(LEFT << 3)) >> 3;
            let more = (chain | sideways | slanted | chain << 4 | chain >> 4) & stones;
            if more == chain {
                return chain & last != 0;
            }
            chain = more;
        }
    }

    fn empty(self) -> impl Iterator<Item = u16> {
        // The middle first.
        let sites = [5, 6, 9, 10, 3, 12, 4, 7, 8, 11, 1, 2, 13, 14, 0, 15].map(|site| 1 << site);
        sites.into_iter().filter(move |site| (self.mine | self.theirs) & site == 0)
    }
}

impl Position for Hex {
    fn start() -> Self {
        Hex { mine: 0, theirs: 0, turned: false }
    }

    fn key(self) -> u64 {
        u64::from(self.mine) | u64::from(self.theirs) << 16 | u64::from(self.turned) << 32
    }

    fn known(self) -> Option<i8> {
        self.empty().any(|site| Hex::joins(self.mine | site, self.turned)).then_some(1)
    }

    fn next(self, after: &mut Vec<Self>) {
        let Hex { mine, theirs, turned } = self;
        after.extend(self.empty().map(|site| Hex {
            mine: theirs,
            theirs: mine | site,
            turned: !turned,
        }));
    }
}

/// Breakthrough on five by five squares. The player to act moves to higher bits: the board is turned
/// round after each ply.
#[derive(Clone, Copy)]
struct Breakthrough {
    mine: u32,
    theirs: u32,
    second: bool,
}

const BOARD: u32 = (1 << 25) - 1;

impl Breakthrough {
    /// Lists the sites from and to which a pawn moves, the foremost first.
    fn moves(self) -> impl Iterator<Item = (u32, u32)> {
        let pawns =
            (0..20).rev().map(|site| 1u32 << site).filter(move |pawn| self.mine & pawn != 0);
        let all = self.mine | self.theirs;
        pawns.flat_map(move |pawn| {
            let column = pawn.trailing_zeros() % 5;
            let left = (pawn << 4) & if column > 0 { !self.mine } else { 0 };
            let right = (pawn << 6) & if column < 4 { !self.mine } else { 0 };
            let to = [left, right, (pawn << 5) & !all];
            to.into_iter().filter(|&to| to != 0).map(move |to| (pawn, to))
        })
    }
}

/// Returns the squares of a set as the other player sees them.
fn turned(stones: u32) -> u32 {
    (stones & BOARD).reverse_bits() >> 7
}

/// Proof-number search, depth first, with two positions a place in its table.
struct ByNumbers {
    table: Vec<(u64, u32, u32)>,
    positions: u64,
}

const NEVER: u32 = 1 << 28;

impl Breakthrough {
    fn start() -> Self {
        Breakthrough { mine: 0x3ff, theirs: 0x3ff << 15, second: false }
    }

    /// The same for a position and its image.
    fn key(self) -> u64 {
        const COLUMN: u32 = 0b1_00001_00001_00001_00001;
        let image = |stones: u32| (0..5).fold(0, |to, at| to | (stones >> at & COLUMN) << (4 - at));
        let key = |mine: u32, theirs: u32| u64::from(mine) | u64::from(theirs) << 25;
        let keys = [key(self.mine, self.theirs), key(image(self.mine), image(self.theirs))];
        keys[0].min(keys[1]) | u64::from(self.second) << 50
    }

    fn is_won(self) -> Option<bool> {
        let is_won = self.mine >> 15 & 0x1f != 0
            || self.theirs.count_ones() == 1 && self.moves().any(|(_, to)| to == self.theirs);
        if self.mine == 0 { Some(false) } else { is_won.then_some(true) }
    }

    /// Lists the positions after each ply that does not let a pawn arrive.
    fn next(self) -> Vec<Self> {
        let arriving = self.theirs & 0x1f << 5;
        let answers = self.moves().filter(|(_, to)| arriving & !to == 0);
        let after = |(from, to): (u32, u32)| Breakthrough {
            mine: turned(self.theirs & !to),
            theirs: turned(self.mine & !from | to),
            second: !self.second,
        };
        answers.map(after).collect()
    }
}

impl ByNumbers {
    fn solve() -> (i8, u64) {
        let table = vec![(u64::MAX, 0, 0); 2 << TABLE_BITS];
        let mut search = ByNumbers { table, positions: 0 };
        let (win, _) = search.search(Breakthrough::start(), NEVER, NEVER);
        (if win == 0 { 1 } else { -1 }, search.positions)
    }

    fn place(key: u64) -> usize {
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (63 - TABLE_BITS)) as usize
    }

    /// Returns the numbers of a win and of a loss of the player to act.
    fn numbers(&self, at: Breakthrough) -> (u32, u32) {
        let key = at.key();
        let place = Self::place(key);
        let found = [place, place ^ 1].into_iter().find(|&place| self.table[place].0 == key);
        match (found, at.is_won()) {
            (Some(place), _) => (self.table[place].1, self.table[place].2),
            (None, Some(true)) => (0, NEVER),
            (None, Some(false)) => (NEVER, 0),
            (None, None) => (1, 1),
        }
    }

    fn keep(&mut self, at: Breakthrough, win: u32, loss: u32) -> (u32, u32) {
        let key = at.key();
        let place = Self::place(key);
        let is_solved = |place: usize| self.table[place].1 == 0 || self.table[place].2 == 0;
        let other = self.table[place ^ 1].0 == key
            || self.table[place].0 != key && is_solved(place) && !is_solved(place ^ 1);
        self.table[if other { place ^ 1 } else { place }] = (key, win, loss);
        (win, loss)
    }

    fn search(&mut self, at: Breakthrough, most_win: u32, most_loss: u32) -> (u32, u32) {
        self.positions += 1;
        let after = at.next();
        let mut numbers: Vec<_> = after.iter().map(|&next| self.numbers(next)).collect();
        loop {
            let (mut best, mut least, mut second, mut sum) = (0, NEVER, NEVER, 0);
            for (index, &(win, loss)) in numbers.iter().enumerate() {
                sum += u64::from(win);
                if loss < least {
                    (best, least, second) = (index, loss, least);
                } else {
                    second = second.min(loss);
                }
            }
            let loss = if least == 0 { NEVER } else { sum.min(NEVER.into()) as u32 };
            if least >= most_win || loss >= most_loss || least == 0 || loss == 0 {
                return self.keep(at, least, loss);
            }
            let loss = most_loss - (loss - numbers[best].0);
            numbers[best] = self.search(after[best], loss, most_win.min(second + second / 4 + 1));
        }
    }
}

/// Domineering on six by six squares; with `lies` the player to act lays dominoes along the rows.
#[derive(Clone, Copy)]
struct Domineering {
    all: u64,
    lies: bool,
}

impl Domineering {
    /// Returns the lower or left squares of dominoes that fit.
    fn fits(all: u64, lies: bool) -> u64 {
        const RIGHT: u64 = 0o40_40_40_40_40_40;
        let empty = !all & ((1 << 36) - 1);
        if lies { empty & !RIGHT & empty >> 1 } else { empty & empty >> 6 }
    }
}

impl Position for Domineering {
    fn start() -> Self {
        Domineering { all: 0, lies: false }
    }

    fn key(self) -> u64 {
        self.all | u64::from(self.lies) << 36
    }

    fn known(self) -> Option<i8> {
        let [mine, theirs] =
            [self.lies, !self.lies].map(|lies| Domineering::fits(self.all, lies).count_ones());
        if mine == 0 { Some(-1) } else { (theirs == 0).then_some(1) }
    }

    fn next(self, after: &mut Vec<Self>) {
        let mut fits = Domineering::fits(self.all, self.lies);
        let step = if self.lies { 1 } else { 6 };
        while fits != 0 {
            let first = fits & fits.wrapping_neg();
            fits ^= first;
            after.push(Domineering { all: self.all | first | first << step, lies: !self.lies });
        }
        let rate = |after: &Domineering| {
            let [theirs, mine] =
                [after.lies, !after.lies].map(|lies| Domineering::fits(after.all, lies));
            theirs.count_ones() as i32 - mine.count_ones() as i32
        };
        after.sort_by_cached_key(rate);
    }
}

/// Cicada on four by four or five by five squares.
#[derive(Clone, Copy)]
struct Cicada<const SIZE: u32> {
    nymphs: u32,
    shells: u32,
    moves: bool,
}

impl<const SIZE: u32> Cicada<SIZE> {
    const ALL: u32 = ((1u64 << (SIZE * SIZE)) - 1) as u32;
    const LEFT: u32 = {
        let (mut left, mut row) = (0, 0);
        while row < SIZE {
            left |= 1 << (row * SIZE);
            row += 1;
        }
        left
    };

    fn beside(set: u32) -> u32 {
        let right = Self::LEFT << (SIZE - 1);
        ((set & !right) << 1 | (set & !Self::LEFT) >> 1 | set << SIZE | set >> SIZE) & Self::ALL
    }

    fn around(set: u32) -> u32 {
        let right = Self::LEFT << (SIZE - 1);
        let row = set | (set & !right) << 1 | (set & !Self::LEFT) >> 1;
        (row | row << SIZE | row >> SIZE) & Self::ALL & !set
    }

    /// Puts a nymph on a site that is empty, and lets its group molt; `None` if it is too large.
    fn settle(self, nymphs: u32, site: u32) -> Option<Self> {
        let nymphs = nymphs | site;
        let mut group = site;
        loop {
            let more = (group | Self::beside(group)) & nymphs;
            if more == group {
                break;
            }
            group = more;
        }
        let molts = if group.count_ones() == 5 { group } else { 0 };
        let after =
            Cicada { nymphs: nymphs & !molts, shells: self.shells | molts, moves: !self.moves };
        (group.count_ones() <= 5).then_some(after)
    }
}

impl<const SIZE: u32> Position for Cicada<SIZE> {
    fn start() -> Self {
        Cicada { nymphs: 0, shells: 0, moves: false }
    }

    fn key(self) -> u64 {
        u64::from(self.nymphs) | u64::from(self.shells) << 25 | u64::from(self.moves) << 50
    }

    fn known(self) -> Option<i8> {
        (self.moves && self.nymphs == 0).then_some(-1)
    }

    fn next(self, after: &mut Vec<Self>) {
        let empty = Self::ALL & !(self.nymphs | self.shells);
        let bits =
            |set: u32| (0..SIZE * SIZE).map(|site| 1 << site).filter(move |bit| set & bit != 0);
        if self.moves {
            let moves = bits(self.nymphs).flat_map(|from| {
                let to = bits(Self::around(from) & empty);
                to.filter_map(move |to| self.settle(self.nymphs & !from, to))
            });
            after.extend(moves);
        } else {
            after.extend(bits(empty).filter_map(|site| self.settle(self.nymphs, site)));
        }
    }
}

/// A game with its solver.
struct Solved {
    name: &'static str,
    file: &'static str,
    options: &'static [(&'static str, &'static str)],
    by_hand: fn() -> (i8, u64),
}

/// The file of a game that does not ship.
const DOMINEERING: &str = r#"(game "Domineering"
  (players Vertical Horizontal)
  (option Size (range 2 8) 6 "Squares along each side of the board.")
  (board (square Size))
  (piece Half unowned)
  (move stand (to t (where s (empty) (any (and (step s N) (empty))))) (put Half t) (put Half (step t N)))
  (move lie (to t (where s (empty) (any (and (step s E) (empty))))) (put Half t) (put Half (step t E)))
  (play (forever
    (turn Vertical (choose stand (otherwise (lose Vertical))))
    (turn Horizontal (choose lie (otherwise (lose Horizontal)))))))"#;

const SOLVED: &[Solved] = &[
    Solved {
        name: "connect-four 5x5",
        file: "tests/games/connect-four.game",
        options: &[("Columns", "5"), ("Rows", "5")],
        by_hand: ByHand::<Four<5>>::solve,
    },
    Solved {
        name: "connect-four 6x5",
        file: "tests/games/connect-four.game",
        options: &[("Columns", "6"), ("Rows", "5")],
        by_hand: ByHand::<Four<6>>::solve,
    },
    Solved {
        name: "hex 4x4",
        file: "tests/games/hex.game",
        options: &[("Size", "4")],
        by_hand: ByHand::<Hex>::solve,
    },
    Solved {
        name: "breakthrough 5x5",
        file: "tests/games/breakthrough.game",
        options: &[("Size", "5")],
        by_hand: ByNumbers::solve,
    },
    Solved {
        name: "domineering 6x6",
        file: "",
        options: &[("Size", "6")],
        by_hand: ByHand::<Domineering>::solve,
    },
    Solved {
        name: "cicada 4x4",
        file: "games/cicada.game",
        options: &[("Size", "4")],
        by_hand: ByHand::<Cicada<4>>::solve,
    },
    Solved {
        name: "cicada 5x5",
        file: "games/cicada.game",
        options: &[],
        by_hand: ByHand::<Cicada<5>>::solve,
    },
];

const COLUMNS: &[Column] = &[
    Column { key: "seconds", digits: 3 },
    Column { key: "by hand", digits: 3 },
    Column { key: "ratio", digits: 2 },
    Column { key: "positions", digits: 0 },
    Column { key: "of them", digits: 0 },
];

/// Measures how long it takes to find the value of each game, once.
pub fn measure(settings: &Settings) {
    let about = "seconds to the value of the first position, on one thread, beside a search written by hand; positions of both";
    let table: Table = settings.table("solvers", about, COLUMNS);
    for solved in SOLVED.iter().filter(|solved| settings.wants(solved.name)) {
        let owned = |&(name, value): &(&str, &str)| (name.to_owned(), value.to_owned());
        let options: Vec<(String, String)> = solved.options.iter().map(owned).collect();
        let game = match solved.file {
            "" => ludwright::load(DOMINEERING, &options).map_err(|error| error.to_string()),
            file => {
                ludwright::load_file(Path::new(file), &options).map_err(|error| error.to_string())
            }
        };
        let game = game.unwrap_or_else(|error| panic!("{}: {error}", solved.name));
        let start = game.begin().expect("a first position");
        let began = Instant::now();
        let (value, their_positions) = (solved.by_hand)();
        let theirs = began.elapsed().as_secs_f64();
        let began = Instant::now();
        let limits =
            SolveLimits { time: Some(Duration::from_secs(3_600)), ..SolveLimits::default() };
        // Those by hand find the value alone.
        let found = &mut |progress: &Progress| progress.value.is_none();
        let solution = solve(&start, &limits, found).expect("rules that end");
        let ours = began.elapsed().as_secs_f64();
        let Turn::Player(first) = start.turn() else { panic!("{}: nobody acts", solved.name) };
        let expected = match value {
            1 => Value::Win(first),
            0 => Value::Draw,
            _ => Value::Win(ludwright::language::rules::PlayerId(1 - first.0)),
        };
        assert_eq!(solution.value, expected, "{}", solved.name);
        let figures = [ours, theirs, ours / theirs, solution.nodes as f64, their_positions as f64];
        table.row(solved.name, &figures.map(Some));
    }
}
