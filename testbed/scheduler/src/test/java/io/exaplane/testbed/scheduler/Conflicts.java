// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.scheduler;

import io.exaplane.testbed.machine.Await;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;

/** Changes of objects that others change at the same time. Stateless. */
final class Conflicts {
  private Conflicts() {}

  /** Reads, changes and writes again, as long as somebody else wrote in between. */
  static void outlast(Runnable edit) throws InterruptedException {
    Await.until(
        "nobody else writes in between",
        () -> {
          try {
            edit.run();
            return true;
          } catch (KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
              return false;
            }
            throw e;
          }
        });
  }
}
