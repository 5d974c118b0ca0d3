// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.render;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * Where the API of a ControlPlane is, and whom its nodes trust. Immutable.
 *
 * @param server URL
 * @param caPem certificates of all CAs that are trusted, in PEM
 */
public record ApiEndpoint(String server, String caPem) {
  /** File of the Secret with the administrator's kubeconfig. */
  public static final String FILE = "kubeconfig";

  private static final YAMLMapper YAML = new YAMLMapper();

  /** What the administrator's kubeconfig says of it, and nothing of the administrator. */
  public static Optional<ApiEndpoint> of(String kubeconfig) {
    JsonNode cluster;
    try {
      cluster = YAML.readTree(kubeconfig).at("/clusters/0/cluster");
    } catch (JsonProcessingException unreadable) {
      // Its words would be those of the Secret.
      return Optional.empty();
    }
    String server = cluster.path("server").asText("");
    String data = cluster.path("certificate-authority-data").asText("");
    return server.isEmpty() || data.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new ApiEndpoint(
                server, new String(Base64.getDecoder().decode(data), StandardCharsets.US_ASCII)));
  }
}
