# Steps about the ways to install. Sourced by steps.sh.

step_bundle() { cd "$EXA_HOME/olm-bundle/validate" && go run . "$EXA_HOME/olm-bundle/bundle" "$EXA_HOME/olm-bundle/catalog"; }

step_helm() { build_helm && build_helm "$HELM_3"; }

step_olm_programs() { build_olm; }

step_olm_v1_programs() { build_olm_v1; }

# The chart, kustomize's folders and install.yaml, rendered by Helm and kubectl, and applied to a real kube-apiserver.
step_install_ways() {
  ensure_store
  build_testbed && testbed binaries kube "$KUBERNETES" && build_helm && build_helm "$HELM_3"
  EXA_HELM=$EXA_CACHE/helm-$HELM EXA_HELM_3=$EXA_CACHE/helm-$HELM_3 EXA_KUBE=$EXA_CACHE/kube-$KUBERNETES EXA_STORE=$(brief store_command) junit testbed/install '.*ProcessTest' "$BRIEF" --exclude-tag=olm --exclude-tag=olm-long --exclude-tag=olm-v1-long
}

# The chart and kustomize on the cluster, instead of what 'up' installed, with the images that 'up' pushed.
step_install_live() {
  build_helm
  EXA_HELM=$EXA_CACHE/helm-$HELM junit testbed/e2e '.*E2E' --include-tag=install \
    "-Dexa.images=$OPERATOR_IMAGE:$(operator_tag),$STORE_IMAGE:$(store_tag),$SCHEDULER_IMAGE:$(scheduler_tag)"
}

# The Operator Lifecycle Manager itself installs the bundle, and runs the operator with the rights that the bundle asks for.
with_olm() { # options of JUnit…
  ensure_store
  ensure_operator
  build_testbed && testbed binaries kube "$KUBERNETES"
  EXA_OLM=$EXA_CACHE/olm-$OLM EXA_OLM_V1=$EXA_CACHE/olm-v1-$OLM_V1 EXA_KUBE=$EXA_CACHE/kube-$KUBERNETES EXA_STORE=$(brief store_command) EXA_OPERATOR=$(brief operator_command) \
    junit testbed/install '.*ProcessTest' "$BRIEF" "$@"
}

step_olm() { build_olm && with_olm --include-tag=olm; }

step_olm_long() { build_olm && with_olm --include-tag=olm-long; }

step_olm_v1_long() { build_olm_v1 && with_olm --include-tag=olm-v1-long; }

step_site() {
  local folder
  folder=$(mktemp -d "$EXA_REPORTS/site.XXXXXX")
  cmd_site "$folder"
  rm -rf "$folder"
}
