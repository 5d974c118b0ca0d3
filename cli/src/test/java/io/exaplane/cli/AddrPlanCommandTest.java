// SPDX-License-Identifier: Apache-2.0
package io.exaplane.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class AddrPlanCommandTest {
  private static final String TWO_PARTS =
      """
      max-pods: 200
      pod-prefix-length: 96
      parts:
      - provider: aws
        nodes: 30000
        prefixes: [2600:1f18:12:3400::/56]
        quotas: {network-interfaces-per-region: 40000}
      - provider: vultr
        nodes: 100
        quotas:
          instances: {value: 50, used: 10, source: our contract, date: 2026-11-01}
      """;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  @TempDir private Path folder;

  @Test
  void theTableHasLimitsInTheirOrderAndMarksTheFirst() {
    assertThat(run("--provider=aws", "--nodes=30000")).isEqualTo(Exactl.FAILED);
    assertThat(out.toString())
        .startsWith("Amazon Web Services, 30,000 nodes")
        .containsPattern("network +/56 \\(assumed; name yours with --prefixes\\)")
        .containsPattern(
            "first +5,000 +600 % +network-interfaces-per-region +5,000, 1 for each node")
        .containsPattern(
            "\n +32,000 +94 % +network-address-usage +64,000 .up to 256,000 on request., 2 for each")
        .containsPattern("carries 5,000 nodes and 550,000 pods")
        .contains("docs.aws.amazon.com/vpc/latest/userguide/network-address-usage.html, read 2026")
        .contains("64,000 (up to 256,000 on request), 2 for each node")
        .contains("Services: 1,048,576 addresses in fd00:10:96::/108")
        .contains("problems\n  nodes-exceeded: aws has 30,000 nodes")
        .contains("      next: ask AWS to raise");
    assertThat(out.toString().indexOf("network-interfaces"))
        .isLessThan(out.toString().indexOf("network-address"));
    assertThat(err.toString()).isEmpty();
  }

  @Test
  void quotasOfYoursReplaceTheDefaults() {
    assertThat(
            run(
                "--provider=aws",
                "--nodes=30000",
                "--quota=network-interfaces-per-region=50000",
                "--used=network-address-usage=1000",
                "--per-node=network-address-usage=2"))
        .isZero();
    assertThat(out.toString())
        .containsPattern(
            "first +31,500 +96 % +network-address-usage +64,000 .up to 256,000 on request. less 1,000 in use")
        .containsPattern("50,000, 1 for each node.*your option, unknown")
        .doesNotContain("problems");
  }

  /** docs/addresses.md describes these names. */
  @Test
  void jsonHasTheNamesThatScriptsRead() throws IOException {
    String[] command = {
      "--provider=gcp", "--prefixes=fd20:12:34::/48", "--nodes=100", "-o", "json"
    };
    assertThat(run(command)).isZero();
    JsonNode plan = new JsonMapper().readTree(out.toString());
    assertThat(plan.fieldNames())
        .toIterable()
        .containsExactly(
            "carries",
            "wanted",
            "nodes",
            "pods",
            "first",
            "kubernetes",
            "limits",
            "parts",
            "problems");
    assertThat(plan.get("carries").asBoolean()).isTrue();
    assertThat(plan.get("nodes").asLong()).isEqualTo(15_000);
    assertThat(plan.get("first").asText()).isEqualTo("instances-per-network");
    assertThat(plan.get("kubernetes").get("serviceAddresses").asLong()).isEqualTo(1 << 20);
    JsonNode part = plan.get("parts").get(0);
    assertThat(part.fieldNames())
        .toIterable()
        .containsExactly(
            "provider",
            "title",
            "gives",
            "wanted",
            "nodes",
            "pods",
            "podsPerNode",
            "first",
            "prefixes",
            "subnetLength",
            "nodePrefixLength",
            "podPrefixLength",
            "podAddresses",
            "firstNodePrefix",
            "lastNodePrefix",
            "delivery",
            "limits",
            "notes");
    assertThat(part.get("firstNodePrefix").asText()).isEqualTo("fd20:12:34::/96");
    assertThat(part.get("lastNodePrefix").asText()).isEqualTo("fd20:12:34:ffff:ffff:ffff::/96");
    assertThat(part.get("limits").get(0).fieldNames())
        .toIterable()
        .containsExactly("name", "kind", "nodes", "quota", "how", "next", "source", "date");
    assertThat(part.get("limits").get(0).get("quota").get("value").asLong()).isEqualTo(15_000);
    // A number of 64 bits would overflow.
    JsonNode addresses =
        new JsonMapper()
            .readTree(
                printed(
                    "--provider=custom",
                    "--prefixes=2000::/3",
                    "--node-prefix-length=80",
                    "-o",
                    "json"))
            .get("nodes");
    assertThat(addresses.bigIntegerValue()).hasToString("151115727451828646838272");
  }

  @Test
  void yamlSaysTheSameAsJson() throws IOException {
    JsonNode json = new JsonMapper().readTree(printed("--provider=azure", "-o", "json"));
    JsonNode yaml = new YAMLMapper().readTree(printed("--provider=azure", "-o", "yaml"));
    assertThat(yaml).hasToString(json.toString());
  }

  @Test
  void aFileHasSeveralNetworksWithQuotasOfTheirOwn() throws IOException {
    Path file = Files.writeString(folder.resolve("plan.yaml"), TWO_PARTS);
    assertThat(run("-f", file.toString(), "-o", "json")).isEqualTo(Exactl.FAILED);
    JsonNode plan = new JsonMapper().readTree(out.toString());
    assertThat(plan.get("wanted").asLong()).isEqualTo(30_100);
    assertThat(plan.get("nodes").asLong()).isEqualTo(32_040);
    assertThat(plan.get("pods").asLong()).isEqualTo(32_040 * 200);
    assertThat(plan.get("parts").get(0).get("podPrefixLength").asInt()).isEqualTo(96);
    JsonNode instances = plan.get("parts").get(1).get("limits").get(0);
    assertThat(instances.get("source").asText()).isEqualTo("our contract");
    assertThat(instances.get("quota").get("used").asLong()).isEqualTo(10);
    assertThat(plan.get("problems")).hasSize(1);
    assertThat(plan.get("problems").get(0).get("message").asText())
        .contains("vultr has 100 nodes in the plan, but instances carries 40");
    assertThat(printed("-f", file.toString()))
        .contains("The cluster, 30,100 nodes")
        .contains("carries 32,040 nodes and 6,408,000 pods");
  }

  @Test
  void theStandardInputIsAFile() {
    InputStream before = System.in;
    System.setIn(
        new ByteArrayInputStream("provider: aws\nnodes: 7\n".getBytes(StandardCharsets.UTF_8)));
    try {
      assertThat(run("-f", "-", "--nodes=8")).as(err.toString()).isZero();
    } finally {
      System.setIn(before);
    }
    assertThat(out.toString()).startsWith("Amazon Web Services, 8 nodes");
  }

  @Test
  void withoutAProviderAllAreCompared() throws IOException {
    assertThat(run()).isZero();
    assertThat(out.toString())
        .containsPattern("aws +/80 +5,000 +110 +network-interfaces-per-region +ask AWS")
        .containsPattern("azure +/128 +0 +0 +pod-prefix +divide your range")
        .containsPattern("digitalocean +/124 +unknown +6 +unknown")
        .doesNotContain("custom");
    JsonNode plans = new JsonMapper().readTree(printed("-o", "json")).get("plans");
    assertThat(plans).hasSizeGreaterThan(8);
    assertThat(printed("--cluster-cidr=fd00:1::/48")).containsPattern("azure +/128 +400 +110");
    assertThat(printed("--nodes=6000", "--max-pods=6"))
        .containsPattern("aws +/80 +5,000 +6 +no +")
        .containsPattern("gcp +/96 +15,000 +6 +yes +")
        .containsPattern("vultr +/64 +unknown +6 +unknown +");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--provider=nowhere | error: provider: 'nowhere' is not a known provider; name one of aws, gcp",
        "--provider=aws --nodes=x | error: nodes: 'x' must be a whole number",
        "--prefixes=2001:db8::/56 | error: prefixes: '2001:db8::/56' belongs to one provider, but no provider is named; add --provider NAME",
        "--quota=servers=5 | belongs to one provider",
        "--provider=aws --quota=servers=5 | error: quota: 'servers' is not a known quota of aws; name one of network-interfaces-per-region",
        "--provider=aws --quota=subnets-per-vpc=x | error: value of quota subnets-per-vpc: 'x' must be a whole number",
        "--provider=aws --quota=subnets-per-vpc | should be in KEY=VALUE format",
        "--provider=aws --per-node=subnets-per-vpc=0 | must be a whole number between 1 and",
        "--provider=aws --output=xml | Invalid value for option '--output'",
        "--provider=aws --prefix=2001:db8::/56 | or --prefixes?",
        "-f PARTS --nodes=5 | error: nodes: '5' is ambiguous, since the file has parts; write it in a part of the file",
        "-f PARTS --quota=instances=5 | is ambiguous",
      })
  void badInputIsRefusedByName(String arguments, String message) throws IOException {
    Path file = Files.writeString(folder.resolve("parts.yaml"), TWO_PARTS);
    assertThat(run(arguments.replace("PARTS", file.toString()).split(" ")))
        .isEqualTo(Exactl.BAD_INPUT);
    assertThat(err.toString()).startsWith("error: ").contains(message).contains("; ");
    assertThat(err.toString().lines()).hasSize(1);
    assertThat(out.toString()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nods: 5 | file: 'nods' is not a known input",
        "quotas: 5 | quotas: '5' must be a map from names to numbers",
        "{provider: aws, quotas: {subnets-per-vpc: {valu: 5}}} | quotas: 'valu' is not a field of a quota",
        "parts: 5 | parts: '5' must be a list of networks",
        "parts: [] | must be a list of networks",
        "parts: [5] | parts: '5' must be a map of inputs",
        "parts: [{provider: aws, max-pods: 5}] | parts: 'max-pods' is an input of the whole cluster",
        "parts: [{nodes: 5}] | provider: '' is not a known provider",
        "{nodes: 5, parts: [{provider: aws}]} | nodes: '5' is ambiguous",
        "{quotas: {servers: 5}, parts: [{provider: aws}]} | quotas: 'servers' is ambiguous",
      })
  void whatIsWrongInAFileIsNamed(String content, String message) throws IOException {
    Path file = Files.writeString(folder.resolve("bad.yaml"), content);
    assertThat(run("-f", file.toString())).isEqualTo(Exactl.BAD_INPUT);
    assertThat(err.toString()).startsWith("error: ").contains(message).contains("; ");
    assertThat(out.toString()).isEmpty();
  }

  /** docs/addresses.md: its commands and its file. */
  @Test
  void thePageHasCommandsAndAFileThatWork() throws IOException {
    String page = Files.readString(Path.of("../docs/addresses.md"));
    String yaml = page.substring(page.indexOf("```yaml\n") + 8);
    Path file =
        Files.writeString(folder.resolve("page.yaml"), yaml.substring(0, yaml.indexOf("```")));
    int commands = 0;
    for (String line : page.lines().filter(l -> l.startsWith("./exa addr plan")).toList()) {
      String options =
          line.replaceAll("#.*", "")
              .replace("./exa addr plan", "")
              .replace("networks.yaml", file.toString())
              .strip();
      printed(options.isEmpty() ? new String[0] : options.split(" +"));
      commands++;
    }
    assertThat(commands).isEqualTo(5);
    assertThat(new JsonMapper().readTree(out.toString()).get("wanted").asLong()).isEqualTo(30_500);
  }

  @Test
  void helpStatesDefaultsAndExitCodes() {
    run("--help");
    assertThat(out.toString())
        .startsWith("Usage: exactl addr plan")
        .contains("--pod-prefix-length")
        .contains("(default: fd00:10:96::/108)")
        .contains("Exit codes:");
  }

  private String printed(String... arguments) {
    out.getBuffer().setLength(0);
    assertThat(run(arguments)).as(err.toString()).isBetween(0, 1);
    return out.toString();
  }

  private int run(String... arguments) {
    String[] all = new String[arguments.length + 2];
    all[0] = "addr";
    all[1] = "plan";
    System.arraycopy(arguments, 0, all, 2, arguments.length);
    CommandLine commandLine = Exactl.commandLine();
    commandLine.setOut(new PrintWriter(out, true));
    commandLine.setErr(new PrintWriter(err, true));
    return commandLine.execute(all);
  }
}
