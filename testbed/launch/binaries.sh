# Programs that tests and benchmarks compile from other people's modules. Sourced.

build_oracle() { alone oracle compile_oracle "$@"; }

compile_oracle() { # version program
  local tags=
  case $1 in 1.34.*) tags=before137,before136,before135 ;; 1.35.*) tags=before137,before136 ;; 1.36.*) tags=before137 ;; esac
  (cd "$EXA_KUBE_MODULE" && CGO_ENABLED=0 go build -mod=readonly -modfile="mods/kube-${1%.*}.mod" -tags="$tags" -trimpath -ldflags='-s -w' -o "$2" ./scheduler-oracle)
}

build_kubectl_discovery() { alone kubectl-discovery compile_kubectl_discovery "$@"; }

compile_kubectl_discovery() { # version
  (cd "$EXA_KUBE_MODULE" && CGO_ENABLED=0 go build -mod=readonly -modfile="mods/kube-${1%.*}.mod" -trimpath -ldflags='-s -w' -o "$EXA_CACHE/kube-$1/kubectl-discovery" ./kubectl-discovery)
}

# build_informers: of one client-go for all versions of the server, next to whose binaries tests look for it.
build_informers() { alone informers compile_informers "$@"; }

compile_informers() { # version of the server
  (cd "$EXA_KUBE_MODULE" && CGO_ENABLED=0 go build -mod=readonly -modfile="mods/kube-${KUBERNETES%.*}.mod" -trimpath -ldflags='-s -w' -o "$EXA_CACHE/kube-$1/informers" ./informers)
}

build_kwok() { alone kwok compile_kwok; }

compile_kwok() {
  [ -x "$EXA_CACHE/kwok-$KWOK" ] ||
    (cd "$EXA_KUBE_MODULE" && CGO_ENABLED=0 go build -mod=readonly -modfile="mods/kwok-${KWOK%.*}.mod" -trimpath -ldflags='-s -w' -o "$EXA_CACHE/kwok-$KWOK" sigs.k8s.io/kwok/cmd/kwok)
}

# build_helm [VERSION]: the command that people install charts with.
build_helm() { alone "helm${1:+-$1}" compile_helm "${1:-$HELM}"; }

# Helm 3 says by flags of its linker which Kubernetes its client-go is of; Helm 4 looks it up.
compile_helm() { # VERSION
  local module=helm.sh/helm/v${1%%.*} minor
  [ ! -x "$EXA_CACHE/helm-$1" ] || return 0
  (cd "$EXA_KUBE_MODULE" && export CGO_ENABLED=0 GOFLAGS="-mod=readonly -modfile=mods/helm-${1%.*}.mod" &&
    minor=$(go list -m -f '{{.Version}}' k8s.io/client-go | cut -d . -f 2) &&
    go build -trimpath -ldflags="-s -w -X $module/pkg/chartutil.k8sVersionMajor=1 -X $module/pkg/chartutil.k8sVersionMinor=$minor" -o "$EXA_CACHE/helm-$1" "$module/cmd/helm")
}

# build_olm: both operators of the Operator Lifecycle Manager, and opm, which serves catalogs; beside them OLM's API types.
build_olm() { alone olm compile_olm; }

compile_olm() {
  local folder=$EXA_CACHE/olm-$OLM manager=github.com/operator-framework/operator-lifecycle-manager registry=github.com/operator-framework/operator-registry
  [ ! -d "$folder" ] || return 0
  rm -rf "$folder.partial"
  (cd "$EXA_KUBE_MODULE" && export CGO_ENABLED=0 GOFLAGS="-mod=readonly -modfile=mods/olm-${OLM%.*}.mod" &&
    go build -tags=containers_image_openpgp -trimpath -ldflags='-s -w' -o "$folder.partial/" "$manager/cmd/olm" "$manager/cmd/catalog" "$registry/cmd/opm" &&
    cp -r "$(go list -m -f '{{.Dir}}' "$manager")/deploy/chart/crds" "$folder.partial/" && chmod -R u+w "$folder.partial") && mv "$folder.partial" "$folder"
}

# build_olm_parts: OLM's own chart, and what its images have beside both operators and opm.
build_olm_parts() { build_olm && alone olm-parts compile_olm_parts; }

compile_olm_parts() {
  local folder=$EXA_CACHE/olm-parts-$OLM manager=github.com/operator-framework/operator-lifecycle-manager
  [ ! -d "$folder" ] || return 0
  rm -rf "$folder.partial"
  (cd "$EXA_KUBE_MODULE" && export CGO_ENABLED=0 GOFLAGS="-mod=readonly -modfile=mods/olm-${OLM%.*}.mod" &&
    go build -tags=containers_image_openpgp -trimpath -ldflags='-s -w' -o "$folder.partial/" "$manager/cmd/package-server" "$manager/util/cpb" &&
    cp -r "$(go list -m -f '{{.Dir}}' "$manager")/deploy/chart" "$folder.partial/" && chmod -R u+w "$folder.partial" &&
    GOFLAGS="-mod=readonly -modfile=mods/healthprobe-${HEALTH_PROBE%.*}.mod" go build -trimpath -ldflags='-s -w' -o "$folder.partial/grpc_health_probe" github.com/grpc-ecosystem/grpc-health-probe) && mv "$folder.partial" "$folder"
}

# build_olm_v1: catalogd and operator-controller, with their API types.
build_olm_v1() { alone olm-v1 compile_olm_v1; }

compile_olm_v1() {
  local folder=$EXA_CACHE/olm-v1-$OLM_V1 module=github.com/operator-framework/operator-controller source
  [ ! -d "$folder" ] || return 0
  rm -rf "$folder.partial"
  (cd "$EXA_KUBE_MODULE" && export CGO_ENABLED=0 GOFLAGS="-mod=readonly -modfile=mods/olmv1-${OLM_V1%.*}.mod" &&
    go build -tags=containers_image_openpgp -trimpath -ldflags='-s -w' -o "$folder.partial/" "$module/cmd/operator-controller" "$module/cmd/catalogd" &&
    source=$(go list -m -f '{{.Dir}}' "$module") && mkdir "$folder.partial/crds" &&
    cp "$source"/config/base/{operator-controller,catalogd}/crd/bases/*.yaml "$folder.partial/crds/" && chmod -R u+w "$folder.partial") && mv "$folder.partial" "$folder"
}

# build_promtool: checks and tests rules of Prometheus. Without discovery in clouds, whose clients take most of the time to compile.
build_promtool() { alone promtool compile_promtool; }

compile_promtool() {
  [ -x "$EXA_CACHE/promtool-$PROMETHEUS" ] ||
    (cd "$EXA_KUBE_MODULE" && CGO_ENABLED=0 go build -tags=remove_all_sd -mod=readonly -modfile="mods/prometheus-${PROMETHEUS%.*}.mod" -trimpath -ldflags='-s -w' -o "$EXA_CACHE/promtool-$PROMETHEUS" github.com/prometheus/prometheus/cmd/promtool)
}

# build_prometheus: the server, which finds pods as users' do, and no machines in clouds.
build_prometheus() { alone prometheus compile_prometheus; }

compile_prometheus() {
  [ -x "$EXA_CACHE/prometheus-$PROMETHEUS" ] ||
    (cd "$EXA_KUBE_MODULE" && CGO_ENABLED=0 go build -tags=remove_all_sd,enable_kubernetes_sd -mod=readonly -modfile="mods/prometheus-${PROMETHEUS%.*}.mod" -trimpath -ldflags='-s -w' -o "$EXA_CACHE/prometheus-$PROMETHEUS" github.com/prometheus/prometheus/cmd/prometheus)
}

# build_coredns: with the plugins of the built-in add-on alone.
build_coredns() { alone coredns compile_coredns; }

compile_coredns() {
  [ -x "$EXA_CACHE/coredns-$COREDNS" ] ||
    (cd "$EXA_KUBE_MODULE" && CGO_ENABLED=0 go build -mod=readonly -modfile="mods/coredns-${COREDNS%.*}.mod" -trimpath \
      -ldflags="-s -w" -o "$EXA_CACHE/coredns-$COREDNS" ./coredns)
}

# build_provisioner: of the modules that Kubernetes was compiled from, so that little is left to compile.
build_provisioner() { alone provisioner compile_provisioner; }

compile_provisioner() {
  (cd "$EXA_KUBE_MODULE" && CGO_ENABLED=0 go build -mod=readonly -modfile=mods/provisioner-11.mod -trimpath -ldflags='-s -w' -o "$EXA_CACHE/local-provisioner" ./local-provisioner)
}
