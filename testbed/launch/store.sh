# The store's launcher: its jars and an AOT cache of them, kept by the hash of their sources. Sourced by exa.

# ensure_store sets STORE_HOME to a folder with the store's jars and what Java is started with.
ensure_store() {
  local hash partial
  find_java
  # The cache is of one Java.
  hash=$( (cd "$EXA_HOME" && find pom.xml testbed/launch/store.sh controlplane-store/pom.xml controlplane-store/src/main -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum && cat "$JAVA_HOME/release") | sha256sum | cut -c1-16)
  STORE_HOME=$EXA_CACHE/store-$hash
  [ -d "$STORE_HOME" ] && return
  echo "  · building the store with Maven" >&2
  partial=$(partial_of "$STORE_HOME") || return
  maven --quiet package dependency:copy-dependencies -pl controlplane-store -DskipTests -Dspotless.check.skip -DincludeScope=runtime -DoutputDirectory="$partial/lib" >"$EXA_CACHE/store-build.log" 2>&1 ||
    fail "the store does not build: $(grep -m 1 ERROR "$EXA_CACHE/store-build.log")" "see $EXA_CACHE/store-build.log"
  cp "$EXA_HOME"/controlplane-store/target/exaplane-controlplane-store-*.jar "$partial/lib/" || fail "the store's jar can't be copied into the cache" "make room on the disk of $EXA_CACHE"
  # netty would unpack its library into /tmp at each start, and a pod's file system is read-only.
  (cd "$partial" && "$JAVA_HOME/bin/jar" xf lib/netty-transport-native-epoll-*-linux-x86_64.jar META-INF/native && mv META-INF/native/*.so lib/ && rm -r META-INF) || return
  train_store "$JAVA_HOME/bin/java" "$partial" "-XX:AOTCacheOutput=$partial/store.aot" || return
  store_arguments "$partial" "$STORE_HOME" "-XX:AOTCache=\"$STORE_HOME/store.aot\"" >"$partial/java.args"
  drop_old 'store-*' -type d
  keep_partial "$partial" "$STORE_HOME"
}

# Values are kept off the heap; what is on it shall be collected rather than let the heap grow, and be given back when a burst is over. A heap
# below 96 MiB would be collected so often that G1 enlarges it by several times its size at once.
STORE_FLAGS="-Xms96m -XX:MaxRAMPercentage=25 -XX:GCTimeRatio=4 -XX:MinHeapFreeRatio=10 -XX:MaxHeapFreeRatio=20 -XX:G1PeriodicGCInterval=5000 -XX:TrimNativeHeapInterval=5000 -XX:+UseCompactObjectHeaders -XX:+ExitOnOutOfMemoryError --enable-native-access=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow"

# store_arguments HOME FOLDER CLASSES: what Java is started with once HOME is called FOLDER, one word a line; CLASSES is the option that names the kept classes.
store_arguments() {
  printf '%s\n' $STORE_FLAGS "-Djava.library.path=\"$2/lib\"" "$3" -cp "\"$(class_path "$1" "$2/lib")\"" io.exaplane.store.app.Main
}

# train_store JAVA HOME OPTIONS [FILE]: starts the store once and uses it a little, for Java to keep what it learns about classes; others start with two thirds of the work then.
# OPTIONS say where Java writes; the start ends when the FILE no longer grows.
# File times, which the cache is bound to, are those of an image.
train_store() {
  local java=$1 home=$2 socket i pid status=1
  socket=$(mktemp -u "${TMPDIR:-/tmp}/exaplane-store-XXXXXX")
  touch -d @1 "$home"/lib/*.jar
  # shellcheck disable=SC2086 # options are words
  "$java" $3 $STORE_FLAGS -Djava.library.path="$home/lib" -cp "$(class_path "$home" "$home/lib")" io.exaplane.store.app.Main \
    --data-dir="$home/data" --listen-client-urls="unix://$socket" >"$EXA_CACHE/store-training.log" 2>&1 8>&- 9>&- &
  pid=$!
  for i in $(seq 3000); do
    kill -0 $pid 2>/dev/null || break
    curl --silent --fail --output /dev/null --unix-socket "$socket" http://store/readyz && status=0 && break
    sleep 0.1
  done
  curl --silent --fail --output /dev/null --unix-socket "$socket" http://store/metrics || status=1
  # In protobuf: key 1 and value 2 of a PutRequest, key 1 of a RangeRequest.
  train_call "$socket" Put '\0\0\0\0\012\012\5ready\022\1x' && train_call "$socket" Range '\0\0\0\0\7\012\5ready' || status=1
  [ $# -lt 4 ] || quiet "$4" $pid || status=1
  kill $pid 2>/dev/null || true
  wait $pid || true
  rm -rf "$home/data" "$socket"
  [ $status -eq 0 ] && [ -s "${4:-$home/store.aot}" ] || fail "the store did not start for the training of its class cache" "see $EXA_CACHE/store-training.log"
}

# train_call SOCKET METHOD FRAME: a gRPC request to the store.
train_call() {
  printf "$3" | curl --silent --fail --output /dev/null --unix-socket "$1" --http2-prior-knowledge --header 'content-type: application/grpc' --header 'te: trailers' --data-binary @- "http://store/etcdserverpb.KV/$2"
}

# store_command: the command of the server, one word a line.
store_command() {
  printf '%s\n' "$JAVA_HOME/bin/java" "@$STORE_HOME/java.args"
}

cmd_store() {
  local command
  ensure_store
  mapfile -t command < <(store_command)
  exec "${command[@]}" "$@"
}
