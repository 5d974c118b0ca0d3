// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.pace;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.port.ApiException;
import io.exaplane.apply.port.ApiPort;
import io.exaplane.apply.port.ResourceType;
import io.exaplane.apply.port.ServerLoad;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The definitions of a source that a server does not serve yet, and how full the server is before
 * them. Nobody writes into it.
 *
 * @param definitions manifests, more than {@link DefinitionPace#START}
 * @param load of the server that answered; {@link ServerLoad#UNKNOWN} if the account may not ask
 */
public record NewDefinitions(List<Manifest> definitions, ServerLoad load) {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String DEFINITION = "CustomResourceDefinition.apiextensions.k8s.io";

  public NewDefinitions {
    definitions = List.copyOf(definitions);
  }

  /**
   * The definitions as JSON, each parsed when it is reached: a tree takes many times the bytes.
   *
   * @return in the order of the source
   */
  public Stream<JsonNode> documents() {
    return definitions.stream().map(NewDefinitions::parsed);
  }

  /** Reads the figures of a server. */
  public interface Meter {
    /**
     * How busy the server is.
     *
     * @return as {@link ApiPort#load}
     * @throws ApiException when it did not answer, or the account may not ask
     * @throws InterruptedException when interrupted
     */
    ServerLoad load() throws ApiException, InterruptedException;
  }

  /**
   * The definitions among objects.
   *
   * @param manifests of any kinds
   * @return as JSON, in the same order
   * @throws IllegalArgumentException for a body that is no JSON, which no reader makes
   */
  public static List<JsonNode> among(List<Manifest> manifests) {
    return manifests.stream()
        .filter(NewDefinitions::isDefinition)
        .map(NewDefinitions::parsed)
        .toList();
  }

  private static boolean isDefinition(Manifest manifest) {
    return manifest.gvk().groupKind().equals(DEFINITION);
  }

  private static JsonNode parsed(Manifest manifest) {
    try {
      return JSON.readTree(manifest.body());
    } catch (IOException e) {
      throw new IllegalArgumentException(manifest + ": the body must be JSON", e);
    }
  }

  /**
   * What a definition defines.
   *
   * @param definition as JSON
   * @return as {@code Bucket.s3.aws.example.org}
   */
  public static String kind(JsonNode definition) {
    JsonNode spec = definition.path("spec");
    return spec.path("names").path("kind").asText() + "." + spec.path("group").asText();
  }

  /**
   * Asks a server; it is not asked about a few.
   *
   * @param api says what the server serves
   * @param meter says how busy it is, perhaps with other rights
   * @param manifests of a source
   * @return empty where there are no more new ones than may go at once
   * @throws ApiException when the server does not say what it serves
   * @throws InterruptedException when interrupted
   */
  public static Optional<NewDefinitions> of(ApiPort api, Meter meter, List<Manifest> manifests)
      throws ApiException, InterruptedException {
    List<Manifest> all = manifests.stream().filter(NewDefinitions::isDefinition).toList();
    if (all.size() <= DefinitionPace.START) {
      return Optional.empty();
    }
    Set<String> served = new HashSet<>();
    for (ResourceType one : api.discover().types().values()) {
      served.add(one.gvk().groupKind());
    }
    List<Manifest> added = all.stream().filter(one -> !served.contains(kind(parsed(one)))).toList();
    return added.size() <= DefinitionPace.START
        ? Optional.empty()
        : Optional.of(new NewDefinitions(added, load(meter)));
  }

  private static ServerLoad load(Meter meter) throws InterruptedException {
    try {
      return meter.load();
    } catch (ApiException e) {
      // The account may not read metrics: then nobody knows, and the words say so.
      return ServerLoad.UNKNOWN;
    }
  }
}
