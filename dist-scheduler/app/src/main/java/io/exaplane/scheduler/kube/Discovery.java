// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.kube;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.InputStream;

/** Which kinds an API server says that it has: everybody who has an account may ask. */
final class Discovery {
  private static final JsonMapper JSON = new JsonMapper();
  private static final int OK = 200;
  private static final int NOT_FOUND = 404;

  private final ApiStream api;

  Discovery(ApiStream api) {
    this.api = api;
  }

  /** Whether it has a kind; one that does not say so may have it. */
  boolean serves(Resource resource) throws IOException, InterruptedException {
    ApiStream.Answer answer = api.get(resource.groupPath(), "application/json");
    try (InputStream body = answer.body()) {
      // To its end: closed before, it would take the connection along.
      byte[] said = body.readAllBytes();
      if (answer.status() != OK) {
        return answer.status() != NOT_FOUND;
      }
      for (JsonNode each : JSON.readTree(said).path("resources")) {
        if (each.path("name").asText().equals(resource.plural())) {
          return true;
        }
      }
      return false;
    } catch (JacksonException e) {
      throw new IOException("GET " + resource.groupPath() + ": the answer is not JSON", e);
    }
  }
}
