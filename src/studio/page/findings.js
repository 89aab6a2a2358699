// Findings of the check: underlined in the editor, listed below it, fixed by a click or a key.

import { button, byId, element, say, spans } from "./dom.js";
import { explain } from "./assist.js";
import { deleteUnused } from "./rework.js";
import { moveFindings } from "./text.js";

const WORDS = { error: "Error", warning: "Warning" };
const ORDER = ["error", "warning"];

/** Dispatches `record` with a game that shows a finding, and `place` to set up pieces. */
export class Findings extends EventTarget {
  /** @type {any[]} */ all = [];
  #timer = 0;

  /**
   * @param {import("./editor.js").Editor} editor
   * @param {import("./transport.js").Connection} connection
   */
  constructor(editor, connection) {
    super();
    this.editor = editor;
    this.connection = connection;
    this.list = byId("findings");
    this.line = byId("check-line");
    // Fixes stay applicable during the next check.
    editor.addEventListener("change", ({ detail }) => moveFindings(this.all, detail));
    editor.addEventListener("caret", () => this.#markCurrent());
    editor.addEventListener("key", (event) => {
      const { key, ctrlKey, metaKey, shiftKey } = event.detail;
      if (key === "F8") this.goOn(shiftKey ? -1 : 1);
      else if (key === "." && (ctrlKey || metaKey)) this.fixAtCaret();
      else return;
      event.preventDefault();
    });
  }

  /** The errors, in the order of the list: the board waits for the first. */
  get errors() {
    return this.all.filter(({ severity }) => severity === "error");
  }

  /** Marks the findings as outdated until the next check. @param {Promise<void>} checked */
  async wait(checked) {
    this.line.setAttribute("aria-busy", "true");
    await checked;
    this.line.removeAttribute("aria-busy");
  }

  /** Shows the findings of a check. @param {any} check */
  show(check) {
    this.all = [...check.findings].sort((one, other) =>
      ORDER.indexOf(one.severity) - ORDER.indexOf(other.severity) || one.at[0] - other.at[0]);
    const own = this.all.filter((finding) => !finding.other);
    this.editor.mark("findings", own.toReversed().map((finding) => ({
      // An empty range must be visible, too.
      from: Math.min(finding.at[0], Math.max(0, this.editor.text.length - 1)),
      to: Math.max(finding.at[1], finding.at[0] + 1), kind: finding.severity,
    })));
    this.editor.sign(own.map((finding) => [finding.at[0], `has-${finding.severity}`]));
    this.#count();
    this.#grow();
    this.list.replaceChildren(...this.all.slice(0, 100).map((finding) => this.#row(finding)));
    this.#markCurrent();
  }

  /** Grows the box at once and shrinks it later, so that nothing jumps while one types. */
  #grow() {
    clearTimeout(this.#timer);
    const set = () => byId("findings-box").classList.toggle("filled", this.all.length > 0);
    if (this.all.length) set();
    else this.#timer = setTimeout(set, 1500);
  }

  #count() {
    const numbers = ORDER.map((severity) => [severity, this.all.filter((each) => each.severity === severity).length]);
    const parts = numbers.filter(([, number]) => number)
      .map(([severity, number]) => `${number} ${severity}${number > 1 ? "s" : ""}`);
    const text = parts.length ? parts.join(", ") : "No findings";
    const worst = numbers.find(([, number]) => number)?.[0] ?? "fine";
    if (this.line.textContent === text) return;
    this.line.textContent = text;
    this.line.className = worst;
  }

  #row(finding) {
    const number = finding.other ? finding.other.file : `Line ${this.editor.lineOf(finding.at[0]) + 1}`;
    const go = button("", () => this.goTo(finding), { class: "go" });
    go.append(
      element(`span.sign.${finding.severity}`, { role: "img", "aria-label": WORDS[finding.severity] }),
      element("span", {}, ...spans(finding.message)), element("small", {}, ` ${number}`),
    );
    const row = element("li", {}, go);
    if (finding === this.all[0] && finding.severity === "error" && this.errors.length > 1) go.append(element("small.waits", {}, "the board waits for this one first"));
    const labels = finding.labels.filter((label) => label.text);
    for (const label of labels) {
      const line = labels.length > 1 ? `, line ${this.editor.lineOf(label.at[0]) + 1}` : "";
      row.append(element("div.label", {},
        button(label.text.replaceAll("`", "") + line, () => this.editor.select(...label.at), { class: "link" })));
    }
    if (finding.help) row.append(element("div.help", {}, ...spans(finding.help)));
    const actions = element("div.actions");
    if (!this.editor.isReadOnly) {
      for (const edit of finding.edits) {
        actions.append(button(edit.title.replaceAll("`", ""), () => this.#fix(edit), { class: "fix", title: "Ctrl+. in the rules" }));
      }
    }
    if (this.#isUnused(finding) && this.editor.text.slice(0, finding.at[0]).endsWith("(piece ")) {
      actions.append(button("Put pieces on the board …", () => this.dispatchEvent(new CustomEvent("place")), { class: "fix" }));
    }
    if (this.#isUnused(finding)) {
      actions.append(button("Delete what is never used", () => deleteUnused(this.editor, this.connection), { class: "fix", title: "Ctrl+. in the rules" }));
    }
    if (finding.record) actions.append(button("Show this game on the board", () => this.dispatchEvent(new CustomEvent("record", { detail: finding.record })), { class: "link" }));
    actions.append(button("Explain", () => explain(this.connection, finding.code), { class: "link" }));
    row.append(actions);
    return row;
  }

  /** Shows the place of a finding in the rules. */
  goTo(finding) {
    if (!finding.other) this.editor.select(...finding.at);
  }

  /** Tests if a finding is about a declaration that can be deleted. */
  #isUnused(finding) {
    return finding.code === "unused" && !finding.other && !this.editor.isReadOnly;
  }

  #fix(edit) {
    this.editor.apply(edit.changes);
    say(`Done: ${edit.title}`);
  }

  /** Goes to the next or previous finding. @param {1|-1} step */
  goOn(step) {
    const places = this.all.filter((finding) => !finding.other).sort((one, other) => one.at[0] - other.at[0]);
    if (!places.length) {
      say("No findings.");
      return;
    }
    const at = this.editor.selection[0];
    const next = step > 0
      ? places.find((finding) => finding.at[0] > at) ?? places[0]
      : places.findLast((finding) => finding.at[0] < at) ?? places.at(-1);
    this.goTo(next);
    say(`${WORDS[next.severity]}: ${next.message}. ${next.help ?? ""}`);
  }

  /** Applies the first fix of the finding at the caret, or else on its line. */
  fixAtCaret() {
    const line = this.editor.lineOf(this.editor.caret);
    const here = this.all.filter((finding) => finding.edits.length || this.#isUnused(finding));
    const found = here.find((finding) => finding.at[0] <= this.editor.caret && this.editor.caret <= finding.at[1])
      ?? here.find((finding) => this.editor.lineOf(finding.at[0]) === line);
    if (found?.edits.length) this.#fix(found.edits[0]);
    else if (found) deleteUnused(this.editor, this.connection);
    else say("No fix is known here.");
  }

  #markCurrent() {
    const at = this.editor.caret;
    this.all.slice(0, 100).forEach((finding, index) => {
      const isHere = !finding.other && finding.at[0] <= at && at <= finding.at[1];
      this.list.children[index]?.classList.toggle("here", isHere);
    });
  }
}
