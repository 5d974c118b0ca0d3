// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.bundle;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.util.Map;

/** The ConfigMap that keeps an owner's pins, and shows people what is pending. Pure. */
public final class BundleMap {
  private BundleMap() {}

  /** The ConfigMap. */
  public static ConfigMap of(
      String name, String namespace, Map<String, String> labels, Pins.Kept kept) {
    return new ConfigMapBuilder()
        .withNewMetadata()
        .withName(name)
        .withNamespace(namespace)
        .withLabels(labels)
        .endMetadata()
        .withData(kept.data())
        .withBinaryData(kept.binary())
        .build();
  }
}
