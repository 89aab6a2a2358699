// The first visit: games by their pictures, templates for a new one, drafts that were not saved,
// files of the folder, and the tour.

import { attempt, button, byId, element, picture } from "./dom.js";

const GROUPS = { shipped: "Games that come with the program", classic: "Classic games" };

/**
 * Shows what can be opened.
 * @param {import("./api.js").Connection} connection
 * @param {{open: (what: object) => void, tour: () => void, back?: () => void}} actions
 */
export async function showHome(connection, { open, tour, back }) {
  const home = await attempt(() => connection.ask("home"));
  if (!home) return;
  byId("home-back").hidden = !back;
  byId("home-back").onclick = back ?? null;
  byId("home-folder").textContent = home.folder ? `Files are saved in ${home.folder}.` : "";
  byId("home-reading").hidden = !home.readOnly;
  byId("home-tour").onclick = tour;
  fill("home-drafts", (home.drafts ?? []).map((draft) => row(
    draft.title || draft.path || "Without a name", [draft.path, when(draft.when)].filter(Boolean).join(", "),
    () => open({ draft: draft.draft }))));
  fill("home-files", (home.files ?? []).filter(({ kind }) => kind === "game" || kind === "record")
    .map((file) => row(file.title || file.path, file.kind === "record" ? `${file.path}, a record of a game` : file.path, () => open({ path: file.path }))));
  fill("home-templates", (home.templates ?? []).map((template) => row(template.title, template.summary, () => open({ template: template.name }))));
  const groups = byId("home-games");
  groups.replaceChildren();
  for (const [group, title] of Object.entries(GROUPS)) {
    const games = (home.games ?? []).filter((game) => game.group === group);
    if (!games.length) continue;
    groups.append(element("h2", {}, title), element("ul.gallery", {}, ...games.map((game) => {
      const shown = button("", () => open({ shipped: game.name }), { class: "card", "data-game": game.name });
      const image = game.picture ? picture(game.picture) : element("span");
      image.setAttribute("aria-hidden", "true");
      shown.append(image, element("strong", {}, game.title), element("small", {}, game.summary ?? ""));
      return element("li", {}, shown);
    })));
  }
  byId("home").hidden = false;
  byId("home-title").focus();
}

function fill(id, rows) {
  byId(id).replaceChildren(...rows);
  byId(`${id}-box`).hidden = !rows.length;
}

function row(title, about, action) {
  const made = button("", action, { class: "row" });
  made.append(element("strong", {}, title), element("small", {}, about ?? ""));
  return element("li", {}, made);
}

/** @param {number} seconds since 1970 */
function when(seconds) {
  return new Date(seconds * 1000).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
}
