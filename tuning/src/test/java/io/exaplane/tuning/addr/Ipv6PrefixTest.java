// SPDX-License-Identifier: Apache-2.0
package io.exaplane.tuning.addr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigInteger;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class Ipv6PrefixTest {
  private static final int CASES = 5_000;

  /** RFC 5952, 4 and 5. */
  @ParameterizedTest
  @CsvSource({
    "2001:db8::1/128, 2001:db8::1/128",
    "2001:0DB8:0:0:0:0:2:1/128, 2001:db8::2:1/128",
    "2001:db8:0:1:1:1:1:1/128, 2001:db8:0:1:1:1:1:1/128",
    "2001:db8:0:0:1:0:0:1/128, 2001:db8::1:0:0:1/128",
    "2001:0:0:1:0:0:0:1/128, 2001:0:0:1::1/128",
    "0:0:0:0:0:0:0:0/1, ::/1",
    "::1/128, ::1/128",
    "fe80::/10, fe80::/10",
    "64:ff9b::192.0.2.33/128, 64:ff9b::c000:221/128",
    "::ffff:1.2.3.4/128, ::ffff:102:304/128",
    "2001:db8:1:2:3:4:5::/112, 2001:db8:1:2:3:4:5:0/112",
  })
  void writesEachInTheOneForm(String written, String expected) {
    assertThat(Ipv6Prefix.parse(written)).hasToString(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "2001:db8::",
        "2001:db8::/",
        "2001:db8::/-1",
        "2001:db8::/0",
        "2001:db8::/129",
        "2001:db8::/1000",
        "2001:db8::1/64",
        "::/0",
        "10.0.0.0/8",
        "1:2:3:4:5:6:7/64",
        "1:2:3:4:5:6:7:8:9/128",
        "1:2:3:4:5:6:7:8::/128",
        "1::2::3/128",
        ":1::/64",
        "1:/64",
        ":::/64",
        "12345::/64",
        "g::/64",
        "fe80::1%eth0/128",
        "::1.2.3/128",
        "::1.2.3.256/128",
        "::01.2.3.4/128",
        "1.2.3.4::/64",
        "example.org/64",
        " ::/64",
      })
  void refusesEverythingElse(String written) {
    assertThatThrownBy(() -> Ipv6Prefix.parse(written))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching("(must|has) .*");
  }

  /** In all ways to write them, as the JDK reads them. */
  @Test
  void readsAddressesAsTheJdkDoes() throws UnknownHostException {
    Random random = new Random(7);
    for (UInt128 address : UInt128Test.numbers(random, CASES)) {
      // Zero groups in the middle make gaps.
      UInt128 sparse = random.nextBoolean() ? address : address.and(new UInt128(-1L << 20, 0xff));
      String text = random.nextBoolean() ? Ipv6Text.format(sparse) : full(sparse, random);
      assertThat(Ipv6Text.parse(text)).as(text).isEqualTo(sparse);
      InetAddress jdk = InetAddress.getByName(text);
      if (jdk instanceof Inet6Address) {
        assertThat(new BigInteger(1, jdk.getAddress())).as(text).isEqualTo(sparse.toBigInteger());
      }
    }
  }

  private static String full(UInt128 address, Random random) {
    StringBuilder text = new StringBuilder();
    for (int i = 7; i >= 0; i--) {
      long group = address.shiftRight(16 * i).low() & 0xffff;
      text.append(String.format(Locale.ROOT, random.nextBoolean() ? "%04X" : "%x", group));
      text.append(i > 0 ? ":" : "");
    }
    return text.toString();
  }

  @Test
  void partsAndEndsAreThoseOfBigInteger() {
    Random random = new Random(11);
    for (int i = 0; i < CASES; i++) {
      Ipv6Prefix prefix = any(random);
      int partLength = prefix.length() + random.nextInt(129 - prefix.length());
      BigInteger first = prefix.first().toBigInteger();
      BigInteger size = BigInteger.TWO.pow(128 - prefix.length());
      assertThat(prefix.last().toBigInteger()).isEqualTo(first.add(size).subtract(BigInteger.ONE));
      assertThat(prefix.addresses().toBigInteger()).isEqualTo(size);
      BigInteger count = BigInteger.TWO.pow(partLength - prefix.length());
      assertThat(prefix.parts(partLength).toBigInteger()).isEqualTo(count);
      UInt128 index =
          new UInt128(random.nextLong(), random.nextLong())
              .shiftRight(128 - (partLength - prefix.length()));
      Ipv6Prefix part = prefix.part(partLength, index);
      assertThat(part.first().toBigInteger())
          .isEqualTo(first.add(index.toBigInteger().shiftLeft(128 - partLength)));
      assertThat(part.overlaps(prefix)).isTrue();
      assertThatThrownBy(() -> prefix.part(partLength, prefix.parts(partLength)))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void twoOverlapIfTheirEndsCross() {
    Random random = new Random(13);
    int overlapping = 0;
    for (int i = 0; i < CASES; i++) {
      Ipv6Prefix a = any(random);
      // Near each other, so that many overlap.
      int length = 1 + random.nextInt(128);
      UInt128 near =
          random.nextBoolean() ? a.first() : a.first().xor(UInt128.powerOfTwo(random.nextInt(128)));
      Ipv6Prefix b = new Ipv6Prefix(cut(near, length), length);
      boolean cross = a.first().compareTo(b.last()) <= 0 && b.first().compareTo(a.last()) <= 0;
      assertThat(a.overlaps(b)).as("%s %s", a, b).isEqualTo(cross);
      assertThat(b.overlaps(a)).as("%s %s", b, a).isEqualTo(cross);
      overlapping += cross ? 1 : 0;
    }
    assertThat(overlapping).isBetween(CASES / 10, CASES * 9 / 10);
  }

  private static Ipv6Prefix any(Random random) {
    int length = 1 + random.nextInt(128);
    return new Ipv6Prefix(cut(new UInt128(random.nextLong(), random.nextLong()), length), length);
  }

  private static UInt128 cut(UInt128 address, int length) {
    return address.shiftRight(128 - length).shiftLeft(128 - length);
  }
}
