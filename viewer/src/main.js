// Puts the page together from its data.
import { createClock } from "./clock.js";
import { DataError, decodeData } from "./data.js";
import { byId, h, icon } from "./dom.js";
import { formatValue } from "./format.js";
import { createKeyboard } from "./keyboard.js";
import { createLayerPanel } from "./layer_panel.js";
import { createMechanism } from "./mechanism.js";
import { createPlots } from "./plots.js";
import { createSliders } from "./sliders.js";
import { createSummary } from "./summary.js";
import { createTabs } from "./tabs.js";
import { createTheme } from "./theme.js";
import { createTimeline } from "./timeline.js";
import { createView } from "./view3d.js";

const theme = createTheme();

function message(title, text) {
  document.body.classList.add("without-data");
  byId("notice").hidden = false;
  byId("notice").replaceChildren(h("h2", {}, title), h("p", {}, text));
}

function readData() {
  try {
    const data = decodeData(JSON.parse(byId("linkwright-data").textContent));
    if (!data) message("This page holds no data", "Make one with “linkwright view” or “linkwright simulate … --html”.");
    return data;
  } catch (error) {
    const reason = error instanceof DataError ? error.message : "It is not valid JSON.";
    message("The data of this page cannot be read", `${reason} Please make the page again.`);
    return null;
  }
}

function describe(data) {
  const moving = data.joints.filter((joint) => joint.nq > 0).length;
  const count = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;
  const parts = [count(data.bodies.length - 1, "link"), count(moving, "joint")];
  if (data.closures.length > 0) parts.push(count(data.closures.length, "closure"));
  if (data.run) parts.push(formatValue(data.run.time[data.run.time.length - 1] - data.run.time[0], "s", 4));
  return parts.join(" · ");
}

/** Shows the name of a clicked link, its mass and its joint. */
function showPicks(data, view, sliders) {
  const note = byId("picked");
  view.onPick((index) => {
    view.highlight(index);
    note.hidden = index === null;
    if (index === null) return;
    const body = data.bodies[index];
    const facts = [body.mass > 0 ? formatValue(body.mass, "kg", 4) : null, body.joint >= 0 ? `on joint ${data.joints[body.joint].name}` : null];
    note.replaceChildren(h("strong", {}, body.name), h("span", {}, facts.filter(Boolean).join(" · ")));
    sliders?.reveal(body.joint);
  });
}

function headerButtons(view, keyboard) {
  const button = (id, name, label, onclick) => {
    const element = byId(id);
    element.append(icon(name));
    element.title = label;
    element.setAttribute("aria-label", label);
    element.addEventListener("click", onclick);
  };
  button("fit", "fit", "Fit to view", () => view.fit());
  button("theme", "theme", "Light or dark", theme.toggle);
  button("help-button", "help", "Keys and help", keyboard.help);
  byId("help-close").addEventListener("click", () => byId("help").close());
}

function start(data) {
  document.title = data.title ? `${data.title} · Linkwright` : "Linkwright";
  byId("title").textContent = data.title || "Linkwright";
  byId("subtitle").textContent = describe(data);
  document.body.classList.add(data.mode);

  const clock = data.run ? createClock(data.run.time) : null;
  const mechanism = createMechanism(data);
  if (clock) mechanism.show(clock.time);
  const view = createView(byId("stage"), data, mechanism, clock);
  mechanism.onChange(view.update);
  clock?.onChange(() => mechanism.show(clock.time));
  if (!view.available) {
    byId("no-webgl").hidden = false;
    byId("stage").classList.add("without-webgl");
  }

  const panel = byId("panel");
  const page = (className) => panel.appendChild(h("div", { class: `page ${className}` }));
  const main = page(clock ? "plots" : "joints");
  const layerPage = page("layers");
  const summaryPage = page("summary");
  const select = createTabs(byId("tabs"), [
    clock ? { id: "plots", name: "Plots", panel: main } : { id: "joints", name: "Joints", panel: main },
    { id: "layers", name: "Layers", panel: layerPage },
    { id: "summary", name: clock ? "Summary" : "Model", panel: summaryPage },
  ]);

  const plots = clock ? createPlots(main, clock, data.run, data.closures.length > 0, theme.colours) : null;
  const sliders = clock ? null : createSliders(main, data, mechanism);
  const layerPanel = createLayerPanel(layerPage, data, view);
  createSummary(summaryPage, data, clock);
  if (clock) createTimeline(byId("timeline"), clock, data.run.events);
  plots?.start();
  const open = (show) => () => {
    select("plots");
    return show?.();
  };
  const keyboard = createKeyboard({
    clock, view, theme, sliders, layerPanel,
    plots: {
      openEnergyDrift: open(plots?.showEnergyDrift), openClosureDrift: open(plots?.showClosureDrift),
      hasClosureDrift: plots?.hasClosureDrift,
    },
  });
  headerButtons(view, keyboard);
  showPicks(data, view, sliders);
  const recolour = () => {
    view.setColours(theme.colours());
    plots?.redraw();
  };
  theme.onChange(recolour);
  view.setColours(theme.colours());

  const bodyIndex = (name) => {
    const index = data.bodies.findIndex((body) => body.name === name);
    if (index < 0) throw new Error(`No link is named "${name}".`);
    return index;
  };
  return {
    data,
    clock,
    get time() {
      return clock?.time ?? 0;
    },
    get q() {
      return [...mechanism.q];
    },
    seek: (time) => clock?.seek(time),
    setJoint: (name, values) => sliders.setJoint(name, values),
    setSlider: (name, slider, value) => sliders.setSlider(name, slider, value),
    /** How far every closure is open, in metres and radians. */
    openings: () => mechanism.openings().map(({ distance, angle }, i) => ({ name: data.closures[i].name, distance, angle })),
    toScreen: view.toScreen,
    /** Pose of a link as it is drawn. */
    bodyPose: (name) => view.drawnPose(bodyIndex(name)),
    project: (name) => view.project(bodyIndex(name)),
    plots: plots?.cards ?? [],
    webgl: view.available,
  };
}

/** Ready once the first picture is on the screen. */
const data = readData();
window.linkwright = data ? start(data) : { data: null };
window.linkwright.ready = new Promise((done) => {
  requestAnimationFrame(() => requestAnimationFrame(() => {
    window.linkwright.readyAfter = performance.now();
    done(true);
  }));
});
