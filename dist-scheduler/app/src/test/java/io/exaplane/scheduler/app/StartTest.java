// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.scheduler.engine.model.InvalidObjectException;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.model.device.SelectorCompiler;
import io.exaplane.scheduler.engine.plugin.Profile;
import io.exaplane.scheduler.engine.queue.Backoff;
import io.exaplane.scheduler.kube.ApiWriter;
import io.exaplane.scheduler.kube.Pace;
import io.exaplane.scheduler.kube.RealPace;
import io.exaplane.scheduler.root.RootConfig;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the process is told when it starts. */
class StartTest {
  @TempDir private Path folder;

  @Test
  void takesTheRulesOfTheServersVersion() {
    assertThat(ServerVersion.of("1", "34")).isEqualTo(Version.V1_34);
    assertThat(ServerVersion.of("1", "35+")).isEqualTo(Version.V1_35);
    assertThat(ServerVersion.of("1", "37")).isEqualTo(Version.V1_37);
    assertThat(ServerVersion.of("1", "99")).isEqualTo(Version.newest());
    assertThatThrownBy(() -> ServerVersion.of("1", "33"))
        .isInstanceOf(ServerVersion.UnsupportedException.class)
        .hasMessageContaining("1.33")
        .hasMessageContaining("1.34");
    assertThatThrownBy(() -> ServerVersion.of("", ""))
        .isInstanceOf(ServerVersion.UnsupportedException.class);
  }

  @Test
  void waitsForAServerThatIsNotThereYet() throws Exception {
    List<Object> answers =
        new ArrayList<>(
            List.of(
                new ConnectException("refused"),
                new ConnectException("refused"),
                reply(503, Map.of()),
                reply(200, Map.of("major", "1", "minor", "35"))));
    List<Integer> pauses = new ArrayList<>();
    assertThat(ServerVersion.await(request -> next(answers), pace(pauses)))
        .isEqualTo(Version.V1_35);
    assertThat(pauses).containsExactly(1, 2, 3);
    List<Object> refusal = new ArrayList<>(List.of(reply(401, Map.of("message", "who are you?"))));
    assertThatThrownBy(() -> ServerVersion.await(request -> next(refusal), pace(pauses)))
        .isInstanceOf(IOException.class)
        .hasMessage("GET /version: who are you?");
  }

  @Test
  void keysAreOfTheAlgorithmThatTheyAreOf() throws Exception {
    for (String algorithm : List.of("EC", "RSA", "Ed25519")) {
      byte[] key =
          KeyPairGenerator.getInstance(algorithm).generateKeyPair().getPrivate().getEncoded();
      String pem =
          "-----BEGIN PRIVATE KEY-----\n"
              + Base64.getMimeEncoder().encodeToString(key)
              + "\n-----END PRIVATE KEY-----\n";
      assertThat(Clusters.algorithm(pem)).contains(algorithm);
    }
    assertThat(Clusters.algorithm("-----BEGIN EC PRIVATE KEY-----")).isEmpty();
  }

  private static ApiWriter.Reply reply(int status, Map<String, Object> object) {
    return new ApiWriter.Reply(status, Duration.ZERO, object);
  }

  private static ApiWriter.Reply next(List<Object> answers) throws IOException {
    Object next = answers.removeFirst();
    if (next instanceof IOException trouble) {
      throw trouble;
    }
    return (ApiWriter.Reply) next;
  }

  private static Pace pace(List<Integer> pauses) {
    return new RealPace() {
      @Override
      public void pause(int failures, Duration atLeast) {
        pauses.add(failures);
      }
    };
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
    String gangs =
        """
        apiVersion: kubescheduler.config.k8s.io/v1
        kind: KubeSchedulerConfiguration
        profiles: [{plugins: {multiPoint: {enabled: [{name: GangScheduling}]}}}]
        """;
    for (Version version : List.of(Version.V1_36, Version.V1_37)) {
      assertThat(SchedulerConfig.read(gangs, "", version, SelectorCompiler.NONE).profiles())
          .allMatch(Profile::schedulesGangs);
    }
    Path nowhere = folder.resolve("nowhere");
    assertThatThrownBy(() -> SchedulerConfig.text(nowhere)).hasMessageContaining("check the path");
    assertThatThrownBy(() -> Clusters.config(nowhere)).hasMessageContaining("--kubeconfig");
  }

  private RootConfig read(String yaml) throws IOException {
    Path file = Files.writeString(folder.resolve("scheduler.yaml"), yaml);
    String text = SchedulerConfig.text(file);
    return SchedulerConfig.read(text, file.toString(), Version.newest(), SelectorCompiler.NONE);
  }
}
