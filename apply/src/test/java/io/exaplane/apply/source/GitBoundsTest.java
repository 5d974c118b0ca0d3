// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.source;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.lib.ObjectInserter;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.transport.PacketLineOut;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Git servers that want more memory, disk or time than they get. */
class GitBoundsTest {
  private static final byte[] TLS_RECORD = {0x16, 3, 3, 0x40, 0, 2, 0, 0x3f, (byte) 0xfc, 3, 3};

  @TempDir private Path folder;

  @Test
  void aPackThatClaimsManyObjectsIsRefusedByItsHeader() throws Exception {
    CountDownLatch begun = new CountDownLatch(2);
    try (Repository store = new GitStore(folder.toFile(), 1 << 20, begun::countDown)) {
      store.create(true);
      try (ObjectInserter inserter = store.newObjectInserter()) {
        for (int count : new int[] {GitStore.MOST_OBJECTS + 1, 0x7ffffff0, -1}) {
          assertThatThrownBy(() -> inserter.newPackParser(header(count)))
              .isInstanceOf(GitStore.TooMany.class);
        }
        assertThat(inserter.newPackParser(header(GitStore.MOST_OBJECTS))).isNotNull();
      }
    }
    assertThat(begun.getCount()).isZero();
  }

  private static ByteArrayInputStream header(int count) {
    byte[] header =
        ByteBuffer.allocate(12)
            .put("PACK".getBytes(StandardCharsets.US_ASCII))
            .putInt(2)
            .putInt(count)
            .array();
    return new ByteArrayInputStream(header);
  }

  @Test
  void noAnswerIsUnpackedOutsideOfTheBudget() throws Exception {
    try (Git git = Git.init().setDirectory(folder.toFile()).setInitialBranch("main").call();
        TestGitServer server = new TestGitServer(git.getRepository())) {
      Files.writeString(folder.resolve("a.yaml"), "a: b");
      git.add().addFilepattern(".").call();
      git.commit().setMessage("a").setAuthor("t", "t@example.com").setSign(false).call();
      assertThat(fetch(server.url(), Limits.DEFAULTS)).isInstanceOf(Fetched.class);
      assertThat(server.codings).isNotEmpty().containsOnly("identity");
      server.isCoded = true;
      assertThat(message(fetch(server.url(), Limits.DEFAULTS)))
          .contains("url: '" + server.url(), "Content-Encoding", "another server");
      server.isCoded = false;
      server.namesType = "text/plain";
      assertThat(message(fetch(server.url(), Limits.DEFAULTS))).contains("smart protocol");
    }
  }

  @Test
  void aListOfNamesHasABudgetOfItsOwn() throws Exception {
    try (Git git = Git.init().setDirectory(folder.toFile()).call();
        TestGitServer server = new TestGitServer(git.getRepository())) {
      server.names = names(9 << 20);
      assertThat(message(fetch(server.url(), Limits.DEFAULTS)))
          .contains("lists more than 8388608 bytes of names", "fewer names");
      server.names = names(1 << 20);
      assertThat(message(fetch(server.url(), Limits.DEFAULTS))).contains("no branch and no tag");
    }
  }

  /** An advertisement of Git's first protocol. */
  private static byte[] names(int bytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    PacketLineOut lines = new PacketLineOut(out);
    lines.setFlushOnEnd(false);
    lines.writeString("# service=git-upload-pack\n");
    lines.end();
    String id = "1234567890".repeat(4);
    lines.writeString(id + " refs/heads/x\0shallow\n");
    String name = id + " refs/heads/" + "x".repeat(900) + "%07d\n";
    for (int i = 0; out.size() < bytes; i++) {
      lines.writeString(name.formatted(i));
    }
    lines.end();
    return out.toByteArray();
  }

  @Test
  void aServerThatSendsBitByBitIsLeftAtTheDeadline() throws Exception {
    byte[] head = "HTTP/1.1 200 OK\r\nX: ".getBytes(StandardCharsets.US_ASCII);
    assertLate("http", head);
    assertLate("https", TLS_RECORD);
  }

  private static void assertLate(String scheme, byte[] begin) throws Exception {
    Limits second = new Limits(1 << 20, 1 << 20, 1 << 20, 9, 9, Duration.ofSeconds(1));
    try (ExecutorService fetcher = Executors.newSingleThreadExecutor();
        DrippingServer server = new DrippingServer(begin)) {
      Future<Fetch> fetch = fetcher.submit(() -> fetch(server.url(scheme), second));
      Fetch ended = fetch.get(60, TimeUnit.SECONDS);
      assertThat(message(ended)).contains("was not fetched within 1 s");
      assertThat(((SourceProblem) ended).passing()).isTrue();
    }
  }

  @Test
  void anInterruptEndsAFetchThatWaitsForAServer() throws Exception {
    for (String scheme : new String[] {"http", "https"}) {
      byte[] begin =
          scheme.equals("https")
              ? TLS_RECORD
              : "HTTP/1.1 200 OK\r\nX: ".getBytes(StandardCharsets.US_ASCII);
      try (ExecutorService fetcher = Executors.newSingleThreadExecutor();
          DrippingServer server = new DrippingServer(begin)) {
        Future<Fetch> fetch = fetcher.submit(() -> fetch(server.url(scheme), Limits.DEFAULTS));
        assertThat(server.dripped.await(60, TimeUnit.SECONDS)).isTrue();
        // Interrupts the thread, and leaves the end of the fetch to be seen.
        fetcher.shutdownNow();
        assertThatThrownBy(() -> fetch.get(60, TimeUnit.SECONDS))
            .isInstanceOf(ExecutionException.class)
            .hasCauseInstanceOf(InterruptedException.class);
      }
    }
  }

  private static Fetch fetch(String url, Limits limits) throws InterruptedException {
    return GitSource.of(new GitSpec(url, "main", "", Login.NONE, "", limits)).fetch("");
  }

  private static String message(Fetch fetch) {
    assertThat(fetch).isInstanceOf(SourceProblem.class);
    return ((SourceProblem) fetch).message();
  }
}
