// Keeps watch over the rule cases of a file: when its rules change and a case is no longer so, the
// designer is told. Nothing is asked before the rules change, or where no case was found.

import { button, tell } from "./dom.js";

/** How long rules must stay as they are before their cases are tested, in milliseconds. */
const QUIET = 1200;

export class CaseWatch {
  #timer = 0;
  /** The file and the rules that were tested last. */ #path = null; #identity = null;
  /** Whether the file had no cases when they were tested last. */ #isWithout = false;
  /** The cases that were not so then. @type {Set<string>} */ #failing = new Set();

  /**
   * @param {import("./transport.js").Connection} connection @param {() => any} desk @param {() => void} show shows
   * the cases
   */
  constructor(connection, desk, show) {
    this.connection = connection;
    this.desk = desk;
    this.show = show;
    connection.addEventListener("job", ({ detail }) => detail.asked?.watch && detail.state !== "running" && this.#take(detail));
  }

  /** Looks at the rules as they are now. */
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

  /** A case was made; from now on there are some. @param {string} title @param {boolean} holds */
  made(title, holds) {
    this.#isWithout = false;
    if (!holds) this.#failing.add(title);
  }

  async #ask(identity) {
    this.#identity = identity;
    // Where too much is asked already, the next change is looked at.
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
