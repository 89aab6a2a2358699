//! What commands print in JSON, against the schemas that `ludwright schema` prints.
//!
//! A key that no schema names is a fault, too, although readers must expect keys of later versions.

use crate::cli::{commands, run};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Output;

/// Keywords of JSON Schema that say nothing of what is valid.
const SILENT: [&str; 6] = ["$schema", "$defs", "title", "description", "format", "default"];

/// A fault, with the path to it.
type Checked<T> = Result<T, String>;

/// A schema with its definitions.
struct Validator {
    root: Value,
}

impl Validator {
    /// Checks a value, and that its keys are described.
    fn check(&self, value: &Value) -> Checked<()> {
        self.closed(&self.root, value, "")
    }

    fn closed(&self, schema: &Value, value: &Value, path: &str) -> Checked<()> {
        let known = self.keys(schema, value, path)?;
        let keys = value.as_object().into_iter().flat_map(|object| object.keys());
        match keys.into_iter().find(|key| !known.contains(*key)) {
            Some(key) => Err(format!("{path}: the key {key:?} is in no schema")),
            None => Ok(()),
        }
    }

    /// Checks a value, and returns its keys that the schema describes.
    fn keys(&self, schema: &Value, value: &Value, path: &str) -> Checked<BTreeSet<String>> {
        let all = || value.as_object().into_iter().flat_map(|all| all.keys().cloned());
        let mut known = BTreeSet::new();
        let schema = match schema {
            Value::Bool(true) => return Ok(all().collect()),
            Value::Object(schema) => schema,
            schema => return Err(format!("{path}: {schema} allows nothing")),
        };
        let fail = |wanted: &Value| Err(format!("{path}: expected {wanted}, found {value}"));
        for (keyword, wanted) in schema {
            match keyword.as_str() {
                "$ref" => {
                    let at = wanted.as_str().unwrap_or_default().trim_start_matches('#');
                    let meant = self.root.pointer(at).ok_or(format!("{path}: no {wanted}"))?;
                    known.extend(self.keys(meant, value, path)?);
                }
                "const" if value != wanted => return fail(wanted),
                "enum" if !wanted.as_array().is_some_and(|all| all.contains(value)) => {
                    return fail(wanted);
                }
                "const" | "enum" => {}
                "type" => {
                    let names = match wanted {
                        Value::Array(names) => names.clone(),
                        name => vec![name.clone()],
                    };
                    if !names.iter().any(|name| is_of_type(value, name.as_str())) {
                        return fail(wanted);
                    }
                }
                "minimum" if value.as_f64() < wanted.as_f64() && value.is_number() => {
                    return fail(wanted);
                }
                "maximum" if value.as_f64() > wanted.as_f64() && value.is_number() => {
                    return fail(wanted);
                }
                "minimum" | "maximum" => {}
                "required" => {
                    let keys = wanted.as_array().into_iter().flatten().filter_map(Value::as_str);
                    let mut keys = keys.filter(|key| value.get(*key).is_none());
                    if let Some(key) = keys.next().filter(|_| value.is_object()) {
                        return Err(format!("{path}: no {key:?}"));
                    }
                }
                "properties" => {
                    for (key, schema) in wanted.as_object().into_iter().flatten() {
                        if let Some(inner) = value.get(key) {
                            self.closed(schema, inner, &format!("{path}/{key}"))?;
                            known.insert(key.clone());
                        }
                    }
                }
                "additionalProperties" => {
                    let named =
                        |key: &String| schema.get("properties").and_then(|all| all.get(key));
                    for key in all().filter(|key| named(key).is_none()) {
                        self.closed(wanted, &value[&key], &format!("{path}/{key}"))?;
                        known.insert(key);
                    }
                }
                "items" => {
                    for (index, item) in value.as_array().into_iter().flatten().enumerate() {
                        self.closed(wanted, item, &format!("{path}/{index}"))?;
                    }
                }
                "prefixItems" => {
                    let items = value.as_array().into_iter().flatten();
                    let schemas = wanted.as_array().into_iter().flatten();
                    for (index, (item, schema)) in items.zip(schemas).enumerate() {
                        self.closed(schema, item, &format!("{path}/{index}"))?;
                    }
                }
                "minItems" | "maxItems" => {
                    let number = value.as_array().map(|items| json!(items.len()));
                    if number.is_some_and(|number| number != *wanted) {
                        return fail(wanted);
                    }
                }
                "allOf" => {
                    for schema in wanted.as_array().into_iter().flatten() {
                        known.extend(self.keys(schema, value, path)?);
                    }
                }
                "anyOf" | "oneOf" => {
                    let mut faults = Vec::new();
                    let mut fitting = 0;
                    for schema in wanted.as_array().into_iter().flatten() {
                        match self.keys(schema, value, path) {
                            Ok(keys) => {
                                known.extend(keys);
                                fitting += 1;
                            }
                            Err(fault) => faults.push(fault),
                        }
                    }
                    if fitting == 0 || keyword == "oneOf" && fitting > 1 {
                        let faults = faults.join(" | ");
                        return Err(format!("{path}: {fitting} of {keyword} fit: {faults}"));
                    }
                }
                silent if SILENT.contains(&silent) => {}
                other => return Err(format!("{path}: the keyword {other:?} is not understood")),
            }
        }
        Ok(known)
    }
}

fn is_of_type(value: &Value, name: Option<&str>) -> bool {
    match name {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("boolean") => value.is_boolean(),
        Some("null") => value.is_null(),
        Some("number") => value.is_number(),
        Some("integer") => value.is_u64() || value.is_i64(),
        _ => false,
    }
}

/// The schemas that were asked for.
#[derive(Default)]
struct Schemas {
    validators: BTreeMap<String, Validator>,
}

impl Schemas {
    fn of(&mut self, command: &str) -> &Validator {
        self.validators.entry(command.to_owned()).or_insert_with(|| {
            let output = run(&["schema", command], "");
            let root: Value = serde_json::from_slice(&output.stdout).expect("a schema");
            assert_eq!(root["$schema"], "https://json-schema.org/draft/2020-12/schema");
            Validator { root }
        })
    }

    /// Checks each line that a command prints.
    fn check(&mut self, arguments: &[&str], output: &Output) -> Vec<Value> {
        let both = [(arguments[0], &output.stdout), ("diagnostics", &output.stderr)];
        let mut lines = Vec::new();
        for (name, printed) in both {
            for line in String::from_utf8_lossy(printed).lines() {
                let value: Value = serde_json::from_str(line)
                    .unwrap_or_else(|error| panic!("{arguments:?}: {error} in {line}"));
                if let Err(fault) = self.of(name).check(&value) {
                    panic!("{arguments:?}: {fault}\n{line}");
                }
                lines.push(value);
            }
        }
        lines
    }
}

/// Commands as in `commands/*.cmd`, whose output is checked.
const COMMANDS: &str = "\
$ bench tests/games/tic-tac-toe.game --seconds 0.01
$ check tests/mistakes tests/games/tic-tac-toe.game tests/no-such.game
$ check --deep games/kitaran.game -o Size=3
$ diff tests/games/tic-tac-toe.game --right Size=4
$ diff tests/commands/diff/three.game tests/commands/diff/late.game
$ diff tests/commands/diff/three.game tests/commands/diff/renamed.game
$ diff tests/games/tic-tac-toe.game tests/commands/diff/renamed.game --match-names
$ diff tests/games/chess.game tests/games/chess.game --positions 100 --games 1
$ eval games/kitaran.game (any (and (beside s) (empty)))
$ eval games/cicada.game (count (empty))
$ explain
$ explain walk
$ explain unknown-ludeme
$ fmt -
> (game \"A\" (players B C))
$ games
$ manual
$ manual --textmate
$ manual --vim
$ moves games/swarm.game
$ moves games/lichen-chess.game -o Wings=off
$ new {tmp}/new
$ new {tmp}/other --from kitaran
$ new {tmp}/draft --from-ludii tests/ludii/left-out.lud
$ new {tmp}/none --from-ludii tests/ludii/unclosed.lud
$ page kitaran --module {tmp}/module.gz -O {tmp}/page.html
$ perft games/kitaran.game 2 --divide
$ perft games/double-move-situ.game 1 --by turn
$ plan games/cicada.game --code
$ plan games/lichen-chess.game
$ play games/kitaran.game --seat White=mcts:10it
> b2
> why a1
> (mine)
> why (mine)
> help
> nothing
$ play games/swarm.game --seed 1
> watch (mine)
> moves
$ playtest tests/games/tic-tac-toe.game --games 4 --seat X=mcts:10it --seat O=random
$ playtest tests/games/tic-tac-toe.game --games 20 --seat X=random --seat O=random --compare-with kitaran -O {tmp}/other.json
$ playtest tests/games/tic-tac-toe.game --games 20 --seat X=random --seat O=random --compare-with {tmp}/other.json
$ playtest tests/games/tic-tac-toe.game --games 20 --seat X=random --seat O=random --leave-out
$ playtest tests/games/tic-tac-toe.game --games 2 --seat X=random --seat O=greedy --shard 1/2 -O {tmp}/part.json
$ merge {tmp}/part.json
$ convert tests/games/go.game tests/commands/formats/small.sgf --to record
$ replay games/kitaran.game tests/pictures/kitaran.record --legal
$ replay games/kitaran.game tests/pictures/kitaran.record --step
> redo
> why
> (mine)
> save {tmp}/stepped.record
$ rules tests/games/tic-tac-toe.game
$ schema
$ show games/kitaran.game
$ show games/kitaran.game --svg
$ site {tmp}/site tests/games/tic-tac-toe.game --module {tmp}/module.gz
$ solve tests/games/tic-tac-toe.game
$ solve tests/games/tic-tac-toe.game --certificate {tmp}/made.certificate
$ verify tests/games/tic-tac-toe.game {tmp}/made.certificate
$ solve tests/games/chess.game --positions 1000
$ solve games/kitaran.game --table --positions 500
$ studio --site {tmp}/studio --module {tmp}/module.gz
$ sweep tests/games/tic-tac-toe.game -o Size=3 --games 2 --seat X=random --seat O=random
$ test games/kitaran.game --no-claims
$ test tests/commands/claims/run.game --games 20 --plies 500 --contests 4
$ trace games/cicada.game tests/commands/trace/cicada.record --watch (mine)
$ trace games/swarm.game tests/commands/trace/swarm.record
$ train tests/games/tic-tac-toe.game --games 4 --match 1 -O {tmp}/made.evaluation
$ why games/kitaran.game convert a1
$ why games/kitaran.game (any (mine))
$ why games/kitaran.game --from tests/pictures/kitaran.record
";

/// Commands that print what other programs than readers of JSON expect, called so that they fail.
const WITHOUT_JSON: &str = "\
$ completions no-such-shell
$ engine no-such.game
$ lsp --no-such-option
$ man --no-such-option
";

/// What every command prints is as its schema says. Of commands without a schema, that are the
/// messages.
#[test]
fn all_json_is_as_its_schema_says() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("schemas");
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    // As much of the modules for browsers as is looked at.
    for name in ["module.gz", "module-ask.gz"] {
        std::fs::write(folder.join(name), [0x1f, 0x8b, 8, 0]).expect("a module");
    }
    let scripts = COMMANDS.replace("{tmp}", &folder.display().to_string());
    let mut schemas = Schemas::default();
    let mut seen = BTreeSet::from(["diagnostics".to_owned()]);
    for command in scripts.split("$ ").skip(1) {
        let mut lines = command.lines();
        let words: Vec<&str> = lines.next().unwrap_or_default().split(' ').collect();
        let input: String =
            lines.map(|line| format!("{}\n", line.trim_start_matches("> "))).collect();
        let output = run(&[&words[..], &["--format", "json"]].concat(), &input);
        let lines = schemas.check(&words, &output);
        assert!(!lines.is_empty(), "{words:?}");
        if !output.stdout.is_empty() {
            seen.insert(words[0].to_owned());
        }
    }
    let listed = run(&["schema"], "");
    let listed: BTreeSet<String> =
        String::from_utf8_lossy(&listed.stdout).lines().map(str::to_owned).collect();
    assert_eq!(listed, seen, "what has a schema, and what was tried");
    for command in WITHOUT_JSON.split("$ ").skip(1) {
        let words: Vec<&str> = command.split_whitespace().collect();
        let output = run(&[&words[..], &["--format", "json"]].concat(), "");
        assert_eq!((output.status.code(), &output.stdout[..]), (Some(2), &b""[..]), "{words:?}");
        assert_eq!(schemas.check(&words, &output).len(), 1, "{words:?}");
        seen.insert(words[0].to_owned());
    }
    let forgotten: Vec<String> =
        commands().into_iter().filter(|command| !seen.contains(command)).collect();
    assert!(forgotten.is_empty(), "these commands have no schema: {forgotten:?}");
}

/// The reason why a command fails is a line of JSON, and the exit code stays what it is.
#[test]
fn failures_are_told_in_json() {
    let mut schemas = Schemas::default();
    for (arguments, input, code, reason, place) in [
        (&["perft", "tests/no-such.game", "1"][..], "", 2, "usage", None),
        (&["perft", "games/kitaran.game"], "", 2, "usage", None),
        (&["perft", "games/kitaran.game", "1", "-o", "Sise=4"], "", 2, "usage", None),
        (&["replay", "games/kitaran.game", "tests/commands/illegal.record"], "", 1, "input", None),
        (
            &["moves", "tests/commands/faulty.game"],
            "",
            1,
            "unknown-ludeme",
            Some("tests/commands/faulty.game"),
        ),
        (&["eval", "games/kitaran.game", "(emty)"], "", 1, "unknown-ludeme", Some("expression")),
        (
            &["perft", "tests/commands/endless/endless.game", "4"],
            "",
            1,
            "endless",
            Some("tests/commands/endless/endless.game"),
        ),
        (&["play", "games/kitaran.game"], "nothing\n", 1, "input", None),
        (&["schema", "lsp"], "", 2, "usage", None),
    ] {
        let output = run(&[arguments, &["--format", "json"]].concat(), input);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        let lines = schemas.check(arguments, &output);
        let told = lines.iter().find(|line| line["schema"] == "ludwright-diagnostics");
        let told = told.unwrap_or_else(|| panic!("{arguments:?}: nothing is told: {lines:?}"));
        let first = &told["diagnostics"][0];
        assert_eq!(first["severity"], "error", "{arguments:?}: {told}");
        assert_eq!(first["code"], reason, "{arguments:?}: {told}");
        assert_eq!(first["file"].as_str(), place, "{arguments:?}: {told}");
        assert_eq!(first["line"].is_u64(), place.is_some(), "{arguments:?}: {told}");
    }
}

/// With a limit of positions, an answer does not depend on the time.
#[test]
fn positions_bound_searches_alike() {
    let answer = |arguments: &[&str]| {
        let output = run(&[arguments, &["--format", "json"]].concat(), "");
        let mut answer: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        if let Some(answer) = answer.as_object_mut() {
            answer.remove("seconds");
        }
        (output.status.code(), answer)
    };
    let chess = "tests/games/chess.game";
    let solve = ["solve", chess, "--positions", "2000"];
    let (code, first) = answer(&solve);
    assert_eq!((code, first["value"].as_str()), (Some(3), Some("unknown")));
    assert_eq!(first["why"], "the number of positions ran out");
    assert_eq!(answer(&solve), (code, first));
    // Proof search decides what cannot be explored as a whole.
    let hex = ["solve", "tests/games/hex.game", "-o", "Size=3", "--positions", "500"];
    let (code, proven) = answer(&hex);
    assert_eq!((code, proven["value"].as_str()), (Some(0), Some("Red wins")), "{proven}");
    assert_eq!(proven["scores"], json!({ "Red": 1.0, "Blue": 0.0 }));
    let diff = ["diff", chess, chess, "--positions", "300", "--games", "2"];
    let (code, first) = answer(&diff);
    assert_eq!(
        (code, first["short"].as_str(), &first["positions"]),
        (Some(0), Some("positions"), &json!(300))
    );
    assert_eq!(answer(&diff), (code, first));
}
