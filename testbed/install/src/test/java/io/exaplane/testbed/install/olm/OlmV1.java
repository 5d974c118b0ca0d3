// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.install.olm;

import static org.assertj.core.api.Assertions.assertThat;

import io.exaplane.testbed.machine.Machine;
import io.exaplane.testbed.machine.Server;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Both parts of OLM v1 as processes, whose folder the launcher names in EXA_OLM_V1: catalogd and
 * operator-controller. They pull images of {@code quay.io/exaplane} from the test's registry. What
 * a user does with them are the commands of the docs. Used by one thread.
 */
final class OlmV1 implements AutoCloseable {
  private static final String NAMESPACE = "olmv1-system";
  private static final Path INSTALL = Path.of("../../docs/install.md");
  private static final Path UNINSTALL = Path.of("../../docs/uninstall.md");
  private static final String CATALOG = "$registry/catalog:0.1.0";

  /** What the docs create for OLM v1, one command a line, and what they apply. */
  private static final Pattern INSTALLATION =
      Pattern.compile(
          "(?s)### OLM v1\n.*?```\n(kubectl create .*?)kubectl apply -f - <<EOF\n(.*?)EOF\n```");

  private static final Pattern UPGRADE = Pattern.compile("(?m)^kubectl (patch clustercatalog .*)$");
  private static final String NEXT_CATALOG = "REGISTRY/catalog:NEW";

  /** By which OLM v1 upgrades although it does not know each change of an API type. */
  private static final Pattern ALLOWANCE =
      Pattern.compile("(?m)^kubectl (patch clusterextension .*)$");

  private static final Pattern DISOWNING =
      Pattern.compile("(?m)^kubectl (patch crd .*ownerReferences.*)$");

  private static final Pattern LIST = Pattern.compile("\\{([a-z,]+)}([.a-z]+)");

  private static final Pattern REMOVAL = Pattern.compile("\\| OLM v1 \\| `kubectl (delete [^`]*)`");

  private final OlmCluster cluster;
  private final Path folder;
  private final Deque<Server> servers = new ArrayDeque<>();

  private OlmV1(OlmCluster cluster, Path folder) {
    this.cluster = cluster;
    this.folder = folder;
  }

  /**
   * Starts both.
   *
   * @param pair by which the registry serves, and catalogd shall
   * @param folder an empty one, for files and logs
   */
  static OlmV1 start(OlmCluster cluster, ImageServer images, TlsPair pair, Path folder)
      throws Exception {
    OlmV1 manager = new OlmV1(cluster, folder);
    try {
      manager.startAll(images, pair);
      return manager;
    } catch (Exception | AssertionError e) {
      manager.close();
      throw e;
    }
  }

  private void startAll(ImageServer images, TlsPair pair) throws Exception {
    Path programs = Path.of(Machine.environment("EXA_OLM_V1"));
    cluster.kubectl("create", "namespace", NAMESPACE);
    cluster.define(programs.resolve("crds"));
    Path settings = Files.createDirectories(folder.resolve(".config/containers"));
    Files.writeString(
        settings.resolve("registries.conf"),
        """
        [[registry]]
        prefix = "quay.io/exaplane"
        location = "%s/exaplane"
        """
            .formatted(images.address()));
    Path trusted = Files.createDirectory(folder.resolve("trusted"));
    Files.copy(pair.certificate(), trusted.resolve("ca.crt"));
    String catalogs = "127.0.0.1:" + Machine.freePort();
    begin(
        programs.resolve("catalogd"),
        List.of(
            "--catalogs-server-addr=" + catalogs,
            "--external-address=" + catalogs,
            "--webhook-server-port=" + Machine.freePort(),
            "--metrics-bind-address=0",
            "--tls-cert=" + pair.certificate(),
            "--tls-key=" + pair.key(),
            "--pull-cas-dir=" + trusted,
            "--cache-dir=" + folder.resolve("catalogs")));
    begin(
        programs.resolve("operator-controller"),
        List.of(
            "--catalogd-cas-dir=" + trusted,
            "--pull-cas-dir=" + trusted,
            "--cache-path=" + folder.resolve("extensions")));
  }

  private void begin(Path program, List<String> flags) throws Exception {
    String name = program.getFileName().toString();
    int health = Machine.freePort();
    List<String> words = new ArrayList<>(List.of(program.toString()));
    words.addAll(flags);
    words.add("--system-namespace=" + NAMESPACE);
    words.add("--health-probe-bind-address=127.0.0.1:" + health);
    Path temporary = Files.createDirectory(folder.resolve(name + "-tmp"));
    servers.push(
        Server.start(
            words,
            Map.of(
                "HOME",
                folder.toString(),
                "KUBECONFIG",
                cluster.adminKubeconfig().toString(),
                "TMPDIR",
                temporary.toString()),
            URI.create("http://127.0.0.1:" + health + "/readyz"),
            folder.resolve(name + ".log")));
  }

  /** The namespace and the account by which OLM installs. */
  void prepare() throws IOException, InterruptedException {
    List<String> commands = installation().group(1).lines().toList();
    assertThat(commands).as("commands of OLM v1 in %s", INSTALL).hasSize(3);
    for (String command : commands) {
      run(command.replaceFirst("kubectl ", ""));
    }
  }

  /**
   * Applies catalog and extension.
   *
   * @param tag of the catalog's image
   */
  void extend(String tag) throws IOException, InterruptedException {
    String text = installation().group(2);
    assertThat(text).contains(CATALOG);
    cluster.apply(text.replace(CATALOG, image(tag)));
  }

  /** Names another tag of the catalog's image. */
  void upgrade(String tag) throws IOException, InterruptedException {
    String text = find(UPGRADE, INSTALL).group(1);
    assertThat(text).contains(NEXT_CATALOG);
    run(text.replace(NEXT_CATALOG, image(tag)));
  }

  private static String image(String tag) {
    return "quay.io/exaplane/catalog:" + tag;
  }

  /** Lets an upgrade go on that OLM v1 refuses for its changes of API types. */
  void allowChanges() throws IOException, InterruptedException {
    run(find(ALLOWANCE, INSTALL).group(1));
  }

  /** Uninstalls. */
  void remove() throws IOException, InterruptedException {
    run(find(REMOVAL, UNINSTALL).group(1));
  }

  private static Matcher installation() throws IOException {
    return find(INSTALLATION, INSTALL);
  }

  private static Matcher find(Pattern pattern, Path page) throws IOException {
    Matcher text = pattern.matcher(Files.readString(page));
    assertThat(text.find()).as("%s in %s", pattern, page).isTrue();
    return text;
  }

  /** Takes API types that an uninstall left from their former owner. */
  void disown() throws IOException, InterruptedException {
    run(find(DISOWNING, INSTALL).group(1));
  }

  /** A command of a page, whose words have no spaces; a list in braces is several words. */
  private void run(String command) throws IOException, InterruptedException {
    List<String> words = new ArrayList<>();
    for (String word : command.replace("'", "").split(" ")) {
      Matcher list = LIST.matcher(word);
      if (list.matches()) {
        for (String each : list.group(1).split(",")) {
          words.add(each + list.group(2));
        }
      } else {
        words.add(word);
      }
    }
    cluster.kubectl(words.toArray(String[]::new));
  }

  /** The name of the bundle that is installed, or null. */
  String installed() {
    return extension().get("status", "install", "bundle", "name");
  }

  /** What OLM v1 says of its progress, or "". */
  String progress() {
    List<Map<String, String>> conditions = extension().get("status", "conditions");
    return conditions == null
        ? ""
        : conditions.stream()
            .filter(condition -> condition.get("type").equals("Progressing"))
            .map(condition -> condition.get("reason") + ": " + condition.get("message"))
            .findFirst()
            .orElse("");
  }

  private GenericKubernetesResource extension() {
    return cluster
        .client()
        .genericKubernetesResources("olm.operatorframework.io/v1", "ClusterExtension")
        .withName("exaplane")
        .require();
  }

  /** Both objects, and the last lines of both logs. */
  String lastWords() throws IOException, InterruptedException {
    StringBuilder words =
        new StringBuilder(
            cluster.kubectl("get", "clusterextension,clustercatalog", "-o", "yaml") + "\n");
    for (Server server : servers) {
      words.append(server.lastWords()).append('\n');
    }
    return words.toString();
  }

  @Override
  public void close() {
    servers.forEach(Server::close);
  }
}
