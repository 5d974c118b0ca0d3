// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import io.exaplane.cli.Exactl;
import io.exaplane.testbed.machine.Machine;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A store that is full, and no kube-apiserver: {@code exactl store} finds who fills it, and ends
 * it.
 */
class WayOutProcessTest {
  private static final int LARGE = 900_000;
  private static final int BRIEF_LINES = 12;
  private static final int EVENTS = 2_500;
  private static final String FILL = "/registry/configmaps/default/fill-";
  private static final String SYSTEM = "/registry/leases/kube-system/leader";

  private final Random random = new Random(1);
  private String said;

  @TempDir Path folder;

  @Test
  void outOfOurs() throws Exception {
    try (ServerProcess store =
        ServerProcess.storeWith(
            "-XX:MaxRAM=" + (512L << 20),
            folder.resolve("store"),
            "--quota-backend-bytes=" + (24L << 20))) {
      wayOut(store);
      assertThat(said).contains("WITH HISTORY");
    }
  }

  @Test
  void outOfAnEtcd() throws Exception {
    try (ServerProcess store =
        ServerProcess.etcd(folder.resolve("etcd"), "--quota-backend-bytes=" + (24L << 20))) {
      wayOut(store, "--samples=2");
      assertThat(exactl(store, "top")).isZero();
      assertThat(said).contains("This store does not report bytes");
    }
  }

  @Test
  void itIsAskedOverTls() throws Exception {
    ServerCertificate files = ServerCertificate.make(folder);
    int port = Machine.freePort();
    try (ServerProcess _ =
        ServerProcess.storeWithTls(
            folder.resolve("store"),
            port,
            "--cert-file=" + files.certificate(),
            "--key-file=" + files.key(),
            "--client-cert-auth",
            "--trusted-ca-file=" + files.certificate())) {
      String endpoints = "--endpoints=https://127.0.0.1:" + port;
      String trust = "--cacert=" + files.certificate();
      String certificate = "--cert=" + files.certificate();
      String key = "--key=" + files.key();
      ServerProcess.run("etcdctl", endpoints, trust, certificate, key, "put", FILL, "v");
      assertThat(exactl("top", endpoints, trust, certificate, key)).isZero();
      assertThat(said).contains("WITH HISTORY", FILL.replace("fill-", ""));
      assertThat(exactl("top", endpoints, trust)).as("nobody").isEqualTo(1);
      assertThat(said).contains("check --endpoints, --cacert, --cert and --key");
      assertThat(exactl("top", endpoints, trust, certificate)).isEqualTo(1);
      assertThat(said).contains("set both or neither");
    }
  }

  private void wayOut(ServerProcess store, String... more) throws Exception {
    KVGrpc.KVBlockingStub kv = KVGrpc.newBlockingStub(store.channel());
    events(kv);
    put(kv, SYSTEM, 600);
    int asked = 0;
    while (isPut(kv, FILL + asked)) {
      asked++;
    }
    // etcd may refuse the last one and have it all the same: it looks at the quota again
    // afterwards. How many it takes depends on its commits, since it counts what is committed.
    int filled = (int) count(kv, FILL);
    assertThat(filled).isGreaterThanOrEqualTo(15).isBetween(asked, asked + 1);

    assertThat(exactl(store, "delete", "/registry/", "--prefix", "--yes")).isEqualTo(2);
    assertThat(said).contains("is the whole store");
    assertThat(exactl(store, "delete", SYSTEM, "--yes")).isEqualTo(2);
    assertThat(said).contains("add --system");
    assertThat(exactl(store, "delete", FILL, "--prefix", "--dry-run")).isZero();
    assertThat(said).contains("snapshot save", "Nothing is deleted");
    assertThat(answering("yes", store, "delete", FILL, "--prefix")).isEqualTo(1);
    assertThat(answering("", store, "delete", FILL, "--prefix")).isEqualTo(1);
    assertThat(count(kv, FILL)).isEqualTo(filled);

    assertThat(answering(Integer.toString(filled), store, "delete", FILL, "--prefix")).isZero();
    assertThat(said).contains("Deleted %d keys below %s".formatted(filled, FILL), "Compacted");
    assertThat(count(kv, FILL)).isZero();
    for (int i = 0; i < filled / 2; i++) {
      assertThat(isPut(kv, FILL + i)).as("room for %d of %d", i, filled).isTrue();
    }

    assertThat(exactl(store, "delete", "/registry/events/a/", "--prefix", "--yes", "--names"))
        .isZero();
    assertThat(said.lines().filter(line -> line.startsWith("deleted /registry/events/a/e")))
        .hasSize(EVENTS);
    assertThat(count(kv, "/registry/events/")).as("another namespace's").isEqualTo(1);
    assertThat(count(kv, SYSTEM)).isEqualTo(1);
    assertThat(exactl(store, "delete", "/registry/events/a/", "--prefix", "--yes")).isZero();
    assertThat(said).contains("There are no keys");

    List<String> top = new ArrayList<>(List.of("top"));
    top.addAll(Arrays.asList(more));
    assertThat(exactl(store, top.toArray(String[]::new))).isZero();
    List<String> rows = said.lines().filter(line -> line.contains("/registry/")).toList();
    assertThat(rows.getFirst()).as(said).contains("configmaps", "MiB", "/registry/configmaps/");
  }

  /** In pages and portions of several requests. */
  private static void events(KVGrpc.KVBlockingStub kv) {
    for (int i = 0; i < EVENTS; i += 100) {
      TxnRequest.Builder txn = TxnRequest.newBuilder();
      for (int j = i; j < i + 100; j++) {
        txn.addSuccess(
            RequestOp.newBuilder().setRequestPut(request("/registry/events/a/e" + j, 10)));
      }
      kv.txn(txn.build());
    }
    put(kv, "/registry/events/a0/other", 10);
  }

  private static PutRequest request(String key, int bytes) {
    return PutRequest.newBuilder()
        .setKey(ByteString.copyFromUtf8(key))
        .setValue(ByteString.copyFrom(new byte[bytes]))
        .build();
  }

  private static void put(KVGrpc.KVBlockingStub kv, String key, int bytes) {
    kv.put(request(key, bytes));
  }

  private boolean isPut(KVGrpc.KVBlockingStub kv, String key) {
    byte[] value = new byte[LARGE];
    random.nextBytes(value);
    try {
      kv.put(
          PutRequest.newBuilder()
              .setKey(ByteString.copyFromUtf8(key))
              .setValue(ByteString.copyFrom(value))
              .build());
      return true;
    } catch (StatusRuntimeException e) {
      assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
      return false;
    }
  }

  private static long count(KVGrpc.KVBlockingStub kv, String prefix) {
    return kv.range(
            RangeRequest.newBuilder()
                .setKey(ByteString.copyFromUtf8(prefix))
                .setRangeEnd(
                    ByteString.copyFromUtf8(
                        prefix.substring(0, prefix.length() - 1)
                            + (char) (prefix.charAt(prefix.length() - 1) + 1)))
                .setCountOnly(true)
                .build())
        .getCount();
  }

  private int answering(String answer, ServerProcess store, String... words) {
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(answer.getBytes(StandardCharsets.UTF_8)));
    try {
      return exactl(store, words);
    } finally {
      System.setIn(before);
    }
  }

  private int exactl(ServerProcess store, String... words) {
    List<String> all = new ArrayList<>(Arrays.asList(words));
    all.add("--endpoints=http://" + store.target());
    return exactl(all.toArray(String[]::new));
  }

  private int exactl(String... words) {
    List<String> all = new ArrayList<>(Arrays.asList(words));
    all.addFirst("store");
    StringWriter text = new StringWriter();
    PrintWriter out = new PrintWriter(text);
    int code = Exactl.run(out, out, all.toArray(String[]::new));
    said = text.toString();
    System.out.printf("exactl %s: %d%n%s%n", String.join(" ", all), code, brief(said));
    return code;
  }

  private static String brief(String text) {
    return String.join("\n", text.lines().limit(BRIEF_LINES).toList());
  }
}
