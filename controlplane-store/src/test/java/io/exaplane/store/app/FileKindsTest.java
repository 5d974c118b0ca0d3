// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.io.TempDirFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Something else than a file at each name that a store uses: it says so, and never waits for it.
 */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class FileKindsTest {
  /** Kinds of files, and how they are told. */
  enum Kind {
    FOLDER("a folder"),
    FULL_FOLDER("a folder"),
    PIPE("a named pipe (FIFO)"),
    SOCKET("a socket"),
    DEVICE("a character device"),
    LINK_TO_FOLDER("a folder"),
    DEAD_LINK("a symbolic link to nothing"),
    CIRCLE("a symbolic link to nothing");

    final String words;

    Kind(String words) {
      this.words = words;
    }

    void make(Path path) throws Exception {
      switch (this) {
        case FOLDER -> Files.createDirectory(path);
        case FULL_FOLDER -> Files.createFile(Files.createDirectory(path).resolve("some"));
        case PIPE ->
            assertThat(new ProcessBuilder("mkfifo", path.toString()).start().waitFor()).isZero();
        case SOCKET -> socket(path);
        case DEVICE -> Files.createSymbolicLink(path, Path.of("/dev/null"));
        case LINK_TO_FOLDER -> Files.createSymbolicLink(path, Path.of("/"));
        case DEAD_LINK -> Files.createSymbolicLink(path, Path.of("/nothing/there"));
        case CIRCLE -> Files.createSymbolicLink(path, path.getFileName());
      }
    }

    private static void socket(Path path) throws IOException {
      try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
        server.bind(UnixDomainSocketAddress.of(path));
      }
    }
  }

  /** Folders in which a socket's name is short enough: the system takes 108 bytes. */
  static final class ShortNames implements TempDirFactory {
    @Override
    public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext extension)
        throws IOException {
      return Files.createTempDirectory("s");
    }
  }

  /** Names of files that a start opens. */
  private static final List<String> OPENED =
      List.of(
          "lock",
          "member",
          "revision-reserved",
          "log-acknowledged",
          "wal-00000000000000000000-2",
          "wal-00000000000000000000",
          "snapshot-00000000000000000001");

  /** Names of files that are left of what was not written to its end. */
  private static final List<String> LEFT =
      List.of("wal.partial", "snapshot.partial", "log-acknowledged.partial");

  @TempDir(factory = ShortNames.class)
  Path parent;

  private String told;

  private int run(Path folder, String... flags) {
    StringWriter err = new StringWriter();
    int code =
        Main.commandLine()
            .setErr(new PrintWriter(err))
            .execute(
                Stream.concat(
                        Stream.of(
                            "--data-dir=" + folder, "--listen-client-urls=http://localhost:0"),
                        Arrays.stream(flags))
                    .toArray(String[]::new));
    told = err.toString();
    return code;
  }

  static Stream<Arguments> opened() {
    return OPENED.stream()
        .flatMap(name -> Arrays.stream(Kind.values()).map(kind -> Arguments.of(name, kind)));
  }

  @ParameterizedTest
  @MethodSource("opened")
  void whatIsNoFileIsNamed(String name, Kind kind) throws Exception {
    Path folder = Files.createDirectory(parent.resolve("s"));
    kind.make(folder.resolve(name));
    assertThat(run(folder)).isEqualTo(NotStarted.UNUSABLE);
    assertOneLine("The store does not start", folder.resolve(name), kind, "a file");
    assertThat(run(folder, "--repair")).isEqualTo(NotStarted.UNUSABLE);
    assertOneLine("The data folder can't be repaired", folder.resolve(name), kind, "a file");
  }

  private void assertOneLine(String start, Path path, Kind kind, String wanted) {
    assertThat(told.lines())
        .singleElement()
        .asString()
        .startsWith(start)
        .contains("%s is %s".formatted(path, kind.words))
        .contains("must be " + wanted)
        .contains("move it away");
  }

  @ParameterizedTest
  @EnumSource(names = {"FOLDER", "FULL_FOLDER"})
  void aFolderIsNotDeletedForAFile(Kind kind) throws Exception {
    for (String name : LEFT) {
      Path folder = Files.createDirectory(parent.resolve("s" + name));
      kind.make(folder.resolve(name));
      assertThat(run(folder)).isEqualTo(NotStarted.UNUSABLE);
      assertOneLine("The store does not start", folder.resolve(name), kind, "a file");
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"FOLDER", "FULL_FOLDER", "LINK_TO_FOLDER"},
      mode = EnumSource.Mode.EXCLUDE)
  void theDataFolderIsAFolder(Kind kind) throws Exception {
    Path folder = parent.resolve("s");
    kind.make(folder);
    for (Path below : List.of(folder, folder.resolve("below/it"))) {
      assertThat(run(below)).isEqualTo(NotStarted.UNUSABLE);
      assertOneLine("The store does not start", folder, kind, "a folder");
    }
  }
}
