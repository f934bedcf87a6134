# parts.py MONITOR STEPS.csv RT CALLS NS NT: lines "QUANTITY VALUE" of one run of parts.sh: each
# part as predicted and as measured, in seconds.
# parts.py --table SAMPLES.csv: their errors as Markdown.
import csv, json, statistics, sys

PARTS = ("computation", "communication", "process change", "redistribution", "both")


def halves(path, ns, nt):
    """Mean time outside MPI and time of the slowest process of an iteration, before and after the change: medians of the intervals
    without each size's first, in which pages are touched for the first time and data has just come."""
    sizes, rows = {ns: [], nt: []}, []
    for line in map(json.loads, open(path)):
        if line["event"] == "process":
            rows.append(line)
        elif line["event"] == "interval":
            n = line["iterations"]
            outside = statistics.mean(r["real_s"] - r["mpi_s"] for r in rows) / n
            sizes[len(rows)].append((outside, max(r["real_s"] for r in rows) / n))
            rows = []
    return [[statistics.median(column) for column in zip(*sizes[size][1:])] for size in (ns, nt)]


def one_run(monitor, steps, rt, calls, ns, nt):
    ns, nt = int(ns), int(nt)
    before, after = halves(monitor, ns, nt)
    modelled = [float(line) for line in open(calls) if line.strip()]
    (least, *_), (with_data, low, high) = ([float(word) for word in line.split()] for line in open(rt))
    moved = other = 0.0
    for row in csv.DictReader(open(steps)):
        if row["step"] and row["critical_s"]:
            if row["kind"] in ("allocate", "redistribute", "commit"):  # which ends with the old parts
                moved += float(row["critical_s"])
            else:
                other += float(row["critical_s"])
    outside_calls_s, inside_calls_s = before[0], before[1] - before[0]
    known = len(modelled) == 2 and nt > 1  # the profile has the calls, and there is somebody to talk to
    factor = inside_calls_s / modelled[0] if known and ns > 1 else 1
    predicted = (outside_calls_s * ns / nt, factor * modelled[1] if known else 0, least, with_data - least, with_data)
    measured = (after[0], after[1] - after[0] if known else 0, other, moved, other + moved)
    for part, p, m in zip(PARTS, predicted, measured):
        name = part.replace(" ", "_")
        if m > 0:
            print(name + "_predicted", p)
            print(name + "_measured", m)
    print("inside", int(low <= other + moved <= high))


def table(path):
    seen, inside = {}, {}
    for row in csv.reader(line for line in open(path) if not line.startswith("#")):
        if len(row) == 4 and row[2].rpartition("_")[2] in ("predicted", "measured"):
            part, _, kind = row[2].rpartition("_")
            seen.setdefault((row[1], part), {}).setdefault(row[0], {})[kind] = float(row[3])
        elif len(row) == 4 and row[2] == "inside":
            inside.setdefault(row[1], []).append(int(row[3]))
    print("| from, to | " + " | ".join(PARTS) + " | both inside their interval |")
    print("| --- |" + " --- |" * (len(PARTS) + 1))
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
        print("| " + case + " | " + " | ".join(cells) + " | %d of %d |" % (sum(inside[case]), len(inside[case])))


if sys.argv[1] == "--table":
    table(sys.argv[2])
else:
    one_run(*sys.argv[1:])
