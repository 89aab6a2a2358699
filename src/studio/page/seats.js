// The choices for a seat.

/** The specification and the label of each choice. */
export const PROGRAMS = [
  ["human", "a person"],
  ["random", "random moves"],
  ["greedy", "greedy: one ply ahead"],
  // Beginner, club and so on are names of playtest players, which differ from game to game.
  ["mcts:100it", "quick: 100 games ahead"],
  ["mcts:1000it", "careful: 1,000 games"],
  ["mcts:1s", "thinks for a second"],
  ["mcts:5s", "thinks for 5 seconds"],
  ["learned", "trained: one ply ahead"],
  ["strong:1s", "trained: for a second"],
];
