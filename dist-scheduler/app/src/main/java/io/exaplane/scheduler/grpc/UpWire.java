// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.grpc;

import io.exaplane.scheduler.engine.placement.BestOfCell;
import io.exaplane.scheduler.proto.Answer;
import io.exaplane.scheduler.proto.Cell;
import io.exaplane.scheduler.proto.Hello;
import io.exaplane.scheduler.proto.Kind;
import io.exaplane.scheduler.proto.Left;
import io.exaplane.scheduler.proto.Pong;
import io.exaplane.scheduler.proto.Took;
import io.exaplane.scheduler.tree.Up;
import java.util.List;

/** What goes up, as messages. */
final class UpWire {
  private UpWire() {}

  static io.exaplane.scheduler.proto.Up of(Up message) {
    io.exaplane.scheduler.proto.Up.Builder wire = io.exaplane.scheduler.proto.Up.newBuilder();
    switch (message) {
      case Up.Hello hello ->
          wire.setHello(
              Hello.newBuilder()
                  .setToken(hello.token())
                  .setKind(hello.kind() == Up.Kind.SHARD ? Kind.SHARD : Kind.RELAY)
                  .setName(hello.name())
                  .setModel(hello.model())
                  .addAllVia(hello.via()));
      case Up.Answer answer -> wire.setAnswer(of(answer));
      case Up.Pong pong ->
          wire.setPong(
              Pong.newBuilder().setId(pong.id()).setMember(pong.member()).setNodes(pong.nodes()));
      case Up.Left left -> wire.setLeft(Left.newBuilder().setMember(left.member()));
    }
    return wire.build();
  }

  private static Answer of(Up.Answer answer) {
    Answer.Builder wire = Answer.newBuilder().setId(answer.id()).setKnown(answer.cells() != null);
    if (answer.cells() != null) {
      for (BestOfCell cell : answer.cells()) {
        Cell.Builder best = Cell.newBuilder().setSignature(cell.signature()).setSize(cell.size());
        for (int i = 0; i < cell.nodes().length; i++) {
          best.addNodes(cell.nodes()[i]).addScores(cell.scores()[i]).addHashes(cell.hashes()[i]);
        }
        wire.addCells(best);
      }
    }
    for (Up.Took took : answer.from()) {
      wire.addFrom(Took.newBuilder().setMember(took.member()).setMicros(took.micros()));
    }
    return wire.build();
  }

  /**
   * The other way round.
   *
   * @throws IllegalArgumentException if it makes no sense
   */
  static Up of(io.exaplane.scheduler.proto.Up wire) {
    return switch (wire.getMessageCase()) {
      case HELLO -> {
        Hello hello = wire.getHello();
        yield new Up.Hello(
            hello.getToken(),
            hello.getKind() == Kind.SHARD ? Up.Kind.SHARD : Up.Kind.RELAY,
            hello.getName(),
            hello.getModel(),
            List.copyOf(hello.getViaList()));
      }
      case ANSWER -> of(wire.getAnswer());
      case PONG ->
          new Up.Pong(
              wire.getPong().getId(), wire.getPong().getMember(), wire.getPong().getNodes());
      case LEFT -> new Up.Left(wire.getLeft().getMember());
      case MESSAGE_NOT_SET -> throw DownWire.unknown("message");
    };
  }

  private static Up.Answer of(Answer wire) {
    List<BestOfCell> cells =
        wire.getKnown() ? wire.getCellsList().stream().map(UpWire::of).toList() : null;
    List<Up.Took> from =
        wire.getFromList().stream()
            .map(took -> new Up.Took(took.getMember(), took.getMicros()))
            .toList();
    return new Up.Answer(wire.getId(), cells, from);
  }

  private static BestOfCell of(Cell wire) {
    int named = wire.getNodesCount();
    if (wire.getScoresCount() != named || wire.getHashesCount() != named) {
      throw new IllegalArgumentException("a cell has not as many scores and hashes as nodes");
    }
    int[] nodes = wire.getNodesList().stream().mapToInt(Integer::intValue).toArray();
    int[] scores = wire.getScoresList().stream().mapToInt(Integer::intValue).toArray();
    long[] hashes = wire.getHashesList().stream().mapToLong(Long::longValue).toArray();
    return new BestOfCell(wire.getSignature(), wire.getSize(), nodes, scores, hashes);
  }
}
