// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.dependent;

import io.exaplane.api.v1alpha1.MemoryEngineSpec;
import io.exaplane.api.v1alpha1.StoreDurability;
import io.exaplane.api.v1alpha1.StorePrefix;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Flags of a store of our own for keys with certain prefixes. Pure. */
final class PrefixFlags {
  /**
   * Keys that a Critical store keeps in memory only, unless its spec says otherwise: kubelets and
   * clients write them anew, and most writes of a large cluster are theirs.
   */
  private static final List<String> IN_MEMORY =
      List.of("/registry/leases/kube-node-lease/", "/registry/events/");

  private PrefixFlags() {}

  /** Flags of a store whose keys are forced to the disk otherwise. */
  static List<String> ofMemory(MemoryEngineSpec memory) {
    return IN_MEMORY.stream()
        .filter(prefix -> prefixes(memory).stream().noneMatch(own -> decides(own, prefix)))
        .map(prefix -> durability(prefix, StoreDurability.Memory))
        .toList();
  }

  private static boolean decides(StorePrefix own, String prefix) {
    return own.durability() != null && prefix.startsWith(own.prefix());
  }

  /** Flags of what the spec says. */
  static List<String> of(MemoryEngineSpec memory) {
    List<String> flags = new ArrayList<>();
    for (StorePrefix prefix : prefixes(memory)) {
      if (prefix.durability() != null) {
        flags.add(durability(prefix.prefix(), prefix.durability()));
      }
      if (prefix.quota() != null) {
        flags.add("--prefix-quota-bytes=" + prefix.prefix() + "=" + bytes(prefix.quota()));
      }
      if (prefix.history() != null) {
        flags.add("--prefix-history=" + prefix.prefix() + "=" + prefix.history());
      }
    }
    return flags;
  }

  private static List<StorePrefix> prefixes(MemoryEngineSpec memory) {
    return memory == null || memory.prefixes() == null ? List.of() : memory.prefixes();
  }

  private static String durability(String prefix, StoreDurability durability) {
    return "--prefix-durability=" + prefix + "=" + flag(durability);
  }

  /** A durability as a flag's value. */
  static String flag(StoreDurability durability) {
    return durability.name().toLowerCase(Locale.ROOT);
  }

  private static long bytes(String size) {
    return new Quantity(size).getNumericalAmount().longValue();
  }
}
