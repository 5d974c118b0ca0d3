// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.model;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What some CustomResourceDefinitions take of each kube-apiserver, before they are installed. Pure.
 *
 * @param definitions how many
 * @param groupVersions that they serve, each of which a client without aggregated discovery asks
 *     for
 * @param properties fields of all their served schemas together
 * @param schemaBytes of JSON of all served schemas together
 * @param liveBytes of live heap, by the model
 */
public record DefinitionCost(
    int definitions, int groupVersions, long properties, double schemaBytes, double liveBytes) {
  /** GOMEMLIMIT by the container's limit of memory, as the model advises. */
  private static final double SOFT_LIMIT = 0.85;

  /**
   * Counts.
   *
   * @param definitions as JSON; what is missing in one counts as nothing
   * @return all of them together
   */
  public static DefinitionCost of(List<JsonNode> definitions) {
    return of(definitions.stream());
  }

  /**
   * Counts, one after the other, so that not all need to be in memory at once.
   *
   * @param definitions as JSON; what is missing in one counts as nothing
   * @return all of them together
   */
  public static DefinitionCost of(Stream<JsonNode> definitions) {
    int count = 0;
    Set<String> groupVersions = new HashSet<>();
    long properties = 0;
    double schemaBytes = 0;
    double liveBytes = 0;
    for (JsonNode one : (Iterable<JsonNode>) definitions::iterator) {
      count++;
      double bytes = 0;
      int served = 0;
      for (JsonNode version : one.path("spec").path("versions")) {
        if (version.path("served").asBoolean(false)) {
          served++;
          JsonNode schema = version.path("schema");
          bytes += schema.toString().getBytes(StandardCharsets.UTF_8).length;
          properties += properties(schema);
          groupVersions.add(
              one.path("spec").path("group").asText() + "/" + version.path("name").asText());
        }
      }
      schemaBytes += bytes;
      liveBytes += Memory.definitionBytes(served, bytes / Bytes.KIB);
    }
    return new DefinitionCost(count, groupVersions.size(), properties, schemaBytes, liveBytes);
  }

  /**
   * The schema of so many fields with types and descriptions as people write them, KiB of JSON: 120
   * bytes a field. At most what one object in a store can hold.
   */
  public static double schemaKib(int properties) {
    return Math.min(1_500, 0.12 * properties);
  }

  private static long properties(JsonNode schema) {
    long count = schema.path("properties").isObject() ? schema.path("properties").size() : 0;
    for (JsonNode child : schema) {
      if (child.isContainerNode()) {
        count += properties(child);
      }
    }
    return count;
  }

  /** Live heap by which a kube-apiserver has room for its work; see {@link Estimate#FULL}. */
  public static double roomyHeap(double softLimitBytes) {
    return Estimate.FULL * softLimitBytes / SOFT_LIMIT;
  }

  /**
   * The memory limit of the container in which they fit.
   *
   * @param liveBytesBefore live heap without them
   */
  public double limitBytes(double liveBytesBefore) {
    return Math.ceil((liveBytesBefore + liveBytes) / Estimate.FULL / (256 * Bytes.MIB))
        * 256
        * Bytes.MIB;
  }
}
