"""A sweep on a cluster of Dask: `python tests/python/cluster.py [ADDRESS]`, by default on two workers of this computer.

Every value of the option is a playtest, and every playtest is cut into shards, which the workers play in any order. Merged, they are the reports of
unbroken runs, byte for byte. `play` is a plain function: Ray (`ray.remote(play)`) or any other executor takes it as well.
"""

import sys
from pathlib import Path

import ludwright
from ludwright import Game

RULES = Path(__file__).parent.parent / "games/tic-tac-toe.game"
SIZES, SHARDS = [3, 4], 4
PLAYTEST = {"players": "mcts:100it", "games": 40, "seed": 7}


def play(rules, options, shard, playtest):
    """Plays one part on one core of a worker. The rules travel as a text, and the results as JSON, so that nothing needs to be shared."""
    return ludwright.playtest(Game.from_text(rules, **options), shard=shard, **playtest).json()


def sweep(client):
    """Returns the report of each size."""
    rules = RULES.read_text()
    played = {
        size: [client.submit(play, rules, {"Size": size}, (part, SHARDS), PLAYTEST, pure=False) for part in range(1, SHARDS + 1)] for size in SIZES
    }
    return {size: ludwright.merge(client.gather(parts)) for size, parts in played.items()}


def main(address=None):
    from dask.distributed import Client, LocalCluster

    cluster = address or LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None)
    with Client(cluster) as client:
        reports = sweep(client)
    for size, report in reports.items():
        table = report.figures()
        for measure, title, what, value in zip(table["measure"], table["title"], table["what"], table["value"]):
            if measure in ("seat-advantage", "draws"):
                print(f"Size {size}: {title}{' of ' if what else ''}{what}: {value:.3f}")
    return reports


if __name__ == "__main__":
    main(*sys.argv[1:])
