// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import java.util.SortedMap;

/**
 * What a container asks for of resources that may stand for devices.
 *
 * @param name of the container
 * @param index among init containers and then containers
 * @param longLived whether it runs as long as the pod: a container or a sidecar
 * @param wanted by resource
 */
public record ContainerDevices(
    String name, int index, boolean longLived, SortedMap<String, Wanted> wanted) {
  /**
   * How many.
   *
   * @param place of the resource among all that the container asks for, in alphabetical order
   */
  public record Wanted(long count, int place) {}
}
