#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A live table gets another layout while two applications write to it. The migration is killed twice, and one application
# once, each with kill -9; and it is taken back once after the switch. In the end every row is there whose write was
# acknowledged to an application. One application is stopped (SIGSTOP) over the second switch.
#
# Starts an HBase in a directory of its own, and stops and removes it in the end.
set -euo pipefail
home=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
evenkey() { "$home/evenkey" "$@"; }
say() { printf '\n# %s\n' "$*"; }
stop() {
  for process in ${writers[@]+"${writers[@]}"} "${migrator:-}" "${hbase:-}"; do
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

say "migrate it to eight buckets; kill -9 the migration while it copies"
"$home/evenkey" migrate events --yes --layout 'salt(8) + id:string' --pace 40000 >"$work/migrator.out" 2>&1 &
migrator=$!
until grep -q '^copying' "$work/migrator.out"; do
  kill -0 "$migrator" 2>/dev/null || { cat "$work/migrator.out" >&2; exit 1; }
  sleep 0.1
done
sleep 1
kill -9 "$migrator"
wait "$migrator" 2>/dev/null || true
echo "killed while $(stage)"

say "kill -9 one application, too"
kill -9 "${writers[0]}"
wait "${writers[0]}" 2>/dev/null || true
echo "killed after $(noted "$work/first.notes") rows"

say "resume it, and kill -9 it once more while it compares"
"$home/evenkey" migrate events --pace 0 >/dev/null
"$home/evenkey" migrate events --resume >"$work/migrator.out" 2>&1 &
migrator=$!
until grep -q '^verifying' "$work/migrator.out"; do
  kill -0 "$migrator" 2>/dev/null || { cat "$work/migrator.out" >&2; exit 1; }
  sleep 0.1
done
kill -9 "$migrator"
wait "$migrator" 2>/dev/null || true
migrator=
echo "killed while $(stage)"

more() { # the application writes some rows more
  local now
  now=$(noted "$work/second.notes")
  wait_for "$work/second.notes" $((now + 200))
}

say "resume it, switch, and go back while the application writes"
evenkey migrate events --resume
evenkey migrate events --switch
more
evenkey migrate events --rollback
more

say "once more, all the way, while the application is stopped (SIGSTOP); it goes on where the table is then"
evenkey migrate events --yes --layout 'salt(8) + id:string'
kill -STOP "${writers[1]}"
evenkey migrate events --switch --finish
kill -CONT "${writers[1]}"
more
kill "${writers[1]}" && wait "${writers[1]}" 2>/dev/null || true
evenkey verify events

say "the rows whose writes were acknowledged"
(application check events first "$work/first.notes")
(application check events second "$work/second.notes")
evenkey scan events --limit 3
