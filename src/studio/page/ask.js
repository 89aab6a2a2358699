// Questions that take a while: playtests, sweeps, best play, claims, rule cases, deep checks,
// comparisons. Each kind has a tab with a form and its answers. The program answers in the
// background; an answer about older rules says so.

import { answerOf } from "./answers.js";
import { attempt, button, byId, element, say, spans, tell } from "./dom.js";

/** Milliseconds without changes of the rules until kept answers are updated. */
const QUIET = 1200;

/** The kinds of questions: the form, and the arguments of the filled form. */
const KINDS = {
  playtest: {
    title: "Playtest", start: "Play the games",
    about: "Programs play it against each other: who wins, how long it takes, how much skill counts.",
    fields: (_, strengths, others) => [
      choice("strength", "Played by", [["", "all strengths, for a whole report"], ...named(strengths)], "The names compare programs with each other, not with people."),
      number("games", "Games of each", "as many as take a minute"),
      choice("compareWith", "Compared with", [["", "no other game"], ...others], "The same programs play that game, too, and as long: is this one longer, more drawish, fairer?"),
      choice("leaveOut", "Without each rule", [["", "no"], ["yes", "yes: which rules can be left out?"]], "The games are played once more without each rule in turn, which takes much longer."),
    ],
    arguments: ({ games, strength, compareWith, leaveOut }, game) => ({
      ...games && { games: Number(games) }, ...seated(strength, game), ...compareWith && { compareWith }, ...leaveOut && { leaveOut: true },
    }),
  },
  sweep: {
    title: "Options", start: "Compare the values",
    about: "Compares several values of options by playtests, and recommends one.",
    fields: (options, strengths) => [
      options.length ? null : element("p.note", {}, "This game has no options yet. A number in the rules that you want to try with other values can be made one."),
      ...options.map((option) => text(`option-${option.name}`, option.name, `as it is: ${option.value}`, `Several values: ${example(option)}.${option.text ? ` ${option.text}` : ""}`)),
      choice("strength", "Played by", named(strengths), "", "club"), number("games", "Games for each", "as many as take a minute"),
    ].filter(Boolean),
    arguments: ({ games, strength, ...others }, game) => ({
      axes: Object.fromEntries(Object.entries(others).filter(([, value]) => value.trim())
        .map(([key, value]) => [key.replace("option-", ""), value.trim()])),
      ...games && { games: Number(games) }, ...seated(strength, game),
    }),
  },
  solve: {
    title: "Best play", start: "Find best play",
    about: "Who wins with best play from the position on the board, found by searching every position. For small boards.",
    fields: () => [number("seconds", "At most, in seconds", "60")],
    arguments: ({ seconds }) => ({ ...seconds && { seconds: Number(seconds) } }),
  },
  claims: {
    title: "Claims", start: "Test the claims", about: "Tests what the rules claim of the game, such as that no game is drawn.",
    fields: () => [], arguments: () => ({}),
  },
  cases: {
    title: "Cases", start: "Run the cases", about: "Runs the examples that the rules must get right.", fields: () => [], arguments: () => ({}),
  },
  deep: {
    title: "Deep check", start: "Look deep", about: "Looks for moves that are never legal, ends that are never reached, games that never end.",
    fields: () => [], arguments: () => ({}),
  },
  diff: {
    title: "Compare", start: "Compare", about: "Finds the shortest game that these rules play otherwise than before: than the file as it was last saved, or the game as it ships.",
    fields: () => [], arguments: () => ({}),
  },
};

const STATES = { running: "at work", done: "", stopped: "stopped", failed: "not answered" };

/**
 * Dispatches `line` with a line for the board (`plies`, `at`, `options`), `back` to return to the
 * game, `choose` with options, `show` with a line number of the rules, and `write` with a part to
 * put into the rules.
 */
export class AskPanel extends EventTarget {
  /** @type {Map<string, any>} */ #cards = new Map();
  #kind = "playtest";
  /** The filled forms by kind. @type {Map<string, FormData>} */ #filled = new Map();
  #strengths = [];
  /** The games to compare with: name and title. @type {[string, string][]} */ #others = [];
  #line = null;
  #timer = 0;
  /** The kinds that are asked again when the rules change. */
  #kept = new Set();

  /**
   * @param {import("./transport.js").Connection} connection
   * @param {() => {check: any, game: any}} state
   * @param {() => Promise<void>} settled waits until the program has the current text
   */
  constructor(connection, state, settled) {
    super();
    this.connection = connection;
    this.state = state;
    this.settled = settled;
    const tabs = byId("ask-kinds");
    tabs.append(...Object.entries(KINDS).map(([kind, { title }]) =>
      element("button", { type: "button", role: "tab", id: `ask-${kind}`, "aria-controls": "ask-panel", onclick: () => this.open(kind) }, title)));
    tabs.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      event.preventDefault();
      const all = Object.keys(KINDS);
      this.open(all[(all.indexOf(this.#kind) + step + all.length) % all.length]);
      byId(`ask-${this.#kind}`).focus();
    });
    byId("ask-form").addEventListener("input", () => this.#refuse(""));
    byId("ask-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.start();
    });
    connection.addEventListener("job", ({ detail }) => this.#show(detail));
    this.open("playtest");
  }

  /** Shows the jobs of the desk, as after a reload. */
  async refresh() {
    this.#cards.clear();
    this.#kept.clear();
    byId("jobs").replaceChildren();
    this.#showLine(null);
    this.open(this.#kind);
    if (!this.#strengths.length) {
      this.#strengths = (await this.connection.ask("strengths").catch(() => ({}))).strengths ?? [];
      this.#others = ((await this.connection.ask("home").catch(() => ({}))).games ?? []).map(({ name, title }) => [name, title]);
      this.open(this.#kind);
    }
    await this.update();
  }

  /** Updates the jobs of the desk. */
  async update() {
    const { jobs } = await this.connection.ask("jobs").catch(() => ({ jobs: [] }));
    for (const job of jobs) this.#show(job);
  }

  /** Opens the tab of a question. @param {string} kind */
  open(kind) {
    this.#kind = kind;
    this.#refuse("");
    for (const tab of byId("ask-kinds").children) {
      const isOwn = tab.id === `ask-${kind}`;
      tab.setAttribute("aria-selected", isOwn);
      tab.tabIndex = isOwn ? 0 : -1;
    }
    byId("ask-panel").setAttribute("aria-labelledby", `ask-${kind}`);
    byId("ask-about").textContent = KINDS[kind].about;
    byId("ask-start").textContent = KINDS[kind].start;
    this.#fields();
    for (const card of this.#cards.values()) card.root.hidden = card.job.kind !== kind;
  }

  /** Shows the form's fields with their earlier values. */
  #fields() {
    const options = this.state().check?.options ?? [];
    const made = KINDS[this.#kind].fields(options, this.#strengths, this.#others);
    const key = `${this.#kind} ${JSON.stringify(options)} ${this.#strengths}`;
    const place = byId("ask-fields");
    if (place.dataset.key === key) return;
    const [before] = place.dataset.key?.split(" ") ?? [];
    if (before) this.#filled.set(before, new FormData(byId("ask-form")));
    const filled = this.#filled.get(this.#kind) ?? new FormData();
    const focused = document.activeElement?.name;
    place.dataset.key = key;
    place.replaceChildren(...made);
    for (const field of place.querySelectorAll("input, select")) {
      if (filled.get(field.name)) field.value = filled.get(field.name);
    }
    if (focused && byId("ask-form").contains(document.activeElement) === false) place.querySelector(`[name="${CSS.escape(focused)}"]`)?.focus();
  }

  /** Marks answers about older rules, and updates those that are kept up to date. */
  look() {
    this.#fields();
    let isOld = false;
    for (const card of this.#cards.values()) {
      this.#showAge(card);
      isOld ||= card.isOld && card.isNewest && this.#kept.has(card.job.kind) && card.job.state !== "running";
    }
    clearTimeout(this.#timer);
    if (isOld && this.state().check?.ok) this.#timer = setTimeout(() => this.#askAgain(), QUIET);
  }

  #askAgain() {
    for (const card of [...this.#cards.values()]) {
      if (card.isOld && card.isNewest && this.#kept.has(card.job.kind)) this.#ask(card.job.kind, card.job.asked, true);
    }
  }

  /** Asks the question of the form. */
  async start() {
    const filled = Object.fromEntries(new FormData(byId("ask-form")));
    await this.settled();
    await this.#ask(this.#kind, KINDS[this.#kind].arguments(filled, this.state().game));
  }

  async #ask(kind, asked, isQuiet = false) {
    await this.settled();
    this.#refuse("");
    let answer;
    try {
      answer = await this.connection.ask("job", { kind, arguments: asked });
    } catch (error) {
      this.#refuse(error.message);
      return;
    }
    if (!this.#cards.has(answer.job)) this.#show({ job: answer.job, kind, asked, state: "running", progress: 0, line: "Starting …" });
    if (!isQuiet) say(`${KINDS[kind].title} started.`);
  }

  /** Says beside the form why a question is not answered. @param {string} reason */
  #refuse(reason) {
    const place = byId("ask-refused");
    place.hidden = !reason;
    place.replaceChildren(...spans(reason));
  }

  #show(job) {
    // `CaseWatch` shows its own jobs.
    if (job.asked?.watch) return;
    // A job that could not begin has no card.
    if (job.state === "failed" && !job.about?.identity && !this.#cards.get(job.job)?.job.about?.identity) {
      this.#remove(job.job);
      this.#refuse(job.line);
      return;
    }
    let card = this.#cards.get(job.job);
    const isNew = !card;
    if (isNew) {
      card = this.#card(job);
      this.#cards.set(job.job, card);
    }
    const before = card.job;
    // The answer to `job` may come after the job's first events.
    if (before && before.state !== "running" && job.state === "running") return;
    const found = job.found ?? before?.found;
    card.job = { ...before, ...job, found };
    const isRunning = job.state === "running";
    card.root.dataset.state = job.state;
    card.state.textContent = STATES[job.state];
    card.work.hidden = !isRunning;
    if (job.progress > 0) card.progress.value = job.progress;
    else card.progress.removeAttribute("value");
    card.left.textContent = job.left ? `about ${duration(job.left)} left` : "";
    card.line.textContent = job.line ?? "";
    card.line.hidden = !card.line.textContent;
    if (job.found) this.#answer(card);
    // A sweep has a report from its first variant on.
    card.view.hidden = !card.job.view;
    if (card.job.view) Object.assign(card.view.querySelector("a"), this.connection.report(card.job.view));
    card.again.hidden = isRunning;
    card.keep.hidden = isRunning;
    this.#arrange();
    if (before && before.state === "running" && !isRunning) say(`${KINDS[job.kind].title}: ${card.answer?.sentences[0] ?? job.line ?? job.state}`);
    else if (isNew && isRunning) card.root.scrollIntoView?.({ block: "nearest" });
  }

  /** Rebuilds the answer; open details stay open. */
  #answer(card) {
    const open = new Set([...card.body.querySelectorAll("details[open] > summary")].map((summary) => summary.textContent));
    const focused = card.body.contains(document.activeElement) ? document.activeElement.textContent : null;
    const tools = {
      play: (plies, at, options) => this.#play({ plies, at, options: options ?? card.job.about.options }),
      replay: (record, at) => this.replay(record, at),
      show: (line) => this.#emit("show", line),
      write: (part) => this.#emit("write", part),
      choose: (options) => this.#emit("choose", options),
      ask: (changed) => this.#ask(card.job.kind, { ...card.job.asked, ...changed }),
    };
    const answer = answerOf(card.job, tools);
    card.answer = answer;
    const [first, ...rest] = answer.sentences;
    const isNotEmpty = (part) => part !== null && part !== undefined && part !== false;
    card.body.replaceChildren(
      element("div.sentences", {}, element("p.first", {}, ...spans(first ?? "")), ...rest.map((words) => element("p", {}, ...spans(words)))),
      ...answer.body.filter(isNotEmpty), ...answer.details.filter(isNotEmpty),
    );
    for (const details of card.body.querySelectorAll("details")) {
      if (open.has(details.firstElementChild.textContent)) details.open = true;
    }
    if (focused) [...card.body.querySelectorAll("button, summary")].find((each) => each.textContent === focused)?.focus();
  }

  #card(job) {
    const title = element("h2", {}, titleOf(job));
    const state = element("span.state");
    const progress = element("progress", { max: "1", "aria-label": "Progress" });
    const left = element("span.soft");
    const line = element("p.soft");
    const stop = button("Cancel", () => attempt(() => this.connection.ask("stop", { job: job.job })), { class: "stop" });
    const work = element("div.work", {}, progress, left, stop);
    const remove = button("×", () => this.#remove(job.job), { class: "close", "aria-label": "Remove this answer" });
    const again = button("Ask again", () => this.#ask(card.job.kind, card.job.asked), { class: "again" });
    const old = element("p.note.old", { hidden: true }, "This is about an older version of the rules. ",
      button("Ask again", () => this.#ask(card.job.kind, card.job.asked), { class: "main" }));
    const view = element("span", { hidden: true }, element("a", { target: "_blank", rel: "noopener" }, "The whole report on a page"));
    const box = element("input", { type: "checkbox", onchange: () => {
      if (box.checked) this.#kept.add(job.kind);
      else this.#kept.delete(job.kind);
      this.look();
    } });
    const keep = element("label.keep", { title: "Asks again by itself when the rules or options have changed" }, box, " Keep up to date");
    const body = element("div.answer");
    const root = element("section.job", { "data-job": job.job, "data-kind": job.kind, "aria-label": titleOf(job) },
      element("header", {}, title, state, remove), work, line, old, body, element("footer.actions", {}, again, view, keep));
    const card = { root, title, state, progress, left, line, work, old, body, view, again, keep, box, job: null, answer: null };
    return card;
  }

  /** Orders the cards from the newest; earlier answers of a kind are folded. */
  #arrange() {
    const place = byId("jobs");
    const newest = new Map();
    for (const card of this.#cards.values()) newest.set(card.job.kind, card);
    const cards = [...this.#cards.values()].reverse();
    for (const card of cards) {
      card.isNewest = newest.get(card.job.kind) === card;
      card.root.hidden = card.job.kind !== this.#kind;
      card.root.classList.toggle("earlier", !card.isNewest);
      card.box.checked = this.#kept.has(card.job.kind);
      this.#showAge(card);
    }
    const order = cards.map(({ root }) => root);
    for (const root of [...place.children]) if (!order.includes(root)) root.remove();
    // Cards in place are not moved: a moved card loses the focus and a click that has begun.
    order.forEach((root, at) => {
      if (place.children[at] !== root) place.insertBefore(root, place.children[at] ?? null);
    });
    for (const kind of Object.keys(KINDS)) {
      const card = newest.get(kind);
      byId(`ask-${kind}`).dataset.state = card?.job.state ?? "";
    }
  }

  #showAge(card) {
    const now = this.state().check?.identity;
    const own = card.job.about?.identity;
    card.isOld = Boolean(now && own && now !== own);
    card.old.hidden = !card.isOld || !card.isNewest;
    card.root.classList.toggle("is-old", card.isOld);
  }

  async #remove(id) {
    const card = this.#cards.get(id);
    if (card?.job.state === "running") await this.connection.ask("stop", { job: id }).catch(() => {});
    // The program must forget the job, or a reload brings it back.
    await this.connection.ask("stop", { job: id, forget: true }).catch(() => {});
    this.#cards.delete(id);
    this.#arrange();
  }

  #play(line) {
    this.#emit("line", line);
  }

  /**
   * Shows a recorded game on the board.
   * @param {string} record @param {number} [at] the ply to go to, by default the last
   */
  async replay(record, at) {
    const line = await attempt(() => this.connection.ask("lineOf", { record }));
    if (line) this.#play({ plies: line.plies, at: at ?? line.plies.length, options: line.options });
  }

  /**
   * Shows or hides the controls for a line on the board.
   * @param {{plies: string[], at: number}|null} line
   */
  showLine(line) {
    this.#showLine(line);
  }

  #showLine(line) {
    this.#line = line;
    const strip = byId("ask-line");
    strip.hidden = !line;
    if (!line) return;
    const { plies, at } = line;
    const step = (by) => this.#play({ ...line, at: Math.min(plies.length, Math.max(0, at + by)) });
    strip.replaceChildren(
      element("span", {}, at ? `On the board: move ${at} of ${plies.length}, ${plies[at - 1]}` : `On the board: the start of a line of ${plies.length} moves`),
      button("◂", () => step(-1), { "aria-label": "One move back", disabled: at === 0, "data-step": "back" }),
      button("▸", () => step(1), { "aria-label": "One move on", disabled: at === plies.length, "data-step": "on" }),
      button("Back to my game", () => this.#emit("back", null), { class: "main" }),
    );
    // On narrow screens, the board may be far from the answer.
    const { top, bottom } = byId("board").getBoundingClientRect();
    if (bottom < 80 || top > innerHeight - 80) byId("board").scrollIntoView({ block: "center" });
  }

  #emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

/** Summarizes a question in a few words. */
function titleOf({ kind, asked = {} }) {
  const parts = [KINDS[kind].title];
  if (asked.axes) parts.push(Object.entries(asked.axes).map(([name, values]) => `${name} ${values}`).join(", "));
  if (asked.strength) parts.push(`${asked.strength} players`);
  else if (asked.seats) parts.push("random players");
  if (asked.games) parts.push(`${asked.games} games`);
  if (asked.compareWith) parts.push(`compared with ${asked.compareWith}`);
  if (asked.leaveOut) parts.push("without each rule");
  if (asked.seconds) parts.push(`at most ${duration(asked.seconds)}`);
  return parts.join(" · ");
}

/** @param {number} seconds */
function duration(seconds) {
  if (seconds < 90) return `${Math.max(1, Math.round(seconds))} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return `${Math.round(seconds / 360) / 10} h`;
}

function named(strengths) {
  return [["random", "random players"], ...strengths.map((name) => [name, `${name} players`])];
}

/** Returns the arguments for random players, or for a strength that the program names. */
function seated(strength, game) {
  if (!strength) return {};
  if (strength !== "random") return { strength };
  return { seats: Object.fromEntries(Object.keys(game?.seats ?? {}).map((player) => [player, "random"])) };
}

/** Suggests values of an option to try. */
function example(option) {
  if (option.kind === "number") {
    const low = Math.max(option.min, Number(option.value) - 1);
    const high = Math.min(option.max, low + 2);
    const all = Array.from({ length: high - low + 1 }, (_, at) => low + at);
    return `${all.join(" ")}, or ${low}..${high}; from ${option.min} to ${option.max}`;
  }
  return (option.choices ?? []).join(" ");
}

function field(name, label, input, hint) {
  const id = `field-${name}`;
  input.id = id;
  if (hint) input.setAttribute("aria-describedby", `${id}-hint`);
  return element("div.field", {}, element("label", { for: id }, label), input, hint ? element("small", { id: `${id}-hint` }, hint) : null);
}

function number(name, label, placeholder) {
  return field(name, label, element("input", { type: "number", name, min: "1", max: "1000000", placeholder }));
}

function text(name, label, placeholder, hint) {
  return field(name, label, element("input", { type: "text", name, placeholder, autocomplete: "off" }), hint);
}

function choice(name, label, values, hint, chosen) {
  return field(name, label, element("select", { name }, ...values.map(([value, said]) => element("option", { value, selected: value === chosen }, said))), hint);
}
