// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.builtin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Endpoint;
import io.exaplane.operator.net.IpAddresses;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/**
 * What is known of a control plane when its built-in add-ons are applied, and pinned by no bundle.
 * Immutable.
 *
 * @param apiServer URL under which nodes reach the API
 * @param version of Kubernetes that all kube-apiservers run, at least
 */
public record Facts(String apiServer, String version) {
  static final String VERSION = "${kubernetes-version}";
  private static final String API_SERVER = "${api-server}";
  private static final String CONFIGURATION = "${configuration}";
  private static final JsonMapper JSON = new JsonMapper();
  private static final YAMLMapper YAML = new YAMLMapper();

  /** Those of a control plane whose endpoint is this one. */
  public static Facts of(ControlPlane controlPlane, Endpoint endpoint) {
    return new Facts(
        "https://%s:%d".formatted(IpAddresses.urlHost(endpoint.host()), endpoint.port()),
        version(controlPlane));
  }

  /**
   * kube-proxy must not be newer than a kube-apiserver. While a control plane changes its version,
   * that is the former one; one that begins has no former one.
   */
  private static String version(ControlPlane controlPlane) {
    Optional<ControlPlaneStatus.Versions> told =
        Optional.ofNullable(controlPlane.getStatus()).map(ControlPlaneStatus::version);
    return told.map(ControlPlaneStatus.Versions::current)
        .or(() -> told.map(ControlPlaneStatus.Versions::applied))
        .orElse(controlPlane.getSpec().version());
  }

  /**
   * The file of a source, in YAML. Pods carry a hash of the configuration, so that another one
   * replaces them.
   *
   * @param objects of {@link BuiltIns}, maybe of an earlier bundle
   */
  public String file(JsonNode objects) {
    try {
      JsonNode known =
          JSON.readTree(
              objects.toString().replace(API_SERVER, apiServer).replace(VERSION, version));
      JsonNode whole = JSON.readTree(known.toString().replace(CONFIGURATION, configuration(known)));
      StringBuilder file = new StringBuilder();
      for (JsonNode object : whole) {
        file.append(YAML.writeValueAsString(object));
      }
      return file.toString();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("objects of a built-in add-on are JSON", e);
    }
  }

  private static String configuration(JsonNode objects) {
    StringBuilder data = new StringBuilder();
    for (JsonNode object : objects) {
      if (object.path("kind").asText().equals("ConfigMap")) {
        data.append(object.path("data"));
      }
    }
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest(data.toString().getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, Long.BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
