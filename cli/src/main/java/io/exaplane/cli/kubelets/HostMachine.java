// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.kubelets;

import io.exaplane.cli.measure.FileFailure;
import io.exaplane.cli.measure.MeasurementException;
import io.exaplane.tuning.model.InvalidInputException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The machine on which hosts run: a bridge, their routes, their groups and their files. One run at
 * a time has it. Thread-safe; {@link #close} may come while another thread starts a host, which
 * then fails.
 */
public final class HostMachine implements AutoCloseable {
  private static final String BRIDGE = "exabench0";
  private static final String LINK = "exab";
  private static final int TRIES = 50;
  private static final long PAUSE_MS = 200;
  private static final Path PROC = Path.of("/proc");

  /** Bridge, routes and groups are the machine's, so all runs share this file. */
  private static final Path LOCK = Path.of("/run/exaplane-bench.lock");

  /** Marks a folder that this command made, so that nothing of anybody else is deleted. */
  private static final String MARK = ".exaplane-bench-kubelets";

  /** Hosts cover these with folders of their own. */
  private static final List<String> COVERED = List.of("/var/lib/kubelet", "/var/lib/cni");

  private final KubeletSettings settings;
  private final String groups;
  private final Path lockFile;
  private final Cgroups cgroups = new Cgroups(Path.of("/sys/fs/cgroup"));
  private final List<Host> hosts = new ArrayList<>();
  private final List<Path> made = new ArrayList<>();
  private ClusterAccess access;
  private FileChannel channel;
  private FileLock lock;
  private boolean isClosed;

  /**
   * Touches nothing yet.
   *
   * @param groups how the names of all hosts begin, those of other runs too
   */
  public HostMachine(KubeletSettings settings, String groups) {
    this(settings, groups, LOCK);
  }

  /** The same with a lock of its own. */
  HostMachine(KubeletSettings settings, String groups, Path lockFile) {
    this.settings = settings;
    this.groups = groups;
    this.lockFile = lockFile;
  }

  /**
   * Checks the machine, and makes the bridge.
   *
   * @param context of the kubeconfig; null for the current one
   * @throws InvalidInputException if something is missing, with the next action
   */
  public synchronized void prepare(Path kubeconfig, String context) {
    Requirements.check(settings);
    access = ClusterAccess.of(kubeconfig, context, settings.server());
    take();
    removeLeft();
    Requirements.requireFree(settings.addresses());
    for (String each : COVERED) {
      cover(Path.of(each));
    }
    refreshToken();
    Shell.must("ip", "link", "add", BRIDGE, "type", "bridge");
    // Addresses are unique by the plan, so nobody waits for their check.
    Shell.must(
        "ip",
        "-6",
        "address",
        "add",
        settings.addresses().gateway() + "/64",
        "dev",
        BRIDGE,
        "nodad");
    Shell.must("ip", "link", "set", BRIDGE, "up");
  }

  private void cover(Path folder) {
    try {
      if (!Files.exists(folder)) {
        Files.createDirectories(folder);
        made.add(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Writes the account's token as it is now; a kubelet reads the file each minute. */
  public synchronized void refreshToken() {
    try {
      Path next = settings.folder().resolve("token.next");
      Files.deleteIfExists(next);
      Files.createFile(
          next, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(next, access.token());
      Files.move(
          next,
          settings.folder().resolve("token"),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException("the token cannot be written: " + e.getMessage(), e);
    }
  }

  /** Says what of the machine keeps hosts from other machines; empty if nothing does. */
  public String warning() {
    try {
      String forwards = Files.readString(PROC.resolve("sys/net/ipv6/conf/all/forwarding"));
      return forwards.strip().equals("0")
          ? "net.ipv6.conf.all.forwarding is 0, so the nodes reach only this machine and each other"
          : "";
    } catch (IOException e) {
      return "";
    }
  }

  /**
   * Starts a host; its kubelet registers later.
   *
   * @param number from 0
   * @param labels of its Node
   * @param taint of its Node, as key=value
   */
  public synchronized void start(
      String name, int number, Map<String, String> labels, String taint) {
    if (isClosed) {
      throw new MeasurementException("interrupted; run the command again to measure");
    }
    try {
      Path folder = Files.createDirectory(settings.folder().resolve(Integer.toString(number)));
      new HostFiles(settings, access, cgroups.isUnified()).write(folder, name, number, taint);
      cgroups.make(name);
      HostAddresses addresses = settings.addresses();
      List<String> arguments =
          new ArrayList<>(
              List.of(
                  folder.toString(),
                  name,
                  addresses.host(number),
                  addresses.gateway(),
                  labels.entrySet().stream()
                      .map(each -> each.getKey() + "=" + each.getValue())
                      .sorted()
                      .collect(Collectors.joining(",")),
                  settings.kubelet()));
      settings.proxy().ifPresent(arguments::add);
      Host host = new Host(name, folder, arguments);
      hosts.add(host);
      connect(number, host.await());
    } catch (IOException e) {
      throw new UncheckedIOException("host %s: %s".formatted(name, e.getMessage()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  private void connect(int number, long pid) {
    String link = LINK + number;
    Shell.must(
        "ip",
        "link",
        "add",
        link,
        "type",
        "veth",
        "peer",
        "name",
        "eth0",
        "netns",
        Long.toString(pid));
    Shell.must("ip", "link", "set", link, "master", BRIDGE, "up");
    HostAddresses addresses = settings.addresses();
    Shell.must(
        "ip",
        "-6",
        "route",
        "replace",
        addresses.pods(number),
        "via",
        addresses.host(number),
        "dev",
        BRIDGE);
  }

  /**
   * Fails if a program of a host has ended.
   *
   * @throws MeasurementException with its last words
   */
  public synchronized void requireAlive() {
    hosts.forEach(Host::requireAlive);
  }

  /** The last words of the kubelet of a host, for who asks why its Node is not there. */
  public synchronized String lastWords(int number) {
    return hosts.get(number).lastWords("kubelet.log");
  }

  /** What the processes of all hosts use, by program. */
  public synchronized Map<String, ProcessUsage> usage() {
    return ProcessUsage.of(PROC, hosts.stream().flatMap(Host::pids));
  }

  /**
   * Ends all hosts, and removes what this and killed runs left on the machine. May be called again.
   */
  @Override
  public synchronized void close() {
    if (isClosed) {
      return;
    }
    isClosed = true;
    hosts.forEach(Host::end);
    if (lock == null && Files.isDirectory(settings.folder())) {
      take();
    }
    if (lock == null) {
      return;
    }
    try {
      removeLeft();
      for (Path each : made.reversed()) {
        // Not if somebody uses it by now.
        each.toFile().delete();
      }
      Files.deleteIfExists(settings.folder().resolve(MARK));
      settings.folder().toFile().delete();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      release();
    }
  }

  /** Locks the machine before anything is looked for, made or removed. */
  private void take() {
    try {
      channel = FileChannel.open(lockFile, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      lock = channel.tryLock();
    } catch (OverlappingFileLockException e) {
      lock = null;
    } catch (IOException e) {
      throw new InvalidInputException(
          "machine",
          lockFile.toString(),
          "cannot be written: " + FileFailure.reason(e),
          "run the command where root can write the file");
    }
    if (lock == null) {
      release();
      throw new InvalidInputException(
          "machine",
          lockFile.toString(),
          "is in use by another run of this command",
          "wait for the end of the other run");
    }
    try {
      makeFolder();
    } catch (InvalidInputException e) {
      release();
      throw e;
    }
  }

  private void makeFolder() {
    Path folder = settings.folder();
    FileAttribute<Set<PosixFilePermission>> own =
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"));
    try {
      Files.createDirectories(folder.toAbsolutePath().getParent());
      Files.createDirectory(folder, own);
      Files.createFile(folder.resolve(MARK));
    } catch (FileAlreadyExistsException e) {
      if (!Files.isRegularFile(folder.resolve(MARK))) {
        throw new InvalidInputException(
            "folder",
            folder.toString(),
            "exists, and this command did not make it",
            "name a folder that does not exist");
      }
    } catch (IOException e) {
      throw new InvalidInputException(
          "folder",
          folder.toString(),
          "cannot be written: " + FileFailure.reason(e),
          "name another folder");
    }
  }

  private void release() {
    lock = null;
    try {
      channel.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Files, groups and the bridge; routes and links go with the bridge and the namespaces. */
  private void removeLeft() {
    Shell.run("ip", "link", "delete", BRIDGE);
    try {
      for (int i = 0; i < TRIES && !cgroups.remove(groups); i++) {
        // Processes of a namespace whose first process has ended take a moment to end.
        TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
      }
      try (Stream<Path> left = Files.list(settings.folder())) {
        for (Path each : left.toList()) {
          if (!each.getFileName().toString().equals(MARK)) {
            Shell.must("rm", "-rf", each.toString());
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
