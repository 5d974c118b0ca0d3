// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.PutRequest;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** More connections than the process may have files open: journal and metrics go on (7., 21). */
@Timeout(600)
class OpenFilesProcessTest {
  private static final int MOST = 220;

  @TempDir Path folder;

  @Test
  void connectionsDoNotTakeTheFilesOfJournalAndMetrics() throws Exception {
    List<Socket> sockets = new ArrayList<>();
    try (ServerProcess store = ServerProcess.storeWithFiles(MOST, folder.resolve("store"))) {
      KVGrpc.KVBlockingStub kv = KVGrpc.newBlockingStub(store.channel());
      for (int i = 0; i < 2 * MOST; i++) {
        String from = "127.0.2." + (1 + i % 8);
        sockets.add(new Socket("127.0.0.1", store.port(), InetAddress.getByName(from), 0));
      }
      ByteString value = ByteString.copyFrom(new byte[1 << 20]);
      for (int i = 0; i < 8; i++) { // segments of the log are made
        kv.put(
            PutRequest.newBuilder()
                .setKey(ByteString.copyFromUtf8("/" + i))
                .setValue(value)
                .build());
      }
      String page = metrics(store);
      assertThat(page)
          .contains("exaplane_store_connections_displaced_total{door=\"clients\"}")
          .doesNotContain("exaplane_store_connections_displaced_total{door=\"clients\"} 0.0")
          .contains("process_max_fds " + (double) MOST);
      assertThat(store.log())
          .contains("raise the limit of open files")
          .contains("kept for journal and metrics")
          .doesNotContain("Too many open files");
    } finally {
      for (Socket socket : sockets) {
        socket.close();
      }
    }
  }

  private static String metrics(ServerProcess store) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      URI page = URI.create("http://%s/metrics".formatted(store.target()));
      return client
          .send(
              HttpRequest.newBuilder(page).timeout(Duration.ofMinutes(2)).build(),
              BodyHandlers.ofString())
          .body();
    }
  }
}
