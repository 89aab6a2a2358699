//! What relations answer: converse, preimage, values along paths, ports and degree.

use super::super::plan::Why;
use super::{RelationId, RelationTerm, SetId, SetTerm, Stuck, Terms};
use crate::board::{Board, Direction, Site};

/// The greatest number of ports of a relation.
const MAX_PORTS: usize = 64;

/// Limit on the work for the paths of a game, in relations and words of sets: about half a second.
pub(super) const MAX_WORK: u32 = 1 << 18;

/// A path, and the sites from which it belongs to a relation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Port {
    /// The steps.
    pub path: Vec<Direction>,
    /// Where it starts.
    pub starts: SetId,
}

/// Sets whose sum is a count: each site's count is the number of sets that contain it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Degree {
    /// The sets.
    pub sets: Vec<SetId>,
    /// Whether each set is contained in the one before it.
    pub is_ladder: bool,
}

/// Returns the directions in a mask.
pub(super) fn directions(mask: u16) -> impl Iterator<Item = Direction> {
    (0..Direction::COUNT)
        .filter(move |index| mask >> index & 1 == 1)
        .filter_map(Direction::from_index)
}

/// Returns the mask of the opposite directions.
pub(super) fn opposite(mask: u16) -> u16 {
    directions(mask).fold(0, |all, direction| all | 1 << direction.opposite().index())
}

/// Returns the site at the end of a path.
fn end_of(board: &Board, from: Site, path: &[Direction]) -> Option<Site> {
    path.iter().try_fold(from, |site, &direction| board.step(site, direction))
}

impl Terms<'_> {
    /// Returns the pairs turned around.
    pub fn converse(&mut self, relation: RelationId) -> RelationId {
        if let Some(&known) = self.converses.get(&relation) {
            return known;
        }
        let converse = match self.relation_term(relation).clone() {
            RelationTerm::None | RelationTerm::Test(_) => relation,
            RelationTerm::Product(from, to) => self.product(to, from),
            RelationTerm::Step(mask) => self.step(opposite(mask)),
            RelationTerm::Ray(mask, through) => self.ray(opposite(mask), through),
            RelationTerm::Flood(mask, within) => self.flood(opposite(mask), within),
            RelationTerm::Star(step) => {
                let step = self.converse(step);
                self.star(step)
            }
            RelationTerm::Then(a, b) => {
                let (a, b) = (self.converse(a), self.converse(b));
                self.then(b, a)
            }
            RelationTerm::And(a, b) => {
                let (a, b) = (self.converse(a), self.converse(b));
                self.both(a, b)
            }
            RelationTerm::Or(a, b) => {
                let (a, b) = (self.converse(a), self.converse(b));
                self.union(a, b)
            }
            RelationTerm::Minus(a, b) => {
                let (a, b) = (self.converse(a), self.converse(b));
                self.difference(a, b)
            }
            RelationTerm::Stored(_) => self.relation(RelationTerm::Back(relation)),
            RelationTerm::Back(of) => of,
            RelationTerm::Guarded(guard, of) => {
                let of = self.converse(of);
                self.relation_under(guard, of)
            }
            RelationTerm::Loop(id, turned) => self.relation(RelationTerm::Loop(id, !turned)),
        };
        self.converses.insert(relation, converse);
        converse
    }

    /// Returns the sites that a relation leads to from a set.
    ///
    /// # Errors
    /// If no operation on sets computes it.
    pub fn image(&mut self, relation: RelationId, from: SetId) -> Result<SetId, Stuck> {
        let converse = self.converse(relation);
        self.preimage(converse, from)
    }

    /// Returns the sites from which a relation leads into a set.
    ///
    /// # Errors
    /// If no operation on sets computes it.
    pub fn preimage(&mut self, relation: RelationId, of: SetId) -> Result<SetId, Stuck> {
        if of == SetId::NONE {
            return Ok(of);
        }
        Ok(match self.relation_term(relation).clone() {
            RelationTerm::None => SetId::NONE,
            RelationTerm::Test(set) => self.and(of, set),
            RelationTerm::Product(from, to) => {
                let some = self.and(of, to);
                let some = self.somewhere(some);
                self.and(from, some)
            }
            RelationTerm::Step(mask) => self.beside(opposite(mask), of),
            RelationTerm::Ray(mask, SetId::BOARD) => {
                self.set(SetTerm::Walk(opposite(mask), of, SetId::BOARD))
            }
            RelationTerm::Ray(mask, through) if self.is_single(of) => {
                self.set(SetTerm::Sight(opposite(mask), of, through))
            }
            RelationTerm::Ray(mask, through) => {
                directions(mask).fold(SetId::NONE, |any, direction| {
                    let fill = self.fill(direction, of, through);
                    self.or(any, fill)
                })
            }
            RelationTerm::Flood(mask, within) => {
                self.set(SetTerm::Flood(opposite(mask), of, within))
            }
            RelationTerm::Star(step) => {
                self.preimage(step, SetId::BOARD)?;
                self.set(SetTerm::Closure(step, of))
            }
            RelationTerm::Then(a, b) => {
                if let (&RelationTerm::Test(within), &RelationTerm::Ray(mask, through)) =
                    (self.relation_term(a), self.relation_term(b))
                    && within == through
                {
                    return Ok(self.set(SetTerm::Walk(opposite(mask), of, through)));
                }
                let between = self.preimage(b, of)?;
                self.preimage(a, between)?
            }
            RelationTerm::Or(a, b) => {
                let (a, b) = (self.preimage(a, of)?, self.preimage(b, of)?);
                self.or(a, b)
            }
            RelationTerm::Minus(pairs, RelationId::SAME)
                if let &RelationTerm::Product(from, to) = self.relation_term(pairs) =>
            {
                let among = self.and(of, to);
                let other = self.set(SetTerm::Elsewhere(among));
                self.and(from, other)
            }
            RelationTerm::And(..) | RelationTerm::Minus(..) => {
                let mut any = SetId::NONE;
                for port in self.ports(relation)? {
                    let starts = self.back(of, &port.path);
                    let starts = self.and(starts, port.starts);
                    any = self.or(any, starts);
                }
                any
            }
            RelationTerm::Stored(_) | RelationTerm::Back(_) => return Err(Why::Site.into()),
            RelationTerm::Guarded(guard, of_guard) => {
                let inner = self.preimage(of_guard, of)?;
                self.under(guard, inner)
            }
            RelationTerm::Loop(id, true) => self.set(SetTerm::Loop(id, of)),
            RelationTerm::Loop(id, false) => return Err(self.loops[id.0 as usize]),
        })
    }

    /// Tests if a set has at most one site, whose number is known.
    fn is_single(&self, set: SetId) -> bool {
        match self.set_term(set) {
            SetTerm::Single(..) => true,
            SetTerm::Constant(sites) => sites.len() == 1,
            _ => false,
        }
    }

    /// Returns the sites from which a ray in the direction leads into the goals.
    fn fill(&mut self, direction: Direction, goals: SetId, through: SetId) -> SetId {
        match goals {
            SetId::NONE => goals,
            _ => self.set(SetTerm::Fill(direction, goals, through)),
        }
    }

    /// Returns the sites from which the path leads into the set.
    pub fn back(&mut self, set: SetId, path: &[Direction]) -> SetId {
        let back = |set, direction: &Direction| self.beside(1 << direction.opposite().index(), set);
        path.iter().rev().fold(set, back)
    }

    /// Returns the starts of a path that leads somewhere.
    pub fn with_end(&mut self, starts: SetId, path: &[Direction]) -> SetId {
        match self.has_ends(starts, path) {
            true => starts,
            false => {
                let ends = self.back(SetId::BOARD, path);
                self.and(ends, starts)
            }
        }
    }

    /// Tests if the sites of a set are known to be starts of a path that leads somewhere.
    fn has_ends(&self, starts: SetId, path: &[Direction]) -> bool {
        match (path, self.set_term(starts)) {
            ([], _) => true,
            ([first, rest @ ..], &SetTerm::Beside(mask, of)) => {
                mask == 1 << first.opposite().index() && self.has_ends(of, rest)
            }
            (_, &SetTerm::And(a, b)) => self.has_ends(a, path) || self.has_ends(b, path),
            (_, &SetTerm::Minus(a, _) | &SetTerm::Guarded(_, a)) => self.has_ends(a, path),
            (_, &SetTerm::Or(a, b)) => self.has_ends(a, path) && self.has_ends(b, path),
            _ => false,
        }
    }

    /// Uses up some of the work that is left for paths.
    fn spend(&mut self, work: usize) -> Result<(), Stuck> {
        self.left = self.left.saturating_sub(work as u32);
        if self.left == 0 { Err(Why::Length.into()) } else { Ok(()) }
    }

    /// Returns the sites from which both paths lead to the same site.
    pub fn meeting(&mut self, f: &[Direction], g: &[Direction]) -> SetId {
        let common = f.iter().zip(g).take_while(|(one, other)| one == other).count();
        let (rest, other) = (&f[common..], &g[common..]);
        let meeting = match rest.is_empty() && other.is_empty() {
            true => SetId::BOARD,
            false => {
                let board = self.board;
                let sites = board.sites().filter(|&site| {
                    let end = end_of(board, site, rest);
                    end.is_some() && end == end_of(board, site, other)
                });
                self.constant(sites.collect())
            }
        };
        self.back(meeting, &f[..common])
    }

    /// Returns the x for which the relation leads from f(x) to g(x), where f and g are paths.
    ///
    /// # Errors
    /// If no operation on sets computes it.
    pub fn along(
        &mut self,
        relation: RelationId,
        f: &[Direction],
        g: &[Direction],
    ) -> Result<SetId, Stuck> {
        self.spend(1 + self.board.slots() / 64)?;
        let extended = |path: &[Direction], steps: &[Direction]| [path, steps].concat();
        Ok(match self.relation_term(relation).clone() {
            RelationTerm::None => SetId::NONE,
            RelationTerm::Test(set) => {
                let (same, set) = (self.meeting(f, g), self.back(set, f));
                self.and(same, set)
            }
            RelationTerm::Product(from, to) => {
                let (from, to) = (self.back(from, f), self.back(to, g));
                self.and(from, to)
            }
            RelationTerm::Step(mask) => directions(mask).fold(SetId::NONE, |any, direction| {
                let same = self.meeting(&extended(f, &[direction]), g);
                self.or(any, same)
            }),
            RelationTerm::Ray(..) => {
                let mut any = SetId::NONE;
                for port in self.all_ports(relation, false)? {
                    let same = self.meeting(&extended(f, &port.path), g);
                    if same != SetId::NONE {
                        let starts = self.back(port.starts, f);
                        let starts = self.and(same, starts);
                        any = self.or(any, starts);
                    }
                }
                any
            }
            RelationTerm::Then(a, b) => {
                let mut any = SetId::NONE;
                if let Ok(ports) = self.ports(a) {
                    for port in ports {
                        let rest = self.along(b, &extended(f, &port.path), g)?;
                        let starts = self.back(port.starts, f);
                        let starts = self.and(starts, rest);
                        any = self.or(any, starts);
                    }
                    return Ok(any);
                }
                let back = self.converse(b);
                for port in self.ports(back)? {
                    let rest = self.along(a, f, &extended(g, &port.path))?;
                    let starts = self.back(port.starts, g);
                    let starts = self.and(starts, rest);
                    any = self.or(any, starts);
                }
                any
            }
            RelationTerm::And(a, b) => {
                let (a, b) = (self.along(a, f, g)?, self.along(b, f, g)?);
                self.and(a, b)
            }
            RelationTerm::Or(a, b) => {
                let (a, b) = (self.along(a, f, g)?, self.along(b, f, g)?);
                self.or(a, b)
            }
            RelationTerm::Minus(a, b) => {
                let (a, b) = (self.along(a, f, g)?, self.along(b, f, g)?);
                self.minus(a, b)
            }
            RelationTerm::Stored(planes) => self.stored_along(&planes, f, g),
            RelationTerm::Back(of) => self.along(of, g, f)?,
            RelationTerm::Guarded(guard, of) => {
                let inner = self.along(of, f, g)?;
                self.under(guard, inner)
            }
            RelationTerm::Flood(..) | RelationTerm::Star(_) => return Err(Why::Group.into()),
            RelationTerm::Loop(id, _) => return Err(self.loops[id.0 as usize]),
        })
    }

    /// Returns the x at whose f(x) bit planes hold g(x): the planes are compared with those of the
    /// sites' own numbers, which are constants. Site n is stored as n + 1, because 0 is nowhere.
    fn stored_along(&mut self, planes: &[SetId], f: &[Direction], g: &[Direction]) -> SetId {
        let (start, end) = (self.back(SetId::BOARD, f), self.back(SetId::BOARD, g));
        let mut same = self.and(start, end);
        for (bit, &plane) in planes.iter().enumerate() {
            let board = self.board;
            let has = |site: &Site| {
                end_of(board, *site, g).is_some_and(|end| (u32::from(end.0) + 1) >> bit & 1 == 1)
            };
            let named = self.constant(board.sites().filter(has).collect());
            let plane = self.back(plane, f);
            let differs = self.xor(plane, named);
            same = self.minus(same, differs);
        }
        same
    }

    /// Returns the relation as paths, each from a set of starts. No two of them lead from one site
    /// to the same site.
    ///
    /// # Errors
    /// If it has no ports, or too many.
    pub fn ports(&mut self, relation: RelationId) -> Result<Vec<Port>, Stuck> {
        self.disjoint_ports(relation, false)
    }

    /// As [`Terms::ports`], for a relation whose paths have fixed lengths.
    ///
    /// # Errors
    /// If it has a ray, no ports, or too many.
    pub fn fixed_ports(&mut self, relation: RelationId) -> Result<Vec<Port>, Stuck> {
        self.disjoint_ports(relation, true)
    }

    fn disjoint_ports(&mut self, relation: RelationId, is_fixed: bool) -> Result<Vec<Port>, Stuck> {
        let mut ports: Vec<Port> = Vec::new();
        for port in self.all_ports(relation, is_fixed)? {
            match ports.iter_mut().find(|known| known.path == port.path) {
                Some(known) => known.starts = self.or(known.starts, port.starts),
                None => ports.push(port),
            }
        }
        match ports.len() > MAX_PORTS {
            true => return Err(Why::Length.into()),
            false => ports.retain(|port| port.starts != SetId::NONE),
        }
        // Where two paths meet, only the first counts. Where they meet is known before play.
        self.spend(ports.len() * ports.len() / 2 * (1 + self.board.slots() / 64))?;
        for later in 1..ports.len() {
            for earlier in 0..later {
                let meeting = self.meeting(&ports[earlier].path, &ports[later].path);
                let met = self.and(ports[earlier].starts, meeting);
                ports[later].starts = self.minus(ports[later].starts, met);
            }
        }
        Ok(ports)
    }

    /// Returns paths, each from a set of starts, whose union the relation is.
    fn all_ports(&mut self, relation: RelationId, is_fixed: bool) -> Result<Vec<Port>, Stuck> {
        self.spend(1)?;
        let port = |path: &[Direction], starts| Port { path: path.to_vec(), starts };
        Ok(match self.relation_term(relation).clone() {
            RelationTerm::None => Vec::new(),
            RelationTerm::Test(set) => vec![port(&[], set)],
            RelationTerm::Step(mask) => {
                directions(mask).map(|direction| port(&[direction], SetId::BOARD)).collect()
            }
            RelationTerm::Ray(..) if is_fixed => {
                let span = self.spans.get(&relation).copied();
                return Err(Stuck { why: Why::Length, span });
            }
            RelationTerm::Ray(mask, through) => {
                // On a line that is a ring, the lap would have to end at the start.
                if self.board.has_rings() {
                    return Err(Why::Line.into());
                }
                let mut ports = Vec::new();
                for direction in directions(mask) {
                    let (mut passed, mut open, mut path) = (SetId::BOARD, through, Vec::new());
                    for _ in 0..self.board.longest_line() {
                        path.push(direction);
                        ports.push(port(&path, passed));
                        open = self.back(open, &[direction]);
                        passed = self.and(passed, open);
                    }
                }
                ports
            }
            // Many steps, like many alternatives, are a long chain, for which there is no room on
            // the stack.
            RelationTerm::Then(first, mut rest) => {
                let mut ports = self.all_ports(first, is_fixed)?;
                loop {
                    let (factor, last) = match *self.relation_term(rest) {
                        RelationTerm::Then(factor, last) => (factor, Some(last)),
                        _ => (rest, None),
                    };
                    let next = self.all_ports(factor, is_fixed)?;
                    if ports.len() * next.len() > 4 * MAX_PORTS {
                        return Err(Why::Length.into());
                    }
                    let mut longer = Vec::with_capacity(ports.len() * next.len());
                    for one in &ports {
                        for other in &next {
                            let starts = self.back(other.starts, &one.path);
                            let starts = self.and(one.starts, starts);
                            longer.push(port(&[&one.path[..], &other.path].concat(), starts));
                        }
                    }
                    ports = longer;
                    let Some(last) = last else { break };
                    rest = last;
                }
                ports
            }
            RelationTerm::Or(a, b) => {
                let (mut ports, mut open) = (Vec::new(), vec![b, a]);
                while let Some(part) = open.pop() {
                    match *self.relation_term(part) {
                        RelationTerm::Or(a, b) => open.extend([b, a]),
                        _ => ports.extend(self.all_ports(part, is_fixed)?),
                    }
                    if ports.len() > 4 * MAX_PORTS {
                        return Err(Why::Length.into());
                    }
                }
                ports
            }
            RelationTerm::And(a, b) => {
                let (ports, other) = match self.all_ports(a, is_fixed) {
                    Ok(ports) => (ports, b),
                    Err(first) => match self.all_ports(b, is_fixed) {
                        Ok(ports) => (ports, a),
                        Err(_) if is_fixed && first.span.is_some() => return Err(first),
                        Err(second) if is_fixed => return Err(second),
                        Err(_) => return Err(Why::TwoRegions.into()),
                    },
                };
                let mut restricted = Vec::new();
                for one in ports {
                    let other = self.along(other, &[], &one.path)?;
                    let starts = self.and(one.starts, other);
                    restricted.push(port(&one.path, starts));
                }
                restricted
            }
            RelationTerm::Minus(a, b) => {
                let mut rest = Vec::new();
                for one in self.all_ports(a, is_fixed)? {
                    let without = self.along(b, &[], &one.path)?;
                    let starts = self.minus(one.starts, without);
                    rest.push(port(&one.path, starts));
                }
                rest
            }
            RelationTerm::Guarded(guard, of) => {
                let mut ports = self.all_ports(of, is_fixed)?;
                for port in &mut ports {
                    port.starts = self.under(guard, port.starts);
                }
                ports
            }
            RelationTerm::Flood(..) | RelationTerm::Star(_) => {
                let span = self.spans.get(&relation).copied();
                return Err(Stuck { why: Why::Group, span });
            }
            RelationTerm::Product(..) => return Err(Why::TwoSites.into()),
            RelationTerm::Stored(_) | RelationTerm::Back(_) => return Err(Why::Site.into()),
            RelationTerm::Loop(id, _) => return Err(self.loops[id.0 as usize]),
        })
    }

    /// Returns sets whose sum at each site is the number of sites in a set that the relation leads
    /// to from there.
    ///
    /// # Errors
    /// If the relation has no ports, or too many.
    pub fn degree(&mut self, relation: RelationId, to: SetId) -> Result<Degree, Stuck> {
        let whole = |sets| Degree { sets, is_ladder: false };
        Ok(match self.relation_term(relation).clone() {
            RelationTerm::Step(mask) => {
                whole(directions(mask).map(|direction| self.back(to, &[direction])).collect())
            }
            RelationTerm::Ray(mask, _) => {
                let ports = self.all_ports(relation, false)?;
                let is_ladder = mask.count_ones() == 1 && to == SetId::BOARD;
                Degree { sets: self.counted(ports, to), is_ladder }
            }
            RelationTerm::Then(a, b) => {
                let (first, last) = (self.relation_term(a).clone(), self.relation_term(b).clone());
                match (first, last) {
                    (RelationTerm::Test(from), _) => {
                        let Degree { mut sets, is_ladder } = self.degree(b, to)?;
                        sets.iter_mut().for_each(|set| *set = self.and(*set, from));
                        Degree { sets, is_ladder }
                    }
                    (RelationTerm::Step(mask), _) if mask.count_ones() == 1 => {
                        let Degree { mut sets, is_ladder } = self.degree(b, to)?;
                        let back = opposite(mask);
                        sets.iter_mut().for_each(|set| *set = self.beside(back, *set));
                        Degree { sets, is_ladder }
                    }
                    (RelationTerm::Ray(mask, through), RelationTerm::Test(ends)) => {
                        // A walk counts sites as long as each is in the set that it passes.
                        let is_ladder =
                            mask.count_ones() == 1 && to == SetId::BOARD && ends == through;
                        let to = self.and(to, ends);
                        Degree { is_ladder, ..self.degree(a, to)? }
                    }
                    (_, RelationTerm::Test(ends)) => {
                        let to = self.and(to, ends);
                        self.degree(a, to)?
                    }
                    _ => {
                        let ports = self.ports(relation)?;
                        whole(self.counted(ports, to))
                    }
                }
            }
            RelationTerm::Guarded(guard, of) => {
                let Degree { mut sets, is_ladder } = self.degree(of, to)?;
                sets.iter_mut().for_each(|set| *set = self.under(guard, *set));
                Degree { sets, is_ladder }
            }
            _ => {
                let ports = self.ports(relation)?;
                whole(self.counted(ports, to))
            }
        })
    }

    fn counted(&mut self, ports: Vec<Port>, to: SetId) -> Vec<SetId> {
        let count = |port: Port| {
            let ends = self.back(to, &port.path);
            self.and(ends, port.starts)
        };
        ports.into_iter().map(count).collect()
    }
}
