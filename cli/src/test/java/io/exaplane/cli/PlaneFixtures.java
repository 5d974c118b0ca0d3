// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

/** Control planes as their status tells of them. */
final class PlaneFixtures {
  /** Everything matches the spec. */
  static final String WELL =
      """
      kind: ControlPlane
      metadata: {name: well, generation: 3}
      spec: {version: "1.37.2"}
      status:
        observedGeneration: 3
        version: {current: "1.37.2"}
        endpoint: {host: "2001:db8::1", port: 6443}
        bundle: b1
        apiServer: {replicas: 2, summary: 2/2}
        conditions:
        - {type: Available, status: "True", reason: AsExpected, message: "The API answers.", lastTransitionTime: "2026-11-28T07:00:00Z"}
        - {type: Progressing, status: "False", reason: AsExpected, message: "Everything matches the spec."}
        - {type: Degraded, status: "False", reason: AsExpected, message: "Nothing is degraded."}
        - {type: Ready, status: "True", reason: AsExpected, message: "Everything matches the spec."}
        - {type: Reconciling, status: "False", reason: AsExpected, message: "x"}
        - {type: Stalled, status: "False", reason: AsExpected, message: "x"}
      ---
      kind: Pod
      metadata: {name: well-apiserver-1, labels: {exaplane.io/control-plane: well, app.kubernetes.io/component: apiserver}}
      spec: {containers: [{name: kube-apiserver, resources: {limits: {memory: 1Gi}}}]}
      status:
        phase: Running
        conditions: [{type: Ready, status: "True"}]
        containerStatuses: [{name: kube-apiserver, ready: true, restartCount: 0, state: {running: {}}}]
      """;

  /** The store crashes, and a scheduler pool and a pool of nodes belong to it. */
  static final String DOWN =
      """
      kind: ControlPlane
      metadata: {name: demo, generation: 1}
      spec: {version: "1.37.2"}
      status:
        observedGeneration: 1
        version: {current: "1.37.2"}
        nodes: {registered: 12}
        conditions:
        - {type: Available, status: "False", reason: StoreUnavailable, message: "The API answers, but its store demo-default does not serve. See StoresReady.", lastTransitionTime: "2026-11-28T07:01:00Z"}
        - {type: StoresReady, status: "False", reason: StoreUnavailable, message: "Store default does not serve. See the StoreShard."}
        - {type: Ready, status: "False", reason: StoreUnavailable, message: "The API answers, but its store demo-default does not serve. See StoresReady."}
        - {type: Reconciling, status: "False", reason: AsExpected, message: "x"}
        - {type: Stalled, status: "False", reason: AsExpected, message: "x"}
      ---
      kind: StoreShard
      metadata: {name: demo-default, labels: {exaplane.io/control-plane: demo}}
      status:
        keys: 1200
        bytes: 5242880
        quota: 10485760
        conditions:
        - {type: Ready, status: "False", reason: StoreUnavailable, message: "Pod demo-default-0 ended. Check the volume with 'kubectl describe pod demo-default-0'."}
      ---
      kind: Pod
      metadata: {name: demo-default-0, labels: {exaplane.io/control-plane: demo, exaplane.io/store-shard: demo-default}}
      spec: {containers: [{name: store}]}
      status:
        phase: Running
        conditions: [{type: Ready, status: "False"}]
        containerStatuses:
        - name: store
          restartCount: 4
          state: {waiting: {reason: CrashLoopBackOff, message: "back-off 40s"}}
          lastState: {terminated: {exitCode: 65, reason: Error, finishedAt: "2026-11-28T07:02:00Z"}}
      ---
      kind: SchedulerPool
      metadata: {name: sched}
      spec: {controlPlaneRef: {name: demo}}
      status: {conditions: [{type: Ready, status: "True", reason: AsExpected, message: "x"}]}
      ---
      kind: SchedulerPool
      metadata: {name: other}
      spec: {controlPlaneRef: {name: another}}
      ---
      kind: Pod
      metadata: {name: sched-root-0, labels: {exaplane.io/scheduler-pool: sched, app.kubernetes.io/component: root}}
      spec: {containers: [{name: scheduler}]}
      status:
        conditions: [{type: Ready, status: "True"}]
        containerStatuses: [{name: scheduler, ready: true, restartCount: 0, state: {running: {}}}]
      ---
      kind: NodePool
      metadata: {name: workers}
      spec: {controlPlaneRef: {name: demo}}
      status:
        nodes: {summary: 11/12}
        joinSecretRef: {name: workers-node-join, expires: "2026-11-29T07:00:00Z"}
        conditions: [{type: Ready, status: "False", reason: NodesNotReady, message: "1 of 12 nodes is not Ready. Check the node."}]
      ---
      kind: ControlPlaneTask
      metadata: {name: restart}
      spec: {controlPlaneRef: {name: demo}}
      status: {state: Running, task: restart KubeAPIServer, message: "1 of 2 pods."}
      """;

  private PlaneFixtures() {}
}
