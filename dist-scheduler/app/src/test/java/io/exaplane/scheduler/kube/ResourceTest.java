// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.scheduler.engine.model.Cluster;
import io.exaplane.scheduler.engine.model.ObjectReader;
import io.exaplane.scheduler.engine.model.Version;
import io.exaplane.scheduler.engine.model.device.SelectorCompiler;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ResourceTest {
  @Test
  void whatIsReadIsAskedFor() {
    ObjectReader reader = new ObjectReader(new Cluster(SelectorCompiler.NONE), Version.newest());
    assertThat(
            Resource.ALL.stream().collect(Collectors.toMap(Resource::kind, Resource::apiVersion)))
        .containsExactlyInAnyOrderEntriesOf(reader.versions());
  }
}
