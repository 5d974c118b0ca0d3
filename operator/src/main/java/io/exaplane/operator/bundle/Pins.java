// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.bundle;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The pins of one owner during one pass: from what was kept, and what the running operator renders,
 * comes what is applied. Used by one thread; what comes out depends on nothing but what goes in.
 */
public final class Pins {
  static final String RECORD = "record.json.gz";
  static final String DIFF = "diff";

  /** The bundle of pods that an operator made which knew of none, and that would be others now. */
  public static final String UNRECORDED = "unrecorded";

  private final Owner owner;
  private final Optional<PinRecord> before;
  private final boolean recovers;
  private final JsonNode spec;
  private final Map<String, Pin> pins;
  private final Map<String, JsonNode> settled;
  private final Map<String, Pin> left;

  /** Objects that were made of the trees in {@link #pins}: to make one is dear. */
  private final Map<String, Object> applied = new HashMap<>();

  private final Optional<String> text;
  private boolean waits;

  /**
   * Whose pins they are.
   *
   * @param running bundle of the running operator
   * @param asked that of the spec, or null
   * @param window in which it may move by itself if the spec asks for no bundle
   * @param told that of the status, or null for an owner that has none yet
   * @param manager the name under which this operator applies the owner's objects
   * @param configMap name of the ConfigMap that keeps them
   */
  public record Owner(
      String running,
      String asked,
      MaintenanceWindow window,
      String told,
      String manager,
      String configMap) {
    boolean movesByItself() {
      return asked == null;
    }
  }

  /**
   * An object that is there.
   *
   * @param field of the spec that is pinned, as {@code template}; "" for all of it
   * @param id what it says of its template; null for nothing
   */
  public record Live(HasMetadata object, String field, String id) {}

  /**
   * Of a pass.
   *
   * @param there the ConfigMap that keeps them, if it is there
   * @param spec the owner's
   */
  public Pins(Owner owner, Optional<ConfigMap> there, Object spec) {
    this.owner = owner;
    this.text = there.map(ConfigMap::getBinaryData).map(data -> data.get(RECORD));
    this.before = text.flatMap(PinRecord::read);
    this.recovers =
        before.map(PinRecord::recovered).orElse(there.isPresent() || owner.told() != null);
    this.spec = Trees.of(spec);
    this.pins = new TreeMap<>(before.map(PinRecord::pins).orElse(Map.of()));
    this.settled = new TreeMap<>(before.map(PinRecord::settled).orElse(Map.of()));
    this.left = new TreeMap<>(before.map(PinRecord::left).orElse(Map.of()));
  }

  /** The bundle of the owner's pods, as it was before this pass. */
  public String bundle() {
    String known = before.map(PinRecord::bundle).or(() -> told()).orElse(owner.running());
    boolean isOfNone =
        Stream.concat(pins.values().stream(), left.values().stream())
            .anyMatch(pin -> pin.bundle().equals(UNRECORDED));
    return isOfNone && known.equals(owner.running()) ? UNRECORDED : known;
  }

  private Pin found(Live live, JsonNode now) {
    Pin pin = Pin.found(bundle(), owner.running(), live.id(), seen(live, now), now);
    return pin.isPending() && pin.bundle().equals(owner.running()) ? pin.of(UNRECORDED) : pin;
  }

  private Optional<String> told() {
    return Optional.ofNullable(owner.told());
  }

  /**
   * Whether the spec asks for the bundle of the running operator, or a maintenance window lets the
   * pods have it. A move that began in a window goes on after its end.
   */
  public boolean isMoving() {
    return owner.movesByItself()
        ? owner.window().isOpen()
            || before.map(PinRecord::moving).filter(owner.running()::equals).isPresent()
        : owner.running().equals(owner.asked());
  }

  /** The bundle of the running operator. */
  public String running() {
    return owner.running();
  }

  /** Whether the spec asks for a bundle that nobody renders. */
  public boolean isUnsupported() {
    return owner.asked() != null && !isMoving() && !owner.asked().equals(bundle());
  }

  /** The wishes that were rendered last, when those of now are others; else nothing. */
  public <S> Optional<S> formerSpec(Class<S> type) {
    return before
        .map(PinRecord::spec)
        .filter(former -> former.isObject() && !former.equals(spec))
        .map(former -> Trees.to(former, type));
  }

  /** Whether an object is made of the running operator's bundle. */
  public boolean isMoved(String name) {
    return Optional.ofNullable(pins.get(name))
        .filter(pin -> pin.bundle().equals(owner.running()))
        .isPresent();
  }

  /**
   * What is applied of an object.
   *
   * @param name of the object within the owner, as {@code Deployment/demo-apiserver}
   * @param rendered what the running operator renders
   * @param live the object as it is, if it is; asked for when nothing is known of it
   * @param moves whether it is to be of the running operator's bundle from now on
   * @param former what the running operator renders for the wishes of before
   */
  public <T> T apply(
      String name, T rendered, Supplier<Optional<Live>> live, boolean moves, Supplier<T> former) {
    JsonNode now = Trees.of(rendered);
    Pin known = origin(name).or(() -> known(name)).orElse(null);
    Pin next;
    if (moves) {
      next = Pin.fresh(owner.running(), now);
    } else if (known == null) {
      next =
          live.get().map(seen -> found(seen, now)).orElseGet(() -> Pin.fresh(owner.running(), now));
    } else {
      next = known.next(owner.running(), now, () -> Trees.of(former.get()));
    }
    pins.put(name, next);
    @SuppressWarnings("unchecked")
    Class<T> type = (Class<T>) rendered.getClass();
    T made = Trees.to(next.template(), type);
    applied.put(name, made);
    return made;
  }

  /**
   * What is applied of an object that waits for its turn: what was kept of it, with urgent facts.
   *
   * @param rendered what the running operator renders
   * @param otherwise what {@link #apply} gave, which is also applied of an object of which nothing
   *     was kept
   */
  public <T> T waiting(String name, T rendered, T otherwise) {
    @SuppressWarnings("unchecked")
    Class<T> type = (Class<T>) rendered.getClass();
    return known(name)
        .map(known -> made(name, known.waiting(Trees.of(rendered)).template(), type))
        .orElse(otherwise);
  }

  /** The object of a tree, which most often is the one that is applied. */
  private <T> T made(String name, JsonNode tree, Class<T> type) {
    Pin pin = pins.get(name);
    Object there = pin != null && tree.equals(pin.template()) ? applied.get(name) : null;
    return type.isInstance(there) ? type.cast(there) : Trees.to(tree, type);
  }

  /** Keeps of an object what {@link #waiting} gave, so that the change is still to come. */
  public void hold(String name, Object rendered) {
    known(name)
        .ifPresent(
            known -> {
              waits = true;
              applied.remove(name);
              pins.put(name, known.waiting(Trees.of(rendered)));
              left.remove(name);
              before
                  .map(PinRecord::left)
                  .map(all -> all.get(name))
                  .ifPresent(was -> left.put(name, was));
            });
  }

  /** What was kept of an object before this pass. */
  public <T> Optional<T> kept(String name, Class<T> type) {
    return known(name).map(known -> made(name, known.template(), type));
  }

  private Optional<Pin> known(String name) {
    return before.map(PinRecord::pins).map(all -> all.get(name));
  }

  /**
   * What an object was before it left its bundle, if the spec names that bundle again. Nobody else
   * takes it back: not a new operator, nor a spec that names none any more.
   */
  private Optional<Pin> origin(String name) {
    boolean isAsked = !isMoving() && bundle().equals(owner.asked());
    return isAsked ? Optional.ofNullable(left.remove(name)) : Optional.empty();
  }

  /**
   * Keeps what an object is before it moves, until all objects have moved: a person may ask for its
   * bundle again.
   */
  public void leave(String name) {
    if (isMoving()) {
      known(name)
          .filter(pin -> !pin.bundle().equals(owner.running()))
          .ifPresent(pin -> left.putIfAbsent(name, pin));
    }
  }

  /** What stands for the template of an object, in annotations. */
  public String id(String name) {
    return pins.get(name).id();
  }

  /** Remembers that the template of an object has settled. */
  public void settle(String name) {
    settled.put(name, pins.get(name).template());
  }

  /** A template that settled, and what stands for it. */
  public record Settled<T>(String id, T template) {}

  /**
   * The last template of an object that settled, with the facts of now; nothing if the template
   * that is applied is the same one, or none has settled.
   */
  public <T> Optional<Settled<T>> settled(String name, Class<T> type) {
    JsonNode now = pins.get(name).template();
    return Optional.ofNullable(settled.get(name))
        .map(last -> Pin.factsOfSettled(last, now))
        .filter(last -> !last.equals(now))
        .map(last -> new Settled<>(Pin.id(last), Trees.to(last, type)));
  }

  /** Forgets objects that are no more part of the owner. */
  public void keepOnly(Function<String, Boolean> isPart) {
    pins.keySet().removeIf(name -> !isPart.apply(name));
    settled.keySet().retainAll(pins.keySet());
    left.keySet().retainAll(pins.keySet());
  }

  private JsonNode seen(Live live, JsonNode now) {
    JsonNode object = Trees.of(live.object());
    JsonNode part = object.path("spec");
    Optional<Map<String, Object>> fields =
        live.object().getMetadata().getManagedFields().stream()
            .filter(entry -> "Apply".equals(entry.getOperation()))
            .filter(entry -> owner.manager().equals(entry.getManager()))
            .filter(entry -> entry.getSubresource() == null || entry.getSubresource().isEmpty())
            .map(ManagedFieldsEntry::getFieldsV1)
            .filter(Objects::nonNull)
            .map(all -> all.getAdditionalProperties())
            .findFirst()
            .flatMap(all -> below(all, "f:spec"));
    if (!live.field().isEmpty()) {
      part = part.path(live.field());
      fields = fields.flatMap(all -> below(all, "f:" + live.field()));
    }
    JsonNode shown = part;
    return Trees.aligned(
        fields
            .map(managed -> AppliedForm.of(shown, managed))
            .orElseGet(() -> Trees.shaped(shown, now)),
        now);
  }

  @SuppressWarnings("unchecked")
  private static Optional<Map<String, Object>> below(Map<String, Object> fields, String name) {
    return Optional.ofNullable((Map<String, Object>) fields.get(name));
  }

  /** The objects that the running operator would make otherwise, by name. */
  public List<String> pending() {
    return pins.entrySet().stream()
        .filter(pin -> pin.getValue().isPending())
        .map(Map.Entry::getKey)
        .toList();
  }

  /** The objects that are not of the running operator's bundle, by name. */
  public List<String> unmoved() {
    return pins.keySet().stream().filter(name -> !isMoved(name)).toList();
  }

  /**
   * The content of the ConfigMap.
   *
   * @param bundle that of the owner's pods from now on
   */
  public Kept kept(String bundle) {
    return kept(bundle, true);
  }

  /**
   * The same of an owner that may wait for others.
   *
   * @param moves false while it waits: a move that waits has not begun
   */
  public Kept kept(String bundle, boolean moves) {
    Map<String, String> data = new TreeMap<>();
    StringBuilder diff = new StringBuilder();
    pins.forEach(
        (name, pin) -> {
          if (pin.isPending()) {
            diff.append(
                UnifiedDiff.of(
                    name.replace('/', '.'),
                    Yaml.of(name, pin.template()),
                    Yaml.of(name, pin.rendered())));
          }
        });
    if (!diff.isEmpty()) {
      data.put(DIFF, diff.toString());
    }
    // Wishes that wait are those of now only when they are carried out.
    JsonNode wishes = waits ? before.map(PinRecord::spec).orElse(spec) : spec;
    PinRecord record =
        new PinRecord(
            bundle,
            moving(bundle, moves),
            recovers && !pending().isEmpty(),
            wishes,
            Map.copyOf(pins),
            Map.copyOf(settled),
            bundle.equals(owner.running()) && unmoved().isEmpty() ? Map.of() : Map.copyOf(left));
    // The same record has the same text, and most passes change nothing.
    String written = before.filter(record::equals).flatMap(_ -> text).orElseGet(record::write);
    return new Kept(data, Map.of(RECORD, written));
  }

  /** The bundle to which a window lets the pods move from now on, until they have it; or "". */
  private String moving(String bundle, boolean moves) {
    boolean goesOn = owner.movesByItself() && isMoving() && !bundle.equals(owner.running());
    boolean began = before.map(PinRecord::moving).filter(owner.running()::equals).isPresent();
    return goesOn && (moves || began) ? owner.running() : "";
  }

  /** The bundle that all objects are of after this pass, or that of before. */
  public String moved() {
    return isMoving() && unmoved().isEmpty() ? owner.running() : bundle();
  }

  /** What is told of all that. */
  public Update update() {
    return new Update(
        owner, bundle(), isMoving(), isUnsupported(), recovers, pending(), moved(), unmoved());
  }

  /** The content of the ConfigMap: texts, and what is in base64. */
  public record Kept(Map<String, String> data, Map<String, String> binary) {}
}
