# The operator as a process outside any cluster: its jars, kept by the hash of their sources, and what its image starts it with. Sourced by exa.

# ensure_operator sets OPERATOR_HOME to a folder with the operator's jars.
ensure_operator() {
  find_java
  OPERATOR_HOME=$EXA_CACHE/operator-$(operator_tag)
  [ -d "$OPERATOR_HOME" ] && return
  echo "  · building the operator with Maven" >&2
  mkdir -p "$EXA_CACHE"
  maven --quiet package -pl operator -am -DskipTests -Dspotless.check.skip >"$EXA_CACHE/operator-build.log" 2>&1 ||
    fail "the operator does not build: $(grep -m 1 ERROR "$EXA_CACHE/operator-build.log")" "see $EXA_CACHE/operator-build.log"
  keep_operator_jars "$OPERATOR_HOME"
}

# keep_operator_jars HOME: the jars that a build has just left in the tree. The build of the image makes them, too: Quarkus need not do its work twice.
keep_operator_jars() {
  local partial
  partial=$(partial_of "$1") || return
  cp -r "$EXA_HOME/operator/target/quarkus-app/." "$partial" || fail "the operator's jars can't be copied into the cache" "make room on the disk of $EXA_CACHE"
  drop_old 'operator-*' -type d
  keep_partial "$partial" "$1"
}

# operator_command: the command of the process as its image has it, one word a line.
operator_command() {
  sed -nE 's/^quarkus\.jib\.jvm-entrypoint=//p' "$EXA_HOME/operator/src/main/resources/application.properties" | tr ',' '\n' |
    sed -e "s|^/opt/java/bin/java$|$JAVA_HOME/bin/java|" -e "s|^/app/|$OPERATOR_HOME/|" -e 's|^-Dquarkus.http.host=.*|-Dquarkus.http.host=127.0.0.1|'
}

# ensure_former_operator sets FORMER_HOME to a folder with the operator of the commit FORMER_OPERATOR, and its definitions and manifests.
ensure_former_operator() {
  local tree partial
  find_java
  FORMER_HOME=$EXA_CACHE/former-operator-$FORMER_OPERATOR
  [ -d "$FORMER_HOME" ] && return
  echo "  · building the operator of commit ${FORMER_OPERATOR:0:8} with Maven" >&2
  partial=$(partial_of "$FORMER_HOME") || return
  tree=$partial/tree
  mkdir -p "$tree"
  git -C "$EXA_HOME" cat-file -e "$FORMER_OPERATOR^{commit}" 2>/dev/null ||
    fail "this tree has no commit $FORMER_OPERATOR, whose operator is to be built" "fetch the whole history (git fetch --unshallow)"
  git -C "$EXA_HOME" archive "$FORMER_OPERATOR" | tar -x -C "$tree" || fail "the tree of commit $FORMER_OPERATOR can't be unpacked" "make room on the disk of $EXA_CACHE"
  EXA_HOME=$tree maven --quiet package -pl operator -am -DskipTests -Dspotless.check.skip >"$EXA_CACHE/former-operator-build.log" 2>&1 ||
    fail "the operator of commit $FORMER_OPERATOR does not build: $(grep -m 1 ERROR "$EXA_CACHE/former-operator-build.log")" "see $EXA_CACHE/former-operator-build.log"
  cp -r "$tree/operator/target/quarkus-app" "$partial/operator" && (cd "$tree" && cp -r --parents crds/generated config/manifests operator/src/main/resources/application.properties "$partial") ||
    fail "the operator of commit $FORMER_OPERATOR can't be copied into the cache" "make room on the disk of $EXA_CACHE"
  rm -rf "$tree"
  keep_partial "$partial" "$FORMER_HOME"
}

# former_operator_command: the command of that one.
former_operator_command() {
  EXA_HOME=$FORMER_HOME OPERATOR_HOME=$FORMER_HOME/operator operator_command
}
