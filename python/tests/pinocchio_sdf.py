"""A tree of Pinocchio made from an SDF file, which its package on PyPI cannot read: what `read_sdf` is compared with.

Only what the shared files hold: links and joints with poses, axes and inertias, joints that close loops, gearboxes.
"""

import xml.etree.ElementTree as ElementTree

import numpy as np
import pinocchio as pin
from pinocchio_loops import POINT, Loops, along, around


def pose(element):
    tag = element.find("pose")
    x = np.array((tag.text if tag is not None and tag.text else "0 0 0 0 0 0").split(), float)
    return pin.SE3(pin.rpy.rpyToMatrix(x[3:]), x[:3])


def numbers(element, tag):
    return np.array(element.find(tag).text.split(), float)


class Sdf:
    def __init__(self, file):
        self.root = ElementTree.parse(file).getroot()
        model = self.root.find("model")
        self.links = {link.get("name"): link for link in model.findall("link")}
        self.joints = {joint.get("name"): joint for joint in model.findall("joint")}
        self.frames = {frame.get("name"): frame for frame in model.findall("frame")}

    def place(self, name):
        """Of a link, joint or frame, in the model."""
        if name in ("world", "__model__", "", None):
            return pin.SE3.Identity()
        element = next(some[name] for some in (self.links, self.joints, self.frames) if name in some)
        tag = element.find("pose")
        other = tag.get("relative_to") if tag is not None else None
        if not other:
            other = element.findtext("child") if name in self.joints else element.get("attached_to")
        return self.place(other) * pose(element)

    def axis(self, name):
        """In the frame of the joint."""
        axis = self.joints[name].find("axis")
        xyz = numbers(axis, "xyz")
        if axis.findtext("use_parent_model_frame", "0").strip() in ("1", "true"):
            xyz = self.place(name).rotation.T @ xyz
        return xyz / np.linalg.norm(xyz)

    def inertia(self, link):
        inertial = self.links[link].find("inertial")
        xx, yy, zz, xy, xz, yz = (float(inertial.find("inertia").findtext(i)) for i in ("ixx", "iyy", "izz", "ixy", "ixz", "iyz"))
        at = pose(inertial)
        turned = at.rotation @ np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]) @ at.rotation.T
        return pin.Inertia(float(inertial.findtext("mass")), at.translation, turned)

    def ends(self, joint):
        """Parent and child."""
        return [self.joints[joint].findtext(word).strip() for word in ("parent", "child")]

    def tree(self, system):
        """The tree that the system has cut its loops to, and these loops."""
        model, carriers = pin.Model(), {"world": (0, pin.SE3.Identity())}
        model.gravity.linear = np.asarray(system.model.gravity)

        def hang(link, joint, place_of_joint, on, kind):
            parent, place_of_parent = carriers[on]
            index = model.addJoint(parent, kind, place_of_parent.actInv(place_of_joint), joint)
            model.appendBodyToJoint(index, self.inertia(link), place_of_joint.actInv(self.place(link)))
            carriers[link] = index, place_of_joint

        implied = [joint for joint in system.model.joints if joint.implied]
        for joint in implied:
            if joint.type == "free":
                hang(joint.child, joint.name, self.place(joint.child), "world", pin.JointModelFreeFlyer())
            else:
                carriers[joint.child] = 0, pin.SE3.Identity()
        waiting = [name for name in system.joint_names if name in self.joints]
        while waiting:
            name = next(name for name in waiting if self.ends(name)[0] in carriers)
            waiting.remove(name)
            kind = self.joints[name].get("type")
            joint = {"ball": lambda _: pin.JointModelSpherical(), "revolute": pin.JointModelRevoluteUnaligned,
                     "prismatic": pin.JointModelPrismaticUnaligned}[kind](self.axis(name))
            parent, child = self.ends(name)
            hang(child, name, self.place(name), parent, joint)
        return model, self.loops(model, carriers, set(system.joint_names))

    def loops(self, model, carriers, in_tree):
        loops = Loops(model)
        for name, joint in self.joints.items():
            kind, links = joint.get("type"), self.ends(name)
            if kind == "gearbox":
                reference = joint.findtext("gearbox_reference_body").strip()
                turns = [next(n for n, other in self.joints.items() if other.get("type") == "revolute"
                              and {reference, link} == set(self.ends(n))) for link in links]
                loops.gear(turns[1], turns[0], -float(joint.findtext("gearbox_ratio")))
            elif name not in in_tree:
                (a, place_of_a), (b, place_of_b) = (carriers[link] for link in links)
                rows = {"ball": lambda _: POINT, "revolute": around, "prismatic": along}[kind](self.axis(name))
                loops.close(a, place_of_a.actInv(self.place(name)), b, place_of_b.actInv(self.place(name)), rows)
        return loops
