#!/usr/bin/env bash
# A live table gets another layout while two applications write to it; the mover is killed twice, and one application
# once, each with kill -9. In the end both generations are the same, and every row that an application was told is
# written is there.
#
# Starts an HBase in a directory of its own, and stops and removes it in the end.
set -euo pipefail
home=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
evenkey() { "$home/evenkey" "$@"; }
say() { printf '\n# %s\n' "$*"; }
stop() {
  for process in ${writers[@]+"${writers[@]}"} "${mover:-}" "${hbase:-}"; do
    [ -z "$process" ] || { kill "$process" 2>/dev/null || true; wait "$process" 2>/dev/null || true; }
  done
  rm -rf "$work"
}
writers=()
trap stop EXIT

say "an HBase with three region servers, in the background"
"$home/evenkey" dev --no-portal --dir "$work/hbase" >"$work/hbase.out" &
hbase=$!
export HBASE_CONF_DIR=$work/hbase/conf
until [ -f "$HBASE_CONF_DIR/hbase-site.xml" ]; do
  kill -0 "$hbase" 2>/dev/null || { cat "$work/hbase.out" >&2; exit 1; }
  sleep 0.2
done

say "a table with too few buckets, and 300,000 rows in it"
evenkey plan events --layout 'salt(2) + id:string' --families d
evenkey create events
awk 'BEGIN { print "id,value"; for (i = 0; i < 300000; i++) printf "old-%06d,%d\n", (i * 7919) % 300000, i }' >"$work/old.csv"
evenkey import events --csv "$work/old.csv"

say "two applications that know nothing of Evenkey write to it"
application() {
  exec java -cp "$HBASE_CONF_DIR:$home/app/target/evenkey.jar:$home/app/target/lib/*" --add-opens=java.base/java.nio=ALL-UNNAMED \
    "$home/examples/src/main/java/io/evenkey/examples/LiveWriter.java" "$@"
}
for writer in first second; do
  (application write events "$writer" "$work/$writer.notes" >"$work/$writer.out" 2>&1) &
  writers+=($!)
done
noted() { if [ -f "$1" ]; then wc -l <"$1"; else echo 0; fi; }
wait_for() { # a file, a number of lines
  until [ "$(noted "$1")" -ge "$2" ]; do
    kill -0 "${writers[1]}" 2>/dev/null || { cat "$work"/*.out >&2; exit 1; }
    sleep 0.2
  done
}
wait_for "$work/first.notes" 200
wait_for "$work/second.notes" 200
stage() { evenkey migrate events --status --json 2>/dev/null | sed -n 's/.*"stage" : "\(.*\)",/\1/p'; }

say "move it to eight buckets; kill -9 the mover while it copies"
"$home/evenkey" migrate events --layout 'salt(8) + id:string' --pace 40000 >"$work/mover.out" 2>&1 &
mover=$!
until grep -q '^copying' "$work/mover.out"; do
  kill -0 "$mover" 2>/dev/null || { cat "$work/mover.out" >&2; exit 1; }
  sleep 0.1
done
sleep 1
kill -9 "$mover"
wait "$mover" 2>/dev/null || true
echo "killed while $(stage)"

say "kill -9 one application, too: both go on writing to both generations, now it is one"
kill -9 "${writers[0]}"
wait "${writers[0]}" 2>/dev/null || true
echo "killed after $(noted "$work/first.notes") rows"

say "resume the mover, and kill -9 it once more while it compares"
"$home/evenkey" migrate events --pace 0 >/dev/null
"$home/evenkey" migrate events --resume >"$work/mover.out" 2>&1 &
mover=$!
until grep -q '^verifying' "$work/mover.out"; do
  kill -0 "$mover" 2>/dev/null || { cat "$work/mover.out" >&2; exit 1; }
  sleep 0.1
done
kill -9 "$mover"
wait "$mover" 2>/dev/null || true
mover=
echo "killed while $(stage)"

say "resume it, switch reads, and compare both generations while the application writes"
evenkey migrate events --resume
evenkey migrate events --switch
now=$(noted "$work/second.notes")
wait_for "$work/second.notes" $((now + 200))
evenkey verify events.g2 --against events

say "finish"
evenkey migrate events --finish
now=$(noted "$work/second.notes")
wait_for "$work/second.notes" $((now + 200))
kill "${writers[1]}" && wait "${writers[1]}" 2>/dev/null || true

say "what the applications were told is written"
(application check events first "$work/first.notes")
(application check events second "$work/second.notes")
evenkey scan events --limit 3
