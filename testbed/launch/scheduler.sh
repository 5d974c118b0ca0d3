# The scheduler's launcher: its jars, kept by the hash of their sources. Sourced by exa.

# ensure_scheduler sets SCHEDULER_HOME to a folder with the scheduler's jars.
ensure_scheduler() {
  local hash
  find_java
  hash=$(cd "$EXA_HOME" && find pom.xml dist-scheduler/*/pom.xml dist-scheduler/*/src/main -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -c1-16)
  SCHEDULER_HOME=$EXA_CACHE/scheduler-$hash
  [ -d "$SCHEDULER_HOME" ] && return
  echo "  · building the scheduler with Maven" >&2
  rm -rf "$SCHEDULER_HOME.partial"
  mkdir -p "$EXA_CACHE"
  maven --quiet package -pl dist-scheduler/app -am -DskipTests -Dspotless.check.skip >"$EXA_CACHE/scheduler-build.log" 2>&1 ||
    fail "the scheduler does not build: $(grep -m 1 ERROR "$EXA_CACHE/scheduler-build.log")" "see $EXA_CACHE/scheduler-build.log"
  cp -r "$EXA_HOME/dist-scheduler/app/target/quarkus-app" "$SCHEDULER_HOME.partial" || fail "the scheduler's jars can't be copied into the cache" "make room on the disk of $EXA_CACHE"
  # Those of the last day may still run.
  find "$EXA_CACHE" -maxdepth 1 -name 'scheduler-*' -type d ! -name '*.partial' -mtime +0 -exec rm -rf {} +
  mv "$SCHEDULER_HOME.partial" "$SCHEDULER_HOME"
}

# The memory access is protobuf's and netty's.
SCHEDULER_FLAGS="-XX:MaxRAMPercentage=50 -XX:+UseCompactObjectHeaders -XX:+ExitOnOutOfMemoryError --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow"

# scheduler_command: the command of the process, one word a line.
scheduler_command() {
  printf '%s\n' "$JAVA_HOME/bin/java" $SCHEDULER_FLAGS -jar "$SCHEDULER_HOME/quarkus-run.jar"
}

cmd_scheduler() {
  local command
  ensure_scheduler
  mapfile -t command < <(scheduler_command)
  exec "${command[@]}" "$@"
}
