# Steps about the store. Sourced by steps.sh.

step_store_jars() { ensure_store; }

step_etcd() { build_testbed && testbed binaries etcd "$ETCD"; }

# Each version has another flag: what kube-apiserver's cache is spared must be nothing that it needs.
step_store_suite() {
  ensure_store
  EXA_STORE="$(brief store_command) ${SUITE_FLAGS:-}" go_suite "$EXA_HOME/testbed/suites/apiserver/run" "${!SUITE}" -v ./pkg/storage/etcd3/... ./pkg/storage/cacher/... ./pkg/storage/storagebackend/factory/
}

store_processes() { # brief|whole, options of JUnit…
  ensure_store
  export EXA_ETCD=$EXA_CACHE/etcd-$ETCD
  EXA_STORE=$("$1" store_command) junit testbed/store '.*ProcessTest' -Xmx2g "${@:2}"
}

# Stores whose speed or memory is looked at are those of users all the same (ServerProcess.storeForLoad, storeWith).
step_store_processes() { store_processes brief "$BRIEF" --exclude-tag=long; }

# With folders of other etcds.
step_store_long() {
  local version versions=
  build_testbed
  for version in "$ETCD_PREVIOUS" "$ETCD" "$ETCD_NEXT"; do
    testbed binaries etcd "$version"
    versions+=" $EXA_CACHE/etcd-$version"
  done
  EXA_ETCD_VERSIONS=${versions# } store_processes whole --include-tag=long
}

reshard() { # brief|whole, options of JUnit…
  ensure_store
  build_testbed && testbed binaries kube "$KUBERNETES" && build_informers "$KUBERNETES"
  EXA_STORE=$("$1" store_command) EXA_KUBE=$EXA_CACHE/kube-$KUBERNETES junit testbed/reshard '.*ProcessTest' "${@:2}"
}

step_reshard() { reshard brief "$BRIEF" --exclude-tag=long; }

# Kills at every step, 2,000 writes a second, 50,000 pods.
step_reshard_long() { reshard whole --include-tag=long; }

step_apply() { # options of JUnit…
  ensure_store
  build_testbed && testbed binaries kube "$KUBERNETES"
  EXA_STORE=$(brief store_command) EXA_KUBE=$EXA_CACHE/kube-$KUBERNETES junit testbed/apply '.*ProcessTest' "$BRIEF" "${@:---exclude-tag=long}"
}

definitions() { # options of JUnit…
  ensure_store
  build_testbed && testbed binaries kube "$KUBERNETES"
  EXA_STORE=$(brief store_command) EXA_KUBE=$EXA_CACHE/kube-$KUBERNETES junit testbed/apply '.*\.DefinitionsInstallTest' "$BRIEF" "$@"
}

step_definitions() { definitions --exclude-tag=long; }

step_definitions_long() { definitions --include-tag=long; }

# Beside kubectl, Flux's library and cli-utils.
step_apply_peers_long() { "$EXA_HOME/benchmarks/peers/apply" --goals 56,500,5000; }

# An hour of other controllers' writes, by a simulated clock and at a real kube-apiserver.
step_apply_churn_long() { junit apply '.*\.ChurnTest' -Dapply.churnMinutes=60 && step_apply --include-tag=long; }

# kubectl's plugin as a folder that kubectl finds by its path.
step_plugin() {
  local folder status=0
  folder=$(mktemp -d)
  ensure_store
  build_testbed && testbed binaries kube "$KUBERNETES"
  . "$EXA_HOME/testbed/launch/plugin.sh"
  plugin_folder "$folder"
  testbed binaries etcd "$ETCD"
  EXA_PLUGIN=$folder EXA_STORE=$(brief store_command) EXA_ETCD=$EXA_CACHE/etcd-$ETCD EXA_KUBE=$EXA_CACHE/kube-$KUBERNETES junit testbed/plugin '.*ProcessTest' "$BRIEF" || status=$?
  rm -rf "$folder"
  return $status
}

# The default tier's part of what units do less of: it begins where they end.
step_store_simulations() {
  junit controlplane-store ".*\.($CLASSES)" -Dfirst="${FIRST:-0}" -Dhistories="$HISTORIES"
  junit controlplane-store '.*\.DamageTest' -Dseed="${SEED:-3}" -Dbatches="$BATCHES" -DeveryByte=true
  junit controlplane-store '.*\.DamageTest' --include-methodname='.*#(aSectorThatIsLostIsFound|amongWeakerFrames.*)' -Dfirst="${FIRST_SECTORS:-0}" -Dhistories="$SECTORS"
  [ -z "${DAMAGES:-}" ] || junit controlplane-store '.*\.(DamageTest|RepairTest|TwoSnapshotsTest|SharedSectorsTest)' -Dfirst=10000 -Dhistories="$DAMAGES"
}

step_histories() {
  junit controlplane-store '.*\.SimulationTest' --include-methodname='.*#couldBeEtcd' -Dfirst="${FIRST:-0}" -Dhistories="$HISTORIES" -Djava.util.logging.config.file=src/test/resources/logging.properties
}

# What threads of the store share, a few lines at a time, with each pair of compilers. JCSTRESS are options of jcstress; a run that hangs is a failure.
step_jcstress() {
  local module=$EXA_HOME/benchmarks/jmh results status=0
  [ -e "$module/target/test.classpath" ] || step_java
  results=$(mktemp -d)
  # It writes a file of its results where it stands.
  # shellcheck disable=SC2086 # options are words
  (cd "$results" && timeout 1500 "$JAVA_HOME/bin/java" -cp "$module/target/classes:$(cat "$module/target/test.classpath")" org.openjdk.jcstress.Main ${JCSTRESS:--m quick} -r "$results") || status=$?
  rm -rf "$results"
  return $status
}

step_etcd_suite() {
  ensure_store
  build_testbed && testbed binaries etcd "$ETCD_NEXT"
  EXA_STORE=$(whole store_command) EXA_ETCD=$EXA_CACHE/etcd-$ETCD_NEXT go_suite "$EXA_HOME/testbed/suites/etcd/run" "$ETCD_NEXT" -v
}

# With the engine of this machine, or with one of the step's own. Ryuk, which would clean up behind a killed test, is an image of a registry.
step_store_image() {
  . "$EXA_HOME/testbed/launch/docker.sh"
  if [ -n "${DOCKER_HOST:-}" ] || [ -S /var/run/docker.sock ]; then
    jetcd_image
  else
    with_docker jetcd_image
  fi
}

jetcd_image() {
  EXA_STORE_IMAGE=$(store_image) EXA_STORE_IMAGE_TAR=$(store_image_tar) TESTCONTAINERS_RYUK_DISABLED=true TESTCONTAINERS_HOST_OVERRIDE=127.0.0.1 junit testbed/store '.*\.JetcdImageTest'
}
