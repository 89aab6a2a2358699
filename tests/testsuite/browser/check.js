// Runs in a page that is to be checked, inside a frame of a given width. Sends what is wrong, and
// the colours of the page, to the page around it.
addEventListener("load", () => {
  const faults = [];
  const fault = (text) => faults.length < 20 && faults.push(text);
  const named = (element) => `${element.tagName.toLowerCase()}.${element.getAttribute("class") || ""} ` +
    `"${(element.textContent || "").trim().slice(0, 40)}"`;

  const fits = (when) => {
    const width = document.documentElement.clientWidth;
    for (const element of document.body.querySelectorAll("*")) {
      const svg = element.closest("svg");
      const box = element.getBoundingClientRect();
      if (!box.width || !box.height) continue;
      if (svg && svg !== element) {
        const own = svg.getBoundingClientRect();
        const inside = box.left >= own.left - 1 && box.right <= own.right + 1 && box.bottom <= own.bottom + 1;
        if (element.tagName === "text" && !inside) fault(`${when}: ${named(element)} lies outside its picture`);
        continue;
      }
      if (box.left < -0.5 || box.right > width + 0.5) {
        fault(`${when}: ${named(element)} reaches from ${box.left} to ${box.right} of ${width}`);
      }
      const flows = getComputedStyle(element).display !== "inline" && element.clientWidth;
      if (flows && element.scrollWidth > element.clientWidth + 1) {
        fault(`${when}: ${named(element)} is ${element.scrollWidth} wide in ${element.clientWidth}`);
      }
    }
  };

  const press = (key) =>
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));

  const steps = () => {
    const root = document.querySelector(".walkthrough");
    if (!root || document.querySelectorAll(".walkthrough").length > 1) return;
    const where = root.querySelector("[data-part=where]");
    const board = root.querySelector("[data-part=board]");
    const wanted = (text) => where.textContent.includes(text) || fault(`expected "${text}", found "${where.textContent}"`);
    wanted("Before the first ply");
    const before = board.innerHTML;
    press("ArrowRight");
    wanted("Ply 1 of ");
    if (board.innerHTML === before) fault("the first ply changes no picture");
    if (!root.querySelector(".lit")) fault("no clause of the first ply is lit");
    if (!root.querySelectorAll("[data-part=told] li").length) fault("no clause of the first ply is told");
    fits("after a ply");
    root.querySelector("[data-step=last]").click();
    const plies = root.querySelectorAll(".plies:not([hidden]) li").length;
    wanted(`Ply ${plies} of ${plies}`);
    fits("at the end");
    press("ArrowLeft");
    wanted(`Ply ${plies - 1} of ${plies}`);
    root.querySelector(".plies:not([hidden]) [data-ply]").click();
    wanted("Ply 1 of ");
    const tabs = root.querySelectorAll("[data-game]");
    if (tabs.length) {
      tabs[tabs.length - 1].click();
      wanted("Before the first ply");
      if (tabs[tabs.length - 1].getAttribute("aria-pressed") !== "true") fault("the tab is not pressed");
      fits("in another game");
    }
  };

  const luminance = (color) => {
    const parts = color.match(/[\d.]+/g).slice(0, 3).map((part) => {
      const value = Number(part) / 255;
      return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2];
  };

  // The contrast of text as WCAG 2 defines it.
  const contrasts = () => {
    const paper = luminance(getComputedStyle(document.querySelector("main")).backgroundColor);
    for (const element of document.querySelectorAll("main p, main li, main td, main th, main code, main a, main summary")) {
      let behind = element;
      while (behind && /rgba\(0, 0, 0, 0\)|transparent/.test(getComputedStyle(behind).backgroundColor)) behind = behind.parentElement;
      const back = behind ? luminance(getComputedStyle(behind).backgroundColor) : paper;
      const ink = luminance(getComputedStyle(element).color);
      const ratio = (Math.max(ink, back) + 0.05) / (Math.min(ink, back) + 0.05);
      if (ratio < 4.5) fault(`${named(element)} has a contrast of ${ratio.toFixed(1)}`);
    }
  };

  for (const control of document.querySelectorAll("button, input")) {
    if (!control.getAttribute("aria-label") && !control.textContent.trim()) fault(`${named(control)} has no label`);
  }
  fits("at first");
  steps();
  for (const details of document.querySelectorAll("details")) details.open = true;
  fits("unfolded");
  contrasts();
  const paper = getComputedStyle(document.querySelector("main")).backgroundColor;
  parent.postMessage({ page: window.name, faults, paper }, "*");
});
