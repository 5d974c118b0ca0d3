// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.tree;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuildTest {
  private static final String NAME = BuildTest.class.getName().replace('.', '/') + "$Code.class";

  @TempDir private Path folder;

  /** What is put into jars. */
  static final class Code {}

  private static byte[] code() throws IOException {
    try (var in = BuildTest.class.getClassLoader().getResourceAsStream(NAME)) {
      return in.readAllBytes();
    }
  }

  private long jar(String name, long timeMs, String more) throws Exception {
    Path jar = folder.resolve(name);
    try (OutputStream out = Files.newOutputStream(jar);
        ZipOutputStream zip = new ZipOutputStream(out)) {
      put(zip, NAME, timeMs, code());
      put(zip, "more.class", timeMs, more.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
      put(zip, "META-INF/built", timeMs, name.getBytes(java.nio.charset.StandardCharsets.US_ASCII));
    }
    try (URLClassLoader loader = new URLClassLoader(new URL[] {jar.toUri().toURL()}, null)) {
      long build = Build.of(loader.loadClass(Code.class.getName()));
      try (URLClassLoader other = new WithoutSource(jar.toUri().toURL())) {
        assertThat(Build.of(other.loadClass(Code.class.getName()))).isEqualTo(build);
      }
      return build;
    }
  }

  /** As with classes out of an AOT cache, nobody says where they came from. */
  private static final class WithoutSource extends URLClassLoader {
    WithoutSource(URL jar) {
      super(new URL[] {jar}, null);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
      try (var in = getResourceAsStream(name.replace('.', '/') + ".class")) {
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }

  private static void put(ZipOutputStream zip, String name, long timeMs, byte[] bytes)
      throws IOException {
    ZipEntry entry = new ZipEntry(name);
    entry.setTime(timeMs);
    zip.putNextEntry(entry);
    zip.write(bytes);
    zip.closeEntry();
  }

  @Test
  void theSameCodeIsTheSameBuildWheneverAndWhereverItWasMade() throws Exception {
    long first = jar("a b.jar", 1_000_000_000_000L, "x");
    assertThat(jar("c.jar", 1_500_000_000_000L, "x")).isEqualTo(first);
    assertThat(jar("d.jar", 1_000_000_000_000L, "y")).isNotEqualTo(first);
    assertThat(Build.of(Build.class)).isEqualTo(Build.of(TreeCodec.class));
  }
}
