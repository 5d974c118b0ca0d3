// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.app;

import io.exaplane.scheduler.grpc.TreeAddress;
import io.exaplane.scheduler.grpc.TreeTls;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** Options of the tree of processes. */
final class TreeOptions {
  /** What a process does. */
  enum Role {
    ROOT,
    RELAY,
    SHARD
  }

  /** What is wrong with them. */
  static final class InvalidException extends Exception {
    private static final long serialVersionUID = 1L;

    InvalidException(String message) {
      super(message);
    }
  }

  /**
   * Where a process is in the tree.
   *
   * @param listen where others come to it; null if nobody does
   * @param parents where it goes, the best first
   */
  record Place(
      Role role, String name, TreeAddress listen, List<TreeAddress> parents, TreeTls tls) {}

  @Option(
      names = "--role",
      paramLabel = "root|relay|shard",
      defaultValue = "root",
      description =
          "What this process does: a root reads, decides and writes, and looks at all nodes itself where there are no"
              + " shards; a shard has some of the nodes and tells the root which are the best; a relay stands between"
              + " shards and the root (default: root).")
  private String role;

  @Option(
      names = "--tree-listen",
      paramLabel = "HOST:PORT",
      description = "Where shards and relays come to a root, or to a relay; without it, none do.")
  private String listen;

  @Option(
      names = "--tree-parents",
      paramLabel = "HOST:PORT,…",
      split = ",",
      description =
          "Where a relay or shard goes: to the first of these that is in charge, or connected with who is. Name all"
              + " roots, after relays. Those that are as good as each other are joined by '+': a process whose name ends"
              + " with a number begins with the one whose turn it is by it, another by its name.")
  private List<String> parents = List.of();

  @Option(
      names = "--tree-name",
      paramLabel = "NAME",
      description = "What people see of a relay or shard (default: the host's name).")
  private String name;

  @Option(
      names = "--tree-cert-file",
      paramLabel = "FILE",
      description =
          "The certificate by which processes of the tree know this one, for clients and servers; files are read"
              + " again every minute. Without these three, the tree is for processes of one machine.")
  private Path certificate;

  @Option(names = "--tree-key-file", paramLabel = "FILE", description = "Its private key.")
  private Path key;

  @Option(
      names = "--tree-trusted-ca-file",
      paramLabel = "FILE",
      description = "Who signs the certificates of all of them.")
  private Path ca;

  /**
   * What they say.
   *
   * @param host by which a process is known that has no name
   * @throws InvalidException if it makes no sense
   */
  Place place(String host) throws InvalidException {
    Role as = role();
    TreeAddress own = listen == null ? null : address("--tree-listen", listen);
    List<TreeAddress> above = new ArrayList<>();
    String known = name == null ? host : name;
    for (String alike : parents) {
      List<String> turn = new ArrayList<>(List.of(alike.split("\\+", -1)));
      Collections.rotate(turn, -Math.floorMod(turnOf(known), turn.size()));
      for (String parent : turn) {
        above.add(address("--tree-parents", parent));
      }
    }
    if (as != Role.ROOT && above.isEmpty()) {
      throw new InvalidException(
          "--tree-parents: there are none: a %s needs one; name the root's --tree-listen"
              .formatted(role));
    }
    if (as == Role.ROOT && !above.isEmpty()) {
      throw new InvalidException(
          "--tree-parents: a root has none; leave it out, or say --role=relay or --role=shard");
    }
    if (as == Role.RELAY && own == null) {
      throw new InvalidException("--tree-listen: a relay needs it, so that shards can come to it");
    }
    if (as == Role.SHARD && own != null) {
      throw new InvalidException("--tree-listen: nobody comes to a shard; leave it out");
    }
    return new Place(as, known, own, above, tls(own, above));
  }

  /** The number at the end of a name, as pods of a StatefulSet have it; of others, their hash. */
  private static int turnOf(String name) {
    Matcher number = Pattern.compile("[0-9]{1,9}$").matcher(name);
    return number.find() ? Integer.parseInt(number.group()) : name.hashCode();
  }

  private Role role() throws InvalidException {
    return switch (role) {
      case "root" -> Role.ROOT;
      case "relay" -> Role.RELAY;
      case "shard" -> Role.SHARD;
      default ->
          throw new InvalidException(
              "--role: %s is not valid: it is root, relay or shard; the default is root"
                  .formatted(role));
    };
  }

  private static TreeAddress address(String option, String text) throws InvalidException {
    try {
      return TreeAddress.of(text);
    } catch (IllegalArgumentException e) {
      throw new InvalidException(option + ": " + e.getMessage());
    }
  }

  private TreeTls tls(TreeAddress own, List<TreeAddress> above) throws InvalidException {
    if (certificate == null && key == null && ca == null) {
      boolean near =
          (own == null || own.isLoopback()) && above.stream().allMatch(TreeAddress::isLoopback);
      if (!near) {
        throw new InvalidException(
            "--tree-cert-file: other machines are in the tree: certificates are needed; set it, --tree-key-file and"
                + " --tree-trusted-ca-file, or use loopback addresses");
      }
      return TreeTls.none();
    }
    if (certificate == null || key == null || ca == null) {
      throw new InvalidException(
          "--tree-cert-file, --tree-key-file, --tree-trusted-ca-file: they go together; set all three, or none");
    }
    try {
      return TreeTls.of(certificate, key, ca);
    } catch (IOException e) {
      throw new InvalidException("--tree-cert-file and its like: " + e.getMessage());
    }
  }
}
