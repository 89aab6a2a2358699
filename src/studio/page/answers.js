// Answers of programs as parts of the page: at most three plain sentences, charts, then collapsible
// details. Each kind of question has a function that renders the data that the program has found.

import { boardMap, boardWith, curves, histogram, percent, winShares } from "./charts.js";
import { button, element, spans } from "./dom.js";

/** The most sentences before the chart. */
const SENTENCES = 3;
/** The largest difference from equal scores of a recommended variant. */
const FAR = 0.2;
/** The most moves that a sentence names. */
const NAMED = 4;

/**
 * @typedef {object} Answer
 * @property {string[]} sentences the short answer
 * @property {(Node|null)[]} body charts and lists
 * @property {(Node|null)[]} details collapsible parts
 * @typedef {object} Tools the actions of an answer
 * @property {(plies: string[], at: number, options: object|null) => void} play shows a line
 * @property {(record: string, at?: number) => void} replay shows a recorded game on the board
 * @property {(line: number) => void} show selects a line of the rules
 * @property {(part: string) => void} write puts a part into the rules
 * @property {(options: {[name: string]: string}) => void} choose sets options of the game
 * @property {(changed: object) => void} ask asks again, with other arguments
 */

const KINDS = { playtest, sweep, solve, deep, claims, cases, diff };

/** Renders what a job has found. @param {any} job @param {Tools} tools @returns {Answer} */
export function answerOf(job, tools) {
  const answer = KINDS[job.kind](job.found, tools, job);
  return { ...answer, sentences: answer.sentences.slice(0, SENTENCES) };
}

// Texts

function count(number, noun, many = `${noun}s`) {
  return `${grouped(number)} ${number === 1 ? noun : many}`;
}

function grouped(number) {
  return number.toLocaleString("en-US");
}

/** Joins names: `a, b and c`. @param {string[]} names */
function listed(names) {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}

/** Names the first few moves. */
function some(names) {
  return names.length > NAMED ? `${names.slice(0, NAMED).join(", ")} …` : listed(names);
}

/** Removes mentions of commands, and spells out player notation. @param {string} words */
function plain(words) {
  return words.replace(/ \(see `ludwright [^`]*`\)/g, "").replace(/\b(?:mcts|strong):(\d+)it\b/g, "$1 iterations").replace(/[;,] `(ludwright|--)[^`]*`[^.;]*(?=[.;]|$)/g, "");
}

function capital(words) {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function sentence(words) {
  const made = capital(plain(words).trim());
  return /[.!?…]$/.test(made) ? made : `${made}.`;
}

// Parts

/** Makes a collapsible part. @param {string} title @param {...(Node|string|null|false)} content */
function fold(title, ...content) {
  return element("details", {}, element("summary", {}, title), ...content);
}

/**
 * Returns a table in a scrolling box.
 * @param {(string|Node)[]} heads @param {(string|Node)[][]} rows @param {string} label
 */
function table(heads, rows, label) {
  const cell = (tag, attributes) => (content) => element(tag, attributes, content);
  const row = ([first, ...rest]) => element("tr", {}, element("th", { scope: "row" }, first), ...rest.map(cell("td", {})));
  return element("div.wide", { tabindex: "0", role: "region", "aria-label": label },
    element("table", {}, element("thead", {}, element("tr", {}, ...heads.map((head) => (head ? element("th", { scope: "col" }, head) : element("td"))))), element("tbody", {}, ...rows.map(row))));
}

/** Returns buttons for the plies of a line; each shows the position after its ply. */
function plyButtons(plies, tools, { before = [], options = null, label }) {
  const whole = [...before, ...plies];
  return element("ol.line-plies", { "aria-label": label, start: before.length + 1 },
    ...plies.map((ply, at) => element("li", {}, button(ply, () => tools.play(whole, before.length + at + 1, options), { title: "Show it on the board" }))));
}

function invitation(title, ...content) {
  return element("div.invitation", {}, element("h3", {}, title), ...content);
}

// Figures of playtests

/** The figures of a playtest report. */
class Figures {
  constructor(report) {
    this.report = report;
    this.names = new Map(Object.entries(report.strengths).map(([name, kind]) => [kind, name]));
  }

  /** Replaces players by their plain names. @param {string} words */
  named(words) {
    return plain(words.split(" ").map((word) => {
      const [bare, comma] = word.endsWith(",") ? [word.slice(0, -1), ","] : [word, ""];
      const name = this.names.get(bare) ?? this.names.get(`mcts:${bare}`);
      return name ? name + comma : word;
    }).join(" ").replace(/ against itself$/, ""));
  }

  measure(key) {
    return this.report.measures.find((measure) => measure.key === key);
  }

  figure(key, what, who) {
    return this.measure(key)?.figures.find((figure) => figure.what === what && figure.who === who);
  }

  /** Returns the pairings of equal players, weakest first. */
  equals() {
    return [...new Set((this.measure("seat-advantage")?.figures ?? []).map(({ who }) => who))];
  }

  /** Returns the strongest pairing of equal players that are not trained. */
  strongest() {
    const trained = [...this.names].find(([, name]) => name === "trained")?.[0];
    return this.equals().filter((who) => !trained || !who.startsWith(trained)).at(-1);
  }

  shares(names = this.equals()) {
    return names.map((who) => ({
      label: this.named(who),
      scores: this.report.players.map((player) => this.figure("seat-advantage", player, who)).filter(Boolean),
      draws: this.figure("draws", "", who)?.value ?? 0,
    })).filter(({ scores }) => scores.length === this.report.players.length);
  }
}

/** Formats a figure. */
function value({ value: number, unit }) {
  switch (unit) {
    case "share": return `${(number * 100).toFixed(1)} %`;
    case "count": return grouped(Math.round(number));
    case "power-of-ten": return `10^${number.toFixed(1)}`;
    default: return Math.abs(number) >= 100 || Number.isInteger(number) ? number.toFixed(0) : number.toFixed(Math.abs(number) >= 10 ? 1 : 2);
  }
}

function interval(figure) {
  const { low, high, unit } = figure;
  if (low === null || high === null || low === undefined || (low === high && unit === "count")) return "";
  const bound = (number) => (unit === "share" ? (number * 100).toFixed(1) : value({ value: number, unit }));
  return `${bound(low)}–${bound(high)}`;
}

function figureTable(measure, figures) {
  const rows = measure.figures.map((figure) => [
    [figure.what, figures.named(figure.who)].filter(Boolean).join(", ") || measure.title,
    value(figure), interval(figure), `${grouped(figure.sample)} ${figure.of}`,
  ]);
  return table(["", "value", "95 % interval", "sample"], rows, measure.title);
}

function plots(measure, figures) {
  return measure.plots?.map((plot) => {
    if (plot.shape.histogram?.heights.length < 2) return null;
    if (plot.shape.histogram) return element("div", {}, element("h4", {}, figures.named(plot.title)), histogram(plot.shape.histogram, plot.across, `${plot.title}: ${plot.up} by ${plot.across}`));
    if (plot.shape.lines) return element("div", {}, element("h4", {}, figures.named(plot.title)), curves(plot.shape.lines.map((line) => ({ ...line, name: figures.named(line.name) })), plot.across, plot.up));
    return null;
  }).filter(Boolean) ?? [];
}

/** Returns a histogram of game lengths between the strongest players. */
function lengths(figures) {
  const measure = figures.measure("plies");
  const plot = measure?.plots?.findLast(({ shape }) => shape.histogram);
  const mean = figures.figure("plies", "mean", figures.strongest());
  if (!plot || !mean) return null;
  const median = figures.figure("plies", "median", figures.strongest());
  const isOne = plot.shape.histogram.heights.length < 2;
  const about = `A game takes ${value(mean)} plies on average${median ? `, half of them at most ${value(median)}` : ""}.`;
  return element("section", {}, element("h3", {}, "How long games take"),
    isOne ? null : histogram(plot.shape.histogram, "plies", `How long games take, ${figures.named(plot.title)}. ${about}`), element("p.soft", {}, about));
}

/** Shows the first player's exact, expected or past score after each first move. */
function firstMoves(found, figures, tools) {
  const { report, start } = found;
  const sites = new Map(start.sites.map((site) => [site.name, site]));
  const siteOf = (ply) => ply.split(/[\s-]+/).findLast((part) => sites.has(part));
  const player = report.players[0];
  const solved = report.exact.find((board) => !Object.keys(board.options).length && board.first_plies?.length);
  let title = `What ${player} may expect after each first move, in %`;
  let rows = report.openings.map(({ ply, scores }) => ({ ply, worth: scores[player] }));
  if (solved) {
    title = `What ${player} gets after each first move with best play, in %`;
    rows = solved.first_plies.map(({ ply, value: known }) => ({ ply, worth: worthOf(known, report.players.length) })).filter(({ worth }) => worth !== null);
  } else if (!rows.length) {
    title = `How often ${player} has scored after each first move that was played, in %`;
    rows = (figures.measure("first-moves")?.figures ?? []).map((figure) => ({ ply: figure.what, worth: figure.value }));
  }
  if (rows.length < 2) return null;
  rows.sort((one, other) => other.worth - one.worth);
  const play = (ply) => tools.play([...report.opening, ply], report.opening.length + 1, report.options);
  const marks = new Map();
  for (const { ply, worth } of rows) {
    const site = siteOf(ply);
    // Of several moves to a site, the best one is shown.
    if (site && !marks.has(site)) marks.set(site, { text: String(Math.round(worth * 100)), weight: worth, about: `${ply}: ${percent(worth)}`, ply });
  }
  const isMap = marks.size > 1 && marks.size >= rows.length / 2;
  const best = rows.filter(({ worth }) => worth === rows[0].worth).map(({ ply }) => ply);
  const list = element("ol.moves", { "aria-label": "First moves, the best one first" },
    ...rows.slice(0, 60).map(({ ply, worth }) => element("li", {}, button(ply, () => play(ply), { title: "Show it on the board" }), ` ${percent(worth)}`)));
  return element("section", {}, element("h3", {}, "First moves"),
    element("p.soft", {}, `${title}. Click one to see it on the board.`),
    isMap ? boardMap(start, marks, `${title}; the best: ${some(best)}`, (site) => play(marks.get(site).ply)) : null,
    isMap ? fold("As a list", list) : list);
}

function worthOf(known, players) {
  if (known === null || known === undefined || known === "open") return null;
  if (typeof known === "string") return players > 1 ? 1 / players : 0;
  return "win" in known ? Number(known.win === 0) : known.score ?? null;
}

/** Lists the differences from another game. */
function comparedWith({ game, sentences }, figures) {
  return element("section", {}, element("h3", {}, `Compared with ${game}`),
    element("ul.points", {}, ...sentences.map((words) => element("li", {}, ...spans(sentence(figures.named(words)))))));
}

/** Lists the effect of leaving out each rule. */
function leftOut({ leave_out: found }, asked, state, figures, tools) {
  if (!found) return asked?.leaveOut && state === "done" ? element("p.note", {}, "There were too few games to say which rules can be left out.") : null;
  const idle = found.rules.filter(({ verdict }) => verdict === "same" || verdict === "alike").length;
  return element("section", {}, element("h3", {}, "Which rules can be left out"),
    element("p.soft", {}, `${idle ? count(idle, "rule") : "No rule"} of ${grouped(found.rules.length)}, by games of ${figures.named(found.player)} players.`),
    element("ul.points", {}, ...found.rules.map((rule) => element("li", {}, clauseButton(rule.at, tools), " ", ...spans(sentence(figures.named(rule.sentence)))))));
}

function playtest(found, tools, { asked, state }) {
  const { report } = found;
  const figures = new Figures(report);
  const shares = figures.shares();
  const { coverage } = report;
  const unused = coverage.clauses.filter(({ role, asked, held }) => !asked || (role === "question" && !held));
  return {
    sentences: (report.summary ?? report.verdict.map(({ text }) => text)).map(sentence),
    body: [
      shares.length ? element("section", {}, element("h3", {}, report.players.length > 1 ? "Who wins, by strength" : "How often it is won"), winShares(shares, found.start.players)) : null,
      element("div.charts", {}, lengths(figures), firstMoves(found, figures, tools)),
      ...(report.compared_with?.games ?? []).map((other) => comparedWith(other, figures)),
      leftOut(report, asked, state, figures, tools),
    ],
    details: [
      report.verdict.length ? fold("In full, with intervals", element("ul.points", {}, ...report.verdict.map(({ text }) => element("li", {}, ...spans(sentence(text)))))) : null,
      report.records.length ? fold("Games worth seeing", element("ul.points", {}, ...report.records.map((game) => element("li", {},
        button(game.title, () => tools.replay(game.record), { title: "Show it on the board" }), ` ${figures.named(game.why)}`,
        game.critical.length ? element("ul.points", {}, ...game.critical.map(({ ply, text }) => element("li", {}, button(text, () => tools.replay(game.record, ply), { class: "link" })))) : null)))) : null,
      coverage.games ? fold(unused.length ? `Rules that were never used: ${unused.length}` : "Every part of the rules was used",
        element("p.soft", {}, `In ${count(coverage.games, "game")} that were looked at clause by clause.`),
        element("ul.points", {}, ...unused.map((clause) => element("li", {}, clauseButton(clause, tools))))) : null,
      fold("All figures, with what they mean", ...report.measures.map((measure) => fold(measure.title,
        element("p.soft", {}, ...spans(plain(measure.definition))), measure.figures.length ? figureTable(measure, figures) : null,
        ...(measure.notes ?? []).map((note) => element("p", {}, ...spans(sentence(figures.named(note))))), element("div.charts", {}, ...plots(measure, figures))))),
      fold("Who played", element("p", {}, `${count(report.games, "game")}, seed ${report.seed}.`), found.note ? element("p", {}, plain(found.note)) : null,
        ...report.remarks.map((remark) => element("p", {}, ...spans(sentence(remark))))),
    ],
  };
}

function clauseButton(place, tools) {
  const words = (place.text ?? place.clause ?? "").replace(/\s+/g, " ");
  return element("span", {}, button(`Line ${place.line}`, () => tools.show(place.line), { class: "place" }), " ", element("code", {}, words.length > 90 ? `${words.slice(0, 89)}…` : words));
}

// Sweeps

/** Returns the result of best play in a report's game, if it was solved. */
function bestPlay(report) {
  const solved = report.exact.find((board) => !Object.keys(board.options).length);
  if (!solved?.scores || report.players.length < 2) return null;
  const scores = Object.entries(solved.scores);
  const [winner] = scores.find(([, score]) => score === 1) ?? [];
  if (winner) return `${winner} wins${solved.plies ? ` in ${count(solved.plies, "ply", "plies")}` : ""}`;
  const [[first, score]] = scores;
  return scores.every(([, other]) => other === score) ? "even" : `${first} scores ${percent(score)}`;
}

function sweep(found, tools) {
  const { sweep: compared, boards, of, options } = found;
  const { variants, fairest, differences } = compared;
  const varying = (report) => Object.fromEntries(found.axes.map((name) => [name, report.options[name]]));
  const name = (index) => Object.entries(varying(variants[index].report)).map(([option, chosen]) => `${option} ${chosen}`).join(", ");
  const isCurrent = (index) => found.axes.every((option) => variants[index].report.options[option] === options[option]);
  const sentences = [];
  const figures = variants.map(({ report }) => new Figures(report));
  const [{ report: { players } }] = variants;
  const best = fairest && recommended(fairest, figures);
  const advised = best?.variant;
  const isFar = Boolean(best && distance(best) > FAR);
  // If all values are equally far from even, none is recommended.
  const isAlike = isFar && fairest.variants.length > 1 && fairest.variants.every((each) => Math.abs(distance(each) - distance(best)) < 0.005);
  if (fairest) {
    const isNearest = advised === fairest.nearest;
    const score = `${players[0]} scores ${percent(best.scores[0].value)}`;
    if (isAlike) sentences.push(`No value makes it even: ${score} with every one of them.`);
    else if (isFar) sentences.push(`No value makes it even; with ${name(advised)}, the nearest, ${score}.`);
    else sentences.push(`${name(advised)} is ${isNearest ? "nearest to even" : "recommended"}: ${score}.`);
    if (!isNearest && !isAlike) sentences.push(`${name(fairest.nearest)} is nearer to even, but ${percent(drawn(figures[fairest.nearest]))} of its games are drawn.`);
    const usual = fairest.variants.find(({ variant }) => isCurrent(variant));
    if (isAlike) sentences.push("Another rule may; a wider range of values, too.");
    else if (usual?.variant === advised) sentences.push("That is the game as it is.");
    else if (usual) sentences.push(usual.p <= 0.05 ? `It is fairer than the game as it is, with ${name(usual.variant)}.` : `Whether it is fairer than the game as it is, with ${name(usual.variant)}, these games do not show.`);
    const out = fairest.variants.filter(({ p }) => p <= 0.05).map(({ variant }) => name(variant));
    if (!isAlike) sentences.push(out.length ? `Less fair, beyond chance: ${listed(out)}.` : "No variant is less fair beyond chance; more games may tell.");
  } else if (variants.length > 1) {
    sentences.push(`${count(variants.length, "variant")} were played.`);
  } else {
    sentences.push(`The first variant, ${name(0)}, was played.`);
  }
  if (variants.length < of) sentences.push(`${variants.length} of ${of} variants have been played so far.`);
  const columns = variants.map(({ report }, index) => {
    const own = figures[index];
    const strongest = own.strongest();
    const figure = (key, what) => own.figure(key, what, strongest);
    const facts = [["with best play", bestPlay(report), ""], ["length", figure("plies", "mean"), "plies"], ["draws", figure("draws", ""), ""], ["legal moves", figure("branching", "mean"), ""], ["drama", figure("drama", "mean") ?? figure("drama", ""), ""]];
    return element("li", { class: index === advised && !isAlike ? "recommended" : null, "data-variant": name(index) },
      element("h3", {}, name(index)),
      index === advised && !isAlike ? element("p.badge", {}, isFar ? "Nearest to even" : "Recommended") : null,
      isCurrent(index) ? element("p.badge.current", {}, "As it is now") : null,
      boards[index] ? boardMap(boards[index], new Map(), `The board with ${name(index)}`) : null,
      winShares(own.shares([strongest]), boards[index].players, true),
      element("dl", {}, ...facts.filter(([, known]) => known).flatMap(([label, known, unit]) => [element("dt", {}, label), element("dd", {}, typeof known === "string" ? known : `${value(known)} ${unit}`)])),
      isCurrent(index) ? null : button(`Use ${name(index)}`, () => tools.choose({ ...options, ...varying(report) }), { class: index === advised ? "main" : null }));
  });
  const label = (row) => [row.title, row.what, figures[0].named(row.who)].filter(Boolean).join(", ");
  const rows = compared.rows.map((row) => [label(row), ...row.figures.map((figure) => (figure ? element("span", {}, value(figure), element("small", {}, ` ${interval(figure)}`)) : ""))]);
  return {
    sentences,
    body: [
      element("p.soft", {}, `${capital(figures[0].named(figures[0].strongest() ?? ""))} players; the bars are wins of ${listed(variants[0].report.players)}, with draws between, the figure is the score of ${variants[0].report.players[0]}.`),
      element("ul.variants", { "aria-label": "Variants side by side", tabindex: "0" }, ...columns),
    ],
    details: [
      differences.length ? fold(`Differences beyond chance: ${differences.length}`, table(["", "one", "other"], differences.map((one) => {
        const [a, b] = one.variants;
        const unit = compared.rows.find((row) => row.measure === one.measure && row.what === one.what && row.who === one.who)?.figures[a]?.unit;
        return [label(one), `${name(a)}: ${value({ value: one.values[0], unit })}`, `${name(b)}: ${value({ value: one.values[1], unit })}`];
      }), "Differences")) : null,
      fold("All figures side by side", table(["", ...variants.map((_, index) => name(index))], rows, "All figures by variant")),
    ],
  };
}

/** Picks the variant nearest to even, preferably one with p > 0.05 and under half draws. */
function recommended({ variants, nearest }, figures) {
  const decided = variants.filter(({ variant, p }) => p > 0.05 && drawn(figures[variant]) < 0.5);
  const own = variants.find(({ variant }) => variant === nearest);
  return decided.length && !decided.includes(own) ? decided.sort((one, other) => distance(one) - distance(other))[0] : own;
}

/** Returns the largest difference of a variant's scores from equal scores. */
function distance({ scores }) {
  return Math.max(...scores.map(({ value: score }) => Math.abs(score - 1 / scores.length)));
}

/** Returns the share of draws between the strongest players. */
function drawn(figures) {
  return figures.figure("draws", "", figures.strongest())?.value ?? 0;
}

// Best play

function solve(found, tools, job) {
  const { solution, headline, position, mover, seconds } = found;
  const before = job.about.plies;
  const { options } = job.about;
  const play = (plies, at) => tools.play([...before, ...plies], before.length + at, options);
  const searched = `${count(solution.positions, "position")} were searched in ${solution.seconds < 1 ? "less than a second" : count(Math.round(solution.seconds), "second")}.`;
  const from = before.length ? `From the position after ${count(before.length, "ply", "plies")}` : "From the start";
  if (solution.why) {
    const isFull = solution.why.startsWith("memory");
    const ranOut = solution.why.includes("ran out") || solution.why === "stopped";
    return {
      sentences: [`Nobody knows yet who wins with best play: ${solution.why}.`, ranOut ? `${isFull ? "A" : "More time, a"} smaller board or a later position may tell.` : "", searched].filter(Boolean),
      body: [ranOut && !isFull ? element("div.actions", {}, button(`Ask again with ${seconds < 300 ? "5 minutes" : "an hour"}`, () => tools.ask({ seconds: seconds < 300 ? 300 : 3600 }))) : null],
      details: [],
    };
  }
  const isWin = solution.value.endsWith(" wins");
  const sentences = [
    isWin ? `${solution.value} with best play${solution.distance ? `, in ${count(solution.distance, "ply", "plies")}` : ""}.`
      : solution.value === "draw" ? "With best play it is a draw." : `With best play: ${headline}.`,
  ];
  const { optimal, moves, line } = solution;
  if (optimal.length && optimal.length === moves.length) sentences.push(`Every move of ${mover ?? "the player to move"} keeps that.`);
  else if (optimal.length) sentences.push(`${optimal.length} of ${count(moves.length, "move")} ${optimal.length === 1 ? "keeps" : "keep"} that: ${some(optimal)}.`);
  sentences.push(searched);
  const sites = new Map(position.sites.map((site) => [site.name, site]));
  const siteOf = (ply) => ply.split(/[\s-]+/).findLast((part) => sites.has(part));
  const marks = new Map();
  for (const move of [...moves].sort((one, other) => Number(optimal.includes(other.move)) - Number(optimal.includes(one.move)))) {
    const site = siteOf(move.move);
    const isBest = optimal.includes(move.move);
    if (site && !marks.has(site)) marks.set(site, { text: isBest ? "✓" : "✗", weight: isBest ? 0.9 : 0.35, kind: isBest ? "keeps" : "gives", about: `${move.move}: ${move.value}`, ply: move.move });
  }
  const list = element("ol.moves", { "aria-label": "All moves" }, ...moves.map((move) => element("li", {},
    button(move.move, () => play([move.move], 1), { title: "Show it on the board" }), ` ${move.value}${move.distance ? ` in ${move.distance}` : ""}${optimal.includes(move.move) ? " ✓" : ""}`)));
  return {
    sentences,
    body: [
      line.length ? element("section", {}, element("h3", {}, "A line of best play"),
        element("div.actions", {}, button("Show it on the board", () => play(line, line.length), { class: "main" })),
        plyButtons(line, tools, { before, options, label: "A line of best play" }), element("p.soft", {}, `${from}; ${solution.ending}.`)) : null,
      marks.size > 1 ? element("section", {}, element("h3", {}, "Moves on the board"), element("p.soft", {}, "✓ keeps the value, ✗ gives it away. Click one to see it on the board."),
        boardMap(position, marks, `Moves that keep the value: ${some(optimal)}`, (site) => play([marks.get(site).ply], 1))) : null,
    ],
    details: [
      moves.length ? fold("All moves", list) : null,
      fold("How it was found", element("ul.points", {}, element("li", {}, searched),
        solution.symmetries > 1 ? element("li", {}, `Positions that are alike by one of ${solution.symmetries} symmetries were counted once.`) : null,
        solution.longest ? element("li", {}, `Every game ends within ${count(solution.longest, "ply", "plies")}.`) : null,
        solution.acyclic === null ? null : element("li", {}, solution.acyclic ? "No position can repeat." : "Positions can repeat."))),
    ],
  };
}

// Checks

function deep(found, tools) {
  const { findings, looked } = found;
  const largest = looked.boards.at(-1) ?? looked.boards[0];
  const extent = looked.boards.map((board) => {
    const options = Object.entries(board.options).map(([name, chosen]) => `${name} ${chosen}`).join(", ");
    return `${board.exhaustive ? "All " : ""}${count(board.positions, "position")}${options ? ` with ${options}` : ""} and ${count(board.games, "random game")} were looked at.`;
  });
  const sentences = [findings.length ? `${count(findings.length, "thing")} to look at.` : "Nothing was found that the rules do not mean."];
  if (largest) sentences.push(extent.at(-1));
  if (looked.unreached.length) sentences.push(`${count(looked.unreached.length, "end")} of the game ${looked.unreached.length === 1 ? "was" : "were"} not reached; the search was not complete.`);
  return {
    sentences,
    body: [findings.length ? element("ul.checks", { "aria-label": "What was found" }, ...findings.map((finding) => {
      return element("li", { class: finding.severity }, element("strong", {}, ...spans(sentence(finding.message))), " ",
        finding.line ? button(`Line ${finding.line}`, () => tools.show(finding.line), { class: "place" }) : null,
        finding.help ? element("p", {}, ...spans(sentence(finding.help))) : null,
        finding.record ? button("Show this game on the board", () => tools.replay(finding.record)) : null);
    })) : null],
    details: [
      looked.unreached.length ? fold("Ends that were not reached", element("ul.points", {}, ...looked.unreached.map((end) => element("li", {}, clauseButton(end, tools))))) : null,
      fold("How far it has looked", element("ul.points", {}, ...extent.map((words) => element("li", {}, words)))),
    ],
  };
}

const VERDICTS = {
  holds: ["good", "✓", "holds"], "not refuted": ["open", "≈", "not refuted: it held in every game that was played"],
  undecided: ["open", "?", "open"], faulty: ["bad", "✕", "cannot be tested"], fails: ["bad", "✕", "fails"],
};
const CLAIMS = [
  "(claim \"No game is drawn.\" (never-draws))", "(claim \"No position comes back.\" (never-repeats))",
  "(claim \"It ends within 100 plies.\" (ends-within 100))",
];

function claims(found, tools) {
  const all = found.claims;
  if (!found.of) {
    return {
      sentences: ["The rules claim nothing yet."],
      body: [invitation("Say what you believe of your game",
        element("p", {}, "A claim is a part of the rules. Programs then test it, here and whenever you ask, and show a game that breaks it."),
        element("ul.points", {}, ...CLAIMS.map((claim) => element("li", {}, element("code", {}, claim), " ", button("Put it into the rules", () => tools.write(claim))))))],
      details: [],
    };
  }
  const has = (...words) => all.filter(({ verdict }) => words.includes(verdict)).length;
  const [hold, fail, open] = [has("holds"), has("fails", "faulty"), has("not refuted", "undecided")];
  const sentences = [`${hold} of ${count(all.length, "claim")} ${hold === 1 ? "holds" : "hold"}.`];
  if (fail) sentences.push(`${fail} ${fail === 1 ? "fails" : "fail"}.`);
  if (open) sentences.push(`${open} ${open === 1 ? "is" : "are"} not decided.`);
  return {
    sentences,
    body: [element("ul.checks", { "aria-label": "Claims" }, ...all.map((claim) => {
      const [kind, sign, word] = VERDICTS[claim.verdict];
      const game = (example, title) => example && button(`${title}, ${count(example.plies, "ply", "plies")}`, () => tools.replay(example.record));
      return element("li", { class: kind }, element("span.mark", { "aria-hidden": "true" }, sign), element("strong", {}, claim.claim), ` ${word}. `,
        element("span.soft", {}, sentence(claim.reason)),
        element("div.actions", {}, game(claim.example, claim.verdict === "fails" ? "Show the game that breaks it" : "Show a game"), game(claim.smaller, "The shortest on the smallest board")));
    }))],
    details: [fold("How sure this is", element("ul.points", {}, ...all.map((claim) => element("li", {}, element("strong", {}, claim.claim), ` ${claim.exact ? "Proven" : "Tested"}: `
      + `${count(claim.positions, "position")} searched, ${count(claim.games, "game")} played${claim.error ? `; wrong with a probability of at most ${claim.error}` : ""}.`))))],
  };
}

function cases(found) {
  const all = found.cases;
  if (!found.of) {
    return {
      sentences: ["There are no rule cases yet."],
      body: [invitation("Write down what must be so",
        element("p", {}, "A rule case is an example that the rules must get right: in this position this move is legal, that one is not, the game ends so. Programs test all of them whenever you ask."),
        element("p", {}, found.folder ? `Play to a position that matters and press “This must be so” below the board; the case is kept in the folder ${found.folder}.` : "Cases belong to a file: save the rules first, then play to a position that matters and press “This must be so” below the board."))],
      details: [],
    };
  }
  const failed = all.filter(({ passed }) => !passed);
  return {
    sentences: [failed.length ? `${count(failed.length, "case")} of ${all.length} ${failed.length === 1 ? "fails" : "fail"}.` : all.length === 1 ? "The one case holds." : `All ${all.length} cases hold.`],
    body: [element("ul.checks", { "aria-label": "Rule cases" }, ...[...failed, ...all.filter(({ passed }) => passed)].map((one) => element("li", { class: one.passed ? "good" : "bad" },
      element("span.mark", { "aria-hidden": "true" }, one.passed ? "✓" : "✕"), element("strong", {}, one.title || one.file), one.passed ? "" : " fails.",
      ...one.differences.map(difference))))],
    details: [],
  };
}

/** Shows how a line of a rule case and the rules differ, with boards if there are any. */
function difference({ line, said, expected, found, boards }) {
  const place = element("p", {}, `Line ${line}${said ? ": " : ""}`, said ? element("code", {}, said) : "");
  if (boards?.demanded) {
    return element("div.difference", {}, place, pair({ left: boards.demanded, right: boards.here }, boards.differ, ["as the case demands", "as the rules have it"]));
  }
  const named = new Set(said.split(/[\s,-]+/));
  const sites = boards?.here.sites.map(({ name }) => name).filter((name) => named.has(name)) ?? [];
  return element("div.difference", {}, place,
    expected ? element("p", {}, "Expected: ", ...spans(expected)) : null,
    element("p", {}, expected ? "Found: " : "", ...spans(found)),
    boards ? element("div.pair", {}, element("figure", {}, boardWith(boards.here, sites, "The position"), element("figcaption", {}, "The position there"))) : null);
}

// Differences

function diff(found, tools, job) {
  const { difference: answer, left, right } = found;
  const names = [found.before ?? "as saved", "as it is now"];
  if (answer.apart) {
    return { sentences: [`The games differ before the first move: ${answer.apart}.`], body: [pair(found, [], names)], details: [] };
  }
  const { difference, positions, games } = answer;
  const searched = `${answer.verdict === "same" ? "All " : ""}${count(positions, "position")}${games ? ` and ${count(games, "random game")}` : ""} were compared.`;
  if (!difference) {
    return {
      sentences: [answer.verdict === "same" ? "They are the same game, move for move." : "No difference in play was found.", searched],
      body: [], details: [],
    };
  }
  const { plies, sites } = difference;
  const two = (label, { left: one, right: other }) => element("tr", {}, element("th", { scope: "row" }, label), element("td", {}, one), element("td", {}, other));
  const only = (moves) => (moves.length ? some(moves) : "–");
  const rows = [
    difference.result && two("result", difference.result), difference.to_move && two("to move", difference.to_move),
    ...Object.entries(sites).map(([site, values]) => two(site, values)), ...Object.entries(difference.memories).map(([name, values]) => two(name, values)),
    difference.only_left.length + difference.only_right.length ? two("legal only here", { left: only(difference.only_left), right: only(difference.only_right) }) : null,
  ];
  return {
    sentences: [
      plies.length ? `They differ after ${count(plies.length, "ply", "plies")}.` : "They differ in the first position.",
      difference.result ? `${capital(names[0])}: ${difference.result.left}; as it is now: ${difference.result.right}.` : "",
      difference.shortest ? "No shorter game shows it." : searched,
    ].filter(Boolean),
    body: [
      pair({ left, right }, Object.keys(sites), names),
      plies.length ? element("section", {}, element("h3", {}, "The moves that lead there"), plyButtons(plies, tools, { options: job.about.options, label: "The moves that lead there" })) : null,
      element("div.wide", { tabindex: "0", role: "region", "aria-label": "What differs" },
        element("table", {}, element("thead", {}, element("tr", {}, element("td"), ...names.map((name) => element("th", { scope: "col" }, name)))), element("tbody", {}, ...rows.filter(Boolean)))),
    ],
    details: [fold("How it was found", element("p", {}, searched)), difference.reasons.length ? fold("Why", ...difference.reasons.flatMap((reason) => ["left", "right"].map((side, at) => reasonOf(reason, side, names[at], tools)))) : null],
  };
}

function pair({ left, right }, sites, [one, other]) {
  if (!left || !right) return null;
  const shown = (board, name) => element("figure", {}, boardWith(board, sites, `The board ${name}`), element("figcaption", {}, capital(name)));
  return element("div.pair", {}, shown(left, one), shown(right, other));
}

function reasonOf(reason, side, name, tools) {
  const told = reason[side];
  if (!told) return null;
  const place = (at) => (at?.line ? button(`Line ${at.line}`, () => tools.show(at.line), { class: "place" }) : null);
  const title = element("h4", {}, capital(name));
  if (reason.kind === "move") return element("div", {}, title, element("p", {}, place(told.clause), " ", ...spans(sentence(told.message))));
  if (reason.kind === "asked") return element("div", {}, title, element("p", {}, place(told), " chooses the next move."));
  return element("div", {}, title, element("ul.points", {}, ...told.clauses.map((clause) => element("li", { class: clause.differs ? "differs" : null }, place(clause), " ", ...spans(clause.says)))));
}
