// Requests to the program's server, and the events that the server pushes. The studio on a static
// page has another `transport.js`, which asks the module for browsers.
//
// A browser limits its connections to one server. A hidden tab closes its event stream, and asks
// for news when it is visible again.

import { Refused, Unreachable } from "./errors.js";
import { Tab } from "./tab.js";

const BASE = new URL("../", import.meta.url);
/** Milliseconds between attempts to reach the program. */
const RETRY = 1500;

/** The connection of this tab. */
export class Connection extends Tab {
  isLost = false;

  /** The text beside the field for a file name. */
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

  /** Returns the address of a report or page that the program has made. @param {string} id */
  view(id) {
    return new URL(`view/${encodeURIComponent(id)}`, BASE).href;
  }

  /** Returns the attributes of a link to a report. @param {string} id */
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
