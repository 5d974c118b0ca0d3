// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.hosted;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.controlplane.hosted.LeaderProbe.Component;
import io.exaplane.operator.controlplane.hosted.LeaderProbe.Seen;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.api.model.coordination.v1.LeaseBuilder;
import java.time.Instant;
import java.time.ZoneOffset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which Leases tell who leads, and when they tell that nobody does. */
class LeaderProbeTest {
  private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      delimiter = '|',
      value = {
        // component | extraArgs of kube-scheduler | the Lease
        "SCHEDULER | [] | kube-system/kube-scheduler",
        "SCHEDULER | [{name: v, value: '4'}] | kube-system/kube-scheduler",
        "SCHEDULER | [{name: leader-elect-resource-name, value: mine}] | kube-system/mine",
        "SCHEDULER | [{name: leader-elect-resource-namespace, value: n}] | n/kube-scheduler",
        "SCHEDULER | [{name: leader-elect-resource-namespace, value: n}, {name: leader-elect-resource-name, value: a}, {name: leader-elect-resource-name, value: b}] | n/b",
        "CONTROLLER_MANAGER | [{name: leader-elect-resource-name, value: mine}] | kube-system/kube-controller-manager",
      })
  void aLeaseIsWhereTheFlagsPutIt(Component component, String extraArgs, String lease) {
    var spec =
        Fixtures.controlPlane(
                "{version: 1.36.3, maxNodes: 1, scheduler: {extraArgs: %s}}".formatted(extraArgs))
            .getSpec();
    var name = component.leaseName(spec);
    assertThat(name.namespace() + "/" + name.name()).isEqualTo(lease);
  }

  /**
   * Line 33, a letter for each look, ten seconds apart. What is seen: the Lease (r)enewed, the
   * (s)ame as before, (f)ree, with (n)o Lease, or the same and no pod (x) ready. What follows: it
   * (L)eads, or (N)obody does. A Lease holds for fifteen seconds.
   */
  @ParameterizedTest
  @CsvSource({
    "rrrrr, LLLLL",
    "rrssssss, LLLLLLNN",
    "rrffff, LLLLNN",
    "nnnn, LLNN",
    "ssssss, LLLLLN",
    "xxxxxxxx, LLLLLLLL",
    "rrffffrr, LLLLNNLL",
    "rrffrr, LLLLLL",
    "rrffxfff, LLLLLLLN",
    "rrssssxx, LLLLLLLL",
    "nnnnrr, LLNNLL",
  })
  void nobodyLeadsOnlyWhenThatIsCertain(String looks, String verdicts) {
    StringBuilder told = new StringBuilder();
    Seen seen = null;
    int renewals = 0;
    for (int i = 0; i < looks.length(); i++) {
      char look = looks.charAt(i);
      renewals += look == 'r' ? 1 : 0;
      Lease lease = look == 'n' ? null : lease(look == 'f' ? "" : "pod_1", renewals);
      Instant now = NOON.plus(LeaderProbe.PERIOD.multipliedBy(i));
      seen = Seen.next(seen, lease, look != 'x', now);
      told.append(seen.leads(now) ? 'L' : 'N');
    }
    assertThat(told).hasToString(verdicts);
  }

  private static Lease lease(String holder, int renewals) {
    return new LeaseBuilder()
        .withNewSpec()
        .withHolderIdentity(holder)
        .withLeaseDurationSeconds(15)
        .withRenewTime(NOON.plusSeconds(renewals).atZone(ZoneOffset.UTC))
        .endSpec()
        .build();
  }
}
