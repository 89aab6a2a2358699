// Undo and redo of the text. The browser's own undo ends with a reload, and misses changes that the
// page makes while the field is not shown.

const KEY = "ludwright-undo";
/** Letters typed at most this many milliseconds apart are undone together. */
const PAUSE = 900;
const MOST = 300;
/** The most letters kept over a reload. */
const MOST_KEPT = 400_000;

/** @typedef {{at: number, removed: string, inserted: string, time: number}} Edit */

export class TextHistory {
  /** @type {Edit[]} */ #done = [];
  /** @type {Edit[]} */ #undone = [];
  #text = "";
  #isOpen = false;
  #timer = 0;

  constructor() {
    addEventListener("pagehide", () => this.#keep());
  }

  /** Begins with a text and this tab's stored history of the text, if any. @param {string} text */
  begin(text) {
    this.#text = text;
    this.#isOpen = true;
    const before = kept();
    const goesOn = before?.text === text;
    [this.#done, this.#undone] = goesOn ? [before.done, before.undone] : [[], []];
  }

  /** Notes a change. @param {import("./text.js").Change} change @param {string} after */
  note({ at, removed, inserted }, after) {
    const edit = { at, removed: this.#text.slice(at, at + removed), inserted: after.slice(at, at + inserted), time: Date.now() };
    this.#text = after;
    this.#undone = [];
    const last = this.#done.at(-1);
    if (last && continues(last, edit)) join(last, edit);
    else this.#done.push(edit);
    if (this.#done.length > MOST) this.#done.shift();
    this.#keepSoon();
  }

  /**
   * Undoes or redoes an edit and returns the change to make.
   * @returns {{at: number, removed: number, text: string}|null}
   */
  step(isRedo) {
    const edit = (isRedo ? this.#undone : this.#done).pop();
    if (!edit) return null;
    (isRedo ? this.#done : this.#undone).push(edit);
    const [gone, text] = isRedo ? [edit.removed, edit.inserted] : [edit.inserted, edit.removed];
    this.#text = this.#text.slice(0, edit.at) + text + this.#text.slice(edit.at + gone.length);
    // The next typed letter must not join this edit.
    edit.time = 0;
    this.#keepSoon();
    return { at: edit.at, removed: gone.length, text };
  }

  #keepSoon() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#keep(), 400);
  }

  #keep() {
    clearTimeout(this.#timer);
    if (!this.#isOpen) return;
    const done = this.#done.slice();
    const size = (edits) => edits.reduce((sum, edit) => sum + edit.removed.length + edit.inserted.length, 0);
    while (size(done) > MOST_KEPT) done.shift();
    try {
      sessionStorage.setItem(KEY, JSON.stringify({ text: this.#text, done, undone: this.#undone }));
    } catch {
      // Without storage, undo ends with the page.
    }
  }
}

/** Tests if an edit continues the last one: letters typed or deleted in sequence. */
function continues(last, { at, removed, inserted, time }) {
  if (time - last.time > PAUSE || inserted.length > 1 || removed.length > 1 || inserted === "\n") return false;
  if (inserted) return !removed && !last.removed && last.inserted.length > 0 && at === last.at + last.inserted.length;
  return !last.inserted && last.removed.length > 0 && (at === last.at || at + removed.length === last.at);
}

function join(last, { at, removed, inserted, time }) {
  if (inserted) last.inserted += inserted;
  else if (at === last.at) last.removed += removed;
  else Object.assign(last, { at, removed: removed + last.removed });
  last.time = time;
}

function kept() {
  try {
    return JSON.parse(sessionStorage.getItem(KEY));
  } catch {
    return null;
  }
}
