// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.backup;

import io.exaplane.store.codec.ProtoReader;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a backup, or the backend file of an etcd, has beside keys and leases
 * (server/storage/schema/bucket.go).
 *
 * @param version of etcd's storage, as {@code 3.6}: 3.6 and later say it, 3.5 shows by its term
 * @param authEnabled whether authentication is switched on
 * @param users names, in order
 * @param roles names, in order
 * @param members of its cluster, in the order of their ids; empty if it does not say
 * @param alarms that are raised, by etcd's names
 */
public record EtcdContents(
    String version,
    boolean authEnabled,
    List<String> users,
    List<String> roles,
    List<EtcdMember> members,
    Set<String> alarms) {
  /** Of what is older than 3.5, or a 3.5 that was not stopped well yet. */
  public static final String BEFORE_3_5 = "3.4 or older";

  /** The one that reads no log of 3.5. */
  private static final String LAST = "3.7";

  private static final int MOST_NAMES = 10;

  /** By their numbers. */
  private static final List<String> ALARMS = List.of("NONE", "NOSPACE", "CORRUPT");

  /**
   * Buckets of etcd 3.5 to 3.7. What is in another one is what a later etcd keeps, which nobody
   * here knows to be without meaning.
   */
  private static final List<String> KNOWN =
      List.of(
          "key",
          "meta",
          "lease",
          "alarm",
          "cluster",
          "members",
          "members_removed",
          "auth",
          "authUsers",
          "authRoles");

  /** Versions whose files are read. */
  private static final List<String> READ = List.of(BEFORE_3_5, "3.5", "3.6", "3.7");

  /**
   * Reads a file.
   *
   * @throws IOException if it is no file of bbolt, or not one of an etcd that is known
   */
  public static EtcdContents of(Path path) throws IOException {
    return read(path, true);
  }

  /**
   * Reads a file of whatever etcd wrote it, a later one too: for who only asks whether another etcd
   * may be started on it.
   *
   * @throws IOException if it is no file of bbolt
   */
  public static EtcdContents ofAny(Path path) throws IOException {
    return read(path, false);
  }

  private static EtcdContents read(Path path, boolean known) throws IOException {
    try (BoltReader file = new BoltReader(path)) {
      List<String> buckets = file.buckets();
      List<String> unknown = buckets.stream().filter(name -> !KNOWN.contains(name)).toList();
      if (known && (!buckets.contains("key") || !unknown.isEmpty())) {
        throw new IOException(
            "%s is not a file of etcd 3.5 to 3.7 (it has the buckets %s); name a backup that 'etcdctl snapshot save' took, or an etcd's data folder"
                .formatted(path, String.join(", ", buckets)));
      }
      Map<String, byte[]> meta = entries(file, "meta");
      String version = version(meta);
      if (known && !READ.contains(version)) {
        throw new IOException(
            "%s was written by etcd %s, but the store reads 3.5 to 3.7; take a backup with one of these versions"
                .formatted(path, version));
      }
      byte[] enabled = entries(file, "auth").get("authEnabled");
      return new EtcdContents(
          version,
          enabled != null && enabled.length == 1 && enabled[0] == 1,
          names(file, "authUsers"),
          names(file, "authRoles"),
          members(file),
          alarms(file));
    } catch (RuntimeException e) {
      throw new IOException(
          "%s holds data that etcd does not write (%s); take another backup".formatted(path, e), e);
    }
  }

  /** The entry of the log up to which a backend file has everything; 0 if it has none. */
  static long appliedIndex(Path path) throws IOException {
    try (BoltReader file = new BoltReader(path)) {
      byte[] index = entries(file, "meta").get("consistent_index");
      return index == null ? 0 : ByteBuffer.wrap(index).getLong();
    }
  }

  private static String version(Map<String, byte[]> meta) {
    byte[] version = meta.get("storageVersion");
    if (version != null && version.length > 0) {
      String text = new String(version, StandardCharsets.UTF_8);
      return Arrays.stream(text.split("\\.")).limit(2).collect(Collectors.joining("."));
    }
    return meta.containsKey("term") ? "3.5" : BEFORE_3_5;
  }

  private static Map<String, byte[]> entries(BoltReader file, String bucket) throws IOException {
    Map<String, byte[]> entries = new HashMap<>();
    file.forEach(bucket, (key, value) -> entries.put(text(key), bytes(value)));
    return entries;
  }

  private static List<String> names(BoltReader file, String bucket) throws IOException {
    List<String> names = new ArrayList<>();
    file.forEach(bucket, (key, _) -> names.add(text(key)));
    return names;
  }

  private static byte[] bytes(MemorySegment segment) {
    return segment.toArray(ValueLayout.JAVA_BYTE);
  }

  private static List<EtcdMember> members(BoltReader file) throws IOException {
    List<EtcdMember> members = new ArrayList<>();
    file.forEach("members", (key, value) -> members.add(EtcdMember.of(text(key), text(value))));
    return members;
  }

  /** Each is an {@code AlarmMember}: who raised it, and which one. */
  private static Set<String> alarms(BoltReader file) throws IOException {
    Set<String> alarms = new TreeSet<>();
    ProtoReader in = new ProtoReader();
    file.forEach(
        "alarm",
        (key, _) -> {
          byte[] bytes = bytes(key);
          int alarm = (int) in.open(bytes, 0, bytes.length).numberOf(2);
          alarms.add(alarm < ALARMS.size() ? ALARMS.get(alarm) : "number " + alarm);
        });
    return alarms;
  }

  private static String text(MemorySegment segment) {
    return new String(bytes(segment), StandardCharsets.UTF_8);
  }

  /** Whether it says who may do what. */
  public boolean hasAuth() {
    return authEnabled || !users.isEmpty() || !roles.isEmpty();
  }

  /** What it says of that, for people. */
  public String authText() {
    String of =
        Stream.of(count(users, "user"), count(roles, "role")).collect(Collectors.joining(", "));
    return "authentication is switched %s, with %s".formatted(authEnabled ? "on" : "off", of);
  }

  /**
   * What has to be done before an etcd of a version is started on it.
   *
   * @param minor as {@code 3.7}
   * @param oldRequests entries of its log on which etcd 3.7 ends; of a backup none
   * @return empty if nothing
   */
  public String beforeStarting(String minor, int oldRequests) {
    int mine = order(version);
    int wanted = order(minor);
    if (!isKnown(minor)) {
      return "etcd %s is not known here; name 3.5, 3.6 or 3.7".formatted(minor);
    }
    // A version that is said and not known is a later one: only 3.6 and later say theirs.
    if (mine < 0 || mine > wanted) {
      return "the data was written by etcd %s. Start that version, run 'etcdctl downgrade enable %s', and wait until 'etcdctl endpoint status -w json' shows storage version %s. Then stop that etcd with SIGTERM"
          .formatted(version, minor, minor);
    }
    if (minor.equals(LAST) && oldRequests > 0) {
      return "behind its last snapshot, the log has %d requests in the form of etcd 3.5, on which etcd %s panics ('unmarshal should never fail'). Start etcd 3.6 on the data with --snapshot-count=10, write twenty times ('etcdctl put'), and stop that etcd with SIGTERM. Or take a backup and restore the backup with etcdutl %s"
          .formatted(oldRequests, minor, minor);
    }
    return "";
  }

  /** Whether it is known what an etcd of a version, as {@code 3.7}, makes of a folder. */
  public static boolean isKnown(String minor) {
    return order(minor) >= 1;
  }

  private static int order(String minor) {
    return READ.indexOf(minor);
  }

  private static String count(List<String> names, String what) {
    String more = names.size() > MOST_NAMES ? ", …" : "";
    String listed =
        names.isEmpty()
            ? ""
            : " (%s%s)"
                .formatted(
                    names.stream().limit(MOST_NAMES).collect(Collectors.joining(", ")), more);
    return "%d %s%s%s".formatted(names.size(), what, names.size() == 1 ? "" : "s", listed);
  }
}
