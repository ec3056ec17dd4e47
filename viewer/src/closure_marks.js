// A mark where each loop closes, by kind: joints as hubs, a distance as a thin rod, lines and planes as such.
import {
  BoxGeometry, CylinderGeometry, EdgesGeometry, Group, LineBasicMaterial, LineSegments, Mesh, MeshPhongMaterial,
  Quaternion, SphereGeometry, Vector3,
} from "three";
import { closureFrames } from "./closures.js";
import { add, rotate, scale } from "./group.js";
import { place } from "./shapes.js";

export const closureColour = 0x7a5fc7;
const up = new Vector3(0, 0, 1);
const solid = () => new MeshPhongMaterial({ color: closureColour, specular: 0x1a1a1a, shininess: 30 });
const glass = () => new MeshPhongMaterial({ color: closureColour, transparent: true, opacity: 0.22, depthWrite: false, side: 2 });
const edgeMaterial = new LineBasicMaterial({ color: 0x10151a, transparent: true, opacity: 0.3 });

/** As thick as the hubs that are drawn for the joints; of files with shapes a part of the mechanism's size. */
export function markRadius(data) {
  const radii = data.bodies.flatMap((body) => body.shapes)
    .filter((shape) => shape.source === "layout" && ["cylinder", "sphere"].includes(shape.type)).map((shape) => shape.size[0])
    .sort((a, b) => a - b);
  return radii.length > 0 ? 1.12 * radii[Math.floor(radii.length / 2)] : 0.014 * data.size;
}

/** Turns a shape that stands along z so that it lies along `axis`. */
function along(object, axis) {
  object.quaternion.copy(new Quaternion().setFromUnitVectors(up, new Vector3(...axis).normalize()));
  return object;
}

function lined(geometry, material = solid()) {
  const mesh = new Mesh(geometry, material);
  if (!(geometry instanceof SphereGeometry)) mesh.add(new LineSegments(new EdgesGeometry(geometry, 40), edgeMaterial));
  return mesh;
}

const cylinder = (radius, length) => new CylinderGeometry(radius, radius, length, 36).rotateX(Math.PI / 2);
const ball = (radius) => new Mesh(new SphereGeometry(radius, 30, 20), solid());

/** The hub of a joint that closes a loop; it sits at b's closure frame. */
function hub(closure, r) {
  switch (closure.pair === "universal" ? "universal" : closure.joint) {
    case "revolute":
    case "continuous":
    case "helical":
      return [along(lined(cylinder(r, 2.9 * r)), closure.axis)];
    case "prismatic":
    case "cylindrical":
      return [along(lined(new BoxGeometry(2 * r, 2 * r, 3 * r)), closure.axis)];
    case "planar":
      return [along(lined(new BoxGeometry(3 * r, 3 * r, 0.8 * r)), closure.axis)];
    case "universal":
      return [ball(0.95 * r), along(lined(cylinder(0.45 * r, 3.2 * r)), closure.axis2)];
    case "fixed":
      return [lined(new BoxGeometry(2.1 * r, 2.1 * r, 2.1 * r))];
    default:
      return [ball(r)];
  }
}

/** What b carries of a closure's mark, and what a carries; `reach` is how far it sticks out. */
function marksOf(closure, r, size) {
  switch (closure.pair) {
    case "lower_pair":
    case "universal":
      return { onB: hub(closure, r), onA: [], reach: 1.6 * r };
    case "distance":
      return { onB: [ball(r)], onA: [ball(r)], reach: r };
    case "rolling": {
      const round = closure.disc ? along(lined(cylinder(closure.length, 0.5 * r), glass()), closure.axis2)
        : new Mesh(new SphereGeometry(closure.length, 36, 24), glass());
      return { onB: [round], onA: [], reach: closure.length };
    }
    default: {
      const isLine = closure.rows.length === 2;
      const rail = isLine ? along(lined(cylinder(0.28 * r, 0.6 * size)), closure.axis)
        : along(lined(new BoxGeometry(0.3 * size, 0.3 * size, 0.1 * r), glass()), closure.axis);
      return { onB: [ball(r)], onA: [rail], reach: r };
    }
  }
}

/** A thin rod between the two frames, which the bodies do not carry. */
function rodBetween(closure, r, root) {
  const rod = new Mesh(cylinder(0.35 * r, 1), solid());
  root.add(rod);
  return (poses) => {
    const { a, b } = closureFrames(closure, poses);
    const way = new Vector3(...b.p).sub(new Vector3(...a.p));
    const length = way.length();
    rod.visible = length > 1e-9;
    rod.position.set(...scale(0.5, add(a.p, b.p)));
    rod.scale.set(1, 1, Math.max(length, 1e-9));
    if (rod.visible) rod.quaternion.copy(new Quaternion().setFromUnitVectors(up, way.divideScalar(length)));
  };
}

/** The layer; bodies' `corners` grow by what their marks reach. */
export function closuresLayer(data, bodies, root) {
  const r = markRadius(data);
  const own = new Group();
  root.add(own);
  const objects = [own];
  const follow = [];
  const carry = (index, pose, meshes, reach) => {
    if (meshes.length === 0) return;
    const holder = new Group().add(...meshes);
    place(holder, pose);
    bodies[index].group.add(holder);
    objects.push(holder);
    for (const corner of [[-1, -1, -1], [-1, 1, 1], [1, -1, 1], [1, 1, -1], [1, 1, 1], [-1, -1, 1], [-1, 1, -1], [1, -1, -1]]) {
      bodies[index].corners.push(add(pose.p, rotate(pose.q, scale(reach, corner))));
    }
  };
  for (const closure of data.closures) {
    if (closure.pair === "gear") continue;
    const { onA, onB, reach } = marksOf(closure, r, data.size);
    carry(closure.a, closure.at_a, onA, reach);
    carry(closure.b, closure.at_b, onB, reach);
    if (closure.pair === "distance") follow.push(rodBetween(closure, r, own));
  }
  return { id: "closures", name: "Closures", objects, update: ({ poses }) => follow.forEach((update) => update(poses)) };
}
