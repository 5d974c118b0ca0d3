// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.addon;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.exaplane.api.v1alpha1.AddonStatus;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.apply.inventory.ApplySet;
import io.exaplane.apply.port.Failure;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The built-in CoreDNS, where another DNS is. */
class OtherDnsTest extends AddonRoundsBed {
  private static final String DNS = "{name: dns, builtIn: CoreDNS}";
  private static final String OWN = new ApplySet("exaplane-addon-dns", "kube-system").id();
  private static final YAMLMapper YAML = new YAMLMapper();

  @BeforeEach
  void file() {
    builtIns.put("dns", MAP.formatted("exaplane-coredns"));
  }

  private void service(String label, String manager) throws Exception {
    String labels =
        label.isEmpty() ? "" : "labels: {applyset.kubernetes.io/part-of: %s}, ".formatted(label);
    live.put(
        OtherDns.SERVICE,
        (ObjectNode)
            YAML.readTree(
                "metadata: {%smanagedFields: [{manager: kube-x}, {manager: %s}]}"
                    .formatted(labels, manager)));
  }

  private boolean isHanded() {
    return engines.stream().anyMatch(engine -> !engine.told.isEmpty());
  }

  @ParameterizedTest
  @ValueSource(strings = {DNS, "{name: dns, builtIn: CoreDNS, conflicts: Respect}"})
  void theServiceOfAnotherDnsHoldsTheSourceBackUntilItIsGone(String dns) throws Exception {
    service("", "kubeadm");
    addons(dns + ", " + inline("a", "m"));
    AddonStatus status = go().get("dns");
    assertThat(status.reason()).isEqualTo(Reason.AddonFailed.name());
    assertThat(status.message())
        .contains("kube-system/kube-dns", "kube-x, kubeadm", "set conflicts to Force");
    assertThat(status.inventory()).isNull();
    assertThat(engines).noneMatch(engine -> engine.wanted.containsKey("exaplane-addon-dns"));
    assertThat(pass().get("a").ready()).as("the other source goes on").isTrue();
    live.clear();
    assertThat(go().get("dns").reason()).isEqualTo(Reason.AddonFailed.name());
    wait(Duration.ofSeconds(31));
    assertThat(go().get("dns").ready()).isTrue();
  }

  @Test
  void aSourceThatWasHeldBackIsRemovedWithoutADeletion() throws Exception {
    service("", "kubeadm");
    addons(DNS);
    go();
    addons("");
    assertThat(go()).isEmpty();
    assertThat(engines)
        .flatMap(engine -> engine.told)
        .allMatch(told -> told.startsWith("exaplane-addon-dns 0 "));
  }

  @Test
  void forceInTheSpecTakesTheServiceAtOnce() throws Exception {
    service("", "kubeadm");
    addons(DNS);
    go();
    addons("{name: dns, builtIn: CoreDNS, conflicts: Force}");
    assertThat(go().get("dns").ready()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "own, exaplane-addons, true",
    "own, kubectl, true",
    "applyset-former-v1, exaplane-addons, true",
    "applyset-former-v1, kubectl, false",
    "'', exaplane-addons, false"
  })
  void theServiceOfASourceIsKnownByItsLabel(String label, String manager, boolean own)
      throws Exception {
    service(label.replace("own", OWN), manager);
    addons(DNS);
    go();
    assertThat(isHanded()).isEqualTo(own);
  }

  @Test
  void withoutAnAnswerNothingIsAppliedAndTheSecondTimeIsTold() throws Exception {
    silence = Optional.of(new Failure(403, "Forbidden", "no", 0, false, List.of()));
    addons(DNS);
    assertThat(go().get("dns").reason()).isEqualTo(Reason.AddonsApplying.name());
    wait(Duration.ofSeconds(31));
    AddonStatus status = go().get("dns");
    assertThat(status.reason()).isEqualTo(Reason.AddonFailed.name());
    assertThat(status.message()).contains("403 Forbidden", "tries again every 30 seconds");
    assertThat(isHanded()).isFalse();
    silence = Optional.empty();
    wait(Duration.ofSeconds(31));
    assertThat(go().get("dns").ready()).isTrue();
  }

  @Test
  void otherSourcesAreNotLookedAt() throws Exception {
    service("", "kubeadm");
    addons("{name: dns, builtIn: KubeProxy}, " + inline("a", "m"));
    assertThat(go().values()).allMatch(AddonStatus::ready);
  }
}
