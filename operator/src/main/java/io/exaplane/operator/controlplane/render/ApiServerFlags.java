// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.controlplane.render;

import static io.exaplane.tuning.version.Component.KUBE_APISERVER;

import io.exaplane.api.v1alpha1.ApiServerSpec;
import io.exaplane.api.v1alpha1.Criticality;
import io.exaplane.api.v1alpha1.NetworkSpec;
import io.exaplane.api.v1alpha1.ResourceRef;
import io.exaplane.api.v1alpha1.StorageSpec;
import io.exaplane.api.v1alpha1.StoreTemplate;
import io.exaplane.operator.controlplane.sizing.Tuned;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Command line and probe paths of kube-apiserver. Pure. */
public final class ApiServerFlags {
  public static final int PORT = 6443;
  static final String PKI = "/etc/kubernetes/pki/";
  private static final String SERVERS = "--etcd-servers=";
  private static final String OVERRIDES = "--etcd-servers-overrides=";
  private static final String ENCRYPTION = "--encryption-provider-config=";
  private static final String ADMISSION_PLUGINS = "enable-admission-plugins";

  private ApiServerFlags() {}

  static List<String> of(Inputs inputs, Tuned tuned) {
    var spec = inputs.controlPlane().spec();
    List<String> flags = new ArrayList<>();
    flags.add("--advertise-address=$(POD_IP)");
    flags.add("--allow-privileged=true");
    // Probes come without credentials; RBAC lets them see health and version only.
    flags.add("--anonymous-auth=true");
    flags.add("--authorization-mode=Node,RBAC");
    flags.add("--bind-address=::");
    flags.add("--client-ca-file=" + PKI + "ca.crt");
    // Webhooks and aggregated APIs are reached at their pods: no proxy lets this apiserver reach
    // the hosted cluster's Service addresses.
    flags.add("--enable-aggregator-routing=true");
    flags.add("--enable-admission-plugins=" + admissionPlugins(inputs));
    flags.add("--enable-bootstrap-token-auth=true");
    inputs
        .certificateEpoch()
        .rotation()
        .encryption()
        .ifPresent(file -> flags.add(ENCRYPTION + PKI + file));
    // The operator writes the endpoints of the Service kubernetes: they are the published address,
    // not this pod's.
    flags.add("--endpoint-reconciler-type=none");
    flags.add("--etcd-cafile=" + PKI + "store-ca.crt");
    flags.add("--etcd-certfile=" + PKI + "store-client.crt");
    flags.add("--etcd-keyfile=" + PKI + "store-client.key");
    flags.add(SERVERS + inputs.store(StorageSpec.DEFAULT_STORE).url());
    String overrides = overrides(inputs);
    if (!overrides.isEmpty()) {
      flags.add(OVERRIDES + overrides);
    }
    flags.add("--kubelet-certificate-authority=" + PKI + "ca.crt");
    flags.add("--kubelet-client-certificate=" + PKI + "kubelet-client.crt");
    flags.add("--kubelet-client-key=" + PKI + "kubelet-client.key");
    flags.add("--kubelet-preferred-address-types=InternalIP,ExternalIP,Hostname");
    flags.add("--proxy-client-cert-file=" + PKI + "front-proxy-client.crt");
    flags.add("--proxy-client-key-file=" + PKI + "front-proxy-client.key");
    flags.add("--requestheader-allowed-names=front-proxy-client");
    flags.add("--requestheader-client-ca-file=" + PKI + "front-proxy-ca.crt");
    flags.add("--requestheader-extra-headers-prefix=X-Remote-Extra-");
    flags.add("--requestheader-group-headers=X-Remote-Group");
    flags.add("--requestheader-username-headers=X-Remote-User");
    flags.add("--secure-port=" + PORT);
    flags.add(
        "--service-account-issuer=https://kubernetes.default.svc."
            + NetworkSpec.clusterDomain(spec.network()));
    flags.add("--service-account-key-file=" + PKI + "sa.pub");
    flags.add("--service-account-signing-key-file=" + PKI + "sa.key");
    flags.add(
        "--service-cluster-ip-range=" + String.join(",", NetworkSpec.serviceCIDRs(spec.network())));
    flags.add("--tls-cert-file=" + PKI + "apiserver.crt");
    flags.add("--tls-private-key-file=" + PKI + "apiserver.key");
    tuned.flags(KUBE_APISERVER).stream()
        .filter(flag -> !flag.startsWith("--" + ADMISSION_PLUGINS + "="))
        .forEach(flags::add);
    return flags;
  }

  /** NodeRestriction, without which any node could change every other, and what the user adds. */
  private static String admissionPlugins(Inputs inputs) {
    Set<String> plugins = new LinkedHashSet<>(List.of("NodeRestriction"));
    ApiServerSpec.extraArgs(inputs.controlPlane().spec().apiServer()).stream()
        .filter(argument -> argument.name().equals(ADMISSION_PLUGINS))
        .flatMap(argument -> Stream.of(argument.value().split(",")))
        .forEach(plugins::add);
    return String.join(",", plugins);
  }

  /** One override for each routed resource: {@code group/resource#url}. */
  private static String overrides(Inputs inputs) {
    return places(inputs).stream()
        .map(place -> place.resource() + "#" + place.url())
        .collect(Collectors.joining(","));
  }

  /**
   * A resource outside of the default store.
   *
   * @param store name of its store; null where the flag does not say that
   */
  private record Place(ResourceRef resource, String url, String store) {}

  /**
   * Resources that have a Service of their own come last, in the order in which they got it. The
   * routes of the spec change when one moves, and the flag must not.
   */
  private static List<Place> places(Inputs inputs) {
    Set<ResourceRef> own =
        inputs.routes().stream().map(Inputs.Route::resource).collect(Collectors.toSet());
    Stream<Place> plain =
        StorageSpec.routes(inputs.controlPlane().spec().storage()).stream()
            .filter(route -> !route.store().equals(StorageSpec.DEFAULT_STORE))
            .flatMap(
                route ->
                    route.resources().stream()
                        .filter(resource -> !own.contains(resource))
                        .map(
                            resource ->
                                new Place(
                                    resource, inputs.store(route.store()).url(), route.store())));
    return Stream.concat(
            plain,
            inputs.routes().stream().map(route -> new Place(route.resource(), route.url(), null)))
        .toList();
  }

  /**
   * Whether kube-apiservers of an earlier template reach every resource that has a Service of its
   * own: by the Service, or directly at the store that the Service leads to. A template from before
   * a switch leads them to a store that refuses them for good.
   */
  public static boolean reaches(PodTemplateSpec template, Inputs inputs) {
    List<String> command = template.getSpec().getContainers().getFirst().getCommand();
    String main = value(command, SERVERS);
    Map<String, String> places = new HashMap<>();
    for (String override : value(command, OVERRIDES).split(",")) {
      int hash = override.indexOf('#');
      if (hash > 0) {
        places.put(override.substring(0, hash), override.substring(hash + 1));
      }
    }
    return inputs.routes().stream()
        .allMatch(
            route -> {
              String url = places.getOrDefault(route.resource().toString(), main);
              return url.equals(route.url())
                  || inputs.stores().stream()
                      .anyMatch(
                          store -> store.name().equals(route.store()) && store.url().equals(url));
            });
  }

  /** Name of the file by which kube-apiservers of a template encrypt; "" for none. */
  public static String encryptionFile(PodTemplateSpec template) {
    return encryptionFile(template.getSpec());
  }

  /** The same of one pod, which may have containers of others as well. */
  public static String encryptionFile(PodSpec pod) {
    List<String> words =
        pod.getContainers().stream()
            .map(Container::getCommand)
            .filter(Objects::nonNull)
            .flatMap(List::stream)
            .toList();
    String path = value(words, ENCRYPTION);
    return path.substring(path.lastIndexOf('/') + 1);
  }

  private static String value(List<String> command, String flag) {
    return command.stream()
        .filter(word -> word.startsWith(flag))
        .map(word -> word.substring(flag.length()))
        .findFirst()
        .orElse("");
  }

  /** Liveness: never depends on a store, or a store's failure would kill every apiserver. */
  static String livenessPath() {
    return "/livez?exclude=etcd";
  }

  /**
   * Readiness: a lost BestEffort store doesn't count, and holds no resource with a Service of its
   * own. Since 1.34 kube-apiserver names the checks of override servers by their position in the
   * flag.
   */
  static String readinessPath(Inputs inputs) {
    List<String> bestEffort =
        StorageSpec.stores(inputs.controlPlane().spec().storage()).stream()
            .filter(store -> store.effectiveCriticality() == Criticality.BestEffort)
            .map(StoreTemplate::name)
            .toList();
    // Each set of servers has one check, numbered as the sets first come in the flag.
    Map<String, Place> servers = new LinkedHashMap<>();
    places(inputs).forEach(place -> servers.putIfAbsent(place.url(), place));
    StringBuilder path = new StringBuilder("/readyz");
    int number = 0;
    for (Place place : servers.values()) {
      if (place.store() != null && bestEffort.contains(place.store())) {
        path.append(path.indexOf("?") < 0 ? '?' : '&')
            .append("exclude=etcd-override-")
            .append(number)
            .append("&exclude=etcd-override-readiness-")
            .append(number);
      }
      number++;
    }
    return path.toString();
  }
}
