// Animates a ply: moved pieces slide to their new site, changed pieces turn over, captured pieces
// burst, and new pieces are set down.

import { drawn } from "./dom.js";

const TIME = 230;
const BURST = 380;

/** Returns the piece on each site of a picture, with the element that draws it. */
function pieces(box, sites) {
  const found = new Map();
  const uses = new Map();
  for (const use of box.querySelectorAll("svg > use")) {
    uses.set(`${use.getAttribute("x")} ${use.getAttribute("y")}`, use);
  }
  for (const { name, label, at } of sites.values()) {
    const use = uses.get(`${at[0]} ${at[1]}`);
    // A label names the site, then the piece: `a1, White Pawn, …`.
    if (use) found.set(name, { what: label.split(", ")[1], at, use });
  }
  return found;
}

/** Finds the piece on a site. @param {import("./board.js").Board} board @param {string} site */
export function pieceOn(board, site) {
  return pieces(board.box, board.sites).get(site) ?? null;
}

/** Copies the drawing of a piece so that it does not need its picture. */
export function copyOf({ use, at }) {
  const shape = use.ownerSVGElement?.getElementById(use.getAttribute("href").slice(1));
  const group = drawn("g");
  const place = drawn("g", { transform: `translate(${at[0]} ${at[1]})`, "font-family": shape?.getAttribute("font-family") ?? "" });
  if (shape) place.append(...[...shape.childNodes].map((node) => node.cloneNode(true)));
  group.append(place);
  return group;
}

/**
 * Replaces the picture by `show`, animates the changes, and returns their kind: `capture`, `turn`,
 * `move`, `place`, or null.
 * @param {import("./board.js").Board} board @param {() => void} show @returns {string|null}
 */
export function animated(board, show) {
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const before = pieces(board.box, board.sites);
  const copies = new Map([...before].map(([name, piece]) => [name, isStill ? null : copyOf(piece)]));
  const { dropped, sites } = board;
  board.dropped = null;
  show();
  // The first picture and a board of another size are not animated.
  if (sites.size !== board.sites.size) return null;
  const after = pieces(board.box, board.sites);
  const gone = new Map([...before].filter(([name, { what }]) => after.get(name)?.what !== what));
  const distance = ([x, y], [otherX, otherY]) => Math.hypot(x - otherX, y - otherY);
  const last = [...after.values()].at(-1)?.use;
  let [hasMoved, hasTurned, isPlaced] = [false, false, false];
  for (const [name, piece] of after) {
    const was = before.get(name);
    if (was?.what === piece.what) continue;
    const sources = [...gone].filter(([from, each]) => each.what === piece.what && from !== name);
    sources.sort(([, one], [, other]) => distance(one.at, piece.at) - distance(other.at, piece.at));
    const [from, source] = sources[0] ?? [];
    const origin = `${piece.at[0]}px ${piece.at[1]}px`;
    if (source) {
      gone.delete(from);
      hasMoved = true;
      last.after(piece.use);
      const [dx, dy] = [source.at[0] - piece.at[0], source.at[1] - piece.at[1]];
      // A dragged piece is on its new site already.
      if (dropped !== name) move(isStill, piece.use, [{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }]);
    } else if (was) {
      gone.delete(name);
      hasTurned = true;
      const old = isStill ? null : copies.get(name);
      if (old) {
        piece.use.before(old);
        leave(old, [{ transform: "none", transformOrigin: origin }, { transform: "scale(0, 1)", transformOrigin: origin }], TIME / 2, "ease-in");
      }
      move(isStill, piece.use, [{ transform: "scale(0, 1)", transformOrigin: origin }, { transform: "scale(0, 1)", transformOrigin: origin, offset: 0.5 },
        { transform: "none", transformOrigin: origin }]);
    } else {
      isPlaced = true;
      move(isStill, piece.use, [{ transform: "scale(1.25)", transformOrigin: origin, opacity: 0.2 }, { transform: "none", transformOrigin: origin, opacity: 1 }]);
    }
  }
  if (!isStill) {
    const svg = board.box.querySelector("svg");
    const first = svg?.querySelector(":scope > use") ?? svg?.querySelector("[data-site]");
    for (const name of gone.keys()) {
      const shape = copies.get(name);
      first?.before(shape);
      const transformOrigin = `${before.get(name).at[0]}px ${before.get(name).at[1]}px`;
      leave(shape, [{ opacity: 1, transform: "none", transformOrigin }, { opacity: 0.9, transform: "scale(1.15)", transformOrigin, offset: 0.3 },
        { opacity: 0, transform: "scale(0.4)", transformOrigin }], BURST, "ease-in");
    }
  }
  if (gone.size) return "capture";
  if (hasTurned) return "turn";
  return hasMoved ? "move" : isPlaced ? "place" : null;
}

function move(isStill, element, frames) {
  if (!isStill) element.animate(frames, { duration: TIME, easing: "ease-out" });
}

/** Animates the copy of a captured or changed piece, then removes the copy. */
function leave(shape, frames, duration, easing) {
  shape.animate(frames, { duration, easing, fill: "forwards" }).onfinish = () => shape.remove();
}
