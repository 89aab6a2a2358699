# Positions that are typed, and every way to get one wrong.
$ play tests/commands/position/memories.game
> position draw
> 2 . W
> 1 B .
> Supply White: 1
> Height: a1 3, b2 1
> Link: a1 b2
> Marks: a1 b1
> Last: a1
> Leader: Black
> Glance: a1 N, a1 NE, b2 S
> Plies: -1
> to move: Black
> 
> position
# Hands and numbers with a mistake in them.
$ play tests/commands/position/memories.game
> position draw
> 2 . .
> 1 . .
> Supply Green: 1
> 
$ play tests/commands/position/memories.game
> position draw
> 2 . .
> 1 . .
> Supply: 1
> 
$ play tests/commands/position/memories.game
> position draw
> 2 . .
> 1 . .
> Plies White: 1
> 
$ play tests/commands/position/memories.game
> position draw
> 2 . .
> 1 . .
> Supply White Black: 1
> 
$ play tests/commands/position/memories.game
> position draw
> 2 . .
> 1 . .
> Supply White: -1
> 
$ play tests/commands/position/memories.game
> position draw
> 2 . .
> 1 . .
> Supply White: many
> 
$ play tests/commands/position/memories.game
> position draw
> 2 . .
> 1 . .
> Glance: a1 W2
> 
# Sites and directions with a mistake in them.
$ play tests/commands/position/memories.game
> position draw
> 2 . .
> 1 . .
> Glance: a1
> 
$ play tests/commands/position/memories.game
> position draw
> 2 . .
> 1 . .
> Height: a1 9
> 
$ play tests/commands/position/memories.game
> position draw
> 2 . .
> 1 . .
> Height: a1
> 
$ play tests/commands/position/memories.game
> position draw
> 2 . .
> 1 . .
> Link: a1 b9
> 
$ play tests/commands/position/memories.game
> position draw
> 2 . .
> 1 . .
> Link: a1
> 
$ play tests/commands/position/memories.game
> position draw
> 2 . .
> 1 . .
> Marks: a1, z9
> 
$ play tests/commands/position/memories.game
> position draw
> 2 . .
> 1 . .
> Last: elsewhere
> 
$ play tests/commands/position/memories.game
> position draw
> 2 . .
> 1 . .
> Leader: Green
> 
$ play tests/commands/position/memories.game
> position draw
> 2 . .
> 1 . .
> to move: Green
> 
# Turns and results with a mistake in them.
$ play tests/commands/position/memories.game
> position draw
> 2 . .
> 1 . .
> left: 1
> 
$ play tests/commands/position/memories.game
> position draw
> 2 . .
> 1 . .
> step: 0
> 
$ play tests/commands/position/memories.game
> position draw
> 2 . .
> 1 . .
> left: few
> 
$ play tests/commands/position/memories.game
> position draw
> 2 . .
> 1 . .
> phase: Opening
> 
$ play tests/commands/position/memories.game
> position draw
> 2 . .
> 1 . .
> result: Green wins
> 
$ play tests/commands/position/memories.game
> position draw
> 2 . .
> 1 . .
> Suply White: 1
> 
$ play tests/commands/position/memories.game
> position draw
> 2 . .
> 
# Diagrams and keys with a mistake in them.
$ play tests/commands/position/memories.game
> position draw
> 2 . .
> 3 . .
> 
$ play tests/commands/position/memories.game
> position draw
> 2 . . .
> 1 . .
> 
$ play tests/commands/position/memories.game
> position draw
> 2 . .
> 1 .
> 
$ play tests/commands/position/memories.game
> position draw
> 2 . Q
> 1 . .
> 
$ play tests/commands/position/memories.game
> position draw
> 2 . #
> 1 . .
> 
$ play tests/commands/position/memories.game
> position draw
> option: Size
> 2 . .
> 1 . .
> 
$ play tests/commands/position/memories.game
> position draw
> option: Size=1
> option: Size=2
> 2 . .
> 1 . .
> 
