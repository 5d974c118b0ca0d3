// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app.metrics;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.zip.GZIPOutputStream;

/**
 * Makes the page of metrics for those who ask, by one thread that rests as long as it worked: all
 * who ask while a page is made share the next one. Thread-safe.
 */
public final class Scrapes {
  private static final System.Logger LOG = System.getLogger(Scrapes.class.getName());
  private static final int MOST_WAITING = 1024;

  /** A page, and the same compressed. */
  public static final class Scrape {
    private final byte[] page;
    private byte[] gzip;

    Scrape(byte[] page) {
      this.page = page;
    }

    public byte[] page() {
      return page;
    }

    public synchronized byte[] gzip() {
      if (gzip == null) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(out)) {
          zip.write(page);
        } catch (IOException e) {
          throw new UncheckedIOException(e); // memory has no faults
        }
        gzip = out.toByteArray();
      }
      return gzip;
    }
  }

  private final Supplier<String> page;
  private final ThreadPoolExecutor thread =
      new ThreadPoolExecutor(
          1,
          1,
          1,
          TimeUnit.MINUTES,
          new LinkedBlockingQueue<>(),
          Thread.ofPlatform().name("store-metrics").daemon().factory());
  private List<Consumer<Scrape>> waiting = new ArrayList<>();
  private boolean works;

  /**
   * @param page makes the page; may wait
   */
  public Scrapes(Supplier<String> page) {
    this.page = page;
    thread.allowCoreThreadTimeOut(true);
  }

  /**
   * Asks for a page as of now.
   *
   * @param to takes it, by another thread; null if it could not be made
   * @return false if too many wait
   */
  public synchronized boolean ask(Consumer<Scrape> to) {
    if (waiting.size() >= MOST_WAITING) {
      return false;
    }
    waiting.add(to);
    if (!works) {
      works = true;
      thread.execute(this::work);
    }
    return true;
  }

  private void work() {
    for (List<Consumer<Scrape>> asking = take(); !asking.isEmpty(); asking = take()) {
      long began = System.nanoTime();
      Scrape made = make();
      asking.forEach(each -> each.accept(made));
      LockSupport.parkNanos(this, System.nanoTime() - began);
    }
  }

  private Scrape make() {
    try {
      return new Scrape(page.get().getBytes(StandardCharsets.UTF_8));
    } catch (RuntimeException e) {
      LOG.log(System.Logger.Level.WARNING, "the metrics could not be collected: {0}", e.toString());
      return null;
    }
  }

  private synchronized List<Consumer<Scrape>> take() {
    List<Consumer<Scrape>> asking = waiting;
    waiting = new ArrayList<>();
    works = !asking.isEmpty();
    return asking;
  }
}
