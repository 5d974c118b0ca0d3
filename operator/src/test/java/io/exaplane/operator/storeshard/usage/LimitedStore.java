// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.usage;

import io.exaplane.api.v1alpha1.StoreShard;
import io.exaplane.operator.pki.CertificateAuthority;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Objects of a store of the control plane demo, with the UID u. */
public final class LimitedStore {
  private LimitedStore() {}

  /** A store without a ready pod. */
  public static StoreShard shard(String name) {
    return Serialization.unmarshal(
        """
        apiVersion: exaplane.io/v1alpha1
        kind: StoreShard
        metadata:
          name: %s
          namespace: ns
          uid: u
          ownerReferences:
          - {apiVersion: exaplane.io/v1alpha1, kind: ControlPlane, name: demo, uid: demo-uid}
        spec: {engine: Memory}
        """
            .formatted(name),
        StoreShard.class);
  }

  /** Its pod, which runs on this machine. */
  public static Pod pod(String store) {
    return pod(store, "env: [{name: ETCD_CLEAR_PAGES, value: metrics}]");
  }

  /**
   * The same.
   *
   * @param more of the container
   */
  static Pod pod(String store, String more) {
    return Serialization.unmarshal(
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: %s-0, namespace: ns}
        spec: {containers: [{name: store, %s}]}
        status: {podIP: 127.0.0.1, containerStatuses: [{name: store, state: {running: {}}}]}
        """
            .formatted(store, more),
        Pod.class);
  }

  /** The Secret of the CA of the control plane's stores. */
  public static Secret ca(CertificateAuthority ca) {
    return ca(ca, "demo-uid", "1");
  }

  /**
   * The same.
   *
   * @param owner UID of the control plane that owns the Secret
   */
  static Secret ca(CertificateAuthority ca, String owner, String version) {
    return Serialization.unmarshal(
        """
        apiVersion: v1
        kind: Secret
        metadata:
          name: demo-store-ca
          namespace: ns
          uid: s
          resourceVersion: "%s"
          ownerReferences:
          - apiVersion: exaplane.io/v1alpha1
            kind: ControlPlane
            name: demo
            uid: %s
            controller: true
        data: {tls.crt: %s, tls.key: %s}
        """
            .formatted(version, owner, base64(ca.ca().certificatePem()), base64(ca.ca().keyPem())),
        Secret.class);
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.US_ASCII));
  }
}
