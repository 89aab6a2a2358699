//! Channels: the bits of a site's key that hold what memories and definitions say of the site,
//! besides its occupant.

use super::observations::{Found, MAX_LEAD, Observation, Observations};
use crate::compile::layout::Home;
use crate::compile::program::Program;
use crate::language::rules::{DefinitionId, MemoryId, MemoryType, PlayerId, Rules};

/// The bits of a key.
pub const KEY_BITS: u32 = 16;
/// The bits of a lead.
const LEAD_BITS: u32 = u64::BITS - (MAX_LEAD as u64).leading_zeros();

/// Where a channel reads its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelSource {
    Memory(MemoryId),
    /// 1 where the definition holds.
    Definition(DefinitionId),
    /// How far the player's number exceeds the other player's, from 0 to
    /// [`MAX_LEAD`](super::observations::MAX_LEAD).
    Lead(DefinitionId),
}

/// A field of a site's key: the value of a memory or definition, `bits` bits from bit `shift` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Channel {
    pub source: ChannelSource,
    /// The player whose value it holds, if the source has a value for each player.
    pub player: Option<PlayerId>,
    pub shift: u32,
    pub bits: u32,
}

/// The channels of one source, one for each player.
pub struct ChannelGroup {
    /// Their shifts are relative to the shift of the group.
    pub channels: Vec<Channel>,
    adds: Vec<ChannelAdd>,
}

/// A set whose members add to a channel.
struct ChannelAdd {
    set: u16,
    /// What membership adds to the key, relative to the group's shift: in the position as it is,
    /// and with the sides exchanged.
    added: [u32; 2],
}

impl ChannelGroup {
    /// Makes a channel of `bits` bits for each player.
    fn new(
        source: ChannelSource,
        players: impl Iterator<Item = Option<PlayerId>>,
        bits: u32,
    ) -> Self {
        let channel = |(player, shift)| Channel { source, player, shift, bits };
        let shifts = (0..).map(|index| index * bits);
        ChannelGroup { channels: players.zip(shifts).map(channel).collect(), adds: Vec::new() }
    }

    /// Returns the number of bits of all channels.
    pub fn bits(&self) -> u32 {
        self.channels.iter().map(|channel| channel.bits).sum()
    }

    /// Adds a set whose members add `value` to the channel with this index.
    fn add(&mut self, set: u16, channel: usize, value: u32) {
        let image = if self.channels.len() == 2 { 1 - channel } else { channel };
        let shifted = |channel: usize| value.checked_shl(self.channels[channel].shift).unwrap_or(0);
        let added = [channel, image].map(shifted);
        self.adds.push(ChannelAdd { set, added });
    }

    /// Returns each set with what membership adds to the key: as it is, and with sides exchanged.
    pub fn sides(&self) -> [impl Iterator<Item = (u16, u32)> + '_; 2] {
        [0, 1].map(|side| self.adds.iter().map(move |add| (add.set, add.added[side])))
    }
}

/// Lists the channels of a game, narrow groups first.
pub fn groups(rules: &Rules, program: &Program, observations: &Observations) -> Vec<ChannelGroup> {
    let mut groups = remembered(rules, program);
    groups.extend(observed(rules, observations));
    groups.retain(|group| !group.adds.is_empty());
    groups.sort_by_key(ChannelGroup::bits);
    groups
}

/// Lists the channels of memories with a value for each site.
fn remembered(rules: &Rules, program: &Program) -> Vec<ChannelGroup> {
    let mut groups = Vec::new();
    for (index, memory) in rules.memories.iter().enumerate() {
        let id = MemoryId(index as u16);
        let source = ChannelSource::Memory(id);
        match program.layout.home(id) {
            Home::Sets { first } => {
                let players = rules.players.len() as u16;
                let each = memory.per_direction.len().max(1) as u16;
                let owners = (0..if memory.per_player { players } else { 1 })
                    .map(|owner| memory.per_player.then_some(PlayerId(owner)));
                let mut group = ChannelGroup::new(source, owners, 16 - each.leading_zeros());
                for owner in 0..group.channels.len() {
                    for set in 0..each {
                        group.add(first + owner as u16 * each + set, owner, 1);
                    }
                }
                groups.push(group);
            }
            Home::Field { first, bits }
                if matches!(memory.holds, MemoryType::Number { .. } | MemoryType::Kind) =>
            {
                let mut group = ChannelGroup::new(source, std::iter::once(None), bits.into());
                for bit in 0..bits.min(KEY_BITS as u16) {
                    group.add(first + bit, 0, 1 << bit);
                }
                groups.push(group);
            }
            Home::Field { .. } | Home::Nums { .. } => {}
        }
    }
    groups
}

/// Lists the channels of definitions: conditions at a site, and a player's lead there.
fn observed(rules: &Rules, observations: &Observations) -> Vec<ChannelGroup> {
    let mut groups: Vec<ChannelGroup> = Vec::new();
    for &(Observation { definition, player, found }, register) in &observations.all {
        let (source, bits) = match found {
            Found::Sites => (ChannelSource::Definition(definition), 1),
            Found::Lead(_) => (ChannelSource::Lead(definition), LEAD_BITS),
            Found::AtLeast(_) | Found::Number => continue,
        };
        let players = (0..rules.players.len() as u16).map(|player| Some(PlayerId(player)));
        let is_same = |group: &ChannelGroup| group.channels[0].source == source;
        let place = groups.iter().position(is_same).unwrap_or_else(|| {
            groups.push(match player {
                Some(_) => ChannelGroup::new(source, players, bits),
                None => ChannelGroup::new(source, std::iter::once(None), bits),
            });
            groups.len() - 1
        });
        groups[place].add(register, player.map_or(0, PlayerId::index), 1);
    }
    groups
}
