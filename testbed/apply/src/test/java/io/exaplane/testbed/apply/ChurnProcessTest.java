// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.apply;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.apply.engine.Counters;
import io.exaplane.apply.engine.Options;
import io.exaplane.apply.engine.Runner;
import io.exaplane.apply.engine.Summary;
import io.exaplane.apply.inventory.ApplySet;
import io.exaplane.apply.manifest.KnownFiles;
import io.exaplane.apply.manifest.ManifestReader;
import io.exaplane.apply.manifest.Reading;
import io.exaplane.apply.server.ServerPort;
import io.exaplane.testbed.machine.Await;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/**
 * Somebody writes the status of all Deployments each second, and now and then a field of ours, for
 * an hour at a real kube-apiserver, or for as many minutes as {@code -Dapply.churnMinutes=N} says.
 */
@Tag("long")
class ChurnProcessTest {
  private static final int DEPLOYMENTS = 40;
  private static final int MAPS = 16;
  private static final int DRIFT_EACH_SECONDS = 20;
  private static final Duration SOON = Duration.ofMinutes(2);
  private static final long MINUTES = Long.getLong("apply.churnMinutes", 60);

  private static final String DEPLOYMENT =
      """
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: churned-%d, namespace: default}
      spec:
        replicas: 1
        selector: {matchLabels: {app: churned}}
        template:
          metadata: {labels: {app: churned}}
          spec: {containers: [{name: one, image: example.org/one}]}
      """;

  private static final String MAP =
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: churned-%d, namespace: default}\ndata: {a: \"1\"}\n";

  @RegisterExtension static final SharedCluster SHARED = new SharedCluster();

  @TempDir private Path folder;

  private final ApplySet set = new ApplySet("churned", "default");

  @Test
  void anHourOfStatusCausesNoApplyButThoseOfDrift() throws Exception {
    for (int at = 0; at < DEPLOYMENTS; at++) {
      Files.writeString(folder.resolve("d" + at + ".yaml"), DEPLOYMENT.formatted(at));
    }
    for (int at = 0; at < MAPS; at++) {
      Files.writeString(folder.resolve("m" + at + ".yaml"), MAP.formatted(at));
    }
    Reading reading =
        ManifestReader.read(
            List.of(folder), InputStream.nullInputStream(), Map.of(), new KnownFiles());
    try (ServerPort port = SHARED.cluster().port(Cluster.ADMIN);
        Runner runner = new Runner(port, Options.DEFAULTS.following(true), any -> {})) {
      runner.want(set, reading.manifests(), reading.isWhole());
      Await.until(SOON, "all objects are applied", () -> isDone(runner), () -> runner.summary(set));
      Counters before = runner.summary(set).counters();
      final double requests = SHARED.cluster().applies();
      int drifts = churn();
      Await.until(
          SOON, "all objects are as before", () -> isDone(runner), () -> runner.summary(set));
      Counters after = runner.summary(set).counters();
      double ratio = after.hitRatio(before);
      System.out.printf(
          "%d minutes of churn at a real kube-apiserver: %d events, %d applies for %d drifts, %d"
              + " lists, %d watches, hit ratio %.2f %%%n",
          MINUTES,
          after.events() - before.events(),
          after.applies() - before.applies(),
          drifts,
          after.lists() - before.lists(),
          after.watches() - before.watches(),
          100 * ratio);
      assertThat(after.applies() - before.applies()).isEqualTo(drifts);
      // The inventory is a ConfigMap, too.
      assertThat(SHARED.cluster().applies() - requests)
          .isEqualTo(drifts + after.saves() - before.saves());
      assertThat(after.needless()).isEqualTo(before.needless());
      assertThat(ratio).isBetween(0.99, 0.9999);
    }
  }

  private boolean isDone(Runner runner) throws InterruptedException {
    Summary summary = runner.summary(set);
    return summary.good() && summary.items().size() == DEPLOYMENTS + MAPS;
  }

  /** Says how often a field of ours was changed; each change was put right. */
  private int churn() throws Exception {
    int drifts = 0;
    long from = System.nanoTime();
    for (int second = 1; second <= 60 * MINUTES; second++) {
      for (int at = 0; at < DEPLOYMENTS; at++) {
        SHARED
            .cluster()
            .change(
                "/apis/apps/v1/namespaces/default/deployments/churned-" + at + "/status",
                "{\"status\":{\"observedGeneration\":%d,\"replicas\":1}}".formatted(second));
      }
      if (second % DRIFT_EACH_SECONDS == 0) {
        String name = "churned-" + drifts++ % MAPS;
        SHARED
            .cluster()
            .change(
                "/api/v1/namespaces/default/configmaps/" + name,
                "{\"data\":{\"a\":\"x%d\"}}".formatted(second));
        Await.until(
            SOON,
            "the drift is put right",
            () -> SHARED.cluster().value("default", name).equals("1"),
            () -> name);
      }
      // The pace of those who write: a second without a write is not made up for.
      LockSupport.parkNanos(from + TimeUnit.SECONDS.toNanos(second) - System.nanoTime());
    }
    return drifts;
  }
}
