// One plot: curves of chosen channels over time, an axis per unit, a line at the time shown. Dragging over it
// moves the time; dragging with Shift zooms; a double click shows all again.
import uPlot from "uplot";
import { formatTicks, trimZeros } from "./format.js";

/** A gap where a value is not a number. */
const withGaps = (values) => (values.every(Number.isFinite) ? values : Array.from(values, (v) => (Number.isFinite(v) ? v : null)));

/** A range with a little room; what is constant but for rounding gets a band around it. */
function roomyRange(_, low, high) {
  if (low === null || high === null) return [-1, 1];
  const size = Math.max(Math.abs(low), Math.abs(high));
  const room = high - low > 1e-9 * size ? (high - low) * 0.08 : Math.max(size * 0.05, 1e-15);
  return [low - room, high + room];
}

function axis(colours, more) {
  return {
    stroke: colours.text,
    grid: { stroke: colours.line, width: 1 },
    ticks: { stroke: colours.line, width: 1, size: 4 },
    font: colours.font,
    labelFont: colours.font,
    values: (_, ticks) => formatTicks(ticks),
    ...more,
  };
}

/** Room for the longest tick label, at about 6.5 pixels a letter. */
const widthOf = (_, labels) => Math.max(40, 14 + 6.5 * Math.max(0, ...(labels ?? []).map((label) => label.length)));

function options(channels, colours, width, height) {
  const units = [...new Set(channels.map((channel) => channel.unit))];
  const scales = Object.fromEntries(units.map((unit) => [`y:${unit}`, { range: roomyRange }]));
  const unitAxes = units.slice(0, 2).map((unit, i) => axis(colours, {
    scale: `y:${unit}`, side: i === 0 ? 3 : 1, size: widthOf, gap: 3,
    label: unit || undefined, labelSize: unit ? 16 : 0, labelGap: 0,
    ...(i === 0 ? {} : { grid: { show: false } }),
  }));
  return {
    width,
    height,
    legend: { show: false },
    padding: [10, units.length > 1 ? 0 : 18, 0, 0],
    scales: { x: { time: false }, ...scales },
    axes: [axis(colours, { size: 32, gap: 4, space: 60, values: (_, ticks) => formatTicks(ticks).map((tick) => `${trimZeros(tick)} s`) }), ...unitAxes],
    series: [{}, ...channels.map((channel, i) => ({
      scale: `y:${channel.unit}`, stroke: colours.series[i % colours.series.length], width: 1.6, points: { show: false },
    }))],
    cursor: {
      y: false,
      x: false,
      points: { show: false },
      drag: { x: true, y: false },
      bind: { mousedown: (_, __, handler) => (event) => (event.shiftKey ? handler(event) : null) },
    },
  };
}

function listenForScrub(u, clock) {
  const seek = (event) => {
    const frame = u.over.getBoundingClientRect();
    clock.seek(u.posToVal(event.clientX - frame.left, "x"));
  };
  u.over.addEventListener("pointerdown", (event) => {
    if (event.shiftKey || event.button !== 0) return;
    u.over.setPointerCapture(event.pointerId);
    clock.pause();
    seek(event);
  });
  u.over.addEventListener("pointermove", (event) => {
    if (u.over.hasPointerCapture(event.pointerId)) seek(event);
  });
}

/** Fills `container`; `destroy` takes everything away again. */
export function createPlot(container, clock, channels, colours, height) {
  const data = [clock.times, ...channels.map((channel) => withGaps(channel.values))];
  const u = new uPlot(options(channels, colours, container.clientWidth || 320, height), data, container);
  const line = document.createElement("div");
  line.className = "time-line";
  u.over.append(line);
  listenForScrub(u, clock);

  function update() {
    const x = u.valToPos(clock.time, "x");
    line.style.transform = `translateX(${x}px)`;
    line.hidden = x < -1 || x > u.over.clientWidth + 1;
  }
  u.hooks.setScale = [update];
  u.hooks.setSize = [update];
  const stop = clock.onChange(update);
  const watcher = new ResizeObserver(() => {
    const width = container.clientWidth;
    if (width && width !== u.width) u.setSize({ width, height });
  });
  watcher.observe(container);
  update();
  return {
    /** What is plotted: used by tests. */
    data,
    range: (unit) => [u.scales[`y:${unit}`].min, u.scales[`y:${unit}`].max],
    destroy() {
      stop();
      watcher.disconnect();
      u.destroy();
    },
  };
}
