// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.protobuf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.InvalidObjectException;
import io.exaplane.scheduler.engine.model.ObjectReader;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.scenario.KnownSelectors;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ProtobufObjectsTest {
  @Test
  void everyKindThatIsReadHasASchema() {
    for (Version of : Version.values()) {
      new ObjectReader(new Cluster(new KnownSelectors()), of)
          .versions()
          .forEach(
              (kind, version) ->
                  assertThat(ApiSchema.INSTANCE.versionsOf(kind)).as(kind).contains(version));
    }
  }

  /** As Kubernetes 1.36.3 encodes {@link #POD}, with an env and managedFields. */
  private static final byte[] ENCODED =
      Base64.getDecoder()
          .decode(
              "azhzAAoJCgJ2MRIDUG9kEoACCl8KAWESABoBYiIAKgN1LTEyADgAQggIpevcygYQAFoKCgNh"
                  + "cHASA3dlYloICgR0aWVyEgCKASkKAXgSBlVwZGF0ZRoCdjEyCEZpZWxkc1YxOgwKCnsiZjph"
                  + "Ijp7fX1CABKHAQoPCgF2EgpSCAoEZGF0YRAAEkMKAWMSAWkqADoGCgFFEgExQiESDgoDY3B1"
                  + "EgcKBTE1MDBtEg8KBm1lbW9yeRIFCgMxR2lqAHIAgAEAiAEAkAEAogEAGgAyAEIASgBSAFgA"
                  + "YABoAIIBAIoBAJoBALIBDwoBaxIGRXhpc3RzGgAiAMIBAMgBABoTCgAaACIAKgAyAEoAWgBy"
                  + "AIgBABoAIgA=");

  private static final Map<String, Object> POD =
      Map.of(
          "apiVersion",
          "v1",
          "kind",
          "Pod",
          "metadata",
          Map.of(
              "name",
              "a",
              "namespace",
              "b",
              "uid",
              "u-1",
              "creationTimestamp",
              Instant.parse("2026-01-02T03:04:05Z"),
              "labels",
              Map.of("app", "web", "tier", "")),
          "spec",
          Map.of(
              "priority",
              0L,
              "containers",
              List.of(
                  Map.of(
                      "name",
                      "c",
                      "image",
                      "i",
                      "resources",
                      Map.of("requests", Map.of("cpu", "1500m", "memory", "1Gi")))),
              "volumes",
              List.of(Map.of("name", "v", "persistentVolumeClaim", Map.of("claimName", "data"))),
              "tolerations",
              List.of(Map.of("key", "k", "operator", "Exists"))),
          "status",
          Map.of());

  @Test
  void areAsInJson() throws Exception {
    List<Map<String, Object>> read = read(ENCODED);
    assertThat(read).isEqualTo(List.of(POD));
    assertThat(read.getFirst().hashCode()).isEqualTo(POD.hashCode());
    assertThat(read.getFirst()).isEqualTo(read(ENCODED).getFirst());
    assertThat(read.getFirst().get("spec")).isNotEqualTo(read.getFirst().get("metadata"));
  }

  @Test
  void followOneAnother() throws Exception {
    assertThat(read(joined(ENCODED, ENCODED, ENCODED))).isEqualTo(List.of(POD, POD, POD));
    assertThat(read(new byte[0])).isEmpty();
  }

  @Test
  void areTheItemsOfLists() throws Exception {
    byte[] pod = raw(ENCODED);
    byte[] meta = field(1, field(2, bytes("7")));
    byte[] list = joined(meta, field(2, pod), field(2, pod));
    assertThat(read(envelope("v1", "PodList", list))).isEqualTo(List.of(POD, POD));
    assertThat(read(envelope("v1", "PodList", meta))).isEmpty();
  }

  @Test
  void ofKindsThatDecideNothingArePassedOver() throws Exception {
    byte[] any = field(2, bytes("whatever"));
    Map<String, Object> secret = Map.of("apiVersion", "v1", "kind", "Secret");
    assertThat(read(joined(envelope("v1", "SecretList", any), envelope("v1", "Secret", any))))
        .isEqualTo(List.of(secret, secret));
    Map<String, Object> custom = Map.of("apiVersion", "mesh.example.org/v1", "kind", "Service");
    assertThat(read(envelope("mesh.example.org/v1", "Service", any))).isEqualTo(List.of(custom));
  }

  @Test
  void ofAnotherVersionAreRefused() {
    byte[] slice = envelope("resource.k8s.io/v1beta1", "ResourceSlice", new byte[0]);
    assertThatThrownBy(() -> read(slice))
        .isInstanceOf(InvalidObjectException.class)
        .hasMessage(
            "ResourceSlice: apiVersion: \"resource.k8s.io/v1beta1\" is not valid: in the binary"
                + " encoding it has to be resource.k8s.io/v1; ask the API server for that version");
  }

  @Test
  void thatEndTooEarlyAreDamaged() {
    int end = ENCODED.length - "\u001a\u0000\"\u0000".length();
    for (int length = 1; length < end; length++) {
      byte[] cut = Arrays.copyOf(ENCODED, length);
      assertThatThrownBy(() -> read(cut))
          .as("%d bytes", length)
          .isInstanceOf(DamagedException.class);
    }
  }

  @Test
  void thatAreDamagedNeverBreakAnythingElse() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    int damaged = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] bytes = ENCODED.clone();
      for (int change = random.nextInt(4); change >= 0; change--) {
        bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
      }
      try {
        read(bytes).forEach(Map::hashCode);
      } catch (DamagedException | InvalidObjectException e) {
        damaged++;
      } catch (Exception | Error e) {
        throw new AssertionError("seed " + seed + ", round " + i, e);
      }
    }
    assertThat(damaged).isPositive();
  }

  private static List<Map<String, Object>> read(byte[] bytes) throws IOException, DamagedException {
    List<Map<String, Object>> objects = new ArrayList<>();
    new ProtobufObjects(objects::add).read(new ByteArrayInputStream(bytes));
    return objects;
  }

  private static byte[] envelope(String version, String kind, byte[] raw) {
    byte[] typeMeta = joined(field(1, bytes(version)), field(2, bytes(kind)));
    return joined(bytes("k8s\0"), field(1, typeMeta), field(2, raw), field(3, bytes("")));
  }

  /** The object within its envelope. */
  private static byte[] raw(byte[] encoded) {
    int typeMeta = 6 + encoded[5];
    int length = (encoded[typeMeta + 1] & 127) | encoded[typeMeta + 2] << 7;
    return Arrays.copyOfRange(encoded, typeMeta + 3, typeMeta + 3 + length);
  }

  private static byte[] field(int number, byte[] value) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    out.write(number << 3 | 2);
    int length = value.length;
    for (; length > 127; length >>>= 7) {
      out.write(length & 127 | 128);
    }
    out.write(length);
    out.writeBytes(value);
    return out.toByteArray();
  }

  private static byte[] joined(byte[]... parts) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      out.writeBytes(part);
    }
    return out.toByteArray();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
