"""A mechanism as sticks: lines between the places where its bodies are held, seen from somewhere, on plain axes."""

import numpy as np
from scipy.spatial import ConvexHull

LINK, JOINT, GROUND = "#3b6ea5", "#1f2d3d", "#888888"


def view(azimuth, elevation):
    """2 x 3: how far to the right and up a place of the world lies, seen from there (degrees)."""
    a, e = np.radians([azimuth, elevation])
    return np.array([[-np.sin(a), np.cos(a), 0], [-np.sin(e) * np.cos(a), -np.sin(e) * np.sin(a), np.cos(e)]])


def places_of(model):
    """{body: places in its own frame} where joints, closures, grasps and frames sit on it."""
    places = {}

    def add(body, place):
        known = places.setdefault(body, [])
        if not any(np.allclose(place, other, atol=1e-9) for other in known):
            known.append(np.asarray(place, float))

    for joint in model.joints:
        if joint.type != "free":
            add(joint.parent, joint.pose.xyz)
            add(joint.child, joint.at_child.xyz)
    for closure in model.closures:
        if closure.kind == "joint":
            add(closure.body_a, closure.at_a.xyz)
            add(closure.body_b, closure.at_b.xyz)
    for frame in model.frames:
        add(frame.body, frame.pose.xyz)
    for grasp in model.grasps:
        add(grasp.object, grasp.at.xyz)
    return places


class Sticks:
    def __init__(self, axes, system, azimuth=-60, elevation=20):
        self.axes, self.system, self.view = axes, system, view(azimuth, elevation)
        self.places = places_of(system.model)
        self.slides = [joint for joint in system.model.joints if joint.type == "prismatic"]
        axes.set_aspect("equal")
        axes.axis("off")

    def at(self, place):
        """On the paper, of a place in the world."""
        return self.view @ place

    def on(self, body, place, q):
        """On the paper, of a place in a body's frame."""
        pose = np.eye(4) if body == "world" else self.system.frame_pose(q, body)
        return self.at(pose[:3, :3] @ place + pose[:3, 3])

    def draw(self, q, color=LINK, alpha=1.0, width=2.5, fill=True):
        """The mechanism where q puts it."""
        for body, places in self.places.items():
            points = np.array([self.on(body, place, q) for place in places])
            edge = points
            if len(points) > 2:
                corners = ConvexHull(points, qhull_options="QJ").vertices
                edge = points[[*corners, corners[0]]]
            if body == "world":
                self.axes.plot(*edge.T, ":", color=GROUND, linewidth=1, zorder=1)
                self.axes.plot(*points.T, "^", color=GROUND, markersize=6, zorder=1)
                continue
            if fill:
                self.axes.fill(*edge.T, color=color, alpha=0.25 * alpha, linewidth=0, zorder=2)
            self.axes.plot(*edge.T, color=color, alpha=alpha, linewidth=width, solid_capstyle="round", zorder=3)
            self.axes.plot(*points.T, ".", color=JOINT, alpha=alpha, markersize=4, zorder=4)
        for joint in self.slides:
            ends = self.on(joint.parent, joint.pose.xyz, q), self.on(joint.child, joint.at_child.xyz, q)
            self.axes.plot(*np.transpose(ends), color=color, alpha=alpha, linewidth=0.4 * width, zorder=2)

    def solid(self, body, size, q, color="#d1662a"):
        """A body as the outline of a box of this size about its origin."""
        corners = np.array([self.on(body, (np.array(corner) - 0.5) * size, q) for corner in np.ndindex(2, 2, 2)])
        self.axes.fill(*corners[ConvexHull(corners, qhull_options="QJ").vertices].T, color=color, alpha=0.3, linewidth=0, zorder=1)

    def arrow(self, place, along, color="#c0392b"):
        """From a place in the world, so far in the world."""
        self.axes.annotate("", self.at(np.add(place, along)), self.at(place),
                           arrowprops={"arrowstyle": "-|>", "color": color, "linewidth": 1.8}, zorder=5)
        self.axes.plot(*self.at(np.add(place, along)), alpha=0)  # counts for the size of the paper

    def path(self, places, **style):
        self.axes.plot(*(np.asarray(places) @ self.view.T).T, **style)
