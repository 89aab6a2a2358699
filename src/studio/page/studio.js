// The page of the studio: connects the editor, the board and the panels.

import { AskPanel } from "./ask.js";
import { Connection } from "./transport.js";
import { latest } from "./timing.js";
import { Refused } from "./errors.js";
import { Board } from "./board.js";
import { Choosing, momentOf } from "./choosing.js";
import { Completion, showExplanations, showSignatures } from "./assist.js";
import { commands, showKeys } from "./commands.js";
import { openSearch } from "./search.js";
import { Editor } from "./editor.js";
import { Findings } from "./findings.js";
import { GamePanel } from "./game.js";
import { Layouts } from "./layout.js";
import { Light, Trace, Why } from "./running.js";
import { Replace } from "./replace.js";
import { deleteUnused, openRework } from "./rework.js";
import { MustBe } from "./must.js";
import { openSetUp } from "./setup.js";
import { saveGif, savePng } from "./pictures.js";
import { takeDrops } from "./drop.js";
import { OptionsPanel } from "./options.js";
import { AppearancePanel } from "./appearance.js";
import { START, Tour } from "./tour.js";
import { Sound } from "./sound.js";
import { animated } from "./motion.js";
import { attempt, button, byId, dialog, download, element, say, tell } from "./dom.js";
import { changeBetween, moveCheck, plainName } from "./text.js";
import { PROGRAMS } from "./seats.js";
import { CaseWatch } from "./case_watch.js";
import { showHome } from "./home.js";

const connection = new Connection();
const layouts = new Layouts();
const editor = new Editor(byId("editor"));
const board = new Board(byId("board"));
const findings = new Findings(editor, connection);
const choosing = new Choosing(board, connection);
const panel = new GamePanel(board, connection, PROGRAMS);
const options = new OptionsPanel(connection);
const appearance = new AppearancePanel(editor, connection);
const sound = new Sound(byId("sound"));
const why = new Why(editor, board, connection);
const trace = new Trace(editor, connection);
const light = new Light(editor, board, connection);
const tour = new Tour(editor, (name) => ACTS[name]?.());
/** The desk: the program's last answers about the file and the game. @type {any} */
const desk = { path: null, disk: null, readOnly: false, check: null, game: null, gameKey: "", savedText: "", shipped: null, newer: false, revision: 0, values: undefined, isKept: true, sent: "" };
new Completion(editor, connection);
const replace = new Replace(editor);
showSignatures(editor, connection);
showExplanations(editor, connection);

/** Shows a state of the game. @param {any} game */
function showGame(game) {
  if (!game) return;
  const before = desk.game;
  // A pushed state may repeat an answer, and must not reset a choice that has begun.
  const key = JSON.stringify(game);
  if (before && key === desk.gameKey) return;
  Object.assign(desk, { game, gameKey: key });
  if (game.board && game.board !== before?.board) {
    const done = animated(board, () => board.show(game.board, game.sites, game.radius));
    sound.play(before ? done : null);
  }
  if (before && game.result && !before.result) sound.play("end");
  // In the same position, a choice that has begun goes on.
  if (before && momentOf(before) === momentOf(game)) choosing.refresh(game);
  else choosing.start(game);
  panel.show(game);
  showWaiting();
  if (before?.ply !== game.ply || before?.board !== game.board) why.clear();
  trace.show(game);
  light.ask();
  must.look(game);
  tour.look({ game });
}

/** Shows a check of the current text; older checks are dropped. @param {any} check */
function showCheck(check) {
  if (!check || (check.revision !== undefined && check.revision < desk.revision)) return;
  // Edits since the text was sent have moved the places in the check.
  if (desk.sent !== editor.text) moveCheck(check, changeBetween(desk.sent, editor.text));
  desk.check = check;
  editor.mark("tokens", check.tokens.map(([from, to, kind]) => ({ from, to, kind: `t-${kind}` })));
  findings.show(check);
  showWaiting();
  options.show(check.options);
  appearance.update();
  ask.look();
  watch.look();
  showTitle(check.title);
  tour.look({ check, text: editor.text });
}

/** Shows the error that keeps the board from following the rules. */
function showWaiting() {
  const note = byId("game-note");
  note.querySelector(".waits")?.remove();
  const errors = desk.game?.faulty && !desk.game.stopped ? findings.errors : [];
  if (!errors.length) return;
  const [first] = errors;
  const place = first.other ? first.other.file : `line ${editor.lineOf(first.at[0]) + 1}`;
  const about = `${errors.length > 1 ? `First of ${errors.length} errors` : "The error"}, ${place}: ${first.message.replaceAll("`", "")}`;
  const waits = element("span.waits", {}, " ", button(about, () => findings.goTo(first), { class: "link" }));
  if (!desk.game.board && !desk.readOnly) waits.append(" ", button("Search for rules by what players do …", () => search(), { class: "main" }));
  note.append(waits);
}

function showTitle(title) {
  byId("title").textContent = title || "Ludwright Studio";
  const isShipped = !desk.path && editor.text === desk.shipped;
  const name = desk.path ?? (isShipped ? "comes with the program" : "not saved yet");
  const isChanged = !isShipped && (editor.text !== desk.savedText || !desk.path);
  byId("file").textContent = desk.readOnly ? `${desk.path ?? ""} (only for reading)` : isChanged ? `${name} •` : name;
  byId("file").title = isChanged ? "Changes are kept as a draft until they are saved." : "";
  document.title = `${isChanged ? "• " : ""}${title || "Ludwright Studio"}`;
}

/** Sends the text; during a request, only the newest text waits. */
const send = latest(async () => {
  const revision = ++desk.revision;
  desk.sent = editor.text;
  const body = { text: desk.sent, revision, ...(desk.values ? { options: desk.values } : {}) };
  try {
    const answer = await connection.ask("edit", body);
    if (answer.kept === false && desk.isKept) tell("What you write could not be kept on the disk. Is it full? Save the file or copy the text.", "bad");
    desk.isKept = answer.kept !== false;
    showCheck(answer.check);
    showGame(answer.game);
    // The same position may have other moves under other rules.
    choosing.refresh(answer.game);
    light.ask();
  } catch (error) {
    if (error instanceof Refused) tell(error.message, "bad");
  }
});

const ask = new AskPanel(connection, () => desk, send.settled);
const watch = new CaseWatch(connection, () => desk, () => {
  openTab("ask");
  ask.open("cases");
  ask.start();
});
/** The interrupted game. @type {{id: number, values: object|undefined, layout: string}|null} */
let leftFor = null;
ask.addEventListener("line", ({ detail }) => showLine(detail));
ask.addEventListener("back", () => leaveLine());
ask.addEventListener("choose", ({ detail }) => {
  desk.values = detail;
  send();
});
ask.addEventListener("show", ({ detail }) => {
  const lines = editor.text.split("\n");
  const from = lines.slice(0, detail - 1).join("\n").length + (detail > 1 ? 1 : 0);
  editor.select(from, from + (lines[detail - 1] ?? "").length);
});
ask.addEventListener("write", ({ detail }) => writePart(detail));

findings.addEventListener("place", () => setUp());
findings.addEventListener("record", ({ detail }) => ask.replay(detail));

/** Shows a line of an answer on the board, with the line's options, beside the current game. */
async function showLine(line) {
  const here = { id: desk.game?.tree.find((node) => node.current)?.id ?? 0, values: desk.values };
  const own = Object.fromEntries((desk.check?.options ?? []).map(({ name, value }) => [name, value]));
  const differ = Object.entries(line.options ?? {}).some(([name, value]) => name in own && own[name] !== value);
  if (differ) {
    desk.values = { ...own, ...line.options };
    send();
  }
  await send.settled();
  const answer = await panel.act("line", { plies: line.plies, at: line.at });
  if (!answer) return;
  leftFor ??= { ...here, layout: layouts.current };
  layouts.showBoard();
  ask.showLine(line);
}

async function leaveLine() {
  ask.showLine(null);
  const before = leftFor;
  leftFor = null;
  if (!before) return;
  if (JSON.stringify(before.values) !== JSON.stringify(desk.values)) {
    desk.values = before.values ?? {};
    send();
    await send.settled();
  }
  await panel.act("leaveLine", { id: before.id });
  // A narrow window has replaced the answer by the board.
  if (before.layout !== layouts.current && before.layout === "ask") openTab("ask");
}

/** Puts a part at the end of the game. @param {string} part */
function writePart(part) {
  const end = editor.text.trimEnd().lastIndexOf(")");
  if (end < 0) return;
  editor.rewrite(`${editor.text.slice(0, end)}\n  ${part}${editor.text.slice(end)}`);
  editor.select(end + 3, end + 3 + part.length);
}

editor.addEventListener("change", () => {
  send();
  findings.wait(send.settled());
  showTitle(desk.check?.title);
});
options.addEventListener("change", ({ detail }) => {
  desk.values = detail;
  send();
});
options.addEventListener("open", ({ detail }) => open({ path: detail }));
choosing.addEventListener("played", ({ detail }) => showGame(detail));
choosing.addEventListener("refused", ({ detail }) => {
  if (must.isOn) must.refused(detail);
  else if (!desk.game?.faulty && !desk.game?.result && !desk.game?.thinking) why.ask(detail);
});
panel.addEventListener("game", ({ detail }) => showGame(detail));
panel.addEventListener("clause", ({ detail }) => editor.select(...detail));
connection.addEventListener("game", ({ detail }) => showGame(detail));
connection.addEventListener("check", ({ detail }) => showCheck(detail));
connection.addEventListener("disk", ({ detail }) => takeIn(detail));
connection.addEventListener("gone", ({ detail }) => {
  if (detail.gone) note("The file was moved or deleted by another program. Save writes it again.");
  else byId("disk").hidden = true;
});
connection.addEventListener("seen", () => {
  send();
  ask.update();
});
light.addEventListener("shown", ({ detail }) => {
  if (/^\((empty|mine)\)$/.test(detail)) tour.note("light");
});
connection.addEventListener("job", ({ detail }) => {
  if (detail.kind === "playtest") tour.note("playtest");
});

/** Handles a file that another program changed. @param {{text: string, disk: string}} news */
function takeIn({ text, disk }) {
  // A refused save may have reported this version already.
  if (disk === desk.disk) return;
  desk.newer = true;
  const isChanged = editor.text !== desk.savedText;
  if (!isChanged || text === editor.text) {
    desk.disk = disk;
    desk.savedText = text;
    if (text !== editor.text) {
      editor.rewrite(text);
      tell("The file was changed by another program. It is shown as it is now.");
    }
    return;
  }
  askAbout("The file was changed by another program, and here, too.", text, disk);
}

/** Shows a note about the file above the rules. @param {string} text @param {...Node} actions */
function note(text, ...actions) {
  byId("disk").replaceChildren(element("strong", {}, text), " ", ...actions);
  byId("disk").hidden = false;
}

function askAbout(title, text, disk) {
  const close = () => {
    byId("disk").hidden = true;
  };
  note(title,
    button("Keep mine", () => {
      desk.disk = disk;
      desk.savedText = text;
      showTitle(desk.check?.title);
      close();
    }), button("Take the file", () => {
      desk.disk = disk;
      desk.savedText = text;
      editor.rewrite(text);
      showTitle(desk.check?.title);
      close();
    }));
}

/**
 * Saves the file. @param {string} [path] another name @param {boolean} [overwrite]
 * @returns {Promise<boolean>} whether it is saved
 */
async function save(path, overwrite = false) {
  if (desk.readOnly) {
    tell("The program was started for reading only: files are not changed.");
    return false;
  }
  if (!path && !desk.path) return saveAs();
  // An edit that arrived after the save would count as outdated.
  await send.settled();
  const { text } = editor;
  const revision = ++desk.revision;
  desk.sent = text;
  desk.newer = false;
  const body = { text, revision, disk: desk.disk, ...path && { path }, ...overwrite && { overwrite } };
  const answer = await attempt(() => connection.ask("save", body));
  // A refused save has not brought the text to the desk.
  if (!answer || answer.conflict) send();
  if (!answer) return false;
  if (answer.conflict) {
    if (path) return confirmOverwrite(path);
    askAbout("The file was changed by another program since it was opened.", answer.conflict.text, answer.conflict.disk);
    return false;
  }
  desk.path = answer.path;
  // News of a later write by another program may arrive before this answer.
  if (!desk.newer) {
    desk.disk = answer.disk;
    desk.savedText = text;
    byId("disk").hidden = true;
  }
  showCheck(answer.check);
  showTitle(answer.title ?? desk.check?.title);
  tell(`Saved as ${answer.path}.`);
  return true;
}

/** Asks for a name and saves. @returns {Promise<boolean>} whether it is saved */
function saveAs() {
  const input = element("input", { type: "text", value: desk.path ?? fileName(), "aria-label": "Name of the file", required: true });
  const form = element("form", {}, element("p", {}, connection.saving),
    input, element("div.actions", {}, element("button.main", { type: "submit" }, "Save")));
  const made = dialog("Save as", [form]);
  input.select();
  return new Promise((done) => {
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      done(save(input.value.trim()));
      made.close();
    });
    made.addEventListener("close", () => done(false));
  });
}

/** Asks before a file is replaced. @returns {Promise<boolean>} whether the rules are saved */
function confirmOverwrite(path) {
  return new Promise((done) => {
    const made = dialog("This file exists", [element("p", {}, `${path} exists already. Replace it?`),
      element("div.actions", {}, button("Replace it", () => {
        done(save(path, true));
        made.close();
      }, { class: "main" }), button("Choose another name", () => {
        done(saveAs());
        made.close();
      }))]);
    made.addEventListener("close", () => done(false));
  });
}

/** Proposes a file name for unsaved rules. */
const fileName = () => `${plainName(desk.check?.title ?? "") || "my-game"}.game`;

async function format() {
  const answer = await attempt(() => connection.ask("format", { text: editor.text }));
  if (answer?.text !== undefined) editor.rewrite(answer.text);
}

/** Opens a desk and shows it. @param {object} what @returns {Promise<boolean>} */
async function open(what) {
  const before = connection.desk;
  if (what.draft && what.draft === before && desk.check) {
    showDesk();
    return true;
  }
  const known = what.desk ?? what.draft;
  const isOwn = !known || (await connection.take(known, "desk" in what ? 5 : 1));
  // The request is not about the current desk, which stays in use until the answer.
  const wanted = isOwn ? { desk: undefined, ...what } : { desk: known, copy: true };
  const state = await ("desk" in what ? connection.ask("open", wanted) : attempt(() => connection.ask("open", wanted)));
  if (!state) return false;
  await connection.take(state.desk);
  connection.use(state.desk);
  connection.listen();
  if (byId("evaluate").checked) connection.ask("evaluate", { on: true }).catch(() => {});
  Object.assign(desk, {
    path: state.path ?? null, disk: state.disk ?? null, readOnly: Boolean(state.readOnly), shipped: state.shipped ?? null, revision: state.check?.revision ?? 0,
    values: undefined, game: null, check: null,
    savedText: state.savedText ?? (state.draft ? "" : state.text),
  });
  editor.open(state.text, desk.readOnly);
  desk.sent = editor.text;
  for (const id of ["save", "save-as", "format", "rework"]) byId(id).disabled = desk.readOnly;
  showDesk();
  if (state.hasModule === false) {
    byId("share-play").disabled = true;
    byId("share-play-about").textContent = "This program was built without the part that such a page has in it; the guide for designers says how to get it.";
  }
  byId("disk").hidden = true;
  byId("thought").replaceChildren();
  byId("score").replaceChildren();
  why.clear();
  tour.stop();
  // A new game opens in Write; other games can be opened in Ask one after the other.
  if (layouts.current === "ask" && what.template !== undefined) layouts.use("write");
  if (!("desk" in what) && layouts.current !== "ask") showTab("game");
  byId("signature").replaceChildren();
  options.showFiles(state.base, state.variants ?? []);
  showTitle(state.title);
  showCheck(state.check);
  showGame(state.game);
  ask.refresh();
  return true;
}

function showDesk() {
  byId("home").hidden = true;
  byId("desk").hidden = false;
}

function home() {
  const back = desk.check ? () => {
    showDesk();
    editor.field.focus();
  } : undefined;
  byId("desk").hidden = true;
  byId("home-search").value = "";
  showHome(connection, { open, tour: beginTour, back, moved });
}

/** Follows a renamed or deleted file. @param {string} from @param {string|null} to */
function moved(from, to) {
  if (desk.path !== from) return;
  desk.path = to;
  if (!to) [desk.disk, desk.savedText] = [null, ""];
  showTitle(byId("title").textContent);
}

async function beginTour() {
  if (!(await open({}))) return;
  layouts.use(layouts.isNarrow ? "play" : "write");
  editor.rewrite(START);
  tour.start();
}

/** The steps of the tour that the page does on request. */
const ACTS = {
  play: () => board.dispatchEvent(new CustomEvent("pick", { detail: { site: [...board.sites.keys()][4], byKey: false, isDrag: false } })),
  undo: () => panel.act("undo"),
  options: () => {
    openTab("options");
    const input = byId("options").querySelector("[name=Size]");
    if (!input) return;
    input.value = "4";
    input.dispatchEvent(new Event("change"));
  },
  mistake: () => {
    const { text } = editor;
    editor.rewrite(text.replace("(put Stone t)", "(put Stoen t)"));
    setTimeout(() => editor.rewrite(editor.text.replace("(put Stoen t)", "(put Stone t)")), 1500);
  },
  light: () => editor.select(editor.text.indexOf("(empty)") + 1),
  program: async () => {
    for (const player of Object.keys(desk.game.seats)) await panel.act("seats", { seats: { [player]: "mcts:100it" } });
  },
  playtest: () => {
    openTab("ask");
    ask.open("playtest");
    ask.start();
  },
};

/** The parts of the page that dialogs use. */
const PAGE = { desk: () => desk, open: (what) => open(what), settled: send.settled, showGame, save, saveAs, watch };
const must = new MustBe(editor, connection, choosing, PAGE);
why.must = must;
const ALL = commands({ manual: () => search(), replace: () => replace.open(), rework, "delete-unused": () => deleteUnused(editor, connection), "set-up": setUp, "must-be": mustBe });

function setUp() {
  return openSetUp(editor, connection, PAGE);
}

function mustBe() {
  layouts.showBoard();
  return must.turn();
}

function rework() {
  return openRework(editor, connection, PAGE);
}

function showTab(name, isFocused = false) {
  if (name !== "ask") beforeAsking.tab = name;
  for (const tab of byId("tabs").children) {
    const isOwn = tab.id === `tab-${name}`;
    tab.setAttribute("aria-selected", isOwn);
    tab.tabIndex = isOwn ? 0 : -1;
    byId(tab.getAttribute("aria-controls")).hidden = !isOwn;
    if (isOwn && isFocused) tab.focus();
  }
  appearance.update();
}

/** The tab and the layout before Ask. */
const beforeAsking = { tab: "game", layout: layouts.current === "ask" ? "write" : layouts.current };

/** Opens a tab, and enters or leaves the layout Ask if necessary. @param {string} name */
function openTab(name, isFocused = false) {
  if (name === "ask") layouts.use("ask");
  else if (layouts.current === "ask" && layouts.isNarrow) layouts.use(beforeAsking.layout);
  showTab(name, isFocused);
}

layouts.addEventListener("change", ({ detail }) => {
  if (detail !== "ask") beforeAsking.layout = detail;
  showTab(detail === "ask" ? "ask" : beforeAsking.tab);
});
if (layouts.current === "ask") showTab("ask");
byId("layout-ask").addEventListener("click", () => showTab("ask"));
editor.addEventListener("selected", () => layouts.showRules());

for (const tab of byId("tabs").children) tab.addEventListener("click", () => openTab(tab.id.slice(4)));
byId("tabs").addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const all = [...byId("tabs").children];
  const at = all.findIndex((tab) => tab.getAttribute("aria-selected") === "true");
  openTab(all[(at + step + all.length) % all.length].id.slice(4), true);
});
byId("go-home").addEventListener("click", home);
byId("save").addEventListener("click", () => save());
byId("save-as").addEventListener("click", saveAs);
byId("format").addEventListener("click", format);
byId("rework").addEventListener("click", rework);
byId("set-up").addEventListener("click", setUp);
byId("share-png").addEventListener("click", () => savePng(connection));
byId("share-gif").addEventListener("click", () => saveGif(connection));
byId("must-be").addEventListener("click", mustBe);
const search = (query) => openSearch(editor, connection, { open, commands: ALL }, query);
byId("open-search").addEventListener("click", () => search());
byId("keys").addEventListener("click", showKeys);

/** Moves the focus to the rules or to the board. */
function turnTo(isRules) {
  if (isRules) layouts.showRules();
  else layouts.showBoard();
  (isRules ? editor.field : board).focus();
}

document.addEventListener("keydown", (event) => {
  const control = event.ctrlKey || event.metaKey;
  const key = event.key.toLowerCase();
  const isOnBoard = byId("board-pane").contains(event.target) || byId("side").contains(event.target);
  const isTyping = /^(input|select|textarea)$/i.test(event.target.tagName);
  if (byId("desk").hidden || document.querySelector("dialog[open]")) return;
  if (control && key === "s") save();
  else if (control && event.shiftKey && key === "l") format();
  else if (event.key === "F2") search();
  else if (event.key === "F4") rework();
  else if (event.key === "F6") turnTo(isOnBoard);
  else if (event.key === "F9") layouts.turn(event.shiftKey ? -1 : 1);
  else if (control && isOnBoard && !isTyping && key === "z") panel.act(event.shiftKey ? "redo" : "undo");
  else if (control && isOnBoard && !isTyping && key === "y") panel.act("redo");
  else return;
  event.preventDefault();
});

connection.addEventListener("lost", () => {
  byId("lost").hidden = false;
  byId("lost-about").textContent = "Start `ludwright studio` again in the same folder. The page that it opens has your text, among the drafts.";
});
connection.addEventListener("found", () => {
  byId("lost").hidden = true;
  say("The program answers again.");
  // The program gets the edits made in the meantime.
  if (connection.desk) send();
});
byId("lost-copy").addEventListener("click", async () => {
  await navigator.clipboard.writeText(editor.text);
  tell("The text is in the clipboard.");
});
const downloadText = () => download(desk.path?.split("/").at(-1) ?? fileName(), editor.text);
byId("lost-download").addEventListener("click", downloadText);
byId("download").addEventListener("click", downloadText);
byId("download").hidden = !connection.takeFiles;
addEventListener("beforeunload", (event) => {
  // Without the program, closing the tab would lose the latest edits.
  if (connection.isLost && !byId("desk").hidden) event.preventDefault();
});

/** Opens the desk of this tab, the file named at the program's start, or the overview. */
async function begin() {
  if (connection.desk) {
    try {
      if (await open({ desk: connection.desk })) return;
    } catch {
      // The desk is gone, with the program that had it.
    }
    connection.use(null);
  }
  const { first } = await connection.ask("home").catch(() => ({}));
  if (first && (await open(first))) return;
  home();
}

takeDrops(connection, PAGE);
begin();
