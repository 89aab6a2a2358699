// The editor of the rules: a plain text field, over a layer that shows the same text in colours.
//
// The field is the browser's own, with its keys, its screen reader and its touch keyboard; its
// letters are transparent. Only undo is the page's own. Field and layer have the same font, width
// and wrapping, so that their letters coincide. The layer is as high as the text and the field
// fills it: only the box around both scrolls.

import { brackets, changeBetween, changed, contextAt, escaped, indentAt, moved, snippet } from "./text.js";
import { TextHistory } from "./history.js";
import { element } from "./dom.js";

/** Marks of these layers are drawn over each other, in this order. */
const LAYERS = ["tokens", "acted", "why", "light", "found", "bracket", "findings"];

/** @typedef {import("./text.js").Mark} Mark */

export class Editor extends EventTarget {
  #text = "";
  #layers = new Map(LAYERS.map((name) => [name, []]));
  #notes = new Map();
  #signs = new Map();
  #shown = [];
  #stops = [];
  #isDue = false;
  #history = new TextHistory();

  /** @param {HTMLElement} box the element that scrolls */
  constructor(box) {
    super();
    this.box = box;
    this.ink = element("div.ink", { "aria-hidden": "true" });
    this.field = /** @type {HTMLTextAreaElement} */ (element("textarea", {
      "aria-label": "Rules of the game", spellcheck: "false", autocapitalize: "off", autocomplete: "off",
      autocorrect: "off", wrap: "soft", "aria-describedby": "check-line", "aria-autocomplete": "list",
      "aria-controls": "completions",
    }));
    box.append(element("div.sheet", {}, this.ink, this.field));
    this.field.addEventListener("input", () => this.#onInput());
    this.field.addEventListener("keydown", (event) => this.#onKey(event));
    this.field.addEventListener("beforeinput", (event) => {
      if (!/^history/.test(event.inputType)) return;
      event.preventDefault();
      this.#step(event.inputType === "historyRedo");
    });
    document.addEventListener("selectionchange", () => {
      if (document.activeElement === this.field) this.#onCaret();
    });
    this.#redraw();
  }

  /** The current text. */
  get text() {
    return this.#text;
  }

  /** The selection. @returns {[number, number]} */
  get selection() {
    return [this.field.selectionStart, this.field.selectionEnd];
  }

  get caret() {
    return this.field.selectionEnd;
  }

  get isReadOnly() {
    return this.field.readOnly;
  }

  /** Opens a text. Its undo history is kept if it led to this text. @param {string} text */
  open(text, readOnly = false) {
    this.field.value = text;
    this.field.readOnly = readOnly;
    this.#text = this.field.value;
    this.#history.begin(this.#text);
    for (const name of LAYERS) this.#layers.set(name, []);
    this.#notes.clear();
    this.#signs.clear();
    this.#stops = [];
    this.field.setSelectionRange(0, 0);
    this.box.scrollTop = 0;
    this.#redraw();
  }

  /**
   * Replaces a range as if it had been typed; undo takes it back.
   * @param {number} from @param {number} to @param {string} text
   * @param {[number, number]} [select] offsets in the new text
   */
  replace(from, to, text, select) {
    if (this.field.readOnly) return;
    const scroll = this.box.scrollTop;
    if (!this.isQuiet) this.field.focus({ preventScroll: true });
    this.field.setRangeText(text, from, to, "end");
    this.#onInput();
    if (select) this.field.setSelectionRange(...select);
    this.box.scrollTop = scroll;
    this.#onCaret();
  }

  /** Changes the text and leaves the focus where it is. @param {() => void} change */
  quietly(change) {
    this.isQuiet = true;
    change();
    this.isQuiet = false;
  }

  /** Undoes or redoes a change of the text. */
  #step(isRedo) {
    const step = this.field.readOnly ? null : this.#history.step(isRedo);
    if (!step) return;
    const { at, removed, text } = step;
    this.field.setRangeText(text, at, at + removed, "end");
    this.#onInput(false);
    this.reveal(at);
    this.#onCaret();
  }

  /** Replaces the whole text by the smallest single change. */
  rewrite(text) {
    const { at, removed, inserted } = changeBetween(this.#text, text);
    if (!removed && !inserted) return;
    const caret = this.caret <= at ? this.caret : Math.max(at, this.caret + inserted - removed);
    this.replace(at, at + removed, text.slice(at, at + inserted), [caret, caret]);
  }

  /** Applies the changes of a fix. @param {{at: [number, number], text: string}[]} changes */
  apply(changes) {
    this.rewrite(changed(this.#text, changes));
  }

  /** Inserts a snippet; the places to fill in are visited with Tab. */
  insertSnippet(from, to, source) {
    const line = this.#text.slice(this.#text.lastIndexOf("\n", from - 1) + 1, from);
    const { text, stops } = snippet(source, line.match(/^ */)[0].length);
    this.replace(from, to, text);
    this.#stops = stops.map(([start, end]) => ({ from: from + start, to: from + end, kind: "stop" }));
    this.#nextStop();
  }

  /** Dispatches `selected`, then sets and shows the caret or selection. */
  select(from, to = from) {
    this.dispatchEvent(new CustomEvent("selected"));
    this.field.focus({ preventScroll: true });
    this.field.setSelectionRange(from, to);
    this.reveal(from);
    this.#onCaret();
  }

  /** Scrolls so that an offset can be seen. @param {number} offset */
  reveal(offset) {
    this.#render();
    const line = this.ink.children[this.lineOf(offset)];
    if (!line) return;
    const top = line.offsetTop;
    const { scrollTop, clientHeight } = this.box;
    if (top < scrollTop + 8 || top + line.offsetHeight > scrollTop + clientHeight - 8) {
      this.box.scrollTop = Math.max(0, top - clientHeight / 3);
    }
  }

  /** Replaces the marks of a layer. @param {string} layer @param {Mark[]} marks */
  mark(layer, marks) {
    this.#layers.set(layer, marks);
    this.#redraw();
  }

  /** Writes notes at the right end of lines. @param {[number, string][]} notes offsets and texts */
  note(notes) {
    this.#notes = new Map(notes.map(([offset, text]) => [this.lineOf(offset), text]));
    this.#redraw();
  }

  /** Shows signs beside line numbers. @param {[number, string][]} signs offsets and classes */
  sign(signs) {
    // A line shows its first sign.
    this.#signs = new Map([...signs].reverse().map(([offset, kind]) => [this.lineOf(offset), kind]));
    this.#redraw();
  }

  /** Returns the number of the line of an offset, from 0. */
  lineOf(offset) {
    let line = 0;
    for (let at = this.#text.indexOf("\n"); at >= 0 && at < offset; at = this.#text.indexOf("\n", at + 1)) line++;
    return line;
  }

  /** Returns where a letter is in the window. @param {number} offset @returns {DOMRect} */
  rectOf(offset) {
    this.#render();
    const line = this.ink.children[this.lineOf(offset)];
    let left = offset - (this.#text.lastIndexOf("\n", offset - 1) + 1);
    const walker = document.createTreeWalker(line, NodeFilter.SHOW_TEXT);
    const range = document.createRange();
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (left <= node.length) {
        range.setStart(node, left);
        range.setEnd(node, Math.min(node.length, left + 1));
        return range.getBoundingClientRect();
      }
      left -= node.length;
    }
    return line.getBoundingClientRect();
  }

  /** Returns the offset of the letter at a point of the window, or -1 beside the text. */
  offsetAt(x, y) {
    this.#render();
    // The point must hit the layer, which the field covers.
    this.field.style.pointerEvents = "none";
    this.ink.style.pointerEvents = "auto";
    const found = document.caretPositionFromPoint?.(x, y);
    const range = found ? null : document.caretRangeFromPoint?.(x, y);
    this.field.style.pointerEvents = "";
    this.ink.style.pointerEvents = "";
    const node = found?.offsetNode ?? range?.startContainer;
    const line = node && (node.nodeType === Node.TEXT_NODE ? node.parentElement : node).closest?.(".line");
    if (!line || !this.ink.contains(line) || node.nodeType !== Node.TEXT_NODE) return -1;
    const before = document.createRange();
    before.setStart(line, 0);
    before.setEnd(node, found?.offset ?? range.startOffset);
    const index = [...this.ink.children].indexOf(line);
    const start = this.#shown.slice(0, index).reduce((sum, shown) => sum + shown.length + 1, 0);
    const offset = start + before.toString().length;
    const rect = this.rectOf(offset);
    return Math.abs(rect.left - x) < 24 && y >= rect.top && y <= rect.bottom ? offset : -1;
  }

  #onInput(isNew = true) {
    const text = this.field.value;
    const change = changeBetween(this.#text, text);
    if (isNew && (change.removed || change.inserted)) this.#history.note(change, text);
    this.#text = text;
    for (const [name, marks] of this.#layers) this.#layers.set(name, moved(marks, change));
    const isInside = this.#stops.some((stop) => change.at >= stop.from && change.at <= stop.to);
    this.#stops = isInside ? this.#grown(change) : [];
    // Notes belong to lines, which may have moved.
    if (text.slice(change.at, change.at + change.inserted).includes("\n") || change.removed > 1) this.#notes.clear();
    this.#redraw();
    this.dispatchEvent(new CustomEvent("change", { detail: change }));
  }

  /** Returns the snippet's stops after a change inside one of them. */
  #grown({ at, removed, inserted }) {
    const by = inserted - removed;
    return this.#stops.map((stop) => {
      if (at > stop.to) return stop;
      if (at >= stop.from && at + removed <= stop.to) return { ...stop, to: stop.to + by };
      return { ...stop, from: stop.from + by, to: stop.to + by };
    });
  }

  #nextStop() {
    const stop = this.#stops.shift();
    if (!stop) return false;
    this.field.setSelectionRange(stop.from, stop.to);
    return true;
  }

  #onKey(event) {
    // Listeners such as the completion come first.
    const first = new CustomEvent("key", { detail: event, cancelable: true });
    if (!this.dispatchEvent(first)) {
      event.preventDefault();
      return;
    }
    const step = (event.ctrlKey || event.metaKey) && !event.altKey ? { z: event.shiftKey, y: true }[event.key.toLowerCase()] : undefined;
    if (step !== undefined) {
      event.preventDefault();
      this.#step(step);
      return;
    }
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey || this.field.readOnly) return;
    const [from, to] = this.selection;
    if (event.key === "Tab" && !event.shiftKey && this.#stops.length) {
      event.preventDefault();
      this.#nextStop();
    } else if (event.key === "Escape") {
      this.#stops = [];
    } else if (event.key === "Enter") {
      event.preventDefault();
      // Spaces after the caret would be indented twice.
      const after = this.#text.slice(to).match(/^ */)[0].length;
      this.replace(from, to + after, `\n${" ".repeat(indentAt(this.#text, from))}`);
      this.reveal(this.caret);
    } else if (event.key === "(" && contextAt(this.#text, from) === "code") {
      event.preventDefault();
      // `)` is added only if no word follows, so that brackets stay balanced.
      const isFree = !/[^\s)]/.test(this.#text[to] ?? " ");
      this.replace(from, to, isFree ? "()" : "(", [from + 1, from + 1]);
      this.dispatchEvent(new CustomEvent("opened"));
    } else if (event.key === ")" && from === to && this.#text[to] === ")" && this.#isBalanced()) {
      event.preventDefault();
      this.field.setSelectionRange(to + 1, to + 1);
      this.#onCaret();
    } else if (event.key === "Backspace" && from === to && this.#text.slice(from - 1, from + 1) === "()") {
      event.preventDefault();
      this.replace(from - 1, from + 1, "");
    }
  }

  #isBalanced() {
    return ![...brackets(this.#text).values()].includes(-1);
  }

  #onCaret() {
    const at = this.caret;
    const all = brackets(this.#text);
    const own = all.has(at - 1) ? at - 1 : all.has(at) ? at : -1;
    const kind = all.get(own) === -1 ? "alone" : "matched";
    const pair = own < 0 ? [] : [own, all.get(own)].filter((place) => place >= 0);
    const marks = pair.map((place) => ({ from: place, to: place + 1, kind }));
    const before = this.#layers.get("bracket");
    if (marks.length || before.length) this.mark("bracket", marks);
    this.dispatchEvent(new CustomEvent("caret", { detail: at }));
  }

  /** Draws once for all changes before the next microtask. */
  #redraw() {
    if (this.#isDue) return;
    this.#isDue = true;
    queueMicrotask(() => this.#render());
  }

  /** Draws the lines that have changed. */
  #render() {
    if (!this.#isDue) return;
    this.#isDue = false;
    const lines = this.#text.split("\n");
    const marks = LAYERS.flatMap((name) =>
      this.#layers.get(name).map((mark) => ({ ...mark, kind: `${name} ${mark.kind}` })));
    const edges = marks.flatMap((mark, index) => [[mark.from, index], [mark.to, index]]);
    edges.sort(([one], [other]) => one - other);
    const active = new Set();
    let next = 0;
    let start = 0;
    lines.forEach((line, number) => {
      const end = start + line.length;
      let html = "";
      let at = start;
      const write = (to) => {
        if (to <= at) return;
        const part = escaped(this.#text.slice(at, to));
        const classes = [...active].sort((one, other) => one - other).map((index) => marks[index].kind);
        html += classes.length ? `<span class="${escaped(classes.join(" "))}">${part}</span>` : part;
        at = to;
      };
      while (next < edges.length && edges[next][0] <= end) {
        const [place, index] = edges[next++];
        write(place);
        if (active.has(index)) active.delete(index);
        else if (marks[index].to > marks[index].from) active.add(index);
      }
      write(end);
      this.#show(number, line, html);
      start = end + 1;
    });
    while (this.ink.children.length > lines.length) this.ink.lastElementChild.remove();
    this.#shown = lines;
  }

  #show(number, text, html) {
    let line = this.ink.children[number];
    if (!line) {
      line = element("div.line");
      this.ink.append(line);
    }
    const note = this.#notes.get(number) ?? "";
    const sign = this.#signs.get(number) ?? "";
    const whole = `${html}\n${note}\n${sign}`;
    if (line.shownAs === whole) return;
    line.shownAs = whole;
    line.innerHTML = html || "\u200b";
    line.className = `line ${sign}`;
    if (note) line.dataset.note = note;
    else delete line.dataset.note;
  }
}
