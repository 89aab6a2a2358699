//! Reads variables with their values, sites, directions, kinds of piece and players.

use super::reader::{Around, Means, Read, Reader, Set, Type, groups, means};
use ludwright::board::{Direction, Site};
use ludwright::language::rules::{PieceId, PlayerId};
use ludwright::reference::{ONE, Region, Value, is_out};

impl<'g> Reader<'g> {
    /// Reads a variable with its values, and declares it.
    #[allow(clippy::type_complexity)]
    pub fn binder(&self, plural: &str) -> Option<(String, Means<'g, Vec<Value>>)> {
        let is = |word: &str| self.eat(&format!("{word}{plural}"));
        let bind = |name: &str, kind: Type| self.scope.borrow_mut().push((name.to_owned(), kind));
        if is("site") {
            let name = self.next()?;
            self.expect("of")?;
            let sites = self.region_part()?;
            bind(&name, Type::Site);
            let values = means(move |around: &Around<'g>| {
                sites(around).into_iter().map(|site| Value::Site(Some(site))).collect()
            })?;
            return Some((name, values));
        }
        if is("direction") {
            let name = self.next()?;
            self.expect("of")?;
            let ways = self.directions_part()?;
            bind(&name, Type::Direction);
            let values = means(move |around: &Around<'g>| {
                ways(around).into_iter().map(|way| Value::Direction(Some(way))).collect()
            })?;
            return Some((name, values));
        }
        if is("player") {
            let name = self.next()?;
            bind(&name, Type::Player);
            let teams = self.rules.teams;
            if self.eat("of the team of") {
                let of = self.player_part()?;
                let values = means(move |around: &Around<'g>| {
                    teams.members(teams.of(of(around))).map(Value::Player).collect()
                })?;
                return Some((name, values));
            }
            let players = self.rules.players.len() as u16;
            let values =
                means(move |_| (0..players).map(|it| Value::Player(PlayerId(it))).collect())?;
            return Some((name, values));
        }
        if self.eat(&format!("kind{plural} of piece")) {
            let name = self.next()?;
            self.expect("of")?;
            let grouped = self.eat("(");
            let mut kinds = vec![self.piece_part()?];
            while grouped && (self.eat(",") || self.eat("and")) {
                kinds.push(self.piece_part()?);
            }
            if grouped {
                self.expect(")")?;
            }
            bind(&name, Type::Piece);
            let values = means(move |around: &Around<'g>| {
                kinds.iter().map(|kind| Value::Piece(kind(around))).collect()
            })?;
            return Some((name, values));
        }
        if is("number") {
            let name = self.next()?;
            self.expect("from")?;
            let least: i128 = self.next()?.parse().ok()?;
            self.expect("to")?;
            let most: i128 = self.next()?.parse().ok()?;
            bind(&name, Type::Number);
            let values =
                means(move |_| (least..=most).map(|it| Value::Number(ONE * it)).collect())?;
            return Some((name, values));
        }
        if is("group") {
            let name = self.next()?;
            self.expect("of")?;
            let sites = self.region_part()?;
            self.expect("connected")?;
            let how = self.how()?;
            bind(&name, Type::Sites);
            let values = means(move |around: &Around<'g>| {
                let groups = groups(around, &sites(around), &how(around)).into_iter();
                let value = |group: Set| {
                    Value::Sites(Region::of(around.board(), |site| group.contains(&site)))
                };
                groups.map(value).collect()
            })?;
            return Some((name, values));
        }
        None
    }

    // Sites.

    pub fn site(&self) -> Read<'g, Option<Site>> {
        let first = self.site_part()?;
        self.tail(first, Self::site_part, Self::site)
    }

    pub fn site_part(&self) -> Read<'g, Option<Site>> {
        if let Some(read) = self.in_parentheses(Self::site) {
            return Some(read);
        }
        if self.eat("no site") {
            return means(|_| None);
        }
        let step = self.attempt(|reader| {
            reader.expect("the site")?;
            let count: usize = match reader.next()?.as_str() {
                "one" => {
                    reader.expect("step")?;
                    1
                }
                number => {
                    reader.expect("steps")?;
                    number.parse().ok()?
                }
            };
            let (way, from) = reader.towards()?;
            means(move |around| {
                let way = way(around)?;
                (0..count).try_fold(from(around)?, |at, _| around.board().step(at, way))
            })
        });
        if step.is_some() {
            return step;
        }
        if self.eat("the site as many steps") {
            let (way, from) = self.towards()?;
            self.expect("as")?;
            let number = self.number_part()?;
            return means(move |around| {
                let (way, from) = (way(around)?, from(around)?);
                let number = number(around).div_euclid(ONE);
                // One by one: on a ring of n sites, n steps lead back.
                let way = if number < 0 { way.opposite() } else { way };
                let mut passed = vec![from];
                for _ in 0..number.unsigned_abs().min(2 * around.board().slots() as u128) {
                    let next = around.board().step(*passed.last()?, way)?;
                    if next == from {
                        let length = passed.len() as u128;
                        return passed.get((number.unsigned_abs() % length) as usize).copied();
                    }
                    passed.push(next);
                }
                passed.last().copied()
            });
        }
        if self.eat("the first site") {
            let (way, from) = self.towards()?;
            self.expect("among")?;
            let among = self.region_part()?;
            return means(move |around| {
                let (way, among) = (way(around)?, among(around));
                let mut seen = Set::new();
                let mut at = around.board().step(from(around)?, way)?;
                while !among.contains(&at) && seen.insert(at) {
                    at = around.board().step(at, way)?;
                }
                among.contains(&at).then_some(at)
            });
        }
        if self.eat("the only site of") {
            let sites = self.region_part()?;
            return means(move |around| {
                let sites = sites(around);
                if sites.len() == 1 { sites.first().copied() } else { None }
            });
        }
        if let Some(named) = self.named(Type::Site) {
            return means(move |around| match named(around) {
                Value::Site(site) => site,
                other => panic!("{other:?} is no site"),
            });
        }
        let site = self.attempt(|reader| reader.rules.board.find(&reader.next()?))?;
        means(move |_| Some(site))
    }

    /// Reads in which direction something is from a site.
    #[allow(clippy::type_complexity)]
    fn towards(&self) -> Option<(Means<'g, Option<Direction>>, Means<'g, Option<Site>>)> {
        if self.eat("towards") {
            let way = self.direction_part()?;
            self.expect("from")?;
            return Some((way, self.site_part()?));
        }
        let way = self.rules.board.direction_named(&self.next()?)?;
        self.expect("of")?;
        Some((means(move |_| Some(way))?, self.site_part()?))
    }

    // Directions.

    pub fn direction(&self) -> Read<'g, Option<Direction>> {
        let first = self.direction_part()?;
        if self.eat("turned") {
            let steps: i32 = self.next()?.parse().ok()?;
            self.expect("× clockwise")?;
            return means(move |around| around.board().turned(first(around)?, steps));
        }
        self.tail(first, Self::direction_part, Self::direction)
    }

    pub fn direction_part(&self) -> Read<'g, Option<Direction>> {
        if let Some(read) = self.in_parentheses(Self::direction) {
            return Some(read);
        }
        if self.eat("the direction from") {
            let from = self.site_part()?;
            self.expect("to")?;
            let to = self.site_part()?;
            return means(move |around| {
                let (from, to) = (from(around)?, to(around)?);
                let mut ways = around.board().straight();
                ways.find(|&way| around.board().step(from, way) == Some(to))
            });
        }
        if self.eat("the opposite of") {
            let way = self.direction_part()?;
            return means(move |around| way(around).map(Direction::opposite));
        }
        if let Some(named) = self.named(Type::Direction) {
            return means(move |around| match named(around) {
                Value::Direction(way) => way,
                other => panic!("{other:?} is no direction"),
            });
        }
        let way = self.attempt(|reader| reader.rules.board.direction_named(&reader.next()?))?;
        means(move |_| Some(way))
    }

    pub fn directions(&self) -> Read<'g, Vec<Direction>> {
        // A single direction, turned or chosen by a condition.
        let single = self.attempt(|reader| {
            let way = reader.direction()?;
            let next = reader.words.get(reader.at.get());
            next.is_none_or(|next| next == ")").then_some(way)
        });
        if let Some(way) = single {
            return means(move |around| way(around).into_iter().collect());
        }
        let first = self.directions_part()?;
        let mut all = vec![first.clone()];
        while let Some(next) = self.attempt(|reader| {
            if !reader.eat(",") {
                reader.expect("and")?;
            }
            reader.directions_part()
        }) {
            all.push(next);
        }
        if all.len() > 1 {
            return means(move |around| {
                let mut ways: Vec<Direction> = all.iter().flat_map(|it| it(around)).collect();
                ways.sort();
                ways.dedup();
                ways
            });
        }
        self.tail(first, Self::directions_part, Self::directions)
    }

    pub fn directions_part(&self) -> Read<'g, Vec<Direction>> {
        if self.eat("all directions") {
            return means(|around| around.board().all().to_vec());
        }
        if self.eat("no direction") {
            return means(|_| Vec::new());
        }
        for (words, is_up) in [("the ways down", false), ("the ways up", true)] {
            if self.eat(words) {
                return means(move |around| match is_up {
                    true => around.board().above(),
                    false => around.board().below(),
                });
            }
        }
        if self.eat("the directions of a knight's leap") {
            return means(|around| around.board().leaping().to_vec());
        }
        if self.eat("half steps") {
            let how = self.how()?;
            return means(move |around| how(around).into_iter().map(Direction::half).collect());
        }
        if let Some(named) = self.named(Type::Directions) {
            return means(move |around| match named(around) {
                Value::Directions(ways) => ways,
                other => panic!("{other:?} is no directions"),
            });
        }
        if let Some(way) = self.attempt(Self::direction_part) {
            return means(move |around| way(around).into_iter().collect());
        }
        self.in_parentheses(Self::directions)
    }

    /// Reads an adverb of direction.
    pub fn how(&self) -> Read<'g, Vec<Direction>> {
        if self.eat("in any direction") {
            return means(|around| around.board().all().to_vec());
        }
        if self.eat("orthogonally") {
            return means(|around| around.board().orthogonal().to_vec());
        }
        if self.eat("diagonally") {
            return means(|around| around.board().diagonal().to_vec());
        }
        if self.eat("by a knight's leap") {
            return means(|around| around.board().leaping().to_vec());
        }
        self.expect("towards")?;
        self.directions_part()
    }

    // Players and pieces.

    pub fn player_name(&self) -> Option<PlayerId> {
        self.attempt(|reader| {
            let name = reader.next()?;
            let players = &reader.rules.players;
            Some(PlayerId(players.iter().position(|player| player.name == name)? as u16))
        })
    }

    pub fn player(&self) -> Read<'g, PlayerId> {
        let first = self.player_part()?;
        self.tail(first, Self::player_part, Self::player)
    }

    pub fn player_part(&self) -> Read<'g, PlayerId> {
        if let Some(read) = self.in_parentheses(Self::player) {
            return Some(read);
        }
        if self.eat("the mover") {
            return means(|around| around.mover);
        }
        if self.eat("the opponent of") || self.eat("the player after") {
            let of = self.player_part()?;
            return means(move |around| next(around, of(around)));
        }
        if self.eat("the opponent") || self.eat("the next player") {
            return means(|around| next(around, around.mover));
        }
        if let Some(named) = self.named(Type::Player) {
            return means(move |around| match named(around) {
                Value::Player(player) => player,
                other => panic!("{other:?} is no player"),
            });
        }
        let player = self.player_name()?;
        means(move |_| player)
    }

    pub fn piece(&self) -> Read<'g, Option<PieceId>> {
        let first = self.piece_part()?;
        self.tail(first, Self::piece_part, Self::piece)
    }

    pub fn piece_part(&self) -> Read<'g, Option<PieceId>> {
        if let Some(read) = self.in_parentheses(Self::piece) {
            return Some(read);
        }
        if self.eat("the kind of the piece on") {
            let site = self.site_part()?;
            return means(move |around| {
                around.snapshot.pieces[site(around)?.index()].map(|occupant| occupant.piece)
            });
        }
        if let Some(named) = self.named(Type::Piece) {
            return means(move |around| match named(around) {
                Value::Piece(kind) => kind,
                other => panic!("{other:?} is no kind of piece"),
            });
        }
        let kind = self.attempt(|reader| {
            let name = reader.next()?;
            let pieces = &reader.rules.pieces;
            Some(PieceId(pieces.iter().position(|piece| piece.name == name)? as u16))
        })?;
        means(move |_| Some(kind))
    }
}

/// Returns the next player who is in play.
fn next(around: &Around, player: PlayerId) -> PlayerId {
    let count = around.rules.players.len() as u16;
    let after = (1..=count).map(|steps| PlayerId((player.0 + steps) % count));
    let mut in_play = after.filter(|&it| !is_out(around.rules, around.snapshot, it));
    in_play.next().unwrap_or(PlayerId((player.0 + count) % count))
}
