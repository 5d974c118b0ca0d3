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

  /** etcd with the tag that an existing container's image has, else with the newest known. */
  public String etcd(Optional<String> existing) {
    return withTagOf(existing, kubernetesRegistry + "/etcd:" + etcdTag);
  }

  /** The store of the engine Memory with the tag that an existing container's image has. */
  public String store(Optional<String> existing) {
    return withTagOf(existing, store);
  }

  /** A scheduler of ours with the tag that an existing container's image has. */
  public String scheduler(Optional<String> existing) {
    return withTagOf(existing, scheduler);
  }

  /** The operator's image with the tag that an existing container's has, else its own. */
  public String operator(Optional<String> existing) {
    return withTagOf(existing, operator);
  }

  /** The registry always follows the settings; a tag stays, so that nothing restarts unasked. */
  private static String withTagOf(Optional<String> existing, String image) {
    return existing.map(tagged -> repository(image) + tag(tagged)).orElse(image);
  }

  private static String repository(String image) {
    return image.substring(0, image.length() - tag(image).length());
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
