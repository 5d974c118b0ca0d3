// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.NodePool;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** Pools and their control plane for tests. */
public final class NodePools {
  /** In the spec of a pool whose hosts bring prefixes. */
  public static final String ADDRESSES =
      "addresses: {source: StaticPrefix, podPrefixLength: 112, prefixes: ['2001:db8:1::/48']}";

  private NodePools() {}

  /** A pool of the control plane demo with this in its spec, in YAML's flow form. */
  public static NodePool pool(String name, String created, String spec) {
    return Serialization.unmarshal(
        """
        apiVersion: exaplane.io/v1alpha1
        kind: NodePool
        metadata: {name: %1$s, namespace: ns, uid: uid-%1$s, generation: 1, creationTimestamp: "%2$s"}
        spec: {controlPlaneRef: {name: demo}, %3$s}
        """
            .formatted(name, created, spec),
        NodePool.class);
  }

  /** One that is called workers. */
  public static NodePool pool(String spec) {
    return pool("workers", "2026-01-01T00:00:00Z", spec);
  }

  /** The control plane demo, which runs 1.37.2, with this in its spec. */
  public static ControlPlane controlPlane(String spec) {
    return controlPlane(spec, "{version: {current: 1.37.2}}");
  }

  /** The same with another status. */
  public static ControlPlane controlPlane(String spec, String status) {
    return Serialization.unmarshal(
        """
        apiVersion: exaplane.io/v1alpha1
        kind: ControlPlane
        metadata: {name: demo, namespace: ns, uid: uid-demo, generation: 1}
        spec: {version: 1.37.2, maxNodes: 1000, %s}
        status: %s
        """
            .formatted(spec, status),
        ControlPlane.class);
  }

  /** A clock that a test moves. */
  public static final class SetClock extends Clock {
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    public void go(Duration time) {
      now = now.plus(time);
    }

    @Override
    public Instant instant() {
      return now;
    }

    @Override
    public ZoneId getZone() {
      return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
      throw new UnsupportedOperationException("the clock has one zone");
    }
  }
}
