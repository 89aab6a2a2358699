"""Games as environments of PettingZoo, one agent acting after the other (AEC)."""

import gymnasium.spaces
import numpy as np
from pettingzoo import AECEnv

from ._native import Game


class GameEnv(AECEnv):
    """A game. Agents are the players by name, and keep their names after a swap by the pie rule.

    An observation is a dictionary: ``observation`` is of shape (planes, sites), ``action_mask`` has a 1 for each legal action (none while others are to
    act). The reward at the end of a game is 1 for a win and -1 for a loss. Dice are rolled by the seed of `reset`.
    """

    metadata = {"name": "ludwright_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(self, game: Game, render_mode=None):
        super().__init__()
        self.game = game
        self.render_mode = render_mode
        self.possible_agents = list(game.players)
        shape = (len(game.planes), len(game.sites))
        # Counts and numbers in memories have no bounds in general.
        low, high = np.iinfo(np.int32).min, np.iinfo(np.int32).max
        self.action_spaces = {agent: gymnasium.spaces.Discrete(game.action_count) for agent in self.possible_agents}
        self.observation_spaces = {
            agent: gymnasium.spaces.Dict(
                {
                    "observation": gymnasium.spaces.Box(low, high, shape, np.float32),
                    "action_mask": gymnasium.spaces.Box(0, 1, (game.action_count,), np.int8),
                }
            )
            for agent in self.possible_agents
        }

    def observation_space(self, agent):
        return self.observation_spaces[agent]

    def action_space(self, agent):
        return self.action_spaces[agent]

    def reset(self, seed=None, options=None):
        self._random = np.random.default_rng(seed)
        self.state = self.game.start()
        self.agents = self.possible_agents[:]
        self.rewards = {agent: 0 for agent in self.agents}
        self._cumulative_rewards = {agent: 0 for agent in self.agents}
        self.terminations = {agent: False for agent in self.agents}
        self.truncations = {agent: False for agent in self.agents}
        self.infos = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._go_on()

    def observe(self, agent):
        person = self.possible_agents.index(agent)
        player = 1 - person if self.state.is_swapped else person
        acts = agent == self.agent_selection and not self.state.is_over
        mask = self.state.mask().astype(np.int8) if acts else np.zeros(self.game.action_count, np.int8)
        return {"observation": self.state.observe(player), "action_mask": mask}

    def step(self, action):
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        agent = self.agent_selection
        self._cumulative_rewards[agent] = 0
        self._clear_rewards()
        self.state.play(int(action))
        self._go_on()
        self._accumulate_rewards()

    def render(self):
        if self.render_mode == "ansi":
            return str(self.state)
        return None

    def close(self):
        pass

    def _go_on(self):
        """Rolls the dice, and finds who is to act, or the result."""
        while self.state.mover == -1:
            self.state.roll(int(self._random.integers(2**63)))
        if self.state.person is not None:
            self.agent_selection = self.possible_agents[self.state.person]
            return
        for agent, score in zip(self.possible_agents, self.state.returns()):
            self.rewards[agent] = 2 * score - 1 if len(self.possible_agents) <= 2 else score
        self.terminations = {agent: True for agent in self.agents}
        self.agent_selection = self.agents[0]
