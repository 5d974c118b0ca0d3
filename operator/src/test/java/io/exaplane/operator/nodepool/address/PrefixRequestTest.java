// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.address;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.operator.net.AddressRange;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A text of a host is a network, or the answer names the rule that the text breaks. */
class PrefixRequestTest {
  private static final String NO_NETWORK = "must be an IPv6 network, for example 2001:db8:0:1::/64";

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          2001:db8::/64                           | 2001:db8::/64
          2001:DB8:0:0::/64                       | 2001:db8::/64
          2001:0db8:0000:0001:0000:0000:0000:0000/80 | 2001:db8:0:1::/80
          2001:db8:0:1:0:2:0:0/112                | 2001:db8:0:1:0:2::/112
          2001:0:0:1::/64                         | 2001:0:0:1::/64
          2001:db8:0:1:1:1:1:1/128                | 2001:db8:0:1:1:1:1:1/128
          ::/0                                    | ::/0
          ::1/128                                 | ::1/128
          1::/16                                  | 1::/16
          ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/128 | ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff/128
          """)
  void aNetworkIsReadAndWrittenAsKubernetesDoes(String text, String canonical) {
    PrefixRequest read = PrefixRequest.read(text);
    assertThat(read.prefix().map(Prefix::toString)).contains(canonical);
    assertThat(read.problem()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          10.244.0.0/24          | 'exaplane.io/pod-prefix ''10.244.0.0/24'' %s'
          ::ffff:10.1.0.0/112    | %s
          ::ffff:0:0/96          | %s
          2001:db8::             | %s
          2001:db8::/            | %s
          /64                    | %s
          2001:db8::/064         | %s
          2001:db8::/+64         | %s
          2001:db8::/-1          | %s
          2001:db8::/٦٤          | 'exaplane.io/pod-prefix ''2001:db8::/??'' %s'
          2001:db８::/64         | %s
          fe80::%%eth0/64        | %s
          [2001:db8::]/64        | %s
          ' 2001:db8::/64'       | %s
          '2001:db8::/64,2001:db8:1::/64' | %s
          2001:db8:::/64         | %s
          2001:db8::g/64         | %s
          example.com/64         | %s
          1:2:3:4:5:6:7:8:9/64   | %s
          none: the DHCPv6 lease has ended | 'exaplane.io/pod-prefix ''none: the DHCPv6 lease has ended'' %s'
          2001:db8::/129         | must have a length of at most 128
          2001:db8::/999         | must have a length of at most 128
          2001:db8::1/64         | has bits behind its length; the network is 2001:db8::/64
          2001:db8:0:1::/48      | has bits behind its length; the network is 2001:db8::/48
          """)
  void anythingElseIsNamed(String text, String said) {
    PrefixRequest read = PrefixRequest.read(text.replace("%%", "%"));
    assertThat(read.prefix()).isEmpty();
    assertThat(read.problem()).contains(said.replace("%s", NO_NETWORK)).hasSizeLessThan(200);
    assertThat(read.problem()).matches("[ -~]+");
  }

  @Test
  void aLongTextIsCut() {
    String problem = PrefixRequest.read("2001:db8::/64" + "0".repeat(200_000)).problem();
    assertThat(problem).contains("...").hasSizeLessThan(200);
    assertThat(PrefixRequest.read("a\nb\u0007").problem()).contains("'a?b?'");
  }

  /** Seeded. */
  @Test
  void whatIsWrittenIsReadAgain() throws Exception {
    Random random = new Random(7);
    for (int i = 0; i < 20_000; i++) {
      byte[] address = new byte[16];
      random.nextBytes(address);
      for (int b = 0; b < 16; b++) {
        address[b] = random.nextInt(3) == 0 ? address[b] : 0;
      }
      address[0] = 0x20;
      int bits = random.nextInt(129);
      Prefix prefix = Prefix.of((Inet6Address) InetAddress.getByAddress(address), bits);
      assertThat(PrefixRequest.read(prefix.toString()).prefix()).contains(prefix);
      AddressRange range = AddressRange.of(prefix.toString());
      assertThat(Prefix.of(range)).contains(prefix);
      Prefix other =
          Prefix.of((Inet6Address) InetAddress.getByAddress(address), random.nextInt(129))
              .within(random.nextInt(129));
      assertThat(prefix.overlaps(other))
          .isEqualTo(range.overlaps(AddressRange.of(other.toString())));
    }
  }
}
