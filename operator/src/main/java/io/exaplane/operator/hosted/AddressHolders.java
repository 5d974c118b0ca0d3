// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.hosted;

import io.fabric8.kubernetes.api.model.Node;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Whose an address is: of the node that was given a certificate for it first, until that node is
 * gone, or says itself that it has others. A node writes its addresses itself, and may write those
 * of another. Keeps nothing but in its {@link Record}; races are decided there.
 */
public final class AddressHolders {
  private final Record record;
  private final Function<String, Optional<Node>> nodes;

  AddressHolders(Record record, Function<String, Optional<Node>> nodes) {
    this.record = record;
    this.nodes = nodes;
  }

  /** A node, by what stays and what does not when one of the same name is made anew. */
  record Holder(String name, String uid) {
    static Holder of(Node node) {
      return new Holder(node.getMetadata().getName(), node.getMetadata().getUid());
    }
  }

  /** Where holders are written down. */
  interface Record {
    /** Who holds an address; empty when nobody does. */
    Optional<Holder> find(InetAddress address);

    /** Whether a certificate is what the holder has; before that, a Node alone names itself. */
    boolean wasApproved(InetAddress address);

    /**
     * Writes a holder in place of the one that was found, or of none.
     *
     * @return false when it was another by then
     */
    boolean write(InetAddress address, Optional<Holder> before, Holder holder);
  }

  /** Makes the addresses this node's; the answer is why one is not, and then none was made. */
  Optional<String> claim(Node node, List<InetAddress> addresses) {
    for (InetAddress address : addresses) {
      Optional<String> objection = objection(node, address, record.find(address));
      if (objection.isPresent()) {
        return objection;
      }
    }
    for (InetAddress address : addresses) {
      Optional<Holder> before = record.find(address);
      Optional<String> objection = objection(node, address, before);
      if (objection.isPresent()) {
        return objection;
      }
      if (!before.equals(Optional.of(Holder.of(node)))
          && !record.write(address, before, Holder.of(node))) {
        return Optional.of(
            "the address %s was just given to another node".formatted(address.getHostAddress()));
      }
    }
    return Optional.empty();
  }

  /**
   * Whether an address was made the node's of this name before. Of a name there is one Node: if it
   * was made anew, the one before is gone.
   */
  boolean has(Node node, InetAddress address) {
    return record
            .find(address)
            .filter(holder -> holder.name().equals(node.getMetadata().getName()))
            .isPresent()
        && record.wasApproved(address);
  }

  private Optional<String> objection(Node node, InetAddress address, Optional<Holder> holder) {
    boolean free =
        holder.isEmpty()
            || holder.get().name().equals(node.getMetadata().getName())
            || nodes
                .apply(holder.get().name())
                .filter(found -> Holder.of(found).equals(holder.get()))
                .filter(found -> stillHas(found, address))
                .isEmpty();
    return free
        ? Optional.empty()
        : Optional.of(
            "the address %s is node %s's; if that node is gone, delete its Node object"
                .formatted(address.getHostAddress(), holder.get().name()));
  }

  /** A node without any address has not said yet that it has others. */
  private static boolean stillHas(Node node, InetAddress address) {
    var all = KubeletServingRequest.addresses(node);
    return all.isEmpty() || all.contains(address);
  }
}
