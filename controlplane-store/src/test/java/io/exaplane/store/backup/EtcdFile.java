// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.backup;

import io.exaplane.store.codec.ReverseWriter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Files as an etcd of some version leaves them, with what a test wants in them. */
public final class EtcdFile {
  /** Whose log it is. */
  public static final long MEMBER = 0x8e9e05c52164694dL;

  private final Map<String, Map<String, byte[]>> buckets = new TreeMap<>();

  EtcdFile() {
    for (String name : List.of("alarm", "auth", "authRoles", "authUsers", "key", "lease", "meta")) {
      buckets.put(name, new TreeMap<>());
    }
  }

  public EtcdFile with(String bucket, String key, byte[] value) {
    buckets.computeIfAbsent(bucket, _ -> new TreeMap<>()).put(key, value);
    return this;
  }

  static byte[] eightBytes(long number) {
    return ByteBuffer.allocate(Long.BYTES).putLong(number).array();
  }

  public EtcdFile with(String bucket, String key, String value) {
    return with(bucket, key, value.getBytes(StandardCharsets.UTF_8));
  }

  /** Of 3.5 by its term; later ones say their version. */
  public static EtcdFile of(String version) {
    EtcdFile file = new EtcdFile().with("meta", "consistent_index", eightBytes(9));
    if (!version.startsWith("3.4")) {
      file.with("meta", "term", eightBytes(2));
    }
    return version.startsWith("3.4") || version.startsWith("3.5")
        ? file
        : file.with("meta", "storageVersion", version);
  }

  Path write(Path path) throws IOException {
    BoltWriter.Layout layout = write(BoltWriter.dry());
    try (FileChannel out =
        FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      write(BoltWriter.to(out::write, layout));
    }
    return path;
  }

  private BoltWriter.Layout write(BoltWriter out) throws IOException {
    out.flush();
    for (Map.Entry<String, Map<String, byte[]>> bucket : buckets.entrySet()) {
      out.beginBucket(bucket.getKey());
      for (Map.Entry<String, byte[]> entry : bucket.getValue().entrySet()) {
        out.entry(entry.getKey().getBytes(StandardCharsets.UTF_8), entry.getValue().length)
            .put(entry.getValue());
      }
      out.endBucket();
    }
    return out.end();
  }

  /** A request of a log: of version 2, as 3.5 writes them, or of version 3. */
  public static byte[] request(boolean old) {
    ReverseWriter out = new ReverseWriter();
    byte[] text = "PUT".getBytes(StandardCharsets.UTF_8);
    out.bytes(old ? 2 : 4, text, 0, text.length);
    out.number(1, 4711);
    return out.copy();
  }

  /** Makes a data folder of this file and a log with these requests, from entry 1 on. */
  public Path writeFolder(Path folder, List<byte[]> requests, long snapshotIndex)
      throws IOException {
    Path member = folder.resolve("member");
    Files.createDirectories(member.resolve("snap"));
    Files.createDirectories(member.resolve("wal"));
    write(member.resolve("snap/db"));
    if (snapshotIndex > 0) {
      Files.createFile(member.resolve("snap/%016x-%016x.snap".formatted(2, snapshotIndex)));
    }
    LogFile log = new LogFile().metadata(MEMBER);
    for (int i = 0; i < requests.size(); i++) {
      log.entry(i + 1, requests.get(i));
    }
    log.write(member.resolve("wal"), 0, 0);
    return folder;
  }
}
