// The bodies' shapes as three.js objects. Each body is one group whose matrix is its pose in the world.
import {
  BoxGeometry, BufferAttribute, BufferGeometry, CapsuleGeometry, Color, CylinderGeometry, DoubleSide,
  EdgesGeometry, FrontSide, Group, LineBasicMaterial, LineSegments, Mesh, MeshPhongMaterial, Quaternion, SphereGeometry,
  SRGBColorSpace, Vector3,
} from "three";

const plainColours = [0x8fa3b3, 0xc9b38c, 0x94ae9b, 0xb79bb0, 0xa7a59b, 0x9aa9c9];

/** Sets an object's matrix to a pose {p, q: [w, x, y, z]}. */
export function place(object, pose, size = [1, 1, 1]) {
  object.matrixAutoUpdate = false;
  object.matrix.compose(
    new Vector3(...pose.p), new Quaternion(pose.q[1], pose.q[2], pose.q[3], pose.q[0]), new Vector3(...size));
  object.matrixWorldNeedsUpdate = true;
}

function meshGeometry(mesh) {
  const indexed = new BufferGeometry();
  indexed.setAttribute("position", new BufferAttribute(Float32Array.from(mesh.positions), 3));
  indexed.setIndex(new BufferAttribute(Uint32Array.from(mesh.indices), 1));
  // Without shared corners every facet keeps its own normal: machined parts look as they are.
  const flat = indexed.toNonIndexed();
  flat.computeVertexNormals();
  return flat;
}

/** Cylinders and capsules stand along z, as in the model. The length of a capsule is its straight part. */
function shapeGeometry(shape, meshes) {
  const [a, b, c] = shape.size ?? [];
  switch (shape.type) {
    case "box":
      return new BoxGeometry(a, b, c);
    case "cylinder":
      return new CylinderGeometry(a, a, b, 40).rotateX(Math.PI / 2);
    case "capsule":
      return new CapsuleGeometry(a, b, 10, 32).rotateX(Math.PI / 2);
    case "sphere":
      return new SphereGeometry(a, 36, 24);
    case "mesh":
      return meshes[shape.mesh] ? meshGeometry(meshes[shape.mesh]) : null;
    default:
      return null;
  }
}

function shapeMaterial(shape, bodyIndex) {
  const [r, g, b, a] = shape.color ?? [];
  const colour = new Color(plainColours[bodyIndex % plainColours.length]);
  if (shape.color) colour.setRGB(r, g, b, SRGBColorSpace);
  const alpha = shape.color ? (a ?? 1) : 1;
  return new MeshPhongMaterial({
    color: colour,
    specular: 0x1a1a1a,
    shininess: 24,
    transparent: alpha < 1,
    opacity: alpha,
    side: shape.type === "mesh" ? DoubleSide : FrontSide,
  });
}

/** Equal shapes share one geometry; `edges` are the lines of boxes and cylinders. */
const geometries = new Map();
function sharedGeometry(shape, meshes) {
  const key = JSON.stringify([shape.type, shape.type === "mesh" ? shape.mesh : shape.size]);
  if (!geometries.has(key)) {
    const geometry = shapeGeometry(shape, meshes);
    const lined = geometry && (shape.type === "box" || shape.type === "cylinder");
    geometries.set(key, { geometry, edges: lined ? new EdgesGeometry(geometry, 40) : null });
  }
  return geometries.get(key);
}

const edgeMaterial = new LineBasicMaterial({ color: 0x10151a, transparent: true, opacity: 0.22 });

function shapeObject(shape, bodyIndex, meshes) {
  const { geometry, edges } = sharedGeometry(shape, meshes);
  if (!geometry) return null;
  const mesh = new Mesh(geometry, shapeMaterial(shape, bodyIndex));
  if (edges) mesh.add(new LineSegments(edges, edgeMaterial));
  place(mesh, shape.pose, shape.type === "mesh" ? (shape.size ?? [1, 1, 1]) : [1, 1, 1]);
  mesh.userData.body = bodyIndex;
  return mesh;
}

/** One group per body, with its shapes and the box of its inertia in subgroups that layers show and hide. */
export function createBodies(data) {
  const root = new Group();
  const bodies = data.bodies.map((body, index) => {
    const group = new Group();
    place(group, { p: [0, 0, 0], q: [1, 0, 0, 0] });
    const [shapes, inertia] = [new Group(), new Group()];
    for (const shape of body.shapes) {
      const object = shapeObject(shape, index, data.meshes);
      if (object) (shape.source === "inertia" ? inertia : shapes).add(object);
    }
    group.add(shapes, inertia);
    group.updateMatrixWorld(true);
    root.add(group);
    return { group, shapes, inertia, shadows: [], corners: boundingCorners(shapes, body) };
  });
  return { root, bodies };
}

/** Corners of the boxes around all that a body shows, each along its own shape, in the body's frame. */
function boundingCorners(shapes, body) {
  if (shapes.children.length === 0) return [[...body.com]];
  return shapes.children.flatMap((shape) => {
    shape.geometry.boundingBox ?? shape.geometry.computeBoundingBox();
    const { min, max } = shape.geometry.boundingBox;
    const corners = [min.x, max.x].flatMap((x) => [min.y, max.y].flatMap((y) => [min.z, max.z].map((z) => new Vector3(x, y, z))));
    return corners.map((corner) => corner.applyMatrix4(shape.matrix).toArray());
  });
}

/** Moves all groups to these poses. */
export function placeBodies(bodies, poses) {
  poses.forEach((pose, index) => {
    place(bodies[index].group, pose);
    bodies[index].group.updateMatrixWorld(true);
  });
}

/** Pose of a drawn object, read from its matrix. */
export function drawnPose(object) {
  const p = new Vector3();
  const q = new Quaternion();
  object.matrixWorld.decompose(p, q, new Vector3());
  return { p: p.toArray(), q: [q.w, q.x, q.y, q.z] };
}
