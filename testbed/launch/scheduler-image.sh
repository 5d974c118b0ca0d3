# The scheduler's image: built by Jib on our own base, kept as a tar by the hash of its sources. Sourced by cluster.sh.
SCHEDULER_IMAGE=quay.io/exaplane/scheduler

# scheduler_tag: a hash over all that goes into the image.
scheduler_tag() {
  (cd "$EXA_HOME" && find pom.xml dist-scheduler/*/pom.xml dist-scheduler/*/src/main testbed/launch/scheduler-image.sh testbed/launch/operator-image.sh testbed/node/internal/images -type f -print0 |
    LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -c1-16)
}

ensure_scheduler_image() {
  local tag tar
  tag=$(scheduler_tag)
  tar=$EXA_CACHE/schedulerimage-$tag.tar
  if [ ! -e "$tar" ]; then
    find_java
    push_scheduler_image "127.0.0.1:5000/exaplane/scheduler:$tag" || return
    find "$EXA_CACHE" -maxdepth 1 -name 'schedulerimage-*.tar' -delete
    testbed image save "exaplane/scheduler:$tag" "$tar.partial" && mv "$tar.partial" "$tar"
  else
    testbed image load "$tar" "exaplane/scheduler:$tag"
  fi
}

# push_scheduler_image NAME
push_scheduler_image() {
  push_jib_image dist-scheduler/app scheduler "$1"
}
