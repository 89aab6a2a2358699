// Requests to the server of the program and the events that it pushes. A studio that is a page has
// another module of this name, which asks the module for browsers.
//
// A browser keeps few connections to one program. A tab that cannot be seen gives its own back, and
// asks what has happened when it is seen again.

import { Refused, Unreachable } from "./errors.js";
import { Tab } from "./tab.js";

const BASE = new URL("../", import.meta.url);
/** How long the page waits before it tries to reach the program again, in milliseconds. */
const RETRY = 1500;

/** The connection of this tab. */
export class Connection extends Tab {
  isLost = false;

  /** What is said where a name for a file is asked for. */
  saving = "The file is saved in the folder of the program. A name may contain folders: games/mine.game";
  #events = null;
  #timer = 0;

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

  /** The address of a report or page that the program has made. @param {string} id */
  view(id) {
    return new URL(`view/${encodeURIComponent(id)}`, BASE).href;
  }

  /** What a link to a report needs. @param {string} id */
  report(id) {
    return { href: this.view(id) };
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
