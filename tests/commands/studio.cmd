# The studio serves a folder or a rules file, and nothing else.
$ studio no-such-folder --no-open
$ studio README.md --no-open
$ studio cicada --no-open -o Size=4 -o Size=5
$ studio --no-open --port 70000
