// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import java.io.IOException;
import java.io.InputStream;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;

/**
 * A machine for a store's process whose disk may hang and whose calendar may be set, without rights
 * that a test does not have: {@link MachineAgent} stands in for both. One thread.
 */
final class FakeMachine {
  private final Path folder;
  private final Path jar;

  /**
   * @param folder that is not there yet
   */
  FakeMachine(Path folder) throws IOException {
    this.folder = Files.createDirectories(folder);
    this.jar = folder.resolve("agent.jar");
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    manifest
        .getMainAttributes()
        .put(new Attributes.Name("Premain-Class"), MachineAgent.class.getName());
    String name = MachineAgent.class.getName().replace('.', '/') + ".class";
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest);
        InputStream code = MachineAgent.class.getClassLoader().getResourceAsStream(name)) {
      out.putNextEntry(new JarEntry(name));
      code.transferTo(out);
      out.closeEntry();
    }
  }

  /** The flag of Java with which a store runs on it. */
  String javaFlag() {
    return "-javaagent:%s=%s".formatted(jar, folder);
  }

  /** Sets the calendar so much ahead of the real one; less than zero is behind. */
  void calendarAhead(Duration ahead) throws IOException {
    Path next = Files.writeString(folder.resolve("calendar.next"), "" + ahead.toMillis());
    Files.move(next, folder.resolve(MachineAgent.CALENDAR), StandardCopyOption.ATOMIC_MOVE);
  }

  /** From now on no write to the disk and no force returns, until the result is closed. */
  Hang hangDisk() throws Exception {
    Path fifo = folder.resolve(MachineAgent.DISK);
    ServerProcess.run(List.of("mkfifo", fifo.toString()));
    return new Hang(fifo, new RandomAccessFile(fifo.toFile(), "rw"));
  }

  /** A disk that does not answer. */
  record Hang(Path fifo, RandomAccessFile writer) implements AutoCloseable {
    @Override
    public void close() throws IOException {
      Files.delete(fifo); // first, so that nobody comes after those who wait now
      writer.close();
    }
  }
}
