# --- The join itself. A first join that fails removes everything.

join() {
  CHANGING=yes
  joined || ROLLBACK=yes
  step 'write files'
  begin
  [ -z "$CONTAINERD_MISSING" ] || write_containerd
  [ -z "$READDRESS" ] || readdress
  load_modules
  set_sysctls
  start_client
  make_folder "$KUBELET_DROPINS"
  make_folder "$CNI_FOLDER"
  put /etc/kubernetes/pki/exaplane-ca.crt 0644 "${CA_PEM%?}"
  join_kubelet=$CHANGED
  # Heartbeats look again which CAs this host is to trust.
  [ -z "$CHANGED" ] || rm -f "$STATE/authorities"
  [ -z "$NAT64_RESOLVERS" ] || put "$STATE/resolv.conf" 0644 "$(pod_resolvers)"
  for file in kubelet.json kubelet.conf.d/00-exaplane-host.conf exaplane/kubelet.sh; do
    case $file in
      kubelet.json) put "/etc/kubernetes/$file" 0644 "${KUBELET_CONFIG%?}" ;;
      kubelet.conf.d/*) put "/etc/kubernetes/$file" 0644 "$(host_dropin)" ;;
      *) put "/etc/kubernetes/$file" 0644 "$(kubelet_start)" ;;
    esac
    join_kubelet=$join_kubelet$CHANGED
  done
  [ -e "$NODE_CERTIFICATE" ] || put /etc/kubernetes/bootstrap.kubeconfig 0600 "${BOOTSTRAP_KUBECONFIG%?}"
  # A kubelet registers its Node when it starts, and not again.
  if [ -e "$NODE_CERTIFICATE" ] && ! own_node && [ "$STATUS" = 404 ]; then join_kubelet=yes; fi
  step containerd
  start_containerd
  step kubelet
  make_folder "$RUN"
  KUBELET_STARTED=yes
  start_unit kubelet "$join_kubelet"
  await_node
  if [ -n "$PREFIX" ]; then
    step 'prefix'
    ask_for_prefix
  fi
  step 'pod addresses'
  await_cidrs
  start_network
  step 'node Ready'
  await_ready
  step heartbeats
  start_heartbeats
  if [ -e /etc/kubernetes/bootstrap.kubeconfig ]; then rm -f /etc/kubernetes/bootstrap.kubeconfig; fi
  # For the way to another prefix: this script without its token.
  put "$STATE/join.sh" 0700 "$(sed "s/$TOKEN/-/" "$0")"
  [ -e "$STATE/joined" ] || date -u >"$STATE/joined"
  rm -f "$STATE/returning" "$STATE/moved"
  ROLLBACK=
  CHANGING=
}

# readdress: ends all pods with addresses of the former prefix. The Node has been deleted, so nobody counts on them.
# Heartbeats run the script again until a run after this one is whole.
readdress() {
  step 'another prefix'
  : >"$STATE/returning"
  undo_left=
  stop kubelet
  undo_containers
  undo_shims
  [ -z "$undo_left" ] || fail 43 "pods of the former prefix do not end:$undo_left" "Check containerd, and run the script again."
  undo_host_network
  ! bridged || ip link delete "$BRIDGE" 2>/dev/null
  # Without the file, the new Node is not Ready, and gets no pods, before it has its CIDRs.
  rm -rf "$CNI_FOLDER/10-exaplane.conflist" "$RUN/ipam" "$STATE/attempt"
  [ -n "$PREFIX_FOUND" ] || rm -f "$STATE/found"
  printf '%s\n' "$PREFIX" >"$STATE/prefix"
}

# kubelet_runs CODE: fails if the kubelet has ended.
kubelet_runs() {
  alive kubelet || fail 40 "the kubelet ended: $(last_words kubelet)." "Correct the cause, and run the script again."
}

# await_node: the kubelet asks for its certificate and makes the Node.
await_node() {
  await_end=$(($(now) + 90))
  until [ -e "$NODE_CERTIFICATE" ] && [ -e /etc/kubernetes/kubelet.kubeconfig ] && own_node; do
    kubelet_runs
    if [ "$(now)" -ge "$await_end" ]; then
      [ -e "$NODE_CERTIFICATE" ] || fail 40 "the certificate of node $NODE was not approved in 90 s." "Check 'kubectl get csr' and kube-controller-manager."
      fail 40 "the kubelet has not registered node $NODE in 90 s: $(last_words kubelet)." "Check its log in $LOGS or 'journalctl --unit exaplane-kubelet'."
    fi
    pause
  done
  # The kubelet writes where its certificate is into this file.
  grep -qxF /etc/kubernetes/kubelet.kubeconfig "$STATE/created" || note /etc/kubernetes/kubelet.kubeconfig
}

# ask_for_prefix: says in the Node which prefix the host has. A refusal of another prefix is taken away, so that
# the operator decides again.
ask_for_prefix() {
  prefix_cidrs=$(node_cidrs)
  if [ -n "$prefix_cidrs" ]; then
    [ "$prefix_cidrs" = "$PREFIX" ] || [ "$(network "$prefix_cidrs")" = "$PREFIX" ] ||
      fail 35 "Node $NODE has the pod prefix $prefix_cidrs since an earlier join, and podCIDRs cannot change to $PREFIX." "Delete the Node with 'kubectl delete node $NODE', and join again."
    # The host said that it has another one, and has this one again.
    [ ! -e "$STATE/moved" ] || report_prefix "$PREFIX"
    return 0
  fi
  ask_end=$(($(now) + 20))
  until report_prefix "$PREFIX"; do
    [ "$(now)" -lt "$ask_end" ] || fail 21 "the API did not take the annotation exaplane.io/pod-prefix: $STATUS $(answer_message) $CURL_ERROR." "Check the control plane of pool $POOL."
    pause
  done
}

# await_cidrs: until the operator, or kube-controller-manager, has given the Node its pod CIDRs, or the operator refuses.
await_cidrs() {
  await_end=$(($(now) + 60))
  while :; do
    if own_node; then
      CIDRS=$(node_cidrs | tr '\n' ' ')
      [ -z "$CIDRS" ] || break
      refusal=$(node_field ".metadata.annotations.exaplane.io/pod-prefix-refused" | printable)
      if [ -n "$refusal" ] && have next_part && next_part; then
        say "note  the operator has refused $PREFIX_BEFORE: $refusal Another part of the host's network is asked for: $PREFIX"
        ask_for_prefix
        continue
      fi
      [ -z "$refusal" ] || fail 34 "the operator has refused the prefix $PREFIX: $refusal" "Give this host another prefix, or delete the Node that uses the prefix if its host is gone; then delete Node $NODE and join again."
    fi
    kubelet_runs
    if [ "$(now)" -ge "$await_end" ]; then
      if [ -n "$PREFIX" ]; then
        fail 36 "the operator has not answered the annotation exaplane.io/pod-prefix of node $NODE in 60 s." "Check the operator, and NodePool $POOL."
      fi
      fail 36 "kube-controller-manager has given node $NODE no pod CIDR in 60 s." "Look whether spec.network.podCIDRs of the ControlPlane has room for one node more."
    fi
    pause
  done
}

# next_part: another part of the host's own network, after a refusal; false if the prefix was chosen, or after three of them.
next_part() {
  [ "$SOURCE" = HostPrefix ] && [ -n "$PREFIX_FOUND" ] || return 1
  next_attempt=$(($(attempt) + 1))
  [ "$next_attempt" -le 3 ] || return 1
  next_found=$(derived_prefixes "$next_attempt")
  [ -n "$next_found" ] && [ "$next_found" != "$PREFIX" ] || return 1
  printf '%s\n' "$next_attempt" >"$STATE/attempt"
  PREFIX_BEFORE=$PREFIX PREFIX=$next_found
  printf '%s\n' "$PREFIX" >"$STATE/prefix"
}

start_network() {
  for cidr in $CIDRS; do
    case $cidr in *[!0-9a-f:./]*) fail 1 "the Node has a pod CIDR that is none: $(printf '%s' "$cidr" | printable)." "Check the Node." ;; esac
  done
  # shellcheck disable=SC2086 # CIDRs are words, and were checked
  start_host_network $CIDRS
  # shellcheck disable=SC2086
  put "$CNI_FOLDER/10-exaplane.conflist" 0644 "$(network_file $CIDRS)"
  step kube-proxy
  network_proxy=
  for file in kube-proxy.kubeconfig kube-proxy.json exaplane/kube-proxy.sh; do
    case $file in
      *.kubeconfig) put "/etc/kubernetes/$file" 0600 "${PROXY_KUBECONFIG%?}" ;;
      *.json) put "/etc/kubernetes/$file" 0644 "${PROXY_CONFIG%?}" ;;
      *) put "/etc/kubernetes/$file" 0644 "$(proxy_start)" ;;
    esac
    network_proxy=$network_proxy$CHANGED
  done
  start_unit kube-proxy "$network_proxy"
}

# proxy_works: whether kube-proxy has written its table. Services have no addresses before.
proxy_works() {
  if [ "$(cluster_family)" = 6 ]; then nft list table ip6 kube-proxy; else nft list table ip kube-proxy; fi >/dev/null 2>&1
}

await_ready() {
  await_end=$(($(now) + 90))
  until proxy_works && own_node && [ "$(node_condition Ready status)" = True ]; do
    kubelet_runs
    alive kube-proxy || fail 41 "kube-proxy ended: $(last_words kube-proxy)." "Correct the cause, and run the script again."
    [ "$(now)" -lt "$await_end" ] || proxy_works || fail 41 "kube-proxy has written no rules in 90 s: $(last_words kube-proxy)." "Check its log in $LOGS or 'journalctl --unit exaplane-kube-proxy'."
    [ "$(now)" -lt "$await_end" ] || fail 42 "node $NODE is not Ready after 90 s: $(node_condition Ready message | printable)." "Check 'kubectl describe node $NODE'."
    pause
  done
}
