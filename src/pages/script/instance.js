// The module in a worker: requests go in, answers come out. An instance that has trapped is lost.

import { WORKER } from "./worker-text.js";

/** Unpacks the module that the page carries, or a script beside it. @returns {Promise<WebAssembly.Module>} */
export async function unpackedModule() {
  // The module stands behind the script, which need not wait for it.
  if (document.readyState === "loading") await new Promise((done) => document.addEventListener("DOMContentLoaded", done));
  const place = document.getElementById("module");
  const text = place?.textContent ?? globalThis.ludwrightModule;
  if (!text) throw new Error("the file with the program, which belongs beside this page, is missing");
  place?.remove();
  return unpacked(text);
}

/** Unpacks a module. @param {string} text the module, packed by gzip, in Base64 @returns {Promise<WebAssembly.Module>} */
export function unpacked(text) {
  const letters = atob(text.trim());
  const packed = new Uint8Array(letters.length);
  for (let index = 0; index < letters.length; index++) packed[index] = letters.charCodeAt(index);
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compileStreaming(new Response(stream, { headers: { "Content-Type": "application/wasm" } }));
}

/** An instance of the module in a worker. It dispatches `told` with what it says before an answer. */
export class Instance extends EventTarget {
  #worker;
  #waiting = new Map();
  #count = 0;
  /** The worker has been sent the module. */
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

/** The end of an instance, by an error of the program or because it was ended. */
export class Trap extends Error {}
