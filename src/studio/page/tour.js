// The tour: ten steps that make one game. Each step says what to do and notices that it is done.

import { button, byId, element, say, spans } from "./dom.js";

/** The game with which the tour begins. */
export const START = `(game "My First Game"
  (players Black White)

  (board (square 3))
  (piece Stone)

  (move place
    (to t (empty))
    (put Stone t))

  (play
    (turns
      (choose place
        (otherwise (draw))))))
`;

/**
 * @typedef {object} State what a step can look at
 * @property {string} text @property {any} check @property {any} game @property {any} light
 * @property {Set<string>} seen what has happened since the step began
 */

/**
 * The steps: what to do, when a step is done, and how the tour does it (`write` or `act`).
 * @type {{title: string, text: string[], isDone: (state: State) => boolean,
 *   write?: (text: string) => string, act?: string}[]}
 */
const STEPS = [
  {
    title: "Play",
    text: ["Here is the board of a small game; Write shows its rules beside it. Click a site on the board to place a stone.",
      "The move `place` says it: choose a site `t` that is empty, and put a stone there."],
    isDone: ({ game }) => game?.ply >= 1,
    act: "play",
  },
  {
    title: "Take it back",
    text: ["Click Undo below the board, or “Start” in the list of plies. A ply is one move of one player. Nothing is lost: Redo brings it back."],
    isDone: ({ game, seen }) => seen.has("played") && game?.ply === 0,
    act: "undo",
  },
  {
    title: "Change a rule",
    text: ["Change the `3` in `(square 3)` to `5`. The board follows while you type, and the game at hand goes on under the new rules."],
    isDone: ({ check, game }) => check?.ok && game?.sites?.length >= 16,
    write: (text) => text.replace(/\(square \d+\)/, "(square 5)"),
  },
  {
    title: "Make it an option",
    text: ["Players can choose the size if it is an option. Add this line below the players, and change `(square 5)` to `(square Size)`:",
      "```\n(option Size (range 3 9) 5 \"Sites along each side.\")\n```"],
    isDone: ({ check }) => Boolean(check?.ok && check.options?.length),
    write: (text) => text.replace(/(\(players [^)]*\))\n/, "$1\n  (option Size (range 3 9) 5 \"Sites along each side.\")\n")
      .replace(/\(square \d+\)/, "(square Size)"),
  },
  {
    title: "Choose its value",
    text: ["Under “Options”, set Size to 4."],
    isDone: ({ check, game }) => check?.options?.some(({ value }) => String(value) === "4") && game?.sites?.length === 16,
    act: "options",
  },
  {
    title: "Make a mistake, and mend it",
    text: ["Change `Stone` to `Stoen` in `(put Stone t)`. The mistake is underlined, and listed below the rules.",
      "Then click the fix in the list, or press Ctrl+. (Ctrl and full stop) with the cursor in it."],
    isDone: ({ check, seen }) => seen.has("mistake") && Boolean(check?.ok),
    act: "mistake",
  },
  {
    title: "Say who wins",
    text: ["Nobody wins yet: when the board is full, the game is drawn. Add an end behind `(play …)`, before the last bracket. Recipes (F2) has more of these.",
      "```\n(end\n  (if (any (line 3 (mine))) (win mover)))\n```"],
    isDone: ({ text, check }) => check?.ok && /\(end\b/.test(text) && /\(win\b/.test(text),
    write: (text) => (/\(end\b/.test(text) ? text : text.replace(/\)\s*$/,
      "\n\n  (end\n    (if (any (line 3 (mine))) (win mover))))\n")),
  },
  {
    title: "See the rules run",
    text: ["Put the cursor into `(empty)` or `(mine)` in the rules. The board is striped where the region is now, and the line above the board says how many sites there are."],
    isDone: ({ seen }) => seen.has("light"),
    act: "light",
  },
  {
    title: "Play against a program",
    text: ["Under “Game”, let a program play White: choose “quick”. Then make Black's moves until one of them wins or the board is full."],
    isDone: ({ game, seen }) => seen.has("program") && Boolean(game?.result),
    act: "program",
  },
  {
    title: "Ask how good it is",
    text: ["Under “Ask”, start a playtest. Programs play the game against each other; the report says who wins and how long it takes. You can go on playing meanwhile."],
    isDone: ({ seen }) => seen.has("playtest"),
    act: "playtest",
  },
];

/** Leads through the steps. `act` does a step that is more than writing. */
export class Tour {
  #at = -1;
  #seen = new Set();
  #state = { text: "", check: null, game: null, seen: this.#seen };

  /** @param {import("./editor.js").Editor} editor @param {(name: string) => void} act */
  constructor(editor, act) {
    this.editor = editor;
    this.act = act;
    this.box = byId("tour");
  }

  get isOn() {
    return this.#at >= 0;
  }

  start() {
    this.#seen.clear();
    this.#go(0);
  }

  stop() {
    this.#at = -1;
    this.box.hidden = true;
  }

  /** Notes that something has happened, such as `playtest`. @param {string} what */
  note(what) {
    if (!this.isOn) return;
    this.#seen.add(what);
    this.look({});
  }

  /** Goes on if the step is done. @param {Partial<State>} news */
  look(news) {
    Object.assign(this.#state, news);
    if (!this.isOn) return;
    const { game, check } = this.#state;
    if (game?.ply >= 1) this.#seen.add("played");
    if (check && !check.ok) this.#seen.add("mistake");
    if (Object.values(game?.seats ?? {}).some((spec) => spec !== "human")) this.#seen.add("program");
    const step = STEPS[this.#at];
    if (step?.isDone(this.#state)) {
      say(`${step.title}: done.`);
      this.#go(this.#at + 1);
    }
  }

  #go(number) {
    this.#at = number;
    // These events do not count for later steps.
    for (const what of ["light", "mistake", "playtest"]) this.#seen.delete(what);
    this.box.hidden = false;
    const step = STEPS[number];
    const close = button("×", () => this.stop(), { class: "close", "aria-label": "Leave the tour" });
    if (!step) {
      this.#at = -1;
      this.box.replaceChildren(
        element("div.head", {}, element("strong", {}, "You have made a game."), close),
        element("p", {}, "Save keeps it as a file. Recipes (F2) are pieces of rules to insert, and F1 explains the word at the cursor."),
      );
      say("The tour is done.");
      return;
    }
    const parts = step.text.map((text) => (text.startsWith("```")
      ? element("pre", {}, text.replaceAll("```", "").trim()) : element("p", {}, ...spans(text))));
    this.box.replaceChildren(
      element("div.head", {}, element("strong", {}, `${number + 1} of ${STEPS.length}: ${step.title}`), close),
      ...parts,
      element("div.actions", {},
        button("Do it for me", () => this.#do(step), { id: "tour-do" }),
        button("Skip", () => this.#go(number + 1), { class: "link", id: "tour-skip" })),
    );
    say(`Step ${number + 1}: ${step.title}. ${step.text.join(" ").replace(/[`]/g, "")}`);
    // The step may be done already.
    queueMicrotask(() => this.look({}));
  }

  #do(step) {
    if (step.write) this.editor.rewrite(step.write(this.editor.text));
    else this.act(step.act);
  }
}
