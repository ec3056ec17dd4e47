// The bar below the 3D view: play, step, scrub, speed, loop, marks of events.
import { h, icon } from "./dom.js";
import { formatTime, timeDecimals } from "./format.js";
import { speeds } from "./clock.js";

function button(name, label, onclick) {
  return h("button", { class: "icon-button", type: "button", "aria-label": label, title: label, onclick }, icon(name));
}

function eventMarks(clock, events) {
  const length = clock.end - clock.start || 1;
  return events.map((event) => {
    const text = `${event.name} at ${formatTime(event.time, timeDecimals(clock.times))} s`;
    const mark = h("button", {
      class: "event-mark", type: "button", title: text, "aria-label": `Go to ${text}`,
      onclick: () => clock.seek(event.time),
    });
    mark.style.left = `${(100 * (event.time - clock.start)) / length}%`;
    return mark;
  });
}

/** While a finger or the mouse holds the slider, time stands still; then it goes on as before. */
function scrubber(clock) {
  const slider = h("input", {
    type: "range", id: "scrub", min: clock.start, max: clock.end, step: "any", "aria-label": "Time",
  });
  let resume = false;
  slider.addEventListener("pointerdown", () => {
    resume = clock.playing;
    clock.pause();
  });
  slider.addEventListener("input", () => clock.seek(Number(slider.value)));
  slider.addEventListener("change", () => {
    if (resume) clock.play();
    resume = false;
  });
  return slider;
}

export function createTimeline(container, clock, events) {
  const decimals = timeDecimals(clock.times);
  const play = button("play", "Play", clock.toggle);
  play.id = "play";
  play.classList.add("primary");
  const loop = button("loop", "Repeat", () => clock.setLoop(!clock.loop));
  const speed = h("select", { id: "speed", "aria-label": "Speed", title: "Speed" },
    ...speeds.map((value) => h("option", { value }, `${value}×`)));
  speed.addEventListener("change", () => clock.setSpeed(Number(speed.value)));
  const slider = scrubber(clock);
  const now = h("span");
  const total = h("span", { class: "total" }, ` / ${formatTime(clock.end, decimals)}`);
  const readout = h("span", { class: "readout", id: "readout" }, now, total, " s");

  container.append(
    h("div", { class: "scrub" }, slider, h("div", { class: "event-marks" }, ...eventMarks(clock, events))),
    h("div", { class: "transport" },
      h("div", { class: "buttons" },
        button("back", "One sample back", () => clock.step(-1)), play,
        button("forward", "One sample forward", () => clock.step(1)), loop),
      readout, speed));

  let drawnPlaying = null;
  function update() {
    slider.value = clock.time;
    slider.style.setProperty("--done", `${(100 * (clock.time - clock.start)) / (clock.end - clock.start || 1)}%`);
    now.textContent = formatTime(clock.time, decimals);
    slider.setAttribute("aria-valuetext", `${now.textContent} seconds`);
    speed.value = String(clock.speed);
    loop.setAttribute("aria-pressed", clock.loop);
    if (drawnPlaying === clock.playing) return;
    drawnPlaying = clock.playing;
    play.replaceChildren(icon(clock.playing ? "pause" : "play"));
    play.setAttribute("aria-label", clock.playing ? "Pause" : "Play");
    play.title = clock.playing ? "Pause" : "Play";
  }
  clock.onChange(update);
  update();
}
