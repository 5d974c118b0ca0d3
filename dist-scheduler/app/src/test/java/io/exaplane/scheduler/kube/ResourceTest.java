// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.ObjectReader;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.model.device.SelectorCompiler;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ResourceTest {
  @Test
  void whatIsReadIsAskedFor() {
    Map<String, String> read = new HashMap<>();
    for (Version version : Version.values()) {
      Cluster cluster = new Cluster(SelectorCompiler.NONE);
      read.putAll(new ObjectReader(cluster, version).versions());
    }
    // A pool refuses to schedule the groups of 1.37.
    read.put("PodGroup", "scheduling.k8s.io/v1alpha2");
    assertThat(
            Resource.ALL.stream().collect(Collectors.toMap(Resource::kind, Resource::apiVersion)))
        .containsExactlyInAnyOrderEntriesOf(read);
  }
}
