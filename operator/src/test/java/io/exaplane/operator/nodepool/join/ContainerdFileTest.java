// SPDX-License-Identifier: Apache-2.0
package io.exaplane.operator.nodepool.join;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** containerd's configuration, which the script writes where none is: its functions, by stubs. */
class ContainerdFileTest {
  private static final String PLAIN = "ExecStart=/usr/bin/containerd";

  @TempDir Path folder;

  @BeforeEach
  void state() throws IOException {
    Files.createDirectories(folder.resolve("state"));
  }

  private Path file() {
    return folder.resolve("etc/config.toml");
  }

  private static String function(String part, String name) {
    String text = JoinScript.part(part);
    int start = text.indexOf("\n" + name + "() {\n") + 1;
    assertThat(start).as(name).isPositive();
    return text.substring(start, text.indexOf("\n}\n", start) + 3);
  }

  /** What a shell says; its functions and values are those of this test's host. */
  private String run(String text) throws IOException, InterruptedException {
    String head =
        """
        set -u
        STATE='%1$s/state' WORK='%1$s' CONTAINERD_FILE='%1$s/etc/config.toml' CNI_FOLDER=/etc/cni/net.d
        joined() { [ -e "$STATE/created" ]; }
        systemd_runs() { true; }
        systemctl() { echo "$*" >>'%1$s/asked'; cat '%1$s/unit' 2>/dev/null || :; }
        containerd_answers() { false; }
        setting() { echo "$2"; }
        containerd_socket() { echo /run/containerd/containerd.sock; }
        cni_bin() { echo /usr/lib/cni; }
        say() { echo "$*"; }
        """
            .formatted(folder);
    Process shell = new ProcessBuilder("sh", "-c", head + text).redirectErrorStream(true).start();
    String said = new String(shell.getInputStream().readAllBytes(), UTF_8);
    assertThat(shell.waitFor()).as(said).isZero();
    return said;
  }

  /** Systemd alone may drive cgroups where it runs, unless the host's kubelet says otherwise. */
  @ParameterizedTest
  @CsvSource({"true, , true", "true, systemd, true", "true, cgroupfs, false", "false, , false"})
  void theFileHasTheDriverOfTheKubelet(boolean systemd, String driver, boolean isSystemds)
      throws Exception {
    String setting = driver == null ? "" : "setting() { echo " + driver + "; }\n";
    assertThat(
            run(
                setting
                    + "systemd_runs() { %s; }\n".formatted(systemd)
                    + function("write.sh", "containerd_file")
                    + "containerd_file"))
        .isEqualTo(
            """
            version = 2
            [plugins."io.containerd.grpc.v1.cri".cni]
            bin_dir = "/usr/lib/cni"
            conf_dir = "/etc/cni/net.d"
            [plugins."io.containerd.grpc.v1.cri".registry]
            config_path = "/etc/containerd/certs.d"
            [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
            runtime_type = "io.containerd.runc.v2"
            [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
            SystemdCgroup = %s
            """
                .formatted(isSystemds));
  }

  private String bare(String change) throws IOException, InterruptedException {
    return run(change
            + "\n"
            + function("preflight.sh", "bare_containerd")
            + "if bare_containerd; then echo bare; else echo configured; fi")
        .strip();
  }

  @Test
  void onlyAHostWithoutAConfigurationIsBare() throws Exception {
    assertThat(bare("")).as("a host without a unit").isEqualTo("bare");
    Files.writeString(folder.resolve("unit"), PLAIN + "\n");
    assertThat(bare("")).isEqualTo("bare");
    Files.createDirectories(file().getParent());
    Files.writeString(file(), "");
    assertThat(bare("")).as("a file, even an empty one").isEqualTo("configured");
    Files.delete(file());
    Files.writeString(folder.resolve("state/created"), "");
    assertThat(bare("")).as("a node whose containers have a driver").isEqualTo("configured");
    Files.writeString(folder.resolve("state/unread"), "");
    assertThat(bare("")).as("a run that ended before the file was there").isEqualTo("bare");
    Files.writeString(file(), "");
    assertThat(bare("")).as("a run that ended later").isEqualTo("configured");
  }

  @ParameterizedTest
  @CsvSource({
    "' --config /usr/share/containerd/config.toml', configured",
    "' --config=${CONTAINERD_CONFIG}', configured",
    "' -c /etc/other.toml', configured",
    "'\t-c\t/etc/other.toml', configured",
    "' $ARGS\nEnvironmentFile=/etc/default/containerd', configured",
    "' --log-level warn', bare"
  })
  void aUnitMayNameAnotherFile(String options, String expected) throws Exception {
    Files.writeString(folder.resolve("unit"), PLAIN + options + "\n");
    assertThat(bare("")).isEqualTo(expected);
  }

  /** The script cannot start again what it did not start. */
  @Test
  void withoutSystemdOnlyContainerdThatDoesNotRunIsBare() throws Exception {
    String without = "systemd_runs() { false; }";
    assertThat(bare(without)).isEqualTo("bare");
    assertThat(bare(without + "; containerd_answers() { true; }")).isEqualTo("configured");
  }

  @Test
  void aContainerdOfAnotherUnitOrAtAnotherSocketIsNotTouched() throws Exception {
    String noUnit = "systemctl() { return 1; }";
    assertThat(bare(noUnit)).isEqualTo("bare");
    assertThat(bare(noUnit + "; containerd_answers() { true; }")).isEqualTo("configured");
    Files.writeString(folder.resolve("unit"), PLAIN + "\n");
    assertThat(bare("containerd_socket() { echo /run/other.sock; }")).isEqualTo("configured");
  }

  private String undone() throws IOException, InterruptedException {
    return run(function("undo.sh", "undo_containerd") + "undo_containerd");
  }

  @Test
  void undoRemovesWhatTheScriptWroteAlone() throws Exception {
    Path asked = folder.resolve("asked");
    Files.createDirectories(file().getParent());
    Files.writeString(file(), "version = 2\n");
    assertThat(undone()).as("somebody else's file").isEmpty();
    assertThat(file()).exists();

    Path copy = Files.writeString(folder.resolve("state/containerd.toml"), "version = 2\n");
    Files.writeString(file(), "version = 2\n# mine\n");
    assertThat(undone()).contains("has changed since the join, and stays");
    assertThat(file()).hasContent("version = 2\n# mine\n");
    assertThat(asked).doesNotExist();

    Files.copy(copy, file(), StandardCopyOption.REPLACE_EXISTING);
    assertThat(undone()).isEmpty();
    assertThat(file()).doesNotExist();
    assertThat(asked).hasContent("try-restart containerd.service\n");
  }

  /** One that has not read the file starts again, once; another one is left alone. */
  @ParameterizedTest
  @CsvSource({
    "false, true, true, ''",
    "false, true, false, start containerd.service",
    "true, true, true, restart containerd.service",
    "true, true, false, restart containerd.service",
    "true, false, true, ''",
    "true, false, false, started containerd",
  })
  void containerdReadsTheFileOfThisOrAFormerRun(
      boolean unread, boolean systemd, boolean answers, String expected) throws Exception {
    Path mark = folder.resolve("state/unread");
    if (unread) {
      Files.writeString(mark, "");
    }
    String start =
        """
        looks=0
        systemd_runs() { %s; }
        start() { echo "started $1" >>"$WORK/asked"; }
        containerd_answers() { looks=$((looks + 1)); %s || [ -e "$WORK/asked" ]; }
        now() { echo 0; }
        pause() { [ $looks -lt 9 ] || exit 9; }
        %sstart_containerd
        """
            .formatted(systemd, answers, function("run.sh", "start_containerd"));
    run(start);
    run(start);
    Path asked = folder.resolve("asked");
    assertThat(Files.exists(asked) ? Files.readString(asked).strip() : "").isEqualTo(expected);
    assertThat(mark).doesNotExist();
  }

  private String plugins(String configured) throws IOException, InterruptedException {
    String text = function("preflight.sh", "cni_bin");
    for (String each : List.of("/opt/cni/bin", "/usr/lib/cni", "/usr/libexec/cni")) {
      text = text.replace(each, folder + each);
    }
    return run("containerd_setting() { echo '" + configured + "'; }\n" + text + "cni_bin")
        .strip()
        .replace(folder.toString(), "");
  }

  /** Some images come with the default folder, and with plugins elsewhere. */
  @Test
  void anEmptyFolderHidesNoPlugins() throws Exception {
    String first = folder + "/opt/cni/bin";
    assertThat(plugins(first)).as("no plugins at all").isEqualTo("/opt/cni/bin");
    Files.createDirectories(Path.of(first));
    Path plugin = Files.createDirectories(folder.resolve("usr/lib/cni")).resolve("host-local");
    assertThat(plugins(first)).isEqualTo("/opt/cni/bin");
    Files.createFile(
        plugin, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
    assertThat(plugins(first)).isEqualTo("/usr/lib/cni");
    assertThat(plugins("")).as("a containerd that does not say").isEqualTo("/usr/lib/cni");
    Files.createDirectories(file().getParent());
    Files.writeString(file(), "");
    assertThat(plugins(first)).as("containerd looks there alone").isEqualTo("/opt/cni/bin");
    assertThat(plugins(folder + "/opt/none")).as("no such folder").isEqualTo("/opt/cni/bin");
  }

  /** The copy is what undo compares; what containerd said before is asked again. */
  @Test
  void theFileIsWrittenWithACopy() throws Exception {
    Path known = Files.writeString(folder.resolve("containerd.toml"), "SystemdCgroup = false\n");
    String said =
        run(
            """
            put() { printf '%s\\n' "$3" >"$1"; chmod "$2" "$1"; }
            make_folder() { mkdir -p "$1"; }
            """
                + function("write.sh", "containerd_file")
                + function("write.sh", "write_containerd")
                + "write_containerd");
    assertThat(said).isEmpty();
    String text = Files.readString(file());
    assertThat(text).startsWith("version = 2\n").endsWith("SystemdCgroup = true\n");
    assertThat(folder.resolve("state/containerd.toml")).hasContent(text);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file())))
        .isEqualTo("rw-r--r--");
    assertThat(known).doesNotExist();
    assertThat(folder.resolve("state/unread")).as("containerd has not read the file").exists();
  }
}
