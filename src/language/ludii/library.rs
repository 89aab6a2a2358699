//! The definitions that every `.lud` file may use without containing them, as far as they have a
//! counterpart: what they mean, in Ludii's words.

use super::reader;
use crate::syntax::Node;
use std::collections::HashMap;
use std::rc::Rc;

/// Definitions by name.
const DEFINITIONS: &[(&str, &str)] = &[
    ("TwoPlayersNorthSouth", "(players {(player N) (player S)})"),
    ("SameTurn", "(is Prev Mover)"),
    ("NewTurn", "(not (is Prev Mover))"),
    ("IsEnemyAt", "(is Enemy (who at:#1))"),
    ("IsFriendAt", "(is Friend (who at:#1))"),
    ("IsEmptyAndNotVisited", "(is Empty #1)"),
    ("NoPiece", "(no Pieces #1)"),
    ("NoSites", "(= 0 (count Sites in:#1))"),
    ("HandEmpty", "(= 0 (count in:(sites Hand #1)))"),
    ("HandOccupied", "(< 0 (count in:(sites Hand #1)))"),
    ("NoMoves", "(if (no Moves Next) (result Next #1))"),
    ("BlockWin", "(if (no Moves Next) (result Mover Win))"),
    ("MisereBlockWin", "(if (no Moves Next) (result Next Win))"),
    ("DrawIfNoMovesNext", "(if (no Moves Next) (result Mover Draw))"),
    ("Line3Win", "(if (is Line 3) (result Mover Win))"),
    ("ReachWin", "(if (is In (last To) #1) (result #2 Win))"),
    ("CaptureAll", "(if (no Pieces #1) (result #1 Loss))"),
    ("EscapeWin", "(if (no Pieces Mover) (result Mover Win))"),
    ("StepToEmpty", "(move Step #1 (to if:(is Empty (to))) #2)"),
    ("StepOrthogonalToEmpty", "(move Step Orthogonal (to if:(is Empty (to))) #1)"),
    ("StepDiagonalToEmpty", "(move Step Diagonal (to if:(is Empty (to))) #1)"),
    ("StepForwardToEmpty", "(move Step Forward (to if:(is Empty (to))) #1)"),
    ("StepForwardsToEmpty", "(move Step Forwards (to if:(is Empty (to))) #1)"),
    ("StepBackwardToEmpty", "(move Step Backward (to if:(is Empty (to))) #1)"),
    ("StepToEnemy", "(move Step #1 (to if:(is Enemy (who at:(to)))) #2)"),
    ("StepToNotFriend", "(move Step #1 (to if:(not (is Friend (who at:(to))))) #2)"),
    ("SlideCapture", "(move Slide #1 (to if:(is Enemy (who at:(to))) (apply (remove (to)))))"),
    ("LeapCapture", "(move Leap #1 (to if:(not (is Friend (who at:(to)))) (apply (remove (to)))))"),
    ("HopCapture", "(\"Jump\" Adjacent)"),
    ("HopOrthogonalCapture", "(\"Jump\" Orthogonal)"),
    ("HopDiagonalCapture", "(\"Jump\" Diagonal)"),
    (
        "Jump",
        "(move Hop #2 #1 (between if:(is Enemy (who at:(between))) (apply (remove (between))))
            (to if:(is Empty (to))) #3)",
    ),
    ("HopSequenceCapture", "(\"Jumps\" Adjacent (from) #1 #2 #3)"),
    ("HopOrthogonalSequenceCapture", "(\"Jumps\" Orthogonal (from) #1 #2 #3)"),
    ("HopDiagonalSequenceCapture", "(\"Jumps\" Diagonal (from) #1 #2 #3)"),
    ("HopSequenceCaptureAgain", "(\"Jumps\" Adjacent (last To) #1 #2 #3)"),
    ("HopOrthogonalSequenceCaptureAgain", "(\"Jumps\" Orthogonal (last To) #1 #2 #3)"),
    ("HopDiagonalSequenceCaptureAgain", "(\"Jumps\" Diagonal (last To) #1 #2 #3)"),
    (
        "Jumps",
        "(move Hop (from #2) #1
            (between #3 #4 if:(is Enemy (who at:(between))) (apply (remove (between) #5)))
            (to if:(is Empty (to)))
            (then (if (can Move (\"Jump\" #1 (from (last To)))) (moveAgain))))",
    ),
    ("KnightWalk", "{ {F F R F} {F F L F} }"),
    ("GiraffeWalk", "{ {F F F F R F} {F F F F L F} }"),
    ("AlquerqueBoard", "(board (rectangle #1 #2 diagonals:Alternating) use:Vertex)"),
    ("CrossBoard", "(board (square 3 diagonals:Alternating) use:Vertex)"),
];

/// Returns the definitions, none of which is in the file of the user.
pub(super) fn definitions() -> HashMap<String, (Rc<[Node]>, bool)> {
    let read = |&(name, body): &(&str, &str)| {
        (name.to_owned(), (reader::nodes(body, 0).unwrap_or_default().into(), false))
    };
    DEFINITIONS.iter().map(read).collect()
}
