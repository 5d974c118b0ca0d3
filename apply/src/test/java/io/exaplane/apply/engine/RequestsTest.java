// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.exaplane.apply.inventory.ApplySet;
import io.exaplane.apply.inventory.InventorySave;
import io.exaplane.apply.manifest.ObjectKey;
import io.exaplane.apply.port.ApplyRequest;
import io.exaplane.apply.port.Failure;
import io.exaplane.apply.port.Health;
import io.exaplane.apply.port.Observed;
import io.exaplane.apply.port.ResourceType;
import io.exaplane.apply.port.UnexpectedPort;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** An inventory grows, and needs another ConfigMap. */
class RequestsTest {
  private final ApplySet set = new ApplySet("shop", "default");
  private final List<String> applied = new ArrayList<>();
  private Optional<ObjectNode> there = Optional.empty();

  private final class Port extends UnexpectedPort {
    @Override
    public Observed apply(ApplyRequest request) {
      applied.add(request.key().name());
      return new Observed(request.key(), "u", 1, 0, false, "", 0, Health.UNKNOWN, List.of());
    }

    @Override
    public Optional<ObjectNode> get(ResourceType type, ObjectKey key) {
      return there;
    }
  }

  private Failure save() throws InterruptedException {
    List<Event> events = new ArrayList<>();
    InventorySave save =
        new InventorySave(Set.of("ConfigMap"), Set.of(), 2, Map.of(0, List.of(), 1, List.of()));
    new Requests(new Port(), "exaplane", () -> 1)
        .carryOut(new Action.Save(0, set, save), events::add);
    return ((Event.Saved) events.getFirst()).failure();
  }

  @Test
  void aConfigMapOfSomebodyElseIsNotTaken() throws Exception {
    there = Optional.of((ObjectNode) new ObjectMapper().readTree("{\"data\":{\"a\":\"b\"}}"));
    assertThat(save().reason()).isEqualTo(Failure.TAKEN);
    assertThat(save().message()).contains("ConfigMap default/shop-1", "no part", "source shop");
    assertThat(applied).isEmpty();
  }

  @Test
  void aNewOneAndOneOfTheSourceAreWritten() throws Exception {
    assertThat(save()).isNull();
    there =
        Optional.of(
            (ObjectNode)
                new ObjectMapper()
                    .readTree(
                        "{\"metadata\":{\"labels\":{\"apply.exaplane.io/shard-of\":\"shop\"}}}"));
    assertThat(save()).isNull();
    assertThat(applied).containsExactly("shop-1", "shop", "shop-1", "shop");
  }
}
