# SPDX-License-Identifier: Apache-2.0
# Finds Java, and the archive of classes that shortens its start. The launchers read this file and set before: home, where
# bin and lib are, and app, where evenkey.jar is.
fail() {
  echo "evenkey: $1" >&2
  exit 1
}

java=java
if [ -n "${JAVA_HOME:-}" ]; then
  java="$JAVA_HOME/bin/java"
  [ -x "$java" ] || fail "no Java in JAVA_HOME: JAVA_HOME=$JAVA_HOME; name a Java runtime, 17 or later, or unset it"
fi
java=$(command -v "$java") || fail "Java not found: java; install a Java runtime, 17 or later, or set JAVA_HOME"
java=$(readlink -f "$java")

# What the runtime says about itself: its version among others. Changes with every update of it.
release=
release_file="${java%/bin/java}/release"
[ ! -r "$release_file" ] || release=$(<"$release_file")
if [[ "$release" =~ JAVA_VERSION=\"(1\.)?([0-9]+) ]] && [ "${BASH_REMATCH[2]}" -lt 17 ]; then
  fail "Java too old: version=${BASH_REMATCH[2]} java=$java; install 17 or later, or set JAVA_HOME"
fi

# An archive is for one build at one place on one Java. The JVM refuses another and starts as without one.
caches=()
if [ -z "${EVENKEY_CACHE+set}" ]; then
  caches+=("$app/cache")
  user_cache=${XDG_CACHE_HOME:-${HOME:+$HOME/.cache}}
  [ -z "$user_cache" ] || caches+=("$user_cache/evenkey")
elif [ -n "$EVENKEY_CACHE" ]; then
  caches+=("$EVENKEY_CACHE")
fi
archive=
archive_name=
if [ -n "$release" ] && [ ${#caches[@]} -gt 0 ]; then
  archive_name=$(cksum <<<"$app $(cat "$app/lib/build.id" 2>/dev/null || true) $release")
  archive_name="evenkey-${archive_name%% *}.jsa"
  for cache in "${caches[@]}"; do
    if [ -r "$cache/$archive_name" ] && [ "$cache/$archive_name" -nt "$app/evenkey.jar" ]; then
      archive="$cache/$archive_name"
      break
    fi
  done
fi

# The options of Java for a command. Where no archive is found, one is made behind it: the next command starts faster.
set_options() {
  # Names and values outside ASCII reach Java as they were typed only in a UTF-8 locale that is installed: ssh from a Mac
  # sets LC_CTYPE=UTF-8, which is none here.
  [ "$(locale charmap 2>/dev/null)" = UTF-8 ] || export LC_ALL=C.UTF-8

  options=(-XX:+UseParallelGC -Xshare:auto -Dfile.encoding=UTF-8)
  if [ -n "$archive" ]; then
    options+=(-XX:SharedArchiveFile="$archive" -Xlog:cds=off)
  elif [ -n "$archive_name" ]; then
    (EVENKEY_APP="$app" nice -n 19 "$home/bin/evenkey-archive" </dev/null >/dev/null 2>&1 &)
  fi
  case "${1:-}" in
    # These end before a second compilation of their code would pay.
    "" | -* | explain | decode | ranges | splits | size | plan | create | adopt | get | put | server | completion)
      options+=(-XX:TieredStopAtLevel=1)
      ;;
  esac
  if [ -t 2 ] && [ "${TERM:-dumb}" != dumb ]; then
    local columns
    columns=$(stty size <&2 2>/dev/null | cut -d' ' -f2)
    [ "${columns:-0}" -gt 0 ] || columns=80
    options+=(-Devenkey.columns="$columns")
  fi
  [ ! -t 1 ] || [ "${TERM:-dumb}" = dumb ] || options+=(-Devenkey.terminal=true)
  [ ! -t 0 ] || options+=(-Devenkey.input=true)
}
