// Pictures of the page.

/** Rows and columns between the picture's rim and what differs in two pictures of the stage: [left, top, right, bottom]. */
export const rimOfDifference = (page, pictures) => page.evaluate(async (texts) => {
  const [a, b] = await Promise.all(texts.map(async (text) => {
    const image = new Image();
    image.src = `data:image/png;base64,${text}`;
    await image.decode();
    const canvas = Object.assign(document.createElement("canvas"), { width: image.width, height: image.height });
    const pen = canvas.getContext("2d");
    pen.drawImage(image, 0, 0);
    return pen.getImageData(0, 0, image.width, image.height);
  }));
  let [left, top, right, bottom] = [a.width, a.height, a.width, a.height];
  for (let i = 0; i < a.data.length; i += 4) {
    if ([0, 1, 2].every((k) => Math.abs(a.data[i + k] - b.data[i + k]) < 12)) continue;
    const [x, y] = [(i / 4) % a.width, Math.floor(i / 4 / a.width)];
    [left, top] = [Math.min(left, x), Math.min(top, y)];
    [right, bottom] = [Math.min(right, a.width - 1 - x), Math.min(bottom, a.height - 1 - y)];
  }
  return [left, top, right, bottom];
}, pictures.map((picture) => picture.toString("base64")));

/** Plots take their new width in the frame after a change of size. */
export const settled = (page) => page.evaluate(() => new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)));
}));
