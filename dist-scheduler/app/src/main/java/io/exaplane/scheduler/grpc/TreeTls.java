// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.grpc;

import io.grpc.ChannelCredentials;
import io.grpc.InsecureChannelCredentials;
import io.grpc.InsecureServerCredentials;
import io.grpc.ServerCredentials;
import io.grpc.TlsChannelCredentials;
import io.grpc.TlsServerCredentials;
import io.grpc.util.AdvancedTlsX509KeyManager;
import io.grpc.util.AdvancedTlsX509TrustManager;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * How processes of the tree know each other: each shows a certificate of one CA, parents and
 * children alike. Files are read again every minute as long as the process lives, so that
 * certificates can be renewed.
 */
public final class TreeTls {
  private static final long READ_AGAIN_MINUTES = 1;

  private final AdvancedTlsX509KeyManager key;
  private final AdvancedTlsX509TrustManager trust;

  private TreeTls(AdvancedTlsX509KeyManager key, AdvancedTlsX509TrustManager trust) {
    this.key = key;
    this.trust = trust;
  }

  /** Nobody shows anything: for processes of one machine. */
  public static TreeTls none() {
    return new TreeTls(null, null);
  }

  /**
   * With these files, in PEM.
   *
   * @throws IOException if one cannot be read, or is not what it should be
   */
  public static TreeTls of(Path certificate, Path privateKey, Path ca) throws IOException {
    ScheduledExecutorService reads =
        Executors.newSingleThreadScheduledExecutor(
            task -> Thread.ofPlatform().daemon().name("certificates").unstarted(task));
    try {
      AdvancedTlsX509KeyManager key = new AdvancedTlsX509KeyManager();
      key.updateIdentityCredentials(
          certificate.toFile(), privateKey.toFile(), READ_AGAIN_MINUTES, TimeUnit.MINUTES, reads);
      AdvancedTlsX509TrustManager trust =
          AdvancedTlsX509TrustManager.newBuilder()
              .setVerification(
                  AdvancedTlsX509TrustManager.Verification.CERTIFICATE_AND_HOST_NAME_VERIFICATION)
              .build();
      trust.updateTrustCredentials(ca.toFile(), READ_AGAIN_MINUTES, TimeUnit.MINUTES, reads);
      return new TreeTls(key, trust);
    } catch (GeneralSecurityException | IOException e) {
      reads.shutdownNow();
      throw new IOException(e.getMessage(), e);
    }
  }

  ServerCredentials ofServer() {
    return key == null
        ? InsecureServerCredentials.create()
        : TlsServerCredentials.newBuilder()
            .keyManager(key)
            .trustManager(trust)
            .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE)
            .build();
  }

  ChannelCredentials ofClient() {
    return key == null
        ? InsecureChannelCredentials.create()
        : TlsChannelCredentials.newBuilder().keyManager(key).trustManager(trust).build();
  }
}
