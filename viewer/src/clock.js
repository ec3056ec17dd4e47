// The time shown: playing, jumping, stepping. Everything that depends on it listens.
import { listeners } from "./dom.js";

export const speeds = [0.1, 0.25, 0.5, 1, 2, 5, 10];

export function createClock(times) {
  const start = times[0];
  const end = times[times.length - 1];
  const changed = listeners();
  let frame = 0;
  let last = 0;

  function tick(now) {
    const elapsed = Math.max(0, now - last) / 1000;
    last = now;
    const next = clock.time + elapsed * clock.speed;
    if (next < end) clock.time = next;
    else if (clock.loop && end > start) clock.time = start + ((next - start) % (end - start));
    else {
      clock.time = end;
      clock.playing = false;
    }
    if (clock.playing) frame = requestAnimationFrame(tick);
    changed.emit();
  }

  const clock = {
    start,
    end,
    times,
    time: start,
    playing: false,
    loop: true,
    speed: 1,
    onChange: changed.add,
    seek(time) {
      clock.time = Math.min(end, Math.max(start, time));
      changed.emit();
    },
    play() {
      if (clock.playing) return;
      if (clock.time >= end) clock.time = start;
      clock.playing = true;
      last = performance.now();
      frame = requestAnimationFrame(tick);
      changed.emit();
    },
    pause() {
      cancelAnimationFrame(frame);
      clock.playing = false;
      changed.emit();
    },
    toggle() {
      if (clock.playing) clock.pause();
      else clock.play();
    },
    /** To the next (+1) or the last (−1) sample; stops playing. */
    step(direction) {
      clock.pause();
      // Half a millionth of a sample: a time that was read back from a slider is still "at" its sample.
      const slack = ((end - start) / times.length) * 5e-7;
      if (direction > 0) clock.seek(times.find((t) => t > clock.time + slack) ?? end);
      else clock.seek(times.findLast((t) => t < clock.time - slack) ?? start);
    },
    setSpeed(speed) {
      clock.speed = speed;
      changed.emit();
    },
    /** The next faster (+1) or slower (−1) of the offered speeds. */
    changeSpeed(direction) {
      const place = speeds.indexOf(clock.speed) + direction;
      clock.setSpeed(speeds[Math.min(speeds.length - 1, Math.max(0, place))]);
    },
    setLoop(loop) {
      clock.loop = loop;
      changed.emit();
    },
  };
  return clock;
}
