// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.model;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Limits of the kernel that a host of pods needs, by the number of pods. The join script of a
 * NodePool raises what is lower. Pure.
 *
 * @param pods that the kubelet takes at most
 */
public record HostLimits(long pods) {
  /** The kernel's fs.nr_open, which no process exceeds unless somebody raises it. */
  public static final long OPEN_FILES = 1_048_576;

  private static final int INSTANCES = 16;
  private static final int WATCHES = 512;
  private static final int CONNECTIONS = 512;
  private static final int NEIGHBORS = 8;
  private static final int OTHER_NEIGHBORS = 1_024;

  /** Least values by the names of sysctls, in the order in which they are shown. */
  public Map<String, Long> sysctls() {
    Map<String, Long> values = new LinkedHashMap<>();
    values.put("fs.inotify.max_user_instances", INSTANCES * pods);
    values.put("fs.inotify.max_user_watches", WATCHES * pods);
    values.put("net.netfilter.nf_conntrack_max", CONNECTIONS * pods);
    values.put("net.ipv6.neigh.default.gc_thresh2", (NEIGHBORS * pods + OTHER_NEIGHBORS) / 2);
    values.put("net.ipv6.neigh.default.gc_thresh3", NEIGHBORS * pods + OTHER_NEIGHBORS);
    return values;
  }
}
