// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import java.util.List;

/**
 * What a ControlPlane may say when it is made, each with a spec on either side of the rule. Longer
 * than others: it is one table.
 */
final class SchemaRules {
  private SchemaRules() {}

  /** A change to a spec of version and maxNodes alone, and what the rule's message says. */
  record Rule(String name, String good, String bad, String message, String badName) {
    Rule(String name, String good, String bad, String message) {
      this(name, good, bad, message, "rule");
    }
  }

  static final List<Rule> ON_CREATE =
      List.of(
          new Rule("version has three parts", "version: 1.37.2", "version: v1.36", "spec.version"),
          new Rule("maxNodes has a limit", "maxNodes: 1000000", "maxNodes: 1000001", "maxNodes"),
          new Rule(
              "an encrypted resource comes once",
              "encryption: {resources: [secrets, configmaps]}",
              "encryption: {resources: [secrets, secrets]}",
              "encryption.resources: contains a resource twice"),
          new Rule(
              "events are not encrypted",
              "encryption: {}",
              "encryption: {resources: [events]}",
              "encryption.resources: must not contain events"),
          new Rule(
              "a key of encryption needs encryption",
              "encryption: {}\n  pki: {rotation: {encryptionKey: Prepare}}",
              "pki: {rotation: {encryptionKey: Prepare}}",
              "pki.rotation.encryptionKey: needs encryption"),
          new Rule(
              "IPv6 comes first",
              "network: {ipFamilies: [IPv6, IPv4]}",
              "network: {ipFamilies: [IPv4]}",
              "the first family must be IPv6"),
          new Rule(
              "a family comes once",
              "network: {ipFamilies: [IPv6]}",
              "network: {ipFamilies: [IPv6, IPv6]}",
              "contains a family twice"),
          new Rule(
              "Service CIDRs are CIDRs",
              "network: {serviceCIDRs: ['fd00:1::/112']}",
              "network: {serviceCIDRs: ['fd00:1::']}",
              "each must be a CIDR"),
          new Rule(
              "pod CIDRs are CIDRs",
              "network: {podCIDRs: ['fd00:1::/48']}",
              "network: {podCIDRs: ['here']}",
              "each must be a CIDR"),
          new Rule(
              "node CIDRs are CIDRs",
              "network: {nodeCIDRs: ['2001:db8::/48', '192.0.2.0/24']}",
              "network: {nodeCIDRs: ['2001:db8::1']}",
              "each must be a CIDR"),
          new Rule(
              "Service CIDRs match the families",
              "network: {ipFamilies: [IPv6, IPv4], serviceCIDRs: ['fd00:1::/112', '10.0.0.0/16']}",
              "network: {serviceCIDRs: ['10.0.0.0/16']}",
              "IPv4 alone is not supported"),
          new Rule(
              "pod CIDRs match the families",
              "network: {ipFamilies: [IPv6, IPv4], podCIDRs: ['fd00:1::/48', '10.0.0.0/8']}",
              "network: {podCIDRs: ['10.0.0.0/8']}",
              "IPv4 alone is not supported"),
          new Rule(
              "Service CIDRs have a size",
              "network: {serviceCIDRs: ['fd00:1::/108']}",
              "network: {serviceCIDRs: ['fd00:1::/64']}",
              "is too large"),
          new Rule(
              "pod CIDRs have a size",
              "network: {podCIDRs: ['fd00:1::/64']}",
              "network: {podCIDRs: ['fd00:1::/80']}",
              "each node gets a /64"),
          new Rule(
              "stores are not named like components",
              "storage: {stores: [{name: default}, {name: api}]}",
              "storage: {stores: [{name: default}, {name: apiserver}]}",
              "are names of components"),
          new Rule(
              "CIDRs don't overlap",
              "network: {serviceCIDRs: ['fd00:2::/112'], podCIDRs: ['fd00:1::/48']}",
              "network: {serviceCIDRs: ['fd00:1::/112'], podCIDRs: ['fd00:1::/48']}",
              "overlap"),
          new Rule(
              "host is a NodePort's",
              "endpoint: {type: NodePort, host: 'fd00::1'}",
              "endpoint: {host: 'fd00::1'}",
              "endpoint.host: is for type NodePort only"),
          new Rule(
              "nodePort is a NodePort's",
              "endpoint: {type: NodePort, nodePort: 30443}",
              "endpoint: {type: LoadBalancer, nodePort: 30443}",
              "endpoint.nodePort: is for type NodePort only"),
          new Rule(
              "a class is a LoadBalancer's",
              "endpoint: {type: LoadBalancer, loadBalancerClass: a.b/c}",
              "endpoint: {type: NodePort, loadBalancerClass: a.b/c}",
              "are for type LoadBalancer only"),
          new Rule(
              "source ranges are CIDRs",
              "endpoint: {type: LoadBalancer, sourceRanges: ['2001:db8::/32']}",
              "endpoint: {type: LoadBalancer, sourceRanges: ['all']}",
              "endpoint.sourceRanges: each must be a CIDR"),
          new Rule(
              "a managed flag of kube-apiserver is refused",
              "apiServer: {extraArgs: [{name: event-ttl, value: 2h}]}",
              "apiServer: {extraArgs: [{name: etcd-servers, value: x}]}",
              "apiServer.extraArgs: contains a flag that Exaplane sets"),
          new Rule(
              "a managed flag of kube-controller-manager is refused",
              "controllerManager: {extraArgs: [{name: concurrent-gc-syncs, value: '30'}]}",
              "controllerManager: {extraArgs: [{name: kubeconfig, value: x}]}",
              "controllerManager.extraArgs: contains a flag that Exaplane sets"),
          new Rule(
              "a managed flag of kube-scheduler is refused",
              "scheduler: {extraArgs: [{name: kube-api-qps, value: '100'}]}",
              "scheduler: {extraArgs: [{name: leader-elect, value: 'false'}]}",
              "scheduler.extraArgs: contains a flag that Exaplane sets"),
          new Rule(
              "a flag has no dashes in front",
              "apiServer: {extraArgs: [{name: event-ttl, value: 2h}]}",
              "apiServer: {extraArgs: [{name: --event-ttl, value: 2h}]}",
              "should match"),
          new Rule(
              "a flag comes once",
              "scheduler: {extraArgs: [{name: a, value: '1'}, {name: b, value: '1'}]}",
              "scheduler: {extraArgs: [{name: a, value: '1'}, {name: a, value: '2'}]}",
              "uplicate"),
          new Rule(
              "there is a default store",
              "storage: {stores: [{name: default}]}",
              "storage: {stores: [{name: other}]}",
              "needs exactly one store named default"),
          new Rule(
              "routes lead to stores",
              "storage: {routes: [{store: events, resources: [{group: '', resource: events}]}]}",
              "storage: {routes: [{store: other, resources: [{group: '', resource: events}]}]}",
              "contains a store that storage.stores does not have"),
          new Rule(
              "one route a store",
              "storage: {stores: [{name: default}, {name: a}], routes: [{store: a, resources:"
                  + " [{group: '', resource: pods}]}]}",
              "storage: {stores: [{name: default}, {name: a}], routes: [{store: a, resources:"
                  + " [{group: '', resource: pods}]}, {store: a, resources: [{group: '', resource:"
                  + " nodes}]}]}",
              "two routes lead to the same store"),
          new Rule(
              "one route a resource",
              "storage: {stores: [{name: default}, {name: a}, {name: b}], routes: [{store: a,"
                  + " resources: [{group: '', resource: pods}]}, {store: b, resources: [{group: '',"
                  + " resource: nodes}]}]}",
              "storage: {stores: [{name: default}, {name: a}, {name: b}], routes: [{store: a,"
                  + " resources: [{group: '', resource: pods}]}, {store: b, resources: [{group: '',"
                  + " resource: pods}]}]}",
              "a resource is routed to two stores"),
          new Rule(
              "BestEffort is for events",
              "storage: {stores: [{name: default}, {name: a, criticality: BestEffort}], routes:"
                  + " [{store: a, resources: [{group: '', resource: events}]}]}",
              "storage: {stores: [{name: default}, {name: a, criticality: BestEffort}], routes:"
                  + " [{store: a, resources: [{group: '', resource: pods}]}]}",
              "a BestEffort store may hold only events"),
          new Rule(
              "a class is a PersistentVolume's",
              "storage: {stores: [{name: default, storage: {type: PersistentVolume,"
                  + " storageClassName: local}}]}",
              "storage: {stores: [{name: default, storage: {type: EmptyDirLosesDataWithPod,"
                  + " storageClassName: local}}]}",
              "storageClassName: is for type PersistentVolume only"),
          new Rule(
              "an EmptyDir is for what may be lost",
              "storage: {stores: [{name: default}, {name: a, criticality: BestEffort, storage: {type:"
                  + " EmptyDir}}]}",
              "storage: {stores: [{name: default, storage: {type: EmptyDir}}]}",
              "set EmptyDirLosesDataWithPod"),
          new Rule(
              "what happens after a loss is one of two",
              "storage: {onDataLoss: StartEmpty}",
              "storage: {onDataLoss: Ignore}",
              "onDataLoss"),
          new Rule(
              "a volume has room for etcd",
              "storage: {stores: [{name: default, storage: {size: 1Gi}}]}",
              "storage: {stores: [{name: default, storage: {size: 1023Mi}}]}",
              "storage.size: must be at least 1Gi"),
          new Rule(
              "settings are of the engine that has them",
              "storage: {stores: [{name: default, memory: {durability: Buffered}}]}",
              "storage: {stores: [{name: default, engine: Etcd, memory: {durability: Buffered}}]}",
              "memory: is for the engine Memory only"),
          new Rule(
              "a Critical store survives its process",
              "storage: {stores: [{name: default}, {name: a, criticality: BestEffort, memory:"
                  + " {durability: Memory}}]}",
              "storage: {stores: [{name: default, memory: {durability: Memory}}]}",
              "Memory is for BestEffort stores only"),
          new Rule(
              "a prefix is there once",
              "storage: {stores: [{name: default, memory: {prefixes: [{prefix: /registry/events/,"
                  + " durability: Memory}, {prefix: /registry/leases/, quota: 1Gi}]}}]}",
              "storage: {stores: [{name: default, memory: {prefixes: [{prefix: /registry/events/,"
                  + " durability: Memory}, {prefix: /registry/events/, quota: 1Gi}]}}]}",
              "contains a prefix twice"),
          new Rule(
              "a prefix says something",
              "storage: {stores: [{name: default, memory: {prefixes: [{prefix: /registry/events/,"
                  + " quota: 1Gi}]}}]}",
              "storage: {stores: [{name: default, memory: {prefixes: [{prefix:"
                  + " /registry/events/}]}}]}",
              "an entry sets nothing"),
          new Rule(
              "a prefix's quota has room for something",
              "storage: {stores: [{name: default, memory: {prefixes: [{prefix: /registry/events/,"
                  + " quota: 1Mi}]}}]}",
              "storage: {stores: [{name: default, memory: {prefixes: [{prefix: /registry/events/,"
                  + " quota: 0Mi}]}}]}",
              "quota in body should match"),
          new Rule(
              "a prefix's history is longer than a LIST",
              "storage: {stores: [{name: default, memory: {prefixes: [{prefix: /registry/leases/,"
                  + " history: 30s}]}}]}",
              "storage: {stores: [{name: default, memory: {prefixes: [{prefix: /registry/leases/,"
                  + " history: 29s}]}}]}",
              "history in body should match"),
          new Rule(
              "a Critical store's prefixes survive, too",
              "storage: {stores: [{name: default, memory: {prefixes: [{prefix: /registry/leases/,"
                  + " durability: Memory}]}}]}",
              "storage: {stores: [{name: default, memory: {prefixes: [{prefix: /registry/,"
                  + " durability: Memory}]}}]}",
              "in a Critical store Memory is for /registry/events/ and /registry/leases/ only"),
          new Rule(
              "a quota has room for something",
              "storage: {stores: [{name: default, memory: {quota: 16Mi}}]}",
              "storage: {stores: [{name: default, memory: {quota: 100k}}]}",
              "quota in body should match"),
          new Rule(
              "a lone apiserver sends nobody away",
              "apiServer: {replicas: 2, tuning: {goawayChance: '0.02'}}",
              "apiServer: {replicas: 1, tuning: {goawayChance: '0.001'}}",
              "apiServer.tuning.goawayChance: must be at most 0.02, and 0 with a single replica"),
          new Rule(
              "kube-apiserver takes no larger chance",
              "apiServer: {tuning: {goawayChance: '0'}}",
              "apiServer: {tuning: {goawayChance: '0.03'}}",
              "apiServer.tuning.goawayChance: must be at most 0.02"),
          new Rule(
              "accounts have a namespace",
              "sizing: {agents: [telemetry/collector], growDelay: 0s}",
              "sizing: {agents: [collector]}",
              "sizing.agents[0]"),
          new Rule(
              "names of pods of stores fit",
              "storage: {stores: [{name: default}, {name: a}]}",
              "storage: {stores: [{name: default}, {name: abcdefghijklmnopqrst}]}",
              "must have at most 51 characters together",
              "a".repeat(40)),
          new Rule(
              "names of control planes are their own",
              "allowReservedName: true",
              "deletionProtection: true",
              "must not end in -store",
              "rule-store"),
          new Rule(
              "names of stores are their own",
              "storage: {stores: [{name: default}, {name: leases2}]}",
              "storage: {stores: [{name: default}, {name: a-b}]}",
              "must begin with a letter and have letters and digits alone"),
          new Rule(
              "names of control planes fit",
              "maxNodes: 1",
              "maxNodes: 1",
              "metadata.name: must be at most 40 characters",
              "a".repeat(41)),
          new Rule(
              "names of control planes begin with a letter",
              "maxNodes: 1",
              "maxNodes: 1",
              "begin with a letter",
              "1a"),
          new Rule(
              "names of control planes have no dots",
              "maxNodes: 1",
              "maxNodes: 1",
              "without dots",
              "a.b"),
          new Rule(
              "names in the certificate are DNS names or addresses",
              "endpoint: {certSANs: ['api.example.org', '*.example.org', 'fd00::1', '10.0.0.1', 'xn--bcher-kva.example']}",
              "endpoint: {certSANs: ['api.bücher.example']}",
              "endpoint.certSANs: each must be an IP address or a DNS name"),
          new Rule(
              "leaf certificates live long enough",
              "pki: {leafValidity: 3m}",
              "pki: {leafValidity: 2m59s}",
              "pki.leafValidity: must be 3m to 87600h"),
          new Rule(
              "a window is between 10 minutes and a day",
              "maintenance: {cron: '0 2 * * 6', duration: 24h, timeZone: Europe/Berlin}",
              "maintenance: {cron: '0 2 * * 6', duration: 9m}",
              "maintenance.duration 9m: must be 10m to 24h"),
          new Rule(
              "cron has five fields in their ranges",
              "maintenance: {cron: '*/15 1-3,22 * * *'}",
              "maintenance: {cron: '0 24 * * *'}",
              "maintenance.cron 0 24 * * *: must have five fields of cron"),
          new Rule(
              "an administrator has time to use a kubeconfig",
              "pki: {adminKubeconfigValidity: 10m}",
              "pki: {adminKubeconfigValidity: 9m59s}",
              "pki.adminKubeconfigValidity: must be 10m to 87600h"),
          new Rule(
              "a pace of restarts is positive",
              "restart: {releasePerMinute: 1}",
              "restart: {releasePerMinute: 0}",
              "releasePerMinute in body should be greater than or equal to 1"),
          new Rule(
              "a delay has a unit",
              "restart: {backoff: {initial: 1s, max: 5m, resetAfter: 1h}}",
              "restart: {backoff: {initial: '1'}}",
              "restart.backoff.initial 1: must be a number with s, m or h"),
          new Rule(
              "a delay is positive",
              "restart: {backoff: {initial: 60s}}",
              "restart: {backoff: {initial: 0s}}",
              "restart.backoff: initial 0s and max 60s: initial must be at least 1s"),
          new Rule(
              "delays only grow",
              "restart: {backoff: {initial: 1m, max: 60s}}",
              "restart: {backoff: {initial: 61s}}",
              "max must be from initial to 24h"),
          new Rule(
              "the delay can grow as far as max",
              "restart: {backoff: {max: 10m}}",
              "restart: {backoff: {max: 11m}}",
              "restart.backoff.resetAfter 10m: must be from max, which is 11m, to 720h"),
          new Rule(
              "a factor multiplies",
              "restart: {backoff: {factor: 1}}",
              "restart: {backoff: {factor: 0}}",
              "restart.backoff.factor in body should be greater than or equal to 1"),
          new Rule(
              "jitter is a part",
              "restart: {backoff: {jitterPercent: 100}}",
              "restart: {backoff: {jitterPercent: 101}}",
              "restart.backoff.jitterPercent in body should be less than or equal to 100"),
          new Rule(
              "a budget allows something",
              "restart: {budget: {maxRestarts: 1}}",
              "restart: {budget: {maxRestarts: 0}}",
              "restart.budget.maxRestarts in body should be greater than or equal to 1"),
          new Rule(
              "a window has a unit",
              "restart: {budget: {window: 24h}}",
              "restart: {budget: {window: 10M}}",
              "restart.budget.window 10M: must be a number with s, m or h"),
          new Rule(
              "a window is a time",
              "restart: {budget: {window: 1m}}",
              "restart: {budget: {window: 59s}}",
              "restart.budget.window 59s: must be 1m to 24h"),
          new Rule(
              "never all servers are new at once",
              "apiServer: {replicas: 3}\n  rollout: {maxSurge: 2}",
              "apiServer: {replicas: 3}\n  rollout: {maxSurge: 3}",
              "rollout.maxSurge 3: must be less than apiServer.replicas 3, or 1"),
          new Rule(
              "one new server is there beside the only one",
              "apiServer: {replicas: 1, tuning: {goawayChance: '0'}}\n  rollout: {maxSurge: 1}",
              "rollout: {maxSurge: 2}",
              "rollout.maxSurge 2: must be less than apiServer.replicas 2, or 1"),
          new Rule(
              "never all servers are missing at once",
              "apiServer: {replicas: 3}\n  rollout: {maxUnavailable: 2}",
              "apiServer: {replicas: 3}\n  rollout: {maxUnavailable: 3}",
              "rollout.maxUnavailable 3: must be less than apiServer.replicas 3"),
          new Rule(
              "some pod can be replaced",
              "rollout: {maxSurge: 0, maxUnavailable: 1}",
              "rollout: {maxSurge: 0}",
              "rollout.maxSurge 0: must be above 0 while rollout.maxUnavailable is 0"),
          new Rule(
              "readiness lasts less than a Deployment waits",
              "rollout: {minReadySeconds: 590}",
              "rollout: {minReadySeconds: 591}",
              "rollout.minReadySeconds in body should be less than or equal to 590"),
          new Rule(
              "a deadline has a unit",
              "rollout: {progressDeadline: 24h}",
              "rollout: {progressDeadline: '30'}",
              "rollout.progressDeadline 30: must be a number with s, m or h"),
          new Rule(
              "a deadline is longer than a pod has to be ready",
              "rollout: {minReadySeconds: 30, progressDeadline: 60s}",
              "rollout: {minReadySeconds: 30, progressDeadline: 59s}",
              "rollout.progressDeadline 59s: must be 24h at most, and at least 30s more than"
                  + " minReadySeconds"),
          new Rule(
              "a stop has a known end",
              "rollout: {onStall: Rollback}",
              "rollout: {onStall: Retry}",
              "Unsupported value: \"Retry\""),
          new Rule(
              "a duration of requests has a unit",
              "rollout: {settle: {requestP99: 500ms}}",
              "rollout: {settle: {requestP99: '0.5'}}",
              "rollout.settle.requestP99 0.5: must be a number above 0 with ms or s"),
          new Rule(
              "requests in flight are a part",
              "rollout: {settle: {inflightPercent: 100}}",
              "rollout: {settle: {inflightPercent: 101}}",
              "rollout.settle.inflightPercent in body should be less than or equal to 100"),
          new Rule(
              "LISTs a second are counted",
              "rollout: {settle: {relistsPerSecond: 1}}",
              "rollout: {settle: {relistsPerSecond: 0}}",
              "rollout.settle.relistsPerSecond in body should be greater than or equal to 1"),
          new Rule(
              "a source of add-ons is built in, or has objects",
              "addons: [{name: a, builtIn: CoreDNS}]",
              "addons: [{name: a, builtIn: CoreDNS, inline: x}]",
              "exactly one of"),
          new Rule(
              "settings are of built-in add-ons",
              "addons: [{name: a, builtIn: KubeProxy, settings: {image: 'example.org/p:v1'}}]",
              "addons: [{name: a, inline: x, settings: {image: 'example.org/p:v1'}}]",
              "settings needs builtIn"),
          new Rule(
              "kube-proxy runs on each node",
              "addons: [{name: a, builtIn: CoreDNS, settings: {replicas: 3}}]",
              "addons: [{name: a, builtIn: KubeProxy, settings: {replicas: 3}}]",
              "settings.replicas and settings.upstreams are for CoreDNS"),
          new Rule(
              "kinds that are left out are not deleted",
              "addons: [{name: a, inline: x, prune: Keep, include: ['*.s3.example.org']}]",
              "addons: [{name: a, inline: x, exclude: ['*.s3.example.org']}]",
              "include and exclude need prune: Keep"),
          new Rule(
              "a kind has its group",
              "addons: [{name: a, inline: x, prune: Keep, exclude: [Bucket.s3.example.org]}]",
              "addons: [{name: a, inline: x, prune: Keep, exclude: [Bucket]}]",
              "each of include and exclude must be KIND.GROUP"),
          new Rule(
              "CoreDNS asks addresses",
              "addons: [{name: a, builtIn: CoreDNS, settings: {upstreams: ['2001:db8::53']}}]",
              "addons: [{name: a, builtIn: CoreDNS, settings: {upstreams: [dns.example.org]}}]",
              "each of settings.upstreams must be an IP address"),
          new Rule(
              "an image is one word",
              "addons: [{name: a, builtIn: CoreDNS, settings: {image: 'example.org/dns:v1'}}]",
              "addons: [{name: a, builtIn: CoreDNS, settings: {image: 'example.org/dns v1'}}]",
              "settings.image"),
          new Rule(
              "a built-in add-on comes once",
              "addons: [{name: a, builtIn: CoreDNS}, {name: b, builtIn: KubeProxy}]",
              "addons: [{name: a, builtIn: CoreDNS}, {name: b, builtIn: CoreDNS}]",
              "two sources have the same builtIn"),
          new Rule(
              "a pause ends at a time",
              "pausedUntil: '2030-01-01T00:00:00Z'",
              "pausedUntil: tomorrow",
              "pausedUntil"));
}
