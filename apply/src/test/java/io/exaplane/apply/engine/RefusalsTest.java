// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.apply.inventory.ApplySet;
import io.exaplane.apply.inventory.Inventory;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.port.Failure;
import io.exaplane.apply.port.ListPage;
import java.util.ArrayDeque;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What users are told of an apply that the server refuses. */
class RefusalsTest {
  private static final String WAY_OUT = "put the former value back, or delete the object";

  /** A name may have the word that servers use for fields that cannot change. */
  private static final String NAME = "immutable-map";

  private final ApplySet set = new ApplySet("one", "default");
  private final ModelServer server = new ModelServer();
  private final Engine engine = new Engine(Options.DEFAULTS.following(true));
  private Failure.Cause refusal;

  @BeforeEach
  void begin() {
    server.nowMs = 10_000;
  }

  private void run(Event first) throws ModelServer.Refused {
    ArrayDeque<Event> events = new ArrayDeque<>(List.of(first));
    while (!events.isEmpty()) {
      for (Action action : engine.on(events.remove(), server.nowMs)) {
        switch (action) {
          case Action.Tell _, Action.Watch _ -> {}
          case Action.Discover _ -> events.add(new Event.Discovered(server.discovery()));
          case Action.Load one -> events.add(new Event.Loaded(one.source(), Inventory.EMPTY));
          case Action.Save one -> events.add(new Event.Saved(one.source(), null));
          case Action.Page one ->
              events.add(
                  new Event.Listed(
                      one.groupKind(), one.number(), new ListPage(List.of(), 1, "", 0)));
          case Action.Apply one -> events.add(apply(one));
          default -> throw new IllegalStateException("not expected: " + action);
        }
      }
    }
  }

  private Event apply(Action.Apply one) throws ModelServer.Refused {
    if (refusal == null) {
      ModelObject object =
          server.apply(
              one.key(),
              ModelServer.leaves(one.set().member(one.manifest())),
              ModelServer.US,
              one.force(),
              one.manifest().hash());
      return new Event.Applied(one.key(), one.ticket(), object.observed(ModelServer.US, false), 5);
    }
    String message =
        "ConfigMap \"%s\" is invalid: %s: %s".formatted(NAME, refusal.field(), refusal.message());
    Failure failure = new Failure(422, "Invalid", message, 0, false, List.of(refusal));
    return new Event.NotApplied(one.key(), one.ticket(), failure);
  }

  private void want(String value) throws ModelServer.Refused {
    Manifest map = Wishes.manifest(Wishes.CONFIG_MAP, "default", NAME, value, "");
    run(new Event.Desired(set, List.of(map), true));
  }

  private String words() {
    return engine.summary(set).items().getFirst().words();
  }

  private void refuse(String reason, String message) {
    refusal = new Failure.Cause(reason, "data", message);
  }

  /** After a first apply, so that the object exists. */
  private String refused(String reason, String message) throws ModelServer.Refused {
    want("1");
    assertThat(engine.summary(set).good()).isTrue();
    server.nowMs += 60_000;
    refuse(reason, message);
    want("2");
    assertThat(words()).contains("the server says 422 Invalid", message);
    return words();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "Forbidden: field is immutable when `immutable` is set",
        "Forbidden: updates to statefulset spec for fields other than 'replicas' are forbidden",
      })
  void aFieldThatNobodyCanChangeHasAWayOut(String message) throws ModelServer.Refused {
    assertThat(refused("FieldValueForbidden", message)).contains(WAY_OUT);
  }

  @Test
  void aValueThatCannotChangeHasAWayOut() throws ModelServer.Refused {
    assertThat(refused("FieldValueInvalid", "Invalid value: \"b\": field is immutable"))
        .contains(WAY_OUT);
  }

  @Test
  void aNameOrAValueSaysNothingAboutTheRule() throws ModelServer.Refused {
    assertThat(refused("FieldValueInvalid", "Invalid value: \"immutable\": must be a number"))
        .doesNotContain(WAY_OUT);
  }

  @Test
  void anObjectThatDoesNotExistHasNoFormerValue() throws ModelServer.Refused {
    refuse("FieldValueInvalid", "Invalid value: \"b\": field is immutable");
    want("1");
    assertThat(words()).contains("the server says 422 Invalid").doesNotContain(WAY_OUT);
  }
}
