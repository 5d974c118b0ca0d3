// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.scheduler;

import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.storage.StorageClassBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Objects that come, change and go at random. */
final class Changes {
  private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

  private final KubernetesClient client;
  private final Random random;
  private final List<HasMetadata> there = new ArrayList<>();
  private int made;

  Changes(KubernetesClient client, Random random) {
    this.client = client;
    this.random = random;
  }

  /** So many, one after another. */
  void make(int count) {
    for (int i = 0; i < count; i++) {
      int die = random.nextInt(10);
      if (there.isEmpty() || die < 5) {
        there.add(client.resource(made()).create());
      } else if (die < 8) {
        HasMetadata object = there.get(random.nextInt(there.size()));
        String labels = "{\"metadata\":{\"labels\":{\"changed\":\"v%d\"}}}".formatted(made++);
        client.resource(object).patch(MERGE, labels);
      } else {
        client.resource(there.remove(random.nextInt(there.size()))).withGracePeriod(0).delete();
      }
    }
  }

  private HasMetadata made() {
    String name = "object-" + made++;
    return switch (random.nextInt(6)) {
      case 0 ->
          new NodeBuilder()
              .withNewMetadata()
              .withName(name)
              .endMetadata()
              .withNewStatus()
              .withAllocatable(Map.of("cpu", new Quantity("4")))
              .endStatus()
              .build();
      case 1 -> new NamespaceBuilder().withNewMetadata().withName(name).endMetadata().build();
      case 2 ->
          new ServiceBuilder()
              .withNewMetadata()
              .withName(name)
              .withNamespace("default")
              .endMetadata()
              .withNewSpec()
              .withClusterIP("None")
              .withSelector(Map.of("app", name))
              .endSpec()
              .build();
      case 3 ->
          new StorageClassBuilder()
              .withNewMetadata()
              .withName(name)
              .endMetadata()
              .withProvisioner("example.org/none")
              .build();
      default ->
          new PodBuilder()
              .withNewMetadata()
              .withName(name)
              .withNamespace("default")
              .endMetadata()
              .withNewSpec()
              .withContainers(new ContainerBuilder().withName("c").withImage("i").build())
              .endSpec()
              .build();
    };
  }
}
