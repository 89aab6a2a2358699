// The rules as they run: the board shows the expression at the caret, a site that cannot be chosen
// shows the clause that forbids it, and after each ply the clauses that acted are marked.

import { watchers } from "./must.js";
import { latest, paused } from "./timing.js";
import { attempt, button, byId, element, say, spans } from "./dom.js";

/** The most moves of an explanation with buttons for rule cases. */
const WATCHED = 3;

/** Shows the value of the expression at the caret; dispatches `shown` with its text. */
export class Light extends EventTarget {
  #answer = {};
  #site = null;

  constructor(editor, board, connection) {
    super();
    this.editor = editor;
    this.board = board;
    this.connection = connection;
    this.ask = latest(() => this.#ask());
    const soon = paused(40, this.ask);
    editor.addEventListener("caret", soon);
    board.addEventListener("point", ({ detail }) => {
      this.#site = detail;
      if (detail && this.#answer.at && this.isOn) this.ask();
    });
    editor.addEventListener("change", () => this.#clear());
    byId("light-on").addEventListener("change", () => this.ask());
  }

  get isOn() {
    return byId("light-on").checked;
  }

  async #ask() {
    if (!this.isOn) {
      this.#clear();
      return;
    }
    const { text, caret } = this.editor;
    const body = { text, at: caret, ...(this.#site ? { site: this.#site } : {}) };
    const answer = await this.connection.ask("light", body).catch(() => ({}));
    if (text === this.editor.text && this.isOn) this.#show(answer);
  }

  #clear() {
    this.#show({});
  }

  #show(answer) {
    this.#answer = answer;
    const line = byId("light");
    const [from, to] = answer.at ?? [0, 0];
    this.editor.mark("light", answer.at ? [{ from, to, kind: "lit" }] : []);
    this.editor.note(answer.at ? [[from, margin(answer)]] : []);
    this.board.mark("lit", answer.sites ?? []);
    this.board.number(answer.numbers ?? {});
    line.replaceChildren();
    if (answer.at) {
      this.dispatchEvent(new CustomEvent("shown", { detail: this.editor.text.slice(from, to) }));
      line.append(element("code", {}, short(this.editor.text.slice(from, to).replace(/\s+/g, " "), 60)), " ", ...spans(answer.text ?? ""));
    } else {
      const hint = "Put the cursor into a condition, region or number of the rules: the board shows its value.";
      const isNowhere = !answer.reason || answer.reason.startsWith("there is no expression");
      line.append(element("span.soft", {}, ...spans(isNowhere ? hint : `No value: ${answer.reason}.`)));
    }
  }
}

/** Returns the value in a few letters, for the margin. */
function margin({ sites, text = "" }) {
  if (sites) return sites.length === 1 ? "1 site" : `${sites.length} sites`;
  return short(text.replaceAll("`", "").split(",")[0], 9);
}

/** Shortens a clause, or a part of one, and closes its brackets. @param {string} part */
function clauseOf(part) {
  const plain = part.replace(/\s+/g, " ").trim();
  const open = plain.split("(").length - plain.split(")").length;
  return short(plain, 60) + (open > 0 ? ` …${")".repeat(open)}` : "");
}

function short(text, most = 36) {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/**
 * Classifies clauses: they fail, hold, or are facts, such as a number or region in another clause.
 * If no value says that a clause fails, all clauses that are not `ok` fail.
 */
function judged(clauses) {
  const kind = ({ ok, value }) => {
    const plain = value.replaceAll("`", "");
    if (ok || /^(holds|true)\b/.test(plain)) return "holds";
    return /^(fails|false|cannot be chosen)\b/.test(plain) ? "fails" : "fact";
  };
  const all = clauses.map((clause) => ({ ...clause, kind: kind(clause) }));
  const isClear = all.some((clause) => clause.kind === "fails");
  return all.map((clause) => (isClear || clause.ok ? clause : { ...clause, kind: "fails" }));
}

/** Says why a site cannot be chosen or a move is not legal. */
export class Why {
  /** Makes rule cases of moves. @type {import("./must.js").MustBe|null} */
  must = null;

  constructor(editor, board, connection) {
    this.editor = editor;
    this.board = board;
    this.connection = connection;
    this.place = byId("why");
    editor.addEventListener("change", () => this.clear());
  }

  clear() {
    this.place.hidden = true;
    this.place.replaceChildren();
    this.editor.mark("why", []);
    this.board.mark("no", []);
  }

  /** @param {{site?: string, chosen?: string[], move?: string}} body */
  async ask(body) {
    const answer = await attempt(() => this.connection.ask("why", body));
    // A move that has become legal needs no explanation.
    if (!answer || answer.legal) return;
    const clauses = judged(answer.clauses);
    this.editor.mark("why", clauses.map(({ at: [from, to], kind }) => ({ from, to, kind })));
    const fails = clauses.find((clause) => clause.kind === "fails") ?? clauses[0];
    if (fails) {
      this.editor.note(clauses.map(({ at, value }) => [at[0], short(value, 9)]));
    }
    if (body.site) this.board.mark("no", [body.site]);
    const list = element("ul", {}, ...clauses.map((clause) => element("li", { class: clause.kind },
      button(clauseOf(this.editor.text.slice(...clause.at)),
        () => this.editor.select(...clause.at), { class: "link" }),
      element("span", {}, " ", ...spans(clause.value)))));
    const title = body.site ? `Why not ${[...(body.chosen ?? []), body.site].join(" ")}?` : "Why?";
    this.place.replaceChildren(
      element("header", {}, element("strong", {}, title),
        button("×", () => this.clear(), { class: "close", "aria-label": "Close this explanation" })),
      element("p", {}, ...spans(answer.text)), list,
      ...this.must ? answer.moves.slice(0, WATCHED).map((move) => watchers(move, false, this.must)) : [],
    );
    this.place.hidden = false;
    this.place.scrollIntoView({ block: "nearest" });
    if (fails) this.editor.reveal(fails.at[0]);
    say(answer.text);
  }
}

/** Marks the clauses that the last ply executed. */
export class Trace {
  #age = 0;

  constructor(editor, connection) {
    this.editor = editor;
    this.connection = connection;
    byId("trace-on").addEventListener("change", () => this.show(this.game));
  }

  /** @param {any} game */
  async show(game) {
    this.game = game;
    const age = ++this.#age;
    const isOn = byId("trace-on").checked && game?.ply > 0 && !game.faulty;
    const answer = isOn ? await this.connection.ask("trace").catch(() => null) : null;
    if (age !== this.#age) return;
    const clauses = answer?.clauses ?? [];
    this.editor.mark("acted", clauses.map(({ at: [from, to], kind }) => ({ from, to, kind })));
    byId("trace").replaceChildren(...clauses.map((clause) => element("li", { class: clause.kind },
      button(`${this.editor.lineOf(clause.at[0]) + 1}`,
        () => this.editor.select(...clause.at), { class: "place", title: "Show this clause" }),
      " ", ...spans(clause.text))));
    byId("trace-box").hidden = !clauses.length;
  }
}
