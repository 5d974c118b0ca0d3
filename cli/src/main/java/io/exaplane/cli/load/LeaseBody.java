// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import io.exaplane.cli.etcd.Wire;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * Leases in protobuf, as kubelets write them: the first with an owner, each later one as the server
 * sent it, with another time. Pure.
 *
 * <p>Sources, in Kubernetes 1.37: {@code component-helpers/apimachinery/lease/controller.go}
 * (newLease), {@code pkg/kubelet/util/nodelease.go} (SetNodeOwnerFunc).
 */
final class LeaseBody {
  private static final int METADATA = 1;
  private static final int SPEC = 2;
  private static final int HOLDER = 1;
  private static final int SECONDS = 2;
  private static final int RENEWED = 4;

  private LeaseBody() {}

  /**
   * A first Lease.
   *
   * @param ownerUid of the Node with the same name; empty for no owner
   */
  static byte[] created(
      String namespace,
      String name,
      String ownerUid,
      Map<String, String> labels,
      Duration duration,
      Instant now) {
    Wire.Writer meta = new Wire.Writer().bytes(1, Kube.utf8(name)).bytes(3, Kube.utf8(namespace));
    labels.forEach(
        (key, value) ->
            meta.bytes(
                11, new Wire.Writer().bytes(1, Kube.utf8(key)).bytes(2, Kube.utf8(value)).end()));
    if (!ownerUid.isEmpty()) {
      meta.bytes(
          13,
          new Wire.Writer()
              .bytes(1, Kube.utf8("Node"))
              .bytes(3, Kube.utf8(name))
              .bytes(4, Kube.utf8(ownerUid))
              .bytes(5, Kube.utf8("v1"))
              .end());
    }
    return lease(meta.end(), Kube.utf8(name), duration, now);
  }

  /** The same Lease, renewed. */
  static byte[] renewed(byte[] lease, Duration duration, Instant now) {
    byte[] holder = Kube.field(Kube.field(lease, SPEC), HOLDER);
    return lease(Kube.metadata(lease), holder, duration, now);
  }

  private static byte[] lease(byte[] metadata, byte[] holder, Duration duration, Instant now) {
    byte[] time =
        new Wire.Writer()
            .number(1, now.getEpochSecond())
            .number(2, now.getNano() / 1_000 * 1_000)
            .end();
    byte[] spec =
        new Wire.Writer()
            .bytes(HOLDER, holder)
            .number(SECONDS, duration.toSeconds())
            .bytes(RENEWED, time)
            .end();
    byte[] lease = new Wire.Writer().bytes(METADATA, metadata).bytes(SPEC, spec).end();
    return Kube.wrapped("coordination.k8s.io/v1", "Lease", lease);
  }
}
