# Programs that tests and benchmarks compile from other people's modules. Sourced.

build_oracle() { # version program
  local tags=
  case $1 in 1.34.*) tags=before137,before136,before135 ;; 1.35.*) tags=before137,before136 ;; 1.36.*) tags=before137 ;; esac
  (cd "$EXA_KUBE_MODULE" && CGO_ENABLED=0 go build -mod=readonly -modfile="mods/kube-${1%.*}.mod" -tags="$tags" -trimpath -ldflags='-s -w' -o "$2" ./scheduler-oracle)
}

build_kubectl_discovery() { # version
  (cd "$EXA_KUBE_MODULE" && CGO_ENABLED=0 go build -mod=readonly -modfile="mods/kube-${1%.*}.mod" -trimpath -ldflags='-s -w' -o "$EXA_CACHE/kube-$1/kubectl-discovery" ./kubectl-discovery)
}

# build_informers: of one client-go for all versions of the server, next to whose binaries tests look for it.
build_informers() { # version of the server
  (cd "$EXA_KUBE_MODULE" && CGO_ENABLED=0 go build -mod=readonly -modfile="mods/kube-${KUBERNETES%.*}.mod" -trimpath -ldflags='-s -w' -o "$EXA_CACHE/kube-$1/informers" ./informers)
}

build_kwok() {
  [ -x "$EXA_CACHE/kwok-$KWOK" ] ||
    (cd "$EXA_KUBE_MODULE" && CGO_ENABLED=0 go build -mod=readonly -modfile="mods/kwok-${KWOK%.*}.mod" -trimpath -ldflags='-s -w' -o "$EXA_CACHE/kwok-$KWOK" sigs.k8s.io/kwok/cmd/kwok)
}

# build_helm: the command that people install charts with.
build_helm() {
  [ -x "$EXA_CACHE/helm-$HELM" ] ||
    (cd "$EXA_KUBE_MODULE" && CGO_ENABLED=0 go build -mod=readonly -modfile="mods/helm-${HELM%.*}.mod" -trimpath -ldflags='-s -w' -o "$EXA_CACHE/helm-$HELM" "helm.sh/helm/v${HELM%%.*}/cmd/helm")
}

# build_promtool: checks and tests rules of Prometheus. Without discovery in clouds, whose clients take most of the time to compile.
build_promtool() {
  [ -x "$EXA_CACHE/promtool-$PROMETHEUS" ] ||
    (cd "$EXA_KUBE_MODULE" && CGO_ENABLED=0 go build -tags=remove_all_sd -mod=readonly -modfile="mods/prometheus-${PROMETHEUS%.*}.mod" -trimpath -ldflags='-s -w' -o "$EXA_CACHE/promtool-$PROMETHEUS" github.com/prometheus/prometheus/cmd/promtool)
}

# build_prometheus: the server, which finds pods as users' do, and no machines in clouds.
build_prometheus() {
  [ -x "$EXA_CACHE/prometheus-$PROMETHEUS" ] ||
    (cd "$EXA_KUBE_MODULE" && CGO_ENABLED=0 go build -tags=remove_all_sd,enable_kubernetes_sd -mod=readonly -modfile="mods/prometheus-${PROMETHEUS%.*}.mod" -trimpath -ldflags='-s -w' -o "$EXA_CACHE/prometheus-$PROMETHEUS" github.com/prometheus/prometheus/cmd/prometheus)
}

# build_provisioner: of the modules that Kubernetes was compiled from, so that little is left to compile.
build_provisioner() {
  (cd "$EXA_KUBE_MODULE" && CGO_ENABLED=0 go build -mod=readonly -modfile=mods/provisioner-11.mod -trimpath -ldflags='-s -w' -o "$EXA_CACHE/local-provisioner" ./local-provisioner)
}
