//! The game at a desk: all plies that were played, as a tree, and the current position.
//!
//! Plies are kept as text, as in a record, so that they outlive the rules that they were made
//! under. Under changed rules the path to the wanted ply is played again, up to the first illegal
//! ply; the plies after it stay in the tree, and are played again once the rules allow them. A new
//! game begins at the start of the same tree.

use crate::editor::rename::texts::Renamed;
use crate::engine::game::{Game, Move, State, Turn};
use crate::notation::{player, spell};
use crate::random::mix;
use crate::record::{Record, RecordedPly};
use crate::search::roll;
use serde::{Deserialize, Serialize};

/// The most plies in a tree.
pub const MAX_PLIES: usize = 20_000;
/// The most rolls in a row.
const MAX_ROLLS: usize = 1_000;

/// A ply, or for the first node the start.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Node {
    pub parent: Option<usize>,
    pub text: String,
    /// Who made it; `None` for chance.
    pub player: Option<String>,
    /// The program that chose it, if one did.
    pub seat: Option<String>,
    /// The ply after it that was played or visited last.
    pub next: Option<usize>,
    /// The ply after it that is listed first; the oldest one if none was chosen.
    #[serde(default)]
    pub first: Option<usize>,
    /// Whether it is left out of the list, with all plies after it.
    #[serde(default)]
    pub is_removed: bool,
}

/// A change of the list of plies.
#[derive(Clone, Debug, Serialize, Deserialize)]
enum ListChange {
    /// A ply was removed, which its parent listed first or not.
    Removed { node: usize, was_first: bool },
    /// These plies list another one first now; before, they listed this one.
    Promoted(Vec<(usize, Option<usize>)>),
}

/// The plies played.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Variations {
    /// A parent comes before its children. The first is the start.
    pub nodes: Vec<Node>,
    /// The ply that the player has chosen to see.
    pub wanted: usize,
    pub seed: u64,
    /// The lines of the starting position; empty if it is the usual one.
    pub start: Vec<String>,
    /// The games that were left for new ones, the last one last.
    #[serde(default)]
    left: Vec<LeftGame>,
    /// The changes of the list that can be taken back, the last one last.
    #[serde(default)]
    changes: Vec<ListChange>,
}

/// Where a game was left for a new one.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct LeftGame {
    /// The ply that was shown.
    wanted: usize,
    /// The first ply of the line that was shown.
    first: Option<usize>,
    seed: u64,
}

/// Why the game stopped before the wanted ply.
#[derive(Clone, Debug)]
pub struct Halt {
    /// The number of the ply, from 1; 0 for the start.
    pub ply: usize,
    pub text: String,
    pub reason: String,
}

/// The current position under the current rules.
pub struct Run {
    pub state: State,
    /// The nodes of the plies made.
    pub path: Vec<usize>,
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

    /// Takes the plies of a record.
    pub fn of_record(record: &Record, seed: u64) -> Variations {
        let mut tree = Variations::new(record.seed.unwrap_or(seed));
        tree.start = record.start.clone();
        for ply in record.plies.iter().take(MAX_PLIES) {
            let parent = tree.nodes.len() - 1;
            tree.nodes[parent].next = Some(parent + 1);
            let text = ply.text.clone();
            tree.nodes.push(Node { parent: Some(parent), text, ..Node::default() });
        }
        tree.wanted = record.at.unwrap_or(usize::MAX).min(tree.nodes.len() - 1);
        tree
    }

    /// Carries a renaming of the rules into the plies.
    pub fn rename(&mut self, renamed: &Renamed) {
        self.start = renamed.start(&self.start);
        for node in &mut self.nodes {
            node.text = renamed.words(&node.text);
            node.player = node.player.as_ref().map(|player| renamed.words(player));
        }
    }

    /// Tests if a tree that was read from a file is one.
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

    /// Removes a ply and all that follow it from the list; [`Variations::restore`] brings them back,
    /// and so does playing them again. If the wanted ply is one of them, it is now the one before.
    ///
    /// # Errors
    /// If there is no such ply.
    pub fn remove(&mut self, node: usize) -> Result<(), String> {
        let known = self.nodes.get(node).filter(|known| !known.is_removed);
        let parent = known.and_then(|known| known.parent).ok_or("there is no such ply")?;
        if self.path(self.wanted).contains(&node) {
            self.wanted = parent;
        }
        let before = &mut self.nodes[parent];
        let was_first = before.first == Some(node);
        before.first = before.first.filter(|&first| first != node);
        before.next = before.next.filter(|&next| next != node);
        self.nodes[node].is_removed = true;
        self.changes.push(ListChange::Removed { node, was_first });
        Ok(())
    }

    /// Takes out the plies from a node on, which must be none of those shown, for good.
    pub(super) fn cut(&mut self, count: usize) {
        let is_left = |node: Option<usize>| node.is_none_or(|node| node < count);
        if !self.left.iter().all(|left| left.wanted < count && is_left(left.first)) {
            return;
        }
        self.nodes.truncate(count);
        for node in &mut self.nodes {
            node.next = node.next.filter(|next| *next < count);
            node.first = node.first.filter(|first| *first < count);
        }
        // What was played there before goes on as it did.
        for index in 1..self.nodes.len() {
            let Node { parent: Some(parent), is_removed: false, .. } = self.nodes[index] else {
                continue;
            };
            let before = &mut self.nodes[parent].next;
            *before = before.or(Some(index));
        }
        self.changes.retain(|change| match change {
            ListChange::Removed { node, .. } => *node < count,
            ListChange::Promoted(before) => {
                before.iter().all(|(parent, first)| *parent < count && is_left(*first))
            }
        });
    }

    /// Lists the line to a ply first, at every ply where it leaves another one.
    ///
    /// # Errors
    /// If there is no such ply, or its line is listed first.
    pub fn promote(&mut self, node: usize) -> Result<(), String> {
        if node >= self.nodes.len() {
            return Err("there is no such ply".to_owned());
        }
        let mut before = Vec::new();
        for node in self.path(node) {
            let parent = self.nodes[node].parent.unwrap_or(0);
            if self.listed_first(parent) != Some(node) {
                before.push((parent, self.nodes[parent].first));
                self.nodes[parent].first = Some(node);
            }
        }
        if before.is_empty() {
            return Err("this line is the main line".to_owned());
        }
        self.changes.push(ListChange::Promoted(before));
        Ok(())
    }

    /// Returns the ply that is listed first of those after another one.
    fn listed_first(&self, parent: usize) -> Option<usize> {
        self.nodes[parent].first.or_else(|| {
            self.nodes.iter().position(|node| node.parent == Some(parent) && !node.is_removed)
        })
    }

    /// Takes back the last removal or promotion.
    ///
    /// # Errors
    /// If there is none.
    pub fn restore(&mut self) -> Result<(), String> {
        match self.changes.pop().ok_or("no variation was deleted or promoted")? {
            ListChange::Removed { node, was_first } => {
                self.nodes[node].is_removed = false;
                if was_first && let Some(parent) = self.nodes[node].parent {
                    self.nodes[parent].first = Some(node);
                }
            }
            ListChange::Promoted(before) => {
                for (parent, first) in before {
                    self.nodes[parent].first = first;
                }
            }
        }
        Ok(())
    }

    /// Says what [`Variations::restore`] would take back: `removed` or `promoted`.
    pub fn restorable(&self) -> Option<&'static str> {
        self.changes.last().map(|change| match change {
            ListChange::Removed { .. } => "removed",
            ListChange::Promoted(_) => "promoted",
        })
    }

    /// Lists a ply again that is played or visited.
    fn bring_back(&mut self, node: usize) {
        if self.nodes[node].is_removed {
            self.nodes[node].is_removed = false;
            self.changes.retain(
                |change| !matches!(change, ListChange::Removed { node: gone, .. } if *gone == node),
            );
        }
    }

    /// Goes to the start for a new game with other rolls. All plies stay; [`Variations::go_back`]
    /// leads back to where this game was left.
    pub fn begin_again(&mut self) {
        self.make_room();
        if self.nodes.len() > 1 {
            let first = self.nodes[0].next;
            self.left.push(LeftGame { wanted: self.wanted, first, seed: self.seed });
        }
        self.seed = mix(self.seed, u64::MAX) % 1_000_000_000;
        // The first ply may be a roll, which is made anew.
        self.nodes[0].next = None;
        self.wanted = 0;
    }

    /// Tests if a game was left for the current one.
    pub fn has_left(&self) -> bool {
        !self.left.is_empty()
    }

    /// Returns to the game that was left last for a new one, and returns the ply that was shown.
    pub fn go_back(&mut self) -> Option<usize> {
        let left = self.left.pop()?;
        self.seed = left.seed;
        self.nodes[0].next = left.first;
        Some(left.wanted)
    }

    /// Makes room for another game in a tree that is more than half full: the first plies with all
    /// that follows them are removed, the oldest first, except the one that leads to the wanted ply.
    fn make_room(&mut self) {
        let mut excess = self.nodes.len().saturating_sub(MAX_PLIES / 2);
        if excess == 0 {
            return;
        }
        // The first ply of the line that each node is in; parents come before their children.
        let mut lines = vec![0; self.nodes.len()];
        let mut sizes = vec![0; self.nodes.len()];
        for (index, node) in self.nodes.iter().enumerate().skip(1) {
            lines[index] =
                node.parent.filter(|&parent| parent > 0).map_or(index, |parent| lines[parent]);
            sizes[lines[index]] += 1;
        }
        let mut goes = vec![false; self.nodes.len()];
        for first in (1..self.nodes.len()).filter(|&index| lines[index] == index) {
            if excess > 0 && first != lines[self.wanted] {
                goes[first] = true;
                excess = excess.saturating_sub(sizes[first]);
            }
        }
        let mut places = Vec::with_capacity(self.nodes.len());
        let mut count = 0;
        for line in &lines {
            places.push((!goes[*line]).then_some(count));
            count += usize::from(!goes[*line]);
        }
        let place = |node: Option<usize>| node.and_then(|node| places[node]);
        let nodes = std::mem::take(&mut self.nodes).into_iter().enumerate();
        self.nodes = nodes
            .filter(|(index, _)| places[*index].is_some())
            .map(|(_, node)| Node {
                parent: place(node.parent),
                next: place(node.next),
                first: place(node.first),
                ..node
            })
            .collect();
        self.wanted = place(Some(self.wanted)).unwrap_or(0);
        self.changes = std::mem::take(&mut self.changes)
            .into_iter()
            .filter_map(|change| match change {
                ListChange::Removed { node, was_first } => {
                    place(Some(node)).map(|node| ListChange::Removed { node, was_first })
                }
                ListChange::Promoted(before) => {
                    let kept = before
                        .into_iter()
                        .filter_map(|(parent, first)| Some((place(Some(parent))?, place(first))));
                    Some(ListChange::Promoted(kept.collect()))
                }
            })
            .collect();
        self.left = std::mem::take(&mut self.left)
            .into_iter()
            .filter_map(|left| {
                let wanted = place(Some(left.wanted))?;
                Some(LeftGame { wanted, first: place(left.first), ..left })
            })
            .collect();
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

    /// Returns the nodes behind this one that were played or visited last.
    pub fn ahead(&self, node: usize) -> Vec<usize> {
        let mut ahead = Vec::new();
        let mut at = node;
        while let Some(next) = self.nodes.get(at).and_then(|node| node.next) {
            ahead.push(next);
            at = next;
        }
        ahead
    }

    /// Starts the game and plays to the wanted ply, as far as the rules allow it.
    ///
    /// # Errors
    /// Returns the reason why the game cannot start.
    pub fn run(&mut self, game: &Game) -> Result<(Run, Option<Halt>), String> {
        let record = Record { start: self.start.clone(), ..Record::default() };
        let (state, halt) = match record.begin(game) {
            Ok(state) => (state, None),
            // The position that the game started from does not fit the rules any more.
            Err(stopped) => {
                let state = game.begin().map_err(|fault| fault.message)?;
                let text = "the position at the start".to_owned();
                (state, Some(Halt { ply: 0, text, reason: stopped.message }))
            }
        };
        let mut run = Run { state, path: Vec::new() };
        let mut halt = halt.or_else(|| self.walk(&mut run, self.wanted));
        if halt.is_none()
            && let Err(reason) = self.roll(&mut run)
        {
            halt = Some(Halt { ply: run.path.len() + 1, text: "the roll".to_owned(), reason });
        }
        Ok((run, halt))
    }

    /// Goes from the current position to a node, back where necessary, then forth.
    pub fn walk(&mut self, run: &mut Run, to: usize) -> Option<Halt> {
        let path = self.path(to);
        let shared = run.path.iter().zip(&path).take_while(|(one, other)| one == other).count();
        while run.path.len() > shared {
            run.path.pop();
            run.state.undo();
        }
        for &node in &path[shared..] {
            let mover = mover(&run.state);
            let text = &self.nodes[node].text;
            // The text is canonical if the ply was played here. Only other texts, and the reasons why
            // a ply is not legal, need the reader of records, which is ten times as slow.
            let rules = run.state.game().rules();
            let known = run.state.legal().iter().find(|ply| spell(rules, ply) == *text).cloned();
            let ply = known.map_or_else(|| read(&run.state, text), Ok);
            let played =
                ply.and_then(|ply| run.state.play(&ply).map_err(|error| error.to_string()));
            if let Err(reason) = played {
                return Some(Halt { ply: run.path.len() + 1, text: text.clone(), reason });
            }
            let parent = run.path.last().copied().unwrap_or(0);
            self.nodes[parent].next = Some(node);
            self.nodes[node].player = mover;
            self.bring_back(node);
            run.path.push(node);
        }
        None
    }

    /// Plays a legal ply, and the rolls after it.
    ///
    /// # Errors
    /// Returns the reason why it is not played.
    pub fn play(&mut self, run: &mut Run, ply: &Move, seat: Option<String>) -> Result<(), String> {
        self.make(run, ply, seat)?;
        self.roll(run)
    }

    /// Makes the rolls that are due.
    ///
    /// # Errors
    /// Returns the reason why one of them is not made.
    pub fn roll(&mut self, run: &mut Run) -> Result<(), String> {
        for _ in 0..MAX_ROLLS {
            // A roll that was made before stays as it was.
            let at = run.path.last().copied().unwrap_or(0);
            let known = self.nodes[at].next.filter(|_| run.state.turn() == Turn::Chance);
            match (known, roll(&run.state, self.seed)) {
                (Some(next), _) if self.walk(run, next).is_none() => {}
                (_, Some(ply)) => self.make(run, &ply, None)?,
                (_, None) => break,
            }
        }
        self.wanted = run.path.last().copied().unwrap_or(0);
        Ok(())
    }

    /// Plays a line after the current position as it is written, rolls included.
    ///
    /// # Errors
    /// Returns the number of the first ply that is not legal, from 1, and the reason.
    pub fn follow(&mut self, run: &mut Run, line: &[&str]) -> Result<(), (usize, String)> {
        for (number, text) in (1..).zip(line) {
            let played = read(&run.state, text).and_then(|ply| self.make(run, &ply, None));
            played.map_err(|reason| (number, reason))?;
        }
        Ok(())
    }

    fn make(&mut self, run: &mut Run, ply: &Move, seat: Option<String>) -> Result<(), String> {
        let text = spell(run.state.game().rules(), ply);
        let parent = run.path.last().copied().unwrap_or(0);
        let is_known = |node: &Node| node.parent == Some(parent) && node.text == text;
        let known = self.nodes.iter().position(is_known);
        if known.is_none() && self.nodes.len() > MAX_PLIES {
            return Err(format!("a game has at most {MAX_PLIES} plies here"));
        }
        let player = mover(&run.state);
        run.state.play(ply).map_err(|error| error.to_string())?;
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

/// Reads a ply in any form that only one legal move fits.
///
/// # Errors
/// Returns the reason why it is not legal.
pub fn read(position: &State, text: &str) -> Result<Move, String> {
    let ply = RecordedPly { line: 0, text: text.to_owned(), note: Default::default() };
    let record = Record { plies: vec![ply], ..Record::default() };
    record.ply(0, position).map_err(|stopped| match stopped.help {
        Some(help) => format!("{}; {help}", stopped.message),
        None => stopped.message,
    })
}

/// Names the player to act; `None` for chance and when the game is over.
fn mover(state: &State) -> Option<String> {
    Some(player(state.game().rules(), state.turn().player()?).to_owned())
}
