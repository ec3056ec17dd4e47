// What can be shown over the shapes: joint axes, frames with names, centres of mass, inertias, closures, springs,
// forces, the path of a frame. Every layer is {id, name, shown, show(shown)}; `update` follows the mechanism.
import { BufferGeometry, Float32BufferAttribute, Group, Line, LineBasicMaterial } from "three";
import { closuresLayer } from "./closure_marks.js";
import { closureForcesLayer, forcesLayer } from "./force_layers.js";
import { bodyPoses, centreOfMass, positionAt, toWorld } from "./kinematics.js";
import { createAxis, createCross, createMassSign } from "./markers.js";
import { place } from "./shapes.js";
import { springsLayer } from "./springs.js";

const axisColour = 0xe08a1e;
const trailColour = 0x2f8fc4;

/** The lines a joint moves about or along: [axis, on the child?]. */
function axesOf(joint) {
  const across = (mode) => (Math.hypot(...mode.slice(0, 3)) > 0 ? mode.slice(0, 3) : mode.slice(3, 6));
  switch (joint.type) {
    case "fixed":
    case "spherical":
    case "free":
      return [];
    case "universal":
      return [[joint.axis, false], [joint.axis2, true]];
    case "custom":
      return joint.modes.map((mode) => [across(mode), true]);
    default:
      return [[joint.axis, false]];
  }
}

function axesLayer(data, bodies) {
  const groups = [];
  for (const joint of data.joints) {
    for (const [axis, onChild] of axesOf(joint)) {
      const line = new Group();
      line.add(createAxis(axis, data.size * 0.2, axisColour));
      if (!onChild) place(line, joint.pose);
      bodies[onChild ? joint.child : joint.parent].group.add(line);
      groups.push(line);
    }
  }
  return { id: "axes", name: "Joint axes", objects: groups };
}

function framesLayer(data, bodies, labels) {
  const crosses = [];
  const named = new Set(data.frames.map((frame) => frame.name));
  const cross = (body, pose, name, kind, length) => {
    const lines = createCross(length);
    place(lines, pose);
    bodies[body].group.add(lines);
    crosses.push(lines);
    labels.add(lines, name, kind);
  };
  for (const frame of data.frames) cross(frame.body, frame.pose, frame.name, "frame", data.size * 0.09);
  data.bodies.forEach((body, index) => {
    if (!named.has(body.name)) {
      cross(index, { p: [0, 0, 0], q: [1, 0, 0, 0] }, body.name, "body", data.size * 0.06);
    }
  });
  for (const closure of data.closures.filter(({ pair }) => pair !== "gear")) {
    const spot = new Group();
    place(spot, closure.at_b);
    bodies[closure.b].group.add(spot);
    labels.add(spot, closure.name, "closure");
  }
  return { id: "frames", name: "Frames and names", objects: crosses, labels };
}

function massLayer(data, bodies, root) {
  const signs = data.bodies.flatMap((body, index) => {
    if (index === 0 || !(body.mass > 0)) return [];
    const sign = createMassSign(0.014);
    sign.position.set(...body.com);
    bodies[index].group.add(sign);
    return [sign];
  });
  const whole = createMassSign(0.032);
  root.add(whole);
  return {
    id: "mass",
    name: "Centre of mass",
    objects: [...signs, whole],
    update({ poses }) {
      const centre = centreOfMass(data, poses);
      if (centre) whole.position.set(...centre);
      else whole.scale.set(0, 0, 0);
    },
  };
}

/** The path of one frame over the whole run; `follow(place)` chooses {body, p} or null. */
function createTrail(data, root) {
  const line = new Line(new BufferGeometry(), new LineBasicMaterial({ color: trailColour, transparent: true, opacity: 0.9 }));
  line.frustumCulled = false;
  line.visible = false;
  root.add(line);
  return {
    follow(target) {
      line.visible = target !== null;
      if (!target) return;
      const { time } = data.run;
      const count = Math.min(time.length, 1500);
      const points = [];
      for (let i = 0; i < count; ++i) {
        const t = time[Math.round((i * (time.length - 1)) / Math.max(1, count - 1))];
        points.push(...toWorld(bodyPoses(data, positionAt(data, t))[target.body], target.p));
      }
      line.geometry.setAttribute("position", new Float32BufferAttribute(points, 3));
    },
  };
}

function shapesLayer(bodies, shadows) {
  return { id: "shapes", name: "Shapes", objects: [...bodies.map((body) => body.shapes), shadows.shapes] };
}

/** The uniform box that has a body's mass and inertia. */
const inertiaLayer = (bodies) => ({ id: "inertia", name: "Inertia as boxes", objects: bodies.map((body) => body.inertia) });

const shownFirst = {
  shapes: true, ground: true, axes: false, frames: false, mass: false, inertia: false, closures: true, springs: true, forces: true,
  "closure-forces": false,
};

/** Marks that belong to the mechanism: they are made before the view is fitted to it. */
export const createMechanismLayers = (data, bodies, poses, root) => [
  ...(data.closures.some(({ pair }) => pair !== "gear") ? [closuresLayer(data, bodies, root)] : []),
  ...(data.springs.length ? [springsLayer(data, bodies, poses, root)] : []),
];

/** All layers of this data, `own` among them; `show(id, shown)` switches one. */
export function createLayers({ data, bodies, root, own, ground, shadows, labels, redraw }) {
  const all = [
    shapesLayer(bodies, shadows),
    axesLayer(data, bodies),
    framesLayer(data, bodies, labels),
    massLayer(data, bodies, root),
    inertiaLayer(bodies),
    ...own,
    ...(data.run?.forces.length ? [forcesLayer(data, root)] : []),
    data.run ? closureForcesLayer(data, root) : null,
    { id: "ground", name: "Ground", objects: [ground.grid, shadows.root] },
  ].filter(Boolean);
  const trail = data.run ? createTrail(data, root) : null;
  let last = null;
  const layers = {
    all,
    update(now) {
      last = now;
      for (const layer of all) layer.update?.(now);
    },
    show(id, shown) {
      const layer = all.find((candidate) => candidate.id === id);
      if (!layer) return;
      layer.shown = shown;
      for (const object of layer.objects) object.visible = shown;
      layer.labels?.show(shown);
      if (last) layer.update?.(last);
      redraw();
    },
    trail: trail && {
      follow(target) {
        trail.follow(target);
        redraw();
      },
    },
  };
  for (const layer of all) layers.show(layer.id, shownFirst[layer.id]);
  return layers;
}
