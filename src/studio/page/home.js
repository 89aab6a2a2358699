// The first visit: games by their pictures, templates for a new one, drafts that were not saved,
// files of the folder, and the tour.

import { attempt, button, byId, dialog, element, picture } from "./dom.js";

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
  byId("home-folder").textContent = `Files are saved in ${home.folder}.`;
  byId("home-reading").hidden = !home.readOnly;
  byId("home-tour").onclick = tour;
  byId("home-tour").parentElement.hidden = home.readOnly;
  byId("home-more").hidden = !home.more;
  const taken = await openDesks();
  fill("home-drafts", home.drafts.map((draft) => {
    const title = draft.title || draft.path || "Without a name";
    const isOpen = taken.has(draft.draft);
    const made = row(title, [draft.path, when(draft.when), isOpen && "open in a tab"].filter(Boolean).join(", "),
      () => open({ draft: draft.draft }));
    if (!isOpen && !home.readOnly) {
      made.classList.add("draft");
      made.append(button("Discard", () => discard(connection, title, draft.draft, made), { class: "link", "aria-label": `Discard ${title}` }));
    }
    return made;
  }));
  fill("home-files", home.files.map(({ path, title, kind }) =>
    row(title || path, kind === "record" ? `${path}, a record of a game` : path, () => open({ path }))));
  fill("home-templates", (home.readOnly ? [] : home.templates).map((template) => row(template.title, template.summary, () => open({ template: template.name }))));
  const groups = byId("home-games");
  groups.replaceChildren();
  for (const [group, title] of Object.entries(GROUPS)) {
    const games = home.games.filter((game) => game.group === group);
    if (!games.length) continue;
    groups.append(element("h2", {}, title), element("ul.gallery", {}, ...games.map((game) => {
      const shown = button("", () => open({ shipped: game.name }), { class: "card", "data-game": game.name });
      const image = picture(game.picture);
      image.setAttribute("aria-hidden", "true");
      shown.append(image, element("strong", {}, game.title), element("small", {}, game.summary));
      return element("li", {}, shown);
    })));
  }
  byId("home").hidden = false;
  byId("home-title").focus();
}

/** The desks that tabs of this browser have open. @returns {Promise<Set<string>>} */
async function openDesks() {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  return new Set(held.map(({ name }) => name.replace("desk-", "")));
}

function discard(connection, title, draft, item) {
  const made = dialog("Discard this draft?", [
    element("p", {}, `What was written in “${title}” and not saved will be gone.`),
    element("div.actions", {}, button("Discard it", async () => {
      made.close();
      if (await attempt(() => connection.ask("forget", { draft }))) {
        const list = item.parentElement;
        item.remove();
        byId("home-drafts-box").hidden = !list.children.length;
      }
    }, { class: "main" }), button("Keep it", () => made.close())),
  ]);
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
