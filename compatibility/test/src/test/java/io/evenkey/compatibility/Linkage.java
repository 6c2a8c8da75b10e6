/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.compatibility;

import io.evenkey.compatibility.ClassFiles.Declared;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Enumeration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.Handle;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * The references in Evenkey's jars that a class path does not resolve. The JVM itself links code
 * only when the code runs.
 *
 * <p>Two things may be missing. Classes for other lines of HBase are never loaded. A method that
 * delegates to a method of the same name in HBase is called only by applications whose HBase has
 * that method.
 */
final class Linkage extends ClassVisitor {
  private static final Set<String> ANY_SIGNATURE =
      Set.of("java/lang/invoke/MethodHandle", "java/lang/invoke/VarHandle");

  private final ClassFiles files;
  private final Set<String> unused;
  private final Set<String> missing = new TreeSet<>();
  private String current = "";
  private int classes;

  private Linkage(ClassFiles files, Set<String> unused) {
    super(Opcodes.ASM9);
    this.files = files;
    this.unused = unused;
  }

  /** Checks all classes in jars whose names begin with {@code evenkey-}, but unused ones. */
  static Linkage of(List<Path> classPath, Set<String> unused) throws IOException {
    try (ClassFiles files = new ClassFiles(classPath)) {
      Linkage linkage = new Linkage(files, unused);
      for (Path jar : classPath) {
        if (jar.getFileName().toString().startsWith("evenkey-")) {
          linkage.look(jar);
        }
      }
      return linkage;
    }
  }

  /** The number of checked classes. */
  int classes() {
    return classes;
  }

  /** One line for each missing class or member, with the place of the reference. */
  Set<String> missing() {
    return missing;
  }

  private void look(Path path) throws IOException {
    try (JarFile jar = new JarFile(path.toFile())) {
      for (Enumeration<JarEntry> all = jar.entries(); all.hasMoreElements(); ) {
        JarEntry entry = all.nextElement();
        String name = entry.getName();
        if (name.endsWith(".class") && !name.endsWith("module-info.class") && !isUnused(name)) {
          try (InputStream in = jar.getInputStream(entry)) {
            classes++;
            new ClassReader(in).accept(this, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
          }
        }
      }
    }
  }

  private boolean isUnused(String file) {
    return unused.contains(file.replaceFirst("(\\$.*)?\\.class$", "").replace('/', '.'));
  }

  @Override
  public void visit(
      int version, int access, String name, String signature, String parent, String[] interfaces) {
    current = name;
    requireType(parent, "class");
    for (String each : interfaces) {
      requireType(each, "class");
    }
    if (files.find(name).orElseThrow().isConcrete()) {
      requireImplementations(name, name);
    }
  }

  private void requireImplementations(String type, String ancestor) {
    Declared declared = files.find(ancestor).orElse(null);
    if (declared == null) {
      return;
    }
    declared.members().entrySet().stream()
        .filter(member -> (member.getValue() & Opcodes.ACC_ABSTRACT) != 0)
        .filter(member -> !files.implementsMethod(type, member.getKey()))
        .forEach(member -> missing.add(type + " implements " + ancestor + "." + member.getKey()));
    declared.parents().forEach(parent -> requireImplementations(type, parent));
  }

  private void requireType(String name, String from) {
    Type type = Type.getObjectType(name);
    while (type.getSort() == Type.ARRAY) {
      type = type.getElementType();
    }
    if (type.getSort() == Type.OBJECT && files.find(type.getInternalName()).isEmpty()) {
      missing.add(current + "." + from + " refers to " + type.getInternalName());
    }
  }

  private void requireMember(String owner, String name, String descriptor, String from) {
    boolean handsOn = name.equals(handingOn(from)) && !name.equals("<init>");
    if (owner.startsWith("[") || ANY_SIGNATURE.contains(owner) || handsOn) {
      return;
    }
    if (!files.has(owner, name + descriptor)) {
      missing.add(current + "." + from + " refers to " + owner + "." + name + descriptor);
    }
  }

  // Lambdas are named after their enclosing method.
  private static String handingOn(String method) {
    return method.startsWith("lambda$")
        ? method.substring("lambda$".length(), method.lastIndexOf('$'))
        : method;
  }

  @Override
  public MethodVisitor visitMethod(
      int access, String from, String descriptor, String signature, String[] exceptions) {
    return new MethodVisitor(Opcodes.ASM9) {
      @Override
      public void visitTypeInsn(int opcode, String type) {
        requireType(type, from);
      }

      @Override
      public void visitFieldInsn(int opcode, String owner, String name, String type) {
        requireMember(owner, name, ":" + type, from);
      }

      @Override
      public void visitMethodInsn(
          int opcode, String owner, String name, String type, boolean isInterface) {
        requireMember(owner, name, type, from);
      }

      @Override
      public void visitInvokeDynamicInsn(
          String name, String type, Handle bootstrap, Object... arguments) {
        for (Object argument : arguments) {
          if (argument instanceof Handle handle && handle.getTag() >= Opcodes.H_INVOKEVIRTUAL) {
            requireMember(handle.getOwner(), handle.getName(), handle.getDesc(), from);
          }
        }
      }

      @Override
      public void visitLdcInsn(Object value) {
        if (value instanceof Type type && type.getSort() == Type.OBJECT) {
          requireType(type.getInternalName(), from);
        }
      }
    };
  }
}
