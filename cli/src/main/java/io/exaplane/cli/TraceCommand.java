// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.cli.etcd.Credentials;
import io.exaplane.cli.trace.Trace;
import io.exaplane.cli.trace.TraceProxy;
import io.exaplane.cli.trace.TraceRow;
import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.InvalidInputException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** A proxy between a kube-apiserver and its store. */
@Command(
    name = "trace",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Forwards the calls of etcd's clients to a store, unchanged, and records what the clients ask:",
      "requests, bytes and times by Kind and operation. Works before any etcd v3. The command records",
      "neither names of objects nor values. When it ends, its clients lose their store."
    })
final class TraceCommand implements Callable<Integer> {
  private static final int PRINT_SECONDS = 5;

  @Spec private CommandSpec spec;

  @Option(
      names = "--listen",
      paramLabel = "ADDRESS:PORT",
      defaultValue = "127.0.0.1:12379",
      description = {
        "Where clients connect. An address that is not of the loopback needs --listen-cert,",
        "--listen-key and --listen-cacert. Port 0 takes a free one (default: ${DEFAULT-VALUE})."
      })
  private String listen;

  @Option(
      names = "--listen-cert",
      paramLabel = "FILE",
      description = "Certificate that clients see, in PEM; they connect by https.")
  private Path listenCertificate;

  @Option(
      names = "--listen-key",
      paramLabel = "FILE",
      description = "The private key of --listen-cert, in PEM.")
  private Path listenKey;

  @Option(
      names = "--listen-cacert",
      paramLabel = "FILE",
      description = "Clients need a certificate of this CA, in PEM.")
  private Path listenCa;

  @Option(
      names = "--duration",
      paramLabel = "DURATION",
      description = "How long to record, for example 10m (default: until Ctrl-C).")
  private String duration;

  @Mixin private StoreOptions options;
  @Mixin private FormatOption chosen;

  @Override
  public Integer call() throws Exception {
    InetSocketAddress address = address();
    Optional<Credentials> own = own(address);
    Optional<Duration> length =
        Optional.ofNullable(duration).map(text -> LoadOptions.seconds("duration", text));
    try (StoreOptions.Access access = options.connect();
        TraceProxy proxy = TraceProxy.start(address, own, access.store(), options.root())) {
      tell(address, own.isPresent(), proxy.port(), access.store().endpoint());
      waitAndPrint(proxy, length);
    }
    return 0;
  }

  private void tell(InetSocketAddress address, boolean isTls, int port, URI store) {
    String host = address.getAddress().getHostAddress();
    PrintWriter err = spec.commandLine().getErr();
    err.printf(
        "forwards to %s; start the client with --etcd-servers=%s://%s:%d. Ctrl-C ends the recording"
            + " and prints it.%n",
        store, isTls ? "https" : "http", host.contains(":") ? "[" + host + "]" : host, port);
    err.flush();
  }

  /** Until the time is over, or the process is told to end, which waits for the answer. */
  private void waitAndPrint(TraceProxy proxy, Optional<Duration> length)
      throws InterruptedException {
    CountDownLatch end = new CountDownLatch(1);
    CountDownLatch printed = new CountDownLatch(1);
    Thread interrupted =
        Thread.ofPlatform()
            .unstarted(
                () -> {
                  end.countDown();
                  await(printed, PRINT_SECONDS);
                });
    Runtime.getRuntime().addShutdownHook(interrupted);
    try {
      if (length.isPresent()) {
        await(end, length.get().toSeconds());
      } else {
        end.await();
      }
      print(proxy.trace());
    } finally {
      printed.countDown();
      withdraw(interrupted);
    }
  }

  private static void await(CountDownLatch latch, long seconds) {
    try {
      if (!latch.await(seconds, TimeUnit.SECONDS)) {
        return; // the time is over
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void withdraw(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The process is ending, and the hook has done its part.
    }
  }

  private InetSocketAddress address() {
    int colon = listen.lastIndexOf(':');
    String host = colon < 0 ? "" : listen.substring(0, colon).replaceAll("^\\[|]$", "");
    try {
      int port = Integer.parseInt(listen.substring(colon + 1));
      if (!host.isEmpty() && port >= 0 && port <= 65_535) {
        return new InetSocketAddress(InetAddress.getByName(host), port);
      }
    } catch (NumberFormatException | UnknownHostException e) {
      // Said below.
    }
    throw new InvalidInputException(
        "listen", listen, "must be an address of this machine and a port", "write 127.0.0.1:12379");
  }

  private Optional<Credentials> own(InetSocketAddress address) {
    boolean hasAny = listenCertificate != null || listenKey != null || listenCa != null;
    boolean hasAll = listenCertificate != null && listenKey != null && listenCa != null;
    if (!address.getAddress().isLoopbackAddress() && !hasAll) {
      throw new InvalidInputException(
          "listen",
          listen,
          "needs --listen-cert, --listen-key and --listen-cacert: whoever connects has the rights of"
              + " --cert in the store",
          "name these files, or listen on 127.0.0.1");
    }
    if (hasAny && (listenCertificate == null || listenKey == null)) {
      throw new InvalidInputException(
          "listen-cert",
          String.valueOf(listenCertificate),
          "and --listen-key belong together",
          "name both");
    }
    return hasAny
        ? Optional.of(
            Credentials.of(
                listenCa == null ? "" : TextFiles.read("listen-cacert", listenCa),
                TextFiles.read("listen-cert", listenCertificate),
                TextFiles.read("listen-key", listenKey)))
        : Optional.empty();
  }

  private void print(Trace trace) {
    PrintWriter out = spec.commandLine().getOut();
    if (chosen.format != TuneCommand.Format.TABLE) {
      Documents.print(out, chosen.format, trace);
      return;
    }
    out.printf(
        "%s: %.0f s, %d connections, %d open watches%n",
        trace.endpoint(), trace.seconds(), trace.connections(), trace.openWatches());
    if (trace.rows().isEmpty()) {
      out.println("No client asked anything. Start the client with the URL named above.");
      out.flush();
      return;
    }
    Table rows =
        new Table(
            "KIND",
            "OPERATION",
            "REQUESTS",
            "FAILED",
            "PER SECOND",
            "ITEMS",
            "ASKED",
            "ANSWERED",
            "P50 MS",
            "P99 MS",
            "MAX MS");
    double seconds = Math.max(trace.seconds(), 0.001);
    for (TraceRow row : trace.rows()) {
      boolean isTimed = row.totalMs() > 0;
      rows.row(
          row.kind(),
          row.operation(),
          Long.toString(row.requests()),
          Long.toString(row.failed()),
          decimal(row.requests() / seconds),
          Long.toString(row.items()),
          Bytes.text(row.requestBytes()),
          Bytes.text(row.answerBytes()),
          isTimed ? decimal(row.p50Ms()) : "-",
          isTimed ? decimal(row.p99Ms()) : "-",
          isTimed ? decimal(row.maxMs()) : "-");
    }
    rows.print(out);
  }

  private static String decimal(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
