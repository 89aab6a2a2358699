// Find and replace in the rules: a bar above the editor. Matches are marked; replacements are edits
// that the editor can undo.

import { button, byId, element, say } from "./dom.js";

export class Replace {
  #found = [];
  #at = 0;
  #open = false;

  /** @param {import("./editor.js").Editor} editor */
  constructor(editor) {
    this.editor = editor;
    const field = (label) => element("input", { type: "text", "aria-label": label, placeholder: label, autocomplete: "off", spellcheck: "false" });
    this.wanted = /** @type {HTMLInputElement} */ (field("Find"));
    this.other = /** @type {HTMLInputElement} */ (field("Replace with"));
    this.exact = /** @type {HTMLInputElement} */ (element("input", { type: "checkbox" }));
    this.count = element("span.soft", { role: "status" });
    this.box = element("form", { id: "replace", role: "search", "aria-label": "Find and replace", hidden: true },
      this.wanted, this.count,
      button("↑", () => this.#go(-1), { "aria-label": "The one before", title: "Shift+Enter" }),
      button("↓", () => this.#go(1), { "aria-label": "The next one", title: "Enter" }),
      this.other, button("Replace", () => this.#replace()), button("Replace all", () => this.#replaceAll()),
      element("label", {}, this.exact, " Same case"),
      button("×", () => this.close(), { class: "close", "aria-label": "Close find and replace" }));
    editor.box.before(this.box);
    this.box.addEventListener("submit", (event) => event.preventDefault());
    for (const input of [this.wanted, this.exact]) input.addEventListener("input", () => this.#look(true));
    this.box.addEventListener("keydown", (event) => {
      const { key, target } = event;
      if (key === "Escape") this.close();
      else if (key === "Enter" && target === this.wanted) this.#go(event.shiftKey ? -1 : 1);
      else if (key === "Enter" && target === this.other) this.#replace();
      else return;
      event.preventDefault();
    });
    editor.addEventListener("change", () => this.#open && this.#look(false));
    editor.addEventListener("key", (event) => {
      const { key, ctrlKey, metaKey, altKey } = event.detail;
      if (!(ctrlKey || metaKey) || altKey || !["f", "h"].includes(key.toLowerCase())) return;
      event.preventDefault();
      this.open();
    });
  }

  /** Opens the bar with the selected text. */
  open() {
    const [from, to] = this.editor.selection;
    const selected = this.editor.text.slice(from, to);
    if (selected && !selected.includes("\n")) this.wanted.value = selected;
    this.#open = true;
    this.box.hidden = false;
    for (const part of [this.other, ...this.box.querySelectorAll("button")]) part.disabled = false;
    if (this.editor.isReadOnly) this.other.disabled = true;
    this.#look(false);
    this.wanted.focus();
    this.wanted.select();
  }

  close() {
    this.#open = false;
    this.box.hidden = true;
    this.editor.mark("found", []);
    this.editor.field.focus({ preventScroll: true });
  }

  /** Finds all matches. @param {boolean} isShown whether to scroll to the next */
  #look(isShown) {
    const fold = (text) => this.exact.checked ? text : text.toLowerCase();
    const [text, wanted] = [fold(this.editor.text), fold(this.wanted.value)];
    this.#found = [];
    for (let at = wanted ? text.indexOf(wanted) : -1; at >= 0; at = text.indexOf(wanted, at + wanted.length)) this.#found.push(at);
    const from = this.editor.selection[0];
    const next = this.#found.findIndex((at) => at >= from);
    this.#at = Math.max(0, next);
    this.#show(isShown);
  }

  #show(isShown) {
    const size = this.wanted.value.length;
    this.editor.mark("found", this.#found.map((at, index) => ({ from: at, to: at + size, kind: index === this.#at ? "this" : "one" })));
    this.count.textContent = !size ? "" : this.#found.length ? `${this.#at + 1} of ${this.#found.length}` : "none";
    if (isShown && this.#found.length) this.editor.reveal(this.#found[this.#at]);
  }

  #go(step) {
    if (!this.#found.length) return;
    this.#at = (this.#at + step + this.#found.length) % this.#found.length;
    this.#show(true);
    const at = this.#found[this.#at];
    this.editor.field.setSelectionRange(at, at + this.wanted.value.length);
  }

  #replace() {
    if (!this.#found.length || this.editor.isReadOnly) return;
    const at = this.#found[this.#at];
    const { value } = this.other;
    this.editor.replace(at, at + this.wanted.value.length, value, [at + value.length, at + value.length]);
    this.#look(true);
    this.other.focus();
  }

  #replaceAll() {
    const count = this.#found.length;
    if (!count || this.editor.isReadOnly) return;
    const size = this.wanted.value.length;
    this.editor.apply(this.#found.map((at) => ({ at: [at, at + size], text: this.other.value })));
    this.#look(false);
    say(`${count} replaced; undo takes all of them back.`);
    this.other.focus();
  }
}
