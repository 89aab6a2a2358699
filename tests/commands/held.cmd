# A hand and a number of each site are held between 0 and their most, and it is said where that happened.
$ trace tests/commands/held/toll.game tests/commands/held/toll.record
$ why tests/commands/held/toll.game --from tests/commands/held/toll.record
