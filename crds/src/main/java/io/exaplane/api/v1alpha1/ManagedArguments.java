// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

/**
 * Flags that Exaplane sets itself, as lists in CEL. A test holds them against the flags that the
 * operator writes.
 */
public final class ManagedArguments {
  public static final String API_SERVER =
      "'advertise-address','allow-privileged','anonymous-auth','authorization-config',"
          + "'authorization-mode','bind-address','client-ca-file',"
          + "'enable-aggregator-routing','enable-bootstrap-token-auth','encryption-provider-config',"
          + "'encryption-provider-config-automatic-reload','endpoint-reconciler-type',"
          + "'etcd-cafile','etcd-certfile','etcd-keyfile','etcd-servers','etcd-servers-overrides',"
          + "'goaway-chance','kubelet-certificate-authority','kubelet-client-certificate',"
          + "'kubelet-client-key','kubelet-preferred-address-types',"
          + "'max-mutating-requests-inflight','max-requests-inflight','proxy-client-cert-file',"
          + "'proxy-client-key-file','requestheader-allowed-names','requestheader-client-ca-file',"
          + "'requestheader-extra-headers-prefix','requestheader-group-headers',"
          + "'requestheader-username-headers','secure-port','service-account-issuer',"
          + "'service-account-key-file','service-account-signing-key-file',"
          + "'service-cluster-ip-range','shutdown-delay-duration','shutdown-send-retry-after',"
          + "'tls-cert-file','tls-private-key-file'";

  public static final String CONTROLLER_MANAGER =
      "'allocate-node-cidrs','authentication-kubeconfig','authorization-kubeconfig','bind-address',"
          + "'client-ca-file','cluster-cidr','cluster-name','cluster-signing-cert-file',"
          + "'cluster-signing-key-file','controllers','kubeconfig','leader-elect',"
          + "'node-cidr-mask-size','node-cidr-mask-size-ipv4','node-cidr-mask-size-ipv6',"
          + "'requestheader-client-ca-file','root-ca-file','service-account-private-key-file',"
          + "'service-cluster-ip-range','tls-cert-file','tls-private-key-file',"
          + "'use-service-account-credentials'";

  public static final String SCHEDULER =
      "'authentication-kubeconfig','authorization-kubeconfig','bind-address','client-ca-file',"
          + "'config','kubeconfig','leader-elect','requestheader-client-ca-file','tls-cert-file',"
          + "'tls-private-key-file'";

  private ManagedArguments() {}
}
