// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.eclipse.jgit.api.Git;
import org.eclipse.jgit.api.ResetCommand.ResetType;
import org.eclipse.jgit.dircache.DirCache;
import org.eclipse.jgit.dircache.DirCacheEditor;
import org.eclipse.jgit.dircache.DirCacheEntry;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.revwalk.RevCommit;
import org.eclipse.jgit.util.SystemReader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A repository by Git's own protocol: what is taken, and what is refused with which words. */
class GitSourceTest {
  private static final String MAP = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: %s}\n";

  @TempDir private Path folder;
  private Git git;
  private TestGitServer server;

  @BeforeEach
  void start() throws Exception {
    GitIsolation.require();
    git = Git.init().setDirectory(folder.toFile()).setInitialBranch("main").call();
    server = new TestGitServer(git.getRepository());
  }

  @AfterEach
  void end() {
    server.close();
    git.close();
  }

  @Test
  void aFolderOfABranchIsFetchedWithoutHistoryAndOncePerCommit() throws Exception {
    commit("deploy/old.yaml", MAP.formatted("old"));
    Files.delete(folder.resolve("deploy/old.yaml"));
    git.rm().addFilepattern("deploy/old.yaml").call();
    write("other/b.yaml", MAP.formatted("b"));
    RevCommit head = commit("deploy/a.yaml", MAP.formatted("a"));
    String revision = "main@sha1:" + head.getName();
    assertThat(fetch("main", "deploy", ""))
        .isEqualTo(new Fetched(revision, Map.of("deploy/a.yaml", MAP.formatted("a"))));
    assertThat(fetch("", "", ""))
        .isEqualTo(
            new Fetched(
                "HEAD@sha1:" + head.getName(),
                Map.of("deploy/a.yaml", MAP.formatted("a"), "other/b.yaml", MAP.formatted("b"))));
    server.requests.clear();
    assertThat(fetch("main", "deploy", revision)).isEqualTo(new Unchanged(revision));
    assertThat(server.requests.size()).as("%s", server.requests).isLessThanOrEqualTo(2);
    RevCommit next = commit("deploy/a.yaml", MAP.formatted("c"));
    assertThat(((Fetched) fetch("main", "deploy", revision)).revision())
        .isEqualTo("main@sha1:" + next.getName());
    try (Stream<Path> left = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      assertThat(left.filter(one -> one.getFileName().toString().startsWith("exaplane-git-")))
          .as("temporary folders")
          .isEmpty();
    }
  }

  @Test
  void tagsAndCommitsAreNamed() throws Exception {
    RevCommit first = commit("a.yaml", MAP.formatted("a"));
    git.tag().setName("v1").setMessage("v1").setAnnotated(true).call();
    commit("a.yaml", MAP.formatted("b"));
    assertThat(((Fetched) fetch("v1", "", "")).revision()).isEqualTo("v1@sha1:" + first.getName());
    assertThat(fetch("v1", "", "v1@sha1:" + first.getName())).isInstanceOf(Unchanged.class);
    git.getRepository().getConfig().setBoolean("uploadpack", null, "allowAnySHA1InWant", true);
    assertThat(((Fetched) fetch(first.getName(), "", "")).files())
        .containsEntry("a.yaml", MAP.formatted("a"));
    git.branchCreate().setName("v1").call();
    assertThat(message(fetch("v1", "", ""))).contains("both a branch and a tag", "refs/tags/v1");
    assertThat(fetch("refs/tags/v1", "", "")).isInstanceOf(Fetched.class);
    assertThat(message(fetch("gone", "", ""))).contains("ref: 'gone'", "no branch and no tag");
  }

  @Test
  void aBranchThatMovesBackIsFetchedAndOneThatIsGoneIsNamed() throws Exception {
    assertThat(message(fetch("", "", ""))).contains("has no default branch, or no commit on it");
    RevCommit first = commit("a.yaml", MAP.formatted("a"));
    RevCommit second = commit("a.yaml", MAP.formatted("b"));
    String revision = ((Fetched) fetch("", "", "")).revision();
    assertThat(revision).isEqualTo("HEAD@sha1:" + second.getName());
    git.reset().setMode(ResetType.HARD).setRef(first.getName()).call();
    assertThat(fetch("", "", revision))
        .as("somebody forced the branch to an earlier commit")
        .isEqualTo(
            new Fetched("HEAD@sha1:" + first.getName(), Map.of("a.yaml", MAP.formatted("a"))));
    git.branchRename().setOldName("main").setNewName("trunk").call();
    assertThat(((Fetched) fetch("", "", "")).revision()).isEqualTo("HEAD@sha1:" + first.getName());
    assertThat(message(fetch("main", "", ""))).contains("ref: 'main'", "no branch and no tag");
  }

  @Test
  void aSubmoduleIsRefusedSinceItsObjectsWouldBeMissing() throws Exception {
    RevCommit head = commit("deploy/a.yaml", MAP.formatted("a"));
    DirCache index = git.getRepository().lockDirCache();
    DirCacheEditor editor = index.editor();
    editor.add(
        new DirCacheEditor.PathEdit("deploy/more") {
          @Override
          public void apply(DirCacheEntry entry) {
            entry.setFileMode(FileMode.GITLINK);
            entry.setObjectId(head);
          }
        });
    assertThat(editor.commit()).isTrue();
    commit("b.yaml", MAP.formatted("b"));
    assertThat(message(fetch("main", "deploy", "")))
        .contains("'deploy/more' is a link or a submodule");
    assertThat(fetch("main", "b.yaml", "")).isInstanceOf(Fetched.class);
  }

  @Test
  void aTokenIsSentOnlyToItsHost() throws Exception {
    commit("a.yaml", MAP.formatted("a"));
    server.login = "git:secret-token";
    assertThat(message(fetch("main", "", ""))).contains("not open to callers without a login");
    assertThat(fetch(server.url(), "main", "", "secret-token", Limits.DEFAULTS))
        .isInstanceOf(Fetched.class);
    SourceProblem wrong =
        (SourceProblem) fetch(server.url(), "main", "", "other-token", Limits.DEFAULTS);
    assertThat(wrong.message()).contains("this login").doesNotContain("other-token");
    assertThat(message(fetch("https://me:secret@host/x", "main", "", "", Limits.DEFAULTS)))
        .contains("without a login")
        .doesNotContain("secret");
    assertThat(message(fetch("file:///etc", "main", "", "", Limits.DEFAULTS)))
        .contains("url:", "https://");
  }

  @ParameterizedTest
  @CsvSource({
    "401, not open to this login, false",
    "403, not open to this login, false",
    "404, is no Git repository, false",
    "429, cannot be fetched, true",
    "503, cannot be fetched, true",
  })
  void theStatusOfAnAnswerSaysWhetherTheLoginIsRefused(int status, String rule, boolean isPassing)
      throws Exception {
    server.status = status;
    // The address has words that JGit uses for refused logins.
    String url = server.url() + "/403/not-authorized/authentication";
    SourceProblem problem = (SourceProblem) fetch(url, "main", "", "secret-token", Limits.DEFAULTS);
    assertThat(problem.message()).contains(url, rule).doesNotContain("secret-token");
    assertThat(problem.passing()).isEqualTo(isPassing);
    server.close();
    SourceProblem gone = (SourceProblem) fetch(url, "main", "", "secret-token", Limits.DEFAULTS);
    assertThat(gone.message()).contains("cannot be fetched");
    assertThat(gone.passing()).isTrue();
  }

  @Test
  void settingsOfTheMachineAreNotRead() throws Exception {
    assertThat(SystemReader.getInstance()).isInstanceOf(GitIsolation.class);
    assertThat(SystemReader.getInstance().getUserConfig().getSections())
        .as("besides what JGit measured itself")
        .isSubsetOf("filesystem");
    assertThat(SystemReader.getInstance().getenv("HOME")).isNull();
  }

  @Test
  void linksBombsAndLargeRepositoriesAreRefused() throws Exception {
    commit("a.yaml", MAP.formatted("a"));
    Limits few = new Limits(1 << 20, 1 << 20, 1 << 12, 3, 3, Duration.ofSeconds(20));
    commit("large.yaml", "x".repeat(1 << 13));
    assertThat(message(fetch(server.url(), "main", "", "", few))).contains("large.yaml", "4096");
    git.rm().addFilepattern("large.yaml").call();
    commit("x/x/x/x/x/a.yaml", "x");
    assertThat(message(fetch(server.url(), "main", "", "", few))).contains("folders in each other");
    git.rm().addFilepattern("x").call();
    byte[] noise = new byte[1 << 16];
    new java.util.Random(1).nextBytes(noise);
    Files.write(folder.resolve("noise.bin"), noise);
    commit("a.yaml", MAP.formatted("b"));
    Limits narrow = new Limits(1 << 13, 1 << 20, 1 << 20, 10, 9, Duration.ofSeconds(20));
    assertThat(message(fetch(server.url(), "main", "", "", narrow)))
        .contains("more than 8192 bytes");
    Files.writeString(folder.resolve("zeros.bin"), "0".repeat(1 << 17));
    commit("a.yaml", MAP.formatted("d"));
    Limits flat = new Limits(1 << 20, 1 << 16, 1 << 16, 10, 9, Duration.ofSeconds(20));
    assertThat(message(fetch(server.url(), "main", "", "", flat)))
        .contains("a file above 65536 bytes");
    Files.createSymbolicLink(folder.resolve("README.md"), Path.of("noise.bin"));
    commit("a.yaml", MAP.formatted("e"));
    assertThat(fetch("main", "", "")).isInstanceOf(Fetched.class);
    for (String link : List.of("v1.2", "prod.eu", "conf")) {
      Files.createSymbolicLink(folder.resolve(link), Path.of("deploy"));
      commit("a.yaml", MAP.formatted(link));
      assertThat(message(fetch("main", "", "")))
          .as("manifests may stand behind the link, and would be pruned")
          .contains(link, "is a link");
      git.rm().addFilepattern(link).call();
    }
    Files.createSymbolicLink(folder.resolve("b.yaml"), Path.of("/etc/passwd"));
    commit("a.yaml", MAP.formatted("c"));
    assertThat(message(fetch("main", "", ""))).contains("b.yaml", "is a link");
  }

  @Test
  void overlaysMayUseFoldersBesideThem() throws Exception {
    write("base/kustomization.yaml", "resources: [a.yaml]\n");
    write("base/a.yaml", MAP.formatted("a"));
    commit("prod/kustomization.yaml", "resources: [../base]\nnameSuffix: -prod\n");
    assertThat(((Fetched) fetch("main", "prod", "")).files().get("base/a.yaml"))
        .contains("\"a-prod\"");
  }

  @Test
  void whatIsNoRepositoryIsNamed() throws Exception {
    commit("a.yaml", MAP.formatted("a"));
    Fetch fetch = fetch(server.url().replace("shop.git", "x"), "main", "", "", Limits.DEFAULTS);
    assertThat(message(fetch)).contains("url:", "/x");
    server.close();
    assertThat(((SourceProblem) fetch("main", "", "")).passing()).isTrue();
  }

  private void write(String path, String text) throws Exception {
    Path file = folder.resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
  }

  private RevCommit commit(String path, String text) throws Exception {
    write(path, text);
    git.add().addFilepattern(".").call();
    return git.commit()
        .setMessage("a change")
        .setAuthor("t", "t@example.com")
        .setCommitter("t", "t@example.com")
        .setSign(false)
        .call();
  }

  private Fetch fetch(String ref, String path, String previous) throws Exception {
    return GitSource.of(new GitSpec(server.url(), ref, path, Login.NONE, "", Limits.DEFAULTS))
        .fetch(previous);
  }

  private static Fetch fetch(String url, String ref, String path, String token, Limits limits)
      throws Exception {
    return GitSource.of(new GitSpec(url, ref, path, new Login("", token), "", limits)).fetch("");
  }

  private static String message(Fetch fetch) {
    assertThat(fetch).isInstanceOf(SourceProblem.class);
    return ((SourceProblem) fetch).message();
  }
}
