// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.model;

import io.exaplane.tuning.version.GoNumbers;
import io.exaplane.tuning.version.MinorVersion;
import io.exaplane.tuning.version.PatchVersion;
import io.exaplane.tuning.version.VersionMatrix;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/** What is known of a cluster: the inputs that were given, defaults for the rest. Immutable. */
public final class Shape {
  private static final Pattern ACCOUNT =
      Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?/[a-z0-9]([-a-z0-9.]*[a-z0-9])?");

  /** What etcd's documentation has as the most (server/storage/quota.go). */
  private static final double ETCD_QUOTA = 8 * Bytes.GIB;

  private final Map<Input, String> given;
  private final MinorVersion version;

  private Shape(Map<Input, String> given, MinorVersion version) {
    this.given = given;
    this.version = version;
  }

  /**
   * Checks the inputs and makes a shape of them.
   *
   * @throws InvalidInputException for the first that can't be
   */
  public static Shape of(Map<Input, String> inputs, VersionMatrix matrix) {
    EnumMap<Input, String> given = new EnumMap<>(Input.class);
    given.putAll(inputs);
    given.forEach(Shape::check);
    List<MinorVersion> known = matrix.minors();
    MinorVersion version =
        Optional.ofNullable(given.get(Input.KUBERNETES_VERSION))
            .map(MinorVersion::parse)
            .orElse(known.getLast());
    if (!known.contains(version)) {
      throw new InvalidInputException(
          Input.KUBERNETES_VERSION.key(),
          given.get(Input.KUBERNETES_VERSION),
          "must lie between " + known.getFirst() + " and " + known.getLast(),
          written(given.get(Input.KUBERNETES_VERSION))
                  && known.contains(MinorVersion.of(10 * version.minor()))
              ? "if you mean 1.%s0, write that, and quote it in YAML"
                  .formatted(given.get(Input.KUBERNETES_VERSION).substring(2))
              : "flags and gates of other versions are unknown");
    }
    return new Shape(given, version);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Shape shape
        && given.equals(shape.given)
        && version.equals(shape.version);
  }

  @Override
  public int hashCode() {
    return given.hashCode();
  }

  /** YAML makes 1.3 of 1.30. */
  private static boolean written(String version) {
    return version.matches("1\\.[3-9]");
  }

  /** The same with another value. */
  public Shape with(Input input, String value) {
    EnumMap<Input, String> changed = new EnumMap<>(Input.class);
    changed.putAll(given);
    changed.put(input, value);
    check(input, value);
    return new Shape(
        changed, input == Input.KUBERNETES_VERSION ? MinorVersion.parse(value) : version);
  }

  private static void check(Input input, String value) {
    try {
      switch (input.type()) {
        case VERSION -> MinorVersion.parse(value);
        case COUNT -> inRange(input, wholeNumber(value));
        case NUMBER -> inRange(input, number(value));
        case BYTES -> inRange(input, Bytes.parse(value));
        case BOOLEAN ->
            require(value.equals("true") || value.equals("false"), "must be true or false");
        case WORD -> require(!value.isBlank(), "must not be empty");
        case ACCOUNTS ->
            words(value)
                .forEach(
                    word ->
                        require(
                            ACCOUNT.matcher(word).matches(),
                            "must be namespace/serviceaccount, separated by commas"));
        case CIDRS -> checkCidrs(value);
      }
    } catch (IllegalArgumentException e) {
      throw new InvalidInputException(
          input.key(),
          value,
          e.getMessage(),
          Meant.by(input.type(), value).map(meant -> "write " + meant).orElse("correct the value")
              + " or omit the input (%s; default: %s)"
                  .formatted(input.meaning(), input.defaultText()));
    }
  }

  private static void checkCidrs(String value) {
    List<Cidr> cidrs = words(value).stream().map(Cidr::parse).toList();
    require(
        cidrs.size() <= 2 && cidrs.stream().map(Cidr::ipv6).distinct().count() == cidrs.size(),
        "must have at most one range of each address family");
  }

  private static double number(String value) {
    try {
      double number = GoNumbers.decimal(value);
      require(Double.isFinite(number), "must be a number");
      return number;
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("must be a number", e);
    }
  }

  private static long wholeNumber(String value) {
    try {
      return Long.parseLong(value);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("must be a whole number", e);
    }
  }

  private static void inRange(Input input, double value) {
    boolean bytes = input.type() == Input.Type.BYTES;
    require(
        value >= input.min() && value <= input.max(),
        "must lie between "
            + (bytes ? Bytes.text(input.min()) : Numbers.text(input.min()))
            + " and "
            + (bytes ? Bytes.text(input.max()) : Numbers.text(input.max())));
  }

  private static void require(boolean holds, String rule) {
    if (!holds) {
      throw new IllegalArgumentException(rule);
    }
  }

  private static List<String> words(String value) {
    return Arrays.stream(value.split(","))
        .map(String::strip)
        .filter(word -> !word.isEmpty())
        .toList();
  }

  public MinorVersion version() {
    return version;
  }

  /** The version with its patch, if that was given. */
  public PatchVersion patchVersion() {
    return given(Input.KUBERNETES_VERSION)
        .map(PatchVersion::parse)
        .orElseGet(() -> new PatchVersion(version, OptionalInt.empty()));
  }

  /** What was given for an input, as it was written. */
  public Optional<String> given(Input input) {
    return Optional.ofNullable(given.get(input));
  }

  /** An input of the type COUNT or NUMBER or BYTES; it must have a default if it was not given. */
  public double number(Input input) {
    return given(input).map(value -> read(input, value)).orElseGet(() -> defaultOf(input));
  }

  /** As number, for one that may be unknown or is chosen by the model. */
  public Optional<Double> knownNumber(Input input) {
    return given(input).map(value -> read(input, value));
  }

  public boolean isTrue(Input input) {
    return Boolean.parseBoolean(given(input).orElse(input.defaultText()));
  }

  /** The words of an input that has more than one. */
  public List<String> list(Input input) {
    return given(input).map(Shape::words).orElse(List.of());
  }

  public List<Cidr> cidrs(Input input) {
    return list(input).stream().map(Cidr::parse).toList();
  }

  public double nodes() {
    return number(Input.NODES);
  }

  public double pods() {
    return nodes() * number(Input.PODS_PER_NODE);
  }

  /** Bytes that one store takes; nothing for one that is given the memory that it needs. */
  public Optional<Double> storeQuota() {
    return given(Input.STORE_QUOTA).isEmpty() && isTrue(Input.EXAPLANE_STORES)
        ? Optional.empty()
        : Optional.of(number(Input.STORE_QUOTA));
  }

  private static double read(Input input, String value) {
    return input.type() == Input.Type.BYTES ? Bytes.parse(value) : Double.parseDouble(value);
  }

  private double defaultOf(Input input) {
    return switch (input) {
      case POD_CHURN -> 2 * pods() / 14_400;
      case SERVICES -> Math.ceil(pods() / 15);
      case STORE_QUOTA -> ETCD_QUOTA;
      case STORE_WRITES -> StoreRate.of(nodes(), isTrue(Input.EXAPLANE_STORES));
      case GROUP_VERSIONS -> 33 + Math.ceil(number(Input.CUSTOM_RESOURCE_DEFINITIONS) / 5);
      default -> read(input, input.defaultText());
    };
  }
}
