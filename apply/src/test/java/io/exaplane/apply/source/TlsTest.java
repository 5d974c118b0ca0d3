// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.eclipse.jgit.api.Git;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Registries and repositories with a certificate that only the given authorities vouch for. */
class TlsTest {
  private static final char[] WORD = "changeit".toCharArray();

  @TempDir private Path folder;

  @Test
  void onlyTheNamedAuthoritiesAreTrusted() throws Exception {
    KeyStore own = certificate("own");
    KeyStore other = certificate("other");
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(own, WORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    try (TestRegistry registry = new TestRegistry(context)) {
      registry.manifest("v1", registry.flux(Map.of("a.yaml", "a: b")));
      String address = registry.host() + "/shop:v1";
      assertThat(fetch(address, pem(own))).isInstanceOf(Fetched.class);
      for (String authorities : new String[] {"", pem(other)}) {
        SourceProblem problem = (SourceProblem) fetch(address, authorities);
        assertThat(problem.message()).contains("cannot be fetched", "certificates");
      }
      assertThat(((SourceProblem) fetch(address, "nothing")).message())
          .contains("authorities:", "PEM");
    }
  }

  @Test
  void onlyTheNamedAuthoritiesAreTrustedWithARepository() throws Exception {
    KeyStore own = certificate("own");
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(own, WORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    Path shop = folder.resolve("shop");
    try (Git git = Git.init().setDirectory(shop.toFile()).setInitialBranch("main").call();
        TestGitServer server = new TestGitServer(git.getRepository(), context)) {
      Files.writeString(shop.resolve("a.yaml"), "a: b");
      git.add().addFilepattern(".").call();
      git.commit().setMessage("a").setAuthor("t", "t@example.com").setSign(false).call();
      assertThat(repository(server.url(), pem(own))).isInstanceOf(Fetched.class);
      server.requests.clear();
      for (String authorities : new String[] {"", pem(certificate("other"))}) {
        SourceProblem problem = (SourceProblem) repository(server.url(), authorities);
        assertThat(problem.message()).contains("cannot be fetched", "certificates");
        assertThat(server.requests).isEmpty();
      }
    }
  }

  private static Fetch repository(String url, String authorities) throws Exception {
    Login login = new Login("", "token");
    return GitSource.of(new GitSpec(url, "main", "", login, authorities, Limits.DEFAULTS))
        .fetch("");
  }

  private static Fetch fetch(String address, String authorities) throws Exception {
    return OciSource.of(
            new OciSpec(address, "", Login.NONE, "", authorities, false, Limits.DEFAULTS))
        .fetch("");
  }

  private static String pem(KeyStore store) throws Exception {
    return "-----BEGIN CERTIFICATE-----\n%s\n-----END CERTIFICATE-----\n"
        .formatted(
            Base64.getMimeEncoder().encodeToString(store.getCertificate("key").getEncoded()));
  }

  private KeyStore certificate(String name) throws Exception {
    Path file = folder.resolve(name + ".p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "key",
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + name,
                "-ext",
                "san=ip:127.0.0.1",
                "-keystore",
                file.toString(),
                "-storepass",
                new String(WORD))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve(name + ".log").toFile())
            .start();
    assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, WORD);
    }
    return store;
  }
}
