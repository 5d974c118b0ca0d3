# The scheduler's launcher: its jars and an AOT cache of them, kept by the hash of their sources. Sourced by exa.

# ensure_scheduler sets SCHEDULER_HOME to a folder with the scheduler's jars and what Java is started with.
ensure_scheduler() {
  local hash partial
  find_java
  # The cache is of one Java.
  hash=$( (cd "$EXA_HOME" && find pom.xml testbed/launch/scheduler.sh dist-scheduler/*/pom.xml dist-scheduler/*/src/main -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum && cat "$JAVA_HOME/release") | sha256sum | cut -c1-16)
  SCHEDULER_HOME=$EXA_CACHE/scheduler-$hash
  [ -d "$SCHEDULER_HOME" ] && return
  echo "  · building the scheduler with Maven" >&2
  rm -rf "$EXA_HOME/dist-scheduler/app/target/lib"
  partial=$(partial_of "$SCHEDULER_HOME") && mkdir "$partial/lib" || return
  maven --quiet package -pl dist-scheduler/app -am -DskipTests -Dspotless.check.skip >"$EXA_CACHE/scheduler-build.log" 2>&1 ||
    fail "the scheduler does not build: $(grep -m 1 ERROR "$EXA_CACHE/scheduler-build.log")" "see $EXA_CACHE/scheduler-build.log"
  cp "$EXA_HOME"/dist-scheduler/app/target/lib/*.jar "$partial/lib/" && cp "$EXA_HOME"/dist-scheduler/app/target/*-runner.jar "$partial/lib/app.jar" ||
    fail "the scheduler's jars can't be copied into the cache" "make room on the disk of $EXA_CACHE"
  train_scheduler "$JAVA_HOME/bin/java" "$partial" "-XX:AOTCacheOutput=$partial/scheduler.aot" || return
  scheduler_arguments "$partial" "$SCHEDULER_HOME" "-XX:AOTCache=\"$SCHEDULER_HOME/scheduler.aot\"" >"$partial/java.args"
  drop_old 'scheduler-*' -type d
  keep_partial "$partial" "$SCHEDULER_HOME"
}

# The memory access is protobuf's and netty's; jboss-threads resets thread locals.
SCHEDULER_FLAGS="-XX:MaxRAMPercentage=50 -XX:+UseCompactObjectHeaders -XX:+ExitOnOutOfMemoryError --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow
  --add-opens=java.base/java.lang=ALL-UNNAMED -Djava.util.logging.manager=org.jboss.logmanager.LogManager"

# scheduler_arguments HOME FOLDER CLASSES: what Java is started with once HOME is called FOLDER, one word a line; CLASSES is the option that names the kept classes.
scheduler_arguments() {
  printf '%s\n' $SCHEDULER_FLAGS "$3" -cp "\"$(class_path "$1" "$2/lib")\"" io.quarkus.runner.GeneratedMain
}

# train_scheduler JAVA HOME OPTIONS [FILE]: starts a root once, which looks for an API server where none is, for Java to keep what it learns about classes. Roots, relays and shards
# start in less than half of the time with it. File times, which the cache is bound to, are those of an image.
train_scheduler() {
  local java=$1 home=$2 port pid i status=1
  # Below those of tests, and seldom that of a training beside this one.
  port=$((20260 + 2 * (RANDOM % 100)))
  while (: >"/dev/tcp/127.0.0.1/$port") 2>/dev/null || (: >"/dev/tcp/127.0.0.1/$((port + 1))") 2>/dev/null; do port=$((port + 2)); done
  touch -d @1 "$home"/lib/*.jar
  cat >"$home/kubeconfig" <<'TEXT'
{"apiVersion": "v1", "kind": "Config", "current-context": "c", "clusters": [{"name": "c", "cluster": {"server": "https://127.0.0.1:1", "insecure-skip-tls-verify": true}}],
 "users": [{"name": "u", "user": {"token": "none"}}], "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}]}
TEXT
  EXAPLANE_HTTP_PORT=$port "$java" $3 $SCHEDULER_FLAGS -cp "$(class_path "$home" "$home/lib")" io.quarkus.runner.GeneratedMain \
    --kubeconfig="$home/kubeconfig" --tree-listen=127.0.0.1:$((port + 1)) >"$EXA_CACHE/scheduler-training.log" 2>&1 8>&- 9>&- &
  pid=$!
  for i in $(seq 3000); do
    kill -0 $pid 2>/dev/null || break
    curl --silent --fail --output /dev/null "http://127.0.0.1:$port/q/health/live" && status=0 && break
    sleep 0.1
  done
  curl --silent --output /dev/null "http://127.0.0.1:$port/q/health/ready" --output /dev/null "http://127.0.0.1:$port/q/metrics" || status=1
  [ $# -lt 4 ] || quiet "$4" $pid || status=1
  kill $pid 2>/dev/null || true
  wait $pid || true
  rm -f "$home/kubeconfig"
  [ $status -eq 0 ] && [ -s "${4:-$home/scheduler.aot}" ] || fail "the scheduler did not start for the training of its class cache" "see $EXA_CACHE/scheduler-training.log"
}

# scheduler_command: the command of the process, one word a line.
scheduler_command() {
  printf '%s\n' "$JAVA_HOME/bin/java" "@$SCHEDULER_HOME/java.args"
}

cmd_scheduler() {
  local command
  ensure_scheduler
  mapfile -t command < <(scheduler_command)
  exec "${command[@]}" "$@"
}
