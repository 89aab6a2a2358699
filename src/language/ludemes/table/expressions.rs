//! Expressions: regions, sites, directions, players, kinds, numbers and conditions.

macro_rules! with_expressions {
    ($then:ident $($before:tt)*) => {
        $crate::language::ludemes::table::with_statements! {
            $then $($before)*
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
    /// The directions of a chess knight's leap: eight on squares if the board has `leaps`, else none.
    /// `(slide s leaping)` is where a nightrider goes.
    Leaping = word "leaping" () -> Directions { "(count (beside b2 leaping))" }
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
        }
    };
}
pub(in crate::language) use with_expressions;
