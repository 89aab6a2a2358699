// The module in a worker: requests go in, answers come out. A trap makes an instance unusable.

import { WORKER } from "./worker-text.js";

/** Unpacks the module in the page or a script beside it. @returns {Promise<WebAssembly.Module>} */
export async function unpackedModule() {
  // The module's element comes after this script in the page.
  if (document.readyState === "loading") await new Promise((done) => document.addEventListener("DOMContentLoaded", done));
  const place = document.getElementById("module");
  const text = place?.textContent ?? globalThis.ludwrightModule;
  if (!text) throw new Error("the file with the program, which belongs beside this page, is missing");
  place?.remove();
  return unpacked(text);
}

/**
 * Unpacks a module.
 * @param {string} text the gzipped module in Base64 @returns {Promise<WebAssembly.Module>}
 */
export function unpacked(text) {
  const letters = atob(text.trim());
  const packed = new Uint8Array(letters.length);
  for (let index = 0; index < letters.length; index++) packed[index] = letters.charCodeAt(index);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compileStreaming(new Response(stream, { headers: { "Content-Type": "application/wasm" } }));
}

/** An instance of the module in a worker. Dispatches `told` with news before an answer. */
export class Instance extends EventTarget {
  #worker;
  #waiting = new Map();
  #count = 0;
  /** Resolves when the worker was sent the module. */
  #hasModule;

  /** @param {Promise<WebAssembly.Module>} module the worker starts while the module is unpacked */
  constructor(module) {
    super();
    const address = URL.createObjectURL(new Blob([WORKER], { type: "text/javascript" }));
    this.#worker = new Worker(address);
    this.#hasModule = module.then((unpacked) => this.#worker.postMessage({ module: unpacked }));
    this.#worker.onmessage = ({ data }) => {
      if (data.told !== undefined) {
        this.dispatchEvent(new CustomEvent("told", { detail: JSON.parse(data.told) }));
        return;
      }
      const waiting = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      if (data.trap !== undefined) this.#lose(data.trap, waiting);
      else waiting?.done(JSON.parse(data.answer));
    };
    this.#worker.onerror = (event) => this.#lose(event.message || "the worker cannot start");
    // A worker that answers has read its script.
    this.ask("ping", {}).catch(() => {}).finally(() => URL.revokeObjectURL(address));
  }

  isLost = false;

  #lose(message, first) {
    this.isLost = true;
    for (const waiting of [...first ? [first] : [], ...this.#waiting.values()]) waiting.fail(new Trap(message));
    this.#waiting.clear();
    this.#worker.terminate();
  }

  /** Sends a request and returns the answer: `ok` or `error`. */
  ask(name, body) {
    if (this.isLost) return Promise.reject(new Trap("the program has stopped"));
    const id = ++this.#count;
    const request = JSON.stringify({ name, arguments: body });
    return new Promise((done, fail) => {
      this.#waiting.set(id, { done, fail });
      this.#hasModule.then(() => this.#worker.postMessage({ id, request }), (error) => this.#lose(error.message));
    });
  }

  get isBusy() {
    return this.#waiting.size > 0;
  }

  end() {
    this.#lose("the program was ended");
  }
}

/** The error of pending requests when an instance traps or is ended. */
export class Trap extends Error {}
