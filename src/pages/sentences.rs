//! Statements in English, for rule sheets: one sentence each, with nested statements below it.

use super::escaped;
use super::phrase::Phrase;
use super::regions::article;
use super::words::{Place, Words};
use crate::language::rules::{
    Condition, DirectionOf, KeyOf, MemoryId, MoveId, Number, Parameter, ParameterRole, PieceOf,
    PlayerOf, SiteOf, Sites, Spanned, Statement, Value,
};
use crate::notation::{agreeing, capital, list};

/// A sentence, and the sentences nested below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    pub text: String,
    pub below: Vec<Sentence>,
}

impl Sentence {
    fn plain(text: String) -> Sentence {
        Sentence { text: begin(&text), below: Vec::new() }
    }

    fn with(text: String, below: Vec<Sentence>) -> Sentence {
        Sentence { text: begin(&text), below }
    }
}

/// Writes sentences as nested HTML lists; empty if there are no sentences.
pub fn html(sentences: &[Sentence]) -> String {
    if sentences.is_empty() {
        return String::new();
    }
    let mut text = String::from("<ul>\n");
    for sentence in sentences {
        text.push_str(&format!("<li>{}{}</li>\n", escaped(&sentence.text), html(&sentence.below)));
    }
    text.push_str("</ul>\n");
    text
}

/// Makes the first letter of a sentence a capital, unless it begins with a variable.
fn begin(text: &str) -> String {
    let first = text.split(' ').next().unwrap_or_default();
    if first.chars().count() <= 1 && !matches!(first, "a" | "A") {
        return text.to_owned();
    }
    capital(text)
}

impl Words<'_> {
    /// Writes statements in order.
    pub fn statements(self, statements: &[Spanned<Statement>]) -> Vec<Sentence> {
        let said = statements.iter().filter(|statement| !self.rules.keeps_bound(statement));
        said.flat_map(|statement| self.statement(&statement.node)).collect()
    }

    /// Names a number of pieces.
    fn pieces_of_number(self, number: &Number) -> String {
        match number {
            Number::Constant(2) => "the piece".to_owned(),
            number => format!("{} pieces", self.number(number)),
        }
    }

    /// Writes the choice for each parameter of a move.
    pub fn choices(self, parameters: &[Parameter]) -> Vec<Sentence> {
        let choice = |parameter: &Parameter| {
            let verb = match parameter.role {
                ParameterRole::From => "From",
                ParameterRole::To => "To",
                ParameterRole::At => "At",
                ParameterRole::Towards | ParameterRole::Number | ParameterRole::Piece => "Choose",
            };
            let name = self.local(parameter.variable);
            let domain = match parameter.alike {
                true => "another such site, in any order".to_owned(),
                false => self.choice(&parameter.domain),
            };
            Sentence::plain(format!("{verb} {name}: {domain}."))
        };
        parameters.iter().map(choice).collect()
    }

    pub(super) fn verbs(self, moves: &[MoveId], joint: &str) -> Phrase {
        let verb = |rule: &MoveId| Phrase::closed(&self.rules.moves[rule.index()].verb);
        Phrase::list(&moves.iter().map(verb).collect::<Vec<Phrase>>(), joint)
    }

    /// Writes how a piece continues with these moves.
    fn going_on(self, moves: &[MoveId]) -> Option<Sentence> {
        let (moving, stops) = self.rules.moving_and_stops(moves);
        let stop = match &stops[..] {
            [] => String::new(),
            stops => format!(" or makes the move {} instead", self.verbs(stops, "or")),
        };
        let moving = (!moving.is_empty()).then(|| self.verbs(&moving, "or"))?;
        Some(Sentence::plain(format!(
            "After {moving}, the player goes on with the same piece in the same way{stop}, as long as that piece can."
        )))
    }

    fn place(
        self,
        memory: MemoryId,
        player: &Option<Spanned<PlayerOf>>,
        site: &Option<Spanned<SiteOf>>,
        key: &Option<KeyOf>,
        direction: &Option<Spanned<DirectionOf>>,
    ) -> String {
        let place = Place {
            player: player.as_ref(),
            site: site.as_ref(),
            key: key.as_ref(),
            direction: direction.as_ref(),
        };
        self.memory(memory, place).part()
    }

    /// Writes a player with a verb: `White wins`, `Raiders win`.
    fn does(self, player: &PlayerOf, singular: &str, plural: &str) -> String {
        let who = self.player(player).part();
        let verb = match player {
            PlayerOf::Fixed(_) => agreeing(&who, singular, plural),
            _ => singular,
        };
        format!("{who} {verb}")
    }

    /// Writes the sites that each receive a piece.
    fn on_each(self, sites: &Sites) -> Phrase {
        match sites {
            Sites::One(site) => self.site(&site.node),
            Sites::Literal(sites) if sites.len() == 1 => self.places(sites),
            sites => Phrase::open(format!("each of {}", self.sites(sites))),
        }
    }

    /// Writes a kind of piece with its article and owner: `a Stone of White`.
    fn a_piece(self, piece: &PieceOf, owner: &Option<Spanned<PlayerOf>>) -> String {
        let piece = self.pieces_of(piece, "");
        let owner = owner.as_ref().map(|owner| format!(" of {}", self.player(&owner.node).part()));
        format!("{} {piece}{}", article(&piece), owner.unwrap_or_default())
    }

    fn statement(self, statement: &Statement) -> Vec<Sentence> {
        if let Some(rest) = self.rules.without_pie(statement) {
            return self.statements(rest);
        }
        if self.rules.is_of_going_on(statement) || self.rules.is_of_last_moves(statement) {
            return Vec::new();
        }
        let swaps = |memory| self.rules.pie.is_some_and(|pie| pie.swapped == memory);
        let text = match statement {
            Statement::SetCondition { memory, .. } if swaps(*memory) => {
                "The two players exchange their colours, and the colour that was to move is still to move."
                    .to_owned()
            }
            Statement::Require(condition) => {
                format!("This is allowed only if {}.", self.condition(&condition.node))
            }
            Statement::Let(_, Value::Statements(_)) => return Vec::new(),
            Statement::Let(local, value) => {
                format!("Let {} be {}.", self.local(*local), self.value(value))
            }
            Statement::Assign(local, value) => {
                format!("From now on, {} is {}.", self.local(*local), self.value(value))
            }
            // Statements that the checker adds repeat what other sentences say.
            Statement::Do(definition, _) if self.rules.is_generated(*definition) => {
                return Vec::new();
            }
            Statement::If { condition, then, .. } if self.rules.is_turn_guard(&condition.node) => {
                return match &then[..] {
                    [Spanned { node: Statement::EndTurn, .. }] => Vec::new(),
                    then => self.statements(then),
                };
            }
            Statement::If { condition, then, otherwise } => {
                let mut sentences = vec![Sentence::with(
                    format!("If {}:", self.condition(&condition.node)),
                    self.statements(then),
                )];
                if !otherwise.is_empty() {
                    let below = self.statements(otherwise);
                    sentences.push(Sentence::with("Otherwise:".to_owned(), below));
                }
                return sentences;
            }
            Statement::For(binder, body) => {
                let text = format!("For each {}:", self.binder(binder));
                return vec![Sentence::with(text, self.statements(body))];
            }
            Statement::ByPlayer(player, each) => {
                if let PlayerOf::Fixed(player) = &player.node {
                    return each.get(player.index()).map_or(Vec::new(), |own| self.statements(own));
                }
                let names = self.rules.players.iter().map(|player| &player.name);
                let own = names.zip(each).filter(|(_, own)| !own.is_empty());
                let sentence = |(name, own): (&String, &Vec<Spanned<Statement>>)| {
                    let whose = self.player(&player.node).part();
                    Sentence::with(format!("If {whose} is {name}:"), self.statements(own))
                };
                return own.map(sentence).collect();
            }
            Statement::Chain { variable, from, body } => {
                let text = format!(
                    "For each site {} of {}, and of those that are added:",
                    self.local(*variable),
                    self.sites(&from.node).part()
                );
                return vec![Sentence::with(text, self.statements(body))];
            }
            Statement::Join(sites) => format!("Add {}.", self.sites(&sites.node)),
            Statement::Do(definition, values) => {
                let name = &self.rules.definitions[definition.index()].name;
                let values: Vec<Phrase> = values.iter().map(|value| self.value(value)).collect();
                match &values[..] {
                    [] => format!("Do {name}."),
                    values => format!("Do {name} with {}.", Phrase::list(values, "and")),
                }
            }
            Statement::Put { piece, at, owner, beneath } => format!(
                "Put {} {} {}.",
                self.a_piece(&piece.node, owner),
                if *beneath { "beneath what is on" } else { "on" },
                self.on_each(&at.node)
            ),
            Statement::Remove { at, number: None } => {
                format!("Remove what is on {}.", self.sites(&at.node))
            }
            Statement::Remove { at, number: Some(number) } => format!(
                "Remove {} from the top of each pile on {}.",
                self.pieces_of_number(&number.node),
                self.sites(&at.node).part()
            ),
            Statement::Relocate { from, to, number, beneath } => {
                let what = match (number, &self.rules.piles) {
                    (Some(number), _) => {
                        format!("{} from the top of", self.pieces_of_number(&number.node))
                    }
                    (None, Some(_)) => "what is on".to_owned(),
                    (None, None) => "the piece on".to_owned(),
                };
                format!(
                    "Move {what} {} {} {}.",
                    self.site(&from.node).part(),
                    if *beneath { "beneath what is on" } else { "to" },
                    self.site(&to.node)
                )
            }
            Statement::Shift { at, direction } => format!(
                "Move the pieces on {} one step towards {}; what stands in their way or leaves the board is removed.",
                self.sites(&at.node).part(),
                self.direction(&direction.node).part()
            ),
            Statement::Swap(one, other) => format!(
                "Exchange what is on {} and {}.",
                self.site(&one.node).part(),
                self.site(&other.node)
            ),
            Statement::Convert { at, to } => format!(
                "The pieces on {} now belong to {}.",
                self.sites(&at.node).part(),
                self.player(&to.node)
            ),
            Statement::Replace { at, piece, owner } => format!(
                "Each piece on {} becomes {}.",
                self.sites(&at.node).part(),
                self.a_piece(&piece.node, owner)
            ),
            Statement::Cut(sites) => format!("Take {} out of play.", self.sites(&sites.node).part()),
            Statement::SetNumber { memory, player, site, key, to } => format!(
                "Set {} to {}.",
                self.place(*memory, player, site, key, &None),
                self.number(&to.node)
            ),
            Statement::Raise { memory, player, site, key, by } => format!(
                "Raise {} by {}.",
                self.place(*memory, player, site, key, &None),
                self.number(&by.node)
            ),
            Statement::Lower { memory, player, site, key, by } => format!(
                "Lower {} by {}.",
                self.place(*memory, player, site, key, &None),
                self.number(&by.node)
            ),
            Statement::SetSite { memory, player, site, to } => format!(
                "Set {} to {}.",
                self.place(*memory, player, site, &None, &None),
                self.site(&to.node)
            ),
            Statement::SetSites { memory, player, direction, to } => format!(
                "Set {} to {}.",
                self.place(*memory, player, &None, &None, direction),
                self.sites(&to.node)
            ),
            Statement::SetPlayer { memory, player, to } => format!(
                "Set {} to {}.",
                self.place(*memory, player, &None, &None, &None),
                self.player(&to.node)
            ),
            Statement::SetKind { memory, player, site, to } => format!(
                "Set {} to {}.",
                self.place(*memory, player, site, &None, &None),
                self.piece(&to.node)
            ),
            Statement::SetDirection { memory, player, site, to } => format!(
                "Set {} to {}.",
                self.place(*memory, player, site, &None, &None),
                self.direction(&to.node)
            ),
            Statement::SetCondition { memory, player, to } => {
                let memory = self.place(*memory, player, &None, &None, &None);
                match &to.node {
                    Condition::Constant(holds) => format!("Set {memory} to {holds}."),
                    to => format!("Set {memory} to whether {}.", self.condition(to)),
                }
            }
            Statement::Mark { memory, player, direction, sites } => format!(
                "Mark {} as {}.",
                self.sites(&sites.node).part(),
                self.place(*memory, player, &None, &None, direction)
            ),
            Statement::Unmark { memory, player, direction, sites } => format!(
                "Unmark {} as {}.",
                self.sites(&sites.node).part(),
                self.place(*memory, player, &None, &None, direction)
            ),
            Statement::Win(player) => format!("{}.", self.does(&player.node, "wins", "win")),
            Statement::Lose(player) => format!("{}.", self.does(&player.node, "loses", "lose")),
            Statement::DropOut(player) => {
                let drops = self.does(&player.node, "drops", "drop");
                match self.rules.teams.has_partners() {
                    true => format!("{drops} out with the whole team; the last team left wins."),
                    false => format!("{drops} out; the last one left wins."),
                }
            }
            Statement::Draw => "The game is drawn.".to_owned(),
            Statement::Illegal => "The move that leads there is illegal.".to_owned(),
            Statement::ByScore(local, number) if self.rules.teams.has_partners() => format!(
                "The team whose players {} have the greatest sum of scores wins: {}. If the greatest is shared, the game is drawn.",
                self.local(*local),
                self.number(&number.node)
            ),
            Statement::ByScore(local, number) => format!(
                "The player {} with the greatest score wins: {}. If the greatest is shared, the game is drawn.",
                self.local(*local),
                self.number(&number.node)
            ),
            Statement::EndTurn => "The turn ends.".to_owned(),
            Statement::ExtraTurn => "The player has another turn.".to_owned(),
            Statement::Then { parameters, body } => {
                let mut below = self.choices(parameters);
                below.extend(self.statements(body));
                return vec![Sentence::with("Then, if that is possible:".to_owned(), below)];
            }
            Statement::Forever(body) => {
                let below = self.statements(body);
                return vec![Sentence::with("Again and again:".to_owned(), below)];
            }
            Statement::While(condition, body) => {
                let text = match self.rules.written(condition) {
                    Some(condition) => format!("As long as {}:", self.condition(&condition.node)),
                    None => "Again and again:".to_owned(),
                };
                return vec![Sentence::with(text, self.statements(body))];
            }
            Statement::Until(condition, body) => {
                let text = match self.rules.written(condition) {
                    Some(condition) => {
                        format!("Again and again, until {}:", self.condition(&condition.node))
                    }
                    None => "Again and again:".to_owned(),
                };
                return vec![Sentence::with(text, self.statements(body))];
            }
            Statement::Repeat(number, body) => {
                let text = format!("This many times: {}.", self.number(&number.node));
                return vec![Sentence::with(text, self.statements(body))];
            }
            Statement::Turns(body) => {
                let names: Vec<&str> =
                    self.rules.players.iter().map(|player| player.name.as_str()).collect();
                let text = format!("{} take turns. In a turn:", list(&names, "and"));
                return vec![Sentence::with(text, self.statements(body))];
            }
            Statement::Turn(player, body) => {
                let text = format!("A turn of {}:", self.player(&player.node));
                return vec![Sentence::with(text, self.statements(body))];
            }
            Statement::Phase(name, body) => {
                return vec![Sentence::with(format!("{}:", name.name), self.statements(body))];
            }
            Statement::Choose { moves, go_on, otherwise } => {
                let mut sentences = vec![Sentence::plain(match &moves[..] {
                    [_] => format!("The player makes this move: {}.", self.verbs(moves, "or")),
                    _ => {
                        format!("The player makes one of these moves: {}.", self.verbs(moves, "or"))
                    }
                })];
                sentences.extend(self.going_on(go_on));
                let text = "If no move is possible:".to_owned();
                sentences.push(match otherwise {
                    Some(otherwise) => Sentence::with(text, self.statements(otherwise)),
                    None => {
                        Sentence::plain("If no move is possible, the game is drawn.".to_owned())
                    }
                });
                return sentences;
            }
            Statement::Chance(rule) => {
                format!("Chance decides: {}.", self.verbs(std::slice::from_ref(rule), "or"))
            }
            Statement::Steps { count, moves, ending } => {
                let ending = match &ending.node {
                    Condition::Constant(true) => String::new(),
                    ending => format!(", such that at their end {}", self.condition(ending)),
                };
                format!(
                    "The player makes {} plies ({}), or as many as possible{ending}.",
                    self.number(&count.node).part(),
                    self.verbs(moves, "or"),
                )
            }
        };
        vec![Sentence::plain(text)]
    }
}
