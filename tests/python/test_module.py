"""The Python module: `python -m unittest discover tests/python`, with the module installed."""

import ast
import contextlib
import copy
import io
import os
import re
import signal
import threading
import time
import unittest
from pathlib import Path

import ludwright
import numpy as np
from ludwright import Bot, Game, Solver, VecEnv

ROOT = Path(__file__).parent.parent.parent
TIC_TAC_TOE = ROOT / "tests/games/tic-tac-toe.game"
KITARAN = ROOT / "games/kitaran.game"
PIE = ROOT / "tests/games/hex-with-pie.game"
SWARM = ROOT / "games/two-dice-swarm.game"


class Games(unittest.TestCase):
    def test_a_game_is_loaded_with_options(self):
        game = Game(KITARAN, Size=4)
        self.assertEqual((game.title, game.players, game.options["Size"]), ("Kitaran", ["Black", "White"], "4"))
        self.assertEqual((len(game.sites), game.places.shape), (16, (16, 2)))
        self.assertEqual(game.neighbors("a1"), {"N": "a2", "E": "b1", "NE": "b2"})

    def test_errors_are_reports(self):
        with self.assertRaisesRegex(ludwright.RulesError, "never closed"):
            Game.from_text("(game")
        with self.assertRaisesRegex(ludwright.RulesError, "Size"):
            Game(KITARAN, Size=40)
        with self.assertRaises(ludwright.RulesError):
            Game("nothing.game")

    def test_moves_are_texts_and_numbers(self):
        state = Game(TIC_TAC_TOE).start()
        state.play("b2")
        state.play(0)
        self.assertEqual(state.played, ["place b2", "place a1"])
        with self.assertRaisesRegex(ludwright.IllegalMove, "place a1"):
            state.play(0)
        with self.assertRaises(ludwright.IllegalMove):
            state.play("z9")
        self.assertEqual(state.actions(), list(np.flatnonzero(state.mask())))
        self.assertEqual(state.undo(), "place a1")
        self.assertEqual(copy.copy(state).position(), state.position())
        again = state.game.read_record(state.record())
        self.assertEqual(again.hash(), state.hash())
        self.assertEqual(state.game.read_position(state.position()).hash(), state.hash())

    def test_formats_of_other_programs_are_read_and_written(self):
        chess = Game(ROOT / "tests/games/chess.game")
        state = chess.read("pgn", "1. e4 e5 2. Nf3 *")
        self.assertEqual(state.played[-1], "move g1-f3")
        line = "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 0 2"
        self.assertEqual(state.write("fen").strip(), line)
        self.assertEqual(chess.read("fen", line).hash(), state.hash())
        for format, text in [("pgn", "1. e5"), ("fen", "8"), ("sgf", "(;)"), ("chess", "")]:
            with self.assertRaises(ValueError):
                chess.read(format, text)

    def test_ctrl_c_ends_a_search(self):
        start = Game(KITARAN).start()
        for long in (lambda: Bot("mcts:600s").choose(start), lambda: Solver(time=600).solve(start)):
            threading.Timer(0.5, signal.raise_signal, [signal.SIGINT]).start()
            began = time.monotonic()
            with self.assertRaises(KeyboardInterrupt):
                long()
            self.assertLess(time.monotonic() - began, 60)

    def test_observations_turn_with_the_player(self):
        state = Game(TIC_TAC_TOE).start()
        state.play("b2")
        self.assertEqual(state.observe(0)[0].tolist(), state.observe(1)[1].tolist())
        self.assertEqual(state.observe(0)[0].sum(), 1)
        with self.assertRaises(ValueError):
            state.observe(2)

    def test_counts_searches_and_solutions(self):
        state = Game(TIC_TAC_TOE).start()
        self.assertEqual([state.perft(depth) for depth in range(5)], [1, 9, 72, 504, 3024])
        self.assertEqual(sum(state.playouts(100)["wins"]) + state.playouts(100)["draws"], 100)
        self.assertEqual(Solver().solve(state)["value"], "draw")
        ply, thinking = Bot("mcts:300it", seed=1).choose(state)
        self.assertEqual(thinking["moves"][0]["move"], ply)
        self.assertEqual(Bot("mcts:300it", seed=1).choose(state)[0], ply)
        with self.assertRaisesRegex(ValueError, "greedy"):
            Bot("gredy")

    def test_dice(self):
        state = Game(SWARM, Size=4).start()
        self.assertEqual(state.mover, -1)
        self.assertAlmostEqual(sum(chance for _, chance in state.rolls()), 1)
        self.assertEqual(state.roll(3), state.played[0])
        self.assertIsNone(state.roll(3))

    def test_the_lock_is_released(self):
        state, counted = Game(KITARAN).start(), []
        thread = threading.Thread(target=lambda: Bot("mcts:1s").choose(state))
        thread.start()
        while thread.is_alive():
            counted.append(time.monotonic())
            time.sleep(0.01)
        self.assertGreater(len(counted), 20)


class Vectors(unittest.TestCase):
    def test_arrays_are_shown_and_not_copied(self):
        game = Game(KITARAN, Size=3)
        env = VecEnv(game, 8, seed=1)
        masks, seen = env.masks, env.observations
        self.assertEqual(masks.shape, (8, game.action_count))
        self.assertEqual(seen.shape, (8, len(game.planes), 9))
        before = masks.copy()
        env.step(env.sample(1))
        self.assertFalse(np.array_equal(before, masks))
        self.assertTrue(np.shares_memory(masks, env.masks))
        with self.assertRaises(ValueError):
            masks[0, 0] = True
        del env
        self.assertEqual(masks.shape[0], 8)

    def test_steps_are_those_of_states(self):
        game = Game(KITARAN, Size=3)
        env, states = VecEnv(game, 4, seed=1), [game.start() for _ in range(4)]
        for step in range(60):
            actions = env.sample(step)
            env.step(actions)
            for index, action in enumerate(actions):
                states[index].play(int(action))
                self.assertEqual(bool(env.ended[index]), states[index].is_over)
                if states[index].is_over:
                    self.assertEqual(env.returns[index].tolist(), states[index].returns())
                    states[index] = game.start()
                mover = states[index].mover
                self.assertEqual(env.movers[index], mover)
                self.assertTrue(np.array_equal(env.observations[index], states[index].observe(mover)))
                self.assertTrue(np.array_equal(env.masks[index], states[index].mask()))

    def test_an_illegal_action_changes_nothing(self):
        env = VecEnv(Game(TIC_TAC_TOE), 2)
        env.step(np.array([0, 4]))
        before = env.observations.copy()
        for wrong in ([4, 4], [-1, 0], [99, 0]):
            with self.assertRaises(ludwright.IllegalMove):
                env.step(np.array(wrong))
        with self.assertRaises(ValueError):
            env.step(np.array([1]))
        self.assertTrue(np.array_equal(before, env.observations))


    def test_movers_are_persons_as_returns_are(self):
        game = Game(PIE, Size=2)
        env, state, movers = VecEnv(game, 1), game.start(), []
        for text in ("place a2", "swap", "place b2", "place a1"):
            action = state.action(text)
            self.assertEqual(env.movers[0], state.person)
            self.assertTrue(np.array_equal(env.observations[0], state.observe(state.mover)))
            movers.append((state.mover, state.person, state.is_swapped))
            state.play(action)
            env.step(np.array([action]))
        self.assertEqual(movers, [(0, 0, False), (1, 1, False), (1, 0, True), (0, 1, True)])
        self.assertEqual((env.ended.tolist(), env.returns[0].tolist(), state.returns()), ([True], [0, 1], [0, 1]))


class Adapters(unittest.TestCase):
    def test_pettingzoo(self):
        try:
            from pettingzoo.test import api_test
        except ImportError:
            self.skipTest("PettingZoo is not installed")
        from ludwright.pettingzoo import GameEnv

        for path, options in [(KITARAN, {"Size": 3}), (SWARM, {"Size": 4}), (TIC_TAC_TOE, {}), (PIE, {"Size": 3})]:
            api_test(GameEnv(Game(path, **options)), num_cycles=200)

    def test_pettingzoo_rewards_persons(self):
        try:
            from ludwright.pettingzoo import GameEnv
        except ImportError:
            self.skipTest("PettingZoo is not installed")

        env = GameEnv(Game(PIE, Size=2))
        env.reset()
        agents = []
        for text in ("place a2", "swap", "place b2", "place a1"):
            agents.append(env.agent_selection)
            env.step(env.state.action(text))
        # The second player takes over Red, who wins.
        self.assertEqual((agents, env.rewards), (["Red", "Blue", "Red", "Blue"], {"Red": -1, "Blue": 1}))

    def test_gymnasium(self):
        try:
            from gymnasium.utils.env_checker import check_env
        except ImportError:
            self.skipTest("Gymnasium is not installed")
        from ludwright.gymnasium import PuzzleEnv

        # Every action is legal, as the checker expects.
        push = """(game "Doors" (players Guest) (board (rectangle 3 1)) (piece Door unowned) (remember Tries number)
          (move open (at s everywhere) (raise Tries 1) (put Door s)) (play (turns (choose open)))
          (end (if (= (count (pieces)) 3) (win Guest)) (if (= Tries 6) (draw))))"""
        env = PuzzleEnv(Game.from_text(push))
        check_env(env, skip_render_check=True)
        env.reset(seed=1)
        rewards = [env.step(action)[1:3] for action in (0, 1, 2)]
        self.assertEqual(rewards[-1], (1.0, True))
        with self.assertRaises(ValueError):
            PuzzleEnv(Game(TIC_TAC_TOE))


class Documentation(unittest.TestCase):
    def test_help_says_what_the_stubs_say(self):
        """Constructors are described with their class."""
        told = lambda text: " ".join((text or "").split())  # noqa: E731
        stubs = ast.parse(Path(ludwright.__file__).with_suffix(".pyi").read_text())
        compared = 0
        for node in stubs.body:
            if isinstance(node, ast.FunctionDef):
                self.assertEqual(told(getattr(ludwright, node.name).__doc__), told(ast.get_docstring(node)), node.name)
            if not isinstance(node, ast.ClassDef) or not hasattr(ludwright, node.name):
                continue
            kind, documented = getattr(ludwright, node.name), told(ast.get_docstring(node))
            for part in node.body:
                if not isinstance(part, ast.FunctionDef):
                    continue
                doc = told(ast.get_docstring(part))
                if part.name == "__init__":
                    documented = f"{documented} {doc}".strip()
                elif doc:
                    compared += 1
                    self.assertEqual(told(getattr(kind, part.name).__doc__), doc, f"{node.name}.{part.name}")
                else:
                    self.assertTrue(hasattr(kind, part.name), f"{node.name}.{part.name}")
            self.assertEqual(told(kind.__doc__), documented, node.name)
        self.assertGreater(compared, 40)

    def test_the_guides_run(self):
        """The examples of the guide for programmers, one after the other."""
        page = (ROOT / "grammar/guides/programmers.md").read_text()
        blocks = re.findall(r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)
        self.assertGreaterEqual(len(blocks), 3)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(ROOT)
        names = {"__name__": "guide"}
        for block in blocks:
            with self.subTest(block), contextlib.redirect_stdout(io.StringIO()):
                try:
                    exec(block, names)
                except ModuleNotFoundError as missing:
                    self.skipTest(f"*** {missing.name} is not installed: an example of the guide is NOT TESTED ***")


if __name__ == "__main__":
    unittest.main()
