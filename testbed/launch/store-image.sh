# The store's image: its jars and an archive of their classes on our own base, made and kept as images.sh does. Sourced by cluster.sh.
STORE_IMAGE=quay.io/exaplane/store

store_tag() { brief_tag "$(image_tag controlplane-store/pom.xml controlplane-store/src/main testbed/launch/store.sh testbed/launch/store-image.sh)"; }

# store_image and store_image_tar name what ensure_store_image makes.
store_image() { echo "127.0.0.1:5000/exaplane/store:$(store_tag)"; }
store_image_tar() { echo "$EXA_CACHE/store-image-$(store_tag).tar"; }

ensure_store_image() { ensure_image store "$(store_tag)"; }

# push_store_image NAME
push_store_image() {
  local app
  find_java
  ensure_jre_base && ensure_store || return
  app=$(partial_of "$EXA_CACHE/store-image") && cp -r "$STORE_HOME/lib" "$app/lib" || return
  class_archive store "$app" || return
  { brief_pods; store_arguments "$app" /app '-XX:SharedArchiveFile="/app/store.jsa"'; } >"$app/java.args"
  testbed java-app "$JRE_BASE" "$app" "$1" "store=$(project_version)" && rm -rf "$app"
}
