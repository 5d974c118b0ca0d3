// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.scheduler.model.InvalidObjectException;
import io.exaplane.scheduler.model.Version;
import io.exaplane.scheduler.model.device.SelectorCompiler;
import io.exaplane.scheduler.plugin.Profile;
import io.exaplane.scheduler.queue.Backoff;
import io.exaplane.scheduler.root.RootConfig;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the process is told when it starts. */
class StartTest {
  @TempDir private Path folder;

  @Test
  void takesTheRulesOfTheServersVersion() {
    assertThat(ServerVersion.of("1", "34")).isEqualTo(Version.V1_34);
    assertThat(ServerVersion.of("1", "35+")).isEqualTo(Version.V1_35);
    assertThat(ServerVersion.of("1", "99")).isEqualTo(Version.newest());
    assertThatThrownBy(() -> ServerVersion.of("1", "33"))
        .isInstanceOf(ServerVersion.UnsupportedException.class)
        .hasMessageContaining("1.33")
        .hasMessageContaining("1.34");
    assertThatThrownBy(() -> ServerVersion.of("", ""))
        .isInstanceOf(ServerVersion.UnsupportedException.class);
  }

  @Test
  void readsAConfiguration() throws Exception {
    RootConfig config =
        read(
            """
            apiVersion: kubescheduler.config.k8s.io/v1
            kind: KubeSchedulerConfiguration
            podInitialBackoffSeconds: 2
            podMaxBackoffSeconds: 30
            leaderElection: {leaderElect: false}
            profiles:
            - schedulerName: one
            - schedulerName: two
            """);
    assertThat(config.profiles()).extracting(Profile::schedulerName).containsExactly("one", "two");
    assertThat(config.backoff()).isEqualTo(new Backoff(2000, 30_000));
    assertThat(SchedulerConfig.read("", "", Version.V1_35, SelectorCompiler.NONE).profiles())
        .extracting(Profile::schedulerName)
        .containsExactly("default-scheduler");
  }

  @Test
  void saysWhatIsWrongWithIt() {
    assertThatThrownBy(() -> read("profiles: [{schedulerName: ''"))
        .isInstanceOf(InvalidObjectException.class)
        .hasMessageContaining("--config")
        .hasMessageContaining("line");
    assertThatThrownBy(
            () ->
                read(
                    """
                    apiVersion: kubescheduler.config.k8s.io/v1
                    kind: KubeSchedulerConfiguration
                    podInitialBackoffSeconds: 0
                    """))
        .isInstanceOf(InvalidObjectException.class)
        .hasMessageContaining("podInitialBackoffSeconds")
        .hasMessageContaining("scheduler.yaml");
    Path nowhere = folder.resolve("nowhere");
    assertThatThrownBy(() -> SchedulerConfig.text(nowhere))
        .hasMessageContaining("look at its path");
    assertThatThrownBy(() -> Clusters.config(nowhere)).hasMessageContaining("--kubeconfig");
  }

  private RootConfig read(String yaml) throws IOException {
    Path file = Files.writeString(folder.resolve("scheduler.yaml"), yaml);
    String text = SchedulerConfig.text(file);
    return SchedulerConfig.read(text, file.toString(), Version.newest(), SelectorCompiler.NONE);
  }
}
