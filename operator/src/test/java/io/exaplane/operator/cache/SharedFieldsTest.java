// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.cache;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Duration;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a hundred objects of one shape keep of their managed fields: little more than one does. */
class SharedFieldsTest {
  private static final String OBJECT =
      """
      {"apiVersion":"v1","kind":"Service","metadata":{"name":"s-%1$d","uid":"u-%1$d",
       "managedFields":[
        {"manager":"exaplane","operation":"Apply","apiVersion":"v1","fieldsType":"FieldsV1",
         "fieldsV1":{
          "f:metadata":{"f:labels":{"f:a":{},"f:b":{}},
                        "f:ownerReferences":{".":{},"k:{\\"uid\\":\\"o-%1$d\\"}":{}}},
          "f:spec":{"f:ports":{"k:{\\"port\\":2379}":{".":{},"f:name":{},"f:port":{}}},
                    "f:selector":{},"f:type":{}}}}]}}
      """;

  private final ObjectMapper mapper = new ObjectMapper();
  private final KubernetesSerialization serialization = serialization(mapper);

  private static KubernetesSerialization serialization(ObjectMapper mapper) {
    new SharedFields().customize(mapper);
    return new KubernetesSerialization(mapper, true);
  }

  private Service service(int number) {
    return serialization.unmarshal(OBJECT.formatted(number), Service.class);
  }

  private static Map<String, Object> fields(Service service) {
    return service
        .getMetadata()
        .getManagedFields()
        .getFirst()
        .getFieldsV1()
        .getAdditionalProperties();
  }

  @Test
  void whatOthersHaveAsWellIsKeptOnce() {
    List<Service> services = IntStream.range(0, 100).mapToObj(this::service).toList();
    IdentityHashMap<Object, Object> maps = new IdentityHashMap<>();
    services.forEach(service -> collect(fields(service), maps));
    // One shape has seven; an owner makes the three that lead to it.
    assertThat(maps).hasSizeLessThanOrEqualTo(7 + 3 * 100);
    assertThat(fields(services.getFirst()).get("f:spec"))
        .isSameAs(fields(services.getLast()).get("f:spec"));
  }

  @Test
  void nothingIsLost() throws Exception {
    String text = OBJECT.formatted(7);
    assertThat(mapper.readTree(serialization.asJson(service(7))).at("/metadata/managedFields"))
        .isEqualTo(mapper.readTree(text).at("/metadata/managedFields"));
  }

  @Test
  void whatIsNoTreeIsRead() {
    Service service =
        serialization.unmarshal(
            """
            {"apiVersion":"v1","kind":"Service","metadata":{"managedFields":[
             {"fieldsV1":{"f:spec":null,"f:x":[1],"f:y":"z"}},{"fieldsV1":{}},{"fieldsV1":null}]}}
            """,
            Service.class);
    assertThat(fields(service)).isEqualTo(Map.of("f:x", List.of(1), "f:y", "z"));
  }

  @Test
  void whatNobodyUsesIsForgotten() throws Exception {
    Canonical<Map<String, Object>> trees = new Canonical<>();
    Map<String, Object> used = trees.of(Map.of("f:used", Map.of()));
    for (int i = 0; i < 1_000; i++) {
      trees.of(Map.of("f:" + i, Map.of()));
    }
    long deadline = System.nanoTime() + Duration.ofSeconds(60).toNanos();
    while (trees.size() > 1 && System.nanoTime() < deadline) {
      System.gc();
      LockSupport.parkNanos(1_000_000);
    }
    assertThat(trees.size()).isEqualTo(1);
    assertThat(trees.of(Map.of("f:used", Map.of()))).isSameAs(used);
  }

  @SuppressWarnings("unchecked")
  private static void collect(Object value, IdentityHashMap<Object, Object> maps) {
    if (value instanceof Map<?, ?> map) {
      maps.put(map, true);
      ((Map<String, Object>) map).values().forEach(below -> collect(below, maps));
    }
  }
}
