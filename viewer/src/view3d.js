// The mechanism in the 3D view: bodies, ground, layers, fitting the camera, picking a link.
import { Raycaster, Vector2, Vector3 } from "three";
import { byId, listeners } from "./dom.js";
import { createGround } from "./ground.js";
import { bodyPoses, centreOfMass, positionAt, toWorld } from "./kinematics.js";
import { createLabels } from "./labels.js";
import { add, scale } from "./group.js";
import { createLayers, createMechanismLayers } from "./layers.js";
import { createShadows } from "./shadows.js";
import { createBodies, drawnPose, placeBodies } from "./shapes.js";
import { createStage } from "./stage.js";

/** Corners of all bodies in these poses, in the world. */
function cornersAt(bodies, poses) {
  return poses.flatMap((pose, index) => {
    const { corners, shapes } = bodies[index];
    if (index === 0 && shapes.children.length === 0) return [];
    return corners.map((corner) => toWorld(pose, corner));
  });
}

/** The middle and half the diagonal of the box around points, and how low they reach. */
function extent(points, size) {
  if (points.length === 0) return { centre: [0, 0, 0], radius: size / 2, lowest: 0 };
  const [low, high] = [Math.min, Math.max].map((pick) =>
    [0, 1, 2].map((i) => points.reduce((best, point) => pick(best, point[i]), points[0][i])));
  const centre = low.map((value, i) => (value + high[i]) / 2);
  const radius = Math.max(size / 10, Math.hypot(...low.map((value, i) => high[i] - value)) / 2);
  return { centre, radius, lowest: low[2] };
}

/** Some positions of a run, evenly spread; fewer where there is much to place. */
function positionsOfRun(data, corners) {
  const { time } = data.run;
  const [start, end] = [time[0], time[time.length - 1]];
  const count = Math.min(time.length, Math.max(25, Math.floor(60000 / corners)), 400);
  return Array.from({ length: count }, (_, i) => positionAt(data, start + ((end - start) * i) / Math.max(1, count - 1)));
}

/** The corners over a whole run; `centred` moves the centre of mass to where it is at the start. */
function cornersOfRun(data, bodies, centred) {
  let first = null;
  return positionsOfRun(data, bodies.reduce((sum, body) => sum + body.corners.length, 1)).flatMap((q) => {
    const poses = bodyPoses(data, q);
    const points = cornersAt(bodies, poses);
    const centre = centred ? centreOfMass(data, poses) : null;
    if (!centre) return points;
    first ??= centre;
    const shift = add(first, scale(-1, centre));
    return points.map((point) => add(point, shift));
  });
}

/** Height of the ground: z = 0, unless the mechanism reaches below it. */
function groundHeight(lowest, data) {
  const floats = Math.hypot(...data.gravity) === 0;
  if (floats) return lowest - data.size * 0.15;
  return lowest > -0.03 * data.size ? 0 : lowest;
}

export function createView(container, data, mechanism, clock) {
  const stage = createStage(container, data.size);
  const { root, bodies } = createBodies(data);
  stage.scene.add(root);
  const own = createMechanismLayers(data, bodies, mechanism.poses, root);
  const first = cornersAt(bodies, mechanism.poses);
  const swept = data.run ? cornersOfRun(data, bodies, false) : first;
  const travels = extent(swept, data.size).radius > 6 * extent(first, data.size).radius;
  const whole = travels ? cornersOfRun(data, bodies, true) : swept;
  const at = extent(whole, data.size);
  const height = groundHeight(at.lowest, data);
  const ground = createGround(at.radius * 1.8, [at.centre[0], at.centre[1], height]);
  const shadows = createShadows(bodies, height);
  stage.scene.add(ground.grid, shadows.root);
  const labels = createLabels(byId("labels"), stage);
  const layers = createLayers({ data, bodies, root, own, ground, shadows, labels, redraw: stage.requestDraw });
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
      const points = data.run && !view.follow ? whole : cornersAt(bodies, mechanism.poses);
      const { centre, radius } = extent(points, data.size);
      stage.fit(points, centre, radius, direction);
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
    /** Where a point of the world is on the canvas, in pixels. */
    toScreen(place) {
      stage.camera.updateMatrixWorld();
      const point = new Vector3(...place).project(stage.camera);
      return [((point.x + 1) / 2) * container.clientWidth, ((1 - point.y) / 2) * container.clientHeight];
    },
    /** Where the middle of a body is on the canvas. */
    project: (index) => view.toScreen(extent(cornersAt([bodies[index]], [mechanism.poses[index]]), data.size).centre),
  };

  stage.onDraw(labels.update);
  if (stage.available) listenForPicks(stage, root, picked);
  view.update();
  const fitFirst = () => stage.fit(whole, at.centre, at.radius);
  fitFirst();
  // Until someone turns or moves the view, it shows everything at any size of the window.
  stage.onResize(() => {
    if (!stage.touched) fitFirst();
  });
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
