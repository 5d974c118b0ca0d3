# Merges the reports of all components and versions: each gate, flag, field and priority level as runs of minors in which it is the same.
def minor: split(".")[0:2] | join(".");

# runs: {"1.30": {…}, "1.31": {…}} → [{"from": "1.30", "until": "1.31", …}]; a minor that has nothing ends a run.
def runs($minors): . as $byMinor
  | reduce $minors[] as $minor ({runs: [], last: null};
      $byMinor[$minor] as $now
      | if $now == null then .last = null
        elif .last == $now then .runs[-1].until = $minor
        else .runs += [{from: $minor, until: $minor} + $now] | .last = $now end)
  | .runs;

# merged: [{minor, entries: {name: {…}}}] → {name: runs}, names in order.
def merged($minors):
  reduce .[] as $report ({}; reduce ($report.entries | to_entries[]) as $entry (.; .[$entry.key][$report.minor] = $entry.value))
  | to_entries | sort_by(.key) | map(.value |= runs($minors)) | from_entries;

def level: {
  mandatory: .mandatory,
  type: .object.spec.type,
  shares: (.object.spec.limited // .object.spec.exempt).nominalConcurrencyShares,
  lendablePercent: (.object.spec.limited // .object.spec.exempt).lendablePercent,
  borrowingLimitPercent: .object.spec.limited.borrowingLimitPercent,
  queues: .object.spec.limited.limitResponse.queuing.queues,
  handSize: .object.spec.limited.limitResponse.queuing.handSize,
  queueLengthLimit: .object.spec.limited.limitResponse.queuing.queueLengthLimit
} | with_entries(select(.value != null));

def schema: {
  mandatory: .mandatory,
  precedence: .object.spec.matchingPrecedence,
  level: .object.spec.priorityLevelConfiguration.name
};

# objects: 0 for priority levels, 1 for flow schemas.
def objects($index): [(.mandatory[$index][] | {mandatory: true, object: .}), (.suggested[$index][] | {mandatory: false, object: .})];

# lines: JSON with one entry of a table on each line, for those who read what changed.
def lines($depth; $indent):
  if $depth > 0 and type == "object"
  then "{\n" + (to_entries | map($indent + " " + (.key | tojson) + ": " + (.value | lines($depth - 1; $indent + " "))) | join(",\n")) + "\n" + $indent + "}"
  else tojson end;

(map(.version) | unique | sort_by(split(".") | map(tonumber))) as $versions
| ($versions | map(minor)) as $minors
| map(. + {minor: (.version | minor)}) as $reports
| {
    generator: "testbed/kube/describe/generate",
    versions: ($versions | map({key: minor, value: .}) | from_entries),
    components: ($reports | group_by(.component) | map({
      key: .[0].component,
      value: {
        gates: (map({minor: .minor, entries: .report.gates}) | merged($minors)),
        flags: (map({minor: .minor, entries: (.report.flags // {})}) | merged($minors))
      }
    }) | from_entries),
    kubeletConfiguration: ([$reports[] | select(.component == "kubelet") | {minor: .minor, entries: (.report.configuration | with_entries(.value |= {default: .}))}] | merged($minors)),
    priorityLevels: ([$reports[] | select(.component == "kube-apiserver") | {minor: .minor, entries: (.report.flowControl | objects(0) | map({key: .object.metadata.name, value: level}) | from_entries)}] | merged($minors)),
    flowSchemas: ([$reports[] | select(.component == "kube-apiserver") | {minor: .minor, entries: (.report.flowControl | objects(1) | map({key: .object.metadata.name, value: schema}) | from_entries)}] | merged($minors))
  }
| lines(4; "")
