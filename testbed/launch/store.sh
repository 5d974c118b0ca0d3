# The store's launcher: its jars, kept by the hash of their sources. Sourced by exa.

# ensure_store sets STORE_HOME to a folder with the store's jars.
ensure_store() {
  local hash
  find_java
  hash=$(cd "$EXA_HOME" && find pom.xml controlplane-store/pom.xml controlplane-store/src/main -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -c1-16)
  STORE_HOME=$EXA_CACHE/store-$hash
  [ -d "$STORE_HOME" ] && return
  echo "  · building the store with Maven" >&2
  rm -rf "$STORE_HOME.partial"
  mkdir -p "$EXA_CACHE"
  maven --quiet package dependency:copy-dependencies -pl controlplane-store -DskipTests -Dspotless.check.skip -DincludeScope=runtime -DoutputDirectory="$STORE_HOME.partial" >"$EXA_CACHE/store-build.log" 2>&1 ||
    fail "the store does not build: $(grep -m 1 ERROR "$EXA_CACHE/store-build.log")" "see $EXA_CACHE/store-build.log"
  cp "$EXA_HOME"/controlplane-store/target/exaplane-controlplane-store-*.jar "$STORE_HOME.partial/" || fail "the store's jar can't be copied into the cache" "make room on the disk of $EXA_CACHE"
  # Those of the last day may still run.
  find "$EXA_CACHE" -maxdepth 1 -name 'store-*' -type d ! -name '*.partial' -mtime +0 -exec rm -rf {} +
  mv "$STORE_HOME.partial" "$STORE_HOME"
}

# Values are kept off the heap; what is on it shall be collected rather than let the heap grow, and be given back when a burst is over. A heap
# below 96 MiB would be collected so often that G1 enlarges it by several times its size at once.
STORE_FLAGS="-Xms96m -XX:MaxRAMPercentage=25 -XX:GCTimeRatio=4 -XX:MinHeapFreeRatio=10 -XX:MaxHeapFreeRatio=20 -XX:G1PeriodicGCInterval=5000 -XX:TrimNativeHeapInterval=5000 -XX:+UseCompactObjectHeaders -XX:+ExitOnOutOfMemoryError --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow"

# store_command: the command of the server, one word a line. The class archive is made by the first run and halves the start of the others.
store_command() {
  printf '%s\n' "$JAVA_HOME/bin/java" -XX:+AutoCreateSharedArchive -XX:SharedArchiveFile="$STORE_HOME/classes.jsa" -Xlog:cds=off -Xlog:cds+dynamic=off \
    $STORE_FLAGS -cp "$STORE_HOME/*" io.exaplane.store.app.Main
}

cmd_store() {
  local command
  ensure_store
  mapfile -t command < <(store_command)
  exec "${command[@]}" "$@"
}
