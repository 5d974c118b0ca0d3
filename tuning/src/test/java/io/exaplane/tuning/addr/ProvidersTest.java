// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.addr;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.tuning.model.Numbers;
import io.exaplane.tuning.version.VersionMatrix;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProvidersTest {
  private static final Providers PROVIDERS = Providers.load();

  @Test
  void everyNumberHasItsSourceAndDate() {
    for (Provider provider : PROVIDERS.providers()) {
      assertThat(provider.source()).as(provider.name()).isNotBlank();
      assertThat(provider.date()).as(provider.name()).isNotBlank();
      assertThat(provider.gives()).as(provider.name()).endsWith(".");
      assertThat(provider.quotas()).as(provider.name()).isNotEmpty();
      for (Quota quota : provider.quotas()) {
        String about = provider.name() + " " + quota;
        assertThat(quota.name()).as(about).matches("[a-z][a-z0-9-]+");
        assertThat(quota.source()).as(about).isNotBlank();
        assertThat(quota.date()).as(about).isNotBlank();
        assertThat(quota.next()).as(about).isNotBlank();
        assertThat(quota.perNode()).as(about).isPositive();
        if (quota.value() != null) {
          assertThat(quota.date()).as(about).containsPattern("20\\d\\d");
        }
        if (quota.most() != null) {
          assertThat(quota.most()).as(about).isGreaterThan(quota.value());
        }
      }
    }
  }

  /** The page that people read has the same numbers. */
  @Test
  void thePageHasEveryProviderAndEveryQuota() throws IOException {
    String page = Files.readString(Path.of("../docs/addresses.md"));
    for (Provider provider : PROVIDERS.providers()) {
      assertThat(page).contains("`" + provider.name() + "`");
      for (Quota quota : provider.quotas()) {
        String number = quota.value() == null ? "" : " " + Numbers.text(quota.value());
        assertThat(page).as(provider.name()).contains("`" + quota.name() + "`" + number);
      }
    }
  }

  /** With its defaults alone, each has an answer. */
  @Test
  void allCanBeCompared() {
    var plans = AddressPlan.compare(Map.of(), PROVIDERS, VersionMatrix.load());
    assertThat(plans).hasSize(PROVIDERS.providers().size() - 1);
    assertThat(plans)
        .extracting(plan -> plan.parts().getFirst().provider().name())
        .contains("aws", "gcp", "azure", "hetzner", "digitalocean", "vultr", "scaleway")
        .doesNotContain("custom");
  }
}
