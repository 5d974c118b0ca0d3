// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.console;

import io.exaplane.api.v1alpha1.Names;

/**
 * A right to see something. Immutable.
 *
 * @param namespace "" for all namespaces
 * @param name "" for all objects
 */
record Right(String verb, String group, String resource, String namespace, String name) {
  static final String CONTROL_PLANES = "controlplanes";

  /** To see all control planes of a namespace, or of all of them. */
  static Right toListPlanes(String namespace) {
    return toList(CONTROL_PLANES, namespace);
  }

  /** To see one control plane. */
  static Right toGetPlane(String namespace, String name) {
    return new Right("get", Names.GROUP, CONTROL_PLANES, namespace, name);
  }

  /** To see all objects of one of our Kinds in a namespace. */
  static Right toList(String resource, String namespace) {
    return new Right("list", Names.GROUP, resource, namespace, "");
  }

  /** To see a ConfigMap. */
  static Right toGetConfigMap(String namespace, String name) {
    return new Right("get", "", "configmaps", namespace, name);
  }

  /** As people say it. */
  String words() {
    return verb + " " + resource;
  }
}
