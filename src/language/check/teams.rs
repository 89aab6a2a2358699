//! Checks `(teams …)`: which players win together.

use super::parts::{Part, only_part};
use super::report::Within;
use super::{Checker, spelling};
use crate::language::finding::{Code, Finding};
use crate::language::ludemes::Ludeme;
use crate::language::names::Meaning;
use crate::language::rules::*;
use crate::syntax::{Node, Span};

impl<'t> Checker<'t> {
    /// Returns the teams, of one player each if the game has no such part.
    pub(super) fn teams(&self) -> Teams {
        self.declared.teams.unwrap_or_else(|| Teams::alone(self.declared.players.len()))
    }

    /// Reads the part, if the game has it, once it is known who plays.
    pub(super) fn note_teams(&mut self, parts: &[Part<'t>]) {
        let Some(part) = only_part(parts, Ludeme::Teams) else { return };
        self.declared.teams = self.inside(Within::Row(part.row), |checker| checker.teams_of(part));
    }

    fn teams_of(&mut self, part: &Part) -> Option<Teams> {
        let head = part.head();
        let args = part.args;
        if args.is_empty() {
            self.missing_slot(part.row, part.node, 0);
            return None;
        }
        let mut placed: Vec<(PlayerId, Span)> = Vec::new();
        let mut teams: Vec<Vec<PlayerId>> = Vec::new();
        let mut is_sound = true;
        for node in args {
            let mut team = Vec::new();
            for name in node.as_form().unwrap_or(std::slice::from_ref(node)) {
                let Some(player) = self.teammate(name) else {
                    is_sound = false;
                    continue;
                };
                match placed.iter().find(|(other, _)| *other == player) {
                    None => {
                        placed.push((player, name.span));
                        team.push(player);
                    }
                    Some(&(_, before)) => {
                        is_sound = false;
                        let message = format!("{} has a team already", self.snippet(name));
                        let help = "a player is in one team: delete the name here or there";
                        let finding = Finding::new(Code::BadTeams, name.span, message);
                        self.report(finding.with_other(before, "it is this one").with_help(help));
                    }
                }
            }
            // Players beyond the number of players are named, and do not play.
            team.retain(|&player| !self.is_absent(player));
            teams.push(team);
        }
        teams.retain(|team| !team.is_empty());
        if !is_sound || self.declared.players.is_empty() {
            return self.fail();
        }
        let has_team = |player| placed.iter().any(|(placed, _)| *placed == player);
        let players = self.declared.players.iter().zip((0..).map(PlayerId));
        let without: Vec<&str> = players
            .filter(|&(_, id)| !has_team(id))
            .map(|(player, _)| player.name.as_str())
            .collect();
        if let Some(first) = without.first() {
            let is = if without.len() == 1 { "is" } else { "are" };
            let message = format!("{} {is} in no team", spelling::list(&without, "and"));
            let help = format!("add every player to a team; `({first})` is a team of one player");
            return self.refuse(Finding::new(Code::BadTeams, head, message).with_help(help));
        }
        if teams.len() < 2 {
            let message = "all players are in one team, and nobody is left to play against";
            let help = "write two teams or more, each in brackets";
            return self.refuse(Finding::new(Code::BadTeams, head, message).with_help(help));
        }
        Some(Teams::new(&teams))
    }

    /// Returns the player of this name.
    fn teammate(&mut self, node: &Node) -> Option<PlayerId> {
        if let Some(meaning @ Meaning::Player(player)) = self.meaning_of(node) {
            self.note_mention(meaning, node.span);
            return Some(player);
        }
        self.unknown_name(node, "the name of a player", &self.declared.player_names())
    }
}
