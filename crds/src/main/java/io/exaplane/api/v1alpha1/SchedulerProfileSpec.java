// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.crd.generator.annotation.PreserveUnknownFields;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import java.util.Map;

/** A profile as in kubescheduler.config.k8s.io/v1, without its name. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SchedulerProfileSpec(
    @PreserveUnknownFields
        @JsonPropertyDescription(
            "Plugins that are enabled or disabled at each extension point, with their weights.")
        Map<String, Object> plugins,
    @Size(max = 32) @JsonPropertyDescription("Arguments of plugins, one entry for each plugin.")
        List<PluginConfig> pluginConfig) {

  /** Arguments of a plugin. */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record PluginConfig(
      @Required
          @Size(min = 1, max = 63)
          @JsonPropertyDescription("The plugin, for example NodeResourcesFit.")
          String name,
      @PreserveUnknownFields
          @JsonPropertyDescription(
              "Arguments of the plugin, for example {scoringStrategy: {type: MostAllocated}}.")
          Map<String, Object> args) {}
}
