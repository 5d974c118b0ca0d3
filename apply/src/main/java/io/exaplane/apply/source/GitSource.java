// SPDX-License-Identifier: Apache-2.0
package io.exaplane.apply.source;

import io.exaplane.apply.overlay.Overlay;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.net.ssl.TrustManager;
import org.eclipse.jgit.errors.NoRemoteRepositoryException;
import org.eclipse.jgit.errors.TooLargeObjectInPackException;
import org.eclipse.jgit.errors.UnsupportedCredentialItem;
import org.eclipse.jgit.lib.Constants;
import org.eclipse.jgit.lib.FileMode;
import org.eclipse.jgit.lib.ObjectId;
import org.eclipse.jgit.lib.ObjectLoader;
import org.eclipse.jgit.lib.Ref;
import org.eclipse.jgit.lib.Repository;
import org.eclipse.jgit.revwalk.RevTree;
import org.eclipse.jgit.revwalk.RevWalk;
import org.eclipse.jgit.transport.CredentialItem;
import org.eclipse.jgit.transport.FetchConnection;
import org.eclipse.jgit.transport.RefSpec;
import org.eclipse.jgit.transport.TagOpt;
import org.eclipse.jgit.transport.Transport;
import org.eclipse.jgit.transport.TransportHttp;
import org.eclipse.jgit.transport.URIish;
import org.eclipse.jgit.transport.UsernamePasswordCredentialsProvider;
import org.eclipse.jgit.treewalk.TreeWalk;
import org.eclipse.jgit.treewalk.filter.PathFilter;

/**
 * A commit of a Git repository, fetched without history by HTTP. The names are asked for each time;
 * objects are fetched into a temporary folder, and only when the commit changed. No file is checked
 * out, no hook and no filter runs, and links and submodules are not followed. Immutable.
 */
public final class GitSource implements Source {
  private static final String FETCHED = "refs/exaplane/fetched";
  private static final Pattern REF = Pattern.compile("[A-Za-z0-9_][-A-Za-z0-9_./+@]{0,254}");
  private static final long MOST_OBJECT_BYTES = 64L << 20;

  private final GitSpec spec;

  private GitSource(GitSpec spec) {
    this.spec = spec;
  }

  /**
   * Of an address.
   *
   * @param spec where the repository is; what is wrong with that is said by {@link #fetch}
   * @return the source
   */
  public static GitSource of(GitSpec spec) {
    return new GitSource(spec);
  }

  @Override
  public Fetch fetch(String previousRevision) throws InterruptedException {
    GitIsolation.require();
    Path folder = null;
    try {
      URIish url = url();
      if (!spec.ref().isEmpty() && !REF.matcher(spec.ref()).matches()) {
        throw Refused.lasting(
            "ref", spec.ref(), "is no name of a branch or tag", "write a name such as main");
      }
      String path = Tree.path("path", spec.path());
      TrustManager[] authorities =
          spec.authorities().isEmpty() ? null : Trust.managers(spec.authorities());
      folder = Files.createTempDirectory("exaplane-git-");
      try (GitConnections connections = new GitConnections(spec.limits(), authorities);
          Repository local =
              new GitStore(folder.toFile(), mostObjectBytes(), connections::packBegins)) {
        local.create(true);
        return explained(local, url, path, connections, previousRevision);
      }
    } catch (Refused e) {
      return e.problem();
    } catch (IOException e) {
      if (Thread.interrupted()) {
        throw new InterruptedException("the fetch was interrupted");
      }
      return problem(e);
    } finally {
      delete(folder);
    }
  }

  private long mostObjectBytes() {
    return Math.min(MOST_OBJECT_BYTES, spec.limits().unpackedBytes());
  }

  private URIish url() throws Refused {
    try {
      URI uri = new URI(spec.url());
      boolean isHttp = "https".equals(uri.getScheme()) || "http".equals(uri.getScheme());
      boolean isPlain =
          uri.getRawUserInfo() == null && uri.getRawQuery() == null && uri.getRawFragment() == null;
      if (isHttp && isPlain && uri.getHost() != null) {
        return new URIish(spec.url());
      }
    } catch (URISyntaxException e) {
      // Said below, without the address: it may hold a password.
    }
    throw Refused.lasting(
        "url",
        spec.url().contains("@") ? "" : spec.url(),
        "must be https://HOST/PATH without a login, a query and a fragment",
        "correct the address, and give the token apart from it");
  }

  /** The connections know what JGit tells in words, or not at all. */
  private Fetch explained(
      Repository local, URIish url, String path, GitConnections connections, String previous)
      throws IOException, Refused {
    try {
      return fetch(local, url, path, connections, previous);
    } catch (IOException | RuntimeException e) {
      if (connections.isOver()) {
        throw new GitConnections.Late(e);
      }
      if (connections.isDenied()) {
        throw new GitConnections.Denied(e);
      }
      throw e;
    }
  }

  private Fetch fetch(
      Repository local, URIish url, String path, GitConnections connections, String previous)
      throws IOException, Refused {
    ObjectId commit;
    String revision;
    try (Transport transport = Transport.open(local, url)) {
      if (transport instanceof TransportHttp http) {
        http.setHttpConnectionFactory(connections);
      }
      transport.setTimeout((int) Math.max(1, Math.min(30, spec.limits().time().toSeconds())));
      transport.setTagOpt(TagOpt.NO_TAGS);
      if (!spec.login().isNone()) {
        transport.setCredentialsProvider(new ForHost(url.getHost(), spec.login()));
      }
      boolean isCommit = ObjectId.isId(spec.ref());
      String name = isCommit ? spec.ref() : spec.ref().isEmpty() ? Constants.HEAD : spec.ref();
      if (isCommit) {
        revision = "sha1:" + name;
        if (revision.equals(previous)) {
          return new Unchanged(revision);
        }
        transport.setDepth(1);
        transport.fetch(connections.monitor(), List.of(new RefSpec(name)));
        commit = ObjectId.fromString(name);
      } else {
        Ref ref = named(transport, name);
        commit = ref.getObjectId();
        if (revision(name, ref.getPeeledObjectId() == null ? commit : ref.getPeeledObjectId())
            .equals(previous)) {
          return new Unchanged(previous);
        }
        transport.setDepth(1);
        transport.fetch(connections.monitor(), List.of(new RefSpec(ref.getName() + ":" + FETCHED)));
        Ref fetched = local.exactRef(FETCHED);
        commit = fetched == null ? commit : fetched.getObjectId();
        revision = "";
      }
      try (RevWalk walk = new RevWalk(local)) {
        var head = walk.parseCommit(commit);
        if (revision.isEmpty()) {
          revision = revision(name, head.getId());
        }
        return new Fetched(revision, files(local, walk.parseTree(head.getTree()), path));
      }
    }
  }

  private static String revision(String name, ObjectId commit) {
    return name + "@sha1:" + commit.getName();
  }

  /** A branch or tag of that name; both at once are refused. */
  private Ref named(Transport transport, String name) throws IOException, Refused {
    // A server of Git's second protocol then lists these names alone.
    String[] wanted =
        name.equals(Constants.HEAD) || name.startsWith("refs/")
            ? new String[] {name}
            : new String[] {Constants.R_HEADS + name, Constants.R_TAGS + name};
    try (FetchConnection connection = transport.openFetch(List.of(), wanted)) {
      Map<String, Ref> all = connection.getRefsMap();
      if (name.equals(Constants.HEAD) || name.startsWith("refs/")) {
        Ref exact = all.get(name);
        return require(exact == null ? null : exact.getLeaf());
      }
      Ref branch = all.get(Constants.R_HEADS + name);
      Ref tag = all.get(Constants.R_TAGS + name);
      if (branch != null && tag != null) {
        throw Refused.lasting(
            "ref",
            name,
            "names both a branch and a tag",
            "write refs/heads/%s or refs/tags/%s".formatted(name, name));
      }
      return require(branch == null ? tag : branch);
    }
  }

  private Ref require(Ref found) throws Refused {
    if (found == null || found.getObjectId() == null) {
      if (spec.ref().isEmpty()) {
        throw Refused.lasting(
            "url",
            spec.url(),
            "has no default branch, or no commit on it",
            "push a commit, or name a branch with ref");
      }
      throw Refused.lasting(
          "ref",
          spec.ref(),
          "names no branch and no tag of the repository",
          "correct the name; a commit is named by its whole id");
    }
    return found;
  }

  private Map<String, String> files(Repository local, RevTree commit, String path)
      throws IOException, Refused {
    Tree tree = new Tree(spec.limits());
    try (TreeWalk walk = new TreeWalk(local)) {
      walk.addTree(commit);
      if (!path.isEmpty() && !isOverlay(local, commit, path)) {
        walk.setFilter(PathFilter.create(path));
      }
      while (walk.next()) {
        String at = walk.getPathString();
        FileMode mode = walk.getFileMode(0);
        if (mode == FileMode.TREE) {
          tree.requireRoom(at, 0);
          if (!walk.getNameString().startsWith(".")) {
            walk.enterSubtree();
          }
        } else if (mode == FileMode.SYMLINK || mode == FileMode.GITLINK) {
          tree.link(at);
        } else if (Tree.wants(at)) {
          ObjectLoader file = walk.getObjectReader().open(walk.getObjectId(0));
          tree.requireRoom(at, file.getSize());
          tree.add(Tree.path("source", at), file.getBytes());
        }
      }
    }
    return tree.select(path);
  }

  private static boolean isOverlay(Repository local, RevTree commit, String path)
      throws IOException {
    for (String name : Overlay.NAMES) {
      try (TreeWalk found = TreeWalk.forPath(local, path + "/" + name, commit)) {
        if (found != null) {
          return true;
        }
      }
    }
    return false;
  }

  /** JGit tells the reason in the chain of causes. */
  private SourceProblem problem(IOException e) {
    String words = String.valueOf(e.getMessage());
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      words = cause.getMessage() == null ? words : cause.getMessage();
      if (cause instanceof GitConnections.Barred barred) {
        return barred.problem();
      }
      SourceProblem bound = bound(cause);
      if (bound != null) {
        return bound;
      }
      if (cause instanceof NoRemoteRepositoryException) {
        return lasting("is no Git repository", "correct the address");
      }
    }
    String reason = words.replace(spec.url() + ": ", "");
    return new SourceProblem(
        "url",
        spec.url(),
        "cannot be fetched (%s)".formatted(reason),
        "check the host, the network and the certificates",
        true);
  }

  /** What a cause that our own connections gave says; null if nothing. */
  private SourceProblem bound(Throwable cause) {
    return switch (cause) {
      case Budget.Exceeded _, TooLargeObjectInPackException _ ->
          lasting(
              "has more than %d bytes in a commit, or a file above %d bytes"
                  .formatted(spec.limits().downloadBytes(), mostObjectBytes()),
              "use a smaller repository, or an OCI artifact");
      case GitStore.TooMany _ ->
          lasting(
              "has more than %d objects in a commit".formatted(GitStore.MOST_OBJECTS),
              "use a smaller repository, or an OCI artifact");
      case GitConnections.Denied _ ->
          lasting(
              "is not open to "
                  + (spec.login().isNone() ? "callers without a login" : "this login"),
              "check the address, and the token and its rights");
      case GitConnections.Names _ ->
          lasting(
              "lists more than %d bytes of names"
                  .formatted(Math.min(GitConnections.MOST_NAMES, spec.limits().downloadBytes())),
              "write a branch or tag instead of a commit, or use a repository with fewer names");
      case GitConnections.Foreign foreign ->
          lasting(foreign.getMessage(), "correct the address, or use another server");
      case GitConnections.Late _ ->
          new SourceProblem(
              "url",
              spec.url(),
              "was not fetched within %d s".formatted(spec.limits().time().toSeconds()),
              "check the host and the network",
              true);
      default -> null;
    };
  }

  private SourceProblem lasting(String rule, String next) {
    return new SourceProblem("url", spec.url(), rule, next, false);
  }

  private static void delete(Path folder) {
    if (folder == null) {
      return;
    }
    try (Stream<Path> all = Files.walk(folder)) {
      for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(one);
      }
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(
          "the temporary folder %s cannot be deleted; delete the folder".formatted(folder), e);
    }
  }

  /** A login for one host: a redirect to another one gets none. */
  private static final class ForHost extends UsernamePasswordCredentialsProvider {
    private final String host;

    ForHost(String host, Login login) {
      super(login.user().isEmpty() ? "git" : login.user(), login.password());
      this.host = host;
    }

    @Override
    public boolean get(URIish uri, CredentialItem... items) {
      try {
        return host.equals(uri.getHost()) && super.get(uri, items);
      } catch (UnsupportedCredentialItem e) {
        // A question, such as whether to trust a bad certificate: no.
        return false;
      }
    }
  }
}
