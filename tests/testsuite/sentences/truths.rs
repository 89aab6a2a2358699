//! Reads numbers and conditions.

use super::reader::{Means, Read, Reader, Type, groups, means};
use ludwright::board::{Board, Direction, Site};
use ludwright::engine::snapshot::MemoryValue;
use ludwright::language::rules::{MoveId, PieceId};
use ludwright::reference::{ONE, Value, Variables, View, first_choice};
use std::collections::BTreeSet;

impl<'g> Reader<'g> {
    // Numbers.

    pub fn number(&self) -> Read<'g, i128> {
        let from = self.at.get();
        if let Some(read) = self.attempt(Self::open_number) {
            let operators = ["plus", "minus", "times", "divided", "if", "for", "where"];
            if !self.word().is_some_and(|word| operators.contains(&word)) {
                return Some(read);
            }
            self.at.set(from);
        }
        let first = self.number_part()?;
        if self.eat("divided by") {
            let by: i128 = self.next()?.parse().ok()?;
            self.expect(", rounded down")?;
            return means(move |around| ONE * first(around).div_euclid(ONE * by));
        }
        let whole = i128::from(i32::MIN) * ONE..=i128::from(i32::MAX) * ONE;
        let bounded = move |it: i128| it.clamp(*whole.start(), *whole.end());
        for (word, act) in [
            ("plus", (|one, other| one + other) as fn(i128, i128) -> i128),
            ("minus", |one, other| one - other),
            ("times", |one, other| one * other / ONE),
        ] {
            let mut all = vec![first.clone()];
            while self.eat(word) {
                all.push(self.number_part()?);
            }
            if all.len() > 1 {
                return means(move |around| {
                    let values = all.iter().map(|it| it(around));
                    values.reduce(|one, other| bounded(act(one, other))).unwrap_or(0)
                });
            }
        }
        self.tail(first, Self::number_part, Self::number)
    }

    fn open_number(&self) -> Read<'g, i128> {
        for (word, greatest) in [("least", false), ("greatest", true)] {
            if self.eat(&format!("the {word} of")) {
                let mut all = vec![self.number_part()?];
                while self.eat(",") || self.eat("and") {
                    all.push(self.number_part()?);
                }
                return means(move |around| {
                    let values = all.iter().map(|it| it(around));
                    if greatest { values.max() } else { values.min() }.unwrap_or(0)
                });
            }
            if self.eat(&format!("the {word}")) {
                let (number, name, domain) = self.over()?;
                return means(move |around| {
                    let all = domain(around).into_iter().map(|it| number(&around.with(&name, it)));
                    if greatest { all.max() } else { all.min() }.unwrap_or(0)
                });
            }
        }
        if self.eat("the sum of") {
            let (number, name, domain) = self.over()?;
            return means(move |around| {
                let bound = i128::from(i32::MAX) * ONE;
                domain(around).into_iter().fold(0i128, |sum, it| {
                    (sum + number(&around.with(&name, it))).clamp(-bound - ONE, bound)
                })
            });
        }
        self.expect("the number of")?;
        let counted = self.attempt(|reader| {
            let (name, domain) = reader.binder("s")?;
            reader.expect("for which")?;
            let condition = reader.condition()?;
            reader.scope.borrow_mut().pop();
            means(move |around| {
                let values = domain(around).into_iter();
                let holds = values.filter(|it| condition(&around.with(&name, it.clone())));
                ONE * holds.count() as i128
            })
        });
        counted.or_else(|| {
            let sites = match self.eat("sites in") {
                true => self.region_part()?,
                false => self.region_after_the(false)?,
            };
            means(move |around| ONE * sites(around).len() as i128)
        })
    }

    /// Reads `N over site t of X`, where N uses t.
    #[allow(clippy::type_complexity)]
    fn over(&self) -> Option<(Means<'g, i128>, String, Means<'g, Vec<Value>>)> {
        // The variable is declared behind its use.
        let from = self.at.get();
        let over = (from..self.words.len()).filter(|&at| self.words[at] == "over");
        for at in over {
            let read = self.attempt(|reader| {
                reader.at.set(at + 1);
                let (name, domain) = reader.binder("")?;
                let end = reader.at.get();
                reader.at.set(from);
                let number = reader.number_part()?;
                if reader.at.get() != at {
                    return None;
                }
                reader.scope.borrow_mut().pop();
                reader.at.set(end);
                Some((number, name, domain))
            });
            if read.is_some() {
                return read;
            }
        }
        None
    }

    pub fn number_part(&self) -> Read<'g, i128> {
        if let Some(read) = self.in_parentheses(Self::number) {
            return Some(read);
        }
        if let Some(number) = self.word().and_then(|word| word.parse::<f64>().ok()) {
            self.next();
            return means(move |_| (number * ONE as f64) as i128);
        }
        if self.eat("the remainder of") {
            let of = self.number_part()?;
            self.expect("divided by")?;
            let by: i128 = self.next()?.parse().ok()?;
            return means(move |around| of(around).rem_euclid(ONE * by));
        }
        for (what, of) in
            [("row", Board::row_of as fn(&Board, Site) -> usize), ("column", Board::column_of)]
        {
            if self.eat(&format!("the {what} of")) {
                let site = self.site_part()?;
                return means(move |around| {
                    ONE * site(around).map_or(0, |site| of(around.board(), site)) as i128
                });
            }
        }
        if self.eat("the number of steps from") {
            let from = self.site_part()?;
            self.expect("to")?;
            let to = self.site_part()?;
            let how = self.how()?;
            return means(move |around| {
                let far = ONE * Board::FAR as i128;
                let (Some(from), Some(to)) = (from(around), to(around)) else { return far };
                let distances = around.board().distances(from, &how(around));
                ONE * i128::from(distances[to.index()])
            });
        }
        let counted = self.attempt(|reader| {
            reader.expect("the number of")?;
            match reader.eat("sites in") {
                true => reader.region_part(),
                false => reader.region_after_the(true),
            }
        });
        if let Some(sites) = counted {
            return means(move |around| ONE * sites(around).len() as i128);
        }
        let named = self.named(Type::Number)?;
        means(move |around| match named(around) {
            Value::Number(number) => number,
            other => panic!("{other:?} is no number"),
        })
    }

    // Conditions.

    pub fn condition(&self) -> Read<'g, bool> {
        for (word, some) in [("for some", true), ("for each", false)] {
            if self.eat(word) {
                let (name, domain) = self.binder("")?;
                self.expect(",")?;
                let inner = self.condition()?;
                self.scope.borrow_mut().pop();
                return means(move |around| {
                    let holds = |value: Value| inner(&around.with(&name, value));
                    let mut values = domain(around).into_iter();
                    if some { values.any(holds) } else { values.all(holds) }
                });
            }
        }
        let first = self.condition_of(false)?;
        for (word, all) in [("and", true), ("or", false)] {
            let mut parts = vec![first.clone()];
            while let Some(part) = self.attempt(|reader| {
                reader.expect(word)?;
                reader.condition_of(true)
            }) {
                parts.push(part);
            }
            if parts.len() > 1 {
                return means(move |around| match all {
                    true => parts.iter().all(|part| part(around)),
                    false => parts.iter().any(|part| part(around)),
                });
            }
        }
        self.tail(first, Self::condition_part, Self::condition)
    }

    pub fn condition_part(&self) -> Read<'g, bool> {
        self.condition_of(true)
    }

    fn condition_of(&self, is_part: bool) -> Read<'g, bool> {
        if let Some(read) = self.in_parentheses(Self::condition) {
            return Some(read);
        }
        if self.eat("in any case") {
            return means(|_| true);
        }
        if self.eat("in no case") {
            return means(|_| false);
        }
        if self.eat("it is not true that") {
            let inner = self.condition_part()?;
            return means(move |around| !inner(around));
        }
        if self.eat("there is no") {
            let sites = self.one_without_article(is_part)?;
            return means(move |around| sites(around).is_empty());
        }
        if self.eat("there is") {
            let sites = self.one_of(is_part)?;
            return means(move |around| !sites(around).is_empty());
        }
        let compared = self.attempt(|reader| {
            let left = reader.number_part()?;
            let holds: fn(i128, i128) -> bool = match () {
                _ if reader.eat("is not") => |left, right| left != right,
                _ if reader.eat("is less than") => |left, right| left < right,
                _ if reader.eat("is at most") => |left, right| left <= right,
                _ if reader.eat("is more than") => |left, right| left > right,
                _ if reader.eat("is at least") => |left, right| left >= right,
                _ if reader.eat("is") => |left, right| left == right,
                _ => return None,
            };
            let right = reader.number_part()?;
            means(move |around| holds(left(around), right(around)))
        });
        if compared.is_some() {
            return compared;
        }
        let located = self.attempt(|reader| {
            let site = reader.site_part()?;
            if reader.eat("is on the board") {
                return means(move |around| site(around).is_some());
            }
            if reader.eat("is not on the board") {
                return means(move |around| site(around).is_none());
            }
            if reader.eat("is a site that") {
                let sites = reader.said(false)?;
                return means(move |around| site(around).is_some_and(|site| sites(around, site)));
            }
            let from = reader.at.get();
            let denies = reader.eat("is not");
            reader.at.set(from);
            let said = if is_part { reader.said_part(false)? } else { reader.said(false)? };
            means(move |around| match site(around) {
                Some(site) => said(around, site),
                None => denies,
            })
        });
        if located.is_some() {
            return located;
        }
        let able = self.attempt(|reader| {
            let player = reader.player_part()?;
            reader.expect("can make a move")?;
            let verbs = reader.verbs()?;
            means(move |around| {
                let view = View {
                    rules: around.rules,
                    snapshot: around.snapshot,
                    variables: Variables::default(),
                    mover: player(around),
                    fuel: around.fuel,
                };
                first_choice(&view, &verbs).is_some()
            })
        });
        if able.is_some() {
            return able;
        }
        let asked = self.attempt(|reader| {
            reader.expect("the last move")?;
            let player = if reader.eat("of") { Some(reader.player_part()?) } else { None };
            reader.expect("was")?;
            let verbs: BTreeSet<MoveId> = reader.verbs()?.into_iter().collect();
            let answer = reader.rules.last_moves.iter().find(|asked| {
                asked.by_player == player.is_some()
                    && asked.moves.iter().copied().collect::<BTreeSet<MoveId>>() == verbs
            })?;
            means(move |around| {
                let place = player.as_ref().map_or(0, |player| player(around).index());
                let answer = &around.snapshot.memories[answer.last.index()][place];
                matches!(answer, MemoryValue::Condition(true))
            })
        });
        if asked.is_some() {
            return asked;
        }
        let connected = self.attempt(|reader| {
            let sites = reader.region_part()?;
            reader.expect("are connected")?;
            let how = reader.how()?;
            means(move |around| groups(around, &sites(around), &how(around)).len() <= 1)
        });
        if connected.is_some() {
            return connected;
        }
        macro_rules! same {
            ($part:ident) => {
                let same = self.attempt(|reader| {
                    let left = reader.$part()?;
                    let is = match reader.eat("is not") {
                        true => false,
                        false => {
                            reader.expect("is")?;
                            true
                        }
                    };
                    let right = reader.$part()?;
                    means(move |around| (left(around) == right(around)) == is)
                });
                if same.is_some() {
                    return same;
                }
            };
        }
        same!(player_part);
        same!(certain_direction);
        same!(certain_piece);
        self.attempt(|reader| {
            let parenthesised = reader.eat("(");
            let named = reader.named(Type::Condition)?;
            if parenthesised {
                reader.expect(")")?;
            }
            reader.expect("is true")?;
            means(move |around| named(around) == Value::Condition(true))
        })
    }

    fn verbs(&self) -> Option<Vec<MoveId>> {
        let several = self.eat("(");
        let verb = |reader: &Self| {
            let name = reader.next()?;
            let index = reader.rules.moves.iter().position(|rule| rule.verb == name)?;
            Some(MoveId(index as u16))
        };
        let mut verbs = vec![verb(self)?];
        while several && (self.eat(",") || self.eat("or")) {
            verbs.push(verb(self)?);
        }
        if several {
            self.expect(")")?;
        }
        Some(verbs)
    }

    /// Reads a direction that, where there is none, equals nothing.
    fn certain_direction(&self) -> Read<'g, Unequal<Direction>> {
        let inner = self.direction_part()?;
        means(move |around| Unequal(inner(around)))
    }

    fn certain_piece(&self) -> Read<'g, Unequal<PieceId>> {
        let inner = self.piece_part()?;
        means(move |around| Unequal(inner(around)))
    }
}

/// A value that may be absent, and then equals nothing.
struct Unequal<T>(Option<T>);

impl<T: PartialEq> PartialEq for Unequal<T> {
    fn eq(&self, other: &Unequal<T>) -> bool {
        self.0.is_some() && self.0 == other.0
    }
}
