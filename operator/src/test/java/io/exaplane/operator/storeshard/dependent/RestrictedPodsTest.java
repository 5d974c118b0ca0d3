// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.dependent;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSecurityContext;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Probe;
import io.fabric8.kubernetes.api.model.SecurityContext;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Lines 11, 31: a namespace that enforces the level restricted of the Pod Security Standards takes
 * every pod that the operator has made.
 */
class RestrictedPodsTest {
  private static final Predicate<Optional<Boolean>> TRUE = value -> value.orElse(false);
  private static final Predicate<Optional<Boolean>> FALSE = value -> !value.orElse(true);

  private static final Set<String> VOLUMES =
      Set.of(
          "configMap",
          "csi",
          "downwardAPI",
          "emptyDir",
          "ephemeral",
          "persistentVolumeClaim",
          "projected",
          "secret");

  /** The rules of the levels baseline and restricted, as kube-apiserver 1.37 has them. */
  private static final Map<String, Predicate<PodSpec>> RULES =
      Map.ofEntries(
          Map.entry(
              "host namespaces",
              pod ->
                  Stream.of(pod.getHostNetwork(), pod.getHostPID(), pod.getHostIPC())
                      .noneMatch(Boolean.TRUE::equals)),
          Map.entry(
              "host ports",
              each(
                  container ->
                      container.getPorts().stream()
                          .allMatch(
                              port -> Objects.requireNonNullElse(port.getHostPort(), 0) == 0))),
          Map.entry("host of probes", each(RestrictedPodsTest::asksItself)),
          Map.entry("privileged", each(c -> !TRUE.test(of(c, SecurityContext::getPrivileged)))),
          Map.entry(
              "allowPrivilegeEscalation",
              each(c -> FALSE.test(of(c, SecurityContext::getAllowPrivilegeEscalation)))),
          Map.entry(
              "capabilities",
              each(
                  c ->
                      of(c, SecurityContext::getCapabilities)
                          .filter(all -> all.getDrop().contains("ALL"))
                          .filter(all -> Set.of("NET_BIND_SERVICE").containsAll(all.getAdd()))
                          .isPresent())),
          Map.entry(
              "procMount",
              each(c -> of(c, SecurityContext::getProcMount).orElse("Default").equals("Default"))),
          Map.entry(
              "runAsNonRoot",
              either(SecurityContext::getRunAsNonRoot, PodSecurityContext::getRunAsNonRoot, TRUE)),
          Map.entry(
              "runAsUser",
              either(
                  SecurityContext::getRunAsUser,
                  PodSecurityContext::getRunAsUser,
                  user -> user.orElse(1L) != 0)),
          Map.entry(
              "seccompProfile",
              either(
                  SecurityContext::getSeccompProfile,
                  PodSecurityContext::getSeccompProfile,
                  profile ->
                      profile
                          .filter(p -> Set.of("RuntimeDefault", "Localhost").contains(p.getType()))
                          .isPresent())),
          Map.entry(
              "seLinuxOptions",
              either(
                  SecurityContext::getSeLinuxOptions,
                  PodSecurityContext::getSeLinuxOptions,
                  Optional::isEmpty)),
          Map.entry(
              "appArmorProfile",
              either(
                  SecurityContext::getAppArmorProfile,
                  PodSecurityContext::getAppArmorProfile,
                  profile -> profile.filter(p -> "Unconfined".equals(p.getType())).isEmpty())),
          Map.entry(
              "sysctls",
              pod ->
                  pod.getSecurityContext() == null
                      || pod.getSecurityContext().getSysctls().isEmpty()),
          Map.entry("volumes", pod -> pod.getVolumes().stream().allMatch(v -> isAllowed(v))));

  @Test
  void everyPodIsTaken() {
    Map<String, PodSpec> pods = EveryContainerTest.pods("");
    assertThat(pods).hasSize(12);
    pods.forEach((name, pod) -> assertThat(broken(pod)).as(name).isEmpty());
  }

  /** Each rule finds what breaks it, in a pod that is taken otherwise. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          host namespaces          | hostNetwork: true
          host namespaces          | hostPID: true
          host ports               | containers: [{ports: [{containerPort: 1, hostPort: 1}], %s}]
          host of probes           | containers: [{livenessProbe: {tcpSocket: {host: a, port: 1}}, %s}]
          privileged               | containers: [{securityContext: {privileged: true, allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}}]
          allowPrivilegeEscalation | containers: [{securityContext: {capabilities: {drop: [ALL]}}}]
          capabilities             | containers: [{securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [NET_RAW]}}}]
          capabilities             | containers: [{securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL], add: [SYS_TIME]}}}]
          procMount                | containers: [{securityContext: {procMount: Unmasked, allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}}]
          runAsNonRoot             | containers: [{securityContext: {runAsNonRoot: false, allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}}]
          runAsUser                | containers: [{securityContext: {runAsUser: 0, allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}}]
          seccompProfile           | containers: [{securityContext: {seccompProfile: {type: Unconfined}, allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}}]
          appArmorProfile          | containers: [{securityContext: {appArmorProfile: {type: Unconfined}, allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}}]
          seLinuxOptions           | containers: [{securityContext: {seLinuxOptions: {user: u}, allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}}]
          volumes                  | volumes: [{name: v, hostPath: {path: /}}]
          volumes                  | volumes: [{name: v, nfs: {server: s, path: /}}]
          sysctls                  | securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}, sysctls: [{name: a, value: b}]}
          """)
  void aRuleFindsWhatBreaksIt(String rule, String part) {
    String container =
        "securityContext: {allowPrivilegeEscalation: false, capabilities: {drop: [ALL]}}";
    String pod =
        Stream.of(
                "containers: [{%s}]".formatted(container),
                "securityContext: {runAsNonRoot: true, seccompProfile: {type: RuntimeDefault}}")
            .filter(line -> !line.split(":")[0].equals(part.split(":")[0]))
            .collect(Collectors.joining("\n"));
    PodSpec broken =
        Serialization.unmarshal(pod + "\n" + part.replace("%s", container) + "\n", PodSpec.class);
    assertThat(broken(broken)).containsExactly(rule);
  }

  private static List<String> broken(PodSpec pod) {
    return RULES.entrySet().stream()
        .filter(rule -> !rule.getValue().test(pod))
        .map(Map.Entry::getKey)
        .toList();
  }

  private static boolean isAllowed(Volume volume) {
    Map<?, ?> fields = Serialization.unmarshal(Serialization.asJson(volume), Map.class);
    return fields.keySet().stream()
        .allMatch(field -> field.equals("name") || VOLUMES.contains(field));
  }

  private static boolean asksItself(Container container) {
    return Stream.of(
            container.getLivenessProbe(),
            container.getReadinessProbe(),
            container.getStartupProbe())
        .filter(Objects::nonNull)
        .flatMap(RestrictedPodsTest::hosts)
        .allMatch(host -> host == null || host.isEmpty());
  }

  private static Stream<String> hosts(Probe probe) {
    return Stream.concat(
            Stream.ofNullable(probe.getHttpGet()).map(get -> String.valueOf(get.getHost())),
            Stream.ofNullable(probe.getTcpSocket()).map(tcp -> String.valueOf(tcp.getHost())))
        .filter(host -> !host.equals("null"));
  }

  private static Predicate<PodSpec> each(Predicate<Container> rule) {
    return pod -> containers(pod).allMatch(rule);
  }

  private static Stream<Container> containers(PodSpec pod) {
    return Stream.concat(pod.getInitContainers().stream(), pod.getContainers().stream());
  }

  /** What a container says counts, and what the pod says for the others. */
  private static <T> Predicate<PodSpec> either(
      Function<SecurityContext, T> own,
      Function<PodSecurityContext, T> ofPod,
      Predicate<Optional<T>> rule) {
    return pod ->
        containers(pod)
            .allMatch(
                container ->
                    rule.test(
                        of(container, own)
                            .or(() -> Optional.ofNullable(pod.getSecurityContext()).map(ofPod))));
  }

  private static <T> Optional<T> of(Container container, Function<SecurityContext, T> value) {
    return Optional.ofNullable(container.getSecurityContext()).map(value);
  }
}
