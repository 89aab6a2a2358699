//! Statements: effects, results and the order of play; `case` and `if`, which have any type.

macro_rules! with_statements {
    ($then:ident $($before:tt)*) => {
        $then! {
            $($before)*
"Effects" {
    /// Puts a piece on each of the sites, owned by the mover unless a player is given. A piece that
    /// stood there leaves the board; with `piles` it stays and lies below, or, with `beneath`, the new
    /// piece comes under the whole pile.
    Put = form "put" (piece: One Piece, at: One Sites, owner: Maybe Player, beneath: Piled Beneath) -> Statement { "(put Stone a1)" }
    /// Puts pieces as drawn: a text for each row of the board, from top to bottom, with a symbol for
    /// each site, from left to right. The symbols are those of `piece`; `.` is a site that stays as
    /// it is, `#` a site that is cut out. Sites that the board lacks have no symbol. Spaces mean
    /// nothing, but symbols of several characters need them. It is the notation of positions in rule
    /// cases, without the numbers and letters of rows and columns. Only allowed in `setup`.
    Diagram = form "diagram" (rows: Some Text) -> Statement { "(setup (diagram \"B.B\" \"...\" \"WWW\"))" }
    /// Removes the pieces on these sites from the board: whole piles, or with a number so many pieces
    /// from the top of each.
    Remove = form "remove" (at: One Sites, number: Piled Number) -> Statement { "(remove (theirs))" }
    /// Moves the piece on the first site to the second, with its travelling memories. A piece that
    /// stood there leaves the board. With `piles`, the whole pile, or with a number so many pieces from
    /// its top, in their order, come to lie on those of the second site; with `beneath`, one by one
    /// under them, the top first.
    Relocate = form "relocate" (from: One Site, to: One Site, number: Piled Number, beneath: Piled Beneath) -> Statement { "(relocate a1 a2)" }
    /// Moves all pieces on the sites one step in the direction, at the same time, with their
    /// travelling memories. A piece leaves the board if its step leads off the board or to a site
    /// that was cut out, or if another comes to its site while it stays. Before `(shift R d)`,
    /// `(require (every s R (any (step s d))))` keeps all on the board. Across joined edges a whole
    /// row goes round.
    Shift = form "shift" (at: One Sites, direction: One Direction) -> Statement { "(shift (row 1) E)" }
    /// Exchanges the pieces on the two sites, with their travelling memories. If one site is empty,
    /// the piece on the other moves there. Nothing happens if one is nowhere or was cut out. For a
    /// second player who takes over the other side see `pie-rule`.
    Swap = form "swap" (one: One Site, other: One Site) -> Statement { "(swap a1 b2)" }
    /// Gives the owned pieces on these sites to the player.
    Convert = form "convert" (at: One Sites, to: One Player) -> Statement { "(convert (theirs) mover)" }
    /// Replaces the pieces on these sites by pieces of this kind, of the same owner unless one is
    /// given. Unowned pieces become the mover's.
    Replace = form "replace" (at: One Sites, piece: One Piece, owner: Maybe Player) -> Statement { "(replace (mine) Shell)" }
    /// Cuts the sites out of the board. They are never empty and hold no piece again.
    Cut = form "cut" (at: One Sites) -> Statement { "(cut b2)" }
    /// Gives a memory, or the variable of a `let`, another value. A hand, or a number per site, stops at its bounds, 0 and the
    /// maximum.
    Set = special "set" (memory: One Memory, to: One Any) -> Statement { "(set Total 0)" }
    /// Adds to a memory of a number, or to the number of a `let`. A number per site stops at its maximum: `(per site 8)` never
    /// exceeds 8.
    Raise = form "raise" (memory: One Memory, by: One Number) -> Statement { "(raise Total 1)" }
    /// Subtracts from a memory of a number, or from the number of a `let`. A hand, or a number per site, stops at 0; any other
    /// number can go below zero.
    Lower = form "lower" (memory: One Memory, by: One Number) -> Statement { "(lower Total 1)" }
    /// Adds sites to a memory of sites, or to the region of a `let`.
    Mark = form "mark" (sites: One Sites, memory: One Memory) -> Statement { "(mark a1 Fresh)" }
    /// Removes sites from a memory of sites, or from the region of a `let`.
    Unmark = form "unmark" (sites: One Sites, memory: One Memory) -> Statement { "(unmark (row 1) Fresh)" }
    /// Names the current value of an expression, for the statements after it. They can change it by
    /// `set`, `raise`, `lower`, `mark` and `unmark`, as if it were a memory: `(let n 0) (for s (mine)
    /// (raise n 1))` counts. It ends with the statements that it is among.
    Let = special "let" (variable: One Variable, value: One Any) -> Statement { "(let crowd (count (mine)))" }
    /// Executes the statements if the condition holds, otherwise those of `else`.
    If = special "if" (condition: One Condition, statements: Any Statement, otherwise: Maybe Else) -> Statement { "(if (none (empty)) (draw))" }
    /// Executes the statements for every value of the variable. The values are determined once,
    /// before the first round.
    For = form "for" (variable: One Variable, domain: One Domain, statements: Any Statement) -> Statement { "(for s (mine) (replace s Shell))" }
    /// Processes a queue of sites, which starts with those of the region: takes the first site and
    /// executes the statements for it, until the queue is empty. `(join …)` adds sites to the end
    /// of the queue. No site joins twice, so a chain always ends.
    Chain = form "chain" (variable: One Variable, from: One Sites, statements: Any Statement) -> Statement { "(chain s a1 (join (and (beside s) (empty))))" }
    /// Adds sites to the queue of the enclosing `chain`.
    Join = form "join" (sites: One Sites) -> Statement { "(chain s a1 (join (and (beside s) (empty))))" }
    /// Makes the move illegal unless the condition holds at this point. Only allowed in a move.
    Require = form "require" (condition: One Condition) -> Statement { "(move drop (to t (empty)) (require (none (and (beside t) (theirs)))) (put Stone t))" }
    /// A further choice in the same move, after effects: what can be chosen depends on the position
    /// at this point, and the statements are executed for it. `(move place (to t (empty)) (put Stone
    /// t) (if (any (and (beside t) (mine))) (then (at u (theirs)) (remove u))))` takes an enemy
    /// stone if the new one touches another of the mover's; the move is written `place a1 c3`. The
    /// choice must be made wherever one is possible, that is, meets the requirements in the
    /// statements. Where none is possible, or an `if` around it does not hold, the move is made
    /// without it: `place a1`. To forbid the move instead, write `(require (any (theirs)))` before
    /// it. Only allowed in a move, once, as its last statement or the last one of an `if` there.
    Then = special "then" (parameters: Some Parameter, body: Any Statement) -> Statement { "(move drop (to t (empty)) (put Stone t) (then (at u (theirs)) (remove u)))" }
}
"Any type" {
    /// Selects a branch by the value of an option, or by a player, a kind of piece, a direction or a
    /// number. Every value of an option and every player needs a branch, unless the last branch is
    /// `(else …)`. The other cases end with `(else …)`, which applies to no kind and no direction,
    /// too; a case of statements can do without it and then does nothing. Where statements are
    /// allowed, a branch can contain any number of them.
    Case = special "case" (subject: One Any, branches: Some Branch) -> Any { "(= (case mover (White 1) (else 2)) 1)" }
    /// The first value if the condition holds, otherwise the value of `else`. It can stand for a
    /// number, a condition, a region, a site, a direction, a player or a kind of piece.
    IfElse = special "if" (condition: One Condition, value: One Any, otherwise: One Else) -> Any { "(>= (if (any (mine)) (count (mine)) (else 1)) 1)" }
    /// The last branch of a `case` or an `if`, used when no other applies.
    Else = special "else" (body: Any Any) -> Else { "(if (any (mine)) (draw) (else (win mover)))" }
}
"Results" {
    /// The player wins, and the game ends. With `teams` his whole team wins; otherwise one player
    /// wins alone: a shared first place or an order of the others cannot be said.
    Win = form "win" (player: One Player) -> Statement { "(if (none (theirs)) (win mover))" }
    /// The player loses, and with two players the game ends. A single player loses by any end
    /// without a win. With three players or more he drops out and the game goes on: he has no more
    /// turns, `next` and `by-score` pass over him, and his pieces stay unless the rules remove them.
    /// When one player is left, that one has won. Several can drop out in the same ply: if none is
    /// left then, those who drop out last share a draw. A draw is shared by those who are still in.
    /// With `teams` all of this is said of teams: the whole team of the player loses or drops out.
    Lose = form "lose" (player: One Player) -> Statement { "(if (none (mine)) (lose mover))" }
    /// The game ends in a draw, which those share who have not dropped out. In a game of one player
    /// it ends without a win.
    Draw = form "draw" () -> Statement { "(if (none (empty)) (draw))" }
    /// The game ends by comparing scores. The variable stands for each player in turn: the player
    /// with the greatest number wins, and a tie for the greatest is a draw. With `teams` the numbers of
    /// a team are added up, and the team with the greatest sum wins.
    ByScore = form "by-score" (variable: One Variable, number: One Number) -> Statement { "(if (none (empty)) (by-score p (count (of p))))" }
}
"The order of play" {
    /// Gives each player a turn with these statements, in the order of the players, and repeats for
    /// ever. What comes after it is never reached, unless it stands in an `until`, which leaves it.
    Turns = form "turns" (statements: Some Statement) -> Statement { "(play (turns (choose drop)))" }
    /// One turn of the given player.
    Turn = form "turn" (player: One Player, statements: Any Statement) -> Statement { "(play (forever (turn White (choose drop)) (turn Black (choose drop))))" }
    /// Repeats the statements for ever; only the end of the game leaves it, or an `until` around it. A
    /// loop that ends is a `while` or a `repeat`.
    Forever = form "forever" (statements: Some Statement) -> Statement { "(play (forever (turn White (choose drop))))" }
    /// Repeats the statements as long as the condition holds before each round: plies in the order of
    /// play, effects in a move. In a move, `(at-most …)` bounds the rounds.
    While = form "while" (condition: One Condition, limit: Maybe Limit, statements: Some Statement) -> Statement { "(play (while (any (empty)) (choose drop)))" }
    /// How many rounds a `while` in a move has at most. If its condition still holds after them, the
    /// move is illegal. Without a bound, rounds that never end are an error in play.
    AtMostRounds = form "at-most" (rounds: One Number) -> Limit { "(move fill (to t (empty)) (let n 0) (while (< n 3) (at-most 5) (raise n 1)) (require (= n 3)) (put Stone t))" }
    /// Repeats the statements until the condition holds: it is asked before each round, and after
    /// each ply inside, which then leaves the loop at once, in the middle of a turn, too. What
    /// ends the game comes first. Of loops inside each other, the innermost whose condition holds is
    /// left. A match of three rounds is `(repeat 3 (until (Over) (turns (choose drop))) …)`.
    Until = form "until" (condition: One Condition, statements: Some Statement) -> Statement { "(play (until (none (empty)) (turns (choose drop))) (draw))" }
    /// Repeats the statements the given number of times: plies in the order of play, effects in a
    /// move. The number is determined once, before the first round.
    Repeat = form "repeat" (times: One Number, statements: Some Statement) -> Statement { "(play (turns (repeat 2 (choose drop))))" }
    /// Names a part of the order of play, for positions and messages.
    Phase = form "phase" (name: One Name, statements: Some Statement) -> Statement { "(play (phase Opening (choose drop)) (turns (choose drop)))" }
    /// One ply: the mover makes one of these moves. If none is legal, `otherwise` is executed
    /// instead; without it, the game is drawn.
    Choose = special "choose" (moves: Some Move, further: Maybe GoOn, otherwise: Maybe Otherwise) -> Statement { "(play (turns (choose drop (otherwise (lose mover)))))" }
    /// After one of these moves, the piece chosen by its `from` goes on: the same player must make
    /// another of them with that piece, as long as one is legal, each a ply. Moves without `from`
    /// among them, such as a `(move stop)`, leave the piece where it is.
    GoOn = special "go-on" (moves: Some Move) -> GoOn { "(move hop (from s (mine)) (to t (and (beside s) (empty))) (relocate s t)) (play (turns (choose drop hop (go-on hop))))" }
    /// What is executed instead of the ply if no move is legal. It may be empty.
    Otherwise = special "otherwise" (statements: Any Statement) -> Otherwise { "(play (turns (choose drop (otherwise (lose mover)))))" }
    /// One ply of chance: every legal instance of the move is equally likely.
    Chance = form "chance" (roll: One Move) -> Statement { "(play (turns (chance roll) (choose drop)))" }
    /// A given number of plies, each a choice of these moves, so that the condition holds after the
    /// last. A move that makes this impossible is illegal. If the full number cannot be reached,
    /// the longest possible sequence must be played, which may be empty. A ply that ends the game
    /// or the turn completes the sequence. More than a thousand plies cannot be looked ahead.
    Steps = special "steps" (count: One Number, choice: One Statement, ending: Maybe SoThat) -> Statement { "(play (turns (steps 2 (choose drop) (so-that (any (mine))))))" }
    /// The condition that must hold at the end of `steps`.
    SoThat = special "so-that" (condition: One Condition) -> SoThat { "(play (turns (steps 2 (choose drop) (so-that (any (mine))))))" }
    /// Ends the turn after this ply, whatever the rest of its `turn` contains.
    EndTurn = form "end-turn" () -> Statement { "(move pass (end-turn))" }
    /// Gives the same player another turn after this ply, from the first statement of the `turn`,
    /// whatever its rest contains: a six is thrown again. If a ply executes `end-turn` as well, the
    /// later of the two counts.
    ExtraTurn = form "extra-turn" () -> Statement { "(move drop (to t (empty)) (put Stone t) (if (in t centre) (extra-turn)))" }
}
        }
    };
}
pub(in crate::language) use with_statements;
