# A certificate is checked.
$ verify tests/games/dodgem.game tests/commands/certificates/dodgem.certificate
$ verify tests/games/dodgem.game tests/commands/certificates/dodgem.certificate --format json
# What shows nothing.
$ verify tests/games/tic-tac-toe.game tests/commands/certificates/dodgem.certificate
$ verify tests/games/dodgem.game tests/commands/certificates/wrong.certificate
$ verify tests/games/dodgem.game tests/commands/certificates/dodgem.certificate -o Size=4
$ verify tests/games/dodgem.game tests/games/dodgem.game
$ verify tests/games/dodgem.game nothing.certificate
$ solve tests/games/dodgem.game --table --certificate {tmp}/table.certificate
