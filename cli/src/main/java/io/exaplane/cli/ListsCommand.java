// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
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
import java.time.LocalDate;
import java.time.ZoneOffset;
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
      "Ranks clients by the cost of their LISTs, from kube-apiserver's audit log, and names "
          + "a fix for each client.",
      "Without an audit log, ranks resources from kube-apiserver's metrics.",
      "A sufficient audit policy: level Metadata for list, watch and for get of non-resource "
          + "URLs; omit RequestReceived."
    },
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:the answer was printed", "2:an input cannot be read or is invalid"})
final class ListsCommand implements Callable<Integer> {
  private CommandSpec spec;

  @Option(
      names = "--audit-log",
      arity = "1..*",
      paramLabel = "FILE",
      description =
          "Audit logs, plain or gzip, or in a tar or zip. Any form works, YAML too:"
              + " kube-apiserver's own, a container runtime's (CRI, Docker), CloudWatch (EKS),"
              + " Cloud Logging (GKE), Azure Monitor (AKS), OCI Audit (OKE), 'oc adm node-logs' or"
              + " others; docs/tuning.md has the sources. - is the standard input.")
  private List<Path> logs = List.of();

  @Option(
      names = "--metrics",
      paramLabel = "FILE",
      description =
          "kube-apiserver's /metrics, for the number and size of objects; plain or gzip. - is "
              + "the standard input.")
  private Path metrics;

  @Option(
      names = "--inventory",
      paramLabel = "FILE",
      description =
          "Number and size of objects as YAML or JSON: 'pods: {objects: 1000, bytes: 4000, "
              + "namespaces: {default: 10}}'. Overrides --metrics.")
  private Path inventory;

  @Option(
      names = "--kubernetes-version",
      paramLabel = "VERSION",
      description =
          "Version of the kube-apiserver (default: from the metrics, otherwise the newest known "
              + "version).")
  private String version;

  @Option(
      names = "--top",
      paramLabel = "COUNT",
      defaultValue = "20",
      description = "Number of clients to show (default: ${DEFAULT-VALUE}).")
  private int top;

  @Option(
      names = "--tell-agents",
      description =
          "Also writes what was found about each DaemonSet with a separate service account into "
              + "the annotation exaplane.io/lists-findings of the DaemonSet. No pod restarts. "
              + "Exaplane's NodePools show it in status.agents. The account needs to list and "
              + "patch daemonsets.apps. Needs --audit-log, and --kubeconfig or --context.")
  private boolean tellAgents;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = "With --tell-agents: kubeconfig of the cluster (default: as kubectl).")
  private Path kubeconfig;

  @Option(
      names = "--context",
      paramLabel = "NAME",
      description = "With --tell-agents: context of the kubeconfig.")
  private String context;

  @Mixin private FormatOption chosen;

  @Spec
  void describe(CommandSpec spec) {
    this.spec = spec;
  }

  @Override
  public Integer call() {
    if (top < 1) {
      throw new InvalidInputException(
          "top", "" + top, "must be at least 1", "name the number of clients to show");
    }
    if (metrics == null && inventory == null) {
      throw new InvalidInputException(
          "metrics",
          "",
          "is needed for the number of objects, or --inventory is",
          "write the file with 'kubectl get --raw /metrics > FILE'");
    }
    if (tellAgents && (logs.isEmpty() || kubeconfig == null && context == null)) {
      throw new InvalidInputException(
          "tell-agents",
          "true",
          "needs --audit-log, and --kubeconfig or --context, since the command writes into that"
              + " cluster",
          "add these options");
    }
    MetricsPage page = MetricsPage.parse(metrics == null ? "" : TextFiles.read(metrics));
    Shape server = server(page);
    if (metrics != null && page.isEmpty()) {
      throw new InvalidInputException(
          "metrics",
          metrics.toString(),
          "contains no count of objects, such as apiserver_resource_objects",
          "write the file with 'kubectl get --raw /metrics > FILE'");
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
    if (tellAgents) {
      AgentFindings.tell(
          kubeconfig,
          context,
          analysis.clients(),
          LocalDate.now(ZoneOffset.UTC),
          spec.commandLine().getErr()::println);
    }
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
              "warning: kubernetes-version: '%s' differs from the version in the metrics, %s; omit "
                  + "the option%n",
              version, built.get());
    }
    return shape;
  }

  private JsonNode inventoryFile() {
    return new JsonMapper()
        .valueToTree(
            InputFile.read("inventory", inventory, "write one resource on each line; see --help"));
  }
}
