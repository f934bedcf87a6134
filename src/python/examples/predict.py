"""Time of a change of size by method: python predict.py NS NT,NT,... [PICTURE [PROFILE.json]].

With matplotlib a picture, as times.png; else, and always, a table."""

import sys

import nereus


def table(ns, sizes, profile):
    """{method: times in s, by size}"""
    times = {}
    for nt in sizes:
        answer = nereus.predict(ns, nt, profile=profile)
        print(f"{ns} -> {nt}: best is {answer['best']}")
        for row in answer["predictions"]:
            times.setdefault(row["method"], {})[nt] = row["rt_s"]
    return times


def draw(times, ns, file):
    from matplotlib import pyplot

    for method, by_size in times.items():
        pyplot.plot(list(by_size), list(by_size.values()), marker="o", label=method)
    pyplot.xlabel("processes afterwards")
    pyplot.ylabel(f"time of the change from {ns} processes [s]")
    pyplot.yscale("log")
    pyplot.legend(fontsize="small")
    pyplot.savefig(file)


def main():
    ns, sizes, file, profile = (sys.argv[1:] + [None, None])[:4]
    times = table(int(ns), [int(size) for size in sizes.split(",")], profile)
    for method, by_size in times.items():
        print(f"{method:24}", *(f"{seconds:.3g} s" for seconds in by_size.values()))
    if file:
        draw(times, int(ns), file)


if __name__ == "__main__":
    main()
