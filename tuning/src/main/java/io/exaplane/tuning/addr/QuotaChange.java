// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.addr;

import io.exaplane.tuning.model.InvalidInputException;
import java.util.List;
import java.util.Map;

/**
 * What somebody knows better of a quota; null keeps the present value.
 *
 * @param value how many there are
 * @param used by others than the nodes of the plan
 * @param perNode how many a node uses; of a quota of subnets or blocks, how many each of these uses
 * @param source where the value is from
 * @param date of the source
 */
public record QuotaChange(Long value, Long used, Long perNode, String source, String date) {
  public static final String VALUE = "value";
  public static final String USED = "used";
  public static final String PER_NODE = "per-node";
  public static final String SOURCE = "source";
  public static final String DATE = "date";
  private static final List<String> FIELDS = List.of(VALUE, USED, PER_NODE, SOURCE, DATE);

  /** Keeps sums and products of quotas within 64 bits. */
  private static final long MOST = 1_000_000_000_000L;

  /**
   * Reads the fields of a quota, as a file has them.
   *
   * @param quota its name, for errors
   * @throws InvalidInputException if a field is unknown, or a value can't be
   */
  public static QuotaChange of(String quota, Map<String, String> fields) {
    for (String field : fields.keySet()) {
      if (!FIELDS.contains(field)) {
        throw new InvalidInputException(
            "quotas", field, "is not a field of a quota", "use " + String.join(", ", FIELDS));
      }
    }
    return new QuotaChange(
        number(quota, fields, VALUE, 0),
        number(quota, fields, USED, 0),
        number(quota, fields, PER_NODE, 1),
        fields.getOrDefault(SOURCE, "unknown"),
        fields.getOrDefault(DATE, "unknown"));
  }

  private static Long number(String quota, Map<String, String> fields, String field, long least) {
    String text = fields.get(field);
    return text == null
        ? null
        : Long.valueOf(Values.number("%s of quota %s".formatted(field, quota), text, least, MOST));
  }
}
