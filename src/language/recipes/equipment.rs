//! Recipes for dice, scores, memories, cards, boards and limits.

use super::Recipe;

pub(super) static EQUIPMENT: &[Recipe] = &[
    Recipe {
        names: &["dice", "die", "roll", "random number", "throw"],
        text: "Chance is a ply: `chance` rolls, and a memory keeps the number.",
        parts: "(remember Roll number)\n\
            (move roll (number n 1 6) (set Roll n))\n\
            (move drop (to t (empty)) (require (> Roll 1)) (put Stone t))\n\
            (play (turns (chance roll) (choose drop (otherwise))))",
        frame: "(repetition 9 (draw))",
    },
    Recipe {
        names: &["several dice", "two dice", "each die once", "doubles", "dice set"],
        text: "Remember how many dice show each number; using one lowers its count.",
        parts: "(remember Dice number (per number 1 6))\n\
            (move roll (number a 1 6) (number b 1 6) (raise (Dice a) 1) (raise (Dice b) 1))\n\
            (move use (number n 1 6) (to t (empty)) (require (and (> (Dice n) 0) (= (row-of t) n))) (lower (Dice n) 1) (put Stone t))\n\
            (play (turns (chance roll) (steps 2 (choose use)) (for n (numbers 1 6) (set (Dice n) 0))))",
        frame: "(repetition 9 (draw))",
    },
    Recipe {
        names: &["score", "points", "scoring", "count points", "victory point"],
        text: "Keep points in a memory, and compare them at the end.",
        parts: "(remember Points number (per player))\n\
            (move drop (to t (empty)) (put Stone t) (raise (Points mover) (count (and (beside t) (mine)))))\n\
            (end (if (none (empty)) (by-score p (Points p))))",
        frame: "",
    },
    Recipe {
        names: &["last direction", "direction memory", "remember a direction", "momentum"],
        text: "Remember the direction; `direction` gives that of a step.",
        parts: "(remember Course direction)\n\
            (move step (from s (mine)) (to t (and (beside s) (empty)))\n  \
              (require (!= (direction s t) Course))\n  \
              (relocate s t) (set Course (direction s t)))",
        frame: "(play (turns (choose drop step))) (repetition 3 (draw))",
    },
    Recipe {
        names: &["last move", "last to", "last from", "previous move", "last"],
        text: "Remember the site of the last move.",
        parts: "(remember Last site)\n\
            (move drop (to t (and (empty) (not (beside Last)))) (put Stone t) (set Last t))",
        frame: "(play (turns (choose drop (otherwise (draw)))))",
    },
    Recipe {
        names: &["card", "deck", "hand of cards", "movement card", "pattern"],
        text: "A card is a number in a memory, with a `when` for what it allows.",
        parts: "(remember Card number 1 (per player))\n\
            (define (Reach (site s))\n  \
              (or (when (= (Card mover) 1) (beside s orthogonal))\n    \
                (when (= (Card mover) 2) (beside s diagonal))))\n\
            (move step (from s (mine)) (to t (and (Reach s) (empty)))\n  \
              (relocate s t) (set (Card mover) (- 3 (Card mover))))",
        frame: "(play (turns (choose drop step))) (repetition 3 (draw))",
    },
    Recipe {
        names: &[
            "board shape",
            "circle",
            "octagon",
            "plus",
            "hole",
            "holes",
            "irregular board",
            "custom board",
        ],
        text: "The shapes are `square`, `rectangle`, `hexagon`, `rhombus`, `triangle` and `star`; \
            `drawing` makes any board of points and lines. Leave sites out with `without`.",
        parts: "(board (square 5) (without (sites a1 b1 a2 e5 d5 e4)))",
        frame: "",
    },
    Recipe {
        names: &[
            "points and lines",
            "lines of the board",
            "graph",
            "node",
            "groove",
            "morris board",
            "nested squares",
        ],
        text: "Draw the board. `o` is a point, and steps follow the lines: here `E` leads from a1 to \
            c1. A piece on its way passes the points of its line one by one.",
        parts: "(board\n  \
              (drawing\n    \
                \"o---o---o\"\n    \
                \"| o-o-o |\"\n    \
                \"o-o   o-o\"\n    \
                \"| o-o-o |\"\n    \
                \"o---o---o\"))",
        frame: "",
    },
    Recipe {
        names: &["round board", "wheel", "spokes", "ring of points", "rings", "concentric circles"],
        text: "List the lines of the board. A label says where its point lies in the picture, and a \
            ring comes back to where it began.",
        parts: "(board\n  \
              (lines\n    \
                (e9 e5 e1)\n    \
                (a5 e5 i5)\n    \
                (b2 e5 h8)\n    \
                (b8 e5 h2)\n    \
                (e9 h8 i5 h2 e1 b2 a5 b8 e9)))",
        frame: "",
    },
    Recipe {
        names: &[
            "alquerque",
            "alquerque board",
            "lines aslant",
            "slanting lines",
            "fanorona board",
        ],
        text: "Say which steps the board has. On this one, every second point has slanting lines, \
            too. Ask with `all` for what is beside along any line: `(beside s all)`.",
        parts: "(board (square 5)\n  \
              (joined orthogonal)\n  \
              (joined diagonal (where s everywhere (= (mod (+ (row-of s) (column-of s)) 2) 0))))",
        frame: "",
    },
    Recipe {
        names: &["move limit", "turn limit", "ply limit", "fifty move rule", "limit"],
        text: "Count in a memory.",
        parts: "(remember Plies number)\n\
            (move drop (to t (empty)) (put Stone t) (raise Plies 1))\n\
            (end (if (>= Plies 8) (by-score p (count (of p)))))",
        frame: "",
    },
    Recipe {
        names: &["push", "shove", "sumo"],
        text: "Shift the piece that pushes together with those in front of it. What is pushed off \
            the board is lost.",
        parts: "(move push\n  \
              (from s (mine))\n  \
              (towards d orthogonal)\n  \
              (require (in (step s d) (theirs)))\n  \
              (shift (or s (walk s d (pieces))) d))",
        frame: "(play (turns (choose drop push))) (repetition 3 (draw))",
    },
    Recipe {
        names: &["territory", "area", "area scoring", "enclosed area"],
        text: "An empty area belongs to a player if no other piece is beside it.",
        parts: "(define (Territory (player p))\n  \
              (where s (empty)\n    \
                (and (any (and (beside (group s (empty))) (of p)))\n      \
                  (none (and (beside (group s (empty))) (of (next p)))))))\n\
            (move pass (by-score p (+ (count (of p)) (count (Territory p)))))",
        frame: "(play (turns (choose drop pass)))",
    },
];
