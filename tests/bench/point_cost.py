"""What a point without a request costs in Python: job.point(), and a step of job.steps.

nereus-mpiexec -n 1 python point_cost.py; processor time, median of rounds."""

import statistics
import time

import nereus

ROUNDS, POINTS = 21, 20000


def cost_us(pass_points, begin):
    times = []
    for number in range(ROUNDS):
        loop = begin(number)
        start = time.process_time()
        pass_points(loop)
        times.append((time.process_time() - start) / POINTS * 1e6)
    return statistics.median(times)


def main():
    with nereus.init() as job:
        def points(_):
            for _ in range(POINTS):
                job.point()

        def steps(loop):
            for _ in loop:
                pass

        alone = cost_us(points, lambda number: None)
        counted = cost_us(steps, lambda number: job.steps(POINTS, f"round {number}"))
        print(f"job.point {alone:.1f} us, step of job.steps {counted:.1f} us")


if __name__ == "__main__":
    main()
