# The page of nereus study report in a real browser, at the width of a window and at that of a
# phone, light and dark: every picture is drawn, nothing sticks out, texts can be read, and the
# console has no error.
# shellcheck source=tests/cli/lib.sh
. "$NEREUS_SOURCE_DIR/tests/cli/lib.sh"

browser=$(command -v chromium-headless-shell || command -v chromium || command -v google-chrome) ||
    skip 'no browser (chromium-headless-shell; ./setup test --all installs it on Debian)'
accepted "$NEREUS" study report "$data/results.jsonl" --profile "$data/profile.json" --output page.html
# What the test adds to the page: the boxes of what is shown, as one line of text.
cat >probe.html <<'HTML'
<script>
window.onload = function () {
    var out = ['width ' + window.innerWidth, 'page ' + document.documentElement.scrollWidth,
               'background ' + getComputedStyle(document.body).backgroundColor];
    document.querySelectorAll('figure').forEach(function (figure) {
        figure.querySelectorAll('svg').forEach(function (svg) {
            var box = svg.getBoundingClientRect();
            if (box.width === 0) return;
            var least = 1e9, marks = 0;
            svg.querySelectorAll('text').forEach(function (text) {
                least = Math.min(least, parseFloat(text.getAttribute('font-size')) * box.width / svg.viewBox.baseVal.width);
            });
            svg.querySelectorAll('rect, circle, polygon, line').forEach(function (mark) {
                var m = mark.getBoundingClientRect();
                marks += m.width + m.height > 0 ? 1 : 0;
            });
            out.push('figure ' + figure.id + ' ' + Math.round(box.left) + ' ' + Math.round(box.right) + ' ' + Math.round(box.height) +
                     ' ' + marks + ' ' + least.toFixed(2));
        });
    });
    document.body.innerHTML = '<pre>' + out.join('\n') + '\n</pre>';
};
</script>
HTML
sed '/<\/body>/e cat probe.html' page.html >probed.html

# look WIDTH LOOK [OPTION...]: opens the page so wide; what it shows is in the file shown.
look() {
    local width=$1 scheme=$2 flags
    flags="--headless --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars --user-data-dir=$PWD/browser --window-size=$width,1400"
    [ "$scheme" = dark ] && flags+=' --blink-settings=preferredColorScheme=0'
    # shellcheck disable=SC2086
    timeout -k 3 60 "$browser" $flags --enable-logging=stderr --v=0 --dump-dom "file://$PWD/probed.html" >dom 2>log ||
        fail "the browser ended with status $?: $(tail -3 log)"
    grep 'CONSOLE' log && fail "the console has errors at $width"
    sed -n '/<pre>/,/<\/pre>/p' dom | sed 's/<[^>]*>//g' >shown
    holds "^width $width$" shown
    [ "$(sed -n 's/^page //p' shown)" -le "$width" ] || fail "the page sticks out at $width: $(cat shown)"
    [ "$(grep -c '^figure ' shown)" -eq 3 ] || fail "pictures at $width: $(cat shown)"
    # 9 pixels can be read on a phone; a picture is drawn if it is high and has marks.
    awk -v width="$width" '/^figure / && !($3 >= 0 && $4 <= width && $5 > 80 && $6 > 8 && $7 >= 7.9)' shown >bad
    [ -s bad ] && fail "not as it should be at $width: $(cat bad)"
}
look 1200 light
cp shown wide
holds '^background rgb\(255, 255, 255\)$' shown
look 390 light
cmp -s shown wide && fail 'a phone gets the same as a window'
look 390 dark
holds '^background rgb\(21, 24, 28\)$' shown
# The test can fail: an error is seen.
sed 's/<script>/<script>console.error("stub"); undefinedFunction();/' probed.html >broken.html
timeout -k 3 60 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --user-data-dir="$PWD/browser" \
    --enable-logging=stderr --v=0 --dump-dom "file://$PWD/broken.html" >dom 2>log
[ "$(grep -c CONSOLE log)" -ge 2 ] || fail "errors are not seen: $(head -5 log)"
rm -rf browser
finish
