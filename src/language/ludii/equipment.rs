//! The parts of a game before its rules: options, players, the board, pieces and regions.

use super::moves::arguments;
use super::play::uses;
use super::reader::Choice;
use super::table::Type;
use super::{LIST, PLAYERS, Writer, elements, is, is_compass, name};
use crate::language::finding::{Code, Finding};
use crate::syntax::Node;
use crate::syntax::visible::shown;

/// A row of `(piece "Name" Owner …)`.
pub(super) struct Piece {
    pub kind: String,
    /// The number of its owner; `None` if each player has some.
    pub owner: Option<usize>,
    pub unowned: bool,
    pub moves: Option<Node>,
}

/// How many pieces and regions are read.
const MOST: usize = 64;

/// A region with the number of its owner.
struct Region {
    name: Option<String>,
    owner: Option<usize>,
    sites: String,
}

/// What is known of a game before its rules are translated.
#[derive(Default)]
pub(super) struct Equipment {
    /// The names of our options.
    pub options: Vec<String>,
    /// The direction in which each player plays.
    pub facing: Vec<Option<String>>,
    /// Whether the board has hexagons, and whether these stand on a point, as ours do.
    hexagons: Option<bool>,
    pub pieces: Vec<Piece>,
    regions: Vec<Region>,
    /// The board as we write it.
    board: String,
    /// The kind of the pieces that each player has in hand, and their number.
    pub hand: Option<(String, String)>,
    pub has_pie: bool,
}

impl Equipment {
    pub fn option(&self, word: &str) -> Option<String> {
        self.options.iter().find(|name| *name == word).cloned()
    }

    /// Returns the name of a player by its role.
    pub fn player(&self, role: &str) -> Option<&'static str> {
        let number: usize = role.strip_prefix('P')?.parse().ok()?;
        (number <= self.facing.len()).then(|| PLAYERS.get(number.checked_sub(1)?).copied())?
    }

    /// Returns a site by Ludii's coordinates, which are ours on squares.
    pub fn site(&self, label: &str) -> Option<String> {
        let digits = label.trim_start_matches(|letter: char| letter.is_ascii_uppercase());
        let is_site = label.len() > digits.len()
            && !digits.is_empty()
            && digits.bytes().all(|digit| digit.is_ascii_digit());
        (is_site && self.hexagons.is_none()).then(|| label.to_lowercase())
    }

    /// Returns a site by its number: Ludii counts along rows from the bottom.
    pub fn numbered_site(&self, number: i64) -> Option<String> {
        let mut words = self.board.trim_start_matches('(').split([' ', ')']);
        let columns: i64 = match words.next()? {
            "square" | "rectangle" => words.next()?.parse().ok()?,
            _ => return None,
        };
        let (row, column) = (number.checked_div_euclid(columns)?, number.rem_euclid(columns));
        let letter = u8::try_from(column).ok().filter(|&column| column < 26)?;
        (row >= 0).then(|| format!("{}{}", char::from(b'a' + letter), row + 1))
    }

    /// Returns the sites along a side of a rhombus of hexagons, which Ludii stands on a corner.
    pub fn side(&self, direction: &str) -> Option<&'static str> {
        let side = match direction {
            "NE" => "(and (edge NE) (edge NW))",
            "SW" => "(row 1)",
            "NW" => "(column \"a\")",
            "SE" => "(edge E)",
            _ => return None,
        };
        self.board.starts_with("(rhombus").then_some(side)
    }

    /// Returns the kind of piece that a player has when none is named.
    pub fn own_kind(&self) -> String {
        let of = |player: usize| {
            let owns =
                |piece: &&Piece| !piece.unowned && piece.owner.is_none_or(|owner| owner == player);
            self.pieces.iter().find(owns).map_or("Stone", |piece| &piece.kind)
        };
        let kinds: Vec<&str> = (0..self.facing.len()).map(of).collect();
        if kinds.windows(2).all(|pair| pair[0] == pair[1]) {
            return kinds.first().map_or("Stone", |kind| kind).to_owned();
        }
        let cases = kinds.iter().zip(PLAYERS).map(|(kind, player)| format!("({player} {kind})"));
        format!("(case mover {})", cases.collect::<Vec<String>>().join(" "))
    }

    /// Turns a compass direction. Ludii's hexagons lie on a side unless the board is rotated;
    /// turned by a twelfth of a circle they are ours.
    pub fn direction(&self, word: &str) -> Option<String> {
        if self.hexagons == Some(false) {
            let turned = match word {
                "N" => "NE",
                "NE" | "ENE" => "E",
                "SE" | "ESE" => "SE",
                "S" => "SW",
                "SW" | "WSW" => "W",
                "NW" | "WNW" => "NW",
                _ => return None,
            };
            return Some(turned.to_owned());
        }
        let lacking = self.hexagons.is_some() && ["N", "S"].contains(&word);
        (is_compass(word) && !lacking).then(|| word.to_owned())
    }

    /// Finds a kind of piece and the number of its owner by a name with or without that number.
    pub fn piece(&self, text: &str) -> Option<(String, Option<usize>)> {
        let has = |kind: &str| self.pieces.iter().any(|piece| piece.kind == name(kind));
        let plain = text.trim_end_matches(|letter: char| letter.is_ascii_digit());
        match (has(text), has(plain)) {
            (true, _) => Some((name(text), None)),
            (false, true) => {
                let owner: usize = text[plain.len()..].parse().ok()?;
                Some((name(plain), owner.checked_sub(1)))
            }
            _ => None,
        }
    }

    /// Returns the region that `(sites …)` names by its owner, its name or both.
    pub fn owned(&self, args: &[Node]) -> Option<String> {
        if let [Some("Side"), Some(direction)] = *args.iter().map(Node::as_word).collect::<Vec<_>>()
        {
            return self.side(direction).map(str::to_owned);
        }
        let label = args.iter().find_map(Node::as_text);
        let role = args.iter().find_map(Node::as_word);
        if args.len() != usize::from(label.is_some()) + usize::from(role.is_some()) {
            return None;
        }
        let of_name = |region: &&Region| label.is_none() || region.name.as_deref() == label;
        let mut named = self.regions.iter().filter(of_name);
        match (role, label) {
            (None, Some(_)) => named.next().map(|region| region.sites.clone()),
            (Some("Mover"), _) => named.next().map(|_| self.by_player("mover", label)),
            (Some("Next"), _) => named.next().map(|_| self.by_player("(next mover)", label)),
            (Some(role), _) => {
                let owner = self
                    .player(role)
                    .and_then(|name| PLAYERS.iter().position(|known| *known == name))?;
                union(named.filter(|region| region.owner == Some(owner)))
            }
            (None, None) => None,
        }
    }

    /// Writes the region of whoever is the player.
    fn by_player(&self, player: &str, label: Option<&str>) -> String {
        let of = |owner: usize| {
            let own = self.regions.iter().filter(move |region| {
                region.owner == Some(owner) && (label.is_none() || region.name.as_deref() == label)
            });
            union(own).unwrap_or_else(|| String::from("nowhere"))
        };
        let of_each: Vec<String> = (0..self.facing.len())
            .map(|owner| format!("({} {})", PLAYERS[owner], of(owner)))
            .collect();
        format!("(case {player} {})", of_each.join(" "))
    }
}

fn union<'r>(regions: impl Iterator<Item = &'r Region>) -> Option<String> {
    let sites: Vec<&str> = regions.map(|region| region.sites.as_str()).collect();
    match sites.as_slice() {
        [] => None,
        [only] => Some((*only).to_owned()),
        several => Some(format!("(or {})", several.join(" "))),
    }
}

impl Writer {
    /// Writes the options whose values are numbers.
    pub(super) fn options(&mut self, choices: &[Choice]) -> String {
        let mut text = String::new();
        for choice in choices {
            match &choice.numbers {
                Some((numbers, default)) => {
                    let values: Vec<String> = numbers.iter().map(u16::to_string).collect();
                    let title = choice.title.replace('\\', "\\\\").replace('"', "\\\"");
                    let name = choice.name();
                    let values = values.join(" ");
                    text += &format!("(option {name} (one-of {values}) {default} \"{title}\")\n");
                }
                None if choice.is_open => {
                    let message = format!(
                        "the draft has only the default of Ludii's option `{}`",
                        shown(&choice.title)
                    );
                    let help = "write an `option` of words, and a `case` where its values differ";
                    let finding = Finding::new(Code::UnknownLudeme, choice.span, message);
                    self.findings.push(
                        finding.with_label("other values are left out").with_help(help).shortened(),
                    );
                }
                None => {}
            }
        }
        text
    }

    /// Reads how many players there are and where they play to.
    pub(super) fn players(&mut self, players: Option<&Node>) {
        let args = players.map_or(&[][..], Node::args);
        let count = args.first().and_then(Node::as_number).map(|number| number.halves / 2);
        self.equipment.facing = match count {
            Some(count) => vec![None; usize::try_from(count).unwrap_or_default()],
            None => {
                let players = args.iter().flat_map(elements).filter(|part| is(part, "player"));
                let facing = |player: &Node| Some(player.args().first()?.as_word()?.to_owned());
                players.map(facing).collect()
            }
        };
        let count = self.equipment.facing.len();
        self.equipment.facing.truncate(PLAYERS.len());
        if let Some(node) = players.filter(|_| count == 0 || count > PLAYERS.len()) {
            self.gap(node);
        }
        if self.equipment.facing.is_empty() {
            self.equipment.facing = vec![None; 2];
        }
    }

    /// Writes board and pieces, and comments for what is left out.
    pub(super) fn equip(&mut self, equipment: Option<&Node>) -> String {
        let items: Vec<&Node> =
            equipment.map_or(&[][..], Node::args).iter().flat_map(elements).collect();
        let is_board = |item: &&&Node| is(item, "board");
        let board = items.iter().find(is_board).copied();
        let has_board = board.is_some();
        let board = match board {
            Some(board) => self.board(board),
            None => String::from("; the board is missing\n(board (square 8))"),
        };
        let mut comments = String::new();
        for item in &items {
            match item.head().map(|(head, _)| head) {
                Some("board") => {}
                Some("piece") => self.piece(item),
                Some("hand") => {}
                Some("regions") => comments += &self.region(item),
                _ => {
                    comments += &self.or_comment(|writer| {
                        writer.gap(item);
                        None
                    })
                }
            }
        }
        let pieces = self.pieces();
        if let Some(node) = equipment.filter(|_| !has_board && self.findings.is_empty()) {
            self.gap(node);
        }
        format!("{board}\n{pieces}{comments}")
    }

    /// Writes the part `players`; a piece may have said where its owner plays to.
    pub(super) fn facing(&self, rules: &str) -> String {
        let looks = ["forward", "back", "left", "right"].iter().any(|word| uses(rules, word));
        // Without a direction, pieces look north.
        let north = if self.equipment.hexagons.is_some() { "NE" } else { "N" };
        let each = self.equipment.facing.iter().zip(PLAYERS).map(|(facing, name)| {
            let facing = facing.as_deref().and_then(|word| self.equipment.direction(word));
            match facing.or_else(|| looks.then(|| north.to_owned())) {
                Some(facing) => format!("({name} {facing})"),
                None => name.to_owned(),
            }
        });
        format!("(players {})", each.collect::<Vec<String>>().join(" "))
    }

    /// Writes the part `board`; a shape without a counterpart becomes a square.
    fn board(&mut self, board: &Node) -> String {
        let Some(shape) = board.args().first() else {
            self.gap(board);
            return String::from("(board (square 8))");
        };
        let (turned, shape) = match (is(shape, "rotate"), shape.args()) {
            (true, [_, inner]) => (true, inner),
            _ => (false, shape),
        };
        if is(shape, "hex") || is(shape, "tri") {
            self.equipment.hexagons = Some(turned);
        }
        let text = self.translate(Type::Shape, shape);
        for part in &board.args()[1..] {
            // Pieces stand on cells or on the points where lines cross, which are sites here.
            if !part.as_word().is_some_and(|word| ["use:", "Vertex", "Cell"].contains(&word)) {
                self.gap(part);
            }
        }
        match text {
            Some(text) => {
                self.equipment.board.clone_from(&text);
                format!("(board {text})")
            }
            None => format!("{}(board (square 8))", self.comment()),
        }
    }

    /// Keeps a row `(piece "Name" Owner …)`.
    fn piece(&mut self, item: &Node) {
        let [text, rest @ ..] = item.args() else { return self.gap(item) };
        let Some(text) = text.as_text() else { return self.gap(item) };
        // Our games have few kinds of piece.
        if self.equipment.pieces.len() >= MOST {
            return self.gap(item);
        }
        let role = rest.first().and_then(Node::as_word).unwrap_or("Each");
        let number = role.strip_prefix('P').and_then(|number| number.parse::<usize>().ok());
        let owner = number.and_then(|number| number.checked_sub(1));
        for part in rest {
            if let (Some(word), Some(owner)) =
                (part.as_word().filter(|word| is_compass(word)), owner)
                && let Some(facing) = self.equipment.facing.get_mut(owner)
            {
                *facing = Some(word.to_owned());
            }
        }
        let moves = rest.iter().find(|part| part.head().is_some_and(|(head, _)| head != "flips"));
        for (index, part) in rest.iter().enumerate() {
            let known = match part.as_word() {
                Some(word) => index == 0 || is_compass(word),
                None => moves.is_some_and(|moves| moves.span == part.span),
            };
            // What follows a label belongs to it.
            let is_labelled =
                index > 0 && rest[index - 1].as_word().is_some_and(|word| word.ends_with(':'));
            if !known && !is_labelled {
                self.gap(part);
            }
        }
        self.equipment.pieces.push(Piece {
            kind: name(text),
            owner,
            unowned: ["Neutral", "Shared"].contains(&role),
            moves: moves.cloned(),
        });
    }

    /// Writes the parts `piece`, one for each kind.
    fn pieces(&self) -> String {
        let mut text = String::new();
        let mut written: Vec<&str> = Vec::new();
        for piece in &self.equipment.pieces {
            if !written.contains(&piece.kind.as_str()) {
                written.push(&piece.kind);
                let unowned = if piece.unowned { " unowned" } else { "" };
                text += &format!("(piece {}{unowned})\n", piece.kind);
            }
        }
        if self.equipment.pieces.iter().all(|piece| piece.unowned) {
            text += "(piece Stone)\n";
        }
        text
    }

    /// Keeps a region for the places that name it, and writes comments for what is left out.
    fn region(&mut self, item: &Node) -> String {
        let fields = arguments(item.args());
        let label = item.args().first().and_then(Node::as_text);
        let owner = fields.words.first().and_then(|role| self.equipment.player(role));
        let owner = owner.and_then(|name| PLAYERS.iter().position(|known| *known == name));
        let sites: Vec<&Node> = item
            .args()
            .iter()
            .skip(usize::from(label.is_some()))
            .filter(|part| part.as_word().is_none())
            .collect();
        let mut text = String::new();
        for node in sites {
            if self.equipment.regions.len() >= MOST {
                self.gap(node);
                continue;
            }
            let several = is(node, LIST) && node.args().iter().all(|part| is(part, "sites"));
            for node in if several { elements(node) } else { std::slice::from_ref(node) } {
                text += &self.or_comment(|writer| {
                    let sites = writer.translate(Type::Region, node)?;
                    let name = label.map(str::to_owned);
                    writer.equipment.regions.push(Region { name, owner, sites });
                    Some(String::new())
                });
            }
        }
        text
    }

    /// Writes the definition of who has connected his regions, if the rules use it.
    pub(super) fn regions(&mut self, rules: &str) -> String {
        if !rules.contains("Connects") {
            return String::new();
        }
        let touches = |owner: usize| {
            let own = self.equipment.regions.iter().filter(|region| region.owner == Some(owner));
            own.map(|region| format!("(any (and g {}))", region.sites)).collect::<Vec<String>>()
        };
        let all = (0..self.equipment.facing.len()).map(|owner| match touches(owner).as_slice() {
            [] => format!("({} false)", PLAYERS[owner]),
            touches => format!("({} (and {}))", PLAYERS[owner], touches.join(" ")),
        });
        let all = all.collect::<Vec<String>>().join(" ");
        format!("(define Connects (some g (groups (mine) all) (case mover {all})))\n")
    }

    /// Writes the pieces that stand on the board at the beginning.
    pub(super) fn start(&mut self, start: Option<&Node>) -> String {
        let mut text = String::new();
        for place in start.map_or(&[][..], Node::args).iter().flat_map(elements) {
            text += &self.or_comment(|writer| writer.place(place));
        }
        text
    }

    /// Translates `(place "Piece1" SITES)`, or notes how many pieces are in hand.
    fn place(&mut self, place: &Node) -> Option<String> {
        let [piece, sites, labels @ ..] = place.args() else {
            self.gap(place);
            return None;
        };
        let piece = piece.as_text().and_then(|text| self.equipment.piece(text));
        let label = labels.first().and_then(Node::as_word);
        match (piece.filter(|_| is(place, "place")), sites, label) {
            (Some((kind, _)), sites, Some("count:")) if sites.as_text() == Some("Hand") => {
                let count = self.translate(Type::Number, labels.get(1)?)?;
                let hand = self.equipment.hand.get_or_insert((kind.clone(), count.clone()));
                // A hand of ours has pieces of one kind, as many for each player.
                if *hand != (kind, count) {
                    self.gap(place);
                }
                Some(String::new())
            }
            (Some((kind, owner)), sites, _) => {
                // A site can follow a label.
                let (sites, labels) = match (sites.as_word(), labels) {
                    (Some("coord:"), [sites, labels @ ..]) => (sites, labels),
                    _ => (sites, labels),
                };
                let sites = self.translate(Type::Region, sites)?;
                labels.iter().step_by(2).for_each(|label| self.gap(label));
                let owner = owner.and_then(|owner| PLAYERS.get(owner)).copied();
                Some(format!("(put {kind} {sites} {})", owner.unwrap_or_default()))
            }
            _ => {
                self.gap(place);
                None
            }
        }
    }
}
