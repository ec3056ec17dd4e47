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

/** The corners over a whole run, from a few of its samples. */
function cornersOfRun(data, bodies) {
  const { time } = data.run;
  const [start, end] = [time[0], time[time.length - 1]];
  return Array.from({ length: 17 }, (_, i) => positionAt(data, start + ((end - start) * i) / 16))
    .flatMap((q) => cornersAt(bodies, bodyPoses(data, q)));
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
  const first = cornersAt(bodies, mechanism.poses);
  const whole = data.run ? cornersOfRun(data, bodies) : first;
  const travels = extent(whole, data.size).radius > 6 * extent(first, data.size).radius;
  const at = extent(travels ? first : whole, data.size);
  const height = groundHeight(at.lowest, data);
  const ground = createGround(at.radius * 1.8, [at.centre[0], at.centre[1], height]);
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
    /** Where the middle of a body is on the canvas, in pixels. */
    project(index) {
      stage.camera.updateMatrixWorld();
      const { centre } = extent(cornersAt([bodies[index]], [mechanism.poses[index]]), data.size);
      const point = new Vector3(...centre).project(stage.camera);
      return [((point.x + 1) / 2) * container.clientWidth, ((1 - point.y) / 2) * container.clientHeight];
    },
  };

  stage.onDraw(labels.update);
  if (stage.available) listenForPicks(stage, root, picked);
  view.update();
  stage.fit(travels ? first : whole, at.centre, at.radius);
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
