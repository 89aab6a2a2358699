"""Abstract board games from rules: play, observe, search, solve, and learn on arrays of numpy.

Players are numbers, from 0 in the order of the rules. Moves and sites are texts, as players write them; a move is also an *action*, a number that is
the same in all positions. Scores are 1 for a win, 0.5 for a draw and 0 for a loss.
"""

from collections.abc import Sequence
from typing import Any, Optional, TypedDict, Union

import numpy as np
from numpy.typing import NDArray

__version__: str

class RulesError(ValueError):
    """Rules have errors, or cannot be read. The text is the report that ``ludwright check`` prints."""

class IllegalMove(ValueError):
    """A move is not legal. The text says why."""

class EndlessGame(RuntimeError):
    """Rules never reach the next move, or take too long."""

class Game:
    """A game with its options. Cheap to copy."""

    def __init__(self, path: Any, **options: Any) -> None:
        """Loads a rules file. Raises `RulesError`."""
    @staticmethod
    def from_text(text: str, **options: Any) -> "Game":
        """Loads rules from their text. Raises `RulesError`."""
    @property
    def title(self) -> str: ...
    @property
    def players(self) -> list[str]: ...
    @property
    def options(self) -> dict[str, str]:
        """The values that were chosen, as texts."""
    @property
    def has_dice(self) -> bool: ...
    @property
    def sites(self) -> list[str]:
        """The labels of the sites: row by row from the bottom, each from the left."""
    @property
    def places(self) -> NDArray[np.int64]:
        """The column and the row of each site in the drawing, from 0: shape (sites, 2)."""
    def neighbors(self, site: str) -> dict[str, str]:
        """The neighbours of a site by direction."""
    @property
    def planes(self) -> list[str]:
        """What each plane of an observation shows: a kind of piece of a player, a memory, who is to move, the point in the order of play."""
    @property
    def action_count(self) -> int:
        """The number of actions. Raises `ValueError` for games that have too many to be numbered."""
    def action_name(self, action: int) -> Optional[str]:
        """The spelling of an action, which may be legal in no position."""
    def start(self) -> "State":
        """The first position."""
    def read_position(self, text: str) -> "State":
        """A position as `State.position` writes it. Raises `ValueError`."""
    def read_record(self, text: str) -> "State":
        """The state after a record, as `State.record` writes it. Raises `ValueError`."""
    def read(self, format: str, text: str) -> "State":
        """A game or a position of another program, in a format that the `notation` of the rules describes: "pgn", "sgf", "fen" or "diagram". Raises `ValueError`."""

class State:
    """A game in progress: a position with all that was played before. Jupyter shows it as a picture."""

    @property
    def game(self) -> Game: ...
    @property
    def mover(self) -> Optional[int]:
        """The player to move; -1 if dice are rolled next; `None` if the game is over."""
    @property
    def person(self) -> Optional[int]:
        """The person to move, by the colour with which he began, as in `returns`; as `mover`, except after a swap by the pie rule."""
    @property
    def is_swapped(self) -> bool:
        """Whether the persons have swapped their colours by the pie rule."""
    @property
    def is_over(self) -> bool: ...
    @property
    def winner(self) -> Optional[int]:
        """The person who has won, by the colour with which he began; `None` without one."""
    def returns(self) -> Optional[list[float]]:
        """The score of each person once the game is over, by the colour with which he began."""
    def moves(self) -> list[str]:
        """The legal moves, or the rolls that can come."""
    def actions(self) -> list[int]:
        """The actions of the legal moves, in the same order."""
    def rolls(self) -> list[tuple[str, float]]:
        """The rolls that can come next with their probabilities; empty if a player is to move."""
    def action(self, ply: str) -> Optional[int]:
        """The action of a move. Raises `IllegalMove` if it cannot be read here."""
    def play(self, ply: Union[int, str]) -> None:
        """Plays a move, given by its action or its spelling. Raises `IllegalMove` or `EndlessGame`; the state is then unchanged."""
    def roll(self, seed: int) -> Optional[str]:
        """Rolls the dice; `None` if no roll comes next. The same seed gives the same roll."""
    def undo(self) -> Optional[str]:
        """Takes back the last move; `None` if there is none."""
    @property
    def played(self) -> list[str]: ...
    def copy(self) -> "State": ...
    def mask(self) -> NDArray[np.bool_]:
        """Which actions are legal: shape (actions,)."""
    def observe(self, player: int) -> NDArray[np.float32]:
        """What a player sees: shape (planes, sites)."""
    def pieces(self) -> dict[str, tuple[str, Optional[int]]]:
        """The kind and the owner of the piece on each occupied site."""
    def perft(self, depth: int) -> int:
        """The number of sequences of exactly this many moves."""
    def playouts(self, games: int, seed: int = 0, threads: int = 1, longest: int = 10_000) -> dict[str, Any]:
        """Random games from here: ``games``, ``wins`` by player, ``draws``, ``unfinished``, ``plies``."""
    def hash(self) -> int:
        """A hash of the position, the same for positions that differ only in what was played before."""
    def position(self) -> str: ...
    def record(self) -> str: ...
    def write(self, format: str) -> str:
        """The game, or the position, as another program writes it, in a format of `Game.read`. Raises `ValueError`."""
    def svg(self) -> str: ...

class MoveFound(TypedDict):
    move: str
    action: Optional[int]
    visits: int
    expected: float
    proven: bool

class Thinking(TypedDict):
    """What a search has found. ``expected`` is the score of each player; ``moves`` begins with the chosen one, then by visits."""

    iterations: int
    expected: list[float]
    proven: bool
    moves: list[MoveFound]
    line: list[str]

class Bot:
    """A computer player. It keeps its search tree between the moves of a game, so each player of a game needs its own."""

    def __init__(self, name: str = "mcts:1s", seed: int = 0, threads: int = 1, memory: int = 268435456) -> None:
        """``random``, ``greedy``, ``learned``, or a search with a time or a number of iterations: ``mcts:2s``, ``strong:500it``. Memory in bytes."""
    def choose(self, state: State) -> Optional[tuple[str, Optional[Thinking]]]:
        """A move, and what the search has found; `None` if no player is to move. The lock of the interpreter is released, and Ctrl-C ends the search."""

class Solver:
    """Finds exact values. Limits: seconds (600 by default), bytes (2 GB by default), or positions instead of the time. With several
    threads values are the same, but which of the first moves are known may differ."""

    def __init__(
        self, time: Optional[float] = None, memory: Optional[int] = None, positions: Optional[int] = None, threads: int = 1
    ) -> None: ...
    def solve(self, state: State) -> dict[str, Any]:
        """``value`` is ``win`` (with the ``winner``), ``draw``, ``open``, ``score`` (with the ``score`` of the first player) or ``unknown``; further
        ``distance``, ``moves`` (each with its value, distance and whether it is ``best``), ``line`` and ``positions``."""

class Figures(TypedDict):
    """A row for each figure of a playtest. Each column has the same length: shape (figures,)."""

    measure: list[str]
    """The key of the measure in JSON, such as ``seat-advantage``, ``length`` or ``draws``."""
    title: list[str]
    what: list[str]
    """What it is a figure of, such as a player or ``median``; may be empty."""
    who: list[str]
    """The players who met; empty for all games."""
    unit: list[str]
    """What ``value``, ``low`` and ``high`` are: ``share`` (from 0 to 1), ``number``, ``count``, or ``power-of-ten`` (a decimal logarithm)."""
    value: NDArray[np.float64]
    low: NDArray[np.float64]
    """The bounds of the 95 % interval; NaN without one."""
    high: NDArray[np.float64]
    sample: NDArray[np.int64]
    of: list[str]
    """What the sample counts: ``games``, ``positions``, ``plies``."""

class PlaytestReport:
    """The results of a playtest. Its tables are dictionaries with a column by name, which ``pandas.DataFrame`` takes as they are."""

    @property
    def is_complete(self) -> bool:
        """Whether all games were played, and not one shard or some of them."""
    def figures(self) -> Figures:
        """A row for each figure."""
    def games(self) -> dict[str, Any]:
        """A row for each recorded game: all games, or the first of many random ones. ``who`` met, the ``number`` of the game among theirs, its length in
        ``plies``, rolls included, and its ``moves`` as a list of texts; for each player the computer player as ``seat NAME``, and the score as ``score
        NAME`` (1 for a win, 0 for a loss, a part of 1 for a draw, NaN for a game without an end). Numbers are arrays of shape (games,), int64 or
        float64."""
    def comparisons(self) -> dict[str, Any]:
        """A row for each figure of each game of ``compare_with``: the ``game``, the ``player`` of both games, the figure of the tested game as ``own``
        and that of the other as ``other``, and whether it ``differs``, with its p-value ``p``, corrected for all tests."""
    def omissions(self) -> Optional[dict[str, Any]]:
        """A row for each rule that can be left out: its ``file``, ``line`` and text, and as ``verdict`` what leaving it out does: ``same`` (nothing, in
        all positions), ``alike`` (no difference that matters), ``different``, ``unknown`` (too few games), ``endless`` or ``over``. ``games`` were
        played without it; ``p`` is the p-value that a figure differs by the margin or more, and ``enough`` the number of games that would do, NaN
        where there is none. None without ``leave_out``, or if there are too few games to say."""
    def text(self) -> str:
        """A summary of some lines."""
    def html(self) -> str:
        """A page with all figures and plots."""
    def markdown(self) -> str: ...
    def json(self) -> str:
        """Everything, as ``ludwright schema playtest`` describes it; what `merge` and ``ludwright merge`` read."""

def playtest(
    game: Game,
    players: Union[None, str, Sequence[str]] = None,
    games: Optional[int] = None,
    seed: int = 1,
    threads: int = 1,
    shard: Optional[tuple[int, int]] = None,
    compare_with: Sequence[Game] = (),
    leave_out: bool = False,
) -> PlaytestReport:
    """Plays many games between computer players, as ``ludwright playtest`` does: ``players`` is one for all, such as ``mcts:100it``, or a list of one for
    each player of the game; by default, players of several strengths. ``games`` is the number of games of each pairing, by default what takes a minute.

    ``compare_with`` is a list of games that the same players play, too, and ``leave_out`` plays the game without each of its rules: see
    `PlaytestReport.comparisons` and `PlaytestReport.omissions`.

    ``shard`` is ``(part, of)``, from 1: only this part is played; `merge` makes the whole. The same seed gives the same figures on any number of threads,
    unless players have a time for their moves. The lock of the interpreter is released. Raises `ValueError`."""

def merge(parts: Sequence[str]) -> PlaytestReport:
    """Merges shards, given as `PlaytestReport.json`. The report of all shards is the same, byte for byte, as that of a playtest in one run. Raises
    `ValueError` if they are not of the same playtest."""

class VecEnv:
    """Games of one kind side by side, on all cores. Wherever one ends, the next begins in its place. Dice are rolled by the seed.

    The arrays are the environment's own memory: they are not copied, cannot be written to, and change with each step.
    """

    def __init__(self, game: Game, games: int, seed: int = 0, threads: Optional[int] = None, longest: int = 10_000) -> None: ...
    def __len__(self) -> int: ...
    def step(self, actions: NDArray[np.int64]) -> None:
        """Takes an action in each game: shape (games,). Raises `IllegalMove`, and nothing has changed. The lock of the interpreter is released."""
    def sample(self, seed: int) -> NDArray[np.int64]:
        """A legal action for each game, all equally likely: shape (games,)."""
    @property
    def masks(self) -> NDArray[np.bool_]:
        """Which actions are legal: shape (games, actions)."""
    @property
    def observations(self) -> NDArray[np.float32]:
        """What the player to move sees: shape (games, planes, sites)."""
    @property
    def movers(self) -> NDArray[np.uint8]:
        """The person to move, as `State.person`: shape (games,)."""
    @property
    def ended(self) -> NDArray[np.bool_]:
        """The games that the last step has ended: shape (games,). Where one ended, all arrays but `returns` describe the next game."""
    @property
    def returns(self) -> NDArray[np.float32]:
        """The scores of the persons of each game that the last step has ended, zeros elsewhere: shape (games, players)."""
