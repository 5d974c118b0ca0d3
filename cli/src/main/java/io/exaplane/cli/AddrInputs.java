// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import io.exaplane.tuning.addr.AddressInput;
import io.exaplane.tuning.addr.AddressPlan.Asked;
import io.exaplane.tuning.addr.QuotaChange;
import io.exaplane.tuning.model.InvalidInputException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.ParseResult;

/** The inputs of a plan of addresses: from a file, and from options. Used by one thread. */
final class AddrInputs {
  private static final String QUOTAS = "quotas";
  private static final String PARTS = "parts";
  private static final String OPTION = "your option";

  /** Inputs as they are written, and the fields of quotas by the quota's name. */
  private static final class Given {
    final Map<AddressInput, String> inputs = new EnumMap<>(AddressInput.class);
    final Map<String, Map<String, String>> quotas = new LinkedHashMap<>();

    Asked asked() {
      Map<String, QuotaChange> changes = new LinkedHashMap<>();
      quotas.forEach((name, fields) -> changes.put(name, QuotaChange.of(name, fields)));
      return new Asked(Map.copyOf(inputs), changes);
    }
  }

  private final Given whole = new Given();
  private final List<Given> parts = new ArrayList<>();

  /**
   * Takes the inputs of a file.
   *
   * @throws InvalidInputException if it can't be read, or has an unknown input
   */
  void read(Path file) {
    InputFile.read(file)
        .forEach(
            (key, value) -> {
              if (key.equals(PARTS)) {
                parts(value, file);
              } else {
                take(whole, key, value, file, false);
              }
            });
    if (!parts.isEmpty() && whole.inputs.containsKey(AddressInput.NODES)) {
      throw ambiguous(AddressInput.NODES.key(), whole.inputs.get(AddressInput.NODES));
    }
    if (!parts.isEmpty() && !whole.quotas.isEmpty()) {
      throw ambiguous(QUOTAS, String.join(",", whole.quotas.keySet()));
    }
    // Parts have the inputs that they lack from the file.
    for (Given part : parts) {
      whole.inputs.forEach(
          (input, value) -> {
            if (input.ofPart()) {
              part.inputs.putIfAbsent(input, value);
            }
          });
    }
  }

  private void parts(Object value, Path file) {
    if (!(value instanceof List<?> list) || list.isEmpty()) {
      throw new InvalidInputException(
          PARTS,
          InputFile.text(value),
          "must be a list of networks",
          "write '- provider: NAME' for each");
    }
    for (Object each : list) {
      if (!(each instanceof Map<?, ?> map)) {
        throw new InvalidInputException(
            PARTS, InputFile.text(each), "must be a map of inputs", "write '- provider: NAME'");
      }
      Given part = new Given();
      map.forEach((key, input) -> take(part, String.valueOf(key), input, file, true));
      parts.add(part);
    }
  }

  private static void take(Given given, String key, Object value, Path file, boolean part) {
    if (key.equals(QUOTAS)) {
      quotas(given, value, file);
      return;
    }
    AddressInput input = AddressInput.byKey(key).orElseThrow(() -> InputFile.unknown(key));
    if (part && !input.ofPart()) {
      throw new InvalidInputException(
          PARTS, key, "is an input of the whole cluster", "write it beside 'parts'");
    }
    given.inputs.put(input, InputFile.text(value));
  }

  private static void quotas(Given given, Object value, Path file) {
    if (!(value instanceof Map<?, ?> map)) {
      throw new InvalidInputException(
          QUOTAS,
          InputFile.text(value),
          "must be a map from names to numbers",
          "write 'quotas: {NAME: COUNT}'");
    }
    map.forEach(
        (name, quota) -> {
          Map<String, String> fields = new LinkedHashMap<>();
          fields.put(QuotaChange.SOURCE, file.toString());
          if (quota instanceof Map<?, ?> said) {
            said.forEach((field, text) -> fields.put(String.valueOf(field), InputFile.text(text)));
          } else {
            fields.put(QuotaChange.VALUE, InputFile.text(quota));
          }
          given.quotas.put(String.valueOf(name), fields);
        });
  }

  /**
   * Takes the inputs that are options.
   *
   * @throws InvalidInputException if one is ambiguous, since the file has parts
   */
  void takeOptions(ParseResult options) {
    for (AddressInput input : AddressInput.values()) {
      String name = "--" + input.key();
      if (options.hasMatchedOption(name)) {
        String value = options.matchedOptionValue(name, "");
        if (!parts.isEmpty() && input.ofPart()) {
          throw ambiguous(input.key(), value);
        }
        whole.inputs.put(input, value);
      }
    }
  }

  /** Takes quotas, what is used of them, and what a node uses. */
  void takeQuotas(Map<String, String> values, Map<String, String> used, Map<String, String> each) {
    values.forEach(
        (name, value) -> {
          Map<String, String> fields = fields(name, value);
          fields.put(QuotaChange.VALUE, value);
          fields.put(QuotaChange.SOURCE, OPTION);
          fields.remove(QuotaChange.DATE);
        });
    used.forEach((name, value) -> fields(name, value).put(QuotaChange.USED, value));
    each.forEach((name, value) -> fields(name, value).put(QuotaChange.PER_NODE, value));
  }

  private Map<String, String> fields(String quota, String value) {
    if (!parts.isEmpty()) {
      throw ambiguous(quota, value);
    }
    return whole.quotas.computeIfAbsent(quota, name -> new LinkedHashMap<>());
  }

  private static InvalidInputException ambiguous(String field, String value) {
    return new InvalidInputException(
        field, value, "is ambiguous, since the file has parts", "write it in a part of the file");
  }

  /** Whether a network is described; if not, all providers are compared. */
  boolean namesProvider() {
    return !parts.isEmpty() || whole.inputs.containsKey(AddressInput.PROVIDER);
  }

  /**
   * Inputs for every provider.
   *
   * @throws InvalidInputException if one makes sense for a single provider only
   */
  Map<AddressInput, String> forAll() {
    whole.inputs.forEach(
        (input, value) -> {
          if (input.ofPart() && input != AddressInput.NODES) {
            throw needsProvider(input.key(), value);
          }
        });
    whole.quotas.forEach(
        (name, fields) -> {
          throw needsProvider(name, fields.toString());
        });
    return whole.inputs;
  }

  private static InvalidInputException needsProvider(String field, String value) {
    return new InvalidInputException(
        field, value, "belongs to one provider, but no provider is named", "add --provider NAME");
  }

  /** Inputs of the whole cluster. */
  Map<AddressInput, String> common() {
    return whole.inputs;
  }

  /** Inputs of each network. */
  List<Asked> parts() {
    return parts.isEmpty() ? List.of(whole.asked()) : parts.stream().map(Given::asked).toList();
  }
}
