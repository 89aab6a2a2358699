# Dice roll themselves; taking back and making again never changes what they show.
$ play games/swarm.game --seed 7 -o Size=4
> undo
$ play games/swarm.game --seed 7 -o Size=4
> d4-d3
> a1-a2
> b1-b2
> c1-c2
> a2-a3
> b2-b3
> undo
> redo
> undo
> b2-b3
> save {tmp}/round.record
$ replay games/swarm.game {tmp}/round.record --format json
$ moves games/swarm.game --from {tmp}/round.record
$ play games/swarm.game --from {tmp}/round.record
> undo
> b2-b3
> redo
