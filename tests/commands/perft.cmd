# Counts.
$ perft games/kitaran.game 3 --format json
$ perft games/kitaran.game 0 --format json
$ perft games/kitaran.game 2 --format json --divide --from tests/commands/kitaran.record
$ perft games/kitaran.game 1 --format json --from tests/commands/finished.record
# By turns: White moves an amazon and shoots, which is one turn; the rest of a turn that has begun counts as one.
$ perft tests/games/amazons.game 1 --format json --by turn
$ perft tests/games/amazons.game 1 --format json --by turn --from tests/commands/amazons.record
$ perft games/double-move-situ.game 2 --format json --by turn -o Grid=square -o Order=2
$ perft games/double-move-situ.game 2 --format json --by turn --divide -o Grid=square -o Order=2 --from tests/commands/situ.record
# One player's turn that never ends is the fault of the rules.
$ perft tests/commands/lonely.game 1 --by turn --divide
$ perft games/kitaran.game 1 --by round
# Games that are over count as leaves; turns that come to the same position count once.
$ perft tests/games/tic-tac-toe.game 9 --format json
$ perft tests/games/tic-tac-toe.game 9 --format json --finished count
$ perft tests/games/tic-tac-toe.game 9 --format json --by turn --finished count
$ perft games/double-move-situ.game 2 --format json --by position -o Grid=square -o Order=2
$ perft games/double-move-situ.game 2 --format json --by position --divide -o Grid=square -o Order=2 --from tests/commands/situ.record
$ perft tests/games/draughts.game 5 --format json --by position
