//! The instructions of a program as text: its routines, each with a title.
//!
//! Registers of the position and of constants are named after what they hold: kinds of piece,
//! memories, sites. Temporaries are `s1`, `s2`, … if they are sets and `n1`, `n2`, … if they are
//! numbers.

use super::layout::Home;
use super::op::{Op, OperandRole, RegisterFile};
use super::program::{Address, DecisionCode, Program};
use crate::board::Direction;
use crate::language::rules::{MemoryId, PieceId, PlayerId, Rules};
use std::collections::BTreeSet;

/// A constant set with more sites is shown by its first and last site and its size.
const MAX_LISTED_SITES: usize = 6;

/// The instructions of a routine.
#[derive(Clone, Debug)]
pub struct Listing {
    /// The purpose of the routine.
    pub title: String,
    pub start: Address,
    pub lines: Vec<ListingLine>,
}

/// One instruction as text.
#[derive(Clone, Debug)]
pub struct ListingLine {
    pub address: Address,
    /// Whether another instruction, or the order of play after a ply, continues here.
    pub is_target: bool,
    pub text: String,
}

/// Lists every routine.
pub fn listing(program: &Program, rules: &Rules) -> Vec<Listing> {
    let names = Names::new(program, rules);
    let going = program
        .code
        .iter()
        .flat_map(Op::operands)
        .filter(|(role, _)| *role == OperandRole::Target)
        .map(|(_, target)| target);
    let after = program
        .decisions
        .iter()
        .flat_map(|decision| [decision.next, decision.leave, decision.otherwise]);
    let targets: BTreeSet<Address> = going.chain(after).collect();
    let ends = program
        .origins
        .iter()
        .skip(1)
        .map(|&(start, _)| start)
        .chain([program.code.len() as Address]);
    let routines = program.origins.iter().zip(ends);
    routines
        .map(|(&(start, _), end)| {
            let ops = program.code[usize::from(start)..usize::from(end)].iter().zip(start..);
            let lines = ops.map(|(op, address)| ListingLine {
                address,
                is_target: targets.contains(&address),
                text: names.line(op),
            });
            Listing { title: names.title(start), start, lines: lines.collect() }
        })
        .collect()
}

/// The names of the registers.
pub struct Names<'p> {
    program: &'p Program,
    rules: &'p Rules,
    /// By register.
    pub sets: Vec<String>,
    /// By register.
    pub nums: Vec<String>,
}

impl<'p> Names<'p> {
    pub fn new(program: &'p Program, rules: &'p Rules) -> Names<'p> {
        let mut names = Names { program, rules, sets: Vec::new(), nums: Vec::new() };
        names.sets = vec![String::from("cut-out"); usize::from(program.layout.sets)];
        names.nums = (1..=program.nums - program.layout.nums)
            .map(|counter| format!("round{counter}"))
            .collect();
        names.nums.splice(0..0, vec![String::new(); usize::from(program.layout.nums)]);
        let players = || (0..rules.players.len() as u16).map(PlayerId);
        for (piece, id) in rules.pieces.iter().zip((0..).map(PieceId)) {
            let owners: Vec<Option<PlayerId>> =
                if piece.owned { players().map(Some).collect() } else { vec![None] };
            for owner in owners {
                names.sets[usize::from(program.layout.piece(id, owner).0)] =
                    names.of(&piece.name, owner);
            }
        }
        for (memory, id) in rules.memories.iter().zip((0..).map(MemoryId)) {
            let owners: Vec<Option<PlayerId>> =
                if memory.per_player { players().map(Some).collect() } else { vec![None] };
            match program.layout.home(id) {
                Home::Field { first, bits } => {
                    for bit in 0..bits {
                        names.sets[usize::from(first + bit)] =
                            format!("{}#{}", memory.name, 1 << bit);
                    }
                }
                Home::Nums { first } => {
                    let key = |place| memory.keys.name(&rules.pieces, place);
                    let key = |place| key(place).map_or_else(String::new, |key| format!(".{key}"));
                    let keys: Vec<String> = (0..memory.keys.count()).map(key).collect();
                    let numbers = owners
                        .into_iter()
                        .flat_map(|owner| keys.iter().map(move |key| (owner, key)));
                    for ((owner, key), register) in numbers.zip(first..) {
                        names.nums[usize::from(register)] = names.of(&memory.name, owner) + key;
                    }
                }
                Home::Sets { first } => {
                    let ways: Vec<Option<Direction>> = match &memory.per_direction[..] {
                        [] => vec![None],
                        directions => directions.iter().copied().map(Some).collect(),
                    };
                    let planes = owners
                        .into_iter()
                        .flat_map(|owner| ways.iter().map(move |way| (owner, *way)));
                    for ((owner, way), register) in planes.zip(first..) {
                        let way = way
                            .map(|way| format!(".{}", rules.board.direction_name(way)))
                            .unwrap_or_default();
                        names.sets[usize::from(register)] = names.of(&memory.name, owner) + &way;
                    }
                }
            }
        }
        for sites in &program.constants {
            let labels: Vec<&str> = sites.iter().map(|&site| rules.board.label(site)).collect();
            names.sets.push(match sites.len() {
                0 => String::from("nowhere"),
                many if many == rules.board.len() => String::from("board"),
                many if many > MAX_LISTED_SITES => {
                    format!("{{{} … {}: {many} sites}}", labels[0], labels[many - 1])
                }
                _ => format!("{{{}}}", labels.join(" ")),
            });
        }
        names
    }

    fn of(&self, name: &str, owner: Option<PlayerId>) -> String {
        owner.map_or(name.to_owned(), |owner| format!("{name}.{}", self.player(owner.index())))
    }

    fn player(&self, player: usize) -> &str {
        self.rules.players.get(player).map_or("?", |player| &player.name)
    }

    fn set(&self, register: u16) -> String {
        let fixed = self.sets.len();
        self.sets
            .get(usize::from(register))
            .cloned()
            .unwrap_or_else(|| format!("s{}", usize::from(register) + 1 - fixed))
    }

    fn num(&self, register: u16) -> String {
        let fixed = self.nums.len();
        self.nums
            .get(usize::from(register))
            .cloned()
            .unwrap_or_else(|| format!("n{}", usize::from(register) + 1 - fixed))
    }

    /// Returns the purpose of the routine at that address.
    fn title(&self, start: Address) -> String {
        let program = self.program;
        let verb =
            |id: crate::language::rules::MoveId| format!("`{}`", self.rules.moves[id.index()].verb);
        if start == program.setup {
            return String::from("setup");
        }
        if start == program.start {
            return String::from("order of play");
        }
        if let Some(player) = program.end.iter().position(|&end| end == start) {
            return format!("after a ply of {}: end", self.player(player));
        }
        let repetition = program.repetition.iter().flat_map(|rule| &rule.then);
        if let Some(player) = repetition.into_iter().position(|&then| then == start) {
            return format!("after a ply of {}: repetition", self.player(player));
        }
        let of = |decision: &&DecisionCode| {
            decision.generate_moves == start || decision.proposals == Some(start)
        };
        if let Some(decision) = program.decisions.iter().find(of) {
            let verbs: Vec<String> = decision.moves.iter().map(|&id| verb(id)).collect();
            let whom = if decision.chance { "chance" } else { self.player(decision.mover.index()) };
            return match decision.generate_moves == start {
                true => format!("offers to {whom}: {}", verbs.join(", ")),
                false => format!("sampled for {whom}: {}", verbs.join(", ")),
            };
        }
        if let Some(index) =
            program.specializations.iter().position(|specialization| specialization.apply == start)
        {
            let tries = if program.specializations[index].is_proposal { "tries" } else { "makes" };
            return format!(
                "{tries} {}, variation {index}",
                verb(program.specializations[index].rule)
            );
        }
        String::from("ending of steps")
    }

    pub fn line(&self, op: &Op) -> String {
        let board = &self.rules.board;
        let way = |index: u8| {
            Direction::from_index(index.into())
                .map_or(String::from("?"), |direction| board.direction_name(direction))
        };
        let ways = |number: u8| {
            let mask = self.program.masks.get(usize::from(number)).copied().unwrap_or(0);
            let ways: Vec<String> = board
                .ways()
                .filter(|way| mask >> way.index() & 1 == 1)
                .map(|way| board.direction_name(way))
                .collect();
            ways.join(" ")
        };
        let clause = |index: u16| {
            let span = self.program.clauses.get(usize::from(index)).copied().unwrap_or_default();
            format!("line {}", self.rules.source()[..span.start].matches('\n').count() + 1)
        };
        let Op { code, x, a, b, c } = *op;
        let operand = |role: OperandRole, operand: u16| match role.file() {
            Some(RegisterFile::Sets) => self.set(operand),
            Some(RegisterFile::Numbers) => self.num(operand),
            None => operand.to_string(),
        };
        let [of_a, of_b, of_c] = code.roles();
        let named = |name: &str| match name {
            "a" => operand(of_a, a),
            "b" => operand(of_b, b),
            "c" => operand(of_c, c),
            "x" => x.to_string(),
            "way" => way(x),
            "ways" => ways(x),
            "argument" => (u16::from(x) + 1).to_string(),
            "bit" => (1u64 << (x & 63)).to_string(),
            "place" => String::from(if x == 0 { "on top" } else { "beneath" }),
            "constant" => op.constant().to_string(),
            "clause" => clause(a),
            other => unreachable!("no operand is called {other}"),
        };
        let mut text = String::new();
        for (index, part) in code.text().split(['{', '}']).enumerate() {
            match index % 2 {
                0 => text.push_str(part),
                _ => text.push_str(&named(part)),
            }
        }
        text
    }
}
