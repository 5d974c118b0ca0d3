// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.api;

import io.exaplane.store.backup.EtcdSnapshot;
import io.exaplane.store.codec.ReverseWriter;
import io.exaplane.store.core.RetainedVersions;
import io.exaplane.store.core.error.StoreException;
import io.exaplane.store.core.lease.LeaseState;
import io.exaplane.store.core.memory.EpochReclaimer;
import io.exaplane.store.wire.GrpcListener;
import io.exaplane.store.wire.GrpcStream;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * One call of etcdserverpb.Maintenance/Snapshot: the store in etcd's file format, then its SHA-256.
 * The file is made by the maintenance thread, a few pieces ahead of what the client takes, and is
 * nowhere whole. Writes go on meanwhile; it has none of them.
 */
final class SnapshotCall implements GrpcListener {
  private static final int PIECE_BYTES = 256 << 10;
  private static final int PIECES_AHEAD = 16;
  private static final long LOOK_EVERY_S = 1;

  private final GrpcStream stream;
  private final Lane lane;
  private final StoreWriter writer;
  private final MaintenanceWorker worker;
  private final Semaphore room = new Semaphore(PIECES_AHEAD);
  private final Queue<byte[]> pieces = new ArrayDeque<>();
  private boolean begun;
  private boolean made;
  private volatile boolean closed;

  SnapshotCall(GrpcStream stream, Lane lane, StoreWriter writer, MaintenanceWorker worker) {
    this.stream = stream;
    this.lane = lane;
    this.writer = writer;
    this.worker = worker;
  }

  @Override
  public void message(byte[] array, int offset, int length) {
    if (!begun) {
      begun = true;
      try {
        worker.submit(stream, this::make);
      } catch (StoreException e) {
        stream.fail(e);
      }
    }
  }

  /** What the file is made of, taken by the writer. */
  private record Plan(RetainedVersions versions, List<LeaseState> leases, long nowMs) {}

  private Plan plan() throws IOException {
    CompletableFuture<Plan> plan = new CompletableFuture<>();
    boolean asked =
        writer.inspect(
            applier ->
                plan.complete(
                    new Plan(
                        new RetainedVersions(
                            applier.keyspace(), applier.keyspace().view(), applier.pins()),
                        applier.leases().states(),
                        applier.clockMs().getAsLong())));
    try {
      if (!asked) {
        throw new IOException("too many requests");
      }
      return plan.get();
    } catch (InterruptedException e) {
      // If the writer comes to it nevertheless, nothing may stay pinned.
      plan.thenAccept(late -> late.versions().close());
      throw new InterruptedIOException("the store is stopping");
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    }
  }

  /** By the maintenance thread, when it is this call's turn. */
  private void make(EpochReclaimer.Reader epoch) {
    if (closed) {
      return;
    }
    try {
      Plan plan = plan();
      try (RetainedVersions versions = plan.versions()) {
        EtcdSnapshot snapshot =
            new EtcdSnapshot(lane.keyspace.memory(), versions, epoch, plan.leases(), plan.nowMs());
        Pieces out = new Pieces(snapshot.bytes());
        snapshot.write(out::add);
        out.end();
      }
      stream.loop().execute(this::allMade);
    } catch (IOException e) {
      stream.loop().execute(() -> stream.fail(StoreException.unavailable(e.getMessage())));
    }
  }

  private void allMade() {
    made = true;
    send();
  }

  private void take(byte[] piece) {
    pieces.add(piece);
    send();
  }

  private void send() {
    while (!pieces.isEmpty() && stream.isOpen() && stream.isWritable()) {
      byte[] piece = pieces.poll();
      stream.send(piece, 0, piece.length);
      room.release();
    }
    if (made && pieces.isEmpty()) {
      stream.finish();
    }
  }

  @Override
  public void writable() {
    send();
  }

  @Override
  public void closed() {
    closed = true;
    pieces.clear();
    room.release(PIECES_AHEAD);
  }

  /** Cuts the file into responses. By the maintenance thread. */
  private final class Pieces {
    private final byte[] piece = new byte[PIECE_BYTES];
    private final ReverseWriter out = new ReverseWriter();
    private final MessageDigest digest;
    private final long startNanos = System.nanoTime();
    private final long total;
    private int filled;
    private long left;

    Pieces(long bytes) {
      total = bytes;
      left = bytes;
      try {
        digest = MessageDigest.getInstance("SHA-256");
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException(e);
      }
    }

    void add(ByteBuffer bytes) throws IOException {
      while (bytes.hasRemaining()) {
        int part = Math.min(bytes.remaining(), PIECE_BYTES - filled);
        bytes.get(piece, filled, part);
        filled += part;
        if (filled == PIECE_BYTES) {
          endPiece();
        }
      }
    }

    private void endPiece() throws IOException {
      digest.update(piece, 0, filled);
      left -= filled;
      response(piece, filled);
      filled = 0;
    }

    void end() throws IOException {
      endPiece();
      byte[] checksum = digest.digest();
      response(checksum, checksum.length);
    }

    private void response(byte[] blob, int length) throws IOException {
      out.clear();
      out.text(4, EtcdSnapshot.STORAGE_VERSION);
      out.bytes(3, blob, 0, length);
      out.number(2, left);
      byte[] response = out.copy();
      awaitRoom();
      stream.loop().execute(() -> take(response));
    }

    private void awaitRoom() throws IOException {
      long waitsSince = System.nanoTime();
      try {
        while (!room.tryAcquire(LOOK_EVERY_S, TimeUnit.SECONDS)) {
          requirePace(System.nanoTime() - waitsSince);
        }
      } catch (InterruptedException e) {
        throw new InterruptedIOException("the store is stopping");
      }
      if (closed) {
        throw new IOException("the client left");
      }
      requirePace(0);
    }

    private void requirePace(long idleNanos) throws IOException {
      String verdict =
          SnapshotPace.verdict(
              total - left,
              System.nanoTime() - startNanos,
              idleNanos,
              writer.spaceAlarm().isFull());
      if (!verdict.isEmpty()) {
        throw new IOException(verdict);
      }
    }
  }
}
