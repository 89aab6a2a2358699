// Files dropped on the page: records and positions continue the game, rules become a file.

import { attempt, tell } from "./dom.js";

/** The largest file that is read, in bytes. */
const MOST = 1 << 20;

/**
 * @param {import("./transport.js").Connection} connection
 * @param {{desk: () => any, open: (what: object) => Promise<boolean>,
 *   showGame: (game: any) => void}} page
 */
export function takeDrops(connection, page) {
  const isFile = (event) => event.dataTransfer?.types.includes("Files");
  const mark = (isOn) => document.body.classList.toggle("dropping", isOn);
  document.addEventListener("dragover", (event) => {
    if (!isFile(event)) return;
    event.preventDefault();
    mark(true);
  });
  document.addEventListener("dragleave", (event) => event.relatedTarget || mark(false));
  document.addEventListener("drop", async (event) => {
    if (!isFile(event)) return;
    event.preventDefault();
    mark(false);
    for (const file of event.dataTransfer.files) await take(file);
  });

  async function take(file) {
    if (file.size > MOST) return tell(`${file.name} is too large for a game.`, "bad");
    const text = (await file.text()).replaceAll("\r\n", "\n");
    if (/\.game$/i.test(file.name)) {
      const made = await attempt(() => connection.ask("create", { path: file.name, text }));
      if (made) await page.open({ path: made.path });
      return;
    }
    const title = text.match(/^game:\s*(.+?)\s*$/m)?.[1];
    if (title && title !== page.desk().check?.title) {
      // A record of another game: the game is looked for by its title.
      const before = page.desk().check && " The rules from before are under ☰ Games.";
      if (await page.open({ record: text })) tell(`The record of ${title} is open.${before ?? ""}`);
      return;
    }
    if (!page.desk().check) return tell("Open the game of this position first.", "bad");
    const answer = await attempt(() => connection.ask("take", { text }));
    if (!answer) return;
    page.showGame(answer.game);
    tell(`${file.name} is open. Undo leads back to the game before.`);
  }
}
