// The first visit: games by their pictures, templates for a new one, drafts that were not saved,
// files of the folder, and the tour.

import { attempt, button, byId, dialog, element, picture } from "./dom.js";

const GROUPS = { shipped: "Games that come with the program", classic: "Classic games" };

/**
 * Shows what can be opened.
 * @param {import("./transport.js").Connection} connection
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
  byId("home-own").hidden = !connection.takeFiles;
  byId("home-open").onclick = () => chooseFiles(connection, open, () => showHome(connection, { open, tour, back }));
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
  fill("home-files", home.files.map(({ path, title, kind }) => {
    const made = row(title || path, kind === "record" ? `${path}, a record of a game` : path, () => open({ path }));
    if (connection.removeFile) {
      made.classList.add("draft");
      made.append(button("Delete", () => remove(connection, path, made), { class: "link", "aria-label": `Delete ${path}` }));
    }
    return made;
  }));
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
      // A picture to look at has no sites to choose.
      for (const site of image.querySelectorAll("[data-site]")) site.remove();
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
  confirm("Discard this draft?", `What was written in “${title}” and not saved will be gone.`, "Discard it", item, () => connection.ask("forget", { draft }));
}

function remove(connection, path, item) {
  confirm("Delete this file?", `This browser will no longer keep ${path}.`, "Delete it", item, () => connection.removeFile(path));
}

/** Asks before something is gone, and takes it from its list. */
function confirm(title, text, yes, item, action) {
  const made = dialog(title, [
    element("p", {}, text),
    element("div.actions", {}, button(yes, async () => {
      made.close();
      if ((await attempt(async () => (await action()) ?? true)) === undefined) return;
      const list = item.parentElement;
      item.remove();
      list.closest("section").hidden = !list.children.length;
    }, { class: "main" }), button("Keep it", () => made.close())),
  ]);
}

/** Opens files of the computer that this browser then keeps. */
function chooseFiles(connection, open, showAgain) {
  const input = element("input", { type: "file", multiple: true, accept: ".game,.record,text/plain", id: "home-input", hidden: true });
  input.addEventListener("change", async () => {
    input.remove();
    const names = await attempt(() => connection.takeFiles([...input.files], mayReplace));
    // Of several, none is meant more than the others.
    if (input.files.length === 1 && names?.length) await open({ path: names[0] });
    else showAgain();
  });
  byId("home-own").append(input);
  input.click();
}

/** Asks if a file that this browser keeps is to be replaced. @param {string} path @returns {Promise<boolean>} */
function mayReplace(path) {
  return new Promise((answer) => {
    const made = dialog("This file exists", [
      element("p", {}, `This browser keeps another ${path} already. Replace it?`),
      element("div.actions", {}, button("Replace it", () => {
        answer(true);
        made.close();
      }, { class: "main" }), button("Keep it", () => made.close())),
    ]);
    made.addEventListener("close", () => answer(false));
  });
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
