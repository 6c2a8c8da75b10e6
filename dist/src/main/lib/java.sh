# SPDX-License-Identifier: Apache-2.0
# Finds Java, and the archive of classes that shortens its start. bin/evenkey and bin/evenkey-archive read this file and
# set home before.
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
  caches+=("$home/cache")
  user_cache=${XDG_CACHE_HOME:-${HOME:+$HOME/.cache}}
  [ -z "$user_cache" ] || caches+=("$user_cache/evenkey")
elif [ -n "$EVENKEY_CACHE" ]; then
  caches+=("$EVENKEY_CACHE")
fi
archive=
archive_name=
if [ -n "$release" ] && [ ${#caches[@]} -gt 0 ]; then
  archive_name=$(cksum <<<"$home $(<"$home/lib/build.id") $release")
  archive_name="evenkey-${archive_name%% *}.jsa"
  for cache in "${caches[@]}"; do
    if [ -r "$cache/$archive_name" ] && [ "$cache/$archive_name" -nt "$home/evenkey.jar" ]; then
      archive="$cache/$archive_name"
      break
    fi
  done
fi
