// Shows what a ply has changed: pieces that have gone to another site slide there, pieces that have
// become others turn over, pieces that are gone fade, and new ones grow.

import { drawn } from "./dom.js";

const TIME = 260;

/** What stands on each site of a picture, with the element that draws it. */
function pieces(box, sites) {
  const found = new Map();
  const uses = new Map();
  for (const use of box.querySelectorAll("svg > use")) {
    uses.set(`${use.getAttribute("x")} ${use.getAttribute("y")}`, use);
  }
  for (const { name, label, at } of sites.values()) {
    const use = uses.get(`${at[0]} ${at[1]}`);
    // The label says what is on the site: `a1, White Pawn, …`.
    if (use) found.set(name, { what: label.split(", ")[1], at, use });
  }
  return found;
}

/** The drawing of a piece by itself, which does not need the picture that it was in. */
function copy({ use, at }) {
  const shape = use.ownerSVGElement?.getElementById(use.getAttribute("href").slice(1));
  const group = drawn("g");
  const place = drawn("g", { transform: `translate(${at[0]} ${at[1]})`, "font-family": shape?.getAttribute("font-family") ?? "" });
  if (shape) place.append(...[...shape.childNodes].map((node) => node.cloneNode(true)));
  group.append(place);
  return group;
}

/** Replaces a picture with `show`, and moves what has changed. @param {import("./board.js").Board} board */
export function animated(board, show) {
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const before = isStill ? new Map() : pieces(board.box, board.sites);
  const copies = new Map([...before].map(([name, piece]) => [name, copy(piece)]));
  show();
  if (isStill || !before.size) return;
  const after = pieces(board.box, board.sites);
  const gone = new Map([...before].filter(([name, { what }]) => after.get(name)?.what !== what));
  const distance = ([x, y], [otherX, otherY]) => Math.hypot(x - otherX, y - otherY);
  for (const [name, piece] of after) {
    const was = before.get(name);
    if (was?.what === piece.what) continue;
    const sources = [...gone].filter(([from, each]) => each.what === piece.what && from !== name);
    sources.sort(([, one], [, other]) => distance(one.at, piece.at) - distance(other.at, piece.at));
    const [from, source] = sources[0] ?? [];
    if (source) {
      gone.delete(from);
      const [dx, dy] = [source.at[0] - piece.at[0], source.at[1] - piece.at[1]];
      move(piece.use, [{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }]);
    } else {
      const origin = `${piece.at[0]}px ${piece.at[1]}px`;
      const small = was ? "scale(0, 1)" : "scale(0.3)";
      move(piece.use, [{ transform: small, transformOrigin: origin, opacity: 0.4 }, { transform: "none", transformOrigin: origin }]);
      if (was) gone.delete(name);
    }
  }
  const svg = board.box.querySelector("svg");
  const first = svg?.querySelector("[data-site]");
  for (const name of gone.keys()) {
    const shape = copies.get(name);
    svg?.insertBefore(shape, first);
    const fading = shape.animate([{ opacity: 1 }, { opacity: 0 }], { duration: TIME, fill: "forwards" });
    fading.onfinish = () => shape.remove();
  }
}

function move(element, frames) {
  element.animate(frames, { duration: TIME, easing: "ease-out" });
}
