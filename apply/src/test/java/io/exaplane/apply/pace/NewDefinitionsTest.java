// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.pace;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.exaplane.apply.manifest.Gvk;
import io.exaplane.apply.manifest.Hashes;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.manifest.ObjectKey;
import io.exaplane.apply.port.ApiException;
import io.exaplane.apply.port.ApiPort;
import io.exaplane.apply.port.ApplyRequest;
import io.exaplane.apply.port.Content;
import io.exaplane.apply.port.DeleteRequest;
import io.exaplane.apply.port.Discovery;
import io.exaplane.apply.port.Failure;
import io.exaplane.apply.port.ListPage;
import io.exaplane.apply.port.Observed;
import io.exaplane.apply.port.ResourceType;
import io.exaplane.apply.port.ServerLoad;
import io.exaplane.apply.port.WatchEvent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class NewDefinitionsTest {
  private static final ServerLoad LOAD = new ServerLoad(1, 2, 3, 4, 5, 6, 7);
  private int discoveries;
  private int servedKinds;

  private final class Port implements ApiPort {
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

    @Override
    public Observed apply(ApplyRequest request) {
      throw new IllegalStateException("not expected");
    }

    @Override
    public Optional<ObjectNode> get(ResourceType type, ObjectKey key) {
      throw new IllegalStateException("not expected");
    }

    @Override
    public ObjectNode dryRun(ApplyRequest request) {
      throw new IllegalStateException("not expected");
    }

    @Override
    public void delete(DeleteRequest request) {
      throw new IllegalStateException("not expected");
    }

    @Override
    public ListPage list(
        ResourceType type, Content content, String selector, int limit, String next) {
      throw new IllegalStateException("not expected");
    }

    @Override
    public void watch(
        ResourceType type,
        Content content,
        String selector,
        long resourceVersion,
        Consumer<WatchEvent> sink) {
      throw new IllegalStateException("not expected");
    }

    @Override
    public void close() {
      // Nothing is open.
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
