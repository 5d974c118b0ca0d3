// SPDX-License-Identifier: Apache-2.0
package io.exaplane.api.v1alpha1;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.exaplane.api.duration.Durations;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.time.Duration;
import java.util.List;

/** One source of objects that the operator keeps in the hosted cluster. */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
    value =
        "(has(self.inline) ? 1 : 0) + (has(self.configMap) ? 1 : 0) + (has(self.secret) ? 1 : 0) +"
            + " (has(self.oci) ? 1 : 0) + (has(self.git) ? 1 : 0) + (has(self.builtIn) ? 1 : 0) =="
            + " 1",
    message =
        "addons: a source must have exactly one of inline, configMap, secret, oci, git and builtIn;"
            + " set one")
@ValidationRule(
    value =
        "!has(self.interval) || !has(self.oci) && !has(self.git) || duration(self.interval) >="
            + " duration('30s')",
    message =
        "addons: interval must be at least 30s for oci and git, since others serve them; raise it")
@ValidationRule(
    value = "!has(self.settings) || has(self.builtIn)",
    message = "addons: settings needs builtIn; remove settings, or set builtIn")
@ValidationRule(
    value =
        "!has(self.settings) || !has(self.builtIn) || self.builtIn == 'CoreDNS' ||"
            + " !has(self.settings.replicas) && !has(self.settings.upstreams)",
    message =
        "addons: settings.replicas and settings.upstreams are for CoreDNS, since kube-proxy runs on"
            + " each node and asks no resolver; remove them")
@ValidationRule(
    value = "!has(self.include) && !has(self.exclude) || has(self.prune) && self.prune == 'Keep'",
    message =
        "addons: include and exclude need prune: Keep, since Delete would delete all objects of the"
            + " kinds that are left out; set prune to Keep, or remove include and exclude")
@ValidationRule(
    value =
        "(!has(self.include) || self.include.all(p, p.contains('.') || p.contains('*'))) &&"
            + " (!has(self.exclude) || self.exclude.all(p, p.contains('.') || p.contains('*')))",
    message =
        "addons: each of include and exclude must be KIND.GROUP, in which * stands for any"
            + " characters; write for example Bucket.s3.aws.example.org or *.s3.aws.example.org")
@ValidationRule(
    value =
        "has(self.serviceAccount) == has(oldSelf.serviceAccount) && (!has(self.serviceAccount) ||"
            + " self.serviceAccount.__namespace__ == oldSelf.serviceAccount.__namespace__)",
    message =
        "addons: the namespace of serviceAccount is immutable, since it has the inventory of the"
            + " source; remove the source, and add a source with another name")
public record AddonSpec(
    @Required
        @Size(min = 1, max = 36)
        @Pattern("^[a-z0-9]([-a-z0-9]*[a-z0-9])?$")
        @JsonPropertyDescription(
            "Name of the source within the control plane, for example policies. The inventory of"
                + " its objects is the ConfigMap exaplane-addon-NAME in the hosted cluster. A"
                + " source that gets another name is another source: the objects of the former one"
                + " are deleted.")
        String name,
    @Size(min = 1, max = 524_288)
        @JsonPropertyDescription(
            "Objects as YAML or JSON, with '---' between documents. For more than a few"
                + " objects, use a ConfigMap. Default: none.")
        String inline,
    @JsonPropertyDescription(
            "ConfigMap in the ControlPlane's namespace. Each key that ends in .yaml, .yml or .json"
                + " is a file of objects.")
        LocalRef configMap,
    @JsonPropertyDescription(
            "Secret in the ControlPlane's namespace, with the label exaplane.io/addons-of: NAME of"
                + " the ControlPlane. Each key that ends in .yaml, .yml or .json is a file of"
                + " objects.")
        LocalRef secret,
    @JsonPropertyDescription(
            "OCI artifact, as 'flux push artifact' and 'oras push' publish them. The operator"
                + " fetches the artifact, not the nodes.")
        AddonOciSource oci,
    @JsonPropertyDescription(
            "Git repository. The operator fetches one commit without history, by HTTPS.")
        AddonGitSource git,
    @Size(max = 6)
        @Pattern("^[1-9][0-9]{0,4}(s|m|h)$")
        @JsonPropertyDescription(
            "Time after which the operator reads the source again, for example 30s, 10m or 1h. The"
                + " operator also watches ConfigMaps and Secrets, so that it reads their changes at"
                + " once. Registries and repositories are asked at times that differ by up to a"
                + " tenth, and their interval is at least 30s. Default: 10m.")
        String interval,
    @JsonPropertyDescription(
            "Whether the operator leaves the source alone: objects stay, and changes of them are"
                + " not put right. Default: false.")
        Boolean paused,
    @JsonPropertyDescription(
            "Objects that the source had and no longer has, also when the source is removed from"
                + " addons. Delete deletes them, except Namespaces and CustomResourceDefinitions."
                + " Keep leaves them as long as prune is Keep: Delete later deletes them, too, and"
                + " so does a source with the same name. Default: Delete.")
        AddonPrune prune,
    @JsonPropertyDescription(
            "Fields that another field manager owns. Force takes them. Respect leaves such objects"
                + " alone, and reports them. Default: Force, but the built-in CoreDNS takes the"
                + " Service of another DNS only if Force is written.")
        AddonConflicts conflicts,
    @Size(max = 8)
        @JsonPropertyDescription(
            "Fields that others set: the operator does not send them, and does not put them right."
                + " For example spec.replicas of a Deployment that a HorizontalPodAutoscaler"
                + " scales.")
        List<AddonIgnoreRule> ignoreDifferences,
    @Size(max = 16)
        @JsonPropertyDescription(
            "Sources whose objects must be applied and healthy before the operator applies a new"
                + " revision of this source. For example [crds].")
        List<@Size(max = 36) String> dependsOn,
    @Min(5)
        @Max(86_400)
        @JsonPropertyDescription(
            "Seconds after which a revision that is not applied and healthy counts as failed. The"
                + " operator continues to try. Default: 300.")
        Integer timeoutSeconds,
    @JsonPropertyDescription(
            "Service account of the hosted cluster that the operator impersonates for this source,"
                + " for example {namespace: team-a, name: deployer}. The account's namespace holds"
                + " the inventory. docs/addons.md lists the rights that the account needs. Default:"
                + " the operator's own rights.")
        AddonAccountRef serviceAccount,
    @JsonPropertyDescription(
            "Objects that the operator makes itself. CoreDNS serves the DNS of Services at"
                + " the tenth address of network.serviceCIDRs. KubeProxy runs kube-proxy on nodes"
                + " that joined by no NodePool; hosts of node pools run their own. Default: none.")
        AddonBuiltIn builtIn,
    @JsonPropertyDescription("Changes of the objects of builtIn.") AddonSettings settings,
    @Size(min = 1, max = 32)
        @JsonPropertyDescription(
            "Of the files' CustomResourceDefinitions, take only these: KIND.GROUP, in which *"
                + " stands for any characters, for example Bucket.s3.aws.example.org or"
                + " *.s3.aws.example.org. Objects of kinds that are left out are left out, too."
                + " Needs prune: Keep. Default: all.")
        List<@Size(max = 253) @Pattern("^[A-Za-z0-9*][-A-Za-z0-9*.]*$") String> include,
    @Size(min = 1, max = 32)
        @JsonPropertyDescription(
            "Leave out these CustomResourceDefinitions, and objects of their kinds: KIND.GROUP, as"
                + " in include. Needs prune: Keep. Default: none.")
        List<@Size(max = 253) @Pattern("^[A-Za-z0-9*][-A-Za-z0-9*.]*$") String> exclude,
    @JsonPropertyDescription(
            "Whether CustomResourceDefinitions are applied even if the kube-apiservers have too"
                + " little memory for them. Otherwise, the operator applies nothing of such a"
                + " source, and SizingValid has the reason DefinitionsDoNotFit. Default: false.")
        Boolean acceptMemory) {
  private static final Duration INTERVAL = Duration.ofMinutes(10);
  private static final int TIMEOUT = 300;

  /** How long until the source is read again. */
  public Duration effectiveInterval() {
    return Durations.parse(interval, INTERVAL);
  }

  /** Whether the source is fetched from a registry or a repository. */
  public boolean mustBeFetched() {
    return oci != null || git != null;
  }

  /** How long a revision may take. */
  public Duration timeout() {
    return Duration.ofSeconds(timeoutSeconds == null ? TIMEOUT : timeoutSeconds);
  }

  /** Whether the source is to be left alone. */
  public boolean isPaused() {
    return Boolean.TRUE.equals(paused);
  }

  /** What happens to what the source no longer has. */
  public AddonPrune effectivePrune() {
    return prune == null ? AddonPrune.Delete : prune;
  }

  /** Whether fields of other managers are taken. */
  public boolean takesFields() {
    return conflicts != AddonConflicts.Respect;
  }

  /** Fields that are left to others. */
  public List<AddonIgnoreRule> ignored() {
    return ignoreDifferences == null ? List.of() : ignoreDifferences;
  }

  /** The same with objects in the spec itself; null for none that are known. */
  public AddonSpec withInline(String objects) {
    return new AddonSpec(
        name,
        objects,
        configMap,
        secret,
        oci,
        git,
        interval,
        paused,
        prune,
        conflicts,
        ignoreDifferences,
        dependsOn,
        timeoutSeconds,
        serviceAccount,
        builtIn,
        settings,
        include,
        exclude,
        acceptMemory);
  }

  /** Patterns for kinds that are taken; empty for all. */
  public List<String> included() {
    return include == null ? List.of() : include;
  }

  /** Patterns for kinds that are left out. */
  public List<String> excluded() {
    return exclude == null ? List.of() : exclude;
  }

  /** Whether definitions are applied for which there is too little memory. */
  public boolean acceptsMemory() {
    return Boolean.TRUE.equals(acceptMemory);
  }

  /** Names of sources that come first. */
  public List<String> needs() {
    return dependsOn == null ? List.of() : dependsOn;
  }
}
