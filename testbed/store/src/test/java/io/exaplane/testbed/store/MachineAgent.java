// SPDX-License-Identifier: Apache-2.0
package io.exaplane.testbed.store;

import java.io.IOException;
import java.io.InputStream;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.ClassTransform;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.CodeElement;
import java.lang.classfile.constantpool.Utf8Entry;
import java.lang.classfile.instruction.InvokeDynamicInstruction;
import java.lang.classfile.instruction.InvokeInstruction;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicCallSiteDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.StreamSupport;

/**
 * Stands between a store's process and its machine, as an agent of its Java: the disk does not
 * answer while a FIFO lies in the agent's folder, and the calendar is off by what a file there
 * says. Changes the calls of the store's own classes, and nothing else. {@link FakeMachine} starts
 * it. Any thread.
 */
public final class MachineAgent implements ClassFileTransformer {
  /** The FIFO. Who reads it waits until all who hold it open for writing have closed it. */
  static final String DISK = "disk";

  /** The file: milliseconds by which the calendar is ahead. */
  static final String CALENDAR = "calendar";

  private static final String STORE = "io/exaplane/store/";
  private static final Set<String> NAMES =
      Set.of("java/nio/channels/FileChannel", "currentTimeMillis");
  private static final Set<String> DISK_CALLS = Set.of("write", "force");
  private static final ClassDesc AGENT = ClassDesc.of(MachineAgent.class.getName());
  private static final MethodTypeDesc ASK_TIME = MethodTypeDesc.ofDescriptor("()J");
  private static final MethodTypeDesc WAIT = MethodTypeDesc.ofDescriptor("()V");

  private static Path folder;

  private MachineAgent() {}

  /**
   * Called by Java before the store's own main method.
   *
   * @param folder of the FIFO and the file
   */
  public static void premain(String folder, Instrumentation instrumentation) {
    MachineAgent.folder = Path.of(folder);
    instrumentation.addTransformer(new MachineAgent());
  }

  /** Returns when the disk answers. */
  public static void awaitDisk() throws IOException {
    try (InputStream fifo = Files.newInputStream(folder.resolve(DISK))) {
      fifo.read();
    } catch (NoSuchFileException e) {
      // The usual case: the disk answers.
    }
  }

  /** What the calendar says, in milliseconds since 1970. */
  public static long calendarMs() {
    long now = System.currentTimeMillis();
    try {
      return now + Long.parseLong(Files.readString(folder.resolve(CALENDAR)));
    } catch (NoSuchFileException e) {
      return now;
    } catch (IOException e) {
      throw new IllegalStateException("the file with the calendar's offset can't be read", e);
    }
  }

  @Override
  public byte[] transform(
      ClassLoader loader, String name, Class<?> changed, ProtectionDomain domain, byte[] bytes) {
    if (name == null || !name.startsWith(STORE)) {
      return null;
    }
    ClassFile classes = ClassFile.of();
    ClassModel model = classes.parse(bytes);
    boolean calls =
        StreamSupport.stream(model.constantPool().spliterator(), false)
            .anyMatch(
                entry -> entry instanceof Utf8Entry text && NAMES.contains(text.stringValue()));
    return calls
        ? classes.transformClass(
            model, ClassTransform.transformingMethodBodies(MachineAgent::change))
        : null;
  }

  private static void change(CodeBuilder code, CodeElement element) {
    switch (element) {
      case InvokeInstruction call when isOf(call, "java/nio/channels/FileChannel", DISK_CALLS) -> {
        code.invokestatic(AGENT, "awaitDisk", WAIT);
        code.with(call);
      }
      case InvokeInstruction call
          when isOf(call, "java/lang/System", Set.of("currentTimeMillis")) ->
          code.invokestatic(AGENT, "calendarMs", ASK_TIME);
      case InvokeDynamicInstruction call -> code.invokedynamic(changed(call));
      default -> code.with(element);
    }
  }

  private static boolean isOf(InvokeInstruction call, String owner, Set<String> names) {
    return call.owner().asInternalName().equals(owner) && names.contains(call.name().stringValue());
  }

  /** A reference to the method that asks the calendar is one to the agent's. */
  private static DynamicCallSiteDesc changed(InvokeDynamicInstruction call) {
    DynamicCallSiteDesc site = call.invokedynamic().asSymbol();
    ConstantDesc[] arguments =
        Arrays.stream(site.bootstrapArgs())
            .map(argument -> asksCalendar(argument) ? agentsCalendar() : argument)
            .toArray(ConstantDesc[]::new);
    return site.withArgs(arguments);
  }

  private static boolean asksCalendar(ConstantDesc argument) {
    return argument instanceof DirectMethodHandleDesc method
        && method.methodName().equals("currentTimeMillis");
  }

  private static MethodHandleDesc agentsCalendar() {
    return MethodHandleDesc.ofMethod(
        DirectMethodHandleDesc.Kind.STATIC, AGENT, "calendarMs", ASK_TIME);
  }
}
