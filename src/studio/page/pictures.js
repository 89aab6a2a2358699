// Pictures of a game: the position as PNG, the game as an animated GIF. The page makes them because
// every browser can rasterize SVG, and without a rasterizer the module for browsers stays small.

import { attempt, element, tell } from "./dom.js";

/** The longer side in pixels, and the time of a position in hundredths of a second. */
const SIZE = { png: 1200, gif: 480 };
const DELAY = { each: 70, last: 300 };

/** Saves the position as a picture. @param {import("./transport.js").Connection} connection */
export async function savePng(connection) {
  const answer = await attempt(() => connection.ask("frames"));
  if (!answer) return;
  const [canvas] = await drawn([answer.frames.at(-1)], SIZE.png);
  canvas.toBlob((blob) => save(`${answer.name}.png`, blob), "image/png");
}

/** Saves the game so far as an animated picture. */
export async function saveGif(connection) {
  const answer = await attempt(() => connection.ask("frames"));
  if (!answer) return;
  if (answer.frames.length < 2) return tell("Play some plies first; the picture shows the game up to the position at hand.");
  tell("The picture is being drawn …");
  const images = (await drawn(answer.frames, SIZE.gif)).map((canvas) => canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height));
  save(`${answer.name}.gif`, new Blob([gif(images)], { type: "image/gif" }));
}

function save(name, blob) {
  const address = URL.createObjectURL(blob);
  element("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

/**
 * Draws pictures on canvases of one size. The legend below a board may grow during a game, so that
 * pictures differ in size; the boards stay where they are.
 * @param {string[]} svgs @param {number} size of the longer side
 * @returns {Promise<HTMLCanvasElement[]>}
 */
async function drawn(svgs, size) {
  const images = await Promise.all(svgs.map(async (svg) => {
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
    await image.decode();
    return image;
  }));
  const [width, height] = ["naturalWidth", "naturalHeight"].map((side) => Math.max(...images.map((image) => image[side])));
  const scale = size / Math.max(width, height);
  return images.map((image) => {
    const canvas = document.createElement("canvas");
    canvas.width = Math.round(width * scale);
    canvas.height = Math.round(height * scale);
    const context = canvas.getContext("2d", { willReadFrequently: true });
    context.fillStyle = "#fff";
    context.fillRect(0, 0, canvas.width, canvas.height);
    context.scale(scale, scale);
    context.drawImage(image, (width - image.naturalWidth) / 2, 0, image.naturalWidth, image.naturalHeight);
    return canvas;
  });
}

/** Encodes images of one size as a looping GIF (version 89a, 1990). @param {ImageData[]} images */
export function gif(images) {
  const [{ width, height }] = images;
  const colors = palette(images);
  const nearest = finder(colors);
  const bytes = [..."GIF89a"].map((letter) => letter.charCodeAt(0));
  const short = (number) => bytes.push(number & 255, number >> 8);
  short(width);
  short(height);
  bytes.push(0xf7, 0, 0);
  for (let index = 0; index < 256; index++) bytes.push(...colors[index] ?? [0, 0, 0]);
  bytes.push(0x21, 0xff, 11, ...[..."NETSCAPE2.0"].map((letter) => letter.charCodeAt(0)), 3, 1, 0, 0, 0);
  images.forEach(({ data }, number) => {
    bytes.push(0x21, 0xf9, 4, 0);
    short(number === images.length - 1 ? DELAY.last : DELAY.each);
    bytes.push(0, 0, 0x2c, 0, 0, 0, 0);
    short(width);
    short(height);
    bytes.push(0, 8);
    const pixels = new Uint8Array(width * height);
    for (let at = 0; at < pixels.length; at++) pixels[at] = nearest(data[4 * at], data[4 * at + 1], data[4 * at + 2]);
    const packed = lzw(pixels);
    for (let at = 0; at < packed.length; at += 255) {
      const block = packed.slice(at, at + 255);
      bytes.push(block.length, ...block);
    }
    bytes.push(0);
  });
  bytes.push(0x3b);
  return new Uint8Array(bytes);
}

/** Rounds a colour to 5 bits per channel. */
const coarse = (red, green, blue) => ((red >> 3) << 10) | ((green >> 3) << 5) | (blue >> 3);

/** Returns the 256 most frequent colours; boards have few. */
function palette(images) {
  const counts = new Map();
  for (const { data } of images) {
    for (let at = 0; at < data.length; at += 4) {
      const key = coarse(data[at], data[at + 1], data[at + 2]);
      const known = counts.get(key);
      if (known) known.count++;
      else counts.set(key, { count: 1, color: [data[at], data[at + 1], data[at + 2]] });
    }
  }
  return [...counts.values()].sort((one, other) => other.count - one.count).slice(0, 256).map(({ color }) => color);
}

function finder(colors) {
  const known = new Map();
  return (red, green, blue) => {
    const key = coarse(red, green, blue);
    const found = known.get(key);
    if (found !== undefined) return found;
    let best = 0;
    let least = Infinity;
    colors.forEach(([r, g, b], index) => {
      const distance = (r - red) ** 2 + (g - green) ** 2 + (b - blue) ** 2;
      if (distance < least) [best, least] = [index, distance];
    });
    known.set(key, best);
    return best;
  };
}

/** Packs pixels of 8 bits as GIF does (LZW, Welch 1984, with codes of 9 to 12 bits). */
function lzw(pixels) {
  const [clear, end] = [256, 257];
  const packed = [];
  let buffer = 0;
  let bits = 0;
  let size = 9;
  let next = 258;
  let codes = new Map();
  const write = (code) => {
    buffer |= code << bits;
    bits += size;
    while (bits >= 8) {
      packed.push(buffer & 255);
      buffer >>>= 8;
      bits -= 8;
    }
  };
  write(clear);
  let prefix = pixels[0];
  for (let at = 1; at < pixels.length; at++) {
    const key = prefix * 256 + pixels[at];
    const code = codes.get(key);
    if (code !== undefined) {
      prefix = code;
      continue;
    }
    write(prefix);
    if (next < 4096) {
      codes.set(key, next++);
      if (next - 1 === 1 << size && size < 12) size++;
    } else {
      write(clear);
      codes = new Map();
      next = 258;
      size = 9;
    }
    prefix = pixels[at];
  }
  write(prefix);
  write(end);
  if (bits) packed.push(buffer & 255);
  return packed;
}
