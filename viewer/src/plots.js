// The list of plots: a card each, with its channels, their values at the time shown, and a channel list.
import { createChannelList } from "./channel_list.js";
import { h, icon } from "./dom.js";
import { closureDrift, energyDrift } from "./drift.js";
import { formatValue } from "./format.js";
import { locate } from "./kinematics.js";
import { createPlot } from "./plot.js";

const plotHeight = 190;

/** What a newcomer wants to see first: joint positions of one unit, and the energies. */
function firstChoice(channels) {
  const positions = channels.filter((channel) => channel.group === "position");
  const sameUnit = positions.filter((channel) => channel.unit === (positions.find((c) => c.unit === "rad") ?? positions[0])?.unit);
  const energies = channels.filter((channel) => channel.group === "energy");
  const choice = [sameUnit.slice(0, 6), energies.slice(0, 4)].filter((list) => list.length > 0);
  return choice.length > 0 ? choice : [channels.slice(0, 4)];
}

const valueAt = (times, values, time) => {
  const { k, s } = locate(times, time);
  return s === 0 ? values[k] : (1 - s) * values[k] + s * values[k + 1];
};

/** One card. `title` is shown when given; otherwise the channels speak for themselves. */
function createCard({ clock, channels, chosen, title, colours, onRemove }) {
  let shown = [...chosen];
  let plot = null;
  const legend = h("div", { class: "legend" });
  const area = h("div", { class: "plot" });
  const empty = h("p", { class: "note" }, "Nothing chosen yet. Press “Channels” and tick what to plot.");
  const list = createChannelList(channels, () => shown, (channel, on) => {
    shown = on ? [...shown, channel] : shown.filter((other) => other !== channel);
    draw();
  });
  list.element.hidden = true;
  const choose = h("button", {
    type: "button", class: "quiet", "aria-expanded": "false",
    onclick: () => {
      list.element.hidden = !list.element.hidden;
      choose.setAttribute("aria-expanded", String(!list.element.hidden));
      if (!list.element.hidden) list.refresh();
    },
  }, "Channels");
  const close = h("button", {
    type: "button", class: "icon-button small", "aria-label": "Remove this plot", title: "Remove this plot",
    onclick: () => onRemove(card),
  }, icon("close"));

  function chip(channel, i) {
    const swatch = h("span", { class: "swatch" });
    swatch.style.background = colours().series[i % colours().series.length];
    const value = h("span", { class: "value" });
    const element = h("button", {
      type: "button", class: "chip", title: `Remove ${channel.name} from this plot`,
      onclick: () => {
        shown = shown.filter((other) => other !== channel);
        list.refresh();
        draw();
      },
    }, swatch, h("span", { class: "name" }, channel.name), value);
    return { element, channel, value };
  }

  let chips = [];
  function update() {
    // A unit that all share stands at the axis.
    const several = new Set(shown.map((channel) => channel.unit)).size > 1;
    for (const { channel, value } of chips) {
      const now = valueAt(clock.times, channel.values, clock.time);
      value.textContent = formatValue(now, several ? channel.unit : "", 4);
    }
  }
  function draw() {
    plot?.destroy();
    chips = shown.map(chip);
    legend.replaceChildren(...chips.map((entry) => entry.element));
    empty.hidden = shown.length > 0;
    plot = shown.length > 0 ? createPlot(area, clock, shown, colours(), plotHeight) : null;
    update();
  }

  const card = {
    element: h("section", { class: "card plot-card", "aria-label": title ?? "Plot" },
      h("header", {}, h("h3", {}, title ?? ""), choose, close), legend, list.element, empty, area),
    draw,
    update,
    openList: () => choose.click(),
    get plot() {
      return plot;
    },
    get channels() {
      return shown;
    },
    destroy: () => plot?.destroy(),
  };
  return card;
}

/** `closed` tells whether the run has closures that can drift. */
export function createPlots(container, clock, { channels, energyScale }, closed, colours) {
  const cards = [];
  const holder = h("div", { class: "cards" });
  const drift = energyDrift(channels, energyScale);
  const closures = closed ? closureDrift(channels) : [];

  function remove(card) {
    card.destroy();
    card.element.remove();
    cards.splice(cards.indexOf(card), 1);
  }
  function add(chosen, title, first = false) {
    const card = createCard({ clock, channels, chosen, title, colours, onRemove: remove });
    cards.push(card);
    if (first) holder.prepend(card.element);
    else holder.append(card.element);
    card.draw();
    card.title = title;
    return card;
  }
  /** Opens a card of this title on top, or brings the open one into sight. */
  function show(chosen, title) {
    const card = cards.find((open) => open.title === title) ?? add(chosen, title, true);
    card.element.scrollIntoView({ block: "nearest", behavior: "smooth" });
    return card;
  }
  const showEnergyDrift = () => (drift ? show([drift], "Energy drift") : null);
  const showClosureDrift = () => (closures.length > 0 ? show(closures, "Closure drift") : null);
  const addPlot = () => {
    const card = add([], undefined);
    card.openList();
    card.element.scrollIntoView({ block: "nearest" });
  };

  const driftButton = h("button", { type: "button", id: "energy-drift", onclick: showEnergyDrift, disabled: drift === null,
    title: drift ? "Total energy minus its start" : "No energy was recorded" }, "Energy drift");
  const closureButton = closures.length === 0 ? null : h("button", { type: "button", id: "closure-drift", onclick: showClosureDrift,
    title: "How far the closures are open, and how fast they open" }, "Closure drift");
  container.append(
    h("div", { class: "toolbar" }, h("button", { type: "button", onclick: addPlot }, "Add a plot"), driftButton, closureButton), holder);
  if (channels.length === 0) holder.append(h("p", { class: "note" }, "This run has no recorded channels."));
  clock.onChange(() => cards.forEach((card) => card.update()));

  return {
    cards,
    showEnergyDrift,
    showClosureDrift,
    hasClosureDrift: closures.length > 0,
    /** Called once the panel has its width. */
    start() {
      if (channels.length > 0) firstChoice(channels).forEach((chosen) => add(chosen, nameOf(chosen)));
    },
    redraw: () => cards.forEach((card) => card.draw()),
  };
}

const cardNames = { position: "Joint positions", energy: "Energy" };
const nameOf = (chosen) => cardNames[chosen[0]?.group];
