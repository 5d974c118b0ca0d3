// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.addr;

import io.exaplane.tuning.addr.AddressPlan.Asked;
import io.exaplane.tuning.version.VersionMatrix;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Plans from words such as provider=aws nodes=5000; other names are quotas. */
final class Plans {
  static final VersionMatrix MATRIX = VersionMatrix.load();
  static final Providers PROVIDERS = Providers.load();

  private Plans() {}

  static AddressPlan plan(String words) {
    return plan(inputs(words), quotas(words));
  }

  static AddressPlan plan(Map<AddressInput, String> inputs, Map<String, QuotaChange> quotas) {
    return AddressPlan.of(inputs, List.of(new Asked(inputs, quotas)), PROVIDERS, MATRIX);
  }

  static Map<AddressInput, String> inputs(String words) {
    Map<AddressInput, String> inputs = new EnumMap<>(AddressInput.class);
    pairs(words)
        .forEach((key, value) -> AddressInput.byKey(key).ifPresent(i -> inputs.put(i, value)));
    return inputs;
  }

  static Map<String, QuotaChange> quotas(String words) {
    return pairs(words).entrySet().stream()
        .filter(pair -> AddressInput.byKey(pair.getKey()).isEmpty())
        .collect(
            Collectors.toMap(
                Map.Entry::getKey,
                pair -> QuotaChange.of(pair.getKey(), Map.of("value", pair.getValue()))));
  }

  static Map<String, String> pairs(String words) {
    Map<String, String> pairs = new HashMap<>();
    for (String word : List.of(words.strip().split(" "))) {
      pairs.put(word.substring(0, word.indexOf('=')), word.substring(word.indexOf('=') + 1));
    }
    return pairs;
  }

  static String first(String words) {
    Limit first = plan(words).first().orElseThrow();
    return first.name() + " " + first.nodes().orElseThrow().text();
  }

  static Limit limit(AddressPlan plan, String name) {
    return plan.limitsOf(plan.parts().getFirst()).stream()
        .filter(limit -> limit.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  static long nodes(AddressPlan plan, String name) {
    return limit(plan, name).nodes().orElseThrow().toBigInteger().longValueExact();
  }
}
