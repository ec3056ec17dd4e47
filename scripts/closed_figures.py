#!/usr/bin/env python3
"""Accelerations of closed mechanisms by Pinocchio, for tests/closure/peer_figures_test.cpp.

    python3 -m venv VENV && VENV/bin/pip install pin pyyaml
    VENV/bin/python scripts/closed_figures.py ../shared/models tests/data > tests/data/closed_figures.csv

Of every FILE.urdf with a FILE.closures.yaml in the first folder, and of the system files named below in the second one, it
prints some closed states and their accelerations, in the coordinates of this project. `a` comes from Pinocchio's mass matrix, nonlinear
effects, velocities and frame Jacobians and a dense null-space solution; `constraint_dynamics` from its own function of that name,
where it knows all the closures, at the smallest parameter mu that gives an answer.
"""

import pathlib
import sys

import numpy as np
import pinocchio as pin
import yaml

SYSTEM_FILES = ["drake_four_bar", "pinocchio_parallelogram", "pinocchio_closed_chain", "cassie"]
STATES = 3
RANK = 1e-7  # of the largest singular value


class Pair:
    """A closure between two frames: rows constant in b's axes, or a point of b on a line of a."""

    def __init__(self, kind, a, b, axis=(0, 0, 1)):
        self.kind, self.a, self.b = kind, a, b
        u = np.array(axis, float) / np.linalg.norm(axis)
        s = np.cross(u, [1, 0, 0] if abs(u[0]) < 0.6 else [0, 1, 0])
        s /= np.linalg.norm(s)
        self.across = np.array([s, np.cross(u, s)])

    def rows(self):
        """On [linear; angular] of b as seen from a."""
        linear, angular, none = np.eye(3), np.eye(3), np.zeros((3, 3))
        if self.kind == "weld":
            return np.block([[linear, none], [none, angular]])
        if self.kind == "spherical":
            return np.hstack([linear, none])
        if self.kind == "revolute":
            return np.block([[linear, none], [np.zeros((2, 3)), self.across]])
        raise ValueError(self.kind)

    def equations(self, model, data):
        """J, bias and residual, after forward kinematics without acceleration."""
        A, B = data.oMf[self.a], data.oMf[self.b]
        X = A.actInv(B)
        local = pin.ReferenceFrame.LOCAL
        to_b = X.inverse()
        Va = to_b * pin.getFrameVelocity(model, data, self.a, local)
        V = pin.getFrameVelocity(model, data, self.b, local) - Va
        rate = (
            pin.getFrameAcceleration(model, data, self.b, local)
            - to_b * pin.getFrameAcceleration(model, data, self.a, local)
            + V.cross(Va)
        ).vector
        J = pin.getFrameJacobian(model, data, self.b, local) - to_b.action @ pin.getFrameJacobian(model, data, self.a, local)
        if self.kind == "point_on_line":
            R = X.rotation
            rows = self.across @ R
            bias = rows @ (rate[:3] + np.cross(V.angular, V.linear))
            return rows @ J[:3], bias, self.across @ X.translation
        open_by = pin.log6(X).vector
        if self.kind in ("spherical", "revolute"):
            open_by[:3] = R_T(X) @ X.translation
        if self.kind == "revolute":
            u = np.cross(self.across[0], self.across[1])
            open_by[3:] = np.cross(R_T(X) @ u, u) if u @ X.rotation @ u > 0 else np.pi * self.across[0]
        W = self.rows()
        return W @ J, W @ rate, W @ open_by


def R_T(X):
    return X.rotation.T


class Gear:
    def __init__(self, leader, follower, ratio, offset):
        self.leader, self.follower, self.ratio, self.offset = leader, follower, ratio, offset

    def equations(self, model, data):
        J = np.zeros((1, model.nv))
        J[0, self.follower.idx_v], J[0, self.leader.idx_v] = 1, -self.ratio
        q = data.q_now
        return J, np.zeros(1), np.array([q[self.follower.idx_q] - self.ratio * q[self.leader.idx_q] - self.offset])


class Mechanism:
    def __init__(self, name, model, closures, motors, start=None):
        self.name, self.model, self.closures, self.motors = name, model, closures, motors
        self.data = model.createData()
        self.start = pin.neutral(model) if start is None else start

    def equations(self, q, v):
        self.data.q_now = q
        zero = np.zeros(self.model.nv)
        pin.forwardKinematics(self.model, self.data, q, v, zero)
        pin.computeJointJacobians(self.model, self.data, q)
        pin.updateFramePlacements(self.model, self.data)
        parts = [c.equations(self.model, self.data) for c in self.closures]
        return tuple(np.concatenate([p[i] for p in parts]) for i in range(3))

    def close(self, q):
        """Levenberg and Marquardt's method; nothing where it does not close."""
        zero, damping = np.zeros(self.model.nv), 1e-2
        J, _, r = self.equations(q, zero)
        for _ in range(400):
            if np.linalg.norm(r) < 1e-15 or damping > 1e9:
                break
            small = np.linalg.norm(r) < 1e-4
            step = (
                -np.linalg.pinv(J, RANK) @ r
                if small
                else -np.linalg.solve(J.T @ J + damping * np.eye(J.shape[1]), J.T @ r)
            )
            trial = pin.integrate(self.model, q, step * min(1, 1 / max(1e-30, np.abs(step).max())))
            J2, _, r2 = self.equations(trial, zero)
            if np.linalg.norm(r2) < np.linalg.norm(r):  # never where it is not a number
                q, J, r, damping = trial, J2, r2, damping / 8
            elif small:
                break
            else:
                damping *= 8
        return q if np.linalg.norm(r) < 1e-13 else None

    def state(self, random):
        """Closed, and well away from where a row gets lost."""
        best, score = None, 0
        for size in [0.7] * 20 + [0.3] * 20 + [0.1] * 20:
            q = self.close(pin.integrate(self.model, self.start, random.uniform(-size, size, self.model.nv)))
            if q is None or np.abs(q).max() > 20:
                continue
            values = np.linalg.svd(self.equations(q, np.zeros(self.model.nv))[0], compute_uv=False)
            least = values[values > RANK * values[0]][-1] / values[0]
            if least > score:
                best, score = q, least
            if score > 0.02:
                break
        if best is None:
            raise SystemExit(f"{self.name}: not closed")
        v = self.motions(best) @ random.uniform(-1, 1, self.motions(best).shape[1])
        tau = np.zeros(self.model.nv)
        for name in self.motors:
            tau[self.model.joints[self.model.getJointId(name)].idx_v] = random.uniform(-2, 2)
        return best, v, tau

    def motions(self, q):
        J = self.equations(q, np.zeros(self.model.nv))[0]
        _, values, Vt = np.linalg.svd(J)
        return Vt[(values > RANK * values[0]).sum():].T

    def accelerations(self, q, v, tau):
        J, bias, _ = self.equations(q, v)
        N = self.motions(q)
        M = pin.crba(self.model, self.data, q)
        M = np.triu(M) + np.triu(M, 1).T
        rest = tau - pin.nonLinearEffects(self.model, self.data, q, v)
        particular = -np.linalg.pinv(J, RANK) @ bias
        a = particular
        for _ in range(3):  # refined
            a = a + N @ np.linalg.solve(N.T @ M @ N, N.T @ (rest - M @ a))
            a = a - np.linalg.pinv(J, RANK) @ (J @ a + bias)
        return a

    def constraint_dynamics(self, q, v, tau):
        """The best that its own settings give, by the distance to the dense solution; None: it knows not all closures."""
        kinds = {"weld": pin.ContactType.CONTACT_6D, "spherical": pin.ContactType.CONTACT_3D}
        if not all(isinstance(c, Pair) and c.kind in kinds for c in self.closures):
            return None
        local, frames = pin.ReferenceFrame.LOCAL, self.model.frames
        models = pin.StdVec_RigidConstraintModel()
        for c in self.closures:
            a, b = frames[c.a], frames[c.b]
            models.append(
                pin.RigidConstraintModel(
                    kinds[c.kind], self.model, a.parentJoint, a.placement, b.parentJoint, b.placement, local
                )
            )
        best = None
        dense = self.accelerations(q, v, tau)
        for mu in (0.0, 1e-12, 1e-10, 1e-8, 1e-6):
            data = self.model.createData()
            datas = pin.StdVec_RigidConstraintData()
            for m in models:
                datas.append(m.createData())
            pin.initConstraintDynamics(self.model, data, models, datas)
            settings = pin.ProximalSettings(1e-14, 0.0, mu, 50)
            a = pin.constraintDynamics(self.model, data, q, v, tau, models, datas, settings).copy()
            if np.isfinite(a).all() and (best is None or np.linalg.norm(a - dense) < np.linalg.norm(best - dense)):
                best = a
        return best


def frame_of(model, name):
    """A link's frame, or the frame behind a joint."""
    for kind in (pin.FrameType.BODY, pin.FrameType.JOINT, pin.FrameType.FIXED_JOINT):
        if model.existFrame(name, kind):
            return model.getFrameId(name, kind)
    raise SystemExit(f"no frame {name}")


def from_urdf(file):
    model = pin.buildModelFromUrdf(str(file))
    told = yaml.safe_load(file.with_suffix(".closures.yaml").read_text())
    closures = [
        Pair("weld" if kind == "6d" else "spherical", frame_of(model, a), frame_of(model, b))
        for (a, b), kind in zip(told["closed_loop"], told["type"])
    ]
    return Mechanism(file.stem, model, closures, [m for m in told["name_mot"] if model.existJointName(m)])


def pose_of(told):
    told = told or {}
    return pin.SE3(pin.rpy.rpyToMatrix(*map(float, told.get("rpy", [0, 0, 0]))), np.array(told.get("xyz", [0, 0, 0]), float))


def joint_model(joint):
    axis = np.array(joint.get("axis", [1, 0, 0]), float)
    if joint["type"] == "free":
        return pin.JointModelFreeFlyer()
    if joint["type"] == "spherical":
        return pin.JointModelSpherical()
    if joint["type"] == "prismatic":
        return pin.JointModelPrismaticUnaligned(axis)
    return pin.JointModelRevoluteUnaligned(axis)


def from_system_file(file):
    """The words that the files of SYSTEM_FILES use; joints depth first, as Pinocchio's own functions need them."""
    told = yaml.safe_load(file.read_text())
    model = pin.Model()
    model.gravity.linear = np.array(told.get("gravity", [0, 0, -9.81]), float)
    bodies = {b["name"]: b for b in told["bodies"]}
    places = {"world": (0, pin.SE3.Identity())}
    rotors = {}

    def add(parent):
        for joint in (j for j in told["joints"] if j["parent"] == parent):
            above, at = places[parent]
            at = at * pose_of(joint.get("pose"))
            if joint["type"] != "fixed":
                above, at = model.addJoint(above, joint_model(joint), at, joint["name"]), pin.SE3.Identity()
                if "rotor_inertia" in joint:
                    rotors[joint["name"]] = float(joint["rotor_inertia"])
            body = bodies[joint["child"]]
            xx, yy, zz, xy, xz, yz = body.get("inertia", [0] * 6)
            inertia = pin.Inertia(
                float(body.get("mass", 0)),
                np.array(body.get("com", [0, 0, 0]), float),
                np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]], float),
            )
            model.appendBodyToJoint(above, inertia, at)
            places[joint["child"]] = (above, at)
            add(joint["child"])

    add("world")
    for name, rotor in rotors.items():
        model.armature[model.joints[model.getJointId(name)].idx_v] = rotor

    def frame(body, pose, name):
        above, at = places[body]
        return model.addFrame(pin.Frame(name, above, 0, at * pose_of(pose), pin.FrameType.OP_FRAME))

    closures = []
    for c in told["closures"]:
        if c["joint"] == "gear":
            leader, follower = (model.joints[model.getJointId(n)] for n in c["joints"])
            closures.append(Gear(leader, follower, c.get("ratio", 1), c.get("offset", 0)))
            continue
        a, b = c["between"]
        ends = frame(a, c.get("at_a"), c["name"] + "/a"), frame(b, c.get("at_b"), c["name"] + "/b")
        closures.append(Pair(c["joint"], *ends, c.get("axis", [0, 0, 1])))
    start = pin.neutral(model)
    for name, value in told.get("state", {}).get("q", {}).items():
        start[model.joints[model.getJointId(name)].idx_q] = value
    single = [j["name"] for j in told["joints"] if j["type"] in ("revolute", "prismatic")]
    return Mechanism(file.stem, model, closures, [n for n in single if n not in told.get("passive", [])], start)


def ours(model, joint, numbers, is_position):
    """Quaternions start with w; a free joint's velocity has the angular part first."""
    j = model.joints[joint]
    x = list(numbers[j.idx_q : j.idx_q + j.nq] if is_position else numbers[j.idx_v : j.idx_v + j.nv])
    name = j.shortname()
    if "FreeFlyer" in name:
        return [x[6], *x[3:6], *x[:3]] if is_position else [*x[3:], *x[:3]]
    if "Spherical" in name and is_position:
        return [x[3], *x[:3]]
    if "RevoluteUnbounded" in name and is_position:
        return [np.arctan2(x[1], x[0])]
    return x


def main(shared, own):
    mechanisms = [from_urdf(f.with_suffix("").with_suffix(".urdf")) for f in sorted(pathlib.Path(shared).glob("*.closures.yaml"))]
    mechanisms += [from_system_file(pathlib.Path(own) / f"{name}.yaml") for name in SYSTEM_FILES]
    print(f"# Closed mechanisms by Pinocchio {pin.__version__}, written by scripts/closed_figures.py.")
    print("# mechanism, state, what, joint, numbers. a: from its mass matrix, Jacobians and a dense solution;")
    print("# constraint_dynamics: by its own function, at the best of its settings.")
    for mechanism in mechanisms:
        random = np.random.default_rng(1)
        for state in range(1, STATES + 1):
            q, v, tau = mechanism.state(random)
            a, peer = mechanism.accelerations(q, v, tau), mechanism.constraint_dynamics(q, v, tau)
            J, bias, residual = mechanism.equations(q, v)
            report = f"{mechanism.name} {state}: nv {mechanism.model.nv}, rows {J.shape[0]}, freedoms {mechanism.motions(q).shape[1]}"
            report += f", open {np.abs(residual).max():.1e}, J a + bias {np.abs(J @ a + bias).max():.1e}, |a| {np.linalg.norm(a):.2e}"
            if peer is not None:
                report += f", constraintDynamics off by {np.linalg.norm(peer - a) / np.linalg.norm(a):.1e}"
            print(report, file=sys.stderr)
            for what, numbers in (("q", q), ("v", v), ("tau", tau), ("a", a), ("constraint_dynamics", peer)):
                if numbers is None:
                    continue
                for joint in range(1, mechanism.model.njoints):
                    values = ours(mechanism.model, joint, numbers, what == "q")
                    print(",".join([mechanism.name, str(state), what, mechanism.model.names[joint], *(repr(float(x)) for x in values)]))


if __name__ == "__main__":
    main(*sys.argv[1:])
