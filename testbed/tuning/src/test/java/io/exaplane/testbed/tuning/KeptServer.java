// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import io.exaplane.testbed.machine.Await;
import io.exaplane.testbed.machine.Http;
import io.exaplane.testbed.machine.MemoryLimit;
import io.exaplane.tuning.model.Bytes;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A kube-apiserver in a container's limit of memory, with somebody who does to it what the kubelet
 * does by the operator's pods: restarts it when it ended, later each time, looks whether it is
 * ready, and kills it when it no longer answers for a minute and a half. Any thread.
 */
final class KeptServer implements AutoCloseable {
  private static final Duration LOOK = Duration.ofSeconds(2);
  private static final int UNREADY_AFTER = 3;
  private static final int DEAD_AFTER = 45;
  private static final Duration FIRST_BACK_OFF = Duration.ofSeconds(10);

  private final List<String> command;
  private final Map<String, String> environment;
  private final URI readiness;
  private final URI liveness;
  private final Path log;
  private final MemoryLimit limit;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread keeper;
  private final Thread prober;
  private volatile Process process;
  private volatile boolean ready;
  private volatile boolean meant;
  private volatile int ends;
  private volatile int unready;
  private volatile long peakBytes;

  private KeptServer(
      List<String> command, Map<String, String> environment, URI server, Path log, long limitBytes)
      throws IOException {
    this.environment = environment;
    this.readiness = server.resolve("/readyz");
    this.liveness = server.resolve("/livez?exclude=etcd");
    this.log = log;
    this.limit = MemoryLimit.of("storm-" + server.getPort(), limitBytes);
    this.command = limit.inside(command);
    this.keeper = Thread.ofPlatform().name("keeper").unstarted(this::keep);
    this.prober = Thread.ofPlatform().name("prober").unstarted(this::probe);
  }

  /** Starts it; {@link #isReady} says when it serves. */
  static KeptServer start(
      List<String> command, Map<String, String> environment, URI server, Path log, long limitBytes)
      throws IOException {
    KeptServer kept = new KeptServer(command, environment, server, log, limitBytes);
    kept.keeper.start();
    kept.prober.start();
    return kept;
  }

  private void keep() {
    try {
      Duration backOff = Duration.ZERO;
      while (!closed.await(backOff.toMillis(), TimeUnit.MILLISECONDS)) {
        ProcessBuilder builder =
            new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        process = builder.start();
        process.waitFor();
        ready = false;
        // The first restart comes at once.
        if (!meant && closed.getCount() > 0) {
          ends++;
          backOff = backOff.isZero() ? FIRST_BACK_OFF : backOff.multipliedBy(2);
        }
        meant = false;
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void probe() {
    try {
      int notReady = 0;
      int notAlive = 0;
      while (!closed.await(ready ? LOOK.toMillis() : 200, TimeUnit.MILLISECONDS)) {
        Process looked = process;
        if (looked == null || !looked.isAlive()) {
          continue;
        }
        peakBytes = Math.max(peakBytes, peak(looked.pid()));
        if (answers(readiness)) {
          notReady = 0;
          notAlive = 0;
          ready = looked.isAlive();
        } else if (ready && ++notReady >= UNREADY_AFTER) {
          unready++;
          ready = false;
        } else if (ready && !answers(liveness) && ++notAlive >= DEAD_AFTER) {
          looked.destroyForcibly();
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static boolean answers(URI page) throws InterruptedException {
    try {
      return Http.get(page).statusCode() == 200;
    } catch (IOException e) {
      return false;
    }
  }

  /** Resident at most so far, bytes; 0 of a process that has ended. */
  private static long peak(long pid) {
    try (Stream<String> status = Files.lines(Path.of("/proc/" + pid + "/status"))) {
      return status
              .filter(line -> line.startsWith("VmHWM:"))
              .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
              .findFirst()
              .orElse(0)
          * (long) Bytes.KIB;
    } catch (IOException | UncheckedIOException e) {
      return 0;
    }
  }

  boolean isReady() {
    return ready;
  }

  /** Kills it as the kernel would; it starts again at once. */
  void kill() {
    meant = true;
    ready = false;
    peakBytes = 0;
    process.destroyForcibly().onExit().join();
  }

  /** How often it ended though nobody killed it, by {@link #kill}. */
  int ends() {
    return ends;
  }

  /** How often it was killed for its memory. */
  int outOfMemory() throws IOException {
    return limit.kills();
  }

  /** How often it was no longer ready while its process was there. */
  int unready() {
    return unready;
  }

  /** Resident at most since it was killed, bytes. */
  long peakBytes() {
    return peakBytes;
  }

  URI page(String path) {
    return readiness.resolve(path);
  }

  @Override
  public void close() throws IOException {
    closed.countDown();
    Await.end(prober);
    if (process != null) {
      process.destroyForcibly().onExit().join();
    }
    Await.end(keeper);
    limit.close();
  }
}
