# Steps about the ways to install. Sourced by steps.sh.

step_bundle() { cd "$EXA_HOME/olm-bundle/validate" && go run . "$EXA_HOME/olm-bundle/bundle" "$EXA_HOME/olm-bundle/catalog"; }

step_helm() { build_helm; }

# The chart, kustomize's folders and install.yaml, rendered by Helm and kubectl, and applied to a real kube-apiserver.
step_install_ways() {
  ensure_store
  build_testbed && testbed binaries kube "$KUBERNETES" && build_helm
  EXA_HELM=$EXA_CACHE/helm-$HELM EXA_KUBE=$EXA_CACHE/kube-$KUBERNETES EXA_STORE=$(brief store_command) junit testbed/install '.*ProcessTest' "$BRIEF"
}

step_site() {
  local folder
  folder=$(mktemp -d "$EXA_REPORTS/site.XXXXXX")
  cmd_site "$folder"
  rm -rf "$folder"
}
