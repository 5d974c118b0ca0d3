// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.engine.plugin;

import static io.exaplane.scheduler.engine.scenario.Dice.map;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.scheduler.engine.model.Fields;
import io.exaplane.scheduler.engine.model.Version;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

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
        .hasMessageContaining("plugins.permit: [] is not valid: a gang is waited for");
    assertThatThrownBy(() -> read(map("plugins", map("permit", gangs))))
        .hasMessageContaining(
            "plugins.preEnqueue: [SchedulingGates] is not valid: a gang is waited for");
    assertThatThrownBy(() -> read(Version.V1_35, map("plugins", map("multiPoint", gangs))))
        .hasMessageContaining("kube-scheduler 1.35 has no groups of pods");
    assertThat(read(Version.V1_37, map("plugins", map("multiPoint", gangs))).schedulesGangs())
        .isTrue();
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
        .hasMessageContaining("bindingTimeout: \"soon\" is not valid: it has to be a duration");
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

  @Test
  void scoresAreWeighedAnewOrLeftOutAtScoreAlone() {
    Map<String, Object> heavy =
        map(
            "disabled",
            List.of(map("name", "NodeResourcesFit")),
            "enabled",
            List.of(map("name", "NodeResourcesFit", "weight", 5)));
    assertThat(weights(read(map("plugins", map("score", heavy)))))
        .containsEntry("NodeResourcesFit", 5)
        .containsEntry("TaintToleration", 3);
    Map<String, Object> none = map("disabled", List.of(map("name", "*")));
    assertThat(weights(read(map("plugins", map("score", none))))).isEmpty();
    assertThatThrownBy(() -> read(map("plugins", map("preScore", none))))
        .hasMessageContaining("TaintToleration, which is at score, has to be at preScore, too");
  }

  private static Map<String, Integer> weights(Profile profile) {
    Map<String, Integer> weights = new HashMap<>();
    profile.scores().forEach(score -> weights.put(score.plugin().name(), score.weight()));
    return weights;
  }

  @ParameterizedTest
  @MethodSource
  void refuses(Map<String, Object> profile, String message) {
    assertThatThrownBy(() -> read(profile)).hasMessageContaining(message);
  }

  private static Stream<Arguments> refuses() {
    Map<String, Object> all = map("disabled", List.of(map("name", "*")));
    Map<String, Object> maybe = map("maxSkew", 1, "topologyKey", "a", "whenUnsatisfiable", "Maybe");
    return Stream.of(
        Arguments.of(map("bla", 0), "profiles[0].bla: 0 is not valid: there is no such field"),
        Arguments.of(map("plugins", map("filtr", set("*", "NodeName"))), "plugins.filtr"),
        Arguments.of(map("plugins", map("filter", map("enable", List.of()))), "filter.enable"),
        Arguments.of(scorer("wait", 3), "enabled[0].wait"),
        Arguments.of(scorer("weight", -5), "weight: -5 is not valid: it has to be at least 0"),
        Arguments.of(
            map("plugins", map("queueSort", all)),
            "plugins.queueSort: [] is not valid: it has to have PrioritySort"),
        Arguments.of(
            map("plugins", map("bind", all)),
            "plugins.bind: [] is not valid: it has to have DefaultBinder"),
        Arguments.of(
            map("percentageOfNodesToScore", 1000),
            "percentageOfNodesToScore: 1000 is not valid: it has to be 0 to 100"),
        Arguments.of(arguments("NodeResourcesFit", map("strategy", 1)), "args.strategy"),
        Arguments.of(
            arguments("NodeResourcesFit", map("scoringStrategy", map("resources", List.of()))),
            "scoringStrategy.type"),
        Arguments.of(
            arguments("NodeResourcesBalancedAllocation", map("kind", "NodeResourcesFitArgs")),
            "args.kind: \"NodeResourcesFitArgs\" is not valid"),
        Arguments.of(map("schedulerName", ""), "schedulerName: \"\" is not valid"),
        Arguments.of(
            arguments(
                "PodTopologySpread",
                map("defaultingType", "List", "defaultConstraints", List.of(maybe))),
            "whenUnsatisfiable: \"Maybe\" is not valid: it has to be one of DoNotSchedule, ScheduleAnyway"),
        Arguments.of(
            spreads(List.of(spread("a"), spread("b"), spread("a"))),
            "defaultConstraints[2].topologyKey"),
        Arguments.of(spreads(List.of(spread("not a label"))), "it has to be a name as of labels"),
        Arguments.of(
            arguments("NodeResourcesFit", map("ignoredResourceGroups", List.of("example.org/x"))),
            "ignoredResourceGroups"),
        Arguments.of(
            arguments("NodeResourcesFit", map("ignoredResources", List.of("x y"))),
            "ignoredResources"),
        Arguments.of(
            arguments("NodeResourcesFit", map("scoringStrategy", map())), "scoringStrategy.type"),
        Arguments.of(balanced("cpu", 1, "cpu", 1), "resources[1].name: \"cpu\" is not valid"),
        Arguments.of(balanced("cpu", 1, "memory", 2), "resources[1].weight: 2 is not valid"),
        Arguments.of(
            map("plugins", map("multiPoint", map("enabled", List.of(named(), named())))),
            "enabled[1].name: \"ImageLocality\" is not valid: it is enabled twice"));
  }

  private static Map<String, Object> named() {
    return map("name", "ImageLocality");
  }

  private static Map<String, Object> spread(String key) {
    return map("maxSkew", 1, "topologyKey", key, "whenUnsatisfiable", "DoNotSchedule");
  }

  private static Map<String, Object> spreads(List<Map<String, Object>> constraints) {
    return arguments(
        "PodTopologySpread", map("defaultingType", "List", "defaultConstraints", constraints));
  }

  private static Map<String, Object> balanced(String one, int weight, String other, int second) {
    List<Map<String, Object>> resources =
        List.of(map("name", one, "weight", weight), map("name", other, "weight", second));
    return arguments("NodeResourcesBalancedAllocation", map("resources", resources));
  }

  @Test
  void takesWhatKubeSchedulerTakes() {
    assertThat(read(balanced("cpu", 0, "memory", 1))).isNotNull();
    assertThat(read(spreads(List.of(spread("topology.kubernetes.io/zone"), spread("a.b_c-d")))))
        .isNotNull();
    Map<String, Object> ignored =
        map(
            "ignoredResources", List.of("example.org/gpu"),
            "ignoredResourceGroups", List.of("example.org"));
    assertThat(read(arguments("NodeResourcesFit", ignored))).isNotNull();
  }

  private static Map<String, Object> scorer(String field, int value) {
    Map<String, Object> plugin = map("name", "ImageLocality", field, value);
    return map("plugins", map("score", map("enabled", List.of(plugin))));
  }

  private static Map<String, Object> arguments(String plugin, Map<String, Object> args) {
    return map("pluginConfig", List.of(map("name", plugin, "args", args)));
  }

  @Test
  void looksAtNoArgumentsOfPluginsThatTakeNone() {
    assertThat(read(arguments("ImageLocality", map("threshold", 3)))).isNotNull();
  }

  @Test
  void eachProfileHasItsOwnName() {
    Map<String, Object> one = map("schedulerName", "one");
    Map<String, Object> two =
        map(
            "apiVersion", "kubescheduler.config.k8s.io/v1",
            "kind", "KubeSchedulerConfiguration",
            "profiles", List.of(one, one));
    assertThatThrownBy(() -> new ProfileReader(Version.V1_36).read(Fields.of(two, "")))
        .hasMessageContaining("profiles[1].schedulerName: \"one\" is not valid");
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
