"""Time of a change of size by method: python predict.py NS NT,NT,... [PICTURE [MACHINE]].

A table; PICTURE, as times.png, needs matplotlib. MACHINE is a profile's file (else that of this
machine, which `nereus calibrate` measures), or a synthetic one as in --synthetic."""

import sys

import nereus


def table(ns, sizes, machine):
    """{method: times in s, by size}"""
    times = {}
    option = "synthetic" if machine and ":" in machine else "profile"
    for nt in sizes:
        answer = nereus.predict(ns, nt, **{option: machine})
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
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    ns, sizes, file, machine = (sys.argv[1:] + [None, None])[:4]
    try:
        times = table(int(ns), [int(size) for size in sizes.split(",")], machine)
    except (nereus.NereusError, ValueError) as error:
        sys.exit(f"predict.py: {error}")
    for method, by_size in times.items():
        print(f"{method:24}", *(f"{seconds:.3g} s" for seconds in by_size.values()))
    if file:
        draw(times, int(ns), file)


if __name__ == "__main__":
    main()
