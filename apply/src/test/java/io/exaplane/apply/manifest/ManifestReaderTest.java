// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What files hold, and what is said of those that hold something else. */
class ManifestReaderTest {
  private static final String MAP =
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s}\ndata: {a: b}\n";

  @TempDir private Path folder;

  @Test
  void aBadDocumentStopsNoOther() throws Exception {
    write("one.yaml", MAP.formatted("a") + "---\nkind: [\n---\n" + MAP.formatted("b"));
    write("two.json", "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"c\"}}");
    Reading reading = read();
    assertThat(reading.manifests())
        .extracting(one -> one.key().name())
        .containsExactly("a", "b", "c");
    assertThat(reading.problems())
        .singleElement()
        .asString()
        .contains("one.yaml:", "not valid YAML");
    assertThat(reading.problems().getFirst().source().line()).isBetween(5, 8);
    assertThat(reading.manifests().get(1).source().line()).isEqualTo(8);
  }

  private static byte[] gzip(String text) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(text.getBytes(StandardCharsets.UTF_8));
    }
    return packed.toByteArray();
  }

  /** By the standard input, by a name of its own, and by the name of a plain one. */
  @Test
  void aFileMayBeGzip() throws Exception {
    byte[] packed = gzip(MAP.formatted("a"));
    Path file = Files.write(folder.resolve("objects.gz"), packed);
    Path plain = Files.write(folder.resolve("one.yaml"), gzip(MAP.formatted("b")));
    Reading reading =
        ManifestReader.read(
            List.of(file, plain, Path.of("-")),
            new ByteArrayInputStream(gzip(MAP.formatted("c") + "---\n" + MAP.formatted("d"))));
    assertThat(reading.problems()).isEmpty();
    assertThat(reading.manifests())
        .extracting(one -> one.key().name())
        .containsExactly("a", "b", "c", "d");
    assertThat(reading.bytes()).as("of what is in them").isGreaterThan(4L * MAP.length() - 20);
  }

  @Test
  void gzipThatIsDamagedOrTooLargeIsAProblem() throws Exception {
    byte[] packed = gzip(MAP.formatted("a").repeat(50));
    Path cut = Files.write(folder.resolve("cut.gz"), Arrays.copyOf(packed, packed.length / 2));
    byte[] changed = packed.clone();
    Arrays.fill(changed, 10, 20, (byte) 0xff);
    Path damaged = Files.write(folder.resolve("damaged.gz"), changed);
    Path bomb = Files.write(folder.resolve("bomb.gz"), gzip(" ".repeat(65 << 20)));
    Reading reading =
        ManifestReader.read(List.of(cut, damaged, bomb), InputStream.nullInputStream());
    assertThat(reading.manifests()).isEmpty();
    assertThat(reading.problems()).hasSize(3);
    assertThat(reading.problems().get(0).toString())
        .contains("cut.gz", "breaks off before its end; copy the whole file again");
    assertThat(reading.problems().get(1).toString())
        .contains("damaged.gz", "is compressed and damaged (");
    assertThat(reading.problems().get(2).toString())
        .contains("bomb.gz", "has more than 67108864 bytes");
  }

  @Test
  void textsAreReadLikeFilesOfAFolder() {
    Reading reading =
        ManifestReader.read(
            Map.of(
                "b.yaml",
                MAP.formatted("b"),
                "a.yml",
                "kind: [",
                "notes.txt",
                "kind: [",
                "c.JSON",
                "{}"));
    assertThat(reading.manifests()).extracting(one -> one.key().name()).containsExactly("b");
    assertThat(reading.problems())
        .extracting(one -> one.source().file())
        .containsExactly("a.yml", "c.JSON");
    assertThat(reading.files()).isEqualTo(3);
  }

  @Test
  void allWaysToWriteAnObjectHaveOneHash() throws Exception {
    write("one.yaml", MAP.formatted("a") + "status: {x: 1}\n");
    write(
        "two.json",
        "{\"kind\":\"ConfigMap\",\"data\":{\"a\":\"b\"},\"apiVersion\":\"v1\",\"metadata\":{\"uid\":\"u\",\"name\":\"a\"}}");
    Reading one =
        ManifestReader.read(List.of(folder.resolve("one.yaml")), InputStream.nullInputStream());
    Reading two =
        ManifestReader.read(List.of(folder.resolve("two.json")), InputStream.nullInputStream());
    assertThat(one.manifests().getFirst().hash()).isEqualTo(two.manifests().getFirst().hash());
  }

  /** As kubectl takes it: only the plain word merges. */
  @Test
  void aKeyInQuotesMergesNothing() throws Exception {
    write("one.yaml", MAP.formatted("a").replace("{a: b}", "{\"<<\": b, a: c}"));
    write("two.yaml", MAP.formatted("b").replace("{a: b}", "{<<: {x: z}, a: c}"));
    Reading reading = read();
    assertThat(reading.problems()).isEmpty();
    assertThat(reading.manifests())
        .extracting(one -> new String(one.body(), StandardCharsets.UTF_8))
        .satisfiesExactly(
            one -> assertThat(one).contains("\"data\":{\"<<\":\"b\",\"a\":\"c\"}"),
            two -> assertThat(two).contains("\"data\":{\"a\":\"c\",\"x\":\"z\"}"));
  }

  @Test
  void badObjectsAreNamedWithTheirField() throws Exception {
    assertThat(problem("apiVersion: v1\nkind: Pod\nmetadata: {}\n")).contains("metadata.name");
    assertThat(problem("apiVersion: v1\nkind: Pod\nmetadata: {generateName: x-}\n"))
        .contains("metadata.generateName", "write metadata.name");
    assertThat(problem("apiVersion: v1\nkind: Pod\nmetadata: {name: ../x}\n")).contains("'../x'");
    assertThat(problem(MAP.formatted("a, labels: {x: true}"))).contains("labels[x]", "quotes");
    assertThat(problem(MAP.formatted("a") + "data: {}\n")).contains("'data' stands twice");
    assertThat(problem(MAP.formatted("a, labels: {applyset.kubernetes.io/part-of: x}")))
        .contains("applyset.kubernetes.io/part-of", "remove the line");
    assertThat(problem(MAP.formatted("a") + "---\n" + MAP.formatted("a"))).contains("already");
  }

  /** The server has one object of both, which each apply would write twice. */
  @Test
  void twoVersionsOfAnObjectAreOneObject() throws Exception {
    String scaler =
        "apiVersion: autoscaling/%s\nkind: HorizontalPodAutoscaler\nmetadata: {name: s}\n";
    assertThat(problem(scaler.formatted("v1") + "---\n" + scaler.formatted("v2")))
        .contains("stands in", "x.yaml:1 already");
  }

  @Test
  void whatYamlCannotReadIsNamedByItsLine() throws Exception {
    assertThat(problem("a: &a [*a]\n")).contains("alias *a has no earlier anchor");
    assertThat(problem(MAP.formatted("a") + "\tb: c\n"))
        .contains("is not valid YAML", "'\\t(TAB)'");
    assertThat(problem("%YAML 1.1\n" + MAP.formatted("a"))).contains("is not valid YAML");
    assertThat(problem(MAP.formatted("a") + "1: x\n\"1\": y\n")).contains("key '1' stands twice");
    assertThat(problem(MAP.formatted("a") + "x: !!binary aGk=\n")).contains("none of JSON's types");
  }

  @Test
  void foldersOfOtherToolsAreNamed() throws Exception {
    write("kustomization.yaml", "resources: [a.yaml]\n");
    write("Chart.yaml", "apiVersion: v2\nname: shop\n");
    write("template.yaml", MAP.formatted("{{ .Release.Name }}"));
    assertThat(read().problems().toString())
        .contains("Chart.yaml:1: is a chart of Helm; apply what 'helm template' prints")
        .contains("kustomization.yaml:1: is a file for kustomize; apply what 'kubectl kustomize'")
        .contains("template.yaml:");
  }

  @Test
  void filesOfOtherSystemsAreRead() throws Exception {
    String yaml = MAP.formatted("a") + "---\n# nothing\n---\n" + MAP.formatted("b") + "...\n";
    write("windows.yaml", "\uFEFF" + yaml.replace("\n", "\r\n"));
    Reading reading = read();
    assertThat(reading.problems()).isEmpty();
    assertThat(reading.manifests()).extracting(one -> one.key().name()).containsExactly("a", "b");
    assertThat(reading.manifests().getLast().source().line()).isEqualTo(8);
  }

  @Test
  void anObjectThatNoServerTakesIsNamedWithItsLength() throws Exception {
    String large = MAP.formatted("a").replace("a: b", "a: " + "x".repeat(10_000_000));
    assertThat(problem(large + "---\n" + MAP.formatted("b")))
        .contains("has 10000", "3145728 at most; split the object");
  }

  @Test
  void aBombOfAliasesIsRefused() throws Exception {
    StringBuilder bomb = new StringBuilder("a0: &a0 [xxxxxxxxxx]\n");
    for (int i = 1; i < 30; i++) {
      bomb.append("a%d: &a%d [*a%d, *a%d]\n".formatted(i, i, i - 1, i - 1));
    }
    assertThat(problem(bomb.toString())).contains("aliases repeat more than");
  }

  @Test
  void aliasesOfAllDocumentsCountTogether() {
    StringBuilder two = new StringBuilder();
    for (String name : List.of("a", "b")) {
      two.append("---\n").append(MAP.formatted(name));
      two.append("binaryData: {a: &a ").append("x".repeat(10_000));
      for (int i = 0; i < 200; i++) {
        two.append(", b%d: *a".formatted(i));
      }
      two.append("}\n");
    }
    Reading reading = ManifestReader.read(Map.of("two.yaml", two.toString()));
    assertThat(reading.manifests()).hasSize(1);
    assertThat(reading.problems().toString()).contains("aliases repeat more than", "all files");
  }

  @Test
  void nothingIsReadBehindABound() {
    StringBuilder maps = new StringBuilder();
    StringBuilder json = new StringBuilder();
    for (int i = 0; i < 9; i++) {
      maps.append("---\n").append(MAP.formatted("m" + i));
      json.append(
          "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"j%d\"}}"
              .formatted(i));
    }
    Map<String, String> both = Map.of("a.yaml", maps.toString(), "b.json", json.toString());
    assertThat(ManifestReader.read(both).manifests()).hasSize(18);
    assertThat(ManifestReader.read(both, 4, Long.MAX_VALUE).manifests()).hasSize(5);
    assertThat(ManifestReader.read(both, 12, Long.MAX_VALUE).manifests()).hasSize(13);
    assertThat(ManifestReader.read(both, 18, Long.MAX_VALUE).manifests()).hasSize(18);
    int length = ManifestReader.read(both, 0, 0).manifests().getFirst().body().length;
    assertThat(ManifestReader.read(both, 18, 3L * length).manifests()).hasSize(4);
    Reading bad = ManifestReader.read(Map.of("a.yaml", "---\n[\n".repeat(9)), 4, 1);
    assertThat(bad.problems()).hasSize(5);
  }

  @Test
  void deepNestingIsRefused() throws Exception {
    assertThat(problem("a: " + "[".repeat(600) + "]".repeat(600))).contains("nested more than 500");
  }

  @Test
  void linksOutOfTheFolderAreRefusedAndOthersFollowed() throws Exception {
    Path inside = Files.createDirectories(folder.resolve("set/..data"));
    Files.writeString(inside.resolve("a.yaml"), MAP.formatted("a"));
    Files.createSymbolicLink(folder.resolve("set/a.yaml"), inside.resolve("a.yaml"));
    write("secret.yaml", MAP.formatted("b"));
    Files.createSymbolicLink(folder.resolve("set/b.yaml"), folder.resolve("secret.yaml"));
    Reading reading =
        ManifestReader.read(List.of(folder.resolve("set")), InputStream.nullInputStream());
    assertThat(reading.manifests()).extracting(one -> one.key().name()).containsExactly("a");
    assertThat(reading.problems()).singleElement().asString().contains("leads out of the folder");
  }

  @Test
  void stringDataOfASecretIsData() throws Exception {
    write("s.yaml", "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\nstringData: {k: v}\n");
    byte[] body = read().manifests().getFirst().body();
    assertThat(new String(body, StandardCharsets.UTF_8))
        .contains("\"data\":{\"k\":\"dg==\"}")
        .doesNotContain("stringData");
  }

  /** A server quotes what is no string in its refusal. */
  @Test
  void valuesOfASecretThatAreNoStringsAreNamedButNotShown() throws Exception {
    write("d.yaml", "apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ndata: {pin: 123456}\n");
    write("m.yaml", "apiVersion: v1\nkind: Secret\nmetadata: {name: m}\ndata: hunter2\n");
    write(
        "s.yaml", "apiVersion: v1\nkind: Secret\nmetadata: {name: t}\nstringData: {pin: 123456}\n");
    assertThat(read().manifests()).isEmpty();
    assertThat(read().problems().toString())
        .contains("data.pin: must be a string; write it in base64", "data: must be a map")
        .contains("stringData.pin: must be a string; put it in quotes")
        .doesNotContain("123456")
        .doesNotContain("hunter2");
  }

  @Test
  void listsAreTakenApartWithTheLinesOfTheirItems() throws Exception {
    write(
        "l.yaml",
        "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata: {name: p}\n");
    Manifest one = read().manifests().getFirst();
    assertThat(one.gvk().kind()).isEqualTo("Pod");
    assertThat(one.source().line()).isEqualTo(4);
  }

  private String problem(String text) throws Exception {
    write("x.yaml", text);
    List<Problem> problems = read().problems();
    assertThat(problems).hasSize(1);
    return problems.getFirst().message();
  }

  private void write(String name, String text) throws Exception {
    Files.writeString(folder.resolve(name), text);
  }

  private Reading read() {
    return ManifestReader.read(List.of(folder), InputStream.nullInputStream());
  }
}
