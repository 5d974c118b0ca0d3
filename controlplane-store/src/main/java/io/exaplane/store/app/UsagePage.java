// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app;

import io.exaplane.store.api.StoreUsage;
import io.exaplane.store.api.StoreUsage.Share;
import io.exaplane.store.wire.page.JsonText;
import io.exaplane.store.wire.page.PageRequest;
import java.time.Instant;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What {@code /usage} says: who takes the space, as JSON. Pure. */
final class UsagePage {
  private static final int USUAL_TOP = 10;
  private static final Pattern NUMBER = Pattern.compile("\\d{1,6}");

  private UsagePage() {}

  /** How many groups are asked for. */
  static int top(PageRequest request) {
    return request.query().getOrDefault("top", List.of()).stream()
        .filter(each -> NUMBER.matcher(each).matches())
        .mapToInt(Integer::parseInt)
        .findFirst()
        .orElse(USUAL_TOP);
  }

  static String text(StoreUsage usage, int top) {
    return """
        {"at":"%s","keys":%d,"liveBytes":%d,"loadBytes":%d,
        "kinds":[%s],
        "namespaces":[%s]}
        """
        .formatted(
            Instant.ofEpochMilli(usage.atMs()),
            usage.keys(),
            usage.bytes(),
            usage.loadBytes(),
            shares(usage.kinds(), top),
            shares(usage.namespaces(), top));
  }

  private static String shares(List<Share> shares, int top) {
    return shares.stream().limit(top).map(UsagePage::share).collect(Collectors.joining(",\n"));
  }

  private static String share(Share share) {
    return "{\"kind\":%s,\"namespace\":%s,\"prefix\":%s,\"keys\":%d,\"bytes\":%d,\"loadBytes\":%d}"
        .formatted(
            JsonText.quoted(share.group().kind()),
            JsonText.quoted(share.group().namespace()),
            JsonText.quoted(share.group().prefix()),
            share.keys(),
            share.bytes(),
            share.loadBytes());
  }
}
