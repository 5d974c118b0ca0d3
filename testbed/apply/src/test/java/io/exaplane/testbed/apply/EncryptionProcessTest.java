// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.operator.hosted.RewriteRun;
import io.exaplane.operator.pki.EncryptionKey;
import io.exaplane.operator.rotation.RotatedKey;
import io.exaplane.operator.rotation.Stage;
import io.exaplane.testbed.apply.EncryptedServers.Api;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Real kube-apiservers with the files of each step of a key, and what is in the store. */
class EncryptionProcessTest {
  private static final int SECRETS = 300;
  private static final int BATCH = 200;
  private static final EncryptionKey FIRST = EncryptionKey.make(List.of("secrets"));
  private static final EncryptionKey SECOND =
      EncryptionKey.make(List.of("secrets", "widgets.example.com"));

  @TempDir Path folder;

  private static RotatedKey key(Stage stage, int step, EncryptionKey current, EncryptionKey other) {
    return new RotatedKey(
        stage,
        step,
        Instant.EPOCH,
        Map.of("key", current.text()),
        other == null ? Map.of() : Map.of("key", other.text()));
  }

  private static String by(EncryptionKey key) {
    return "secretbox:v1:" + key.name();
  }

  private static void rewrite(Api api, RotatedKey key) {
    RewriteRun run = new RewriteRun(EncryptionKey.resources(key));
    int batches = 0;
    try (KubernetesClient client = api.client()) {
      while (!run.isDone()) {
        assertThat(run.batch(client, BATCH, Duration.ofMinutes(1))).as(run.progress()).isTrue();
        batches++;
      }
    }
    assertThat(batches).isEqualTo(SECRETS / BATCH + 1);
  }

  @Test
  void everyValueIsOfTheNewKeyBeforeTheOldOneGoes() throws Exception {
    try (EncryptedServers bed = new EncryptedServers(folder)) {
      RotatedKey on = key(Stage.ISSUING, 2, FIRST, EncryptionKey.IDENTITY);
      List<Api> before = bed.start(Optional.empty(), Optional.of(on));
      Api plain = before.getFirst();
      Api first = before.getLast();
      for (int i = 0; i < SECRETS; i++) {
        plain.write("s-" + i, "v" + i);
      }
      assertThat(bed.stored().values()).hasSize(SECRETS).containsOnly("");
      Map<String, String> values = plain.read();
      plain.end();
      first.write("s-0", "v0");
      assertThat(bed.stored()).containsEntry("s-0", by(FIRST)).containsEntry("s-1", "");
      rewrite(first, on);
      assertThat(bed.stored().values()).hasSize(SECRETS).containsOnly(by(FIRST));
      first.end();

      // The one before writes still by the first key, and reads what the other one writes.
      RotatedKey next = key(Stage.ISSUING, 5, SECOND, FIRST);
      List<Api> neighbours =
          bed.start(Optional.of(key(Stage.TRUSTED, 4, FIRST, SECOND)), Optional.of(next));
      Api trusting = neighbours.getFirst();
      Api second = neighbours.getLast();
      trusting.write("s-2", "w2");
      second.write("s-3", "w3");
      assertThat(bed.stored()).containsEntry("s-2", by(FIRST)).containsEntry("s-3", by(SECOND));
      values.putAll(Map.of("s-2", "w2", "s-3", "w3"));
      assertThat(trusting.read()).isEqualTo(values);
      assertThat(second.read()).isEqualTo(values);
      trusting.end();
      rewrite(second, next);
      assertThat(bed.stored().values()).hasSize(SECRETS).containsOnly(by(SECOND));
      second.end();

      RotatedKey off = key(Stage.ISSUING, 8, EncryptionKey.IDENTITY, SECOND);
      List<Api> after =
          bed.start(Optional.of(key(Stage.SINGLE, 6, SECOND, null)), Optional.of(off));
      assertThat(after.getFirst().read()).as("without the first key").isEqualTo(values);
      after.getFirst().end();
      rewrite(after.getLast(), off);
      assertThat(bed.stored().values()).hasSize(SECRETS).containsOnly("");
      assertThat(after.getLast().read()).isEqualTo(values);
    }
  }
}
