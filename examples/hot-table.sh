#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A plain table of one region, whose keys are HBase's own Bytes.toBytes and begin with a time: all writes go to one
# region. Its application goes on writing, unmodified, while the layout of the keys is recorded, salts are advised, and
# the table is migrated to one, taken back, and migrated again. In the end every acknowledged row is there.
#
# Starts an HBase in a directory of its own, and stops and removes it in the end.
set -euo pipefail
home=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
evenkey() { "$home/evenkey" "$@"; }
say() { printf '\n# %s\n' "$*"; }
fail() { echo "$*" >&2; exit 1; }
stop() {
  for process in "${writer:-}" "${hbase:-}"; do
    [ -z "$process" ] || { kill "$process" 2>/dev/null || true; wait "$process" 2>/dev/null || true; }
  done
  rm -rf "$work"
}
trap stop EXIT

say "an HBase with three region servers and the portal, in the background"
"$home/evenkey" dev --dir "$work/hbase" --every 5 >"$work/hbase.out" &
hbase=$!
export HBASE_CONF_DIR=$work/hbase/conf
until grep -q '^portal' "$work/hbase.out"; do
  kill -0 "$hbase" 2>/dev/null || { cat "$work/hbase.out" >&2; exit 1; }
  sleep 0.2
done
portal=$(sed -n 's/^portal  //p' "$work/hbase.out")
address=${portal%%#*}
findings() { curl -fsS -H "Authorization: Bearer ${portal##*token=}" "${address%/}/api/heat/findings"; echo; }

application() {
  exec java -cp "$HBASE_CONF_DIR:$home/app/target/evenkey.jar:$home/app/target/lib/*" --add-opens=java.base/java.nio=ALL-UNNAMED \
    "$home/examples/src/main/java/io/evenkey/examples/HotWriter.java" "$@"
}
skew() { # prints how the writes of some seconds were shared; busiest is the share of the busiest region in percent
  local shown
  shown=$(application skew "$1")
  echo "$shown"
  busiest=$(sed -n 's/.* \([0-9]*\) %$/\1/p' <<<"$shown")
}

say "a plain table, and an application on HBase's own interface that writes to it"
(application create orders)
(application write orders "$work/notes" >"$work/writer.out" 2>&1) &
writer=$!
noted() { if [ -f "$work/notes" ]; then wc -l <"$work/notes"; else echo 0; fi; }
more() { # the application writes some batches more
  local goal=$(($(noted) + 60))
  until [ "$(noted)" -ge "$goal" ]; do
    kill -0 "$writer" 2>/dev/null || { cat "$work/writer.out" >&2; exit 1; }
    sleep 0.2
  done
}
more

say "which region takes the writes?"
skew orders
[ "$busiest" = 100 ] || fail "the table is not hot: busiest=$busiest"
for ((round = 0; ; round++)); do
  findings >"$work/before.json"
  ! grep -q '"orders"' "$work/before.json" || break
  [ $round -lt 60 ] || { cat "$work/before.json" >&2; fail "no finding about the hot table"; }
  sleep 0.5
done
echo "findings before:"
cat "$work/before.json"

say "what are its keys?"
evenkey adopt orders
evenkey adopt orders --key 'ordered:timestamp(long) + order_no:long' --record

say "which layout would spread it?"
cat >"$work/queries" <<'Q'
ordered between ? and ? limit 20    : weight 30
ordered = ? and order_no = ?        : weight 70
Q
evenkey advise --table orders --sample 1 --queries "$work/queries"

say "what would the migration do? nothing is changed by the question"
migrate=(migrate orders --layout 'salt(6) + ordered:timestamp(long) + order_no:long')
evenkey "${migrate[@]}" | tee "$work/preview"
grep -q '^regions     1 now, 6 afterwards' "$work/preview" || fail "the preview has no six regions"
grep -q '^not begun' "$work/preview" || fail "the preview has begun"

say "migrate it, and switch, while the application writes"
evenkey "${migrate[@]}" --yes --switch
more
skew orders.g2
[ "$busiest" -lt 40 ] || fail "the table is still hot: busiest=$busiest"

say "go back, and forward again, all the way"
evenkey migrate orders --rollback
more
evenkey "${migrate[@]}" --yes --switch --finish --rename
more
skew orders
[ "$busiest" -lt 40 ] || fail "the table is still hot: busiest=$busiest"
echo "findings after:"
findings

say "the doctor"
evenkey doctor --seconds 0

say "the rows whose writes were acknowledged"
kill "$writer" && wait "$writer" 2>/dev/null || true
writer=
(application check orders "$work/notes")
evenkey scan orders --limit 3
