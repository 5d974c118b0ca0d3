// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import io.exaplane.testbed.machine.Server;
import io.exaplane.tuning.Tuning;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * What the tests of one run share: a store, and a kube-apiserver for all that don't ask about its
 * flags. Each is started when the first test wants it, and ends with the run. Only who does not use
 * the shared kube-apiserver may run beside others: any thread may ask for the store.
 */
final class ControlPlanes implements AutoCloseable {
  /** So that a failure can be had again: what differs between two runs comes from it. */
  static final long SEED = Long.getLong("seed", System.nanoTime());

  private final Path folder;
  private final Path certificates;
  private final Path audit;
  private Server store;
  private ControlPlane shared;
  private ListedPods pods;

  /** Gives them to the tests of a class, which take them as a parameter. */
  static final class Given implements ParameterResolver {
    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
      return parameter.getParameter().getType() == ControlPlanes.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
      return context
          .getRoot()
          .getStore(ExtensionContext.Namespace.GLOBAL)
          .getOrComputeIfAbsent(ControlPlanes.class);
    }
  }

  /** JUnit makes the one that there is. */
  ControlPlanes() throws IOException {
    folder = Files.createTempDirectory("exaplane-tuning");
    certificates = folder.resolve("certificates");
    audit = folder.resolve("audit.log");
  }

  /** The store that all kube-apiservers of {@link #start} use. */
  synchronized Server store() throws Exception {
    if (store == null) {
      store = ControlPlane.startStore(folder);
    }
    return store;
  }

  /** Starts a kube-apiserver of the test's own with what the model says, and with more flags. */
  ControlPlane start(Path folder, Tuning tuning, String... more) throws Exception {
    return ControlPlane.on(store(), certificates, folder, tuning, List.of(more));
  }

  /** The same for a class that runs beside others: it makes its own certificates. */
  ControlPlane startBeside(Path folder, Tuning tuning, String... more) throws Exception {
    return ControlPlane.on(store(), folder, folder, tuning, List.of(more));
  }

  /**
   * The kube-apiserver that all tests share, as the model has it for a hundred nodes. A test leaves
   * no pods in it, and no processes that work on it: what it starts ends with what this returns.
   */
  ControlPlane shared(Path folder) throws Exception {
    if (shared == null) {
      shared =
          ControlPlane.on(store(), certificates, this.folder, Clusters.tuning(100), sharedFlags());
      shared.admitTesters();
    }
    return shared.lent(folder);
  }

  /** All pods of the shared kube-apiserver. */
  ListedPods pods() throws Exception {
    if (pods == null) {
      pods = ListedPods.create(shared(folder), new Random(SEED));
    }
    return pods;
  }

  /** What the shared kube-apiserver was asked, by all tests so far. */
  Path audit() {
    return audit;
  }

  private List<String> sharedFlags() throws IOException {
    Path policy = folder.resolve("policy.yaml");
    Files.writeString(
        policy,
        """
        apiVersion: audit.k8s.io/v1
        kind: Policy
        omitStages: [RequestReceived]
        rules: [{level: Metadata}]
        """);
    List<String> flags =
        new ArrayList<>(
            List.of(
                "--audit-policy-file=" + policy,
                "--audit-log-path=" + audit,
                "--audit-log-mode=blocking",
                "--etcd-count-metric-poll-period=1s",
                // Pods whose account need not be there.
                "--disable-admission-plugins=ServiceAccount"));
    if (Clusters.hasGate("DetectCacheInconsistency")) {
      // It reads all that is cached now and then, which would be counted.
      flags.add("--feature-gates=DetectCacheInconsistency=false");
    }
    return flags;
  }

  @Override
  public void close() throws IOException {
    if (shared != null) {
      shared.close();
    }
    if (store != null) {
      store.close();
    }
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
