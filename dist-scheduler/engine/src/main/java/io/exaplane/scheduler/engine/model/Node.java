// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.model;

import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;

/**
 * One node.
 *
 * @param allocatable what pods may ask for in sum
 * @param allowedPods how many pods it takes
 * @param images what is on its disk, by each name of an image, in bytes
 * @param features that its kubelet declares
 */
public record Node(
    String name,
    Labels labels,
    boolean unschedulable,
    List<Taint> taints,
    Amounts allocatable,
    int allowedPods,
    SortedMap<String, Long> images,
    SortedSet<String> features) {}
