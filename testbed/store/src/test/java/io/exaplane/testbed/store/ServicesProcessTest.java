// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.AlarmRequest;
import io.etcd.jetcd.api.AlarmType;
import io.etcd.jetcd.api.AuthGrpc;
import io.etcd.jetcd.api.ClusterGrpc;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.MaintenanceGrpc;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.lock.LockGrpc;
import io.grpc.Channel;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Base64;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Which services of etcd a store has, and the words about those that it has not: the table in its
 * DESIGN.md and the process say the same (7., line 17).
 */
@Timeout(600)
class ServicesProcessTest {
  private static final Path DESIGN = Path.of("../../controlplane-store/DESIGN.md");
  private static final String SECTION = "## Parts of etcd's surroundings that are not offered";

  private static final String USERS = "Auth, except AuthStatus and Authenticate";
  private static final String MEMBERS = "Cluster changes, MoveLeader, Downgrade";
  private static final String HASH = "Maintenance/Hash";
  private static final String ELECTIONS = "v3election";
  private static final String REFLECTION = "gRPC's reflection, channelz";
  private static final String COMPRESSED = "compressed gRPC messages";

  /** What etcd's .proto files have and the client library has no class for, or others ask for. */
  private static final List<String> MORE_METHODS =
      List.of(
          "v3electionpb.Election/Campaign",
          "v3electionpb.Election/Proclaim",
          "v3electionpb.Election/Leader",
          "v3electionpb.Election/Observe",
          "v3electionpb.Election/Resign",
          "grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
          "grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
          "grpc.channelz.v1.Channelz/GetServers",
          "grpc.health.v1.Health/Check",
          "etcdserverpb.Maintenance/Downgrade",
          "etcdserverpb.Cluster/MemberPromote");

  private static final int PATIENCE_MS = 120_000;

  private static final byte SERVING = 1;
  private static final byte UNKNOWN_SERVICE = 3;

  private static Channel channel() throws Exception {
    return ServerProcess.shared().channel();
  }

  /** The row of the table that a method belongs to; empty if the store has the method. */
  private static String part(String method) {
    String name = method.substring(method.indexOf('/') + 1);
    if (method.startsWith("v3electionpb.")) {
      return ELECTIONS;
    }
    if (method.startsWith("grpc.reflection.") || method.startsWith("grpc.channelz.")) {
      return REFLECTION;
    }
    if (method.startsWith("etcdserverpb.Auth/")) {
      return List.of("AuthStatus", "Authenticate").contains(name) ? "" : USERS;
    }
    if (method.startsWith("etcdserverpb.Cluster/")) {
      return name.equals("MemberList") ? "" : MEMBERS;
    }
    return switch (method) {
      case "etcdserverpb.Maintenance/MoveLeader", "etcdserverpb.Maintenance/Downgrade" -> MEMBERS;
      case "etcdserverpb.Maintenance/Hash" -> HASH;
      default -> "";
    };
  }

  /** Words of the table by part, where the answer is {@code Unimplemented}. */
  private static Map<String, Pattern> table() throws Exception {
    String design = Files.readString(DESIGN);
    int start = design.indexOf(SECTION);
    assertThat(start).as(SECTION).isNotNegative();
    Map<String, Pattern> words = new TreeMap<>();
    design
        .substring(start, design.indexOf("\n## ", start + 1))
        .lines()
        .filter(line -> line.startsWith("| ") && line.contains("`Unimplemented`"))
        .map(line -> line.split(" *\\| *"))
        .forEach(cells -> words.put(cells[1], words(cells[2])));
    return words;
  }

  /** Of a cell with words in quotes, some of which may be left out. */
  private static Pattern words(String cell) {
    assertThat(cell).matches("`Unimplemented`, \".+\"");
    String quoted = cell.substring(cell.indexOf('"') + 1, cell.length() - 1);
    return Pattern.compile(
        Arrays.stream(quoted.split(" ?… ?", -1))
            .map(Pattern::quote)
            .collect(Collectors.joining(".*")));
  }

  /** Methods that end by themselves; a watch stream and a keep-alive do not. */
  private static Stream<String> methods() {
    return Stream.concat(
            Stream.of(
                    KVGrpc.getServiceDescriptor(),
                    LeaseGrpc.getServiceDescriptor(),
                    LockGrpc.getServiceDescriptor(),
                    ClusterGrpc.getServiceDescriptor(),
                    MaintenanceGrpc.getServiceDescriptor(),
                    AuthGrpc.getServiceDescriptor())
                .flatMap(service -> service.getMethods().stream())
                .filter(method -> method.getType() == MethodType.UNARY)
                .map(MethodDescriptor::getFullMethodName),
            MORE_METHODS.stream())
        .distinct();
  }

  /** How a call ends that sends an empty message. */
  private static Status end(String method) throws Exception {
    try {
      RawCall.answer(channel(), method);
      return Status.OK;
    } catch (StatusRuntimeException e) {
      return e.getStatus();
    }
  }

  @Test
  void theTableSaysWhatTheProcessSays() throws Exception {
    Map<String, Pattern> table = table();
    TreeSet<String> parts = new TreeSet<>(List.of(COMPRESSED));
    for (String method : methods().toList()) {
      Status status = end(method);
      String part = part(method);
      if (part.isEmpty()) {
        assertThat(status.getCode()).as(method).isNotEqualTo(Status.Code.UNIMPLEMENTED);
      } else {
        assertThat(status.getCode()).as(method).isEqualTo(Status.Code.UNIMPLEMENTED);
        assertThat(table).as("the table of %s", DESIGN).containsKey(part);
        assertThat(status.getDescription()).as(method).matches(table.get(part));
        parts.add(part);
      }
    }
    assertThat(table.keySet()).as("rows that a call was tried for").isEqualTo(parts);
  }

  @Test
  void aCompressedMessageIsRefusedWithWords() throws Exception {
    Channel channel = channel();
    StatusRuntimeException refused =
        catchThrowableOfType(
            StatusRuntimeException.class,
            () ->
                RawCall.answerToCompressed(
                    channel, "etcdserverpb.KV/Range", "\n\1a".getBytes(UTF_8)));
    assertThat(refused.getStatus().getCode()).isEqualTo(Status.Code.UNIMPLEMENTED);
    assertThat(refused.getStatus().getDescription()).matches(table().get(COMPRESSED));
  }

  /** What is answered otherwise than by {@code Unimplemented}. */
  @Test
  void theOtherRowsOfTheTableHold() throws Exception {
    MaintenanceGrpc.MaintenanceBlockingStub maintenance =
        MaintenanceGrpc.newBlockingStub(channel());
    maintenance.alarm(
        AlarmRequest.newBuilder()
            .setAction(AlarmRequest.AlarmAction.ACTIVATE)
            .setAlarm(AlarmType.NOSPACE)
            .build());
    assertThat(maintenance.alarm(AlarmRequest.getDefaultInstance()).getAlarmsList()).isEmpty();
    ByteString key = ByteString.copyFromUtf8("services/large");
    KVGrpc.newBlockingStub(channel())
        .put(
            PutRequest.newBuilder()
                .setKey(key)
                .setValue(ByteString.copyFrom(new byte[1_200_000]))
                .build());
    String range =
        "{\"key\":\"%s\"}".formatted(Base64.getEncoder().encodeToString(key.toByteArray()));
    assertThat(status("POST /v3/kv/range", "", range)).as("an answer above 1 MiB").isEqualTo(429);
    assertThat(status("POST /v3alpha/kv/range", "", range)).isEqualTo(404);
    assertThat(status("GET /v2/keys", "", "")).isEqualTo(404);
    assertThat(status("GET /readyz", "X-Long: %s\r\n".formatted("x".repeat(20_000)), ""))
        .isEqualTo(431);
    String webSocket = "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n";
    assertThat(status("GET /v3/watch", webSocket, "")).isEqualTo(501);
  }

  /** The status of a request by HTTP/1.1. */
  private static int status(String line, String headers, String body) throws Exception {
    try (Socket socket = new Socket("127.0.0.1", ServerProcess.shared().port())) {
      socket.setSoTimeout(PATIENCE_MS);
      String request =
          "%s HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n%s\r\n%s"
              .formatted(line, body.length(), headers, body);
      socket.getOutputStream().write(request.getBytes(UTF_8));
      byte[] answer = socket.getInputStream().readNBytes("HTTP/1.1 200".length());
      return Integer.parseInt(new String(answer, UTF_8).substring("HTTP/1.1 ".length()));
    }
  }

  /** As grpc_health_probe and kubelet's gRPC probes ask. */
  @Test
  void theHealthServiceOfGrpcAnswers() throws Exception {
    Channel channel = channel();
    assertThat(RawCall.answer(channel, "grpc.health.v1.Health/Check")).containsExactly(8, SERVING);
    byte[] nobody = "\n\6nobody".getBytes(UTF_8);
    StatusRuntimeException unknown =
        catchThrowableOfType(
            StatusRuntimeException.class,
            () -> RawCall.answer(channel, "grpc.health.v1.Health/Check", nobody));
    assertThat(unknown.getStatus().getCode()).isEqualTo(Status.Code.NOT_FOUND);
    assertThat(unknown.getStatus().getDescription()).isEqualTo("unknown service");
    Iterator<byte[]> watch = RawCall.answers(channel, "grpc.health.v1.Health/Watch");
    assertThat(watch.next()).containsExactly(8, SERVING);
    Iterator<byte[]> other = RawCall.answers(channel, "grpc.health.v1.Health/Watch", nobody);
    assertThat(other.next()).containsExactly(8, UNKNOWN_SERVICE);
  }
}
