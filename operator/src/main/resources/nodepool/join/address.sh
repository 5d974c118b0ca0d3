# --- IPv6 prefixes, in awk: a shell's numbers have 64 bits at most.

ADDRESS_FUNCTIONS='
  # two: its power; some awks have no operator for that.
  function two(n,   out) { out = 1; while (n-- > 0) out *= 2; return out }
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
      else if (left < 4) d -= d % two(4 - left)
      out = out substr("0123456789abcdef", d + 1, 1)
    }
    return out
  }
  # next_net: the network of that length behind this one.
  function next_net(h, bits,   i, d, carry, out) {
    i = int((bits + 3) / 4); carry = two(4 * i - bits); out = substr(h, i + 1)
    for (; i >= 1; i--) { d = digit(substr(h, i, 1)) + carry; carry = int(d / 16); out = substr("0123456789abcdef", d % 16 + 1, 1) out }
    return out
  }
  # plus: an address further on; only the last 32 bits change.
  function plus(h, n,   i, low, out) {
    low = 0
    for (i = 25; i <= 32; i++) low = 16 * low + digit(substr(h, i, 1))
    low += n; out = ""
    for (i = 0; i < 8; i++) { out = substr("0123456789abcdef", low % 16 + 1, 1) out; low = int(low / 16) }
    return substr(h, 1, 24) out
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

# derived_part CIDR LENGTH ADDRESS ATTEMPT: the network of that length in the CIDR whose number is the end of the
# address, which no other host of the link has. Later attempts take the checksum of address and attempt for the end.
derived_part() {
  derived_sum=0
  [ "$4" -eq 0 ] || derived_sum=$(printf '%s %s' "$3" "$4" | cksum | cut -d ' ' -f 1)
  awk "$ADDRESS_FUNCTIONS"'
    function binary(h,   i, d, out) {
      out = ""
      for (i = 1; i <= length(h); i++) { d = digit(substr(h, i, 1)); out = out (int(d / 8) % 2) (int(d / 4) % 2) (int(d / 2) % 2) (d % 2) }
      return out
    }
    function digits(b,   i, out) {
      out = ""
      for (i = 1; i <= length(b); i += 4)
        out = out substr("0123456789abcdef", 8 * substr(b, i, 1) + 4 * substr(b, i + 1, 1) + 2 * substr(b, i + 2, 1) + substr(b, i + 3, 1) + 1, 1)
      return out
    }
    BEGIN {
      from = length_of(ARGV[1]); bits = ARGV[2] + 0; sum = ARGV[4] + 0
      end = sum ? sprintf("%024d%04x%04x", 0, int(sum / 65536), sum % 65536) : hex(ARGV[3])
      zeros = sprintf("%0128d", 0)
      part = substr(binary(address_of(ARGV[1])), 1, from) substr(binary(end), 129 - (bits - from)) substr(zeros, 1, 128 - bits)
      print text(digits(part)) "/" bits
    }' "$1" "$2" "$3" "$derived_sum"
}

# address_at CIDR NUMBER: an address of the network by its number; the number must be below 2^32.
address_at() {
  awk "$ADDRESS_FUNCTIONS"'
    BEGIN { h = net(address_of(ARGV[1]), length_of(ARGV[1])); print text(plus(h, ARGV[2] + 0)) }' "$1" "$2"
}

# proxy_entries CIDR COUNT INTERFACE: a line for 'ip -batch' for each address from the second one on.
proxy_entries() {
  awk "$ADDRESS_FUNCTIONS"'BEGIN {
    h = net(address_of(ARGV[1]), length_of(ARGV[1]))
    for (i = 2; i < ARGV[2] + 2; i++) print "neigh replace proxy " text(plus(h, i)) " dev " ARGV[3]
  }' "$1" "$2" "$3"
}

# last_address CIDR: the last one of the network.
last_address() {
  awk "$ADDRESS_FUNCTIONS"'BEGIN {
    bits = length_of(ARGV[1]); h = net(address_of(ARGV[1]), bits); out = ""
    for (i = 1; i <= 32; i++) {
      left = 4 * i - bits; d = digit(substr(h, i, 1))
      if (left >= 4) d = 15; else if (left > 0) d += two(left) - 1
      out = out substr("0123456789abcdef", d + 1, 1)
    }
    print text(out)
  }' "$1"
}

# hexadecimal ADDRESS: its 32 digits.
hexadecimal() { awk "$ADDRESS_FUNCTIONS"'BEGIN { print hex(ARGV[1]) }' "$1"; }

# in_pool CIDR: whether the CIDR lies in a network of the pool.
in_pool() {
  for in_pool_network in $POOL_PREFIXES; do
    if inside "$1" "$in_pool_network"; then return 0; fi
  done
  return 1
}
