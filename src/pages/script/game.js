// The game beside the board: whose turn it is, plies and variations, seats, hints, evaluation.

import { attempt, button, byId, element, picture, say, spans, tell } from "./dom.js";

/** Dispatches `game` with a new state, and `clause` with the range of the deciding clause. */
export class GamePanel extends EventTarget {
  /** @type {any} */ game = null;
  #tree = "";
  #seats = "";
  #score = null;
  #said = "";
  #legend = "";
  /** The colours of players on the board. @type {Map<string, string>} */ #colors = new Map();

  /**
   * @param {import("./board.js").Board} board @param {any} connection
   * @param {[string, string][]} programs choices for a seat, with their labels; any other choice is
   * its own label
   */
  constructor(board, connection, programs) {
    super();
    this.board = board;
    this.connection = connection;
    this.programs = programs;
    byId("undo").addEventListener("click", () => this.act("undo"));
    byId("redo").addEventListener("click", () => this.act("redo"));
    byId("restart").addEventListener("click", () => this.act("restart"));
    byId("hint").addEventListener("click", () => this.hint());
    byId("restore-plies").addEventListener("click", () => this.act("restorePlies"));
    byId("evaluate")?.addEventListener("change", (event) => this.#evaluate(event.target.checked));
    connection.addEventListener("thinking", ({ detail }) => {
      if (detail.failed) tell(detail.text, "bad");
      else byId("thought").replaceChildren(...spans(detail.text));
    });
    connection.addEventListener("evaluation", ({ detail }) => this.#showScore(detail));
    byId("plies").addEventListener("keydown", (event) => {
      const step = { ArrowLeft: "undo", ArrowRight: "redo" }[event.key];
      if (!step) return;
      event.preventDefault();
      this.act(step);
    });
  }

  /** Sends a command to the game, such as `undo`. @param {string} name @param {object} [body] */
  async act(name, body = {}) {
    const before = this.game;
    const answer = await attempt(() => this.connection.ask(name, body));
    if (answer?.game && name === "undo") this.#tellUndone(before, answer.game);
    if (answer?.game && name === "restart" && before?.ply) tell("A new game. Undo goes back to the one before; its plies are in the list.");
    if (answer?.game) this.dispatchEvent(new CustomEvent("game", { detail: answer.game }));
    return answer;
  }

  /** Reports if undo took back programs' plies, too. */
  #tellUndone(before, after) {
    const gone = before?.plies.slice(after.ply, before.ply) ?? [];
    const programs = gone.filter((ply) => ply.seat).length;
    if (gone.length > 1 && programs) tell(`${gone.length} plies were taken back: yours and ${programs > 1 ? "those" : "that"} of the program.`);
  }

  /** Shows a state. @param {any} game */
  show(game) {
    if (this.game?.board !== game.board) byId("thought").replaceChildren();
    this.game = game;
    const status = byId("status");
    this.#colors = new Map((game.players ?? []).filter(({ color }) => color).map(({ name, color }) => [name, color]));
    document.documentElement.style.setProperty("--ground", game.ground ?? "");
    const text = game.result ? game.result.brief ?? game.result.text : game.thinking ? `${game.status}: thinking …` : game.status;
    this.#announce(game, text);
    status.replaceChildren(game.result ? "" : this.tile(game.turn?.player) ?? "", element(game.result?.brief ? "span.of-players" : "span", {}, ...spans(text)));
    // The author of the rules sees the clauses that decided.
    if (game.result?.brief) status.append(element("span.of-rules", {}, ...spans(game.result.text)));
    status.classList.toggle("over", Boolean(game.result));
    if (game.result?.clause) {
      const [from, to] = game.result.clause.at;
      status.append(button("Which rule?", () => this.dispatchEvent(new CustomEvent("clause", { detail: [from, to] })), { class: "link" }));
    }
    if (game.paused && game.programs && !game.result) {
      status.append(button("Go on", () => this.act("goOn"), { class: "main", title: "The program waits" }));
    }
    if (game.thinking) status.append(button("Stop", () => this.act("stopThinking"), { class: "link" }));
    if (game.chance && !game.result) status.append(button("Roll", () => this.act("roll"), { class: "main", id: "roll" }));
    this.board.mark("won", game.result?.sites ?? []);
    this.#showWarnings(game);
    this.#showLegend(game);
    byId("memories").replaceChildren(...game.lines.map((line) => element("li", {}, line)));
    byId("undo").disabled = !game.undoable;
    byId("redo").disabled = game.plies.length <= game.ply;
    this.#showTree(game);
    this.#showSeats(game);
    this.#showScore(this.#score);
  }

  /**
   * Returns a dot in a player's colour on the colour of the board.
   * @param {string} [player] @returns {HTMLElement|null}
   */
  tile(player) {
    const color = this.#colors.get(player);
    if (!color) return null;
    const dot = element("i");
    dot.style.background = color;
    return element("span.tile.plain", { "aria-hidden": "true" }, dot);
  }

  /** Shows the legend as text whose size does not depend on the board. */
  #showLegend({ legend = [], turn }) {
    const key = JSON.stringify([legend, turn]);
    if (key === this.#legend) return;
    this.#legend = key;
    byId("legend").replaceChildren(...legend.map(({ parts, player }) => {
      const row = element("li", {}, ...parts.map(({ words, picture: svg }) =>
        svg ? element("span.tile", {}, picture(svg)) : element("span", {}, words)));
      const acts = player && player === turn?.player;
      row.classList.toggle("acts", Boolean(acts));
      if (acts) row.setAttribute("aria-current", "true");
      return row;
    }));
  }

  /** Announces the last ply and what comes next. */
  #announce(game, text) {
    const last = game.plies[game.ply - 1];
    const ply = last ? `${last.player ? `${last.player}: ` : ""}${last.text}. ` : "";
    if (this.#said === ply + text) return;
    this.#said = ply + text;
    say((ply + text).replaceAll("`", ""));
  }

  #showWarnings(game) {
    const place = byId("game-note");
    if (game.stopped) {
      const { ply, text, reason } = game.stopped;
      place.replaceChildren(
        element("strong", {}, `Under the rules as they are now, ply ${ply} (${text}) is not legal. `),
        element("span", {}, ...spans(reason)),
      );
    } else if (game.crowded) {
      place.replaceChildren(`${game.crowded[0].toUpperCase()}${game.crowded.slice(1)}.`);
    } else if (game.faulty) {
      place.replaceChildren(game.board ? "The rules have errors. The board shows the game under the last rules that had none." : "Nothing can be played yet.");
    } else {
      place.replaceChildren();
    }
    place.hidden = !place.childNodes.length;
    byId("board-pane").classList.toggle("faulty", Boolean(game.faulty));
  }

  /** Lists the plies; a variation is a nested list below the ply that it replaces. */
  #showTree({ tree, players, restorable }) {
    const restore = byId("restore-plies");
    restore.hidden = !restorable;
    restore.textContent = restorable === "promoted" ? "Undo: the other line was the main line" : "Bring back what was deleted";
    const key = JSON.stringify([tree, players]);
    if (key === this.#tree) return;
    this.#tree = key;
    // The tree omits the start, the parent of all first plies.
    const start = { id: 0, parent: null, ply: 0, text: "", current: !tree.some((node) => node.current) };
    const children = new Map();
    for (const node of [start, ...tree]) {
      if (!children.has(node.parent)) children.set(node.parent, []);
      children.get(node.parent).push(node);
    }
    for (const line of children.values()) line.sort((one, other) => Boolean(other.first) - Boolean(one.first));
    const made = (node) => {
      const go = button("", () => this.act("goto", { id: node.id }), { class: "go", "aria-current": node.current ? "step" : null });
      go.append(this.tile(node.player) ?? "", element("span", {}, node.ply ? node.text : "Start"));
      if (node.player) {
        go.title = `by ${node.player}`;
        // The name of a player without a colour is visible.
        go.append(element(this.#colors.has(node.player) ? "span.unseen" : "small", {}, node.player));
      }
      return element("li", { class: node.ply ? null : "start" },
        element("div.ply", {}, element("small", { "aria-hidden": "true" }, node.ply ? `${node.ply}.` : ""), go, ...this.#tools(node)));
    };
    // The first child continues the list; other children get nested lists below it.
    const line = (first, list, isMain) => {
      let others = [];
      for (let node = first; node;) {
        node.isMain = isMain;
        const row = made(node);
        list.append(row);
        for (const other of others) {
          const inner = element("ol.variation", { "aria-label": `Variation of ply ${node.ply}` });
          line(other, inner, false);
          row.append(inner);
        }
        [node, ...others] = children.get(node.id) ?? [];
      }
    };
    const list = byId("plies");
    list.replaceChildren();
    line(start, list, true);
    const current = list.querySelector("[aria-current]");
    if (current) {
      const box = list.parentElement;
      const top = current.getBoundingClientRect().top - box.getBoundingClientRect().top + box.scrollTop;
      if (top < box.scrollTop || top > box.scrollTop + box.clientHeight - 30) box.scrollTop = top - box.clientHeight / 2;
    }
  }

  /** Returns the buttons of a ply in the list. */
  #tools(node) {
    if (!node.ply) return [];
    const remove = button("×", () => this.act("removePly", { id: node.id }), {
      class: "tool", title: "Delete this ply and all after it", "aria-label": `Delete ply ${node.ply}, ${node.text}, and all after it`,
    });
    const promote = button("↑", () => this.act("promotePly", { id: node.id }), {
      class: "tool", title: "Make this the main line", "aria-label": `Make the line to ply ${node.ply}, ${node.text}, the main line`,
    });
    return node.isMain ? [remove] : [promote, remove];
  }

  #showSeats({ seats, players }) {
    const key = JSON.stringify([seats, players]);
    if (key === this.#seats) return;
    this.#seats = key;
    byId("seats").replaceChildren(...Object.entries(seats).map(([player, spec]) => {
      const known = this.programs.some(([name]) => name === spec) ? this.programs : [...this.programs, [spec, spec]];
      const select = element("select", { "data-seat": player, onchange: () => this.#seat(player, select.value) },
        ...known.map(([name, text]) => element("option", { value: name, selected: name === spec }, text)));
      return element("label", {}, element("span", {}, this.tile(player) ?? "", ` ${player}`), select);
    }));
  }

  async #seat(player, spec) {
    const answer = await this.act("seats", { seats: { [player]: spec } });
    if (answer?.note) tell(`${answer.note}.`);
  }

  /** Asks a program what it would play. */
  async hint() {
    const place = byId("hint");
    const board = this.game?.board;
    place.disabled = true;
    const answer = await attempt(() => this.connection.ask("hint"));
    place.disabled = false;
    // The position may have changed before the answer came.
    if (!answer || this.game?.board !== board) return;
    byId("thought").replaceChildren("Hint: ", element("strong", {}, answer.ply), " ", ...spans(answer.text));
    say(`Hint: ${answer.ply}. ${answer.text}`);
    this.board.mark("hint", answer.ply.split(/[\s-]+/).filter((part) => this.board.sites.has(part)));
  }

  async #evaluate(isOn) {
    byId("score").hidden = !isOn;
    await attempt(() => this.connection.ask("evaluate", { on: isOn }));
  }

  #showScore(evaluation) {
    this.#score = evaluation;
    const bar = byId("score");
    if (!bar || !evaluation?.players?.length) return;
    bar.replaceChildren(
      element("div.bar", { role: "img", "aria-label": `Winning chances: ${evaluation.players.map(percent).join(", ")}` },
        ...evaluation.players.map((each) => {
          const part = element("span", { title: percent(each) });
          part.style.flexGrow = String(Math.max(0.001, each.chance));
          part.style.background = this.#colors.get(each.player) ?? "";
          return part;
        })),
      element("small", {}, evaluation.players.map(percent).join(" · ")),
      evaluation.best ? element("small", {}, ` Best: ${evaluation.best}`) : "",
    );
  }
}

function percent({ player, chance }) {
  return `${player} ${Math.round(chance * 100)} %`;
}
