//! Reconstructs the interpreter's flow from a position of the engine.
//!
//! The engine supplies only the path to the current decision and the registers of loops and
//! arguments; everything else is evaluated from the rules.

use super::expressions::View;
use super::flow::Flow;
use super::list_frame::ListEnd;
use super::statement_list::Root;
use super::values::{ONE, Value, Variables};
use crate::board::{Direction, Site};
use crate::budget::Fuel;
use crate::compile::program::{ArgumentSource, PathTarget};
use crate::engine::game::State;
use crate::engine::snapshot::Snapshot;
use crate::language::rules::{DefinitionId, PieceId, PlayerId, Statement, Value as Expression};

/// Returns the order of play suspended at the current decision; `None` when the game is over.
pub fn suspended_flow(position: &State, snapshot: &Snapshot, fuel: &Fuel) -> Option<Flow> {
    let rules = position.game().rules();
    let code = &position.game().program().decisions[position.decision()?];
    let mut flow = Flow::new(Root::Play, Variables::default(), PlayerId(0));
    for step in &code.way {
        flow.go_to(step.statement);
        let view = flow.view(rules, snapshot, fuel);
        match (&step.inside, &flow.statement(rules).node) {
            (PathTarget::List(_), Statement::Forever(_) | Statement::While(..)) => {
                flow.enter_again(ListEnd::Once)
            }
            (PathTarget::List(_), Statement::Until(..)) => flow.enter_again(ListEnd::Until),
            (PathTarget::List(list), _) => {
                flow.enter(*list, ListEnd::Once);
            }
            (PathTarget::Turn(player), Statement::Turns(_)) => {
                flow.enter(0, ListEnd::Turns).mover = *player
            }
            (PathTarget::Turn(player), _) => flow.enter(0, ListEnd::Turn).mover = *player,
            (PathTarget::Round { left }, _) => {
                flow.enter(0, ListEnd::Repeat { left: i128::from(*left) });
            }
            (PathTarget::Counted(register), _) => {
                // The register includes the current iteration.
                flow.enter(
                    0,
                    ListEnd::Repeat { left: i128::from(position.register(*register)) - 1 },
                );
            }
            (PathTarget::Value(index), Statement::For(binder, _)) => {
                let left = view.domain(&binder.domain).into_iter().skip(*index).collect();
                flow.enter_loop(rules, ListEnd::For { variable: binder.variable, left });
            }
            (PathTarget::Definition(sources), Statement::Do(definition, arguments)) => {
                let variables =
                    definition_arguments(position, &view, *definition, arguments, sources);
                flow.enter_definition(*definition, variables);
            }
            (inside, other) => unreachable!("{inside:?} of {other:?}"),
        }
    }
    flow.go_to(code.statement);
    if let Some(steps) = code.steps {
        flow.set_steps_left(i128::from(position.register(steps.left)));
    }
    Some(flow)
}

/// Returns the values of a definition's parameters.
fn definition_arguments(
    position: &State,
    view: &View,
    definition: DefinitionId,
    arguments: &[Expression],
    sources: &[ArgumentSource],
) -> Variables {
    let parameters = &view.rules.definitions[definition.index()].parameters;
    let mut variables = Variables::default();
    for ((parameter, argument), sources) in parameters.iter().zip(arguments).zip(sources) {
        let value = match sources {
            ArgumentSource::Settled => view.value(argument),
            ArgumentSource::Player(player) => Value::Player(*player),
            ArgumentSource::Kept { register, scale } => {
                decode_register(argument, position.register(*register), *scale)
            }
        };
        variables = variables.with(*parameter, value);
    }
    variables
}

/// Decodes a register that holds an argument.
fn decode_register(argument: &Expression, register_value: i32, scale: i64) -> Value {
    match argument {
        Expression::Number(_) => {
            Value::Number(i128::from(register_value) * ONE / i128::from(scale))
        }
        Expression::Condition(_) => Value::Condition(register_value != 0),
        Expression::Direction(_) => {
            Value::Direction(usize::try_from(register_value).ok().and_then(Direction::from_index))
        }
        Expression::Piece(_) => Value::Piece(u16::try_from(register_value).ok().map(PieceId)),
        _ => Value::Site(u16::try_from(register_value).ok().map(Site)),
    }
}

/// Lists the positions of a match and their flows, oldest first.
pub fn past(position: &State, fuel: &Fuel) -> Vec<(Snapshot, Option<Flow>)> {
    let mut earlier = position.clone();
    let mut past = Vec::new();
    loop {
        let snapshot = earlier.snapshot();
        let flow = suspended_flow(&earlier, &snapshot, fuel);
        past.push((snapshot, flow));
        if !earlier.undo() {
            past.reverse();
            return past;
        }
    }
}
