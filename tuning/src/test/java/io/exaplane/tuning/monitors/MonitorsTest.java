// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.monitors;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.exaplane.tuning.alerts.Series;
import io.exaplane.tuning.model.InvalidInputException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MonitorsTest {
  private static final HostedPlane DEMO = new HostedPlane("team", "demo");
  private static final JsonMapper JSON = new JsonMapper();

  @Test
  void everyJobOfAlertsIsRead() {
    assertThat(targets())
        .extracting(Target::job)
        .containsExactlyInAnyOrder(
            Series.OPERATOR,
            Series.STORE,
            Series.POOL,
            Series.API_SERVER,
            Series.CONTROLLERS,
            Series.KUBE_SCHEDULER);
  }

  /** Both forms give series the same job and control plane, from the same pods and pages. */
  @Test
  void bothFormsSayTheSame() {
    JsonNode jobs = JSON.valueToTree(Monitors.scrapes(targets(), "30s")).path("scrape_configs");
    JsonNode monitors = JSON.valueToTree(Monitors.podMonitors(targets(), "30s", ""));
    assertThat(jobs).hasSameSizeAs(monitors).hasSize(6);
    for (int i = 0; i < jobs.size(); i++) {
      JsonNode job = jobs.get(i);
      JsonNode endpoint = monitors.get(i).at("/spec/podMetricsEndpoints/0");
      assertThat(endpoint.path("path")).isEqualTo(job.path("metrics_path"));
      assertThat(endpoint.path("interval")).isEqualTo(job.path("scrape_interval"));
      assertThat(endpoint.has("authorization")).isEqualTo(job.has("authorization"));
      assertThat(endpoint.path("scheme")).isEqualTo(job.path("scheme"));
      List<String> values = job.path("relabel_configs").findValuesAsText("replacement");
      assertThat(endpoint.path("relabelings").findValuesAsText("replacement")).isEqualTo(values);
      assertThat(job.path("relabel_configs").findValuesAsText("regex"))
          .contains(endpoint.path("port").asText());
      assertThat(endpoint.path("relabelings").findValuesAsText("targetLabel"))
          .isEqualTo(
              job.path("relabel_configs").findValuesAsText("target_label").stream()
                  .filter(label -> !label.equals("namespace") && !label.equals("pod"))
                  .toList());
    }
  }

  /** What has a Service is read by it, with the same rules; nothing is read twice. */
  @Test
  void serviceMonitorsReadTheSame() {
    JsonNode byPods = JSON.valueToTree(Monitors.podMonitors(targets(), "30s", "monitoring"));
    JsonNode byServices =
        JSON.valueToTree(Monitors.serviceMonitors(targets(), "30s", "monitoring"));
    assertThat(byServices)
        .extracting(each -> each.path("kind").asText() + " " + each.at("/metadata/name").asText())
        .containsExactly(
            "ServiceMonitor exaplane-operator",
            "ServiceMonitor exaplane-store",
            "PodMonitor exaplane-scheduler",
            "ServiceMonitor demo-exaplane-apiserver",
            "PodMonitor demo-exaplane-controller-manager",
            "PodMonitor demo-exaplane-kube-scheduler");
    for (int i = 0; i < byPods.size(); i++) {
      JsonNode pods = byPods.get(i);
      JsonNode services = byServices.get(i);
      boolean isOfService = services.path("kind").asText().equals("ServiceMonitor");
      assertThat(services.path("metadata")).isEqualTo(pods.path("metadata"));
      assertThat(services.at("/spec/selector")).isEqualTo(pods.at("/spec/selector"));
      assertThat(services.at("/spec/namespaceSelector"))
          .isEqualTo(pods.at("/spec/namespaceSelector"));
      assertThat(services.at(isOfService ? "/spec/endpoints" : "/spec/podMetricsEndpoints"))
          .isEqualTo(pods.at("/spec/podMetricsEndpoints"));
      assertThat(services.path("spec").size()).isEqualTo(pods.path("spec").size());
    }
  }

  /** Names of jobs must differ in a file; the label is the same for all control planes. */
  @Test
  void twoControlPlanesHaveJobsOfTheirOwn() {
    List<Target> both = new ArrayList<>(Target.ofControlPlane(DEMO));
    both.addAll(Target.ofControlPlane(new HostedPlane("team", "other")));
    JsonNode jobs = JSON.valueToTree(Monitors.scrapes(both, "30s")).path("scrape_configs");
    assertThat(jobs.findValuesAsText("job_name")).doesNotHaveDuplicates().hasSize(6);
    assertThat(jobs.at("/0/relabel_configs").toString())
        .contains("\"target_label\":\"job\",\"replacement\":\"exaplane-apiserver\"");
    assertThat(jobs.at("/0/authorization/credentials_file").asText())
        .isEqualTo("/etc/prometheus/team-demo-token");
  }

  @Test
  void thoseOfTheFleetAreWhereAPersonWantsThem() {
    JsonNode monitors = JSON.valueToTree(Monitors.podMonitors(targets(), "1m", "monitoring"));
    assertThat(monitors)
        .extracting(each -> each.at("/metadata/namespace").asText())
        .containsExactly("monitoring", "monitoring", "monitoring", "team", "team", "team");
    JsonNode anywhere = JSON.valueToTree(Monitors.podMonitors(targets(), "1m", ""));
    assertThat(anywhere.get(0).path("metadata").has("namespace")).isFalse();
  }

  @ParameterizedTest
  @ValueSource(strings = {"demo", "a/b/c", "A/b", "a/", "/b", "a/-b"})
  void aControlPlaneIsNamedWithItsNamespace(String text) {
    assertThatThrownBy(() -> HostedPlane.parse("--control-plane", text))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("--control-plane: '" + text + "' must be the namespace and the name");
  }

  private static List<Target> targets() {
    List<Target> all = new ArrayList<>(Target.ofFleet("exaplane-system"));
    all.addAll(Target.ofControlPlane(DEMO));
    return all;
  }
}
