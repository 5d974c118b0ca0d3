// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.testbed.machine.Kubernetes;
import io.exaplane.tuning.version.Component;
import io.exaplane.tuning.version.Flag;
import io.exaplane.tuning.version.Gate;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The matrix has what the components themselves print for {@code --help}. */
class MatrixProcessTest {
  private static final Pattern FLAG =
      Pattern.compile("(?m)^ +(?:-[a-zA-Z], +)?--([a-z][a-z0-9._-]*)");
  private static final Pattern GATE =
      Pattern.compile(
          "(?m)^ +(?:kube:)?([A-Z]\\w+)=true\\|false \\(([A-Z]+) - default=(true|false)\\)");
  private static final Set<String> OF_COBRA = Set.of("help", "version");
  private static final Set<String> OF_A_STAGE = Set.of("AllAlpha", "AllBeta");

  @ParameterizedTest
  @EnumSource(
      names = {
        "KUBE_APISERVER",
        "KUBE_CONTROLLER_MANAGER",
        "KUBE_SCHEDULER",
        "KUBELET",
        "KUBE_PROXY"
      })
  void hasTheFlagsAndGatesThatTheHelpShows(Component component) throws Exception {
    String help = help(component);
    Set<String> shown = new TreeSet<>();
    FLAG.matcher(help).results().map(flag -> flag.group(1).replace('_', '-')).forEach(shown::add);
    shown.removeAll(OF_COBRA);
    assertThat(shown).hasSizeGreaterThan(20);
    Map<String, Flag> known = Clusters.MATRIX.flags(component, Clusters.version());
    Set<String> onlyShown = new TreeSet<>(shown);
    onlyShown.removeAll(known.keySet());
    // The test bed has one binary for all: the kubelet's libraries bring their flags into
    // kube-proxy.
    if (component != Component.KUBE_PROXY) {
      assertThat(onlyShown).as("flags in the help alone").isEmpty();
    }
    Set<String> onlyKnown = new TreeSet<>(known.keySet());
    onlyKnown.removeAll(shown);
    assertThat(onlyKnown)
        .as("flags in the matrix alone: deprecated ones, which the help leaves out")
        .allMatch(flag -> known.get(flag).isDeprecated());
    List<MatchResult> gates = GATE.matcher(help).results().toList();
    assertThat(gates).isNotEmpty();
    for (MatchResult gate : gates) {
      // Of the one binary, too: a gate of another component.
      if (!OF_A_STAGE.contains(gate.group(1)) && !isAnothers(component, gate.group(1))) {
        assertThat(Clusters.MATRIX.gate(component, Clusters.version(), gate.group(1)))
            .as(gate.group())
            .hasValueSatisfying(found -> mustBe(gate, found));
      }
    }
  }

  private static void mustBe(MatchResult shown, Gate found) {
    assertThat(found.stage()).as(shown.group()).isEqualToIgnoringCase(shown.group(2));
    assertThat(found.enabledByDefault())
        .as(shown.group())
        .isEqualTo(Boolean.parseBoolean(shown.group(3)));
  }

  private static boolean isAnothers(Component component, String gate) {
    return Clusters.MATRIX.gate(component, Clusters.version(), gate).isEmpty()
        && Arrays.stream(Component.values())
            .anyMatch(other -> Clusters.MATRIX.gate(other, Clusters.version(), gate).isPresent());
  }

  private static String help(Component component) throws Exception {
    Process process =
        new ProcessBuilder(Kubernetes.binary(component.label()), "--help")
            .redirectErrorStream(true)
            .start();
    String help = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).isZero();
    return help;
  }
}
