// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.etcd;

import io.exaplane.cli.etcd.EtcdMessages.Deleted;
import io.exaplane.cli.etcd.EtcdMessages.KeyPage;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Deletes keys in portions that any store takes, also one that refuses writes, and makes room of
 * them: deleted versions are kept until the store is compacted. One thread.
 */
public final class Deletion {
  private static final int PAGE_KEYS = 5_000;

  /** One request, one revision: as many as an etcd works off beside others. */
  private static final int PORTION_KEYS = 1_000;

  private static final int MOST_GROUPS = 20;

  private final EtcdClient store;
  private final Target target;

  public Deletion(EtcdClient store, Target target) {
    this.store = store;
    this.target = target;
  }

  /** Keys of a Kind and namespace. */
  public record Share(String kind, String namespace, String prefix, long keys) {}

  /**
   * What would be deleted.
   *
   * @param shares the largest groups, of which there may be more
   * @param system what follows by Kind, of those that a cluster needs
   */
  public record Preview(
      long keys,
      long groups,
      List<Share> shares,
      Map<String, String> system,
      String first,
      String last) {}

  /**
   * What was deleted.
   *
   * @param firstRevision of the deletions, of which each has one for at most a thousand keys
   */
  public record Outcome(long keys, long firstRevision, long lastRevision) {}

  /** What a compaction came to; {@code alarms} is the number of alarms that were ended. */
  public record Room(long revision, long bytesBefore, long bytesAfter, int alarms) {}

  /** Reads the keys, not their values. */
  public Preview preview() {
    KeyTotals totals = new KeyTotals(target.root(), MOST_GROUPS, 0, _ -> 0);
    Map<String, String> system = new LinkedHashMap<>();
    byte[][] ends = new byte[2][];
    eachPage(
        PAGE_KEYS,
        page -> {
          for (byte[] key : page.keys()) {
            totals.add(key);
            KeyGroup group = KeyGroup.of(key, target.root());
            SystemKinds.consequence(group)
                .ifPresent(what -> system.putIfAbsent(group.kind(), what));
          }
          ends[0] = ends[0] == null ? page.keys().getFirst() : ends[0];
          ends[1] = page.keys().getLast();
        });
    List<Share> shares =
        totals.namespaces().stream()
            .map(
                group ->
                    new Share(
                        group.group().kind(),
                        group.group().namespace(),
                        group.group().prefix(),
                        group.keys()))
            .toList();
    return new Preview(
        totals.keys(),
        totals.groups(),
        shares,
        system,
        ends[0] == null ? "" : Target.text(ends[0]),
        ends[1] == null ? "" : Target.text(ends[1]));
  }

  /**
   * Deletes what there is now.
   *
   * @param each is told of keys that are about to go and of the revision at which they went
   */
  public Outcome delete(BiConsumer<List<String>, Long> each) {
    long[] done = new long[3];
    eachPage(
        PORTION_KEYS,
        page -> {
          Deleted deleted = store.delete(portion(page));
          done[0] += deleted.count();
          if (deleted.count() > 0) {
            done[1] = done[1] == 0 ? deleted.revision() : done[1];
            done[2] = deleted.revision();
          }
          each.accept(page.keys().stream().map(Target::text).toList(), deleted.revision());
        });
    return new Outcome(done[0], done[1], done[2]);
  }

  private KeyRange portion(KeyPage page) {
    return new KeyRange(page.keys().getFirst(), target.range().end()).upTo(page.keys().getLast());
  }

  private void eachPage(int keys, Consumer<KeyPage> with) {
    KeyRange rest = target.range();
    while (rest != null) {
      KeyPage page = store.keys(rest, keys);
      if (page.keys().isEmpty()) {
        return;
      }
      with.accept(page);
      rest = page.more() && !rest.isOne() ? rest.behind(page.keys().getLast()) : null;
    }
  }

  /**
   * Compacts up to a revision. Of an etcd whose alarm of space has gone off the members' files are
   * written anew, since it measures those, and the alarm is ended.
   *
   * @param revision 0 for the newest
   */
  public static Room makeRoom(EtcdClient store, long revision, Consumer<String> progress) {
    StoreStatus before = store.status();
    long upTo = revision == 0 ? before.revision() : revision;
    store.compact(upTo);
    List<Long> full = store.membersWithoutSpace();
    if (!full.isEmpty()) {
      for (URI member : store.members()) {
        progress.accept("defragmenting " + member);
        store.defragment(member);
      }
      full.forEach(store::endAlarm);
    }
    return new Room(upTo, before.usedBytes(), store.status().usedBytes(), full.size());
  }

  /** What keeps it from being done without another word; nothing if it may be. */
  public static Optional<String> objection(Preview preview) {
    List<String> why = new ArrayList<>();
    preview.system().forEach((kind, what) -> why.add(kind + " (" + what + ")"));
    return why.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", why));
  }
}
