//! The plies of computer players at the prompt: a turn is printed as a line and one board.

use super::super::quiet::Quiet;
use super::{INTERRUPTED, MOST_IN_A_ROW, PromptLoop};
use crate::program::answers::play::{PlayAnswer, ThinkingAnswer};
use crate::program::console::broken;
use crate::program::failure::{Failure, refusal_failure};
use crate::program::output::own;
use crate::program::schema::print;
use ludwright::engine::game::Turn;
use ludwright::engine::snapshot::Snapshot;
use ludwright::language::rules::Rules;
use ludwright::notation::{spell, turn};
use ludwright::play::{Played, Reply, Session};
use ludwright::search::Thinking;
use std::sync::atomic::Ordering;

/// Describes the ply of a computer player in JSON, with the search behind it.
fn told(rules: &Rules, mover: Turn, ply: &str, thinking: Option<&Thinking>) -> PlayAnswer {
    let thinking = thinking.map(|thinking| ThinkingAnswer {
        winning_chances: {
            let names = rules.players.iter().map(|player| player.name.clone());
            names.zip(thinking.win_probabilities.iter().copied()).collect()
        },
        solved: thinking.solved,
        line: thinking.line.iter().map(|ply| spell(rules, ply)).collect(),
        iterations: thinking.iterations,
        seconds: thinking.seconds,
    });
    let by = turn(rules, mover).to_owned();
    PlayAnswer::Ply { to_move: by.clone(), played: ply.to_owned(), by, thinking }
}

/// Joins plies; a verb is written only where it differs from the previous one.
fn told_together(plies: &[String]) -> String {
    let verb = |ply: &str| ply.split(' ').next().unwrap_or_default().to_owned();
    let mut text = String::new();
    for (index, ply) in plies.iter().enumerate() {
        let before = index.checked_sub(1).map(|before| verb(&plies[before]));
        match ply.split_once(' ').filter(|(own, _)| before.as_deref() == Some(*own)) {
            Some((_, rest)) => text.extend([", ", rest]),
            None if index == 0 => text.push_str(ply),
            None => text.extend([", ", ply.as_str()]),
        }
    }
    text
}

/// The plies of a program in a turn.
struct ProgramTurn {
    mover: Turn,
    plies: Vec<String>,
    /// What the program expects, as whole lines.
    thoughts: String,
    before: Snapshot,
    reply: Reply,
}

impl PromptLoop<'_> {
    /// Lets computer players move as long as it is their turn. A turn is printed as a line and one
    /// board.
    pub(super) fn let_programs_play(&mut self) -> Result<(), Failure> {
        let mut made = 0;
        let mut so_far: Option<ProgramTurn> = None;
        while self.session.is_due() {
            let position = self.session.position();
            let (mover, before) = (position.turn(), position.snapshot());
            if so_far.as_ref().is_some_and(|turn| turn.mover != mover) {
                self.tell(so_far.take())?;
            }
            if made == MOST_IN_A_ROW {
                self.tell(so_far.take())?;
                return Err(Failure::input(format!(
                    "the programs have played {made} plies without an end; stopped"
                )));
            }
            made += 1;
            let played = match self.think() {
                Ok(played) => played,
                Err(failure) => {
                    self.tell(so_far.take())?;
                    return Err(failure);
                }
            };
            let Some(Played { ply, thinking, thought, reply, .. }) = played else { break };
            self.keep();
            self.saved = false;
            if self.json {
                let rules = self.session.position().game().rules();
                print(&told(rules, mover, &ply, thinking.as_ref()), self.out)?;
                self.show(&reply)?;
            } else {
                let (plies, thoughts) = (Vec::new(), String::new());
                let fresh = || ProgramTurn { mover, plies, thoughts, before, reply: reply.clone() };
                let turn = so_far.get_or_insert_with(fresh);
                turn.plies.push(ply);
                turn.thoughts.push_str(&thought);
                turn.reply = reply;
            }
            if INTERRUPTED.swap(false, Ordering::SeqCst) {
                self.tell(so_far.take())?;
                self.session.pause();
                writeln!(self.out, "stopped; enter `auto` to continue")?;
                return Ok(());
            }
        }
        self.tell(so_far)?;
        if made > 0 && self.session.is_paused() && !self.json {
            let who = turn(self.session.position().game().rules(), self.session.position().turn());
            writeln!(self.out, "{who} is paused; enter `auto` to continue")?;
        }
        Ok(())
    }

    /// Lets a program choose its ply. At a terminal, a line says that it thinks, and typed input is
    /// kept for the next prompt.
    fn think(&mut self) -> Result<Option<Played>, Failure> {
        let position = self.session.position();
        let who = turn(position.game().rules(), position.turn());
        let said = self.session.is_search_due().then(|| format!("{who} is thinking …"));
        self.meanwhile(said, |session| session.let_program_play())?
            .map_err(|refused| refusal_failure(refused, &self.source))
    }

    /// Runs a search; at a terminal, shows a line meanwhile, if one is given.
    pub(super) fn meanwhile<T>(
        &mut self,
        said: Option<String>,
        search: impl FnOnce(&mut Session) -> T,
    ) -> Result<T, Failure> {
        let Some(said) = said.filter(|_| self.converses()) else {
            return Ok(search(&mut self.session));
        };
        write!(self.out, "{said} (Ctrl-C stops it)")?;
        self.out.flush()?;
        let quiet = Quiet::new();
        let found = search(&mut self.session);
        drop(quiet);
        // Erases the line.
        write!(self.out, "{0}G{0}J", own())?;
        Ok(found)
    }

    /// Prints the plies of a program in a line, and the board with all changes marked.
    fn tell(&mut self, played: Option<ProgramTurn>) -> Result<(), Failure> {
        let Some(ProgramTurn { mover, plies, thoughts, before, reply }) = played else {
            return Ok(());
        };
        let rules = self.session.position().game().rules();
        let line = format!("{}: {}", turn(rules, mover), told_together(&plies));
        self.out.write_all(broken(&line, self.width()).as_bytes())?;
        if self.plans {
            self.out.write_all(thoughts.as_bytes())?;
        }
        writeln!(self.out)?;
        match plies.len() {
            1 => self.show(&reply),
            _ => self.show(&Reply::Moved(self.session.shown_since(&before))),
        }
    }
}
