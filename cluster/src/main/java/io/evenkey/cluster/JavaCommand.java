/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.cluster;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** The command that starts the JVM of a member. Stateless. */
final class JavaCommand {
  /** Packages that HBase and Hadoop reach into. */
  private static final List<String> OPENED =
      List.of(
          "java.nio",
          "java.lang",
          "java.lang.reflect",
          "java.util",
          "java.util.concurrent",
          "java.net",
          "sun.nio.ch",
          "jdk.internal.misc",
          "jdk.internal.ref");

  private JavaCommand() {}

  /** The options that JDK 17 needs for HBase and Hadoop, of servers and of YARN's containers. */
  static List<String> moduleOptions() {
    List<String> options = new ArrayList<>();
    OPENED.forEach(name -> options.add("--add-opens=java.base/" + name + "=ALL-UNNAMED"));
    options.add("--add-exports=java.base/jdk.internal.misc=ALL-UNNAMED");
    options.add("--add-exports=java.security.jgss/sun.security.krb5=ALL-UNNAMED");
    return options;
  }

  /** Options that suit many short-lived JVMs on a small machine. */
  static List<String> smallOptions() {
    return List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xss512k");
  }

  /**
   * Starts a member, with its output added to its log.
   *
   * @param arguments of its main class
   */
  static Process start(
      ClusterDirectory directory, ClusterOptions options, Member member, List<String> arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    if (options.stays()) {
      // A terminal that is closed would end it.
      command.add("nohup");
    }
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add(Processes.mark(directory.path()));
    if (!options.stays()) {
      command.add("-D" + Child.BOUND + "=true");
    }
    command.add("-Xmx" + member.role().heapMb() + "m");
    command.addAll(smallOptions());
    command.add("-Djava.net.preferIPv4Stack=true");
    command.add("-Djava.io.tmpdir=" + directory.resolve("tmp"));
    command.add("-Dhadoop.log.dir=" + directory.resolve(ClusterDirectory.LOGS));
    command.addAll(moduleOptions());
    if (options.kerberos() != null) {
      command.addAll(new KerberosFiles(directory).javaOptions(member.role()));
    }
    command.add(Child.class.getName());
    command.add(member.role().mainClass());
    command.addAll(arguments);
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.path().toFile())
            .redirectErrorStream(true)
            .redirectOutput(
                ProcessBuilder.Redirect.appendTo(
                    Files.createDirectories(directory.resolve(ClusterDirectory.LOGS))
                        .resolve(member.name() + ".log")
                        .toFile()));
    if (options.stays()) {
      builder.redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")));
    }
    // What the user has set for another cluster.
    builder.environment().keySet().removeIf(name -> name.matches("(HADOOP|HBASE|HDFS|YARN)_.*"));
    // Not an argument: on Linux, a ProcessHandle shows no argument of a command line of more than
    // 4 KB, and so no mark.
    builder
        .environment()
        .put(
            "CLASSPATH",
            directory.resolve(ClusterDirectory.CONF) + File.pathSeparator + options.classPath());
    builder
        .environment()
        .put("HADOOP_CONF_DIR", directory.resolve(ClusterDirectory.CONF).toString());
    // For YARN's containers.
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    return builder.start();
  }

  /** The arguments of a member's main class. */
  static List<String> arguments(
      ClusterDirectory directory, ClusterOptions options, Ports ports, Member member) {
    return switch (member.role()) {
      case KDC ->
          new KerberosFiles(directory).arguments(Objects.requireNonNull(options.kerberos()));
      case NAME_NODE, RESOURCE_MANAGER, NODE_MANAGER, HISTORY_SERVER -> List.of();
      case DATA_NODE ->
          List.of(
              "-D",
              "dfs.datanode.data.dir=" + directory.resolve("hdfs").resolve(member.name()).toUri(),
              "-D",
              "dfs.datanode.address=127.0.0.1:" + ports.of(member, "data"),
              "-D",
              "dfs.datanode.ipc.address=127.0.0.1:" + ports.of(member, "ipc"),
              "-D",
              "dfs.datanode.http.address=127.0.0.1:" + ports.of(member, "web"));
      case ZOOKEEPER ->
          List.of(directory.resolve(ClusterDirectory.CONF).resolve(SiteFiles.ZOOKEEPER).toString());
      case MASTER -> List.of("start");
      case REGION_SERVER ->
          List.of(
              "-D",
              "hbase.regionserver.port=" + ports.of(member, "rpc"),
              "-D",
              "hbase.regionserver.info.port=" + ports.of(member, "web"),
              "start");
    };
  }
}
