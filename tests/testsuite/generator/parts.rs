//! Generates the declarations of a game.

use super::names::{Definition, Memory, Place, Section, Variable};
use super::writer::{VALUES, Writer};
use ludwright::language::ludemes::{Kind, Ludeme};

impl Writer {
    /// Writes a complete game.
    pub fn game(&mut self) -> String {
        let mut parts = vec![String::from("\"Generated\"")];
        self.about(&mut parts);
        let place = parts.len();
        self.players(&mut parts);
        self.options(&mut parts);
        let board = self.board();
        let paths = self.paths(&board);
        parts.push(board);
        parts.extend(paths);
        if self.dice.percent(50) {
            parts[place] = self.facing_players();
        }
        parts.extend(self.teams());
        self.pieces(&mut parts);
        self.covered(&mut parts);
        for _ in 0..self.dice.below(if self.drops { 3 } else { 5 }) {
            parts.push(self.memory());
        }
        for _ in 0..self.dice.below(if self.drops { 2 } else { 4 }) {
            parts.extend(self.definition());
        }
        parts.push(self.setup());
        self.moves(&mut parts);
        for _ in 0..self.dice.below(2) {
            parts.extend(self.definition());
        }
        let play = parts.len();
        parts.push(self.play());
        parts.extend(self.end());
        if self.dice.percent(25) {
            parts.push(self.repetition());
        }
        if self.dice.percent(15) {
            let details = self.draw(Kind::LookDetail, 1);
            parts.extend(details.map(|detail| self.form(Ludeme::Look, &[detail])));
        }
        if self.dice.percent(15) {
            let format = self.draw(Kind::Format, 1);
            let spelling = self.draw(Kind::Spelling, 1);
            parts.extend(
                format
                    .zip(spelling)
                    .map(|(format, spelling)| self.form(Ludeme::Notation, &[format, spelling])),
            );
        }
        if self.dice.percent(20) {
            parts.extend(self.claim());
        }
        if self.names.players.len() == 2 && self.dice.percent(15) {
            parts.push(self.form(Ludeme::PieRule, &[]));
        }
        if self.dice.percent(6) {
            // Its moves are offered in turns.
            parts.remove(play);
        }
        self.form(Ludeme::Game, &parts)
    }

    fn about(&mut self, parts: &mut Vec<String>) {
        for ludeme in [Ludeme::Author, Ludeme::Source, Ludeme::License, Ludeme::About, Ludeme::Year]
        {
            if self.dice.percent(5) {
                let what = if ludeme == Ludeme::Year { "2001" } else { "\"Somebody\"" };
                parts.push(self.form(ludeme, &[what.to_owned()]));
            }
        }
    }

    fn players(&mut self, parts: &mut Vec<String>) {
        let count = *match self.drops {
            true => self.dice.pick(&[3, 3, 4]),
            false => self.dice.pick(&[1, 2, 2, 2, 2, 2, 2, 3, 3, 4]),
        };
        self.names.players =
            ["Ann", "Ben", "Cat", "Dan"][..count].iter().map(|name| (*name).to_owned()).collect();
        self.names.absent = self.dice.percent(8);
        let names = self.names.players.clone();
        parts.push(self.seats(names));
    }

    /// Writes the players, with their number if another one is named who does not play.
    fn seats(&mut self, mut names: Vec<String>) -> String {
        if self.names.absent {
            names.insert(0, names.len().to_string());
            names.push(String::from("Eve"));
        }
        self.form(Ludeme::Players, &names)
    }

    /// Writes teams of some of the games of three players and more: often two, of every other player.
    fn teams(&mut self) -> Option<String> {
        let players = self.names.players.clone();
        // Players drop out where there are three teams.
        let least = if self.drops { 3 } else { 2 };
        if players.len() <= least || self.dice.percent(50) {
            return None;
        }
        let count =
            if self.dice.percent(75) { least } else { self.dice.between(least, players.len()) };
        let team = |number: usize| {
            let members: Vec<String> =
                players.iter().skip(number).step_by(count).cloned().collect();
            if members.len() == 1 { members[0].clone() } else { format!("({})", members.join(" ")) }
        };
        let teams: Vec<String> = (0..count).map(team).collect();
        Some(self.form(Ludeme::Teams, &teams))
    }

    /// Writes the players with their directions.
    fn facing_players(&mut self) -> String {
        let straight = ["N", "S", "E", "W"].map(str::to_owned);
        let (along, all) = (straight.as_slice(), self.names.directions.clone());
        let counts = !self.names.diagonal || self.dice.percent(80);
        let known = if self.names.diagonal && counts { along } else { &all };
        let players: Vec<String> = self
            .names
            .players
            .iter()
            .map(|name| format!("({name} {})", self.dice.pick(known)))
            .collect();
        (self.names.faces, self.names.counts_rows) = (true, counts);
        self.seats(players)
    }

    fn options(&mut self, parts: &mut Vec<String>) {
        if self.dice.percent(25) {
            let name = self.fresh('O');
            let mut range = vec![String::from("1"), String::from("5")];
            if self.dice.percent(30) {
                range.push(String::from("2"));
            }
            let values = self.form(Ludeme::Range, &range);
            parts.push(self.form(
                Ludeme::Option,
                &[name.clone(), values, String::from("3"), String::from("\"A number.\"")],
            ));
            self.names.numbers.push(name);
        }
        if self.dice.percent(25) {
            let name = self.fresh('O');
            let words: Vec<String> =
                ["red", "green", "blue"].iter().map(|word| (*word).to_owned()).collect();
            let values = self.form(Ludeme::OneOf, &words);
            let default = self.dice.pick(&words).clone();
            parts.push(self.form(
                Ludeme::Option,
                &[name.clone(), values, default, String::from("\"A word.\"")],
            ));
            self.names.words.push((name, words));
        }
    }

    fn pieces(&mut self, parts: &mut Vec<String>) {
        let unowned = if self.dice.percent(8) { 100 } else { 25 };
        for index in 0..self.dice.between(1, if self.drops { 2 } else { 4 }) {
            let name = self.fresh('P');
            let owned = !self.dice.percent(unowned);
            let mut words = vec![name.clone()];
            if !owned || self.dice.percent(20) {
                words.push(String::from(if owned { "owned" } else { "unowned" }));
            }
            if index == 0 && self.dice.percent(40) {
                let seats = self.names.players.len() + usize::from(self.names.absent);
                let symbols = &["w", "xx", "y", "z", "q"][..if owned { seats } else { 1 }];
                words.extend(symbols.iter().map(|symbol| format!("\"{symbol}\"")));
                self.names.symbols.extend(symbols.iter().map(|symbol| (*symbol).to_owned()));
            }
            parts.push(self.form(Ludeme::PieceKind, &words));
            self.names.pieces.push((name, owned));
        }
    }

    /// Names, on some boards with piles, the kinds on which other pieces may lie.
    fn covered(&mut self, parts: &mut [String]) {
        if !self.names.piled || !self.dice.percent(50) {
            return;
        }
        let some = self.dice.between(1, self.names.pieces.len());
        let kinds: Vec<&str> =
            self.names.pieces[..some].iter().map(|(name, _)| name.as_str()).collect();
        for part in parts {
            if let Some(from) = part.find("(piles ")
                && let Some(length) = part[from..].find(')')
            {
                part.insert_str(from + length, &format!(" {}", kinds.join(" ")));
            }
        }
    }

    /// Writes a memory of any kind, per player, site or direction.
    fn memory(&mut self) -> String {
        let name = self.fresh('M');
        let mut memory = Memory {
            name: name.clone(),
            holds: Kind::Number,
            per_player: false,
            directions: Vec::new(),
            kinds: Vec::new(),
            numbers: Vec::new(),
            per_site: false,
        };
        if self.dice.percent(15) {
            memory.per_player = true;
            let mut words = vec![name, self.dice.below(6).to_string()];
            if self.dice.percent(40) {
                words.push(self.per_key(&mut memory));
            }
            self.names.memories.push(memory);
            return self.form(Ludeme::Hand, &words);
        }
        memory.holds = *self.dice.pick(&[
            Kind::Number,
            Kind::Number,
            Kind::Sites,
            Kind::Sites,
            Kind::Site,
            Kind::Player,
            Kind::Piece,
            Kind::Direction,
            Kind::Condition,
        ]);
        let mut words = vec![name, memory.holds.spelling().to_owned()];
        let first = self.dice.percent(30);
        let travelling = self.dice.percent(40);
        let index = self.dice.below(3);
        match memory.holds {
            Kind::Number | Kind::Site | Kind::Piece | Kind::Direction if index == 2 => {
                memory.per_site = true;
                let most = if memory.holds == Kind::Number {
                    vec![self.dice.between(1, 9).to_string()]
                } else {
                    Vec::new()
                };
                words.push(self.form(Ludeme::Per, &[vec![String::from("site")], most].concat()));
            }
            Kind::Site if first => words.push(self.form(Ludeme::NoSiteAtAll, &[])),
            Kind::Direction if first => {
                words.push(match self.dice.percent(20) {
                    true => self.form(Ludeme::NoDirection, &[]),
                    false => self.dice.pick(&self.names.directions).clone(),
                });
            }
            Kind::Condition if first => {
                let ludeme = *self.dice.pick(&[Ludeme::True, Ludeme::False]);
                words.push(self.form(ludeme, &[]));
            }
            Kind::Number if first => words.push(self.dice.below(5).to_string()),
            Kind::Player if first => words.push(self.dice.pick(&self.names.players).clone()),
            Kind::Sites if index == 2 => {
                memory.directions = if self.names.winds.is_empty() && self.dice.percent(40) {
                    words.push(
                        self.form(Ludeme::Per, &[String::from("direction"), String::from("all")]),
                    );
                    self.used.push(Ludeme::All);
                    self.names.directions.clone()
                } else {
                    let directions = [&self.names.directions[..], &self.names.winds].concat();
                    let listed = self.dice.some(&directions, 3);
                    let list = self.form(Ludeme::ListOf, &listed);
                    words.push(self.form(Ludeme::Per, &[String::from("direction"), list]));
                    listed
                };
            }
            _ => {}
        }
        if !memory.per_site && self.dice.percent(40) {
            memory.per_player = true;
            words.push(self.form(Ludeme::Per, &[String::from("player")]));
        }
        if !memory.per_site && memory.holds == Kind::Number && self.dice.percent(30) {
            words.push(self.per_key(&mut memory));
        }
        if travelling && !self.names.piled && (memory.per_site || memory.holds == Kind::Sites) {
            words.push(self.form(Ludeme::Travelling, &[]));
        }
        self.names.memories.push(memory);
        self.form(Ludeme::Remember, &words)
    }

    /// Keeps a memory for all kinds of piece or for some, or for some numbers.
    fn per_key(&mut self, memory: &mut Memory) -> String {
        if self.dice.percent(40) {
            let least = self.dice.between(0, 4);
            let most = least + self.dice.below(6);
            memory.numbers = (least..=most).map(|number| number.to_string()).collect();
            let words = [String::from("number"), least.to_string(), most.to_string()];
            return self.form(Ludeme::Per, &words);
        }
        let all: Vec<String> = self.names.pieces.iter().map(|(name, _)| name.clone()).collect();
        let mut words = vec![String::from("kind")];
        memory.kinds = match self.dice.percent(50) {
            true => all,
            false => {
                let most = self.dice.between(1, all.len());
                let listed = self.dice.some(&all, most);
                words.extend(listed.clone());
                listed
            }
        };
        self.form(Ludeme::Per, &words)
    }

    /// Writes a definition of a value, or of statements for one section.
    fn definition(&mut self) -> Option<String> {
        let section = match self.dice.below(6) {
            0 | 1 => Some(Section::Move),
            2 => Some(Section::End),
            _ => None,
        };
        // Regions that depend on a site, which can be read the other way round.
        let reach = section.is_none() && self.dice.percent(20);
        let kind = match section {
            Some(_) => Kind::Statement,
            None if reach => Kind::Sites,
            None => *self.dice.pick(&VALUES),
        };
        let name = self.fresh('D');
        let mut heading = vec![name.clone()];
        let mut parameters = Vec::new();
        let mut kinds = if reach { vec![Kind::Site] } else { Vec::new() };
        for _ in 0..*self.dice.pick(&[0, 0, 1, 1, 2]) {
            kinds.push(*self.dice.pick(&VALUES));
        }
        for kind in kinds {
            let variable = self.fresh('v');
            heading.push(format!("({} {variable})", kind.spelling()));
            self.scope.push(Variable { name: variable, kind, settled: false, changes: false });
            parameters.push(kind);
        }
        self.place = Place {
            guarded: section == Some(Section::End),
            ..Place::of(section.unwrap_or(Section::Elsewhere))
        };
        // It may be used inside a loop over sites.
        self.nested = self.deepest() - 1;
        let body = match section {
            // A hook for variants.
            Some(_) if self.dice.percent(8) => Some(Vec::new()),
            Some(_) => {
                let count = self.dice.between(1, 2);
                self.statements(count, 2)
            }
            // The type of a definition is that of its body, and `nowhere` is a region, too.
            None if kind == Kind::Site => {
                let ludeme = *self.dice.pick(&[Ludeme::Step, Ludeme::First]);
                self.fill(ludeme.row(), 2).map(|body| vec![body])
            }
            None => self.draw(kind, 2).map(|body| vec![body]),
        };
        self.nested = 0;
        self.place = Place::of(Section::Elsewhere);
        self.scope.clear();
        let heading =
            if heading.len() == 1 { name.clone() } else { format!("({})", heading.join(" ")) };
        let text = self.form(Ludeme::Define, &[vec![heading], body?].concat());
        self.names.definitions.push(Definition { name, parameters, kind, section, settled: false });
        Some(text)
    }

    fn setup(&mut self) -> String {
        self.place = Place::of(Section::Setup);
        let mut statements = Vec::new();
        let count = self.names.sites.len();
        let sorts = self.names.pieces.len() * self.names.players.len();
        for (name, owned) in self.names.pieces.clone() {
            let owners = if owned { self.names.players.clone() } else { vec![String::new()] };
            for owner in owners {
                let sites = self.names.sites.clone();
                let most = self.dice.between(1, (count / (2 * sorts)).clamp(1, 6));
                let some = self.dice.some(&sites, most);
                let sites = match self.dice.percent(15) {
                    true => self.form(
                        Ludeme::RowOf,
                        &[self.names.rows.min(1 + some.len() % 3).to_string()],
                    ),
                    false => self.form(Ludeme::SitesListed, &some),
                };
                let parts = [name.clone(), sites, owner];
                statements.push(self.form(Ludeme::Put, if owned { &parts } else { &parts[..2] }));
            }
        }
        if !self.names.symbols.is_empty() && self.dice.percent(50) {
            statements.push(self.diagram());
        }
        if self.dice.percent(25) {
            let count = self.dice.between(1, 2);
            statements.extend(self.statements(count, 2).unwrap_or_default());
        }
        self.form(Ludeme::Setup, &statements)
    }

    /// Draws some sites with a piece, and rarely one that is cut out.
    fn diagram(&mut self) -> String {
        let symbols = self.names.symbols.clone();
        let spaces = self.dice.percent(50) || symbols.iter().any(|symbol| symbol.len() > 1);
        let rows: Vec<String> = self
            .names
            .drawn
            .clone()
            .into_iter()
            .map(|sites| {
                let drawn: Vec<&str> = (0..sites)
                    .map(|_| match self.dice.below(300) {
                        0 => "#",
                        1..=30 => self.dice.pick(&symbols).as_str(),
                        _ => ".",
                    })
                    .collect();
                format!("\"{}\"", drawn.join(if spaces { " " } else { "" }))
            })
            .collect();
        self.form(Ludeme::Diagram, &rows)
    }

    fn claim(&mut self) -> Option<String> {
        self.place = Place::of(Section::Elsewhere);
        let mut assertion = self.draw(Kind::Assertion, 2)?;
        let mut parts = vec![String::from("\"It is so.\"")];
        for _ in 0..self.dice.below(2) {
            let circumstance = self.draw(Kind::Circumstance, 1)?;
            if circumstance.starts_with("(seat ") {
                // Only claims about games use seats.
                assertion = self.form(Ludeme::DrawsBelow, &[String::from("50")]);
            }
            parts.push(circumstance);
        }
        parts.push(assertion);
        Some(self.form(Ludeme::Claim, &parts))
    }
}
