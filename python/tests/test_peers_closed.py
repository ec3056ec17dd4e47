"""Closed mechanisms beside Pinocchio's and MuJoCo's. Needs what python/requirements_peers.txt lists.

Pinocchio closes loops by an iteration, which is compared within its accuracy, and MuJoCo by soft constraints. So the equations are
compared too: mass matrix and bias of the tree, the motions that the loops let through, and that our accelerations satisfy what
Pinocchio says of frames that coincide and of efforts along those motions.
"""

import sys

import numpy as np
import pytest
from conftest import ROOT, random_state
from peers import BOUND, close, files, files_and_bases, mujoco_numbers, velocity_map, without_forces

import linkwright as lw

sys.path.insert(0, str(ROOT / "scripts"))  # whose mjcf_figures loads files without their meshes

#: of Pinocchio's iteration where rows repeat each other
ITERATED = 1e-8
#: of loops.xml: two hinges do not bring a site to where another stands, turned
NEVER_CLOSED = ["of sites"]


def check_tree(pin, system, theirs, them, q, v, a):
    """Mass matrix, bias and inverse dynamics as if the loops were cut."""
    tree, data = system.cut_open(), theirs.createData()
    their_q, their_v = them.position(q), them.velocity(q, v)
    M, T = pin.crba(theirs, data, their_q), velocity_map(system, them, q)
    close(T.T @ (np.triu(M) + np.triu(M, 1).T) @ T, tree.mass_matrix(q), "mass matrix")
    rest = them.acceleration(q, v, np.zeros(system.nv))
    close(them.from_effort(q, pin.rnea(theirs, data, their_q, their_v, rest)), tree.bias(q, v), "bias")
    tau = pin.rnea(theirs, data, their_q, their_v, them.acceleration(q, v, a))
    close(them.from_effort(q, tau), tree.inverse_dynamics(q, v, a), "inverse dynamics")


def check_freedoms(system, q, J):
    """Theirs, J in our velocities, lets through what ours does; returns a basis of that, and the bound of what is bound by rows."""
    found, ours = system.mobility(q), system.closure_jacobian(q)
    values = np.linalg.svd(J)[1] / np.linalg.norm(J, 2)
    dropped = max(found.largest_dropped_singular_value, 1e-16)
    assert found.rank == (values > np.sqrt(dropped * found.smallest_singular_value)).sum()
    free, bound = np.linalg.svd(J)[2][found.rank :].T, 10 * max(BOUND, dropped)
    assert np.abs(ours @ free).max(initial=0) < bound * np.abs(ours).max()
    return free, bound


def check_loops(pin, system, theirs, them, loops, q, v, tau):
    """At a position that closes the loops: the same freedoms, and our motion is one of theirs."""
    data, v = theirs.createData(), system.project_velocity(q, v)
    a = system.forward_dynamics(q, v, tau)
    their_q, their_v, their_a = them.position(q), them.velocity(q, v), them.acceleration(q, v, a)
    pin.computeJointJacobians(theirs, data, their_q)
    pin.updateFramePlacements(theirs, data)
    assert loops.gap(data) < 1e-8
    J = loops.jacobian(data) @ velocity_map(system, them, q)
    free, bound = check_freedoms(system, q, J)
    assert np.abs(J @ v).max() < bound * max(1, np.abs(v).max())
    tau_of_loops = them.from_effort(q, pin.rnea(theirs, data, their_q, their_v, their_a)) - tau
    of_loops, largest = loops.accelerations(data, their_q, their_v, their_a)
    assert np.abs(of_loops).max() < bound * max(1, largest)
    inertial = np.abs(system.cut_open().mass_matrix(q)).max() * np.abs(a).max()
    assert np.abs(free.T @ tau_of_loops).max() < bound * max(1, inertial, np.abs(tau_of_loops).max())


def check_accelerations(pin, system, theirs, them, contacts, q, v, tau):
    """Forward dynamics beside Pinocchio's own of closed loops."""
    v = system.project_velocity(q, v)
    models, datas, data = pin.StdVec_RigidConstraintModel(), pin.StdVec_RigidConstraintData(), theirs.createData()
    for contact in contacts:
        models.append(contact)
        datas.append(contact.createData())
    pin.initConstraintDynamics(theirs, data, models, datas)
    settings = pin.ProximalSettings(1e-14, 1e-8, 1000)
    found = pin.constraintDynamics(
        theirs, data, them.position(q), them.velocity(q, v), them.effort(q, tau), models, datas, settings)
    repeats = bool(system.mobility(q).redundant)
    close(them.acceleration(q, v, system.forward_dynamics(q, v, tau)), found, "acceleration", ITERATED if repeats else BOUND)


@pytest.mark.parametrize("file", files("*.closures.yaml"))
def test_pinocchio_and_pairs_of_frames(file):
    pin = pytest.importorskip("pinocchio", reason="pin is not installed")
    from pinocchio_loops import ALL, POINT, Loops

    urdf = file.with_name(file.name.replace(".closures.yaml", ".urdf"))
    system = without_forces(urdf, loops=True, closures=file)
    theirs = pin.buildModelFromUrdf(str(urdf))
    loops, contacts = Loops(theirs), []
    ends = {frame.name: (frame.parentJoint, frame.placement) for frame in theirs.frames}
    for closure in system.model.closures:
        pair, rows, kind = ends[closure.body_a] + ends[closure.body_b], ALL, pin.ContactType.CONTACT_6D
        if closure.joint == "spherical":
            rows, kind = POINT, pin.ContactType.CONTACT_3D
        loops.close(*pair, rows)
        contacts.append(pin.RigidConstraintModel(kind, theirs, *pair, pin.LOCAL))
    them = system.convention("pinocchio", list(theirs.names)[1:])
    for seed in range(3):
        q, v, tau = random_state(system, seed)
        check_tree(pin, system, theirs, them, q, v, tau)
        q = system.assemble(q, limits=False).q
        check_loops(pin, system, theirs, them, loops, q, v, tau)
        check_accelerations(pin, system, theirs, them, contacts, q, v, tau)


@pytest.mark.parametrize("file, base", files_and_bases("*.sdf"))
def test_pinocchio_and_sdf(file, base):
    pin = pytest.importorskip("pinocchio", reason="pin is not installed")
    from pinocchio_sdf import Sdf

    system = without_forces(file, base, loops=True)
    theirs, loops = Sdf(file).tree(system)
    them = system.convention("pinocchio", list(theirs.names)[1:])
    for seed in range(3):
        q, v, tau = random_state(system, seed)
        check_tree(pin, system, theirs, them, q, v, tau)
        if system.is_closed:
            check_loops(pin, system, theirs, them, loops, system.assemble(system.state().q).q, v, tau)


@pytest.mark.parametrize("file", files("*.xml"))
def test_pinocchio_and_mjcf(file):
    pin = pytest.importorskip("pinocchio", reason="pin is not installed")
    system = without_forces(file, loops=True, angles=True)
    theirs, contacts = pin.buildModelAndLegacyConstraintsFromMJCF(str(file))
    theirs.armature = np.zeros(theirs.nv)
    if theirs.nv != system.nv:
        pytest.skip(f"Pinocchio reads {theirs.nv} freedoms and we {system.nv}")
    # It calls free joints differently.
    order = [name if name in system.joint_names else system.joint_names[0] for name in list(theirs.names)[1:]]
    them = system.convention("pinocchio", order)
    for seed in range(3):
        q, v, tau = random_state(system, seed)
        check_tree(pin, system, theirs, them, q, v, tau)
        if contacts:
            check_accelerations(pin, system, theirs, them, contacts, system.assemble(q, limits=False).q, v, tau)


def load_with_loops(mujoco, file):
    """Without rotors, and with no rows but those of equalities."""
    import mjcf_figures

    theirs = mjcf_figures.load(str(file))
    for armature in theirs.dof_armature, theirs.tendon_armature, theirs.actuator_armature:
        armature[:] = 0
    kinds = mujoco.mjtDisableBit
    theirs.opt.disableflags |= kinds.mjDSBL_CONTACT | kinds.mjDSBL_LIMIT | kinds.mjDSBL_FRICTIONLOSS
    theirs.opt.jacobian = mujoco.mjtJacobian.mjJAC_DENSE
    return theirs


class AskMujoco:
    """Mass matrix, bias and rows of equalities in our coordinates."""

    def __init__(self, mujoco, theirs, them):
        self.mujoco, self.model, self.them, self.data = mujoco, theirs, them, mujoco.MjData(theirs)

    def __call__(self, system, q, v, equalities=()):
        self.data.eq_active[:] = 0
        self.data.eq_active[list(equalities)] = 1
        self.data.qpos, self.data.qvel = self.them.position(q), self.them.velocity(q, v)
        self.mujoco.mj_forward(self.model, self.data)
        M, bias = mujoco_numbers(self.mujoco, self.model, self.data)
        T = velocity_map(system, self.them, q)
        rows = self.data.efc_J.reshape(self.data.nefc, self.model.nv)
        return T.T @ M @ T, self.them.from_effort(q, bias), rows @ T

    def gap(self, equality):
        """Metres between its points, or how far its joints are off."""
        rows = self.data.efc_pos[self.data.efc_id == equality]
        return np.linalg.norm(rows[:3])


@pytest.mark.parametrize("file", files("*.xml", own=ROOT / "tests" / "data" / "mjcf"))
def test_mujoco_and_mjcf(file, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # MuJoCo writes a log where it stands
    mujoco = pytest.importorskip("mujoco", reason="mujoco is not installed")
    system = without_forces(file, loops=True)
    theirs, them, tree = load_with_loops(mujoco, file), system.convention("mujoco"), system.cut_open()
    ask = AskMujoco(mujoco, theirs, them)
    for seed in range(3):
        q, v, tau = random_state(system, seed)
        M, bias, _ = ask(system, q, v)
        close(M, tree.mass_matrix(q), "mass matrix")
        rest = them.from_acceleration(q, v, np.zeros(theirs.nv))
        close(bias, tree.mass_matrix(q) @ rest + tree.bias(q, v), "bias")
    bonds = [closure for closure in system.model.closures if closure.kind != "shaft"]
    for closure, equality in zip(bonds, np.flatnonzero(theirs.eq_active0), strict=True):
        check_equalities(ask, system, [closure], [equality])
    if 0 < len(bonds) == theirs.neq:
        check_equalities(ask, system, bonds, range(theirs.neq))


def check_equalities(ask, system, closures, equalities):
    """Open they are open as far; closed they let the same motions through, and forces along these accelerate alike."""
    model = system.model
    model.closures = closures
    system = lw.compile(model)
    for seed in range(3):
        q, still, tau = system.random(seed), np.zeros(system.nv), np.random.default_rng(seed).normal(size=system.nv)
        ask(system, q, still, equalities)
        kind = ask.model.eq_type[equalities[0]]  # 0, 1: between bodies; 2: between joints
        if len(closures) == 1 and (kind < 2 or kind == 2 and closures[0].kind == "gear"):
            close(np.linalg.norm(system.closure_residual(q)[-3:]), ask.gap(equalities[0]), "gap")
        if closures[0].name in NEVER_CLOSED:
            continue
        q = system.assemble(q, limits=False).q
        M, bias, J = ask(system, q, still, equalities)
        free, bound = check_freedoms(system, q, J)
        a = system.forward_dynamics(q, still, tau)
        assert np.abs(J @ a).max() < bound * max(1, np.abs(a).max())
        assert np.abs(free.T @ (M @ a + bias - tau)).max() < bound * max(1, np.abs(M).max() * np.abs(a).max())
