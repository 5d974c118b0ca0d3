// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.status;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;

/** Writers of Events for tests. */
public final class Recorders {
  private Recorders() {}

  public static EventRecorder of(KubernetesClient client, Clock clock) {
    return new EventRecorder(client, clock);
  }

  /** Waits until what was told is written. */
  public static void close(EventRecorder events) throws InterruptedException {
    events.close();
  }
}
