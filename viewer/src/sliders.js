// In a view: a slider and a number field for every freedom of every joint. Of a closed mechanism the independent ones
// stand first, and the others follow.
import { h, memory } from "./dom.js";
import { formatValue } from "./format.js";
import { createJointCard } from "./joint_card.js";

const searchFrom = 13;

function searchField(cards) {
  const search = h("input", { type: "search", placeholder: "Search joints", "aria-label": "Search joints" });
  search.addEventListener("input", () => {
    const wanted = search.value.toLowerCase();
    for (const card of cards) card.element.hidden = !card.joint.name.toLowerCase().includes(wanted);
  });
  return search;
}

/** One line about the loops: how well they are closed, or what stopped. */
function createLoopStatus(mechanism) {
  const element = h("p", { class: "loops", role: "status" });
  return {
    element,
    /** `stopped` is the card of the joint that could not go on, or null. */
    tell(stopped) {
      const gap = mechanism.openings().reduce((most, { distance, angle }) => Math.max(most, distance, angle), 0);
      element.classList.toggle("stopped", Boolean(stopped) || !mechanism.closes);
      const name = stopped?.joint.name;
      if (stopped && mechanism.isRigid(stopped.index)) element.textContent = `${name} cannot move: the loops hold it.`;
      else if (stopped) element.textContent = `${name} stops here: a dead point. Another joint leads on.`;
      else if (mechanism.closes) element.textContent = `All loops closed to ${formatValue(Math.max(gap, 1e-16), "", 1)}`;
      else element.textContent = `The loops are open by ${formatValue(gap, "", 3)}: the sliders move the tree.`;
    },
  };
}

const heading = (text) => h("h2", { class: "joint-heading" }, text);

/** The cards in order; of a closed mechanism those that lead first, under headings. */
function arrange(cards) {
  const [leading, following] = [cards.filter((card) => !card.follows), cards.filter((card) => card.follows)];
  if (following.length === 0) return cards.map((card) => card.element);
  return [
    heading("Independent"), ...leading.map((card) => card.element),
    heading("Moved along"), ...following.map((card) => card.element),
  ];
}

export function createSliders(container, data, mechanism) {
  let inDegrees = memory.get("degrees") === "yes";
  const status = data.closures.length > 0 ? createLoopStatus(mechanism) : null;
  const moving = data.joints.flatMap((joint, index) => (joint.nq > 0 ? [index] : []));
  const cards = moving.map((index) => createJointCard(index, data, mechanism, () => inDegrees, settle));
  /** After a move: the other cards follow, and what stopped is marked. */
  function settle(mover, stopped) {
    for (const card of cards) {
      if (card !== mover && card.inLoop) card.follow();
      card.markStopped(Boolean(stopped) && card === mover);
    }
    status?.tell(stopped ? mover : null);
  }
  const find = (name) => {
    const card = cards.find((candidate) => candidate.joint.name === name);
    if (!card) throw new Error(`No moving joint is named "${name}".`);
    return card;
  };
  const box = h("input", { type: "checkbox" });
  box.checked = inDegrees;
  box.addEventListener("change", () => {
    inDegrees = box.checked;
    memory.set("degrees", inDegrees ? "yes" : "no");
    cards.forEach((card) => card.rows.forEach((row) => row.show()));
  });
  const sliders = {
    reset() {
      mechanism.reset();
      cards.forEach((card) => card.follow());
      settle(null, null);
    },
    /** Joints in loops go as far towards a random position as the loops and their limits let them. */
    randomize() {
      cards.filter((card) => !card.inLoop).forEach((card) => card.randomize());
      const goals = cards.filter((card) => card.inLoop).flatMap((card) => card.randomGoals());
      if (goals.length > 0) mechanism.move(goals, { limits: true });
      settle(null, null);
    },
    setJoint: (name, values) => find(name).setPosition(values),
    setSlider: (name, slider, value) => find(name).setSlider(slider, value),
    /** Brings the joint that carries a body into sight. */
    reveal(jointIndex) {
      const card = cards.find((candidate) => candidate.index === jointIndex);
      cards.forEach((other) => other.element.classList.toggle("picked", other === card));
      card?.element.scrollIntoView({ block: "nearest", behavior: "smooth" });
    },
  };
  container.append(h("div", { class: "toolbar" },
    h("button", { type: "button", id: "reset", onclick: sliders.reset }, "Reset"),
    h("button", { type: "button", id: "random", onclick: sliders.randomize }, "Random"),
    h("label", { class: "switch" }, box, "Degrees")));
  if (status) container.append(status.element);
  if (cards.length >= searchFrom) container.append(searchField(cards));
  if (cards.length === 0) container.append(h("p", { class: "note" }, "Nothing in this model moves."));
  container.append(...arrange(cards));
  settle(null, null);
  return sliders;
}
