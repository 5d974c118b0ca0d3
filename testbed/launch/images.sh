# Images: built on our own base, pushed to the local registry, kept as tars by the hash of their sources; the operator's. Sourced by cluster.sh.
OPERATOR_IMAGE=quay.io/exaplane/operator
MODULES=java.base,java.compiler,java.instrument,java.logging,java.management,java.naming,java.net.http,java.rmi,java.security.jgss,java.security.sasl,java.sql,java.xml,jdk.crypto.ec,jdk.httpserver,jdk.jcmd,jdk.jfr,jdk.management,jdk.naming.dns,jdk.net,jdk.unsupported,jdk.zipfs

operator_tag() { image_tag crds/pom.xml crds/src/main tuning/pom.xml tuning/src/main apply/pom.xml apply/src/main operator/pom.xml operator/src/main; }

# image_tag SOURCES…: a hash over all that goes into an image; of folders, what Maven packages.
image_tag() {
  (cd "$EXA_HOME" && find pom.xml LICENSE testbed/launch/images.sh testbed/node/internal/images testbed/node/internal/sbom "$@" \( -path '*/target/*' -o -path '*/src/test/*' -o -name '*.md' \) -prune -o -type f -print0 |
    LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -c1-16)
}

# brief_pods: the option that spares Java's pods the second compiler, one a line, in a run of tests none of which asks how fast they are: the runner sets EXA_BRIEF_PODS. A store that
# lives for two minutes spends half of its CPU in that compiler.
brief_pods() { [ -z "${EXA_BRIEF_PODS:-}" ] || echo "$BRIEF"; }

# brief_tag TAG: of an image whose program has that option when there is one.
brief_tag() { echo "$1${EXA_BRIEF_PODS:+-brief}"; }

# ensure_image WHAT TAG: the local registry has the image with that tag, out of the cache or made by push_WHAT_image.
ensure_image() {
  local tar=$EXA_CACHE/$1-image-$2.tar partial
  if [ -e "$tar" ]; then
    testbed image load "$tar" "exaplane/$1:$2"
    return
  fi
  "push_$1_image" "127.0.0.1:5000/exaplane/$1:$2" || return
  local brief=(! -name '*-brief.tar')
  [ "${2%-brief}" = "$2" ] || brief=(-name '*-brief.tar')
  find "$EXA_CACHE" -maxdepth 1 -name "$1-image-*.tar" "${brief[@]}" -delete
  partial=$(mktemp "$tar.partial-XXXXXX") && testbed image save "exaplane/$1:$2" "$partial" && keep_partial_file "$partial" "$tar"
}

ensure_operator_image() { ensure_image operator "$(operator_tag)"; }

# push_operator_image NAME: Jib pushes to a registry of the test bed's program, which adds the licences and pushes to NAME. The operator as a process has the same jars.
push_operator_image() {
  local log=$EXA_CACHE/operator-image-build.log home
  # Of the sources as they are before the build.
  home=$EXA_CACHE/operator-$(operator_tag)
  find_java
  ensure_jre_base || return
  echo "  · building with Maven"
  testbed built-image "$EXA_HOME/operator/target/quarkus-app" "$1" "operator=$(project_version)" \
    mvn --file "$EXA_HOME/pom.xml" --batch-mode --no-transfer-progress -Dstyle.color=never --quiet package -pl operator -am -DskipTests -Dspotless.check.skip \
    -Dquarkus.container-image.build=true -Dquarkus.container-image.push=true -Dquarkus.container-image.insecure=true \
    -Dquarkus.container-image.image="{image}" -Dquarkus.jib.base-jvm-image="tar://$JRE_BASE" >"$log" 2>&1 ||
    fail "the operator's image does not build, or the registry refuses it: $(grep -m 1 -i error "$log")" "see $log"
  [ -d "$home" ] || keep_operator_jars "$home"
}

# base_packages: packages of this machine that the base has files of, with their versions, as in versions.env; nothing where Debian's database is missing.
base_packages() {
  # shellcheck disable=SC2086 # names are words
  dpkg-query --show --showformat '${Package}=${Version}\n' $(tr ' ' '\n' <<<"$BASE_PACKAGES" | cut -d= -f1) 2>/dev/null | LC_ALL=C sort | paste -sd' '
}

# ensure_jre_base sets JRE_HOME to a Java runtime of the modules that are needed and JRE_BASE to the tar of an image with it, both made once for each JDK; the tar anew for other
# packages of the system, too.
ensure_jre_base() {
  local version packages partial
  version=$("$JAVA_HOME/bin/java" -version 2>&1 | sed -nE 's/.*build ([^,)]*).*/\1/p' | head -n 1)
  packages=$(base_packages)
  [ "$version $packages" = "$BASE_JAVA $BASE_PACKAGES" ] ||
    echo "  · the images will not have the digests of other machines: the base has Java $version and ${packages:-no known package}, and testbed/versions.env names Java $BASE_JAVA and $BASE_PACKAGES" >&2
  version=${version//+/_}
  JRE_BASE=$EXA_CACHE/jre-base-$version-$( (echo "$MODULES $packages" && cat "$EXA_HOME"/testbed/node/internal/{images,sbom}/*.go) | sha256sum | cut -c1-12).tar
  JRE_HOME=$EXA_CACHE/jre-$version-$(echo "$MODULES" | sha256sum | cut -c1-12)
  [ -e "$JRE_BASE" ] && [ -d "$JRE_HOME" ] && return
  find "$EXA_CACHE" -maxdepth 1 -name 'jre-base-*.tar' -mtime +0 -delete
  echo "  · base image: a Java runtime of the modules that are needed"
  if [ ! -d "$JRE_HOME" ]; then
    partial=$(partial_of "$JRE_HOME") || return
    "$JAVA_HOME/bin/jlink" --add-modules "$MODULES" --strip-java-debug-attributes --no-header-files --no-man-pages --generate-cds-archive --output "$partial/jre" >/dev/null ||
      fail "jlink could not make a Java runtime" "use a JDK 25 that can link from its run-time image, as Temurin 25, or one with jmods"
    keep_partial "$partial/jre" "$JRE_HOME"
    rm -rf "$partial"
  fi
  partial=$(mktemp "$JRE_BASE.partial-XXXXXX") && testbed jre-base "$JRE_HOME" "$partial" && keep_partial_file "$partial" "$JRE_BASE"
}

# class_archive PROGRAM HOME: writes HOME/PROGRAM.jsa, the classes that a start loads as Java keeps them, for the images' Java, and HOME/PROGRAM.classes, the list of them. Unlike an
# AOT cache the archive has the same bytes for the same list: paths are relative to HOME, and one thread writes, by the interpreter, with a heap of one size. Two starts can differ in
# a few classes, so EXA_CLASSES names a folder with lists of an earlier build. The last list stays in the cache folder.
class_archive() {
  local list=$2/$1.classes
  if [ -n "${EXA_CLASSES:-}" ]; then
    touch -d @1 "$2"/lib/*.jar
    cp "$EXA_CLASSES/$1.classes" "$list" || fail "EXA_CLASSES=$EXA_CLASSES has no readable file $1.classes" "name a folder with the files PROGRAM.classes of the images' /app"
  else
    "train_$1" "$JRE_HOME/bin/java" "$2" "-Xshare:off -XX:DumpLoadedClassList=$list.loaded -Dio.netty.leakDetection.level=disabled" "$list.loaded" || return
    { grep -v '^[#@]' "$list.loaded" | sed 's/ id: [0-9]*$//' | LC_ALL=C sort -u && grep '^@lambda-proxy' "$list.loaded" | LC_ALL=C sort -u && grep '^@lambda-form-invoker' "$list.loaded" | LC_ALL=C sort -u; } >"$list" && rm "$list.loaded" || return
  fi
  cp "$list" "$EXA_CACHE/$1.classes" || return
  (cd "$2" && "$JRE_HOME/bin/java" -Xshare:dump -Xint -Xmx256m -XX:+UseSerialGC -XX:+UseCompactObjectHeaders -XX:SharedClassListFile="$list" -XX:SharedArchiveFile="$1.jsa" -cp "$(class_path . lib)") >"$EXA_CACHE/$1-archive.log" 2>&1 &&
    [ -s "$2/$1.jsa" ] || fail "the archive of the classes of the $1 cannot be made" "see $EXA_CACHE/$1-archive.log"
}

# quiet FILE PID: waits until the file has not grown for 5 s while the process lives: what the process learns next, it learned before.
quiet() {
  local size=-1 now still=0 i
  for i in $(seq 3000); do
    kill -0 "$2" 2>/dev/null && now=$(stat -c %s "$1") || return
    if [ "$now" = "$size" ]; then still=$((still + 1)); else still=0; fi
    [ $still -lt 50 ] || return 0
    size=$now
    sleep 0.1
  done
  return 1
}
