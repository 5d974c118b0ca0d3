// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.utils.TokenRefreshInterceptor;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClustersTest {
  @TempDir private Path folder;

  private Path kubeconfig(String user) throws IOException {
    return Files.writeString(
        folder.resolve("kubeconfig"),
        """
        {"apiVersion":"v1","kind":"Config","current-context":"c",
         "clusters":[{"name":"c","cluster":{"server":"https://127.0.0.1:1"}}],
         "users":[{"name":"u","user":%s}],
         "contexts":[{"name":"c","context":{"cluster":"c","user":"u"}}]}
        """
            .formatted(user));
  }

  /** What the client library sets on a request of a time when a token would be old. */
  private static List<String> headers(Config config) {
    List<String> headers = new ArrayList<>();
    new TokenRefreshInterceptor(
            config, Instant.EPOCH, old -> CompletableFuture.completedFuture("another"))
        .before(new Headers(headers), null, null);
    return headers;
  }

  @Test
  void aTokenIsRenewedFromTheFile() throws Exception {
    Config config = Clusters.config(kubeconfig("{\"token\":\"first\"}"));
    kubeconfig("{\"token\":\"second\"}");
    assertThat(headers(config)).contains("Authorization: Bearer second");
  }

  @Test
  void withACertificateTheFileIsNotReadWithEachRequest() throws Exception {
    Config config = Clusters.config(kubeconfig("{\"client-certificate-data\":\"AAAA\"}"));
    kubeconfig("{\"token\":\"second\"}");
    assertThat(headers(config)).isEmpty();
  }

  private record Headers(List<String> set) implements BasicBuilder {
    @Override
    public BasicBuilder uri(URI uri) {
      return this;
    }

    @Override
    public BasicBuilder header(String name, String value) {
      set.add(name + ": " + value);
      return this;
    }

    @Override
    public BasicBuilder setHeader(String name, String value) {
      return header(name, value);
    }
  }
}
