// The options of a game as form controls.

import { byId, element } from "./dom.js";

/** Dispatches `change` with the values of all options, or `{}` for the defaults. */
export class OptionControls extends EventTarget {
  #shown = "";

  constructor() {
    super();
    byId("defaults").addEventListener("click", () => this.#send({}));
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
      // The program would refuse a number outside its bounds.
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
}
