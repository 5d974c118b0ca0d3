# Libraries of other projects in our programs: their licences, checksums and lists. Needs cluster.sh. Sourced by exa and by the steps of tests.

# each_program COMMAND…: builds the programs, and calls COMMAND with NAME=FOLDER of each, the folder with the program's jars.
each_program() {
  . "$EXA_HOME/testbed/launch/cli.sh"
  ensure_store
  ensure_scheduler
  ensure_operator
  ensure_cli
  build_testbed
  "$@" "exactl=$CLI_HOME" "operator=$OPERATOR_HOME" "scheduler=$SCHEDULER_HOME/lib" "store=$STORE_HOME/lib"
}

# libraries check|write: of docs/licences.md and testbed/libraries.sha256.
libraries() {
  each_program testbed libraries "$1"
}

cmd_sbom() {
  [ $# -eq 1 ] || fail "'sbom' needs the folder to write to; got $# arguments" "for example './exa sbom /tmp/exaplane-sbom'"
  mkdir -p "$1" || fail "folder $1 cannot be made" "name another folder"
  each_program boms "$1"
}

boms() { # FOLDER NAME=JARS…
  local folder=$1 program
  shift
  for program in "$@"; do
    testbed sbom "${program#*=}" "${program%%=*}=$(project_version)" "$folder/${program%%=*}.cdx.json" || fail "the libraries of ${program%%=*} cannot be listed" "see the message above"
    echo "$folder/${program%%=*}.cdx.json"
  done
}
