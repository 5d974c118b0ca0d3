# --- Reading: JSON, settings of the kubelet, answers of the API.
# A joined host keeps what is between both marks as $STATE/lib.sh.
: lib-begins

KUBELET_DROPINS=/etc/kubernetes/kubelet.conf.d
STATE=/etc/kubernetes/exaplane
NODE_CERTIFICATE=/var/lib/kubelet/pki/kubelet-client-current.pem
BRIDGE=cni0

# family_of CIDR: -6 or -4, for ip.
family_of() { case $1 in *:*) echo -6 ;; *) echo -4 ;; esac; }

# flat: JSON on standard input as lines of path, tab, value. A line break in a value is a space.
flat() {
  awk '
    function blank() { while (i <= n && index(" \t\r\n", substr(text, i, 1))) i++ }
    function string(   out, c, u) {
      i++; out = ""
      while (i <= n) {
        c = substr(text, i, 1)
        if (c == "\"") { i++; return out }
        if (c == "\\") {
          i++; c = substr(text, i, 1)
          if (c == "u") { u = substr(text, i + 1, 4); i += 4; c = u == "003c" ? "<" : u == "003e" ? ">" : u == "0026" ? "&" : "?" }
          else if (index("ntrbf", c)) c = " "
        }
        out = out c; i++
      }
      return out
    }
    function value(path,   c, k, m, start) {
      blank(); start = i; c = substr(text, i, 1)
      if (c == "{") {
        i++; blank()
        while (i <= n && substr(text, i, 1) != "}") {
          k = string(); blank(); i++; value(path "." k); blank()
          if (substr(text, i, 1) == ",") i++
          blank()
        }
        i++
      } else if (c == "[") {
        i++; m = 0; blank()
        while (i <= n && substr(text, i, 1) != "]") {
          value(path "[" m++ "]"); blank()
          if (substr(text, i, 1) == ",") i++
          blank()
        }
        i++
      } else if (c == "\"") print path "\t" string()
      else {
        k = ""
        while (i <= n && !index(",]} \t\r\n", substr(text, i, 1))) { k = k substr(text, i, 1); i++ }
        print path "\t" k
        if (i == start) i++
      }
    }
    { text = text $0 "\n" }
    END { n = length(text); i = 1; value("") }'
}

# field PATH: the value of that path in the output of flat on standard input; nothing if there is none.
field() { awk -F '\t' 'BEGIN { path = ARGV[1]; ARGV[1] = "" } $1 == path { print $2; exit }' "$1"; }

# printable: text from elsewhere without control characters.
printable() { tr -d '\000-\010\013-\037\177'; }

# setting NAME OTHERWISE: a plain field of the kubelet's configuration, as the last drop-in file (JSON or YAML) says it.
setting() {
  setting_value=$2
  for setting_file in "$KUBELET_DROPINS"/*.conf; do
    [ -r "$setting_file" ] || continue
    if grep -q '^[[:space:]]*{' "$setting_file"; then
      setting_found=$(flat <"$setting_file" | field ".$1")
    else
      setting_found=$(sed -n "s/^$1:[[:space:]]*[\"']\{0,1\}\([^\"'#[:space:]]*\).*/\1/p" "$setting_file" | tail -n 1)
    fi
    [ -z "$setting_found" ] || setting_value=$setting_found
  done
  printf '%s\n' "$setting_value"
}

# seconds_of DATE: seconds since 1970 of a date as HTTP writes it, "Sat, 28 Nov 2026 00:01:02 GMT".
seconds_of() {
  awk 'BEGIN {
    split(ARGV[1], f, " "); split(f[5], t, ":")
    m = (index("JanFebMarAprMayJunJulAugSepOctNovDec", f[3]) + 2) / 3
    y = f[4]; if (m <= 2) { y--; m += 12 }
    days = 365 * y + int(y / 4) - int(y / 100) + int(y / 400) + int((153 * (m - 3) + 2) / 5) + f[2] - 1 - 719468
    print days * 86400 + t[1] * 3600 + t[2] * 60 + t[3]
  }' "$1"
}

# call AUTH METHOD PATH [OPTIONS OF CURL…]: asks the API. AUTH is none, token or node. Sets STATUS (000 if
# nothing answered), BODY (a file), CURL_EXIT and CURL_ERROR. The token goes through a pipe: every user of the
# host can read command lines.
call() {
  call_auth=$1 call_method=$2 call_path=$3
  shift 3
  BODY=$WORK/body
  : >"$BODY"
  : >"$WORK/head"
  set -- --silent --show-error --connect-timeout 5 --max-time 20 --globoff --proto =https --noproxy '*' --cacert "$WORK/ca.crt" --capath "$WORK/no-ca" \
    --request "$call_method" --header 'Accept: application/json' --output "$BODY" --dump-header "$WORK/head" \
    --write-out '%{http_code} %{local_ip} %{remote_ip}' "$@"
  [ "$call_auth" != node ] || set -- "$@" --cert "$NODE_CERTIFICATE" --key "$NODE_CERTIFICATE"
  if [ "$call_auth" = token ]; then
    call_out=$(printf 'header = "Authorization: Bearer %s"\n' "$TOKEN" | curl -q --config - "$@" "$SERVER$call_path" 2>"$WORK/error")
  else
    call_out=$(curl -q "$@" "$SERVER$call_path" 2>"$WORK/error" </dev/null)
  fi
  CURL_EXIT=$?
  CURL_ERROR=$(printable <"$WORK/error" | sed 's/^curl: ([0-9]*) //' | head -n 1)
  STATUS=${call_out%% *}
  [ -n "$STATUS" ] || STATUS=000
  LOCAL_IP=$(printf '%s' "$call_out" | cut -d ' ' -f 2)
  REMOTE_IP=$(printf '%s' "$call_out" | cut -d ' ' -f 3)
}

# answer_message: the message of a Status that the API sent.
answer_message() { flat <"$BODY" | field .message | printable; }

# own_node: the Node of this host as the API has it, in NODE_FLAT; fails unless the API answered with it.
own_node() {
  call node GET "/api/v1/nodes/$NODE"
  [ "$STATUS" = 200 ] || return 1
  NODE_FLAT=$(flat <"$BODY")
}

node_field() { printf '%s\n' "$NODE_FLAT" | field "$1"; }

# node_cidrs: spec.podCIDRs, one a line.
node_cidrs() { printf '%s\n' "$NODE_FLAT" | awk -F '\t' 'index($1, ".spec.podCIDRs[") == 1 { print $2 }'; }

# node_condition TYPE FIELD: a field of that condition.
node_condition() {
  node_condition_at=$(printf '%s\n' "$NODE_FLAT" | awk -F '\t' 'BEGIN { type = ARGV[1]; ARGV[1] = "" } $2 == type && $1 ~ /^\.status\.conditions\[[0-9]+\]\.type$/ { sub(/\.type$/, "", $1); print $1; exit }' "$1")
  [ -z "$node_condition_at" ] || node_field "$node_condition_at.$2"
}
