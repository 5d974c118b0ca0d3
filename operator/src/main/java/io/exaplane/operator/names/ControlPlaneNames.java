// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.names;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.Names;
import io.exaplane.api.v1alpha1.ResourceRef;
import io.exaplane.tuning.version.Component;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Names and labels of the objects that make up one control plane. Pure. */
public final class ControlPlaneNames {
  public static final String API_SERVER = of(Component.KUBE_APISERVER);
  public static final String CONTROLLER_MANAGER = of(Component.KUBE_CONTROLLER_MANAGER);
  public static final String SCHEDULER = of(Component.KUBE_SCHEDULER);
  public static final String CONTROL_PLANE_LABEL = "exaplane.io/control-plane";
  public static final String STORE_LABEL = "exaplane.io/store";

  /** UID of the control plane whose data a claim holds, or whose keys a Secret. */
  public static final String CONTROL_PLANE_UID = "exaplane.io/control-plane-uid";

  /** On Secrets that outlived their control plane. */
  public static final String RETAINED_LABEL = "exaplane.io/retained";

  /** UID of the control plane that was removed, on Secrets that another one took over. */
  public static final String TAKEN_OVER_FROM = "exaplane.io/taken-over-from";

  /** Common name of the one client that a control plane's stores let in. */
  public static final String STORE_CLIENT = "kube-apiserver-store-client";

  /** On the Service by which kube-apiservers reach one resource, as leases.coordination.k8s.io. */
  public static final String ROUTE_LABEL = "exaplane.io/route";

  /** Ends the name of such a Service; no other Service's name ends so. */
  private static final String ROUTE = "-route";

  /** Of a name of a Service, and of a label's value. */
  private static final int MOST_CHARACTERS = 63;

  private static final String COMPONENT_LABEL = "app.kubernetes.io/component";

  /** Selects the pods of components, and none of stores. */
  public static final String COMPONENT_SELECTOR =
      "%s,%s,%s in (%s,%s,%s)"
          .formatted(
              Names.MANAGED_BY_SELECTOR,
              CONTROL_PLANE_LABEL,
              COMPONENT_LABEL,
              API_SERVER,
              CONTROLLER_MANAGER,
              SCHEDULER);

  private final String name;

  public ControlPlaneNames(ControlPlane controlPlane) {
    this(controlPlane.getMetadata().getName());
  }

  /** Of the control plane of this name. */
  public ControlPlaneNames(String name) {
    this.name = name;
  }

  /** The name of a component, as it is in names of objects. */
  public static String of(Component component) {
    return component.label().substring("kube-".length());
  }

  public String component(String component) {
    return name + "-" + component;
  }

  public String componentSecret(String component) {
    return name + "-" + component + "-pki";
  }

  public String clusterCa() {
    return name + "-ca";
  }

  public String frontProxyCa() {
    return name + "-front-proxy-ca";
  }

  public String storeCa() {
    return name + "-store-ca";
  }

  public String serviceAccountKey() {
    return name + "-service-account";
  }

  /** The Secret of the key with which kube-apiservers encrypt objects. */
  public String encryptionKey() {
    return name + "-encryption";
  }

  /**
   * The Secrets that are made once, and that open the cluster's data again; without that of
   * encryption, which is there only if something is encrypted.
   */
  public List<String> longLivedSecrets() {
    return List.of(clusterCa(), frontProxyCa(), storeCa(), serviceAccountKey());
  }

  /** All Secrets that are made once. */
  public List<String> longLivedSecrets(boolean encrypts) {
    return encrypts
        ? List.of(clusterCa(), frontProxyCa(), storeCa(), serviceAccountKey(), encryptionKey())
        : longLivedSecrets();
  }

  public String adminKubeconfig() {
    return name + "-admin-kubeconfig";
  }

  /** The ConfigMap with what the tuning model says. */
  public String tuning() {
    return name + "-tuning";
  }

  /** The ConfigMap with what the pods are made of. */
  public String bundle() {
    return name + "-bundle";
  }

  public String shard(String store) {
    return name + "-" + store;
  }

  public String shardSecret(String store) {
    return name + "-" + store + "-tls";
  }

  /**
   * The Service by which kube-apiservers reach a resource. What people read in its name may be cut,
   * and two groups may have resources of one name; the hash tells all of them apart.
   */
  public String route(ResourceRef resource) {
    String end = "-" + hash(name + " " + resource) + ROUTE;
    String begin = name + "-" + resource.resource();
    int room = MOST_CHARACTERS - end.length();
    return begin.substring(0, Math.min(room, begin.length())) + end;
  }

  /** Labels of that Service. */
  public Map<String, String> routeLabels(ResourceRef resource) {
    String group = resource.group() == null ? "" : resource.group();
    String whole = group.isEmpty() ? resource.resource() : resource.resource() + "." + group;
    Map<String, String> labels = labels();
    labels.put(ROUTE_LABEL, whole.length() <= MOST_CHARACTERS ? whole : hash(whole));
    return labels;
  }

  /** The store of this control plane whose StoreShard has a name, if the name can be one's. */
  public Optional<String> storeOf(String shard) {
    return shard.startsWith(name + "-")
        ? Optional.of(shard.substring(name.length() + 1))
        : Optional.empty();
  }

  private static String hash(String text) {
    try {
      byte[] digest =
          MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(digest, 0, 5);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("the JDK has no SHA-256", e);
    }
  }

  /** Labels of an object of the control plane. */
  public Map<String, String> labels() {
    Map<String, String> labels = new TreeMap<>();
    labels.put(Names.MANAGED_BY_LABEL, Names.MANAGED_BY);
    labels.put(CONTROL_PLANE_LABEL, name);
    return labels;
  }

  /** Labels of a component's objects and pods. */
  public Map<String, String> labels(String component) {
    Map<String, String> labels = labels();
    labels.put(COMPONENT_LABEL, component);
    return labels;
  }

  /** The labels by which a component's pods are selected; they never change. */
  public Map<String, String> selector(String component) {
    Map<String, String> labels = new TreeMap<>();
    labels.put(CONTROL_PLANE_LABEL, name);
    labels.put(COMPONENT_LABEL, component);
    return labels;
  }

  /** Whether labels are those of a component's pod. */
  public static boolean isOf(String component, Map<String, String> labels) {
    return labels != null && component.equals(labels.get(COMPONENT_LABEL));
  }
}
