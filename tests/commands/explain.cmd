# Pages: of a ludeme with several meanings, a word that is a ludeme and a type, findings, and words that nobody knows.
$ explain
$ explain group
$ explain count
$ explain site
$ explain NE
$ explain board detail
$ explain unclosed-bracket
$ explain file-too-large
$ explain include
$ explain (beside)
$ explain besdie
$ explain unknwon-name
$ explain xyzzy
# What cannot be said, or is written otherwise.
$ explain hidden
$ explain hidden-information
$ explain simultaneous moves
$ explain teams
$ explain concentric
$ explain vertex
$ explain pyramid
$ explain Betza
$ explain tiles
$ explain track
$ explain uci
$ explain pgn
# Pages as JSON.
$ explain mover --format json
$ explain unknown-site --format json
$ explain xyzzy --format json
