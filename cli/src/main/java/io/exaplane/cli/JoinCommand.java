// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.cli.plane.Condition;
import io.exaplane.cli.plane.Kind;
import io.exaplane.cli.plane.Management;
import io.exaplane.cli.plane.PlaneException;
import io.exaplane.tuning.model.InvalidInputException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What a host needs to join a pool. */
@Command(
    name = "join",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Prints the script by which a host joins a NodePool, or the same as user data.",
      "The text holds a bootstrap token: whoever has the token can join a node."
    })
final class JoinCommand implements Callable<Integer> {
  private static final Map<String, String> KEYS =
      Map.of("script", "join.sh", "cloud-init", "cloud-init.yaml", "ignition", "ignition.json");

  @Spec private CommandSpec spec;

  @Parameters(paramLabel = "NODEPOOL", description = "The NodePool.")
  private String name;

  @Option(
      names = "--form",
      paramLabel = "script|cloud-init|ignition",
      defaultValue = "script",
      description = "A shell script, or user data of a machine (default: ${DEFAULT-VALUE}).")
  private String form;

  @Mixin private PlaneOptions where;
  @Mixin private FormatOption chosen;

  @Override
  public Integer call() {
    String key = KEYS.get(form);
    if (key == null) {
      throw new InvalidInputException(
          "form",
          form,
          "must be a form of the join material",
          "choose script, cloud-init or ignition");
    }
    try (Management management = where.connect()) {
      String in = where.in(management);
      JsonNode pool = management.get(Kind.NODE_POOL, in, name);
      String secret = pool.at("/status/joinSecretRef/name").asText();
      if (secret.isEmpty()) {
        throw new PlaneException(
            "NodePool %s has no join material yet%s; wait until the condition JoinMaterialReady is True"
                .formatted(
                    name,
                    Condition.of(pool, "JoinMaterialReady")
                        .map(each -> " (" + each.message() + ")")
                        .orElse("")));
      }
      String expires = pool.at("/status/joinSecretRef/expires").asText();
      print(KubeconfigCommand.value(management, in, secret, key), expires);
    }
    return 0;
  }

  private void print(String text, String expires) {
    PrintWriter out = spec.commandLine().getOut();
    if (chosen.format == TuneCommand.Format.TABLE) {
      out.print(text);
      out.flush();
      spec.commandLine()
          .getErr()
          .println(
              "the token in this text works%s; keep the text private"
                  .formatted(expires.isEmpty() ? "" : " until " + expires));
      return;
    }
    Map<String, Object> document = new LinkedHashMap<>();
    document.put("pool", name);
    document.put("form", form);
    document.put("expires", expires);
    document.put("text", text);
    Documents.print(out, chosen.format, document);
  }
}
