// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.RotationPhase;
import io.exaplane.api.v1alpha1.RotationStatus;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Secrets of a live control plane are encrypted, get another key, and are plain again. */
@Tag("long")
@Order(132)
class EncryptionE2E {
  private static final Duration PHASE = Duration.ofMinutes(12);
  private static final int SECRETS = 60;
  private static final String PREFIX = "/registry/secrets/default/s-";
  private static final String ENCRYPTED = "k8s:enc:secretbox:v1:";
  private static final ObjectMapper JSON = new ObjectMapper();

  @TempDir private Path folder;

  @Test
  @Timeout(value = 60, unit = TimeUnit.MINUTES)
  void onWithAnotherKeyAndOffAgainUnderRequestsAllTheTime() {
    try (Scratch scratch = new Scratch("encryption", Bed.VERSION, "")) {
      scratch.awaitSettled(Duration.ofMinutes(5));
      for (int i = 0; i < SECRETS; i++) {
        write(scratch, i);
      }
      assertThat(stored(scratch).values()).hasSize(SECRETS).containsOnly("");
      try (BusyClient client = BusyClient.following(scratch.name, scratch.namespace)) {
        patch(scratch, "{\"spec\":{\"encryption\":{}}}");
        await(scratch, RotationPhase.Completed);
        String first = onlyKey(scratch);
        assertThat(first).isNotEmpty();
        oneAtMostFails(client.report("encryption is switched on"));

        patch(scratch, wish("Prepare"));
        await(scratch, RotationPhase.Prepared);
        undoIsMadeGood(scratch);
        patch(scratch, wish("Complete"));
        await(scratch, RotationPhase.Completed);
        assertThat(onlyKey(scratch)).isNotIn("", first);
        patch(scratch, "{\"spec\":{\"pki\":{\"rotation\":null}}}");

        patch(scratch, "{\"spec\":{\"encryption\":null}}");
        Bed.await(
            "no Secret is encrypted",
            PHASE,
            () -> stored(scratch).values().stream().allMatch(String::isEmpty),
            () -> Objects.toString(rotation(scratch)));
        await(scratch, RotationPhase.Completed);
        oneAtMostFails(client.report("encryption is switched off"));
      }
      scratch.awaitSettled(Duration.ofMinutes(5));
      for (int i = 0; i < SECRETS; i++) {
        String value =
            scratch
                .client()
                .secrets()
                .inNamespace("default")
                .withName("s-" + i)
                .get()
                .getData()
                .get("value");
        assertThat(new String(Base64.getDecoder().decode(value), StandardCharsets.UTF_8))
            .isEqualTo("v" + i);
      }
    }
  }

  /** A client of a server that ends may lose one request, and its next one succeeds. */
  private static void oneAtMostFails(Requests.Report report) {
    assertThat(report.mostInARow()).as("%s", report.failures()).isLessThanOrEqualTo(1);
  }

  /**
   * Somebody puts kube-apiservers back to the old key, whose pods may write by it. The operator
   * takes that back, and holds nothing for written before it has written all objects again.
   */
  private void undoIsMadeGood(Scratch scratch) {
    Bed.await("status says that all is written", PHASE, () -> rewritten(scratch) != null);
    String written = rewritten(scratch);
    Rewritten history = new Rewritten();
    try (SharedIndexInformer<ControlPlane> _ =
        Bed.CLIENT
            .resources(ControlPlane.class)
            .inNamespace(scratch.namespace)
            .withName(scratch.name)
            .inform(history)) {
      Bed.kubectl(
          "--namespace=" + scratch.namespace,
          "rollout",
          "undo",
          "deployment/" + scratch.name + "-apiserver");
      Bed.await(
          "the record of what was written goes, and comes again",
          PHASE,
          () -> isWrittenAgain(history.told(), written),
          () -> history.told() + ", " + rotation(scratch));
    }
  }

  /** By the same key, and for a later revision of the Deployment. */
  private static boolean isWrittenAgain(List<String> told, String written) {
    return told.size() == 3
        && told.subList(0, 2).equals(List.of(written, ""))
        && !told.get(2).equals(written)
        && told.get(2).startsWith(written.substring(0, written.lastIndexOf('/') + 1));
  }

  /** What status told of the objects that were written, each change once. Thread-safe. */
  private static final class Rewritten implements ResourceEventHandler<ControlPlane> {
    private final List<String> told = new ArrayList<>();

    @Override
    public void onAdd(ControlPlane controlPlane) {
      note(controlPlane);
    }

    @Override
    public void onUpdate(ControlPlane before, ControlPlane controlPlane) {
      note(controlPlane);
    }

    @Override
    public void onDelete(ControlPlane controlPlane, boolean finalStateUnknown) {
      // The test deletes it at its end.
    }

    private synchronized void note(ControlPlane controlPlane) {
      RotationStatus status = controlPlane.getStatus().rotation();
      String now = Objects.toString(status.encryptionKey().rewritten(), "");
      if (told.isEmpty() || !told.getLast().equals(now)) {
        told.add(now);
      }
    }

    synchronized List<String> told() {
      return List.copyOf(told);
    }
  }

  private static void write(Scratch scratch, int number) {
    scratch
        .client()
        .resource(
            new SecretBuilder()
                .withNewMetadata()
                .withName("s-" + number)
                .withNamespace("default")
                .endMetadata()
                .withStringData(Map.of("value", "v" + number))
                .build())
        .create();
  }

  /** The key of all Secrets; "" if none is encrypted. */
  private String onlyKey(Scratch scratch) {
    Map<String, String> stored = stored(scratch);
    assertThat(stored.values().stream().distinct()).as(stored.toString()).hasSize(1);
    return stored.values().iterator().next();
  }

  /** What encrypts each Secret in the store, as key-0123abcd; "" for nothing. */
  private Map<String, String> stored(Scratch scratch) {
    Map<String, String> keys = new TreeMap<>();
    String answer =
        new Etcdctl(scratch.name, scratch.namespace, folder)
            .run("get", PREFIX, "--prefix", "--write-out=json");
    try {
      for (JsonNode pair : JSON.readTree(answer).path("kvs")) {
        String value = text(pair.path("value"));
        keys.put(
            text(pair.path("key")),
            value.startsWith(ENCRYPTED)
                ? value.substring(ENCRYPTED.length(), value.indexOf(':', ENCRYPTED.length()))
                : "");
      }
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
    assertThat(keys).hasSize(SECRETS);
    return keys;
  }

  private static String text(JsonNode encoded) {
    return new String(Base64.getDecoder().decode(encoded.asText()), StandardCharsets.ISO_8859_1);
  }

  private static String wish(String wish) {
    return "{\"spec\":{\"pki\":{\"rotation\":{\"encryptionKey\":\"%s\"}}}}".formatted(wish);
  }

  private static void patch(Scratch scratch, String patch) {
    Bed.kubectl(
        "--namespace=" + scratch.namespace,
        "patch",
        "controlplane",
        scratch.name,
        "--type=merge",
        "--patch=" + patch);
  }

  private static void await(Scratch scratch, RotationPhase phase) {
    Bed.await(
        "the key of encryption is " + phase,
        PHASE,
        () -> {
          RotationStatus rotation = rotation(scratch);
          return rotation != null
              && rotation.encryptionKey() != null
              && rotation.encryptionKey().phase() == phase;
        },
        () -> Objects.toString(rotation(scratch)));
  }

  private static String rewritten(Scratch scratch) {
    return rotation(scratch).encryptionKey().rewritten();
  }

  private static RotationStatus rotation(Scratch scratch) {
    return Bed.controlPlane(scratch.name, scratch.namespace).getStatus().rotation();
  }
}
