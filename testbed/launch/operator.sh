# The operator as a process outside any cluster: its jars, kept by the hash of their sources, and what its image starts it with. Sourced by exa.

# ensure_operator sets OPERATOR_HOME to a folder with the operator's jars.
ensure_operator() {
  find_java
  OPERATOR_HOME=$EXA_CACHE/operator-$(operator_tag)
  [ -d "$OPERATOR_HOME" ] && return
  echo "  · building the operator with Maven" >&2
  rm -rf "$OPERATOR_HOME.partial"
  mkdir -p "$EXA_CACHE"
  maven --quiet package -pl operator -am -DskipTests -Dspotless.check.skip >"$EXA_CACHE/operator-build.log" 2>&1 ||
    fail "the operator does not build: $(grep -m 1 ERROR "$EXA_CACHE/operator-build.log")" "see $EXA_CACHE/operator-build.log"
  cp -r "$EXA_HOME/operator/target/quarkus-app" "$OPERATOR_HOME.partial" || fail "the operator's jars can't be copied into the cache" "make room on the disk of $EXA_CACHE"
  find "$EXA_CACHE" -maxdepth 1 -name 'operator-*' -type d ! -name '*.partial' -mtime +0 -exec rm -rf {} +
  mv "$OPERATOR_HOME.partial" "$OPERATOR_HOME"
}

# operator_command: the command of the process as its image has it, one word a line.
operator_command() {
  sed -nE 's/^quarkus\.jib\.jvm-entrypoint=//p' "$EXA_HOME/operator/src/main/resources/application.properties" | tr ',' '\n' |
    sed -e "s|^/opt/java/bin/java$|$JAVA_HOME/bin/java|" -e "s|^/app/|$OPERATOR_HOME/|" -e 's|^-Dquarkus.http.host=.*|-Dquarkus.http.host=127.0.0.1|'
}
