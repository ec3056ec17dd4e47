#!/usr/bin/env python3
"""Draws what `make bench` measured and writes a short report beside the figures.
  usage: scripts/plot_bench.py BENCH_JSON OUT_FOLDER
A peer that was not installed has no rows, and without Pinocchio ratios are null: what is missing is left out."""
import json
import re
import sys
from pathlib import Path

import matplotlib
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, LogLocator

QUANTITIES = {name: name.replace("-", " ") for name in ("inverse-dynamics", "forward-dynamics", "mass-matrix")}
FAMILIES = {"chain": "chains", "tree": "random trees"}
FIGURES = {
    "ratios.svg": "Times as fast as P",
    "time_against_bodies.svg": "Time per state against number of bodies",
    "operators_against_bodies.svg": "Time to apply operators against number of bodies",
    "closed_against_loops.svg": "Forward dynamics of chains of four-bars against number of loops",
}
# Okabe and Ito's colours stay apart for colour-blind readers; the markers tell the lines apart in grey.
LOOKS = {
    "Linkwright": {"color": "#0072B2", "marker": "o"},
    "Pinocchio": {"color": "#D55E00", "marker": "s"},
    "MuJoCo": {"color": "#009E73", "marker": "D"},
    "KDL": {"color": "#B0699B", "marker": "^"},
}
P_LINE = {"color": LOOKS["Pinocchio"]["color"], "linewidth": 1.2}
PEER = {"markersize": 6, "markeredgecolor": "white", "linestyle": ""}  # the edge sets it off from bars
OFFSETS = {"MuJoCo": -0.25, "KDL": 0.25}  # one above the other: equal ratios would hide each other
BATCH = 4096
# One hue from dark to light, in the order in which the bars of one model stand.
BARS = {
    (1, "double"): ("one state", "#08519C"),
    (BATCH, "double"): (f"{BATCH} states, double", "#4E9AD0"),
    (BATCH, "float"): (f"{BATCH} states, float", "#A6CEE8"),
}
# The rows that time operators, on chains.
OPERATORS = {
    "mass-matrix-solve": ("M⁻¹x by hand-written sweeps", LOOKS["Pinocchio"]),
    "apply-inverse-mass": ("M⁻¹x as an expression", LOOKS["Linkwright"]),
    "apply-ten-operators": ("a product of ten operators", LOOKS["MuJoCo"]),
}
CLOSED = "closed-forward-dynamics"
CLOSED_BATCH = "closed-forward-dynamics-batch"
# Curves of the chains of four-bars; hollow where answers are not good enough to be P_c.
CHAINS = {
    "ours": ("Linkwright, error below 1e-11", LOOKS["Linkwright"]),
    "constraintDynamics": ("Pinocchio constraintDynamics", LOOKS["Pinocchio"]),
    "lcaba": ("Pinocchio lcaba, fastest accurate setting", {"color": "#B0699B", "marker": "^"}),
    "customary": ("Pinocchio lcaba, µ 1e-5 to residual 1e-10", {"color": "#009E73", "marker": "D", "linestyle": "--"}),
}
INK = "#333333"
GUIDE = {"color": INK, "linewidth": 0.7, "linestyle": (0, (4, 3))}
STYLE = {
    "font.size": 9, "axes.titlesize": 10, "axes.titlelocation": "left", "lines.markersize": 4,
    "text.color": INK, "axes.labelcolor": INK, "xtick.color": INK, "ytick.color": INK,
    "axes.edgecolor": "#BBBBBB", "axes.spines.top": False, "axes.spines.right": False,
    "axes.grid": True, "axes.axisbelow": True, "grid.color": "#E6E6E6", "grid.linewidth": 0.6,
    "xtick.major.size": 0, "ytick.major.size": 0, "legend.frameon": False, "figure.constrained_layout.use": True,
    "svg.hashsalt": "linkwright",  # otherwise ids are drawn by lot and every run changes the files
}


def read_rows(path):
    """Rows with a time, each with the library's name without version."""
    rows = [row for row in json.loads(Path(path).read_text()) if row["ns"] is not None]
    return [{"threads": 1, "name": row["library"].split()[0], **row} for row in rows]


def best_builds(rows):
    """(model, quantity, library) -> its fastest row for one state."""
    best = {}
    for row in rows:
        key = (row["model"], row["quantity"], row["name"])
        if row["batch"] == 1 and (key not in best or row["ns"] < best[key]["ns"]):
            best[key] = row
    return best


def batch_rows(rows):
    """(model, quantity, scalar, threads) -> row, in the order of the file."""
    return {(r["model"], r["quantity"], r["scalar"], r["threads"]): r for r in rows
            if r["batch"] == BATCH and r["quantity"] != CLOSED_BATCH}


def sized(model):
    """("chain", 36) for chain36; nothing for a model that does not belong to a family."""
    match = re.fullmatch(r"(chain|tree)(\d+)", model)
    return match and (match[1], int(match[2]))


def present(best):
    """Libraries that have at least one row, in the order of LOOKS."""
    return [name for name in LOOKS if any(name == found for _, _, found in best)]


def finish(figure, handles, columns, path):
    figure.legend(handles=handles, loc="outside upper center", ncols=columns)
    figure.savefig(path, metadata={"Date": None}, facecolor="white")  # a date would make every run a change


def curves_of(best, family, quantity):
    """Library -> its points (bodies, ns) by number of bodies, Linkwright last and so on top."""
    points = {name: [] for name in reversed(present(best))}
    for (model, what, name), row in best.items():
        if what == quantity and (size := sized(model)) and size[0] == family:
            points[name].append((size[1], row["ns"]))
    return {name: sorted(line) for name, line in points.items() if line}


def draw_growth_panel(axes, best, family, quantity):
    curves = curves_of(best, family, quantity)
    for name, line in curves.items():
        axes.plot(*zip(*line), **LOOKS[name])
    if points := [point for line in curves.values() for point in line]:
        # Below all curves, so that it is a measure for them and not one of them.
        cost = 0.6 * min(ns / bodies for bodies, ns in points)
        ends = [min(points)[0], max(points)[0]]
        axes.plot(ends, [cost * bodies for bodies in ends], **GUIDE)


def spell_time(ns, _position):
    return f"{ns:g} ns" if ns < 1e3 else f"{ns / 1e3:g} µs" if ns < 1e6 else f"{ns / 1e6:g} ms"


def draw_growth(best, path):
    if not any(sized(model) for model, _, _ in best):
        return
    figure = Figure(figsize=(9.5, 6.2))
    grid = figure.subplots(2, 3, sharex=True, sharey=True)
    for row, family in zip(grid, FAMILIES):
        for axes, quantity in zip(row, QUANTITIES):
            axes.set(xscale="log", yscale="log")
            draw_growth_panel(axes, best, family, quantity)
            axes.minorticks_off()
        row[0].set_ylabel(f"{FAMILIES[family]}: time per state")
    for top, bottom, title in zip(*grid, QUANTITIES.values()):
        top.set_title(title)
        bottom.set_xlabel("bodies")
    # Shared axes: one formatter serves all panels.
    grid[0, 0].xaxis.set_major_formatter(FuncFormatter(lambda bodies, _: f"{bodies:g}"))
    grid[0, 0].yaxis.set_major_formatter(FuncFormatter(spell_time))
    handles = [Line2D([], [], label=name, **LOOKS[name]) for name in present(best)]
    handles.append(Line2D([], [], label="slope 1", **GUIDE))
    finish(figure, handles, len(handles), path)


def draw_operators(best, path):
    lines = {quantity: curves_of(best, "chain", quantity).get("Linkwright") for quantity in OPERATORS}
    if not all(lines.values()):
        return
    figure = Figure(figsize=(6, 4))
    axes = figure.subplots()
    axes.set(xscale="log", yscale="log", xlabel="bodies (chains)", ylabel="time per application")
    for quantity, line in lines.items():
        axes.plot(*zip(*line), **OPERATORS[quantity][1])
    ends = [lines["mass-matrix-solve"][0], lines["mass-matrix-solve"][-1]]
    axes.plot([n for n, _ in ends], [0.6 * ends[0][1] / ends[0][0] * n for n, _ in ends], **GUIDE)
    axes.minorticks_off()
    axes.xaxis.set_major_formatter(FuncFormatter(lambda bodies, _: f"{bodies:g}"))
    axes.yaxis.set_major_formatter(FuncFormatter(spell_time))
    handles = [Line2D([], [], label=label, **look) for label, look in OPERATORS.values()]
    handles.append(Line2D([], [], label="slope 1", **GUIDE))
    finish(figure, handles, 2, path)


def chain_curves(rows):
    """Curve of CHAINS -> its points (loops, ns, whether the answers are good enough)."""
    found = {curve: {} for curve in CHAINS}
    for row in (r for r in rows if r["quantity"] == CLOSED and "loops" in r):
        loops, passes, customary = row["loops"], row.get("passes", True), row.get("customary", False)
        if (curve := row.get("algorithm", "ours")) in found:
            # The customary setting counts among the others where it is good enough; the fastest such one is drawn.
            found[curve].setdefault(loops, []).append((not passes, customary, row["ns"]))
        if customary:
            found["customary"][loops] = [(not passes, False, row["ns"])]
    points = {curve: [(n, min(c)[2], not min(c)[0]) for n, c in sorted(at.items())] for curve, at in found.items()}
    return {curve: line for curve, line in points.items() if line}


def draw_chains(rows, path):
    curves = chain_curves(rows)
    if len(curves.get("ours", [])) < 2:
        return
    figure = Figure(figsize=(7, 4.8))
    axes = figure.subplots()
    axes.set(xscale="log", yscale="log", xlabel="four-bars in the chain", ylabel="forward dynamics, time per state")
    for curve, line in reversed(curves.items()):
        look = {**CHAINS[curve][1]}
        axes.plot([n for n, _, _ in line], [ns for _, ns, _ in line], **look)
        poor = [(n, ns) for n, ns, passes in line if not passes]
        if poor:
            axes.plot(*zip(*poor), **{**look, "linestyle": "", "markerfacecolor": "white"})
    ends = [line[0] for line in (curves["ours"], curves["ours"][::-1])]
    axes.plot([n for n, _, _ in ends], [0.6 * ends[0][1] / ends[0][0] * n for n, _, _ in ends], **GUIDE)
    axes.minorticks_off()
    axes.set_xticks([n for n, _, _ in curves["ours"]])
    axes.xaxis.set_major_formatter(FuncFormatter(lambda loops, _: f"{loops:g}"))
    axes.yaxis.set_major_formatter(FuncFormatter(spell_time))
    handles = [Line2D([], [], label=CHAINS[curve][0], **CHAINS[curve][1]) for curve in curves]
    handles.append(Line2D([], [], label="hollow: error above 1e-8", color=INK, marker="o", linestyle="", markerfacecolor="white"))
    handles.append(Line2D([], [], label="slope 1", **GUIDE))
    finish(figure, handles, 2, path)


def ratios_of(model, quantity, best, batches):
    """(batch, scalar) -> Linkwright's ratio to P, as far as there is one."""
    rows = {key: batches.get((model, quantity, key[1], 1)) for key in BARS}
    rows[1, "double"] = best.get((model, quantity, "Linkwright"))
    return {key: row["ratio_to_P"] for key, row in rows.items() if row and row["ratio_to_P"] is not None}


def places_of_robots(best, batches):
    """Model -> middle of its bars, from the top down in the order of the file; and where they end."""
    places, top = {}, 0.0
    for model in dict.fromkeys(model for model, _, _ in best):
        bars = max(len(ratios_of(model, quantity, best, batches)) for quantity in QUANTITIES)
        # The other chains and trees only show the growth with N.
        if bars and (model == "chain36" or not sized(model)):
            places[model] = top + bars / 2
            top += bars + 0.9
    return places, top - 0.9


def draw_bars(axes, ratios, middle):
    for i, (key, ratio) in enumerate(ratios.items()):
        y = middle + i - (len(ratios) - 1) / 2
        # Bars start at 1 = P, so that what is slower points the other way.
        axes.barh(y, ratio - 1, left=1, height=0.86, color=BARS[key][1])
        label = f"{ratio:#.2g}" if ratio < 9.95 else f"{ratio:.0f}"
        axes.text(max(ratio, 1) * 1.07, y, label, va="center", fontsize=8)


def draw_ratio_panel(axes, quantity, places, best, batches):
    axes.axvline(1, **P_LINE)
    for model, middle in places.items():
        draw_bars(axes, ratios_of(model, quantity, best, batches), middle)
        for peer, offset in OFFSETS.items():
            row = best.get((model, quantity, peer))
            if row and row["ratio_to_P"] is not None:
                axes.plot(row["ratio_to_P"], middle + offset, **LOOKS[peer], **PEER)


def draw_ratios(best, batches, path):
    places, bottom = places_of_robots(best, batches)
    if not places:
        return
    figure = Figure(figsize=(9.5, 1.7 + 0.17 * bottom))
    row = figure.subplots(1, 3, sharex=True, sharey=True)
    for axes, (quantity, title) in zip(row, QUANTITIES.items()):
        axes.set(title=title, xlabel="times as fast as P", ylim=(bottom + 0.5, -0.5))
        axes.set_xscale("log", base=2)
        axes.grid(False, axis="y")
        draw_ratio_panel(axes, quantity, places, best, batches)
        axes.margins(x=0.1)
    row[0].set_yticks(list(places.values()), list(places))
    row[0].xaxis.set_major_locator(LogLocator(base=2, numticks=99))  # every power of two
    row[0].xaxis.set_major_formatter(FuncFormatter(lambda x, _: f"{x:g}" if x >= 1 else f"1/{1 / x:g}"))
    handles = [Patch(color=color, label=f"Linkwright, {label}") for label, color in BARS.values()]
    handles.append(Line2D([], [], label="P = Pinocchio, faster build", **P_LINE))
    peers = [name for name in present(best) if name in OFFSETS]
    handles += [Line2D([], [], label=f"{peer}, one state", **LOOKS[peer], **PEER) for peer in peers]
    finish(figure, handles, 3, path)


def table(head, rows):
    lines = [head, ["---", "---"] + ["---:"] * (len(head) - 2), *rows]
    return "".join("| " + " | ".join(cells) + " |\n" for cells in lines)


def spell(number, form):
    return "" if number is None else form.format(number)


def ns_and_ratio(row):
    return f"{row['ns']:.0f}" + spell(row["ratio_to_P"], " ({:.2f}x)") if row else ""


def one_state_table(best):
    names = present(best)
    pairs = dict.fromkeys((model, quantity) for model, quantity, _ in best)
    rows = [[m, QUANTITIES[q]] + [ns_and_ratio(best.get((m, q, name))) for name in names] for m, q in pairs if q in QUANTITIES]
    return table(["model", "quantity", *names], rows)


def batch_table(batches):
    rows = []
    for model, quantity, scalar in dict.fromkeys(key[:3] for key in batches if key[3] == 1):
        row = batches[model, quantity, scalar, 1]
        two = batches.get((model, quantity, scalar, 2), {})
        rows.append([model, f"{QUANTITIES[quantity]}, {scalar}", f"{row['ns']:.1f}",
                     spell(row["ratio_to_P"], "{:.1f}x"), spell(row.get("share_of_fma_peak"), "{:.0%}"),
                     spell(two.get("gain_over_one_thread"), "{:.2f}x")])
    return table(["model", "quantity", "ns per state", "to P", "of FMA peak", "2 threads"], rows)


def operator_table(best):
    rows = [[model, OPERATORS[what][0], f"{row['ns']:.0f}", f"{row['ratio_to_trunk']:.2f}"]
            for (model, what, _), row in best.items() if what in OPERATORS]
    return table(["model", "applied", "ns", "times the hand-written M⁻¹x"], rows)


def closed_table(rows):
    cells = []
    for ours in (r for r in rows if r["quantity"] == CLOSED and "algorithm" not in r):
        rivals = [r for r in rows if r["quantity"] == CLOSED and r["model"] == ours["model"] and r.get("passes")]
        rival = min(rivals, key=lambda r: r["ns"], default=None)
        asked = f"{ours['asked']:g}x, {ours['aim']:g}x" if ours.get("asked") else ""
        cells.append([ours["model"].removeprefix("closed/"), rival and f"{rival['algorithm']}, {rival['setting']}" or "none",
                      f"{ours['ns'] / 1e3:.2f}", rival and f"{rival['ns'] / 1e3:.2f}" or "", spell(ours["ratio_to_P"], "{:.2f}x"), asked,
                      f"{ours['error']:.0e}", rival and f"{rival['error']:.0e}" or ""])
    return table(["mechanism", "P_c", "ours, µs", "P_c, µs", "ratio", "asked, aim", "our error", "its error"], cells)


def closed_batch_table(rows):
    cells = [[row["model"].removeprefix("closed/"), f"{row['ns']:.0f}", f"{row['P_c_ns']:.0f}" if row["P_c_ns"] else "",
              spell(row["ratio_to_P"], "{:.1f}x"), f"{row['asked']:g}x, {row['aim']:g}x", f"{row['error']:.0e}"]
             for row in rows if row["quantity"] == CLOSED_BATCH]
    return table(["mechanism", "ours, ns per state", "P_c, ns per state", "ratio", "asked, aim", "our error"], cells)


def write_report(rows, best, batches, folder):
    builds = sorted({f"{row['library']} ({row['compiler'].strip()})" for row in rows})
    figures = [f"![{caption}]({name})\n\n" for name, caption in FIGURES.items() if (folder / name).exists()]
    (folder / "report.md").write_text(
        f"# Benchmark\nMeasured: {', '.join(builds)}. P is the faster of Pinocchio's builds.\n\n{''.join(figures)}"
        "## One state\nMedian nanoseconds of every library's fastest build, in brackets P's time over it "
        f"(above 1 is faster than P).\n\n{one_state_table(best)}\n"
        f"## Batches of {BATCH} states\nLinkwright on one thread; the last column is the gain of two threads over "
        f"one.\n\n{batch_table(batches)}\n"
        f"## Operators\n{operator_table(best)}\n"
        "## Closed chains\nForward dynamics; P_c is the fastest of Pinocchio's algorithms, settings and builds with residual at most "
        f"1e-10 and error at most 1e-8.\n\n{closed_table(rows)}\n"
        f"Batches of {BATCH} on one core, beside P_c taking one state after the other.\n\n{closed_batch_table(rows)}")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    rows, folder = read_rows(sys.argv[1]), Path(sys.argv[2])
    best, batches = best_builds(rows), batch_rows(rows)
    folder.mkdir(parents=True, exist_ok=True)
    for name in FIGURES:  # one from an earlier run must not pass for this one's
        (folder / name).unlink(missing_ok=True)
    with matplotlib.rc_context(STYLE):
        draw_ratios(best, batches, folder / "ratios.svg")
        draw_growth(best, folder / "time_against_bodies.svg")
        draw_operators(best, folder / "operators_against_bodies.svg")
        draw_chains(rows, folder / "closed_against_loops.svg")
    write_report(rows, best, batches, folder)
    print(f"wrote {folder}/report.md")


if __name__ == "__main__":
    main()
