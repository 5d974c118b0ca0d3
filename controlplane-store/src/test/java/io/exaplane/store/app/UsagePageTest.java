// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.api.StoreUsage;
import io.exaplane.store.api.StoreUsage.Share;
import io.exaplane.store.core.kind.KeyGroup;
import io.exaplane.store.wire.page.PageRequest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class UsagePageTest {
  private static final Share PODS =
      new Share(new KeyGroup("pods", "a\"\n\\", "/registry/pods/a\"\n\\/"), 3, 1200, 3000);
  private static final Share NODES =
      new Share(new KeyGroup("nodes", "", "/registry/nodes/"), 1, 700, 900);

  @Test
  void itIsJsonWhateverKeysHold() {
    StoreUsage usage = new StoreUsage(0, 4, 1900, 3900, List.of(PODS, NODES), List.of(PODS, NODES));
    assertThat(UsagePage.text(usage, 1))
        .isEqualTo(
            """
            {"at":"1970-01-01T00:00:00Z","keys":4,"liveBytes":1900,"loadBytes":3900,
            "kinds":[{"kind":"pods","namespace":"a\\"\\u000a\\\\","prefix":"/registry/pods/a\\"\\u000a\\\\/","keys":3,"bytes":1200,"loadBytes":3000}],
            "namespaces":[{"kind":"pods","namespace":"a\\"\\u000a\\\\","prefix":"/registry/pods/a\\"\\u000a\\\\/","keys":3,"bytes":1200,"loadBytes":3000}]}
            """);
    assertThat(UsagePage.text(usage, 2)).contains("\"nodes\"");
  }

  @ParameterizedTest
  @CsvSource({
    "/usage, 10",
    "/usage?top=3, 3",
    "/usage?a=b&top=7, 7",
    "/usage?top=x, 10",
    "/usage?top=99999999999, 10"
  })
  void topIsAskedFor(String uri, int top) {
    assertThat(UsagePage.top(PageRequest.of("GET", uri, "", true))).isEqualTo(top);
  }
}
