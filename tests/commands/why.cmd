# Kitaran: what is not offered, a requirement with a variable of its own, and two moves that may be meant.
$ why games/kitaran.game b2 --position tests/commands/why/kitaran.position
$ why games/kitaran.game convert a1 --position tests/commands/why/kitaran.position
$ why games/kitaran.game place a1 --position tests/commands/why/kitaran.position
$ why games/kitaran.game convert b2 --position tests/commands/why/kitaran.position --format json
# A clause of another file, and clauses of two files.
$ why games/diagonal-kitaran.game convert b2 --position tests/commands/why/kitaran.position
$ why games/diagonal-kitaran.game place b2 --position tests/commands/why/kitaran.position
# Cicada: a group that would be too large, and a legal move.
$ why games/cicada.game move a2-b3 --position tests/commands/why/cicada.position
$ why games/cicada.game move a2-c2 --position tests/commands/why/cicada.position
$ why games/cicada.game move a2-a1 --position tests/commands/why/cicada.position
# Double-Move Situ: what definitions come to.
$ why games/double-move-situ.game remove d4 --position tests/commands/why/double-move-situ.position
$ why games/double-move-situ.game place d2 --position tests/commands/why/double-move-situ.position
$ why games/double-move-situ.game cut d2 --position tests/commands/why/double-move-situ.position
# Lichen Chess: directions, tokens, control.
$ why games/lichen-chess.game move C3-D2 --position tests/commands/why/lichen-chess.position
$ why games/lichen-chess.game move B3-B2 --position tests/commands/why/lichen-chess.position
$ why games/lichen-chess.game colonize C3-B3 --position tests/commands/why/lichen-chess.position
$ why games/lichen-chess.game pass --position tests/commands/why/lichen-chess.position
$ why games/lichen-chess.game place C1 --position tests/commands/why/lichen-chess.position
# Swarm: a turn that could not be completed, numbers, another decision.
$ why games/swarm.game a1-a2 --position tests/commands/why/swarm.position
$ why games/swarm.game move a1-c1 --position tests/commands/why/swarm.position
$ why games/swarm.game enter b1 --position tests/commands/why/swarm.position
$ why games/swarm.game roll 7 1
$ why games/swarm.game roll 1 1
# A move that a condition of the order of play keeps from being offered: in a position, and after plies.
$ why tests/games/international-draughts.game "step h10-g9" --position tests/commands/why/compulsory.position
$ why tests/commands/why/order.game step a1-a2
$ why tests/commands/why/order.game bless a1
$ play tests/commands/why/order.game
> drop a1
> why step a1-a2
> why drop a2
> bless a1
> drop c3
> bless c3
> drop b2
> bless b2
> drop c2
> bless c2
> why drop a3
> rest
> why step a1-a2
> step a1-a2
# What nobody could mean.
$ why games/kitaran.game plaec a1
$ why games/kitaran.game place z9
$ why games/kitaran.game z9
$ why games/kitaran.game place
$ why games/lichen-chess.game place C1 X
# How games ended, and what their last plies did.
$ why games/kitaran.game result --from tests/commands/trace/kitaran.record
$ why games/kitaran.game --from tests/commands/trace/kitaran.record
$ why games/cicada.game result --from tests/commands/trace/cicada.record
$ why games/cicada.game --from tests/commands/trace/cicada.record
$ why games/double-move-situ.game result --from tests/commands/trace/double-move-situ.record
$ why games/lichen-chess.game result --from tests/commands/trace/lichen-chess.record
$ why games/lichen-chess.game --from tests/commands/trace/lichen-chess.record
$ why games/swarm.game result --from tests/commands/trace/swarm.record --format json
$ why games/swarm.game --from tests/commands/trace/swarm.record --format json
$ why games/kitaran.game a1 --from tests/commands/trace/kitaran.record
$ why games/kitaran.game result
$ why games/kitaran.game
# At the prompt.
$ play games/kitaran.game -o Size=3
> why b2
> b2
> why
> why b2
> why result
$ play games/swarm.game --seed 7 -o Size=4
> why
> d4-d3
> why
$ play games/kitaran.game -o Size=3 --format json
> b2
> why
> why a1
# Of several ways to go, those are shown that are for the piece at hand.
$ why tests/games/chess.game move e2-e5
$ why tests/games/chess.game move e2-e4
