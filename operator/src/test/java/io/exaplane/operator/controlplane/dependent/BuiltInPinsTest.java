// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.dependent;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneSpec;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.ControlPlaneStatus.Endpoint;
import io.exaplane.api.v1alpha1.ImagesSpec;
import io.exaplane.operator.bundle.BundleMap;
import io.exaplane.operator.bundle.Pins;
import io.exaplane.operator.config.Images;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.controlplane.observe.Observed;
import io.exaplane.operator.controlplane.observe.Scheduling;
import io.exaplane.operator.controlplane.render.Inputs;
import io.exaplane.operator.order.TaskOrders;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Built-in add-ons under operators that would take images from different registries. */
class BuiltInPinsTest {
  private static final String OLD = "1-a";
  private static final String NEW = "2-b";

  private Optional<ConfigMap> kept = Optional.empty();
  private String host = "fd00::1";
  private String version = "1.37.1";
  private List<String> pending = List.of();

  /** One pass of an operator; the files by the source's name. */
  private Map<String, String> pass(String running, String addons, boolean moves) {
    ControlPlane controlPlane = controlPlane(addons);
    controlPlane.setStatus(
        Serialization.unmarshal(
            "bundle: %s\nversion: {current: %s}".formatted(OLD, version),
            ControlPlaneStatus.class));
    Inputs inputs = inputs(controlPlane, running);
    Observed observed =
        new Observed(
            inputs.sized(),
            List.of(),
            Optional.empty(),
            Optional.of(new Endpoint(host, 6443)),
            Optional.empty(),
            null,
            Optional.of(inputs),
            List.of(),
            List.of(),
            new Scheduling(Optional.empty(), Optional.empty(), false),
            TaskOrders.NONE);
    Pins pins = ControlPlanePins.open(controlPlane, running, Instant.EPOCH, "controlplane", kept);
    BuiltInPins builtIns =
        new BuiltInPins(
            pins,
            observed,
            () ->
                pins.formerSpec(ControlPlaneSpec.class)
                    .map(
                        spec -> {
                          ControlPlane before = controlPlane("");
                          before.setSpec(spec);
                          return inputs(before, running);
                        }),
            moves);
    pins.keepOnly(builtIns.names()::contains);
    pending = pins.pending();
    kept = Optional.of(BundleMap.of("demo-bundle", "ns", Map.of(), pins.kept(pins.moved())));
    return builtIns.files();
  }

  private static ControlPlane controlPlane(String addons) {
    return Fixtures.controlPlane("{version: 1.37.2, maxNodes: 10, addons: [%s]}".formatted(addons));
  }

  private static Inputs inputs(ControlPlane controlPlane, String running) {
    Inputs inputs = Fixtures.inputs(controlPlane, "d");
    return inputs.of(
        inputs.sized(),
        new Images(
            new Fixtures.Config("quay.io/exaplane/operator:1"),
            new ImagesSpec(running + ".example", null)));
  }

  private static String dns(int replicas) {
    return "{name: dns, builtIn: CoreDNS, settings: {replicas: %d}}".formatted(replicas);
  }

  private static final String PROXY = "{name: proxy, builtIn: KubeProxy}";

  @Test
  void aNewOperatorChangesNothingByItself() {
    Map<String, String> before = pass(OLD, dns(2) + ", " + PROXY, false);
    assertThat(before).containsOnlyKeys("dns", "proxy");
    assertThat(pass(NEW, dns(2) + ", " + PROXY, false)).isEqualTo(before);
    assertThat(pass(NEW, dns(2) + ", " + PROXY, false)).isEqualTo(before);
    assertThat(pending).containsExactly("CoreDNS/dns", "KubeProxy/proxy");
  }

  @Test
  void whatTheUserChangesIsDoneToTheOldBundle() {
    pass(OLD, dns(2), false);
    String file = pass(NEW, dns(3), false).get("dns");
    assertThat(file).contains("replicas: 3", OLD + ".example/coredns");
    assertThat(pass(NEW, dns(4), false).get("dns")).contains("replicas: 4", OLD + ".example");
  }

  @Test
  void factsOfNowAreInOldBundles() {
    pass(OLD, PROXY, false);
    host = "fd00::2";
    version = "1.37.2";
    assertThat(pass(NEW, PROXY, false).get("proxy"))
        .contains("https://[fd00::2]:6443", OLD + ".example/kube-proxy:v1.37.2");
  }

  @Test
  void aMoveTakesTheNewOperatorsObjects() {
    pass(OLD, dns(2), false);
    assertThat(pass(NEW, dns(2), true).get("dns")).contains(NEW + ".example/coredns");
    assertThat(pending).isEmpty();
    assertThat(pass(NEW, dns(2), false).get("dns")).contains(NEW + ".example/coredns");
  }

  @Test
  void aSourceThatIsRemovedIsForgotten() {
    pass(OLD, dns(2), false);
    assertThat(pass(OLD, "", false)).isEmpty();
    assertThat(pass(NEW, dns(2), false).get("dns"))
        .as("made by the operator of today")
        .contains(NEW + ".example/coredns");
  }
}
