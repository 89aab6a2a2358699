"""Learns games from the numbers that the module offers, and prints figures: `python tests/python/test_learning.py`."""

import unittest
from collections import defaultdict
from pathlib import Path

import numpy as np
from ludwright import Game, Solver, VecEnv

ROOT = Path(__file__).parent.parent.parent


class Table(unittest.TestCase):
    def test_a_table_learns_to_draw_tic_tac_toe(self):
        """Q-learning by games against itself, many at once. Values are for the player to move."""
        game = Game(ROOT / "tests/games/tic-tac-toe.game")
        games, random = 64, np.random.default_rng(1)
        env = VecEnv(game, games, seed=1)
        table = defaultdict(lambda: np.zeros(game.action_count, np.float32))
        for step in range(6_000):
            seen = [observation.tobytes() for observation in env.observations]
            masks = env.masks.copy()
            values = np.stack([table[key] for key in seen])
            values[~masks] = -np.inf
            chosen = np.where(random.random(games) < 0.7, env.sample(step), values.argmax(1))
            movers = env.movers.copy()
            env.step(chosen)
            for index in range(games):
                if env.ended[index]:
                    target = 2 * env.returns[index][movers[index]] - 1
                else:
                    # What is good for the next player is bad for this one.
                    target = -table[env.observations[index].tobytes()][env.masks[index]].max()
                row = table[seen[index]]
                # The game has no dice: what was learned last is the most exact.
                row[chosen[index]] = target

        def best(state):
            row = table[state.observe(state.mover).tobytes()].copy()
            row[~state.mask()] = -np.inf
            return int(row.argmax())

        state = game.start()
        while not state.is_over:
            state.play(best(state))
        print("against itself:", state.returns())
        self.assertEqual(state.returns(), [0.5, 0.5])
        # Against every reply, and checked by the solver: it never loses as either player.
        lost, met = 0, 0
        for player in (0, 1):
            open_states = [game.start()]
            while open_states:
                state = open_states.pop()
                if state.is_over:
                    lost += state.returns()[player] == 0
                    met += 1
                    continue
                for action in [best(state)] if state.mover == player else state.actions():
                    after = state.copy()
                    after.play(action)
                    open_states.append(after)
        print(f"lost {lost} of {met} games against all replies; positions in the table: {len(table)}")
        self.assertEqual(lost, 0)
        self.assertEqual(Solver().solve(game.start())["value"], "draw")


if __name__ == "__main__":
    unittest.main()
