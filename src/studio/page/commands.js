// The actions of the page's commands, by their names in `src/desk/commands.rs`, and the keys.

import { byId, dialog, element } from "./dom.js";

/** Commands that click an element of the page. */
const CLICKED = {
  save: "save", "save-as": "save-as", "lay-out": "format", games: "go-home", tour: "home-tour", keys: "keys", undo: "undo", redo: "redo",
  restart: "restart", hint: "hint", options: "tab-options", ask: "tab-ask", "share-play": "share-play",
  "share-sheet": "share-sheet", "share-png": "share-png", "share-gif": "share-gif", "share-record": "share-record",
};

/** Returns all commands. @param {Record<string, () => void>} own commands without elements */
export function commands(own) {
  const clicked = Object.entries(CLICKED).map(([name, id]) => [name, () => byId(id).click()]);
  return { ...Object.fromEntries(clicked), ...own };
}

const KEYS = [
  ["Ctrl+S", "save the rules"], ["Ctrl+Shift+L", "lay the rules out in the standard way"], ["F2", "search: recipes, words, games, commands"], ["F4", "rename, extract and other changes at the cursor"],
  ["F1", "explain the word at the cursor"], ["Ctrl+Space", "complete the word"], ["F8, Shift+F8", "next finding, the one before"],
  ["Ctrl+F", "find and replace in the rules"], ["Ctrl+.", "apply the fix of the finding at the cursor"], ["F6", "from the rules to the board and back"],
  ["F9, Shift+F9", "the next layout, the one before: Play, Write, Ask"],
  ["Arrow keys, Enter, Escape", "on the board: go to a site, choose it, take the choice back"],
  ["Ctrl+Z, Ctrl+Y", "on the board: undo and redo plies; in the rules: changes of the text"],
];

/** Lists the keys. */
export function showKeys() {
  dialog("Keys", [element("table", {}, ...KEYS.map(([key, what]) => element("tr", {}, element("th", { scope: "row" }, element("kbd", {}, key)), element("td", {}, what))))]);
}
