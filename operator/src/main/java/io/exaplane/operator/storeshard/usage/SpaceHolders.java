// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.storeshard.usage;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToLongFunction;

/**
 * Who holds the space of a store: groups of keys, in no order. Immutable.
 *
 * @param kinds by Kind
 * @param namespaces by Kind and namespace
 */
public record SpaceHolders(List<Share> kinds, List<Share> namespaces) {
  /** Of whom nothing is known. */
  public static final SpaceHolders UNKNOWN = new SpaceHolders(List.of(), List.of());

  private static final JsonMapper JSON = new JsonMapper();

  /**
   * Keys of a group.
   *
   * @param kind as in pods or widgets.example.com
   * @param namespace "" if there is none
   * @param prefix with which the keys begin; "" if that is not known
   * @param bytes of their newest versions
   * @param load bytes of a kube-apiserver's memory for them
   */
  public record Share(
      String kind, String namespace, String prefix, long keys, long bytes, long load) {
    /** Keys of a group of whose load nothing is known. */
    public Share(String kind, String namespace, String prefix, long keys, long bytes) {
      this(kind, namespace, prefix, keys, bytes, 0);
    }

    /** What counts for a limit. */
    public long amount(SpaceUse.Limit limit) {
      return switch (limit) {
        case QUOTA -> bytes;
        case LOAD -> load;
        case KEYS -> keys;
      };
    }
  }

  /** From the page of metrics, which knows no namespaces and costs the store nothing. */
  static SpaceHolders of(StorePage page) {
    return new SpaceHolders(
        page.kinds().entrySet().stream()
            .map(
                kind ->
                    new Share(
                        kind.getKey(),
                        "",
                        "",
                        0,
                        kind.getValue(),
                        page.load().kinds().getOrDefault(kind.getKey(), 0L)))
            .toList(),
        List.of());
  }

  /** From the page {@code /usage}; nothing if it is not one. */
  static Optional<SpaceHolders> parse(String page) {
    try {
      JsonNode root = JSON.readTree(page);
      return root.path("kinds").isArray() && root.path("namespaces").isArray()
          ? Optional.of(new SpaceHolders(shares(root, "kinds"), shares(root, "namespaces")))
          : Optional.empty();
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }

  private static List<Share> shares(JsonNode root, String field) {
    List<Share> shares = new ArrayList<>();
    for (JsonNode share : root.path(field)) {
      shares.add(
          new Share(
              share.path("kind").asText(),
              share.path("namespace").asText(),
              share.path("prefix").asText(),
              share.path("keys").asLong(),
              share.path("bytes").asLong(),
              share.path("loadBytes").asLong()));
    }
    return List.copyOf(shares);
  }

  /** The Kinds of which a limit holds most, that with the most first. */
  public List<Share> mostOfKinds(SpaceUse use, int number) {
    return most(kinds, use, number);
  }

  /** The namespaces, each with the Kind that has most of it. */
  public List<Share> mostOfNamespaces(SpaceUse use, int number) {
    Map<String, Share> sums = new LinkedHashMap<>();
    most(namespaces, use, Integer.MAX_VALUE).stream()
        .filter(share -> !share.namespace().isEmpty())
        .forEach(
            share ->
                sums.merge(
                    share.namespace(),
                    share,
                    (all, next) ->
                        new Share(
                            all.kind(),
                            all.namespace(),
                            "",
                            all.keys() + next.keys(),
                            all.bytes() + next.bytes(),
                            all.load() + next.load())));
    return most(List.copyOf(sums.values()), new SpaceUse(null, use.limit(), null, 0, 1), number);
  }

  private static List<Share> most(List<Share> shares, SpaceUse use, int number) {
    ToLongFunction<Share> amount = share -> share.amount(use.limit());
    return shares.stream()
        .filter(share -> use.prefix() == null || isUnder(share, use.prefix()))
        .filter(share -> amount.applyAsLong(share) > 0)
        .sorted(Comparator.comparingLong(amount).reversed().thenComparing(Share::kind))
        .limit(number)
        .toList();
  }

  /** Whether a group's keys have a prefix, or, for all that is known, some of them. */
  private static boolean isUnder(Share share, String prefix) {
    return share.prefix().startsWith(prefix)
        || !share.prefix().isEmpty() && prefix.startsWith(share.prefix());
  }
}
