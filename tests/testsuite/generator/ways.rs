//! Compares implementations on one game: the reference interpreter, the engine's interpreter,
//! machine code from the start, machine code that takes over during play, and several methods of
//! counting. Plies are compared one by one, whichever way a search, the prompt or the studio makes
//! them.

use ludwright::engine::PackedMove;
use ludwright::engine::game::{
    CodeQuality, Fault, Game, JitPolicy, Mark, Move, PlayError, State, Turn,
};
use ludwright::engine::snapshot::MemoryValue;
use ludwright::notation;
use ludwright::random::{Random, mix};
use ludwright::reference::{Interpreter, NoopTracer};
use std::fmt::Debug;
use std::time::{Duration, Instant};

/// How much of a game is compared.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    pub plies: usize,
    /// Budget for the reference interpreter: sites times legal plies, summed over positions.
    pub reference: usize,
    /// Perft stops where the next count is estimated to exceed this; reduced for boards of more
    /// than 64 sites.
    pub nodes: u64,
    pub playouts: u64,
    /// How many plies of each position are made and taken back in every way.
    pub single_plies: usize,
    /// Every how many games machine code takes part, by their seeds. Compiling it takes most of the
    /// time of a short comparison.
    pub native_every: u64,
    /// Time limit of a game.
    pub time: Duration,
}

/// Statistics of what was compared.
#[derive(Clone, Copy, Debug, Default)]
pub struct Figures {
    pub games: u64,
    pub plies: u64,
    pub nodes: u64,
    pub playouts: u64,
    /// Plies made and taken back by machine code in every way.
    pub single_plies: u64,
    /// Positions after a ply by whose end its player is out, but was not before.
    pub drop_outs: u64,
    /// Positions compared with the reference interpreter.
    pub referred: u64,
    /// Games of at least ten plies.
    pub long: u64,
    /// Games abandoned out of fuel, for too many legal plies, or for time.
    pub without_end: u64,
    pub wide: u64,
    pub slow: u64,
}

impl Figures {
    pub fn add(&mut self, other: &Figures) {
        self.games += other.games;
        self.plies += other.plies;
        self.nodes += other.nodes;
        self.playouts += other.playouts;
        self.single_plies += other.single_plies;
        self.drop_outs += other.drop_outs;
        self.referred += other.referred;
        self.long += other.long;
        self.without_end += other.without_end;
        self.wide += other.wide;
        self.slow += other.slow;
    }
}

/// Maximum number of legal plies.
const WIDE: usize = 3000;
/// Maximum number of legal plies of a position from which single plies are made in every way.
const WIDE_FOR_SINGLE_PLIES: usize = 200;

/// Why a game is abandoned.
enum Halt {
    WithoutEnd,
    Wide,
    Slow,
    Disagreement(String),
}

impl From<Fault> for Halt {
    fn from(_: Fault) -> Halt {
        Halt::WithoutEnd
    }
}

impl From<PlayError> for Halt {
    fn from(error: PlayError) -> Halt {
        match error {
            PlayError::Fault(_) => Halt::WithoutEnd,
            PlayError::Illegal => {
                Halt::Disagreement(String::from("a ply that was listed as legal is not"))
            }
        }
    }
}

/// Plays a random game in all implementations. Returns statistics, and the first disagreement as
/// text.
pub fn compare(text: &str, seed: u64, effort: &Effort) -> (Figures, Result<(), String>) {
    let mut figures = Figures { games: 1, ..Figures::default() };
    let game = match ludwright::load(text, &[]) {
        Ok(game) => game,
        Err(rejected) => return (figures, Err(format!("refused: {rejected}"))),
    };
    let nodes = effort.nodes * 64 / game.rules().board.len().max(64) as u64;
    let (random, reference) = (Random::new(mix(seed, 1)), effort.reference);
    let mut ways = Ways {
        game: &game,
        is_native: seed.is_multiple_of(effort.native_every),
        random,
        effort,
        figures: &mut figures,
        begun: Instant::now(),
        reference,
        nodes,
    };
    let halt = ways.play();
    let result = match halt {
        Ok(()) => Ok(()),
        Err(Halt::Disagreement(what)) => Err(what),
        Err(Halt::WithoutEnd) => {
            figures.without_end = 1;
            Ok(())
        }
        Err(Halt::Wide) => {
            figures.wide = 1;
            Ok(())
        }
        Err(Halt::Slow) => {
            figures.slow = 1;
            Ok(())
        }
    };
    figures.long = u64::from(figures.plies >= 10);
    (figures, result)
}

struct Ways<'g> {
    game: &'g Game,
    /// Whether machine code takes part.
    is_native: bool,
    random: Random,
    effort: &'g Effort,
    figures: &'g mut Figures,
    begun: Instant,
    /// Remaining budget for the reference interpreter.
    reference: usize,
    nodes: u64,
}

/// What two matches must have in common.
fn told(position: &State) -> impl PartialEq + Debug + use<> {
    (
        notation::legal(position),
        position.outcome(),
        position.turn(),
        position.snapshot(),
        position.hash(),
    )
}

/// What a search knows of a position, moves in the order in which they are listed.
fn known(position: &mut State) -> impl PartialEq + Debug + use<> {
    let candidates = match position.outcome() {
        Some(_) => Vec::new(),
        None => position.candidates(),
    };
    let legal = candidates.into_iter().map(|ply| position.game().spell_out(ply));
    let legal: Vec<Move> = legal.collect();
    (position.position(), position.turn(), position.hash(), legal, position.fault())
}

/// Makes a ply in every way from a position: looked at and taken back, for good, and without
/// generating the other moves. Returns the position before, and after each way.
fn made(state: &mut State, mark: &Mark, ply: PackedMove) -> Vec<impl PartialEq + Debug + use<>> {
    state.return_to(mark);
    let before = known(state);
    let descended = state.descend(ply, known);
    let back = state.mark();
    state.return_to(&back);
    let back = known(state);
    state.return_to(mark);
    state.advance(ply);
    let advanced = known(state);
    state.advance_from(mark.position(), mark.history(), ply);
    vec![before, back, descended, advanced, known(state)]
}

fn spelled(position: &State) -> Vec<String> {
    position.plies().iter().map(|ply| notation::spell(position.game().rules(), ply)).collect()
}

impl Ways<'_> {
    fn agree<T: PartialEq + Debug>(
        &self,
        position: &State,
        what: &str,
        one: T,
        other: T,
    ) -> Result<(), Halt> {
        if one == other {
            return Ok(());
        }
        Err(Halt::Disagreement(format!(
            "{what} after {:?}:\n  {one:?}\n  {other:?}",
            spelled(position)
        )))
    }

    fn look_at_the_clock(&self) -> Result<(), Halt> {
        if self.begun.elapsed() > self.effort.time { Err(Halt::Slow) } else { Ok(()) }
    }

    /// Sets a policy if machine code takes part.
    fn set_jit_policy(&self, policy: JitPolicy) {
        self.game.set_jit_policy(if self.is_native { policy } else { JitPolicy::Never });
    }

    fn play(&mut self) -> Result<(), Halt> {
        let game = self.game;
        self.set_jit_policy(JitPolicy::Never);
        let (slow, reference) = (game.begin(), Interpreter::start(game.rules(), &mut NoopTracer));
        let (mut one, mut interpreter) = (slow?, Some(reference?));
        self.set_jit_policy(JitPolicy::Auto);
        // Optimizing the machine code takes most of the time; it is done for some of the games.
        let is_optimized = self.random.below(8) == 0;
        game.set_code_quality(if is_optimized { CodeQuality::Full } else { CodeQuality::Quick });
        // It adopts machine code at its next ply once there is any.
        let mut adopting = game.begin()?;
        let handover = self.random.below(6) as usize;
        let mut compiled = None;
        let mut starts = vec![one.clone()];
        for number in 0..self.effort.plies {
            self.look_at_the_clock()?;
            if one.legal().len() > WIDE {
                return Err(Halt::Wide);
            }
            if compiled.is_none() && (number >= handover || one.legal().is_empty()) {
                compiled = Some(self.hand_over(&one)?);
            }
            let states = compiled.iter().map(|(fast, _)| fast).chain([&adopting]);
            for fast in states {
                self.agree(&one, "interpreter and machine code", told(&one), told(fast))?;
            }
            if let Some((_, spares)) = &mut compiled {
                self.make_single_plies(&one, spares)?;
            }
            if !self.refer(interpreter.as_ref(), &one)? {
                interpreter = None;
            }
            if matches!(number, 2 | 7 | 19 | 33) {
                self.count(&one)?;
                self.save(&one)?;
                starts.push(one.clone());
            }
            if one.legal().is_empty() {
                break;
            }
            let index = self.random.below(one.legal().len() as u32) as usize;
            let ply = one.legal()[index].clone();
            let (mover, was_out) = (one.turn(), dropped_out(&one));
            let fast = compiled.iter_mut().map(|(fast, _)| fast);
            for state in fast.chain([&mut one, &mut adopting]) {
                self.take_back(state, &ply)?;
                state.play(&ply)?;
            }
            if let Turn::Player(mover) = mover {
                let is_out = |out: &[bool]| out.get(mover.index()) == Some(&true);
                let drops = is_out(&dropped_out(&one)) && !is_out(&was_out);
                self.figures.drop_outs += u64::from(drops && one.outcome().is_none());
            }
            if let Some(interpreter) = &mut interpreter {
                interpreter.play(&ply, &mut NoopTracer)?;
            }
            self.figures.plies += 1;
        }
        self.save(&one)?;
        for start in starts.iter().take(3) {
            self.random_play(start)?;
        }
        Ok(())
    }

    /// Counts from a position while machine code is compiled, so that it takes over in the middle of
    /// a count. Returns the position in machine code, and states to make single plies with, the
    /// first of which is interpreted.
    fn hand_over(&mut self, one: &State) -> Result<(State, Vec<State>), Halt> {
        let game = self.game;
        self.count(one)?;
        self.set_jit_policy(JitPolicy::Never);
        let mut spares = vec![game.begin()?];
        self.set_jit_policy(JitPolicy::Auto);
        let mut fast = game.begin()?;
        if self.is_native {
            game.jit_compile();
            fast = game.begin()?;
            spares.push(game.begin()?);
        }
        for ply in one.plies() {
            fast.play(ply)?;
        }
        Ok((fast, spares))
    }

    /// Makes some plies of a position in every way, and compares what follows.
    fn make_single_plies(&mut self, one: &State, spares: &mut [State]) -> Result<(), Halt> {
        let legal = one.packed();
        if legal.is_empty() || legal.len() > WIDE_FOR_SINGLE_PLIES || spares.len() < 2 {
            return Ok(());
        }
        let mark = one.mark();
        for _ in 0..self.effort.single_plies {
            self.look_at_the_clock()?;
            let ply = legal[self.random.below(legal.len() as u32) as usize];
            let mut ways = Vec::new();
            for spare in &mut *spares {
                let seen = made(spare, &mark, ply);
                if spare.fault().is_some() {
                    return Err(Halt::WithoutEnd);
                }
                ways.push(seen);
            }
            self.figures.single_plies += ways.len() as u64 - 1;
            let spelled = notation::spell(self.game.rules(), &self.game.spell_out(ply));
            for seen in &ways {
                let what = format!("{spelled}, made in every way and by machine code");
                let [before, back, after @ ..] = &ways[0][..] else { continue };
                let same = seen[0] == *before && seen[1] == *back && before == back;
                self.agree(one, &what, (true, after), (same, &seen[2..]))?;
                let first = &after[0];
                self.agree(one, &what, vec![first; after.len()], after.iter().collect())?;
            }
        }
        Ok(())
    }

    /// Compares a position with the reference interpreter; returns false once its budget or fuel is
    /// exhausted.
    fn refer(&mut self, interpreter: Option<&Interpreter>, position: &State) -> Result<bool, Halt> {
        let Some(interpreter) = interpreter else { return Ok(false) };
        let work = self.game.rules().board.len() * (1 + position.legal().len());
        let Some(left) = self.reference.checked_sub(work) else { return Ok(false) };
        self.reference = left;
        let rules = self.game.rules();
        let mut legal: Vec<String> =
            interpreter.legal().iter().map(|ply| notation::spell(rules, ply)).collect();
        if interpreter.is_exhausted() {
            return Ok(false);
        }
        legal.sort_unstable();
        self.agree(position, "legal: reference and interpreter", legal, notation::legal(position))?;
        self.agree(
            position,
            "result: reference and interpreter",
            interpreter.outcome(),
            position.outcome(),
        )?;
        self.agree(
            position,
            "turn: reference and interpreter",
            interpreter.turn(),
            position.turn(),
        )?;
        self.agree(
            position,
            "position: reference and interpreter",
            interpreter.snapshot().clone(),
            position.snapshot(),
        )?;
        self.figures.referred += 1;
        if position.plies().len().is_multiple_of(8) {
            let same = interpreter.is_at(&Interpreter::with_past(position));
            self.agree(
                position,
                "the reference interpreter, begun anew at the position",
                true,
                same,
            )?;
            self.refer_counts(interpreter, position)?;
        }
        Ok(true)
    }

    /// Compares perft 2 with the reference interpreter.
    fn refer_counts(&mut self, interpreter: &Interpreter, position: &State) -> Result<(), Halt> {
        let legal = interpreter.legal();
        let work = self.game.rules().board.len() * legal.len() * (1 + legal.len());
        let Some(left) = self.reference.checked_sub(work) else { return Ok(()) };
        self.reference = left;
        let mut count = 0;
        for ply in legal {
            let mut next = interpreter.clone();
            next.play(&ply, &mut NoopTracer)?;
            count += next.legal().len() as u64;
            if next.is_exhausted() {
                return Ok(());
            }
        }
        self.agree(
            position,
            "perft 2: reference and interpreter",
            count,
            self.game.perft(position, 2)?,
        )
    }

    /// Checks that undoing a ply restores the position.
    fn take_back(&self, position: &mut State, ply: &Move) -> Result<(), Halt> {
        let before = told(position);
        position.play(ply)?;
        position.undo();
        let after = told(position);
        self.agree(position, "a ply was taken back", before, after)
    }

    /// Compares counts from a position.
    fn count(&mut self, position: &State) -> Result<(), Halt> {
        let game = self.game;
        for depth in 1..=12 {
            self.look_at_the_clock()?;
            self.set_jit_policy(JitPolicy::Never);
            let count = game.perft(position, depth)?;
            self.figures.nodes += count;
            let after = 1 + self.random.below(count.min(20_000) as u32 + 1);
            for policy in [JitPolicy::AfterPlies(after), JitPolicy::Auto] {
                self.set_jit_policy(policy);
                self.agree(
                    position,
                    &format!("perft {depth}, {policy:?}"),
                    count,
                    game.perft(position, depth)?,
                )?;
            }
            if depth > 1 {
                self.set_jit_policy(if depth == 2 { JitPolicy::Auto } else { JitPolicy::Never });
                let mut divided = position.clone();
                let mut sum = 0;
                for ply in position.legal() {
                    divided.play(ply)?;
                    sum += game.perft(&divided, depth - 1)?;
                    divided.undo();
                }
                self.agree(position, &format!("perft {depth} and its division"), count, sum)?;
            }
            if count == 0 || count.saturating_mul(position.legal().len() as u64) > self.nodes {
                break;
            }
        }
        self.set_jit_policy(JitPolicy::Never);
        let mut budget = self.nodes / 8;
        let counted = turns(&mut position.clone(), 1, &mut budget)?;
        if let Some(count) = counted {
            for policy in [
                JitPolicy::Never,
                JitPolicy::AfterPlies(1 + self.random.below(50)),
                JitPolicy::Auto,
            ] {
                self.set_jit_policy(policy);
                self.agree(
                    position,
                    &format!("turns, {policy:?}"),
                    count,
                    game.perft_turns(position, 1)?,
                )?;
            }
        }
        self.set_jit_policy(JitPolicy::Auto);
        Ok(())
    }

    /// Writes and reads a position, and compares the continuations.
    fn save(&mut self, position: &State) -> Result<(), Halt> {
        let game = self.game;
        let written = notation::PositionText::of(position);
        let text = written.write(game);
        let read = notation::PositionText::read_whole(game, &notation::Line::split(&text));
        let read = read.map_err(|misread| Halt::Disagreement(format!("{misread} in\n{text}")))?;
        let mut begun = vec![read.begin(game).map_err(|_| Halt::WithoutEnd)?];
        self.agree(
            position,
            "position read back",
            &written,
            &notation::PositionText::of(&begun[0]),
        )?;
        if let Some(decision) = position.decision() {
            begun.push(game.begin_at(&position.snapshot(), decision, &position.counters())?);
        }
        for begun in begun {
            // A position that is read has no history, which some rules ask which plies are legal.
            let asks_history = game.rules().forbids_repetition();
            let facts = |position: &State| {
                let choices =
                    (!asks_history).then(|| (notation::legal(position), position.outcome()));
                (choices, position.turn(), notation::PositionText::of(position).snapshot)
            };
            self.agree(position, "position saved and begun again", facts(position), facts(&begun))?;
            // Without history, repetition may differ, too.
            if game.rules().repetition.is_none() && position.legal().len() as u64 <= self.nodes / 16
            {
                self.agree(
                    position,
                    "perft 2 of a position read back",
                    game.perft(position, 2)?,
                    game.perft(&begun, 2)?,
                )?;
            }
        }
        Ok(())
    }

    /// Compares random playouts from a position.
    fn random_play(&mut self, position: &State) -> Result<(), Halt> {
        let game = self.game;
        let handovers =
            [JitPolicy::Never, JitPolicy::Auto, JitPolicy::AfterPlies(1 + self.random.below(60))];
        let mut sources = handovers.map(|policy| {
            self.set_jit_policy(policy);
            game.playouts(position)
        });
        self.set_jit_policy(JitPolicy::Auto);
        for seed in 0..self.effort.playouts {
            self.look_at_the_clock()?;
            let cap = if seed % 2 == 0 { 60 } else { 1 + self.random.below(20) };
            let mut ends = Vec::new();
            for source in &mut sources {
                ends.push((source.play(seed, cap)?, source.position()));
            }
            self.figures.playouts += 1;
            let last = ends.pop();
            let second = ends.pop();
            self.agree(
                position,
                &format!("playout {seed} of {cap} plies"),
                ends.pop(),
                second.clone(),
            )?;
            self.agree(
                position,
                &format!("playout {seed} of {cap} plies, {:?}", handovers[2]),
                second,
                last,
            )?;
        }
        Ok(())
    }
}

/// Returns by player who has dropped out, if players can.
fn dropped_out(position: &State) -> Vec<bool> {
    let Some(drop_outs) = position.game().rules().drop_outs else { return Vec::new() };
    let memories = position.snapshot().memories;
    let out = memories[drop_outs.out.index()].iter();
    out.map(|memory| matches!(memory, MemoryValue::Condition(true))).collect()
}

/// Counts the sequences of `depth` whole turns, distinguished by their plies; `None` if the budget
/// of plies is exhausted.
fn turns(position: &mut State, depth: u32, budget: &mut u64) -> Result<Option<u64>, Halt> {
    if depth == 0 {
        return Ok(Some(1));
    }
    let mover = position.turn();
    let mut count = 0;
    for ply in position.legal().to_vec() {
        let Some(left) = budget.checked_sub(1) else { return Ok(None) };
        *budget = left;
        position.play(&ply)?;
        let same = position.turn() == mover && mover != Turn::Chance;
        let further = turns(position, if same { depth } else { depth - 1 }, budget)?;
        position.undo();
        let Some(further) = further else { return Ok(None) };
        count += further;
    }
    Ok(Some(count))
}
