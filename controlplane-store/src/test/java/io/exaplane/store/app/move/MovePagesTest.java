// SPDX-License-Identifier: Apache-2.0
package io.exaplane.store.app.move;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.store.Seeds;
import io.exaplane.store.api.SimulatedStore;
import io.exaplane.store.codec.KeyValueReader;
import io.exaplane.store.codec.ProtoReader;
import io.exaplane.store.codec.ReverseWriter;
import io.exaplane.store.core.kind.Durability;
import io.exaplane.store.core.kind.KeyClasses;
import io.exaplane.store.core.kind.PrefixRule;
import io.exaplane.store.journal.SimulatedStorage;
import io.exaplane.store.wire.page.PageAnswer;
import io.exaplane.store.wire.page.PageRequest;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * What the pages of moves answer, with a store behind them. Longer than others: all pages share one
 * small store, and each is a door of its own.
 */
class MovePagesTest {
  private static final String PODS = "/registry/pods/";
  private static final String POD_QUERY = "prefix=%2Fregistry%2Fpods%2F";
  private static final byte[] NOTHING = {};

  private final Random random = new Random(1);
  private SimulatedStore store;
  private MovePages pages;

  @BeforeEach
  void start() throws Exception {
    start(new SimulatedStorage(random), KeyClasses.plain());
  }

  private void start(SimulatedStorage disk, KeyClasses classes) throws Exception {
    store = new SimulatedStore(disk, classes, () -> 1_000_000, random);
    pages = new MovePages(store.storeMoves(), new Movers(false), 0xabcL);
  }

  @AfterEach
  void close() {
    store.close();
  }

  private PageAnswer ask(String method, String uri, byte[] body) {
    AtomicReference<PageAnswer> answer = new AtomicReference<>();
    pages.answer(PageRequest.of(method, uri, "", true).with(body), answer::set);
    for (int i = 0; i < 500 && answer.get() == null; i++) {
      store.turn();
      store.runToEnd(0);
      store.runToEnd(1);
      store.addUp();
    }
    for (int i = 0; i < 120 && answer.get() == null; i++) {
      store.advance(10);
    }
    return answer.get();
  }

  private PageAnswer get(String page) {
    return ask("GET", "/moves/" + page, NOTHING);
  }

  private PageAnswer post(String page) {
    return ask("POST", "/moves/" + page, NOTHING);
  }

  private static String text(PageAnswer answer) {
    return new String(answer.body(), UTF_8);
  }

  private void ok(PageAnswer answer) {
    assertThat(answer.status()).as(text(answer)).isEqualTo(200);
  }

  // Records

  private static byte[] record(String key, String value, long mod, long version, long lease) {
    ReverseWriter out = new ReverseWriter();
    out.number(6, lease);
    if (value != null) {
      out.bytes(5, value.getBytes(UTF_8), 0, value.getBytes(UTF_8).length);
    }
    out.number(4, version);
    out.number(3, mod);
    out.number(2, version == 0 ? 0 : mod);
    out.bytes(1, key.getBytes(UTF_8), 0, key.getBytes(UTF_8).length);
    byte[] keyValue = out.copy();
    return ByteBuffer.allocate(4 + keyValue.length).putInt(keyValue.length).put(keyValue).array();
  }

  private static byte[] put(String key, String value, long mod) {
    return record(key, value, mod, 1, 0);
  }

  private static byte[] deletion(String key, long mod) {
    return record(key, null, mod, 0, 0);
  }

  private static byte[] all(byte[]... records) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (byte[] record : records) {
      out.writeBytes(record);
    }
    return out.toByteArray();
  }

  /** Keys and values of a page, a deletion as null. */
  private static List<String> read(PageAnswer page) {
    List<String> read = new ArrayList<>();
    ByteBuffer body = ByteBuffer.wrap(page.body());
    while (body.hasRemaining()) {
      int length = body.getInt();
      KeyValueReader version = new KeyValueReader();
      version.read(new ProtoReader().open(page.body(), body.position(), length));
      body.position(body.position() + length);
      String value = version.version == 0 ? "deleted" : new String(version.value.copy(), UTF_8);
      read.add(new String(version.key.copy(), UTF_8).substring(PODS.length()) + "=" + value);
    }
    return read;
  }

  private void arrive() {
    ok(post("arrive?id=m1&above=5&" + POD_QUERY));
  }

  private void take(byte[] body) {
    ok(ask("POST", "/moves/take?id=m1&" + POD_QUERY, body));
  }

  private long revision(PageAnswer answer) {
    ok(answer);
    return Long.parseLong(text(answer).replaceAll("\\D", ""));
  }

  private String sumQuery() {
    String text = text(get("sum?" + POD_QUERY));
    return "keys=%s&sha256=%s"
        .formatted(
            text.replaceAll(".*\"keys\":(\\d+).*\\s*", "$1"),
            text.replaceAll(".*\"sha256\":\"(\\w+)\".*\\s*", "$1"));
  }

  // Tests

  @Test
  void aKindArrivesAndIsServedAndLeavesAgain() throws Exception {
    assertThat(text(ask("GET", "/moves", NOTHING)))
        .isEqualTo(
            "{\"revision\":1,\"clusterId\":\"abc\",\"moves\":[],\"durability\":[{\"prefix\":\"\",\"durability\":\"fsync\"}]}\n");
    arrive();
    take(all(put(PODS + "a", "1", 3), put(PODS + "b", "2", 4), put(PODS + "a", "3", 5)));
    take(all(deletion(PODS + "b", 6), deletion(PODS + "never", 7), put(PODS + "c", "", 8)));
    MessageDigest digest = MessageDigest.getInstance("SHA-256");
    for (String each : List.of(PODS + "a", "3", PODS + "c", "")) {
      digest.update(ByteBuffer.allocate(4).putInt(each.length()).array());
      digest.update(each.getBytes(UTF_8));
    }
    String sha256 = HexFormat.of().formatHex(digest.digest());
    assertThat(sumQuery()).isEqualTo("keys=2&sha256=" + sha256);
    ok(post("finish?id=m1&above=8&" + POD_QUERY + "&" + sumQuery()));
    ok(post("finish?id=m1&above=8&" + POD_QUERY + "&keys=9&sha256=" + "0".repeat(64)));
    assertThat(text(ask("GET", "/moves", NOTHING)))
        .contains("{\"prefix\":\"/registry/pods/\",\"id\":\"m1\",\"state\":\"Arrived\"");
    assertThat(read(get("page?" + POD_QUERY))).containsExactly("a=3", "c=");

    ok(post("freeze?id=m2&" + POD_QUERY));
    ok(post("thaw?id=m2&" + POD_QUERY));
    long frozen = revision(post("freeze?id=m3&" + POD_QUERY));
    ok(post("leave?id=m3&" + POD_QUERY + "&revision=" + frozen));
    ok(post("clear?id=m3&finished=m3&" + POD_QUERY));
    assertThat(sumQuery()).startsWith("keys=0&");
    assertThat(text(ask("GET", "/moves", NOTHING))).contains("\"state\":\"Left\"");
  }

  @Test
  void aKindThatBeganAnewHasNothingOfBefore() {
    arrive();
    take(put(PODS + "a", "1", 3));
    arrive();
    assertThat(sumQuery()).startsWith("keys=0&");
    take(put(PODS + "b", "1", 3));
    ok(post("abandon?id=m1&" + POD_QUERY));
    assertThat(sumQuery()).startsWith("keys=0&");
    assertThat(text(ask("GET", "/moves", NOTHING)))
        .as("no client finds an empty Kind here")
        .contains("\"state\":\"Left\"");
  }

  /** Until who moves the Kind has seen it arrive, the store that it left may have the only keys. */
  @Test
  void keysThatLeftAreDeletedOnlyWhenTheOtherStoreFinished() {
    arrive();
    take(put(PODS + "a", "1", 3));
    ok(post("finish?id=m1&above=8&" + POD_QUERY + "&" + sumQuery()));
    long frozen = revision(post("freeze?id=m2&" + POD_QUERY));
    ok(post("leave?id=m2&" + POD_QUERY + "&revision=" + frozen));
    for (String page :
        List.of(
            "clear?id=m2&",
            "clear?id=m2&finished=m1&",
            "arrive?id=m2&above=5&",
            "arrive?id=m3&above=5&",
            "arrive?id=m3&above=5&finished=m3&",
            "abandon?id=m2&")) {
      PageAnswer refused = post(page + POD_QUERY);
      assertThat(refused.status()).as(page).isEqualTo(409);
      assertThat(text(refused)).contains("m2", "GET /moves").hasLineCount(1);
      assertThat(sumQuery()).as(page).startsWith("keys=1&");
    }
    ok(post("clear?id=m2&finished=m2&" + POD_QUERY));
    ok(post("arrive?id=m3&above=5&finished=m2&" + POD_QUERY));
  }

  @Test
  void whatWasAbandonedIsAbandonedAgainAndMayArrive() {
    arrive();
    ok(post("abandon?id=m1&" + POD_QUERY));
    ok(post("abandon?id=m1&" + POD_QUERY));
    ok(post("clear?id=m1&" + POD_QUERY));
    assertThat(post("abandon?id=m2&" + POD_QUERY).status()).isEqualTo(409);
    ok(post("arrive?id=m2&above=5&" + POD_QUERY));
  }

  @Test
  void revisionsGoOnFarAboveTheOtherStore() {
    assertThat(text(post("arrive?id=m1&above=7000&" + POD_QUERY)))
        .isEqualTo("{\"revision\":1000007000}\n");
    PageAnswer late =
        ask("POST", "/moves/take?id=m1&" + POD_QUERY, put(PODS + "a", "1", 1_000_007_000L));
    assertThat(late.status()).isEqualTo(409);
    assertThat(text(late)).contains("1000007000", "POST /moves/arrive");
    take(put(PODS + "a", "1", 1_000_006_999L));
  }

  /**
   * Another Kind came to the other store meanwhile, so its revisions are above this one's. Watches
   * that go on here must not wait for revisions of a far future.
   */
  @Test
  void revisionsThatTheOtherStoreReachedMeanwhileAreCompactedToo() {
    arrive();
    take(put(PODS + "a", "1", 3));
    long seen = 3_000_000_000L;
    long revision =
        revision(post("finish?id=m1&" + POD_QUERY + "&" + sumQuery() + "&above=" + seen));
    assertThat(revision).isEqualTo(seen + 1_000_000_000L);
    assertThat(get("changes?" + POD_QUERY + "&after=" + seen).status()).isEqualTo(410);
    assertThat(read(get("page?" + POD_QUERY))).containsExactly("a=1");
  }

  @Test
  void aFinishThatNeedsNoRaiseKeepsHistory() {
    arrive();
    take(put(PODS + "a", "1", 3));
    long before = store.shownRevision();
    take(put(PODS + "b", "1", 4));
    ok(post("finish?id=m1&above=" + (before - 2) + "&" + POD_QUERY + "&" + sumQuery()));
    assertThat(read(get("changes?" + POD_QUERY + "&after=" + before))).containsExactly("b=1");
  }

  /** A loss of power may not leave the state without the keys, whatever their durability. */
  @Test
  void whatArrivedIsThereAfterALossOfPower() throws Exception {
    for (int i = 0; i < 10; i++) {
      store.close();
      SimulatedStorage disk = new SimulatedStorage(random);
      start(disk, buffered());
      assertThat(text(ask("GET", "/moves", NOTHING)))
          .contains("{\"prefix\":\"/registry/pods/\",\"durability\":\"buffered\"}");
      arrive();
      take(put(PODS + "a", "1", 3));
      take(put(PODS + "b", "2", 4));
      ok(post("finish?id=m1&above=8&" + POD_QUERY + "&" + sumQuery()));
      store.close();
      disk.restart(true);
      start(disk, buffered());
      assertThat(read(get("page?" + POD_QUERY))).containsExactly("a=1", "b=2");
    }
  }

  private static KeyClasses buffered() {
    return new KeyClasses(List.of(new PrefixRule(PODS, 0, Durability.BUFFERED)), Durability.FSYNC);
  }

  /** Page by page, while keys change, whatever their number and size. */
  @Test
  void pagesHaveEachKeyOnce() {
    for (long seed : Seeds.of(20).toArray()) {
      Random sizes = new Random(seed);
      arrive();
      TreeMap<String, String> keys = new TreeMap<>();
      for (int i = sizes.nextInt(30); i > 0; i--) {
        String key = "k" + "x".repeat(sizes.nextInt(20)) + sizes.nextInt(10);
        String value = "v".repeat(sizes.nextInt(sizes.nextInt(5) == 0 ? 400 : 40));
        keys.put(key, value);
        take(put(PODS + key, value, 2));
      }
      List<String> found = new ArrayList<>();
      String next = null;
      do {
        PageAnswer page = get("page?" + POD_QUERY + (next == null ? "" : "&after=" + next));
        ok(page);
        List<String> read = read(page);
        assertThat(page.body().length <= 250 || read.size() == 1).as("seed %d", seed).isTrue();
        assertThat(page.headers().get("x-exaplane-keys"))
            .as("seed %d", seed)
            .isEqualTo(next == null ? Integer.toString(keys.size()) : null);
        found.addAll(read);
        next = page.headers().get("x-exaplane-next");
      } while (next != null);
      assertThat(found)
          .as("seed %d", seed)
          .containsExactlyElementsOf(
              keys.entrySet().stream().map(each -> each.getKey() + "=" + each.getValue()).toList());
    }
  }

  @Test
  void changesComeInWholeRevisionsAndAreAwaited() {
    arrive();
    long before = store.shownRevision();
    take(all(put(PODS + "a", "1", 3), put(PODS + "b", "2", 3)));
    take(put(PODS + "c", "v".repeat(200), 3));
    take(deletion(PODS + "a", 3));
    PageAnswer first = get("changes?" + POD_QUERY + "&after=" + before);
    assertThat(read(first)).containsExactly("a=1", "b=2");
    assertThat(first.headers()).containsEntry("x-exaplane-revision", Long.toString(before + 1));
    PageAnswer second = get("changes?" + POD_QUERY + "&after=" + (before + 1));
    assertThat(read(second)).hasSize(1).allMatch(each -> each.startsWith("c="));
    PageAnswer third = get("changes?" + POD_QUERY + "&after=" + (before + 2));
    assertThat(read(third)).containsExactly("a=deleted");

    AtomicReference<PageAnswer> awaited = new AtomicReference<>();
    String uri = "/moves/changes?waitMs=1000&" + POD_QUERY + "&after=" + (before + 3);
    pages.answer(PageRequest.of("GET", uri, "", true), awaited::set);
    store.advance(500);
    assertThat(awaited).hasValue(null);
    take(put(PODS + "d", "4", 3));
    store.advance(20);
    store.runToEnd(0);
    assertThat(read(awaited.get())).containsExactly("d=4");
    PageAnswer nothing = get("changes?waitMs=1000&" + POD_QUERY + "&after=" + (before + 4));
    assertThat(nothing.body()).isEmpty();
    assertThat(nothing.headers()).containsEntry("x-exaplane-revision", Long.toString(before + 4));
  }

  @Test
  void whatWasCompactedIsSaid() {
    arrive();
    assertThat(get("changes?" + POD_QUERY + "&after=2").status()).isEqualTo(410);
    assertThat(get("changes?" + POD_QUERY + "&after=2000000000000").status()).isEqualTo(410);
    assertThat(get("changes?" + POD_QUERY + "&after=" + store.shownRevision()).status())
        .isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          GET  | /moves/none                                | 404 | path: '/moves/none'
          GET  | /moves/                                    | 404 | path: '/moves/'
          POST | /moves                                     | 405 | ask with GET
          PUT  | /moves/take?id=a&prefix=/a/                | 405 | ask with POST
          GET  | /moves/freeze?id=a&prefix=/a/              | 405 | ask with POST
          GET  | /moves?prefix=/a/                          | 400 | prefix: '/a/' is no parameter
          GET  | /moves/sum                                 | 400 | prefix: 'nothing' must be given once
          GET  | /moves/sum?prefix=/a/&prefix=/b/           | 400 | prefix: '2 values' must be given once
          GET  | /moves/sum?prefix=                         | 400 | prefix: ''
          GET  | /moves/sum?prefix=/                        | 400 | prefix: '/' must begin and end
          GET  | /moves/sum?prefix=//                       | 400 | prefix: '//'
          GET  | /moves/sum?prefix=a/                       | 400 | prefix: 'a/'
          GET  | /moves/sum?prefix=/a                       | 400 | prefix: '/a'
          GET  | /moves/sum?prefix=/a//b/                   | 400 | prefix: '/a//b/'
          GET  | /moves/sum?prefix=/a%0a/                   | 400 | prefix: '/a?/'
          GET  | /moves/sum?prefix=/a%ff/                   | 400 | prefix: '/a?/'
          GET  | /moves/sum?prefix=/a/&sha=1                | 400 | sha: '1' is no parameter
          GET  | /moves/page?prefix=/a/&after=!             | 400 | after: '!' must be a key below
          GET  | /moves/page?prefix=/a/&after=L2I           | 400 | after: 'L2I' must be a key below
          GET  | /moves/changes?prefix=/a/                  | 400 | after: 'nothing'
          GET  | /moves/changes?prefix=/a/&after=-1         | 400 | after: '-1' must be a number
          GET  | /moves/changes?prefix=/a/&after=x          | 400 | after: 'x' must be a number
          GET  | /moves/changes?prefix=/a/&after=9999999999999999999 | 400 | after: '9999999999999999999'
          GET  | /moves/changes?prefix=/a/&after=1&waitMs=1001 | 400 | waitMs: '1001' must be a number from 0 to 1000
          POST | /moves/freeze?prefix=/a/                   | 400 | id: 'nothing'
          POST | /moves/freeze?prefix=/a/&id=               | 400 | id: ''
          POST | /moves/freeze?prefix=/a/&id=a_b            | 400 | id: 'a_b'
          POST | /moves/freeze?prefix=/a/&id=%0a            | 400 | id: '?'
          POST | /moves/arrive?prefix=/a/&id=a              | 400 | above: 'nothing'
          GET  | /moves/changes?prefix=/a/&after=9007199254740993 | 400 | must be a number from 0 to 9007199254740992; copy it
          POST | /moves/arrive?prefix=/a/&id=a&above=9007198254740993 | 400 | must be a number from 0 to 9007198254740992; copy it
          POST | /moves/arrive?prefix=/a/&id=a&above=9007198254740992 | 200 | 9007199254740992
          POST | /moves/finish?prefix=/a/&id=a&keys=1       | 400 | sha256: 'nothing'
          POST | /moves/finish?prefix=/a/&id=a&keys=1&sha256=AB | 400 | sha256: 'AB'
          POST | /moves/finish?prefix=/a/&id=a&keys=1&sha256=0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef | 400 | above: 'nothing'
          POST | /moves/thaw?prefix=/a/&id=a                | 200 | revision
          POST | /moves/leave?prefix=/a/&id=a               | 400 | revision: 'nothing'
          POST | /moves/leave?prefix=/a/&id=a&revision=1    | 404 | '/a/' has no move
          POST | /moves/clear?prefix=/a/&id=a               | 404 | '/a/' has no move
          POST | /moves/abandon?prefix=/a/&id=a             | 404 | '/a/' has no move
          POST | /moves/take?prefix=/a/&id=a                | 404 | '/a/' has no move
          """)
  void whatIsWrongIsSaidInOneLine(String method, String uri, int status, String words) {
    PageAnswer answer = ask(method, uri, NOTHING);
    assertThat(answer.status()).as(text(answer)).isEqualTo(status);
    assertThat(text(answer)).contains(words).endsWith("\n").hasLineCount(1);
  }

  @Test
  void anIdHasABound() {
    ok(post("freeze?prefix=/a/&id=" + "a".repeat(63)));
    assertThat(post("freeze?prefix=/b/&id=" + "a".repeat(64)).status()).isEqualTo(400);
  }

  @Test
  void onlyTakeReadsABody() {
    PageAnswer answer = ask("POST", "/moves/freeze?id=a&prefix=/a/", new byte[3]);
    assertThat(answer.status()).isEqualTo(400);
    assertThat(text(answer)).startsWith("body: '3 bytes' must be empty");
  }

  @Test
  void eachStateIsLeftByItsOwnRequestsOnly() {
    arrive();
    assertThat(post("arrive?id=m2&above=5&" + POD_QUERY).status()).isEqualTo(409);
    assertThat(post("abandon?id=m2&" + POD_QUERY).status()).isEqualTo(409);
    assertThat(post("clear?id=m1&" + POD_QUERY).status()).isEqualTo(409);
    assertThat(post("leave?id=m1&revision=1&" + POD_QUERY).status()).isEqualTo(409);
    String wrong = "&keys=1&sha256=" + "0".repeat(64);
    PageAnswer other = post("finish?id=m1&above=3&" + POD_QUERY + wrong);
    assertThat(other.status()).isEqualTo(409);
    assertThat(text(other)).contains("1 and 000", "this store has 0 and e3b0c44");
    take(put(PODS + "a", "1", 3));
    ok(post("finish?id=m1&above=8&" + POD_QUERY + "&" + sumQuery()));
    PageAnswer served = post("arrive?id=m2&above=5&" + POD_QUERY);
    assertThat(served.status()).as(text(served)).isEqualTo(409);
    assertThat(ask("POST", "/moves/take?id=m1&" + POD_QUERY, NOTHING).status()).isEqualTo(409);
    ok(post("freeze?id=m3&" + POD_QUERY));
    assertThat(post("arrive?id=m3&above=5&" + POD_QUERY).status()).isEqualTo(409);
  }

  /** Two requests of several steps would mix. */
  @Test
  void oneRequestAtATimeChangesAKind() {
    arrive();
    AtomicReference<PageAnswer> first = new AtomicReference<>();
    String uri = "/moves/take?id=m1&" + POD_QUERY;
    pages.answer(PageRequest.of("POST", uri, "", true).with(put(PODS + "a", "1", 3)), first::set);
    PageAnswer second = ask("POST", uri, put(PODS + "b", "1", 3));
    assertThat(second.status()).as(text(second)).isEqualTo(429);
    store.turn();
    assertThat(first.get().status()).isEqualTo(200);
    take(put(PODS + "b", "1", 3));
    assertThat(sumQuery()).startsWith("keys=2&");
  }

  @Test
  void badRecordsAreRefusedAndChangeNothing() {
    arrive();
    byte[] good = put(PODS + "a", "1", 3);
    List<byte[]> bad =
        List.of(
            Arrays.copyOf(good, 3),
            Arrays.copyOf(good, good.length - 1),
            all(good, new byte[] {0}),
            all(good, new byte[4]),
            ByteBuffer.allocate(9).putInt(-5).array(),
            ByteBuffer.allocate(9).putInt(Integer.MAX_VALUE).array(),
            ByteBuffer.allocate(9).putInt(5).put((byte) 0x7f).array(),
            put("/registry/podz/a", "1", 3),
            put(PODS, "1", 3),
            put("", "1", 3),
            record(PODS + "a", "1", 3, 1, 77),
            record(PODS + "a", "1", 3, 0, 0),
            record(PODS + "a", "1", 0, 1, 0),
            record(PODS + "a", "1", 3, -1, 0));
    for (byte[] body : bad) {
      PageAnswer answer = ask("POST", "/moves/take?id=m1&" + POD_QUERY, body);
      assertThat(answer.status()).as(text(answer)).isEqualTo(400);
      assertThat(text(answer)).startsWith("body: record ").hasLineCount(1);
    }
    assertThat(sumQuery()).startsWith("keys=0&");
  }

  /** Any bytes, and good records with bytes changed: refused, or taken for what they say. */
  @Test
  void anyBytesAreNoHarm() {
    arrive();
    Random bytes = new Random(5);
    byte[] good =
        all(put(PODS + "a", "value", 3), deletion(PODS + "b", 4), put(PODS + "c", "x", 5));
    int refused = 0;
    for (int i = 0; i < 500; i++) {
      byte[] body = Arrays.copyOf(good, bytes.nextInt(good.length + 8));
      for (int changed = bytes.nextInt(4); changed > 0 && body.length > 0; changed--) {
        body[bytes.nextInt(body.length)] = (byte) bytes.nextInt();
      }
      PageAnswer answer = ask("POST", "/moves/take?id=m1&" + POD_QUERY, body);
      assertThat(answer.status()).as(text(answer)).isIn(200, 400, 409);
      assertThat(text(answer)).hasLineCount(1);
      refused += answer.status() == 200 ? 0 : 1;
    }
    assertThat(refused).isBetween(100, 499);
    assertThat(read(get("page?" + POD_QUERY))).isNotNull();
  }

  @Test
  void aKeyThatIsBelowIsWhereThePageGoesOn() {
    arrive();
    take(all(put(PODS + "a", "1", 3), put(PODS + "b", "2", 3)));
    String after = Base64.getUrlEncoder().encodeToString((PODS + "a").getBytes(UTF_8));
    assertThat(read(get("page?" + POD_QUERY + "&after=" + after.replace("=", "%3D"))))
        .containsExactly("b=2");
  }

  @Test
  void onlyMoversAsk() {
    PageRequest remote = PageRequest.of("GET", "/moves", "", false);
    AtomicReference<PageAnswer> answer = new AtomicReference<>();
    pages.answer(remote, answer::set);
    assertThat(answer.get().status()).isEqualTo(403);
    assertThat(text(answer.get())).contains("--trusted-ca-file").hasLineCount(1);
    new MovePages(store.storeMoves(), new Movers(true), 1)
        .answer(PageRequest.of("GET", "/moves", "", true), answer::set);
    assertThat(answer.get().status()).isEqualTo(403);
    assertThat(text(answer.get())).contains("O=exaplane:mover").hasLineCount(1);
  }

  @ParameterizedTest
  @CsvSource({
    "/moves, 65536",
    "/moves/take?id=a, 17825792",
    "/%6doves/take, 17825792",
    "http://store/moves/take, 17825792",
    "/metrics, 65536",
    "/movesx, 65536",
    "/%zz, 65536"
  })
  void bodiesAreLargeWhereTheyAreRead(String target, int bytes) {
    assertThat(pages.mostBodyBytes(target)).isEqualTo(bytes);
  }
}
