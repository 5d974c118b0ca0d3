// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.engine;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.exaplane.apply.inventory.ApplySet;
import io.exaplane.apply.inventory.Inventory;
import io.exaplane.apply.inventory.InventoryFormat;
import io.exaplane.apply.inventory.InventoryRecord;
import io.exaplane.apply.manifest.Manifest;
import io.exaplane.apply.manifest.ObjectKey;
import io.exaplane.apply.port.Failure;
import io.exaplane.apply.port.ListPage;
import io.exaplane.apply.port.Observed;
import io.exaplane.apply.port.ServerLoad;
import io.exaplane.apply.port.WatchEvent;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * An engine beside a model server, with everything that can go wrong between them, by a seed. First
 * chaos, then calm; at the end the cluster must be as the manifests say. Longer than others: the
 * network between both, and all that happens on it, is one table of events.
 */
final class Simulation {
  /** What is done wrong on purpose, to see whether the end finds it. */
  enum Planted {
    NOTHING,
    WATCHES_LOSE_DELETIONS,
    WATCHES_LOSE_CHANGES,
    LISTS_LOSE_A_PAGE,
    SAVES_ARE_LOST,
    OLD_EVENTS_LOOK_NEW,
    PRECONDITIONS_ARE_IGNORED,
    EXPIRY_IS_HIDDEN,
    OWNERS_ARE_HIDDEN
  }

  private static final String TRACE = System.getProperty("apply.trace");
  static final ObjectMapper JSON = new ObjectMapper();
  final SplittableRandom random;
  final ModelServer server = new ModelServer();
  final Planted planted;
  final Map<String, JsonNode> stored = new HashMap<>();
  final Map<ApplySet, Event.Desired> wanted = new LinkedHashMap<>();
  final List<ApplySet> sets =
      List.of(new ApplySet("one", "default"), new ApplySet("two", "default"));
  final Map<ObjectKey, Map<String, String>> foreign = new LinkedHashMap<>();
  private final Options options;
  private Engine engine;
  private List<Action> requests = new ArrayList<>();
  private List<Event> answers = new ArrayList<>();
  private final List<Action.Apply> late = new ArrayList<>();
  private final Map<String, Action.Watch> watches = new LinkedHashMap<>();
  private final Map<String, Long> positions = new HashMap<>();
  private final Map<String, List<ModelObject>> pages = new HashMap<>();
  private final Map<String, Long> pageVersions = new HashMap<>();

  /** How many answered applies it takes until nothing of a cut-off one is left, by object. */
  private final Map<ObjectKey, Integer> cut = new HashMap<>();

  /** When sources are let go and wanted again; not by the random that the other histories have. */
  private final SplittableRandom letsGo;

  private long tokens;
  boolean calm;

  /** Whether sources are let go in between. */
  boolean pauses;

  Simulation(long seed, Planted planted) {
    this(seed, planted, true);
  }

  Simulation(long seed, Planted planted, boolean follow) {
    this.planted = planted;
    random = new SplittableRandom(seed);
    letsGo = new SplittableRandom(~seed);
    server.nowMs = 10_000;
    server.mutating = random.nextBoolean();
    options =
        new Options(
            ModelServer.US,
            "default",
            true,
            true,
            false,
            follow,
            2,
            8,
            300_000,
            3_000,
            2_000,
            seed);
    engine = new Engine(options);
  }

  void run(int steps) {
    new Opponent(this).start();
    Opponent opponent = new Opponent(this);
    for (ApplySet one : sets) {
      want(one, Wishes.some(one.name(), random), true);
    }
    for (int at = 0; at < steps; at++) {
      if (pauses && letsGo.nextInt(15) == 0) {
        letGo();
      }
      switch (random.nextInt(12)) {
        case 0, 1, 2 -> serve();
        case 3, 4, 5 -> answer();
        case 6, 7 -> deliver(1 + random.nextInt(3));
        case 8 ->
            pass(random.nextInt(4) == 0 ? 1 + random.nextInt(400_000) : random.nextInt(2_000));
        case 9 -> opponent.act();
        case 10 -> disturb();
        default -> opponent.controllers();
      }
    }
    calmDown(opponent);
  }

  /** The process ends while all is calm, and another one begins with the same wishes. */
  void another() {
    restart();
    calmDown(new Opponent(this));
  }

  void want(ApplySet set, List<Manifest> manifests, boolean complete) {
    Event.Desired event = new Event.Desired(set, manifests, complete);
    wanted.put(set, event);
    tell(event);
  }

  private void tell(Event event) {
    trace("event " + event);
    for (Action one : engine.on(event, server.nowMs)) {
      trace("  action " + one);
      switch (one) {
        case Action.Tell any -> {}
        case Action.Page page -> {
          watches.remove(page.groupKind());
          requests.add(page);
        }
        case Action.Watch watch -> {
          watches.put(watch.groupKind(), watch);
          positions.put(watch.groupKind(), watch.resourceVersion());
        }
        default -> requests.add(one);
      }
    }
  }

  /** With {@code -Dapply.trace=TEXT}: what is said of it. */
  void trace(String words) {
    if (TRACE != null && words.contains(TRACE)) {
      System.out.println(server.nowMs + " v" + server.version + " " + words.replace('\n', '.'));
    }
  }

  void pass(long ms) {
    server.nowMs += ms;
    tell(new Event.Tick());
  }

  /** One request reaches the server, or does not. */
  private void serve() {
    if (!late.isEmpty() && random.nextInt(4) == 0) {
      carryOutLate();
    }
    if (requests.isEmpty()) {
      return;
    }
    Action request = requests.remove(random.nextInt(requests.size()));
    int fate = calm ? 9 : random.nextInt(16);
    if (request instanceof Action.Apply apply && fate < 3) {
      server.uncertain.add(apply.key());
      cut.put(apply.key(), 2);
      if (fate == 0) {
        respond(apply);
      } else if (fate == 1) {
        late.add(apply);
      }
      answers.add(new Event.NotApplied(apply.key(), apply.ticket(), failure(0, true)));
    } else if (fate == 3) {
      answers.add(refuse(request, failure(random.nextBoolean() ? 429 : 503, false)));
    } else {
      answers.add(respond(request));
    }
  }

  private void carryOutLate() {
    Action.Apply one = late.remove(0);
    trace("late " + one);
    server.uncertain.add(one.key());
    cut.put(one.key(), 2);
    respond(one);
  }

  private static Failure failure(int code, boolean unknown) {
    return new Failure(code, "", "made up", 0, unknown, List.of());
  }

  private void answer() {
    if (answers.isEmpty()) {
      return;
    }
    Event event = answers.remove(random.nextInt(answers.size()));
    if (event instanceof Event.Applied applied) {
      int left = cut.getOrDefault(applied.key(), 1) - 1;
      cut.put(applied.key(), left);
      if (left <= 0) {
        server.uncertain.remove(applied.key());
        cut.remove(applied.key());
      }
    }
    tell(event);
  }

  private Event refuse(Action request, Failure failure) {
    return switch (request) {
      case Action.Discover one -> new Event.NotDiscovered(failure);
      case Action.Look one -> new Event.NotLooked(failure);
      case Action.Load one -> new Event.NotLoaded(one.source(), failure);
      case Action.Save one -> new Event.Saved(one.source(), failure);
      case Action.Page one -> new Event.NotListed(one.groupKind(), one.number(), failure);
      case Action.Apply one -> new Event.NotApplied(one.key(), one.ticket(), failure);
      case Action.Delete one -> new Event.Deleted(one.request().key(), one.ticket(), failure);
      default -> throw new IllegalStateException("no answer to " + request);
    };
  }

  private Event respond(Action request) {
    try {
      return switch (request) {
        case Action.Discover one -> new Event.Discovered(server.discovery());
        case Action.Look one -> new Event.Looked(load(), random.nextInt(100));
        case Action.Load one -> new Event.Loaded(one.source(), load(one.set()));
        case Action.Save one -> save(one);
        case Action.Page one -> page(one);
        case Action.Apply one -> {
          ModelObject after =
              server.apply(
                  one.key(),
                  ModelServer.leaves(one.set().member(one.manifest())),
                  ModelServer.US,
                  one.force(),
                  one.manifest().hash());
          // Taken by others between our last look and our forced apply: nobody can know.
          foreign.remove(one.key());
          yield new Event.Applied(one.key(), one.ticket(), observed(after), 5 + random.nextInt(20));
        }
        case Action.Delete one -> {
          var wish = one.request();
          if (planted == Planted.PRECONDITIONS_ARE_IGNORED
              && server.objects.containsKey(wish.key())) {
            ModelObject any = server.objects.get(wish.key());
            wish = new io.exaplane.apply.port.DeleteRequest(wish.type(), wish.key(), any.uid, 0);
          }
          server.delete(wish);
          yield new Event.Deleted(one.request().key(), one.ticket(), null);
        }
        default -> throw new IllegalStateException("no answer to " + request);
      };
    } catch (ModelServer.Refused e) {
      return refuse(request, e.failure);
    }
  }

  private Observed observed(ModelObject object) {
    Observed seen = object.observed(ModelServer.US, ModelServer.full(State.groupKind(object.key)));
    return planted != Planted.OWNERS_ARE_HIDDEN
        ? seen
        : new Observed(
            seen.key(),
            seen.uid(),
            seen.resourceVersion(),
            seen.generation(),
            seen.deleting(),
            seen.partOf(),
            0,
            seen.health(),
            List.of(
                new io.exaplane.apply.port.FieldManager(
                    ModelServer.US, "Apply", "", "v1", "", new byte[] {'{', '}'})));
  }

  private Inventory load(ApplySet set) {
    List<JsonNode> shards = new ArrayList<>();
    JsonNode parent = stored.get(InventoryFormat.key(set, 0).name());
    shards.add(parent);
    for (int at = 1; parent != null && at < InventoryFormat.shards(parent); at++) {
      shards.add(stored.get(InventoryFormat.key(set, at).name()));
    }
    return InventoryFormat.read(set, shards);
  }

  /** Memory is full now and then, for a moment. */
  private ServerLoad load() {
    double live = random.nextInt(4) == 0 ? 900 : 100;
    return new ServerLoad(live, live, 1_000, 1, 600, random.nextInt(8) == 0 ? 2 : 0, 0, -1);
  }

  private Event save(Action.Save one) {
    for (Manifest shard : InventoryFormat.write(one.set(), one.save())) {
      if (planted != Planted.SAVES_ARE_LOST || one.save().changed().get(0).isEmpty()) {
        try {
          stored.put(shard.key().name(), JSON.readTree(shard.body()));
        } catch (IOException e) {
          throw new IllegalStateException(e);
        }
      }
    }
    return new Event.Saved(one.source(), null);
  }

  private Event page(Action.Page one) {
    if (!server.served(one.groupKind())) {
      return new Event.NotListed(one.groupKind(), one.number(), failure(404, false));
    }
    String token = one.next();
    if (token.isEmpty()) {
      token = Long.toString(++tokens);
      List<ModelObject> all = new ArrayList<>();
      for (ModelObject object : server.objects.values()) {
        if (State.groupKind(object.key).equals(one.groupKind()) && !object.partOf().isEmpty()) {
          all.add(object);
        }
      }
      pages.put(token, all);
      pageVersions.put(token, server.version);
    }
    String[] parts = token.split(":");
    int from = parts.length == 1 ? 0 : Integer.parseInt(parts[1]);
    if (from > 0 && !calm && random.nextInt(8) == 0) {
      return new Event.NotListed(one.groupKind(), one.number(), failure(410, false));
    }
    List<ModelObject> all = pages.get(parts[0]);
    int to = Math.min(all.size(), from + one.limit());
    List<Observed> items = all.subList(from, to).stream().map(this::observed).toList();
    boolean more = to < all.size() && planted != Planted.LISTS_LOSE_A_PAGE;
    return new Event.Listed(
        one.groupKind(),
        one.number(),
        new ListPage(items, pageVersions.get(parts[0]), more ? parts[0] + ":" + to : "", 100));
  }

  /** Some watches go on by some events. */
  private void deliver(int events) {
    for (Action.Watch one : new ArrayList<>(watches.values())) {
      if (calm || random.nextBoolean()) {
        for (int at = 0; at < events && watches.get(one.groupKind()) == one; at++) {
          deliverOne(one);
        }
      }
    }
  }

  private void deliverOne(Action.Watch watch) {
    String groupKind = watch.groupKind();
    long position = positions.get(groupKind);
    if (!server.served(groupKind)) {
      end(watch, failure(404, false));
      return;
    }
    if (position < server.compacted) {
      if (planted == Planted.EXPIRY_IS_HIDDEN) {
        positions.put(groupKind, server.compacted);
        return;
      }
      end(watch, failure(410, false));
      return;
    }
    for (ModelServer.Change one : server.history) {
      if (one.version() <= position) {
        continue;
      }
      positions.put(groupKind, one.version());
      WatchEvent event = one.groupKind().equals(groupKind) ? event(one) : null;
      if (event != null) {
        pass(watch, event);
        return;
      }
    }
    if (random.nextInt(4) == 0) {
      long now = Math.max(position, server.version);
      positions.put(groupKind, now);
      tell(new Event.Watched(groupKind, watch.number(), new WatchEvent.Bookmark(now)));
    }
  }

  private void pass(Action.Watch watch, WatchEvent event) {
    boolean gone = event instanceof WatchEvent.Gone;
    boolean lost =
        gone && planted == Planted.WATCHES_LOSE_DELETIONS
            || !gone && planted == Planted.WATCHES_LOSE_CHANGES;
    if (lost) {
      return;
    }
    tell(new Event.Watched(watch.groupKind(), watch.number(), event));
    boolean again = !calm && random.nextInt(4) == 0;
    if (again && watches.get(watch.groupKind()) == watch) {
      tell(new Event.Watched(watch.groupKind(), watch.number(), again(watch)));
    }
  }

  /** An event of long ago comes once more. */
  private WatchEvent again(Action.Watch watch) {
    List<WatchEvent> old = new ArrayList<>();
    long position = positions.get(watch.groupKind());
    for (ModelServer.Change one : server.history) {
      if (one.groupKind().equals(watch.groupKind()) && one.version() <= position) {
        WatchEvent event = event(one);
        if (event != null) {
          old.add(event);
        }
      }
    }
    WatchEvent event = old.get(random.nextInt(old.size()));
    if (planted == Planted.OLD_EVENTS_LOOK_NEW
        && event instanceof WatchEvent.Changed(Observed object, long bytes)) {
      return new WatchEvent.Changed(at(object, position + 1), bytes);
    }
    return event;
  }

  private static Observed at(Observed one, long version) {
    return new Observed(
        one.key(),
        one.uid(),
        version,
        one.generation(),
        one.deleting(),
        one.partOf(),
        one.valuesHash(),
        one.health(),
        one.managers());
  }

  /** As a watch by label shows a change; null when it does not. */
  private WatchEvent event(ModelServer.Change one) {
    boolean before = one.before() != null && !one.before().partOf().isEmpty();
    boolean after = one.after() != null && !one.after().partOf().isEmpty();
    if (after) {
      return new WatchEvent.Changed(observed(one.after()), 100);
    }
    return before ? new WatchEvent.Gone(at(observed(one.before()), one.version()), 100) : null;
  }

  private void end(Action.Watch watch, Failure failure) {
    watches.remove(watch.groupKind());
    tell(new Event.WatchEnded(watch.groupKind(), watch.number(), failure));
  }

  /** Connections break, history is forgotten, the process ends, sources change their minds. */
  private void disturb() {
    switch (random.nextInt(8)) {
      case 0 -> server.compacted = server.version - random.nextInt(5);
      case 1, 2 -> {
        if (!watches.isEmpty()) {
          List<Action.Watch> all = new ArrayList<>(watches.values());
          end(all.get(random.nextInt(all.size())), random.nextBoolean() ? null : failure(0, true));
        }
      }
      case 3 -> restart();
      default -> {
        ApplySet set = sets.get(random.nextInt(sets.size()));
        want(set, Wishes.some(set.name(), random), random.nextInt(4) > 0);
      }
    }
  }

  /** A source is paused and wanted again: what was not saved of it may be applied once more. */
  private void letGo() {
    ApplySet set = sets.get(letsGo.nextInt(sets.size()));
    tell(new Event.Released(set));
    for (Action one : List.copyOf(requests)) {
      if (one instanceof Action.Save save && save.set().equals(set)) {
        requests.remove(save);
        if (letsGo.nextBoolean()) {
          respond(save);
        }
      } else if (one instanceof Action.Apply apply) {
        doubt(apply.key());
      }
    }
    for (Event one : answers) {
      if (one instanceof Event.Applied applied) {
        doubt(applied.key());
      }
    }
    doubtUnsaved();
    for (int at = letsGo.nextInt(4); at > 0; at--) {
      answer();
    }
    tell(wanted.get(set));
  }

  private void doubt(ObjectKey key) {
    server.uncertain.add(key);
    cut.put(key, 2);
  }

  /** The process ends: what it asked for may still be done, what it knew is lost. */
  private void restart() {
    for (Action one : requests) {
      boolean write = one instanceof Action.Apply || one instanceof Action.Save;
      if (write && random.nextBoolean()) {
        respond(one);
      }
    }
    requests = new ArrayList<>();
    answers = new ArrayList<>();
    watches.clear();
    server.nowMs += 2_000 + random.nextInt(10_000);
    engine = new Engine(options);
    doubtUnsaved();
    wanted.values().forEach(this::tell);
  }

  /** Only what was applied since the last save may be applied once more. */
  private void doubtUnsaved() {
    Map<ObjectKey, Long> saved = new HashMap<>();
    Map<ObjectKey, Long> newest = new HashMap<>();
    for (ApplySet set : sets) {
      for (InventoryRecord one : load(set).records()) {
        if (newest.merge(one.key(), one.resourceVersion(), Math::max) == one.resourceVersion()) {
          saved.put(one.key(), one.manifest());
        }
      }
    }
    for (Map.Entry<ObjectKey, Long> one : server.appliedManifest.entrySet()) {
      long version = server.appliedVersion.getOrDefault(one.getKey(), 0L);
      if (!one.getValue().equals(saved.get(one.getKey()))
          || newest.getOrDefault(one.getKey(), 0L) < version) {
        if (planted != Planted.SAVES_ARE_LOST || stored.isEmpty()) {
          server.uncertain.add(one.getKey());
        }
      }
    }
  }

  private void calmDown(Opponent opponent) {
    calm = true;
    opponent.leave();
    while (!late.isEmpty()) {
      carryOutLate();
    }
    for (ApplySet set : sets) {
      want(set, wanted.get(set).manifests(), true);
    }
    int quiet = 0;
    for (int round = 0; round < 4_000 && quiet < 8; round++) {
      for (int at = 0; at < 40; at++) {
        serve();
        answer();
        deliver(2);
      }
      opponent.controllers();
      opponent.settle();
      boolean busy = !requests.isEmpty() || !answers.isEmpty();
      long next = engine.nextWakeMs();
      quiet = busy || next != Long.MAX_VALUE && next < server.nowMs + 600_000 ? 0 : quiet + 1;
      pass(busy ? 10 : Math.clamp(next - server.nowMs, 10, 100_000));
      if (round > 3_000 && done()) {
        break;
      }
    }
    new Verdict(this, engine).check();
  }

  private boolean done() {
    return requests.isEmpty() && answers.isEmpty() && sets.stream().allMatch(engine::idle);
  }
}
