"""Pictures of mechanisms; x holds the variables of the example."""

import numpy as np
from matplotlib.patches import Circle
from sticks import Sticks

import linkwright as lw

PALE, RED, DARK = "#9db8d2", "#c0392b", "#1f2d3d"


def ankle(figure, x):
    left, right = figure.subplots(1, 2, width_ratios=[1, 1.4])
    sticks = Sticks(left, x.ankle, azimuth=-70, elevation=12)
    sticks.draw(x.ankle.assemble({"ankle": [0.5, 0.0]}).q, color=PALE)
    sticks.draw(x.level)
    pitches, efforts = np.linspace(-0.6, 0.6, 41), []
    for pitch in pitches:
        given = x.ankle.assemble({"ankle": [pitch, -0.2]}).q, x.still, x.still
        more = x.ankle.inverse_dynamics(*given, x.ground, motors=x.motors) - x.ankle.inverse_dynamics(*given, motors=x.motors)
        efforts.append(more[x.entries])
    right.plot(pitches, efforts, label=x.motors)
    right.set(xlabel="pitch of the foot, rad; roll -0.2", ylabel="of 30 N m under the foot, N m")
    right.legend()


def arm_from_urdf(figure, x):
    left, right = figure.subplots(1, 2, width_ratios=[1, 1.2])
    sticks = Sticks(left, x.arm, azimuth=-80)
    sticks.draw(x.q)
    sticks.arrow(x.place, [0, 0, 0.25])
    sticks.axes.annotate("10 N", sticks.at(x.place + [0, 0, 0.25]), color=RED, textcoords="offset points", xytext=(4, -8))
    right.bar(x.arm.velocity_names, x.felt)
    right.tick_params(axis="x", rotation=60)
    right.set(ylabel="felt at the joints, N m")


def bricard(figure, x):
    axes = figure.subplots(1, 3)
    for one, time in zip(axes, (0.0, 0.7, 1.0)):
        Sticks(one, x.ring, azimuth=35, elevation=30).draw(x.run.q[np.searchsorted(x.run.time, time)])
        one.set_title(f"{time:.1f} s")


def delta(figure, x):
    left, right = figure.subplots(1, 2)
    Sticks(left, x.delta, azimuth=-75, elevation=15).draw(x.q)
    for motors, color in ([-0.3, 0.4, 0.1], PALE), ([0.5, -0.1, -0.1], "#3b6ea5"):
        Sticks(right, x.delta, azimuth=-75, elevation=15).draw(x.delta.assemble(dict(zip(x.motors, motors))).q, color)


def five_bar(figure, x):
    axes = figure.subplots()
    sticks = Sticks(axes, x.bar, azimuth=-90, elevation=90)
    for row, alpha in zip(np.linspace(0, len(x.run) - 1, 5).astype(int), np.linspace(0.2, 1, 5)):
        sticks.draw(x.run.q[row], alpha=alpha, fill=False)
    sticks.path(np.column_stack([x.run[f"frame:tip:{i}"] for i in "xyz"]), color=RED, zorder=6)


def forty_four_bars(figure, x):
    for axes, count in zip(figure.subplots(2, 1, height_ratios=[2, 1]), (7, 40)):
        system = x.chain(count)
        q = system.assemble({"pivot0": 1.0}).q
        Sticks(axes, system, azimuth=-90, elevation=0).draw(q, width=1.5)
        axes.set_title(f"{count} loops, {system.mobility(q).mobility} freedom")


def operational_space(figure, x):
    sticks = Sticks(figure.subplots(), x.arm, azimuth=-40)
    sticks.draw(x.q)
    pose = x.arm.frame_pose(x.q, "tool")
    # What unit forces in all directions accelerate the tool to, as a shadow on the paper.
    shadow = sticks.view @ pose[:3, :3] @ np.linalg.inv(x.Lambda)[3:, 3:]
    turn = np.linspace(0, 2 * np.pi, 100)
    edge = np.linalg.cholesky(shadow @ shadow.T) @ [np.cos(turn), np.sin(turn)] * 0.08
    sticks.axes.fill(*(edge + sticks.at(pose[:3, 3])[:, None]), color=RED, alpha=0.25)
    sticks.axes.set_title("where forces of equal size push the tool to")


def redundancy(figure, x):
    sticks = Sticks(figure.subplots(), x.arm, azimuth=20, elevation=35)
    at, path = x.q, [x.q]
    for _ in range(60):
        at = at + 0.05 * x.swing(at + 0.025 * x.swing(at))
        path.append(at)
    for q, alpha in zip(path[::15], np.linspace(0.2, 1, 5)):
        sticks.draw(q, alpha=alpha, fill=False)
    sticks.axes.plot(*sticks.at(x.arm.frame_pose(x.q, "tool")[:3, 3]), "o", color=RED, zorder=6)
    sticks.axes.set_title("the elbow swings, the tool stays")


def soft_fingers(figure, x):
    hand = lw.load("models/three_fingers_and_ball.yaml")
    for axes, fingers in zip(figure.subplots(1, 2), (["thumb", "index"], ["thumb", "index", "ring"])):
        sticks = Sticks(axes, hand, azimuth=-35, elevation=30)
        sticks.places.pop("ball")
        sticks.draw(hand.state().q)
        grasps = [g for g in hand.model.grasps if g.name in fingers]
        ball = hand.frame_pose(hand.state().q, "ball")
        contacts = np.array([ball[:3, :3] @ g.at.xyz + ball[:3, 3] for g in grasps])
        axes.add_patch(Circle(sticks.at(ball[:3, 3]), 0.04, color="#d1662a", alpha=0.35, linewidth=0))
        for place in contacts:
            sticks.arrow(1.9 * place - 0.9 * ball[:3, 3], 0.9 * (ball[:3, 3] - place))
        if len(fingers) == 2:
            sticks.path(contacts[0] + np.outer([-1, 2], contacts[1] - contacts[0]), color=DARK, linestyle=":")
        axes.set_title(f"{len(fingers)} points: {'hold' if x.verdicts[len(fingers), 'point'].force_closure.holds else 'let it turn'}")


def space_robot(figure, x):
    left, right = figure.subplots(1, 2)
    sticks = Sticks(left, x.robot, azimuth=-90, elevation=70)
    sticks.draw(x.q0)
    sticks.solid("bus", [1.2, 1.1, 1.45], x.q0)  # a block of its mass and inertia
    sides = np.array([0.1, 0.2, 0.3, 0.4])
    right.plot(sides, [x.turn(side)[0] for side in sides], "o")
    fine = np.linspace(0, 0.4)
    right.plot(fine, x.small * (fine / 0.2) ** 2, label="as the area")
    right.set(xlabel="side of the square, rad", ylabel="turn of the bus, rad")
    right.legend()


def stewart(figure, x):
    left, right = figure.subplots(1, 2)
    for axes, q in (left, x.start.q), (right, x.platform.assemble({"floating:4": 0.12, "floating:6": 0.08}).q):
        Sticks(axes, x.platform, azimuth=-60, elevation=18).draw(q)


def two_arms_and_box(figure, x):
    sticks = Sticks(figure.subplots(), x.system, azimuth=-90, elevation=12)
    sticks.draw(x.held.q)
    sticks.solid("box", [0.3, 0.24, 0.2], x.held.q)
    box = x.system.frame_pose(x.held.q, "box")
    for grasp, contact in zip(x.system.model.grasps, x.shared.contacts):
        place = box[:3, :3] @ grasp.at.xyz + box[:3, 3]
        inwards = (box[:3, 3] - place) / np.linalg.norm(box[:3, 3] - place)
        sticks.arrow(place - 0.006 * contact.normal * inwards, 0.006 * contact.normal * inwards)
        sticks.arrow(place, [0, 0, 0.006 * contact.tangential], color="#3a8f5c")
    sticks.axes.set_title(f"{x.shared.contacts[0].normal:.0f} N of squeeze carry {x.weight:.0f} N")


DRAWINGS = {drawing.__name__: drawing for drawing in (
    ankle, arm_from_urdf, bricard, delta, five_bar, forty_four_bars, operational_space, redundancy, soft_fingers, space_robot,
    stewart, two_arms_and_box)}
