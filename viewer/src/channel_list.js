// A searchable list of all channels, by group, to tick what a plot shows.
import { h } from "./dom.js";

const groupNames = {
  position: "Joint positions", velocity: "Joint velocities", energy: "Energy", frame: "Frames", force: "Forces",
  user: "Other channels",
};
const mostShown = 300;

export const groupName = (group) => groupNames[group] ?? group.charAt(0).toUpperCase() + group.slice(1);

function byGroup(channels) {
  const groups = new Map();
  for (const channel of channels) {
    if (!groups.has(channel.group)) groups.set(channel.group, []);
    groups.get(channel.group).push(channel);
  }
  return groups;
}

/** `chosen()` gives the channels that are on; `onToggle(channel, on)` hears of every tick. */
export function createChannelList(channels, chosen, onToggle) {
  const search = h("input", { type: "search", placeholder: "Search channels", "aria-label": "Search channels" });
  const list = h("div", { class: "channel-groups" });

  function row(channel) {
    const box = h("input", { type: "checkbox", onchange: () => onToggle(channel, box.checked) });
    box.checked = chosen().includes(channel);
    return h("label", { class: "channel" }, box, h("span", { class: "name" }, channel.name),
      h("span", { class: "unit" }, channel.unit));
  }

  function fill() {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const matches = channels.filter((channel) => {
      const text = `${channel.name} ${groupName(channel.group)} ${channel.unit}`.toLowerCase();
      return words.every((word) => text.includes(word));
    });
    const groups = [...byGroup(matches.slice(0, mostShown))].map(([group, members]) =>
      h("fieldset", {}, h("legend", {}, groupName(group)), ...members.map(row)));
    list.replaceChildren(...groups);
    if (matches.length === 0) list.append(h("p", { class: "note" }, "No channel has this in its name."));
    if (matches.length > mostShown) {
      list.append(h("p", { class: "note" }, `${matches.length - mostShown} more; type a part of the name.`));
    }
  }

  search.addEventListener("input", fill);
  fill();
  return { element: h("div", { class: "channel-list" }, search, list), refresh: fill, search };
}
