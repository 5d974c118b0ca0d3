// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is read again and again is kept once, in little memory, and is never out of date. */
class KnownFilesTest {
  private static final String MAP =
      "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s}\ndata: {a: b}\n";

  @TempDir private Path folder;
  private final KnownFiles known = new KnownFiles();

  private void write(String name, String text) throws Exception {
    Files.writeString(folder.resolve(name), text);
  }

  private Reading read() {
    return ManifestReader.read(List.of(folder), InputStream.nullInputStream(), Map.of(), known);
  }

  private static String text(Manifest manifest) {
    return new String(manifest.body(), StandardCharsets.UTF_8);
  }

  @Test
  void whatDidNotChangeIsKeptOnce() throws Exception {
    write("m.yaml", MAP.formatted("a") + "---\n" + MAP.formatted("b"));
    Reading first = read();
    write("m.yaml", "# new\n" + MAP.formatted("a") + "---\n" + MAP.formatted("b, labels: {x: z}"));
    Reading second = read();
    Manifest same = second.manifests().getFirst();
    assertThat(same.body()).isSameAs(first.manifests().getFirst().body());
    assertThat(same.source().line()).isEqualTo(2);
    Manifest changed = second.manifests().getLast();
    assertThat(changed.hash()).isNotEqualTo(first.manifests().getLast().hash());
    assertThat(text(changed)).contains("\"x\":\"z\"");
    assertThat(first.manifests().getLast().gvk()).isSameAs(first.manifests().getFirst().gvk());
  }

  @Test
  void aFileWithTheSameBytesIsNotParsedAgain() throws Exception {
    write("a.yaml", MAP.formatted("a"));
    write("b.yaml", MAP.formatted("b"));
    Reading first = read();
    write("b.yaml", MAP.formatted("b").replace("a: b", "a: c"));
    Reading second = read();
    assertThat(second.manifests().getFirst()).isSameAs(first.manifests().getFirst());
    assertThat(text(second.manifests().getLast())).contains("\"a\":\"c\"");
    assertThat(second.files()).isEqualTo(2);
    assertThat(second.bytes()).isEqualTo(first.bytes());
    Files.delete(folder.resolve("a.yaml"));
    assertThat(read().manifests()).singleElement().isSameAs(second.manifests().getLast());
    write("b.yaml", MAP.formatted("b"));
    assertThat(text(read().manifests().getFirst())).contains("\"a\":\"b\"");
  }

  @Test
  void anObjectThatComesTwiceIsFoundBesideUnchangedFiles() throws Exception {
    write("b.yaml", MAP.formatted("x"));
    assertThat(read().isWhole()).isTrue();
    write("a.yaml", MAP.formatted("x"));
    for (int reading = 0; reading < 3; reading++) {
      Reading twice = read();
      assertThat(twice.manifests()).hasSize(1);
      assertThat(twice.problems())
          .singleElement()
          .asString()
          .contains("b.yaml:1", "a.yaml:1 already");
    }
    Files.delete(folder.resolve("a.yaml"));
    Reading once = read();
    assertThat(once.isWhole()).isTrue();
    assertThat(once.manifests()).singleElement().asString().contains("b.yaml:1");
  }

  @Test
  void problemsAreToldByEachReading() throws Exception {
    write("a.yaml", MAP.formatted("a") + "---\nkind: [\n");
    assertThat(read().problems()).hasSize(1);
    assertThat(read().problems()).hasSize(1);
    assertThat(read().manifests()).hasSize(1);
  }

  /** Aliases of all files count together, also of files that did not change. */
  @Test
  void aliasesOfUnchangedFilesCountToo() throws Exception {
    StringBuilder aliases = new StringBuilder(MAP);
    aliases.append("binaryData: {a: &a ").append("x".repeat(10_000));
    for (int at = 0; at < 200; at++) {
      aliases.append(", b").append(at).append(": *a");
    }
    aliases.append("}\n");
    write("a.yaml", aliases.toString().formatted("a"));
    assertThat(read().isWhole()).isTrue();
    write("b.yaml", aliases.toString().formatted("b"));
    assertThat(read().problems().toString()).contains("b.yaml", "aliases repeat more than");
    assertThat(read().problems().toString()).contains("b.yaml", "aliases repeat more than");
  }

  @Test
  void manyBodiesArePackedAndTheSameWhenUnpacked() throws Exception {
    StringBuilder all = new StringBuilder();
    for (int at = 0; at < 3_000; at++) {
      all.append("---\n").append(MAP.formatted("o" + at));
      all.append("binaryData: {k: \"").append("words of a file ".repeat(at % 60)).append("\"}\n");
    }
    write("all.yaml", all.toString());
    List<Manifest> manifests = read().manifests();
    assertThat(manifests).hasSize(3_000);
    long bodies = 0;
    long stored = 0;
    for (Manifest one : manifests) {
      byte[] body = one.body();
      assertThat(body).hasSize(one.bodyBytes());
      assertThat(Hashes.of(body)).isEqualTo(one.hash());
      bodies += body.length;
      stored += one.storedBytes();
    }
    assertThat(stored - Packer.PLAIN).isPositive().isLessThan((bodies - Packer.PLAIN) / 2);
    Manifest last = manifests.getLast();
    assertThat(last.storedBytes()).isLessThan(last.bodyBytes());
    Manifest moved = last.as(last.key().in("shop"));
    assertThat(moved.key().namespace()).isEqualTo("shop");
    assertThat(text(moved)).isEqualTo(text(last));
    assertThat(last.as(last.key())).isSameAs(last);
  }

  /** A source that changes a little each time must not be kept plain in the end. */
  @Test
  void whatChangesLaterIsPackedToo() throws Exception {
    StringBuilder all = new StringBuilder();
    for (int at = 0; at < 3_000; at++) {
      all.append("---\n").append(MAP.formatted("o" + at));
      all.append("binaryData: {k: \"").append("words of a file ".repeat(60)).append("\"}\n");
    }
    write("all.yaml", all.toString());
    read();
    write("z.yaml", MAP.formatted("z") + "binaryData: {k: \"" + "more words ".repeat(90) + "\"}\n");
    Manifest changed = read().manifests().getLast();
    assertThat(changed.key().name()).isEqualTo("z");
    assertThat(changed.storedBytes()).isLessThan(changed.bodyBytes());
  }
}
