// The options of the game as form controls, its base game, variants and the ways to share it.

import { OptionControls } from "./controls.js";
import { attempt, button, byId, download, element, tell } from "./dom.js";

/** Dispatches `change` with the values of options, and `open` with a path. */
export class OptionsPanel extends OptionControls {
  /** @param {import("./transport.js").Connection} connection */
  constructor(connection) {
    super();
    this.connection = connection;
    for (const [id, kind] of [["share-play", "play"], ["share-page", "page"], ["share-sheet", "sheet"], ["share-record", "record"], ["share-file", "file"]]) {
      byId(id).addEventListener("click", () => this.share(kind));
    }
    // Pages that open in a tab can be saved as files, too.
    for (const kind of connection.view ? ["page", "sheet"] : []) {
      const save = byId(`save-${kind}`);
      save.hidden = false;
      save.addEventListener("click", () => this.share(kind, true));
    }
  }

  /**
   * Lists the base game and the variants of the file.
   * @param {string|null} base @param {{path: string, title: string}[]} variants
   */
  showFiles(base, variants) {
    const files = [...base ? [{ path: base, title: `Base game: ${base}` }] : [], ...variants];
    byId("variants").replaceChildren(...files.map(({ path, title }) => element("li", {}, button(title || path, () => {
      this.dispatchEvent(new CustomEvent("open", { detail: path }));
    }, { class: "link", title: path }))));
    byId("variants-box").hidden = !files.length;
  }

  /**
   * Saves or opens a file to share.
   * @param {"play"|"page"|"sheet"|"record"|"file"} kind
   * @param {boolean} [isKept] whether to save a page that could be opened
   */
  async share(kind, isKept = false) {
    // Browsers block windows that open later than the click.
    const isShown = !isKept && (kind === "page" || kind === "sheet") && this.connection.view;
    const shown = isShown ? window.open("", "_blank") : null;
    const answer = await attempt(() => this.connection.ask("share", { kind }));
    if (answer?.view && shown) {
      shown.location.href = this.connection.view(answer.view);
      return;
    }
    shown?.close();
    if (answer?.content === undefined) return;
    download(answer.name, answer.content);
    tell(`${answer.name} is among your downloads.`);
  }
}
