# A cluster of $count nodes with as many pods of 16 kinds that wait: some want a disk, some tolerate a taint, some prefer a kind of machine.
def node($i):
  {apiVersion: "v1", kind: "Node",
   metadata: {name: "node-\($i)", labels: {"kubernetes.io/hostname": "node-\($i)", "topology.kubernetes.io/zone": "z\($i % 3)",
     "kubernetes.io/os": "linux", "node.kubernetes.io/instance-type": ["large", "xlarge"][$i % 2], disk: ["ssd", "hdd", "ssd"][$i % 3]}},
   spec: (if $i % 20 == 0 then {taints: [{key: "dedicated", value: "x", effect: "NoSchedule"}]} else {} end),
   status: {allocatable: {cpu: ["4", "8", "16"][$i % 3], memory: ["16Gi", "32Gi", "64Gi", "24Gi"][$i % 4], pods: "110", "ephemeral-storage": "100Gi"},
     images: [range($i % 4) | {names: ["registry.example.org/app\(.):1"], sizeBytes: (100000000 + .)}]}};

def placement($kind):
  [{}, {nodeSelector: {disk: "ssd"}}, {tolerations: [{key: "dedicated", operator: "Exists"}]},
   {affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 50, preference:
     {matchExpressions: [{key: "node.kubernetes.io/instance-type", operator: "In", values: ["large"]}]}}]}}}][$kind % 4];

def pod($i):
  ($i % 16) as $kind |
  {apiVersion: "v1", kind: "Pod",
   metadata: {name: "pod-\($i)", namespace: "default", uid: "uid-\($i)", creationTimestamp: "2026-01-01T00:00:00Z",
     labels: {app: "app\($kind)", "pod-template-hash": "h\($kind)"}},
   spec: ({priority: 0, containers: [{name: "c", image: "registry.example.org/app\($kind % 5):1",
     resources: {requests: {cpu: "\(100 + 50 * ($kind % 7))m", memory: "\(128 * (1 + $kind % 5))Mi"}}}]} + placement($kind)),
   status: {phase: "Pending"}};

(range($count) | node(.)), (range($count) | pod(.))
