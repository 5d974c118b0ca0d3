// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.plugin;

import static io.exaplane.scheduler.scenario.Dice.map;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.scheduler.model.Fields;
import io.exaplane.scheduler.model.Version;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProfileReaderTest {
  @Test
  void defaultsDependOnTheVersion() {
    assertThat(filters(Profile.defaults(Version.V1_35))).doesNotContain("NodeDeclaredFeatures");
    assertThat(filters(Profile.defaults(Version.V1_36)))
        .startsWith("NodeUnschedulable", "NodeName", "TaintToleration", "NodeAffinity")
        .endsWith("DynamicResources", "NodeDeclaredFeatures");
  }

  @Test
  void whatIsDisabledAndEnabledAtOnePointGoesLast() {
    Map<String, Object> filter = set("NodeUnschedulable", "NodeUnschedulable");
    Profile profile = read(map("plugins", map("filter", filter)));
    assertThat(filters(profile)).startsWith("NodeName").endsWith("NodeUnschedulable");
  }

  @Test
  void weightsOfOnePointWin() {
    Map<String, Object> everywhere =
        map("enabled", List.of(map("name", "ImageLocality", "weight", 4)));
    Map<String, Object> score =
        map(
            "enabled",
            List.of(map("name", "ImageLocality", "weight", 9), map("name", "DynamicResources")));
    Profile profile = read(map("plugins", map("multiPoint", everywhere, "score", score)));
    assertThat(profile.scores())
        .filteredOn(
            s -> s.plugin() instanceof ImageLocality || s.plugin() instanceof DynamicResources)
        .extracting(Profile.WeightedScore::weight)
        .containsExactly(9, 1);
  }

  @Test
  void withoutItsPluginsItNeitherPreemptsNorRespectsGates() {
    Profile profile =
        read(
            map(
                "plugins",
                map(
                    "postFilter", map("disabled", List.of(map("name", "*"))),
                    "preEnqueue", map("disabled", List.of(map("name", "SchedulingGates"))))));
    assertThat(profile.preempts()).isFalse();
    assertThat(profile.respectsGates()).isFalse();
    assertThat(Profile.defaults(Version.V1_36).preempts()).isTrue();
    assertThat(Profile.defaults(Version.V1_36).respectsGates()).isTrue();
  }

  @Test
  void gangsAreScheduledWhereThatIsEnabledAsAWhole() {
    Map<String, Object> gangs = map("enabled", List.of(map("name", "GangScheduling")));
    assertThat(read(map("plugins", map("multiPoint", gangs))).schedulesGangs()).isTrue();
    assertThat(Profile.defaults(Version.V1_36).schedulesGangs()).isFalse();
    assertThatThrownBy(() -> read(map("plugins", map("preEnqueue", gangs))))
        .hasMessageContaining("plugins.permit: without GangScheduling");
    assertThatThrownBy(() -> read(map("plugins", map("permit", gangs))))
        .hasMessageContaining("plugins.preEnqueue: without GangScheduling");
    assertThatThrownBy(() -> read(Version.V1_35, map("plugins", map("multiPoint", gangs))))
        .hasMessageContaining("kube-scheduler 1.35 has no groups of pods");
  }

  @Test
  void whatIsTriedForPodsThatFindNoNodeHasAnOrder() {
    Map<String, Object> alone = set("*", "DefaultPreemption");
    Profile profile = read(map("plugins", map("postFilter", alone)));
    assertThat(profile.preempts()).isTrue();
    assertThat(profile.givesDevicesUp()).isFalse();
    assertThat(profile.findsDevices()).isTrue();
    Map<String, Object> first = map("enabled", List.of(map("name", "DefaultPreemption")));
    assertThatThrownBy(() -> read(map("plugins", map("postFilter", first))))
        .hasMessageContaining("name DynamicResources before the others");
  }

  @Test
  void devicesMayTakeAsLongAsTheConfigurationSays() {
    assertThat(bindingTimeoutNs("1m30s")).isEqualTo(90_000_000_000L);
    assertThat(bindingTimeoutNs("1.5h")).isEqualTo(5_400_000_000_000L);
    assertThatThrownBy(() -> bindingTimeoutNs("soon"))
        .hasMessageContaining("bindingTimeout: soon is not valid: it has to be a duration");
    assertThatThrownBy(() -> bindingTimeoutNs("500ms")).hasMessageContaining("at least 1s");
  }

  private static long bindingTimeoutNs(String timeout) {
    Profile profile =
        read(
            map(
                "pluginConfig",
                List.of(map("name", "DynamicResources", "args", map("bindingTimeout", timeout)))));
    return profile.filters().stream()
        .filter(DynamicResources.class::isInstance)
        .map(plugin -> ((DynamicResources) plugin).bindingTimeoutNs())
        .findFirst()
        .orElseThrow();
  }

  private static Map<String, Object> set(String disabled, String enabled) {
    return map(
        "disabled", List.of(map("name", disabled)), "enabled", List.of(map("name", enabled)));
  }

  private static Profile read(Map<String, Object> profile) {
    return read(Version.V1_36, profile);
  }

  private static Profile read(Version version, Map<String, Object> profile) {
    Map<String, Object> configuration =
        map(
            "apiVersion", "kubescheduler.config.k8s.io/v1",
            "kind", "KubeSchedulerConfiguration",
            "profiles", List.of(profile));
    return new ProfileReader(version).read(Fields.of(configuration, "")).getFirst();
  }

  private static List<String> filters(Profile profile) {
    return profile.filters().stream().map(Plugin::name).toList();
  }
}
