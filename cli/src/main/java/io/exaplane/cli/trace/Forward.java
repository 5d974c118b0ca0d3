// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli.trace;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.Status;

/**
 * Passes each call on to a store, message by message, with its metadata, its deadline and its
 * status. It takes a message only when the other side can take it, so that it keeps few of them.
 */
final class Forward implements ServerCallHandler<byte[], byte[]> {
  private final Channel store;
  private final Recording recording;
  private final String root;

  Forward(Channel store, Recording recording, String root) {
    this.store = store;
    this.recording = recording;
    this.root = root;
  }

  @Override
  public ServerCall.Listener<byte[]> startCall(
      ServerCall<byte[], byte[]> client, Metadata headers) {
    String name = client.getMethodDescriptor().getFullMethodName();
    String method = name.substring(name.lastIndexOf('.', name.indexOf('/')) + 1);
    RecordedCall recorded = new RecordedCall(recording, method, root);
    // The deadline is that of the context, which ends with the client's call.
    ClientCall<byte[], byte[]> call =
        store.newCall(client.getMethodDescriptor(), CallOptions.DEFAULT);
    Answers answers = new Answers(call, client, recorded);
    call.start(answers, headers);
    client.request(1);
    call.request(1);
    return new Requests(call, recorded, answers);
  }

  /** From the client to the store. */
  private static final class Requests extends ServerCall.Listener<byte[]> {
    private final ClientCall<byte[], byte[]> store;
    private final RecordedCall recorded;
    private final Answers answers;

    Requests(ClientCall<byte[], byte[]> store, RecordedCall recorded, Answers answers) {
      this.store = store;
      this.recorded = recorded;
      this.answers = answers;
    }

    @Override
    public void onMessage(byte[] message) {
      recorded.request(message);
      store.sendMessage(message);
      answers.wantRequest();
    }

    @Override
    public void onHalfClose() {
      store.halfClose();
    }

    @Override
    public void onCancel() {
      store.cancel("the client ended the call", null);
    }

    @Override
    public void onReady() {
      answers.clientIsReady();
    }
  }

  /** From the store to the client, and who waits for whom. */
  private static final class Answers extends ClientCall.Listener<byte[]> {
    private final ClientCall<byte[], byte[]> store;
    private final ServerCall<byte[], byte[]> client;
    private final RecordedCall recorded;

    // By whoever has the lock; readiness is asked for under it, so that no news of it is missed.
    private boolean requestWaits;
    private boolean answerWaits;

    Answers(
        ClientCall<byte[], byte[]> store,
        ServerCall<byte[], byte[]> client,
        RecordedCall recorded) {
      this.store = store;
      this.client = client;
      this.recorded = recorded;
    }

    /** Takes the client's next message, now or when the store can take it. */
    synchronized void wantRequest() {
      if (store.isReady()) {
        client.request(1);
      } else {
        requestWaits = true;
      }
    }

    private synchronized void wantAnswer() {
      if (client.isReady()) {
        store.request(1);
      } else {
        answerWaits = true;
      }
    }

    synchronized void clientIsReady() {
      if (answerWaits) {
        answerWaits = false;
        store.request(1);
      }
    }

    @Override
    public synchronized void onReady() {
      if (requestWaits) {
        requestWaits = false;
        client.request(1);
      }
    }

    @Override
    public void onHeaders(Metadata headers) {
      client.sendHeaders(headers);
    }

    @Override
    public void onMessage(byte[] message) {
      recorded.answer(message);
      client.sendMessage(message);
      wantAnswer();
    }

    @Override
    public void onClose(Status status, Metadata trailers) {
      recorded.ended(!status.isOk());
      client.close(status, trailers);
    }
  }
}
