# A position without `step:` and `left:` begins the turn at its first statement.
$ moves tests/commands/turn-begins/jumps.game --position tests/commands/turn-begins/two-jumps.position
$ show tests/commands/turn-begins/jumps.game --position tests/commands/turn-begins/two-jumps.position
$ moves tests/commands/turn-begins/jumps.game --position tests/commands/turn-begins/no-jump.position
$ show tests/commands/turn-begins/jumps.game --position tests/commands/turn-begins/no-jump.position
# It says just which ply it is.
$ show tests/commands/turn-begins/jumps.game --position tests/commands/turn-begins/step.position
$ moves tests/commands/turn-begins/jumps.game --position tests/commands/turn-begins/left.position
# Several turns fit.
$ moves tests/commands/turn-begins/jumps.game --position tests/commands/turn-begins/ambiguous.position
$ moves tests/commands/turn-begins/jumps.game --position tests/commands/turn-begins/ambiguous.position --format json
$ perft tests/commands/turn-begins/jumps.game 1 --position tests/commands/turn-begins/ambiguous.position --format json
# Where a player is to move the roll has been made.
$ show tests/commands/turn-begins/dice.game --position tests/commands/turn-begins/rolled.position
$ moves tests/commands/turn-begins/dice.game --position tests/commands/turn-begins/roll.position
