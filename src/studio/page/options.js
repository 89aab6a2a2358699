// The options of the game as form controls, its base game, variants and the ways to share it.

import { attempt, button, byId, download, element } from "./dom.js";

/** Dispatches `change` with the options that differ from the defaults, and `open` with a path. */
export class OptionsPanel extends EventTarget {
  #shown = "";

  /** @param {import("./api.js").Connection} connection */
  constructor(connection) {
    super();
    this.connection = connection;
    byId("defaults").addEventListener("click", () => this.#send({}));
    for (const [id, kind] of [["share-page", "page"], ["share-sheet", "sheet"], ["share-record", "record"], ["share-file", "file"]]) {
      byId(id).addEventListener("click", () => this.share(kind));
    }
  }

  /** Shows the options of the game. @param {any[]} options */
  show(options) {
    const key = JSON.stringify(options);
    if (key === this.#shown) return;
    this.#shown = key;
    const focused = document.activeElement?.name;
    byId("options").replaceChildren(...options.map((option) => this.#control(option)));
    if (focused) byId("options").querySelector(`[name="${CSS.escape(focused)}"]`)?.focus();
    byId("defaults").hidden = !options.length;
    byId("no-options").hidden = options.length > 0;
  }

  /** Lists the base game and the variants of the file. @param {string|null} base @param {{path: string, title: string}[]} variants */
  showFiles(base, variants) {
    const files = [...base ? [{ path: base, title: `Base game: ${base}` }] : [], ...variants];
    byId("variants").replaceChildren(...files.map(({ path, title }) => element("li", {}, button(title || path, () => {
      this.dispatchEvent(new CustomEvent("open", { detail: path }));
    }, { class: "link", title: path }))));
    byId("variants-box").hidden = !files.length;
  }

  #control({ name, value, kind, choices, min, max, text }) {
    const about = element("small", { id: `about-${name}` }, text);
    const common = { name, "aria-describedby": `about-${name}`, onchange: () => this.#collect() };
    const input = kind === "number"
      ? element("input", { type: "number", value, min, max, ...common })
      : element("select", common, ...choices.map((choice) => element("option", { value: choice, selected: choice === value }, choice)));
    return element("label.option", {}, element("span", {}, name), input, about);
  }

  #collect() {
    const values = {};
    for (const input of byId("options").querySelectorAll("input, select")) {
      // A number outside its bounds would only be refused.
      if (!input.checkValidity()) {
        input.reportValidity();
        return;
      }
      values[input.name] = input.value;
    }
    this.#send(values);
  }

  #send(values) {
    this.dispatchEvent(new CustomEvent("change", { detail: values }));
  }

  /** Saves or opens what can be given to others. @param {"page"|"sheet"|"record"|"file"} kind */
  async share(kind) {
    // A window that is opened later than the click would be blocked.
    const shown = kind === "page" || kind === "sheet" ? window.open("", "_blank") : null;
    const answer = await attempt(() => this.connection.ask("share", { kind }));
    if (answer?.view && shown) {
      shown.location.href = this.connection.view(answer.view);
      return;
    }
    shown?.close();
    if (answer?.content !== undefined) download(answer.name, answer.content);
  }
}
