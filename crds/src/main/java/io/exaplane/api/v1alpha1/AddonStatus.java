// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import java.util.List;

/** What is known of one source of add-ons. */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record AddonStatus(
    @Required @Size(max = 36) @JsonPropertyDescription("Name of the source.") String name,
    @JsonPropertyDescription("Generation of the ControlPlane that this status describes.")
        Long observedGeneration,
    @JsonPropertyDescription(
            "Whether every object is in the hosted cluster as the source says, and healthy.")
        Boolean ready,
    @JsonPropertyDescription("Why the source is as it is, for example AsExpected or AddonFailed.")
        String reason,
    @JsonPropertyDescription(
            "The reason in plain words, with the next action; absent if the source is applied and"
                + " healthy.")
        String message,
    @JsonPropertyDescription("SHA-256 of the files that were read last.") String revision,
    @JsonPropertyDescription(
            "The artifact or commit that has these files, for example v1@sha256:… or main@sha1:…;"
                + " absent for other sources.")
        String fetchedRevision,
    @JsonPropertyDescription(
            "Since when the source can't be read, for example 2026-11-28T10:00:00Z; absent while"
                + " the operator can read it. The files that were read before stay applied.")
        String unreadableSince,
    @JsonPropertyDescription("SHA-256 of the files that were applied last, every object of them.")
        String appliedRevision,
    @JsonPropertyDescription("Number of objects of the source.") Integer objects,
    @JsonPropertyDescription(
            "Objects that the operator created or changed when it applied appliedRevision.")
        Integer applied,
    @JsonPropertyDescription(
            "Objects that already were as the source says when the operator applied"
                + " appliedRevision.")
        Integer unchanged,
    @JsonPropertyDescription(
            "Milliseconds that appliedRevision took until it was applied and healthy.")
        Long durationMilliseconds,
    @JsonPropertyDescription(
            "Requests that the operator sent for the objects and the inventory of the source until"
                + " appliedRevision was applied and healthy. Lists and watches are not counted,"
                + " since sources share them.")
        Long requests,
    @JsonPropertyDescription("Bytes of the objects in these requests.") Long sentBytes,
    @JsonPropertyDescription("Number of objects and files that are not as the source says.")
        Integer failed,
    @Size(max = 5) @JsonPropertyDescription("The first of them.") List<AddonFailure> failures,
    @JsonPropertyDescription(
            "ConfigMap of the hosted cluster that has the inventory, for example"
                + " kube-system/exaplane-addon-NAME; absent before the first object and after the"
                + " last one.")
        String inventory,
    @JsonPropertyDescription(
            "spec.addons[].prune, for the time after the source is removed. Delete: the"
                + " operator then deletes its objects. Keep: they stay.")
        AddonPrune prune,
    @JsonPropertyDescription(
            "spec.addons[].serviceAccount, for the time after the source is removed.")
        AddonAccountRef serviceAccount) {}
