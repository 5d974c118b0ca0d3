// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.commit;

import io.exaplane.scheduler.engine.model.Pod;

/**
 * Which pod something is written about.
 *
 * @param uid so that nothing is written about another pod of that name
 * @param scheduler the name that the pod asks for, in which is written
 */
public record PodRef(String namespace, String name, String uid, String scheduler) {
  /** Of a pod that is on no node, of which the uid is known. */
  public static PodRef of(Pod pod) {
    return new PodRef(pod.spec().namespace(), pod.name(), pod.uid(), pod.spec().schedulerName());
  }

  String path() {
    return "/api/v1/namespaces/" + namespace + "/pods/" + name;
  }

  @Override
  public String toString() {
    return namespace + "/" + name;
  }
}
