// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.load;

import io.exaplane.cli.measure.MeasurementException;
import io.exaplane.tuning.model.InvalidInputException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * One load on one server, from its first request to the deletion of its objects. {@link #run} is
 * called once; {@link #remove} from any thread, also meanwhile, and as often as wanted.
 */
public final class LoadBench implements AutoCloseable {
  private static final long LOOK_MS = 50;
  private static final long ANSWERS_NANOS = TimeUnit.SECONDS.toNanos(20);

  private final Server server;
  private final Load load;
  private final Duration patience;
  private final Consumer<String> tell;
  private final LoopTimer timer = new LoopTimer();
  private final Books books = new Books(timer::nanos);
  private final Connections connections;
  private final PatientApi loads;
  private final Run run;
  private final Run removing;
  private LoadReport.CleanUp cleanUp;

  /**
   * Connects to nobody yet.
   *
   * @param kubeconfig as kubectl's; null for what kubectl would take
   * @param context of it; null for the current one
   * @param patience for the deletion
   * @param tell takes a line about each step, and one each second
   */
  public LoadBench(
      Path kubeconfig, String context, Load load, Duration patience, Consumer<String> tell) {
    this.server = Server.of(kubeconfig, context);
    this.load = load;
    this.patience = patience;
    this.tell = tell;
    this.connections = new Connections(server, books, timer);
    this.loads = new PatientApi(connections, timer);
    String id = Long.toString(System.currentTimeMillis(), Character.MAX_RADIX);
    this.run = run(id, loads);
    this.removing = run(id, new PatientApi(connections, timer));
    books.begin("connect");
  }

  private Run run(String id, Api api) {
    return new Run(id, api, timer, books, new SplittableRandom(), load, tell);
  }

  public String url() {
    return server.url();
  }

  /** The value of the label {@code exaplane.io/bench-run} of all objects. */
  public String id() {
    return run.id();
  }

  /**
   * Connects.
   *
   * @param wanted connections; 0 for as many as the watches need
   * @throws MeasurementException if the server does not answer
   * @throws InvalidInputException if the connections are too few
   */
  public void connect(int wanted) {
    connections.plan(wanted, load.watches());
  }

  /**
   * Runs the load, and leaves its objects.
   *
   * @throws MeasurementException if it cannot be measured, or if the account may not delete what
   *     the load creates
   */
  public LoadReport run() {
    new Rights(run, load).requireDeletion();
    load.run(run);
    double cpu = cpuSeconds();
    books.end();
    LoadReport.Client client =
        new LoadReport.Client(connections.count(), cpu - run.cpuSecondsBefore(), heapBytes());
    return new LoadReport(
        load.name(),
        run.id(),
        server.url(),
        load.settings(),
        books.phases(),
        books.watches(load.nodes()),
        load.latencies(),
        load.figures(),
        books.problems(),
        client,
        null);
  }

  static double cpuSeconds() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.OperatingSystemMXBean system
        ? system.getProcessCpuTime() / 1e9
        : 0;
  }

  private static long heapBytes() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }

  /**
   * Ends the load and deletes its objects.
   *
   * @param all whether also those of earlier runs of this load
   * @throws MeasurementException if some cannot be deleted, with the next action
   */
  public synchronized LoadReport.CleanUp remove(boolean all) {
    if (cleanUp != null) {
      return cleanUp;
    }
    long deadline = System.nanoTime() + patience.toNanos();
    run.stop();
    load.stop(run);
    loads.stop();
    Removal removal = new Removal(removing, load, all ? "" : run.id(), tell, deadline);
    boolean isQuiet = settle();
    books.begin("clean-up");
    LoadReport.CleanUp done;
    try {
      done = removal.run();
      // What the load sent before may create something behind the last list.
      while (!isQuiet && deadline - System.nanoTime() > settleNanos()) {
        isQuiet = settle();
        done = removal.run();
      }
    } catch (MeasurementException e) {
      if (isQuiet) {
        throw e;
      }
      MeasurementException both = unanswered(e.getMessage() + "; besides, ");
      List.of(e.getSuppressed()).forEach(both::addSuppressed);
      throw both;
    }
    books.end();
    if (!isQuiet) {
      throw unanswered("");
    }
    cleanUp = done;
    return cleanUp;
  }

  private MeasurementException unanswered(String before) {
    return new MeasurementException(
        "%s%d requests of the load have no answer, and may still create something; run 'exactl bench %s --clean-up' later"
            .formatted(before, loads.underWay(), load.name()));
  }

  /** The report with the deletion. */
  public LoadReport cleaned(LoadReport report) {
    return report.cleaned(cleanUp, books.phases());
  }

  /**
   * Lets answers arrive, so that nothing is created behind the list of what is deleted.
   *
   * @return whether all are here
   */
  private boolean settle() {
    long end = System.nanoTime() + settleNanos();
    try {
      while (loads.underWay() > 0) {
        if (System.nanoTime() > end) {
          return false;
        }
        TimeUnit.MILLISECONDS.sleep(LOOK_MS);
      }
      return true;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** The deletion needs most of the time that there is. */
  private long settleNanos() {
    return Math.min(ANSWERS_NANOS, patience.toNanos() / 4);
  }

  @Override
  public void close() {
    // Who has no time sends nothing to connections that end.
    timer.close();
    connections.close();
  }
}
