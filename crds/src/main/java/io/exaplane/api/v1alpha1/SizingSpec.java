// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.exaplane.api.duration.Durations;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * What the tuning model is told of the hosted cluster beside its version and its number of nodes,
 * and when a change of that number counts.
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record SizingSpec(
    @Pattern(DURATION)
        @JsonPropertyDescription(
            "Delay before a larger spec.maxNodes takes effect, for example 30s, 10m or 1h. Default:"
                + " 30s.")
        String growDelay,
    @Pattern(DURATION)
        @JsonPropertyDescription(
            "Delay before a smaller spec.maxNodes takes effect, for example 1h. Default:" + " 10m.")
        String shrinkDelay,
    @Min(0) @Max(1_000) @JsonPropertyDescription("Average number of pods on a node. Default: 30.")
        Integer podsPerNode,
    @Min(0)
        @Max(100_000)
        @JsonPropertyDescription(
            "Pods created and deleted a second. Default: each pod lives four hours.")
        Integer podChurnPerSecond,
    @Min(0)
        @Max(100_000_000)
        @JsonPropertyDescription("Number of Services. Default: one for 15 pods.")
        Integer services,
    @Min(0)
        @Max(20_000)
        @JsonPropertyDescription("Number of CustomResourceDefinitions. Default: 50.")
        Integer customResourceDefinitions,
    @JsonPropertyDescription(
            "Whether each node watches all Services and EndpointSlices, as kube-proxy does."
                + " Default: true.")
        Boolean kubeProxy,
    @Min(1)
        @Max(1_000_000)
        @JsonPropertyDescription(
            "Network between one client and the API, in megabytes a second. Above 30, responses "
                + "are not compressed. Default: unknown.")
        Integer clientMegabytesPerSecond,
    @Size(max = 32)
        @JsonPropertyDescription(
            "Agents that run on every node, in the form namespace/serviceaccount. They share a"
                + " priority level that borrows no seats. The operator adds the agents that"
                + " NodePools list in spec.agents.daemonSets.")
        List<@Size(max = 320) @Pattern(ACCOUNT) String> agents,
    @Size(max = 32)
        @JsonPropertyDescription(
            "Clients that list whole resources, in the form namespace/serviceaccount. The server"
                + " answers few of their LISTs at a time.")
        List<@Size(max = 320) @Pattern(ACCOUNT) String> heavyListers,
    @Size(min = 1, max = 253)
        @Pattern("^[A-Za-z0-9]([-A-Za-z0-9:._/]*[A-Za-z0-9])?$")
        @JsonPropertyDescription(
            "Group of people whose requests must succeed during an overload; their"
                + " requests are exempt from queuing. For example oncall. Default: none.")
        String breakGlassGroup,
    @Min(1)
        @Max(20_000)
        @JsonPropertyDescription(
            "Number of GroupVersions that the API serves, as 'kubectl api-versions | wc -l' counts"
                + " them. Default: 33, and one for 5 CustomResourceDefinitions.")
        Integer groupVersions,
    @Min(1)
        @Max(10_000)
        @JsonPropertyDescription(
            "Average number of fields in the schema of a CustomResourceDefinition, for each served"
                + " version. 500 fields are a schema of about 60 KiB. Default: 500.")
        Integer definitionProperties,
    @Min(1)
        @Max(20)
        @JsonPropertyDescription(
            "Average number of served versions of a CustomResourceDefinition. Default: 1.")
        Integer definitionVersions,
    @Min(0)
        @Max(100_000_000)
        @JsonPropertyDescription("Number of custom resources of all kinds. Default: 0.")
        Integer customResources,
    @Min(1)
        @Max(1_500_000)
        @JsonPropertyDescription("Average size of a custom resource, in bytes. Default: 1024.")
        Integer customResourceBytes) {

  private static final String DURATION = "^[0-9]{1,5}(s|m|h)$";
  private static final String ACCOUNT =
      "^[a-z0-9]([-a-z0-9]*[a-z0-9])?/[a-z0-9]([-a-z0-9.]*[a-z0-9])?$";
  private static final SizingSpec NONE =
      new SizingSpec(
          null, null, null, null, null, null, null, null, null, null, null, null, null, null, null,
          null);
  private static final Duration GROW_DELAY = Duration.ofSeconds(30);
  private static final Duration SHRINK_DELAY = Duration.ofMinutes(10);

  /** The spec, or one that says nothing. */
  public static SizingSpec of(SizingSpec spec) {
    return spec == null ? NONE : spec;
  }

  /** The same with more agents. */
  public SizingSpec withAgents(List<String> more) {
    return new SizingSpec(
        growDelay,
        shrinkDelay,
        podsPerNode,
        podChurnPerSecond,
        services,
        customResourceDefinitions,
        kubeProxy,
        clientMegabytesPerSecond,
        Stream.concat(agents == null ? Stream.empty() : agents.stream(), more.stream())
            .distinct()
            .toList(),
        heavyListers,
        breakGlassGroup,
        groupVersions,
        definitionProperties,
        definitionVersions,
        customResources,
        customResourceBytes);
  }

  /** How long a larger number of nodes must stay. */
  public Duration effectiveGrowDelay() {
    return Durations.parse(growDelay, GROW_DELAY);
  }

  /** How long a smaller number of nodes must stay. */
  public Duration effectiveShrinkDelay() {
    return Durations.parse(shrinkDelay, SHRINK_DELAY);
  }
}
