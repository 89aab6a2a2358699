// Set-up by hand: pieces from a tray on a separate board, memories, who moves. The position becomes
// the start of the game, a position to play from, or a rule case.

import { attempt, button, dialog, element, picture, say, tell } from "./dom.js";
import { Board } from "./board.js";
import { latest } from "./timing.js";
import { openMustBe } from "./must.js";

/**
 * Opens the set-up.
 * @param {import("./editor.js").Editor} editor
 * @param {import("./transport.js").Connection} connection
 * @param {{desk: () => any, showGame: (game: any) => void, settled: () => Promise<void>}} page
 */
export async function openSetUp(editor, connection, page) {
  await page.settled();
  const first = await attempt(() => connection.ask("arrange", {}));
  if (!first) return;
  const box = element("div.set-up-board");
  const board = new Board(box);
  board.isFree = true;
  const tray = element("div.tray", { role: "radiogroup", "aria-label": "Pieces" });
  const mover = element("select", { "aria-label": "Who moves" });
  const memories = element("div.memories");
  const back = button("Undo", () => undo(), { title: "Ctrl+Z" });
  const made = dialog("Set up a position", [
    element("p.soft", {}, "Choose a piece and click a site; a second click takes it off. Pieces can be dragged."),
    element("div.set-up", {}, box, element("div.side", {}, tray,
      element("label", {}, "Moves next ", mover), memories,
      element("div.actions", {}, button("Empty the board", () => ask({ clear: true })), back))),
    element("div.actions", {},
      button("Make it the start of the game", () => writeStart(), { class: "main", disabled: editor.isReadOnly }),
      button("Play from here", () => playFrom()), button("Make a rule case …", () => makeCase())),
  ]);
  made.classList.add("wide", "setting-up");
  let now = first;
  const before = [];
  let chosen = first.tray[0]?.symbol ?? "";
  const show = (answer) => {
    now = answer;
    board.show(answer.board, answer.sites, answer.radius);
    for (const shape of box.querySelectorAll("[data-site]")) shape.setAttribute("aria-label", answer.sites.find(({ name }) => name === shape.dataset.site)?.label ?? shape.dataset.site);
    mover.replaceChildren(...answer.movers.map((name) => element("option", { value: name, selected: name === answer.mover }, name)));
    memories.replaceChildren(...answer.memories.map(({ name, value }) => element("label", {}, `${name} `,
      element("input", { type: "text", value, onchange: (event) => ask({ memory: { name, value: event.target.value } }) }))));
    back.disabled = !before.length;
  };
  const ask = latest(async (change) => {
    const answer = await attempt(() => connection.ask("arrange", { position: now.position, ...change }));
    if (!answer) return show(now);
    before.push(now);
    show(answer);
  });
  const undo = () => {
    if (before.length) show(before.pop());
  };
  const choose = (symbol) => {
    chosen = symbol;
    for (const each of tray.children) each.setAttribute("aria-checked", each.dataset.symbol === symbol);
  };
  const kinds = [...first.tray, { symbol: "", name: "Take off" }, ...first.cuts ? [{ symbol: "#", name: "Cut out" }] : []];
  tray.replaceChildren(...kinds.map(({ symbol, name, picture: svg }) => {
    const made = button(name, () => choose(symbol), { role: "radio", "data-symbol": symbol, "aria-checked": String(symbol === chosen) });
    if (svg) made.prepend(element("span.tile", {}, picture(svg)));
    return made;
  }));
  board.addEventListener("pick", ({ detail }) => detail.isDrag || ask({ put: [{ site: detail.site, symbol: chosen }] }));
  board.addEventListener("drag", ({ detail }) => detail.from !== detail.to && ask({ put: [{ site: detail.to, from: detail.from }] }));
  board.addEventListener("cancel", () => made.close());
  mover.addEventListener("change", () => ask({ mover: mover.value }));
  made.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || event.target.tagName === "INPUT") return;
    event.preventDefault();
    undo();
  });
  const writeStart = async () => {
    const { text } = editor;
    const answer = await attempt(() => connection.ask("setUp", { text, position: now.position }));
    if (!answer) return;
    made.close();
    if (text !== editor.text) return tell("The rules were changed meanwhile. Set the position up again.", "bad");
    editor.apply(answer.changes);
    editor.reveal(answer.changes[0].at[0]);
    say("The rules begin with this position. Undo in the rules takes it back.");
    if (answer.note) tell(answer.note);
  };
  const playFrom = async () => {
    const answer = await attempt(() => connection.ask("take", { text: `position:\n${now.position}` }));
    if (!answer) return;
    made.close();
    page.showGame(answer.game);
    tell("Play goes on from this position. Undo leads back to the game before.");
  };
  const makeCase = () => {
    const { position } = now;
    made.close();
    openMustBe(editor, connection, page, { position });
  };
  show(first);
}
