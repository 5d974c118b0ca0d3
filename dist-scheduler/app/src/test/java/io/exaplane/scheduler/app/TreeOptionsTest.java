// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.exaplane.scheduler.grpc.TreeAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class TreeOptionsTest {
  @Command
  private static final class Options {
    @Mixin private TreeOptions tree;
  }

  private static TreeOptions.Place place(String... words) throws TreeOptions.InvalidException {
    Options options = new Options();
    new CommandLine(options).parseArgs(words);
    return options.tree.place("host");
  }

  @Test
  void withoutAnyItIsARootByItself() throws Exception {
    TreeOptions.Place place = place();
    assertThat(place.role()).isEqualTo(TreeOptions.Role.ROOT);
    assertThat(place.listen()).isNull();
    assertThat(place.name()).isEqualTo("host");
  }

  @Test
  void parentsAreInTheirOrder() throws Exception {
    TreeOptions.Place place =
        place("--role=shard", "--tree-parents=[::1]:7,127.0.0.1:8", "--tree-name=s");
    assertThat(place.parents())
        .containsExactly(new TreeAddress("::1", 7), new TreeAddress("127.0.0.1", 8));
    assertThat(place.parents().getFirst()).hasToString("[::1]:7");
  }

  @Test
  void thoseThatAreAsGoodTakeTurns() throws Exception {
    String parents = "--tree-parents=[::1]:1+[::1]:2+[::1]:3,[::1]:9";
    assertThat(ports(place("--role=shard", parents, "--tree-name=pool-shard-0")))
        .containsExactly(1, 2, 3, 9);
    assertThat(ports(place("--role=shard", parents, "--tree-name=pool-shard-4")))
        .containsExactly(2, 3, 1, 9);
    assertThat(ports(place("--role=shard", parents, "--tree-name=elsewhere")))
        .hasSize(4)
        .endsWith(9);
    refuses("--tree-parents: '' is not an address", "--role=shard", "--tree-parents=[::1]:1+");
  }

  private static List<Integer> ports(TreeOptions.Place place) {
    return place.parents().stream().map(TreeAddress::port).toList();
  }

  @Test
  void whatMakesNoSenseIsNamed() {
    refuses("--role: 'leaf' must be root, relay or shard", "--role=leaf");
    refuses("--tree-parents: must be set", "--role=shard");
    refuses("--tree-parents: must not be set: a root", "--tree-parents=localhost:1");
    refuses("--tree-listen: must be set for a relay", "--role=relay", "--tree-parents=localhost:1");
    refuses(
        "--tree-listen: must not be set",
        "--role=shard",
        "--tree-parents=localhost:1",
        "--tree-listen=localhost:2");
    refuses("--tree-listen: '127.0.0.1' is not an address", "--tree-listen=127.0.0.1");
    refuses("--tree-listen: '::1:5' is not an address", "--tree-listen=::1:5");
    refuses("--tree-listen: 'localhost:99999'", "--tree-listen=localhost:99999");
    refuses("--tree-listen: 're lay:1' is not an address", "--tree-listen=re lay:1");
  }

  @Test
  void otherMachinesNeedCertificates() {
    refuses("--tree-cert-file: must be set", "--tree-listen=[fd00::1]:5");
    refuses("--tree-cert-file: must be set", "--tree-listen=127.example.org:5");
    refuses("must be set together", "--tree-listen=[fd00::1]:5", "--tree-cert-file=c");
    refuses(
        "--tree-cert-file, --tree-key-file",
        "--tree-listen=[fd00::1]:5",
        "--tree-cert-file=nowhere",
        "--tree-key-file=nowhere",
        "--tree-trusted-ca-file=nowhere");
  }

  private static void refuses(String why, String... words) {
    assertThatThrownBy(() -> place(words)).hasMessageContaining(why);
  }
}
