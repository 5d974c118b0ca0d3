// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pod;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.exaplane.operator.wait.VolumeGuard;
import io.exaplane.operator.wait.WaitForDependencies;
import io.fabric8.kubernetes.api.model.LocalObjectReference;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * The pieces as the API server stores them. Another field or value replaces every pod that has the
 * piece, when its bundle is taken.
 */
class PodPiecesTest {
  @Test
  void aFrameHasNoTokenAndRunsRestricted() throws IOException {
    assertIs(
        PodFrame.of(List.of(new LocalObjectReference("pull")), 30).build(),
        """
        {"automountServiceAccountToken": false, "enableServiceLinks": false,
         "imagePullSecrets": [{"name": "pull"}],
         "securityContext": {"fsGroup": 10001, "runAsGroup": 10001, "runAsNonRoot": true,
           "runAsUser": 10001, "seccompProfile": {"type": "RuntimeDefault"}},
         "terminationGracePeriodSeconds": 30}
        """);
  }

  @Test
  void podsSpreadOverNodes() throws IOException {
    assertIs(
        PodFrame.spread(Map.of("a", "b")),
        """
        {"labelSelector": {"matchLabels": {"a": "b"}}, "maxSkew": 1,
         "topologyKey": "kubernetes.io/hostname", "whenUnsatisfiable": "ScheduleAnyway"}
        """);
  }

  @Test
  void aFirstContainerRunsAProgramOfTheOperator() throws IOException {
    assertIs(
        PodContainers.first(
                "wait", "r/operator:1", WaitForDependencies.class, List.of("--tcp", "a:1"))
            .build(),
        """
        {"name": "wait", "image": "r/operator:1", "imagePullPolicy": "IfNotPresent",
         "command": ["/opt/java/bin/java", "-Xmx32m", "-XX:+UseSerialGC",
           "-XX:TieredStopAtLevel=1", "-cp", "/app/app/*",
           "io.exaplane.operator.wait.WaitForDependencies", "--tcp", "a:1"],
         "securityContext": {"allowPrivilegeEscalation": false,
           "capabilities": {"drop": ["ALL"]}, "readOnlyRootFilesystem": true}}
        """);
    assertThat(
            PodContainers.first("g", "r/operator:1", VolumeGuard.class, List.of())
                .build()
                .getCommand())
        .endsWith("io.exaplane.operator.wait.VolumeGuard");
  }

  @Test
  void volumesAndTheirMounts() throws IOException {
    assertIs(
        PodVolumes.secret("pki", "demo-pki"),
        """
        {"name": "pki", "secret": {"defaultMode": 288, "secretName": "demo-pki"}}
        """);
    assertIs(
        PodVolumes.configuration(),
        """
        {"name": "configuration", "downwardAPI": {"items": [{"path": "config.yaml",
          "fieldRef": {"apiVersion": "v1",
            "fieldPath": "metadata.annotations['exaplane.io/configuration']"}}]}}
        """);
    assertIs(
        PodVolumes.configurationMount("/etc/x"),
        """
        {"name": "configuration", "mountPath": "/etc/x", "readOnly": true}
        """);
    assertIs(
        PodVolumes.readOnly("pki", "/etc/kubernetes/pki/"),
        """
        {"name": "pki", "mountPath": "/etc/kubernetes/pki", "readOnly": true}
        """);
    assertIs(
        PodVolumes.writable("data", "/data"),
        """
        {"name": "data", "mountPath": "/data"}
        """);
  }

  @Test
  void probesAreAGet() throws IOException {
    assertIs(
        PodProbes.https("/livez").withPeriodSeconds(2).build(),
        """
        {"httpGet": {"path": "/livez", "port": "https", "scheme": "HTTPS"}, "periodSeconds": 2}
        """);
    assertIs(
        PodProbes.paced(PodProbes.http("/readyz", "metrics"), 3, 4, 5),
        """
        {"httpGet": {"path": "/readyz", "port": "metrics", "scheme": "HTTP"},
         "periodSeconds": 3, "failureThreshold": 4, "timeoutSeconds": 5}
        """);
  }

  private static void assertIs(Object piece, String json) throws IOException {
    ObjectMapper mapper = new ObjectMapper();
    assertThat(mapper.readTree(Serialization.asJson(piece))).isEqualTo(mapper.readTree(json));
  }
}
