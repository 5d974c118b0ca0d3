// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.builtin;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.exaplane.api.v1alpha1.AddonBuiltIn;
import io.exaplane.api.v1alpha1.AddonSettings;
import io.exaplane.api.v1alpha1.AddonSpec;
import io.exaplane.api.v1alpha1.ControlPlaneSpec;
import io.exaplane.api.v1alpha1.NetworkSpec;
import io.exaplane.operator.config.Images;
import io.exaplane.operator.net.ClusterDns;
import io.exaplane.operator.net.IpAddresses;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes the objects of built-in add-ons from the spec. Facts, such as the address of the API, stay
 * placeholders until {@link Facts} fills them in: a bundle pins the rest. Pure.
 */
public final class BuiltIns {
  /** What kubeadm 1.37 installs; testbed/versions.env names the same. */
  public static final String COREDNS = "1.14.6";

  private static final JsonMapper JSON = new JsonMapper();
  private static final YAMLMapper YAML = new YAMLMapper();
  private static final int REPLICAS = 2;

  /** What a Corefile calls the resolvers of the node. */
  private static final String OF_THE_NODE = "/etc/resolv.conf";

  private BuiltIns() {}

  /** The name under which a bundle pins a source, as {@code CoreDNS/dns}. */
  public static String name(AddonSpec addon) {
    return addon.builtIn().name() + "/" + addon.name();
  }

  /**
   * The objects of a source, by kind and name, as {@code Service/kube-dns}.
   *
   * @param addon a source with builtIn
   */
  public static ObjectNode objects(ControlPlaneSpec spec, AddonSpec addon, Images images) {
    String text =
        addon.builtIn() == AddonBuiltIn.CoreDNS
            ? coreDns(spec.network(), addon.settings(), images)
            : kubeProxy(spec.network(), addon.settings(), images);
    ObjectNode objects = JSON.createObjectNode();
    try (MappingIterator<JsonNode> all = YAML.readerFor(JsonNode.class).readValues(text)) {
      while (all.hasNext()) {
        JsonNode object = all.next();
        objects.set(
            object.path("kind").asText() + "/" + object.path("metadata").path("name").asText(),
            object);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("the template of %s".formatted(addon.builtIn()), e);
    }
    objects.forEach(object -> resources(object, requirements(addon)));
    return objects;
  }

  private static String coreDns(NetworkSpec network, AddonSettings settings, Images images) {
    List<String> upstreams = settings == null ? null : settings.upstreams();
    Integer replicas = settings == null ? null : settings.replicas();
    return template("coredns")
        .replace("${cluster-domain}", NetworkSpec.clusterDomain(network))
        .replace("${upstreams}", upstreams == null ? OF_THE_NODE : String.join(" ", upstreams))
        .replace("${dns-address}", dnsAddress(network))
        .replace("${replicas}", Integer.toString(replicas == null ? REPLICAS : replicas))
        .replace("${image}", image(settings, images.kubernetes("coredns/coredns", COREDNS)));
  }

  private static String kubeProxy(NetworkSpec network, AddonSettings settings, Images images) {
    return template("kube-proxy")
        .replace("${pod-cidrs}", String.join(",", NetworkSpec.podCIDRs(network)))
        .replace("${image}", image(settings, images.kubernetes("kube-proxy", Facts.VERSION)));
  }

  /** Where kubelets of node pools ask for names: the tenth address of Services. */
  static String dnsAddress(NetworkSpec network) {
    return IpAddresses.canonical(
        InetAddress.ofLiteral(ClusterDns.address(NetworkSpec.serviceCIDRs(network).getFirst())));
  }

  private static String image(AddonSettings settings, String otherwise) {
    return Optional.ofNullable(settings).map(AddonSettings::image).orElse(otherwise);
  }

  private static void resources(JsonNode object, ResourceRequirements requirements) {
    for (JsonNode container : object.at("/spec/template/spec/containers")) {
      ((ObjectNode) container).set("resources", JSON.valueToTree(requirements));
    }
  }

  private static ResourceRequirements requirements(AddonSpec addon) {
    if (addon.settings() != null && addon.settings().resources() != null) {
      return addon.settings().resources();
    }
    return addon.builtIn() == AddonBuiltIn.CoreDNS
        ? new ResourceRequirementsBuilder()
            .withRequests(Map.of("cpu", new Quantity("100m"), "memory", new Quantity("70Mi")))
            .withLimits(Map.of("memory", new Quantity("170Mi")))
            .build()
        : new ResourceRequirementsBuilder()
            .withRequests(Map.of("cpu", new Quantity("50m"), "memory", new Quantity("64Mi")))
            .build();
  }

  private static String template(String name) {
    String path = "/hosted/addons/%s.yaml".formatted(name);
    try (InputStream file = BuiltIns.class.getResourceAsStream(path)) {
      return new String(file.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
