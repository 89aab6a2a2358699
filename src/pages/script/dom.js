// Elements, dialogs, and text from the program as elements. Text is never read as markup, except
// pictures, which the program draws itself.

import { Unreachable } from "./errors.js";

/**
 * Makes an element. Properties that begin with `on` are listeners; others are attributes, where
 * `false` and `null` leave the attribute out.
 * @param {string} name with classes: `p.note.soft`
 * @param {object} [attributes] @param {...(Node|string|null|false)} children
 * @returns {HTMLElement}
 */
export function element(name, attributes = {}, ...children) {
  const [tag, ...classes] = name.split(".");
  const made = document.createElement(tag);
  if (classes.length) made.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) made.addEventListener(key.slice(2), value);
    else if (value !== false && value != null) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.filter((child) => child !== null && child !== false && child !== undefined));
  return made;
}

/** Makes a button. @param {string} text @param {(event: Event) => void} onclick */
export function button(text, onclick, attributes = {}) {
  return element("button", { type: "button", onclick, ...attributes }, text);
}

/** Finds the element with this id. @param {string} id @returns {HTMLElement} */
export function byId(id) {
  return document.getElementById(id);
}

/** Reads a picture that the program has drawn. @param {string} svg @returns {SVGSVGElement} */
export function picture(svg) {
  const read = new DOMParser().parseFromString(svg, "image/svg+xml");
  if (read.querySelector("parsererror")) return document.createElementNS("http://www.w3.org/2000/svg", "svg");
  return document.importNode(read.documentElement, true);
}

/** Makes an element of a picture. @param {string} name @param {object} attributes */
export function drawn(name, attributes = {}) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

/** Has a screen reader say something. @param {string} text */
export function say(text) {
  const place = byId("said");
  place.textContent = place.textContent === text ? `${text} ` : text;
}

/**
 * Shows a short message for some seconds.
 * @param {string} text @param {"plain"|"bad"} [kind] @returns {HTMLElement}
 */
export function tell(text, kind = "plain") {
  const note = element(`div.toast.${kind}`, { role: kind === "bad" ? "alert" : "status" }, element("span", {}, ...spans(text)));
  note.append(button("×", () => note.remove(), { "aria-label": "Close this message" }));
  byId("toasts").append(note);
  while (byId("toasts").children.length > 3) byId("toasts").firstElementChild.remove();
  setTimeout(() => note.remove(), kind === "bad" ? 9000 : 4000);
  return note;
}

/**
 * Runs an action and shows its error. A lost connection is reported elsewhere.
 * @template T @param {() => Promise<T>} action @returns {Promise<T|undefined>}
 */
export async function attempt(action) {
  try {
    return await action();
  } catch (error) {
    if (!(error instanceof Unreachable)) tell(error.message, "bad");
    return undefined;
  }
}

/**
 * Opens a dialog; it closes with Escape, and the focus goes back to where it was.
 * @param {string} title @param {Node[]} content @returns {HTMLDialogElement}
 */
export function dialog(title, content) {
  const made = /** @type {HTMLDialogElement} */ (element("dialog", { "aria-label": title }));
  const close = button("×", () => made.close(), { "aria-label": "Close", class: "close" });
  made.append(element("header", {}, element("h2", {}, title), close), ...content);
  made.addEventListener("close", () => made.remove());
  made.addEventListener("click", (event) => {
    if (event.target === made) made.close();
  });
  document.body.append(made);
  made.showModal();
  return made;
}

/** Saves text as a file of the browser. @param {string} name @param {string} content */
export function download(name, content) {
  const kind = name.endsWith(".html") ? "text/html" : "text/plain";
  const address = URL.createObjectURL(new Blob([content], { type: kind }));
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

/** Renders text with `code` and **strong** words. @param {string} text @returns {Node[]} */
export function spans(text) {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).filter(Boolean).map((part) => {
    if (part.length > 2 && part.startsWith("`")) return element("code", {}, part.slice(1, -1));
    if (part.length > 4 && part.startsWith("**")) return element("strong", {}, part.slice(2, -2));
    return document.createTextNode(part);
  });
}

/**
 * Renders the part of Markdown that the program writes: paragraphs, headings, lists, fenced blocks.
 * @param {string} text @returns {DocumentFragment}
 */
export function markdown(text) {
  const made = new DocumentFragment();
  const lines = text.split("\n");
  let paragraph = [];
  let list = null;
  const end = () => {
    if (paragraph.length) made.append(element("p", {}, ...spans(paragraph.join(" "))));
    paragraph = [];
    list = null;
  };
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at];
    if (line.startsWith("```")) {
      end();
      const block = [];
      while (++at < lines.length && !lines[at].startsWith("```")) block.push(lines[at]);
      made.append(element("pre", {}, block.join("\n")));
    } else if (/^#+ /.test(line)) {
      end();
      made.append(element("h4", {}, ...spans(line.replace(/^#+ /, ""))));
    } else if (/^- /.test(line)) {
      if (!list) {
        end();
        list = element("ul");
        made.append(list);
      }
      list.append(element("li", {}, ...spans(line.slice(2))));
    } else if (line === "---") {
      end();
      made.append(element("hr"));
    } else if (!line.trim()) {
      end();
    } else if (list) {
      list.lastElementChild.append(" ", ...spans(line.trim()));
    } else {
      paragraph.push(line.trim());
    }
  }
  end();
  return made;
}
