// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.scheduler;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/**
 * What tests of a batch of pods begin with: an API server with nothing on it, nodes, and a
 * recording for the auditor. How large they are is for the system properties {@code pool.nodes} and
 * {@code pool.pods} to say.
 */
abstract class BatchTest {
  static final int NODES = Integer.getInteger("pool.nodes", 40);
  static final int PODS = Integer.getInteger("pool.pods", 300);

  /** To start a server costs less than to take that many nodes, and their pods, from one. */
  private static final int FEW_NODES = 1000;

  @TempDir Path folder;

  LiveApi api;
  KubernetesClient client;
  PodBatch batch;
  private LiveApi own;
  private Recording recording;

  void start() throws Exception {
    start(NODES);
  }

  /** On the API server that tests share. */
  void start(int nodes) throws Exception {
    if (nodes > FEW_NODES) {
      start(nodes, startOwn());
    } else {
      start(nodes, SharedApi.lend());
    }
  }

  /** On one of its own, with these flags. */
  void startWith(String... apiServerFlags) throws Exception {
    start(NODES, startOwn(apiServerFlags));
  }

  private LiveApi startOwn(String... flags) throws Exception {
    own = LiveApi.start(folder, flags);
    return own;
  }

  private void start(int nodes, LiveApi server) throws Exception {
    api = server;
    client = api.client();
    recording = new Recording(client);
    batch = new PodBatch(client, recording).nodes(nodes);
  }

  @AfterEach
  void stop() {
    recording.close();
    client.close();
    if (own != null) {
      own.close();
    }
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
