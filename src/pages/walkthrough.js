"use strict";
// Steps through the games of a page; `walkthrough.rs` describes the data.
for (const root of document.querySelectorAll(".walkthrough")) {
  const part = (name) => root.querySelector(`[data-part="${name}"]`);
  const data = JSON.parse(part("data").textContent);
  const [board, where, slider, told, rules] =
    ["board", "where", "slider", "told", "rules"].map(part);
  const segments = [...root.querySelectorAll("[data-segment]")];
  let game = 0;
  let ply = 0;

  const picture = (ranges) => {
    const lines = [];
    for (let at = 0; at < ranges.length; at += 2) {
      for (let line = ranges[at]; line <= ranges[at + 1]; line++) lines.push(data.lines[line]);
    }
    return lines.join("\n");
  };

  const element = (name, className, text) => {
    const made = document.createElement(name);
    if (className) made.className = className;
    if (text) made.textContent = text;
    return made;
  };

  // Scrolls within the box only, so that the page itself does not jump.
  const reveal = (box, inner) => {
    if (!box || !inner) return;
    const [outer, own] = [box.getBoundingClientRect(), inner.getBoundingClientRect()];
    if (own.top < outer.top || own.bottom > outer.bottom) {
      box.scrollTop += own.top - outer.top - box.clientHeight / 3;
    }
  };

  const light = (clauses) => {
    for (const segment of segments) segment.removeAttribute("class");
    for (const [number, kind] of clauses) {
      const [first, end] = data.clauses[number];
      for (const segment of segments.slice(first, end)) segment.classList.add("lit", kind);
    }
  };

  const item = ([number, kind, text, notes]) => {
    const [first, , line, clause] = data.clauses[number];
    const row = element("li", kind);
    const place = element("button", "place", line);
    place.type = "button";
    place.addEventListener("click", () => reveal(rules, segments[first]));
    row.append(place, " ", element("code", "", clause), " ", element("span", "", data.texts[text]));
    if (notes.length) {
      const inner = element("ul");
      for (const [at, said] of notes) {
        const note = element("li");
        note.append(element("code", "", data.clauses[at][3]), ": " + data.texts[said]);
        inner.append(note);
      }
      row.append(inner);
    }
    return row;
  };

  const show = (wanted) => {
    const steps = data.games[game].steps;
    ply = Math.max(0, Math.min(steps.length - 1, wanted));
    const step = steps[ply];
    const now = data.texts[step.now];
    board.innerHTML = picture(step.picture);
    slider.max = steps.length - 1;
    slider.value = ply;
    const made = ply ? `Ply ${ply} of ${steps.length - 1}. ${step.by}: ${step.ply}. ` : "Before the first ply. ";
    slider.setAttribute("aria-valuetext", made + now);
    where.textContent = made + now + (step.note ? `. ${step.note}` : "");
    const clauses = step.clauses || [];
    light(clauses);
    told.replaceChildren(...clauses.map(item));
    if (ply && !clauses.length) told.append(element("li", "", "no clause to show"));
    root.querySelectorAll(".plies [aria-current]").forEach((old) => old.removeAttribute("aria-current"));
    const list = root.querySelector(`.plies[data-of="${game}"]`);
    const current = list.querySelector(`[data-ply="${ply}"]`);
    if (current) current.setAttribute("aria-current", "step");
    reveal(list, current || list.firstElementChild);
    // The last effect or result is shown, otherwise the first clause.
    const last = clauses.filter(([, kind]) => kind !== "test").pop() || clauses[0];
    if (last) reveal(rules, segments[data.clauses[last[0]][0]]);
  };

  const open = (wanted) => {
    game = wanted;
    for (const tab of root.querySelectorAll("[data-game]")) {
      tab.setAttribute("aria-pressed", String(Number(tab.dataset.game) === game));
    }
    for (const own of root.querySelectorAll("[data-of]")) own.hidden = Number(own.dataset.of) !== game;
    show(0);
  };

  const steps = { first: () => 0, back: () => ply - 1, on: () => ply + 1, last: () => Infinity };
  root.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.dataset.step) show(steps[button.dataset.step]());
    else if (button.dataset.ply) show(Number(button.dataset.ply));
    else if (button.dataset.game) open(Number(button.dataset.game));
  });
  slider.addEventListener("input", () => show(Number(slider.value)));
  const keys = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };
  const alone = document.querySelectorAll(".walkthrough").length === 1;
  document.addEventListener("keydown", (event) => {
    const step = keys[event.key];
    const inside = root.contains(event.target);
    const typing = event.target !== slider && /^(input|select|textarea)$/i.test(event.target.tagName);
    if (!step || typing || event.altKey || event.ctrlKey || event.metaKey || !(inside || alone)) return;
    // Outside the walkthrough, Home and End scroll the page.
    if (!inside && step !== "back" && step !== "on") return;
    event.preventDefault();
    show(steps[step]());
  });
  root.classList.add("live");
  open(0);
}
