// The ground: a grid that fades towards its rim.
import { BufferGeometry, Float32BufferAttribute, LineBasicMaterial, LineSegments } from "three";

/** A round cell size of about a quarter of `size`. */
function cellSize(size) {
  const power = 10 ** Math.floor(Math.log10(size / 4));
  return [1, 2, 5, 10].find((k) => k * power >= size / 4) * power;
}

function gridGeometry(cell, cells) {
  const positions = [];
  const colours = [];
  const rim = cells * cell;
  const vertex = (x, y, strong) => {
    positions.push(x, y, 0);
    const fade = Math.max(0, 1 - Math.hypot(x, y) / rim);
    colours.push(1, 1, 1, fade ** 1.5 * (strong ? 0.8 : 0.32));
  };
  for (let i = -cells; i <= cells; ++i) {
    for (let j = -cells; j < cells; ++j) {
      const strong = i % 5 === 0;
      vertex(i * cell, j * cell, strong);
      vertex(i * cell, (j + 1) * cell, strong);
      vertex(j * cell, i * cell, strong);
      vertex((j + 1) * cell, i * cell, strong);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new Float32BufferAttribute(positions, 3));
  geometry.setAttribute("color", new Float32BufferAttribute(colours, 4));
  return geometry;
}

/** Ground at height z around (x, y). */
export function createGround(size, [x, y, z]) {
  const cell = cellSize(size);
  const material = new LineBasicMaterial({ vertexColors: true, transparent: true, depthWrite: false });
  const grid = new LineSegments(gridGeometry(cell, 25), material);
  /** Keeps the middle of the grid near (x, y), whole cells at a time, so that its lines stand still. */
  const moveTo = (nearX, nearY) =>
    grid.position.set(Math.round(nearX / cell) * cell, Math.round(nearY / cell) * cell, z - size * 0.001);
  moveTo(x, y);
  return { grid, moveTo, setColour: (colour) => material.color.set(colour) };
}
