// Questions that take a while: playtests, sweeps, exact values, deep checks, claims, differences.
// Each runs as a job of the program, which goes on while one plays and writes.

import { attempt, button, byId, element, say, spans } from "./dom.js";

const STRENGTHS = [["", "random and four strengths"], ["random", "random moves"], ["mcts:100it", "beginners"],
  ["mcts:1000it", "club players"]];

/** What can be asked: its form and the arguments that it makes of what was filled in. */
const KINDS = {
  playtest: {
    title: "Playtest", about: "Programs play it against each other: who wins, how long it takes, how much skill counts.",
    fields: () => [number("games", "Games", "as many as take a minute"), choice("strength", "Played by", STRENGTHS)],
    arguments: ({ games, strength }, game) => ({ ...games && { games: Number(games) }, ...seated(strength, game) }),
  },
  sweep: {
    title: "Sweep", about: "Compares variants: playtests for several values of options.",
    fields: (options) => [
      ...options.map((option) => text(`option-${option.name}`, option.name, `as it is: ${option.value}`, "Several values: 3..5 or 3,5")),
      number("games", "Games for each", "as many as take a minute"), choice("strength", "Played by", STRENGTHS.slice(1)),
    ],
    arguments: ({ games, strength, ...others }, game) => ({
      axes: Object.fromEntries(Object.entries(others).filter(([, value]) => value)
        .map(([key, value]) => [key.replace("option-", ""), value])),
      ...games && { games: Number(games) }, ...seated(strength, game),
    }),
  },
  solve: {
    title: "Solve", about: "Who wins with best play, found by searching every position. For small boards.",
    fields: () => [number("seconds", "At most, in seconds", "60")],
    arguments: ({ seconds }) => ({ ...seconds && { seconds: Number(seconds) } }),
  },
  deep: {
    title: "Deep check", about: "Looks for moves that are never legal, ends that are never reached, games that never end.",
    fields: () => [], arguments: () => ({}),
  },
  claims: {
    title: "Claims", about: "Tests what the (claim …) parts of the rules say.", fields: () => [], arguments: () => ({}),
  },
  cases: {
    title: "Rule cases", about: "Runs the cases that belong to the file.", fields: () => [], arguments: () => ({}),
  },
  diff: {
    title: "Differences", about: "Compares these rules with the file as it was last saved, by play.",
    fields: () => [], arguments: () => ({}),
  },
};

export class AskPanel {
  #cards = new Map();
  #kind = "playtest";

  /**
   * @param {import("./transport.js").Connection} connection @param {() => {check: any, game: any}} state
   * @param {() => Promise<void>} settled waits until the program has the text as it is written
   */
  constructor(connection, state, settled) {
    this.connection = connection;
    this.state = state;
    this.settled = settled;
    const kinds = byId("ask-kind");
    kinds.append(...Object.entries(KINDS).map(([kind, { title }]) => element("option", { value: kind }, title)));
    kinds.addEventListener("change", () => this.#open(kinds.value));
    byId("ask-form").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#start();
    });
    connection.addEventListener("job", ({ detail }) => this.#show(detail));
    this.#open("playtest");
  }

  /** Shows the jobs of the desk, as after a reload. */
  async refresh() {
    this.#cards.clear();
    byId("jobs").replaceChildren();
    this.#open(this.#kind);
    await this.update();
  }

  /** Shows how the jobs of the desk are by now. */
  async update() {
    const { jobs } = await this.connection.ask("jobs").catch(() => ({ jobs: [] }));
    for (const job of jobs) this.#show(job);
  }

  #open(kind) {
    this.#kind = kind;
    byId("ask-about").textContent = KINDS[kind].about;
    const options = this.state().check?.options ?? [];
    byId("ask-fields").replaceChildren(...KINDS[kind].fields(options));
  }

  async #start() {
    const kind = this.#kind;
    const filled = Object.fromEntries(new FormData(byId("ask-form")));
    delete filled.kind;
    await this.settled();
    const body = { kind, arguments: KINDS[kind].arguments(filled, this.state().game) };
    const answer = await attempt(() => this.connection.ask("job", body));
    if (!answer) return;
    if (!this.#cards.has(answer.job)) this.#show({ job: answer.job, kind, state: "running", progress: 0, line: "Starting …" });
    say(`${KINDS[kind].title} started.`);
  }

  #show(job) {
    let card = this.#cards.get(job.job);
    if (!card) {
      card = this.#card(job);
      this.#cards.set(job.job, card);
      byId("jobs").prepend(card.root);
    }
    // An answer to `job` may come after the first events.
    if (card.state && card.state !== "running" && job.state === "running") return;
    card.state = job.state;
    card.progress.hidden = job.state !== "running";
    if (job.progress > 0) card.progress.value = job.progress;
    card.stop.hidden = job.state !== "running";
    card.what.textContent = job.state;
    card.root.dataset.state = job.state;
    if (job.line !== undefined) card.line.replaceChildren(...spans(job.line));
    if (job.lines) card.lines.textContent = job.lines.join("\n");
    card.lines.hidden = !card.lines.textContent;
    if (job.bars) card.bars.replaceChildren(...job.bars.map(bar));
    card.bars.hidden = !card.bars.childNodes.length;
    // A sweep has a report from its first row on.
    card.view = job.view ?? card.view;
    card.report.hidden = !card.view;
    if (job.state !== "running") say(`${card.title.textContent}: ${job.state}. ${job.line ?? ""}`);
  }

  #card({ job, kind }) {
    const title = element("strong", {}, KINDS[kind].title);
    const what = element("span.state");
    const progress = element("progress", { max: "1", "aria-label": "Progress" });
    const line = element("p");
    const bars = element("ul.shares", { "aria-label": "Shares, each with its 95 % interval", hidden: true });
    const lines = element("pre", { tabindex: "0", "aria-label": "Result" });
    const stop = button("Stop", () => attempt(() => this.connection.ask("stop", { job })));
    const remove = button("×", () => root.remove(), { class: "close", "aria-label": "Remove this from the list" });
    const report = button("Open the report", () => this.openReport(card.view, title.textContent), { class: "main", hidden: true });
    const actions = element("div.actions", {}, report, stop);
    const root = element("section.job", { "data-job": job, "data-kind": kind },
      element("header", {}, title, what, remove), progress, line, bars, lines, actions);
    const card = { root, title, what, progress, line, bars, lines, stop, report, state: "", view: "" };
    return card;
  }

  /** Opens a report over the rules. @param {string} id @param {string} title */
  openReport(id, title) {
    const pane = byId("report");
    const address = this.connection.view(id);
    byId("report-title").textContent = title;
    byId("report-link").href = address;
    byId("report-frame").replaceChildren(element("iframe", { src: address, title }));
    pane.hidden = false;
    byId("report-close").focus();
  }
}

/** Draws a share with its interval. @param {{label: string, value: number, low: number, high: number}} share */
function bar({ label, value, low, high }) {
  const percent = (share) => Math.round(share * 100);
  const length = element("i.value");
  length.style.width = `${value * 100}%`;
  const interval = element("i.interval");
  interval.style.left = `${low * 100}%`;
  interval.style.width = `${(high - low) * 100}%`;
  return element("li", {}, element("span", {}, label), element("span.track", { "aria-hidden": "true" }, length, interval),
    element("span", {}, `${percent(value)} % `, element("small", {}, `${percent(low)}–${percent(high)}`)));
}

function seated(strength, game) {
  if (!strength) return {};
  return { seats: Object.fromEntries(Object.keys(game?.seats ?? {}).map((player) => [player, strength])) };
}

function number(name, label, placeholder) {
  return element("label", {}, `${label} `, element("input", { type: "number", name, min: "1", max: "1000000", placeholder }));
}

function text(name, label, placeholder, title) {
  return element("label", {}, `${label} `, element("input", { type: "text", name, placeholder, title, autocomplete: "off" }));
}

function choice(name, label, values) {
  return element("label", {}, `${label} `,
    element("select", { name }, ...values.map(([value, said]) => element("option", { value }, said))));
}
