// Refactorings of the rules, which keep the game: rename, extract definitions, make options, delete
// unused declarations; and saving changes as a variant. The program computes and checks them.

import { attempt, button, dialog, element, say, tell } from "./dom.js";
import { plainName } from "./text.js";

/** Labels of the kinds of names. */
const KINDS = { player: "player", option: "option", piece: "piece", memory: "memory", definition: "definition", move: "move", variable: "variable" };
/** Actions that need a new name. */
const NAMED = { extract: "Name of the definition", "make-option": "Name of the option" };

/**
 * Opens the menu of actions at the selection.
 * @param {import("./editor.js").Editor} editor
 * @param {import("./transport.js").Connection} connection
 * @param {{desk: () => any, open: (what: object) => Promise<boolean>,
 *   settled: () => Promise<void>}} page
 */
export async function openRework(editor, connection, { desk, open, save, settled }) {
  if (editor.isReadOnly) return tell("This file is only for reading.");
  await settled();
  const [from, end] = editor.selection;
  const { text } = editor;
  const place = { text, from, end };
  const offers = await attempt(() => connection.ask("offers", place));
  if (!offers) return;
  const content = [];
  let made;
  const isStill = () => {
    made.close();
    if (text === editor.text) return true;
    tell("The rules were changed meanwhile. Open the menu again.", "bad");
    return false;
  };
  const form = (label, value, title, act) => {
    const input = /** @type {HTMLInputElement} */ (element("input", { type: "text", "aria-label": label, placeholder: label, value, autocomplete: "off", spellcheck: "false" }));
    const box = element("form.rework", {}, input, element("button.main", { type: "submit" }, title));
    box.addEventListener("submit", (event) => {
      event.preventDefault();
      act(input.value.trim());
    });
    return box;
  };
  if (offers.faulty) content.push(element("p.soft", {}, "Mend the mistakes first; then names can be changed safely."));
  if (offers.name && !offers.faulty) {
    const { name, kind, uses } = offers.name;
    content.push(element("h3", {}, `${name}, ${kind === "option" ? "an" : "a"} ${KINDS[kind]} with ${uses || "no"} ${uses === 1 ? "use" : "uses"}`),
      form("New name", name, "Rename everywhere", (to) => to && to !== name && rename(editor, connection, { ...place, to }, { isStill, save })));
  }
  for (const { action, title } of offers.actions) {
    const act = async (name) => {
      // After a refusal, the name can be corrected in the form.
      const answer = await attempt(() => connection.ask("rework", { ...place, action, name }));
      if (!answer || !isStill()) return;
      editor.apply(answer.changes);
      editor.reveal(answer.changes[0].at[0]);
      say(`Done: ${title}. Undo takes it back.`);
    };
    const sentence = title[0].toUpperCase() + title.slice(1);
    if (NAMED[action]) content.push(element("h3", {}, sentence), form(NAMED[action], "", "Do it", act));
    else content.push(element("p", {}, button(sentence, () => act())));
  }
  const { path, savedText, shipped } = desk();
  const base = path ? savedText : shipped;
  if (base && base !== text && !offers.faulty && (path || !base.includes("(variant-of"))) {
    const stays = path ? `${path.split("/").at(-1)} stays as it was saved` : "the game that ships is saved beside it";
    content.push(element("h3", {}, "Make a variant of what you changed"),
      element("p.soft", {}, `The changes become a game of their own, and ${stays}.`),
      form("Title of the variant", "", "Make the variant", (title) => title && isStill() && makeVariant({ editor, connection, open, settled, path, base, text, title })));
  } else if (!path) {
    content.push(element("p.soft", {}, "Once the rules are saved, what you change in them can become a variant."));
  }
  if (!content.length) content.push(element("p.soft", {}, "Put the cursor on a name or a number, or select an expression in brackets."));
  made = dialog("Rework the rules", content);
  made.querySelector("input")?.select();
}

/**
 * Deletes unused declarations.
 * @param {import("./editor.js").Editor} editor
 * @param {import("./transport.js").Connection} connection
 */
export async function deleteUnused(editor, connection) {
  if (editor.isReadOnly) return tell("This file is only for reading.");
  const { text } = editor;
  const answer = await attempt(() => connection.ask("rework", { text, from: 0, end: 0, action: "delete-unused" }));
  if (!answer) return;
  if (text !== editor.text) return tell("The rules were changed meanwhile. Try it again.", "bad");
  editor.apply(answer.changes);
  editor.reveal(answer.changes[0].at[0]);
  tell("What was never used is deleted. Undo takes it back.");
}

/** Renames in the rules and other files. After a refusal, the form stays open. */
async function rename(editor, connection, request, { isStill, save }) {
  const answer = await attempt(() => connection.ask("rename", request));
  if (!answer || !isStill()) return;
  const { from, changes, others, left } = answer;
  const finish = () => {
    editor.apply(changes);
    say(`${from} is ${request.to} now.`);
  };
  const unsure = left.length ? ` These mention ${from} and stay as they are: ${left.join(", ")}.` : "";
  if (!others.length) {
    finish();
    if (unsure) tell(unsure.trim());
    return;
  }
  const made = dialog("Rename in other files, too?", [
    element("p", {}, `${from} is also used in ${others.length === 1 ? "another file" : `${others.length} other files`}:`),
    element("ul.plain", {}, ...others.map(({ path }) => element("li", {}, path))),
    unsure ? element("p.soft", {}, unsure.trim()) : null,
    element("div.actions", {}, button("Rename in all of them", async () => {
      made.close();
      const written = await attempt(() => connection.ask("write", { files: others }));
      if (!written) return;
      finish();
      // The other files use the new name, so the rules must be saved, too.
      await save();
      const back = others.map(({ path, before, text }) => ({ path, before: text, text: before }));
      const note = dialog("Renamed", [
        element("p", {}, `${others.length === 1 ? "One other file was" : `${others.length} other files were`} changed and saved, and so are these rules.`),
        element("div.actions", {}, button("Good", () => note.close(), { class: "main" }), button("Take it back everywhere", async () => {
          note.close();
          if (!(await attempt(() => connection.ask("write", { files: back })))) return;
          editor.rewrite(request.text);
          await save();
        })),
      ]);
    }, { class: "main" }), button("Leave everything as it is", () => made.close())),
  ].filter(Boolean));
}

/** Saves the changes as a variant beside the unchanged base file, and opens the variant. */
async function makeVariant({ editor, connection, open, settled, path, base, text, title }) {
  path ??= (await attempt(() => connection.ask("create", { path: `${plainName(base.match(/"([^"]*)"/)?.[1] ?? "") || "base"}.game`, text: base })))?.path;
  if (!path) return;
  const file = path.split("/").at(-1);
  const answer = await attempt(() => connection.ask("variant", { file, base, text, title }));
  if (!answer) return;
  const name = plainName(title) || "variant";
  const folder = path.slice(0, path.length - file.length);
  const made = await attempt(() => connection.ask("create", { path: `${folder}${name}.game`, text: answer.text }));
  if (!made) return;
  editor.rewrite(base);
  await settled();
  tell(`${title} is saved as ${made.path}. ${file} is as it was; undo there brings the changes back.`);
  await open({ path: made.path });
}
