// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.source;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/**
 * The logins of a {@code config.json}, as docker and Secrets of the type {@code
 * kubernetes.io/dockerconfigjson} keep them. No program is run: what {@code credsStore} and {@code
 * credHelpers} keep is not read. Pure.
 */
public final class DockerConfig {
  private static final ObjectMapper JSON = new ObjectMapper();

  private DockerConfig() {}

  /**
   * The login for the registry of an address.
   *
   * @param json text of the file
   * @param address {@code HOST/REPOSITORY…}
   * @return the login; {@link Login#NONE} if the file has none for the registry
   * @throws IllegalArgumentException if the text is no such file; the message has no secret
   */
  public static Login login(String json, String address) {
    JsonNode logins;
    try {
      logins = JSON.readTree(json).path("auths");
    } catch (JsonProcessingException e) {
      // Not with the cause: its message may quote the file.
      throw new IllegalArgumentException(
          "the logins of registries are no JSON; write a file as 'docker login' does");
    }
    String host = address.replaceAll("/.*$", "");
    List<String> keys =
        host.equals("docker.io")
            ? List.of("https://index.docker.io/v1/", "docker.io", "index.docker.io")
            : List.of(host, "https://" + host, "https://" + host + "/v1/", "https://" + host + "/");
    for (String key : keys) {
      JsonNode one = logins.path(key);
      if (one.isObject() && !one.isEmpty()) {
        return of(one, key);
      }
    }
    return Login.NONE;
  }

  private static Login of(JsonNode one, String key) {
    if (one.hasNonNull("identitytoken")) {
      throw new IllegalArgumentException(
          "auths[%s].identitytoken is not used; write auth, or username and password"
              .formatted(key));
    }
    String coded = one.path("auth").asText("");
    if (coded.isEmpty()) {
      return new Login(one.path("username").asText(""), one.path("password").asText(""));
    }
    try {
      String both = new String(Base64.getDecoder().decode(coded), StandardCharsets.UTF_8);
      int colon = both.indexOf(':');
      if (colon > 0) {
        return new Login(both.substring(0, colon), both.substring(colon + 1));
      }
    } catch (IllegalArgumentException e) {
      // Said below, without the value.
    }
    throw new IllegalArgumentException(
        "auths[%s].auth must be USER:PASSWORD in base64; run 'docker login' again".formatted(key));
  }
}
