"""Games and states in the shape of OpenSpiel (the Python interface of ``pyspiel.Game`` and ``pyspiel.State``), which need not be installed.

Algorithms of OpenSpiel that are written in Python play them, such as ``open_spiel.python.algorithms.mcts``.
"""

from types import SimpleNamespace
from typing import Optional

from ._native import Game, State

CHANCE, TERMINAL = -1, -4


class SpielGame:
    """A game. Actions, rolls of dice included, are those of `Game.action_name`: below ``num_distinct_actions()``.

    The utility of a player is 1 for a win and 0 for a draw, and all utilities together are 0: with two players a loss is -1, with more players the loss
    is shared. A single player gets 1 for a win, and 0 otherwise. A game that has not ended after ``max_game_length`` moves of players ends with zeros.
    """

    def __init__(self, game: Game, max_game_length: int = 10_000):
        self.game = game
        self._max_game_length = max_game_length
        self._num_distinct_actions = game.action_count
        self._num_players = len(game.players)
        self._shape = [len(game.planes), len(game.sites)]

    def num_distinct_actions(self) -> int:
        return self._num_distinct_actions

    def max_chance_outcomes(self) -> int:
        """The rolls are actions, too."""
        return self._num_distinct_actions

    def num_players(self) -> int:
        return self._num_players

    def new_initial_state(self) -> "SpielState":
        return SpielState(self, self.game.start())

    def new_initial_states(self) -> "list[SpielState]":
        return [self.new_initial_state()]

    def observation_tensor_shape(self) -> list[int]:
        """Planes and sites, as in `State.observe`."""
        return self._shape

    def observation_tensor_size(self) -> int:
        return self._shape[0] * self._shape[1]

    def max_game_length(self) -> int:
        return self._max_game_length

    def max_utility(self) -> float:
        return 1.0

    def min_utility(self) -> float:
        return 0.0 if self._num_players == 1 else -1.0 / (self._num_players - 1)

    def utility_sum(self) -> Optional[float]:
        return None if self._num_players == 1 else 0.0

    def get_parameters(self) -> dict[str, str]:
        """The options."""
        return self.game.options

    def get_type(self) -> SimpleNamespace:
        """The kind of game: members of ``pyspiel.GameType`` where OpenSpiel is installed, otherwise their names."""
        return SimpleNamespace(
            short_name="ludwright",
            long_name=self.game.title,
            dynamics=_kind("Dynamics", "SEQUENTIAL"),
            chance_mode=_kind("ChanceMode", "EXPLICIT_STOCHASTIC" if self.game.has_dice else "DETERMINISTIC"),
            information=_kind("Information", "PERFECT_INFORMATION"),
            utility=_kind("Utility", "ZERO_SUM" if self._num_players > 1 else "GENERAL_SUM"),
            reward_model=_kind("RewardModel", "TERMINAL"),
            max_num_players=self._num_players,
            min_num_players=self._num_players,
            provides_information_state_string=True,
            provides_information_state_tensor=False,
            provides_observation_string=True,
            provides_observation_tensor=True,
        )

    def __repr__(self) -> str:
        return f"<ludwright.openspiel.SpielGame {self.game.title!r}>"

    __str__ = __repr__


def _kind(kind, name):
    try:
        from pyspiel import GameType
    except ImportError:
        return name
    return getattr(getattr(GameType, kind), name)


class SpielState:
    """A game in progress. ``state`` is the `State` behind it. Players are persons: after a swap by the pie rule, they play the other's colour."""

    def __init__(self, game: SpielGame, state: State):
        self.state = state
        self._game = game
        self._history: list[tuple[int, int]] = []
        self._moves = 0

    def get_game(self) -> SpielGame:
        return self._game

    def num_players(self) -> int:
        return self._game.num_players()

    def num_distinct_actions(self) -> int:
        return self._game.num_distinct_actions()

    def current_player(self) -> int:
        """The player to move, -1 if dice are rolled next, -4 if the game is over."""
        return TERMINAL if self.is_terminal() else self.state.person

    def is_terminal(self) -> bool:
        return self.state.is_over or self._moves >= self._game.max_game_length()

    def is_chance_node(self) -> bool:
        return self.current_player() == CHANCE

    def is_player_node(self) -> bool:
        return self.current_player() >= 0

    def is_simultaneous_node(self) -> bool:
        return False

    def is_initial_state(self) -> bool:
        return not self._history

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The rolls that can come next, as actions with their probabilities."""
        if not self.is_chance_node():
            raise ValueError("no dice are rolled next")
        return sorted((action, chance) for action, (_, chance) in zip(self.state.actions(), self.state.rolls()))

    def legal_actions(self, player: Optional[int] = None) -> list[int]:
        """The actions of the player to move, or the rolls, in ascending order; none for other players, or if the game is over."""
        if self.is_terminal() or player not in (None, self.current_player()):
            return []
        return sorted(self.state.actions())

    def legal_actions_mask(self, player: Optional[int] = None) -> list[int]:
        """A 1 for each legal action, a 0 for all others."""
        mask = [0] * self.num_distinct_actions()
        for action in self.legal_actions(player):
            mask[action] = 1
        return mask

    def apply_action(self, action: int) -> None:
        """Plays an action. Raises `IllegalMove`, or `ValueError` if the game is over."""
        player = self.current_player()
        if player == TERMINAL:
            raise ValueError("the game is over")
        self.state.play(int(action))
        self._history.append((player, int(action)))
        self._moves += player >= 0

    def undo_action(self, player: int, action: int) -> None:
        """Takes back the last action, which is given with its player."""
        if not self._history or self._history[-1] != (player, action):
            raise ValueError(f"{action} of player {player} is not the last action")
        self.state.undo()
        self._history.pop()
        self._moves -= player >= 0

    def clone(self) -> "SpielState":
        clone = SpielState(self._game, self.state.copy())
        clone._history, clone._moves = self._history.copy(), self._moves
        return clone

    def child(self, action: int) -> "SpielState":
        child = self.clone()
        child.apply_action(action)
        return child

    def returns(self) -> list[float]:
        """The utility of each player; zeros while the game goes on."""
        scores, players = self.state.returns(), self.num_players()
        if scores is None:
            return [0.0] * players
        if players == 1:
            return scores
        mean = sum(scores) / players
        return [(score - mean) * players / (players - 1) for score in scores]

    def rewards(self) -> list[float]:
        """What the last action has brought: the utility at the end of the game, otherwise zeros."""
        return self.returns()

    def player_return(self, player: int) -> float:
        return self.returns()[player]

    def player_reward(self, player: int) -> float:
        return self.rewards()[player]

    def action_to_string(self, *player_and_action: int) -> str:
        """The spelling of an action, with or without its player before it."""
        name = self._game.game.action_name(player_and_action[-1])
        if name is None:
            raise ValueError(f"there is no action {player_and_action[-1]}")
        return name

    def string_to_action(self, *player_and_text) -> int:
        """The action of a legal move, given by its spelling, with or without its player before it. Raises `IllegalMove`."""
        return self.state.action(player_and_text[-1])

    def history(self) -> list[int]:
        """All actions, rolls included."""
        return [action for _, action in self._history]

    def history_str(self) -> str:
        return ", ".join(map(str, self.history()))

    def move_number(self) -> int:
        """The number of moves of players so far, rolls not included."""
        return self._moves

    def information_state_string(self, player: Optional[int] = None) -> str:
        """The history: nothing is hidden."""
        self._viewer(player)
        return self.history_str()

    def observation_string(self, player: Optional[int] = None) -> str:
        self._viewer(player)
        return str(self)

    def observation_tensor(self, player: Optional[int] = None) -> list[float]:
        """What a player sees, by default the one to move: planes times sites numbers."""
        viewer = self._viewer(player)
        colour = 1 - viewer if self.state.is_swapped else viewer
        return self.state.observe(colour).ravel().tolist()

    def _viewer(self, player):
        player = self.current_player() if player is None else player
        if not 0 <= player < self.num_players():
            raise ValueError(f"there is no player {player}")
        return player

    def to_string(self) -> str:
        """The position, as `State.position` writes it: all that matters for the rest of the game, except repetitions."""
        return self.state.position()

    def __str__(self) -> str:
        return self.to_string()

    __repr__ = __str__
