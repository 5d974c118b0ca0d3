// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.model;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What people mean who write a value in another way: 5,000, 5k, 5e3, 64 GB, yes. */
final class Meant {
  private static final Pattern NUMBER =
      Pattern.compile("(\\d+(?:\\.\\d+)?(?:[eE]\\+?\\d)?) ?([kKmM])?");

  private static final Pattern BYTES =
      Pattern.compile("(\\d+(?:\\.\\d+)?) ?([KMGT])(I?)(?:B|BYTES?)?");

  private static final Set<String> TRUE = Set.of("true", "yes", "y", "on", "1");
  private static final Set<String> FALSE = Set.of("false", "no", "n", "off", "0");
  private static final int THOUSAND = 1000;

  private Meant() {}

  /** The value as it has to be written; nothing if nobody can know. */
  static Optional<String> by(Input.Type type, String value) {
    String bare = value.strip();
    return form(type, bare).filter(meant -> !meant.equals(value));
  }

  private static Optional<String> form(Input.Type type, String bare) {
    return switch (type) {
      case COUNT, NUMBER -> number(bare.replaceAll("(?<=\\d)[,_' ](?=\\d{3})", ""), type);
      case BYTES -> bytes(bare.toUpperCase(Locale.ROOT));
      case BOOLEAN -> bool(bare.toLowerCase(Locale.ROOT));
      default -> Optional.empty();
    };
  }

  private static Optional<String> number(String bare, Input.Type type) {
    Matcher number = NUMBER.matcher(bare);
    if (!number.matches()) {
      return Optional.empty();
    }
    String unit = number.group(2) == null ? "" : number.group(2).toLowerCase(Locale.ROOT);
    int times = unit.isEmpty() ? 1 : unit.equals("k") ? THOUSAND : THOUSAND * THOUSAND;
    BigDecimal meant = new BigDecimal(number.group(1)).multiply(BigDecimal.valueOf(times));
    boolean whole = meant.stripTrailingZeros().scale() <= 0;
    String text = meant.stripTrailingZeros().toPlainString();
    return whole || type == Input.Type.NUMBER ? Optional.of(text) : Optional.empty();
  }

  private static Optional<String> bytes(String bare) {
    Matcher bytes = BYTES.matcher(bare);
    return bytes.matches()
        ? Optional.of(bytes.group(1) + bytes.group(2) + bytes.group(3).toLowerCase(Locale.ROOT))
        : Optional.empty();
  }

  private static Optional<String> bool(String bare) {
    return TRUE.contains(bare)
        ? Optional.of("true")
        : FALSE.contains(bare) ? Optional.of("false") : Optional.empty();
  }
}
