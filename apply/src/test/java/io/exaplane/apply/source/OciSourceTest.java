// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.util.Arrays;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Artifacts of a registry: what is taken, and what is refused with which words. */
class OciSourceTest {
  private static final String MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s}\n";
  private static final Limits SMALL =
      new Limits(1 << 20, 4 << 20, 1 << 16, 20, 10, Duration.ofSeconds(20));

  private TestRegistry registry;

  @BeforeEach
  void start() throws Exception {
    registry = new TestRegistry();
  }

  @AfterEach
  void end() {
    registry.close();
  }

  @Test
  void anArtifactOfFluxIsFetchedOnceForEachDigest() throws Exception {
    String digest =
        registry.manifest(
            "v1",
            registry.flux(
                Map.of(
                    "./deploy/a.yaml",
                    MAP.formatted("a"),
                    "deploy/.hidden/b.yaml",
                    "nothing",
                    "deploy/notes.txt",
                    "nothing",
                    "other/c.yaml",
                    MAP.formatted("c"))));
    Fetch first = fetch("v1", "deploy");
    assertThat(first)
        .isEqualTo(new Fetched("v1@" + digest, Map.of("deploy/a.yaml", MAP.formatted("a"))));
    registry.take();
    assertThat(source("shop:v1", "deploy", "", Login.NONE).fetch("v1@" + digest))
        .isEqualTo(new Unchanged("v1@" + digest));
    assertThat(registry.take()).containsExactly("HEAD /v2/shop/manifests/v1");
    OciSource pinned = source("shop@" + digest, "deploy", "", Login.NONE);
    assertThat(pinned.fetch("")).isInstanceOf(Fetched.class);
    registry.take();
    assertThat(pinned.fetch(digest)).isEqualTo(new Unchanged(digest));
    assertThat(registry.take()).as("a digest has the same content for ever").isEmpty();
    registry.saysDigests = false;
    assertThat(source("shop:v1", "deploy", "", Login.NONE).fetch("v1@" + digest))
        .as("by a registry without that header")
        .isEqualTo(new Unchanged("v1@" + digest));
    String next = registry.manifest("v1", registry.flux(Map.of("deploy/a.yaml", "a: b")));
    registry.saysDigests = true;
    assertThat(source("shop:v1", "deploy", "", Login.NONE).fetch("v1@" + digest))
        .isEqualTo(new Fetched("v1@" + next, Map.of("deploy/a.yaml", "a: b")));
  }

  @Test
  void plainFilesOfOrasAreTaken() throws Exception {
    byte[] text = MAP.formatted("a").getBytes(StandardCharsets.UTF_8);
    registry.manifest(
        "v1",
        registry.layer(
            "application/vnd.oci.image.layer.v1.tar",
            text,
            "\"org.opencontainers.image.title\":\"a.yaml\""),
        registry.layer(
            "application/yaml", MAP.formatted("b").getBytes(StandardCharsets.UTF_8), ""));
    assertThat(((Fetched) fetch("v1", "")).files()).containsOnlyKeys("a.yaml", "layer-1.yaml");
  }

  @Test
  void aLoginGoesToTheRegistryAndNowhereElse() throws Exception {
    registry.login = "user:word";
    registry.redirects = true;
    registry.manifest("v1", registry.flux(Map.of("a.yaml", MAP.formatted("a"))));
    assertThat(message(fetch("v1", ""))).contains("callers without a login", "check");
    registry.take();
    Fetch fetch = source("shop:v1", "", "", new Login("user", "word")).fetch("");
    assertThat(fetch).isInstanceOf(Fetched.class);
    assertThat(registry.take())
        .contains("/token with a login", "elsewhere")
        .doesNotContain("elsewhere with a login");
    assertThat(message(source("shop:v1", "", "", new Login("user", "no")).fetch("")))
        .contains("this login")
        .doesNotContain("'no'");
  }

  @Test
  void aLoginIsReadFromDockersFile() {
    String auth = Base64.getEncoder().encodeToString("user:wo:rd".getBytes(StandardCharsets.UTF_8));
    String json = "{\"auths\":{\"ghcr.io\":{\"auth\":\"%s\"}}}".formatted(auth);
    assertThat(DockerConfig.login(json, "ghcr.io/shop/x:v1")).isEqualTo(new Login("user", "wo:rd"));
    assertThat(DockerConfig.login(json, "quay.io/shop")).isEqualTo(Login.NONE);
    assertThat(new Login("user", "secret").toString()).doesNotContain("secret");
  }

  @Test
  void aSignatureMustFitKeyAndDigest() throws Exception {
    KeyPair own = pair();
    KeyPair other = pair();
    String digest = registry.manifest("v1", registry.flux(Map.of("a.yaml", MAP.formatted("a"))));
    assertThat(message(signed(own).fetch(""))).contains("has no signature", "cosign sign");
    String tag = digest.replace(':', '-') + ".sig";
    registry.manifest(tag, signature(other, digest));
    assertThat(message(signed(own).fetch(""))).contains("no signature that fits the key");
    registry.manifest(tag, signature(own, "sha256:" + "0".repeat(64)));
    assertThat(message(signed(own).fetch(""))).contains("no signature that fits the key");
    registry.manifest(tag, signature(other, digest), signature(own, digest));
    assertThat(signed(own).fetch("")).isInstanceOf(Fetched.class);
    registry.manifest(tag, signature(other, digest));
    assertThat(message(signed(own).fetch("v1@" + digest)))
        .as("also when nothing changed")
        .contains("no signature that fits the key");
    assertThat(message(source("shop:v1", "", "nothing", Login.NONE).fetch("")))
        .contains("key:", "PEM");
  }

  @Test
  void bombsAndPathsThatLeadOutAreRefused() throws Exception {
    byte[] bomb = new byte[64 << 20];
    registry.manifest(
        "bomb", registry.layer(TestRegistry.FLUX, TestRegistry.gzip(tarOf("x.bin", bomb)), ""));
    assertThat(message(fetch("bomb", ""))).contains("more than", "bytes");
    registry.manifest("large", registry.flux(Map.of("a.yaml", "x".repeat(1 << 17))));
    assertThat(message(fetch("large", ""))).contains("a.yaml", "65536 bytes");
    registry.manifest("out", registry.flux(Map.of("../../etc/a.yaml", "x")));
    assertThat(message(fetch("out", ""))).contains("leads out of the source");
    registry.manifest("root", registry.flux(Map.of("/etc/a.yaml", "x")));
    assertThat(message(fetch("root", ""))).contains("relative path");
    registry.manifest("deep", registry.flux(Map.of("a/".repeat(12) + "a.yaml", "x")));
    assertThat(message(fetch("deep", ""))).contains("folders in each other");
    ByteArrayOutputStream links = new ByteArrayOutputStream();
    links.writeBytes(TestRegistry.member("a.yaml", '0', MAP.formatted("a")));
    links.writeBytes(TestRegistry.member("b.yaml", '2', ""));
    links.writeBytes(new byte[1024]);
    registry.manifest(
        "link", registry.layer(TestRegistry.FLUX, TestRegistry.gzip(links.toByteArray()), ""));
    assertThat(message(fetch("link", ""))).contains("b.yaml", "is a link");
    ByteArrayOutputStream header = new ByteArrayOutputStream();
    header.writeBytes(TestRegistry.member("x", 'x', "9".repeat(2 << 20)));
    registry.manifest(
        "pax", registry.layer(TestRegistry.FLUX, TestRegistry.gzip(header.toByteArray()), ""));
    assertThat(message(fetch("pax", ""))).contains("header above 1 MiB");
  }

  @Test
  void sizesThatOverflowAndFilesThatALayerDeletesAreRefused() throws Exception {
    byte[] huge = TestRegistry.member("b.yaml", '0', "");
    Arrays.fill(huge, 124, 136, (byte) 0xff);
    Arrays.fill(huge, 124, 128, (byte) 0);
    huge[124] = (byte) 0x80;
    huge[128] = 0x7f;
    registry.manifest("huge", layer(TestRegistry.member("a.yaml", '0', "a: b"), summed(huge)));
    assertThat(message(fetch("huge", ""))).contains("b.yaml", "more than fits");
    registry.manifest(
        "gone",
        layer(TestRegistry.member("a.yaml", '0', "a: b")),
        layer(TestRegistry.member("deploy/.wh.a.yaml", '0', "")));
    assertThat(message(fetch("gone", ""))).contains("deletes a file", ".wh.a.yaml", "build");
  }

  private String layer(byte[]... members) throws Exception {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    Arrays.stream(members).forEach(all::writeBytes);
    all.writeBytes(new byte[1024]);
    return registry.layer(TestRegistry.FLUX, TestRegistry.gzip(all.toByteArray()), "");
  }

  /** The same header with the sum that it has now. */
  private static byte[] summed(byte[] header) {
    Arrays.fill(header, 148, 156, (byte) ' ');
    int sum = 0;
    for (int at = 0; at < 512; at++) {
      sum += header[at] & 0xff;
    }
    byte[] digits = "%06o\0 ".formatted(sum).getBytes(StandardCharsets.US_ASCII);
    System.arraycopy(digits, 0, header, 148, digits.length);
    return header;
  }

  @Test
  void answersInJsonHaveABound() throws Exception {
    String[] layers = new String[60_000];
    Arrays.fill(layers, "{}");
    registry.manifest("wide", layers);
    assertThat(message(fetch("wide", ""))).contains("above 100000 tokens of JSON", "smaller one");
    registry.manifest("deep", "[".repeat(60) + "]".repeat(60));
    assertThat(message(fetch("deep", ""))).contains("or 50 levels");
    registry.manifest("v1", registry.flux(Map.of("a.yaml", MAP.formatted("a"))));
    registry.login = "user:word";
    registry.tokenEnd = " ".repeat(64 << 10);
    OciSource source = source("shop:v1", "", "", new Login("user", "word"));
    assertThat(message(source.fetch(""))).contains("a token above 64 KiB", "check the registry");
    registry.tokenEnd = "}";
    assertThat(source.fetch("")).as("the first value counts").isInstanceOf(Fetched.class);
  }

  @Test
  void whatIsNoArtifactIsNamed() throws Exception {
    assertThat(message(fetch("none", ""))).contains("shop:none", "does not exist");
    registry.index("index");
    assertThat(message(fetch("index", ""))).contains("index", "digest");
    registry.manifest(
        "chart",
        registry.layer("application/vnd.cncf.helm.chart.content.v1.tar+gzip", new byte[1], ""));
    assertThat(message(fetch("chart", ""))).contains("helm.chart", "not rendered");
    String layer = registry.flux(Map.of("a.yaml", MAP.formatted("a")));
    registry.manifest("spoiled", layer);
    String digest = layer.replaceAll(".*\"digest\":\"([^\"]+)\".*", "$1");
    registry.spoil(digest, TestRegistry.gzip(TestRegistry.tar(Map.of("a.yaml", "other"))));
    assertThat(message(fetch("spoiled", ""))).contains(digest, "have the digest");
    registry.manifest("empty", registry.flux(Map.of("a.txt", "x")));
    assertThat(message(fetch("empty", "deploy"))).contains("'deploy'", "holds no file");
    assertThat(message(source("UPPER/x", "", "", Login.NONE).fetch(""))).contains("oci:");
  }

  @Test
  void overlaysAreRendered() throws Exception {
    registry.manifest(
        "v1",
        registry.flux(
            Map.of(
                "base/a.yaml", "\n\n" + MAP.formatted("a"),
                "base/kustomization.yaml", "resources: [a.yaml]",
                "prod/kustomization.yaml", "resources: [../base]\nnamePrefix: prod-\n")));
    Map<String, String> files = ((Fetched) fetch("v1", "prod")).files();
    assertThat(files).containsOnlyKeys("base/a.yaml");
    assertThat(files.get("base/a.yaml")).startsWith("\n\n{").contains("\"prod-a\"");
    assertThat(message(fetch("v1", ""))).contains("overlay further below", "base/kustomization");
  }

  @Test
  void aRegistryThatStallsIsLeftInTime() throws Exception {
    Limits brief = new Limits(1 << 20, 1 << 20, 1 << 20, 10, 9, Duration.ofMillis(1500));
    registry.stalls = new CountDownLatch(1);
    OciSpec spec = new OciSpec(registry.host() + "/shop:v1", "", Login.NONE, "", "", true, brief);
    SourceProblem problem = (SourceProblem) OciSource.of(spec).fetch("");
    registry.stalls.countDown();
    assertThat(problem.message()).contains("did not end within 1 s");
    assertThat(problem.passing()).isTrue();
  }

  @Test
  void aRegistryThatIsGoneMayComeBack() throws Exception {
    OciSource source = source("shop:v1", "", "", Login.NONE);
    registry.close();
    assertThat(((SourceProblem) source.fetch("")).passing()).isTrue();
  }

  private static byte[] tarOf(String name, byte[] content) {
    return TestRegistry.member(name, '0', new String(content, StandardCharsets.US_ASCII));
  }

  private static KeyPair pair() throws Exception {
    KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
    generator.initialize(new ECGenParameterSpec("secp256r1"));
    return generator.generateKeyPair();
  }

  private String signature(KeyPair pair, String digest) throws Exception {
    byte[] payload =
        "{\"critical\":{\"identity\":{},\"image\":{\"docker-manifest-digest\":\"%s\"},\"type\":\"cosign container image signature\"}}"
            .formatted(digest)
            .getBytes(StandardCharsets.UTF_8);
    Signature signature = Signature.getInstance("SHA256withECDSA");
    signature.initSign(pair.getPrivate());
    signature.update(payload);
    return registry.layer(
        "application/vnd.dev.cosign.simplesigning.v1+json",
        payload,
        "\"dev.cosignproject.cosign/signature\":\"%s\""
            .formatted(Base64.getEncoder().encodeToString(signature.sign())));
  }

  private OciSource signed(KeyPair pair) {
    String pem =
        "-----BEGIN PUBLIC KEY-----\n%s\n-----END PUBLIC KEY-----\n"
            .formatted(Base64.getMimeEncoder().encodeToString(pair.getPublic().getEncoded()));
    return source("shop:v1", "", pem, Login.NONE);
  }

  private Fetch fetch(String tag, String path) throws Exception {
    return source("shop:" + tag, path, "", Login.NONE).fetch("");
  }

  private OciSource source(String name, String path, String key, Login login) {
    return OciSource.of(
        new OciSpec(registry.host() + "/" + name, path, login, key, "", true, SMALL));
  }

  private static String message(Fetch fetch) {
    assertThat(fetch).isInstanceOf(SourceProblem.class);
    return ((SourceProblem) fetch).message();
  }
}
