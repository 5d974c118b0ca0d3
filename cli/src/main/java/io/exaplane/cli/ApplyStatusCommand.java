// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.exaplane.apply.inventory.ApplySet;
import io.exaplane.apply.inventory.Inventory;
import io.exaplane.apply.inventory.InventoryFormat;
import io.exaplane.apply.inventory.InventoryRecord;
import io.exaplane.apply.port.ApiException;
import io.exaplane.apply.server.ServerPort;
import io.exaplane.cli.measure.ApiServer;
import io.exaplane.cli.measure.MeasurementException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** What a source has applied, by its inventory. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Shows the inventory of a source: each object that the source applied.")
final class ApplyStatusCommand implements Callable<Integer> {
  @Spec private CommandSpec spec;
  @Mixin private ApplySourceOptions source;
  @Mixin private ServerOption server;
  @Mixin private FormatOption chosen;

  @Override
  public Integer call() throws InterruptedException {
    ApplySet set = source.set();
    Inventory inventory;
    try (ServerPort api =
        ServerPort.of(ApiServer.config(server.kubeconfig), ApplyCommand.MANAGER)) {
      inventory = inventory(api, set);
    } catch (ApiException e) {
      throw new MeasurementException(
          "the inventory cannot be read (" + e.getMessage() + "); check --kubeconfig");
    }
    if (!inventory.damage().isEmpty()) {
      spec.commandLine().getErr().println("warning: " + inventory.damage());
    }
    PrintWriter out = spec.commandLine().getOut();
    if (chosen.format != TuneCommand.Format.TABLE) {
      Documents.print(out, chosen.format, document(set, inventory));
      return 0;
    }
    for (InventoryRecord one : inventory.records()) {
      out.println(one.key() + ", generation " + one.generation());
    }
    out.println(inventory.records().size() + " objects in source " + set.name());
    out.flush();
    return 0;
  }

  private static Inventory inventory(ServerPort api, ApplySet set)
      throws ApiException, InterruptedException {
    List<JsonNode> shards = new ArrayList<>();
    JsonNode parent = api.get(InventoryFormat.TYPE, InventoryFormat.key(set, 0)).orElse(null);
    if (parent == null) {
      throw new MeasurementException(
          "source '%s' has no inventory in namespace %s; check --source and --namespace"
              .formatted(set.name(), set.namespace()));
    }
    String refusal = InventoryFormat.refusal(set, parent);
    if (!refusal.isEmpty()) {
      throw new MeasurementException(refusal);
    }
    shards.add(parent);
    for (int shard = 1; shard < InventoryFormat.shards(parent); shard++) {
      shards.add(api.get(InventoryFormat.TYPE, InventoryFormat.key(set, shard)).orElse(null));
    }
    return InventoryFormat.read(set, shards);
  }

  private static Map<String, Object> document(ApplySet set, Inventory inventory) {
    List<Map<String, Object>> objects = new ArrayList<>();
    for (InventoryRecord one : inventory.records()) {
      Map<String, Object> row = new LinkedHashMap<>();
      row.put("group", one.key().group());
      row.put("kind", one.key().kind());
      row.put("namespace", one.key().namespace());
      row.put("name", one.key().name());
      row.put("generation", one.generation());
      row.put("resourceVersion", one.resourceVersion());
      objects.add(row);
    }
    return Map.of("source", set.name(), "objects", objects);
  }
}
