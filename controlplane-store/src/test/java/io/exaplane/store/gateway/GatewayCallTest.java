// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.wire.GrpcListener;
import io.exaplane.store.wire.page.Gateway;
import io.netty.channel.EventLoop;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A call whose client takes each part at once, as netty tells it: while the part is being sent. */
class GatewayCallTest {
  private final EmbeddedChannel channel = new EmbeddedChannel();
  private final List<String> told = new ArrayList<>();

  private final class Client implements Gateway.Client {
    @Override
    public String name() {
      return "a client";
    }

    @Override
    public EventLoop loop() {
      return channel.eventLoop();
    }

    @Override
    public boolean isWritable() {
      return true;
    }

    @Override
    public void begin(int status) {
      told.add("status " + status);
    }

    @Override
    public void part(String json, Runnable taken) {
      told.add("part");
      taken.run();
    }

    @Override
    public void end() {
      told.add("end");
    }

    @Override
    public void whenWritable(Runnable writable) {
      told.add("listens");
    }

    @Override
    public void whenGone(Runnable gone) {
      told.add("listens");
    }
  }

  @Test
  void whoeverServesTheCallIsNotAskedForMoreWhileItSends() {
    Schema schema = Schema.load();
    GatewayCall call =
        new GatewayCall(
            new Client(),
            new GatewayMemory(1 << 20),
            schema.rpc("/v3/watch"),
            new Transcoder(schema));
    call.serveBy(
        new GrpcListener() {
          @Override
          public void message(byte[] array, int offset, int length) {
            told.add("message");
          }

          @Override
          public void writable() {
            told.add("writable");
          }
        });
    told.clear();
    call.send(new byte[0], 0, 0);
    call.send(new byte[0], 0, 0);
    told.add("sent");
    channel.runPendingTasks();
    assertThat(told).containsExactly("status 200", "part", "part", "sent", "writable");
    call.finish();
    channel.runPendingTasks();
    assertThat(told).endsWith("listens", "listens", "end");
  }
}
