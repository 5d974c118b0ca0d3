// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Http;
import java.util.Base64;
import java.util.Locale;

/** Objects of one Kind and size, of which a store is full. */
record Filling(Kind kind, int bytes) {
  enum Kind {
    SECRETS,
    CONFIG_MAPS,
    CUSTOM_RESOURCES,
    PODS
  }

  private static final String NAME = "copied-0000000";
  private static final String CORE = "/api/v1/namespaces/default/";
  private static final String CUSTOM = "/apis/example.com/v1/namespaces/default/widgets";
  private static final String DEFINITION =
      """
      {"metadata":{"name":"widgets.example.com"},"spec":{"group":"example.com","scope":"Namespaced",
       "names":{"plural":"widgets","kind":"Widget","singular":"widget"},
       "versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":{"type":"object","properties":{
        "spec":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}}}]}}
      """;

  /** Where they are listed. */
  String path() {
    return kind == Kind.CUSTOM_RESOURCES
        ? CUSTOM
        : CORE + kind.name().replace("_", "").toLowerCase(Locale.ROOT);
  }

  /** That of the first one in the store. */
  String key() {
    return switch (kind) {
      case CUSTOM_RESOURCES -> "/registry/example.com/widgets/default/" + NAME;
      default -> path().replace("/api/v1/namespaces/default", "/registry") + "/default/" + NAME;
    };
  }

  void createOne(ControlPlane controlPlane) throws Exception {
    if (kind == Kind.CUSTOM_RESOURCES) {
      controlPlane.create("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", DEFINITION);
      Await.until(
          "widgets are served", () -> Http.get(controlPlane.uri(CUSTOM)).statusCode() == 200);
    }
    controlPlane.create(path(), object());
  }

  private String object() {
    String metadata =
        "{\"metadata\":{\"name\":\"%s\",\"labels\":{\"app\":\"some-app\",\"team\":\"a-team\"}},"
            .formatted(NAME);
    return metadata
        + switch (kind) {
          case SECRETS -> "\"data\":{\"value\":\"%s\"}}".formatted(encoded());
          case CONFIG_MAPS -> "\"data\":{\"value\":\"%s\"}}".formatted("v".repeat(bytes));
          case CUSTOM_RESOURCES ->
              "\"apiVersion\":\"example.com/v1\",\"kind\":\"Widget\",\"spec\":{\"items\":[%s]}}"
                  .formatted(items("{\"name\":\"item-%d\",\"port\":%1$d,\"on\":true}"));
          case PODS ->
              "\"spec\":{\"containers\":[{\"name\":\"c\",\"image\":\"example.org/i:1\",\"env\":[%s]}]}}"
                  .formatted(items("{\"name\":\"VARIABLE_%d\",\"value\":\"a value %1$d\"}"));
        };
  }

  private String encoded() {
    return Base64.getEncoder().encodeToString(new byte[bytes]);
  }

  /** Many small things, as objects are made of. */
  private String items(String form) {
    StringBuilder items = new StringBuilder();
    for (int i = 0; items.length() < bytes; i++) {
      items.append(i == 0 ? "" : ",").append(form.formatted(i));
    }
    return items.toString();
  }

  @Override
  public String toString() {
    return kind.name().toLowerCase(Locale.ROOT).replace('_', ' ') + " of " + bytes + " bytes";
  }
}
