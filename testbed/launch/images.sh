# Images: built on our own base, pushed to the local registry, kept as tars by the hash of their sources; the operator's. Sourced by cluster.sh.
OPERATOR_IMAGE=quay.io/exaplane/operator
MODULES=java.base,java.compiler,java.instrument,java.logging,java.management,java.naming,java.net.http,java.rmi,java.security.jgss,java.security.sasl,java.sql,java.xml,jdk.crypto.ec,jdk.jcmd,jdk.jfr,jdk.management,jdk.naming.dns,jdk.net,jdk.unsupported,jdk.zipfs

operator_tag() { image_tag crds/pom.xml crds/src/main tuning/pom.xml tuning/src/main apply/pom.xml apply/src/main operator/pom.xml operator/src/main; }

# image_tag SOURCES…: a hash over all that goes into an image; of folders, what Maven packages.
image_tag() {
  (cd "$EXA_HOME" && find pom.xml testbed/launch/images.sh testbed/node/internal/images "$@" \( -path '*/target/*' -o -path '*/src/test/*' -o -name '*.md' \) -prune -o -type f -print0 |
    LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -c1-16)
}

# ensure_image WHAT TAG: the local registry has the image with that tag, out of the cache or made by push_WHAT_image.
ensure_image() {
  local tar=$EXA_CACHE/$1-image-$2.tar
  if [ -e "$tar" ]; then
    testbed image load "$tar" "exaplane/$1:$2"
    return
  fi
  "push_$1_image" "127.0.0.1:5000/exaplane/$1:$2" || return
  find "$EXA_CACHE" -maxdepth 1 -name "$1-image-*.tar" -delete
  testbed image save "exaplane/$1:$2" "$tar.partial" && mv "$tar.partial" "$tar"
}

ensure_operator_image() { ensure_image operator "$(operator_tag)"; }

# push_operator_image NAME: Jib takes a registry's credentials from where docker and podman keep them.
push_operator_image() {
  local insecure=false log=$EXA_CACHE/operator-image-build.log
  case $1 in 127.0.0.1[:/]* | localhost[:/]* | "[::1]"*) insecure=true ;; esac
  find_java
  ensure_jre_base || return
  echo "  · building with Maven"
  maven --quiet package -pl operator -am -DskipTests -Dspotless.check.skip \
    -Dquarkus.container-image.build=true -Dquarkus.container-image.push=true -Dquarkus.container-image.insecure=$insecure \
    -Dquarkus.container-image.image="$1" -Dquarkus.jib.base-jvm-image="tar://$JRE_BASE" >"$log" 2>&1 ||
    fail "the operator's image does not build, or the registry refuses it: $(grep -m 1 ERROR "$log")" "see $log"
}

# ensure_jre_base sets JRE_HOME to a Java runtime of the modules that are needed and JRE_BASE to the tar of an image with it, both made once for each JDK.
ensure_jre_base() {
  local version
  version=$("$JAVA_HOME/bin/java" -version 2>&1 | sed -nE 's/.*build ([^,)]*).*/\1/p' | head -n 1 | tr '+' '_')
  JRE_BASE=$EXA_CACHE/jre-base-$version.tar
  JRE_HOME=$EXA_CACHE/jre-$version
  [ -e "$JRE_BASE" ] && [ -d "$JRE_HOME" ] && return
  rm -rf "$JRE_HOME" "$JRE_HOME.partial"
  echo "  · base image: a Java runtime of the modules that are needed"
  "$JAVA_HOME/bin/jlink" --add-modules "$MODULES" --strip-java-debug-attributes --no-header-files --no-man-pages --generate-cds-archive --output "$JRE_HOME.partial" >/dev/null ||
    fail "jlink could not make a Java runtime" "use a JDK 25 that can link from its run-time image, as Temurin 25, or one with jmods"
  testbed jre-base "$JRE_HOME.partial" "$JRE_BASE.partial" && mv "$JRE_BASE.partial" "$JRE_BASE" && mv "$JRE_HOME.partial" "$JRE_HOME"
}
