// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import io.exaplane.store.api.AutoCompaction;
import io.exaplane.store.app.tls.TlsFiles;
import io.exaplane.store.core.kind.Durability;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The store's command line. Flags that etcd has too mean what they mean there. */
@Command(
    name = "store",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    version = "store, with the behaviour of etcd " + StoreConfig.ETCD_VERSION,
    description = "An in-memory store that speaks etcd v3.",
    subcommands = {RestoreCommand.class, EtcdCheckCommand.class})
public final class Main implements Runnable {
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Option(names = "--name", defaultValue = "default", description = "Name of the member.")
  private String name;

  @Option(
      names = "--listen-client-urls",
      split = BLANKS_AROUND_A_COMMA,
      defaultValue = USUAL_URL,
      description =
          "URLs that clients connect to: http://HOST:PORT, https://HOST:PORT or unix:///PATH (without"
              + " TLS) (default: ${DEFAULT-VALUE}).")
  private List<String> listenClientUrls;

  @Option(
      names = "--listen-metrics-urls",
      split = BLANKS_AROUND_A_COMMA,
      description =
          "Additional URLs for probes and Prometheus: http://HOST:PORT, or https://HOST:PORT with the"
              + " certificates of the client URLs.")
  private List<String> listenMetricsUrls = List.of();

  @Option(
      names = "--advertise-client-urls",
      split = BLANKS_AROUND_A_COMMA,
      description =
          "URLs that the store announces to clients (default: the URLs that the store listens on).")
  private List<String> advertiseClientUrls = List.of();

  @Option(
      names = "--data-dir",
      description = "Folder of the store's files (default: the member's name with .store).")
  private Path dataDir;

  @Option(
      names = "--repair",
      description =
          "Repair a data folder with damaged files and exit. The store keeps the writes before the"
              + " damage, names the lost ones, and renames damaged files to *.damaged.")
  private boolean repair;

  @Option(
      names = "--durability",
      defaultValue = "fsync",
      description =
          "Failure that an acknowledged write survives: fsync (loss of power), buffered (the end of the"
              + " process), memory (none; --data-dir is optional) (default: ${DEFAULT-VALUE}).")
  private Durability durability;

  @Option(
      names = "--prefix-durability",
      paramLabel = "PREFIX=DURABILITY",
      description =
          "Durability of the keys with a prefix, for example /registry/events/=memory. The longest"
              + " prefix counts. Can be repeated.")
  private Map<String, Durability> prefixDurability = Map.of();

  @Mixin private QuotaFlags quotas = new QuotaFlags();

  @Option(
      names = "--prefix-quota-bytes",
      paramLabel = "PREFIX=BYTES",
      description =
          "Quota of the keys with a prefix, so that these keys leave room for the others. Can be"
              + " repeated.")
  private Map<String, Long> prefixQuotaBytes = Map.of();

  @Option(
      names = "--prefix-history",
      paramLabel = "PREFIX=DURATION",
      converter = {AsItIs.class, Durations.class},
      description =
          "How long clients can read replaced versions of the keys with a prefix, for example"
              + " /registry/leases/=1m, unless somebody compacts these versions before. After that, a"
              + " version takes 8 bytes until the store is compacted. A client that continues from an"
              + " older revision is told that the revision is compacted. Choose a longer time than a"
              + " client needs to list all these keys. At least 1s. Can be repeated.")
  private Map<String, Duration> prefixHistory = Map.of();

  @Mixin private RevisionBounds revisions = new RevisionBounds();

  @Mixin private TlsFlags tls = new TlsFlags();

  @Option(
      names = "--max-txn-ops",
      defaultValue = "128",
      description = "Most operations in a Txn (default: ${DEFAULT-VALUE}).")
  private int maxTxnOps;

  @Option(
      names = "--max-request-bytes",
      defaultValue = "" + Space.USUAL_REQUEST_BYTES,
      description = "Largest request in bytes, at most 16777216 (default: ${DEFAULT-VALUE}).")
  private int maxRequestBytes;

  @Option(
      names = "--auto-compaction-mode",
      defaultValue = "periodic",
      description = "Unit of --auto-compaction-retention: periodic, revision (default: periodic).")
  private CompactionMode autoCompactionMode;

  @Option(
      names = "--auto-compaction-retention",
      defaultValue = "0",
      description =
          "History to keep: a time in hours or as 10m, or a number of revisions. The store compacts"
              + " older versions. With 0, only clients such as kube-apiserver compact (default: 0).")
  private String autoCompactionRetention;

  @Option(
      names = {
        "--watch-progress-notify-interval",
        "--experimental-watch-progress-notify-interval" // the name in etcd 3.5
      },
      defaultValue = "10m",
      converter = Durations.class,
      description =
          "Interval of progress notifications to watches; less than 100ms counts as 100ms (default:"
              + " ${DEFAULT-VALUE}).")
  private Duration watchProgressNotifyInterval;

  @Option(
      names = "--watch-cache-elide-prev-values",
      description =
          "Send the previous version of a changed key without its value to kube-apiserver's watch"
              + " caches (metadata source: cache; 1.34 to 1.37). The caches do not read that value, and"
              + " half of the bytes are saved.",
      arity = "0..1",
      fallbackValue = "true")
  private boolean watchCacheElidePrevValues;

  @Option(
      names = "--grpc-keepalive-interval",
      defaultValue = "2h",
      converter = Durations.class,
      description =
          "The store pings a client that was silent for this time (default: ${DEFAULT-VALUE}).")
  private Duration grpcKeepAliveInterval;

  @Option(
      names = "--grpc-keepalive-timeout",
      defaultValue = "20s",
      converter = Durations.class,
      description =
          "The store drops a client that does not answer a ping for this time (default: ${DEFAULT-VALUE}).")
  private Duration grpcKeepAliveTimeout;

  @Mixin private ConnectionFlags connections = new ConnectionFlags();

  @Mixin private SlowFlags slow = new SlowFlags();

  @Option(
      names = "--enable-grpc-gateway",
      defaultValue = "true",
      description =
          "Serve etcd's API as JSON below /v3/ on client ports, too (default: ${DEFAULT-VALUE}).",
      arity = "0..1",
      fallbackValue = "true")
  private boolean enableGrpcGateway;

  @Option(
      names = "--event-loops",
      defaultValue = "0",
      description = "Threads that serve connections (default: the number of processors minus one).")
  private int eventLoops;

  private static final String USUAL_URL = "http://localhost:2379";
  private static final String BLANKS_AROUND_A_COMMA = "\\s*,\\s*";
  static final long REGION_BYTES = 1L << 40;
  private static final Duration LEAST_PROGRESS = Duration.ofMillis(100);

  /** gRPC's own, which etcd leaves in force when one of its flags is 0. */
  private static final Duration USUAL_KEEP_ALIVE = Duration.ofHours(2);

  private static final Duration USUAL_KEEP_ALIVE_TIMEOUT = Duration.ofSeconds(20);
  private static final long LEAST_HISTORY_MS = 1000;
  private static final int MOST_WINDOWS = 16;

  /** Of a map's keys, which picocli wants a converter for when there is one for the values. */
  private static final class AsItIs implements ITypeConverter<String> {
    @Override
    public String convert(String text) {
      return text;
    }
  }

  public static void main(String[] arguments) {
    CommandLine command = EnvironmentFlags.addTo(commandLine(), System.getenv());
    System.exit(command.execute(GoValues.withTwoDashes(command, arguments)));
  }

  /** The command with all that it takes. */
  static CommandLine commandLine() {
    return GoValues.addTo(new CommandLine(new Main()))
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setOverwrittenOptionsAllowed(true) // as in etcd, the last one counts
        .setParameterExceptionHandler(NotStarted::tell)
        .setExecutionExceptionHandler(NotStarted::tell);
  }

  @Override
  public void run() {
    EnvironmentFlags.warn(spec);
    check();
    StoreConfig config = config();
    if (repair) {
      repair(config);
    } else {
      serve(NotStarted.orStart(config));
    }
  }

  private void repair(StoreConfig config) {
    if (config.dataDir() == null) {
      throw refused("--repair", true, "needs --data-dir");
    }
    NotStarted.orRepair(config, spec.commandLine().getErr());
  }

  private void check() {
    if (maxRequestBytes < 1 || maxRequestBytes > StoreConfig.MOST_REQUEST_BYTES) {
      throw refused(
          "--max-request-bytes", maxRequestBytes, "must be 1 to " + StoreConfig.MOST_REQUEST_BYTES);
    }
    if (maxTxnOps < 0) {
      throw refused("--max-txn-ops", maxTxnOps, "must be 0 or more");
    }
    quotas.check();
    prefixDurability.forEach((prefix, value) -> notEmpty("--prefix-durability", prefix, value));
    prefixHistory.forEach(
        (prefix, history) -> {
          notEmpty("--prefix-history", prefix, history);
          if (history.toMillis() < LEAST_HISTORY_MS) {
            throw refused(
                "--prefix-history",
                "%s=%dms".formatted(prefix, history.toMillis()),
                "must be 1s or more");
          }
        });
    if (windows() > MOST_WINDOWS) {
      throw refused(
          "--prefix-history",
          windows() + " different durations",
          "must be %d at most".formatted(MOST_WINDOWS));
    }
    prefixQuotaBytes.forEach(
        (prefix, bytes) -> {
          notEmpty("--prefix-quota-bytes", prefix, bytes);
          if (bytes <= 0) {
            throw refused("--prefix-quota-bytes", prefix + "=" + bytes, "must be above 0");
          }
        });
  }

  private void notEmpty(String flag, String prefix, Object value) {
    if (prefix.isEmpty()) {
      throw refused(
          flag, "=" + value, "needs a prefix; for all keys, use the flag without 'prefix-'");
    }
  }

  private int windows() {
    return (int) prefixHistory.values().stream().distinct().count();
  }

  private StoreConfig config() {
    listenClientUrls = given(listenClientUrls, List.of(USUAL_URL));
    List<Endpoint> listen = Endpoint.all(spec, "--listen-client-urls", listenClientUrls);
    List<Endpoint> listenForMetrics =
        Endpoint.all(spec, "--listen-metrics-urls", given(listenMetricsUrls, List.of()));
    List<String> advertised = given(advertiseClientUrls, listenClientUrls);
    Endpoint.check(spec, "--advertise-client-urls", advertised);
    boolean secure =
        Stream.concat(listen.stream(), listenForMetrics.stream()).anyMatch(Endpoint::isSecure);
    TlsFiles files = tls.files(secure);
    tls.tellOfOpen(listenClientUrls);
    int processors = Runtime.getRuntime().availableProcessors();
    boolean isNamed = dataDir != null && !dataDir.toString().isEmpty();
    boolean keepsAlive = grpcKeepAliveInterval.isPositive() && grpcKeepAliveTimeout.isPositive();
    return new StoreConfig(
        name,
        listen,
        files,
        listenForMetrics,
        advertised,
        isNamed ? dataDir : isAllInMemory() ? null : Path.of(name + ".store"),
        durability,
        PrefixRules.of(durability, prefixDurability, prefixQuotaBytes, prefixHistory),
        quotas.limits(windows(), maxRequestBytes),
        revisions.floor(),
        revisions.least(),
        REGION_BYTES,
        eventLoops > 0 ? eventLoops : Math.max(1, processors - 1),
        maxTxnOps,
        maxRequestBytes,
        autoCompaction(),
        watchCacheElidePrevValues,
        progressMs(),
        Math.max(1, (keepsAlive ? grpcKeepAliveInterval : USUAL_KEEP_ALIVE).toMillis()),
        Math.max(1, (keepsAlive ? grpcKeepAliveTimeout : USUAL_KEEP_ALIVE_TIMEOUT).toMillis()),
        slow.thresholdNanos(),
        enableGrpcGateway,
        connections.bounds(Runtime.getRuntime().maxMemory()));
  }

  /** A flag that is given without a value counts as not given, as in etcd. */
  private static List<String> given(List<String> urls, List<String> usual) {
    List<String> given = urls.stream().map(String::strip).filter(url -> !url.isEmpty()).toList();
    return given.isEmpty() ? usual : given;
  }

  /** As in etcd, a shorter interval is made the shortest that there may be. */
  private long progressMs() {
    if (watchProgressNotifyInterval.compareTo(LEAST_PROGRESS) >= 0) {
      return watchProgressNotifyInterval.toMillis();
    }
    spec.commandLine()
        .getErr()
        .println("--watch-progress-notify-interval is less than 100ms, and counts as 100ms");
    return LEAST_PROGRESS.toMillis();
  }

  private AutoCompaction autoCompaction() {
    try {
      return autoCompactionMode.compaction(autoCompactionRetention);
    } catch (IllegalArgumentException e) {
      throw refused("--auto-compaction-retention", autoCompactionRetention, e.getMessage());
    }
  }

  /** Until the process is asked to end. */
  private void serve(StoreServer server) {
    System.err.println("ready to serve client requests on " + listenClientUrls);
    ServiceManager manager = new ServiceManager(System.getenv("NOTIFY_SOCKET"));
    manager.ready();
    CountDownLatch stopped = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  manager.stopping();
                  server.close();
                  stopped.countDown();
                }));
    try {
      stopped.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private boolean isAllInMemory() {
    return durability == Durability.MEMORY
        && prefixDurability.values().stream().allMatch(Durability.MEMORY::equals);
  }

  private ParameterException refused(String flag, Object value, String rule) {
    return new ParameterException(
        spec.commandLine(), "%s: %s %s; correct it and start again".formatted(flag, value, rule));
  }
}
