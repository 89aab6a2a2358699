# Another program's place.
$ engine games/kitaran.game -o Size=3
> setoption name Threads value 1
> ugi
> isready
> stop
> position startpos moves place_b2 place_a1
> query position
> query turn
> query p1turn
> query moves
> query gameover
> query result
> go nodes 50
> uginewgame
> query position
> position fen 3 . B .|2 B W B|1 . . .|to move: White moves place_a1
> query position
> setoption name Size value 4
> query position
> position startpos moves place b2
# Every way to say something wrong; nothing changes.
$ engine games/kitaran.game -o Size=3
> qeury turn
> psoition startpos
> query
> query tern
> query reslut
> position
> position fen
> position fen nonsense
> position fen option: Size=4|4 . . . .
> position startpos moves place_b2 place_b2
> position startpos moves plcae_b2
> position startpos moves place
> position startpos moves place_z9
> position startpos moves place_b2 convert_c1
> setoption Threads 1
> setoption name Threads value 0
> setoption name Hash value 0
> setoption name Seed value -1
> setoption name Hahs value 1
> setoption name Size value 99
> go deep
> go nodes
> go nodes -1
> go movetime soon
> query turn
# A game that is over, and rules that go round without end: nobody waits for a move in vain.
$ engine tests/games/tic-tac-toe.game
> position startpos moves place_a1 place_b1 place_a2 place_b2 place_a3
> query gameover
> query result
> go nodes 5
$ engine tests/commands/endless/endless.game
> position startpos moves drop_a1 drop_b2 drop_c3
> position startpos moves drop_a1 drop_b2
> go nodes 20
> query turn
# Dice are rolled with the seed.
$ engine games/swarm.game
> setoption name Seed value 7
> query turn
> query p1turn
> go
> position startpos moves roll_2_5
> query turn
$ engine no-such.game
# Who thinks.
$ engine games/kitaran.game -o Size=3
> setoption name Threads value 1
> setoption name Player value human
> setoption name Player value strong
> go nodes 40
> setoption name Player value random
> go nodes 40
