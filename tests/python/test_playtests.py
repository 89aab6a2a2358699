"""Playtests as tables, and their shards on a cluster."""

import contextlib
import io
import re
import unittest
from pathlib import Path

import ludwright
import numpy as np
from ludwright import Game

ROOT = Path(__file__).parent.parent.parent
TIC_TAC_TOE = ROOT / "tests/games/tic-tac-toe.game"
KITARAN = ROOT / "games/kitaran.game"


class Playtests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.game = Game(TIC_TAC_TOE)
        cls.report = ludwright.playtest(cls.game, ["mcts:50it", "random"], games=40, seed=3)

    def test_figures_are_columns(self):
        table = self.report.figures()
        self.assertEqual(list(table), ["measure", "title", "what", "who", "unit", "value", "low", "high", "sample", "of"])
        self.assertEqual(len({len(column) for column in table.values()}), 1)
        self.assertEqual((table["value"].dtype, table["sample"].dtype), (np.float64, np.int64))
        row = list(zip(table["measure"], table["what"])).index(("seat-advantage", "X"))
        self.assertEqual((table["unit"][row], table["of"][row], table["sample"][row]), ("share", "games", 40))
        self.assertGreater(table["value"][row], 0.7)
        self.assertLess(table["low"][row], table["value"][row])

    def test_games_are_columns_that_agree_with_the_figures(self):
        games, figures = self.report.games(), self.report.figures()
        self.assertEqual(list(games), ["who", "number", "plies", "seat X", "score X", "seat O", "score O", "moves"])
        self.assertEqual(games["number"].tolist(), list(range(40)))
        self.assertEqual((set(games["seat X"]), set(games["seat O"])), ({"mcts:50it"}, {"random"}))
        self.assertTrue(np.all(games["score X"] + games["score O"] == 1))
        row = list(zip(figures["measure"], figures["what"])).index(("seat-advantage", "X"))
        self.assertAlmostEqual(games["score X"].mean(), figures["value"][row])
        self.assertEqual([len(moves) for moves in games["moves"]], games["plies"].tolist())
        state = self.game.start()
        for ply in games["moves"][0]:
            state.play(ply)
        self.assertEqual(state.returns(), [games["score X"][0], games["score O"][0]])

    def test_pandas_takes_the_tables(self):
        try:
            import pandas
        except ImportError:
            self.skipTest("pandas is not installed")
        games = pandas.DataFrame(self.report.games())
        self.assertEqual(games.shape, (40, 8))
        self.assertEqual(games["plies"].dtype, np.int64)
        figures = pandas.DataFrame(self.report.figures())
        self.assertIn("seat-advantage", figures.groupby("measure")["value"].count())

    def test_the_report_is_text(self):
        self.assertTrue(self.report.text().startswith("Tic-Tac-Toe\n"))
        self.assertEqual(str(self.report), self.report.text())
        self.assertIn("<svg", self.report.html())
        self.assertTrue(self.report.markdown().startswith("# Tic-Tac-Toe"))
        self.assertTrue(self.report.is_complete)

    def test_one_player_may_play_for_all(self):
        both = ludwright.playtest(self.game, "random", games=20)
        each = ludwright.playtest(self.game, ["random", "random"], games=20, threads=2)
        self.assertEqual(both.json(), each.json())
        for refused in ["human", "nobody", ["random"]]:
            with self.assertRaises(ValueError):
                ludwright.playtest(self.game, refused, games=1)

    def test_shards_merge_to_the_unbroken_run(self):
        whole = ludwright.playtest(self.game, "mcts:20it", games=30, seed=5)
        parts = [ludwright.playtest(self.game, "mcts:20it", games=30, seed=5, shard=(part, 3)) for part in (3, 1, 2)]
        self.assertFalse(any(part.is_complete for part in parts))
        merged = ludwright.merge([part.json() for part in parts])
        self.assertTrue(merged.is_complete)
        for form in ("json", "html", "markdown", "text"):
            self.assertEqual(getattr(merged, form)(), getattr(whole, form)())
        self.assertFalse(ludwright.merge([parts[0].json()]).is_complete)
        other = ludwright.playtest(self.game, "mcts:20it", games=30, seed=6, shard=(1, 3)).json()
        with self.assertRaisesRegex(ValueError, "report 2: .*another playtest"):
            ludwright.merge([parts[0].json(), other])
        for refused in ([], ["{}"], ["nothing"]):
            with self.assertRaises(ValueError):
                ludwright.merge(refused)
        with self.assertRaisesRegex(ValueError, "part 4 of 3"):
            ludwright.playtest(self.game, "random", games=1, shard=(4, 3))

    def test_games_are_compared_and_rules_left_out(self):
        report = ludwright.playtest(self.game, "random", games=200, compare_with=[Game(KITARAN, Size="3")], leave_out=True)
        table = report.comparisons()
        self.assertEqual(len({len(column) for column in table.values()}), 1)
        self.assertEqual((set(table["game"]), set(table["player"])), ({"Kitaran (Size=3)"}, {"random"}))
        row = table["measure"].index("plies")
        self.assertTrue(table["differs"][row] and table["own"][row] < table["other low"][row])
        rules = report.omissions()
        self.assertEqual(len({len(column) for column in rules.values()}), 1)
        verdicts = {rule: verdict for rule, verdict in zip(rules["rule"], rules["verdict"])}
        self.assertEqual({verdict for rule, verdict in verdicts.items() if "(win" in rule}, {"different"})
        self.assertIn("Which rules can be left out", report.text())
        plain = ludwright.playtest(self.game, "random", games=20)
        self.assertEqual((plain.comparisons()["game"], plain.omissions()), ([], None))
        for refused in ({"compare_with": [self.game] * 9}, {"leave_out": True, "shard": (1, 2)}, {"players": ["random", "greedy"], "compare_with": [self.game]}):
            with self.assertRaises(ValueError):
                ludwright.playtest(self.game, **{"players": "random", "games": 20, **refused})


class Clusters(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        try:
            import distributed  # noqa: F401
        except ImportError:
            raise unittest.SkipTest("*** Dask is not installed (pip install dask distributed): the cluster is NOT TESTED ***") from None

    def test_two_workers_play_what_one_plays(self):
        import cluster

        reports = cluster.main()
        self.assertEqual(list(reports), cluster.SIZES)
        for size, report in reports.items():
            unbroken = ludwright.playtest(Game.from_text(cluster.RULES.read_text(), Size=size), **cluster.PLAYTEST)
            self.assertEqual(report.json().encode(), unbroken.json().encode())
            self.assertEqual(report.html().encode(), unbroken.html().encode())

    def test_the_guide_runs(self):
        page = (ROOT / "grammar/guides/researchers.md").read_text()
        block = re.search(r"^```python\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)[1]
        for text, other in [('"scheduler:8786"', "n_workers=2, threads_per_worker=1, dashboard_address=None"), ('"my.game"', repr(str(TIC_TAC_TOE))), ("(3, 4)", "(3,)")]:
            self.assertIn(text, block)
            block = block.replace(text, other)
        names, printed = {"__name__": "guide"}, io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(block, names)
        names["client"].close()
        self.assertRegex(printed.getvalue(), "^3 Tic-Tac-Toe\n")


if __name__ == "__main__":
    unittest.main()
