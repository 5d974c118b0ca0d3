# The scheduler's image: its jars and an archive of their classes on our own base, made and kept as images.sh does. Sourced by cluster.sh.
SCHEDULER_IMAGE=quay.io/exaplane/scheduler

scheduler_tag() { brief_tag "$(image_tag dist-scheduler testbed/launch/scheduler.sh testbed/launch/scheduler-image.sh)"; }

ensure_scheduler_image() { ensure_image scheduler "$(scheduler_tag)"; }

# push_scheduler_image NAME
push_scheduler_image() {
  local app
  find_java
  ensure_jre_base && ensure_scheduler || return
  app=$(partial_of "$EXA_CACHE/scheduler-image") && cp -r "$SCHEDULER_HOME/lib" "$app/lib" || return
  class_archive scheduler "$app" || return
  { brief_pods; scheduler_arguments "$app" /app '-XX:SharedArchiveFile="/app/scheduler.jsa"'; } >"$app/java.args"
  testbed java-app "$JRE_BASE" "$app" "$1" "scheduler=$(project_version)" && rm -rf "$app"
}
