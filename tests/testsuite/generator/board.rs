//! Generates boards: any shape of the table, scaled to a wanted size, and details as long as the
//! checker accepts them.

use super::writer::Writer;
use ludwright::board::{Board, Sort, Track};
use ludwright::language::check;
use ludwright::language::ludemes::{Kind, Ludeme, Row, TABLE, Times};

/// Sizes around multiples of the 64-bit word.
const EDGES: [usize; 7] = [63, 64, 65, 128, 129, 192, 193];
const MOST_SITES: usize = 400;

/// Builds a board, `None` if it is invalid.
fn lay(parts: &[String]) -> Option<Board> {
    let board = parts.join(" ");
    let text = format!(
        "(game \"Board\" (players A B) (board {board}) (piece P) (move m (to t (empty)) (put P t)) (play (turns (choose m))))"
    );
    check(text.as_str(), &[]).rules.map(|rules| rules.board.as_ref().clone())
}

/// Builds the board of a game with these players and parts, `None` if it is invalid.
fn lay_paths(players: &[String], parts: &str) -> Option<Board> {
    let players = players.join(" ");
    let text = format!(
        "(game \"Board\" (players {players}) {parts} (piece P) (move m (to t (empty)) (put P t)) (play (turns (choose m))))"
    );
    check(text.as_str(), &[]).rules.map(|rules| rules.board.as_ref().clone())
}

impl Writer {
    /// Writes the board, and records its sites.
    pub fn board(&mut self) -> String {
        // Who drops out when does not depend on the size of the board.
        let small = self.drops && self.dice.percent(85);
        let exact = !small && self.dice.percent(30);
        let wanted = match self.dice.below(30) {
            _ if exact => *self.dice.pick(&EDGES),
            0 => self.dice.between(1, 3),
            _ if small => self.dice.between(4, 25),
            1..=20 => self.dice.between(5, 36),
            21..=27 => self.dice.between(37, 130),
            _ => self.dice.between(131, MOST_SITES),
        };
        let (mut parts, mut board) = loop {
            if let Some(found) = self.outline(wanted) {
                break found;
            }
        };
        // These two name sites and directions of the board.
        let later = |row: &&Row| matches!(row.ludeme, Ludeme::Without | Ludeme::Joined);
        for row in TABLE.iter().filter(|row| row.result == Kind::BoardDetail && !later(row)) {
            if self.dice.percent(25) {
                let before = self.used.len();
                let Some(detail) = self.fill(row, 1) else { continue };
                let more = [parts.clone(), vec![detail]].concat();
                match lay(&more) {
                    Some(laid) => (parts, board) = (more, laid),
                    None => self.used.truncate(before),
                }
            }
        }
        self.names.piled = self.used.contains(&Ludeme::Piled);
        let surplus = board.len().saturating_sub(wanted);
        self.note_board(&board);
        if exact && surplus > 0 || !exact && self.dice.percent(35) {
            let most = if exact { surplus } else { self.dice.between(1, board.len().div_ceil(6)) };
            let holes = self.holes(exact, most);
            let more = [parts.clone(), vec![self.form(Ludeme::Without, &[holes])]].concat();
            if let Some(laid) = lay(&more) {
                (parts, board) = (more, laid);
                self.note_board(&board);
            }
        }
        if self.dice.percent(15) {
            let joined = self.joined(board.len());
            let more = [parts.clone(), joined].concat();
            if let Some(laid) = lay(&more) {
                parts = more;
                self.note_board(&laid);
            }
        }
        self.form(Ludeme::Board, &parts)
    }

    /// Writes paths on the finished board, as long as there are at most four.
    pub fn paths(&mut self, board: &str) -> Vec<String> {
        let mut paths = Vec::new();
        let mut left = 4;
        while self.dice.percent(30) && left > 0 {
            let players = self.names.players.clone();
            let is_owned = players.len() <= left && self.dice.percent(40);
            let name = self.fresh(if is_owned { 'W' } else { 'R' });
            let mut words = vec![name.clone()];
            if is_owned {
                for player in &players {
                    let ways = self.way().join(" ");
                    words.push(format!("({player} {ways})"));
                }
            } else {
                words.extend(self.way());
            }
            let used = self.used.len();
            let path = self.form(Ludeme::Path, &words);
            let parts = format!("{board} {} {path}", paths.join(" "));
            let Some(board) = lay_paths(&players, &parts) else {
                self.used.truncate(used);
                continue;
            };
            let tracks = if is_owned { players.len() } else { 1 };
            left -= tracks;
            let mut names = vec![name.clone()];
            if is_owned {
                names.push(format!("({name} {})", self.dice.pick(&players)));
            }
            match board.tracks().iter().rev().take(tracks).any(Track::returns) {
                true => self.names.returning.extend(names),
                false => self.names.paths.extend(names),
            }
            paths.push(path);
        }
        paths
    }

    /// Writes a way over the board: sites in any order, which may come back to one, or a run in
    /// directions; closed or not.
    fn way(&mut self) -> Vec<String> {
        let sites = self.names.sites.clone();
        let count = self.dice.between(1, sites.len().min(9));
        let mut listed = self.dice.some(&sites, count);
        match self.dice.below(5) {
            4 if sites.len() > 2 => {
                let few = self.dice.between(3, sites.len().min(5));
                let few = self.dice.some(&sites, few);
                listed =
                    (0..self.dice.between(4, 9)).map(|_| self.dice.pick(&few).clone()).collect();
                listed.dedup();
            }
            0 => listed.truncate(1),
            1 if listed.len() > 1 => listed.push(listed[0].clone()),
            2 if listed.len() > 3 => {
                let rest = listed.split_off(2);
                return vec![format!("({})", listed.join(" ")), format!("({})", rest.join(" "))];
            }
            _ => {}
        }
        if listed.len() == 1 {
            for _ in 0..self.dice.between(1, 4) {
                let names = [&self.names.directions[..], &self.names.winds].concat();
                listed.push(self.dice.pick(&names).clone());
                if self.dice.percent(50) {
                    listed.push(self.dice.between(1, 3).to_string());
                }
            }
        }
        listed
    }

    /// Writes which steps a board has.
    fn joined(&mut self, sites: usize) -> Vec<String> {
        let directions = self.names.directions.clone();
        let count = self.dice.between(1, 3);
        (0..count)
            .map(|_| {
                let most = self.dice.between(1, directions.len());
                let listed = self.dice.some(&directions, most).join(" ");
                let words = ["orthogonal", "all", "diagonal", "leaping"].map(String::from);
                let ways = [&words[..], &[format!("(list {listed})")]].concat();
                let mut detail = vec![self.dice.pick(&ways).clone()];
                if self.dice.percent(60) {
                    let most = self.dice.between(2, sites.max(2));
                    detail.push(self.holes(false, most));
                }
                self.form(Ludeme::Joined, &detail)
            })
            .collect()
    }

    /// Writes a shape of about the wanted number of sites, preferably not fewer.
    fn outline(&mut self, wanted: usize) -> Option<(Vec<String>, Board)> {
        let shapes: Vec<&'static Row> =
            TABLE.iter().filter(|row| row.result == Kind::Shape).collect();
        let row: &Row = shapes[self.dice.below(shapes.len())];
        let root = (wanted as f64).sqrt();
        let mut best: Option<(usize, Vec<String>, Board)> = None;
        for _ in 0..16 {
            let side = ((root * (0.4 + self.dice.below(17) as f64 / 10.0)).round() as usize)
                .clamp(1, MOST_SITES);
            let mut numbers = match row.ludeme {
                Ludeme::Drawing => self.drawing(side.min(20), wanted.div_ceil(side).clamp(1, 20)),
                Ludeme::Lines => self.lines(side.clamp(2, 12), wanted.div_ceil(side).clamp(2, 12)),
                Ludeme::Layers => self.layers(wanted),
                _ => vec![side.to_string()],
            };
            for slot in &row.slots[1..] {
                if slot.times == Times::One || self.dice.percent(50) {
                    let other = wanted.div_ceil(side) + self.dice.below(2);
                    let other =
                        if self.dice.percent(50) { other } else { self.dice.between(1, 2 * side) };
                    numbers.push(other.to_string());
                }
            }
            let shape = vec![format!("({} {})", row.spelling, numbers.join(" "))];
            let Some(board) = lay(&shape).filter(|board| board.len() <= MOST_SITES) else {
                continue;
            };
            let miss = if board.len() >= wanted {
                board.len() - wanted
            } else {
                1000 + wanted - board.len()
            };
            if best.as_ref().is_none_or(|(least, ..)| miss < *least) {
                best = Some((miss, shape, board));
            }
        }
        self.used.push(row.ludeme);
        best.map(|(_, shape, board)| (shape, board))
    }

    /// Writes layers with about so many sites, each as large as the one below or smaller by one.
    fn layers(&mut self, wanted: usize) -> Vec<String> {
        let alike = *self.dice.pick(&[0, 50, 100]);
        let count = self.dice.between(2, 5);
        let root = (wanted as f64 / count as f64).sqrt() as usize + 1;
        let (mut columns, mut rows) =
            (self.dice.between(root, root + count), self.dice.between(root, root + count));
        let mut layers = Vec::new();
        for _ in 0..count {
            layers.push(match columns == rows && self.dice.percent(50) {
                true => format!("(square {columns})"),
                false => format!("(rectangle {columns} {rows})"),
            });
            if !self.dice.percent(alike) {
                (columns, rows) = (columns.saturating_sub(1), rows.saturating_sub(1));
            }
            if columns == 0 || rows == 0 {
                break;
            }
        }
        layers
    }

    /// Writes the rows of a drawing with about so many columns and rows: points, straight lines
    /// between a point and the next, which pass where a point is missing, and slanting ones between
    /// neighbours.
    fn drawing(&mut self, columns: usize, rows: usize) -> Vec<String> {
        let (points, lines) = (self.dice.between(60, 100), self.dice.between(40, 100));
        let mut text = vec![vec![' '; 2 * columns - 1]; 2 * rows - 1];
        let mut cells: Vec<(usize, usize)> = Vec::new();
        for (x, y) in (0..rows).flat_map(|y| (0..columns).map(move |x| (2 * x, 2 * y))) {
            if self.dice.percent(points) {
                text[y][x] = 'o';
                cells.push((x, y));
            }
        }
        let signs = [((1, 0), '-'), ((0, 1), '|'), ((1, 1), '\\'), ((-1, 1), '/')];
        for (from, ((across, down), sign)) in
            cells.into_iter().flat_map(|from| signs.map(|way| (from, way)))
        {
            let along = |by: usize| {
                let x = from.0.checked_add_signed(across * by as isize)?;
                let y = from.1 + down * by;
                (x < 2 * columns - 1 && y < 2 * rows - 1).then_some((x, y))
            };
            let end = (1..).map_while(along).position(|(x, y)| text[y][x] == 'o');
            let passes = end.is_some_and(|passed| sign == '-' || sign == '|' || passed == 1);
            if !passes || !self.dice.percent(lines) {
                continue;
            }
            for (x, y) in (1..=end.unwrap_or(0)).filter_map(along) {
                text[y][x] = match (text[y][x], sign) {
                    ('-', '|') | ('|', '-') => '+',
                    ('\\', '/') | ('/', '\\') => 'X',
                    _ => sign,
                };
            }
        }
        let quoted = |row: Vec<char>| {
            format!("\"{}\"", row.into_iter().collect::<String>().replace('\\', "\\\\"))
        };
        text.into_iter().map(quoted).collect()
    }

    /// Writes lines along some rows, columns and slants of a grid, each through some of its points,
    /// and at times one through any points.
    fn lines(&mut self, columns: usize, rows: usize) -> Vec<String> {
        let place = |x: usize, y: usize| (x < columns && y < rows).then_some((x, y));
        let along_row = (0..rows).map(|y| (0..columns).filter_map(|x| place(x, y)).collect());
        let along_column = (0..columns).map(|x| (0..rows).filter_map(|y| place(x, y)).collect());
        let slants = (0..columns).map(|x| (0..rows).filter_map(|y| place(x + y, y)).collect());
        let mut whole: Vec<Vec<(usize, usize)>> =
            along_row.chain(along_column).chain(slants).collect();
        let points: Vec<(usize, usize)> = whole.iter().flatten().copied().collect();
        if self.dice.percent(40) {
            let bent = (0..self.dice.between(2, 4)).map(|_| *self.dice.pick(&points)).collect();
            whole.push(bent);
        }
        // Beside the slants, these lead between the eight directions.
        if self.dice.percent(30) {
            let (across, up) = *self.dice.pick(&[(2, 1), (1, 2)]);
            let slopes = (0..columns).map(|x| {
                let (by, mirrored) = (0..rows, x % 2 == 1);
                let column = |by: usize| match mirrored {
                    true => x.checked_sub(across * by),
                    false => Some(x + across * by),
                };
                by.filter_map(|by| place(column(by)?, up * by)).collect()
            });
            whole.extend(slopes.collect::<Vec<_>>());
        }
        let (kept, passed) = (self.dice.between(50, 100), self.dice.below(40));
        let mut lines = Vec::new();
        for line in whole {
            let line: Vec<(usize, usize)> =
                line.into_iter().filter(|_| !self.dice.percent(passed)).collect();
            if line.len() > 1 && self.dice.percent(kept) {
                let labels: Vec<String> = line
                    .into_iter()
                    .map(|(x, y)| format!("{}{}", char::from(b'a' + x as u8), y + 1))
                    .collect();
                lines.push(format!("({})", labels.join(" ")));
            }
        }
        lines
    }

    fn holes(&mut self, exact: bool, most: usize) -> String {
        let sites = self.names.sites.clone();
        let listed = self.dice.some(&sites, most);
        match self.dice.below(6) {
            _ if exact => self.form(Ludeme::SitesListed, &listed),
            0 => {
                let row = self.dice.between(1, self.names.rows).to_string();
                self.form(Ludeme::RowOf, &[row])
            }
            1 => {
                let column = format!("\"{}\"", self.dice.pick(&self.names.columns));
                self.form(Ludeme::ColumnOf, &[column])
            }
            2 => {
                let all = self.form(Ludeme::All, &[]);
                self.form(Ludeme::Beside, &[listed[0].clone(), all])
            }
            _ => self.form(Ludeme::SitesListed, &listed),
        }
    }

    fn note_board(&mut self, board: &Board) {
        let names = &mut self.names;
        names.sites = board.sites().map(|site| board.label(site).to_owned()).collect();
        names.columns = board.cells().map(|site| board.column_letters(site)).collect();
        names.columns.sort_unstable();
        names.columns.dedup();
        names.drawn = board.rows_of_cells().iter().map(|(_, sites)| sites.len()).collect();
        names.rows = names.drawn.len();
        names.directions =
            board.compass().iter().map(|direction| direction.name().to_owned()).collect();
        names.winds = board.wind_names().map(str::to_owned).collect();
        let across = board.rings().skip(1).flatten().filter(|way| !way.is_track());
        names.winds.extend(across.map(|way| way.name().to_owned()));
        names.layered = board.has_layers();
        names.diagonal = board.compass().len() == 8;
        names.squares = names.diagonal && !board.has_lines();
        let sorts =
            [(Sort::Cell, Ludeme::Cells), (Sort::Side, Ludeme::Sides), (Sort::Post, Ludeme::Posts)];
        let has = |sort: Sort| board.has_borders() && board.of_sort(sort).next().is_some();
        names.sorts =
            sorts.into_iter().filter(|(sort, _)| has(*sort)).map(|(_, one)| one).collect();
    }
}
