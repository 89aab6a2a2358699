// Requests to the module, in place of a server. One worker keeps the game and answers at once; a
// second worker chooses plies, so that the page never waits. The second worker is replaced when
// its task is cancelled, and either worker when it has trapped.

import { Refused } from "./errors.js";
import { Instance, Trap } from "./instance.js";

/** Least milliseconds between plies of programs, so that people can follow. */
const PACE = 450;
/** The program that is asked for hints. */
const HINT = "mcts:1s";
const LONG = ["choose", "hint", "sheet"];

/**
 * Dispatches `game` with a state that no request asked for, `thinking` with the text of a program,
 * `evaluation` with winning chances, and `draft` with an answer that contains the draft to keep.
 */
export class Connection extends EventTarget {
  /** The last draft, with which a new instance continues the game. */
  draft = null;
  #module;
  #game = null;
  #program = null;
  #opening = null;
  #task = 0;
  #evaluates = false;
  #age = 0;

  /** @param {Promise<WebAssembly.Module>} module @param {any} files */
  constructor(module, files) {
    super();
    this.#module = module;
    this.files = files;
  }

  /** Returns another instance, for one question. */
  beside() {
    return new Instance(this.#module);
  }

  /** Opens the game. @param {object} body options, seats, seed, or the draft to go on with */
  async open(body) {
    this.#task = 0;
    this.#program?.end();
    return this.#take(await this.#now("open", { files: this.files, ...body }));
  }

  /** Sends a request and returns the answer. @param {string} name @param {object} [body] */
  async ask(name, body = {}) {
    if (name === "hint") return this.#read(await this.#long("hint", this.#read(await this.#now("task", { kind: HINT }))));
    if (LONG.includes(name)) return this.#read(await this.#long(name, body));
    if (name === "stopThinking") this.#forget();
    return this.#take(await this.#now(name, body));
  }

  /** Asks the game's instance. After a trap, a new instance opens the same game. */
  async #now(name, body) {
    if (this.#opening) await this.#opening;
    this.#game ??= new Instance(this.#module);
    try {
      return await this.#game.ask(name, body);
    } catch (error) {
      if (!(error instanceof Trap)) throw error;
      // If the module did not load, its error is thrown here.
      await this.#module;
      // All pending requests have failed; the first of them opens the game again.
      this.#opening ??= this.#reopen();
      await this.#opening;
      throw new Refused(`The program has made an error, and goes on as before it: ${error.message}`, 500);
    }
  }

  async #reopen() {
    this.#game = new Instance(this.#module);
    try {
      if (this.draft) await this.#game.ask("open", { files: this.files, draft: this.draft });
    } catch (error) {
      throw new Refused(`The program has made an error and cannot go on: ${error.message}`, 500);
    } finally {
      this.#opening = null;
    }
  }

  async #long(name, body) {
    if (!this.#program || this.#program.isLost) {
      this.#program = new Instance(this.#module);
      await this.#program.ask("open", { files: this.files });
    }
    try {
      return await this.#program.ask(name, body);
    } catch (error) {
      throw error instanceof Trap ? new Refused(`The program has made an error: ${error.message}`, 500) : error;
    }
  }

  #read(answer) {
    if (answer.error !== undefined) throw new Refused(answer.error, answer.status);
    return answer.ok;
  }

  /** Reads an answer; if a program's ply is due, asks for it. */
  #take(answer) {
    const read = this.#read(answer);
    if (read.draft) {
      this.draft = read.draft;
      this.dispatchEvent(new CustomEvent("draft", { detail: read }));
      this.#wait(read.due);
      if (!read.due) this.#estimate();
    }
    return read;
  }

  /** Starts or stops estimating winning chances. @param {boolean} isOn */
  evaluate(isOn) {
    this.#evaluates = isOn;
    this.#estimate();
  }

  async #estimate() {
    const age = ++this.#age;
    while (this.#evaluates && age === this.#age && !this.#task) {
      const task = await this.#now("task", { kind: HINT }).catch(() => ({}));
      const answer = task.ok && await this.#long("evaluate", task.ok).catch(() => null);
      if (!answer?.ok || age !== this.#age) return;
      this.dispatchEvent(new CustomEvent("evaluation", { detail: answer.ok.evaluation }));
      if (answer.ok.done) return;
    }
  }

  /** Cancels the program's task. */
  #forget() {
    const hadTask = this.#task > 0 && this.#program?.isBusy;
    this.#task = 0;
    if (hadTask) {
      this.#program.end();
      this.#program = null;
    }
  }

  async #wait(due) {
    if (due && due.turn === this.#task) return;
    this.#forget();
    if (!due) return;
    this.#task = due.turn;
    const began = performance.now();
    let chosen;
    try {
      chosen = this.#read(await this.#long("choose", due));
      await new Promise((resolve) => setTimeout(resolve, PACE - (performance.now() - began)));
      if (this.#task !== due.turn) return;
      this.#task = 0;
      const answer = this.#take(await this.#now("chosen", chosen));
      if (chosen.text) this.dispatchEvent(new CustomEvent("thinking", { detail: { text: chosen.text } }));
      this.dispatchEvent(new CustomEvent("game", { detail: answer.game }));
    } catch (error) {
      if (this.#task !== due.turn && !chosen) return;
      this.#task = 0;
      this.dispatchEvent(new CustomEvent("thinking", { detail: { text: error.message, failed: true } }));
      const answer = await this.ask("stopThinking").catch(() => null);
      if (answer) this.dispatchEvent(new CustomEvent("game", { detail: answer.game }));
    }
  }
}
