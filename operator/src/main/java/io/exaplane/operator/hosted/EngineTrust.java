// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.hosted;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Judges the servers of the JDK's HTTP client, which uses engines only. A subclass judges by the
 * address of the engine's peer; there are no clients to judge. Thread-safe if the subclass is.
 */
public abstract class EngineTrust extends X509ExtendedTrustManager {
  @Override
  public abstract void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException;

  @Override
  public final void checkServerTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    throw new CertificateException("only engines are used");
  }

  @Override
  public final void checkServerTrusted(X509Certificate[] chain, String type)
      throws CertificateException {
    throw new CertificateException("only engines are used");
  }

  @Override
  public final void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
      throws CertificateException {
    throw new CertificateException("there are no clients");
  }

  @Override
  public final void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
      throws CertificateException {
    throw new CertificateException("there are no clients");
  }

  @Override
  public final void checkClientTrusted(X509Certificate[] chain, String type)
      throws CertificateException {
    throw new CertificateException("there are no clients");
  }

  @Override
  public final X509Certificate[] getAcceptedIssuers() {
    return new X509Certificate[0];
  }
}
