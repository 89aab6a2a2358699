"""Games in the shape of OpenSpiel, also played by OpenSpiel's own algorithms where it is installed."""

import random
import unittest
from pathlib import Path

import ludwright
import numpy as np
from ludwright import Game
from ludwright.openspiel import SpielGame

ROOT = Path(__file__).parent.parent.parent
TIC_TAC_TOE = ROOT / "tests/games/tic-tac-toe.game"
PIE = ROOT / "tests/games/hex-with-pie.game"
THREE = ROOT / "tests/games/three-player-tic-tac-toe.game"
SWARM = ROOT / "games/two-dice-swarm.game"


def outcomes(state):
    """The actions that can come next."""
    return [action for action, _ in state.chance_outcomes()] if state.is_chance_node() else state.legal_actions()


def roll(state):
    """Rolls until a player can move."""
    chosen = random.Random(1)
    while state.is_chance_node():
        state.apply_action(chosen.choice(outcomes(state)))


class Shape(unittest.TestCase):
    def test_tic_tac_toe(self):
        game = SpielGame(Game(TIC_TAC_TOE))
        self.assertEqual((game.num_distinct_actions(), game.num_players(), game.max_game_length()), (9, 2, 10_000))
        self.assertEqual((game.min_utility(), game.max_utility(), game.utility_sum()), (-1, 1, 0))
        self.assertEqual(game.observation_tensor_shape(), [4, 9])
        state = game.new_initial_state()
        self.assertIs(state.get_game(), game)
        self.assertEqual((state.current_player(), state.history(), state.returns()), (0, [], [0, 0]))
        self.assertFalse(state.is_chance_node() or state.is_terminal())
        state.apply_action(state.string_to_action("b2"))
        self.assertEqual((state.current_player(), state.history()), (1, [4]))
        self.assertEqual(state.legal_actions(), [0, 1, 2, 3, 5, 6, 7, 8])
        self.assertEqual(state.legal_actions(0), [])
        self.assertEqual(state.legal_actions_mask(), [1, 1, 1, 1, 0, 1, 1, 1, 1])
        self.assertEqual(state.legal_actions_mask(0), [0] * 9)
        self.assertEqual((state.action_to_string(1, 0), state.action_to_string(0)), ("place a1", "place a1"))
        self.assertEqual(state.string_to_action(1, "place a1"), 0)
        # Each player sees himself first.
        own, opponent = np.reshape(state.observation_tensor(), (4, 9))[:2]
        self.assertEqual((own.sum(), opponent.tolist()), (0, [0, 0, 0, 0, 1, 0, 0, 0, 0]))
        self.assertEqual(np.reshape(state.observation_tensor(0), (4, 9))[0].tolist(), opponent.tolist())
        child = state.child(0)
        self.assertEqual((state.history(), child.history(), child.history_str()), ([4], [4, 0], "4, 0"))
        self.assertEqual(child.information_state_string(0), child.history_str())
        self.assertEqual(child.observation_string(1), str(child))
        child.undo_action(1, 0)
        self.assertEqual((str(child), child.history()), (str(state), [4]))
        for action in (0, 3, 1, 8):
            state.apply_action(action)
        with self.assertRaises(ludwright.IllegalMove):
            state.apply_action(0)
        clone = state.clone()
        state.apply_action(6)
        state.apply_action(7)
        state.undo_action(0, 7)
        self.assertEqual(clone.legal_actions(), [2, 5, 6, 7])
        clone.apply_action(2)
        self.assertEqual((clone.history(), state.history()), ([4, 0, 3, 1, 8, 2], [4, 0, 3, 1, 8, 6]))

    def test_the_end(self):
        state = SpielGame(Game(TIC_TAC_TOE)).new_initial_state()
        for action in (0, 3, 1, 4, 2):
            state.apply_action(action)
        self.assertTrue(state.is_terminal())
        self.assertEqual((state.current_player(), state.returns(), state.rewards()), (-4, [1, -1], [1, -1]))
        self.assertEqual((state.player_return(1), state.player_reward(0)), (-1, 1))
        self.assertEqual((state.legal_actions(), state.legal_actions_mask(), state.is_chance_node()), ([], [0] * 9, False))
        self.assertEqual(len(state.observation_tensor(0)), 36)
        for refused in (lambda: state.apply_action(5), state.observation_tensor, lambda: state.observation_tensor(2), lambda: state.undo_action(1, 2)):
            with self.assertRaises(ValueError):
                refused()

    def test_the_longest_game(self):
        state = SpielGame(Game(TIC_TAC_TOE), max_game_length=2).new_initial_state()
        state.apply_action(0)
        state.apply_action(1)
        self.assertEqual((state.is_terminal(), state.returns(), state.legal_actions()), (True, [0, 0], []))
        state.undo_action(1, 1)
        self.assertEqual((state.is_terminal(), state.current_player()), (False, 1))

    def test_dice(self):
        game = SpielGame(Game(SWARM, Size=4))
        state = game.new_initial_state()
        self.assertEqual((state.current_player(), state.is_chance_node(), state.move_number()), (-1, True, 0))
        rolls = state.chance_outcomes()
        self.assertAlmostEqual(sum(chance for _, chance in rolls), 1)
        self.assertEqual([action for action, _ in rolls], state.legal_actions())
        self.assertEqual(rolls, sorted(set(rolls)))
        for rolled, _ in rolls:
            self.assertEqual(state.child(rolled).state.played, [state.action_to_string(rolled)])
        roll(state)
        self.assertEqual((state.is_player_node(), state.move_number()), (True, 0))
        self.assertGreaterEqual(len(state.history()), 1)
        with self.assertRaises(ValueError):
            state.chance_outcomes()

    def test_random_games_keep_the_promises(self):
        chosen = random.Random(1)
        for path, options in [(TIC_TAC_TOE, {}), (SWARM, {"Size": 4}), (PIE, {"Size": 3}), (THREE, {})]:
            game = SpielGame(Game(path, **options))
            for _ in range(10):
                state, texts = game.new_initial_state(), []
                while not state.is_terminal():
                    mask = state.legal_actions_mask()
                    self.assertEqual([action for action, legal in enumerate(mask) if legal], state.legal_actions())
                    texts.append(str(state))
                    state.apply_action(chosen.choice(outcomes(state)))
                returns = state.returns()
                self.assertAlmostEqual(sum(returns), game.utility_sum())
                self.assertTrue(all(game.min_utility() <= each <= game.max_utility() for each in returns))
                again = game.new_initial_state()
                for action in state.history():
                    again.apply_action(action)
                self.assertEqual((str(again), again.returns()), (str(state), returns))
                # All the way back.
                for player, action in reversed(state._history):
                    state.undo_action(player, action)
                    self.assertEqual(str(state), texts.pop())

    def test_persons_keep_their_numbers_when_they_swap(self):
        state = SpielGame(Game(PIE, Size=2)).new_initial_state()
        players = []
        for text in ("place a2", "swap", "place b2", "place a1"):
            players.append(state.current_player())
            state.apply_action(state.string_to_action(text))
        # The second player takes over Red, who wins.
        self.assertEqual((players, state.returns()), ([0, 1, 0, 1], [-1, 1]))


class OpenSpiel(unittest.TestCase):
    """What OpenSpiel's algorithms find."""

    @classmethod
    def setUpClass(cls):
        try:
            import pyspiel  # noqa: F401
        except ImportError:
            raise unittest.SkipTest("*** OpenSpiel is not installed (pip install open_spiel): its algorithms are NOT TESTED ***") from None

    def test_minimax(self):
        from open_spiel.python.algorithms import minimax

        game = SpielGame(Game(TIC_TAC_TOE))
        state = game.new_initial_state()
        state.apply_action(4)
        self.assertEqual(minimax.alpha_beta_search(game, state.clone())[0], 0)
        # At the middle of a side the second player loses.
        state.apply_action(1)
        value, action = minimax.alpha_beta_search(game, state.clone())
        self.assertEqual(value, 1)
        solved = ludwright.Solver().solve(state.state)
        self.assertIn(action, [each["action"] for each in solved["moves"] if each.get("winner") == 0])

    def test_expectiminimax(self):
        from open_spiel.python.algorithms import minimax

        # Who rolls a four wins.
        rules = """(game "Four" (players A B) (board (rectangle 1 1)) (piece Stone) (remember Total number)
          (move roll (number n 1 4) (set Total n)) (move go) (play (turns (chance roll) (choose go) (if (= Total 4) (win mover)))))"""
        for depth, expected in [(1, 1 / 4), (2, 1 / 4 - 3 / 4 * 1 / 4)]:
            state = SpielGame(Game.from_text(rules)).new_initial_state()
            value, _ = minimax.expectiminimax(state, depth, lambda state: state.player_return(0), 0)
            self.assertAlmostEqual(value, expected)

    def test_tree_search(self):
        from open_spiel.python.algorithms import mcts

        random_state = np.random.RandomState(1)
        for path, options, played in [(TIC_TAC_TOE, {}, [0, 3, 1, 4]), (SWARM, {"Size": 4}, [])]:
            game = SpielGame(Game(path, **options), max_game_length=30)
            bot = mcts.MCTSBot(game, 2, 50, mcts.RandomRolloutEvaluator(1, random_state), random_state=random_state)
            state = game.new_initial_state()
            for action in played:
                state.apply_action(action)
            roll(state)
            action = bot.step(state)
            self.assertIn(action, state.legal_actions())
            if played:
                self.assertEqual(state.action_to_string(action), "place c1", "it completes the row")

    def test_all_positions(self):
        from open_spiel.python.algorithms import get_all_states

        game = SpielGame(Game(TIC_TAC_TOE))
        states = get_all_states.get_all_states(game, to_string=str, stop_if_encountered=True)
        self.assertEqual(len(states), 5478, "the positions of tic-tac-toe")


if __name__ == "__main__":
    unittest.main()
