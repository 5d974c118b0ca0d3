// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** What a hostile client does on raw connections; each goes on until its process is ended. */
enum Attack {
  /** Frames of any kind with anything in them. */
  FRAMES {
    @Override
    void once(RawConnection connection, Random random) throws IOException {
      for (int i = random.nextInt(1, 200); i > 0; i--) {
        byte[] payload =
            new byte[random.nextInt(4) == 0 ? random.nextInt(16_000) : random.nextInt(40)];
        random.nextBytes(payload);
        connection.frame(random.nextInt(12), random.nextInt(256), random.nextInt(9), payload);
      }
    }
  },

  /** Calls of every method with messages that are none, or nearly some. */
  PROTOBUFS {
    @Override
    void once(RawConnection connection, Random random) throws IOException {
      for (int stream = 1; stream < 400; stream += 2) {
        connection.headers(stream, METHODS.get(random.nextInt(METHODS.size())), false);
        byte[] message = new byte[random.nextInt(60)];
        random.nextBytes(message);
        for (int i = 0; i < message.length && random.nextBoolean(); i++) {
          message[i] = (byte) (random.nextInt(1, 14) << 3 | 2);
        }
        ByteBuffer data = ByteBuffer.allocate(5 + message.length);
        data.put((byte) 0).putInt(message.length).put(message);
        connection.frame(RawConnection.DATA, RawConnection.END_STREAM, stream, data.array());
      }
    }
  },

  /** Header blocks that are small on the wire and large in memory. */
  HPACK_BOMB {
    @Override
    void once(RawConnection connection, Random random) throws IOException {
      ByteBuffer block = ByteBuffer.allocate(16_000);
      block.put((byte) 0x40).put((byte) 1).put((byte) 'x'); // a new entry of the dynamic table
      block.put((byte) 0x7f).put((byte) (3900 - 127 & 0x7f | 0x80)).put((byte) (3900 - 127 >> 7));
      block.put(new byte[3900]);
      while (block.hasRemaining()) {
        block.put((byte) 0xbe); // the same again
      }
      connection.frame(RawConnection.HEADERS, 0, 1, block.array());
      byte[] more = new byte[16_000];
      java.util.Arrays.fill(more, (byte) 0xbe);
      for (int i = 0; i < 200; i++) {
        connection.frame(RawConnection.CONTINUATION, 0, 1, more);
      }
    }
  },

  /** Calls that are taken back at once (CVE-2023-44487). */
  RAPID_RESET {
    @Override
    void once(RawConnection connection, Random random) throws IOException {
      for (int stream = 1; stream < 20_000; stream += 2) {
        connection.headers(stream, "/etcdserverpb.KV/Range", false);
        connection.frame(RawConnection.RST_STREAM, 0, stream, new byte[] {0, 0, 0, 8});
      }
    }
  },

  /** Messages that are said to be large, on many calls, and never finished. */
  OVERSIZED {
    @Override
    void once(RawConnection connection, Random random) throws IOException {
      for (int stream = 1; stream < 2_000; stream += 2) {
        connection.headers(stream, "/etcdserverpb.KV/Put", false);
        int length = random.nextInt(4) == 0 ? -1 : 1_900_000;
        byte[] data = new byte[16_000];
        ByteBuffer.wrap(data).put((byte) 0).putInt(length);
        connection.frame(RawConnection.DATA, 0, stream, data);
        connection.frame(RawConnection.DATA, 0, stream, new byte[16_000]);
      }
    }
  },

  /** Large answers, and watches of everything, that nobody takes. */
  SLOW_READERS {
    @Override
    void once(RawConnection connection, Random random) throws IOException {
      byte[] all = {0, 0, 0, 0, 6, 0x0a, 1, 0, 0x12, 1, 0};
      byte[] watch = {0, 0, 0, 0, 8, 0x0a, 6, 0x0a, 1, 0, 0x12, 1, 0};
      for (int stream = 1; stream < 60; stream += 2) {
        boolean list = stream % 4 == 1;
        connection.headers(
            stream, list ? "/etcdserverpb.KV/Range" : "/etcdserverpb.Watch/Watch", false);
        connection.frame(
            RawConnection.DATA, list ? RawConnection.END_STREAM : 0, stream, list ? all : watch);
      }
      connection.idle(2_000);
    }
  },

  /** Connections by the thousand that say nothing, or too little. */
  CONNECTIONS {
    @Override
    void once(RawConnection connection, Random random) throws IOException {
      List<RawConnection> more = new ArrayList<>();
      try {
        for (int i = 0; i < 125; i++) {
          more.add(
              new RawConnection(
                  from(), connection.port, random.nextInt(RawConnection.PREFACE_BYTES + 1)));
        }
        connection.idle(1_000);
      } finally {
        for (RawConnection each : more) {
          each.close();
        }
      }
    }
  };

  private static final int CLIENTS = 8;
  private static final List<String> METHODS =
      List.of(
          "/etcdserverpb.KV/Range",
          "/etcdserverpb.KV/RangeStream",
          "/etcdserverpb.KV/Put",
          "/etcdserverpb.KV/DeleteRange",
          "/etcdserverpb.KV/Txn",
          "/etcdserverpb.KV/Compact",
          "/etcdserverpb.Watch/Watch",
          "/etcdserverpb.Lease/LeaseGrant",
          "/etcdserverpb.Lease/LeaseRevoke",
          "/etcdserverpb.Lease/LeaseKeepAlive",
          "/etcdserverpb.Lease/LeaseTimeToLive",
          "/etcdserverpb.Lease/LeaseLeases",
          "/etcdserverpb.Maintenance/Status",
          "/etcdserverpb.Maintenance/Alarm",
          "/etcdserverpb.Maintenance/HashKV",
          "/etcdserverpb.Cluster/MemberList",
          "/etcdserverpb.Auth/Authenticate",
          "/no.such/Method");

  abstract void once(RawConnection connection, Random random) throws IOException;

  /** An address that is neither that of other clients nor that of another attack. */
  String from() {
    return "127.0.0." + (10 + ordinal());
  }

  /** Goes on with several clients until the process is ended. */
  void run(int port, long seed) {
    for (int i = 0; i < CLIENTS; i++) {
      Random random = new Random(seed + i);
      Thread.ofPlatform().start(() -> run(port, random));
    }
  }

  /** Attacks until it is ended: the name of an attack, a port, a seed. */
  public static void main(String[] arguments) {
    Attack.valueOf(arguments[0]).run(Integer.parseInt(arguments[1]), Long.parseLong(arguments[2]));
  }

  private void run(int port, Random random) {
    while (true) {
      try (RawConnection connection =
          new RawConnection(from(), port, RawConnection.PREFACE_BYTES)) {
        connection.frame(RawConnection.SETTINGS, 0, 0, new byte[0]);
        once(connection, random);
      } catch (IOException e) {
        // The store closed it, as it should.
      }
    }
  }
}
