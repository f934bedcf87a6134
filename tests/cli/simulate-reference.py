"""A slow scheduler that counts processors, to compare `nereus simulate` with, job by job.

    python3 simulate-reference.py SCHEDULER NODES SCALE LOG.swf.gz <jobs.csv

Exits with 1 where a start or an end differs. Lists and plain searches only, no heap, nothing kept
from one pass to the next. conservative-promises gives each job its start when it is submitted: the
same schedule as long as no job ends before its estimated end, and fast enough for a long queue.
"""
import bisect
import csv
import gzip
import sys


def read(path, scale):
    jobs = []
    for line in (gzip.open(path, "rt") if path.endswith(".gz") else open(path)):
        field = line.split(";")[0].split()
        if field:
            run = float(field[3])
            processors = int(field[7]) if int(field[7]) > 0 else int(field[4])
            jobs.append({"job": int(field[0]), "submit": float(field[1]) * scale, "run": run,
                         "estimate": max(run, float(field[8])), "processors": processors})
    return jobs


def fcfs(now, queue, running, free):
    started = []
    for job in queue:
        if job["processors"] > free:
            break
        free -= job["processors"]
        started.append(job)
    return started


def easy(now, queue, running, free):
    started = fcfs(now, queue, running, free)
    free -= sum(job["processors"] for job in started)
    waiting = queue[len(started):]
    if not waiting or free == 0:
        return started
    head = waiting[0]["processors"]
    ends = [(job["estimated_end"], job["processors"]) for job in running]
    ends += [(now + job["estimate"], job["processors"]) for job in started]

    def free_at(time):
        return free_now + sum(processors for end, processors in ends if end <= time)
    free_now = free
    shadow = min(end for end, _ in ends if free_at(end) >= head)
    extra = free_at(shadow) - head
    for job in waiting[1:]:
        if free == 0:
            break
        if job["processors"] <= free:
            if now + job["estimate"] <= shadow:
                pass
            elif job["processors"] <= extra:
                extra -= job["processors"]
            else:
                continue
            free -= job["processors"]
            started.append(job)
    return started


class Steps:
    """Free processors from each time on."""

    def __init__(self, begin, processors):
        self.times, self.free = [begin], [processors]

    def split(self, at):
        i = bisect.bisect_right(self.times, at) - 1
        if self.times[i] < at:
            i += 1
            self.times.insert(i, at)
            self.free.insert(i, self.free[i - 1])
        return i

    def take(self, begin, end, processors):
        for i in range(self.split(begin), self.split(end)):
            self.free[i] -= processors

    def earliest(self, job):
        begin = i = 0
        while i == begin or (i < len(self.times) and
                             self.times[i] < self.times[begin] + job["estimate"]):
            begin = i + 1 if self.free[i] < job["processors"] else begin
            i += 1
        return self.times[begin]


def conservative(now, queue, running, free):
    steps = Steps(now, free + sum(job["processors"] for job in running))
    for job in running:
        steps.take(now, job["estimated_end"], job["processors"])
    started, smallest = [], [float("inf")]
    for job in reversed(queue):  # of the rest of the queue: where none fits, none starts now
        smallest.append(min(smallest[-1], job["processors"]))
    for job in queue:
        if smallest.pop() > free:
            break
        begin = steps.earliest(job)
        steps.take(begin, begin + job["estimate"], job["processors"])
        if begin == now and job["processors"] <= free:
            free -= job["processors"]
            started.append(job)
    return started


def simulate(jobs, nodes, schedule):
    queue, running, coming = [], [], sorted(jobs, key=lambda job: job["submit"])
    while coming or running:
        now = min([job["end"] for job in running] + [job["submit"] for job in coming[:1]])
        running = [job for job in running if job["end"] > now]
        while coming and coming[0]["submit"] <= now:
            queue.append(coming.pop(0))
        free = nodes - sum(job["processors"] for job in running)
        for job in schedule(now, queue, running, free):
            job.update(start=now, end=now + job["run"], estimated_end=now + job["estimate"])
            queue.remove(job)
            running.append(job)
    assert not queue


def promises(jobs, processors):
    steps = Steps(0.0, processors)
    for job in sorted(jobs, key=lambda job: job["submit"]):
        now = steps.split(job["submit"])
        del steps.times[:now], steps.free[:now]
        job["start"] = steps.earliest(job)
        job["end"] = job["start"] + job["run"]
        steps.take(job["start"], job["start"] + job["estimate"], job["processors"])


def main():
    scheduler, nodes, scale, path = sys.argv[1:]
    jobs = read(path, float(scale))
    if scheduler == "conservative-promises":
        promises(jobs, int(nodes))
        compared = [job for job in jobs if job["run"] > 0]  # nothing holds an instant free
    else:
        simulate(jobs, int(nodes), globals()[scheduler])
        compared = jobs
    rows = {int(row["job"]): row for row in csv.DictReader(sys.stdin)}
    wrong = [job for job in compared if job["job"] not in rows or
             abs(float(rows[job["job"]]["start_s"]) - job["start"]) > 1e-5 or
             abs(float(rows[job["job"]]["end_s"]) - job["end"]) > 1e-5]
    print(f"{scheduler} x {scale}: {len(compared)} jobs, {len(wrong)} differ")
    for job in wrong[:5]:
        print(job, rows.get(job["job"]))
    return 1 if wrong or len(rows) != len(jobs) else 0


sys.exit(main())
