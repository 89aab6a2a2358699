# Positions as files, for commands to start from, and shown in the same form.
$ show games/kitaran.game -o Size=3
$ show games/kitaran.game --from tests/commands/finished.record
$ show games/kitaran.game --from tests/commands/finished.record --format json
$ show games/double-move-situ.game -o Grid=square -o Order=2
$ show tests/games/chess.game --position tests/positions/kiwipete.position
$ moves games/kitaran.game --position tests/commands/small.position
$ moves games/kitaran.game --position tests/commands/small.position -o Size=4
$ moves games/kitaran.game --position tests/commands/small.position --from tests/commands/kitaran.record
$ perft games/kitaran.game 2 --position tests/commands/small.position --format json
$ perft tests/games/chess.game 3 --position tests/positions/kiwipete.position --format json
$ moves games/cicada.game --position tests/commands/small.position
$ moves games/kitaran.game --position tests/commands/kitaran.record
$ moves games/kitaran.game --position nothing.position
$ play games/kitaran.game --position tests/commands/small.position
> place a1
> undo
> undo
$ play games/kitaran.game --position tests/commands/small.position
> place a1
> save {tmp}/small.record
