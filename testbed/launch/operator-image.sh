# The operator's image: built by Jib on our own base, kept as a tar by the hash of its sources. Sourced by cluster.sh.
OPERATOR_IMAGE=quay.io/exaplane/operator
MODULES=java.base,java.compiler,java.instrument,java.logging,java.management,java.naming,java.net.http,java.rmi,java.security.jgss,java.security.sasl,java.sql,java.xml,jdk.crypto.ec,jdk.jcmd,jdk.jfr,jdk.management,jdk.naming.dns,jdk.net,jdk.unsupported,jdk.zipfs

# operator_tag: a hash over all that goes into the image.
operator_tag() {
  (cd "$EXA_HOME" && find pom.xml crds/pom.xml crds/src/main tuning/pom.xml tuning/src/main operator/pom.xml operator/src/main testbed/launch/operator-image.sh testbed/node/internal/images -type f -print0 |
    LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -c1-16)
}

ensure_operator_image() {
  local tag tar
  tag=$(operator_tag)
  tar=$EXA_CACHE/operator-$tag.tar
  if [ ! -e "$tar" ]; then
    find_java
    push_operator_image "127.0.0.1:5000/exaplane/operator:$tag" || return
    find "$EXA_CACHE" -maxdepth 1 -name 'operator-*.tar' -delete
    testbed image save "exaplane/operator:$tag" "$tar.partial" && mv "$tar.partial" "$tar"
  else
    testbed image load "$tar" "exaplane/operator:$tag"
  fi
}

# push_operator_image NAME
push_operator_image() {
  push_jib_image operator operator "$1"
}

# push_jib_image MODULE WHAT NAME: Jib takes a registry's credentials from where docker and podman keep them.
push_jib_image() {
  local insecure=false log=$EXA_CACHE/$2-image-build.log
  case $3 in 127.0.0.1[:/]* | localhost[:/]* | "[::1]"*) insecure=true ;; esac
  ensure_jre_base || return
  echo "  · building with Maven"
  maven --quiet package -pl "$1" -am -DskipTests -Dspotless.check.skip \
    -Dquarkus.container-image.build=true -Dquarkus.container-image.push=true -Dquarkus.container-image.insecure=$insecure \
    -Dquarkus.container-image.image="$3" -Dquarkus.jib.base-jvm-image="tar://$JRE_BASE" >"$log" 2>&1 ||
    fail "the $2's image does not build, or the registry refuses it: $(grep -m 1 ERROR "$log")" "see $log"
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
