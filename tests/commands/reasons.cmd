# Why a move is illegal: the clause of the rules that forbids it.
$ test games/kitaran.game tests/commands/reasons/kitaran.case
$ test games/cicada.game tests/commands/reasons/cicada.case
$ test games/swarm.game tests/commands/reasons/swarm.case
$ test games/lichen-chess.game tests/commands/reasons/lichen-chess.case
$ test games/double-move-situ.game tests/commands/reasons/double-move-situ.case
$ replay games/kitaran.game tests/commands/illegal.record
$ moves games/kitaran.game --from tests/commands/illegal.record --format json
$ play games/kitaran.game -o Size=3
> b2
> convert b1
$ play games/kitaran.game -o Size=3
> b2
> b2
$ play games/kitaran.game --from tests/commands/finished.record
> place a1
