// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.config;

import io.exaplane.api.v1alpha1.ImagesSpec;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.api.model.LocalObjectReferenceBuilder;
import java.util.List;
import java.util.Optional;

/** Image references, with one registry put in the place of all others where asked for. Pure. */
public final class Images {
  private final String kubernetesRegistry;
  private final String operator;
  private final String store;
  private final String scheduler;
  private final String etcdTag;
  private final Optional<String> pullSecret;

  public Images(OperatorConfig config, ImagesSpec override) {
    Optional<String> registry = Optional.ofNullable(override).map(ImagesSpec::registry);
    this.kubernetesRegistry = registry.orElse(config.imageRegistry());
    this.operator =
        registry.map(r -> r + "/" + path(config.operatorImage())).orElse(config.operatorImage());
    this.store = registry.map(r -> r + "/" + path(config.storeImage())).orElse(config.storeImage());
    this.scheduler =
        registry.map(r -> r + "/" + path(config.schedulerImage())).orElse(config.schedulerImage());
    this.etcdTag = config.etcdTag();
    this.pullSecret =
        Optional.ofNullable(override).map(ImagesSpec::pullSecret).or(config::imagePullSecret);
  }

  /** A component of Kubernetes, as {@code registry.k8s.io/kube-apiserver:v1.37.2}. */
  public String kubernetes(String component, String version) {
    return kubernetesRegistry + "/" + component + ":v" + version;
  }

  /** The newest etcd that is known. */
  public String etcd() {
    return kubernetesRegistry + "/etcd:" + etcdTag;
  }

  /** The store of the engine Memory. */
  public String store() {
    return store;
  }

  /** A scheduler of ours. */
  public String scheduler() {
    return scheduler;
  }

  /** The operator's own image. */
  public String operator() {
    return operator;
  }

  /** The part from the colon after the last slash on. */
  private static String tag(String image) {
    int colon = image.indexOf(':', image.lastIndexOf('/') + 1);
    return colon < 0 ? "" : image.substring(colon);
  }

  /** An image's tag, as {@code 3.6.8-0}; empty without one. */
  public static String tagOf(String image) {
    String tag = tag(image.replaceFirst("@.*", ""));
    return tag.isEmpty() ? "" : tag.substring(1);
  }

  /**
   * When a kubelet asks the registry for an image. A tag that ends with {@code -SNAPSHOT} is
   * written again by each build, so a node that has an image of that name may have an older one.
   */
  public static String pullPolicy(String image) {
    return tagOf(image).endsWith("-SNAPSHOT") && !image.contains("@") ? "Always" : "IfNotPresent";
  }

  /** The pull secrets of a pod: none or one. */
  public List<LocalObjectReference> pullSecrets() {
    return pullSecret
        .map(name -> List.of(new LocalObjectReferenceBuilder().withName(name).build()))
        .orElse(List.of());
  }

  /** The image without its registry: the part before the first slash when that is a host. */
  private static String path(String image) {
    int slash = image.indexOf('/');
    String host = slash < 0 ? "" : image.substring(0, slash);
    boolean isHost = host.contains(".") || host.contains(":") || host.equals("localhost");
    return isHost ? image.substring(slash + 1) : image;
  }
}
