// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.apply;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * One cluster for all test classes that leave it as others can use it: the start of a
 * kube-apiserver costs more than their tests. Ends after the last class.
 */
final class SharedCluster implements BeforeAllCallback {
  private Running running;

  /** In a folder of its own, since those of JUnit end with a class. */
  private record Running(Path folder, Cluster cluster) implements AutoCloseable {
    static Running start() {
      try {
        Path folder = Files.createTempDirectory("apply-cluster");
        return new Running(folder, Cluster.in(folder));
      } catch (Exception e) {
        throw new IllegalStateException("the cluster of the tests does not start", e);
      }
    }

    @Override
    public void close() {
      cluster.close();
      try (Stream<Path> files = Files.walk(folder)) {
        List<Path> deepest = files.sorted(Comparator.reverseOrder()).toList();
        for (Path one : deepest) {
          Files.delete(one);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    running =
        context
            .getRoot()
            .getStore(ExtensionContext.Namespace.GLOBAL)
            .getOrComputeIfAbsent(SharedCluster.class, any -> Running.start(), Running.class);
  }

  Cluster cluster() {
    return running.cluster();
  }

  /** Where the cluster's files are; for further ones with names of their own. */
  Path folder() {
    return running.folder();
  }
}
