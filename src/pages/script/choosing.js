// A ply is chosen part by part: a site, another site, a direction, a kind. After each part the
// program lists the possible next parts. Sites are chosen on the board, other parts in a menu
// beside the site chosen last.

import { attempt, button, byId, element, picture, say } from "./dom.js";

const COMPASS = ["NW", "N", "NE", "W", "", "E", "SW", "S", "SE"];
const TURNS = { N: "↑", NE: "↗", E: "→", SE: "↘", S: "↓", SW: "↙", W: "←", NW: "↖" };
const NOTHING = { sites: [], menus: [] };

/**
 * Dispatches `played` (the next state), `refused` (a site that cannot be chosen, with the parts
 * before it), and `named` (a move, while moves are only named).
 */
export class Choosing extends EventTarget {
  /** @type {string[]} */ chosen = [];
  #answer = NOTHING;
  #first = NOTHING;
  #isBusy = false;
  /** Whether a complete move is only named, not played. */
  isNaming = false;
  /** The illegal first site of a move that is only named. */
  #beyond = null;
  /** Resolves when the choices of the position are known; input waits for it. */
  #ready = Promise.resolve();
  /** Counts positions: answers about earlier ones are dropped. */
  #age = 0;

  /** @param {import("./board.js").Board} board @param {any} connection */
  constructor(board, connection) {
    super();
    this.board = board;
    this.connection = connection;
    this.menu = byId("menu");
    this.line = byId("choices");
    board.addEventListener("pick", ({ detail }) => this.#pick(detail));
    board.addEventListener("drag", ({ detail }) => this.#drop(detail));
    board.addEventListener("cancel", () => this.takeBack());
    for (const box of [this.menu, this.line]) {
      box.addEventListener("keydown", (event) => {
        const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
        if (event.key === "Escape") {
          this.takeBack();
          this.board.focus();
        } else if (step) {
          const all = [...box.querySelectorAll("button")];
          all[(all.indexOf(document.activeElement) + step + all.length) % all.length]?.focus();
        } else {
          return;
        }
        event.preventDefault();
      });
    }
  }

  /** Tests if parts of an unfinished ply are chosen. */
  get isOpen() {
    return this.chosen.length > 0;
  }

  /** Starts an illegal move, which can only be named, at a site. @param {string} site */
  goBeyond(site) {
    this.#beyond = site;
    this.board.mark("chosen", [site]);
  }

  /** Takes all parts back. */
  reset() {
    return this.#ask([], false);
  }

  /** Starts at a position. @param {any} game @param {any} [choices] of the position, if known */
  start(game, choices) {
    this.#ready = this.#load(game, choices);
  }

  async #load(game, choices) {
    const age = ++this.#age;
    this.chosen = [];
    this.#beyond = null;
    this.#forced.clear();
    this.#first = NOTHING;
    this.#answer = NOTHING;
    this.#show(false);
    if (!isClosed(game)) {
      const first = choices ?? await this.connection.ask("choices", { chosen: [] }).catch(() => NOTHING);
      if (age !== this.#age) return;
      this.#first = first;
      this.#answer = first;
      this.#show(false);
    }
  }

  /** Reloads the choices of a position whose rules may have changed. @param {any} game */
  async refresh(game) {
    if (!game || isClosed(game)) return;
    await this.#ready;
    const age = this.#age;
    const first = await this.connection.ask("choices", { chosen: [] }).catch(() => null);
    if (!first || age !== this.#age || JSON.stringify(first) === JSON.stringify(this.#first)) return;
    this.#age++;
    this.#first = first;
    await this.#ask([], false);
  }

  /** Takes back the part chosen last. */
  async takeBack() {
    if (this.#beyond) return void this.reset();
    if (!this.chosen.length || this.#isBusy) return;
    const parts = this.chosen.slice(0, -1);
    // Automatically chosen parts are taken back with the part before them.
    while (parts.length && this.#forced.has(parts.length)) parts.pop();
    await this.#ask(parts, false);
    say("Taken back.");
  }

  #forced = new Set();

  async #pick({ site, byKey, isDrag }) {
    await this.#ready;
    if (this.#isBusy) return;
    const isOffered = (answer) => answer.sites.some((each) => each.site === site);
    if (this.#beyond) {
      const from = this.#beyond;
      await this.reset();
      if (site === from) return;
      if (!isOffered(this.#first)) return void this.#emit("refused", { site, chosen: [from] });
    }
    if (isOffered(this.#answer)) await this.#extend(site, byKey);
    else if (this.chosen.includes(site)) await (isDrag ? null : this.takeBack());
    else if (this.chosen.length && isOffered(this.#first)) await this.#ask([], byKey).then(() => this.#extend(site, byKey));
    else this.#emit("refused", { site, chosen: this.chosen });
  }

  async #drop({ from, to }) {
    await this.#ready;
    // The answer to the choice of `from` may be pending.
    while (this.#isBusy) await new Promise((resolve) => setTimeout(resolve, 5));
    if (!this.chosen.includes(from)) return;
    if (this.#answer.sites.some((each) => each.site === to)) await this.#extend(to, false);
    else this.#emit("refused", { site: to, chosen: this.chosen });
  }

  async #extend(part, byKey) {
    await this.#ask([...this.chosen, part], byKey);
  }

  async #ask(parts, byKey) {
    const age = this.#age;
    this.#isBusy = true;
    try {
      if (!parts.length) {
        this.chosen = [];
        this.#beyond = null;
        this.#forced.clear();
        this.#answer = this.#first;
        this.#show(byKey);
        return;
      }
      const answer = await attempt(() => this.connection.ask("choices", { chosen: parts }));
      if (!answer || age !== this.#age) return;
      if (answer.reset) {
        await this.#ask([], byKey);
        return;
      }
      const further = answer.sites.length + answer.menus.length;
      for (const place of [...this.#forced]) if (place > parts.length) this.#forced.delete(place);
      if (answer.complete && !further) {
        await this.#play(parts, answer.complete.text);
      } else if (!answer.complete && further === 1 && answer.menus.length === 1) {
        // A single possible part is chosen automatically.
        this.#forced.add(parts.length + 1);
        await this.#ask([...parts, answer.menus[0].value], byKey);
      } else {
        this.chosen = parts;
        this.#answer = answer;
        this.#show(byKey);
      }
    } finally {
      this.#isBusy = false;
    }
  }

  async #play(parts, text) {
    if (this.isNaming) {
      await this.#ask([], false);
      this.#emit("named", { move: text });
      return;
    }
    const answer = await attempt(() => this.connection.ask("playChosen", { chosen: parts }));
    if (answer) this.#emit("played", answer.game);
    else await this.#ask([], false);
  }

  #emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  #show(byKey) {
    const { sites, menus, complete } = this.#answer;
    this.board.mark("can", sites.map((each) => each.site));
    this.board.mark("chosen", this.chosen.filter((part) => this.board.sites.has(part)));
    const entries = menus.map((entry) => this.#entry(entry));
    if (complete) {
      entries.unshift(button(`${this.isNaming ? "This is" : "Play"} ${complete.text}`, () => this.#play(this.chosen, complete.text), { class: "main" }));
    }
    const beside = this.chosen.findLast((part) => this.board.sites.has(part));
    const box = beside ? this.menu : this.line;
    const isCompass = menus.length > 1 && !complete && menus.every(({ value }) => COMPASS.includes(direction(value)));
    box.classList.toggle("compass", isCompass && box === this.menu);
    this.menu.replaceChildren(...(box === this.menu ? entries : []));
    this.line.replaceChildren(...this.#chosenParts(), ...(box === this.line ? entries : []));
    this.menu.hidden = box !== this.menu || !entries.length;
    if (!this.menu.hidden) this.#place(beside);
    if (byKey && this.chosen.length) this.#announce(entries);
  }

  /** Returns the chosen parts and a button that does what Escape does. */
  #chosenParts() {
    if (!this.chosen.length) return [];
    const parts = this.chosen.map((part) => part.split(":").at(-1)).join(" ");
    return [element("span.soft", {}, `Chosen: ${parts}`), button("Take back", () => this.takeBack(), { class: "back", title: "Escape" })];
  }

  #entry({ value, label, about, picture: svg }) {
    const turned = direction(value);
    const text = TURNS[turned] ? `${TURNS[turned]} ${label}` : label;
    const made = button(text, () => this.#extend(value, document.activeElement === made), {
      title: about || null, "data-part": value, "aria-label": TURNS[turned] ? label : null,
    });
    if (svg) made.prepend(element("span.tile", {}, picture(svg)));
    if (TURNS[turned]) made.style.gridArea = gridArea(turned);
    return made;
  }

  #place(site) {
    const point = this.board.pointOf(site);
    const around = this.board.box.parentElement.getBoundingClientRect();
    if (!point) return;
    const { offsetWidth: width, offsetHeight: height } = this.menu;
    if (this.menu.classList.contains("compass")) {
      // Directions are placed around the site.
      this.menu.style.left = `${Math.max(0, Math.min(point.x - around.left - width / 2, around.width - width))}px`;
      this.menu.style.top = `${Math.max(0, Math.min(point.y - around.top - height / 2, around.height - height))}px`;
      return;
    }
    const left = Math.max(4, Math.min(point.x - around.left + 26, around.width - width - 4));
    const below = point.y - around.top + 26;
    const top = below + height < around.height ? below : Math.max(4, point.y - around.top - height - 26);
    this.menu.style.left = `${left}px`;
    this.menu.style.top = `${top}px`;
  }

  #announce(entries) {
    const { sites } = this.#answer;
    const named = entries.map((entry) => entry.getAttribute("aria-label") ?? entry.textContent);
    const where = sites.length ? `${sites.length} sites can be chosen. ` : "";
    say(`${where}${named.length ? `Choices: ${named.join(", ")}` : ""}`);
    if (entries.length && !sites.length) entries[0].focus();
  }
}

/** Returns a key of a position and of who is to act in it. @param {any} game */
export function momentOf({ board, ply, plies, thinking, chance, programs, result }) {
  return JSON.stringify([board, ply, plies?.[ply - 1]?.id, thinking, chance, programs, Boolean(result)]);
}

/** Tests if a person has nothing to choose in a state. */
function isClosed({ result, thinking, chance, board }) {
  return result || thinking || chance || !board;
}

function direction(value) {
  return value.startsWith("direction:") ? value.slice("direction:".length) : "-";
}

function gridArea(turned) {
  const index = COMPASS.indexOf(turned);
  return `${Math.floor(index / 3) + 1} / ${(index % 3) + 1}`;
}
