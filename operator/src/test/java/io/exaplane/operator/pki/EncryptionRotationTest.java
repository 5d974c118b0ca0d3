// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.pki;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.api.v1alpha1.ControlPlane;
import io.exaplane.api.v1alpha1.ControlPlaneStatus;
import io.exaplane.api.v1alpha1.Reason;
import io.exaplane.api.v1alpha1.RotationPhase;
import io.exaplane.api.v1alpha1.RotationSpec;
import io.exaplane.api.v1alpha1.RotationStatus;
import io.exaplane.api.v1alpha1.RotationWish;
import io.exaplane.operator.controlplane.Fixtures;
import io.exaplane.operator.controlplane.condition.RotationCompleteCondition;
import io.exaplane.operator.rotation.Outside;
import io.exaplane.operator.rotation.RotatedKey;
import io.exaplane.operator.rotation.Rotation;
import io.exaplane.operator.rotation.Stage;
import io.fabric8.kubernetes.api.model.Secret;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The key of encryption in its Secret, by operators each of which makes one pass. */
class EncryptionRotationTest {
  private static final String SECRET = "demo-encryption";
  private static final String API = "demo-apiserver-pki";
  private static final String PLAIN = "{version: 1.36.3, maxNodes: 1}";
  private static final String SECRETS = "{version: 1.36.3, maxNodes: 1, encryption: {}}";
  private static final String MORE =
      "{version: 1.36.3, maxNodes: 1, encryption: {resources: [secrets, widgets.example.com]}}";

  /** The Deployment of kube-apiserver and its revision: all of its pods use the present step. */
  private static final Optional<String> ALL = Optional.of("uid/7");

  private final SecretServer api;
  private ControlPlane owner = Fixtures.controlPlane(PLAIN);
  private PkiResult last;

  EncryptionRotationTest() throws IOException {
    api = new SecretServer();
  }

  @AfterEach
  void close() {
    api.close();
  }

  private void asks(String spec) {
    ControlPlaneStatus status = owner.getStatus();
    owner = Fixtures.controlPlane(spec);
    owner.setStatus(status);
  }

  /** One pass, after which status is written. */
  private void pass(RotationWish wish, Rewriting rewriting, List<String> remaining) {
    PkiReconciler pki = new PkiReconciler(owner, api.client, api::get, true, Clock.systemUTC());
    Optional<Authorities> known = pki.authorities();
    known.ifPresent(
        keys -> {
          pki.ensure(new ControlPlanePki(owner, keys, true).apiServer("127.0.0.1", List.of()));
          pki.rotate(
              keys,
              new RotationSpec(null, null, wish),
              remaining,
              true,
              true,
              Outside.NONE,
              rewriting);
        });
    last = pki.result(known);
    RotationStatus before = owner.getStatus() == null ? null : owner.getStatus().rotation();
    owner.setStatus(
        new ControlPlaneStatus(
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                null,
                last.certificates(),
                null,
                null,
                null)
            .withRotation(
                RotationCompleteCondition.status(last.rotations(), before, Instant.EPOCH)
                    .orElse(null)));
  }

  private void pass(RotationWish wish) {
    pass(wish, Rewriting.NONE.by(ALL, () -> ALL), List.of());
  }

  private void written(RotationWish wish) {
    pass(wish, done(), List.of());
  }

  private Rewriting done() {
    return new Rewriting(Optional.empty(), Optional.of(id()), ALL, () -> ALL);
  }

  private String id() {
    return EncryptionKey.id(key(), ALL.orElseThrow());
  }

  private RotatedKey key() {
    return RotatedKey.read(api.files().get(SECRET), EncryptionKey.FILES);
  }

  private Rotation rotation() {
    return last.rotations().stream()
        .filter(each -> each.field().equals(Rotation.ENCRYPTION_KEY))
        .findFirst()
        .orElseThrow();
  }

  private RotationPhase phase() {
    return owner.getStatus().rotation().encryptionKey().phase();
  }

  private Map<String, String> configurations() {
    Map<String, String> found = new TreeMap<>();
    api.files()
        .get(API)
        .forEach(
            (file, content) -> {
              if (file.startsWith("encryption-")) {
                found.put(file, new String(content, StandardCharsets.US_ASCII));
              }
            });
    return found;
  }

  /** A new operator must replace no pod. */
  @Test
  void withoutTheFieldThereIsNoKeyAndNoFile() {
    pass(null);
    pass(null);
    assertThat(api.files()).doesNotContainKey(SECRET);
    assertThat(configurations()).isEmpty();
    assertThat(last.authorities().orElseThrow().epochs().apiServer()).isEmpty();
    assertThat(last.authorities().orElseThrow().epochs().encryption()).isEmpty();
    assertThat(last.rotations()).hasSize(2);
  }

  @Test
  void aControlPlaneThatIsMadeWithItHasTheKeyFromItsFirstStart() {
    asks(SECRETS);
    pass(null);
    assertThat(key().stage()).isEqualTo(Stage.SINGLE);
    assertThat(EncryptionKey.current(key()).encrypts()).isTrue();
    assertThat(configurations()).containsOnlyKeys("encryption-0.yaml");
    assertThat(last.authorities().orElseThrow().epochs().encryption())
        .contains("encryption-0.yaml");
    int writes = api.writes;
    pass(null);
    assertThat(api.writes).isEqualTo(writes);
    assertThat(owner.getStatus().rotation()).as("nothing was rotated").isNull();
  }

  /** Switched on, with another resource, with another key, and switched off. */
  @Test
  void eachChangeIsARotationThatKeepsWhatTheNeighboursRead() {
    pass(null);
    pass(null);
    asks(SECRETS);
    pass(null);
    assertThat(key().step()).as("who runs reads nothing encrypted yet").isEqualTo(1);
    assertThat(EncryptionKey.current(key())).isEqualTo(EncryptionKey.IDENTITY);
    goesTo("secrets", null);
    RotatedKey on = key();
    asks(MORE);
    pass(null);
    goesTo("secrets, widgets.example.com", null);
    assertThat(EncryptionKey.current(key()).name()).isNotEqualTo(EncryptionKey.current(on).name());
    RotatedKey before = key();
    pass(RotationWish.Prepare);
    pass(RotationWish.Prepare);
    pass(RotationWish.Prepare);
    assertThat(phase()).isEqualTo(RotationPhase.Prepared);
    written(RotationWish.Prepare);
    pass(RotationWish.Prepare);
    assertThat(key().stage()).as("until a person completes").isEqualTo(Stage.ISSUING);
    goesTo("secrets, widgets.example.com", RotationWish.Complete);
    assertThat(EncryptionKey.current(key()).name())
        .isNotEqualTo(EncryptionKey.current(before).name());
    asks(PLAIN);
    pass(null);
    goesTo("", null);
    assertThat(EncryptionKey.current(key())).isEqualTo(EncryptionKey.IDENTITY);
    assertThat(last.certificates()).noneMatch(one -> one.name().equals("encryption"));
    assertThat(configurations().values())
        .as("pods of before may start again")
        .hasSize(2)
        .allMatch(
            text -> text.endsWith("resources:\n  - secrets\n  providers:\n  - identity: {}\n"));
    int writes = api.writes;
    pass(null);
    assertThat(api.writes).isEqualTo(writes);
  }

  /** Passes until the rotation is over; objects are written only when they may be. */
  private void goesTo(String resources, RotationWish wish) {
    List<RotatedKey> steps = new ArrayList<>(List.of(key()));
    for (int i = 0; i < 12 && key().stage() != Stage.SINGLE; i++) {
      if (rotation().rewrites()) {
        written(wish);
      } else {
        pass(wish);
      }
      if (!key().equals(steps.getLast())) {
        steps.add(key());
      }
    }
    assertThat(steps.getLast().stage()).isEqualTo(Stage.SINGLE);
    assertThat(String.join(", ", EncryptionKey.current(key()).resources())).isEqualTo(resources);
    for (int i = 1; i < steps.size(); i++) {
      assertThat(readers(steps.get(i))).containsAll(writers(steps.get(i - 1)));
      assertThat(readers(steps.get(i - 1))).containsAll(writers(steps.get(i)));
    }
    pass(wish);
    pass(wish);
    assertThat(phase()).isEqualTo(RotationPhase.Completed);
  }

  /** By which keys kube-apiservers of a step write, each with its resource. */
  private static List<String> writers(RotatedKey key) {
    EncryptionKey current = EncryptionKey.current(key);
    return current.resources().stream().map(resource -> resource + " " + current.name()).toList();
  }

  private static List<String> readers(RotatedKey key) {
    String text = EncryptionConfiguration.text(key);
    List<String> found = new ArrayList<>();
    for (String entry : text.substring(text.indexOf("resources:")).split("- resources:\n")) {
      String[] halves = entry.split("  providers:\n");
      for (String resource : halves.length < 2 ? new String[0] : halves[0].split("\n")) {
        halves[1]
            .lines()
            .filter(line -> line.contains("name: "))
            .forEach(
                line ->
                    found.add(resource.replace("- ", "").strip() + " " + line.split("name: ")[1]));
      }
    }
    return found;
  }

  @Test
  void theOldKeyStaysUntilStatusKnowsThatAllObjectsAreWritten() {
    asks(SECRETS);
    pass(null);
    pass(RotationWish.Prepare);
    pass(RotationWish.Prepare);
    pass(RotationWish.Complete);
    assertThat(key().stage()).isEqualTo(Stage.ISSUING);
    pass(RotationWish.Complete, Rewriting.NONE, List.of("demo-apiserver"));
    assertThat(rotation().rewrites()).as("a kube-apiserver has the old key").isFalse();
    pass(
        RotationWish.Complete,
        new Rewriting(
            Optional.of("objects of secrets (3 written)"),
            Optional.of("2 key-other uid/7"),
            ALL,
            () -> ALL),
        List.of());
    assertThat(rotation().rewrites()).isTrue();
    assertThat(rotation().isHeld()).isTrue();
    assertThat(owner.getStatus().rotation().encryptionKey().remaining())
        .containsExactly("objects of secrets (3 written)");
    var verdict =
        RotationCompleteCondition.of(last.rotations(), owner.getStatus().rotation(), Map.of());
    assertThat(verdict.reason()).isEqualTo(Reason.RotationHeld);
    assertThat(verdict.message())
        .contains("spec.pki.rotation.encryptionKey", "objects of secrets (3 written)");
    written(RotationWish.Complete);
    assertThat(key().stage()).as("status comes first").isEqualTo(Stage.ISSUING);
    assertThat(owner.getStatus().rotation().encryptionKey().rewritten()).isEqualTo(id());
    // Another operator, which has written nothing itself, and whose caches are behind.
    pass(RotationWish.Complete, Rewriting.NONE.by(ALL, () -> Optional.of("uid/9")), List.of());
    assertThat(key().stage()).as("the API server knows better").isEqualTo(Stage.ISSUING);
    pass(RotationWish.Complete);
    assertThat(key().stage()).isEqualTo(Stage.SINGLE);
  }

  /** By {@code kubectl rollout undo}, which the operator takes back, after pods have written. */
  @Test
  void whatWasWrittenCountsNoMoreOnceAKubeApiserverWritesByTheOldKey() {
    asks(SECRETS);
    pass(null);
    pass(RotationWish.Prepare);
    pass(RotationWish.Prepare);
    written(RotationWish.Prepare);
    Rewriting done = done();
    assertThat(owner.getStatus().rotation().encryptionKey().rewritten()).isNotNull();
    pass(RotationWish.Prepare, done, List.of("demo-scheduler"));
    assertThat(owner.getStatus().rotation().encryptionKey().rewritten())
        .as("a scheduler writes by no key")
        .isNotNull();
    pass(RotationWish.Prepare, Rewriting.NONE.by(ALL, () -> ALL), List.of("demo-apiserver"));
    assertThat(owner.getStatus().rotation().encryptionKey().rewritten())
        .as("a server that is not ready uses the new key")
        .isNotNull();
    pass(
        RotationWish.Prepare,
        done.by(Optional.empty(), Optional::empty),
        List.of("demo-apiserver"));
    assertThat(owner.getStatus().rotation().encryptionKey().rewritten()).isNull();
    pass(RotationWish.Complete);
    pass(RotationWish.Complete);
    assertThat(rotation().rewrites()).as("all objects again").isTrue();
    assertThat(key().stage()).isEqualTo(Stage.ISSUING);
    written(RotationWish.Complete);
    pass(RotationWish.Complete);
    assertThat(key().stage()).isEqualTo(Stage.SINGLE);
  }

  @Test
  void aKeyThatIsLostOrAnotherIsNotReplaced() {
    asks(SECRETS);
    pass(null);
    Secret lost = api.get(SECRET);
    String content = new String(api.files().get(SECRET).get("key"), StandardCharsets.US_ASCII);
    api.remove(SECRET);
    pass(null);
    assertThat(api.files()).doesNotContainKey(SECRET);
    assertThat(last.problem().orElseThrow().reason()).isEqualTo(Reason.CASecretMissing);
    assertThat(last.problem().orElseThrow().message())
        .contains(SECRET, "encrypted object", "Restore the Secret");
    asks(PLAIN);
    pass(null);
    assertThat(last.problem()).as("objects are encrypted all the same").isPresent();
    for (String text :
        List.of("", "secretbox short secrets", EncryptionKey.make(List.of("secrets")).text())) {
      api.restore(lost, "key", text);
      pass(null);
      assertThat(last.problem().orElseThrow().reason()).isEqualTo(Reason.CASecretInvalid);
    }
    api.restore(lost, "key", content);
    pass(null);
    assertThat(last.problem()).isEmpty();
  }

  /** A backup of before a rotation lacks the key by which objects were written again since. */
  @Test
  void anEarlierSecretIsNotTakenWhileObjectsNeedTheNewKey() {
    asks(SECRETS);
    pass(null);
    Secret backup = api.get(SECRET);
    String content = new String(api.files().get(SECRET).get("key"), StandardCharsets.US_ASCII);
    pass(RotationWish.Prepare);
    pass(RotationWish.Prepare);
    pass(RotationWish.Prepare);
    written(RotationWish.Prepare);
    assertThat(owner.getStatus().rotation().encryptionKey().rewritten()).isNotNull();
    Map<String, String> configurations = configurations();
    api.remove(SECRET);
    api.restore(backup, "key", content);
    pass(RotationWish.Prepare);
    assertThat(last.problem().orElseThrow().reason()).isEqualTo(Reason.CASecretInvalid);
    assertThat(configurations()).as("where the new key still is").isEqualTo(configurations);
  }

  @Test
  void podsGoBackOnlyToWhatOthersCanRead() {
    EncryptionKey one = EncryptionKey.make(List.of("secrets"));
    EncryptionKey two = EncryptionKey.make(List.of("secrets"));
    assertThat(returns(Stage.TRUSTED, 1, EncryptionKey.IDENTITY, two))
        .containsExactly("", "encryption-1.yaml");
    assertThat(returns(Stage.TRUSTED, 1, one, two))
        .containsExactly("encryption-0.yaml", "encryption-1.yaml");
    assertThat(returns(Stage.ISSUING, 2, two, one)).containsExactly("encryption-2.yaml");
    assertThat(returns(Stage.SINGLE, 3, two, null))
        .containsExactly("encryption-2.yaml", "encryption-3.yaml");
  }

  private static List<String> returns(
      Stage stage, int step, EncryptionKey current, EncryptionKey other) {
    return List.copyOf(
        EncryptionConfiguration.returns(
            new RotatedKey(
                stage,
                step,
                Instant.EPOCH,
                Map.of("key", current.text()),
                other == null ? Map.of() : Map.of("key", other.text()))));
  }
}
