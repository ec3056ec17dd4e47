// Shadows on the ground: every shape once more, pressed flat along the light. This costs far less than shadow
// maps, and is as sharp as the sun.
import { DoubleSide, EqualStencilFunc, Group, IncrementStencilOp, Matrix4, Mesh, MeshBasicMaterial } from "three";

/** From where the light comes, for shadows and for the shading. */
export const sunDirection = [-0.5, -0.7, 1.6];

/** Moves every point along the light onto the plane at height z. */
function press(z) {
  const [x, y] = [sunDirection[0] / sunDirection[2], sunDirection[1] / sunDirection[2]];
  return new Matrix4().set(1, 0, -x, x * z, 0, 1, -y, y * z, 0, 0, 0, z, 0, 0, 0, 1);
}

/** `visible` of `root` belongs to the ground, that of `shapes` to the shapes. */
export function createShadows(bodies, z) {
  // The stencil lets each pixel be darkened once, however many shapes lie above it.
  const material = new MeshBasicMaterial({
    color: 0x000000, transparent: true, depthWrite: false, side: DoubleSide,
    stencilWrite: true, stencilRef: 0, stencilFunc: EqualStencilFunc, stencilZPass: IncrementStencilOp,
  });
  const root = new Group();
  const shapes = new Group();
  shapes.matrixAutoUpdate = false;
  shapes.matrix.copy(press(z));
  root.add(shapes);
  for (const body of bodies) {
    for (const shape of body.shapes.children) {
      const shadow = new Mesh(shape.geometry, material);
      shadow.matrixAutoUpdate = false;
      shadow.frustumCulled = false;
      shapes.add(shadow);
      body.shadows.push({ shadow, shape });
    }
  }
  return {
    root,
    shapes,
    setStrength(opacity) {
      material.opacity = opacity;
    },
    /** Follows the bodies. */
    update() {
      for (const body of bodies) {
        for (const { shadow, shape } of body.shadows) shadow.matrix.multiplyMatrices(body.group.matrix, shape.matrix);
      }
      root.updateMatrixWorld(true);
    },
  };
}
