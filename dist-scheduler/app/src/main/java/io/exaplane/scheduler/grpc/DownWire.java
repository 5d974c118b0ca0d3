// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.grpc;

import com.google.protobuf.ByteString;
import io.exaplane.scheduler.engine.model.Labels;
import io.exaplane.scheduler.engine.model.Node;
import io.exaplane.scheduler.engine.model.PodSpec;
import io.exaplane.scheduler.engine.model.Workload;
import io.exaplane.scheduler.engine.model.device.DeviceClass;
import io.exaplane.scheduler.proto.Ask;
import io.exaplane.scheduler.proto.Changes;
import io.exaplane.scheduler.proto.ClassPut;
import io.exaplane.scheduler.proto.Count;
import io.exaplane.scheduler.proto.Drop;
import io.exaplane.scheduler.proto.Namespace;
import io.exaplane.scheduler.proto.NodePut;
import io.exaplane.scheduler.proto.Ping;
import io.exaplane.scheduler.proto.Totals;
import io.exaplane.scheduler.proto.Waits;
import io.exaplane.scheduler.proto.Welcome;
import io.exaplane.scheduler.proto.WorkloadGone;
import io.exaplane.scheduler.tree.Change;
import io.exaplane.scheduler.tree.Down;
import io.exaplane.scheduler.tree.ModelCodec;
import java.util.HashMap;
import java.util.HashSet;

/** What goes down, as messages. */
final class DownWire {
  private DownWire() {}

  static io.exaplane.scheduler.proto.Down of(Down message) {
    io.exaplane.scheduler.proto.Down.Builder wire = io.exaplane.scheduler.proto.Down.newBuilder();
    switch (message) {
      case Down.Welcome welcome ->
          wire.setWelcome(
              Welcome.newBuilder()
                  .setToken(welcome.token())
                  .setNumber(welcome.number())
                  .setEpoch(welcome.epoch())
                  .setVersion(welcome.rules().version())
                  .setConfiguration(welcome.rules().configuration())
                  .setSeed(welcome.rules().seed()));
      case Down.Changes changes -> {
        Changes.Builder all = Changes.newBuilder().setTo(changes.to());
        changes.changes().forEach(change -> all.addChanges(of(change)));
        wire.setChanges(all);
      }
      case Down.Ask ask ->
          wire.setAsk(
              Ask.newBuilder().setId(ask.id()).setPodClass(ask.podClass()).setMost(ask.most()));
      case Down.Ping ping -> wire.setPing(Ping.newBuilder().setId(ping.id()));
      case Down.Drop drop ->
          wire.setDrop(Drop.newBuilder().setNumber(drop.number()).setWhy(drop.why()));
    }
    return wire.build();
  }

  private static io.exaplane.scheduler.proto.Change of(Change change) {
    io.exaplane.scheduler.proto.Change.Builder wire =
        io.exaplane.scheduler.proto.Change.newBuilder();
    switch (change) {
      case Change.NodePut put ->
          wire.setNodePut(NodePut.newBuilder().setNumber(put.number()).setNode(bytes(put.node())));
      case Change.NodeGone gone -> wire.setNodeGone(gone.number());
      case Change.ClassPut put ->
          wire.setClassPut(
              ClassPut.newBuilder().setNumber(put.number()).setPods(bytes(put.pods())));
      case Change.ClassGone gone -> wire.setClassGone(gone.number());
      case Change.Count count ->
          wire.setCount(
              Count.newBuilder()
                  .setNode(count.node())
                  .setPodClass(count.podClass())
                  .setMore(count.more()));
      case Change.Waits waits ->
          wire.setWaits(
              Waits.newBuilder()
                  .setPod(waits.pod())
                  .setNode(waits.node())
                  .setPodClass(waits.podClass()));
      case Change.WaitsNoMore gone -> wire.setWaitsNoMore(gone.pod());
      case Change.Wish wish -> wire.setWish(bytes(wish.wish()));
      case Change.WishGone gone -> wire.setWishGone(bytes(gone.wish()));
      case Change.Namespace namespace -> wire.setNamespace(of(namespace));
      case Change.WorkloadPut put -> wire.setWorkloadPut(bytes(put.workload()));
      case Change.WorkloadGone gone ->
          wire.setWorkloadGone(
              WorkloadGone.newBuilder()
                  .setKind(gone.kind())
                  .setNamespace(gone.namespace())
                  .setName(gone.name()));
      case Change.DeviceClassPut put -> wire.setDeviceClassPut(bytes(put.deviceClass()));
      case Change.DeviceClassGone gone -> wire.setDeviceClassGone(gone.name());
      case Change.Totals totals ->
          wire.setTotals(
              Totals.newBuilder()
                  .setNodes(totals.nodes())
                  .putAllImageNodes(totals.imageNodes())
                  .addAllUnshared(totals.unshared()));
    }
    return wire.build();
  }

  private static Namespace of(Change.Namespace namespace) {
    Namespace.Builder wire = Namespace.newBuilder().setName(namespace.name());
    if (namespace.labels() != null) {
      wire.setLabels(
          io.exaplane.scheduler.proto.Labels.newBuilder().putAllValues(namespace.labels().toMap()));
    }
    return wire.build();
  }

  private static ByteString bytes(Object record) {
    return ByteString.copyFrom(ModelCodec.encode(record));
  }

  /**
   * The other way round.
   *
   * @throws IllegalArgumentException if it makes no sense
   */
  static Down of(io.exaplane.scheduler.proto.Down wire) {
    return switch (wire.getMessageCase()) {
      case WELCOME -> {
        Welcome welcome = wire.getWelcome();
        yield new Down.Welcome(
            welcome.getToken(),
            welcome.getNumber(),
            welcome.getEpoch(),
            new Down.Rules(welcome.getVersion(), welcome.getConfiguration(), welcome.getSeed()));
      }
      case CHANGES ->
          new Down.Changes(
              wire.getChanges().getTo(),
              wire.getChanges().getChangesList().stream().map(DownWire::of).toList());
      case ASK ->
          new Down.Ask(wire.getAsk().getId(), wire.getAsk().getPodClass(), wire.getAsk().getMost());
      case PING -> new Down.Ping(wire.getPing().getId());
      case DROP -> new Down.Drop(wire.getDrop().getNumber(), wire.getDrop().getWhy());
      case MESSAGE_NOT_SET -> throw unknown("message");
    };
  }

  private static Change of(io.exaplane.scheduler.proto.Change wire) {
    return switch (wire.getChangeCase()) {
      case NODE_PUT ->
          new Change.NodePut(
              wire.getNodePut().getNumber(), read(Node.class, wire.getNodePut().getNode()));
      case NODE_GONE -> new Change.NodeGone(wire.getNodeGone());
      case CLASS_PUT ->
          new Change.ClassPut(
              wire.getClassPut().getNumber(), read(PodSpec.class, wire.getClassPut().getPods()));
      case CLASS_GONE -> new Change.ClassGone(wire.getClassGone());
      case COUNT ->
          new Change.Count(
              wire.getCount().getNode(), wire.getCount().getPodClass(), wire.getCount().getMore());
      case WAITS ->
          new Change.Waits(
              wire.getWaits().getPod(), wire.getWaits().getNode(), wire.getWaits().getPodClass());
      case WAITS_NO_MORE -> new Change.WaitsNoMore(wire.getWaitsNoMore());
      case WISH -> new Change.Wish(read(PodSpec.Neighbours.class, wire.getWish()));
      case WISH_GONE -> new Change.WishGone(read(PodSpec.Neighbours.class, wire.getWishGone()));
      case NAMESPACE -> of(wire.getNamespace());
      case WORKLOAD_PUT -> new Change.WorkloadPut(read(Workload.class, wire.getWorkloadPut()));
      case WORKLOAD_GONE ->
          new Change.WorkloadGone(
              wire.getWorkloadGone().getKind(),
              wire.getWorkloadGone().getNamespace(),
              wire.getWorkloadGone().getName());
      case DEVICE_CLASS_PUT ->
          new Change.DeviceClassPut(read(DeviceClass.class, wire.getDeviceClassPut()));
      case DEVICE_CLASS_GONE -> new Change.DeviceClassGone(wire.getDeviceClassGone());
      case TOTALS ->
          new Change.Totals(
              wire.getTotals().getNodes(),
              new HashMap<>(wire.getTotals().getImageNodesMap()),
              new HashSet<>(wire.getTotals().getUnsharedList()));
      case CHANGE_NOT_SET -> throw unknown("change");
    };
  }

  private static Change.Namespace of(Namespace wire) {
    Labels labels = wire.hasLabels() ? Labels.of(wire.getLabels().getValuesMap()) : null;
    return new Change.Namespace(wire.getName(), labels);
  }

  private static <T> T read(Class<T> type, ByteString bytes) {
    return ModelCodec.decode(type, bytes.toByteArray());
  }

  static IllegalArgumentException unknown(String what) {
    return new IllegalArgumentException(
        "a " + what + " that this version does not know: let all processes have the same version");
  }
}
