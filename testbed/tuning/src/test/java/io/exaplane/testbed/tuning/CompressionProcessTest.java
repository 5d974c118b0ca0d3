// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.tuning;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.testbed.machine.Http;
import io.exaplane.tuning.Tuning;
import java.io.ByteArrayInputStream;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Where a real kube-apiserver begins to compress, and that the advice against it takes effect. */
@ExtendWith(ControlPlanes.Given.class)
class CompressionProcessTest {
  /** staging/src/k8s.io/apiserver/pkg/endpoints/handlers/responsewriters: 128 KiB. */
  private static final int THRESHOLD = 128 << 10;

  private static final String LIST =
      "/api/v1/namespaces/" + ListedPods.LARGE + "/pods?resourceVersion=";

  @TempDir private Path folder;

  @Test
  void listsAreCompressedFrom128KibibytesOn(ControlPlanes controlPlanes) throws Exception {
    try (ControlPlane controlPlane = controlPlanes.shared(folder)) {
      controlPlanes.pods();
      int below = largestBelow(controlPlane);
      assertThat(encoding(page(controlPlane, below, "gzip"))).isEmpty();
      HttpResponse<byte[]> compressed = page(controlPlane, below + 1, "gzip");
      assertThat(encoding(compressed)).isEqualTo("gzip");
      byte[] plain = page(controlPlane, below + 1, "identity").body();
      assertThat(plain.length).isGreaterThan(THRESHOLD);
      assertThat(compressed.body().length).isLessThan(plain.length / 4);
      try (GZIPInputStream unpacked =
          new GZIPInputStream(new ByteArrayInputStream(compressed.body()))) {
        assertThat(unpacked.readAllBytes()).hasSize(plain.length);
      }
    }
  }

  @Test
  void inAFastNetworkTheAdviceTurnsItOff(ControlPlanes controlPlanes) throws Exception {
    Tuning fast = Clusters.tuning(100, Asked.FAST_NETWORK);
    try (ControlPlane shared = controlPlanes.shared(folder);
        ControlPlane controlPlane = controlPlanes.start(folder, fast)) {
      assertThat(encoding(large(shared))).as("without the advice").isEqualTo("gzip");
      assertThat(encoding(large(controlPlane))).isEmpty();
    }
  }

  /** A list that is above the threshold by its only object. */
  private static HttpResponse<byte[]> large(ControlPlane controlPlane) throws Exception {
    String namespace = "/api/v1/namespaces/compression";
    controlPlane.create("/api/v1/namespaces", "{\"metadata\":{\"name\":\"compression\"}}");
    controlPlane.create(
        namespace + "/configmaps",
        "{\"metadata\":{\"name\":\"large\"},\"data\":{\"filler\":\"%s\"}}"
            .formatted("x".repeat(2 * THRESHOLD)));
    HttpResponse<byte[]> list =
        Http.getEncoded(controlPlane.uri(namespace + "/configmaps"), "gzip");
    assertThat(list.statusCode()).isEqualTo(200);
    return list;
  }

  /** The number of pods in the largest page that stays below the threshold. */
  private static int largestBelow(ControlPlane controlPlane) throws Exception {
    int below = 1;
    int above = 1_000;
    while (above - below > 1) {
      int middle = (below + above) / 2;
      if (page(controlPlane, middle, "identity").body().length < THRESHOLD) {
        below = middle;
      } else {
        above = middle;
      }
    }
    return below;
  }

  private static HttpResponse<byte[]> page(ControlPlane controlPlane, int pods, String encoding)
      throws Exception {
    HttpResponse<byte[]> response =
        Http.getEncoded(controlPlane.uri(LIST + "&limit=" + pods), encoding);
    assertThat(response.statusCode()).isEqualTo(200);
    return response;
  }

  private static String encoding(HttpResponse<byte[]> response) {
    return response.headers().firstValue("Content-Encoding").orElse("");
  }
}
