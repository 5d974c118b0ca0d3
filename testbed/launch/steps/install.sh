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

# The chart, kustomize and the Operator Lifecycle Manager on the cluster, instead of what 'up' installed, with the images that 'up' pushed.
step_install_live() {
  local version
  version=$(project_version)
  build_helm
  push_olm "$version" || return
  EXA_HELM=$EXA_CACHE/helm-$HELM EXA_COREDNS=$COREDNS EXA_OLM_VERSION=$OLM EXA_OLM_CHART=$EXA_CACHE/olm-parts-$OLM/chart junit testbed/e2e '.*E2E' --include-tag=install \
    "-Dexa.images=$OPERATOR_IMAGE:$(operator_tag),$STORE_IMAGE:$(store_tag),$SCHEDULER_IMAGE:$(scheduler_tag)" \
    "-Dexa.olm.versions=exaplane-operator.v$BEFORE,exaplane-operator.v${version,,}"
}

# The version before, as tests of upgrades by the Operator Lifecycle Manager on the cluster call it.
BEFORE=0.0.9

# push_olm VERSION: into the local registry, the Operator Lifecycle Manager, the bundle and the one before with the images that both name, and two catalogs: "one" has the version
# before, and "both" upgrades it.
push_olm() {
  local version=$1 programs=$EXA_CACHE/olm-$OLM parts=$EXA_CACHE/olm-parts-$OLM own tag what
  build_testbed
  build_olm_parts || return
  own=$(mktemp -d) || return
  cp -r "$EXA_HOME/olm-bundle/bundle" "$own/this" && cp -r "$EXA_HOME/olm-bundle/catalog/exaplane" "$own/both" && cp -r "$own/this" "$own/before" && mkdir "$own/one" || return
  find "$own/before" -name '*.yaml' -exec sed -i "s/$version/$BEFORE/g; s/${version,,}/$BEFORE/g" {} +
  for what in bundle package; do sed "s/$version/$BEFORE/g; s/${version,,}/$BEFORE/g" "$own/both/$what.yaml" >"$own/one/$what.yaml" || return; done
  cp "$own/one/bundle.yaml" "$own/both/before.yaml"
  sed -i -E "s/^- name: (exaplane-operator\\.v).*/&\\n  replaces: \\1$BEFORE\\n- name: \\1$BEFORE/" "$own/both/package.yaml"
  testbed olm-images "$programs" "$parts" "$(command -v busybox)" "$OLM" &&
    testbed bundle-image "$own/this" "exaplane/bundle:$version" && testbed bundle-image "$own/before" "exaplane/bundle:$BEFORE" &&
    testbed catalog-image "$programs" "$parts" "$own/one" exaplane/catalog:one && testbed catalog-image "$programs" "$parts" "$own/both" exaplane/catalog:both || return
  for what in "operator:$(operator_tag)" "store:$(store_tag)" "scheduler:$(scheduler_tag)"; do
    testbed image save "exaplane/$what" "$own/image.tar" || return
    for tag in "$version" "$BEFORE"; do testbed image load "$own/image.tar" "exaplane/${what%%:*}:$tag" || return; done
  done
  rm -rf "$own"
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
