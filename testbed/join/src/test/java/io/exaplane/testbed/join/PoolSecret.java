// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.join;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.NodeKubeletSpec;
import io.exaplane.api.v1alpha1.NodePool;
import io.exaplane.operator.names.NodePoolNames;
import io.exaplane.operator.nodepool.join.JoinInput;
import io.exaplane.operator.nodepool.render.ApiEndpoint;
import io.exaplane.operator.nodepool.render.JoinSecret;
import io.exaplane.operator.nodepool.render.KubeletSettings;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/** The Secret that the operator makes of a NodePool, as a user of the pool reads it. */
final class PoolSecret {
  private PoolSecret() {}

  /** The user data of a pool whose hosts have what an input says of the cluster and its token. */
  static String cloudInit(JoinInput cluster) {
    NodePool pool =
        Serialization.unmarshal(
            """
            apiVersion: exaplane.io/v1alpha1
            kind: NodePool
            metadata: {name: edge, namespace: default, uid: u}
            spec:
              controlPlaneRef: {name: demo}
              maxNodes: 9
              addresses: {source: StaticPrefix, podPrefixLength: 64, prefixes: ['%s']}
              kubelet: {maxPods: 250, leaseDurationSeconds: 40}
              labels: {example.org/site: north}
              taints: [{key: example.org/new, value: 'yes', effect: NoSchedule}]
            """
                .formatted(Net.POOL),
            NodePool.class);
    ControlPlane controlPlane =
        Serialization.unmarshal(
            """
            apiVersion: exaplane.io/v1alpha1
            kind: ControlPlane
            metadata: {name: demo, namespace: default, uid: v}
            spec: {version: %s, maxNodes: 9, network: {serviceCIDRs: ['%s']}}
            """
                .formatted(cluster.version(), Cluster.SERVICES),
            ControlPlane.class);
    Secret secret =
        JoinSecret.of(
            pool,
            controlPlane,
            cluster.version(),
            new ApiEndpoint(cluster.server(), cluster.caPem()),
            KubeletSettings.of(Optional.empty(), NodeKubeletSpec.of(pool.getSpec().kubelet())),
            new JoinSecret.Token("t", cluster.token(), cluster.tokenExpires()));
    return new String(
        Base64.getDecoder().decode(secret.getData().get(NodePoolNames.CLOUD_INIT)),
        StandardCharsets.UTF_8);
  }
}
