// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.scheduler;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/**
 * The one API server that all tests of this virtual machine share: its start costs more than most
 * tests. A test that needs flags of its own starts one with {@link LiveApi#start}. A test may kill
 * this one if it starts it again. Tests that use it do not run side by side.
 */
final class SharedApi {
  private static LiveApi api;

  private SharedApi() {}

  /** Returns it, ready and without anything that an earlier test made. It is nobody's to close. */
  static synchronized LiveApi lend() throws Exception {
    if (api != null && api.isAlive()) {
      try (KubernetesClient client = api.client()) {
        new Wipe(client).run();
      }
      return api;
    }
    if (api != null) {
      api.close();
      api = null;
    }
    Path folder = Files.createTempDirectory("exaplane-shared-api");
    LiveApi started = LiveApi.start(folder, "--delete-collection-workers=8");
    Runtime.getRuntime().addShutdownHook(new Thread(() -> end(started, folder)));
    api = started;
    return api;
  }

  private static void end(LiveApi api, Path folder) {
    api.close();
    try (Stream<Path> files = Files.walk(folder)) {
      files.sorted(Comparator.reverseOrder()).forEach(SharedApi::delete);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
