//! The rows: every word of the language, by topic, in the order of the manual.

use super::{Kind, Row, Slot, Times};

/// Passes all rows to a macro: one makes the table of them, another the types of their arguments.
/// A row is a `word`, a `form`, or `special`: a form that the checker builds by a function of its
/// own.
macro_rules! with_rows {
    ($then:ident) => {
        $then! {
"The game" {
    /// A whole game: its name and its parts. Parts can stand in any order, but a part must come
    /// after the options it depends on (the board after the option for its size).
    Game = special "game" (name: One Text, parts: Any Part) -> Part { "(game \"Noughts\" (players X O) (board (square 3)))" }
    /// A variant of the game in another file; this is the whole file. The variant has everything of
    /// the base game except what it declares itself. A part that a game has only once replaces the
    /// part of the base; an option, piece, hand, memory, definition or move replaces the one of the
    /// same name, or is added; `default`, `add` and `omit` change the rest.
    VariantOf = special "variant-of" (file: One Text, name: One Text, parts: Any Part) -> Part { "(variant-of \"noughts.game\" \"Large Noughts\" (board (square 5)))" }
    /// Gives an option of the base game another default. Only allowed in `variant-of`.
    DefaultIs = special "default" (option: One Declared, value: One OptionValue) -> Part { "(default Size 4)" }
    /// Removes something from the base game: a part by its word, anything else by its name or verb.
    /// The verb of a move is then left out of every `choose` and `can` of the base game, too, and
    /// whatever is omitted out of its look. Only allowed in `variant-of`.
    Omit = special "omit" (what: Some Declared) -> Part { "(omit repetition)" }
    /// Adds to a part of the base game, which keeps everything else. `(look …)` adds details to its
    /// look; a new detail replaces an old one about the same thing. `(choose VERB NEW…)` offers the
    /// new moves directly after VERB in every `choose` of the base game that offers VERB, and asks
    /// for them in every `can` that asks for VERB. `(define NAME …)` adds to a definition, whose
    /// heading is repeated as in the base: statements are appended, a region is joined by `or`. Only
    /// allowed in `variant-of`.
    AddTo = special "add" (what: One Addition) -> Part { "(add (look (color X blue)))" }
    /// Inserts the parts of another file, which contains `(definitions …)`, in this place. A file
    /// that is included several times is inserted once.
    Include = special "include" (file: One Text) -> Part { "(include \"edges.game\")" }
    /// Parts for games to include; this is a whole file. It may contain options, pieces, hands,
    /// memories, definitions and moves.
    Definitions = special "definitions" (parts: Any Part) -> Part { "(definitions (define Rim (row 1)))" }
    /// The author of the game.
    Author = special "author" (name: One Text) -> Part { "(author \"A. Designer\")" }
    /// The year of publication.
    Year = special "year" (year: One Number) -> Part { "(year 2024)" }
    /// Where the game was published.
    Source = special "source" (text: One Text) -> Part { "(source \"A magazine, May 2024\")" }
    /// The licence under which the game is given away: its pages and rule sheets name it.
    License = special "license" (name: One Text) -> Part { "(license \"CC BY 4.0\")" }
    /// A description of the game, in a paragraph.
    About = special "about" (text: One Text) -> Part { "(about \"Make a row of three.\")" }
    /// The players, one to eight, in the order in which they move. With a direction of the board, known before
    /// play, `(White N)` also says where the player plays to; `forward` and rows counted from his
    /// side follow from it. Several players may have the same direction, and any player may have
    /// none. A puzzle has one player, who wins or does not. With a number before the names, as many of
    /// them play, the first ones: `(players Seats White Black Red)` with an option `Seats`. Of the others
    /// the rules speak only in a `case` on players; their symbols in a `diagram` put nothing.
    Players = special "players" (count: Maybe Number, names: Some Seat) -> Part { "(players White Black)" }
    /// Players who win and lose together. Every player is in one team, and there are two teams or
    /// more; the players of a team are in brackets, in any order, and still move in the order of
    /// `players`. What one of them wins, all of his team win; if one loses, his whole team does. The
    /// scores of `by-score` are added up for each team. `theirs` leaves out the pieces of partners;
    /// `mine`, `next` and whatever is kept for each player are not shared.
    Teams = special "teams" (teams: Some Team) -> Part { "(teams (North South) (East West))" }
    /// An option: a value that is chosen when the game is loaded. It has a list of values, a
    /// default and a description. A number can be used under the option's name in expressions; a
    /// word is tested with `case` or `=`.
    Option = special "option" (name: One Name, values: One Values, default: One OptionValue, description: One Text) -> Part { "(option Size (range 3 9) 5 \"Sites along each side.\")" }
    /// All numbers from the first to the second, in steps of 1 or of the third. Halves are allowed.
    Range = form "range" (least: One Number, most: One Number, step: Maybe Number) -> Values { "(option Komi (range 0 10.5 0.5) 0 \"Points for White.\")" }
    /// The listed words or numbers.
    OneOf = form "one-of" (values: Some OptionValue) -> Values { "(option Grid (one-of hex square) hex \"The grid.\")" }
    /// A kind of piece; a game has at most 32. A site holds one piece, or several one on
    /// another with `piles`. Each player has his own pieces of the kind unless it is
    /// `unowned`. The texts are its symbols
    /// in diagrams: one for each player, or a single one, from which those of further players are
    /// made: `"K"` gives the second player `k` and the third `K3`.
    PieceKind = special "piece" (name: One Name, ownership: Maybe Ownership, symbols: Any Text) -> Part { "(piece Shell unowned \"s\")" }
    /// A number for each player, shown with the board, such as the pieces in his hand or supply. It
    /// never goes below zero: a change that would do so stops at 0. Use `require` first if a player
    /// must have enough. With `(per kind)` each player has a number for each kind of piece, read as
    /// `(Supply White Rook)`; with `(per kind Rook Bishop)`, for the listed kinds only.
    Hand = special "hand" (name: One Name, start: One Number, detail: Maybe MemoryDetail) -> Part { "(hand Supply 12)" }
    /// A memory, kept from ply to ply: a `number`, `sites`, a `site`, a `player`, a `kind` of piece,
    /// a `direction` or a `condition`. Without a first value, a number starts at 0, a player as the
    /// first player and a condition as `false`; sites start empty, a site as nowhere, a kind as no
    /// kind, a direction as no direction. What is kept for each site has no first value: `setup` sets
    /// it, as in `(for s everywhere (set (Seeds s) 4))`. It is read by its name, or as a form with
    /// the player, then the direction, kind, number or site: `(Token White N)`.
    Remember = special "remember" (name: One Name, holds: One Holds, first: Maybe Any, details: Any MemoryDetail) -> Part { "(remember Fresh sites)" }
    /// Keeps several values in a memory. `(per player)`: one for each player. `(per direction
    /// all)`: one for each of the directions (only for sites). `(per kind)`: one for each kind of
    /// piece, `(per kind Rook Bishop)`: one for each of these (only for numbers); for any other
    /// kind, and for no kind, it is 0 and does not change. `(per number 1 6)`: one for each number
    /// from the first to the second, at most 64 of them (only for numbers), such as how many dice
    /// show it; for any other number it is 0 and does not change. `(per site)`: one for each site (a site,
    /// a kind, a direction, or a number from 0 to the given maximum, at most 65535). A number that
    /// would leave these bounds stops at 0 or at the maximum.
    Per = special "per" (what: One Any, details: Any Any) -> MemoryDetail { "(remember Die number (per player))" }
    /// The memory of a site moves along when its piece is relocated, and is cleared when the piece
    /// leaves the board.
    Travelling = word "travelling" () -> MemoryDetail { "(remember Moved sites travelling)" }
    /// Defines a name for an expression of any type or for statements. With parameters it is used
    /// like a ludeme: `(Edge White)`. A definition cannot use itself. Without a body it is an empty
    /// list of statements, to which a variant can `add`.
    Define = special "define" (heading: One Heading, body: Any Any) -> Part { "(define (Crowd (site s)) (count (and (beside s all) (pieces))))" }
    /// Sets up the position before the first ply: pieces and memories.
    Setup = special "setup" (statements: Some Statement) -> Part { "(setup (put Stone (row 1) White))" }
    /// A move that a player can make as one ply. First the choices, then requirements and effects,
    /// executed from top to bottom: a requirement after an effect tests the position after it, and
    /// if one fails the move is illegal.
    MoveRule = special "move" (verb: One Verb, parameters: Any Parameter, body: Any Statement) -> Part { "(move drop (to t (empty)) (put Stone t))" }
    /// The order of play. Without it the players take turns, and each chooses among all moves.
    Play = special "play" (statements: Some Statement) -> Part { "(play (turns (choose drop)))" }
    /// When the game ends. It is executed after every ply, from top to bottom.
    End = special "end" (statements: Some Statement) -> Part { "(end (if (none (empty)) (draw)))" }
    /// What happens when the same position occurs for the given number of times, the first
    /// included. A position is the board, all memories, the player to act and the place in the
    /// order of play; `comparing` and `ignoring` say otherwise. The result ends the game or, by
    /// `illegal`, forbids the ply; `mover` is the player who has made it. If a ply can be illegal,
    /// positions are compared at the place to which the order of play leads after a ply, whether
    /// there is a legal move or not. The first position of a game that is set up counts, too.
    Repetition = special "repetition" (times: One Number, details: Any RepetitionDetail, result: Some Statement) -> Part { "(repetition 3 (draw))" }
    /// What makes two positions the same: `board`, the pieces and the sites cut out; `mover`, the
    /// player to act; and memories, by their names. Nothing else is compared.
    Comparing = special "comparing" (what: Some Compared) -> RepetitionDetail { "(repetition 2 (comparing board mover Total) (illegal))" }
    /// Two positions are the same if they differ in these memories only.
    Ignoring = special "ignoring" (memories: Some Declared) -> RepetitionDetail { "(repetition 3 (ignoring Total) (draw))" }
    /// In `repetition` only: the ply that would repeat the position is illegal. A ply that ends the
    /// game, a roll of `chance` and the swap of the pie rule never are. If no legal move is left,
    /// there is no ply, as ever: see `choose`.
    Illegal = form "illegal" () -> Statement { "(repetition 2 (comparing board) (illegal))" }
    /// In `repetition` only: whether the condition held after every ply since the position occurred
    /// first among the occurrences that are counted; or after every ply of this player. There, `mover`
    /// is the player who has made the ply. As the player, `mover` is the one whose ply repeats the
    /// position. Rolls of `chance` are nobody's plies.
    Throughout = form "throughout" (condition: One Condition, player: Maybe Player) -> Condition { "(repetition 4 (if (throughout (none (theirs)) mover) (lose mover)) (draw))" }
    /// The pie rule, in a game of two players: in place of his first ply, the second player may say
    /// `swap`, and the two exchange their colours. Nothing on the board changes, and the colour that
    /// was to move is still to move, now played by the other person. Who wins is still said by the
    /// colour. The second player is the one who does not have the first turn. Only a `choose` offers
    /// `swap`: if the first ply is one of `steps`, there is none.
    PieRule = special "pie-rule" () -> Part { "(pie-rule)" }
}
"The board" {
    /// The board: its shape, followed by details.
    Board = special "board" (shape: One Shape, details: Any BoardDetail) -> Part { "(board (square 8))" }
    /// A square board of squares.
    Square = form "square" (side: One Number) -> Shape { "(board (square 5))" }
    /// A rectangular board of squares.
    Rectangle = form "rectangle" (columns: One Number, rows: One Number) -> Shape { "(board (rectangle 7 6))" }
    /// A hexagonal board of hexagons. With two numbers, its sides alternate between these lengths,
    /// and the lowest row has the first.
    Hexagon = form "hexagon" (side: One Number, other: Maybe Number) -> Shape { "(board (hexagon 5 4))" }
    /// A rhombus-shaped board of hexagons.
    Rhombus = form "rhombus" (columns: One Number, rows: Maybe Number) -> Shape { "(board (rhombus 9))" }
    /// A triangular board of hexagons with the tip at the top.
    Triangle = form "triangle" (side: One Number) -> Shape { "(board (triangle 7))" }
    /// A six-pointed star of hexagons. The rows of each point have this many sites and fewer, down
    /// to one.
    Star = form "star" (points: One Number) -> Shape { "(board (star 4))" }
    /// Layers of squares, one above the other, the lowest first. Each is as large as the one below it,
    /// where a site rests on one, or a column and a row smaller, where a site rests on four, as balls
    /// do: `(layers (square 3) (square 2) (square 1))` is a pyramid. `below` and `above` lead from
    /// layer to layer; steps, lines and groups stay in one. Column letters go on, a to c, d and e, f;
    /// rows count from 1 in each layer, and each has its own edges, corners and centre. Layers are
    /// drawn beside each other, the lowest on the left. Layers without a site at the end are left
    /// out, so that an option can say how many there are. At most 16, which do not wrap; where some
    /// site rests on four, the game has no paths, and elsewhere three at most.
    Layers = form "layers" (shapes: Some Shape) -> Shape { "(board (layers (square 3) (square 2) (square 1)))" }
    /// A board of points and lines, as it is drawn: `o` is a point; `-`, `|`, `/` and `\` lead to
    /// the next point straight ahead, and where lines cross without a point, `+` is both straight
    /// lines and `X` both slanting ones. Points that touch, side by side or one above the other, are
    /// joined. Steps follow the lines: in `"o--o"`, `E` leads from the first point to the second. The
    /// text columns with points are the columns, the rows with points the rows. At the end of a row,
    /// a space follows a `\`. What speaks of neighbours follows slanting lines, too, if it is given
    /// `all`, such as `(beside s all)`.
    Drawing = form "drawing" (rows: Some Text) -> Shape { "(board (drawing \"o---o\" \"|\\ /|\" \"| o |\" \"|/ \\|\" \"o---o\"))" }
    /// A board of points and lines, as a list of its lines: each joins its sites, one to the next.
    /// `(lines (a1 d1 g1) (a1 a4 a7))` has five sites and four steps. A label says where the site
    /// lies in the picture, b4 in the second column and the fourth row. All steps of a line have one
    /// direction, of eight: the nearest to the way from its first site to its last. Only on lines
    /// that bend more than that, such as a ring, each step has its own. Where two steps from some
    /// site would have the same one, the lines of this board have the nearest of sixteen: NNE, ENE,
    /// ESE, SSE, SSW, WSW, WNW and NNW lie between the eight, and are part of `all`; each pair of
    /// opposites that is used leaves one path less. For boards that are hard to draw as text; else
    /// `drawing` shows what is meant.
    Lines = special "lines" (lines: Some Any) -> Shape { "(board (lines (a1 b1 c1) (a2 c2) (a1 a2) (c1 c2)))" }
    /// The letter of the first column. An upper-case letter makes all column letters upper-case.
    ColumnsFrom = form "columns-from" (letter: One Text) -> BoardDetail { "(board (square 3) (columns-from \"A\"))" }
    /// Numbers the rows from the top or from the bottom, which is the default.
    RowsFrom = form "rows-from" (edge: One Edge) -> BoardDetail { "(board (square 3) (rows-from top))" }
    /// Joins opposite edges: with `(wrap columns)` the first column follows the last, with `(wrap
    /// rows)` the first row follows the last, with `(wrap columns rows)` both. A line can then
    /// return to the site where it started, which comes last in it. Not allowed on a hexagon, nor
    /// with fewer than three columns or rows that wrap.
    Wrap = form "wrap" (edges: Some Wrapping) -> BoardDetail { "(board (rectangle 7 6) (wrap columns))" }
    /// The board has these steps, both ways, and no others than those which are `joined`; with a
    /// region, those with both ends in it. A line is drawn along each step. The region may depend on
    /// the whole board, but on no piece, memory or definition.
    Joined = form "joined" (directions: One Directions, sites: Maybe Sites) -> BoardDetail { "(board (square 5) (joined orthogonal) (joined diagonal (where s everywhere (= (mod (+ (row-of s) (column-of s)) 2) 0))))" }
    /// A direction with a name: a way over the board, from site to site, which can be an open path or
    /// a ring. A site begins it. A direction goes on as far as the board and the sites not yet passed
    /// do; a number after a direction says how many steps. A further site is the next one, wherever it
    /// is. Coming back to the first site closes a ring. So `(path Round a1 E N 1 W S)` runs round two
    /// rows. Several ways in brackets are one direction: `(path Round (a1 E N 1 W S) (a3 E N 1 W S))`.
    /// In brackets that begin with a player, the way is his: `(path Course (White a1 E) (Black h1 W))`;
    /// then `Course` is the mover's and `(Course p)` that of p. Every word that takes directions takes
    /// the path: `(step s Round)`, `(walk s Round (empty))`, and `(opposite Round)` leads back. No other
    /// word leads along it: `all` does not include it. A path may pass a site more than once, where it is
    /// listed again or a number of steps leads to it: `walk`, `slide`, `beside` and `group` then follow
    /// each passage, and `step`, `first`, `line` and `distance`, which need one next site, cannot take
    /// the path. A game has at most four paths, those of each player counted; where one passes a site
    /// twice, two.
    Path = special "path" (name: One Name, ways: Some Any) -> Part { "(path Round a1 E N 1 W S)" }
    /// The sides of the cells are sites, too, with `(borders sides)`, and with `(borders posts)` the
    /// posts at which sides meet; `(borders sides posts)` has both. They are named after a cell and a
    /// direction: `b2N` is the side of b2 in the north, which b3 calls `b3S`, and `b2NE` the post at that
    /// corner. `everywhere`, `(empty)` and `not` speak of sites of all sorts, and `cells`, `sides` and
    /// `posts` tell them apart. Steps, rows, columns, edges and corners are those of cells. Only on
    /// boards of squares that do not wrap, with at most 15 cells on a side.
    Borders = form "borders" (sorts: Some Border) -> BoardDetail { "(board (square 4) (borders sides posts))" }
    /// Hexagons have directions across their corners, too: `N`, `ENE`, `ESE`, `S`, `WSW` and `WNW`.
    /// A step in one of them leads to the nearest site that lies straight beyond a corner, whatever is
    /// to its left and right. `diagonal` lists the six, and `between`, `direction` and `clockwise` know
    /// them; `all`, `axes` and `beside` without directions stay with the neighbours. Boards of squares
    /// have their diagonals without this word. Not on a board of points and lines, nor where hexagons
    /// wrap around fewer than four columns or rows. Leaves room for two paths.
    Diagonals = word "diagonals" () -> BoardDetail { "(board (hexagon 4) diagonals)" }
    /// Removes sites from the board before play. The region may depend on the whole board, but on
    /// no piece, memory or definition.
    Without = form "without" (sites: One Sites) -> BoardDetail { "(board (square 3) (without b2))" }
    /// A site holds pieces one on another, at most this many. Every clause about pieces is about
    /// those on top: `mine`, `kind`, `empty` and so on; `height` and `under` ask for the rest. `put`
    /// and `relocate` lay pieces on top, or `beneath`; without a number, `relocate` and `remove` take
    /// whole piles. A move that would make a pile higher is illegal; in `setup` and `play`, what would
    /// do so is not done. With kinds, as in `(piles 42 Flat)`, the same holds for what would lay a piece
    /// on one of another kind. Positions list what lies on a site from the bottom up: `c3: b b W`.
    Piled = form "piles" (most: One Number, covered: Any Piece) -> BoardDetail { "(board (square 5) (piles 8))" }
}
"The look" {
    /// How the game is drawn; it changes no rule. Everything left out has a default: a player named
    /// after a colour has this colour.
    Look = special "look" (details: Some LookDetail) -> Part { "(look (grid points) (color White ivory) (shape Stone ring))" }
    /// How the board is drawn: `cells`, the default; `checkered`, cells of two tones, or three on
    /// hexagons; or `points`, on crossing lines.
    GridIs = special "grid" (style: One Grid) -> LookDetail { "(look (grid checkered))" }
    /// The lines that are drawn, each from a site straight to the next: on a board of points in place
    /// of a line along each step, on one of cells over them. Steps stay as they are, so that pieces can
    /// move where there is no line: `(lines (a1 c3) (a3 c1))` draws two diagonals. The name of a path
    /// draws its way; where it jumps to another site, that is a curve in pictures.
    LookLines = special "lines" (lines: Some Any) -> LookDetail { "(look (grid points) (lines (a1 c2) (a2 c1)))" }
    /// The colour of a player's pieces, of an unowned piece, of the marks of a memory of sites, of
    /// seeds, arrows or lines, or of the `board`.
    ColorOf = special "color" (of: One Declared, color: One Color) -> LookDetail { "(look (color White \"#f4f1de\") (color Shell brown) (color board tan))" }
    /// The shape of a piece, for all players or the named one, with a letter on it if given; or the
    /// shape of the marks of a memory of sites. `die` shows a memory of a number as a die, `seeds` a
    /// memory of a number for each site as so many seeds, `arrow` a memory of a direction for each
    /// site as an arrow that points there, and `line` a memory of sites for each direction as lines
    /// from these sites to the next ones there.
    ShapeOf = special "shape" (of: One Declared, player: Maybe Player, figure: One Figure, letter: Maybe Text) -> LookDetail { "(look (shape Stone Black square) (shape Shell disc \"s\") (shape Total die))" }
    /// Memories that are not shown.
    Hide = special "hide" (memories: Some Declared) -> LookDetail { "(look (hide Total))" }
}
"Notations" {
    /// How a format of other programs writes this game: `uci` and `gtp`, the moves of protocols that
    /// `ludwright engine` speaks; `pgn` and `sgf`, records; `fen` and `diagram`, positions. Records
    /// and positions are read and written by `ludwright convert`. It changes no rule.
    Notation = special "notation" (format: One Format, spellings: Some Spelling) -> Part { "(notation uci (spell columns \"abc\") (spell win \"#\"))" }
    /// How something is written there. The verb of a move has patterns, of which the first that fits
    /// no other legal move is used: `{s}` stands for what the move chooses for s, `{s.column}`,
    /// `{s.row}` and `{s.piece}` for a part of it, and `[x]` for x if the move captures. Pieces or
    /// sites before the patterns restrict them to moves of these. A piece has a text for each
    /// player, or one for all; a player or an option has one; so has a condition, which is written
    /// after moves after which it holds. `columns`, `rows` and `rows-down` name the columns from the
    /// left and the rows from the bottom or the top by characters; `position` lists the fields of a
    /// position; `tag` is a fixed entry of a record; `win` is written after a move that wins; `line`
    /// begins the lines of a diagram, where `blank` lists the characters of empty sites.
    Spell = special "spell" (what: One Spelled, only: Any Declared, texts: Some Text) -> Spelling { "(notation pgn (spell Stone \"\") (spell win \"#\"))" }
}
"Claims" {
    /// A claim about the game: a sentence for the reader, its circumstances, and an assertion.
    /// `ludwright test` tests it. Claims are not part of the rules, and a variant does not inherit
    /// them. In an assertion `mover` is the player to act or, when the game is over, the player who
    /// acted last.
    Claim = special "claim" (text: One Text, circumstances: Any Circumstance, assertion: One Assertion) -> Part { "(claim \"It is over soon.\" (ends-within 9))" }
    /// The claim is about the game with this value of the option. Without it, the options are those
    /// the game is loaded with.
    With = special "with" (option: One Declared, value: One OptionValue) -> Circumstance { "(claim \"Squares make no draws.\" (with Grid square) (never-draws))" }
    /// The claim is about the game after these moves, written as in records.
    After = form "after" (moves: Some Text) -> Circumstance { "(claim \"The centre is taken.\" (after \"drop b2\") (always (in b2 (pieces))))" }
    /// Who plays, as the named player or as all players: `random`, `greedy` or Monte-Carlo tree
    /// search such as `mcts:200it`. The default is `mcts:200it`.
    SeatIs = form "seat" (player: Maybe Player, program: One Text) -> Circumstance { "(claim \"To begin is no drawback.\" (seat \"random\") (scores-above White 40))" }
    /// Every game ends within this number of plies.
    EndsWithin = form "ends-within" (plies: One Number) -> Assertion { "(claim \"It is over soon.\" (ends-within 9))" }
    /// No position occurs twice in a game. A position is the board, all memories, the player to act
    /// and the place in the order of play.
    NeverRepeats = form "never-repeats" () -> Assertion { "(claim \"Stones stay.\" (never-repeats))" }
    /// No game is drawn.
    NeverDraws = form "never-draws" () -> Assertion { "(claim \"Every game has a winner.\" (never-draws))" }
    /// The condition holds in every reachable position, final positions included.
    Always = form "always" (condition: One Condition) -> Assertion { "(claim \"White never falls behind.\" (always (<= (count (of Black)) (count (of White)))))" }
    /// The condition holds in some reachable position.
    Possible = form "possible" (condition: One Condition) -> Assertion { "(claim \"Corners can be taken.\" (possible (in a1 (mine))))" }
    /// The player wins with best play.
    Wins = form "wins" (player: One Player) -> Assertion { "(claim \"To begin is to win.\" (wins White))" }
    /// With best play no player wins. In a game of one player: it has no solution.
    Drawn = form "drawn" () -> Assertion { "(claim \"It is a fair game.\" (drawn))" }
    /// The player's mean score is below this percentage: a win counts 100, a draw 50 and a loss 0; in
    /// a game of one player, only a win counts. The games are played by the programs of `seat`.
    ScoresBelow = form "scores-below" (player: One Player, percent: One Number) -> Assertion { "(claim \"To begin is no great advantage.\" (scores-below White 55))" }
    /// The player's mean score is above this percentage: a win counts 100, a draw 50 and a loss 0; in
    /// a game of one player, only a win counts. The games are played by the programs of `seat`.
    ScoresAbove = form "scores-above" (player: One Player, percent: One Number) -> Assertion { "(claim \"To begin is no drawback.\" (scores-above White 45))" }
    /// Less than this percentage of games is drawn. The games are played by the programs of `seat`;
    /// an unfinished game counts as drawn.
    DrawsBelow = form "draws-below" (percent: One Number) -> Assertion { "(claim \"Draws are rare.\" (draws-below 10))" }
    /// The assertion is false: `(not (never-repeats))` claims that some position can occur twice.
    NotClaimed = form "not" (assertion: One Assertion) -> Assertion { "(claim \"It can be won.\" (not (drawn)))" }
}
"What is chosen" {
    /// Chooses a site from the region. With several variables, that many different sites are chosen
    /// together, in no order: `(at s t (empty))` stands for every pair of empty sites once, and the
    /// move can be written with either first. `s` is then the one that comes first row by row from
    /// the bottom, and in a row from the left. This is the same for `from` and `to`; at most four
    /// sites are chosen together.
    ChooseAt = form "at" (variable: One Variable, sites: One Sites) -> Parameter { "(move drop (at s (empty)) (put Stone s))" }
    /// Chooses the site that a piece moves from. In the notation of the move, a `to` directly after
    /// it is joined to it by `-`.
    ChooseFrom = form "from" (variable: One Variable, sites: One Sites) -> Parameter { "(move step (from s (mine)) (to t (beside s)) (relocate s t))" }
    /// Chooses the site that a piece moves to; with several variables, that many sites together, as
    /// in `at`.
    ChooseTo = form "to" (variable: One Variable, sites: One Sites) -> Parameter { "(move drop (to t (empty)) (put Stone t))" }
    /// Chooses one of the directions.
    ChooseTowards = form "towards" (variable: One Variable, directions: One Directions) -> Parameter { "(move push (at s (mine)) (towards d orthogonal) (relocate s (step s d)))" }
    /// Chooses one of the kinds of piece, which are named. A kind listed twice counts once. `(kind
    /// s)` with a site alone is the kind of the piece on it.
    ChooseKind = form "kind" (variable: One Variable, kinds: Some Piece) -> Parameter { "(move become (at s (mine)) (kind k Stone Shell) (replace s k))" }
    /// Chooses a whole number, both bounds included. The bounds must be known before play; where
    /// the highest depends on the position, choose from all numbers and write `(require (<= n …))`.
    ChooseNumber = form "number" (variable: One Variable, least: One Number, most: One Number) -> Parameter { "(move roll (number n 1 6) (raise Total n))" }
}
"Sites" {
    /// The sites without a piece. A site that was cut out is not empty.
    Empty = form "empty" () -> Sites { "(count (empty))" }
    /// The sites with a piece, whoever owns it; with kinds given, with a piece of one of them.
    Pieces = form "pieces" (kinds: Any Piece) -> Sites { "(count (pieces Stone))" }
    /// The sites with a piece of the mover.
    Mine = form "mine" (kinds: Any Piece) -> Sites { "(count (mine Stone))" }
    /// The sites with a piece of another player; with `teams`, of another team.
    Theirs = form "theirs" (kinds: Any Piece) -> Sites { "(count (theirs))" }
    /// The sites with a piece of the given player.
    Of = form "of" (player: One Player, kinds: Any Piece) -> Sites { "(count (of White Stone))" }
    /// The listed sites.
    SitesListed = form "sites" (sites: Some Site) -> Sites { "(count (sites a1 b2))" }
    /// The row with that number. With a player, the n-th row counted from his side, whatever the
    /// labels: `(row 1 mover)` is his home row, `(row 1 (next mover))` the far one of two players who
    /// face each other. Rows are counted from the bottom for a player who plays `N`, from the top
    /// for `S`; columns from the left for `E`, from the right for `W`. On hexagons `NE` and `NW`
    /// count like `N`, and `SE` and `SW` like `S`; on squares a player who plays along a diagonal
    /// has no rows. Edges that are joined and sites that the board lacks change nothing. In `layers`,
    /// rows and columns are counted in each.
    RowOf = form "row" (number: One Number, player: Maybe Player) -> Sites { "(count (row 1))" }
    /// The column with that letter.
    ColumnOf = form "column" (letter: One Text) -> Sites { "(count (column \"a\"))" }
    /// Every site that is not cut out.
    Everywhere = word "everywhere" () -> Sites { "(count everywhere)" }
    /// No site.
    Nowhere = word "nowhere" () -> Sites { "(count nowhere)" }
    /// The sites that have been cut out during play.
    CutOut = word "cut-out" () -> Sites { "(count cut-out)" }
    /// All cells of a board with `borders`; or the cells that a side or a post touches, with directions
    /// those that lie that way: `(cells s N)` is the cell beyond the side in the north.
    Cells = form "cells" (of: Maybe Sites, directions: Maybe Directions) -> Sites { "(board (square 3) (borders sides)) (end (if (every c (cells b2N) (in c (mine))) (draw)))" }
    /// All sides of a board with `(borders sides)`; or the sides of a cell, and those that end at a
    /// post, with directions those that lie that way: `(sides s N)`.
    Sides = form "sides" (of: Maybe Sites, directions: Maybe Directions) -> Sites { "(board (square 3) (borders sides)) (end (if (every s (sides b2) (in s (pieces))) (draw)))" }
    /// All posts of a board with `(borders posts)`; or the posts at the corners of a cell, and at the
    /// ends of a side, with directions those that lie that way: `(posts s (list N E))`.
    Posts = form "posts" (of: Maybe Sites, directions: Maybe Directions) -> Sites { "(board (square 3) (borders posts)) (end (if (every s (posts b2) (in s (pieces))) (draw)))" }
    /// On a board in `layers`, the sites of the next lower layer on which the site rests, or those on
    /// which a region does: four or one for a site, none in the lowest layer. `(none (and (below s)
    /// (empty)))` is true where all below s is filled, so that a piece can lie there.
    Below = form "below" (of: One Sites) -> Sites { "(board (layers (square 3) (square 2))) (end (if (none (and (below d1) (empty))) (draw)))" }
    /// On a board in `layers`, the sites of the next higher layer that rest on the site, or on some
    /// site of a region: `(none (and (above s) (pieces)))` is true where no piece lies on s.
    Above = form "above" (of: One Sites) -> Sites { "(board (layers (square 3) (square 2))) (end (if (any (and (above b2) (mine))) (draw)))" }
    /// The sites one step away, orthogonally unless directions are given.
    Beside = form "beside" (of: One Sites, directions: Maybe Directions) -> Sites { "(count (beside b2 all))" }
    /// The sites of the second region that are connected, within that region, with the site or with
    /// some site of the first region, by orthogonal steps unless directions are given. Sites of the
    /// first region outside the second connect nothing.
    Group = form "group" (of: One Sites, within: One Sites, directions: Maybe Directions) -> Sites { "(count (group b2 (empty)))" }
    /// The sites passed by walking from the site in each of the directions, as long as they are in
    /// the region. The starting site is not included.
    Walk = form "walk" (from: One Site, directions: One Directions, through: One Sites) -> Sites { "(count (walk a1 all (empty)))" }
    /// The sites strictly between the two, if a straight line of steps joins them; otherwise no
    /// site. On a board that wraps, the shortest such line counts, and of several shortest the
    /// first clockwise from the north.
    Between = form "between" (from: One Site, to: One Site) -> Sites { "(count (between a1 c3))" }
    /// The sites that a leaper reaches from the site: the given numbers of steps along and across,
    /// in all reflections; on hexagons, across is a sixth of a turn from along. A knight is
    /// `(leap s 2 1)`. Pieces in between do not matter.
    Leap = form "leap" (from: One Site, along: One Number, across: One Number) -> Sites { "(count (leap a1 2 1))" }
    /// The sites at the given offsets from the site, as the mover looks, or the named player: each is
    /// how many columns to the right and how many rows forward, negative to the left and back. So
    /// the ways of a piece or the steps of a card are a table, such as `(case k (Crab (offsets s (0 1)
    /// (-2 0) (2 0))) (else (offsets s (0 2) (0 -1))))`. Pieces in between do not matter. On boards of
    /// squares, for players with directions straight to a side.
    Offsets = special "offsets" (from: One Site, player: Maybe Player, offsets: Some Any) -> Sites { "(count (offsets b2 (0 2) (-1 -1)))" }
    /// The sites that a piece on the site slides to: in each of the directions the empty sites up to
    /// the first piece, and the site of that piece. A site that was cut out during play ends the
    /// slide and is not part of it. Leave the own pieces out with `and`: `(and (slide s orthogonal)
    /// (not (mine)))` is where a rook goes.
    Slide = form "slide" (from: One Site, directions: One Directions) -> Sites { "(count (slide a1 all))" }
    /// The sites of the region that are part of a straight line of at least that many sites of the
    /// region, one next to the other. `(any (line 4 (mine)))` is true if the mover has four in a
    /// line. The directions of the lines are `axes` unless others are given; opposite directions
    /// make the same lines. The number must be known before play. On a board that wraps, a line can
    /// go across the joined edges, but no site counts twice in it.
    Line = form "line" (number: One Number, region: One Sites, directions: Maybe Directions) -> Sites { "(count (line 3 (empty)))" }
    /// The rows from the first number to the last, both included, in either order. With a player
    /// they are counted from his side, as in `row`.
    RowsBetween = form "rows" (first: One Number, last: One Number, player: Maybe Player) -> Sites { "(count (rows 1 2))" }
    /// The columns from the first letter to the last, both included, in either order.
    ColumnsBetween = form "columns" (first: One Text, last: One Text) -> Sites { "(count (columns \"a\" \"b\"))" }
    /// The sites from which a step in the direction leaves the board. On squares `(edge N)` is the
    /// top row, and `(edge NE)` the top row and the last column. On hexagons each side of the board
    /// is left in two directions, so that the lowest row is `(and (edge SE) (edge SW))`. Joined
    /// edges are none, and neither are holes made by `without` or `cut`: for all sites without a
    /// neighbour, write `(where s everywhere (none (step s N)))`. The direction must be known before
    /// play.
    EdgeOf = form "edge" (direction: One Direction) -> Sites { "(count (edge N))" }
    /// The corner sites of the board's shape: four on squares and rhombuses, six on a hexagon, three
    /// if one of its sides is 1; none on a board that wraps. Sites removed by `without` are left
    /// out, and their neighbours do not take their place.
    Corners = word "corners" () -> Sites { "(count corners)" }
    /// The sites nearest to the middle of the board's shape: one, two or four on squares, one or
    /// three on a hexagon, one or two on a rhombus. Sites removed by `without` are left out.
    Centre = word "centre" () -> Sites { "(count centre)" }
    /// The region if the condition holds, otherwise no site.
    When = form "when" (condition: One Condition, region: One Sites) -> Sites { "(count (when (in a1 (mine)) (beside a1)))" }
    /// The sites that are in the region for some value of the variable.
    Union = form "union" (variable: One Variable, domain: One Domain, region: One Sites) -> Sites { "(count (union d diagonal (step b2 d)))" }
    /// The sites of the first region, and all sites that steps lead to from there. The second region
    /// says where one step goes from the variable: `(reach x a1 (leap x 2 1))` is where a knight
    /// comes to from a1 in any number of moves, a1 included. All steps are taken in the position as
    /// it is: a piece that hops on and on still stands where it began. Where the steps go to
    /// neighbours inside one region, `group` is shorter.
    Reach = form "reach" (variable: One Variable, from: One Sites, step: One Sites) -> Sites { "(count (reach x a1 (and (leap x 2 1) (empty))))" }
    /// The sites of the region for which the condition holds.
    Where = form "where" (variable: One Variable, sites: One Sites, condition: One Condition) -> Sites { "(count (where s (empty) (any (and (beside s) (mine)))))" }
    /// The sites that are in all of the regions.
    Both = form "and" (regions: Some Sites) -> Sites { "(count (and (row 1) (empty)))" }
    /// The sites that are in any of the regions.
    Either = form "or" (regions: Some Sites) -> Sites { "(count (or (row 1) (row 3)))" }
    /// The groups that the region consists of, for a variable to take in turn: each is a region of
    /// all the sites that are connected by steps inside the region, orthogonal ones unless directions
    /// are given. A step can be taken both ways. Every site is in exactly one group. The group with
    /// the first site, row by row from the bottom and in a row from the left, comes first.
    /// `(count g (groups (mine)) (>= (count g) 3))` is the number of groups of three or more.
    Groups = form "groups" (region: One Sites, directions: Maybe Directions) -> Domain { "(every g (groups (mine)) (any (and (beside g) (empty))))" }
    /// The sites of the board that are not in the region, including those cut out during play.
    Outside = form "not" (region: One Sites) -> Sites { "(count (not (empty)))" }
    /// The region as it were if so many pieces were lifted from every pile: `(under (theirs) 1)` is
    /// the sites where the piece right below the top is an opponent's. Without a number, the sites
    /// where this is so at some depth. The region is of pieces: `mine`, `theirs`, `of`, `pieces` or
    /// `empty`, joined by `and`, `or` and `not`. Only on a board with `piles`.
    Under = form "under" (region: One Sites, number: Maybe Number) -> Sites { "(board (square 3) (piles 4)) (end (if (any (under (theirs))) (win mover)))" }
}
"A site" {
    /// The next site in the direction, or with a number the site that many steps away; nowhere
    /// beyond the edge of the board. A number that is known before play must be at least 1. Of one
    /// known only in play, 0 is the site itself, and a negative number goes the opposite way. Pieces
    /// and cut-out sites on the way do not matter, but a hole made by `without` ends the way. On a
    /// board that wraps, the steps go on across the joined edges.
    Step = form "step" (from: One Site, direction: One Direction, number: Maybe Number) -> Site { "(in (step a1 N 2) (empty))" }
    /// The site where a path begins; of `(opposite Course)`, the site where it ends. A ring begins and
    /// ends at its first site. Of several ways in brackets, the first counts.
    Start = form "start" (path: One Direction) -> Site { "(path Round a1 E N 1 W S) (setup (put Stone (start Round) White)) (end (if (in (start Round) (mine)) (win mover)))" }
    /// The first site in the direction that is in the region, not counting the start; nowhere if
    /// there is none.
    First = form "first" (from: One Site, direction: One Direction, stops: One Sites) -> Site { "(in (first a1 N (not (empty))) (mine))" }
    /// No site, where a single site is expected: `(set Last nowhere)` clears a memory of a site.
    /// Nowhere equals nothing, so `(= Last nowhere)` is never true; write `(none Last)`.
    NoSiteAtAll = word "nowhere" () -> Site { "(none (step nowhere N))" }
    /// The site of a region that has exactly one site; nowhere if it has none or several. So
    /// `(one (mine King))` is where the mover's king stands.
    Only = form "one" (region: One Sites) -> Site { "(none (one (row 1)))" }
}
"Directions" {
    /// The directions across the sides of a site: four on squares, six on hexagons.
    Orthogonal = word "orthogonal" () -> Directions { "(count (beside b2 orthogonal))" }
    /// The directions across the corners of a site: four on squares; on hexagons six if the board
    /// has `diagonals`, else none.
    Diagonal = word "diagonal" () -> Directions { "(count (beside b2 diagonal))" }
    /// All directions: eight on squares, six on hexagons; on a board of `lines` also those between
    /// the eight that its lines have.
    All = word "all" () -> Directions { "(count (beside b2 all))" }
    /// One of each two opposite directions, clockwise from the north: `N`, `NE`, `E` and `SE` on
    /// squares, `NE`, `E` and `SE` on hexagons; on a board of `lines` then those of `NNE`, `ENE`, `ESE`
    /// and `SSE` that it has.
    Axes = word "axes" () -> Directions { "(count (beside b2 axes))" }
    /// The listed directions, in this order. A direction listed twice counts once.
    ListOf = form "list" (directions: Some Direction) -> Directions { "(count (beside b2 (list N S)))" }
    /// The direction of the step from the first site to the second. If no single step leads there,
    /// it is no direction, and a step in it leads nowhere.
    DirectionBetween = form "direction" (from: One Site, to: One Site) -> Direction { "(= (direction a1 a2) N)" }
    /// No direction, where a direction is expected: `(set Course nowhere)` clears a memory of a
    /// direction. It equals nothing, and a step in it leads nowhere.
    NoDirection = word "nowhere" () -> Direction { "(none (step b2 (if (any (mine)) N (else nowhere))))" }
    /// The opposite direction.
    Opposite = form "opposite" (direction: One Direction) -> Direction { "(in (step b2 (opposite N)) (empty))" }
    /// The direction in which the mover plays, as given in `players`: `(players (White N) (Black
    /// S))`.
    Forward = word "forward" () -> Direction { "(in (step b2 forward) (empty))" }
    /// The direction in which the player plays, as given in `players`.
    ForwardOf = form "forward" (player: One Player) -> Direction { "(in (step b2 (forward (next mover))) (empty))" }
    /// To the left of the mover, who looks `forward`: a quarter turn on squares, on hexagons the
    /// neighbouring direction, a sixth of a turn. A variable may have the name `left`, too, and then
    /// hides the direction.
    Left = word "left" () -> Direction { "(in (step b2 left) (empty))" }
    /// To the right of the mover, who looks `forward`: a quarter turn on squares, on hexagons the
    /// neighbouring direction, a sixth of a turn.
    Right = word "right" () -> Direction { "(in (step b2 right) (empty))" }
    /// Behind the mover: the opposite of `forward`.
    Back = word "back" () -> Direction { "(in (step b2 back) (empty))" }
    /// The direction that many steps clockwise among all directions of the board: eighths of a turn
    /// on squares, sixths on hexagons. The number must be known before play; a negative one turns
    /// counterclockwise. `(clockwise forward 1)` is aslant to the right on squares, and `right` on
    /// hexagons.
    Clockwise = form "clockwise" (direction: One Direction, steps: One Number) -> Direction { "(= (clockwise N 2) E)" }
}
"Players" {
    /// The player whose turn it is; outside of turns, the first player.
    Mover = word "mover" () -> Player { "(count (of mover))" }
    /// All players, for a variable to take in turn.
    AllPlayers = word "players" () -> Domain { "(= (count p players (any (of p))) 2)" }
    /// The players of the given player's team, himself included, for a variable to take in turn.
    Team = form "team" (player: One Player) -> Domain { "(every p (team mover) (any (of p)))" }
    /// The player after the given one; after the last comes the first.
    Next = form "next" (player: One Player) -> Player { "(count (of (next mover)))" }
}
"Kinds of piece" {
    /// The kind of the piece on the site, whoever owns it. It is no kind where the site is nowhere,
    /// was cut out or has no piece. No kind equals nothing: to test if there is a piece, write
    /// `(any (and s (pieces)))`.
    KindOn = form "kind" (site: One Site) -> Piece { "(put (kind a1) a2)" }
    /// Kinds of piece, for a variable to take in turn: the listed ones, which are named, in this
    /// order, or `(kinds)` for all kinds of the game in the order in which they are declared. A kind
    /// listed twice counts once.
    Kinds = form "kinds" (kinds: Any Piece) -> Domain { "(= (count k (kinds) (any (mine k))) 1)" }
}
"Numbers" {
    /// The sum.
    Add = form "+" (numbers: Some Number) -> Number { "(= (+ 1 2) 3)" }
    /// The first number minus the second.
    Subtract = form "-" (from: One Number, number: One Number) -> Number { "(= (- 3 2) 1)" }
    /// The product.
    Multiply = form "*" (numbers: Some Number) -> Number { "(= (* 2 3) 6)" }
    /// The first number divided by the second, rounded down. The divisor must be a number in the
    /// file or an option.
    Divide = form "/" (number: One Number, by: One Number) -> Number { "(= (/ 7 2) 3)" }
    /// The remainder of division rounded down: `(mod 7 2)` is 1. The divisor must be a number in
    /// the file or an option.
    Remainder = form "mod" (number: One Number, by: One Number) -> Number { "(= (mod 7 2) 1)" }
    /// The smallest of the numbers.
    Least = form "min" (numbers: Some Number) -> Number { "(= (min 3 2) 2)" }
    /// The largest of the numbers.
    Greatest = form "max" (numbers: Some Number) -> Number { "(= (max 3 2) 3)" }
    /// The number of sites in the region.
    Count = form "count" (region: One Sites) -> Number { "(> (count (empty)) 3)" }
    /// The number of values of the variable for which the condition holds.
    CountWhere = form "count" (variable: One Variable, domain: One Domain, condition: One Condition) -> Number { "(= (count d all (in (step b2 d) (empty))) 8)" }
    /// The sum of the number over all values of the variable.
    Sum = form "sum" (variable: One Variable, domain: One Domain, number: One Number) -> Number { "(> (sum p players (count (of p))) 2)" }
    /// The number of the row that the site is in: the number in its label, so that `(row-of b3)` is
    /// 3. Nowhere is in row 0. Rows are counted from the bottom, with `(rows-from top)` from the top.
    RowNumber = form "row-of" (site: One Site) -> Number { "(= (row-of b3) 3)" }
    /// The number of the column that the site is in, counted from 1 at the first letter:
    /// `(column-of b3)` is 2. Nowhere is in column 0. On hexagons, too, a column has all sites of
    /// the same letter. `(= (mod (+ (row-of s) (column-of s)) 2) 0)` is true for the squares of one
    /// colour of a chessboard.
    ColumnNumber = form "column-of" (site: One Site) -> Number { "(= (column-of b3) 2)" }
    /// The least number of steps from the first site to the second, in all directions unless others
    /// are given: `(distance a1 c2)` is 2 on squares, and 3 with `orthogonal`. Only the board
    /// counts: pieces and cut-out sites are no obstacles, holes made by `without` are, and joined
    /// edges can be crossed. If one of the sites is nowhere or no steps lead to the second, the
    /// distance is 1024, which is more than on any board, so that `(<= (distance s t) 2)` is false.
    /// The directions must be known before play.
    Distance = form "distance" (from: One Site, to: One Site, directions: Maybe Directions) -> Number { "(= (distance a1 c2) 2)" }
    /// How many pieces stand on the site, one on another; 0 if it is empty. Only on a board with
    /// `piles`.
    Height = form "height" (site: One Site) -> Number { "(board (square 3) (piles 4)) (end (if (= (height b2) 4) (win mover)))" }
    /// The whole numbers from the first to the second, both included, for a variable to take in
    /// turn; none if the second is lower. Both must be known before play, and there are at most 64.
    /// The variable itself cannot stand where a number must be known before play, as in `(row n)`:
    /// write `(where s everywhere (= (row-of s) n))`.
    NumbersBetween = form "numbers" (least: One Number, most: One Number) -> Domain { "(some n (numbers 2 3) (= (count (mine)) (* n n)))" }
    /// The smallest of the numbers that the values of the variable give; 0 if it has no value.
    LeastOver = form "min" (variable: One Variable, domain: One Domain, number: One Number) -> Number { "(= (min s (mine) (distance s a1)) 1)" }
    /// The largest of the numbers that the values of the variable give; 0 if it has no value. The
    /// size of the largest group is `(max g (groups (mine)) (count g))`.
    GreatestOver = form "max" (variable: One Variable, domain: One Domain, number: One Number) -> Number { "(>= (max p players (count (of p))) 3)" }
}
"Conditions" {
    /// Always true.
    True = word "true" () -> Condition { "(or true false)" }
    /// Never true.
    False = word "false" () -> Condition { "(not false)" }
    /// True if all of the conditions hold.
    AllOf = form "and" (conditions: Some Condition) -> Condition { "(and (any (empty)) (any (mine)))" }
    /// True if any of the conditions holds.
    AnyOf = form "or" (conditions: Some Condition) -> Condition { "(or (none (empty)) (none (mine)))" }
    /// True if the condition does not hold.
    NotSo = form "not" (condition: One Condition) -> Condition { "(not (any (empty)))" }
    /// True if the region has a site.
    AnySite = form "any" (region: One Sites) -> Condition { "(any (mine))" }
    /// True if the region has no site.
    NoSite = form "none" (region: One Sites) -> Condition { "(none (theirs))" }
    /// True if the site is in the region.
    In = form "in" (site: One Site, region: One Sites) -> Condition { "(in a1 (empty))" }
    /// True if every two sites of the region are connected by steps inside it, orthogonal ones unless
    /// directions are given. A step can be taken both ways. A region of one site is connected, and
    /// so is an empty one: add `any` if there must be a site.
    Connected = form "connected" (region: One Sites, directions: Maybe Directions) -> Condition { "(connected (row 1))" }
    /// True if the player has a legal move by one of these verbs: if `choose`, in his turn and in the
    /// position as it is, would offer one. Without a player it is the mover. Nothing is played. In
    /// a move it can be asked before the effects and after them, so that a move can be illegal
    /// because of what it leaves to others. Other moves that are offered first do not matter, and
    /// neither do `steps` and the end of the game. A move cannot ask for itself, nor for a move that
    /// asks for it.
    Can = special "can" (player: Maybe Player, moves: Some Move) -> Condition { "(not (can (next mover) drop))" }
    /// True if the last ply was made by one of these verbs; with a player, if that player's last ply
    /// was. Before the first ply it is false. A move asks about the ply before it, at its end, too;
    /// `end`, and the order of play after a ply, ask about that ply. Rolls of `chance` do not count.
    /// Only what the rules ask is remembered, and part of the position.
    LastMove = special "last-move" (player: Maybe Player, moves: Some Move) -> Condition { "(not (last-move drop))" }
    /// True if the condition holds for some value of the variable.
    Exists = form "some" (variable: One Variable, domain: One Domain, condition: One Condition) -> Condition { "(some d orthogonal (in (step a1 d) (mine)))" }
    /// True if the condition holds for every value of the variable.
    Every = form "every" (variable: One Variable, domain: One Domain, condition: One Condition) -> Condition { "(every p players (any (of p)))" }
    /// True if the numbers are equal.
    EqualNumbers = form "=" (left: One Number, right: One Number) -> Condition { "(= (count (mine)) 3)" }
    /// True if both are the same player.
    SamePlayer = form "=" (left: One Player, right: One Player) -> Condition { "(= mover White)" }
    /// True if both are the same site. Nowhere equals nothing.
    SameSite = form "=" (left: One Site, right: One Site) -> Condition { "(= (step a1 N) a2)" }
    /// True if both are the same direction.
    SameDirection = form "=" (left: One Direction, right: One Direction) -> Condition { "(= (opposite N) S)" }
    /// True if both are the same kind of piece. No kind equals nothing: `(= (kind s) (kind t))` is
    /// false where either site has no piece. Who owns the pieces does not matter.
    SameKind = form "=" (left: One Piece, right: One Piece) -> Condition { "(= (kind a1) Stone)" }
    /// True if the option, whose values are words, has this value.
    OptionIs = special "=" (option: One Name, value: One OptionValue) -> Condition { "(= Grid square)" }
    /// True if the numbers differ.
    Unequal = form "!=" (left: One Number, right: One Number) -> Condition { "(!= (count (mine)) 3)" }
    /// True unless both are the same player.
    OtherPlayer = form "!=" (left: One Player, right: One Player) -> Condition { "(!= mover White)" }
    /// True unless both are the same site. Nowhere differs from every site, and from nowhere.
    OtherSite = form "!=" (left: One Site, right: One Site) -> Condition { "(!= (step a1 N) a3)" }
    /// True unless both are the same kind of piece. No kind differs from every kind, and from no
    /// kind.
    OtherKind = form "!=" (left: One Piece, right: One Piece) -> Condition { "(!= (kind a1) Stone)" }
    /// True unless both are the same direction.
    OtherDirection = form "!=" (left: One Direction, right: One Direction) -> Condition { "(!= (opposite N) E)" }
    /// True if the first number is less than the second.
    Less = form "<" (left: One Number, right: One Number) -> Condition { "(< (count (mine)) 3)" }
    /// True if the first number is at most the second.
    AtMost = form "<=" (left: One Number, right: One Number) -> Condition { "(<= (count (mine)) 3)" }
    /// True if the first number is greater than the second.
    Greater = form ">" (left: One Number, right: One Number) -> Condition { "(> (count (mine)) 3)" }
    /// True if the first number is at least the second.
    AtLeast = form ">=" (left: One Number, right: One Number) -> Condition { "(>= (count (mine)) 3)" }
}
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
pub(in crate::language) use with_rows;

with_rows!(ludemes);
