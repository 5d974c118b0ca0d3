// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.entry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.exaplane.apply.manifest.Gvk;
import io.exaplane.apply.port.Content;
import io.exaplane.apply.port.FieldManager;
import io.exaplane.apply.port.Health;
import io.exaplane.apply.port.Observed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class OwnedHashTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Gvk DEPLOYMENT = Gvk.of("apps/v1", "Deployment");
  private static final String OBJECT =
      """
      {"metadata":{"name":"web","namespace":"shop","uid":"u","resourceVersion":"7","generation":2,
        "labels":{"applyset.kubernetes.io/part-of":"applyset-x-v1"},
        "managedFields":[
          {"manager":"exaplane","operation":"Apply","apiVersion":"apps/v1","time":"T1","fieldsV1":
            {"f:spec":{"f:replicas":{},"f:template":{"f:spec":{"f:containers":{
              "k:{\\"name\\":\\"b\\"}":{".":{},"f:image":{}}}}}}}},
          {"manager":"hpa","operation":"Update","apiVersion":"apps/v1","time":"T0","fieldsV1":
            {"f:spec":{"f:paused":{}}}},
          {"manager":"kube-controller-manager","operation":"Update","subresource":"status",
            "apiVersion":"apps/v1","time":"T9","fieldsV1":{"f:status":{"f:replicas":{}}}}]},
       "spec":{"replicas":3,"paused":false,"template":{"spec":{"containers":[
          {"name":"a","image":"one"},{"name":"b","image":"two"}]}}},
       "status":{"replicas":3}}
      """;

  private static ObjectNode object(String... changes) throws IOException {
    String text = OBJECT;
    for (int at = 0; at < changes.length; at += 2) {
      assertThat(text).contains(changes[at]);
      text = text.replace(changes[at], changes[at + 1]);
    }
    return (ObjectNode) JSON.readTree(text);
  }

  private static Observed seen(String... changes) throws IOException {
    return Observe.of(DEPLOYMENT, object(changes), Content.FULL, "exaplane");
  }

  @Test
  void valuesThatOthersOwnCountForNothing() throws IOException {
    long hash = seen().valuesHash();
    assertThat(hash).isNotZero();
    assertThat(seen("\"image\":\"one\"", "\"image\":\"new\"").valuesHash()).isEqualTo(hash);
    assertThat(seen("\"paused\":false", "\"paused\":true").valuesHash()).isEqualTo(hash);
    assertThat(seen("\"status\":{\"replicas\":3}", "\"status\":{}").valuesHash()).isEqualTo(hash);
    assertThat(seen("\"image\":\"two\"", "\"image\":\"new\"").valuesHash()).isNotEqualTo(hash);
    assertThat(seen("\"replicas\":3,\"paused\"", "\"replicas\":4,\"paused\"").valuesHash())
        .isNotEqualTo(hash);
  }

  @Test
  void fieldsTellOfLostOnesAndOfApplies() throws IOException {
    long hash = OwnedHash.fields(seen().managers(), "exaplane");
    assertThat(OwnedHash.fields(seen("\"T9\"", "\"T10\"").managers(), "exaplane")).isEqualTo(hash);
    assertThat(OwnedHash.fields(seen("\"f:replicas\":{},", "").managers(), "exaplane"))
        .isNotEqualTo(hash);
    assertThat(OwnedHash.fields(seen("\"T1\"", "\"T2\"").managers(), "exaplane"))
        .isNotEqualTo(hash);
    assertThat(OwnedHash.fields(seen().managers(), "somebody")).isZero();
  }

  @Test
  void othersChangeNeitherByTimeNorByStatus() throws IOException {
    long hash = OwnedHash.others(seen().managers(), "exaplane");
    assertThat(OwnedHash.others(seen("\"T0\"", "\"T5\"").managers(), "exaplane")).isEqualTo(hash);
    assertThat(OwnedHash.others(seen("f:status", "f:other").managers(), "exaplane"))
        .isEqualTo(hash);
    assertThat(OwnedHash.others(seen("f:paused", "f:other").managers(), "exaplane"))
        .isNotEqualTo(hash);
  }

  @Test
  void whatWasLostIsNamedWithItsNewOwner() {
    FieldManager before = manager("exaplane", "Apply", "{\"f:spec\":{\"f:a\":{}}}");
    FieldManager taker = manager("kubectl-edit", "Update", "{\"f:spec\":{\"f:replicas\":{}}}");
    FieldManager after =
        manager(
            "exaplane",
            "Apply",
            "{\"f:spec\":{\"f:a\":{},\"f:replicas\":{},\"f:list\":{\"k:{\\\"name\\\":\\\"b\\\"}\":"
                + "{\".\":{},\"f:image\":{}}}}}");
    assertThat(FieldPaths.lost(List.of(before, taker), List.of(after), "exaplane"))
        .containsExactly(
            new FieldPaths.Lost(".spec.list[{\"name\":\"b\"}].image", ""),
            new FieldPaths.Lost(".spec.replicas", "kubectl-edit"));
  }

  /** An aggregated API of a tenant answers what it likes. */
  @Test
  void setsThatMakeNoSenseEndNothing() throws IOException {
    for (String odd :
        List.of("{\"\":{\"\":{}}}", "{\"f\":{\"x\":{}}}", "[1", "{\"i:x\":{\"z:1\":{}}}")) {
      FieldManager taker = manager("other", "Update", odd);
      FieldManager ours = manager("exaplane", "Apply", odd);
      FieldManager sound = manager("exaplane", "Apply", "{\"f:data\":{\"f:a\":{}}}");
      assertThat(FieldPaths.lost(List.of(ours, taker), List.of(sound), "exaplane"))
          .as(odd)
          .containsExactly(new FieldPaths.Lost(".data.a", ""));
      assertThatThrownBy(() -> OwnedHash.values(object(), List.of(ours), "exaplane"))
          .as(odd)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("managedFields");
    }
  }

  private static FieldManager manager(String name, String operation, String fields) {
    return new FieldManager(
        name, operation, "", "apps/v1", "T", fields.getBytes(StandardCharsets.UTF_8));
  }

  @Test
  void healthFollowsTheStatusOfTheNewestGeneration() throws IOException {
    String ready =
        "\"status\":{\"observedGeneration\":2,\"replicas\":3,\"updatedReplicas\":3,"
            + "\"availableReplicas\":3}";
    assertThat(seen().health()).isEqualTo(Health.IN_PROGRESS);
    assertThat(seen("\"status\":{\"replicas\":3}", ready).health()).isEqualTo(Health.CURRENT);
    assertThat(
            seen(
                    "\"status\":{\"replicas\":3}",
                    ready.replace("\"observedGeneration\":2", "\"observedGeneration\":1"))
                .health())
        .isEqualTo(Health.IN_PROGRESS);
    assertThat(seen("\"generation\":2", "\"deletionTimestamp\":\"T\"").health())
        .isEqualTo(Health.TERMINATING);
  }
}
