# The launcher's tests: hands over to testbed/steps, which knows the steps. Sourced by exa.

# cmd_test OPTIONS…: see testbed/steps/README.md.
cmd_test() {
  local own=$EXA_CACHE/steps
  prepare_steps || exit 1
  case " $* " in *" --list "* | *" --table "* | *" --classes "*) exec "$own" "$@" ;; esac
  case " $* " in *" --fast "*) ;; *) need_root test ;; esac
  # Tests call the launcher, and those that plant faults run others inside their own.
  lock_tests
  export EXA_TESTS_LOCKED=yes
  export KUBERNETES KUBERNETES_PREVIOUS KUBERNETES_1_35
  exec "$own" "$@"
}

prepare_steps() {
  install_packages
  find_java
  find_go
  mkdir -p "$EXA_CACHE"
  (cd "$EXA_HOME/testbed/steps" && go build -o "$EXA_CACHE/steps" .) || fail "testbed/steps does not build" "see the compiler's messages above"
}

cmd_generate() {
  install_packages
  find_java
  maven --quiet spotless:apply
  maven --quiet -pl crds,cli,operator,olm-bundle -am verify -Dexa.generate=true -Dspotless.check.skip
  maven --quiet -pl controlplane-store,dist-scheduler/app -am test -Dtest=FlagReferenceTest,OptionReferenceTest -Dsurefire.failIfNoSpecifiedTests=false -Dexa.generate=true -Dspotless.check.skip
  libraries write
  git -C "$EXA_HOME" status --short -- crds/generated config olm-bundle/bundle olm-bundle/catalog docs testbed/libraries.sha256
}
