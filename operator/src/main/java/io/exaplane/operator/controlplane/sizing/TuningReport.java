// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.sizing;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.exaplane.tuning.TuningDocument;
import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.rules.Item.Type;
import io.exaplane.tuning.version.Component;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** What people and scripts read of the model's answer: files of YAML by their names. Pure. */
public final class TuningReport {
  public static final String TUNING = "tuning.yaml";
  public static final String KUBELET = "kubelet.yaml";
  public static final String KUBECONFIG = "kubeconfig.yaml";

  private static final YAMLMapper YAML =
      YAMLMapper.builder()
          .disable(YAMLGenerator.Feature.WRITE_DOC_START_MARKER)
          .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
          .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
          .disable(YAMLGenerator.Feature.SPLIT_LINES)
          .build();

  private TuningReport() {}

  /** For who runs the control plane: every value with its grounds, and the rest. */
  public static Map<String, String> forOperators(Sized sized) {
    Tuned tuned = sized.tuned().orElseThrow();
    Map<String, Object> document = TuningDocument.of(tuned.tuning());
    document.put(
        "items",
        tuned.tuning().items().stream()
            .filter(item -> item.component() != Component.STORE || item.kind() != Type.RESOURCE)
            .map(TuningDocument::item)
            .toList());
    document.put("warnings", tuned.warnings().stream().map(TuningDocument::warning).toList());
    document.put("stores", sized.stores().stream().map(TuningReport::store).toList());
    document.put("overrides", tuned.overrides());
    List<String> notApplied = new ArrayList<>();
    sized.problems().forEach(problem -> notApplied.add(problem.message()));
    sized
        .missingRoutes()
        .forEach(resource -> notApplied.add(resource + " keeps its store: ReshardNeeded"));
    document.put("notApplied", notApplied);
    Map<String, String> files = new TreeMap<>(forNodes(tuned));
    files.put(TUNING, yaml(document));
    return files;
  }

  /** A store as it is, whatever the model would route. */
  private static Map<String, String> store(StoreSpace space) {
    Map<String, String> shown = new LinkedHashMap<>();
    shown.put("name", space.name());
    space.memory().ifPresent(memory -> shown.put("memory", memory.toString()));
    space.takes().ifPresent(bytes -> shown.put("takes", Bytes.text(bytes)));
    shown.put("wouldKeep", Bytes.text(space.keeps()));
    return shown;
  }

  /** For nodes and clients of the hosted cluster: what they are to set themselves. */
  public static Map<String, String> forNodes(Tuned tuned) {
    Map<String, String> files = new TreeMap<>();
    files.put(KUBELET, yaml(tuned.tuning().configuration(Component.KUBELET)));
    // Also what is the default, so that who was told otherwise before is told now.
    Map<String, Object> cluster = Map.of("disable-compression", tuned.disablesCompression());
    files.put(KUBECONFIG, yaml(Map.of("clusters", List.of(Map.of("cluster", cluster)))));
    return files;
  }

  private static String yaml(Object document) {
    try {
      return YAML.writeValueAsString(document);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("the answer cannot be written", e);
    }
  }
}
