// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.move;

import java.io.IOException;
import java.time.Duration;
import java.util.function.Supplier;

/** The pages of a store, with a look before each request. Thread-safe if what looks is. */
final class WatchedPages implements StoreMoves {
  /** Is told what is about to be asked. */
  interface Look {
    void before(String what) throws IOException, InterruptedException;
  }

  private final StoreMoves pages;
  private final Look look;

  WatchedPages(StoreMoves pages, Look look) {
    this.pages = pages;
    this.look = look;
  }

  @Override
  public StoreMoves held(Supplier<Duration> bound) throws IOException {
    return new WatchedPages(pages.held(bound), look);
  }

  @Override
  public States states() throws IOException, InterruptedException {
    look.before("moves");
    return pages.states();
  }

  @Override
  public void arrive(MoveKey key, long above, String finished)
      throws IOException, InterruptedException {
    look.before("arrive");
    pages.arrive(key, above, finished);
  }

  @Override
  public void take(MoveKey key, byte[] records) throws IOException, InterruptedException {
    look.before("take");
    pages.take(key, records);
  }

  @Override
  public Page page(MoveKey key, String after) throws IOException, InterruptedException {
    look.before("page");
    return pages.page(key, after);
  }

  @Override
  public Changes changes(MoveKey key, long after, int waitMs)
      throws IOException, InterruptedException {
    look.before("changes");
    return pages.changes(key, after, waitMs);
  }

  @Override
  public long freeze(MoveKey key) throws IOException, InterruptedException {
    look.before("freeze");
    return pages.freeze(key);
  }

  @Override
  public void thaw(MoveKey key) throws IOException, InterruptedException {
    look.before("thaw");
    pages.thaw(key);
  }

  @Override
  public Sum sum(MoveKey key, Duration most) throws IOException, InterruptedException {
    look.before("sum");
    return pages.sum(key, most);
  }

  @Override
  public long leave(MoveKey key, long frozenAt) throws IOException, InterruptedException {
    look.before("leave");
    return pages.leave(key, frozenAt);
  }

  @Override
  public void finish(MoveKey key, Sum sum, long above) throws IOException, InterruptedException {
    look.before("finish");
    pages.finish(key, sum, above);
  }

  @Override
  public void abandon(MoveKey key) throws IOException, InterruptedException {
    look.before("abandon");
    pages.abandon(key);
  }

  @Override
  public void clear(MoveKey key) throws IOException, InterruptedException {
    look.before("clear");
    pages.clear(key);
  }
}
