#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A table of orders has outgrown its four buckets. From a number on, its rows get twelve: no row is rewritten, and an
# import goes on while the step is taken. In the end every order is there, and a scan over the step is in order.
#
# Starts an HBase in a directory of its own, and stops and removes it in the end.
set -euo pipefail
home=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
evenkey() { "$home/evenkey" "$@"; }
say() { printf '\n# %s\n' "$*"; }
stop() {
  for process in "${import:-}" "${hbase:-}"; do
    [ -z "$process" ] || { kill "$process" 2>/dev/null || true; wait "$process" 2>/dev/null || true; }
  done
  rm -rf "$work"
}
trap stop EXIT
orders() { # from, to
  awk -v from="$1" -v to="$2" 'BEGIN { print "order_no,amount"; for (i = from; i < to; i++) printf "%d,%d\n", i, i % 97 }'
}

say "an HBase with three region servers, in the background"
"$home/evenkey" dev --no-portal --dir "$work/hbase" >"$work/hbase.out" &
hbase=$!
export HBASE_CONF_DIR=$work/hbase/conf
until [ -f "$HBASE_CONF_DIR/hbase-site.xml" ]; do
  kill -0 "$hbase" 2>/dev/null || { cat "$work/hbase.out" >&2; exit 1; }
  sleep 0.2
done

say "a table of four buckets, and 120,000 orders in it"
evenkey plan orders --layout 'salt(4) + order_no:int64' --families d
evenkey create orders
orders 0 120000 >"$work/old.csv"
evenkey import orders --csv "$work/old.csv"

say "more orders arrive, in the background"
orders 120000 180000 >"$work/now.csv"
"$home/evenkey" import orders --csv "$work/now.csv" >"$work/import.out" 2>&1 &
import=$!

say "which step would work?"
evenkey grow orders --buckets 12 --from 200000

say "take it; no row is rewritten"
evenkey grow orders --buckets 12 --from 200000 --yes
wait "$import" || { cat "$work/import.out" >&2; exit 1; }
import=

say "orders from the step on"
orders 180000 260000 >"$work/new.csv"
evenkey import orders --csv "$work/new.csv"

say "a scan over the step is in order; its conditions open the buckets of the steps that it touches"
evenkey scan orders --where 'order_no between 199997 and 200002'
evenkey scan orders --where 'order_no between 199997 and 200002' --explain

say "every order is there"
evenkey verify orders
count=$(evenkey count orders)
echo "$count"
[ "${count//[!0-9]/}" = 260000 ] || { echo "260,000 were written" >&2; exit 1; }
