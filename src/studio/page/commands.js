// What the commands of the page do, by the names that the search finds them by
// (`src/desk/commands.rs`).

import { byId } from "./dom.js";

/** Commands that are elements of the page to click. */
const CLICKED = {
  save: "save", "save-as": "save-as", "lay-out": "format", games: "go-home", tour: "home-tour", keys: "keys", undo: "undo", redo: "redo",
  restart: "restart", hint: "hint", options: "tab-options", ask: "tab-ask", "share-play": "share-play",
  "share-sheet": "share-sheet", "share-png": "share-png", "share-gif": "share-gif", "share-record": "share-record",
};

/** Makes the table of commands. @param {Record<string, () => void>} own those that are no elements */
export function commands(own) {
  const clicked = Object.entries(CLICKED).map(([name, id]) => [name, () => byId(id).click()]);
  return { ...Object.fromEntries(clicked), ...own };
}
