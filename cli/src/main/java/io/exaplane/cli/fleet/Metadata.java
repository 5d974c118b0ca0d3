// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.fleet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.exaplane.cli.measure.MeasurementException;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Lists only the metadata of objects, so that no Secret of anybody leaves the server. Thread-safe.
 */
final class Metadata {
  private static final String ONLY =
      "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";
  private static final JsonMapper JSON = new JsonMapper();
  private static final int PAGE = 2_000;
  private static final long TIMEOUT_SECONDS = 60;

  private final KubernetesClient client;

  Metadata(KubernetesClient client) {
    this.client = client;
  }

  /**
   * What the metadata of an object says.
   *
   * @param created to a second
   * @param uid of this object alone
   */
  record Item(String namespace, String name, String uid, Instant created, JsonNode json) {
    static Item of(JsonNode metadata) {
      return new Item(
          metadata.path("namespace").asText(),
          metadata.path("name").asText(),
          metadata.path("uid").asText(),
          Instant.parse(metadata.path("creationTimestamp").asText()),
          metadata);
    }

    String label(String name) {
      return json.path("labels").path(name).asText();
    }
  }

  /**
   * Those that a selector of labels finds, in pages.
   *
   * @throws MeasurementException if the server refuses or does not answer
   */
  List<Item> list(String path, String selector) {
    List<Item> items = new ArrayList<>();
    String next = "";
    do {
      JsonNode page =
          get(
              path
                  + "?limit="
                  + PAGE
                  + "&labelSelector="
                  + encoded(selector)
                  + (next.isEmpty() ? "" : "&continue=" + encoded(next)));
      page.path("items").forEach(item -> items.add(Item.of(item.path("metadata"))));
      next = page.at("/metadata/continue").asText();
    } while (!next.isEmpty());
    return items;
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private JsonNode get(String path) {
    String url = client.getConfiguration().getMasterUrl().replaceAll("/$", "") + path;
    try {
      HttpResponse<byte[]> response =
          client
              .getHttpClient()
              .sendAsync(
                  client
                      .getHttpClient()
                      .newHttpRequestBuilder()
                      .uri(url)
                      .header("Accept", ONLY)
                      .build(),
                  byte[].class)
              .get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
      if (response.code() != 200) {
        throw new MeasurementException(
            "the management cluster answers GET %s with status %d; check the rights of the account"
                .formatted(path, response.code()));
      }
      return JSON.readTree(response.body());
    } catch (ExecutionException | TimeoutException | IOException e) {
      throw new MeasurementException(
          "the management cluster does not answer GET %s (%s); check that its API is available"
              .formatted(path, e));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
