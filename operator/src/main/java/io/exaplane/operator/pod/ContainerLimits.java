// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pod;

import io.exaplane.tuning.model.Bytes;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceRequirements;
import io.fabric8.kubernetes.api.model.ResourceRequirementsBuilder;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * Requests and limits of cores and memory for a container that lacks some. A namespace with a
 * ResourceQuota takes no pod without them, and a LimitRange puts its own in their place, which may
 * be below what the container asks for. The limits are roomy: they are there to be named, and hold
 * nothing back that works. Pure.
 */
public final class ContainerLimits {
  private static final String CPU = "cpu";
  private static final String MEMORY = "memory";
  private static final int TIMES = 4;
  private static final long LEAST_MEBIBYTES = 4096;
  private static final int LEAST_MILLICORES = 2000;
  private static final Quantity CORES = new Quantity("50m");
  private static final Quantity LITTLE_MEMORY = new Quantity("128Mi");

  /** Of a container of which nobody knows what it takes. */
  private static final Quantity UNKNOWN_MEMORY = new Quantity("16Gi");

  private ContainerLimits() {}

  /** What a container asks for of which nothing else is known, without limits. */
  public static ResourceRequirements unknown() {
    return requests(CORES, LITTLE_MEMORY);
  }

  /** Requests without limits. */
  public static ResourceRequirements requests(Quantity cores, Quantity memory) {
    return new ResourceRequirementsBuilder()
        .addToRequests(CPU, cores)
        .addToRequests(MEMORY, memory)
        .build();
  }

  /**
   * The same with what is missing of cores and memory. A limit alone is a request as well, as for
   * the API server.
   */
  public static ResourceRequirements complete(ResourceRequirements resources) {
    ResourceRequirements own = resources == null ? new ResourceRequirements() : resources;
    ResourceRequirementsBuilder all = new ResourceRequirementsBuilder(own);
    for (String amount : new String[] {CPU, MEMORY}) {
      if (get(own.getLimits(), amount).isEmpty()) {
        Quantity request =
            get(own.getRequests(), amount).orElse(amount.equals(CPU) ? CORES : LITTLE_MEMORY);
        all.addToRequests(amount, request);
        all.addToLimits(amount, limit(amount, request));
      }
    }
    return all.build();
  }

  /**
   * The same with a limit of memory, where there is a request alone whose added limit would be less
   * than the container is expected to need: somebody who asks for little did not ask for an end.
   */
  public static ResourceRequirements roomy(ResourceRequirements own, Quantity needed) {
    if (own == null || get(own.getLimits(), MEMORY).isPresent()) {
      return own;
    }
    return get(own.getRequests(), MEMORY)
        .map(request -> limit(MEMORY, request))
        .filter(limit -> limit.getNumericalAmount().compareTo(needed.getNumericalAmount()) < 0)
        .map(little -> new ResourceRequirementsBuilder(own).addToLimits(MEMORY, needed).build())
        .orElse(own);
  }

  /** The same without the limits that were only added: what others decided about a container. */
  public static ResourceRequirements chosen(ResourceRequirements resources) {
    if (resources == null) {
      return null;
    }
    ResourceRequirementsBuilder own = new ResourceRequirementsBuilder(resources);
    for (String amount : new String[] {CPU, MEMORY}) {
      Optional<Quantity> request = get(resources.getRequests(), amount);
      Optional<Quantity> limit = get(resources.getLimits(), amount);
      if (request.isPresent() && limit.equals(request.map(asked -> limit(amount, asked)))) {
        own.removeFromLimits(amount);
      }
    }
    return own.build();
  }

  /**
   * Whether a container that runs was made from these resources before limits were added: such a
   * container stays as it is until its pod is replaced for another reason.
   */
  public static boolean isBare(ResourceRequirements running, ResourceRequirements asked) {
    return !isSame(asked, complete(asked)) && isSame(running, asked);
  }

  /** Whether the API server takes both for the same. */
  public static boolean isSame(ResourceRequirements one, ResourceRequirements other) {
    return full(one).equals(full(other));
  }

  /** What a container asks for beside cores and memory, for another one of the same pod. */
  public static ResourceRequirements withOthers(
      ResourceRequirements resources, ResourceRequirements pod) {
    ResourceRequirementsBuilder all = new ResourceRequirementsBuilder(resources);
    others(pod == null ? null : pod.getRequests()).forEach(all::addToRequests);
    others(pod == null ? null : pod.getLimits()).forEach(all::addToLimits);
    return all.build();
  }

  private static Map<String, Quantity> others(Map<String, Quantity> amounts) {
    Map<String, Quantity> others = new HashMap<>(Objects.requireNonNullElse(amounts, Map.of()));
    others.keySet().retainAll(Set.of("ephemeral-storage"));
    return others;
  }

  /** As the API server fills it in. */
  private static Map<String, Map<String, Quantity>> full(ResourceRequirements resources) {
    Map<String, Quantity> limits = copy(resources == null ? null : resources.getLimits());
    Map<String, Quantity> requests = new HashMap<>(limits);
    requests.putAll(copy(resources == null ? null : resources.getRequests()));
    return Map.of("requests", requests, "limits", limits);
  }

  private static Map<String, Quantity> copy(Map<String, Quantity> amounts) {
    return amounts == null ? Map.of() : amounts;
  }

  private static Quantity limit(String amount, Quantity request) {
    BigDecimal times = request.getNumericalAmount().multiply(BigDecimal.valueOf(TIMES));
    if (amount.equals(CPU)) {
      long millicores = times.movePointRight(3).setScale(0, RoundingMode.UP).longValue();
      long limit = Math.max(LEAST_MILLICORES, millicores);
      return new Quantity(limit % 1000 == 0 ? Long.toString(limit / 1000) : limit + "m");
    }
    if (request.equals(LITTLE_MEMORY)) {
      return UNKNOWN_MEMORY;
    }
    long mebibytes =
        times
            .divide(BigDecimal.valueOf((long) Bytes.MIB), 0, RoundingMode.UP)
            .max(BigDecimal.valueOf(LEAST_MEBIBYTES))
            .longValue();
    return ContainerRequests.mebibytes(mebibytes);
  }

  private static Optional<Quantity> get(Map<String, Quantity> amounts, String amount) {
    return amounts == null ? Optional.empty() : Optional.ofNullable(amounts.get(amount));
  }
}
