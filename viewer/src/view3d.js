// The mechanism in the 3D view: bodies, ground, layers, fitting the camera, picking a link.
import { Raycaster, Vector2, Vector3 } from "three";
import { byId, listeners } from "./dom.js";
import { createGround } from "./ground.js";
import { bodyPoses, centreOfMass, positionAt, toWorld } from "./kinematics.js";
import { createLabels } from "./labels.js";
import { createLayers } from "./layers.js";
import { createShadows } from "./shadows.js";
import { createBodies, drawnPose, placeBodies } from "./shapes.js";
import { createStage } from "./stage.js";

/** The box that holds the balls of all bodies in these poses. */
function reach(bodies, poses, box) {
  poses.forEach((pose, index) => {
    const { centre, radius } = bodies[index].ball;
    const middle = toWorld(pose, centre);
    if (index === 0 && radius === 0) return;
    for (let i = 0; i < 3; ++i) {
      box.low[i] = Math.min(box.low[i], middle[i] - radius);
      box.high[i] = Math.max(box.high[i], middle[i] + radius);
    }
  });
  return box;
}

const emptyBox = () => ({ low: [Infinity, Infinity, Infinity], high: [-Infinity, -Infinity, -Infinity] });

/** Centre and radius of a box, at least a tenth of the mechanism. */
function ballOf({ low, high }, size) {
  if (!(low[0] <= high[0])) return { centre: [0, 0, 0], radius: size / 2 };
  const centre = low.map((value, i) => (value + high[i]) / 2);
  const radius = Math.hypot(...low.map((value, i) => high[i] - value)) / 2;
  return { centre, radius: Math.max(radius * 0.86, size * 0.1) };
}

/** The box of a whole run, from a few of its samples. */
function reachOfRun(data, bodies) {
  const { start, end } = { start: data.run.time[0], end: data.run.time[data.run.time.length - 1] };
  const box = emptyBox();
  for (let i = 0; i <= 16; ++i) {
    reach(bodies, bodyPoses(data, positionAt(data, start + ((end - start) * i) / 16)), box);
  }
  return box;
}

/** Height of the ground: z = 0, unless the mechanism reaches below it. */
function groundHeight(box, data) {
  const lowest = Number.isFinite(box.low[2]) ? box.low[2] : 0;
  const floats = Math.hypot(...data.gravity) === 0;
  if (floats) return lowest - data.size * 0.15;
  return lowest > -0.03 * data.size ? 0 : lowest;
}

export function createView(container, data, mechanism, clock) {
  const stage = createStage(container, data.size);
  const { root, bodies } = createBodies(data);
  stage.scene.add(root);
  const first = reach(bodies, mechanism.poses, emptyBox());
  const whole = data.run ? reachOfRun(data, bodies) : first;
  const travels = ballOf(whole, data.size).radius > 6 * ballOf(first, data.size).radius;
  const fitted = travels ? first : whole;
  const at = ballOf(fitted, data.size);
  const height = groundHeight(fitted, data);
  const ground = createGround(at.radius * 2, [at.centre[0], at.centre[1], height]);
  const shadows = createShadows(bodies, height);
  stage.scene.add(ground.grid, shadows.root);
  const labels = createLabels(byId("labels"), stage);
  const layers = createLayers({ data, bodies, root, ground, shadows, labels, redraw: stage.requestDraw });
  const picked = listeners();
  let followed = null;

  function followMass() {
    const centre = centreOfMass(data, mechanism.poses);
    if (!view.follow || !centre || !stage.controls) {
      followed = null;
      return;
    }
    if (followed) {
      const shift = new Vector3(...centre).sub(followed);
      stage.camera.position.add(shift);
      stage.controls.target.add(shift);
      ground.moveTo(stage.controls.target.x, stage.controls.target.y);
    }
    followed = new Vector3(...centre);
  }

  const view = {
    available: stage.available,
    layers,
    follow: travels,
    onPick: picked.add,
    /** Draws the mechanism as it stands. */
    update() {
      placeBodies(bodies, mechanism.poses);
      shadows.update();
      followMass();
      layers.update({ poses: mechanism.poses, time: clock?.time ?? 0 });
      stage.requestDraw();
    },
    setFollow(follow) {
      view.follow = follow;
      view.update();
    },
    /** Shows all of the mechanism; keeps the direction of view. */
    fit(direction = stage.direction()) {
      const here = data.run && !view.follow ? whole : reach(bodies, mechanism.poses, emptyBox());
      const { centre, radius } = ballOf(here, data.size);
      stage.fit(new Vector3(...centre), radius, direction);
    },
    setColours({ grid, shadow }) {
      ground.setColour(grid);
      shadows.setStrength(shadow);
      stage.requestDraw();
    },
    highlight(body) {
      bodies.forEach(({ shapes }, index) => {
        shapes.children.forEach((mesh) => mesh.material.emissive.set(index === body ? 0x2f6f95 : 0));
      });
      stage.requestDraw();
    },
    drawnPose: (index) => drawnPose(bodies[index].group),
    /** Where a body's origin is on the canvas, in pixels. */
    project(index) {
      stage.camera.updateMatrixWorld();
      const point = new Vector3(...toWorld(mechanism.poses[index], bodies[index].ball.centre)).project(stage.camera);
      return [((point.x + 1) / 2) * container.clientWidth, ((1 - point.y) / 2) * container.clientHeight];
    },
  };

  stage.onDraw(labels.update);
  if (stage.available) listenForPicks(stage, root, picked);
  view.update();
  stage.fit(new Vector3(...at.centre), at.radius);
  return view;
}

/** A click or tap that does not drag picks the link under it, or nothing. */
function listenForPicks(stage, root, picked) {
  let down = null;
  stage.canvas.addEventListener("pointerdown", (event) => {
    down = event.isPrimary && event.button === 0 ? [event.clientX, event.clientY] : null;
  });
  stage.canvas.addEventListener("pointerup", (event) => {
    if (!down || Math.hypot(event.clientX - down[0], event.clientY - down[1]) > 5) return;
    const frame = stage.canvas.getBoundingClientRect();
    const point = new Vector2(
      ((event.clientX - frame.left) / frame.width) * 2 - 1, 1 - ((event.clientY - frame.top) / frame.height) * 2);
    const ray = new Raycaster();
    ray.setFromCamera(point, stage.camera);
    const hit = ray.intersectObject(root, true).find(({ object }) =>
      object.userData.body !== undefined && object.parent.visible);
    picked.emit(hit ? hit.object.userData.body : null);
  });
}
