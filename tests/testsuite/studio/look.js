// Looks at the page as it is and returns what is wrong with it: text without contrast, controls
// without a name, controls outside the window, too small, or with a text that is cut off.
(() => {
  const faults = [];
  const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  canvas.canvas.width = canvas.canvas.height = 1;
  // Colours are drawn over each other, from the root to the element.
  const over = (colors) => {
    canvas.clearRect(0, 0, 1, 1);
    for (const color of colors) {
      canvas.fillStyle = color;
      canvas.fillRect(0, 0, 1, 1);
    }
    return [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const luminance = (color) => {
    const [r, g, b] = color.map((part) => {
      const share = part / 255;
      return share <= 0.03928 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (one, other) => {
    const [low, high] = [luminance(one), luminance(other)].sort((a, b) => a - b);
    return (high + 0.05) / (low + 0.05);
  };
  const ancestors = (element) => (element ? [...ancestors(element.parentElement), element] : []);
  const named = (element) => `${element.tagName.toLowerCase()}#${element.id}.${element.className} “${(element.innerText ?? "").slice(0, 40)}”`;
  const isSeen = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    && element.getClientRects().length > 0 && !element.closest("svg, .unseen, :disabled, [aria-hidden=true]:not(.ink)");

  for (const element of document.body.querySelectorAll("*")) {
    const hasText = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    if (!hasText || !isSeen(element) || element.tagName === "TEXTAREA" || element.tagName === "OPTION") continue;
    const style = getComputedStyle(element);
    const behind = ["white", ...ancestors(element).map((each) => getComputedStyle(each).backgroundColor)];
    const ratio = contrast(over(behind), over([...behind, style.color]));
    const size = parseFloat(style.fontSize);
    const isLarge = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    if (ratio < (isLarge ? 3 : 4.5)) faults.push(`contrast ${ratio.toFixed(2)} of ${named(element)}`);
  }
  for (const element of document.querySelectorAll("button, input, select, textarea, a[href], iframe, [role=button], [role=tab]")) {
    if (!isSeen(element) && !element.closest("svg")) continue;
    const label = element.getAttribute("aria-label") ?? element.labels?.[0]?.innerText ?? element.innerText ?? "";
    if (!(label.trim() || element.title)) faults.push(`no name: ${named(element)}`);
    if (element.closest("svg")) continue;
    const place = element.getBoundingClientRect();
    if (place.left < -1 || place.right > innerWidth + 1) faults.push(`outside the window: ${named(element)}`);
    if (element.tagName === "BUTTON" && element.scrollWidth > element.clientWidth + 1) faults.push(`cut off: ${named(element)}`);
    // Links within text may be as small as the text.
    const isInline = element.matches(".link, .go, .place, a") || element.type === "checkbox";
    if (!isInline && Math.min(place.width, place.height) < 24) faults.push(`small: ${named(element)} ${place.width}x${place.height}`);
  }
  if (document.documentElement.scrollWidth > innerWidth) faults.push(`the page is ${document.documentElement.scrollWidth} wide`);
  return faults;
})()
