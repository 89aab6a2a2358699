// Text operations that need no request: brackets, indentation, changes.
// All offsets are indices of JavaScript strings, as in every request.

/**
 * @typedef {{at: number, removed: number, inserted: number}} Change
 * @typedef {{from: number, to: number, kind: string}} Mark
 */

/** Returns the smallest change from one text to the other. @returns {Change} */
export function changeBetween(before, after) {
  const most = Math.min(before.length, after.length);
  let at = 0;
  while (at < most && before.charCodeAt(at) === after.charCodeAt(at)) at++;
  let end = 0;
  while (end < most - at && before.at(-1 - end) === after.at(-1 - end)) end++;
  return { at, removed: before.length - at - end, inserted: after.length - at - end };
}

/**
 * Moves marks along with a change: edited marks grow or shrink, marks without text are dropped.
 * @param {Mark[]} marks @param {Change} change @returns {Mark[]}
 */
export function moved(marks, { at, removed, inserted }) {
  const by = inserted - removed;
  const end = at + removed;
  const place = (offset) => (offset >= end ? offset + by : Math.min(offset, at));
  return marks.flatMap((mark) => {
    if (mark.to <= at) return [mark];
    if (mark.from >= end) return [{ ...mark, from: mark.from + by, to: mark.to + by }];
    const next = { ...mark, from: place(mark.from), to: place(mark.to) };
    return next.to > next.from ? [next] : [];
  });
}

/** Returns a range after a change. @returns {[number, number]} */
function rangeAfter(range, { at, removed, inserted }) {
  return range.map((offset) => (offset >= at + removed ? offset + inserted - removed : Math.min(offset, at)));
}

/** Moves the places of findings by a change. @param {any[]} findings @param {Change} change */
export function moveFindings(findings, change) {
  for (const finding of findings.filter(({ other }) => !other)) {
    const changes = finding.edits.flatMap((edit) => edit.changes);
    for (const place of [finding, ...finding.labels, ...changes]) place.at = rangeAfter(place.at, change);
  }
}

/**
 * Moves the places of a check along with a later change. An extended word keeps its token.
 * @param {any} check @param {Change} change
 */
export function moveCheck(check, change) {
  moveFindings(check.findings, change);
  const tokens = check.tokens.map(([from, to, kind]) => [...rangeAfter([from, to], change), kind]);
  check.tokens = tokens.filter(([from, to]) => from < to);
}

/**
 * Finds all brackets outside texts and comments, with their partners (-1 without one).
 * @param {string} text @returns {Map<number, number>}
 */
export function brackets(text) {
  const partners = new Map();
  const open = [];
  scan(text, text.length, (at) => {
    if (text[at] === "(") {
      open.push(at);
      partners.set(at, -1);
    } else {
      const start = open.pop();
      partners.set(at, start ?? -1);
      if (start !== undefined) partners.set(start, at);
    }
  });
  return partners;
}

/** Calls `found` for each bracket before `end`; returns the context of `end`. */
function scan(text, end, found) {
  let at = 0;
  while (at < end) {
    const letter = text[at];
    if (letter === ";") {
      const line = text.indexOf("\n", at);
      if (line < 0 || line >= end) return "comment";
      at = line;
    } else if (letter === '"') {
      at++;
      while (at < end && text[at] !== '"') at += text[at] === "\\" ? 2 : 1;
      if (at >= end) return "text";
    } else if (letter === "(" || letter === ")") {
      found(at);
    }
    at++;
  }
  return "code";
}

/** Returns the context of an offset: `code`, `text` or `comment`. @returns {string} */
export function contextAt(text, at) {
  return scan(text, at, () => {});
}

/** Returns the indentation of a new line at an offset: two more than the form that is open. */
export function indentAt(text, at) {
  const open = [];
  const inside = scan(text, at, (place) => {
    if (text[place] === "(") open.push(place);
    else open.pop();
  });
  if (inside === "text" || !open.length) {
    const line = text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
    return open.length ? line.match(/^ */)[0].length : 0;
  }
  const start = open.at(-1);
  return start - (text.lastIndexOf("\n", start) + 1) + 2;
}

/** Returns the range of the word at an offset. @returns {[number, number]} */
export function wordAt(text, at) {
  let from = at;
  let to = at;
  while (from > 0 && !/[\s()";]/.test(text[from - 1])) from--;
  while (to < text.length && !/[\s()";]/.test(text[to])) to++;
  return [from, to];
}

/**
 * Parses a snippet of the language server: `(line ${1:number} ${2:region})$0`.
 * @returns {{text: string, stops: [number, number][]}} the text and the ranges to fill in, in order
 */
export function snippet(source, indent = 0) {
  let text = "";
  const stops = [];
  const pattern = /\$\{(\d+)(?::([^}]*))?\}|\$(\d+)|\\([$}\\])|([\s\S])/g;
  for (const [, braced, filled = "", bare, escaped, plain] of source.matchAll(pattern)) {
    const number = braced ?? bare;
    if (number === undefined) {
      text += escaped ?? (plain === "\n" ? `\n${" ".repeat(indent)}` : plain);
    } else {
      stops.push([Number(number) || Infinity, text.length, text.length + filled.length]);
      text += filled;
    }
  }
  stops.sort(([one], [other]) => one - other);
  return { text, stops: stops.map(([, from, to]) => [from, to]) };
}

/** Applies changes that do not overlap. @param {{at: [number, number], text: string}[]} changes */
export function changed(text, changes) {
  const last = [...changes].sort((one, other) => other.at[0] - one.at[0]);
  return last.reduce((now, { at: [from, to], text: put }) => now.slice(0, from) + put + now.slice(to), text);
}

/** Makes a file name, possibly empty, of a title's letters and digits. @param {string} title */
export function plainName(title) {
  return title.toLowerCase().normalize("NFKD").replace(/[^\w\s-]/g, "").trim().replace(/[\s_]+/g, "-");
}

/** Escapes text for markup. */
export function escaped(text) {
  return text.replace(/[&<>"]/g, (letter) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[letter]);
}
