"""Soft fingers on a ball: two hard fingertips cannot stop it turning about the line between them, two soft ones can."""

import numpy as np

import linkwright as lw

three = lw.read_model("models/three_fingers_and_ball.yaml")


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
        if not held.force_closure.holds:
            # The proof: a turn of the ball, about the line between the two contacts.
            escape = np.array(held.force_closure.escape)
            assert np.allclose(held.G.T @ escape, 0, atol=1e-6 * np.abs(escape).max())

assert not verdicts[2, "point"].force_closure.holds and verdicts[2, "soft_finger"].force_closure.holds
assert verdicts[3, "point"].force_closure.holds and not verdicts[3, "point"].form_closure.holds
assert verdicts[2, "point"].rank == 5 and verdicts[2, "soft_finger"].rank == 6

# How hard three point fingers must press: each carries a third of the weight at the edge of its cone.
shared = verdicts[3, "point"].share()
print({contact.name: f"{contact.normal:.3f} N" for contact in shared.contacts})
for contact in shared.contacts:
    assert np.isclose(contact.tangential, 0.2 * 9.81 / 3, rtol=1e-3)
    assert np.isclose(contact.normal, contact.tangential / 0.8, rtol=1e-3)
