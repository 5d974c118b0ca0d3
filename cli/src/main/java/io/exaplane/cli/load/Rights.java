// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.exaplane.cli.measure.MeasurementException;
import java.io.IOException;
import java.util.Map;

/** Asks the server, before a load creates anything, whether the account may delete it again. */
final class Rights {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String REVIEWS = "selfsubjectaccessreviews";
  private static final String PATH = "/apis/authorization.k8s.io/v1/" + REVIEWS;

  private final Run run;
  private final Load load;

  Rights(Run run, Load load) {
    this.run = run;
    this.load = load;
  }

  /**
   * Asks for each resource of the load; not on the load's thread.
   *
   * @throws MeasurementException if the account may not list or delete one, or if it may not ask
   */
  void requireDeletion() {
    for (Resource resource : load.resources()) {
      require("list", resource, "");
      require("delete", resource, resource.isNamespaced() ? load.namespace() : "");
    }
  }

  private void require(String verb, Resource resource, String namespace) {
    Map<String, Object> attributes =
        Map.of(
            "verb",
            verb,
            "group",
            resource.group(),
            "resource",
            resource.plural(),
            "namespace",
            namespace);
    byte[] review =
        NodeBody.json(
            Map.of(
                "apiVersion",
                "authorization.k8s.io/v1",
                "kind",
                "SelfSubjectAccessReview",
                "spec",
                Map.of("resourceAttributes", attributes)));
    Answer answer = run.must(Call.create(REVIEWS, PATH, Call.JSON, review).accepting(Call.JSON));
    if (!isAllowed(answer)) {
      throw new MeasurementException(
          "the account may not %s %s in %s, so nothing was created; give it this right, or use another --context"
              .formatted(
                  verb,
                  resource.plural(),
                  namespace.isEmpty() ? "the whole cluster" : "namespace " + namespace));
    }
  }

  private static boolean isAllowed(Answer answer) {
    try {
      JsonNode status = JSON.readTree(answer.body()).path("status");
      return status.path("allowed").asBoolean();
    } catch (IOException e) {
      throw new MeasurementException(
          "the answer about the rights of the account cannot be read (%s); check --context"
              .formatted(e.getMessage()));
    }
  }
}
