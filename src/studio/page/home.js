// The overview: games by their pictures, templates for a new game, unsaved drafts, files of the
// folder, and the tour.

import { attempt, button, byId, dialog, element, picture, tell } from "./dom.js";

const GROUPS = { shipped: "Games that come with the program", classic: "Classic games" };

/**
 * Shows the overview.
 * @param {import("./transport.js").Connection} connection
 * @param {{open: (what: object) => void, tour: () => void, back?: () => void,
 *   moved: (from: string, to: string|null) => void}} actions
 */
export async function showHome(connection, { open, tour, back, moved }) {
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
  byId("home-open").onclick = () => chooseFiles(connection, open, () => showHome(connection, { open, tour, back, moved }));
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
  const again = () => showHome(connection, { open, tour, back, moved });
  fill("home-files", home.files.map((file, number) => ownFile(connection, file, number, { open, again, moved, isFixed: home.readOnly })));
  drawOwn(connection, home.files);
  fill("home-templates", (home.readOnly ? [] : home.templates).map((template) => row(template.title, template.summary, () => open({ template: template.name }))));
  const groups = byId("home-games");
  groups.replaceChildren();
  for (const [group, title] of Object.entries(GROUPS)) {
    const games = home.games.filter((game) => game.group === group);
    if (!games.length) continue;
    groups.append(element("h2", {}, title), element("ul.gallery", {}, ...games.map((game) => {
      const shown = button("", () => open({ shipped: game.name }), { class: "card", "data-game": game.name });
      shown.append(thumbnail(game.picture), element("strong", {}, game.title), element("small", {}, game.summary));
      return element("li", {}, shown);
    })));
  }
  search();
  byId("home").hidden = false;
  byId("home-title").focus();
}

/** Returns the desks that tabs of this browser have open. @returns {Promise<Set<string>>} */
async function openDesks() {
  const { held = [] } = (await navigator.locks?.query()) ?? {};
  return new Set(held.map(({ name }) => name.replace("desk-", "")));
}

function discard(connection, title, draft, item) {
  confirm("Discard this draft?", `What was written in “${title}” and not saved will be gone.`, "Discard it", item, () => connection.ask("forget", { draft }));
}

/** Returns the row of an own file: its picture and its actions. */
function ownFile(connection, { path, title, kind }, number, { open, again, moved, isFixed }) {
  const made = row(title || path, kind === "record" ? `${path}, a record of a game` : path, () => open({ path }));
  made.classList.add("own");
  if (kind === "game") made.prepend(element("span.thumb", { "aria-hidden": "true", "data-number": String(number) }));
  if (isFixed) return made;
  const act = (action, label) => button(label, () => change(connection, { path, action }, again, moved), { class: "link", "aria-label": `${label} ${path}` });
  made.append(element("span.acts", {}, act("duplicate", "Duplicate"),
    button("Rename", () => rename(connection, path, again, moved), { class: "link", "aria-label": `Rename ${path}` }), act("delete", "Delete")));
  return made;
}

/** Draws own games, one after the other. */
async function drawOwn(connection, files) {
  for (const [number, { path, kind }] of files.entries()) {
    if (kind !== "game") continue;
    const place = () => byId("home-files").querySelector(`[data-number="${number}"]`);
    const answer = await connection.ask("picture", { path, number }).catch(() => null);
    if (!answer?.picture || !place()) continue;
    place().replaceChildren(thumbnail(answer.picture));
  }
}

/** Returns a picture without sites to choose. @param {string} svg */
function thumbnail(svg) {
  const image = picture(svg);
  image.setAttribute("aria-hidden", "true");
  for (const site of image.querySelectorAll("[data-site]")) site.remove();
  return image;
}

/** Copies or deletes a file; a deletion can be undone. */
async function change(connection, request, again, moved) {
  const answer = await attempt(() => connection.ask("changeFile", request));
  if (!answer) return;
  if (request.action === "delete") moved(request.path, null);
  await again();
  if (request.action !== "delete") return tell(`The copy is ${answer.path}.`);
  const note = element("li.undo", { role: "status" }, `${answer.path} was deleted. `, button("Undo", async () => {
    const restored = await attempt(async () => {
      // The rule cases of the rules come back, too.
      for (const { path, text } of [answer, ...answer.cases]) await connection.ask("restoreFile", { path, text });
      return true;
    });
    if (restored) await again();
  }));
  byId("home-files").prepend(note);
  byId("home-files-box").hidden = false;
  note.querySelector("button").focus();
}

function rename(connection, path, again, moved) {
  const input = element("input", { type: "text", value: path, "aria-label": "New name", required: true });
  const form = element("form", {}, input, element("div.actions", {}, element("button.main", { type: "submit" }, "Rename")));
  const made = dialog("Rename this file", [form]);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    made.close();
    const to = input.value.trim();
    const answer = to !== path && await attempt(() => connection.ask("changeFile", { path, action: "rename", to }));
    if (!answer) return;
    moved(path, answer.path);
    await again();
  });
  input.select();
}

/** Shows only the files, templates and games that contain all searched words. */
function search() {
  const field = byId("home-search");
  const filter = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const item of byId("home").querySelectorAll("#home-drafts > li, #home-files > li, #home-templates > li, .gallery > li")) {
      const text = item.textContent.toLowerCase();
      item.hidden = !words.every((word) => text.includes(word));
    }
  };
  field.oninput = filter;
  field.onchange = filter;
  filter();
}

/** Asks for confirmation, acts, and removes the item from its list. */
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

/** Lets the designer choose files that this browser then keeps. */
function chooseFiles(connection, open, showAgain) {
  const input = element("input", { type: "file", multiple: true, accept: ".game,.record,text/plain", id: "home-input", hidden: true });
  input.addEventListener("change", async () => {
    input.remove();
    const names = await attempt(() => connection.takeFiles([...input.files], mayReplace));
    // A single file is opened; several files are listed.
    if (input.files.length === 1 && names?.length) await open({ path: names[0] });
    else showAgain();
  });
  byId("home-own").append(input);
  input.click();
}

/** Asks if a stored file is to be replaced. @param {string} path @returns {Promise<boolean>} */
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
