# --- IPv6 prefixes, in awk: a shell's numbers have 64 bits at most.

ADDRESS_FUNCTIONS='
  function digit(c) { return index("0123456789abcdef", c) - 1 }
  # hex: an address as 32 digits, or "" for what is no IPv6 address.
  function hex(a,   halves, left, right, l, r, i, out, n) {
    a = tolower(a)
    if (a !~ /^[0-9a-f:]+$/ || a ~ /:::/) return ""
    n = split(a, halves, "::")
    if (n > 2) return ""
    l = halves[1] == "" ? 0 : split(halves[1], left, ":")
    r = n < 2 || halves[2] == "" ? 0 : split(halves[2], right, ":")
    if (n == 1 ? l != 8 : l + r > 7) return ""
    out = ""
    for (i = 1; i <= l; i++) { if (left[i] !~ /^[0-9a-f]+$/ || length(left[i]) > 4) return ""; out = out substr("0000" left[i], length(left[i]) + 1) }
    for (i = l + r; i < 8; i++) out = out "0000"
    for (i = 1; i <= r; i++) { if (right[i] !~ /^[0-9a-f]+$/ || length(right[i]) > 4) return ""; out = out substr("0000" right[i], length(right[i]) + 1) }
    return out
  }
  # net: the first bits of 32 digits, the others zero.
  function net(h, bits,   i, left, d, out) {
    out = ""
    for (i = 1; i <= 32; i++) {
      left = bits - 4 * (i - 1); d = digit(substr(h, i, 1))
      if (left <= 0) d = 0
      else if (left < 4) d -= d % (2 ^ (4 - left))
      out = out substr("0123456789abcdef", d + 1, 1)
    }
    return out
  }
  # next_net: the network of that length behind this one.
  function next_net(h, bits,   i, d, carry, out) {
    i = int((bits + 3) / 4); carry = 2 ^ (4 * i - bits); out = substr(h, i + 1)
    for (; i >= 1; i--) { d = digit(substr(h, i, 1)) + carry; carry = int(d / 16); out = substr("0123456789abcdef", d % 16 + 1, 1) out }
    return out
  }
  # text: as RFC 5952 writes 32 digits.
  function text(h,   i, g, groups, run, best, at, start, out) {
    best = 1; at = 0; run = 0
    for (i = 1; i <= 8; i++) {
      g = substr(h, 4 * i - 3, 4); sub(/^0+/, "", g); groups[i] = g == "" ? "0" : g
      if (g == "") { if (!run++) start = i; if (run > best) { best = run; at = start } } else run = 0
    }
    out = ""
    for (i = 1; i <= 8; i++) {
      if (i == at) { out = out "::"; i += best - 1; continue }
      out = out (out == "" || out ~ /:$/ ? "" : ":") groups[i]
    }
    return out
  }
  function length_of(cidr,   parts) { return split(cidr, parts, "/") == 2 && parts[2] ~ /^[0-9]+$/ && parts[2] <= 128 ? parts[2] + 0 : -1 }
  function address_of(cidr,   parts) { split(cidr, parts, "/"); return hex(parts[1]) }
'

# network CIDR: the network in its one form; fails for what is no IPv6 CIDR.
network() {
  awk "$ADDRESS_FUNCTIONS"'BEGIN { n = length_of(ARGV[1]); h = address_of(ARGV[1]); if (n < 0 || h == "") exit 1; print text(net(h, n)) "/" n }' "$1"
}

# inside CIDR-OR-ADDRESS NETWORK: whether the first lies in the second.
inside() {
  awk "$ADDRESS_FUNCTIONS"'BEGIN {
    a = ARGV[1]; if (a !~ /\//) a = a "/128"
    n = length_of(ARGV[2]); if (n < 0 || length_of(a) < n) exit 1
    exit net(address_of(a), n) != net(address_of(ARGV[2]), n)
  }' "$1" "$2"
}

# same_address A B: whether both are one address.
same_address() { inside "$1" "$2/128"; }

# part_for_pods CIDR LENGTH ADDRESS: the first network of that length in the CIDR, but for the very first one,
# that does not hold the address.
part_for_pods() {
  awk "$ADDRESS_FUNCTIONS"'BEGIN {
    bits = ARGV[2] + 0; own = net(hex(ARGV[3]), bits)
    part = next_net(net(address_of(ARGV[1]), length_of(ARGV[1])), bits)
    if (part == own) part = next_net(part, bits)
    print text(part) "/" bits
  }' "$1" "$2" "$3"
}

# host_addresses: address/length of every stable global IPv6 address, one a line.
host_addresses() {
  ip -6 -o address show scope global 2>/dev/null | grep -v -e ' temporary' -e ' deprecated' -e " $BRIDGE " | awk '{ print $4 }'
}

# routed_prefixes: prefixes of the pool that lead nowhere yet: so a host holds a delegated prefix.
routed_prefixes() {
  {
    ip -6 route show type unreachable 2>/dev/null
    ip -6 route show type blackhole 2>/dev/null
  } | awk '{ print ($1 ~ /:/ ? $1 : $2) }' | while IFS= read -r routed; do
    case $routed in */"$PREFIX_LENGTH") if in_pool "$routed"; then network "$routed"; fi ;; esac
  done | sort -u
}

# parts_of_own: a part for pods of each network of the pool in which the host has an address.
parts_of_own() {
  host_addresses | while IFS= read -r own; do
    if [ "${own##*/}" -lt "$PREFIX_LENGTH" ] && in_pool "$own"; then
      part_for_pods "$own" "$PREFIX_LENGTH" "${own%/*}"
    fi
  done | sort -u
}

# in_pool CIDR: whether the CIDR lies in a network of the pool.
in_pool() {
  for in_pool_network in $POOL_PREFIXES; do
    if inside "$1" "$in_pool_network"; then return 0; fi
  done
  return 1
}
