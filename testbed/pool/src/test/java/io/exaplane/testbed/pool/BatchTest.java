// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.pool;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * What tests of a batch of pods begin with: an API server of their own, nodes, and a recording for
 * the auditor. How large they are is for the system properties {@code pool.nodes} and {@code
 * pool.pods} to say.
 */
abstract class BatchTest {
  static final int NODES = Integer.getInteger("pool.nodes", 60);
  static final int PODS = Integer.getInteger("pool.pods", 600);

  @TempDir Path folder;

  LiveApi api;
  KubernetesClient client;
  PodBatch batch;
  private Recording recording;

  void start(String... apiServerFlags) throws Exception {
    start(NODES, apiServerFlags);
  }

  void start(int nodes, String... apiServerFlags) throws Exception {
    api = LiveApi.start(folder, apiServerFlags);
    client = api.client();
    recording = new Recording(client);
    batch = new PodBatch(client, recording).nodes(nodes);
  }

  @AfterEach
  void stop() {
    recording.close();
    client.close();
    api.close();
  }

  /** Makes pods while the test goes on. */
  Thread create(int from, int to) {
    return Thread.ofVirtual()
        .start(
            () -> {
              try {
                batch.create(from, to);
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
  }
}
