// SPDX-License-Identifier: Apache-2.0
package io.exaplane.scheduler.app;

import io.exaplane.scheduler.engine.queue.Waiting;
import io.exaplane.scheduler.gather.Picture;
import io.exaplane.scheduler.root.Counts;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The page {@code /tree}, for {@code exactl pool top}: who is there, and what was decided. */
@Singleton
public final class TreePage {
  @Inject Status status;

  void serve(@Observes Router router) {
    router
        .get("/tree")
        .handler(
            request ->
                request
                    .response()
                    .putHeader("Content-Type", "application/json")
                    .end(new JsonObject(page(status)).encode()));
  }

  private static Map<String, Object> page(Status status) {
    Map<String, Object> page = page(status.role(), status.tree(), status.counts());
    Waiting waiting = status.waiting();
    Map<String, Object> pending = new LinkedHashMap<>();
    pending.put("active", waiting.active());
    pending.put("backoff", waiting.backoff());
    pending.put("unschedulable", waiting.unschedulable());
    pending.put("gated", waiting.gated());
    pending.put("oldestSeconds", Math.round(status.oldestSeconds()));
    page.put("pending", pending);
    return page;
  }

  private static Map<String, Object> page(String role, Picture tree, Counts counts) {
    Map<String, Object> page = new LinkedHashMap<>();
    page.put("role", role);
    page.put("epoch", tree.epoch());
    page.put("complete", tree.complete());
    page.put("rounds", Map.of("answered", tree.answered(), "missed", tree.missed()));
    Map<String, Object> pods = new LinkedHashMap<>();
    pods.put("decided", counts.decided());
    pods.put("bound", counts.bound());
    pods.put("bindingFailed", counts.failed());
    pods.put("refused", counts.refused());
    pods.put("preempted", counts.preempted());
    pods.put("byShards", counts.byShards());
    pods.put("alone", counts.alone());
    page.put("pods", pods);
    List<Map<String, Object>> members = tree.members().stream().map(TreePage::member).toList();
    page.put("members", members);
    return page;
  }

  private static Map<String, Object> member(Picture.Seen seen) {
    Map<String, Object> member = new LinkedHashMap<>();
    member.put("name", seen.name());
    member.put("number", seen.number());
    member.put("kind", seen.kind().name().toLowerCase(Locale.ROOT));
    member.put("via", seen.via());
    member.put("nodes", seen.nodes());
    member.put("weight", seen.weight());
    member.put("answerMicros", Math.round(seen.micros()));
    member.put("silentMs", TimeUnit.NANOSECONDS.toMillis(seen.silentNs()));
    return member;
  }
}
