// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.outcome;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Line 31: an object that is to be made is named, too, though its request's line has no name. */
class RequestedObjectTest {
  @ParameterizedTest
  @CsvSource(
      nullValues = "-",
      value = {
        "s-tls, 'secrets \"x\" is forbidden: exceeded quota: q', Secret s-tls",
        "-,     'secrets \"s-tls\" is forbidden: exceeded quota: q', Secret s-tls",
        "-,     'admission webhook \"w\" denied the request: no', Secret",
        "-,     -, Secret",
      })
  void thatIsToBeMade(String name, String message, String object) {
    Status status =
        new StatusBuilder()
            .withCode(403)
            .withMessage(message)
            .withNewDetails()
            .withName(name)
            .endDetails()
            .build();
    RequestedObject asked =
        RequestedObject.of(
            new KubernetesClientException(
                "Failure executing: POST at: https://10.0.0.1/api/v1/namespaces/ns/secrets. Message: "
                    + message
                    + ".",
                403,
                status));
    assertThat(asked).isEqualTo(new RequestedObject(object, "create"));
  }

  /** Of the roles that the manifests give: people know Kinds, not the names in paths. */
  @Test
  void whateverTheOperatorMayAskForHasItsKind() throws IOException {
    Set<String> plurals =
        Arrays.stream(
                Files.readString(Path.of("../config/manifests/operator.yaml")).split("(?m)^---$"))
            .filter(
                document ->
                    document.contains("\nkind: ClusterRole\n")
                        || document.contains("\nkind: Role\n"))
            .map(document -> Serialization.unmarshal(document, ClusterRole.class))
            .flatMap(role -> role.getRules().stream())
            .flatMap(rule -> rule.getResources().stream())
            .map(resource -> resource.replaceFirst("/.*", ""))
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(plurals).contains("controlplanes", "secrets");
    for (String plural : plurals) {
      assertThat(
              RequestedObject.of(
                      new KubernetesClientException(
                          "Failure executing: PATCH at: https://10.0.0.1/apis/g/v1/namespaces/ns/%s/x. Message: no."
                              .formatted(plural)))
                  .object())
          .matches("[A-Z]\\w+ x");
    }
  }
}
