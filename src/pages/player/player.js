// A page that plays: connects the board, the panels and the module.

import { Board } from "./board.js";
import { Choosing, momentOf } from "./choosing.js";
import { Connection } from "./connection.js";
import { GamePanel } from "./game.js";
import { unpackedModule } from "./instance.js";
import { OptionControls } from "./controls.js";
import { Sound } from "./sound.js";
import { animated } from "./motion.js";
import { attempt, button, byId, dialog, element, say, spans, tell } from "./dom.js";

/** Choices for a seat: specification and label. */
const PROGRAMS = [
  ["human", "a person"],
  ["mcts:100it", "the computer, easy"],
  ["mcts:500ms", "the computer, medium"],
  ["mcts:3s", "the computer, hard"],
];
/** Milliseconds from a change until the address and the stored draft are updated. */
const QUIET = 300;

const data = JSON.parse(byId("data").textContent);
const board = new Board(byId("board"));
let game = null;
let text = data.files.files[0].text;
/** The connection, exported for tests and debugging. */
export const answering = { connection: null };

/** This game in the browser's storage, where the page may use it. */
const kept = {
  key: `ludwright-game-${data.key}`,
  read() {
    try {
      return JSON.parse(localStorage.getItem(this.key));
    } catch {
      return null;
    }
  },
  write(value) {
    try {
      localStorage.setItem(this.key, JSON.stringify(value));
    } catch {
      // Without storage, only the address keeps the game.
    }
  },
};

function start(connection) {
  const choosing = new Choosing(board, connection);
  const panel = new GamePanel(board, connection, PROGRAMS);
  const options = new OptionControls();
  const sound = new Sound(byId("sound"));
  let address = "";
  let timer = 0;

  /** Shows a state of the game. `choices` are given if the page was built with them. */
  function show(next, choices) {
    if (!next) return;
    const before = game;
    game = next;
    if (game.board && game.board !== before?.board) {
      const done = animated(board, () => board.show(game.board, game.sites, game.radius));
      sound.play(before ? done : null);
    }
    if (before && game.result && !before.result) sound.play("end");
    if (!before || momentOf(before) !== momentOf(game)) {
      choosing.start(game, choices);
      clearWhy();
    }
    panel.show(game);
    clearTimeout(timer);
    timer = setTimeout(keep, QUIET);
  }

  /** Shows an answer that may also have a check, a note or a refusal. */
  function showAll(answer) {
    if (answer.check) {
      options.show(answer.check.options);
      const values = JSON.stringify(answer.draft.options);
      if (values !== rulesShown) showRules(answer, values);
    }
    if (answer.note) tell(`${answer.note}.`);
    if (answer.refused) tell(answer.refused, "bad");
    show(answer.game);
  }

  // The page contains the rules in words for the options that it was built with.
  let rulesShown = null;
  async function showRules({ check, draft }, values) {
    const isFirst = rulesShown === null;
    rulesShown = values;
    if (isFirst && sameOptions(check.options)) return;
    const answer = await connection.ask("sheet", { options: Object.fromEntries(draft.options) }).catch(() => null);
    if (!answer || rulesShown !== values) return;
    const read = new DOMParser().parseFromString(answer.html, "text/html");
    byId("rules").replaceChildren(...[...read.body.childNodes].map((node) => document.importNode(node, true)));
  }

  function sameOptions(shown) {
    return shown.every(({ name, value }) => String(data.options[name]) === String(value));
  }

  /** Updates the address and the browser's storage. */
  async function keep() {
    const answer = await connection.ask("fragment").catch(() => null);
    if (!answer) return;
    address = game.undoable || game.plies.length ? answer.text : "";
    try {
      if (location.hash !== address) history.replaceState(null, "", `${location.pathname}${location.search}${address}`);
    } catch {
      // Some browsers do not change the address of a local file.
    }
    kept.write({ draft: connection.draft, address });
  }

  function clearWhy() {
    byId("why").hidden = true;
    byId("why").replaceChildren();
    board.mark("no", []);
  }

  async function askWhy({ site, chosen }) {
    if (!game || game.result || game.thinking) return;
    const answer = await attempt(() => connection.ask("why", { site, chosen }));
    if (!answer?.text) return;
    const lines = answer.text.split("\n").map((line) => element("p", {}, ...spans(line)));
    byId("why").replaceChildren(button("×", clearWhy, { class: "close", "aria-label": "Close" }), ...lines);
    byId("why").hidden = false;
    board.mark("no", [site]);
    say(answer.text.replaceAll("`", ""));
  }

  /** Takes a game, a position or a move that somebody has sent. */
  async function take(given) {
    const answer = await attempt(() => connection.ask("take", { text: given }));
    if (!answer) return false;
    showAll(answer);
    return true;
  }

  function openPaste() {
    const field = element("textarea", { "aria-label": "A move, game or position", placeholder: "Paste here what was sent to you." });
    const made = dialog("Paste a move, game or position", [
      element("p", {}, "A link, a short text, a record or a position. It is checked against the rules; Undo at its start brings your game back."),
      field,
      element("div.actions", {}, button("Take it", async () => {
        if (field.value.trim() && (await take(field.value))) made.close();
      }, { class: "main" })),
    ]);
    field.focus();
  }

  async function copyMove() {
    const answer = await attempt(() => connection.ask("fragment"));
    if (!answer) return;
    const isOnline = location.protocol.startsWith("http");
    const link = isOnline ? `${location.origin}${location.pathname}${location.search}${answer.text}` : `${data.title}, ply ${game.ply}: ${answer.text}`;
    await copy(link, isOnline ? "The link is copied. Who opens it sees the game so far." : "Copied. Who has this page pastes it there.");
  }

  async function copyAnswer(name, what) {
    const answer = await attempt(() => connection.ask(name));
    if (answer) await copy(answer.text, what);
  }

  choosing.addEventListener("played", ({ detail }) => show(detail));
  choosing.addEventListener("refused", ({ detail }) => askWhy(detail));
  panel.addEventListener("game", ({ detail }) => show(detail));
  connection.addEventListener("game", ({ detail }) => show(detail));
  options.addEventListener("change", async ({ detail }) => {
    const answer = await attempt(() => connection.ask("options", { values: detail }));
    if (answer) showAll(answer);
  });
  // Undo may bring back a game with other options.
  const act = panel.act.bind(panel);
  panel.act = async (name, body) => {
    const answer = await act(name, body);
    if (answer?.check) showAll(answer);
    return answer;
  };
  byId("send").addEventListener("click", copyMove);
  byId("paste").addEventListener("click", openPaste);
  byId("copy-record").addEventListener("click", () => copyAnswer("record", "The game is copied, as a record."));
  byId("copy-position").addEventListener("click", () => copyAnswer("position", "The position is copied."));
  byId("show-text").addEventListener("click", () => showText(0, 0));
  panel.addEventListener("clause", ({ detail }) => showText(...detail));
  addEventListener("hashchange", () => {
    if (location.hash.length > 1 && location.hash !== address) take(location.hash);
  });
  document.addEventListener("paste", (event) => {
    if (event.target.closest?.("textarea, input")) return;
    const given = event.clipboardData?.getData("text/plain").trim();
    if (given) take(given);
  });
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.target.closest?.("textarea, input, dialog")) return;
    const name = { z: event.shiftKey ? "redo" : "undo", y: "redo" }[event.key.toLowerCase()];
    if (!name || byId(name).disabled) return;
    event.preventDefault();
    panel.act(name);
  });
  return { show, showAll, refresh: (shown) => choosing.refresh(shown) };
}

/** Shows the text of the rules, with a clause marked. @param {number} from @param {number} to */
function showText(from, to) {
  const marked = to > from ? element("mark", {}, text.slice(from, to)) : null;
  dialog("The text of the rules", [element("pre", { tabindex: "0" }, text.slice(0, from), marked, text.slice(to))]);
  marked?.scrollIntoView({ block: "center" });
}

/** Copies a text, or shows it in a dialog if the page may not copy. */
async function copy(given, what) {
  try {
    await navigator.clipboard.writeText(given);
    tell(what);
  } catch {
    const field = element("textarea", { readonly: true, "aria-label": "The text to copy" });
    field.value = given;
    dialog("Copy this", [field]);
    field.select();
  }
}

async function begin() {
  const connection = new Connection(unpackedModule(), data.files);
  answering.connection = connection;
  const page = start(connection);
  const before = kept.read();
  const hasAddress = location.hash.length > 1;
  // The address selects the game; a stored draft of the same game is more complete.
  const isSame = before?.draft && (hasAddress ? location.hash === before.address : !data.record);
  const seed = crypto.getRandomValues(new Uint32Array(1))[0] % 1_000_000_000;
  const take = [data.record, hasAddress && location.hash].filter(Boolean);
  const fresh = { options: data.options, seats: data.seats, seed, take };
  // Input on the board before the module has started is answered once the game is opened.
  const first = isSame || hasAddress ? null : data.first;
  page.show(first?.game, first?.choices);
  // A stored game that cannot be opened, as after a program error, is dropped.
  const again = isSame ? await connection.open({ draft: before.draft }).catch(() => null) : null;
  let answer = again?.game.board ? again : await connection.open(fresh);
  text = answer.text;
  // A stored game that is over is replaced by a new one; Undo brings it back.
  if (isSame && !hasAddress && answer.game.result) {
    answer = { ...answer, ...await connection.ask("restart") };
  }
  page.showAll(answer);
  if (first) page.refresh(answer.game);
}

if (matchMedia("(max-width: 800px)").matches) {
  byId("rules-part").open = false;
  byId("plies-part").open = false;
}
begin().catch((error) => {
  byId("status").textContent = "";
  byId("failure").hidden = false;
  byId("failure").textContent = typeof DecompressionStream === "undefined" || typeof WebAssembly === "undefined"
    ? "This browser is too old to play; one from 2023 or later can."
    : `The game could not be started: ${error.message}`;
});
