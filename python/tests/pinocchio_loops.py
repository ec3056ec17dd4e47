"""Loops of a Pinocchio model: what its frames and accelerations say of a motion that should keep them closed."""

import numpy as np
import pinocchio as pin

POINT, ALL = np.eye(3, 6), np.eye(6)


def around(axis):
    """Rows of [linear; angular] that a hinge about the axis binds."""
    return np.vstack([POINT, np.hstack([np.zeros((2, 3)), across(axis)])])


def along(axis):
    """Rows of [linear; angular] that a slide along the axis binds."""
    return np.vstack([np.hstack([across(axis), np.zeros((2, 3))]), np.eye(6)[3:]])


def across(axis):
    return np.linalg.svd(np.reshape(axis, (1, 3)))[2][1:]


class Loops:
    def __init__(self, model):
        self.model, self.pairs, self.gears = model, [], []

    def close(self, joint_a, at_a, joint_b, at_b, rows):
        """Two frames, on joints, coincide; `rows` of their relative motion in a's axes are bound."""
        ends = [self.model.addFrame(pin.Frame(f"{name}{len(self.pairs)}", joint, 0, place, pin.FrameType.OP_FRAME))
                for name, joint, place in (("a", joint_a, at_a), ("b", joint_b, at_b))]
        self.pairs.append((*ends, np.asarray(rows)))

    def gear(self, follower, leader, ratio):
        row = np.zeros(self.model.nv)
        for name, factor in (follower, 1), (leader, -ratio):
            row[self.model.joints[self.model.getJointId(name)].idx_v] += factor
        self.gears.append(row)

    def gap(self, data):
        """Of the frames, metres and radians, in the bound directions."""
        return max(np.abs(rows @ pin.log6(data.oMf[a].actInv(data.oMf[b])).vector).max() for a, b, rows in self.pairs)

    def jacobian(self, data):
        """After computeJointJacobians and updateFramePlacements."""
        found = list(self.gears)
        for a, b, rows in self.pairs:
            J_a, J_b = (pin.getFrameJacobian(self.model, data, i, pin.LOCAL) for i in (a, b))
            found.extend(rows @ (data.oMf[a].actInv(data.oMf[b]).action @ J_b - J_a))
        return np.array(found)

    def accelerations(self, data, q, v, a):
        """Of the relative motion in the bound directions, nothing where loops stay closed; and the largest that a frame has."""
        pin.forwardKinematics(self.model, data, q, v, a)
        pin.updateFramePlacements(self.model, data)
        found, largest = [np.array(row @ a, ndmin=1) for row in self.gears], np.abs(a).max()
        for one, other, rows in self.pairs:
            step = data.oMf[one].actInv(data.oMf[other])
            v_a, v_b = (pin.getFrameVelocity(self.model, data, end, pin.LOCAL) for end in (one, other))
            a_a, a_b = (pin.getFrameAcceleration(self.model, data, end, pin.LOCAL) for end in (one, other))
            found.append(rows @ (step.act(a_b) - a_a - (v_a ^ (step.act(v_b) - v_a))).vector)
            largest = max(largest, np.abs(a_a.vector).max())
        return np.concatenate(found), largest
