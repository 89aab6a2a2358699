// "This must be so": the designer's demands become rule cases, made on the board, or claims.

import { attempt, button, byId, dialog, download, element, say, spans, tell } from "./dom.js";
import { plainName } from "./text.js";

const CLAIMS = [
  ["Every game ends within so many plies", (number) => `(ends-within ${number})`, (number) => `Every game ends within ${number} plies.`, 200],
  ["No game is drawn", () => "(never-draws)", () => "No game is drawn."],
  ["No position occurs twice in a game", () => "(never-repeats)", () => "No position occurs twice in a game."],
  ["At most so many percent of games are drawn", (number) => `(draws-below ${number})`, (number) => `Fewer than ${number} of 100 games are drawn.`, 20],
];

/**
 * Opens the dialog about the current position, or a position that was set up.
 * @param {import("./editor.js").Editor} editor
 * @param {import("./transport.js").Connection} connection
 * @param {{desk: () => any, settled: () => Promise<void>, saveAs: () => Promise<boolean>}} page
 * @param {{position?: string, move?: string}} [about]
 */
export async function openMustBe(editor, connection, page, { position, move = "" } = {}) {
  await page.settled();
  const known = position ? { moves: [], result: null } : await attempt(() => connection.ask("moves"));
  if (!known) return;
  const list = element("datalist", { id: "must-moves" }, ...known.moves.map((each) => element("option", { value: each })));
  const kind = element("select", { "aria-label": "What must be so" }, ...[
    ["legal", "this move is legal"], ["illegal", "this move is not legal"], ["ends", "this move ends the game so"],
    ...known.result ? [["result", `the game is over here: ${known.result}`]] : [], ["claim", "in every game …"],
  ].map(([value, text]) => element("option", { value }, text)));
  if (known.result) kind.value = "result";
  const field = (label, attributes = {}) => /** @type {HTMLInputElement} */ (element("input", { type: "text", "aria-label": label, placeholder: label, autocomplete: "off", ...attributes }));
  const played = field("Move, such as place b2", { list: "must-moves", value: move || known.moves[0] || "" });
  const result = field("Result, such as White wins or draw");
  const claim = element("select", { "aria-label": "Claim" }, ...CLAIMS.map(([title], index) => element("option", { value: String(index) }, title)));
  const number = element("input", { type: "number", min: "1", "aria-label": "Number" });
  const title = field("In a sentence");
  const said = element("p.soft", { role: "status" });
  const save = element("button.main", { type: "submit" }, "Make it so");
  const form = element("form.must", {}, element("label", {}, "Here ", kind), list, played, result, claim, number, element("label", {}, "Title ", title), said, element("div.actions", {}, save));
  const made = dialog("This must be so", [element("p.soft", {}, "A rule case keeps watch: when the rules change and it is no longer so, you are told. A claim is tested whenever you ask."), form]);
  let isOwn = false;
  const sentence = () => {
    const [, , text] = CLAIMS[Number(claim.value)];
    const of = { legal: `${played.value} is legal.`, illegal: `${played.value} is not legal.`, ends: `After ${played.value}: ${result.value || "the game is over"}.`, result: `The game is over: ${known.result}.`, claim: text(number.value) };
    return of[kind.value];
  };
  const show = () => {
    const isMove = ["legal", "illegal", "ends"].includes(kind.value);
    played.hidden = !isMove;
    result.hidden = kind.value !== "ends";
    claim.hidden = kind.value !== "claim";
    const [, , , given] = CLAIMS[Number(claim.value)];
    number.hidden = kind.value !== "claim" || given === undefined;
    if (given !== undefined && !number.value) number.value = String(given);
    if (!isOwn) title.value = sentence();
  };
  title.addEventListener("input", () => {
    isOwn = title.value !== "";
  });
  claim.addEventListener("change", () => {
    number.value = "";
    show();
  });
  for (const part of [kind, played, result, number]) for (const name of ["input", "change"]) part.addEventListener(name, show);
  const lines = () => {
    if (kind.value === "result") return [{ key: "result", value: known.result }];
    if (kind.value === "ends") return [{ key: "play", value: played.value }, { key: "result", value: result.value }];
    return [{ key: kind.value, value: played.value }];
  };
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (kind.value === "claim") {
      const [, rules] = CLAIMS[Number(claim.value)];
      const { text } = editor;
      const answer = await attempt(() => connection.ask("claim", { text, sentence: title.value, form: rules(number.value) }));
      if (!answer || text !== editor.text) return;
      made.close();
      editor.apply(answer.changes);
      editor.reveal(answer.changes[0].at[0] + 3);
      say("The claim is in the rules. Ask tests it.");
      return;
    }
    const answer = await attempt(() => connection.ask("mustBe", { title: title.value, expect: lines(), ...position && { position } }));
    if (!answer) return;
    if (answer.misread) {
      said.replaceChildren(...spans(`This cannot be watched: ${answer.about}`));
      return;
    }
    if (!answer.holds && save.textContent !== "Keep it all the same") {
      said.replaceChildren(...spans(`It is not so yet: ${answer.about}`));
      save.textContent = "Keep it all the same";
      return;
    }
    await keep(connection, page, title.value, answer);
    made.close();
  });
  show();
  played.select();
}

/**
 * Saves a rule case beside the rules; rules without a file are saved first.
 * @param {any} connection @param {{desk: () => any, saveAs: () => Promise<boolean>}} page
 * @param {string} title @param {{text: string, holds: boolean}} made
 */
async function keep(connection, page, title, { text, holds }) {
  const name = plainName(title).slice(0, 60) || "case";
  if (page.desk().readOnly) {
    download(`${name}.case`, text);
    tell("The rule case was downloaded, since files are not changed here.");
    return;
  }
  if (!page.desk().path) {
    tell("Rule cases stand beside the file of the rules. Give it a name first.");
    if (!(await page.saveAs())) return;
  }
  const { path } = page.desk();
  const made = await attempt(() => connection.ask("create", { path: `${path.replace(/\.game$/, ".cases")}/${name}.case`, text }));
  if (!made) return;
  page.watch.made(title, holds);
  tell(`${holds ? "It is so, and" : "It is not so yet;"} the rule case ${made.path} watches it.`);
}

/** Makes rule cases of moves that are clicked on the board but not played. */
export class MustBe {
  #move = null;

  /**
   * @param {import("./editor.js").Editor} editor
   * @param {import("./transport.js").Connection} connection
   * @param {import("./choosing.js").Choosing} choosing
   * @param {{desk: () => any, settled: () => Promise<void>, saveAs: () => Promise<boolean>}} page
   */
  constructor(editor, connection, choosing, page) {
    Object.assign(this, { editor, connection, choosing, page });
    this.place = byId("must");
    choosing.addEventListener("named", ({ detail }) => this.#offer([detail.move], `${detail.move} is legal now.`, true));
    this.place.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.end();
    });
  }

  /** Tests if clicks on the board name moves for rule cases. */
  get isOn() {
    return this.choosing.isNaming;
  }

  /** Turns the mode on or off. */
  async turn() {
    if (this.isOn) return this.end();
    const { game } = this.page.desk();
    if (!game?.board || game.faulty) return tell("The rules have errors; mend them first.", "bad");
    // If no move can be clicked, the dialog asks.
    if (game.result || game.chance || game.crowded) return this.#open();
    this.choosing.isNaming = true;
    byId("must-be").setAttribute("aria-pressed", "true");
    this.#ask();
    say("Click on the board the move that must, or must not, be legal here.");
  }

  end() {
    this.choosing.isNaming = false;
    byId("must-be").setAttribute("aria-pressed", "false");
    this.place.hidden = true;
    this.choosing.reset();
  }

  /** Asks anew in a new position, or ends. @param {any} game */
  look(game) {
    if (!this.isOn) return;
    if (game.faulty || game.result) this.end();
    else if (this.#move !== null) this.#ask();
  }

  /** Handles a site that cannot be chosen. @param {{site: string, chosen: string[]}} detail */
  async refused(detail) {
    const answer = await attempt(() => this.connection.ask("why", detail));
    if (!answer || !this.isOn) return;
    if (answer.moves.length) return this.#offer(answer.moves, answer.text, answer.legal);
    if (answer.open) {
      this.choosing.goBeyond(detail.site);
      this.#show(element("p", {}, `Nothing can be moved from ${detail.site} now. Click where it would go.`));
      return;
    }
    this.#show(element("p", {}, ...spans(answer.text)));
  }

  #ask() {
    this.#move = null;
    this.#show(element("p", {}, "Click on the board the move that must, or must not, be legal here. Nothing is played."));
  }

  #offer(moves, about, isLegal) {
    if (!this.isOn) return;
    this.#move = moves;
    this.#show(element("p", {}, ...spans(about)), ...moves.map((move) => watchers(move, isLegal, this)));
    this.place.querySelector("button.main")?.focus({ preventScroll: true });
  }

  #show(...content) {
    this.place.replaceChildren(element("header", {}, element("strong", {}, "This must be so"),
      button("Something else …", () => this.#open(this.#move?.[0]), { class: "link" }), button("×", () => this.end(), { class: "close", "aria-label": "End this" })), ...content);
    this.place.hidden = false;
  }

  #open(move) {
    this.end();
    return openMustBe(this.editor, this.connection, this.page, { move });
  }

  /** Makes a rule case of a move. @param {string} move @param {"legal"|"illegal"} key */
  async keep(move, key) {
    const title = key === "legal" ? `${move} is legal.` : `${move} is not legal.`;
    await this.page.settled();
    const answer = await attempt(() => this.connection.ask("mustBe", { title, expect: [{ key, value: move }] }));
    if (!answer) return;
    if (answer.misread) return tell(`This cannot be watched: ${answer.about}`, "bad");
    await keep(this.connection, this.page, title, answer);
    if (this.isOn) this.end();
  }
}

/**
 * Returns buttons that make a rule case of a move.
 * @param {string} move @param {boolean} isLegal @param {MustBe} must
 */
export function watchers(move, isLegal, must) {
  const one = (key, text, isNow) => button(text, () => must.keep(move, key), { class: isNow ? "main" : null, "data-must": key, "aria-label": `${move}: ${text}` });
  return element("div.actions.watch", {}, element("code", {}, move), one("legal", "Must be legal", isLegal), one("illegal", "Must not be legal", !isLegal));
}
