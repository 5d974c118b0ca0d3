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
          "The task of this process. A root reads, decides and writes; without shards it evaluates all nodes"
              + " itself. A shard has a part of the nodes and reports the best ones to the root. A relay stands"
              + " between shards and the root (default: root).")
  private String role;

  @Option(
      names = "--tree-listen",
      paramLabel = "HOST:PORT",
      description =
          "The address on which a root or a relay accepts shards and relays (default: accepts none).")
  private String listen;

  @Option(
      names = "--tree-parents",
      paramLabel = "HOST:PORT,…",
      split = ",",
      description =
          "The parents of a relay or shard, in order of preference. The process joins the first one that is in"
              + " charge, or that is connected with the root in charge. Name relays first, then all roots. Join equal"
              + " parents by '+'. Among equal parents, the number at the end of the name of the process chooses where"
              + " to begin; without a number, the name chooses.")
  private List<String> parents = List.of();

  @Option(
      names = "--tree-name",
      paramLabel = "NAME",
      description =
          "The name of a relay or shard in logs and in 'pool top' (default: the host's name).")
  private String name;

  @Option(
      names = "--tree-cert-file",
      paramLabel = "FILE",
      description =
          "The certificate that this process shows to other processes of the tree, for clients and servers. The"
              + " process reads its files again every minute. Without the three files, all processes of the tree must"
              + " run on one machine.")
  private Path certificate;

  @Option(
      names = "--tree-key-file",
      paramLabel = "FILE",
      description = "The private key of the certificate.")
  private Path key;

  @Option(
      names = "--tree-trusted-ca-file",
      paramLabel = "FILE",
      description = "The CA that signs the certificates of all processes of the tree.")
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
          "--tree-parents: must be set: a %s needs a parent; name the --tree-listen of the root"
              .formatted(role));
    }
    if (as == Role.ROOT && !above.isEmpty()) {
      throw new InvalidException(
          "--tree-parents: must not be set: a root has no parent; leave the option out, or set --role=relay or"
              + " --role=shard");
    }
    if (as == Role.RELAY && own == null) {
      throw new InvalidException(
          "--tree-listen: must be set for a relay; name the address on which the relay accepts shards");
    }
    if (as == Role.SHARD && own != null) {
      throw new InvalidException(
          "--tree-listen: must not be set: a shard accepts no members; leave the option out");
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
              "--role: '%s' must be root, relay or shard; the default is root".formatted(role));
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
            "--tree-cert-file: must be set, since the tree has addresses of other machines; set also --tree-key-file"
                + " and --tree-trusted-ca-file, or use loopback addresses");
      }
      return TreeTls.none();
    }
    if (certificate == null || key == null || ca == null) {
      throw new InvalidException(
          "--tree-cert-file, --tree-key-file, --tree-trusted-ca-file: must be set together; set all three, or none");
    }
    try {
      return TreeTls.of(certificate, key, ca);
    } catch (IOException e) {
      throw new InvalidException(
          "--tree-cert-file, --tree-key-file, --tree-trusted-ca-file: " + e.getMessage());
    }
  }
}
