//! Recipes for what most games are made of: how pieces are placed, move, capture, and who wins.

use super::Recipe;

pub(super) static COMMON: &[Recipe] = &[
    Recipe {
        names: &["place a stone", "place a piece", "put a stone", "drop a stone", "add a stone"],
        text: "Choose an empty site, and put a piece there.",
        parts: "(move drop (to t (empty)) (put Stone t))",
        frame: "",
    },
    Recipe {
        names: &[
            "grow",
            "spread",
            "extend",
            "expand",
            "place next to own",
            "beside own pieces",
            "adjacent placement",
        ],
        text: "Place only on sites beside pieces of your own.",
        parts: "(move grow (to t (and (empty) (beside (mine) all))) (put Stone t))",
        frame: "(setup (put Stone a1 White) (put Stone c3 Black)) \
            (play (turns (choose grow (otherwise (draw)))))",
    },
    Recipe {
        names: &[
            "keep apart",
            "not beside",
            "not next to",
            "not adjacent",
            "no touching",
            "must not touch",
        ],
        text: "Leave the sites out that are beside a piece of your own.",
        parts: "(move drop (to t (and (empty) (not (beside (mine))))) (put Stone t))",
        frame: "(play (turns (choose drop (otherwise (draw)))))",
    },
    Recipe {
        names: &[
            "count neighbours",
            "number of neighbours",
            "neighbour count",
            "majority of neighbours",
            "more neighbours",
        ],
        text: "Count the pieces beside a site, and compare. Here a site is open to whoever has at \
            least as many pieces around it as the enemy.",
        parts: "(move drop\n  \
              (to t\n    \
                (where s (empty)\n      \
                  (>= (count (and (beside s all) (mine)))\n          \
                      (count (and (beside s all) (theirs))))))\n  \
              (put Stone t))",
        frame: "(play (turns (choose drop (otherwise (draw)))))",
    },
    Recipe {
        names: &["gravity", "fall", "fall down", "drop in a column", "sink"],
        text: "A piece comes to rest where nothing is below it but the bottom or another piece.",
        parts: "(move drop (to t (where s (empty) (none (and (step s S) (empty))))) (put Stone t))",
        frame: "",
    },
    Recipe {
        names: &[
            "move one step",
            "move one square",
            "single step",
            "step to a neighbour",
            "move a piece",
            "king move",
        ],
        text: "Choose a piece of your own, then an empty site beside it.",
        parts: "(move step (from s (mine)) (to t (and (beside s all) (empty))) (relocate s t))",
        frame: "(play (turns (choose drop step))) (repetition 3 (draw))",
    },
    Recipe {
        names: &[
            "move along lines",
            "sliding move",
            "move any distance",
            "move like a rook",
            "move like a bishop",
            "move like a queen",
            "straight line move",
        ],
        text: "A piece goes along a free line as far as you like: `orthogonal` as a rook, `diagonal` \
            as a bishop, `all` as a queen.",
        parts: "(move ride (from s (mine)) (to t (and (slide s orthogonal) (empty))) (relocate s t))",
        frame: "(play (turns (choose drop ride))) (repetition 3 (draw))",
    },
    Recipe {
        names: &["pawn", "soldier", "move forward", "step forward", "forward only"],
        text: "Say where each player plays to; a pawn steps there, and captures aslant.",
        parts: "(players (White N) (Black S))\n\
            (move advance (from s (mine)) (to t (and (step s forward) (empty))) (relocate s t))\n\
            (move attack\n  \
              (from s (mine))\n  \
              (to t (and (beside s (list (clockwise forward -1) (clockwise forward 1))) (theirs)))\n  \
              (relocate s t))",
        frame: "(setup (for p players (put Stone (row 1 p) p))) \
            (play (turns (choose advance attack (otherwise (draw))))) \
            (end (if (any (and (mine) (row 1 (next mover)))) (win mover)))",
    },
    Recipe {
        names: &[
            "capture by landing",
            "capture by replacement",
            "capture by displacement",
            "move onto a piece",
            "take by moving onto",
            "chess capture",
        ],
        text: "What stands on the site that a piece is relocated to leaves the board.",
        parts: "(move capture (from s (mine)) (to t (and (beside s all) (theirs))) (relocate s t))",
        frame: "(play (turns (choose drop capture))) (repetition 3 (draw))",
    },
    Recipe {
        names: &[
            "surrounded piece",
            "surround one piece",
            "enclosed piece",
            "hemmed in",
            "boxed in",
        ],
        text: "After the move, remove each enemy piece that has only pieces of yours beside it.",
        parts: "(move drop\n  \
              (to t (empty))\n  \
              (put Stone t)\n  \
              (remove (where s (theirs) (none (and (beside s) (not (mine)))))))",
        frame: "(repetition 3 (draw))",
    },
    Recipe {
        names: &[
            "flip",
            "flip discs",
            "turn over",
            "turn discs",
            "flip between",
            "reversi",
            "othello",
        ],
        text: "In each direction, the enemy pieces up to the next piece of yours become yours.",
        parts: "(define (Flanked (site t))\n  \
              (union d all\n    \
                (when (in (first t d (not (theirs))) (mine)) (walk t d (theirs)))))\n\
            (move drop\n  \
              (to t (empty))\n  \
              (let turned (Flanked t))\n  \
              (put Stone t)\n  \
              (convert turned mover))",
        frame: "",
    },
    Recipe {
        names: &["infect", "infection", "contagion", "convert neighbours", "assimilate", "ataxx"],
        text: "The enemy pieces around the new piece become yours.",
        parts: "(move drop\n  \
              (to t (empty))\n  \
              (put Stone t)\n  \
              (convert (and (beside t all) (theirs)) mover))",
        frame: "",
    },
    Recipe {
        names: &[
            "leave a hole",
            "remove a tile",
            "shrinking board",
            "vanishing tiles",
            "destroy a site",
            "burn a site",
            "isola",
        ],
        text: "The site that a piece leaves is cut out: nothing can stand there any more.",
        parts: "(move step\n  \
              (from s (mine))\n  \
              (to t (and (beside s all) (empty)))\n  \
              (relocate s t)\n  \
              (cut s))",
        frame: "(setup (put Stone a1 White) (put Stone c3 Black)) \
            (play (turns (choose step (otherwise (lose mover)))))",
    },
    Recipe {
        names: &[
            "two moves a turn",
            "two moves per turn",
            "two stones a turn",
            "double move",
            "move twice",
        ],
        text: "Say the choice twice. The second is left out if no move is legal any more.",
        parts: "(play (turns (choose drop) (choose drop (otherwise))))",
        frame: "",
    },
    Recipe {
        names: &[
            "three in a row",
            "in a row",
            "n in a row",
            "four in a row",
            "five in a row",
            "three in a line",
            "row of three",
        ],
        text: "Test after each ply if the mover has a line of at least so many pieces.",
        parts: "(end (if (any (line 3 (mine))) (win mover)))",
        frame: "(play (turns (choose drop (otherwise (draw)))))",
    },
    Recipe {
        names: &[
            "avoid a row",
            "avoid three in a row",
            "row loses",
            "three in a row loses",
            "misère row",
        ],
        text: "Whoever makes a line loses.",
        parts: "(end (if (any (line 3 (mine))) (lose mover)))",
        frame: "(play (turns (choose drop (otherwise (draw)))))",
    },
    Recipe {
        names: &[
            "most stones win",
            "most pieces win",
            "majority",
            "more stones",
            "more pieces",
            "count the stones",
            "count pieces",
        ],
        text: "When the board is full, the player with more pieces wins.",
        parts: "(end (if (none (empty)) (by-score p (count (of p)))))",
        frame: "",
    },
    Recipe {
        names: &["board full", "full board", "no empty sites", "tie", "nobody wins"],
        text: "Test after each ply if an empty site is left.",
        parts: "(end (if (none (empty)) (draw)))",
        frame: "",
    },
    Recipe {
        names: &[
            "reach the far row",
            "reach the other side",
            "opposite row",
            "goal row",
            "last row",
            "race",
            "cross the board",
        ],
        text: "Say where each player plays to; the first row of the enemy is the goal.",
        parts: "(players (White N) (Black S))\n\
            (end (if (any (and (mine) (row 1 (next mover)))) (win mover)))",
        frame: "(setup (for p players (put Stone (row 1 p) p))) \
            (move go (from s (mine)) (to t (and (step s forward) (not (mine)))) (relocate s t)) \
            (play (turns (choose go (otherwise (draw)))))",
    },
    Recipe {
        names: &[
            "reach the centre",
            "reach the center",
            "reach the middle",
            "king of the hill",
            "occupy the centre",
        ],
        text: "Test after each ply if a piece of the mover stands in the middle.",
        parts: "(end (if (any (and (mine) centre)) (win mover)))",
        frame: "",
    },
    Recipe {
        names: &["all in one group", "all connected", "unite", "gather", "bring together"],
        text: "Test after each ply if all pieces of the mover hang together.",
        parts: "(end (if (connected (mine)) (win mover)))",
        frame: "(setup (put Stone (sites a1 c3) White) (put Stone (sites a3 c1) Black)) \
            (move go (from s (mine)) (to t (and (beside s all) (empty))) (relocate s t)) \
            (play (turns (choose go))) (repetition 3 (draw))",
    },
    Recipe {
        names: &["capture the king", "king captured", "take the king", "capture a special piece"],
        text: "Test after each ply if the enemy has a king left. Put a king of each player into the \
            setup.",
        parts: "(piece King)\n(end (if (none (theirs King)) (win mover)))",
        frame: "(setup (put King a1 White) (put King c3 Black)) \
            (move go (from s (mine)) (to t (and (beside s all) (not (mine)))) (relocate s t)) \
            (play (turns (choose go))) (repetition 3 (draw))",
    },
    Recipe {
        names: &[
            "capture a number of pieces",
            "count captures",
            "captures win",
            "capture three to win",
            "prisoners",
        ],
        text: "Count the captured pieces in a memory of each player.",
        parts: "(remember Captured number (per player))\n\
            (move capture\n  \
              (from s (mine))\n  \
              (to t (and (beside s all) (theirs)))\n  \
              (relocate s t)\n  \
              (raise (Captured mover) 1))\n\
            (end (if (>= (Captured mover) 3) (win mover)))",
        frame: "(play (turns (choose drop capture (otherwise (draw))))) (repetition 3 (draw))",
    },
    Recipe {
        names: &[
            "cannot move loses",
            "last move wins",
            "last to move wins",
            "no moves left",
            "run out of moves",
            "stuck",
        ],
        text: "What `otherwise` contains happens if no move is legal.",
        parts: "(play (turns (choose drop (otherwise (lose mover)))))",
        frame: "(move drop (to t (where s (empty) (none (and (beside s) (mine))))) (put Stone t)) \
            (end (if (= (count (and (or a1 c3) (mine))) 2) (win mover)))",
    },
    Recipe {
        names: &["last move loses", "last to move loses", "cannot move wins", "misère", "misere"],
        text: "What `otherwise` contains happens if no move is legal: here, the player without a move \
            wins.",
        parts: "(play (turns (choose drop (otherwise (win mover)))))",
        frame: "(move drop (to t (where s (empty) (none (and (beside s) (mine))))) (put Stone t)) \
            (end (if (= (count (and (or a1 c3) (mine))) 2) (win mover)))",
    },
];
