// Requests to the program and the events that it pushes.
//
// A desk is one tab: a file that is being written and a game in progress. Its id is kept in the
// session of the tab, so that reloading the page comes back to it. A lock of the browser says that
// the tab has it: a tab that is duplicated works on a copy.
//
// A browser keeps few connections to one program. A tab that cannot be seen gives its own back, and
// asks what has happened when it is seen again.

import { Refused, Unreachable } from "./errors.js";

const BASE = new URL("../", import.meta.url);
const KEY = "ludwright-desk";
/** How long the page waits before it tries to reach the program again, in milliseconds. */
const RETRY = 1500;

/** The connection of this tab. */
export class Connection extends EventTarget {
  desk = sessionStorage.getItem(KEY);
  isLost = false;
  #events = null;
  #timer = 0;
  #held = null;
  #release = null;

  constructor() {
    super();
    document.addEventListener("visibilitychange", () => {
      if (!this.desk) return;
      if (document.hidden) {
        this.#events?.close();
        this.#events = null;
      } else {
        this.listen();
        this.dispatchEvent(new CustomEvent("seen"));
      }
    });
  }

  /**
   * Takes a desk for this tab. @param {string} desk
   * @param {number} [tries] after a reload, the page before may take a moment to let go
   * @returns {Promise<boolean>} false if another tab has it
   */
  async take(desk, tries = 1) {
    if (desk === this.#held || !navigator.locks) return true;
    const isTaken = await new Promise((done) => {
      navigator.locks.request(`desk-${desk}`, { ifAvailable: true }, (lock) => {
        done(!lock);
        if (!lock) return undefined;
        this.#release?.();
        this.#held = desk;
        return new Promise((release) => {
          this.#release = release;
        });
      });
    });
    if (!isTaken) return true;
    if (tries <= 1) return false;
    await new Promise((resolve) => setTimeout(resolve, 60));
    return this.take(desk, tries - 1);
  }

  /** Names the desk that all further requests are about. @param {string|null} desk */
  use(desk) {
    this.desk = desk;
    if (desk) sessionStorage.setItem(KEY, desk);
    else sessionStorage.removeItem(KEY);
  }

  /**
   * Sends a request and returns the answer.
   * @param {string} name @param {object} [body]
   * @throws {Refused} if the program answers with an error
   * @throws {Unreachable} if there is no answer
   */
  async ask(name, body = {}) {
    const sent = this.desk ? { desk: this.desk, ...body } : body;
    let response;
    try {
      response = await fetch(new URL(`api/${name}`, BASE), {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify(sent),
      });
    } catch {
      this.#lose();
      throw new Unreachable("The program does not answer.");
    }
    const answer = await response.json().catch(() => ({}));
    if (!response.ok) {
      throw new Refused(answer.error || `The program refused (${response.status}).`, response.status);
    }
    this.#find();
    return answer;
  }

  /** Listens to the events of the desk; each is dispatched under its name with `detail`. */
  listen() {
    this.#events?.close();
    if (document.hidden) return;
    const source = new EventSource(new URL(`events?desk=${encodeURIComponent(this.desk)}`, BASE));
    this.#events = source;
    for (const name of ["game", "check", "disk", "gone", "job", "thinking", "evaluation"]) {
      source.addEventListener(name, (event) => {
        this.dispatchEvent(new CustomEvent(name, { detail: JSON.parse(event.data) }));
      });
    }
    source.onopen = () => this.#find();
    // The browser reconnects by itself, except where the program answered with an error.
    source.onerror = () => this.#lose();
  }

  /** The address of a report or page that a job has made. @param {string} id */
  view(id) {
    return new URL(`view/${encodeURIComponent(id)}`, BASE).href;
  }

  #lose() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#retry(), RETRY);
    if (this.isLost) return;
    this.isLost = true;
    this.dispatchEvent(new CustomEvent("lost"));
  }

  #find() {
    if (!this.isLost) return;
    this.isLost = false;
    clearTimeout(this.#timer);
    this.dispatchEvent(new CustomEvent("found"));
  }

  async #retry() {
    if (!this.isLost) return;
    try {
      const response = await fetch(BASE, { cache: "no-store" });
      if (!response.ok) throw new Error();
    } catch {
      this.#timer = setTimeout(() => this.#retry(), RETRY);
      return;
    }
    if (this.desk && this.#events?.readyState !== EventSource.OPEN) this.listen();
    this.#find();
  }
}

/**
 * Runs an action at most once at a time; of the calls that come meanwhile, the last runs next.
 * `settled` of what is returned waits until nothing runs and nothing waits to be run.
 * @template T @param {(value: T) => Promise<void>} action
 * @returns {((value: T) => void) & {settled: () => Promise<void>}}
 */
export function latest(action) {
  let isBusy = false;
  let waiting = [];
  const askers = [];
  const run = async (value) => {
    isBusy = true;
    try {
      await action(value);
    } finally {
      isBusy = false;
      if (waiting.length) run(waiting.splice(0)[0]);
      else for (const tell of askers.splice(0)) tell();
    }
  };
  const call = (value) => {
    if (isBusy) waiting = [value];
    else run(value);
  };
  call.settled = () => new Promise((tell) => {
    if (isBusy) askers.push(tell);
    else tell();
  });
  return call;
}

/**
 * Runs an action after calls have paused.
 * @template T @param {number} pause in milliseconds @param {(value: T) => void} action
 */
export function paused(pause, action) {
  let timer = 0;
  const call = (value) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(value), pause);
  };
  call.cancel = () => clearTimeout(timer);
  return call;
}
