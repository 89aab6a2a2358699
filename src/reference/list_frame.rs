//! The open lists of a flow: the next statement of each, and the sequence of its iterations.

use super::expressions::{View, next_player};
use super::statement_list::ListPath;
use super::values::{Value, Variables};
use crate::board::Site;
use crate::budget::Fuel;
use crate::engine::snapshot::Snapshot;
use crate::language::rules::{Local, PlayerId, Rules};
use std::collections::VecDeque;

/// An open list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ListFrame {
    pub path: ListPath,
    /// Index of the next statement.
    pub next: usize,
    pub variables: Variables,
    /// The variables before the first statement, restored on each iteration.
    pub outer: Variables,
    pub mover: PlayerId,
    pub list_end: ListEnd,
    /// Plies left of the `steps` that is the next statement; `None` before its first ply.
    pub steps_left: Option<i128>,
}

/// What happens at the end of a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum ListEnd {
    Once,
    Turn,
    /// The condition of the `until` is evaluated before the next iteration.
    Until,
    /// The next player takes a turn.
    Turns,
    Repeat {
        left: i128,
    },
    For {
        variable: Local,
        left: VecDeque<Value>,
    },
    Chain {
        variable: Local,
        queue: VecDeque<Site>,
        joined: Vec<Site>,
    },
}

impl ListFrame {
    /// Returns the view of the next statement.
    pub fn view<'v>(&self, rules: &'v Rules, snapshot: &'v Snapshot, fuel: &'v Fuel) -> View<'v> {
        View { rules, snapshot, variables: self.variables.clone(), mover: self.mover, fuel }
    }

    /// Begins before the first statement.
    pub fn new(
        path: ListPath,
        variables: Variables,
        mover: PlayerId,
        list_end: ListEnd,
    ) -> ListFrame {
        ListFrame {
            path,
            next: 0,
            outer: variables.clone(),
            variables,
            mover,
            list_end,
            steps_left: None,
        }
    }

    /// Starts the next iteration; returns false if there is none.
    pub fn begin_iteration(&mut self, rules: &Rules) -> bool {
        let bound = match &mut self.list_end {
            ListEnd::Once | ListEnd::Turn | ListEnd::Until => return false,
            ListEnd::Turns => {
                self.mover = next_player(rules, self.mover);
                None
            }
            ListEnd::Repeat { left } if *left <= 0 => return false,
            ListEnd::Repeat { left } => {
                *left -= 1;
                None
            }
            ListEnd::For { variable, left } => match left.pop_front() {
                Some(value) => Some((*variable, value)),
                None => return false,
            },
            ListEnd::Chain { variable, queue, .. } => match queue.pop_front() {
                Some(site) => Some((*variable, Value::Site(Some(site)))),
                None => return false,
            },
        };
        self.next = 0;
        self.variables = match bound {
            Some((variable, value)) => self.outer.with(variable, value),
            None => self.outer.clone(),
        };
        true
    }
}
