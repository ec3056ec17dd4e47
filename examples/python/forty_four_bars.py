"""Forty four-bars one behind the other, built in Python: still one freedom, and time that grows with their number alone."""

import time

import linkwright as lw


def chain(count):
    """Cranks of 1 m side by side, each coupled to the next by a bar of 1 m."""
    model = lw.Model()
    model.gravity = [0, 0, -9.81]
    thin = [1e-3, 1 / 12, 1 / 12, 0, 0, 0]
    for i in range(count + 1):
        model.bodies.append(lw.Body(f"crank{i}", mass=1, com=[0.5, 0, 0], inertia=thin))
        model.joints.append(lw.Joint(f"pivot{i}", "revolute", parent="world", child=f"crank{i}",
                                     pose=lw.Pose(xyz=[i, 0, 0]), axis=[0, -1, 0]))
    for i in range(count):
        model.bodies.append(lw.Body(f"bar{i}", mass=1, com=[0.5, 0, 0], inertia=thin))
        model.joints.append(lw.Joint(f"pin{i}", "revolute", parent=f"crank{i}", child=f"bar{i}",
                                     pose=lw.Pose(xyz=[1, 0, 0]), axis=[0, -1, 0]))
        model.closures.append(lw.Closure(f"hook{i}", body_a=f"bar{i}", body_b=f"crank{i + 1}", joint="revolute",
                                         axis=[0, -1, 0], at_a=lw.Pose(xyz=[1, 0, 0]), at_b=lw.Pose(xyz=[1, 0, 0])))
    return lw.compile(model)


def seconds(system):
    """Of the processor, the shortest of three."""
    q, took = system.assemble({"pivot0": 1.0}).q, []
    for _ in range(3):
        begin = time.process_time()
        run = lw.simulate(system, 0.05, q=q, every=0.05)
        took.append(time.process_time() - begin)
    return min(took), run


few, _ = seconds(chain(10))
many, run = seconds(chain(40))
print("mobility", chain(40).mobility(run.q[0]).mobility)
print("times_longer", many / few)
print("spread", abs(run["q:pivot0"] - run["q:pivot40"]).max())  # parallel cranks stay parallel
print("closure_error", run.closure_error.max())
