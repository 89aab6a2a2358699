// The board: the picture that the program draws, marks over it, and input on its sites by mouse,
// touch and keyboard.
//
// Marks differ in shape: a dot or ring on sites that can be chosen, a square around chosen sites, a
// double ring around sites that decided the game, stripes where an expression holds, a star on a
// hint, a cross on a refused site.

import { copyOf, pieceOn } from "./motion.js";
import { drawn, element, picture } from "./dom.js";

/** The pixels that the pointer moves before a press is a drag. */
const DRAG = 6;
/** Milliseconds until a dropped piece goes back if the program does not move it. */
const WAIT = 600;
const ARROWS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

/**
 * Dispatches `pick` (`site`, `byKey`, `isDrag`), `drag` (`from`, `to`), `point` (a site or null)
 * and `cancel`.
 */
export class Board extends EventTarget {
  /** @type {Map<string, {name: string, label: string, at: [number, number]}>} */ sites = new Map();
  #shapes = new Map();
  #marks = new Map();
  #layer = null;
  #unit = 40;
  #current = "";
  #pressed = null;
  #ghost = null;
  /** Whether every piece can be dragged, even if the rules allow no move. */ isFree = false;
  /** The site where a dragged piece waits to be drawn. @type {string|null} */ dropped = null;

  /** @param {HTMLElement} box */
  constructor(box) {
    super();
    this.box = box;
    box.addEventListener("pointerdown", (event) => this.#onPress(event));
    // Touch drags pieces; elsewhere it scrolls the page. Browsers ignore `touch-action` on parts of
    // a picture.
    box.addEventListener("touchstart", (event) => {
      if (this.#canDrag(this.#siteOf(event.target), true)) event.preventDefault();
    }, { passive: false });
    box.addEventListener("pointermove", (event) => this.#onMove(event));
    box.addEventListener("pointerup", (event) => this.#onRelease(event));
    box.addEventListener("pointercancel", () => this.#endDrag());
    box.addEventListener("pointerleave", () => this.#point(null));
    box.addEventListener("keydown", (event) => this.#onKey(event));
    box.addEventListener("focusin", (event) => {
      const site = this.#siteOf(event.target);
      if (!site) return;
      this.#setCurrent(site);
      this.#fan(site);
    });
  }

  /**
   * Draws a position.
   * @param {string} svg @param {any[]} sites @param {number} radius of a cell in the picture
   */
  show(svg, sites, radius) {
    const hadFocus = this.box.contains(document.activeElement);
    const made = picture(svg);
    made.removeAttribute("width");
    made.removeAttribute("height");
    made.setAttribute("role", "group");
    made.setAttribute("aria-label", "Board. Arrow keys go from site to site, Enter chooses, Escape takes back.");
    this.box.replaceChildren(made);
    if (!this.#pressed) this.#dropGhost();
    this.sites = new Map(sites.map((site) => [site.name, site]));
    this.#shapes = new Map();
    for (const shape of made.querySelectorAll("[data-site]")) {
      shape.setAttribute("tabindex", "-1");
      this.#shapes.set(shape.dataset.site, shape);
    }
    this.#unit = 2 * radius;
    this.#layer = drawn("g", { class: "marks" });
    made.append(this.#layer);
    this.#marks.clear();
    if (!this.#shapes.has(this.#current)) this.#current = sites[0]?.name ?? "";
    this.#setCurrent(this.#current);
    if (hadFocus) this.focus(this.#current);
  }

  /** Moves the focus to a site. @param {string} [site] */
  focus(site = this.#current) {
    this.#shapes.get(site)?.focus({ preventScroll: true });
  }

  /**
   * Replaces the marks of a kind: `can`, `chosen`, `won`, `lit`, `hint` or `no`.
   * @param {string} kind @param {string[]} sites
   */
  mark(kind, sites) {
    this.#put(kind, sites.flatMap((site) => this.#drawing(kind, site)));
    if (kind !== "can") return;
    const can = new Set(sites);
    for (const [site, shape] of this.#shapes) {
      const known = this.sites.get(site);
      shape.setAttribute("aria-label", `${known?.label ?? site}${can.has(site) ? ", can be chosen" : ""}`);
      shape.classList.toggle("can", can.has(site));
    }
  }

  /** Writes a number on sites. @param {{[site: string]: number|string}} numbers */
  number(numbers) {
    this.#put("numbers", Object.entries(numbers).flatMap(([name, number]) => {
      const site = this.sites.get(name);
      if (!site) return [];
      const [x, y] = site.at;
      const text = drawn("text", { x, y: y + this.#unit * 0.13, "font-size": this.#unit * 0.36, "text-anchor": "middle" });
      text.textContent = String(number);
      return [text];
    }));
  }

  /** Returns the centre of a site in the window. @param {string} name @returns {DOMPoint|null} */
  pointOf(name) {
    const site = this.sites.get(name);
    const svg = this.box.querySelector("svg");
    const matrix = svg?.getScreenCTM();
    return site && matrix ? new DOMPoint(...site.at).matrixTransform(matrix) : null;
  }

  #put(kind, nodes) {
    this.#marks.get(kind)?.remove();
    if (!this.#layer) return;
    const group = drawn("g", { class: kind });
    group.append(...nodes);
    // Highlighted areas lie below the pieces, whose colours stay.
    const first = kind === "lit" && this.box.querySelector("svg > use");
    this.#marks.set(kind, group);
    if (first) {
      const below = drawn("g", { class: "marks" });
      below.append(group);
      first.before(below);
      this.#marks.set(kind, below);
    } else if (kind === "lit") {
      this.#layer.prepend(group);
    } else {
      this.#layer.append(group);
    }
  }

  #drawing(kind, name) {
    const site = this.sites.get(name);
    if (!site) return [];
    const [x, y] = site.at;
    const size = this.#unit;
    const isTaken = this.#isTaken(name);
    const around = (share) => ({ x: x - size * share, y: y - size * share, width: size * 2 * share, height: size * 2 * share });
    switch (kind) {
      case "can":
        return [drawn("circle", { cx: x, cy: y, r: size * (isTaken ? 0.42 : 0.1), class: isTaken ? "ring" : "dot" })];
      case "chosen":
        return [drawn("rect", { ...around(0.45), rx: size * 0.08, "stroke-width": size * 0.07 })];
      case "won":
        return ["outer", "inner"].map((part) => drawn("circle", { cx: x, cy: y, r: size * 0.44, class: part, "stroke-width": size * (part === "outer" ? 0.12 : 0.06) }));
      case "lit": {
        const shape = this.#shapes.get(name);
        const copy = shape ? shape.cloneNode(false) : drawn("rect", around(0.48));
        for (const { name: key } of [...copy.attributes]) {
          if (!["d", "points", "x", "y", "width", "height", "cx", "cy", "r", "transform"].includes(key)) copy.removeAttribute(key);
        }
        const area = copy.cloneNode();
        area.setAttribute("class", "area");
        const r = size * 0.4;
        const stripes = [-0.6, 0, 0.6].map((shift) => {
          const [dx, half] = [shift * r, r * Math.sqrt(1 - shift * shift) * 0.7];
          return `M${x + dx - half} ${y + half}L${x + dx + half} ${y - half}`;
        });
        return [area, drawn("path", { d: stripes.join(""), class: "stripes", "stroke-width": size * 0.03 })];
      }
      case "hint": {
        const corners = Array.from({ length: 10 }, (_, index) => {
          const [angle, r] = [(index * Math.PI) / 5 - Math.PI / 2, size * (index % 2 ? 0.11 : 0.26)];
          return `${x + r * Math.cos(angle)} ${y + r * Math.sin(angle)}`;
        });
        return [drawn("path", { d: `M${corners.join("L")}Z` })];
      }
      default: {
        const r = size * 0.25;
        return [drawn("path", { d: `M${x - r} ${y - r}L${x + r} ${y + r}M${x + r} ${y - r}L${x - r} ${y + r}`, "stroke-width": size * 0.09 })];
      }
    }
  }

  /** Tests by a site's label if the site has a piece. */
  #isTaken(name) {
    return !/, (empty|cut out)/.test(this.sites.get(name)?.label ?? ", empty");
  }

  #canDrag(site, isFinger) {
    if (this.isFree) return Boolean(site) && this.#isTaken(site);
    return Boolean(this.#shapes.get(site)?.classList.contains("can")) && (!isFinger || this.#isTaken(site));
  }

  #siteOf(target) {
    return target?.closest?.("[data-site]")?.dataset.site ?? null;
  }

  #setCurrent(site) {
    this.#shapes.get(this.#current)?.setAttribute("tabindex", "-1");
    this.#current = site;
    this.#shapes.get(site)?.setAttribute("tabindex", "0");
  }

  #emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }

  #point(site) {
    if (this.pointed === site) return;
    this.pointed = site;
    this.#fan(site);
    this.#emit("point", site);
  }

  /** Fans out the pile on a site, and folds all other piles. @param {string|null} site */
  #fan(site) {
    const shown = this.#ghost ? null : site;
    for (const fan of this.box.querySelectorAll(".fan")) fan.classList.toggle("shown", fan.dataset.fan === shown);
  }

  #onPress(event) {
    const site = this.#siteOf(event.target);
    if (!site || event.button !== 0) return;
    const canDrag = this.#canDrag(site, event.pointerType === "touch");
    this.#pressed = { site, x: event.clientX, y: event.clientY, canDrag, isDrag: false };
    if (canDrag) event.preventDefault();
    this.focus(site);
  }

  #onMove(event) {
    // Touch events stay with the element touched first.
    const isFinger = event.pointerType === "touch";
    this.#point(this.#siteOf(isFinger ? document.elementFromPoint(event.clientX, event.clientY) : event.target));
    const pressed = this.#pressed;
    if (!pressed?.canDrag) return;
    if (!pressed.isDrag && Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) > DRAG) {
      pressed.isDrag = true;
      this.#lift(pressed.site);
      this.#emit("pick", { site: pressed.site, byKey: false, isDrag: true });
    }
    this.#moveGhost(event.clientX, event.clientY);
  }

  /** Makes a copy of a site's piece follow the pointer, or a dot if the site has no piece. */
  #lift(site) {
    this.#dropGhost();
    this.#ghost = element("div.ghost");
    this.#fan(null);
    const piece = pieceOn(this, site);
    if (piece) {
      const scale = this.box.querySelector("svg").getScreenCTM().a;
      const half = this.#unit / 2;
      const [x, y] = piece.at;
      const drawing = drawn("svg", { viewBox: `${x - half} ${y - half} ${2 * half} ${2 * half}`, width: 2 * half * scale, height: 2 * half * scale });
      drawing.append(copyOf(piece));
      this.#ghost.append(drawing);
      this.#ghost.classList.add("piece");
      piece.use.classList.add("lifted");
    }
    // Elements outside an open dialog lie below it.
    (this.box.closest("dialog") ?? document.body).append(this.#ghost);
  }

  #moveGhost(x, y) {
    if (this.#ghost) this.#ghost.style.translate = `calc(${x}px - 50%) calc(${y}px - 50%)`;
  }

  #dropGhost() {
    this.#ghost?.remove();
    this.#ghost = null;
    for (const lifted of this.box.querySelectorAll(".lifted")) lifted.classList.remove("lifted");
  }

  #onRelease(event) {
    const pressed = this.#pressed;
    const site = this.#siteOf(document.elementFromPoint(event.clientX, event.clientY));
    const isDropped = pressed?.isDrag && site && site !== pressed.site;
    this.#pressed = null;
    if (isDropped) {
      // The piece stays where it was dropped until the program has answered.
      const at = this.pointOf(site);
      this.#moveGhost(at.x, at.y);
      this.dropped = site;
      const ghost = this.#ghost;
      setTimeout(() => {
        if (this.#ghost !== ghost || this.#pressed) return;
        this.dropped = null;
        this.#dropGhost();
      }, WAIT);
      this.#emit("drag", { from: pressed.site, to: site });
      return;
    }
    this.#endDrag();
    if (pressed && site && !pressed.isDrag && site === pressed.site) this.#emit("pick", { site, byKey: false, isDrag: false });
  }

  #endDrag() {
    this.#pressed = null;
    this.#dropGhost();
  }

  #onKey(event) {
    const site = this.#siteOf(event.target);
    if (!site || event.ctrlKey || event.altKey || event.metaKey) return;
    if (ARROWS[event.key]) {
      const next = this.#neighbour(site, ARROWS[event.key]);
      if (next) {
        this.focus(next);
        this.#point(next);
      }
    } else if (event.key === "Enter" || event.key === " ") {
      this.#emit("pick", { site, byKey: true, isDrag: false });
    } else if (event.key === "Escape") {
      this.#emit("cancel", null);
    } else {
      return;
    }
    event.preventDefault();
  }

  /** Returns the nearest site in a direction of the picture, for any board shape. */
  #neighbour(name, [dx, dy]) {
    const [x, y] = this.sites.get(name).at;
    let best = null;
    let least = Infinity;
    for (const site of this.sites.values()) {
      const [along, across] = [(site.at[0] - x) * dx + (site.at[1] - y) * dy, (site.at[0] - x) * dy + (site.at[1] - y) * dx];
      if (along <= this.#unit * 0.1 || Math.abs(across) > along * 2.1) continue;
      const cost = along + 1.5 * Math.abs(across);
      if (cost < least - 0.01) [best, least] = [site.name, cost];
    }
    return best;
  }
}
