// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.cli.etcd.Deletion;
import io.exaplane.cli.etcd.StoreFailure;
import io.exaplane.cli.etcd.Target;
import io.exaplane.tuning.model.InvalidInputException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Deletes keys of a store behind kube-apiserver's back, and makes room of them. */
@Command(
    name = "delete",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Deletes one key, or with --prefix all keys with that prefix. Then compacts the store, so that",
      "the space is free at once. The command shows the keys and asks before the deletion.",
      "Finalizers, owner references and webhooks are ignored: prefer kubectl while an API answers."
    })
final class StoreDeleteCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "1",
      paramLabel = "KEY",
      description = "Key or prefix, as 'exactl store top' shows it: /registry/configmaps/default/.")
  private String key;

  @Option(names = "--prefix", description = "Deletes all keys with the prefix KEY, as in etcdctl.")
  private boolean isPrefix;

  @Option(names = "--dry-run", description = "Only shows the keys that would be deleted.")
  private boolean isDryRun;

  @Option(names = "--yes", description = "Deletes without a question, for scripts.")
  private boolean isSure;

  @Option(
      names = "--system",
      description = {
        "Also deletes objects that a cluster depends on: namespaces, nodes, pods, Leases, access",
        "rules, volumes, definitions, all in kube-system, and keys that are not kube-apiserver's."
      })
  private boolean takesSystem;

  @Option(names = "--names", description = "Prints each key that was deleted, with its revision.")
  private boolean printsNames;

  @Mixin private StoreOptions options;

  @Override
  public Integer call() throws Exception {
    Target target = target();
    PrintWriter out = spec.commandLine().getOut();
    try (StoreOptions.Access access = options.connect()) {
      Deletion deletion = new Deletion(access.store(), target);
      Deletion.Preview preview = deletion.preview();
      if (preview.keys() == 0) {
        out.printf("There are no keys %s; nothing is deleted.%n", target);
        if (!isPrefix && key.endsWith("/")) {
          out.println("Add --prefix to delete all keys with this prefix.");
        }
        out.flush();
        return 0;
      }
      show(out, access, target, preview);
      requireAllowed(preview);
      if (isDryRun) {
        out.println("Nothing is deleted: --dry-run.");
        out.flush();
        return 0;
      }
      if (!isSure) {
        ask(out, preview.keys());
      }
      delete(out, access, deletion);
    }
    return 0;
  }

  private void show(
      PrintWriter out, StoreOptions.Access access, Target target, Deletion.Preview preview) {
    out.printf("%s has %s %s:%n", access.store().endpoint(), number(preview.keys()), target);
    Table table = new Table("KIND", "NAMESPACE", "KEYS", "PREFIX");
    for (Deletion.Share each : preview.shares()) {
      table.row(each.kind(), each.namespace(), Long.toString(each.keys()), each.prefix());
    }
    table.print(out);
    long others = preview.groups() - preview.shares().size();
    if (others > 0) {
      out.printf("  and %d more groups%n", others);
    }
    out.printf("The first is %s, the last %s.%n", preview.first(), preview.last());
    Deletion.objection(preview).ifPresent(why -> out.println("Take care: " + why + "."));
    out.printf("Take a snapshot before: %s snapshot save before-delete.db%n", access.etcdctl());
    out.flush();
  }

  private void requireAllowed(Deletion.Preview preview) {
    Optional<String> objection = Deletion.objection(preview);
    if (objection.isPresent() && !takesSystem && !isDryRun) {
      throw new InvalidInputException(
          "key",
          key,
          "has objects that a cluster depends on: " + objection.get(),
          "narrow the key, or add --system to delete them, too");
    }
  }

  /** What is typed is what was read: the number of keys. */
  private static void ask(PrintWriter out, long keys) throws IOException {
    out.printf("Type %d to delete %s: ", keys, keys == 1 ? "this key" : "these keys");
    out.flush();
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    String answer = in.readLine();
    if (answer == null || !answer.strip().equals(Long.toString(keys))) {
      out.println();
      throw new StoreFailure(
          "nothing is deleted: the answer is not %d; in scripts, set --yes".formatted(keys));
    }
  }

  private void delete(PrintWriter out, StoreOptions.Access access, Deletion deletion) {
    Deletion.Outcome outcome =
        deletion.delete(
            (keys, revision) -> {
              if (printsNames) {
                keys.forEach(each -> out.println("deleted " + each + " revision " + revision));
              }
              out.flush();
            });
    if (outcome.keys() == 0) {
      out.println("Somebody else deleted these keys meanwhile.");
      out.flush();
      return;
    }
    out.printf(
        "Deleted %s %s at the revision%s.%n", number(outcome.keys()), target(), revisions(outcome));
    out.flush();
    StoreCompactCommand.compact(out, access.store(), outcome.lastRevision());
  }

  private Target target() {
    return new Target(key, isPrefix, options.root());
  }

  private static String number(long keys) {
    return keys + (keys == 1 ? " key" : " keys");
  }

  private static String revisions(Deletion.Outcome outcome) {
    return outcome.firstRevision() == outcome.lastRevision()
        ? " " + outcome.lastRevision()
        : "s %d to %d".formatted(outcome.firstRevision(), outcome.lastRevision());
  }
}
