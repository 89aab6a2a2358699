//! A game that is being played, at the prompt or at a desk: all plies that were played, as a tree,
//! and the current position.
//!
//! Plies are kept as text, as in a record, so that they survive changes of the rules. Under changed
//! rules the path to the wanted ply is replayed, up to the first illegal ply; the plies after it
//! stay in the tree, and are replayed once the rules allow them. A new game begins at the start of
//! the same tree.

mod list;

pub use list::next_seed;

use crate::engine::game::{Game, Move, State, Turn};
use crate::notation::{player, spell};
use crate::record::{PlyNote, Record, RecordedPly, Stopped, beginning};
use crate::search::roll;
use list::{LeftGame, ListChange};
use serde::{Deserialize, Serialize};

/// The most plies in a tree.
pub const MAX_PLIES: usize = 20_000;
/// The most rolls in a row.
const MAX_ROLLS: usize = 1_000;

/// A ply; the first node is the start.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Node {
    pub parent: Option<usize>,
    pub text: String,
    /// The player who made the ply; `None` for chance.
    pub player: Option<String>,
    /// The program that chose the ply, if one did.
    pub seat: Option<String>,
    /// The following ply that was played or visited last.
    pub next: Option<usize>,
    /// The following ply that is listed first; `None` for the oldest one.
    #[serde(default)]
    pub first: Option<usize>,
    /// Whether the ply and all plies after it are left out of the list.
    #[serde(default)]
    pub is_removed: bool,
    /// The note of a record about the ply; at the start, the comment on the whole game.
    #[serde(default, skip_serializing_if = "PlyNote::is_empty")]
    pub note: PlyNote,
}

/// The plies played.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Variations {
    /// The nodes; a parent comes before its children. The first node is the start.
    pub nodes: Vec<Node>,
    /// The node that the player has chosen to see.
    pub wanted: usize,
    pub seed: u64,
    /// The lines of the starting position; empty for the usual start.
    pub start: Vec<String>,
    /// The games that were left for new ones, the latest last.
    #[serde(default)]
    left: Vec<LeftGame>,
    /// The changes of the list that can be undone, the latest last.
    #[serde(default)]
    changes: Vec<ListChange>,
}

/// The current position under the current rules.
#[derive(Clone)]
pub struct Run {
    pub state: State,
    /// The lines of the starting position; empty for the usual start.
    start: Vec<String>,
    /// The nodes of the plies made.
    pub path: Vec<usize>,
}

impl Run {
    /// Returns the node of the last ply; 0 at the start.
    pub fn node(&self) -> usize {
        self.path.last().copied().unwrap_or(0)
    }

    /// Counts the rolls after the last ply of a player.
    pub fn trailing_rolls(&self) -> usize {
        let game = self.state.game();
        self.state.plies().iter().rev().take_while(|ply| game.is_roll(ply)).count()
    }

    /// Returns the number of plies before the last ply of a person: undoing it also undoes the
    /// rolls and the plies of programs after it. `None` if no person has made a ply.
    pub fn plies_before_own(&self, is_program: impl Fn(&State) -> bool) -> Option<usize> {
        let mut before = self.state.clone();
        while before.undo() {
            if before.turn().player().is_some() && !is_program(&before) {
                return Some(before.ply_count());
            }
        }
        None
    }
}

impl Variations {
    /// Makes a tree without plies.
    pub fn new(seed: u64) -> Variations {
        Variations {
            nodes: vec![Node::default()],
            wanted: 0,
            seed,
            start: Vec::new(),
            left: Vec::new(),
            changes: Vec::new(),
        }
    }

    /// Takes the plies of a record, at most [`MAX_PLIES`].
    pub fn of_record(record: &Record, seed: u64) -> Variations {
        Variations::of_plies(record, seed, MAX_PLIES)
    }

    fn of_plies(record: &Record, seed: u64, most: usize) -> Variations {
        let mut tree = Variations::new(record.seed.unwrap_or(seed));
        tree.start = record.start.clone();
        for ply in record.plies.iter().take(most) {
            let parent = tree.nodes.len() - 1;
            tree.nodes[parent].next = Some(parent + 1);
            let text = ply.text.clone();
            let note = ply.note.clone();
            tree.nodes.push(Node { parent: Some(parent), text, note, ..Node::default() });
        }
        tree.nodes[0].note.comment.clone_from(&record.comment);
        tree.wanted = record.at.unwrap_or(usize::MAX).min(tree.nodes.len() - 1);
        tree
    }

    /// Takes the plies of a match, and makes the pending rolls.
    ///
    /// # Errors
    /// Returns the reason why a roll is not made.
    pub fn of_match(state: State, seed: u64) -> Result<(Variations, Run), Stopped> {
        let mut tree = Variations::of_plies(&Record::of(&state, seed), seed, usize::MAX);
        let mut earlier = state.clone();
        while earlier.undo() {
            tree.nodes[earlier.ply_count() + 1].player = mover(&earlier);
        }
        let path = (1..tree.nodes.len()).collect();
        let mut run = Run { start: tree.start.clone(), path, state };
        tree.roll(&mut run)?;
        Ok((tree, run))
    }

    /// Takes over the notes of the record that the match was played from, and goes to the record's
    /// current ply.
    ///
    /// # Errors
    /// As [`Variations::go_to`] and [`Variations::roll`].
    pub fn adopt(&mut self, run: &mut Run, record: &Record) -> Result<(), Stopped> {
        for (&node, ply) in run.path.iter().zip(&record.plies) {
            self.nodes[node].note = ply.note.clone();
        }
        self.nodes[0].note.comment.clone_from(&record.comment);
        match record.at {
            Some(at) if at < run.path.len() => self.go_to_ply(run, at),
            _ => Ok(()),
        }
    }

    /// Returns the record of the plies made; if `whole`, with the plies ahead.
    pub fn record(&self, run: &Run, whole: bool) -> Record {
        let rules = run.state.game().rules();
        let recorded = |text: String, node: usize| RecordedPly {
            line: 0,
            text,
            note: self.nodes[node].note.clone(),
        };
        let made = run.state.plies().iter().zip(&run.path);
        let mut plies: Vec<RecordedPly> =
            made.map(|(ply, &node)| recorded(spell(rules, ply), node)).collect();
        if whole {
            let ahead = self.ahead(run.node()).into_iter();
            plies.extend(ahead.map(|node| recorded(self.nodes[node].text.clone(), node)));
        }
        Record {
            start: run.start.clone(),
            comment: self.nodes[0].note.comment.clone(),
            at: (plies.len() > run.path.len()).then_some(run.path.len()),
            plies,
            ..Record::about(&run.state, self.seed)
        }
    }

    /// Adds a comment to the last ply of a player, or to the game if no player has made a ply.
    pub fn remark(&mut self, run: &Run, text: &str) {
        let ply = (run.path.len() - run.trailing_rolls()).checked_sub(1);
        match &mut self.nodes[ply.map_or(0, |ply| run.path[ply])].note.comment {
            Some(before) => before.extend(["\n", text]),
            comment => *comment = Some(text.to_owned()),
        }
    }

    /// Tests if a tree that was read from a file is consistent.
    pub fn is_valid(&self) -> bool {
        let count = self.nodes.len();
        let is_node = |(index, node): (usize, &Node)| {
            node.parent.map_or(index == 0, |parent| parent < index)
                && [node.next, node.first]
                    .into_iter()
                    .flatten()
                    .all(|next| next > index && next < count)
        };
        let is_node_number = |change: &ListChange| match change {
            ListChange::Removed { node, .. } => (1..count).contains(node),
            ListChange::Promoted(before) => before.iter().all(|(parent, first)| {
                *parent < count && first.is_none_or(|first| first > *parent && first < count)
            }),
        };
        let is_left = |left: &LeftGame| {
            left.wanted < count && left.first.is_none_or(|first| first > 0 && first < count)
        };
        count <= MAX_PLIES + 1
            && self.wanted < count
            && self.nodes.iter().enumerate().all(is_node)
            && self.left.iter().all(is_left)
            && self.changes.iter().all(is_node_number)
    }

    /// Returns the nodes from the first ply to this one.
    pub fn path(&self, node: usize) -> Vec<usize> {
        let mut path = Vec::new();
        let mut at = node;
        while let Some(parent) = self.nodes.get(at).and_then(|node| node.parent) {
            path.push(at);
            at = parent;
        }
        path.reverse();
        path
    }

    /// Returns the number of plies up to the wanted one.
    pub fn length(&self) -> usize {
        self.path(self.wanted).len()
    }

    /// Returns the nodes after this one that were played or visited last.
    pub fn ahead(&self, node: usize) -> Vec<usize> {
        let mut ahead = Vec::new();
        let mut at = node;
        while let Some(next) = self.nodes.get(at).and_then(|node| node.next) {
            ahead.push(next);
            at = next;
        }
        ahead
    }

    /// Starts the game and plays to the wanted ply. If a ply on the way is illegal, stops before it
    /// and also returns the reason.
    ///
    /// # Errors
    /// Returns the reason why the game cannot start.
    pub fn run(&mut self, game: &Game) -> Result<(Run, Option<Stopped>), Stopped> {
        let record = Record { start: self.start.clone(), ..Record::default() };
        let (state, unfit) = match record.begin(game) {
            Ok(state) => (state, None),
            Err(stopped) if self.start.is_empty() => return Err(stopped),
            // The starting position does not fit the changed rules.
            Err(stopped) => {
                let state = Record::default().begin(game)?;
                let text = "the position at the start".to_owned();
                (state, Some(Stopped { text, ..stopped }))
            }
        };
        let mut run = Run { start: beginning(&state), path: Vec::new(), state };
        let mut stopped = unfit.or_else(|| self.walk(&mut run, self.wanted).err());
        if stopped.is_none() {
            stopped = self.roll(&mut run).err().map(|stopped| Stopped {
                ply: run.path.len() + 1,
                text: "the roll".to_owned(),
                ..stopped
            });
        }
        Ok((run, stopped))
    }

    /// Goes to a node, and makes it the wanted one.
    ///
    /// # Errors
    /// Returns the first ply on the way that is not legal any more.
    pub fn go_to(&mut self, run: &mut Run, node: usize) -> Result<(), Stopped> {
        self.wanted = node;
        self.walk(run, node)
    }

    /// Goes to the position after a number of plies, counted along the plies made and ahead, and
    /// makes the rolls that follow.
    ///
    /// # Errors
    /// As [`Variations::go_to`] and [`Variations::roll`].
    pub fn go_to_ply(&mut self, run: &mut Run, plies: usize) -> Result<(), Stopped> {
        let mut line = run.path.clone();
        line.extend(self.ahead(run.node()));
        let node = plies.checked_sub(1).and_then(|ply| line.get(ply).copied());
        self.go_to(run, node.unwrap_or(0))?;
        self.roll(run)
    }

    /// Redoes the ply that was taken back last, with the rolls and the plies of programs after it.
    /// Returns false if there is none.
    ///
    /// # Errors
    /// As [`Variations::go_to`] and [`Variations::roll`].
    pub fn redo(
        &mut self,
        run: &mut Run,
        is_program: impl Fn(&State) -> bool,
    ) -> Result<bool, Stopped> {
        let mut is_redone = false;
        while let Some(next) = self.nodes[run.node()].next
            && (!is_redone || is_program(&run.state))
        {
            self.go_to(run, next)?;
            self.roll(run)?;
            is_redone = true;
        }
        Ok(is_redone)
    }

    /// Goes from the current position to a node, back where necessary, then forth.
    fn walk(&mut self, run: &mut Run, to: usize) -> Result<(), Stopped> {
        let path = self.path(to);
        let shared = run.path.iter().zip(&path).take_while(|(one, other)| one == other).count();
        while run.path.len() > shared {
            run.path.pop();
            run.state.undo();
        }
        for &node in &path[shared..] {
            let (parent, mover) = (run.node(), mover(&run.state));
            self.step(run, node)?;
            self.nodes[parent].next = Some(node);
            self.nodes[node].player = mover;
            self.bring_back(node);
        }
        Ok(())
    }

    /// Plays the plies ahead, up to the first illegal one.
    pub fn play_ahead(&self, run: &mut Run) {
        let mut ahead = self.ahead(run.node()).into_iter();
        while ahead.next().is_some_and(|node| self.step(run, node).is_ok()) {}
    }

    /// Plays the ply of a node that follows the current one.
    fn step(&self, run: &mut Run, node: usize) -> Result<(), Stopped> {
        let text = &self.nodes[node].text;
        // The text is canonical if the ply was played here. Only other texts, and the reasons why
        // a ply is not legal, need the reader of records, which is ten times as slow.
        let rules = run.state.game().rules();
        let known = run.state.legal().iter().find(|ply| spell(rules, ply) == *text).cloned();
        let ply = known.map_or_else(|| read(&run.state, text), Ok);
        let played = ply.and_then(|ply| Ok(run.state.play(&ply)?));
        played.map_err(|stopped| Stopped {
            ply: run.path.len() + 1,
            text: text.clone(),
            ..stopped
        })?;
        run.path.push(node);
        Ok(())
    }

    /// Plays a legal ply, and the rolls after it.
    ///
    /// # Errors
    /// Returns the reason why the ply or a roll is not made.
    pub fn play(&mut self, run: &mut Run, ply: &Move, seat: Option<String>) -> Result<(), Stopped> {
        self.make(run, ply, seat)?;
        self.roll(run)
    }

    /// Plays a legal ply and the rolls after it, and removes its earlier continuations.
    ///
    /// # Errors
    /// Returns the reason why the ply or a roll is not made.
    pub fn play_anew(&mut self, run: &mut Run, ply: &Move, note: PlyNote) -> Result<(), Stopped> {
        self.make(run, ply, None)?;
        let node = &mut self.nodes[run.node()];
        (node.next, node.note) = (None, note);
        self.roll(run)
    }

    /// Makes the pending rolls.
    ///
    /// # Errors
    /// Returns the reason why a roll is not made.
    pub fn roll(&mut self, run: &mut Run) -> Result<(), Stopped> {
        for _ in 0..MAX_ROLLS {
            // A roll that was made before keeps its result.
            let known = self.nodes[run.node()].next.filter(|_| run.state.turn() == Turn::Chance);
            match (known, roll(&run.state, self.seed)) {
                (Some(next), _) if self.walk(run, next).is_ok() => {}
                (_, Some(ply)) => self.make(run, &ply, None)?,
                (_, None) => break,
            }
        }
        self.wanted = run.node();
        Ok(())
    }

    /// Plays a line after the current position exactly as given, rolls included.
    ///
    /// # Errors
    /// Returns the first ply that is not legal, by its number in the line, and the reason.
    pub fn follow(&mut self, run: &mut Run, line: &[&str]) -> Result<(), Stopped> {
        for (ply, text) in (1..).zip(line) {
            let played = read(&run.state, text).and_then(|ply| self.make(run, &ply, None));
            played.map_err(|stopped| Stopped { ply, ..stopped })?;
        }
        Ok(())
    }

    fn make(&mut self, run: &mut Run, ply: &Move, seat: Option<String>) -> Result<(), Stopped> {
        let text = spell(run.state.game().rules(), ply);
        let parent = run.node();
        // A parent comes before its children.
        let is_known = |&node: &usize| {
            self.nodes[node].parent == Some(parent) && self.nodes[node].text == text
        };
        let known = (parent + 1..self.nodes.len()).find(is_known);
        if known.is_none() && self.nodes.len() > MAX_PLIES {
            let message = format!("a game has at most {MAX_PLIES} plies here");
            return Err(Stopped { message, ..Stopped::default() });
        }
        let player = mover(&run.state);
        run.state.play(ply)?;
        let node = known.unwrap_or_else(|| {
            let made = Node { parent: Some(parent), text, player, seat, ..Node::default() };
            self.nodes.push(made);
            self.nodes.len() - 1
        });
        self.bring_back(node);
        self.nodes[parent].next = Some(node);
        run.path.push(node);
        self.wanted = node;
        Ok(())
    }
}

/// Reads a ply in any form that fits exactly one legal move.
///
/// # Errors
/// Returns the reason why it is not legal.
pub fn read(position: &State, text: &str) -> Result<Move, Stopped> {
    let ply = RecordedPly { line: 0, text: text.to_owned(), note: PlyNote::default() };
    let record = Record { plies: vec![ply], ..Record::default() };
    record.ply(0, position)
}

/// Names the player to act; `None` for chance and when the game is over.
fn mover(state: &State) -> Option<String> {
    Some(player(state.game().rules(), state.turn().player()?).to_owned())
}
