# What a file claims: what holds, what fails and how, and what cannot be decided.
$ test tests/commands/claims/run.game --seconds 600 --threads 1
$ test tests/commands/claims/run.game --seconds 600 --threads 2 --seed 1 --show
$ test tests/commands/claims/run.game --seconds 600 --plies 30 --games 100 --format json
$ test tests/commands/claims/run.game --no-claims
$ test tests/commands/claims/run.game --seed 1 nothing
$ test tests/commands/claims/run.game -o Length=3 --seconds 600
$ test tests/commands/claims/nothing.game
