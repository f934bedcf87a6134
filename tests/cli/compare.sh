# nereus study compare: what repeated runs say, as text, CSV, JSON and picture; against scipy and
# scikit-posthocs where python3 has them; refusals.
# shellcheck source=tests/cli/lib.sh
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"
cp "$data/repeats.csv" r.csv
c="$NEREUS study compare r.csv"

# --- text: every pair, groups by their medians, the map -------------------------------------------

accepted $c --reference baseline/coll
[ -s err ] && fail "notes about runs that all count: $(cat err)"
holds '^RT of 4 methods at 6 pairs of sizes; 90 % intervals of the medians$' out
holds '\(Conover, corrected by Holm\)$' out
holds '^ 1   2  merge/coll +7 +0.0892 +0.0819 +0.1101 .* a +yes +1.679$' out
holds '^ 2   4  merge/p2p +7 .* b +no +1.489$' out
holds '^ 2   4 +4  21.98  6.601e-05 +1  merge/coll +merge/coll +-$' out
holds '^ 4   2 +4  15.47 .* merge/p2p +merge/coll +merge/coll, merge-single/coll$' out
holds '^Best method, ties resolved by .* nearest cells \(~: tied\)$' out
holds '^ +2 +2~ +\. +1 *$' out
holds '^   2  merge/p2p$' out
accepted $c --ties remaining
holds '^ +2 +1~ +\. +1 *$' out
accepted $c --ties median
holds '^ +4 +1~ +2~ +\. *$' out

# --- CSV and JSON hold the same -------------------------------------------------------------------

accepted $c --format csv --reference merge/coll
[ "$(wc -l <out)" -eq 25 ] || fail "rows of groups: $(wc -l <out)"
holds '^ns,nt,method,runs,median_s,median_low_s,median_high_s,mean_s,sd_s,shapiro_w,shapiro_p,mean_rank,letters,best,speed_up$' out
cp out groups.csv
accepted $c --format csv --report pairs
[ "$(wc -l <out)" -eq 7 ] || fail "rows of pairs: $(wc -l <out)"
cp out pairs.csv
accepted $c --format csv --report differences
[ "$(wc -l <out)" -eq 37 ] || fail "rows of differences: $(wc -l <out)"
cp out differences.csv
# Medians, means and deviations, by hand.
awk -F, 'NR > 1 { k = $3 "," $4 "," $5; n[k]++; v[k, n[k]] = $9; s[k] += $9; q[k] += $9 * $9 }
    END { for (k in n) { for (i = 1; i <= n[k]; i++) for (j = i + 1; j <= n[k]; j++) if (v[k, j] < v[k, i]) { t = v[k, i]; v[k, i] = v[k, j]; v[k, j] = t }
        printf "%s,%d,%.9g,%.9g,%.9g\n", k, n[k], v[k, 4], s[k] / n[k], sqrt((q[k] - s[k] * s[k] / n[k]) / (n[k] - 1)) } }' r.csv | sort >expected
tail -n +2 groups.csv | cut -d, -f1-5,8,9 | sort >found
same expected found 1e-6
if command -v python3 >/dev/null; then
    accepted $c --format json --reference merge/coll --correction bonferroni
    python3 - out groups.csv pairs.csv >why 2>&1 <<'PY' || fail "JSON: $(cat why)"
import csv, json, sys
answer = json.load(open(sys.argv[1]))
assert answer["value"] == "RT" and answer["correction"] == "bonferroni" and answer["reference"] == "merge/coll", answer["value"]
for key, path in (("groups", sys.argv[2]), ("pairs", sys.argv[3])):
    rows = list(csv.DictReader(open(path)))
    assert len(rows) == len(answer[key]), key
    for row, item in zip(rows, answer[key]):
        assert list(row) == list(item), (key, list(item))
        assert str(row["ns"]) == str(item["ns"]), (row, item)
assert len(answer["differences"]) == 36
PY
fi

# --- scipy and scikit-posthocs say the same -------------------------------------------------------

# Versions before scipy 1.11 computed Shapiro-Wilk in single precision.
if ! command -v python3 >/dev/null; then
    echo 'skipped: no comparison with scipy, as there is no python3'
elif ! python3 -c 'import scipy.stats, scikit_posthocs, numpy' 2>why; then
    echo "skipped: no comparison with scipy and scikit-posthocs: $(tail -1 why)"
else
    for correction in none bonferroni holm; do
        accepted $c --correction $correction --format csv --report differences
        cp out differences.csv
        python3 - r.csv groups.csv pairs.csv differences.csv $correction >why 2>&1 <<'PY' || fail "$correction: $(tail -3 why)"
import csv, sys
import scikit_posthocs as posthocs
import scipy.stats as stats
runs, groups, pairs, differences = ([*csv.DictReader(open(p))] for p in sys.argv[1:5])
adjust = None if sys.argv[5] == "none" else sys.argv[5]
def values(ns, nt, method):
    return [float(r["rt_s"]) for r in runs if (r["ns"], r["nt"], r["method"]) == (ns, nt, method)]
def near(found, expected, relative):
    assert abs(float(found) - expected) <= relative * abs(expected), (found, expected)
for g in groups:
    w = stats.shapiro(values(g["ns"], g["nt"], g["method"]))
    near(g["shapiro_w"], w.statistic, 1e-5)
    near(g["shapiro_p"], w.pvalue, 1e-3)
for pair in pairs:
    names = [g["method"] for g in groups if (g["ns"], g["nt"]) == (pair["ns"], pair["nt"])]
    data = [values(pair["ns"], pair["nt"], name) for name in names]
    h = stats.kruskal(*data)
    near(pair["kruskal_h"], h.statistic, 1e-8)
    near(pair["kruskal_p"], h.pvalue, 1e-7)
    p = posthocs.posthoc_conover(data, p_adjust=adjust).values
    for d in differences:
        if (d["ns"], d["nt"]) == (pair["ns"], pair["nt"]):
            near(d["conover_p_adjusted"], p[names.index(d["method"])][names.index(d["other"])], 1e-6)
PY
    done
fi

# --- T_ex and CT ----------------------------------------------------------------------------------

# Equation 7: 2 T_iter(NS) + RT + (10 - It) T_iter(NT), with the iteration times of the pair.
{
    echo cluster,cores_per_node,ns,nt,method,t_iter_ns_s,t_iter_nt_s,bytes,rt_s,ct_s,iterations,statistic,n
    for rt in 0.50 0.52 0.54 0.56 0.58; do
        echo "small,4,2,3,merge/coll,0.31,0.17,800,$rt,,,single,1"
        echo "small,4,2,3,merge-async/coll,0.31,,800,$(awk -v r=$rt 'BEGIN { print r + 0.3 }'),0.7,3,single,1"
    done
} >async.csv
accepted "$NEREUS" study compare async.csv --value t_ex --iterations-before 2 --iterations-after 10 --format csv
holds '^2,3,merge/coll,5,2.86[0-9]*,2.82[0-9]*,2.9[0-9]*,2.86[0-9]*,0.0316227766[0-9]*,' out
holds '^2,3,merge-async/coll,5,2.65[0-9]*,2.61[0-9]*,2.69[0-9]*,' out
failed 'nothing can be compared: from 2 to 3 processes there is a single method' "$NEREUS" study compare async.csv --value ct
failed 'no run has a value: 168 rows have no ct_s$' $c --value ct

# --- what does not count, and what cannot be compared ---------------------------------------------

# Five runs of 2 to 4, two of merge-single/coll: described, but not tested.
awk -F, 'NR == 1 || ($3 == 2 && $4 == 4 && ($5 != "merge-single/coll" || ++n <= 2))' r.csv >few.csv
accepted "$NEREUS" study compare few.csv
holds '^nereus study compare: note: 2 to 4 by merge-single/coll is not compared: 2 runs, at least 3 are needed$' err
holds '^ 2   4  merge-single/coll +2 ' out
awk -F, 'NR == 1 || ++n[$3, $4, $5] <= 2' r.csv >few.csv
failed 'nothing can be compared: from 1 to 2 processes fewer than two methods have at least 3 runs, and the other pairs' "$NEREUS" study compare few.csv
awk -F, 'NR == 1 || ($3 == 2 && $4 == 4 && $5 == "merge/coll")' r.csv >few.csv
failed 'from 2 to 4 processes there is a single method$' "$NEREUS" study compare few.csv
awk -F, -v OFS=, 'NR > 1 { $9 = 0.25 } NR == 1 || ($3 == 2 && $4 == 4)' r.csv >equal.csv
failed 'from 2 to 4 processes all 28 values are equal$' "$NEREUS" study compare equal.csv
# One such pair among others is a note.
awk -F, -v OFS=, 'NR > 1 && $3 == 2 && $4 == 4 { $9 = 0.25 } { print }' r.csv >equal.csv
accepted "$NEREUS" study compare equal.csv
holds '^nereus study compare: note: 2 to 4 is not compared: all 28 values are equal$' err
holds '^ 2   4 +0 .*all 28 values are equal$' out
# Rows that are medians already.
sed '2,$s/,1$/,10/' r.csv >medians.csv
failed 'the samples have no single runs: the column n is not 1 in any of 168 rows' "$NEREUS" study compare medians.csv
(cat r.csv; tail -2 medians.csv) >mixed.csv
accepted "$NEREUS" study compare mixed.csv
holds '^nereus study compare: note: 2 rows left out, of which n is not 1' err
# Another cluster, other data, other nodes.
(cat r.csv; tail -n +2 r.csv | sed 's/^small/large/') >mixed.csv
failed "several clusters, such as 'small' and 'large': name one with --cluster" "$NEREUS" study compare mixed.csv
accepted "$NEREUS" study compare mixed.csv --cluster large
failed "no reconfiguration of cluster 'huge'" "$NEREUS" study compare mixed.csv --cluster huge
(cat r.csv; tail -n +2 r.csv | sed 's/,800000,/,900000,/') >mixed.csv
failed 'the runs of 1 to 2 processes move different data \(bytes: 800000 and 900000\): choose with --bytes$' "$NEREUS" study compare mixed.csv
accepted "$NEREUS" study compare mixed.csv --bytes 900000
holds 'note: 168 rows of other bytes left out' err
failed 'no row has 5 bytes, as --bytes says' $c --bytes 5
(cat r.csv; tail -n +2 r.csv | sed 's/^small,4/small,2/') >mixed.csv
failed 'merge/coll from 1 to 2 processes were measured on different nodes \(cores_per_node: 4 and 2\)' "$NEREUS" study compare mixed.csv
rm few.csv equal.csv medians.csv mixed.csv async.csv

failed '--reference merge-zs has no runs; the methods with runs are merge/coll, merge/p2p, merge-single/coll, baseline/coll$' $c --reference merge-zs
misused 'did you mean' $c --reference merg
misused '--significance must be above 0 and below 1, not 1$' $c --significance 1
misused '--significance must be above 0' $c --significance 0
misused '--value must be one of rt, t_ex, ct' $c --value omega
misused '--correction must be one of none, bonferroni, holm.*did you mean' $c --correction hom
misused '--ties must be one of nearest, remaining, median' $c --ties near-by
misused '--report names a table of csv' $c --report pairs
misused 'r.csv is given twice: its runs would count double' "$NEREUS" study compare r.csv ./r.csv
misused 'SAMPLES.csv|argument' "$NEREUS" study compare
failed 'missing.csv' "$NEREUS" study compare missing.csv
sed '5s/,0\.[0-9]*,,,single/,fast,,,single/' r.csv >broken.csv
failed 'broken.csv:5:.*rt_s.*fast' "$NEREUS" study compare broken.csv
rm broken.csv

# --- picture --------------------------------------------------------------------------------------

misused 'a picture.s name ends with ' $c --output x.bmp
failed '--output ./r.csv.svg is r.csv.svg, which is read' sh -c 'cp r.csv r.csv.svg && "$0" study compare r.csv.svg --output ./r.csv.svg' "$NEREUS"
cmp -s r.csv r.csv.svg || fail 'a refused picture changed the samples'
rm -f r.csv.svg
for ending in svg png pdf html; do
    accepted $c --output "map.$ending"
    [ -s "map.$ending" ] || fail "no map.$ending"
    grep -q '^Best method' out && fail "the map is drawn and printed"
done
awk -f "$NEREUS_SOURCE_DIR/tests/cli/page.awk" map.svg >outside
[ ! -s outside ] || fail "map.svg: $(head -3 outside)"
holds '<title>NS 2, NT 4: merge/coll</title>' map.svg
holds '<title>NS 4, NT 2: merge/coll, tied with merge/p2p, merge-single/coll</title>' map.svg
[ "$(grep -c '<title>NS [0-9], NT [0-9]: not compared' map.svg)" -eq 3 ] || fail "the diagonal: $(grep -o '<title>NS[^<]*' map.svg)"
rm -f map.* outside out err why expected found
only r.csv groups.csv pairs.csv differences.csv
finish
