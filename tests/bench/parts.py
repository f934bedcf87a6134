# parts.py MONITOR STEPS.csv RT CALLS NS NT: lines "QUANTITY VALUE" of one run of parts.sh: each part as predicted and as measured, in seconds.
# parts.py --table SAMPLES.csv: their errors as Markdown.
import csv, json, statistics, sys

PARTS = ("computation", "communication", "process change", "redistribution")


def halves(path):
    """Of the first interval and the last one: processes, mean time outside MPI, time of the slowest process; of an iteration."""
    intervals, rows = [], []
    for line in map(json.loads, open(path)):
        if line["event"] == "process":
            rows.append(line)
        elif line["event"] == "interval":
            n = line["iterations"]
            outside = statistics.mean(r["real_s"] - r["mpi_s"] for r in rows) / n
            intervals.append((n, outside, max(r["real_s"] for r in rows) / n))
            rows = []
    return intervals[0], intervals[-1]


def one_run(monitor, steps, rt, calls, ns, nt):
    before, after = halves(monitor)
    ns, nt = int(ns), int(nt)
    modelled = [float(line) for line in open(calls) if line.strip()]
    least, with_data = (float(line) for line in open(rt))
    moved = other = 0.0
    for row in csv.DictReader(open(steps)):
        if row["step"] and row["critical_s"]:
            if row["kind"] in ("allocate", "redistribute"):
                moved += float(row["critical_s"])
            else:
                other += float(row["critical_s"])
    real_before = before[2] - before[1]
    known = len(modelled) == 2 and nt > 1  # the profile has the calls, and there is somebody to talk to
    factor = real_before / modelled[0] if known and ns > 1 else 1
    predicted = (before[1] * ns / nt, factor * modelled[1] if known else 0, least, with_data - least)
    measured = (after[1], after[2] - after[1] if known else 0, other, moved)
    for part, p, m in zip(PARTS, predicted, measured):
        name = part.replace(" ", "_")
        if m > 0:
            print(name + "_predicted", p)
            print(name + "_measured", m)


def table(path):
    seen = {}
    for row in csv.reader(line for line in open(path) if not line.startswith("#")):
        if len(row) == 4 and row[2].rpartition("_")[2] in ("predicted", "measured"):
            part, _, kind = row[2].rpartition("_")
            seen.setdefault((row[1], part), {}).setdefault(row[0], {})[kind] = float(row[3])
    print("| from, to | " + " | ".join(PARTS) + " |")
    print("| --- |" + " --- |" * len(PARTS))
    for case in dict.fromkeys(key[0] for key in seen):
        cells = []
        for part in PARTS:
            runs = list(seen.get((case, part.replace(" ", "_")), {}).values())
            errors = sorted(100 * (r["predicted"] / r["measured"] - 1) for r in runs)
            if not errors:
                cells.append("-")
                continue
            median = [statistics.median(r[kind] for r in runs) for kind in ("measured", "predicted")]
            cells.append("%.0f, **%.0f**, %.0f (%.3g and %.3g ms)" % (
                errors[0], statistics.median(errors), errors[-1], 1e3 * median[0], 1e3 * median[1]))
        print("| " + case + " | " + " | ".join(cells) + " |")


if sys.argv[1] == "--table":
    table(sys.argv[2])
else:
    one_run(*sys.argv[1:])
