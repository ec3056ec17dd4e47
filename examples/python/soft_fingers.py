"""Soft fingers on a ball: two hard fingertips cannot stop it turning about the line between them, two soft ones can."""

import numpy as np

import linkwright as lw


def hand(fingers, contact):
    """The hand with some of its fingers, and this kind of contact."""
    model = lw.read_model("models/three_fingers_and_ball.yaml")
    model.grasps = [grasp for grasp in model.grasps if grasp.name in fingers]
    for grasp in model.grasps:
        grasp.contact = contact
        grasp.torsion = 0.005 if contact == "soft_finger" else None
    return lw.grasp(lw.compile(model), "ball")


verdicts = {}
for fingers in (["thumb", "index"], ["thumb", "index", "ring"]):
    for contact in ("point", "soft_finger"):
        held = hand(fingers, contact)
        verdicts[len(fingers), contact] = held
        print(f"{len(fingers)} fingers, {contact}: {held.force_closure}")
        print(f"holds_{len(fingers)}_{contact}", int(held.force_closure.holds))
        print(f"rank_{len(fingers)}_{contact}", held.rank)

# The proof that two points do not: a turn of the ball about the line between them, which no contact force resists.
loose = verdicts[2, "point"]
escape = np.array(loose.force_closure.escape)
print("resistance_to_the_turn", np.abs(loose.G.T @ escape).max() / np.abs(escape).max())
print("without_friction", int(verdicts[3, "point"].form_closure.holds))

# How hard three point fingers must press: each carries a third of the weight at the edge of its cone.
shared = verdicts[3, "point"].share()
print("up_error", max(abs(c.tangential / (0.2 * 9.81 / 3) - 1) for c in shared.contacts))
print("in_error", max(abs(c.normal * 0.8 / c.tangential - 1) for c in shared.contacts))
