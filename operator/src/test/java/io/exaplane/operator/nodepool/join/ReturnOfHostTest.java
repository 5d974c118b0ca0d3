// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.join;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How a host whose Node was deleted comes back with another prefix: parts of the programs, by
 * stubs.
 */
class ReturnOfHostTest {
  private static final int MOST_SECONDS = 60;
  private static final String GONE = "{\"kind\": \"Status\", \"reason\": \"NotFound\"}";
  private static final String THERE =
      "{\"kind\": \"Node\", \"spec\": {\"podCIDR\": \"fd00:e:114::/64\"}}";
  private static final String NEW = "{\"kind\": \"Node\", \"spec\": {}}";

  @TempDir Path folder;

  @BeforeEach
  void settings() throws IOException {
    Files.createDirectories(folder.resolve("state"));
    Files.createDirectories(folder.resolve("net.d"));
  }

  private Path state(String name) {
    return folder.resolve("state").resolve(name);
  }

  private void program(Path path, String text) throws IOException {
    Files.writeString(path, "#!/bin/sh\n" + text);
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwx------"));
  }

  /** What a shell says, with the folder of the host's state in this test's. */
  private String run(String text) throws IOException, InterruptedException {
    Path said = folder.resolve("said");
    String head =
        "STATE='%1$s/state' RUN='%1$s/run' WORK='%1$s' CNI_FOLDER='%1$s/net.d'\n".formatted(folder);
    Process shell =
        new ProcessBuilder("sh", "-c", head + text, "/dev/null")
            .redirectErrorStream(true)
            .redirectOutput(said.toFile())
            .start();
    boolean ended = shell.waitFor(MOST_SECONDS, TimeUnit.SECONDS);
    shell.destroyForcibly();
    assertThat(ended).as("the end within %d s".formatted(MOST_SECONDS)).isTrue();
    return Files.readString(said, UTF_8);
  }

  private static String function(String part, String name) throws IOException {
    String text = JoinScript.part(part);
    int start = text.indexOf("\n" + name + "() {") + 1;
    assertThat(start).as(name).isPositive();
    int line = text.indexOf('\n', start);
    return text.charAt(line - 1) == '}'
        ? text.substring(start, line + 1)
        : text.substring(start, text.indexOf("\n}\n", start) + 3);
  }

  /** A look of heartbeats while the API gives that answer. */
  private String look(String answer) throws IOException, InterruptedException {
    program(folder.resolve("kubelet"), "echo Kubernetes v1.37.3-rc.1+vendor\n");
    program(state("join.sh"), "VERSION='1.37.2'\necho \"ran $VERSION $*\"\n");
    Files.deleteIfExists(state("readdress.log"));
    String said =
        run(
            "NODE=n1 KUBELET=%s/kubelet\n".formatted(folder)
                + function("heartbeat.sh", "value")
                + function("heartbeat.sh", "readdress")
                + "say() { :; }\ntell() { :; }\nask() { ANSWER='%s'; }\nreaddress\n"
                    .formatted(answer));
    assertThat(said).isEmpty();
    return Files.exists(state("readdress.log")) ? Files.readString(state("readdress.log")) : "";
  }

  /** Whatever kubelet an upgrade brought, and whatever name the host has. */
  @Test
  void theKeptScriptRunsWithTheVersionAndTheNameOfToday() throws Exception {
    Files.writeString(state("moved"), "fd00:e:177::/64\n");
    assertThat(look(GONE)).isEqualTo("ran 1.37.3-rc.1 --node-name n1\n");
    assertThat(look(NEW)).isNotEmpty();
    assertThat(look(THERE)).isEmpty();
    assertThat(Files.getPosixFilePermissions(state("join.sh")))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
  }

  @Test
  void aWayBackThatBeganGoesOnWhateverTheNodeIs() throws Exception {
    assertThat(look(GONE)).as("a Node that somebody deleted").isEmpty();
    Files.writeString(state("returning"), "");
    for (String answer : List.of(GONE, NEW, THERE)) {
      assertThat(look(answer)).isNotEmpty();
    }
  }

  /** Stubs of all that changes the host itself. */
  private String joins(String end) throws IOException, InterruptedException {
    String stubs =
        List.of(
                    "joined step stop undo_containers undo_shims undo_host_network bridged begin load_modules set_sysctls make_folder put pod_resolvers host_dropin kubelet_start start_containerd start_unit await_node ask_for_prefix start_network start_client await_ready start_heartbeats own_node"
                        .split(" "))
                .stream()
                .map(name -> name + "() { :; }\n")
                .reduce("", String::concat)
            + "bridged() { false; }\n";
    return run(
        JoinScript.part("join.sh")
            + stubs
            + "READDRESS=yes PREFIX=fd00:e:177::/64 PREFIX_FOUND=yes NAT64_RESOLVERS='' CA_PEM='' KUBELET_CONFIG='' BOOTSTRAP_KUBECONFIG='' NODE_CERTIFICATE=/ TOKEN=x\n"
            + "await_cidrs() { %s; }\njoin\n".formatted(end));
  }

  /** Pods of the new Node would get addresses of the former prefix by the former file. */
  @Test
  void aWayBackThatFailsLeavesItsMarkAndNoNetwork() throws Exception {
    Files.writeString(folder.resolve("net.d/10-exaplane.conflist"), "former");
    Files.writeString(state("moved"), "fd00:e:177::/64\n");
    assertThat(joins("exit 36")).isEmpty();
    assertThat(folder.resolve("net.d/10-exaplane.conflist")).doesNotExist();
    assertThat(state("returning")).exists();
    assertThat(state("prefix")).hasContent("fd00:e:177::/64");
    assertThat(joins(":")).isEmpty();
    assertThat(state("returning")).doesNotExist();
    assertThat(state("moved")).doesNotExist();
  }

  private String reported() throws IOException, InterruptedException {
    return run(
        function("source.sh", "report_prefix")
            + "NODE=n1\ncall() { STATUS=200; cat \"$WORK/patch\"; }\nreport_prefix fd00:e:177::/64\n");
  }

  /** The operator deletes the Nodes of these hosts alone. */
  @Test
  void onlyAHostThatFindsItsPrefixSaysThatItComesBack() throws Exception {
    assertThat(reported()).contains("\"exaplane.io/readdresses\": null");
    Files.writeString(state("found"), "yes\n");
    assertThat(reported()).contains("\"exaplane.io/readdresses\": \"yes\"");
  }

  /** Without a kept process of the network, nobody else notes the move. */
  @Test
  void aRunThatTellsOfTheMoveNotesIt() throws Exception {
    String main = JoinScript.part("main.sh");
    int start = main.indexOf("\nif [ \"$FIRST_FAILURE\" -ne 0 ]; then");
    String verdict = main.substring(start, main.indexOf("\nfi\n", start) + 4);
    run(
        "FIRST_FAILURE=35 MODE=join PREFIX_MOVED=fd00:e:177::/64 NODE_CERTIFICATE=/ NODE=n1\n"
            + "report_prefix() { :; }\ncomplain() { :; }\n"
            + verdict);
    assertThat(state("moved")).hasContent("fd00:e:177::/64");
  }

  private void keptProcessLooks(String node) throws IOException, InterruptedException {
    String said =
        run(
            "FOUND=yes PREFIX=fd00:e:114::/64 TOLD=$PREFIX\n"
                + "found_prefixes() { echo \"$PREFIX\"; }\n%s\n".formatted(node)
                + function("network.sh", "tell")
                + "tell\n");
    assertThat(said).isEmpty();
  }

  /** The kubelet of a host whose Node was deleted registers at its start alone. */
  @Test
  void aFormerPrefixThatIsBackEndsTheMoveOnlyWhileTheNodeHasIt() throws Exception {
    Files.writeString(state("moved"), "fd00:e:177::/64\n");
    keptProcessLooks("own_node() { false; }; node_cidrs() { :; }");
    assertThat(state("moved")).as("a deleted Node").exists();
    keptProcessLooks("own_node() { :; }; node_cidrs() { :; }");
    assertThat(state("moved")).as("a Node without addresses").exists();
    keptProcessLooks("own_node() { :; }; node_cidrs() { echo fd00:e:114::/64; }");
    assertThat(state("moved")).doesNotExist();
  }

  /** As for a process that waits for a volume whose server is away. */
  @Test
  void aContainerdThatNeverAnswersIsNotWaitedFor() throws Exception {
    program(folder.resolve("ctr"), "exec sleep 300\n");
    String call = function("undo.sh", "of_kubernetes");
    assertThat(call).contains(" 30 ");
    String said =
        run(
            "PATH=%s:$PATH\ncontainerd_socket() { echo s; }\n".formatted(folder)
                + call.replace(" 30 ", " 1 ")
                + "of_kubernetes tasks delete --force c; echo $?\n");
    assertThat(said).isEqualTo("124\n");
  }
}
