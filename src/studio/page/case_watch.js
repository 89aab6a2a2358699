// Watches the rule cases of a file: when the rules change and a case begins to fail, the designer
// is told. Nothing is tested before the rules change, or if the file has no cases.

import { button, tell } from "./dom.js";

/** Milliseconds without changes of the rules until their cases are tested. */
const QUIET = 1200;

export class CaseWatch {
  #timer = 0;
  /** The file and the rules that were tested last. */ #path = null; #identity = null;
  /** Whether the file had no cases in the last test. */ #isWithout = false;
  /** The cases that failed in the last test. @type {Set<string>} */ #failing = new Set();

  /**
   * @param {import("./transport.js").Connection} connection @param {() => any} desk
   * @param {() => void} show shows the cases
   */
  constructor(connection, desk, show) {
    this.connection = connection;
    this.desk = desk;
    this.show = show;
    connection.addEventListener("job", ({ detail }) => detail.asked?.watch && detail.state !== "running" && this.#take(detail));
  }

  /** Tests the cases if the rules have changed. */
  look() {
    const { check, path } = this.desk();
    if (path !== this.#path) {
      [this.#path, this.#identity, this.#isWithout] = [path, check?.identity, false];
      this.#failing.clear();
    }
    clearTimeout(this.#timer);
    if (!path || !check?.ok || this.#isWithout || check.identity === this.#identity) return;
    this.#timer = setTimeout(() => this.#ask(check.identity), QUIET);
  }

  /** Notes that a case was made. @param {string} title @param {boolean} holds */
  made(title, holds) {
    this.#isWithout = false;
    if (!holds) this.#failing.add(title);
  }

  async #ask(identity) {
    this.#identity = identity;
    // If too many questions are running, the next change is tested.
    await this.connection.ask("job", { kind: "cases", arguments: { watch: true } }).catch(() => {});
  }

  #take({ job, found }) {
    this.connection.ask("stop", { job, forget: true }).catch(() => {});
    if (!found) return;
    this.#isWithout = !found.of;
    const failing = found.cases.filter(({ passed }) => !passed).map(({ title, file }) => title || file);
    const fresh = failing.filter((title) => !this.#failing.has(title));
    this.#failing = new Set(failing);
    if (!fresh.length) return;
    const others = fresh.length > 1 ? ` And ${fresh.length - 1} more.` : "";
    const note = tell(`No longer so: “${fresh[0].replace(/\.$/, "")}”.${others}`, "bad");
    note.firstElementChild.append(" ", button("Show the cases", this.show, { class: "link" }));
  }
}
