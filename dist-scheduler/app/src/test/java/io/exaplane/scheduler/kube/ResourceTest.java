// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.ObjectReader;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.model.device.SelectorCompiler;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ResourceTest {
  @Test
  void whatIsReadIsAskedFor() {
    for (Version version : List.of(Version.V1_36, Version.V1_37)) {
      Map<String, String> read = new HashMap<>();
      for (Version other : Version.values()) {
        Cluster cluster = new Cluster(SelectorCompiler.NONE);
        read.putAll(new ObjectReader(cluster, other).versions());
      }
      read.putAll(new ObjectReader(new Cluster(SelectorCompiler.NONE), version).versions());
      assertThat(
              Resource.of(version).stream()
                  .collect(Collectors.toMap(Resource::kind, Resource::apiVersion)))
          .containsExactlyInAnyOrderEntriesOf(read);
    }
  }
}
