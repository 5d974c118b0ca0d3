// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.path;

import io.exaplane.tuning.model.Bytes;
import io.exaplane.tuning.model.Input;
import io.exaplane.tuning.model.InvalidInputException;
import io.exaplane.tuning.model.Numbers;
import io.exaplane.tuning.model.Shape;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The kind of server that carries one kube-apiserver, or one store, or one controller.
 *
 * @param cores of one server
 * @param memory of one server, bytes
 * @param network of one server, bits a second
 */
public record Servers(double cores, double memory, double network) {
  /** What is taken where nobody says otherwise; {@link #parse} reads it. */
  public static final String DEFAULT = "128c,512GiB,25Gbit";

  /** Of the memory, what the machine needs for itself. */
  private static final double OWN_PART = 0.05;

  private static final String NUMBER = "(\\d+(?:\\.\\d+)?)";
  private static final Pattern FORM =
      Pattern.compile(
          "(?i)"
              + NUMBER
              + "(?:c|cores?|v?cpus?),"
              + NUMBER
              + "([MGT])(i?)B?,"
              + NUMBER
              + "([MGT])(?:bit(?:/s)?|(?-i:bps|b/s|bE))");

  /**
   * Reads cores, memory and network, as {@code 128c,512GiB,25Gbit}.
   *
   * @throws InvalidInputException if the text is something else
   */
  public static Servers parse(String text) {
    Matcher matcher = FORM.matcher(text.replace(" ", ""));
    if (!matcher.matches()) {
      throw new InvalidInputException(
          "servers",
          text,
          "must be cores, memory and network of one server",
          "write all three, for example " + DEFAULT);
    }
    double memoryBase = matcher.group(4).isEmpty() ? 1_000 : 1_024;
    return new Servers(
        Double.parseDouble(matcher.group(1)),
        Double.parseDouble(matcher.group(2)) * Math.pow(memoryBase, power(matcher.group(3))),
        Double.parseDouble(matcher.group(5)) * Math.pow(1_000, power(matcher.group(6))));
  }

  private static int power(String prefix) {
    return "KMGT".indexOf(prefix.toUpperCase(Locale.ROOT)) + 1;
  }

  /** Memory of one server for its process, bytes, in whole MiB. */
  public double usableMemory() {
    return Math.floor((1 - OWN_PART) * memory / Bytes.MIB) * Bytes.MIB;
  }

  /**
   * The cluster on such servers. What the shape says of itself about cores, memory and network
   * stays.
   *
   * @throws InvalidInputException if no such server exists
   */
  public Shape carry(Shape shape) {
    String megabytes = plain(network / 8 / 1e6);
    Shape carried = with(shape, Input.APISERVER_CPUS, plain(cores));
    carried = with(carried, Input.LARGEST_NODE_MEMORY, plain(usableMemory() / Bytes.MIB) + "Mi");
    carried = with(carried, Input.APISERVER_BANDWIDTH, megabytes);
    return with(carried, Input.STORE_BANDWIDTH, megabytes);
  }

  private static String plain(double value) {
    return value == Math.rint(value)
        ? String.format(Locale.ROOT, "%.0f", value)
        : Double.toString(value);
  }

  private static Shape with(Shape shape, Input input, String value) {
    return shape.given(input).isPresent() ? shape : shape.with(input, value);
  }

  /** For people, as 128 cores, 512 GiB, 25 Gbit/s. */
  public String text() {
    return String.format(
        Locale.ROOT,
        "%s cores, %s, %s Gbit/s",
        Numbers.text(cores),
        Bytes.text(memory),
        Numbers.text(network / 1e9));
  }
}
