#!/usr/bin/env python3
"""Mass matrix, bias and passive forces of MJCF models by MuJoCo, for tests/references/mjcf_test.cpp.

    pip install mujoco
    scripts/mjcf_figures.py tests/data/mjcf/*.xml ../shared/models/*.xml > tests/data/mjcf_figures.csv

Each row: file, what, numbers, in MuJoCo's own coordinates. Mx is the mass matrix times x; equalities and
dry friction are constraints in MuJoCo and not part of these. Meshes that are missing are replaced by a
tetrahedron, which is drawn and weighs nothing where the bodies have an <inertial>.
"""

import os
import re
import struct
import sys
import tempfile

import mujoco
import numpy as np

CORNERS = [(0, 0, 0), (0.1, 0, 0), (0, 0.1, 0), (0, 0, 0.1)]
FACES = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]


def tetrahedron(name):
    if name.lower().endswith(".stl"):
        data = bytes(80) + struct.pack("<I", len(FACES))
        for face in FACES:
            data += struct.pack("<12fH", 0, 0, 0, *(x for i in face for x in CORNERS[i]), 0)
        return data
    lines = ["v %g %g %g" % c for c in CORNERS] + ["f %d %d %d" % tuple(i + 1 for i in f) for f in FACES]
    return "\n".join(lines).encode()


def load(path):
    with open(path, encoding="utf-8") as given:
        text = given.read()
    folder = re.search(r'meshdir="([^"]*)"', text)
    folder = folder.group(1) if folder else ""
    files = re.findall(r'<mesh[^>]*file="([^"]*)"', text)
    if all(os.path.exists(os.path.join(os.path.dirname(path), folder, f)) for f in files):
        return mujoco.MjModel.from_xml_path(path)
    with tempfile.TemporaryDirectory() as temporary:
        for file in files:
            mesh = os.path.join(temporary, folder, file)
            os.makedirs(os.path.dirname(mesh), exist_ok=True)
            with open(mesh, "wb") as out:
                out.write(tetrahedron(file))
        copy = os.path.join(temporary, "model.xml")
        with open(copy, "w", encoding="utf-8") as out:
            out.write(text)
        return mujoco.MjModel.from_xml_path(copy)


def write(name, what, numbers):
    print(",".join([name, what] + [repr(float(x)) for x in numbers]))


def main():
    print(f"# Computed by MuJoCo {mujoco.__version__}, in its own coordinates (scripts/mjcf_figures.py).")
    print("# file, what, numbers. Mx: mass matrix times x.")
    for path in sorted(sys.argv[1:], key=os.path.basename):
        name = os.path.basename(path)
        if name.endswith("_part.xml"):
            continue
        model = load(path)
        data = mujoco.MjData(model)
        rng = np.random.default_rng(len(name))
        for _ in range(2):
            q = model.qpos0.copy()
            mujoco.mj_integratePos(model, q, 0.7 * rng.normal(size=model.nv), 1.0)
            x = rng.normal(size=model.nv)
            data.qpos[:], data.qvel[:] = q, rng.normal(size=model.nv)
            mujoco.mj_forward(model, data)
            product = np.zeros(model.nv)
            mujoco.mj_mulM(model, data, product, x)
            for what, numbers in [("q", q), ("v", data.qvel), ("x", x), ("Mx", product),
                                  ("bias", data.qfrc_bias), ("passive", data.qfrc_passive)]:
                write(name, what, numbers)


if __name__ == "__main__":
    main()
