// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.exaplane.tuning.lists.AuditLog;
import io.exaplane.tuning.lists.Inventory;
import io.exaplane.tuning.lists.InventoryFile;
import io.exaplane.tuning.lists.ListAnalysis;
import io.exaplane.tuning.lists.MetricsPage;
import io.exaplane.tuning.model.Input;
import io.exaplane.tuning.model.InvalidInputException;
import io.exaplane.tuning.model.Shape;
import io.exaplane.tuning.version.MinorVersion;
import io.exaplane.tuning.version.VersionMatrix;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Which clients' LISTs cost a control plane most, and what they should do instead. */
@Command(
    name = "lists",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    subcommands = ListsBenchCommand.class,
    description = {
      "Ranks clients by what their LISTs cost, from kube-apiserver's audit log, and says what each should do instead;",
      "without an audit log ranks resources, from its metrics.",
      "An audit policy that is enough: level Metadata for list, watch and get of what is no resource; omit RequestReceived."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:the answer was printed", "2:an input cannot be read, or is not valid"})
final class ListsCommand implements Callable<Integer> {
  private CommandSpec spec;

  @Option(
      names = "--audit-log",
      arity = "1..*",
      paramLabel = "FILE",
      description =
          "Audit logs, plain or gzip: kube-apiserver's own, of a container runtime (CRI, Docker), of CloudWatch (EKS),"
              + " Cloud Logging (GKE), Azure Monitor (AKS), 'oc adm node-logs', or what else wraps these events;"
              + " - is the standard input.")
  private List<Path> logs = List.of();

  @Option(
      names = "--metrics",
      paramLabel = "FILE",
      description =
          "kube-apiserver's /metrics: how many objects there are, and how large; plain or gzip, - is the standard input.")
  private Path metrics;

  @Option(
      names = "--inventory",
      paramLabel = "FILE",
      description =
          "YAML or JSON: 'pods: {objects: 1000, bytes: 4000, namespaces: {default: 10}}'. Wins over"
              + " --metrics.")
  private Path inventory;

  @Option(
      names = "--kubernetes-version",
      paramLabel = "VERSION",
      description =
          "Of the kube-apiserver (default: what the metrics say, else the newest that is known).")
  private String version;

  @Option(
      names = "--top",
      paramLabel = "COUNT",
      defaultValue = "20",
      description = "How many clients to show (default: ${DEFAULT-VALUE}).")
  private int top;

  @Mixin private FormatOption chosen;

  @Spec
  void describe(CommandSpec spec) {
    this.spec = spec;
  }

  @Override
  public Integer call() {
    if (top < 1) {
      throw new InvalidInputException("top", "" + top, "must be at least 1", "show some clients");
    }
    if (metrics == null && inventory == null) {
      throw new InvalidInputException(
          "metrics",
          "",
          "must say how many objects there are, or --inventory must",
          "'kubectl get --raw /metrics > FILE' writes it");
    }
    MetricsPage page = MetricsPage.parse(metrics == null ? "" : TextFiles.read(metrics));
    Shape server = server(page);
    if (metrics != null && page.isEmpty()) {
      throw new InvalidInputException(
          "metrics",
          metrics.toString(),
          "has no count of objects, such as apiserver_resource_objects",
          "'kubectl get --raw /metrics > FILE' writes it");
    }
    Inventory objects = page.inventory();
    if (inventory != null) {
      objects = InventoryFile.read(inventoryFile(), objects);
    }
    ListsOutput output = new ListsOutput(spec.commandLine().getOut(), chosen.format, top);
    if (logs.isEmpty()) {
      output.resources(page.lists());
      return 0;
    }
    ListAnalysis analysis = new ListAnalysis(server.version(), objects);
    AuditLog.Read read = new AuditFiles(logs, spec.commandLine().getErr()).read(analysis::take);
    output.clients(server, analysis, read);
    return 0;
  }

  /** The option wins; what the metrics say is the next best. */
  private Shape server(MetricsPage page) {
    Optional<String> built = page.version();
    if (version == null) {
      return Shape.of(
          built.map(told -> Map.of(Input.KUBERNETES_VERSION, told)).orElse(Map.of()),
          VersionMatrix.load());
    }
    Shape shape = Shape.of(Map.of(Input.KUBERNETES_VERSION, version), VersionMatrix.load());
    if (built.isPresent() && !MinorVersion.parse(built.get()).equals(shape.version())) {
      spec.commandLine()
          .getErr()
          .printf(
              "warning: kubernetes-version: '%s' is not what the metrics say: %s; leave the option out%n",
              version, built.get());
    }
    return shape;
  }

  private JsonNode inventoryFile() {
    try {
      return new YAMLMapper().readTree(TextFiles.read(inventory));
    } catch (JsonProcessingException e) {
      throw new InvalidInputException(
          "inventory",
          inventory.toString(),
          "is no YAML or JSON: " + e.getOriginalMessage(),
          "see --help");
    }
  }
}
