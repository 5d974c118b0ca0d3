// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.cli.measure.FileFailure;
import io.exaplane.cli.plane.Condition;
import io.exaplane.cli.plane.Kind;
import io.exaplane.cli.plane.Management;
import io.exaplane.cli.plane.PlaneException;
import io.exaplane.cli.plane.PlaneView;
import io.exaplane.tuning.model.InvalidInputException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** The administrator's kubeconfig. */
@Command(
    name = "kubeconfig",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Prints the administrator's kubeconfig of a ControlPlane, or writes a file that only you can read.",
      "Whoever has the kubeconfig may do everything in the hosted cluster."
    })
final class KubeconfigCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;

  @Parameters(
      arity = "0..1",
      paramLabel = "CONTROLPLANE",
      description = "A ControlPlane (default: the only one of the namespace).")
  private String name;

  @Option(
      names = {"-f", "--file"},
      paramLabel = "FILE",
      description = "File to create (default: the standard output).")
  private Path file;

  @Mixin private PlaneOptions where;

  @Option(
      names = {"-o", "--output"},
      paramLabel = "yaml|json",
      defaultValue = "yaml",
      description = "The kubeconfig as it is, or as JSON (default: ${DEFAULT-VALUE}).")
  private Format format;

  /** Of the printed kubeconfig. */
  enum Format {
    YAML,
    JSON
  }

  @Override
  public Integer call() {
    String text;
    try (Management management = where.connect()) {
      JsonNode plane = where.plane(management, name);
      String secret = plane.at("/status/kubeconfigSecretRef/name").asText();
      if (secret.isEmpty()) {
        throw new PlaneException(
            "ControlPlane %s has no kubeconfig yet%s; wait until the condition KubeconfigReady is True"
                .formatted(
                    PlaneView.name(plane),
                    Condition.of(plane, "KubeconfigReady")
                        .map(each -> " (" + each.message() + ")")
                        .orElse("")));
      }
      text = value(management, where.in(management), secret, "kubeconfig");
    }
    if (format == Format.JSON) {
      List<Object> documents = Documents.parsed(text);
      text = Documents.json(documents.isEmpty() ? text : documents.getFirst());
    }
    if (file == null) {
      PrintWriter out = spec.commandLine().getOut();
      out.print(text);
      out.flush();
    } else {
      write(text);
    }
    return 0;
  }

  /** A value of a Secret, as text. */
  static String value(Management management, String in, String secret, String key) {
    JsonNode value = management.get(Kind.SECRET, in, secret).path("data").path(key);
    if (value.asText().isEmpty()) {
      throw new PlaneException(
          "Secret %s has no key %s; delete the Secret, and the operator writes it again"
              .formatted(secret, key));
    }
    return new String(Base64.getDecoder().decode(value.asText()), StandardCharsets.UTF_8);
  }

  private void write(String text) {
    try {
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.writeString(file, text);
    } catch (FileAlreadyExistsException e) {
      throw new InvalidInputException(
          "file", file.toString(), "must not exist", "name another file");
    } catch (IOException e) {
      throw new InvalidInputException(
          "file",
          file.toString(),
          "cannot be written: " + FileFailure.reason(e),
          "name another file");
    }
    spec.commandLine().getErr().println("wrote " + file + "; keep the file private");
  }
}
