"""Abstract board games from rules: play, observe, search, solve, measure, and learn on arrays of numpy."""

from ._native import (
    Bot,
    EndlessGame,
    Game,
    IllegalMove,
    PlaytestReport,
    RulesError,
    Solver,
    State,
    VecEnv,
    __version__,
    merge,
    playtest,
)

__all__ = [
    "Bot",
    "EndlessGame",
    "Game",
    "IllegalMove",
    "PlaytestReport",
    "RulesError",
    "Solver",
    "State",
    "VecEnv",
    "__version__",
    "merge",
    "playtest",
]
