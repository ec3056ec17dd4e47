"""Pictures of what was computed; x holds the variables of the example."""

import numpy as np

import linkwright as lw


def computed_torque(figure, x):
    axes = figure.subplots()
    axes.plot(x.run.time, (x.run.q - x.goal)[:, [1, 3, 5]], label=["joint2", "joint4", "joint6"])
    axes.plot(x.run.time[::20], x.law[::20][:, [1, 3, 5]], ".", color="black", markersize=3)
    axes.set(xlabel="time, s", ylabel="error, rad (dots: the law)")
    axes.legend()


def flexible_arm(figure, x):
    axes = figure.subplots()
    elements = np.array([3, 6, 12])
    axes.loglog(elements, x.errors, "o-", label=["first frequency", "second"])
    axes.loglog(elements, x.errors[0][0] * (3 / elements) ** 2, ":", color="black", label="a quarter per halving")
    axes.set(xlabel="elements", ylabel="relative error", xticks=elements, xticklabels=elements)
    axes.minorticks_off()
    axes.legend()


def flexible_base(figure, x):
    axes = figure.subplots()
    time = np.arange(len(x.held)) * 1.5e-3
    axes.plot(time, x.held, label="arm held still")
    axes.plot(time, x.braked, label="arm as a brake")
    axes.set(xlabel="time, s", ylabel="swing of the boom", ylim=(0, 0.2))
    axes.legend(ncols=2, loc="upper right")


def identification(figure, x):
    axes = figure.subplots()
    off = (x.found.values - x.found.model_values) / x.found.deviations
    axes.axhspan(-2, 2, color="#3a8f5c", alpha=0.15, linewidth=0)
    axes.plot(off, "o", markersize=4)
    axes.set(xlabel="parameter", ylabel="error in standard deviations", ylim=(-4, 4))


def linearize_and_regulate(figure, x):
    axes = figure.subplots()
    free = lw.simulate(x.bar, 3.0, q=x.start, every=0.02)
    for run, what in (x.run, "regulated"), (free, "let go"):
        axes.semilogy(run.time, np.abs(run.q[:, 0] - x.up[0]), label=what)
    axes.set(xlabel="time, s", ylabel="crank from upright, rad", xlim=(0, 1), ylim=(1e-4, 20))
    axes.legend()


def motor_voltages(figure, x):
    above, below = figure.subplots(2, 1, sharex=True)
    above.plot(x.t, x.demand.voltage[:, 1])
    above.set(ylabel="voltage, V")
    below.plot(x.t, x.q[:, 1], label="asked")
    below.plot(x.run.time[::100], x.run.q[::100, 1], ".", color="black", label="came")
    below.set(xlabel="time, s", ylabel="joint 2, rad")
    below.legend()


def network_with_motors(figure, x):
    left, right = figure.subplots(1, 2)
    left.plot(1e3 * x.h * np.arange(len(x.bus))[::5], x.bus[::5])
    left.set(xlabel="time, ms", ylabel="voltage of the bus, V")
    w = np.geomspace(10, 3000, 300)
    right.loglog(w, np.abs(x.linear.frequency_response("voltage:battery", "network:elbow_belt:torque", w).value))
    right.axvline(np.sqrt(2.0 / 1.5e-5), color="black", linestyle=":")
    right.set(xlabel="rad/s", ylabel="torque of the belt per volt, N m")


def sweep(figure, x):
    axes = figure.subplots()
    damping = [0.05, 0.2, 0.8]
    for row, kp in enumerate([4.0, 8.0]):
        axes.semilogx(damping, [x.study[3 * row + i] for i in range(3)], "o-", label=f"gain {kp:g} N m/rad")
    axes.set(xlabel="damping of the crank, N m s", ylabel="settles after, s", xticks=damping, xticklabels=damping)
    axes.minorticks_off()
    axes.legend()


def ten_thousand_states(figure, x):
    axes = figure.subplots()
    places = x.arm.frame_pose(x.q, "tool")[:, :3, 3]
    count, out, up = np.histogram2d(np.hypot(places[:, 0], places[:, 1]), places[:, 2], bins=(45, 60))
    axes.imshow(np.where(count > 0, count, np.nan).T, extent=(out[0], out[-1], up[0], up[-1]), origin="lower", cmap="viridis")
    axes.grid(False)
    axes.set(xlabel="tool, m from the axis", ylabel="height, m", title="10 000 postures", xticks=[0.3, 0.6, 0.9])


def what_the_filter_means(figure, x):
    for axes, numbers, title in zip(figure.subplots(1, 2), (x.y, x.innovations), ("efforts", "innovations")):
        axes.pcolormesh(np.abs(np.corrcoef(numbers)), cmap="Blues", vmin=0, vmax=1, edgecolor="white")
        axes.set(title=f"correlation of the {title}", xticks=[], yticks=[], aspect="equal")
        axes.invert_yaxis()


DRAWINGS = {drawing.__name__: drawing for drawing in (
    computed_torque, flexible_arm, flexible_base, identification, linearize_and_regulate, motor_voltages, network_with_motors, sweep,
    ten_thousand_states, what_the_filter_means)}
