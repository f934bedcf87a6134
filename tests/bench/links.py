# links.py --moved < PLAN.json: the lines of a plan's redistribution for links.sh, "QUANTITY VALUE".
# links.py --table SAMPLES.csv: predicted over measured as Markdown.
import csv, itertools, json, statistics, sys


def moved():
    steps = [s for s in json.load(sys.stdin)["steps"] if s["kind"] == "redistribute"]
    for name, key in (("predicted", "time_s"), ("low", "time_low_s"), ("high", "time_high_s")):
        print(f"moved_{name}_s", sum(s[key] for s in steps))


def read(path):
    cases = {}
    for row in csv.reader(line for line in open(path) if not line.startswith("#")):
        if len(row) == 4 and row[2].endswith("_s"):
            cases.setdefault(row[1], {}).setdefault(row[2], []).append(float(row[3]))
    return {tuple(case.replace("-intra", "").split()): {k: statistics.median(v) for k, v in of.items()} | {"samples": of}
            for case, of in cases.items()}


def within(ratios):
    return f"{100 * sum(max(r, 1 / r) <= 1.25 for r in ratios) / len(ratios):.0f} %" if ratios else "-"


def line(name, cases, what):
    ratios = [c[f"{what}_predicted_s"] / c[f"{what}_measured_s"] for c in cases if c.get(f"{what}_measured_s", 0) > 0]
    inside = [c[f"{what}_low_s"] <= c[f"{what}_measured_s"] <= c[f"{what}_high_s"] for c in cases if f"{what}_low_s" in c]
    if not ratios or not inside:
        return
    again = [b / a for c in cases for a, b in itertools.pairwise(c["samples"].get(f"{what}_measured_s", []))]
    print(f"| {name} | {len(ratios)} | {statistics.median(ratios):.2f} | {within(ratios)} "
          f"| {min(ratios):.2f} to {max(ratios):.2f} | {100 * sum(inside) / len(inside):.0f} % | {within(again)} |")


def head(title, keys):
    columns = f"{keys} | cases | median | within | range | inside | repeats"
    print(f"\n{title}:\n\n| {columns} |\n|{' --- |' * len(columns.split('|'))}")


def table(path):
    cases = read(path)
    by_number = lambda text: (len(text), text)
    rates, ways, sizes = (sorted({key[i] for key in cases}, key=by_number) for i in (0, 4, 5))
    print("Predicted / measured, medians of the samples; within: by at most 25 %; inside: measured in the 90 % interval; "
          "repeats: samples of one case that differ by at most 25 %, the best that a prediction can reach.")
    link = lambda rate: rate.replace("mbit", " Mbit/s")
    for what, name in (("moved", "The redistribution alone"), ("rt", "RT, with the start of processes that share two cores")):
        if what == "moved":
            head(f"{name}, by link and way to move data", "link | way")
            for rate, way in itertools.product(rates, ways):
                line(f"{link(rate)} | {way}", [c for k, c in cases.items() if (k[0], k[4]) == (rate, way)], what)
        head(f"{name}, by link", "link")
        for rate in rates:
            line(link(rate), [c for k, c in cases.items() if k[0] == rate], what)
        line("all", list(cases.values()), what)
        head(f"{name}, by bytes", "bytes")
        for size in sizes:
            line(f"{int(size) / 1e6:g} MB", [c for k, c in cases.items() if k[5] == size], what)


if sys.argv[1] == "--moved":
    moved()
else:
    table(sys.argv[2])
