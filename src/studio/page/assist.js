// Help while writing: completion, the signature line, and explanations under the mouse. The program
// computes all of them, as for the language server.

import { latest, paused } from "./timing.js";
import { Refused } from "./errors.js";
import { attempt, button, byId, dialog, element, markdown, say, spans, tell } from "./dom.js";
import { contextAt, wordAt } from "./text.js";

/**
 * @typedef {{label: string, kind: string, detail: string, documentation: string,
 *   snippet: string}} Item
 */

/** Offers completions at the caret of an editor. */
export class Completion {
  /** @type {Item[]} */ #items = [];
  #chosen = 0;
  #from = 0;
  #to = 0;
  #wanted = 0;

  /**
   * @param {import("./editor.js").Editor} editor
   * @param {import("./transport.js").Connection} connection
   */
  constructor(editor, connection) {
    this.editor = editor;
    this.connection = connection;
    this.list = byId("completions");
    this.about = byId("completion-about");
    // If the caret has moved since, nothing is being typed here.
    const later = paused(60, (at) => editor.caret === at && this.#ask(false));
    editor.addEventListener("change", ({ detail }) => {
      const typed = editor.text.slice(detail.at, detail.at + detail.inserted);
      const isWord = /^[\p{L}\d-]$/u.test(typed) || (detail.removed === 1 && !detail.inserted && this.isOpen);
      if (isWord && contextAt(editor.text, editor.caret) === "code") later(editor.caret);
      else if (typed !== "()") this.close();
    });
    editor.addEventListener("opened", () => later(editor.caret));
    editor.addEventListener("caret", ({ detail }) => {
      if (this.isOpen && (detail < this.#from || detail > wordAt(editor.text, this.#from)[1])) this.close();
    });
    editor.addEventListener("key", (event) => this.#onKey(event));
    editor.field.addEventListener("blur", () => this.close());
    editor.box.addEventListener("scroll", () => this.isOpen && this.#place());
    // The focus stays in the editor.
    byId("completion").addEventListener("mousedown", (event) => event.preventDefault());
  }

  get isOpen() {
    return this.#items.length > 0;
  }

  close() {
    this.#wanted++;
    this.#items = [];
    byId("completion").hidden = true;
    this.editor.field.removeAttribute("aria-activedescendant");
  }

  async #ask(isAsked) {
    const { editor } = this;
    const number = ++this.#wanted;
    const at = editor.caret;
    const answer = await this.connection.ask("complete", { text: editor.text, at }).catch(() => null);
    if (number !== this.#wanted || !answer || editor.caret !== at) return;
    const typed = editor.text.slice(answer.from, at);
    const items = answer.items.filter((item) => matches(item.label, typed));
    // A completely typed word needs no completion.
    const isDone = items.length === 1 && items[0].label === typed;
    if (!items.length || (isDone && !isAsked)) {
      this.close();
      if (isAsked) say("Nothing fits here.");
      return;
    }
    items.sort((one, other) => rank(one, typed) - rank(other, typed));
    this.#items = items;
    this.#from = answer.from;
    this.#to = answer.to;
    this.#show();
  }

  #show() {
    this.list.replaceChildren(...this.#items.map((item, index) => element(
      "li", { role: "option", id: `completion-${index}`, onclick: () => this.#take(index) },
      element("span.kind", {}, item.kind), element("code", {}, item.label),
      element("span.detail", {}, item.detail),
    )));
    byId("completion").hidden = false;
    this.#choose(0);
    this.editor.reveal(this.editor.caret);
    this.#place();
  }

  /** Keeps the list at the word that it completes, while the word is visible. */
  #place() {
    const word = this.editor.rectOf(this.#from);
    const { top, bottom } = this.editor.box.getBoundingClientRect();
    if (word.bottom < top || word.top > bottom) this.close();
    // The signature stays visible.
    else placeBeside(byId("completion"), word, 2, byId("signature").getBoundingClientRect().top);
  }

  #choose(index) {
    this.#chosen = (index + this.#items.length) % this.#items.length;
    for (const [at, row] of [...this.list.children].entries()) row.setAttribute("aria-selected", at === this.#chosen);
    this.list.children[this.#chosen].scrollIntoView({ block: "nearest" });
    this.editor.field.setAttribute("aria-activedescendant", `completion-${this.#chosen}`);
    const { documentation } = this.#items[this.#chosen];
    this.about.replaceChildren(markdown(documentation));
    this.about.hidden = !documentation;
  }

  #take(index) {
    const item = this.#items[index];
    const [from, to] = [this.#from, Math.max(this.#to, this.editor.caret)];
    this.close();
    if (item.kind === "recipe") {
      insertRecipe(this.editor, this.connection, item.label, from);
      return;
    }
    this.editor.insertSnippet(from, to, item.snippet);
    this.close();
  }

  /** Tests if the chosen word is typed already, so that Enter begins a new line. */
  #isTyped() {
    return this.#items[this.#chosen].label === this.editor.text.slice(this.#from, this.editor.caret);
  }

  #onKey(event) {
    const key = event.detail;
    if (key.key === " " && key.ctrlKey) {
      event.preventDefault();
      this.#ask(true);
      return;
    }
    if (!this.isOpen || key.ctrlKey || key.altKey || key.metaKey) return;
    const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };
    if (moves[key.key]) this.#choose(this.#chosen + moves[key.key]);
    else if (key.key === "Enter" && this.#isTyped()) return void this.close();
    else if (key.key === "Enter" || key.key === "Tab") this.#take(this.#chosen);
    else if (key.key === "Escape") this.close();
    else return;
    event.preventDefault();
  }
}

/**
 * Places a box below or above a place of the window. It ends above `least` if it fits there, so
 * that the elements below `least` stay visible.
 */
function placeBeside(box, place, gap, least = innerHeight) {
  box.style.maxHeight = "";
  const bottom = Math.min(innerHeight, least);
  const [above, below] = [place.top - gap - 4, bottom - place.bottom - gap];
  const isBelow = box.offsetHeight < below || below >= above;
  const room = Math.max(96, isBelow ? below : above);
  if (box.offsetHeight > room) box.style.maxHeight = `${room}px`;
  box.style.left = `${Math.max(4, Math.min(place.left, innerWidth - box.offsetWidth - 8))}px`;
  box.style.top = `${isBelow ? place.bottom + gap : Math.max(4, place.top - box.offsetHeight - gap)}px`;
}

/** Tests if the letters typed occur in the label in this order, the first one at its beginning. */
function matches(label, typed) {
  const known = label.toLowerCase().replace(/^\(/, "");
  let at = 0;
  for (const [index, letter] of [...typed.toLowerCase()].entries()) {
    at = known.indexOf(letter, at) + 1;
    if (!at || (index === 0 && at !== 1)) return false;
  }
  return true;
}

function rank(item, typed) {
  const label = item.label.replace(/^\(/, "");
  if (label === typed) return 0;
  return label.startsWith(typed) ? 1 : 2;
}

/** Shows below the editor the signature of the form at the caret. */
export function showSignatures(editor, connection) {
  const line = byId("signature");
  const ask = latest(async () => {
    const answer = await connection.ask("signature", { text: editor.text, at: editor.caret }).catch(() => null);
    if (!answer?.label) {
      line.replaceChildren();
      line.removeAttribute("title");
      return;
    }
    const { label, parts, active, argument, documentation } = answer;
    // Parameters are shown without their types, which the manual has.
    const named = parts.flatMap(([from, to], index) => {
      const name = label.slice(from, to).split(":")[0].replace(/\?$/, "");
      return [" ", element(index === active ? "b" : "span", {}, name)];
    });
    const head = parts.length ? label.slice(0, parts[0][0]).trimEnd() : label.replace(/\)$/, "");
    line.replaceChildren(element("code", {}, head, ...named, ")"), element("span.soft", {}, ...spans((argument || documentation).split("\n")[0])));
    line.title = documentation;
  });
  editor.addEventListener("caret", paused(70, ask));
  editor.addEventListener("change", paused(70, ask));
}

/** Explains the word under the mouse, and with F1 the word at the cursor. */
export function showExplanations(editor, connection) {
  const box = byId("hover");
  const show = async (at) => {
    const { text } = editor;
    const answer = await connection.ask("hover", { text, at }).catch(() => null);
    if (text !== editor.text || !answer?.markdown) return false;
    // Result types are left to the manual.
    box.replaceChildren(markdown(answer.markdown.replace(/\) -> [\w ]+$/gm, ")")));
    // The board, the signature and the findings stay visible.
    const rules = editor.box.getBoundingClientRect();
    box.style.maxWidth = `${Math.max(260, rules.width - 16)}px`;
    box.hidden = false;
    placeBeside(box, editor.rectOf(answer.at[0]), 4, byId("signature").getBoundingClientRect().top);
    const most = Math.max(rules.left + 8, rules.right - box.offsetWidth - 8);
    box.style.left = `${Math.min(box.getBoundingClientRect().left, most)}px`;
    return true;
  };
  const close = () => {
    box.hidden = true;
  };
  const dwell = paused(380, ({ x, y }) => {
    const at = editor.offsetAt(x, y);
    if (at >= 0) show(at);
  });
  editor.box.addEventListener("mousemove", (event) => {
    if (!box.hidden) close();
    if (!event.buttons) dwell({ x: event.clientX, y: event.clientY });
  });
  editor.box.addEventListener("mouseleave", (event) => {
    dwell.cancel();
    if (!box.contains(event.relatedTarget)) close();
  });
  box.addEventListener("mouseleave", close);
  editor.box.addEventListener("scroll", close);
  editor.addEventListener("change", close);
  editor.addEventListener("key", async (event) => {
    if (event.detail.key === "Escape" && !box.hidden) close();
    if (event.detail.key !== "F1") return;
    event.preventDefault();
    if (await show(editor.caret)) say(box.textContent);
    else say("There is no word to explain here.");
  });
}

/**
 * Puts a recipe into the rules; the program says where its parts belong.
 * @param {string} title @param {number} [at] where its name was typed; the name is removed
 */
export async function insertRecipe(editor, connection, title, at) {
  const { text } = editor;
  const answer = await attempt(() => connection.ask("recipe", { text, title, at, cursor: editor.caret }));
  if (!answer) return;
  if (text !== editor.text) {
    tell("The rules were changed meanwhile. Insert the recipe again.", "bad");
    return;
  }
  if (!answer.changes.length) {
    tell("The rules have all of this recipe already.");
    return;
  }
  editor.apply(answer.changes);
  editor.reveal(answer.changes[0].at[0] + 2);
  say(`Inserted: ${title}`);
}

/** Explains a word of the language or a finding in a dialog. @param {string} word */
export async function explain(connection, word) {
  try {
    const answer = await connection.ask("explain", { word });
    const page = element("div.page", { tabindex: "0" });
    page.append(markdown(answer.markdown));
    dialog(word, [page]).classList.add("wide");
  } catch (error) {
    if (error instanceof Refused) say(error.message);
  }
}
