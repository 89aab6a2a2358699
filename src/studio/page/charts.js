// Charts of answers, drawn as pictures: who wins, how long games take, what first moves are worth.
// Each chart has a text for screen readers with all its values.

import { drawn, element, picture } from "./dom.js";

const WIDTH = 420;
/** Where bars begin and end, between their names and their figures. */
const [LEFT, RIGHT] = [104, 352];
const ROW = 28;
const BAR = 14;
/** Counts pictures of boards, for unique ids. */
let maps = 0;
const PLAIN = ["#33302a", "#c9c2b4", "#28528f", "#b5532a", "#1f6245", "#8a4a9e"];

/** @param {number} share from 0 to 1 */
export function percent(share) {
  return `${Math.round(share * 100)} %`;
}

/**
 * Returns the colour of a player, as on the board.
 * @param {{name: string, color: string|null}[]} players @param {number} index
 */
function colorOf(players, index) {
  return players[index]?.color ?? PLAIN[index % PLAIN.length];
}

function text(x, y, words, attributes = {}) {
  const made = drawn("text", { x, y, ...attributes });
  made.textContent = words;
  return made;
}

function chart(width, height, label, ...parts) {
  const svg = drawn("svg", { viewBox: `0 0 ${width} ${height}`, class: "chart", role: "img", "aria-label": label });
  svg.append(...parts);
  return svg;
}

/**
 * Shows who wins: for two players one bar of wins and draws, for more players a bar for each.
 * @param {{label: string, scores: Figure[], draws: number}[]} rows scores count draws in part
 * @param {{name: string, color: string|null}[]} players
 * @param {boolean} [isAlone] whether to draw one small row without names
 * @typedef {{value: number, low: number|null, high: number|null, sample: number}} Figure
 * @returns {HTMLElement}
 */
export function winShares(rows, players, isAlone = false) {
  const pair = players.length === 2;
  const lines = pair ? rows.map((row) => pairLine(row)) : rows.flatMap((row) => eachLine(row, players));
  const hasDraws = rows.some(({ draws }) => draws > 0);
  const height = lines.length * ROW + 20;
  const [left, right, width] = isAlone ? [2, 158, 204] : [LEFT, RIGHT, WIDTH];
  const scale = (share) => left + (right - left) * Math.min(1, Math.max(0, share));
  const even = players.length > 1 ? 1 / players.length : null;
  const parts = [];
  const said = [];
  lines.forEach((line, at) => {
    const top = at * ROW + (ROW - BAR) / 2;
    if (!isAlone) parts.push(text(left - 8, top + BAR - 3, line.label, { "text-anchor": "end" }));
    parts.push(drawn("rect", { x: left, y: top, width: right - left, height: BAR, class: "bed" }));
    let from = 0;
    for (const { share, player } of line.parts) {
      const [x, long] = [scale(from), scale(from + share) - scale(from)];
      from += share;
      if (long <= 0) continue;
      const bar = drawn("rect", { x, y: top, width: long, height: BAR, class: player === null ? "draws" : "wins" });
      if (player !== null) bar.style.fill = colorOf(players, player);
      parts.push(bar);
    }
    const { value, low, high } = line.mark;
    const middle = top + BAR / 2;
    if (low !== null && high !== null) {
      const path = `M${scale(low)} ${middle}H${scale(high)}M${scale(low)} ${middle - 5}V${middle + 5}M${scale(high)} ${middle - 5}V${middle + 5}`;
      parts.push(drawn("path", { d: path, class: "halo" }), drawn("path", { d: path, class: "interval" }));
    }
    parts.push(text(right + 8, top + BAR - 3, percent(value)));
    said.push(`${line.label}: ${line.said}`);
  });
  const bottom = lines.length * ROW;
  if (even !== null) {
    parts.push(drawn("path", { d: `M${scale(even)} 0V${bottom}`, class: "even" }));
    parts.push(text(scale(even), bottom + 13, "even", { "text-anchor": "middle", class: "axis" }));
  }
  const picture = chart(width, height, `Who wins. ${said.join(". ")}.`, ...parts);
  if (isAlone) return element("figure", {}, picture);
  const legend = element("p.legend", {});
  if (pair || hasDraws) {
    players.slice(0, pair ? 2 : 0).forEach((player, index) => {
      const dot = element("span.tint");
      dot.style.background = colorOf(players, index);
      legend.append(dot, `${player.name} wins `);
    });
    if (hasDraws && pair) legend.append(element("span.tint.draws"), "drawn ");
  }
  legend.append(pair ? `· figure and line: the score of ${players[0].name}, a draw counts half, with its 95 % interval` : "score with its 95 % interval");
  return element("figure", {}, picture, element("figcaption", {}, legend));
}

function pairLine({ label, scores: [score], draws }) {
  const first = Math.max(0, score.value - draws / 2);
  return {
    label,
    parts: [{ share: first, player: 0 }, { share: draws, player: null }, { share: Math.max(0, 1 - first - draws), player: 1 }],
    mark: score,
    said: `${percent(first)} and ${percent(1 - first - draws)} won, ${percent(draws)} drawn, of ${score.sample} games`,
  };
}

function eachLine({ label, scores, draws }, players) {
  const lines = scores.map((score, index) => ({
    label: players.length > 1 ? `${label}, ${players[index].name}` : label,
    parts: [{ share: score.value, player: index }],
    mark: score,
    said: `${percent(score.value)} of ${score.sample} games`,
  }));
  if (draws > 0 && players.length > 1) {
    const mark = { value: draws, low: null, high: null };
    lines.push({ label: `${label}, draws`, parts: [{ share: draws, player: null }], mark, said: percent(draws) });
  }
  return lines;
}

/**
 * Shows how long games take.
 * @param {{from: number, width: number, heights: number[]}} shape
 * @param {string} across @param {string} about
 */
export function histogram({ from, width, heights }, across, about) {
  const [height, bottom] = [132, 100];
  const most = Math.max(...heights, 1e-9);
  const [left, right] = [14, WIDTH - 14];
  const step = (right - left) / heights.length;
  const parts = heights.map((part, at) => drawn("rect", {
    x: left + at * step + Math.min(1, step / 8), y: bottom - (part / most) * (bottom - 6), width: Math.max(1, step - Math.min(2, step / 4)),
    height: (part / most) * (bottom - 6), class: "column",
  }));
  parts.push(drawn("path", { d: `M${left} ${bottom}H${right}`, class: "base" }));
  const marks = Math.min(heights.length, 6);
  for (let mark = 0; mark <= marks; mark++) {
    const at = Math.round((mark * heights.length) / marks);
    const anchor = mark === 0 ? "start" : mark === marks ? "end" : "middle";
    parts.push(text(left + at * step, bottom + 14, String(Math.round(from + at * width)), { "text-anchor": anchor, class: "axis" }));
  }
  parts.push(text(WIDTH / 2, bottom + 28, across, { "text-anchor": "middle", class: "axis" }));
  return element("figure", {}, chart(WIDTH, height, about, ...parts));
}

/**
 * Draws lines.
 * @param {{name: string, points: [number, number][]}[]} lines
 * @param {string} across @param {string} up
 */
export function curves(lines, across, up) {
  const points = lines.flatMap((line) => line.points).filter(([x, y]) => Number.isFinite(x) && Number.isFinite(y));
  if (points.length < 2) return null;
  const [height, bottom, left, right, top] = [150, 112, 40, WIDTH - 10, 8];
  const [low, high] = [Math.min(...points.map(([x]) => x)), Math.max(...points.map(([x]) => x))];
  const [least, most] = [Math.min(0, ...points.map(([, y]) => y)), Math.max(...points.map(([, y]) => y))];
  const x = (value) => left + ((value - low) / (high - low || 1)) * (right - left);
  const y = (value) => bottom - ((value - least) / (most - least || 1)) * (bottom - top);
  const parts = [drawn("path", { d: `M${left} ${top}V${bottom}H${right}`, class: "base" })];
  const short = (value) => (Math.abs(value) >= 10 ? value.toFixed(0) : String(Number(value.toFixed(2))));
  for (const value of [least, most]) parts.push(text(left - 5, y(value) + 4, short(value), { "text-anchor": "end", class: "axis" }));
  for (const value of [low, high]) parts.push(text(x(value), bottom + 14, short(value), { "text-anchor": value === low ? "start" : "end", class: "axis" }));
  lines.forEach((line, at) => {
    const d = line.points.map(([px, py], index) => `${index ? "L" : "M"}${x(px).toFixed(1)} ${y(py).toFixed(1)}`).join("");
    parts.push(drawn("path", { d, class: "curve", "stroke-dasharray": ["", "6 3", "2 3", "9 3 2 3", "1 4"][at % 5], "stroke-opacity": 0.45 + (0.55 * (at + 1)) / lines.length }));
  });
  parts.push(text((left + right) / 2, bottom + 30, across, { "text-anchor": "middle", class: "axis" }));
  const names = lines.map((line) => line.name).filter(Boolean).join(", ");
  return element("figure", {}, chart(WIDTH, height, `${up} by ${across}: ${names}`, ...parts), element("figcaption", {}, `${up}${names ? `: ${names}` : ""}`));
}

/**
 * Draws a board with marks on sites.
 * @param {{board: string, sites: {name: string, at: [number, number]}[], radius: number}} shown
 * @param {Map<string, {text: string, weight: number, kind?: string, about: string}>} marks by site;
 * weights are from 0 to 1
 * @param {string} label @param {(site: string) => void} [pick]
 */
export function boardMap(shown, marks, label, pick) {
  // Ids must be unique in the whole page.
  const own = `map${++maps}-`;
  const svg = picture(shown.board.replaceAll(/( id="|url\(#|href="#)/g, `$1${own}`));
  svg.removeAttribute("width");
  svg.removeAttribute("height");
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", label);
  svg.classList.add("map");
  const layer = drawn("g", { class: "map-marks" });
  const unit = 2 * shown.radius;
  for (const site of shown.sites) {
    const mark = marks.get(site.name);
    if (!mark) continue;
    const [x, y] = site.at;
    const words = mark.text;
    const size = unit * (words.length > 3 ? 0.27 : 0.34);
    layer.append(
      drawn("circle", { cx: x, cy: y, r: unit * (0.26 + 0.18 * mark.weight), class: mark.kind ?? "worth", "fill-opacity": 0.35 + 0.65 * mark.weight }),
      text(x, y + size * 0.36, words, { "font-size": size, "text-anchor": "middle" }),
    );
  }
  // The picture's sites are for the mouse only; a list beside it has the same choices.
  for (const cell of [...svg.querySelectorAll("[data-site]")]) {
    const site = cell.dataset.site;
    for (const name of ["data-site", "role", "tabindex", "aria-label"]) cell.removeAttribute(name);
    const mark = marks.get(site);
    if (!mark) continue;
    const title = drawn("title");
    title.textContent = mark.about;
    cell.append(title);
    if (!pick) continue;
    cell.classList.add("can");
    cell.dataset.map = site;
    cell.addEventListener("click", () => pick(site));
  }
  const first = svg.querySelector(".site");
  (first?.parentNode ?? svg).insertBefore(layer, first);
  return element("figure.board-map", {}, svg);
}

/**
 * Draws a board with the sites marked that differ from another board.
 * @param {any} shown @param {string[]} sites @param {string} label
 */
export function boardWith(shown, sites, label) {
  const figure = boardMap(shown, new Map(), label);
  const unit = 2 * shown.radius;
  const layer = drawn("g", { class: "map-marks" });
  for (const name of sites) {
    const at = shown.sites.find((site) => site.name === name)?.at;
    if (at) layer.append(drawn("rect", { x: at[0] - unit * 0.46, y: at[1] - unit * 0.46, width: unit * 0.92, height: unit * 0.92, class: "differs" }));
  }
  figure.querySelector("svg").append(layer);
  return figure;
}
