// Search by players' words for recipes, words of the language, games, findings and the commands of
// the page. Without a query, the dialog shows the contents of the manual.

import { attempt, button, dialog, element, markdown, say, spans } from "./dom.js";
import { insertRecipe } from "./assist.js";
import { latest, paused } from "./timing.js";

const KINDS = { recipe: "recipe", word: "word", type: "type", game: "game", command: "command", error: "finding", warning: "finding" };

/**
 * Opens the search.
 * @param {import("./editor.js").Editor} editor
 * @param {import("./transport.js").Connection} connection
 * @param {{open: (what: object) => void, commands: Record<string, () => void>}} actions
 * @param {string} [query]
 */
export function openSearch(editor, connection, { open, commands }, query = "") {
  if (document.querySelector("dialog.search[open]")) return;
  // The dialog opens without waiting, so that no typed letter is lost.
  const manual = attempt(() => connection.ask("contents"));
  const field = /** @type {HTMLInputElement} */ (element("input", {
    type: "text", role: "combobox", "aria-expanded": "true", "aria-controls": "found", "aria-label": "Search", autocomplete: "off", spellcheck: "false",
    placeholder: "What should the rules do? For example: flip, three in a row, most stones win", value: query,
  }));
  const list = element("div", { id: "found", role: "listbox", "aria-label": "Found" });
  const page = element("div.page", { tabindex: "0", "aria-live": "polite" });
  const act = element("div.actions");
  const made = dialog("Search and manual", [field, element("div.lookup", {}, list, page), act]);
  made.classList.add("search");
  let found = [];
  let rows = [];
  let chosen = 0;
  const action = {
    recipe: ({ name }) => !editor.isReadOnly && ["Put it into the rules", () => insertRecipe(editor, connection, name)],
    game: ({ name }) => ["Open this game", () => open({ shipped: name })],
    command: ({ name }) => commands[name] && ["Do it", commands[name]],
  };
  const run = (entry) => {
    const [, perform] = entry && action[entry.kind]?.(entry) || [];
    if (!perform) return page.focus();
    made.close();
    perform();
  };
  const showPage = latest(async () => {
    const entry = found[chosen];
    const [title] = entry && action[entry.kind]?.(entry) || [];
    act.replaceChildren(...title ? [button(title, () => run(entry), { class: "main" })] : []);
    if (entry?.kind === "recipe") act.append(element("span.soft", {}, "Each part goes where such parts are, with your pieces and moves. One undo takes it back."));
    if (!entry) {
      page.replaceChildren(element("p", {}, "Nothing fits these words. Try what a player would say: capture, connect, pass, points …"));
      return;
    }
    if (entry.kind === "game" || entry.kind === "command") {
      page.replaceChildren(element("h3", {}, entry.title), element("p", {}, entry.summary));
      return;
    }
    const answer = await connection.ask("explain", { word: entry.name }).catch(() => null);
    if (!answer || entry !== found[chosen]) return;
    const also = answer.see.map(({ topic, words }) => element("p.also", {}, `${topic}: `, ...words.map((word) =>
      button(word, () => look(word), { class: "link" }))));
    page.replaceChildren(markdown(answer.markdown), ...also);
    page.scrollTop = 0;
  });
  const choose = (index) => {
    chosen = Math.max(0, Math.min(found.length - 1, index));
    rows.forEach((row, at) => row.setAttribute("aria-selected", at === chosen));
    rows[chosen]?.scrollIntoView({ block: "nearest" });
    if (rows[chosen]) field.setAttribute("aria-activedescendant", rows[chosen].id);
    else field.removeAttribute("aria-activedescendant");
    showPage();
  };
  const row = (entry, index) => element(
    "div.row", { role: "option", id: `found-${index}`, onclick: () => choose(index), ondblclick: () => run(entry) },
    element("strong", {}, entry.title), element(`span.what.${entry.kind}`, {}, KINDS[entry.kind] ?? entry.kind),
    entry.summary && element("span.about", {}, ...spans(entry.summary)),
  );
  const show = latest(async () => {
    const words = field.value.trim();
    if (words) {
      const answer = await attempt(() => connection.ask("find", { query: words.slice(0, 200) }));
      if (!answer || words !== field.value.trim()) return;
      found = answer.found.filter(({ kind, name }) => kind !== "command" || commands[name]);
      rows = found.map(row);
      list.replaceChildren(...rows);
      say(`${found.length} found`);
    } else {
      const answer = await manual;
      if (!answer || field.value.trim()) return;
      found = answer.contents.flatMap(({ pages }) => pages);
      rows = found.map(row);
      let at = 0;
      list.replaceChildren(...answer.contents.map(({ topic, pages }) => element("div", { role: "group", "aria-label": topic },
        element("div.topic", { "aria-hidden": "true" }, topic), ...rows.slice(at, at += pages.length))));
    }
    choose(0);
  });
  /** Shows the page of a word. */
  const look = async (word) => {
    field.value = word;
    show();
    await show.settled();
    const index = found.findIndex(({ name }) => name === word);
    if (index >= 0) choose(index);
  };
  field.addEventListener("input", paused(40, show));
  field.addEventListener("keydown", (event) => {
    const move = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key];
    if (move) choose(chosen + move);
    else if (event.key === "Enter") run(found[chosen]);
    else return;
    event.preventDefault();
  });
  show();
  field.focus();
}
