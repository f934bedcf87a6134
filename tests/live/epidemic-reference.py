# epidemic-reference.py PERSONS DAYS SEED RATE INFECTIOUS START ENCOUNTERS: what nereus-epidemic
# --print says about each day, by another program: all pairs of persons, no matrix, no processes.
# Network and infections are those of sam/solvers/contacts.c, told again.
import sys

persons, days, seed, rate, infectious, start, encounters = (float(w) if "." in w else int(w) for w in sys.argv[1:])
MASK, GOLDEN = 2**64 - 1, 0x9E3779B97F4A7C15
NEAR, FAR, INTENSITY, START, ENCOUNTER = range(1, 6)


def mix(x):
    x = ((x ^ x >> 30) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ x >> 27) * 0x94D049BB133111EB) & MASK
    return x ^ x >> 31


def number(key, purpose, a, b):
    for more in (purpose, a, b):
        key = mix((key + GOLDEN * more) & MASK)
    return key


def share(*key):
    return (number(*key) >> 11) * 2.0**-53


far_sums = [number(seed, FAR, k, 0) % persons for k in range(4)]


def meet(low, high):
    if any((low + high) % persons == total for total in far_sums):
        return True
    rest = 1 - low / persons
    return high - low <= 4 + int(24 * rest * rest) and share(seed, NEAR, low, high) < 0.75


contacts = [[] for _ in range(persons)]
for low in range(persons):
    for high in range(low + 1, persons):
        if meet(low, high):
            intensity = share(seed, INTENSITY, low, high)
            contacts[low].append((high, intensity))
            contacts[high].append((low, intensity))
left = [infectious if start > 0 and (i == 0 or share(seed, START, i, 0) < start) else 0 for i in range(persons)]
removed = [False] * persons
for day in range(days + 1):
    sick = [i for i in range(persons) if left[i] > 0]
    print("day", day, "susceptible", persons - len(sick) - sum(removed), "infectious", len(sick), "removed", sum(removed))
    caught = {
        j
        for i in sick
        for j, intensity in contacts[i]
        if any(share(number(seed, ENCOUNTER, i, j), ENCOUNTER, day, k) < rate * intensity for k in range(encounters))
    }
    for i in sick:
        left[i] -= 1
        removed[i] = left[i] == 0
    for j in caught:
        if left[j] == 0 and not removed[j]:
            left[j] = infectious
