"""Games of one player as environments of Gymnasium."""

import gymnasium
import numpy as np

from ._native import Game


class PuzzleEnv(gymnasium.Env):
    """A game of one player. The reward is 1 once he has won. ``info["action_mask"]`` has a 1 for each legal action."""

    metadata = {"render_modes": ["ansi"]}

    def __init__(self, game: Game, render_mode=None):
        if len(game.players) != 1:
            raise ValueError(f"{game.title} has {len(game.players)} players, not one")
        self.game = game
        self.render_mode = render_mode
        low, high = np.iinfo(np.int32).min, np.iinfo(np.int32).max
        self.observation_space = gymnasium.spaces.Box(low, high, (len(game.planes), len(game.sites)), np.float32)
        self.action_space = gymnasium.spaces.Discrete(game.action_count)

    def reset(self, *, seed=None, options=None):
        super().reset(seed=seed)
        self.state = self.game.start()
        return self._seen()

    def step(self, action):
        self.state.play(int(action))
        observation, info = self._seen()
        reward = self.state.returns()[0] if self.state.is_over else 0.0
        return observation, reward, self.state.is_over, False, info

    def render(self):
        if self.render_mode == "ansi":
            return str(self.state)
        return None

    def _seen(self):
        while self.state.mover == -1:
            self.state.roll(int(self.np_random.integers(2**63)))
        mask = np.zeros(self.game.action_count, np.int8) if self.state.is_over else self.state.mask().astype(np.int8)
        return self.state.observe(0), {"action_mask": mask}
