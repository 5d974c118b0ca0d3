// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.InputStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** PEM files in the shapes that people have, and pairs that are none (7., line 19). */
@Timeout(60)
class PemFilesTest {
  private static final char[] PASSWORD = "changeit".toCharArray();
  private static final String OF_P256 = "06082a8648ce3d030107";

  @TempDir private static Path made;

  private static final Map<String, KeyStore> keys = new HashMap<>();

  @TempDir private Path folder;

  @BeforeAll
  static void make() throws Exception {
    Map<String, Process> started = new LinkedHashMap<>();
    for (String alias : List.of("ECone", "ECtwo", "RSAone", "Ed25519one")) {
      started.put(alias, keytool(alias));
    }
    for (var each : started.entrySet()) {
      String said = new String(each.getValue().getInputStream().readAllBytes());
      assertThat(each.getValue().waitFor()).as(said).isZero();
      KeyStore store = KeyStore.getInstance("PKCS12");
      try (InputStream in = Files.newInputStream(made.resolve(each.getKey()))) {
        store.load(in, PASSWORD);
      }
      keys.put(each.getKey(), store);
    }
  }

  private static Process keytool(String alias) throws Exception {
    String kind = alias.substring(0, alias.length() - 3);
    List<String> command =
        new ArrayList<>(
            List.of(
                System.getProperty("java.home") + "/bin/keytool",
                "-genkeypair",
                "-alias",
                alias,
                "-keyalg",
                kind,
                "-dname",
                "CN=" + alias,
                "-keystore",
                made.resolve(alias).toString(),
                "-storepass",
                new String(PASSWORD)));
    if (kind.equals("EC")) {
      command.addAll(List.of("-groupname", "secp256r1"));
    }
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  private static X509Certificate certificate(String alias) throws Exception {
    return (X509Certificate) keys.get(alias).getCertificate(alias);
  }

  private static PrivateKey key(String alias) throws Exception {
    return (PrivateKey) keys.get(alias).getKey(alias, PASSWORD);
  }

  private static String pem(String type, byte[] der) {
    String body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n".formatted(type, body, type);
  }

  private Path write(String text, Charset charset) throws Exception {
    return Files.write(folder.resolve("file.pem"), text.getBytes(charset));
  }

  /** What may stand around blocks, and how lines may end. */
  private static Map<String, String> shapes(String block) {
    Map<String, String> shapes = new LinkedHashMap<>();
    shapes.put("plain", block);
    shapes.put("CRLF", block.replace("\n", "\r\n"));
    shapes.put("CR", block.replace("\n", "\r"));
    shapes.put("BOM", "\ufeff" + block);
    shapes.put("text before", "Certificate:\n  Data: Müller & Söhne – 証明書\n" + block);
    shapes.put("text behind", block + "jünk\n-- no block --\n");
    shapes.put(
        "Bag Attributes",
        "Bag Attributes\n    localKeyID: 01 02 \n    friendlyName: é\nKey Attributes: <No Attributes>\n"
            + block);
    shapes.put("comments", "# größer-als - -----\n" + block + "# Ende\n");
    shapes.put("no line at the end", block.stripTrailing());
    shapes.put("blanks at the ends of lines", block.replace("\n", "  \t\n"));
    shapes.put("empty lines", "\n\n" + block + "\n\n");
    shapes.put("lines of 76", block.replaceAll("(?<=[A-Za-z0-9+/=])\n(?=[A-Za-z0-9+/=])", ""));
    shapes.put("another block before", pem("DH PARAMETERS", new byte[] {1, 2}) + block);
    shapes.put("header", block.replaceFirst("-----\n", "-----\nComment: a b\n\n"));
    return shapes;
  }

  @Test
  void certificatesAreReadInEveryShape() throws Exception {
    byte[] one = certificate("ECone").getEncoded();
    for (String type : List.of("CERTIFICATE", "X509 CERTIFICATE", "TRUSTED CERTIFICATE")) {
      for (var shape : shapes(pem(type, one)).entrySet()) {
        for (Charset charset : List.of(StandardCharsets.UTF_8, StandardCharsets.ISO_8859_1)) {
          if (charset == StandardCharsets.ISO_8859_1 && shape.getKey().equals("BOM")) {
            continue; // there is none in it
          }
          assertThat(PemFiles.certificates(write(shape.getValue(), charset)))
              .as("%s, %s, %s", type, shape.getKey(), charset)
              .containsExactly(certificate("ECone"));
        }
      }
    }
  }

  @Test
  void keysAreReadInEveryShapeAndForm() throws Exception {
    for (String alias : List.of("ECone", "RSAone", "Ed25519one")) {
      readEverywhere(alias, pem("PRIVATE KEY", key(alias).getEncoded()));
    }
    readEverywhere("RSAone", pem("RSA PRIVATE KEY", inner(key("RSAone"))));
    byte[] bare = inner(key("ECone"));
    byte[] curve = HexFormat.of().parseHex(OF_P256);
    readEverywhere("ECone", pem("EC PARAMETERS", curve) + pem("EC PRIVATE KEY", bare));
    readEverywhere("ECone", pem("EC PRIVATE KEY", withCurve(bare, curve)));
  }

  private void readEverywhere(String alias, String block) throws Exception {
    for (var shape : shapes(block).entrySet()) {
      if (!shape.getKey().equals("header") || !block.startsWith("-----BEGIN EC PARA")) {
        PrivateKey read = PemFiles.privateKey(write(shape.getValue(), StandardCharsets.UTF_8));
        Path chain = Files.writeString(folder.resolve("c"), "");
        PemFiles.requirePair(chain, read, chain, new X509Certificate[] {certificate(alias)});
      }
    }
  }

  /** The octets in PKCS#8's last field. */
  private static byte[] inner(PrivateKey key) {
    byte[] all = key.getEncoded();
    for (int at = 4; at < all.length - 4; at++) {
      boolean isShort = all[at] == 4 && (all[at + 1] & 0xff) < 0x80;
      int length = isShort ? all[at + 1] : (all[at + 2] & 0xff) << 8 | all[at + 3] & 0xff;
      int begin = at + (isShort ? 2 : 4);
      if (all[at] == 4 && begin + length == all.length && all[begin] == 0x30) {
        return Arrays.copyOfRange(all, begin, all.length);
      }
    }
    throw new AssertionError(HexFormat.of().formatHex(all));
  }

  private static byte[] withCurve(byte[] sec1, byte[] curve) {
    byte[] longer = Arrays.copyOf(sec1, sec1.length + curve.length + 2);
    longer[1] += (byte) (curve.length + 2);
    longer[sec1.length] = (byte) 0xa0;
    longer[sec1.length + 1] = (byte) curve.length;
    System.arraycopy(curve, 0, longer, sec1.length + 2, curve.length);
    return longer;
  }

  @Test
  void whatIsBrokenIsRefusedWithWords() throws Exception {
    String one = pem("CERTIFICATE", certificate("ECone").getEncoded());
    Map<String, String> broken =
        Map.of(
            "",
            "holds no PEM block CERTIFICATE",
            "nothing",
            "holds no PEM block CERTIFICATE",
            one.substring(0, 200),
            "CERTIFICATE of line 1 has no end",
            one + one.substring(0, 200),
            "has no end",
            one.replace("END CERT", "END X"),
            "has no end",
            one.replaceFirst("\nMII", "\n§§§§"),
            "is not Base64",
            pem("CERTIFICATE", new byte[] {1, 2, 3}),
            "is no certificate");
    for (var each : broken.entrySet()) {
      assertThatThrownBy(
              () -> PemFiles.certificates(write(each.getKey(), StandardCharsets.ISO_8859_1)))
          .isInstanceOf(GeneralSecurityException.class)
          .hasMessageContaining(each.getValue());
    }
    String encrypted = pem("ENCRYPTED PRIVATE KEY", new byte[] {1});
    String before =
        pem("RSA PRIVATE KEY", new byte[] {1})
            .replaceFirst("-----\n", "-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,00\n\n");
    for (String each : List.of(encrypted, before)) {
      assertThatThrownBy(() -> PemFiles.privateKey(write(each, StandardCharsets.UTF_8)))
          .hasMessageContaining("is encrypted");
    }
  }

  @Test
  void aPairThatIsNoneIsRefused() throws Exception {
    Path file = folder.resolve("f");
    X509Certificate[] chain = {certificate("ECone"), certificate("RSAone")};
    assertThatThrownBy(() -> PemFiles.requirePair(file, key("ECtwo"), file, chain))
        .hasMessageContaining("does not belong to the certificate");
    assertThatThrownBy(() -> PemFiles.requirePair(file, key("Ed25519one"), file, chain))
        .hasMessageContaining("does not belong to the certificate");
    assertThatThrownBy(() -> PemFiles.requirePair(file, key("RSAone"), file, chain))
        .hasMessageContaining("belongs to certificate 2");
    PemFiles.requirePair(file, key("ECone"), file, chain);
  }

  @Test
  void afterAPairThatIsNoneTheOldOneStaysInForceUntilThereIsAnother() throws Exception {
    Path certificate = folder.resolve("tls.crt");
    Path key = folder.resolve("tls.key");
    set(certificate, pem("CERTIFICATE", certificate("ECone").getEncoded()), 1);
    set(key, pem("PRIVATE KEY", key("ECtwo").getEncoded()), 1);
    assertThatThrownBy(
            () -> new TlsFiles(certificate, key, null, AllowedClients.ALL, TlsRules.USUAL))
        .hasMessageContaining("does not belong");
    set(key, pem("PRIVATE KEY", key("ECone").getEncoded()), 1);
    TlsFiles files = new TlsFiles(certificate, key, null, AllowedClients.ALL, TlsRules.USUAL);
    Object first = files.get();
    set(certificate, pem("CERTIFICATE", certificate("ECtwo").getEncoded()), 2);
    TlsFiles.Statistics seen = await(files, true);
    assertThat(seen.failures()).isOne();
    assertThat(files.get()).isSameAs(first);
    set(key, pem("PRIVATE KEY", key("ECtwo").getEncoded()), 2);
    seen = await(files, false);
    assertThat(seen.reloads()).isOne();
    assertThat(files.get()).isNotSameAs(first);
  }

  /**
   * As an archive, an image or a tool that copies times does; kubelet's links lead to such, too.
   */
  @Test
  void filesWithTheSameTimeAreOthers() throws Exception {
    Path data = folder.resolve("..data");
    Path certificate = folder.resolve("linked.crt");
    Path key = folder.resolve("linked.key");
    for (String each : List.of("ECone", "ECtwo")) {
      Path version = Files.createDirectories(folder.resolve("..version" + each));
      set(version.resolve("crt"), pem("CERTIFICATE", certificate(each).getEncoded()), 1);
      set(version.resolve("key"), pem("PRIVATE KEY", key(each).getEncoded()), 1);
    }
    Files.createSymbolicLink(data, Path.of("..versionECone"));
    Files.createSymbolicLink(certificate, Path.of("..data/crt"));
    Files.createSymbolicLink(key, Path.of("..data/key"));
    TlsFiles files = new TlsFiles(certificate, key, null, AllowedClients.ALL, TlsRules.USUAL);
    Object first = files.get();

    Path next = folder.resolve("..data_tmp");
    Files.createSymbolicLink(next, Path.of("..versionECtwo"));
    Files.move(next, data, StandardCopyOption.ATOMIC_MOVE);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (files.statistics().reloads() == 0 && System.nanoTime() < deadline) {
      LockSupport.parkNanos(1_000_000);
    }
    assertThat(files.get()).isNotSameAs(first);
  }

  @Test
  void aFileThatCannotBeReadIsNamedWithTheReason() throws Exception {
    String certificate = pem("CERTIFICATE", certificate("ECone").getEncoded());
    String key = pem("PRIVATE KEY", key("ECone").getEncoded());
    Path both = write(certificate + key, StandardCharsets.UTF_8);
    Path none = folder.resolve("none");
    assertThatThrownBy(() -> new TlsFiles(both, none, null, AllowedClients.ALL, TlsRules.USUAL))
        .hasMessage(none + " does not exist");
    assertThatThrownBy(() -> new TlsFiles(folder, both, null, AllowedClients.ALL, TlsRules.USUAL))
        .hasMessageContaining(folder + " cannot be read: Is a directory");
  }

  @Test
  void aCertificateOutOfItsTimeIsTold() throws Exception {
    Path file = Path.of("tls.crt");
    X509Certificate certificate = certificate("ECone");
    Instant begin = certificate.getNotBefore().toInstant();
    Instant end = certificate.getNotAfter().toInstant();
    assertThat(TlsFiles.outOfTime(file, certificate, begin)).isEmpty();
    assertThat(TlsFiles.outOfTime(file, certificate, end)).isEmpty();
    assertThat(TlsFiles.outOfTime(file, certificate, begin.minusSeconds(1)))
        .contains("tls.crt is not valid before " + begin);
    assertThat(TlsFiles.outOfTime(file, certificate, end.plusSeconds(1)))
        .contains("tls.crt expired at " + end);
  }

  private static TlsFiles.Statistics await(TlsFiles files, boolean unusable) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    TlsFiles.Statistics seen = files.statistics();
    while (seen.unusable() != unusable && System.nanoTime() < deadline) {
      LockSupport.parkNanos(1_000_000);
      seen = files.statistics();
    }
    assertThat(seen.unusable()).isEqualTo(unusable);
    return seen;
  }

  private static void set(Path file, String text, int second) throws Exception {
    Files.writeString(file, text);
    Files.setLastModifiedTime(file, FileTime.from(second, TimeUnit.SECONDS));
  }
}
