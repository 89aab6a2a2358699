// The three layouts of the window, and the dividers between columns.
//
// In Play the board is as large as the window allows; in Write the rules are beside the board, in
// Ask the answers. A narrow window shows one of the three at a time, at first the board. The last
// layout is stored for wide and for narrow windows separately.

import { byId, say } from "./dom.js";

const NAMES = ["play", "write", "ask"];
const KEY = "ludwright-layout";
const NARROW = matchMedia("(max-width: 1000px)");
/** The share of the width that a column has, and the least width of any column in pixels. */
const SIZES = { play: { side: 0.25 }, write: { rules: 0.39, side: 0.21 }, ask: { side: 0.52 } };
const LEAST = 200;
const STEP = 0.02;

/** Dispatches `change` with the name of a layout. */
export class Layouts extends EventTarget {
  #kept = kept();

  constructor() {
    super();
    for (const name of NAMES) byId(`layout-${name}`).addEventListener("click", () => this.use(name));
    for (const column of ["rules", "side"]) this.#divide(column);
    NARROW.addEventListener("change", () => this.use(this.remembered));
    new ResizeObserver(() => this.#size()).observe(byId("desk"));
    this.use(this.remembered);
  }

  /** The layout that is shown. @type {"play"|"write"|"ask"} */
  current = "write";

  /** Tests if the window shows one part at a time. */
  get isNarrow() {
    return NARROW.matches;
  }

  /** The last layout in windows of this kind, narrow or wide. */
  get remembered() {
    const name = this.#kept[NARROW.matches ? "narrow" : "wide"];
    return NAMES.includes(name) ? name : NARROW.matches ? "play" : "write";
  }

  /** Shows a layout. @param {"play"|"write"|"ask"} name */
  use(name) {
    const isNew = document.body.dataset.layout !== name;
    this.current = name;
    document.body.dataset.layout = name;
    this.#kept[NARROW.matches ? "narrow" : "wide"] = name;
    this.#keep();
    for (const each of NAMES) byId(`layout-${each}`).setAttribute("aria-pressed", each === name);
    // An explanation is beside the rules, or below the board if the rules are hidden.
    if (name === "write") byId("signature").before(byId("why"));
    else byId("talk").append(byId("why"));
    this.#size();
    if (isNew) this.dispatchEvent(new CustomEvent("change", { detail: name }));
  }

  /** Shows the next or previous layout. @param {1|-1} step */
  turn(step) {
    this.use(NAMES[(NAMES.indexOf(this.current) + step + NAMES.length) % NAMES.length]);
    say(byId(`layout-${this.current}`).title);
  }

  /** Shows the rules if they are hidden. */
  showRules() {
    if (this.current !== "write") this.use("write");
  }

  /** Shows the board if it is hidden. */
  showBoard() {
    if (!byId("board").getClientRects().length) this.use("play");
  }

  #share(column) {
    return this.#kept.sizes?.[this.current]?.[column] ?? SIZES[this.current][column];
  }

  #set(column, share) {
    const sizes = (this.#kept.sizes ??= {});
    sizes[this.current] = { ...sizes[this.current], [column]: this.#bounded(column, share) };
    this.#keep();
    this.#size();
  }

  /** Limits a share so that every column keeps the least width. */
  #bounded(column, share) {
    const width = byId("desk").clientWidth || innerWidth;
    const least = LEAST / width;
    const other = this.#share(column === "rules" ? "side" : "rules") ?? 0;
    return Math.max(least, Math.min(share, 1 - other - least));
  }

  #size() {
    for (const column of ["rules", "side"]) {
      const share = this.#share(column);
      if (share === undefined) continue;
      const bounded = this.#bounded(column, share);
      byId("desk").style.setProperty(`--${column}`, `${(100 * bounded).toFixed(2)}%`);
      byId(`divide-${column}`).setAttribute("aria-valuenow", Math.round(100 * bounded));
    }
  }

  /** Makes a divider draggable, movable by keys, and reset by a double click. */
  #divide(column) {
    const divider = byId(`divide-${column}`);
    // The rules are left of their divider, the panels right of theirs.
    const sign = column === "rules" ? 1 : -1;
    divider.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      divider.focus();
      divider.setPointerCapture(event.pointerId);
    });
    divider.addEventListener("pointermove", (event) => {
      if (!divider.hasPointerCapture(event.pointerId)) return;
      const { left, right, width } = byId("desk").getBoundingClientRect();
      this.#set(column, (sign > 0 ? event.clientX - left : right - event.clientX) / width);
    });
    divider.addEventListener("dblclick", () => this.#set(column, SIZES[this.current][column]));
    divider.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -STEP, ArrowRight: STEP }[event.key];
      if (!step) return;
      event.preventDefault();
      this.#set(column, this.#share(column) + sign * step);
    });
  }

  #keep() {
    try {
      localStorage.setItem(KEY, JSON.stringify(this.#kept));
    } catch {
      // The next visit then has the default layout.
    }
  }
}

function kept() {
  try {
    return JSON.parse(localStorage.getItem(KEY)) ?? {};
  } catch {
    return {};
  }
}
