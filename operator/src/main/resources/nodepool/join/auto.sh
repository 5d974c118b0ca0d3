# --- What the test of the prefix finds decides whether the kernel answers solicitations for pods (neighborDiscovery Auto).

# delivery_before: what the join found stands, since pods have addresses. A host that answered for its pods goes on, also if
# the pool said so then. Others answer for none before the test.
delivery_before() {
  DELIVERY=$(cat "$STATE/delivery" 2>/dev/null)
  NEIGHBORS=None
  case $DELIVERY in
    OnLink) NEIGHBORS=KernelProxy ;;
    '') if [ -e "$STATE/neighbors" ] || [ -e "$STATE/ndppd.conf" ]; then NEIGHBORS=KernelProxy; fi ;;
  esac
}
delivery_before

delivery_told() {
  if [ ! "$STATUS" = 000 ]; then
    DELIVERY=Routed NEIGHBORS=None
    ok delivery "$PREFIX is routed to this host: nobody has to answer for pods"
  elif [ "${delivery_asked:-0}" -gt 0 ]; then
    DELIVERY=OnLink NEIGHBORS=KernelProxy
    ok delivery "$PREFIX is on the link: the router asks for each address ($delivery_asked solicitations for $delivery_address), and the kernel of this host will answer"
  else
    DELIVERY='' NEIGHBORS=None
    warn delivery "no answer came back to $delivery_address, and no router asked for it: the prefix may be led elsewhere, the provider may drop packets of it, or a firewall before the API. The kernel answers for no pod"
  fi
}

# report_prefix CIDR: says in the Node which prefix the host has, and how packets for it come here.
report_prefix() {
  report_way=null report_delivery=null
  [ ! -e "$STATE/found" ] || report_way='"yes"'
  [ -z "$DELIVERY" ] || report_delivery="\"$DELIVERY\""
  printf '{"metadata": {"annotations": {"exaplane.io/pod-prefix": "%s", "exaplane.io/delivery": %s, "exaplane.io/readdresses": %s, "exaplane.io/pod-prefix-refused": null}}}' "$1" "$report_delivery" "$report_way" >"$WORK/patch"
  call node PATCH "/api/v1/nodes/$NODE" --header 'Content-Type: application/merge-patch+json' --data-binary "@$WORK/patch"
  [ "$STATUS" = 200 ] || return 1
  printf '%s\n' "$DELIVERY" >"$STATE/delivery"
}
