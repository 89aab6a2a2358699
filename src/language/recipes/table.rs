//! Recipes for turns, moves, captures and ends, from passing to elimination.

use super::Recipe;

pub(super) static RECIPES: &[Recipe] = &[
    Recipe {
        names: &["pass", "passing", "skip", "skip a turn", "null move"],
        text: "A pass is a move without choices and effects; the order of play offers it.",
        parts: "(move pass)\n(play (turns (choose drop pass)))",
        frame: "(repetition 3 (draw))",
    },
    Recipe {
        names: &[
            "forced pass",
            "pass if blocked",
            "pass when no move",
            "must pass",
            "nobody can move",
        ],
        text: "A player without a move passes; when no player has one, the game is over.",
        parts: "(move grow (to t (and (beside (mine)) (empty))) (put Stone t))\n\
            (move pass)\n\
            (play\n  \
              (turns\n    \
                (choose grow (otherwise (choose pass)))))\n\
            (end\n  \
              (if (not (or (can mover grow) (can (next mover) grow)))\n    \
                (by-score p (count (of p)))))",
        frame: "(setup (put Stone a1 White) (put Stone c3 Black))",
    },
    Recipe {
        names: &[
            "passed",
            "both pass",
            "all pass",
            "two passes",
            "consecutive passes",
            "allPassed",
        ],
        text: "`last-move` asks for every player's last move.",
        parts: "(move pass)\n\
            (end (if (every p players (last-move p pass)) (by-score p (count (of p)))))",
        frame: "(play (turns (choose drop pass)))",
    },
    Recipe {
        names: &[
            "extra turn",
            "again",
            "move again",
            "go again",
            "another turn",
            "bonus turn",
            "bonus move",
        ],
        text: "`extra-turn` begins the turn again for the same player.",
        parts: "(move drop\n  \
              (to t (empty))\n  \
              (put Stone t)\n  \
              (if (any (and (beside t) (theirs))) (extra-turn)))",
        frame: "",
    },
    Recipe {
        names: &["match", "rounds", "best of", "several rounds", "best of three", "round", "deal"],
        text: "`until` leaves the turns as soon as a round is over; what follows counts it and clears the \
            board. Whoever has won most rounds wins.",
        parts: "(remember Won number (per player))\n\
            (define (Row (player p)) (any (line 3 (of p))))\n\
            (play\n  \
              (repeat 3\n    \
                (until (or (some p players (Row p)) (none (empty)))\n      \
                  (turns (choose drop)))\n    \
                (for p players (if (Row p) (raise (Won p) 1)))\n    \
                (remove (pieces)))\n  \
              (by-score p (Won p)))",
        frame: "",
    },
    Recipe {
        names: &["stack", "stacking", "pile", "tower", "level", "storey", "building"],
        text: "With `piles`, a site holds pieces one on another. Rules speak of the one on top; `height` \
            counts them, `under` asks for those below. With a number, `relocate` takes so many from the \
            top.",
        parts: "(board (square 5) (piles 9))\n\
            (move build (to t (or (empty) (mine))) (put Stone t))\n\
            (move carry\n  \
              (from s (mine))\n  \
              (to t (beside s))\n  \
              (number n 1 9)\n  \
              (require (<= n (height s)))\n  \
              (relocate s t n))",
        frame: "",
    },
    Recipe {
        names: &["wall", "barrier", "fence", "obstacle", "blocked site", "neutral piece"],
        text: "A wall is an unowned piece, or a site that is cut out for good with `cut`.",
        parts: "(piece Wall unowned)\n(move wall (at t (empty)) (put Wall t))",
        frame: "",
    },
    Recipe {
        names: &["side", "wall between cells", "line between dots", "boundary"],
        text: "With `borders`, the sides of cells are sites, and the posts where they meet, if wanted. \
            `(sides s)` are those of a cell, `(cells e)` the cells at a side; a direction chooses one. A \
            step that no piece on the side in between stops: `(where t (beside s) (none (and (sides s \
            (direction s t)) (pieces))))`.",
        parts: "(board (square 5) (borders sides))\n\
            (piece Line unowned)\n\
            (move draw (at e (and (sides) (empty))) (put Line e))",
        frame: "",
    },
    Recipe {
        names: &[
            "sow",
            "sowing",
            "mancala",
            "seed",
            "seeds",
            "pit",
            "house",
            "relay",
            "relay sowing",
            "lap",
            "multi-lap",
            "last seed",
        ],
        text: "Keep the seeds in a number for each site, lay a path through the houses (round a \
            ring, `(path Round a1 E)`), and sow one seed a round. A `while` around the rounds goes on with the seeds of the house where \
            the last one fell.",
        parts: "(remember Seeds number (per site 48))\n\
            (remember Last site)\n\
            (path Round a1 E N 1 W S)\n\
            (move sow\n  \
              (at s (where u everywhere (> (Seeds u) 0)))\n  \
              (let n (Seeds s))\n  \
              (set (Seeds s) 0)\n  \
              (set Last s)\n  \
              (repeat n\n    \
                (set Last (step Last Round))\n    \
                (raise (Seeds Last) 1))\n  \
              (set Last nowhere))",
        frame: "(board (rectangle 6 2)) (setup (for u everywhere (set (Seeds u) 4))) \
            (play (turns (choose sow (otherwise (draw))))) (repetition 3 (draw))",
    },
    Recipe {
        names: &[
            "race along a track",
            "track",
            "course",
            "circuit",
            "lap of the board",
            "bear off",
            "enter from the bar",
            "roll and move",
            "pachisi",
            "ludo",
            "backgammon",
        ],
        text: "Lay a path for each player, remember the throw, and step that many sites. A piece that \
            would step beyond the end of its path is borne off.",
        parts: "(path Course (White a1 E N 1 W) (Black a2 E S 1 W))\n\
            (remember Pips number)\n\
            (hand Home 2)\n\
            (hand Off 0)\n\
            (move throw (number n 1 6) (set Pips n))\n\
            (move enter\n  \
              (at t (and (step (start Course) Course (- Pips 1)) (not (mine))))\n  \
              (require (> (Home mover) 0))\n  \
              (raise (Home (next mover)) (count (and t (theirs))))\n  \
              (lower (Home mover) 1)\n  \
              (put Stone t))\n\
            (move run\n  \
              (from s (mine))\n  \
              (to t (and (step s Course Pips) (not (mine))))\n  \
              (raise (Home (next mover)) (count (and t (theirs))))\n  \
              (relocate s t))\n\
            (move bear-off\n  \
              (from s (where x (mine) (none (step x Course Pips))))\n  \
              (raise (Off mover) 1)\n  \
              (remove s))\n\
            (play (turns (chance throw) (choose enter run bear-off (otherwise (set Pips 0)))))\n\
            (end (if (= (Off mover) 2) (win mover)))",
        frame: "(board (rectangle 6 2)) (repetition 3 (draw))",
    },
    Recipe {
        names: &[
            "superko",
            "positional superko",
            "situational superko",
            "illegal repetition",
            "no repetition",
            "repeat illegal",
        ],
        text: "No move may make a board that was there before. A pass does not change the board, so \
            that the rule asks for a number that a pass raises and any other move sets to 0. For \
            situational superko, `(comparing board mover)`: who moves next counts, too.",
        parts: "(remember Passes number)\n\
            (move drop (to t (empty)) (put Stone t) (set Passes 0))\n\
            (move pass (raise Passes 1))\n\
            (end (if (= Passes 2) (by-score p (count (of p)))))\n\
            (repetition 2 (comparing board) (if (= Passes 0) (illegal)))",
        frame: "(play (turns (choose drop pass)))",
    },
    Recipe {
        names: &[
            "perpetual check",
            "perpetual attack",
            "perpetual chase",
            "sennichite",
            "endless check",
        ],
        text: "A position that occurs for the fourth time is a draw; but who has given check by every \
            one of his moves in between loses. `throughout` looks back at the moves of one player: of \
            `mover`, whose move repeats the position, and of `(next mover)`, who may have checked.",
        parts: "(define Check (any (and (beside (theirs King)) (mine))))\n\
            (repetition 4\n  \
              (if (throughout Check mover) (lose mover))\n  \
              (if (throughout Check (next mover)) (win mover))\n  \
              (draw))",
        frame: "(piece King) (setup (put King b1 White) (put King b3 Black)) \
            (move step (from s (mine)) (to t (and (beside s) (empty))) (relocate s t)) \
            (play (turns (choose step)))",
    },
    Recipe {
        names: &["ko", "ko rule", "recapture"],
        text: "Remember the site where a single piece was captured; no player may place there in \
            the next ply.",
        parts: "(remember Ko sites)\n\
            (move drop\n  \
              (to t (and (empty) (not Ko)))\n  \
              (put Stone t)\n  \
              (let taken (where s (and (beside t) (theirs)) (none (and (beside s) (empty)))))\n  \
              (set Ko (when (= (count taken) 1) taken))\n  \
              (remove taken))",
        frame: "(play (turns (choose drop (otherwise (draw))))) (repetition 3 (draw))",
    },
    Recipe {
        names: &[
            "two parts of a move",
            "second part of a move",
            "mill",
            "mills",
            "morris",
            "remove after placing",
            "shoot after moving",
        ],
        text: "`then` asks for a further choice in the same move, from the position after the \
            effects before it. Here whoever makes three in a row must take an enemy stone.",
        parts: "(move place\n  \
              (to t (empty))\n  \
              (put Stone t)\n  \
              (if (in t (line 3 (mine)))\n    \
                (then (at u (theirs))\n      \
                  (remove u))))",
        frame: "(play (turns (choose place))) (repetition 3 (draw))",
    },
    Recipe {
        names: &[
            "two stones at once",
            "several sites at once",
            "pair",
            "pair of sites",
            "unordered choice",
            "two pieces at once",
        ],
        text: "With two variables, two different sites are chosen together, in no order.",
        parts: "(move place\n  \
              (to s t (empty))\n  \
              (put Stone (sites s t)))",
        frame: "(board (square 4)) (play (turns (choose place)))",
    },
    Recipe {
        names: &[
            "connection",
            "connected sides",
            "connect sides",
            "connect",
            "path",
            "bridge",
            "link",
            "linked",
            "chain of pieces",
        ],
        text: "A group grows from one side; test if it meets the other.",
        parts: "(define (Connects (player p))\n  \
              (any (and (group (and (row 1) (of p)) (of p) all) (row 3))))\n\
            (end (if (Connects mover) (win mover)))",
        frame: "(play (turns (choose drop (otherwise (draw)))))",
    },
    Recipe {
        names: &[
            "liberty",
            "liberties",
            "freedom",
            "breathing space",
            "captured group",
            "surround",
            "enclose",
            "go capture",
        ],
        text: "The liberties of a group are the empty sites beside it.",
        parts: "(define (Liberties (site s) (player p))\n  \
              (and (beside (group s (of p))) (empty)))\n\
            (move drop\n  \
              (to t (empty))\n  \
              (put Stone t)\n  \
              (remove (where s (theirs) (none (Liberties s (next mover)))))\n  \
              (require (any (Liberties t mover))))",
        frame: "(play (turns (choose drop (otherwise (draw)))))  (repetition 3 (draw))",
    },
    Recipe {
        names: &["majority capture", "maximum capture", "most captures", "capture the most"],
        text: "Compare with what every other move would capture.",
        parts: "(define (Taken (site t)) (and (beside t all) (theirs)))\n\
            (move capture\n  \
              (to t (where s (empty) (any (Taken s))))\n  \
              (require (every s (empty) (<= (count (Taken s)) (count (Taken t)))))\n  \
              (remove (Taken t))\n  \
              (put Stone t))",
        frame: "(play (turns (choose capture drop (otherwise (draw))))) (repetition 3 (draw))",
    },
    Recipe {
        names: &[
            "must capture",
            "mandatory capture",
            "forced capture",
            "compulsory capture",
            "obligatory capture",
            "priority",
        ],
        text: "Moves in `otherwise` are offered only if none of the moves before it is legal.",
        parts: "(move capture (from s (mine)) (to t (and (beside s) (theirs))) (relocate s t))\n\
            (play\n  \
              (turns\n    \
                (choose capture\n      \
                  (otherwise (choose drop)))))",
        frame: "(end (if (and (in a1 (mine)) (in c3 (mine))) (win mover))) (repetition 3 (draw))",
    },
    Recipe {
        names: &[
            "custodial",
            "custodial capture",
            "custodian",
            "sandwich",
            "flank",
            "outflank",
            "intervention",
        ],
        text: "Take the directions one by one, and remove an enemy with a piece of yours behind it.",
        parts: "(move drop\n  \
              (to t (empty))\n  \
              (put Stone t)\n  \
              (for d orthogonal\n    \
                (if (and (in (step t d) (theirs)) (in (step t d 2) (mine)))\n      \
                  (remove (step t d)))))",
        frame: "(repetition 3 (draw))",
    },
    Recipe {
        names: &["hop", "jump", "jump over", "leapfrog", "short jump"],
        text: "Choose a direction; the piece lands behind the one that it jumps over.",
        parts: "(move jump\n  \
              (from s (mine))\n  \
              (towards d all)\n  \
              (require (in (step s d) (theirs)))\n  \
              (require (in (step s d 2) (empty)))\n  \
              (remove (step s d))\n  \
              (relocate s (step s d 2)))",
        frame: "(play (turns (choose drop jump))) (repetition 3 (draw))",
    },
    Recipe {
        names: &[
            "multiple jump",
            "multi jump",
            "chain capture",
            "chain jump",
            "continue jumping",
            "multiple capture",
        ],
        text: "`go-on` lets the piece that has jumped jump again, as long as it can.",
        parts: "(move jump\n  \
              (from s (mine))\n  \
              (towards d all)\n  \
              (require (in (step s d) (theirs)))\n  \
              (require (in (step s d 2) (empty)))\n  \
              (remove (step s d))\n  \
              (relocate s (step s d 2)))\n\
            (play (turns (choose jump drop (go-on jump))))",
        frame: "(repetition 3 (draw))",
    },
    Recipe {
        names: &["hop chain", "chain of hops", "hopping", "halma", "chinese checkers"],
        text: "All hops of a turn are one region: `reach` goes on from every landing site. The piece \
            still stands on s while they are followed, so s itself is not hopped over.",
        parts: "(define (Hops (site x) (site s))\n  \
              (union d all\n    \
                (when (in (step x d) (and (pieces) (not s)))\n      \
                  (and (step x d 2) (empty)))))\n\
            (move hop\n  \
              (from s (mine))\n  \
              (to t (and (reach x s (Hops x s)) (not s)))\n  \
              (relocate s t))",
        frame: "(play (turns (choose drop hop))) (repetition 3 (draw))",
    },
    Recipe {
        names: &["promotion", "promote", "crown", "crowning", "king me", "upgrade"],
        text: "Replace the piece after it has moved.",
        parts: "(piece King)\n\
            (move step\n  \
              (from s (mine Stone))\n  \
              (to t (and (beside s) (empty)))\n  \
              (relocate s t)\n  \
              (if (in t (row 3)) (replace t King)))",
        frame: "(play (turns (choose drop step))) (repetition 3 (draw))",
    },
    Recipe {
        names: &["reserve", "drop", "drop piece", "in hand", "supply", "pocket", "bank", "stock"],
        text: "A `hand` counts the pieces that a player can still place.",
        parts: "(hand Supply 5)\n\
            (move drop\n  \
              (to t (empty))\n  \
              (require (> (Supply mover) 0))\n  \
              (lower (Supply mover) 1)\n  \
              (put Stone t))",
        frame: "",
    },
    Recipe {
        names: &[
            "check",
            "in check",
            "attacked",
            "attack",
            "threatened",
            "threat",
            "royal",
            "royal piece",
        ],
        text: "Say once where a piece goes; a site is attacked if an enemy piece goes there.",
        parts: "(piece King)\n\
            (piece Rook)\n\
            (define (Reach (site s))\n  \
              (or (when (in s (pieces King)) (beside s all))\n      \
                  (when (in s (pieces Rook)) (slide s orthogonal))))\n\
            (define (Attacked (site s))\n  \
              (some x (theirs) (in s (Reach x))))\n\
            (move go\n  \
              (from s (mine))\n  \
              (to t (and (Reach s) (not (mine))))\n  \
              (relocate s t)\n  \
              (require (not (some k (mine King) (Attacked k)))))",
        frame: "(board (square 5)) (setup (put King c1 White) (put King c5 Black) (put Rook a1 White) (put Rook e5 Black)) \
            (play (turns (choose go (otherwise (draw))))) (repetition 3 (draw))",
    },
    Recipe {
        names: &[
            "checkmate",
            "mate",
            "stalemate",
            "no legal move",
            "no move",
            "trapped",
            "immobilized",
        ],
        text: "What `otherwise` contains happens if no move is legal.",
        parts: "(piece King)\n\
            (define InCheck\n  \
              (any (and (mine King) (beside (theirs) all))))\n\
            (play\n  \
              (turns\n    \
                (choose step\n      \
                  (otherwise (if InCheck (lose mover) (else (draw)))))))",
        frame: "(board (square 5)) (setup (put King c1 White) (put King c5 Black) (put Stone a1 White) (put Stone e5 Black)) \
            (move step (from s (mine)) (to t (and (beside s all) (not (mine)))) (relocate s t) (require (not InCheck))) \
            (repetition 3 (draw))",
    },
    Recipe {
        names: &[
            "can move",
            "cannot move",
            "blocked",
            "block",
            "blockade",
            "immobilize",
            "legal",
            "legal move",
        ],
        text: "`can` asks if a player has a legal move, such as after each ply.",
        parts: "(move step (from s (mine)) (to t (and (beside s) (empty))) (relocate s t))\n\
            (end (if (not (can (next mover) step)) (win mover)))",
        frame: "(setup (put Stone (row 1) White) (put Stone (row 3) Black)) (play (turns (choose step))) (repetition 3 (draw))",
    },
    Recipe {
        names: &[
            "drop mate",
            "dropped pawn mate",
            "uchifuzume",
            "may not mate",
            "illegal mate",
            "must leave a move",
        ],
        text: "After its effects, a move can require that the next player still has a legal move.",
        parts: "(move step (from s (mine)) (to t (and (beside s) (empty))) (relocate s t))\n\
            (move wall\n  \
              (to t (empty))\n  \
              (put Stone t)\n  \
              (require (can (next mover) step)))",
        frame: "(setup (put Stone a1 White) (put Stone c3 Black)) (play (turns (choose step wall (otherwise (draw))))) (repetition 3 (draw))",
    },
    Recipe {
        names: &["largest group", "biggest group", "largest", "size of group"],
        text: "The size of the largest group is the greatest count over the groups.",
        parts: "(end\n  \
              (if (none (empty))\n    \
                (by-score p (max g (groups (of p)) (count g)))))",
        frame: "",
    },
    Recipe {
        names: &[
            "elimination",
            "eliminate",
            "annihilation",
            "capture all",
            "last player",
            "no pieces left",
        ],
        text: "Test for pieces after every ply.",
        parts: "(end (if (none (theirs)) (win mover)))",
        frame: "(setup (put Stone (row 1) White) (put Stone (row 3) Black)) \
            (move step (from s (mine)) (to t (and (beside s) (not (mine)))) (relocate s t)) \
            (play (turns (choose step (otherwise (draw))))) (repetition 3 (draw))",
    },
];
