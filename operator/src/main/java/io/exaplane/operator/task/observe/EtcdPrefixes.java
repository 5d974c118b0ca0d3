// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.task.observe;

import io.exaplane.api.v1alpha1.ResourceRef;
import java.util.Map;

/**
 * Where kube-apiserver keeps the objects of a built-in resource. The path is the plural name,
 * except for the resources of {@code SpecialDefaultResourcePrefixes} in kube-apiserver's
 * default_storage_factory_builder.go. Pure.
 */
public final class EtcdPrefixes {
  /** Default of kube-apiserver's flag --etcd-prefix. */
  public static final String ROOT = "/registry";

  private static final Map<String, String> SPECIAL =
      Map.of(
          "/replicationcontrollers", "controllers",
          "/endpoints", "services/endpoints",
          "/nodes", "minions",
          "/services", "services/specs",
          "networking.k8s.io/ingresses", "ingress");

  private EtcdPrefixes() {}

  /** The prefix of all keys of a built-in resource, with a slash at both ends. */
  public static String of(ResourceRef resource) {
    return "%s/%s/".formatted(ROOT, SPECIAL.getOrDefault(resource.toString(), resource.resource()));
  }
}
