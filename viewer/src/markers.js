// Arrows, axis crosses and centre-of-mass signs. They are drawn over the shapes, so that a joint inside a
// housing can be seen.
import {
  CanvasTexture, Color, ConeGeometry, CylinderGeometry, Float32BufferAttribute, Group, Mesh, MeshBasicMaterial, Quaternion,
  Sprite, SpriteMaterial, SRGBColorSpace, Vector3,
} from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";

const up = new Vector3(0, 0, 1);
const shaft = new CylinderGeometry(1, 1, 1, 12).rotateX(Math.PI / 2).translate(0, 0, 0.5);
const head = new ConeGeometry(1, 1, 20).rotateX(Math.PI / 2).translate(0, 0, 0.5);

const overlay = { depthTest: false, depthWrite: false, transparent: true };

/** An arrow along a vector; `set(from, vector)` moves it, a vector of no length hides it. */
export function createArrow(colour, thickness) {
  const material = new MeshBasicMaterial({ color: colour, opacity: 0.92, ...overlay });
  const group = new Group();
  const [rod, tip] = [new Mesh(shaft, material), new Mesh(head, material)];
  rod.renderOrder = tip.renderOrder = 5;
  group.add(rod, tip);
  const direction = new Vector3();
  return {
    group,
    material,
    set(from, vector) {
      direction.set(...vector);
      const length = direction.length();
      group.visible = length > thickness * 0.5;
      if (!group.visible) return;
      const point = Math.min(thickness * 6, length * 0.6);
      rod.scale.set(thickness, thickness, length - point);
      tip.scale.set(thickness * 2.6, thickness * 2.6, point);
      tip.position.z = length - point;
      group.position.set(...from);
      group.quaternion.copy(new Quaternion().setFromUnitVectors(up, direction.normalize()));
    },
  };
}

/** A thin line through a joint along its axis, with a point at its positive end. */
export function createAxis(axis, length, colour) {
  const arrow = createArrow(colour, length * 0.011);
  const direction = new Vector3(...axis).normalize().multiplyScalar(length);
  arrow.set(direction.clone().multiplyScalar(-0.5).toArray(), direction.toArray());
  return arrow.group;
}

/** Three thin rods of length 1: red x, green y, blue z. */
function crossGeometry() {
  const rod = (colour, turn) => {
    const geometry = turn(new CylinderGeometry(0.03, 0.03, 1, 8).translate(0, 0.5, 0));
    const count = geometry.getAttribute("position").count;
    const { r, g, b } = new Color(colour);
    geometry.setAttribute("color", new Float32BufferAttribute(Array.from({ length: count }, () => [r, g, b]).flat(), 3));
    return geometry;
  };
  return mergeGeometries([
    rod(0xd9362f, (y) => y.rotateZ(-Math.PI / 2)), rod(0x1f9d4d, (y) => y), rod(0x2f6fe0, (y) => y.rotateX(Math.PI / 2)),
  ]);
}

let sharedCross = null;

/** The axes of a frame, inside a group that can be placed. */
export function createCross(length) {
  sharedCross ??= { geometry: crossGeometry(), material: new MeshBasicMaterial({ vertexColors: true, ...overlay }) };
  const rods = new Mesh(sharedCross.geometry, sharedCross.material);
  rods.scale.setScalar(length);
  rods.renderOrder = 6;
  const group = new Group();
  group.add(rods);
  return group;
}

function massTexture() {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = 64;
  const pen = canvas.getContext("2d");
  const quarter = (from, colour) => {
    pen.fillStyle = colour;
    pen.beginPath();
    pen.moveTo(32, 32);
    pen.arc(32, 32, 27, from, from + Math.PI / 2);
    pen.fill();
  };
  [0, 1, 2, 3].forEach((i) => quarter((i * Math.PI) / 2, i % 2 ? "#15191d" : "#ffffff"));
  pen.lineWidth = 4;
  pen.strokeStyle = "#15191d";
  pen.beginPath();
  pen.arc(32, 32, 28, 0, 2 * Math.PI);
  pen.stroke();
  const texture = new CanvasTexture(canvas);
  texture.colorSpace = SRGBColorSpace;
  return texture;
}

let sharedTexture = null;

/** The quartered disc of drawings; its size on the screen does not change with the distance. */
export function createMassSign(screenSize) {
  sharedTexture ??= massTexture();
  const material = new SpriteMaterial({ map: sharedTexture, sizeAttenuation: false, ...overlay });
  const sprite = new Sprite(material);
  sprite.scale.set(screenSize, screenSize, 1);
  sprite.renderOrder = 7;
  return sprite;
}
