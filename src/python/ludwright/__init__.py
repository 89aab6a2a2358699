"""Abstract board games from rules: play, observe, search, solve, and learn on arrays of numpy."""

from ._native import Bot, EndlessGame, Game, IllegalMove, RulesError, Solver, State, VecEnv, __version__

__all__ = ["Bot", "EndlessGame", "Game", "IllegalMove", "RulesError", "Solver", "State", "VecEnv", "__version__"]
