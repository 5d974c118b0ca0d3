// SPDX-License-Identifier: Apache-2.0
package io.exaplane.e2e;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** An object of about 900 KB: what the API server takes of one, and a Secret's limit is 1 MiB. */
enum LargeObject {
  CONFIG_MAPS("v1", "ConfigMap") {
    @Override
    Map<String, Object> content() {
      return Map.of("data", Map.of("value", "x".repeat(BYTES)));
    }
  },
  SECRETS("v1", "Secret") {
    @Override
    Map<String, Object> content() {
      return Map.of(
          "data", Map.of("value", Base64.getEncoder().encodeToString(new byte[BYTES * 3 / 4])));
    }
  },
  /** Of many small parts, as they are: of these an apiserver's memory takes the most. */
  CUSTOM_RESOURCES("example.com/v1", "Widget") {
    @Override
    Map<String, Object> content() {
      return Map.of(
          "spec",
          Map.of("items", parts(i -> Map.of("name", "item-" + i, "port", i, "on", true), 38)));
    }

    @Override
    void prepare(KubernetesClient client, Duration patience) {
      client.resource(DEFINITION).serverSideApply();
      Bed.await(
          "widgets are served",
          patience,
          () -> Hosted.holds(() -> all(client).inNamespace("default").list() != null));
    }
  },
  PODS("v1", "Pod") {
    @Override
    Map<String, Object> content() {
      List<Map<String, Object>> variables =
          parts(i -> Map.of("name", "VARIABLE_" + i, "value", "a value " + i), 44);
      return Map.of(
          "spec",
          Map.of(
              "containers",
              List.of(Map.of("name", "c", "image", "example.org/i:1", "env", variables))));
    }

    /** The API refuses pods of a ServiceAccount that a new namespace does not have yet. */
    @Override
    void prepare(KubernetesClient client, Duration patience) {
      Bed.await(
          "the ServiceAccount of pods is there",
          patience,
          () ->
              Hosted.holds(
                  () ->
                      client.serviceAccounts().inNamespace("default").withName("default").get()
                          != null));
    }
  };

  private static final int BYTES = 900_000;

  private static final String DEFINITION =
      """
      apiVersion: apiextensions.k8s.io/v1
      kind: CustomResourceDefinition
      metadata: {name: widgets.example.com}
      spec:
        group: example.com
        scope: Namespaced
        names: {plural: widgets, kind: Widget, singular: widget}
        versions:
        - name: v1
          served: true
          storage: true
          schema:
            openAPIV3Schema:
              type: object
              properties:
                spec: {type: object, x-kubernetes-preserve-unknown-fields: true}
      """;

  private final String apiVersion;
  private final String kind;

  LargeObject(String apiVersion, String kind) {
    this.apiVersion = apiVersion;
    this.kind = kind;
  }

  /** All but type and metadata. */
  abstract Map<String, Object> content();

  /** Makes what has to be there before the first one. */
  void prepare(KubernetesClient client, Duration patience) {}

  GenericKubernetesResource of(String name, String half) {
    GenericKubernetesResource object = new GenericKubernetesResource();
    object.setApiVersion(apiVersion);
    object.setKind(kind);
    object.setMetadata(new ObjectMetaBuilder().withName(name).addToLabels("half", half).build());
    object.setAdditionalProperties(content());
    return object;
  }

  MixedOperation<
          GenericKubernetesResource,
          GenericKubernetesResourceList,
          Resource<GenericKubernetesResource>>
      all(KubernetesClient client) {
    return client.genericKubernetesResources(apiVersion, kind);
  }

  private static List<Map<String, Object>> parts(
      IntFunction<Map<String, Object>> part, int bytesEach) {
    return IntStream.range(0, BYTES / bytesEach).mapToObj(part).toList();
  }
}
