# The scheduler's image: its jars and an AOT cache of them on our own base, made and kept as images.sh does. Sourced by cluster.sh.
SCHEDULER_IMAGE=quay.io/exaplane/scheduler

scheduler_tag() { image_tag dist-scheduler testbed/launch/scheduler.sh testbed/launch/scheduler-image.sh; }

ensure_scheduler_image() { ensure_image scheduler "$(scheduler_tag)"; }

# push_scheduler_image NAME
push_scheduler_image() {
  local app=$EXA_CACHE/scheduler-image.partial
  find_java
  ensure_jre_base && ensure_scheduler || return
  rm -rf "$app" && mkdir -p "$app" && cp -r "$SCHEDULER_HOME/lib" "$app/lib" || return
  train_scheduler "$JRE_HOME/bin/java" "$app" || return
  scheduler_arguments "$app" /app >"$app/java.args"
  testbed java-app "$JRE_BASE" "$app" "$1" && rm -rf "$app"
}
