// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.addr;

import com.fasterxml.jackson.databind.json.JsonMapper;
import io.exaplane.tuning.model.InvalidInputException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Collectors;

/** The providers that this module knows, from its file. Immutable. */
public record Providers(List<Provider> providers) {
  private static final String FILE = "providers.json";

  public Providers {
    providers = List.copyOf(providers);
  }

  /** Reads the file. */
  public static Providers load() {
    try (InputStream in = Providers.class.getResourceAsStream(FILE)) {
      return new JsonMapper().readValue(in, Providers.class);
    } catch (IOException e) {
      throw new UncheckedIOException(FILE + " cannot be read", e);
    }
  }

  /**
   * The provider of a name.
   *
   * @throws InvalidInputException if there is none
   */
  Provider byName(String name) {
    return providers.stream()
        .filter(provider -> provider.name().equals(name))
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidInputException(
                    AddressInput.PROVIDER.key(),
                    name,
                    "is not a known provider",
                    providers.stream()
                        .map(Provider::name)
                        .collect(
                            Collectors.joining(
                                ", ", "name one of ", " (for every other network)"))));
  }
}
