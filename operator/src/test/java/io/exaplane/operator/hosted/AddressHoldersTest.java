// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.hosted;

import static io.exaplane.operator.hosted.ServingRequests.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.operator.hosted.AddressHolders.Holder;
import io.fabric8.kubernetes.api.model.Node;
import java.net.InetAddress;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A node that writes another's address into its own status gets no certificate for it. */
class AddressHoldersTest {
  private static final String ADDRESS = "fd00:10:1::12";

  private final Map<InetAddress, Holder> record = new HashMap<>();
  private final Set<InetAddress> first = new HashSet<>();
  private final Map<String, Node> nodes = new HashMap<>();
  private final AddressHolders holders =
      new AddressHolders(
          new AddressHolders.Record() {
            @Override
            public Optional<Holder> find(InetAddress address) {
              return Optional.ofNullable(record.get(address));
            }

            @Override
            public boolean wasApproved(InetAddress address) {
              return !first.contains(address);
            }

            @Override
            public boolean write(InetAddress address, Optional<Holder> before, Holder holder) {
              if (!before.equals(find(address))) {
                return false;
              }
              record.put(address, holder);
              return true;
            }
          },
          name -> Optional.ofNullable(nodes.get(name)));

  @Test
  void whoHasAnAddressKeepsIt() {
    assertThat(claim("w2", ADDRESS)).isEmpty();
    assertThat(claim("w1", "fd00:10:1::11", ADDRESS))
        .contains(
            "the address fd00:10:1:0:0:0:0:12 is node w2's; if that node is gone, delete its Node"
                + " object");
    assertThat(record).as("nothing of a refused request").hasSize(1);
    assertThat(claim("w2", ADDRESS)).as("renewed").isEmpty();
  }

  @Test
  void onlyWhoWasGivenAnAddressHasIt() {
    claim("w2", ADDRESS);
    assertThat(holders.has(nodes.get("w2"), InetAddress.ofLiteral(ADDRESS))).isTrue();
    assertThat(holders.has(nodes.get("w2"), InetAddress.ofLiteral("fd00:10:1::13"))).isFalse();
    Node again = node("w2", "InternalIP=" + ADDRESS);
    again.getMetadata().setUid("another");
    assertThat(holders.has(again, InetAddress.ofLiteral(ADDRESS))).as("made anew").isTrue();
    first.add(InetAddress.ofLiteral(ADDRESS));
    assertThat(holders.has(again, InetAddress.ofLiteral(ADDRESS)))
        .as("a node that named itself before the record began")
        .isFalse();
    first.clear();
    assertThat(holders.has(node("w1", "InternalIP=" + ADDRESS), InetAddress.ofLiteral(ADDRESS)))
        .isFalse();
  }

  @Test
  void namesThatBeginAlikeAreNotTheSame() {
    assertThat(claim("w1", ADDRESS)).isEmpty();
    assertThat(claim("w11", ADDRESS)).isPresent();
    assertThat(claim("w", ADDRESS)).isPresent();
  }

  @Test
  void aNodeThatIsGoneHoldsNothing() {
    claim("w2", ADDRESS);
    nodes.remove("w2");
    assertThat(claim("w1", ADDRESS)).isEmpty();
    assertThat(claim("w2", ADDRESS)).as("when it comes back").isPresent();
  }

  @Test
  void aNodeMadeAnewTakesItsOwnAgain() {
    claim("w2", ADDRESS);
    Node again = node("w2", "InternalIP=" + ADDRESS);
    again.getMetadata().setUid("another");
    nodes.put("w2", again);
    assertThat(holders.claim(again, addresses(ADDRESS))).isEmpty();
    assertThat(record.get(InetAddress.ofLiteral(ADDRESS)).uid()).isEqualTo("another");
  }

  @Test
  void aNodeThatHasOthersGivesItUpAndOneThatSaysNothingDoesNot() {
    claim("w2", ADDRESS);
    nodes.put("w2", node("w2"));
    assertThat(claim("w1", ADDRESS)).isPresent();
    nodes.put("w2", node("w2", "InternalIP=fd00:10:1::13"));
    assertThat(claim("w1", ADDRESS)).isEmpty();
  }

  private Optional<String> claim(String name, String... addresses) {
    Node node =
        node(
            name,
            java.util.stream.Stream.of(addresses)
                .map(address -> "InternalIP=" + address)
                .toArray(String[]::new));
    nodes.put(name, node);
    return holders.claim(node, addresses(addresses));
  }

  private static List<InetAddress> addresses(String... addresses) {
    return java.util.stream.Stream.of(addresses).map(InetAddress::ofLiteral).toList();
  }
}
