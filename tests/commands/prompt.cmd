# Every command of the prompt, and every way to get one wrong.
$ play games/kitaran.game -o Size=3
> 
> moves
> play place b2
> /play a1
> undo
> goto 0
> redo
> goto 2
> board
> why convert b2
> why a1
> why
> targets
> options
> seats
> seed 5
> seed
> comment a calm beginning
> comment and a second line
> record
> position
> explain beside
> explain sites
> explain unknown-ludeme
> quit
# Help.
$ play games/kitaran.game -o Size=3
> help
> help /position
# Each command says more about itself.
$ play games/kitaran.game -o Size=3
> help moves
> help play
> help undo
> help redo
> help goto
> help board
> help targets
> help why
> help hint
> help eval
> help auto
> help seats
> help options
> help restart
> help seed
> help position
> help comment
> help record
> help save
> help load
> help explain
> help help
> help quit
# Commands with something wrong in them.
$ play games/kitaran.game -o Size=3
> help gato
$ play games/kitaran.game -o Size=3
> explain besides
$ play games/kitaran.game -o Size=3
> explain
$ play games/kitaran.game -o Size=3
> undo
$ play games/kitaran.game -o Size=3
> redo
$ play games/kitaran.game -o Size=3
> undo now
$ play games/kitaran.game -o Size=3
> goto
$ play games/kitaran.game -o Size=3
> goto b2
$ play games/kitaran.game -o Size=3
> goto 1
$ play games/kitaran.game -o Size=3
> play
$ play games/kitaran.game -o Size=3
> play undo
$ play games/kitaran.game -o Size=3
> play b9
$ play games/kitaran.game -o Size=3
> undp
$ play games/kitaran.game -o Size=3
> 7
$ play games/kitaran.game -o Size=3
> comment
$ play games/kitaran.game -o Size=3
> load
$ play games/kitaran.game -o Size=3
> load --force
$ play tests/commands/prompt/verbs.game
> options
# A pipe goes on after a line that fails.
$ play games/kitaran.game -o Size=3 --seed 1
> a1
> a1
> castle
> load missing.record
> b2
> record
# Where the moves lead.
$ play games/cicada.game -o Size=3
> b2
> targets b2
> place c3
$ play games/cicada.game -o Size=3
> targets b9
$ play games/cicada.game -o Size=3
> b2
> targets a1
$ play games/kitaran.game -o Size=3
> b2
> targets b2
$ play tests/commands/prompt/dice.game --seed 5
> targets
# A move of another phase, its verb left out.
$ play games/lichen-chess.game
> C1 N
> C1 N
$ play games/lichen-chess.game
> C1 N
> why C1 N
# Ambiguity is asked about.
$ play tests/commands/prompt/verbs.game
> b1
$ play tests/commands/prompt/verbs.game
> board
$ play tests/commands/prompt/verbs.game
> /board
> play board
$ play tests/commands/prompt/verbs.game
> undo
# Programs.
$ play games/kitaran.game -o Size=3 --seed 3
> hint greedy
> hint mcts:20it
> eval mcts:20it
> seats White=greedy
> b2
> auto 2 random
> auto greedy
> record
> undo
> seats White=human
> redo
$ play games/kitaran.game -o Size=3 --seed 3
> auto random
> moves
> hint
# Programs when the game is over.
$ play games/kitaran.game --from tests/commands/finished.record
> eval
$ play games/kitaran.game --from tests/commands/finished.record
> auto
$ play games/kitaran.game --from tests/commands/finished.record
> targets
# Programs that are spelled wrongly.
$ play games/kitaran.game -o Size=3
> hint human
$ play games/kitaran.game -o Size=3
> hint mcts:0it
$ play games/kitaran.game -o Size=3
> eval mcts:0s
$ play games/kitaran.game -o Size=3
> auto mcts:99999999999s
$ play games/kitaran.game -o Size=3
> hint mcts:soon
$ play games/kitaran.game -o Size=3
> eval greedy
$ play games/kitaran.game -o Size=3
> auto 0
$ play games/kitaran.game -o Size=3
> auto human
$ play games/kitaran.game -o Size=3
> auto slowly
$ play games/kitaran.game -o Size=3
> seats White
$ play games/kitaran.game -o Size=3
> seats Green=random
$ play games/kitaran.game -o Size=3
> seats White=robot
$ play games/kitaran.game -o Size=3
> seats White=random White=greedy
$ play games/kitaran.game -o Size=3
> seed -1
# A program waits where something was taken back.
$ play games/kitaran.game -o Size=3 --seed 3
> seats White=greedy
> b2
> goto 1
> redo
# Asked for so many plies, programs make no more.
$ play games/kitaran.game -o Size=3 --seat White=greedy --seed 3
> auto 1 random
# What is certain is said so.
$ play tests/games/tic-tac-toe.game --seed 3
> b2
> a2
> a3
> c1
> eval mcts:2000it
> play a1
> eval mcts:2000it
> c3
> hint mcts:2000it
# What is certain later in the game.
$ play tests/games/tic-tac-toe.game --seed 3
> b2
> a1
> a2
> c2
> c1
> a3
> b3
> eval mcts:2000it
$ play tests/games/tic-tac-toe.game --seed 3
> a1
> b1
> a3
> a2
> c3
> eval mcts:2000it
$ play tests/commands/prompt/wager.game --seed 3
> eval mcts:100it
$ play tests/commands/prompt/wager.game --seed 3 -o Sides=400
> eval mcts:30it
# Other options and other positions.
$ play games/kitaran.game -o Size=3 --seed 3
> b2
> restart Size=4 Komi=0.5
> a1
> position draw
>   3 . B .
>   2 B W B
>   1 . . .
>     a b c
> option: Size=3
> 
$ play games/kitaran.game -o Size=3
> position draw
> option: Size=3
> position:
>   3 . B .
>   2 B W B
>   1 . . .
>     a b c
> to move: White
> 
> position
> undo
$ play games/kitaran.game -o Size=3
> position draw
> 3 . X .
> 
$ play games/kitaran.game -o Size=3
> position draw
> 
$ play games/kitaran.game -o Size=4
> position tests/commands/small.position
> position no-such.position
$ play games/kitaran.game
> restart Size=1
$ play games/kitaran.game
> restart Sise=4
$ play games/kitaran.game
> restart Size
# Undo never rolls again.
$ play games/swarm.game --seed 5 -o Size=4
> options
> undo
$ play tests/commands/prompt/dice.game --seed 5
> step 1
> step 1
> step 1
> record
> undo
> undo
> redo
> step 1
> goto 1
> step 1
> step 1
> record
> seed 6
> undo
> step 1
> record
# As JSON.
$ play games/kitaran.game -o Size=3 --format json --seed 3
> b2
> targets
> seats
> record
> save {tmp}/json.record
> auto 1 greedy
> why a1
> quit
$ play games/kitaran.game -o Size=3 --format json
> undo
