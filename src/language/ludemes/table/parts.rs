//! What a file declares: the parts of a game, their details, and what a move lets a player choose.

macro_rules! with_parts {
    ($then:ident) => {
        $crate::language::ludemes::table::with_expressions! {
            $then
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
    /// Squares have the directions of a chess knight's leap, too: `NNE`, `ENE`, `ESE`, `SSE`, `SSW`,
    /// `WSW`, `WNW` and `NNW`. A step in one of them leads two squares ahead and one aside, whatever is
    /// in between: `NNE` two to the north and one to the east. `leaping` lists the eight, and `between`,
    /// `direction` and `clockwise` know them; `all`, `axes` and `beside` without directions stay with
    /// the neighbours. Where a piece only leaps, `(leap s 2 1)` does without this word. Not on layers or
    /// with `borders`, nor where fewer than five columns or rows wrap. Leaves no room for paths.
    Leaps = word "leaps" () -> BoardDetail { "(board (square 8) leaps)" }
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
        }
    };
}
pub(in crate::language) use with_parts;
