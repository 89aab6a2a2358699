// Who can play for a player.

/** What can sit at a seat, with what it is called. */
export const PROGRAMS = [
  ["human", "a person"],
  ["random", "random moves"],
  ["greedy", "greedy: one ply ahead"],
  // Beginner, club and so on are the names of players of playtests, which differ from game to game.
  ["mcts:100it", "quick: 100 games ahead"],
  ["mcts:1000it", "careful: 1,000 games"],
  ["mcts:1s", "thinks for a second"],
  ["mcts:5s", "thinks for 5 seconds"],
  ["learned", "trained: one ply ahead"],
  ["strong:1s", "trained: for a second"],
];
