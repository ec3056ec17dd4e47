// Energy drift: total energy minus its start in full double precision, relative to the scale that the data gives
// (the zero of a potential is arbitrary) or else to the start.

const named = (channels, pattern) => channels.find((channel) => pattern.test(channel.name));

/** The recorded total energy, or the sum of kinetic and potential, or null. */
export function totalEnergy(channels) {
  const energies = channels.filter((channel) => channel.group === "energy");
  const total = named(energies, /total/i) ?? named(energies, /^energy$/i);
  if (total) return total;
  const kinetic = named(energies, /kinetic/i);
  const potential = named(energies, /potential/i);
  if (kinetic && potential) {
    return { unit: kinetic.unit, values: kinetic.values.map((value, i) => value + potential.values[i]) };
  }
  return energies[0] ?? null;
}

/** A channel made of the run's energy; absolute without a scale when the start is zero. Null without any energy. */
export function energyDrift(channels, scale = 0) {
  const total = totalEnergy(channels);
  if (!total) return null;
  const values = Float64Array.from(total.values);
  const start = values[0];
  const largest = values.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const size = scale > 0 ? scale : Math.abs(start);
  const relative = size > 1e-12 * largest;
  const by = relative ? size : 1;
  return {
    name: relative ? "Energy drift, relative" : "Energy drift",
    unit: relative ? "" : total.unit,
    group: "energy",
    values: values.map((value) => (value - start) / by),
  };
}

const closureUnits = { closure_error: "m, rad", velocity_error: "m/s, rad/s" };

/** The channels that tell how well a closed run keeps its closures; empty for others. */
export const closureDrift = (channels) =>
  channels.filter(({ name }) => name in closureUnits).map((channel) => ({ ...channel, unit: closureUnits[channel.name] }));
