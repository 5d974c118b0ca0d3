# The store's image: its jars and an AOT cache of them on our own base, made and kept as images.sh does. Sourced by cluster.sh.
STORE_IMAGE=quay.io/exaplane/store

store_tag() { image_tag controlplane-store/pom.xml controlplane-store/src/main testbed/launch/store.sh testbed/launch/store-image.sh; }

# store_image and store_image_tar name what ensure_store_image makes.
store_image() { echo "127.0.0.1:5000/exaplane/store:$(store_tag)"; }
store_image_tar() { echo "$EXA_CACHE/store-image-$(store_tag).tar"; }

ensure_store_image() { ensure_image store "$(store_tag)"; }

# push_store_image NAME
push_store_image() {
  local app=$EXA_CACHE/store-image.partial
  find_java
  ensure_jre_base && ensure_store || return
  rm -rf "$app" && mkdir -p "$app/lib" && cp "$STORE_HOME"/*.jar "$app/lib/" || return
  # netty would unpack its library into /tmp, and a pod's file system is read-only.
  (cd "$app" && "$JAVA_HOME/bin/jar" xf lib/netty-transport-native-epoll-*-linux-x86_64.jar META-INF/native && mv META-INF/native/*.so lib/ && rm -r META-INF) || return
  train_store "$app" || return
  printf '%s\n' $STORE_FLAGS -Djava.library.path=/app/lib -XX:AOTCache=/app/store.aot -cp "$(class_path "$app" /app/lib)" io.exaplane.store.app.Main >"$app/java.args"
  testbed java-app "$JRE_BASE" "$app" "$1" && rm -rf "$app"
}

# train_store APP: starts the store once and uses it a little, for Java to keep what it learns. The image's file times are what the cache is bound to.
train_store() {
  local app=$1 socket=$1/store.sock pid i status=1
  touch -d @1 "$app"/lib/*.jar
  "$JRE_HOME/bin/java" -XX:AOTCacheOutput="$app/store.aot" $STORE_FLAGS -Djava.library.path="$app/lib" -cp "$(class_path "$app" "$app/lib")" io.exaplane.store.app.Main \
    --data-dir="$app/data" --listen-client-urls="unix://$socket" >"$EXA_CACHE/store-training.log" 2>&1 9>&- &
  pid=$!
  for i in $(seq 300); do
    kill -0 $pid 2>/dev/null || break
    curl --silent --fail --output /dev/null --unix-socket "$socket" http://store/readyz && status=0 && break
    sleep 0.1
  done
  curl --silent --fail --output /dev/null --unix-socket "$socket" http://store/metrics || status=1
  kill $pid 2>/dev/null || true
  wait $pid || true
  rm -rf "$app/data" "$socket"
  [ $status -eq 0 ] && [ -s "$app/store.aot" ] || fail "the store did not start to be trained for its image" "see $EXA_CACHE/store-training.log"
}
