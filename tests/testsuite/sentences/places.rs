//! Reads regions, one of their sites, and what is said of a site.

use super::reader::{Around, Means, Read, Reader, Set, Type, means};
use super::ways::{line_out, steps};
use ludwright::board::{Direction, Site, Sort};
use ludwright::language::rules::PieceId;
use ludwright::reference::{Region, Value};
use std::rc::Rc;

/// What is said of a site.
type Said<'g> = Rc<dyn Fn(&Around<'g>, Site) -> bool + 'g>;

impl<'g> Reader<'g> {
    // Regions.

    pub fn region(&self) -> Read<'g, Set> {
        self.region_of(false)
    }

    /// Reads a region behind its `the`.
    pub fn region_after_the(&self, is_part: bool) -> Read<'g, Set> {
        if is_part { self.closed_after_the() } else { self.region_of(true) }
    }

    fn region_of(&self, is_bare: bool) -> Read<'g, Set> {
        let from = self.at.get();
        let first_of = |reader: &Self| match is_bare {
            true => reader.closed_after_the(),
            false => reader.region_part(),
        };
        // The variable of a union is declared behind its use.
        for at in from..self.words.len() {
            let union = self.attempt(|reader| {
                reader.at.set(at);
                reader.expect("for each")?;
                let (name, domain) = reader.binder("")?;
                let end = reader.at.get();
                reader.at.set(from);
                let each = first_of(reader)?;
                if reader.at.get() != at {
                    return None;
                }
                reader.scope.borrow_mut().pop();
                reader.at.set(end);
                means(move |around| {
                    let values = domain(around).into_iter();
                    values.flat_map(|value| each(&around.with(&name, value))).collect()
                })
            });
            if union.is_some() {
                return union;
            }
        }
        let bound = self.attempt(|reader| {
            if !is_bare {
                reader.expect("the")?;
            }
            let (name, domain) = reader.binder("s")?;
            let sites = move |around: &Around<'g>| {
                let sites = domain(around).into_iter().map(|value| match value {
                    Value::Site(Some(site)) => site,
                    other => panic!("{other:?} is no site"),
                });
                sites.collect::<Set>()
            };
            if reader.eat("for which") {
                let condition = reader.condition()?;
                reader.scope.borrow_mut().pop();
                return means(move |around| {
                    let mut all = sites(around);
                    all.retain(|site| condition(&around.with(&name, Value::Site(Some(*site)))));
                    all
                });
            }
            reader.expect(", and again and again for each of them")?;
            let step = reader.region()?;
            reader.scope.borrow_mut().pop();
            means(move |around| {
                let mut reached = Set::new();
                let mut left = sites(around);
                while let Some(site) = left.pop_first() {
                    if reached.insert(site) {
                        left.extend(step(&around.with(&name, Value::Site(Some(site)))));
                    }
                }
                reached
            })
        });
        if bound.is_some() {
            return bound;
        }
        let said_of_all = self.attempt(|reader| {
            if !is_bare {
                reader.expect("the")?;
            }
            reader.expect("sites that")?;
            reader.said(true)
        });
        if let Some(said) = said_of_all {
            return means(move |around| {
                around.board().sites().filter(|&site| said(around, site)).collect()
            });
        }
        let first = first_of(self)?;
        if self.eat("that") {
            let said = self.said(true)?;
            return means(move |around| {
                let mut sites = first(around);
                sites.retain(|&site| said(around, site));
                sites
            });
        }
        let mut parts = vec![first.clone()];
        while let Some(part) = self.attempt(|reader| {
            if !reader.eat(",") {
                reader.expect("and")?;
            }
            reader.region_part()
        }) {
            parts.push(part);
        }
        if parts.len() > 1 {
            return means(move |around| parts.iter().flat_map(|part| part(around)).collect());
        }
        let from = self.at.get();
        let first = self.tail(first, Self::region_part, Self::region)?;
        if self.at.get() == from && self.eat("if") {
            let condition = self.condition()?;
            return means(move |around| match condition(around) {
                true => first(around),
                false => Set::new(),
            });
        }
        Some(first)
    }

    pub fn region_part(&self) -> Read<'g, Set> {
        if let Some(read) = self.in_parentheses(Self::region) {
            return Some(read);
        }
        if self.eat("all sites in play") {
            return means(|around| {
                around.board().sites().filter(|&site| !around.is_cut(site)).collect()
            });
        }
        if self.eat("all sites") {
            return means(|around| around.board().sites().collect());
        }
        if self.eat("no site") {
            return means(|_| Set::new());
        }
        if self.eat("row") {
            let sites = self.rules.board.row(self.next()?.parse().ok()?);
            return means(move |_| sites.iter().copied().collect());
        }
        if self.eat("column") {
            let sites = self.rules.board.column(&self.next()?);
            return means(move |_| sites.iter().copied().collect());
        }
        let run = self.attempt(|reader| {
            let board = &reader.rules.board;
            let first = board.find(&reader.next()?)?;
            reader.expect("to")?;
            let last = board.find(&reader.next()?)?;
            let (row, end) = (board.place(first), board.place(last));
            if row.1 != end.1 {
                return None;
            }
            let run = board.sites().filter(|&site| {
                let (column, other) = board.place(site);
                other == row.1 && (row.0..=end.0).contains(&column)
            });
            let run: Set = run.collect();
            means(move |_| run.clone())
        });
        if run.is_some() {
            return run;
        }
        let the = self.attempt(|reader| {
            reader.expect("the")?;
            reader.closed_after_the()
        });
        if the.is_some() {
            return the;
        }
        if let Some(named) = self.named(Type::Sites) {
            return means(move |around| match named(around) {
                Value::Sites(region) => set(&region),
                other => panic!("{other:?} is no region"),
            });
        }
        let site = self.site_part()?;
        means(move |around| site(around).into_iter().collect())
    }

    fn closed_after_the(&self) -> Read<'g, Set> {
        let rules = self.rules;
        if self.eat("empty sites") {
            return means(|around| {
                around.board().sites().filter(|&site| is_empty(around, site)).collect()
            });
        }
        if self.eat("sites out of play") {
            return means(|around| around.snapshot.cut.iter().copied().collect());
        }
        if self.eat("corners") {
            let corners: Set = rules.board.corners().into_iter().collect();
            return means(move |_| corners.clone());
        }
        for (name, sort) in [("cells", Sort::Cell), ("sides", Sort::Side), ("posts", Sort::Post)] {
            if self.eat(name) {
                let all: Set = rules.board.of_sort(sort).collect();
                return means(move |_| all.clone());
            }
        }
        if self.eat("edge") {
            let board = &rules.board;
            let edge: Set = board.all().iter().flat_map(|&way| board.edge(way)).collect();
            return means(move |_| edge.clone());
        }
        if self.eat("sites connected with") {
            let of = self.region_part()?;
            self.expect("through")?;
            let through = self.region_part()?;
            let how = self.how()?;
            return means(move |around| {
                let (within, how) = (through(around), how(around));
                let mut group: Set = of(around).intersection(&within).copied().collect();
                loop {
                    let steps = group.iter().flat_map(|&site| {
                        how.iter().flat_map(move |&way| steps(around.board(), site, way))
                    });
                    let grown: Set =
                        steps.filter(|site| within.contains(site)).chain(group.clone()).collect();
                    if grown == group {
                        return group;
                    }
                    group = grown;
                }
            });
        }
        if self.eat("sites that form lines of") {
            let number: usize = self.next()?.parse().ok()?;
            self.expect("or more among")?;
            let among = self.region_part()?;
            let how = self.how()?;
            return means(move |around| {
                let among = among(around);
                let in_line = |site: Site, way: Direction| {
                    let mut line = Set::from([site]);
                    for way in [way, way.opposite()] {
                        let mut at = around.board().step(site, way);
                        while let Some(next) = at.filter(|next| among.contains(next)) {
                            at = around.board().step(next, way).filter(|_| next != site);
                            line.insert(next);
                        }
                    }
                    line.len() >= number
                };
                let ways = how(around);
                let mut lines = among.clone();
                lines.retain(|&site| ways.iter().any(|&way| in_line(site, way)));
                lines
            });
        }
        if self.eat("sites beyond") {
            let from = self.site_part()?;
            let how = self.how()?;
            self.expect("as far as they are among")?;
            let through = self.region_part()?;
            return means(move |around| {
                let through = through(around);
                line_out(around, from(around), &how(around), |site| {
                    (through.contains(&site), !through.contains(&site))
                })
            });
        }
        if self.eat("sites that a slide from") {
            let from = self.site_part()?;
            let how = self.how()?;
            self.expect("reaches")?;
            return means(move |around| {
                line_out(around, from(around), &how(around), |site| {
                    (!around.is_cut(site), !is_empty(around, site))
                })
            });
        }
        if self.eat("sites between") {
            let from = self.site_part()?;
            self.expect("and")?;
            let to = self.site_part()?;
            return means(move |around| {
                let (Some(from), Some(to)) = (from(around), to(around)) else { return Set::new() };
                let ways = around.board().straight().filter(|_| from != to);
                let lines = ways.filter_map(|way| {
                    let mut passed = Vec::new();
                    let mut at = around.board().step(from, way)?;
                    while at != to {
                        if passed.contains(&at) {
                            return None;
                        }
                        passed.push(at);
                        at = around.board().step(at, way)?;
                    }
                    Some(passed)
                });
                lines.min_by_key(Vec::len).unwrap_or_default().into_iter().collect()
            });
        }
        self.attempt(|reader| reader.pieces("s"))
    }

    /// Reads kinds of piece and their owner: the sites on which they are.
    fn pieces(&self, plural: &str) -> Read<'g, Set> {
        let kind = |reader: &Self| -> Option<Read<'g, Option<PieceId>>> {
            let word = reader.next()?;
            let word = word.strip_suffix(plural)?;
            if word == "piece" {
                return Some(match reader.eat("of kind") {
                    true => Some(reader.piece_part()?),
                    false => None,
                });
            }
            let pieces = &reader.rules.pieces;
            let kind = PieceId(pieces.iter().position(|piece| piece.name == word)? as u16);
            Some(means(move |_| Some(kind)))
        };
        let mut kinds = vec![kind(self)?];
        while let Some(next) = self.attempt(|reader| {
            if !reader.eat(",") {
                reader.expect("or")?;
            }
            kind(reader)
        }) {
            kinds.push(next);
        }
        let enemies = self.eat("of another team than that of");
        let others = self.eat("of another player than");
        let teams = self.rules.teams;
        let whose = (enemies || others || self.eat("of")).then(|| self.player_part());
        if whose.as_ref().is_some_and(Option::is_none) {
            return None;
        }
        let whose = whose.flatten();
        means(move |around| {
            let kinds: Vec<Option<Option<PieceId>>> =
                kinds.iter().map(|kind| kind.as_ref().map(|kind| kind(around))).collect();
            let player = whose.as_ref().map(|whose| whose(around));
            let fits = |&site: &Site| {
                around.snapshot.pieces[site.index()].is_some_and(|occupant| {
                    let is_kind = |kind: &Option<Option<PieceId>>| match kind {
                        None => true,
                        Some(kind) => *kind == Some(occupant.piece),
                    };
                    let is_whose = match (player, occupant.owner) {
                        (None, _) => true,
                        (Some(_), None) => false,
                        (Some(player), Some(owner)) if enemies => {
                            teams.of(owner) != teams.of(player)
                        }
                        (Some(player), Some(owner)) => (owner == player) != others,
                    };
                    kinds.iter().any(is_kind) && is_whose
                })
            };
            around.board().sites().filter(fits).collect()
        })
    }

    /// Reads one site of a region.
    pub fn one(&self) -> Read<'g, Set> {
        self.one_of(false)
    }

    pub fn one_of(&self, is_part: bool) -> Read<'g, Set> {
        if self.eat("a") || self.eat("an") {
            return self.one_without_article(is_part);
        }
        let head = self.attempt(|reader| {
            let head = reader.in_parentheses(Self::one)?;
            reader.expect("that")?;
            Some((head, reader.said(false)?))
        });
        if let Some((head, said)) = head {
            return means(move |around| {
                let mut sites = head(around);
                sites.retain(|&site| said(around, site));
                sites
            });
        }
        let site = if is_part { self.site_part() } else { self.site() }?;
        means(move |around| site(around).into_iter().collect())
    }

    pub fn one_without_article(&self, is_part: bool) -> Read<'g, Set> {
        let bound = self.attempt(|reader| {
            let (name, domain) = reader.binder("")?;
            reader.expect("for which")?;
            let condition = reader.condition()?;
            reader.scope.borrow_mut().pop();
            means(move |around: &Around<'g>| {
                let holds = |value: &Value| condition(&around.with(&name, value.clone()));
                let sites = domain(around).into_iter().filter(holds).map(|value| match value {
                    Value::Site(Some(site)) => site,
                    other => panic!("{other:?} is no site"),
                });
                sites.collect::<Set>()
            })
        });
        if bound.is_some() {
            return bound;
        }
        let first: Means<'g, Set> = if self.eat("empty site") {
            Rc::new(|around| {
                around.board().sites().filter(|&site| is_empty(around, site)).collect()
            })
        } else if self.eat("site in play") {
            Rc::new(|around| around.board().sites().filter(|&site| !around.is_cut(site)).collect())
        } else if self.eat("site in") || self.eat("site among") {
            self.region_part()?
        } else if self.eat("site") {
            Rc::new(|around| around.board().sites().collect())
        } else {
            self.attempt(|reader| reader.pieces(""))?
        };
        if !is_part && self.eat("that") {
            let said = self.said(false)?;
            return means(move |around| {
                let mut sites = first(around);
                sites.retain(|&site| said(around, site));
                sites
            });
        }
        Some(first)
    }

    /// Reads what is said of a site, or of several.
    pub fn said(&self, several: bool) -> Option<Said<'g>> {
        let first = self.said_part(several)?;
        for (word, all) in [("and", true), ("or", false)] {
            let mut parts = vec![first.clone()];
            while let Some(part) = self.attempt(|reader| {
                reader.expect(word)?;
                reader.said_part(several)
            }) {
                parts.push(part);
            }
            if parts.len() > 1 {
                return Some(Rc::new(move |around, site| match all {
                    true => parts.iter().all(|part| part(around, site)),
                    false => parts.iter().any(|part| part(around, site)),
                }));
            }
        }
        Some(first)
    }

    pub fn said_part(&self, several: bool) -> Option<Said<'g>> {
        let grouped = self.attempt(|reader| {
            reader.expect("(")?;
            let said = reader.said(several)?;
            reader.expect(")")?;
            Some(said)
        });
        if grouped.is_some() {
            return grouped;
        }
        let (is, has) = if several { ("are", "have") } else { ("is", "has") };
        self.attempt(|reader| {
            if reader.eat(has) {
                if !reader.eat("a") {
                    reader.expect("an")?;
                }
                let pieces = reader.pieces("")?;
                return Some(
                    Rc::new(move |around: &Around<'g>, site| pieces(around).contains(&site))
                        as Said<'g>,
                );
            }
            reader.expect(is)?;
            if reader.eat("not") {
                let said = reader.said_of_one()?;
                return Some(
                    Rc::new(move |around: &Around<'g>, site| !said(around, site)) as Said<'g>
                );
            }
            reader.said_of_one()
        })
    }

    /// Reads what stands after `is`.
    fn said_of_one(&self) -> Option<Said<'g>> {
        if self.eat("in play") {
            return Some(Rc::new(|around, site| !around.is_cut(site)));
        }
        if self.eat("out of play") {
            return Some(Rc::new(|around, site| around.is_cut(site)));
        }
        if self.eat("empty") {
            return Some(Rc::new(|around, site| is_empty(around, site)));
        }
        if self.eat("next to") {
            let of = self.region_part()?;
            let how = self.in_parentheses(Self::how);
            return Some(Rc::new(move |around, site| {
                let ways = match &how {
                    Some(how) => how(around),
                    None => around.board().orthogonal().to_vec(),
                };
                let lead = |from: Site| {
                    ways.iter().any(|&way| steps(around.board(), from, way).contains(&site))
                };
                of(around).into_iter().any(lead)
            }));
        }
        if self.eat("touching") {
            let of = self.region_part()?;
            return Some(Rc::new(move |around, site| {
                let board = around.board();
                let touches = |from: Site| {
                    board.all().iter().any(|way| board.step(from, way.half()) == Some(site))
                };
                of(around).into_iter().any(touches)
            }));
        }
        for (words, is_above) in [("directly below", false), ("directly above", true)] {
            if self.eat(words) {
                let of = self.region_part()?;
                return Some(Rc::new(move |around, site| {
                    let lead = |from: Site| {
                        let turned = |way: Direction| if is_above { way.opposite() } else { way };
                        let mut ways = around.board().below().into_iter().map(turned);
                        ways.any(|way| around.board().step(from, way) == Some(site))
                    };
                    of(around).into_iter().any(lead)
                }));
            }
        }
        if self.eat("half a step") {
            let how = self.how()?;
            self.expect("from")?;
            let of = self.region_part()?;
            return Some(Rc::new(move |around, site| {
                let lead = |from: Site| {
                    let ways = how(around);
                    ways.iter().any(|way| around.board().step(from, way.half()) == Some(site))
                };
                of(around).into_iter().any(lead)
            }));
        }
        if self.eat("one step") {
            let how = self.how()?;
            self.expect("from")?;
            let of = self.region_part()?;
            return Some(Rc::new(move |around, site| {
                let lead = |from: Site| {
                    how(around).iter().any(|&way| steps(around.board(), from, way).contains(&site))
                };
                of(around).into_iter().any(lead)
            }));
        }
        if self.eat("in") || self.eat("among") {
            let of = self.region_part()?;
            return Some(Rc::new(move |around, site| of(around).contains(&site)));
        }
        let other = self.site_part()?;
        Some(Rc::new(move |around, site| other(around) == Some(site)))
    }
}

/// Returns the sites of a region.
pub fn set(region: &Region) -> Set {
    region.list().into_iter().collect()
}

fn is_empty(around: &Around, site: Site) -> bool {
    !around.is_cut(site) && around.snapshot.pieces[site.index()].is_none()
}
