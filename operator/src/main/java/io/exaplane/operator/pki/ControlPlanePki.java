// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pki;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.EndpointSpec;
import io.exaplane.api.v1alpha1.NetworkSpec;
import io.exaplane.api.v1alpha1.PkiSpec;
import io.exaplane.operator.names.ControlPlaneNames;
import io.exaplane.operator.pki.SecretPlan.PlannedLeaf;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/** Which certificates a control plane needs, and in which Secrets. Pure. */
public final class ControlPlanePki {
  private static final String PKI = "/etc/kubernetes/pki/";
  private static final String KUBECONFIG = "kubeconfig";
  private static final String CA_FILE = "ca.crt";

  /** In kube-controller-manager's Secret: all CAs of the cluster that are trusted. */
  public static final String TRUST_FILE = "trusted-ca.crt";

  private static final String ADMINISTRATORS = "exaplane:admins";

  private final ControlPlane controlPlane;
  private final ControlPlaneNames names;
  private final Authorities authorities;
  private final boolean compression;
  private final Duration validity;

  /**
   * Plans for a control plane.
   *
   * @param compression whether the kubeconfigs let clients ask for compressed responses
   */
  public ControlPlanePki(ControlPlane controlPlane, Authorities authorities, boolean compression) {
    this.compression = compression;
    this.controlPlane = controlPlane;
    this.names = new ControlPlaneNames(controlPlane);
    this.authorities = authorities;
    this.validity = PkiSpec.leafValidity(controlPlane.getSpec().pki());
  }

  /**
   * The Secret of a store.
   *
   * @param hosts addresses at which clients reach it
   */
  public SecretPlan store(String store, Collection<String> hosts) {
    return new SecretPlan(
        names.shardSecret(store),
        "store-" + store,
        Map.of(ControlPlaneNames.STORE_LABEL, store),
        List.of(
            new PlannedLeaf(
                "tls",
                authorities.store(),
                Leaf.server(names.shard(store), localAnd(hosts), validity))),
        Map.of("ca.crt", authorities.store().ca().certificatePem()),
        issued -> Map.of());
  }

  /**
   * The Secret of kube-apiserver.
   *
   * @param serviceHost the Service's address
   * @param publishedHosts addresses that clients use, or are to use, as far as they are known
   */
  public SecretPlan apiServer(String serviceHost, Collection<String> publishedHosts) {
    SortedSet<String> hosts = apiServerNames(controlPlane, serviceHost, publishedHosts);
    return new SecretPlan(
        names.componentSecret(ControlPlaneNames.API_SERVER),
        ControlPlaneNames.API_SERVER,
        Map.of(),
        List.of(
            new PlannedLeaf(
                "apiserver", authorities.serving(), Leaf.server("kube-apiserver", hosts, validity)),
            new PlannedLeaf(
                "kubelet-client",
                authorities.serving(),
                Leaf.client("kube-apiserver-kubelet-client", "", validity)),
            new PlannedLeaf(
                "front-proxy-client",
                authorities.frontProxy(),
                Leaf.client("front-proxy-client", "", validity)),
            new PlannedLeaf(
                "store-client",
                authorities.store(),
                Leaf.client(ControlPlaneNames.STORE_CLIENT, "", validity))),
        apiServerFiles(),
        issued -> Map.of());
  }

  private Map<String, String> apiServerFiles() {
    Map<String, String> files = new TreeMap<>();
    files.put("ca.crt", authorities.trusted());
    files.put("front-proxy-ca.crt", authorities.frontProxy().ca().certificatePem());
    files.put("store-ca.crt", authorities.store().ca().certificatePem());
    files.put(Authorities.SERVICE_ACCOUNT_KEY_FILE, authorities.serviceAccountKeyPem());
    files.put(Authorities.SERVICE_ACCOUNT_PUBLIC_FILE, authorities.serviceAccountPublicPem());
    authorities.encryptionKey().ifPresent(key -> files.putAll(EncryptionConfiguration.files(key)));
    return files;
  }

  /** Every name and address that the apiservers' certificate is valid for. */
  public static SortedSet<String> apiServerNames(
      ControlPlane controlPlane, String serviceHost, Collection<String> publishedHosts) {
    SortedSet<String> hosts = new TreeSet<>(localAnd(List.of(serviceHost)));
    hosts.addAll(publishedHosts);
    hosts.addAll(EndpointSpec.of(controlPlane.getSpec().endpoint()).certSANs());
    NetworkSpec network = controlPlane.getSpec().network();
    NetworkSpec.serviceCIDRs(network).forEach(cidr -> hosts.add(firstAddress(cidr)));
    String namespace = controlPlane.getMetadata().getNamespace();
    String service = new ControlPlaneNames(controlPlane).component(ControlPlaneNames.API_SERVER);
    hosts.addAll(List.of(service, service + "." + namespace, service + "." + namespace + ".svc"));
    hosts.addAll(
        List.of(
            "kubernetes",
            "kubernetes.default",
            "kubernetes.default.svc",
            "kubernetes.default.svc." + NetworkSpec.clusterDomain(network)));
    return hosts;
  }

  /**
   * The Secret of kube-controller-manager, the one component that signs with the cluster's CA. It
   * takes no file with two certificates for the CA that signs, so what it trusts is in a file of
   * its own from the first rotation on.
   */
  public SecretPlan controllerManager(String server) {
    boolean rotated = authorities.caKey().step() > 0;
    String trust = rotated ? TRUST_FILE : CA_FILE;
    Map<String, String> fixed = new TreeMap<>();
    if (rotated) {
      fixed.put(TRUST_FILE, authorities.trusted());
    }
    fixed.put(CA_FILE, authorities.cluster().ca().certificatePem());
    fixed.put("ca.key", authorities.cluster().ca().keyPem());
    fixed.put("front-proxy-ca.crt", authorities.frontProxy().ca().certificatePem());
    fixed.put(Authorities.SERVICE_ACCOUNT_KEY_FILE, authorities.serviceAccountKeyPem());
    fixed.put(KUBECONFIG, Kubeconfigs.withFiles(server, PKI, trust, compression));
    return controller(
        ControlPlaneNames.CONTROLLER_MANAGER, "system:kube-controller-manager", fixed);
  }

  /** The Secret of kube-scheduler. */
  public SecretPlan scheduler(String server) {
    Map<String, String> fixed =
        Map.of(
            CA_FILE,
            authorities.trusted(),
            "front-proxy-ca.crt",
            authorities.frontProxy().ca().certificatePem(),
            KUBECONFIG,
            Kubeconfigs.withFiles(server, PKI, CA_FILE, compression));
    return controller(ControlPlaneNames.SCHEDULER, "system:kube-scheduler", fixed);
  }

  private SecretPlan controller(String component, String user, Map<String, String> fixed) {
    return new SecretPlan(
        names.componentSecret(component),
        component,
        Map.of(),
        List.of(
            new PlannedLeaf("client", authorities.cluster(), Leaf.client(user, "", validity)),
            new PlannedLeaf(
                "server",
                authorities.serving(),
                Leaf.server(names.component(component), localAnd(List.of()), validity))),
        fixed,
        issued -> Map.of());
  }

  /**
   * The group of the administrators whose kubeconfigs are in force. It is bound inside the hosted
   * cluster, so that another number cuts off those of before.
   */
  public static String administrators(PkiSpec pki) {
    int revision = PkiSpec.adminKubeconfigRevision(pki);
    return revision == 0 ? ADMINISTRATORS : ADMINISTRATORS + ":" + revision;
  }

  /**
   * The Secret with the administrator's kubeconfig.
   *
   * @param group that has rights, or is to have them
   */
  public SecretPlan adminKubeconfig(String server, String group) {
    return new SecretPlan(
        names.adminKubeconfig(),
        "admin-kubeconfig",
        Map.of(),
        List.of(
            new PlannedLeaf(
                "admin",
                authorities.cluster(),
                Leaf.client(
                    "exaplane-admin",
                    group,
                    PkiSpec.adminKubeconfigValidity(controlPlane.getSpec().pki())))),
        Map.of(),
        issued ->
            Map.of(
                KUBECONFIG,
                Kubeconfigs.embedded(
                    server, authorities.trusted(), issued.get("admin"), compression)));
  }

  private static List<String> localAnd(Collection<String> hosts) {
    List<String> all = new ArrayList<>(List.of("localhost", "::1", "127.0.0.1"));
    all.addAll(hosts);
    return all;
  }

  /**
   * The first address of a CIDR without host bits after its network's: that of the Service
   * kubernetes.
   */
  public static String firstAddress(String cidr) {
    byte[] address = InetAddress.ofLiteral(cidr.substring(0, cidr.indexOf('/'))).getAddress();
    address[address.length - 1] += 1;
    try {
      return InetAddress.getByAddress(address).getHostAddress();
    } catch (java.net.UnknownHostException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
