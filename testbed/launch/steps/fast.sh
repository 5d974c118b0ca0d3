# Steps without a cluster and without other people's programs, and the preparation of Java. Sourced by steps.sh.

step_scripts() {
  local file status=0
  while IFS= read -r file; do
    head -n 1 "$EXA_HOME/$file" | grep -qE '^#!.*bash|^# ' || continue
    case $file in *.sh | exa | */run | */generate | benchmarks/peers/* | .ci/* | testbed/kube/builtin-resources | testbed/suites/etcd/etcd) bash -n "$EXA_HOME/$file" || status=1 ;; esac
  done < <(git -C "$EXA_HOME" ls-files --cached --others --exclude-standard -- exa .ci testbed benchmarks/peers)
  return $status
}

# Go keeps results by the files of a test's own module, and these tests read texts, poms and scripts outside of theirs: hence the count.
step_go_units() {
  local module status=0
  for module in kstatus node steps words; do
    (cd "$EXA_HOME/testbed/$module" && go vet ./... && go test -count=1 -v ./...) | tee "$EXA_REPORTS/$module.gotest" || status=1
  done
  return $status
}

# Without the units that are steps of their own, unless somebody chose tests.
step_java_units() {
  local chosen=(-Dexa.units.elsewhere=true)
  [ -z "${EXA_TESTS:-}" ] || chosen=("-Dtest=%regex[(.*/)?($EXA_TESTS)[.]class]" -Dsurefire.failIfNoSpecifiedTests=false)
  # Modules that do not need each other run beside each other.
  local stamp known files format
  stamp=$(java_stamp)
  known=$(known_format)
  files=$(java_files)
  mapfile -t format < <(format_options "$known" <<<"$files")
  maven_units --threads 2 verify "${chosen[@]}" "${format[@]}"
  java_is_built "$stamp"
  format_is_known "$known" <<<"$files"
}

# Whether a file is well formatted depends on its content, the formatter and its configuration alone. So files that passed are not formatted again, which would be a quarter of the
# step's CPU. Spotless's own index goes by times, and lies in the tree. known_format names the list of hashes of such files.
known_format() {
  mkdir -p "$EXA_CACHE"
  echo "$EXA_CACHE/formatted-$( (cd "$EXA_HOME" && sed -n '/<artifactId>spotless-maven-plugin/,/<\/plugin>/p' pom.xml && grep -E '<(spotless-plugin|google-java-format)[.]version>' pom.xml && cat "$JAVA_HOME/release") | sha256sum | cut -c1-16)"
}

# java_files: those that Spotless looks at, each behind the hash of its content.
java_files() {
  (cd "$EXA_HOME" && find . -name target -prune -o -path '*/src/*/java/*' -name '*.java' -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum)
}

# format_options LIST: the option of Spotless for the files on standard input that the list does not know. Hundreds of them would be too long for a command: then it looks at all.
format_options() {
  local new
  [ -s "$1" ] || return 0
  new=$(awk 'NR == FNR { known[$1]; next } !($1 in known) { print ".*/" substr($2, 3) }' "$1" -)
  if [ -z "$new" ]; then
    echo "-Dspotless.check.skip"
  elif [ "$(wc -l <<<"$new")" -le 500 ]; then
    echo "-DspotlessFiles=$(paste -sd, <<<"$new")"
  fi
}

# format_is_known LIST: adds the files on standard input, which passed, unless they were edited since. The list has the hashes of many trees, and begins anew when it has become long.
format_is_known() {
  local passed partial
  partial=$(mktemp "$1.partial-XXXXXX") || return
  passed=$(LC_ALL=C comm -12 <(LC_ALL=C sort) <(java_files | LC_ALL=C sort) | cut -d' ' -f1 | LC_ALL=C sort -u)
  if [ -s "$1" ] && [ "$(wc -l <"$1")" -lt 50000 ]; then
    LC_ALL=C sort -u "$1" - <<<"$passed" >"$partial"
  else
    echo "$passed" >"$partial"
  fi
  mv "$partial" "$1"
}

# java_stamp: a hash over all that the classes are made from.
java_stamp() {
  (cd "$EXA_HOME" && find . -name target -prune -o \( -path '*/src/*' -o -name pom.xml \) -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum && cat "$JAVA_HOME/release") | sha256sum | cut -c1-16
}

# java_is_built STAMP: of before the build, since an edit meanwhile is in no class.
java_is_built() {
  mkdir -p "$EXA_HOME/testbed/machine/target" && echo "$1" >"$EXA_HOME/testbed/machine/target/built"
}

# The units of one MODULE, in the JVM that its pom gives them.
step_module_units() {
  # shellcheck disable=SC2086 # options are words
  junit "$MODULE" '.*Test' ${JVM:-}
}

# step_java: the classes of all modules that are there and have tests which the launcher starts.
step_java() {
  local modules stamp
  stamp=$(java_stamp)
  [ "$(cat "$EXA_HOME/testbed/machine/target/built" 2>/dev/null)" != "$stamp" ] || { echo "nothing has changed"; return 0; }
  modules=$(cd "$EXA_HOME" && grep -l maven-dependency-plugin */pom.xml */*/pom.xml | xargs -n 1 dirname | while IFS= read -r module; do [ ! -d "$module/src" ] && [ "$module" != testbed/machine ] || echo "$module"; done | paste -sd,)
  maven --quiet --threads 2 process-test-classes -pl "$modules" -am -Dspotless.check.skip -Denforcer.skip
  java_is_built "$stamp"
}

# Each fault is a test of its own. EXA_PLANTED chooses among them: "01,02".
step_planted() {
  local chosen=${EXA_PLANTED:-}
  # shellcheck disable=SC2086 # names are words
  "$EXA_HOME/testbed/planted/run" ${chosen//,/ } | tee /dev/stderr |
    sed -nE 's/^([0-9]+-[^ :]+): found by ([^ ]+ [(][a-z]+[)]) in ([0-9]+) s.*/--- PASS: \1 (\3.0s)/p; s/^([0-9]+-[^ :]+): ESCAPED.*/--- FAIL: \1 (0.0s)/p' >"$EXA_REPORTS/planted.gotest"
}
