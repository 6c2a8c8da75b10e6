#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A table of orders is in the order of their times. It gets a second order, by customer, while two imports go on: the
# command that adds the index is killed three times. In the end every order is in both.
#
# Starts an HBase in a directory of its own, and stops and removes it in the end.
set -euo pipefail
home=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
evenkey() { "$home/evenkey" "$@"; }
say() { printf '\n# %s\n' "$*"; }
stop() {
  for process in "${adding:-}" "${first:-}" "${second:-}" "${hbase:-}"; do
    [ -z "$process" ] || { kill "$process" 2>/dev/null || true; wait "$process" 2>/dev/null || true; }
  done
  rm -rf "$work"
}
trap stop EXIT
orders() { # from, to
  awk -v from="$1" -v to="$2" 'BEGIN {
    print "ts,order_no,customer,amount"
    for (i = from; i < to; i++) printf "%.0f,%d,c%d,%d\n", 1767225600000 + i * 1000, i, i % 50, i % 97
  }'
}

say "an HBase with three region servers, in the background"
"$home/evenkey" dev --no-portal --dir "$work/hbase" >"$work/hbase.out" &
hbase=$!
export HBASE_CONF_DIR=$work/hbase/conf
until [ -f "$HBASE_CONF_DIR/hbase-site.xml" ]; do
  kill -0 "$hbase" 2>/dev/null || { cat "$work/hbase.out" >&2; exit 1; }
  sleep 0.2
done

say "orders by time, 80,000 of them"
evenkey plan orders --layout 'salt(6) + ts:timestamp + order_no:int64' --families d
evenkey create orders
orders 0 80000 >"$work/old.csv"
evenkey import orders --csv "$work/old.csv"

say "more orders arrive, by two imports in the background"
orders 80000 105000 >"$work/first.csv"
orders 105000 130000 >"$work/second.csv"
"$home/evenkey" import orders --csv "$work/first.csv" >"$work/first.out" 2>&1 &
first=$!
"$home/evenkey" import orders --csv "$work/second.csv" >"$work/second.out" 2>&1 &
second=$!

add=(index add orders by_customer 'salt(4) + customer:string + ts:timestamp desc' --from customer=d:customer)
filled() {
  local rows
  rows=$(evenkey index list orders --json | sed -n 's/.*"filled_rows" : \([0-9]*\).*/\1/p')
  echo "${rows:-0}"
}
say "an index by customer: the command is killed three times, and goes on each time"
for kill in 1 2 3; do
  before=$(filled)
  "$home/evenkey" "${add[@]}" --pace 4000 >"$work/add.out" 2>&1 &
  adding=$!
  until [ "$(filled)" -gt "$before" ]; do
    kill -0 "$adding" 2>/dev/null || { cat "$work/add.out" >&2; exit 1; }
  done
  kill -9 "$adding"
  wait "$adding" 2>/dev/null || true
  adding=
  echo "kill $kill, with $(filled) rows filled"
done
evenkey index list orders
evenkey "${add[@]}"
wait "$first" || { cat "$work/first.out" >&2; exit 1; }
first=
wait "$second" || { cat "$work/second.out" >&2; exit 1; }
second=

say "the newest orders of one customer, in one ordered read"
evenkey scan orders --by by_customer --where "customer = 'c7'" --limit 5
evenkey scan orders --by by_customer --where "customer = 'c7'" --limit 5 --explain

say "every order is in both"
evenkey index verify orders by_customer
count=$(evenkey count orders --by by_customer)
echo "$count"
[ "${count//[!0-9]/}" = 130000 ] || { echo "130,000 were written" >&2; exit 1; }
