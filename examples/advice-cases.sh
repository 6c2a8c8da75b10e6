#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The cases that people ask about, each with records made for it and its natural queries, and the advice.
#
#   examples/advice-cases.sh            all of them, the winner of each
#   examples/advice-cases.sh vehicles   one of them, in full
set -euo pipefail
home=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Numbers that look random and are the same everywhere, whatever awk it is.
random='function random() { seed = (seed * 16807) % 2147483647; return seed / 2147483647 } BEGIN { seed = 42 }'
start=1767225600000

records() {
  awk -v start=$start "$random"' BEGIN { '"$1"' }'
}

message_log() {
  records 'print "message_id,send_time,body"; for (i = 0; i < 60000; i++) printf "%d,%.0f,text %d\n", 1231231 + i, start + i * 50, i % 97'
  cat >"$2" <<'Q'
message_id = ?                 : weight 80
send_time between ? and ?      : weight 20
Q
}

mail_box() {
  # Tall: a row for each message. (Wide, a row for each user with a column for each message, needs no order of messages
  # in the key: its layout is that of the user alone.)
  records 'print "user,sent,message_id"; for (i = 0; i < 60000; i++) printf "u%04d,%.0f,%d\n", 3000 * random() ^ 2, start + i * 700, i'
  cat >"$2" <<'Q'
user = ? newest first limit 20                 : weight 70
user = ? and sent between ? and ?              : weight 20
user = ? and sent = ? and message_id = ?       : weight 10
Q
}

orders() {
  records 'print "order_id,seller,buyer,ordered"; for (i = 0; i < 60000; i++) printf "%.0f,s%03d,b%05d,%.0f\n", 20260101000000 + i, 400 * random() ^ 3, 20000 * random(), start + i * 900'
  cat >"$2" <<'Q'
seller = ? and ordered between ? and ? newest first : weight 45
buyer = ? newest first limit 20                     : weight 35
order_id = ?                                        : weight 20
Q
}

risk_profile() {
  # One value of one kind in front: uid, identity card or phone.
  records 'split("uid,card,phone", kinds, ","); print "kind,number,score"; for (i = 0; i < 60000; i++) printf "%s,%011.0f,%d\n", kinds[1 + int(3 * random())], 1e10 + i * 7, 1000 * random()'
  cat >"$2" <<'Q'
kind = ? and number = ?        : weight 1
Q
}

vehicles() {
  records 'print "car,ts,speed"; for (i = 0; i < 60000; i++) printf "LSV%06d,%.0f,%d\n", 2000 * random(), start + i * 100, 130 * random()'
  cat >"$2" <<'Q'
car = ? and ts between ? and ?      : weight 60
car = ? newest first limit 1        : weight 30
ts between ? and ?                  : weight 10
Q
}

web_pages() {
  records 'print "host,path,crawled"; for (i = 0; i < 60000; i++) printf "h%d.site%d.%s,/p/%d,%.0f\n", 9 * random(), 10000 + 900 * random() ^ 2, (random() < 0.6 ? "com" : "org"), i, start + i * 40'
  cat >"$2" <<'Q'
host under ?                   : weight 60
host = ? and path = ?          : weight 40
Q
}

latest_n() {
  records 'print "user,ts,action"; for (i = 0; i < 60000; i++) printf "%d,%.0f,a%d\n", 100000 + 5000 * random(), start + i * 30, 20 * random()'
  cat >"$2" <<'Q'
user = ? newest first limit 10      : weight 1
Q
}

metrics() {
  records 'print "metric,host,ts,value"; for (i = 0; i < 60000; i++) printf "m%02d,h%02d,%.0f,%.2f\n", i % 12, int(i / 12) % 50, start + int(i / 600) * 60000, 100 * random()'
  cat >"$2" <<'Q'
metric = ? and ts between ? and ?                  : weight 50
metric = ? and host = ? and ts between ? and ?     : weight 45
ts between ? and ?                                 : weight 5
Q
}

advise() {
  "$1" "$work/$1.csv" "$work/$1.txt" >"$work/$1.csv"
  "$home/evenkey" advise --csv "$work/$1.csv" --queries "$work/$1.txt" 2>/dev/null
}

if [ $# -gt 0 ]; then
  advise "$1"
else
  for case in message_log mail_box orders risk_profile vehicles web_pages latest_n metrics; do
    printf '\n# %s\n' "$case"
    advise "$case" | grep -E '^(unserved|Q[0-9]|Advice|  +Skew|  +No spread|indexes|  +Q[0-9]|warning|note|  +evenkey index)' | cut -c1-200
  done
fi
