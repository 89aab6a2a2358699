// How the game looks: the board, the colours of players, the shapes of pieces. Each choice is
// written into the rules.

import { attempt, button, byId, element } from "./dom.js";
import { paused } from "./timing.js";

/** Boards to choose from. */
const BOARDS = [
  ["Maple", "#ecdcb9"], ["Oak", "#d9b98a"], ["Walnut", "#a9815a"], ["Meadow", "#c9d3a2"], ["Felt", "#7da07a"],
  ["Sea", "#b7cbd8"], ["Slate", "#8d99a6"], ["Lavender", "#cfc3dc"], ["Rose", "#e6c6c0"], ["Marble", "#dcdad4"], ["Night", "#5b5a63"],
];
const GRIDS = { cells: "Squares or cells", checkered: "Two tones", points: "Points on lines" };

export class AppearancePanel {
  #key = "";

  /**
   * @param {import("./editor.js").Editor} editor
   * @param {import("./transport.js").Connection} connection
   */
  constructor(editor, connection) {
    this.editor = editor;
    this.connection = connection;
    this.update = paused(200, () => this.#update());
  }

  /** Loads the look, if the panel is visible. */
  async #update() {
    if (byId("panel-look").hidden) return;
    const looks = await this.connection.ask("looks").catch(() => ({}));
    const key = JSON.stringify(looks);
    if (key === this.#key) return;
    this.#key = key;
    const focused = document.activeElement?.dataset?.look;
    byId("looks").replaceChildren(...looks.board ? this.#groups(looks) : [element("p.soft", {}, "Mend the errors of the rules first.")]);
    if (focused) byId("looks").querySelector(`[data-look="${CSS.escape(focused)}"]`)?.focus();
  }

  #groups({ board, grid, players, pieces, colors, grids, shapes }) {
    const names = colors.map(([name, color]) => [name[0].toUpperCase() + name.slice(1), color, name]);
    return [
      this.#swatches("Board", "board", board, BOARDS.map(([name, color]) => [name, color, color])),
      this.#choice("Lines", "grid", null, grid, grids, (each) => GRIDS[each] ?? each),
      ...players.map(({ name, color }) => this.#swatches(name, name, color, names)),
      ...pieces.flatMap(({ name, shape, color }) => [
        this.#choice(`Shape of ${name}`, "shape", name, shape, shapes, (each) => each),
        ...color ? [this.#swatches(`Colour of ${name}`, name, color, names)] : [],
      ]),
    ];
  }

  /** Returns a row of colours and a picker for others. */
  #swatches(title, of, chosen, all) {
    const row = element("div.swatches");
    for (const [name, color, value] of all) {
      const made = button("", () => this.#set("color", of, value), {
        class: "swatch", title: name, "aria-label": name, "aria-pressed": String(color === chosen), "data-look": `${of} ${value}`,
      });
      made.style.background = color;
      row.append(made);
    }
    const other = element("input", { type: "color", value: chosen, "aria-label": `Another colour of ${title}`, title: "Another colour", "data-look": `${of} other` });
    other.addEventListener("change", () => this.#set("color", of, other.value));
    row.append(other, button("Default", () => this.#set("color", of), { class: "link", "aria-label": `Default colour of ${title}` }));
    return element("fieldset", {}, element("legend", {}, title), row);
  }

  #choice(title, detail, of, chosen, all, text) {
    const select = element("select", { "data-look": `${detail} ${of}`, onchange: () => this.#set(detail, of, select.value || undefined) },
      element("option", { value: "" }, "as usual"), ...all.map((each) => element("option", { value: each, selected: each === chosen }, text(each))));
    return element("label.look", {}, element("span", {}, title), select);
  }

  /** Writes a detail of the look into the rules, or removes it without a value. */
  async #set(detail, of, value) {
    const { text } = this.editor;
    const answer = await attempt(() => this.connection.ask("setLook", { text, detail, ...of && { of }, ...value && { value } }));
    if (answer && text === this.editor.text) this.editor.quietly(() => this.editor.apply(answer.changes));
    this.#key = "";
    this.update();
  }
}
