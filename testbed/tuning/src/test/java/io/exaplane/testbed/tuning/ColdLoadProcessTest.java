// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.OperatingSystemMXBean;
import io.exaplane.tuning.model.Estimate;
import io.exaplane.tuning.model.Load;
import io.exaplane.tuning.model.Store;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A kube-apiserver that starts on a store full of one Kind has memory enough to load it, by what
 * the model says: of Secrets, ConfigMaps, custom resources and pods, small and large.
 */
@Execution(ExecutionMode.CONCURRENT)
class ColdLoadProcessTest {
  private static final int SMALL = 1_000;
  private static final int LARGE = 100_000;

  /** Some 23,000 fields. */
  private static final int CUT_UP = 900_000;

  /** A heap is not the same each time. */
  private static final double NEAR = 1.05;

  /** An apiserver may take twenty times what is stored; the store and others want some, too. */
  private static final double MACHINE_PART = 1.0 / 40;

  @TempDir private Path folder;

  static List<Arguments> fillings() {
    List<Arguments> all = new ArrayList<>();
    for (long nodes : new long[] {100, 5_000}) {
      for (Filling.Kind kind : Filling.Kind.values()) {
        all.add(Arguments.of(nodes, new Filling(kind, SMALL)));
        all.add(Arguments.of(nodes, new Filling(kind, LARGE)));
      }
    }
    return all;
  }

  @Execution(ExecutionMode.SAME_THREAD)
  @Test
  void whatTakesMostIsLoaded() throws Exception {
    Filling custom = new Filling(Filling.Kind.CUSTOM_RESOURCES, SMALL);
    ColdStart cold = requireLoaded(100, custom, Asked.LOADED_BYTES);
    assertThat(cold.ratio()).as("%s", cold).isGreaterThan(0.8 * Load.MOST_RATIO);
    assertThat(cold.counted()).as("by the store: %s", cold).isBetween(0.95, 1.3);
  }

  /** The store refuses while a kube-apiserver of the smallest size can still load it. */
  @Execution(ExecutionMode.SAME_THREAD)
  @Test
  void aStoreThatRefusesIsLoaded() throws Exception {
    Filling cutUp = new Filling(Filling.Kind.CUSTOM_RESOURCES, CUT_UP);
    ColdStart cold =
        ColdStart.ofRefusing(Files.createDirectory(folder.resolve("refusing")), 100, cutUp);
    System.out.println(cold);
    assertThat(cold.peakBytes()).as("%s", cold).isLessThan(cold.limitBytes());
    assertThat(cold.liveBytes())
        .as("room for the collector: %s", cold)
        .isLessThan(Estimate.FULL * cold.limitBytes());
    assertThat(cold.counted()).as("by the store: %s", cold).isBetween(0.95, 1.3);
  }

  /** The quota, or as much of it as this machine can load: minutes each. */
  @Tag("long")
  @Execution(ExecutionMode.SAME_THREAD)
  @ParameterizedTest
  @MethodSource("fillings")
  void aFullStoreIsLoaded(long nodes, Filling filling) throws Exception {
    double quota =
        Clusters.tuning(nodes).estimate().stores().stream()
            .filter(store -> store.name().equals(Store.DEFAULT))
            .mapToDouble(store -> Store.quota(store.memory()))
            .findFirst()
            .orElseThrow();
    var machine = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    requireLoaded(nodes, filling, Math.min(quota, MACHINE_PART * machine.getTotalMemorySize()));
  }

  private ColdStart requireLoaded(long nodes, Filling filling, double bytes) throws Exception {
    ColdStart cold =
        ColdStart.of(Files.createDirectory(folder.resolve("cold")), nodes, filling, bytes);
    System.out.println(cold);
    assertThat(cold.ratio()).as("%s", cold).isBetween(0.9, NEAR * Load.MOST_RATIO);
    assertThat(cold.peakBytes()).as("%s", cold).isLessThan(cold.limitBytes());
    assertThat(cold.liveBytes())
        .as("room for the collector: %s", cold)
        .isLessThan(Estimate.FULL * cold.limitBytes());
    return cold;
  }
}
