"""URDF files in the words that the parsers of Pinocchio and MuJoCo insist on: the same joints and masses."""

import xml.etree.ElementTree as ElementTree

import numpy as np


def read(file):
    """What says nothing of masses and joints is gone; `world` is declared, and limits are there, as ROS wants it."""
    root = ElementTree.parse(file).getroot()
    for link in root.findall("link"):
        for shape in [*link.findall("visual"), *link.findall("collision")]:
            link.remove(shape)
    for transmission in root.findall("transmission"):
        root.remove(transmission)
    named = {link.get("name") for link in root.findall("link")}
    for end in root.findall("joint/parent"):
        if end.get("link") == "world" and "world" not in named:
            root.insert(0, ElementTree.Element("link", name="world"))
            named.add("world")
    for joint in root.findall("joint"):
        if joint.get("type") not in ("revolute", "prismatic"):
            continue
        limit = joint.find("limit")
        if limit is None:
            limit = ElementTree.SubElement(joint, "limit", lower="-10", upper="10")
        for word in "effort", "velocity":
            limit.attrib.setdefault(word, "0")
    return root


def for_pinocchio(file):
    return ElementTree.tostring(read(file), encoding="unicode")


def load_into_mujoco(mujoco, file):
    """MuJoCo's compiler refuses inertias that no body has, and links without mass on joints. So it is given others, and the
    file's own are put into what it has compiled, which calculates with any."""
    root = read(file)
    root.insert(0, ElementTree.fromstring('<mujoco><compiler fusestatic="false"/></mujoco>'))
    inertias = {link.get("name"): inertia(link) for link in root.findall("link")}
    for link in root.findall("link"):
        for inertial in link.findall("inertial"):
            link.remove(inertial)
        # Askew: MuJoCo takes short cuts where a body's axes are its principal ones.
        link.append(ElementTree.fromstring('<inertial><mass value="1"/><origin xyz="0.1 0.2 0.3" rpy="0.1 0.2 0.3"/>'
                                           '<inertia ixx="3" iyy="4" izz="5" ixy="0" ixz="0" iyz="0"/></inertial>'))
    model = mujoco.MjModel.from_xml_string(ElementTree.tostring(root, encoding="unicode"))
    for name, (mass, com, matrix) in inertias.items():
        body = mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_BODY, name)
        if body < 0:
            continue  # it is the world
        moments, axes = np.linalg.eigh(matrix)
        axes *= np.sign(np.linalg.det(axes))
        model.body_mass[body], model.body_ipos[body], model.body_inertia[body] = mass, com, moments
        mujoco.mju_mat2Quat(model.body_iquat[body], axes.ravel())
    mujoco.mj_setConst(model, mujoco.MjData(model))
    return model


def inertia(link):
    """Mass, its centre, and the inertia about that in the link's axes."""
    inertial = link.find("inertial")
    if inertial is None:
        return 0.0, np.zeros(3), np.zeros((3, 3))
    told = inertial.find("inertia").attrib if inertial.find("inertia") is not None else {}
    xx, xy, xz, yy, yz, zz = (float(told.get(word, 0)) for word in ("ixx", "ixy", "ixz", "iyy", "iyz", "izz"))
    origin = inertial.find("origin")
    origin = {} if origin is None else origin.attrib
    com, (roll, pitch, yaw) = (np.array(origin.get(word, "0 0 0").split(), float) for word in ("xyz", "rpy"))
    R = turn(2, yaw) @ turn(1, pitch) @ turn(0, roll)
    return float(inertial.find("mass").get("value")), com, R @ [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]] @ R.T


def turn(axis, angle):
    e = np.eye(3)[axis]
    return np.cos(angle) * np.eye(3) + np.sin(angle) * np.cross(np.eye(3), -e) + (1 - np.cos(angle)) * np.outer(e, e)
