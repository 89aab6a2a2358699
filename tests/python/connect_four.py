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
        self.moments = [(np.zeros_like(each), np.zeros_like(each)) for each in self.weights]
        self.weights[2] *= 0.1
        self.steps = 0

    def forward(self, seen):
        first = np.maximum(seen @ self.weights[0], 0)
        second = np.maximum(first @ self.weights[1], 0)
        out = second @ self.weights[2]
        return first, second, out[:, :-1], np.tanh(out[:, -1])

    def learn(self, seen, masks, visits, results):
        first, second, logits, value = self.forward(seen)
        policy = softmax(logits, masks)
        out = np.concatenate([policy - visits, ((value - results) * (1 - value**2))[:, None]], 1) / len(seen)
        back = (out @ self.weights[2].T) * (second > 0)
        gradients = [seen.T @ ((back @ self.weights[1].T) * (first > 0)), first.T @ back, second.T @ out]
        self.steps += 1
        for index, gradient in enumerate(gradients):
            mean, square = self.moments[index]
            mean += 0.1 * (gradient - mean)
            square += 0.01 * (gradient**2 - square)
            scale = RATE * (1 - 0.99**self.steps) ** 0.5 / (1 - 0.9**self.steps)
            self.weights[index] -= scale * mean / (np.sqrt(square) + 1e-8)


def softmax(logits, masks):
    logits = np.where(masks, logits, -np.inf)
    policy = np.exp(logits - logits.max(1, keepdims=True))
    return policy / policy.sum(1, keepdims=True)


class Node:
    def __init__(self, state):
        self.state, self.children = state, {}
        self.visits = self.values = self.priors = None

    def expand(self, priors):
        self.priors, self.visits, self.values = priors, np.zeros(ACTIONS), np.zeros(ACTIONS)

    def select(self):
        mean = self.values / np.maximum(self.visits, 1)
        score = mean + 1.5 * self.priors * (self.visits.sum() + 1) ** 0.5 / (1 + self.visits)
        return int(np.where(self.priors > 0, score, -np.inf).argmax())


def search(network, roots, visits, noise):
    """Visits the trees of all roots, a leaf of each at a time."""
    for visit in range(visits + 1):
        paths, leaves = [], []
        for node in roots:
            path = []
            while node.priors is not None and not node.state.is_over:
                action = node.select()
                path.append((node, action))
                if action not in node.children:
                    after = node.state.copy()
                    after.play(action)
                    node.children[action] = Node(after)
                node = node.children[action]
            paths.append(path)
            leaves.append(node)
        open_leaves = [leaf for leaf in leaves if not leaf.state.is_over]
        found = {}
        if open_leaves:
            seen = np.stack([leaf.state.observe(leaf.state.mover).ravel() for leaf in open_leaves])
            masks = np.stack([leaf.state.mask() for leaf in open_leaves])
            *_, logits, values = network.forward(seen)
            for leaf, policy, value in zip(open_leaves, softmax(logits, masks), values):
                if noise and visit == 0:
                    policy[policy > 0] = 0.75 * policy[policy > 0] + 0.25 * random.dirichlet(np.ones((policy > 0).sum()))
                leaf.expand(policy)
                found[id(leaf)] = (leaf.state.mover, value)
        for path, leaf in zip(paths, leaves):
            mover, value = found.get(id(leaf), (0, None))
            value = 2 * leaf.state.returns()[0] - 1 if value is None else value
            for node, action in path:
                node.visits[action] += 1
                node.values[action] += value if node.state.mover == mover else -value


def self_play(network):
    """Plays games to their ends. Returns what was seen, the masks, the share of visits, and the results for the mover."""
    states, steps = [GAME.start() for _ in range(GAMES)], [[] for _ in range(GAMES)]
    while open_games := [index for index in range(GAMES) if not states[index].is_over]:
        roots = [Node(states[index].copy()) for index in open_games]
        search(network, roots, VISITS, noise=True)
        for index, root in zip(open_games, roots):
            share, mover = root.visits / root.visits.sum(), root.state.mover
            steps[index].append((root.state.observe(mover).ravel(), root.state.mask(), share, mover))
            early = len(steps[index]) <= 10
            states[index].play(int(random.choice(ACTIONS, p=share) if early else share.argmax()))
    results = [state.returns() for state in states]
    rows = [(seen, mask, share, 2 * results[index][mover] - 1) for index in range(GAMES) for seen, mask, share, mover in steps[index]]
    return [np.array(column) for column in zip(*rows)]


def score(network, name, games=40):
    """Plays a program, each side in turn; returns the network's score."""
    total = 0
    for number in range(games):
        state, bot = GAME.start(), Bot(name, seed=number)
        while not state.is_over:
            if state.mover == number % 2:
                root = Node(state.copy())
                search(network, [root], VISITS, noise=False)
                state.play(int(root.visits.argmax()))
            else:
                state.play(bot.choose(state)[0])
        total += state.returns()[number % 2]
    return total / games


def main(rounds):
    network, kept = Network(), []
    print(f"round  0: {score(network, 'random'):.2f} against random play, {score(network, 'mcts:100it'):.2f} against 100 iterations")
    for number in range(1, rounds + 1):
        kept = (kept + [self_play(network)])[-8:]
        seen, masks, shares, results = (np.concatenate(column) for column in zip(*kept))
        for _ in range(100):
            batch = random.integers(len(seen), size=256)
            network.learn(seen[batch], masks[batch], shares[batch], results[batch])
        if number % 5 == 0 or number == rounds:
            print(f"round {number:2}: {score(network, 'random'):.2f} against random play, {score(network, 'mcts:100it'):.2f} against 100 iterations", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
