"""Learns Connect Four by self-play, as AlphaZero does, with numpy alone: `python tests/python/connect_four.py [ROUNDS]`.

Each round plays games side by side. Every move is chosen by a tree search (PUCT) that asks the network for its leaves, those of all games at once; then
the network learns the visits and the results. Prints how it fares against random play and against the program's own search.
"""

import sys
from pathlib import Path

import numpy as np
from ludwright import Bot, Game

GAME = Game(Path(__file__).parent.parent / "games/connect-four.game")
INPUTS, ACTIONS = len(GAME.planes) * len(GAME.sites), GAME.action_count
GAMES, VISITS, HIDDEN, RATE = 64, 48, 128, 2e-3
random = np.random.default_rng(1)


class Network:
    """Two hidden layers, with a policy and a value for the player to move; trained by Adam."""

    def __init__(self):
        shapes = [(INPUTS, HIDDEN), (HIDDEN, HIDDEN), (HIDDEN, ACTIONS + 1)]
        self.weights = [random.normal(0, (2 / rows) ** 0.5, (rows, columns)) for rows, columns in shapes]
        self.weights[2] *= 0.1
        self.means, self.squares = ([np.zeros(shape) for shape in shapes] for _ in range(2))
        self.steps = 0

    def forward(self, seen, masks):
        first = np.maximum(seen @ self.weights[0], 0)
        second = np.maximum(first @ self.weights[1], 0)
        out = second @ self.weights[2]
        logits = np.where(masks, out[:, :-1], -np.inf)
        policy = np.exp(logits - logits.max(1, keepdims=True))
        return first, second, policy / policy.sum(1, keepdims=True), np.tanh(out[:, -1])

    def learn(self, seen, masks, visits, results):
        first, second, policy, value = self.forward(seen, masks)
        out = np.column_stack([policy - visits, (value - results) * (1 - value**2)]) / len(seen)
        back = (out @ self.weights[2].T) * (second > 0)
        gradients = [seen.T @ ((back @ self.weights[1].T) * (first > 0)), first.T @ back, second.T @ out]
        self.steps += 1
        scale = RATE * (1 - 0.99**self.steps) ** 0.5 / (1 - 0.9**self.steps)
        for weights, mean, square, gradient in zip(self.weights, self.means, self.squares, gradients):
            mean += 0.1 * (gradient - mean)
            square += 0.01 * (gradient**2 - square)
            weights -= scale * mean / (np.sqrt(square) + 1e-8)


class Node:
    """A position in the tree. It has priors once the network has seen it; a position at the end of a game never has."""

    def __init__(self, state):
        self.state, self.children, self.priors = state, {}, None
        self.visits, self.values = np.zeros(ACTIONS), np.zeros(ACTIONS)

    def select(self):
        score = self.values / np.maximum(self.visits, 1) + 1.5 * self.priors * (self.visits.sum() + 1) ** 0.5 / (1 + self.visits)
        action = int(np.where(self.state.mask(), score, -np.inf).argmax())
        if action not in self.children:
            self.children[action] = Node(self.state.copy())
            self.children[action].state.play(action)
        return action


def look(states):
    return np.stack([state.observe(state.mover).ravel() for state in states]), np.stack([state.mask() for state in states])


def search(network, states, noise=False):
    """Searches from all positions, a leaf of each at a time. Returns the share of the visits of each action."""
    roots = [Node(state) for state in states]
    for _ in range(VISITS + 1):
        paths, leaves = [[] for _ in roots], roots.copy()
        for index, path in enumerate(paths):
            while leaves[index].priors is not None:
                path.append((leaves[index], leaves[index].select()))
                leaves[index] = leaves[index].children[path[-1][1]]
        if new := [leaf for leaf in leaves if not leaf.state.is_over]:
            seen, masks = look([leaf.state for leaf in new])
            for leaf, mask, policy, value in zip(new, masks, *network.forward(seen, masks)[2:]):
                if noise and leaf in roots:
                    policy[mask] = 0.75 * policy[mask] + 0.25 * random.dirichlet(np.ones(mask.sum()))
                leaf.priors, leaf.value = policy, value if leaf.state.mover == 0 else -value
        for path, leaf in zip(paths, leaves):
            value = leaf.value if leaf.priors is not None else 2 * leaf.state.returns()[0] - 1
            for node, action in path:
                node.visits[action] += 1
                node.values[action] += value if node.state.mover == 0 else -value
    return [root.visits / VISITS for root in roots]


def self_play(network):
    """Plays games to their ends. Returns what was seen, the masks, the shares of visits, and the results for the mover."""
    games = [(GAME.start(), []) for _ in range(GAMES)]
    while going := [game for game in games if not game[0].is_over]:
        states = [state.copy() for state, _ in going]
        for (state, steps), *step, share in zip(going, *look(states), search(network, states, noise=True)):
            steps.append((state.mover, *step, share))
            state.play(int(random.choice(ACTIONS, p=share) if len(steps) <= 10 else share.argmax()))
    rows = [(*step, 2 * state.returns()[mover] - 1) for state, steps in games for mover, *step in steps]
    return [np.array(column) for column in zip(*rows)]


def score(network, name, games=40):
    """Plays a program, each side in turn; returns the network's score."""
    total = 0
    for number in range(games):
        state, bot = GAME.start(), Bot(name, seed=number)
        while not state.is_over:
            ours = state.mover == number % 2
            state.play(int(search(network, [state.copy()])[0].argmax()) if ours else bot.choose(state)[0])
        total += state.returns()[number % 2]
    return total / games


def main(rounds):
    network, kept = Network(), []
    for number in range(rounds + 1):
        if number > 0:
            kept = (kept + [self_play(network)])[-8:]
            rows = [np.concatenate(column) for column in zip(*kept)]
            for _ in range(100):
                chosen = random.integers(len(rows[0]), size=256)
                network.learn(*(column[chosen] for column in rows))
        if number % 5 == 0 or number == rounds:
            scores = [f"{score(network, name):.2f} against {name}" for name in ("random", "mcts:100it")]
            print(f"round {number:2}: {', '.join(scores)}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
