//! What is downloaded is what the page shows: pictures, records, rules.

use super::{Host, Visit};
use serde_json::{Value, json};

on_both! {
    what_is_downloaded_is_what_the_page_shows,
}

/// Keeps what the page makes files of, in place of downloading it, and the pictures that it was given.
pub const CATCH: &str = "(() => {
  window.caught = [];
  const made = new Map();
  const create = URL.createObjectURL;
  URL.createObjectURL = (blob) => { const address = create(blob); made.set(address, blob); return address; };
  HTMLAnchorElement.prototype.click = function () { window.caught.push({ name: this.download, blob: Promise.resolve(made.get(this.href)) }); };
  const ask = window.fetch;
  window.fetch = async (address, ...rest) => {
    const answer = await ask(address, ...rest);
    if (String(address).endsWith('/frames')) window.frames_ = (await answer.clone().json()).frames;
    return answer;
  };
})()";

/// Draws the pictures of the program, decodes the moving picture, and returns how far each position of it
/// is from its picture on average, of 255, each in the middle of a size that fits all.
const COMPARE: &str = "(async () => {
  const blob = await window.caught.find(({ name }) => name.endsWith('.gif')).blob;
  const decoder = new ImageDecoder({ type: 'image/gif', data: await blob.arrayBuffer() });
  await decoder.tracks.ready;
  const images = await Promise.all(window.frames_.map(async (svg) => {
    const image = new Image();
    image.src = 'data:image/svg+xml;charset=utf-8,' + encodeURIComponent(svg);
    await image.decode();
    return image;
  }));
  const sizes = new Set(images.map((image) => image.naturalHeight)).size;
  const [width, height] = [Math.max(...images.map((each) => each.naturalWidth)), Math.max(...images.map((each) => each.naturalHeight))];
  const pixels = (draw, size) => {
    const canvas = new OffscreenCanvas(size[0], size[1]);
    const context = canvas.getContext('2d');
    context.fillStyle = '#fff';
    context.fillRect(0, 0, ...size);
    draw(context);
    return context.getImageData(0, 0, ...size).data;
  };
  const differences = [];
  for (let index = 0; index < images.length; index++) {
    const { image } = await decoder.decode({ frameIndex: index });
    const size = [image.displayWidth, image.displayHeight];
    const shown = pixels((context) => context.drawImage(image, 0, 0), size);
    image.close();
    const meant = pixels((context) => {
      const scale = size[0] / width;
      const own = images[index];
      context.drawImage(own, (width - own.naturalWidth) / 2 * scale, 0, own.naturalWidth * scale, own.naturalHeight * scale);
    }, size);
    let sum = 0;
    for (let at = 0; at < shown.length; at += 4) for (let part = 0; part < 3; part++) sum += Math.abs(shown[at + part] - meant[at + part]);
    differences.push(sum / (shown.length * 3 / 4));
  }
  return { sizes, frames: decoder.tracks.selectedTrack.frameCount, differences };
})()";

fn what_is_downloaded_is_what_the_page_shows(host: Host) {
    let Some(mut visit) = Visit::at(host, "sharing", &[], Some("kitaran")) else { return };
    visit.wait_for_choices(25);
    visit.page.eval(CATCH);
    // The legend explains what is fresh, once something is.
    for (number, site) in ["c3", "c2", "b3", "d2", "a1"].into_iter().enumerate() {
        visit.page.click(&format!("#board [data-site={site}]"));
        visit.wait_for_plies(number + 1);
        visit.page.until("document.querySelector('#board [data-site].can')");
    }
    visit.page.click("#tab-share");
    visit.page.click("#share-gif");
    visit.page.until("window.caught.some(({ name }) => name === 'kitaran.gif')");
    // The pictures of which it is made are seen on their way from the server.
    if host == Host::Server {
        let compared = visit.page.eval(COMPARE);
        assert_eq!(compared["frames"], 6, "{compared}");
        assert!(compared["sizes"].as_u64() > Some(1), "the legend grows: {compared}");
        let differences = compared["differences"].as_array().expect("numbers");
        let is_near = |one: &Value| one.as_f64().is_some_and(|one| one < 6.0);
        assert!(differences.iter().all(is_near), "{compared}");
    }
    // A picture is as large as it says, a record has the plies.
    visit.page.click("#share-png");
    visit.page.until("window.caught.some(({ name }) => name === 'kitaran.png')");
    let size = visit.page.eval(
        "window.caught.find(({ name }) => name === 'kitaran.png').blob.then(createImageBitmap).then((one) => Math.max(one.width, one.height))",
    );
    assert_eq!(size, 1200);
    for (button, name) in [("record", ".record"), ("file", ".game")] {
        // A record has the whole line, wherever one looks at it.
        let steps = if button == "record" { ["#undo", "#redo"] } else { ["#redo", "#undo"] };
        visit.page.click(steps[0]);
        visit.page.until(&format!("!document.querySelector('{}').disabled", steps[1]));
        visit.page.click(&format!("#share-{button}"));
        let found = format!("window.caught.find(({{ name }}) => name.endsWith({}))", json!(name));
        visit.page.until(&format!("Boolean({found})"));
        let text = visit.page.eval(&format!("{found}.blob.then((blob) => blob.text())"));
        let text = text.as_str().unwrap_or_default();
        assert!(text.contains("place c3") && text.contains("place a1"), "{button}: {text}");
    }
    // The page to step through has a title of its own and no address of the studio's.
    visit.page.click(if host == Host::Page { "#share-page" } else { "#save-page" });
    let found = "window.caught.find(({ name }) => name.endsWith('.html'))";
    visit.page.until(&format!("Boolean({found})"));
    let page = visit.page.eval(&format!("{found}.blob.then((blob) => blob.text())"));
    let page = page.as_str().unwrap_or_default();
    let title = page.split("<title>").nth(1).and_then(|rest| rest.split("</title>").next());
    assert!(title.is_some_and(|title| title.contains("Kitaran")), "{title:?}");
    for address in ["localhost", "127.0.0.1", "file://", "blob:"] {
        assert!(!page.contains(address), "{address}");
    }
    visit.end();
}
