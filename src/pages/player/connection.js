// Requests to the module, in place of a server. One worker keeps the game and answers at once; a
// second one chooses plies, so that the page never waits for it. It is ended and begun anew when its
// task is no longer wanted.

import { Refused } from "./errors.js";
import { WORKER } from "./worker-text.js";

/** The least time between two plies of programs, in milliseconds, so that they can be watched. */
const PACE = 450;
/** The program that is asked for hints. */
const HINT = "mcts:1s";
const LONG = ["choose", "hint", "sheet"];

/** An instance of the module in a worker. */
class Instance {
  #worker;
  #waiting = new Map();
  #count = 0;

  constructor(module) {
    const address = URL.createObjectURL(new Blob([WORKER], { type: "text/javascript" }));
    this.#worker = new Worker(address);
    this.#worker.postMessage({ module });
    this.#worker.onmessage = ({ data }) => {
      const waiting = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      if (data.trap !== undefined) this.#lose(data.trap, waiting);
      else waiting?.done(JSON.parse(data.answer));
    };
    this.#worker.onerror = (event) => this.#lose(event.message || "the worker cannot start");
    // The worker has read its text once it answers.
    this.ask("ping", {}).catch(() => {}).finally(() => URL.revokeObjectURL(address));
  }

  isLost = false;

  #lose(message, first) {
    this.isLost = true;
    for (const waiting of [...first ? [first] : [], ...this.#waiting.values()]) waiting.fail(new Trap(message));
    this.#waiting.clear();
    this.#worker.terminate();
  }

  /** Sends a request; the answer is as the module gives it. */
  ask(name, body) {
    if (this.isLost) return Promise.reject(new Trap("the program has stopped"));
    const id = ++this.#count;
    return new Promise((done, fail) => {
      this.#waiting.set(id, { done, fail });
      this.#worker.postMessage({ id, request: JSON.stringify({ name, arguments: body }) });
    });
  }

  get isBusy() {
    return this.#waiting.size > 0;
  }

  end() {
    this.#lose("the program was ended");
  }
}

/** The end of an instance. */
class Trap extends Error {}

/**
 * Dispatches `game` with a state that nobody has asked for, `thinking` with the text of a program, and
 * `draft` with all that is kept of a game.
 */
export class Connection extends EventTarget {
  /** What the last answer said that a new instance needs to go on. */
  draft = null;
  #module;
  #game = null;
  #program = null;
  #opening = null;
  #task = 0;

  /** @param {WebAssembly.Module} module @param {any} files */
  constructor(module, files) {
    super();
    this.#module = module;
    this.files = files;
  }

  /** Opens the game. @param {object} body options, seats, seed, or the draft to go on with */
  async open(body) {
    this.#game = new Instance(this.#module);
    const answer = this.#take(await this.#game.ask("open", { files: this.files, ...body }));
    return answer;
  }

  /** Sends a request and returns the answer. @param {string} name @param {object} [body] */
  async ask(name, body = {}) {
    if (name === "hint") return this.#read(await this.#long("hint", this.#read(await this.#now("task", { kind: HINT }))));
    if (LONG.includes(name)) return this.#read(await this.#long(name, body));
    if (name === "stopThinking") this.#forget();
    return this.#take(await this.#now(name, body));
  }

  /** Asks the instance that keeps the game; one that is lost is replaced, and opens the same game. */
  async #now(name, body) {
    if (this.#opening) await this.#opening;
    try {
      return await this.#game.ask(name, body);
    } catch (error) {
      if (!(error instanceof Trap)) throw error;
      this.#opening = this.#reopen();
      await this.#opening;
      this.#opening = null;
      throw new Refused(`The program has made an error, and goes on as before it: ${error.message}`, 500);
    }
  }

  async #reopen() {
    this.#game = new Instance(this.#module);
    await this.#game.ask("open", { files: this.files, draft: this.draft });
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

  /** Reads an answer; a game that has changed may wait for a program. */
  #take(answer) {
    const read = this.#read(answer);
    if (read.draft) {
      this.draft = read.draft;
      this.dispatchEvent(new CustomEvent("draft", { detail: read.draft }));
      this.#wait(read.due);
    }
    return read;
  }

  /** Drops the task of the program. */
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
