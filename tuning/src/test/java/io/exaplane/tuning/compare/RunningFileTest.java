// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.exaplane.tuning.Shapes;
import io.exaplane.tuning.model.InvalidInputException;
import io.exaplane.tuning.version.Component;
import io.exaplane.tuning.version.MinorVersion;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every form in which people have a component's flags, for every component whose flags are known.
 */
class RunningFileTest {
  private static final MinorVersion VERSION = MinorVersion.of(36);

  /** Flags that the component alone has, with values of all kinds. */
  private static final Map<Component, Map<String, String>> FLAGS =
      Map.of(
          Component.KUBE_APISERVER,
          new TreeMap<>(
              Map.of(
                  "max-requests-inflight",
                  "800",
                  "etcd-servers",
                  "https://[::1]:2379,https://b:1",
                  "v",
                  "2")),
          Component.KUBE_CONTROLLER_MANAGER,
          new TreeMap<>(
              Map.of(
                  "concurrent-gc-syncs", "20", "kubeconfig", "/etc/kubernetes/cm.conf", "v", "2")),
          Component.KUBE_SCHEDULER,
          new TreeMap<>(Map.of("kube-api-qps", "50", "config", "/etc/kubernetes/s.yaml", "v", "2")),
          Component.KUBELET,
          new TreeMap<>(Map.of("node-ip", "::1", "max-pods", "200", "v", "2")));

  private static final String ENVIRONMENT = "80";

  @ParameterizedTest
  @EnumSource
  void findsTheComponentItsFlagsAndItsEnvironment(RunningForm form) throws Exception {
    for (Map.Entry<Component, Map<String, String>> one : FLAGS.entrySet()) {
      String component = one.getKey().label();
      List<String> flags =
          one.getValue().entrySet().stream()
              .map(e -> "--" + e.getKey() + "=" + e.getValue())
              .toList();
      RunningFile file = file(form.file(component, flags), form.isStructured(), null);
      assertThat(file.component()).as(form + " " + component).isEqualTo(one.getKey());
      assertThat(file.running().flags()).as(form + " " + component).isEqualTo(one.getValue());
      assertThat(file.running().knowsEnvironment()).isEqualTo(form.hasEnvironment());
      if (form.hasEnvironment()) {
        assertThat(file.running().environment()).as(form + "").containsEntry("GOGC", ENVIRONMENT);
      }
      assertThat(file.others()).hasSize(form == RunningForm.PS ? 1 : 0);
    }
  }

  @Test
  void choosesOneOfSeveralAndNamesTheOthers() throws Exception {
    String text =
        """
        root 1 /usr/bin/kubelet --node-ip=::1
        root 2 kube-scheduler --v=1
        root 3 kube-apiserver --v=2
        root 4 etcd --name x
        """;
    RunningFile first = file(text, false, null);
    assertThat(first.component()).isEqualTo(Component.KUBE_APISERVER);
    assertThat(first.others())
        .containsExactly("kubelet (line 1)", "kube-scheduler (line 2)", "etcd (line 4)");
    assertThat(file(text, false, Component.KUBELET).running().flags())
        .isEqualTo(Map.of("node-ip", "::1"));
    assertThatThrownBy(() -> file(text, false, Component.KUBE_CONTROLLER_MANAGER))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(
            "component: 'kube-controller-manager' is not among the components of the file: kubelet "
                + "(line 1), kube-");
    assertThatThrownBy(() -> file("etcd --name=x", false, null))
        .hasMessageContaining(
            "'etcd (line 1)' is the component in the file, but its flags are not known");
    RunningFile pods =
        file(
            RunningForm.json(
                Map.of(
                    "kind",
                    "List",
                    "items",
                    List.of(
                        RunningForm.object(
                            "Deployment",
                            "konnectivity",
                            List.of(Map.of("name", "agent", "args", List.of("--proxy")))),
                        RunningForm.object(
                            "Pod",
                            "cp",
                            List.of(
                                Map.of("name", "proxy", "command", List.of("/haproxy", "-f", "x")),
                                Map.of(
                                    "name",
                                    "api",
                                    "command",
                                    RunningForm.all("kube-apiserver", List.of("--v=3")))))))),
            true,
            null);
    assertThat(pods.component()).isEqualTo(Component.KUBE_APISERVER);
    assertThat(pods.running().where()).isEqualTo("container api of Pod cp");
    assertThat(pods.others()).anySatisfy(o -> assertThat(o).contains("agent"));
    assertThat(pods.others()).anySatisfy(o -> assertThat(o).contains("proxy"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "hello\nworld", "kube-apiserver", "{}", "[1]", "a: b"})
  void whatHasNoFlagIsNamed(String text) {
    assertThatThrownBy(() -> file(text, text.startsWith("{") || text.startsWith("["), null))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("contains no flag");
  }

  /** Each keeps the component from starting, and comes before all that does not. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "--max-requests-inflight=lots",
        "--max-requests-inflight=-1",
        "--profiling=perhaps",
        "--event-ttl=60",
        "--event-ttl=1d",
        "--goaway-chance=0.5",
        "--goaway-chance=often",
        "--no-such-flag=1",
        "--feature-gates=WatchList",
        "--feature-gates=WatchList=maybe",
        "--feature-gates=NoSuchGate=true",
        "--feature-gates=BtreeWatchCache=false",
        "--feature-gates=AllAlpha=perhaps",
        "--profiling false",
        "--anonymous-auth true --v=2",
      })
  void whatKeepsItFromStartingComesFirst(String flag) throws Exception {
    List<Difference> differences = differences("kube-apiserver --watch-cache=false " + flag);
    assertThat(differences.getFirst().type().isError())
        .as(differences.getFirst().toString())
        .isTrue();
    assertThat(differences.stream().filter(d -> d.type().isError())).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "--max-requests-inflight=0x320",
        "--profiling",
        "--profiling\0>>",
        "--v\0002",
        "--profiling=T",
        "--event-ttl=90m",
        "--event-ttl=1.5h",
        "--goaway-chance=1e-3",
        "--feature-gates=WatchList=1",
        "--feature-gates= WatchList=true ,",
        "--feature-gates=AllBeta=false",
      })
  void whatItStartsWithIsNoError(String flag) throws Exception {
    assertThat(differences("kube-apiserver\0" + flag + "\0"))
        .noneSatisfy(d -> assertThat(d.type().isError()).as(d.toString()).isTrue());
  }

  /** OpenShift's maps have lists of values; what overrides them counts, too. */
  @Test
  void readsTheConfigurationOfOpenShift() throws Exception {
    Map<String, Object> arguments =
        Map.of(
            "max-requests-inflight", List.of("400"), "feature-gates", List.of("A=true", "B=false"));
    for (String text :
        List.of(
            RunningForm.json(
                Map.of(
                    "kind",
                    "KubeAPIServer",
                    "spec",
                    Map.of("observedConfig", Map.of("apiServerArguments", arguments)))),
            RunningForm.json(
                Map.of(
                    "kind",
                    "ConfigMap",
                    "data",
                    Map.of(
                        "config.yaml",
                        RunningForm.json(Map.of("apiServerArguments", arguments))))))) {
      RunningFile file = file(text, true, null);
      assertThat(file.component()).isEqualTo(Component.KUBE_APISERVER);
      assertThat(file.running().flags())
          .containsOnly(
              Map.entry("max-requests-inflight", "400"),
              Map.entry("feature-gates.A", "true"),
              Map.entry("feature-gates.B", "false"));
    }
    RunningFile controllers =
        file(
            RunningForm.json(
                Map.of(
                    "kind",
                    "KubeControllerManager",
                    "spec",
                    Map.of("extendedArguments", Map.of("kube-api-qps", List.of("20"))))),
            true,
            null);
    assertThat(controllers.component()).isEqualTo(Component.KUBE_CONTROLLER_MANAGER);
    assertThat(controllers.running().flags()).isEqualTo(Map.of("kube-api-qps", "20"));
  }

  @Test
  void variablesAreComparedWhereTheFileWouldHaveThem() throws Exception {
    var tuning = io.exaplane.tuning.Tuning.of(Shapes.of("1.36", 5_000), Shapes.MATRIX);
    Map<String, String> advised =
        tuning.items(Component.KUBE_APISERVER, io.exaplane.tuning.rules.Item.Type.ENV).stream()
            .collect(Collectors.toMap(i -> i.name(), i -> i.value().toString()));
    assertThat(advised).containsOnlyKeys("GOGC", "GOMEMLIMIT");
    String unit = "Environment=GOGC=%s GOMEMLIMIT=%s\nExecStart=/usr/bin/kube-apiserver --v=2\n";
    assertThat(variables(unit.formatted(advised.get("GOGC"), advised.get("GOMEMLIMIT"))))
        .isEqualTo(
            Map.of("env.GOGC", Difference.Type.FINE, "env.GOMEMLIMIT", Difference.Type.FINE));
    assertThat(variables(unit.formatted("7", "7")))
        .isEqualTo(
            Map.of("env.GOGC", Difference.Type.CHANGE, "env.GOMEMLIMIT", Difference.Type.CHANGE));
    assertThat(variables(unit.formatted("7", "7Gi")))
        .containsEntry("env.GOMEMLIMIT", Difference.Type.INVALID);
    assertThat(variables("ExecStart=/usr/bin/kube-apiserver --v=2\n"))
        .isEqualTo(Map.of("env.GOGC", Difference.Type.ADD, "env.GOMEMLIMIT", Difference.Type.ADD));
    assertThat(variables("kube-apiserver\0--v=2\0")).isEmpty();
  }

  private static Map<String, Difference.Type> variables(String text) throws Exception {
    return differences(text).stream()
        .filter(d -> d.name().startsWith("env."))
        .collect(Collectors.toMap(Difference::name, Difference::type));
  }

  private static List<Difference> differences(String text) throws Exception {
    var tuning = io.exaplane.tuning.Tuning.of(Shapes.of("1.36", 5_000), Shapes.MATRIX);
    return Comparison.of(
        tuning, Shapes.MATRIX, Component.KUBE_APISERVER, file(text, false, null).running());
  }

  private static RunningFile file(String text, boolean structured, Component asked)
      throws Exception {
    return RunningFile.of(
        text, s -> structured ? parsed(s) : List.of(), asked, Shapes.MATRIX, VERSION);
  }

  private static List<Object> parsed(String text) {
    try {
      return List.of(new JsonMapper().readValue(text, Object.class));
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }
}
