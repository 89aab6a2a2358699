//! Relations: laws and operations against their pointwise definitions, on random boards, sets and
//! relations. The definitions are only here.

use ludwright::board::{Board, Direction, Labels, Shape, Site, Wraps};
use ludwright::compile::assembler::{Num, Set};
use ludwright::compile::relation::{RelationId, RelationTerm, SetId, SetTerm, Terms};
use ludwright::random::Random;
use std::collections::BTreeSet;

type Sites = BTreeSet<Site>;
type Pairs = BTreeSet<(Site, Site)>;

/// A board, and what the registers hold.
struct World {
    board: Board,
    registers: Vec<Sites>,
    /// The sites in registers of numbers, or nowhere.
    numbers: Vec<Option<Site>>,
    random: Random,
}

fn boards() -> Vec<Board> {
    let wrapped = |columns, rows, wraps| {
        Board::wrapped(Shape::Rectangle { columns, rows }, Labels::default(), wraps)
    };
    let flat = |shape| Board::new(shape, Labels::default()).expect("a board");
    let square = flat(Shape::Rectangle { columns: 4, rows: 4 });
    let holes: Vec<Site> = ["b2", "c4"].iter().filter_map(|label| square.find(label)).collect();
    vec![
        square.clone().without(&holes),
        square,
        flat(Shape::Rectangle { columns: 5, rows: 3 }),
        flat(Shape::Rectangle { columns: 6, rows: 1 }),
        flat(Shape::Hexagon { first: 3, second: 2 }),
        flat(Shape::Rhombus { columns: 4, rows: 3 }),
        wrapped(4, 3, Wraps { columns: true, rows: false }).expect("a cylinder"),
        wrapped(3, 3, Wraps { columns: true, rows: true }).expect("a torus"),
        wrapped(3, 4, Wraps { columns: true, rows: true }).expect("a torus"),
    ]
}

fn in_mask(mask: u16) -> impl Iterator<Item = Direction> {
    Direction::ALL.into_iter().filter(move |direction| mask >> direction.index() & 1 == 1)
}

fn composed(a: &Pairs, b: &Pairs) -> Pairs {
    let next = |&(x, z): &(Site, Site)| {
        b.iter().filter(move |(from, _)| *from == z).map(move |&(_, y)| (x, y))
    };
    a.iter().flat_map(next).collect()
}

fn turned(pairs: &Pairs) -> Pairs {
    pairs.iter().map(|&(x, y)| (y, x)).collect()
}

impl World {
    fn identity(&self) -> Pairs {
        self.board.sites().map(|site| (site, site)).collect()
    }

    fn product(&self, from: &Sites, to: &Sites) -> Pairs {
        from.iter().flat_map(|&x| to.iter().map(move |&y| (x, y))).collect()
    }

    fn steps(&self, mask: u16) -> Pairs {
        let step =
            |site| in_mask(mask).filter_map(move |way| Some((site, self.board.step(site, way)?)));
        self.board.sites().flat_map(step).collect()
    }

    /// One step or more, at most one lap, with the sites strictly between in the set.
    fn rays(&self, mask: u16, through: &Sites) -> Pairs {
        let mut pairs = Pairs::new();
        for start in self.board.sites() {
            for way in in_mask(mask) {
                let mut at = start;
                while let Some(next) = self.board.step(at, way) {
                    pairs.insert((start, next));
                    if next == start || !through.contains(&next) {
                        break;
                    }
                    at = next;
                }
            }
        }
        pairs
    }

    fn closure(&self, step: &Pairs) -> Pairs {
        let mut all = self.identity();
        loop {
            let before = all.len();
            all.extend(composed(&all, step));
            if all.len() == before {
                return all;
            }
        }
    }

    fn flood(&self, mask: u16, within: &Sites) -> Pairs {
        let inside = |pairs: Pairs| -> Pairs {
            pairs.into_iter().filter(|(x, y)| within.contains(x) && within.contains(y)).collect()
        };
        let steps = inside(self.steps(mask));
        inside(self.closure(&steps))
    }

    fn stored(&self, planes: &[Sites]) -> Pairs {
        let number = |site: &Site| -> u32 {
            (0..).zip(planes).map(|(bit, plane)| u32::from(plane.contains(site)) << bit).sum()
        };
        let end = |site: Site| {
            let end = Site(u16::try_from(number(&site).checked_sub(1)?).ok()?);
            self.board.contains(end).then_some((site, end))
        };
        self.board.sites().filter_map(end).collect()
    }

    fn end(&self, from: Site, path: &[Direction]) -> Option<Site> {
        path.iter().try_fold(from, |site, &way| self.board.step(site, way))
    }

    /// The meaning of a set.
    fn set(&self, terms: &Terms, id: SetId) -> Sites {
        match terms.set_term(id) {
            SetTerm::None => Sites::new(),
            SetTerm::Board => self.board.sites().collect(),
            SetTerm::Constant(sites) => sites.iter().copied().collect(),
            SetTerm::Register(Set(index), _) => self.registers[usize::from(*index)].clone(),
            SetTerm::Single(Num(index), _) => {
                self.numbers[usize::from(*index)].into_iter().collect()
            }
            SetTerm::And(a, b) => &self.set(terms, *a) & &self.set(terms, *b),
            SetTerm::Or(a, b) => &self.set(terms, *a) | &self.set(terms, *b),
            SetTerm::Minus(a, b) => &self.set(terms, *a) - &self.set(terms, *b),
            SetTerm::Xor(a, b) => &self.set(terms, *a) ^ &self.set(terms, *b),
            SetTerm::Beside(mask, of) => led_to(&self.steps(*mask), &self.set(terms, *of)),
            SetTerm::Fill(way, goals, through) => {
                let rays = self.rays(1 << way.index(), &self.set(terms, *through));
                led_to(&turned(&rays), &self.set(terms, *goals))
            }
            SetTerm::Sight(mask, from, through) => {
                let from = self.set(terms, *from);
                assert!(from.len() <= 1);
                led_to(&self.rays(*mask, &self.set(terms, *through)), &from)
            }
            SetTerm::Walk(mask, from, through) => {
                let through = self.set(terms, *through);
                &led_to(&self.rays(*mask, &through), &self.set(terms, *from)) & &through
            }
            SetTerm::Flood(mask, of, within) => {
                led_to(&self.flood(*mask, &self.set(terms, *within)), &self.set(terms, *of))
            }
            SetTerm::Closure(step, of) => {
                let steps = self.closure(&self.pairs(terms, *step));
                led_to(&turned(&steps), &self.set(terms, *of))
            }
            SetTerm::Somewhere(of) => match self.set(terms, *of).is_empty() {
                true => Sites::new(),
                false => self.board.sites().collect(),
            },
            SetTerm::Elsewhere(of) => {
                let of = self.set(terms, *of);
                let has_other = |site: &Site| of.iter().any(|other| other != site);
                self.board.sites().filter(has_other).collect()
            }
            other => panic!("{other:?}"),
        }
    }

    /// The meaning of a relation.
    fn pairs(&self, terms: &Terms, id: RelationId) -> Pairs {
        match terms.relation_term(id) {
            RelationTerm::None => Pairs::new(),
            RelationTerm::Test(set) => {
                self.set(terms, *set).into_iter().map(|site| (site, site)).collect()
            }
            RelationTerm::Product(a, b) => self.product(&self.set(terms, *a), &self.set(terms, *b)),
            RelationTerm::Step(mask) => self.steps(*mask),
            RelationTerm::Ray(mask, through) => self.rays(*mask, &self.set(terms, *through)),
            RelationTerm::Flood(mask, within) => self.flood(*mask, &self.set(terms, *within)),
            RelationTerm::Star(step) => self.closure(&self.pairs(terms, *step)),
            RelationTerm::Then(a, b) => composed(&self.pairs(terms, *a), &self.pairs(terms, *b)),
            RelationTerm::And(a, b) => &self.pairs(terms, *a) & &self.pairs(terms, *b),
            RelationTerm::Or(a, b) => &self.pairs(terms, *a) | &self.pairs(terms, *b),
            RelationTerm::Minus(a, b) => &self.pairs(terms, *a) - &self.pairs(terms, *b),
            RelationTerm::Stored(planes) => {
                let planes: Vec<Sites> = planes.iter().map(|one| self.set(terms, *one)).collect();
                self.stored(&planes)
            }
            RelationTerm::Back(of) => turned(&self.pairs(terms, *of)),
            other => panic!("{other:?}"),
        }
    }

    fn below(&mut self, limit: usize) -> usize {
        self.random.below(limit as u32) as usize
    }

    fn mask(&mut self) -> u16 {
        let all: Vec<Direction> = self.board.all().to_vec();
        let pick = |world: &mut World| 1 << all[world.below(all.len())].index();
        match self.below(3) {
            0 => pick(self),
            1 => pick(self) | pick(self),
            _ => all.iter().fold(0, |mask, way| mask | 1 << way.index()),
        }
    }

    fn path(&mut self) -> Vec<Direction> {
        let all: Vec<Direction> = self.board.all().to_vec();
        (0..self.below(3)).map(|_| all[self.below(all.len())]).collect()
    }

    /// Makes a set, and its meaning by definition.
    fn random_set(&mut self, terms: &mut Terms, depth: usize) -> (SetId, Sites) {
        let board: Sites = self.board.sites().collect();
        match if depth == 0 { self.below(7) } else { self.below(12) } {
            0 => (SetId::NONE, Sites::new()),
            1 => (SetId::BOARD, board),
            2 => {
                let sites: Vec<Site> = self.board.sites().filter(|site| site.0 % 3 == 1).collect();
                (terms.constant(sites.clone()), sites.into_iter().collect())
            }
            3..6 => {
                let index = self.below(self.registers.len());
                (terms.register(Set(index as u16), 0), self.registers[index].clone())
            }
            6 => {
                let index = self.below(self.numbers.len());
                (terms.single(Num(index as u16), 0), self.numbers[index].into_iter().collect())
            }
            7 => {
                let (id, set) = self.random_set(terms, depth - 1);
                (terms.complement(id), &board - &set)
            }
            which => {
                let (a, one) = self.random_set(terms, depth - 1);
                let (b, other) = self.random_set(terms, depth - 1);
                match which {
                    8 => (terms.and(a, b), &one & &other),
                    9 => (terms.or(a, b), &one | &other),
                    10 => (terms.minus(a, b), &one - &other),
                    _ => (terms.xor(a, b), &one ^ &other),
                }
            }
        }
    }

    /// Makes a relation, and its meaning by definition.
    fn random_relation(&mut self, terms: &mut Terms, depth: usize) -> (RelationId, Pairs) {
        match if depth == 0 { self.below(7) } else { self.below(14) } {
            0 => {
                let (id, set) = self.random_set(terms, 1);
                (terms.test(id), set.into_iter().map(|site| (site, site)).collect())
            }
            1 => {
                let ((a, from), (b, to)) = (self.random_set(terms, 1), self.random_set(terms, 1));
                (terms.product(a, b), self.product(&from, &to))
            }
            2 => {
                let mask = self.mask();
                (terms.step(mask), self.steps(mask))
            }
            3 => {
                let (mask, (id, set)) = (self.mask(), self.random_set(terms, 1));
                (terms.ray(mask, id), self.rays(mask, &set))
            }
            4 => {
                let (mask, (id, set)) = (self.mask(), self.random_set(terms, 1));
                (terms.flood(mask, id), self.flood(mask, &set))
            }
            5 => {
                let path = self.path();
                let to = |site| Some((site, self.end(site, &path)?));
                (terms.path(&path), self.board.sites().filter_map(to).collect())
            }
            6 => {
                // As many planes as the number of any site needs.
                let bits = u16::BITS - (self.board.slots() as u16).leading_zeros();
                let planes: Vec<(SetId, Sites)> =
                    (0..bits).map(|_| self.random_set(terms, 0)).collect();
                let (ids, sets): (Vec<SetId>, Vec<Sites>) = planes.into_iter().unzip();
                (terms.stored(ids), self.stored(&sets))
            }
            7 => {
                let (id, pairs) = self.random_relation(terms, depth - 1);
                (terms.star(id), self.closure(&pairs))
            }
            8 => {
                // A walk.
                let (mask, (id, set)) = (self.mask(), self.random_set(terms, 1));
                let ray = terms.ray(mask, id);
                let pairs = self.rays(mask, &set);
                let ends = pairs.into_iter().filter(|(_, end)| set.contains(end)).collect();
                (terms.restricted(SetId::BOARD, ray, id), ends)
            }
            which => {
                let (a, one) = self.random_relation(terms, depth - 1);
                let (b, other) = self.random_relation(terms, depth - 1);
                match which {
                    9 | 10 => (terms.then(a, b), composed(&one, &other)),
                    11 => (terms.union(a, b), &one | &other),
                    12 => (terms.both(a, b), &one & &other),
                    _ => (terms.difference(a, b), &one - &other),
                }
            }
        }
    }
}

fn led_to(pairs: &Pairs, from: &Sites) -> Sites {
    pairs.iter().filter(|(x, _)| from.contains(x)).map(|&(_, y)| y).collect()
}

/// How often an operation has answered.
#[derive(Debug, Default)]
struct Answers {
    images: usize,
    along: usize,
    ports: usize,
    degrees: usize,
    relations: usize,
}

#[test]
fn laws_and_operations_agree_with_the_definitions() {
    let mut answers = Answers::default();
    for (seed, board) in (0..).zip(boards()) {
        let mut random = Random::new(seed);
        for _ in 0..30 {
            let half = |random: &mut Random| {
                board.sites().filter(|_| random.below(2) == 0).collect::<Sites>()
            };
            let registers = (0..4).map(|_| half(&mut random)).collect();
            let sites: Vec<Site> = board.sites().collect();
            let mut site = || sites.get(random.below(sites.len() as u32 + 1) as usize).copied();
            let numbers = (0..3).map(|_| site()).collect();
            let random = Random::new(random.bits64());
            let mut world = World { board: board.clone(), registers, numbers, random };
            let terms = &mut Terms::new(&board);
            for _ in 0..8 {
                check(&mut world, terms, &mut answers);
            }
        }
    }
    let Answers { images, along, ports, degrees, relations } = answers;
    // Operations may decline, but not often where they are meant to answer.
    assert!(images * 10 > relations * 14, "{answers:?}");
    assert!(along * 10 > relations * 4, "{answers:?}");
    assert!(ports * 10 > relations * 3 && degrees >= ports, "{answers:?}");
}

fn check(world: &mut World, terms: &mut Terms, answers: &mut Answers) {
    let depth = world.below(4);
    let (id, pairs) = world.random_relation(terms, depth);
    let (to, goals) = world.random_set(terms, 1);
    let at = format!("{:?}\n{:?}\n{terms:?}", world.board, terms.relation_term(id));
    assert_eq!(world.pairs(terms, id), pairs, "{at}");
    let converse = terms.converse(id);
    assert_eq!(world.pairs(terms, converse), turned(&pairs), "{at}");
    answers.relations += 1;
    if let Ok(set) = terms.preimage(id, to) {
        assert_eq!(world.set(terms, set), led_to(&turned(&pairs), &goals), "{at}");
        answers.images += 1;
    }
    if let Ok(set) = terms.image(id, to) {
        assert_eq!(world.set(terms, set), led_to(&pairs, &goals), "{at}");
        answers.images += 1;
    }
    let (f, g) = (world.path(), world.path());
    if let Ok(set) = terms.along(id, &f, &g) {
        let leads = |&site: &Site| {
            let ends = world.end(site, &f).zip(world.end(site, &g));
            ends.is_some_and(|ends| pairs.contains(&ends))
        };
        let expected: Sites = world.board.sites().filter(leads).collect();
        assert_eq!(world.set(terms, set), expected, "{f:?} {g:?} {at}");
        answers.along += 1;
    }
    if let Ok(ports) = terms.ports(id) {
        let mut all = Pairs::new();
        for port in ports {
            for start in world.set(terms, port.starts) {
                let Some(end) = world.end(start, &port.path) else { continue };
                assert!(all.insert((start, end)), "{at}");
            }
        }
        assert_eq!(all, pairs, "{at}");
        answers.ports += 1;
    }
    if let Ok(degree) = terms.degree(id, to) {
        let sets: Vec<Sites> = degree.sets.iter().map(|set| world.set(terms, *set)).collect();
        for site in world.board.sites() {
            let count = sets.iter().filter(|set| set.contains(&site)).count();
            let expected = pairs.iter().filter(|(x, y)| *x == site && goals.contains(y)).count();
            assert_eq!(count, expected, "{site:?} {at}");
        }
        let is_ladder = sets.windows(2).all(|pair| pair[1].is_subset(&pair[0]));
        assert!(is_ladder || !degree.is_ladder, "{at}");
        answers.degrees += 1;
    }
}

#[test]
fn spellings_of_one_meaning_are_one_term() {
    let board =
        Board::new(Shape::Rectangle { columns: 5, rows: 5 }, Labels::default()).expect("a board");
    let terms = &mut Terms::new(&board);
    let (corners, open) = (terms.register(Set(0), 0), terms.register(Set(1), 0));
    let north_east = 1 << Direction::N.index() | 1 << Direction::E.index();
    // A group is a closure of steps into its sites, and its converse a group of the other end.
    let flood = terms.flood(north_east, open);
    let step = terms.step(north_east);
    let inside = terms.restricted(open, step, open);
    let steps = terms.star(inside);
    let closed = terms.restricted(open, steps, open);
    assert_eq!(terms.preimage(flood, corners), terms.preimage(flood, corners));
    let back = terms.converse(flood);
    assert_eq!(terms.image(back, corners), terms.preimage(flood, corners));
    assert_ne!(closed, RelationId::NONE);
    // Steps in two directions, one after the other and together.
    let [one, other] = [Direction::N, Direction::E].map(|way| terms.step(1 << way.index()));
    assert_eq!(terms.union(one, other), step);
    let test = terms.test(open);
    let [one, other] = [one, other].map(|step| terms.then(step, test));
    let both = terms.union(one, other);
    assert_eq!(both, terms.restricted(SetId::BOARD, step, open));
    // A restriction of both ends is an intersection with a product.
    let product = terms.product(corners, open);
    assert_eq!(terms.both(step, product), terms.restricted(corners, step, open));
    // A complement is subtracted.
    let out = terms.complement(open);
    assert_eq!(terms.and(corners, out), terms.minus(corners, open));
    assert_eq!(terms.complement(out), open);
}
