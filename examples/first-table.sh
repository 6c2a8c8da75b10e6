#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A table from its plan to its first scan, and an import that is killed halfway and loses nothing.
#
#   examples/first-table.sh                           500,000 readings of 1,000 devices, made for the purpose
#   examples/first-table.sh FILE LAYOUT CONDITION     your own records
#
# Starts an HBase in a directory of its own, and stops and removes it in the end.
set -euo pipefail
home=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
evenkey() { "$home/evenkey" "$@"; }
say() { printf '\n# %s\n' "$*"; }
stop() {
  [ -z "${hbase:-}" ] || { kill "$hbase" 2>/dev/null || true; wait "$hbase" 2>/dev/null || true; }
  rm -rf "$work"
}
trap stop EXIT

file=${1:-$work/readings.csv}
layout=${2:-'salt(16, device) + device:string + ts:timestamp desc'}
condition=${3:-"device = 'd0042' and ts < 2026-01-02"}
if [ $# -eq 0 ]; then
  awk 'BEGIN {
    print "device,ts,temperature"
    for (i = 0; i < 500000; i++)
      printf "d%04d,%.0f,%.1f\n", (i * 7919) % 1000, 1767225600000 + i * 1000, 15 + (i % 200) / 10
  }' >"$file"
fi

say "an HBase with three region servers, in the background"
"$home/evenkey" dev --dir "$work/hbase" >"$work/hbase.out" &
hbase=$!
export HBASE_CONF_DIR=$work/hbase/conf
until [ -f "$HBASE_CONF_DIR/hbase-site.xml" ]; do
  kill -0 "$hbase" 2>/dev/null || { cat "$work/hbase.out" >&2; exit 1; }
  sleep 0.2
done

say "plan it: one line, kept in ZooKeeper"
evenkey plan records --layout "$layout" --families d

say "create it: pre-split, with the settings that go with the layout"
evenkey create records

say "import $(basename "$file"), and kill -9 the importer halfway"
checkpoint=$work/checkpoint
importer=("$home/evenkey" import records --csv "$file" --checkpoint "$checkpoint" --rejects "$work/rejects.csv")
"${importer[@]}" &
import=$!
half=$(($( (gzip -dc "$file" 2>/dev/null || cat "$file") | wc -l) / 2))
written() { grep -o '"records" : [0-9]*' "$checkpoint" 2>/dev/null | grep -o '[0-9]*$' || echo 0; }
until [ "$(written)" -ge "$half" ]; do
  kill -0 "$import" 2>/dev/null || { echo "the import was done before it could be killed; give a larger file" >&2; exit 1; }
  sleep 0.05
done
kill -9 "$import"
wait "$import" 2>/dev/null || true
echo "killed; the checkpoint says that $(written) records are written"

say "without a word on what to do about that, it is refused"
"${importer[@]}" || true

say "resume it"
"${importer[@]}" --resume

say "count the rows"
evenkey count records

say "scan a range, in order: $condition"
evenkey scan records --where "$condition" --limit 5

say "what descriptor, registry and rows say of the layout"
evenkey verify records
