// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.pace;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.apply.manifest.Gvk;
import io.exaplane.apply.manifest.Hashes;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.manifest.ObjectKey;
import io.exaplane.apply.port.ApiException;
import io.exaplane.apply.port.Discovery;
import io.exaplane.apply.port.Failure;
import io.exaplane.apply.port.ResourceType;
import io.exaplane.apply.port.ServerLoad;
import io.exaplane.apply.port.UnexpectedPort;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NewDefinitionsTest {
  private static final ServerLoad LOAD = new ServerLoad(1, 2, 3, 4, 5, 6, 7, 8);
  private int discoveries;
  private int servedKinds;

  private final class Port extends UnexpectedPort {
    @Override
    public Discovery discover() {
      discoveries++;
      Map<Gvk, ResourceType> types = new HashMap<>();
      for (int at = 0; at < servedKinds; at++) {
        Gvk gvk = new Gvk("e.org", "v1", "Kind" + at);
        types.put(gvk, new ResourceType(gvk, "kinds", true, Set.of("list")));
      }
      return new Discovery(types, Set.of());
    }
  }

  private static List<Manifest> definitions(int count) {
    List<Manifest> all = new ArrayList<>();
    for (int at = 0; at < count; at++) {
      byte[] body =
          "{\"spec\":{\"group\":\"e.org\",\"names\":{\"kind\":\"Kind%d\"}}}"
              .formatted(at)
              .getBytes(StandardCharsets.UTF_8);
      Gvk gvk = new Gvk("apiextensions.k8s.io", "v1", "CustomResourceDefinition");
      all.add(
          new Manifest(
              gvk,
              new ObjectKey(gvk.group(), gvk.kind(), "", "kind" + at + "s.e.org"),
              body,
              Hashes.of(body),
              Map.of(),
              new Manifest.Source("a.yaml", at + 1)));
    }
    return all;
  }

  private Optional<NewDefinitions> of(int count, NewDefinitions.Meter meter) throws Exception {
    return NewDefinitions.of(new Port(), meter, definitions(count));
  }

  @Test
  void nobodyIsAskedAboutAFew() throws Exception {
    assertThat(of(DefinitionPace.START, () -> LOAD)).isEmpty();
    assertThat(discoveries).isZero();
  }

  @Test
  void thoseThatAreServedCountNot() throws Exception {
    servedKinds = 5;
    assertThat(of(15, () -> LOAD)).as("ten are new").isEmpty();
    NewDefinitions added = of(16, () -> LOAD).orElseThrow();
    assertThat(added.definitions()).hasSize(11);
    assertThat(added.documents().map(NewDefinitions::kind)).startsWith("Kind5.e.org").hasSize(11);
    assertThat(added.load()).isEqualTo(LOAD);
  }

  @Test
  void anAccountThatMayNotReadMetricsKnowsNothing() throws Exception {
    NewDefinitions added =
        of(
                16,
                () -> {
                  throw new ApiException(new Failure(403, "Forbidden", "no", 0, false, List.of()));
                })
            .orElseThrow();
    assertThat(added.load()).isEqualTo(ServerLoad.UNKNOWN);
  }
}
