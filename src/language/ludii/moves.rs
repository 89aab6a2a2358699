//! Moves: every `(move …)` of Ludii becomes a move of ours with a verb, wherever it stands. Ludemes
//! around it (`if`, `priority`, the piece whose move it is) become requirements.

use super::effects::word_of;
use super::table::Type;
use super::{LIST, LONGEST, PLAYERS, Writer, elements, is};
use crate::syntax::Node;

/// How many moves a draft has at most.
const MOST_MOVES: usize = 256;

/// A move with its verb, before memories are kept up to date in it.
#[derive(Default)]
pub(super) struct Verb {
    pub name: String,
    pub parameters: String,
    pub requirements: String,
    pub effects: String,
    /// The effects of Ludii's `then`, which come last.
    pub consequences: String,
    /// The sites that it went from and to, as far as it has them.
    pub from: Option<&'static str>,
    pub to: Option<&'static str>,
}

impl Verb {
    /// The move that does nothing.
    pub fn pass() -> Verb {
        Verb { name: String::from("pass"), ..Verb::default() }
    }
}

/// The arguments of a form by their kind.
#[derive(Default)]
pub(super) struct Arguments<'n> {
    pub words: Vec<&'n str>,
    labelled: Vec<(&'n str, &'n Node)>,
    pub forms: Vec<&'n Node>,
}

impl<'n> Arguments<'n> {
    pub fn form(&self, head: &str) -> Option<&'n Node> {
        self.forms.iter().find(|form| is(form, head)).copied()
    }

    pub fn label(&self, label: &str) -> Option<&'n Node> {
        self.labelled.iter().find(|(known, _)| *known == label).map(|(_, node)| *node)
    }
}

/// Sorts arguments into words, labels with their values, and forms.
pub(super) fn arguments(args: &[Node]) -> Arguments<'_> {
    let mut fields = Arguments::default();
    let mut args = args.iter();
    while let Some(arg) = args.next() {
        match arg.as_word() {
            Some(word) if word.ends_with(':') => {
                fields.labelled.extend(args.next().map(|value| (word, value)));
            }
            Some(word) => fields.words.push(word),
            None => fields.forms.push(arg),
        }
    }
    fields
}

/// Where a move is found.
#[derive(Clone, Default)]
pub(super) struct Place {
    /// The kind of piece that moves.
    kind: Option<String>,
    /// Requirements, with comments where a condition is left out.
    requirements: String,
}

impl Place {
    pub fn under(&self, condition: &str) -> Place {
        self.with(&format!("(require {condition})\n"))
    }

    fn with(&self, requirement: &str) -> Place {
        let requirements = format!("{}{requirement}", self.requirements);
        Place { kind: self.kind.clone(), requirements }
    }
}

impl Writer {
    /// Adds the moves of an expression to the verbs.
    pub(super) fn plays(&mut self, node: &Node, place: &Place) {
        // Our games have no more moves; nor could anybody read so many requirements.
        if self.verbs.len() >= MOST_MOVES || place.requirements.len() > LONGEST {
            return self.gap(node);
        }
        let args = node.args();
        let first = args.first();
        match node.head().map(|(head, _)| head) {
            Some("or" | LIST) => {
                for part in args.iter().flat_map(elements) {
                    match is(part, "then") {
                        true => self.gap(part),
                        false => self.plays(part, place),
                    }
                }
            }
            Some("if") if args.len() >= 2 => {
                let condition = self.within(&[("(from)", "s")], |writer| {
                    writer.translate(Type::Condition, &args[0])
                });
                let (then, otherwise) = match condition {
                    Some(condition) => {
                        (place.under(&condition), place.under(&format!("(not {condition})")))
                    }
                    None => {
                        let place = place.with(&self.comment());
                        (place.clone(), place)
                    }
                };
                self.plays(&args[1], &then);
                args.get(2).into_iter().for_each(|node| self.plays(node, &otherwise));
            }
            Some("do") if args.get(1).and_then(Node::as_word) == Some("ifAfterwards:") => {
                let before = self.verbs.len();
                self.plays(&args[0], place);
                let required = args.get(2).map(|condition| {
                    self.or_comment(|writer| {
                        let condition = writer.translate(Type::Condition, condition)?;
                        Some(format!("(require {condition})"))
                    })
                });
                for verb in &mut self.verbs[before..] {
                    verb.effects += required.as_deref().unwrap_or_default();
                }
            }
            Some("priority") => {
                let mut place = place.clone();
                for part in args.iter().flat_map(elements) {
                    let before = self.verbs.len();
                    self.plays(part, &place);
                    let names: Vec<&str> =
                        self.verbs[before..].iter().map(|verb| verb.name.as_str()).collect();
                    if !names.is_empty() {
                        place = place.under(&format!("(not (can {}))", names.join(" ")));
                    }
                }
            }
            Some("forEach") if first.and_then(Node::as_word) == Some("Piece") => {
                self.each_piece(node, place);
            }
            Some("move") => self.plays_move(node, place),
            _ => self.gap(node),
        }
    }

    /// Adds the moves of each kind of piece, or those given.
    fn each_piece(&mut self, node: &Node, place: &Place) {
        let given = &node.args()[1..];
        let label = given.first().and_then(Node::as_text);
        let (moves, rest) = match given {
            [] => (None, &[][..]),
            [_] if label.is_some() => (None, &[][..]),
            [moves] => (Some(moves), &[][..]),
            [_, moves] if label.is_some() => (Some(moves), &[][..]),
            rest => (None, rest),
        };
        if let Some(surplus) = rest.first() {
            return self.gap(surplus);
        }
        let meant = label.and_then(|label| self.equipment.piece(label)).map(|(kind, _)| kind);
        if label.is_some() && meant.is_none() {
            return self.gap(node);
        }
        let pieces: Vec<(String, Option<usize>, Option<Node>)> = self
            .equipment
            .pieces
            .iter()
            .filter(|piece| !piece.unowned)
            .map(|piece| (piece.kind.clone(), piece.owner, piece.moves.clone()))
            .collect();
        let mut seen: Vec<String> = Vec::new();
        for (kind, owner, own) in pieces {
            let Some(moves) = moves.or(own.as_ref()).filter(|_| {
                meant.as_ref().is_none_or(|meant| *meant == kind)
                    && !(moves.is_some() && seen.contains(&kind))
            }) else {
                continue;
            };
            seen.push(kind.clone());
            // Where both players have pieces of this name, those of one may move otherwise.
            let shares =
                self.equipment.pieces.iter().filter(|piece| piece.kind == kind).count() > 1;
            let mut place = place.clone();
            if let Some(owner) = owner.filter(|_| shares) {
                place = place.under(&format!("(= mover {})", PLAYERS[owner.min(7)]));
            }
            place.kind = Some(kind);
            self.plays(moves, &place);
        }
    }

    /// Adds a move with its consequences to the verbs.
    fn plays_move(&mut self, node: &Node, place: &Place) {
        let fields = arguments(node.args());
        let before = self.findings.len();
        let verb = self.within(&[("(from)", "s"), ("(to)", "t")], |writer| {
            let mut verb = writer.verb(node, &fields, place)?;
            if let Some(then) = fields.form("then") {
                let last = [("(last To)", verb.to), ("(last From)", verb.from)];
                let meant: Vec<(&str, &str)> =
                    last.iter().filter_map(|(form, ours)| Some((*form, (*ours)?))).collect();
                for effect in then.args() {
                    verb.consequences += &writer
                        .within(&meant, |writer| writer.or_comment(|writer| writer.effect(effect)));
                }
            }
            Some(verb)
        });
        match verb {
            Some(mut verb) => {
                verb.requirements += &place.requirements;
                verb.effects = self.comment() + &verb.effects;
                self.add(verb, place);
            }
            None if self.findings.len() == before => self.gap(node),
            None => {}
        }
    }

    /// Gives a verb a name that no other one has.
    fn add(&mut self, mut verb: Verb, place: &Place) {
        let taken = |name: &str| self.verbs.iter().any(|verb| verb.name == name);
        let plain = verb.name.clone();
        if let Some(kind) = place.kind.as_ref().filter(|_| taken(&plain)) {
            verb.name = format!("{plain}-{}", kind.to_lowercase());
        }
        let base = verb.name.clone();
        for number in 2.. {
            if !taken(&verb.name) {
                break;
            }
            verb.name = format!("{base}-{number}");
        }
        self.verbs.push(verb);
    }

    /// Reports arguments that the translation of a form does not look at.
    pub(super) fn surplus(&mut self, node: &Node, words: usize, labels: &[&str], forms: &[&str]) {
        let fields = arguments(node.args());
        for word in fields.words.iter().skip(words) {
            self.gap(&word_of(node, word));
        }
        for (label, _) in fields.labelled.iter().filter(|(label, _)| !labels.contains(label)) {
            self.gap(&word_of(node, label));
        }
        let known = |form: &&&Node| form.head().is_none_or(|(head, _)| forms.contains(&head));
        for form in fields.forms.iter().filter(|form| !known(form)) {
            self.gap(form);
        }
    }

    /// Translates a move without its consequences.
    fn verb(&mut self, node: &Node, fields: &Arguments, place: &Place) -> Option<Verb> {
        let what = fields.words.first().copied().unwrap_or("FromTo");
        let verb = |name: &str, parameters: String, effects: String| Verb {
            name: name.to_owned(),
            parameters,
            effects,
            from: (!["place", "take", "shoot"].contains(&name)).then_some("s"),
            to: Some("t"),
            ..Verb::default()
        };
        match what {
            "Pass" => {
                self.surplus(node, 1, &[], &["then"]);
                Some(Verb::pass())
            }
            "Add" => {
                self.surplus(node, 1, &[], &["piece", "to", "then"]);
                let sites = self.sites(fields.form("to")?)?;
                let kind = match fields.form("piece") {
                    Some(piece) => self.translate(Type::Piece, piece.args().first()?)?,
                    None => self.equipment.own_kind(),
                };
                let effects = format!("{}(put {kind} t)\n", self.applied(fields.form("to"), "t"));
                Some(verb("place", format!("(to t {sites})"), effects))
            }
            "Remove" => {
                let (region, rest) = fields.forms.split_first()?;
                for form in rest.iter().filter(|form| !is(form, "then")) {
                    self.gap(form);
                }
                let sites = self.translate(Type::Region, region)?;
                Some(verb("take", format!("(at t {sites})"), String::from("(remove t)\n")))
            }
            "Shoot" => {
                self.surplus(node, 1, &[], &["piece", "then"]);
                let kind = self.translate(Type::Piece, fields.form("piece")?.args().first()?)?;
                let parameters = String::from("(at t (walk LastTo all (empty)))");
                Some(verb("shoot", parameters, format!("(put {kind} t)\n")))
            }
            "Step" | "Slide" | "Hop" | "Leap" => {
                let from = match fields.form("from").and_then(|from| from.args().first()) {
                    Some(from) if !is(from, "from") => self.translate(Type::Region, from)?,
                    _ => match &place.kind {
                        Some(kind) => format!("(mine {kind})"),
                        None => String::from("(mine)"),
                    },
                };
                let targets = self.targets(node, "s")?;
                let mut effects = self.applied(fields.form("between"), "(between s t)");
                effects += &self.applied(fields.form("to"), "(between s t)");
                effects += "(relocate s t)\n";
                let parameters = format!("(from s {from}) (to t {targets})");
                Some(verb(&what.to_lowercase(), parameters, effects))
            }
            "FromTo" => {
                self.surplus(node, 0, &[], &["from", "to", "then"]);
                let (from, to) = (fields.form("from")?, fields.form("to")?);
                let sites = self.sites(to)?;
                if from.args().first().is_some_and(|from| is(from, "handSite")) {
                    let hand = self.equipment.hand.as_ref().map(|(kind, _)| kind.clone());
                    let kind = hand.unwrap_or_else(|| self.equipment.own_kind());
                    let mut drop = verb(
                        "place",
                        format!("(to t {sites})"),
                        format!("(lower (Supply mover) 1)\n(put {kind} t)\n"),
                    );
                    drop.effects = self.applied(Some(to), "t") + &drop.effects;
                    drop.requirements = String::from("(require (> (Supply mover) 0))\n");
                    return Some(drop);
                }
                let from = self.sites(from)?;
                let parameters = format!("(from s {from}) (to t {sites})");
                let effects = self.applied(Some(to), "(between s t)") + "(relocate s t)\n";
                Some(verb("move", parameters, effects))
            }
            _ => {
                self.gap(node);
                None
            }
        }
    }

    /// Writes the effects `(apply EFFECT)` of a part of a move.
    fn applied(&mut self, part: Option<&Node>, between: &str) -> String {
        let is_apply = |node: &&Node| is(node, "apply");
        let Some(apply) = part.and_then(|part| part.args().iter().find(is_apply)) else {
            return String::new();
        };
        apply.args().iter().filter(|arg| arg.as_form().is_none()).for_each(|arg| self.gap(arg));
        let written = self.within(&[("(between)", between)], |writer| {
            let effects = apply.args().iter().filter(|effect| effect.as_form().is_some());
            effects
                .map(|effect| writer.or_comment(|writer| writer.effect(effect)))
                .collect::<String>()
        });
        // A piece that comes to a site takes the place of the one there.
        if written == "(remove t)\n" { String::new() } else { written }
    }

    /// Writes the condition that some step, slide, hop or leap is possible.
    pub(super) fn can_move(&mut self, node: &Node) -> Option<String> {
        let moves = &node.args()[1..];
        let parts = moves.iter().flat_map(|node| match is(node, "or") {
            true => node.args().iter().flat_map(elements).collect(),
            false => vec![node],
        });
        let mut targets = Vec::new();
        for node in parts {
            let fields = arguments(node.args());
            let from = fields.form("from").and_then(|from| from.args().first());
            let Some(from) = from.filter(|_| is(node, "move")) else {
                self.gap(node);
                return None;
            };
            let from = self.translate(Type::Site, from)?;
            targets.push(self.targets(node, &from)?);
        }
        match targets.as_slice() {
            [only] => Some(format!("(any {only})")),
            several => Some(format!("(any (or {}))", several.join(" "))),
        }
    }

    /// Writes where a step, slide, hop or leap leads to from a site.
    pub(super) fn targets(&mut self, node: &Node, from: &str) -> Option<String> {
        let fields = &arguments(node.args());
        let what = fields.words.first().copied().unwrap_or_default();
        let over: &[&str] = if what == "Hop" { &["between"] } else { &[] };
        self.surplus(node, 2, &[], &[&["from", "to", "then", "directions", LIST], over].concat());
        for part in ["from", "to", "between"].iter().filter_map(|head| fields.form(head)) {
            let label = if is(part, "from") { "" } else { "if:" };
            self.surplus(part, 0, &[label], &["apply", "last", "from", "sites", "site", "ahead"]);
        }
        let forms = fields.forms.iter().filter(|form| is(form, "directions") || is(form, LIST));
        let directions = match (fields.words.get(1), forms.clone().next()) {
            _ if what == "Leap" => String::new(),
            (Some(word), _) => self.translate(Type::Directions, &word_of(node, word))?,
            (None, Some(form)) => self.translate(Type::Directions, form)?,
            (None, None) => String::from("all"),
        };
        let to = fields.form("to");
        let condition = to.and_then(|to| arguments(to.args()).label("if:"));
        let base = match what {
            "Step" => format!("(beside {from} {directions})"),
            "Slide" => return self.slide(from, &directions, condition),
            "Leap" => self.leaps(forms.copied().next()?, from)?,
            "Hop" => {
                let next = format!("(step {from} d)");
                let between = fields.form("between").map_or(&[][..], Node::args);
                let between = arguments(between);
                let over = match between.label("if:") {
                    None => format!("(and {next} (pieces))"),
                    condition => self.filtered(condition, "(between)", "b", &next, from)?,
                };
                format!("(union d {directions} (when (any {over}) (step {from} d 2)))")
            }
            _ => {
                self.gap(node);
                return None;
            }
        };
        match condition {
            None if what == "Hop" => Some(format!("(and {base} (empty))")),
            condition => self.filtered(condition, "(to)", "t", &base, from),
        }
    }

    /// Writes where a slide leads to: through empty sites, and to the first site with the
    /// condition, where it ends.
    fn slide(&mut self, from: &str, directions: &str, end: Option<&Node>) -> Option<String> {
        let Some(end) = end else { return Some(format!("(walk {from} {directions} (empty))")) };
        let end = self.region_where(end, "(to)", "t")?;
        Some(match end.as_str() {
            "(theirs)" => format!("(and (slide {from} {directions}) (not (mine)))"),
            end => format!(
                "(union d {directions} (or (walk {from} d (and (empty) (not {end}))) (and (first {from} d (or {end} (pieces))) {end})))"
            ),
        })
    }

    /// Writes the sites of a region for which a condition holds, as a region if the condition is
    /// one.
    fn filtered(
        &mut self,
        condition: Option<&Node>,
        form: &'static str,
        variable: &str,
        base: &str,
        from: &str,
    ) -> Option<String> {
        let Some(condition) = condition else { return Some(base.to_owned()) };
        let condition = self.within(&[("(from)", from), (form, variable)], |writer| {
            writer.translate(Type::Condition, condition)
        })?;
        Some(match as_region(&condition, variable) {
            Some(region) => format!("(and {base} {region})"),
            None => format!("(where {variable} {base} {condition})"),
        })
    }

    /// Writes where the leaps of a walk lead to: a number of steps ahead and, after a turn, aside.
    fn leaps(&mut self, walks: &Node, from: &str) -> Option<String> {
        let mut leaps: Vec<String> = Vec::new();
        for walk in elements(walks) {
            let steps: Vec<&str> = walk.args().iter().filter_map(Node::as_word).collect();
            let turn = steps.iter().position(|step| *step != "F");
            let (along, across) = match turn {
                Some(turn) => (turn, steps.len() - turn - 1),
                None => (steps.len(), 0),
            };
            let turns = steps.iter().filter(|step| **step != "F").count();
            if turns > 1 || along == 0 {
                self.gap(walk);
                return None;
            }
            let leap = format!("(leap {from} {along} {across})");
            if !leaps.contains(&leap) {
                leaps.push(leap);
            }
        }
        match leaps.as_slice() {
            [only] => Some(only.clone()),
            several => Some(format!("(or {})", several.join(" "))),
        }
    }

    /// Writes the sites of `(to REGION if:CONDITION)` or `(from REGION …)`.
    fn sites(&mut self, node: &Node) -> Option<String> {
        let fields = arguments(node.args());
        let Some(region) = fields.forms.first() else {
            self.gap(node);
            return None;
        };
        for part in &fields.forms[1..] {
            if !is(part, "apply") || !is(node, "to") {
                self.gap(part);
            }
        }
        let base = self.translate(Type::Region, region)?;
        let variable = if is(node, "from") { ("(from)", "s") } else { ("(to)", "t") };
        self.filtered(fields.label("if:"), variable.0, variable.1, &base, "s")
    }
}

/// Writes the sites for which a condition on a variable holds: `(in t REGION)` is REGION, unless
/// the region depends on the variable.
pub(super) fn as_region(condition: &str, variable: &str) -> Option<String> {
    let tree = crate::syntax::parse(condition);
    let node = tree.forms.first()?;
    let mentions = |text: &str| text.split(['(', ')', ' ']).any(|word| word == variable);
    let (head, args) = (node.head()?.0, node.args());
    match (head, args) {
        ("in", [site, region]) if site.as_word() == Some(variable) => {
            let region = region.span.text(condition);
            (!mentions(region)).then(|| region.to_owned())
        }
        ("and" | "or" | "not", args) => {
            let parts: Option<Vec<String>> =
                args.iter().map(|part| as_region(part.span.text(condition), variable)).collect();
            Some(format!("({head} {})", parts?.join(" ")))
        }
        _ => None,
    }
}
