#!/usr/bin/env bash
# One step of './exa test': steps.sh FUNCTION ARGUMENTS…. testbed/steps calls it with EXA_HOME, EXA_CACHE, EXA_REPORTS (an empty folder, whose *.xml, *.gotest and *.spent are read),
# EXA_STEP_LOGS (the run's logs) and the step's variables. What it prints is the step's log; its exit status decides when there are no reports.
set -euo pipefail
# shellcheck source=common.sh
. "$EXA_HOME/testbed/launch/common.sh"
. "$EXA_HOME/testbed/launch/cluster.sh"
. "$EXA_HOME/testbed/launch/binaries.sh"
. "$EXA_HOME/testbed/launch/site.sh"
for file in "$EXA_HOME"/testbed/launch/steps/*.sh; do
  . "$file"
done
find_java
find_go

# maven_units MAVEN'S OPTIONS…: a run of Maven whose Surefire reports are the step's.
maven_units() {
  local status=0 file
  find "$EXA_HOME" -path '*/target/surefire-reports/*' -delete
  maven "$@" || status=$?
  while IFS= read -r file; do
    cp "$file" "$EXA_REPORTS/$(sed "s|^$EXA_HOME/||; s|/|-|g" <<<"$file")"
  done < <(find "$EXA_HOME" -path '*/target/surefire-reports/TEST-*.xml')
  return $status
}

# junit MODULE CLASSES [OPTION…]: runs the module's test classes whose full names match the regular expression, in one process; options of Java begin with -X or -D, others are the console's.
# EXA_TESTS, when set, chooses among them. With BRIEF among the options, Go programs that the tests start collect their heaps less often, too; a program whose memory is measured has
# its own pace (MemoryLimit, ControlPlane.measured).
junit() {
  local module=$EXA_HOME/$1 classes=$2 java=(-XX:+UseSerialGC) console=() option reports
  shift 2
  for option in "$@"; do
    case $option in -X* | -D*) java+=("$option") ;; *) console+=("$option") ;; esac
    [ "$option" != "$BRIEF" ] || local -x GOGC=$FRUGAL
  done
  # In a sealed tree nothing is built yet.
  [ -e "$module/target/test.classpath" ] && [ -e "$EXA_HOME/testbed/machine/target/test.classpath" ] || step_java
  [ -z "${EXA_TESTS:-}" ] || classes=".*\\.($EXA_TESTS)"
  reports=$(mktemp -d "$EXA_REPORTS/XXXXXX")
  (cd "$module" && "$JAVA_HOME/bin/java" -ea --add-opens=java.base/java.lang=ALL-UNNAMED --sun-misc-unsafe-memory-access=allow --enable-native-access=ALL-UNNAMED "${java[@]}" "-Dexaplane.spent=$reports/classes.spent" \
    -cp "target/test-classes:target/classes:$(cat target/test.classpath):$(cat "$EXA_HOME/testbed/machine/target/test.classpath")" \
    org.junit.platform.console.ConsoleLauncher execute --scan-classpath=target/test-classes --include-classname="$classes" --fail-if-no-tests \
    --disable-banner --disable-ansi-colors --details=testfeed --reports-dir="$reports" "${console[@]}")
}

# go_suite COMMAND…: tests in Go that a peer wrote, run against ours; each of them counts.
go_suite() {
  "$@" 2>&1 | tee "$EXA_REPORTS/$$.gotest"
}

# whole COMMAND: the words of a process as users start it, in one line.
whole() {
  "$1" | tr '\n' ' '
}

# brief COMMAND: the words of one that lives for seconds.
brief() {
  "$1" | sed "s|/bin/java\$|& $BRIEF|" | tr '\n' ' '
}

"$@"
