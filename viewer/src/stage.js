// The 3D view: camera, light, orbit controls. It draws only when something changed.
import {
  DirectionalLight, HemisphereLight, MOUSE, PerspectiveCamera, Scene, TOUCH, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { listeners } from "./dom.js";
import { sunDirection } from "./shadows.js";

const viewDirection = new Vector3(1.25, -1.6, 0.85).normalize();

function createRenderer(canvas) {
  const options = { antialias: true, alpha: true, stencil: true, powerPreference: "high-performance" };
  const context = canvas.getContext("webgl2", options);
  if (!context) return null;
  const renderer = new WebGLRenderer({ canvas, context, ...options });
  renderer.debug.checkShaderErrors = false;  // waiting for every compilation would delay the first picture
  renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2));
  return renderer;
}

function createControls(camera, canvas) {
  const controls = new OrbitControls(camera, canvas);
  controls.enableDamping = true;
  controls.dampingFactor = 0.12;
  controls.zoomToCursor = true;
  controls.mouseButtons = { LEFT: MOUSE.ROTATE, MIDDLE: MOUSE.PAN, RIGHT: MOUSE.PAN };
  controls.touches = { ONE: TOUCH.ROTATE, TWO: TOUCH.DOLLY_PAN };
  return controls;
}

function createLights() {
  const sky = new HemisphereLight(0xffffff, 0x9aa0a8, 1.5);
  sky.position.set(0, 0, 1);
  const sun = new DirectionalLight(0xffffff, 1.8);
  sun.position.set(...sunDirection);
  // A weak lamp at the camera, so that sides in the shade keep their form.
  const lamp = new DirectionalLight(0xffffff, 0.7);
  lamp.position.set(0.6, 0.3, 1);
  return { sky, sun, lamp };
}

/** How far the camera must stand back along `direction` to see all points, with a rim around them. */
function distanceFor(points, target, direction, camera) {
  const right = new Vector3().crossVectors(camera.up, direction).normalize();
  const above = new Vector3().crossVectors(direction, right);
  const tall = Math.tan((camera.fov * Math.PI) / 360) * 0.88;
  const wide = tall * camera.aspect;
  const offset = new Vector3();
  return points.reduce((distance, point) => {
    offset.set(...point).sub(target);
    const aside = Math.max(Math.abs(offset.dot(right)) / wide, Math.abs(offset.dot(above)) / tall);
    return Math.max(distance, offset.dot(direction) + aside);
  }, 0);
}

/** The stage inside `container`; `available` is false when the browser has no WebGL. */
export function createStage(container, size) {
  const canvas = container.querySelector("canvas");
  const renderer = createRenderer(canvas);
  const scene = new Scene();
  const camera = new PerspectiveCamera(38, 1, size / 100, size * 100);
  camera.up.set(0, 0, 1);
  const controls = renderer ? createControls(camera, canvas) : null;
  const { sky, sun, lamp } = createLights();
  camera.add(lamp);
  scene.add(camera, sky, sun);
  const drawn = listeners();
  const resized = listeners();
  let scheduled = 0;

  function draw() {
    scheduled = 0;
    if (!renderer) return;
    if (controls.update()) stage.requestDraw();
    renderer.render(scene, camera);
    drawn.emit();
  }

  const stage = {
    available: renderer !== null,
    canvas,
    scene,
    camera,
    controls,
    onDraw: drawn.add,
    onResize: resized.add,
    /** Whether the view was turned or moved by hand. */
    touched: false,
    requestDraw() {
      if (!scheduled && renderer) scheduled = requestAnimationFrame(draw);
    },
    /** Looks at `centre` from as near as shows all `points`; `radius` is that of all of them. */
    fit(points, centre, radius, direction = viewDirection) {
      const target = new Vector3(...centre);
      const distance = Math.max(distanceFor(points, target, direction, camera), radius * 0.2);
      camera.near = distance / 200;
      camera.far = distance * 60;
      camera.updateProjectionMatrix();
      camera.position.copy(target).addScaledVector(direction, distance);
      camera.lookAt(target);
      if (controls) {
        controls.target.copy(target);
        controls.minDistance = radius / 50;
        controls.maxDistance = radius * 40;
        controls.update();
      }
      stage.requestDraw();
    },
    /** The direction from the target to the camera. */
    direction() {
      return controls ? camera.position.clone().sub(controls.target).normalize() : viewDirection;
    },
  };

  function resize() {
    const { clientWidth: width, clientHeight: height } = container;
    if (!width || !height) return;
    renderer?.setSize(width, height, false);
    camera.aspect = width / height;
    camera.updateProjectionMatrix();
    resized.emit();
    stage.requestDraw();
  }
  new ResizeObserver(resize).observe(container);
  resize();
  controls?.addEventListener("change", stage.requestDraw);
  controls?.addEventListener("start", () => (stage.touched = true));
  return stage;
}
