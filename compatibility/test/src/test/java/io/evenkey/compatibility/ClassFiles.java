/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.compatibility;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.jar.JarFile;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** The classes of a class path and of the JDK by internal name; they are read, never loaded. */
final class ClassFiles implements AutoCloseable {
  /**
   * The declarations of a class.
   *
   * @param parents the superclass and the interfaces
   * @param members access flags by name and descriptor
   */
  record Declared(int access, List<String> parents, Map<String, Integer> members) {
    boolean isConcrete() {
      return (access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_INTERFACE)) == 0;
    }
  }

  private final List<JarFile> jars = new ArrayList<>();
  private final Map<String, Optional<Declared>> known = new HashMap<>();

  ClassFiles(List<Path> classPath) throws IOException {
    for (Path jar : classPath) {
      jars.add(new JarFile(jar.toFile()));
    }
  }

  /** The declarations of a class; empty if it does not exist. */
  Optional<Declared> find(String name) {
    Optional<Declared> found = known.get(name);
    if (found == null) {
      found = open(name).map(ClassFiles::read);
      known.put(name, found);
    }
    return found;
  }

  private Optional<ClassReader> open(String name) {
    String file = name + ".class";
    try {
      for (JarFile jar : jars) {
        if (jar.getEntry(file) != null) {
          try (InputStream in = jar.getInputStream(jar.getEntry(file))) {
            return Optional.of(new ClassReader(in));
          }
        }
      }
      try (InputStream in = ClassLoader.getPlatformClassLoader().getResourceAsStream(file)) {
        return in == null ? Optional.empty() : Optional.of(new ClassReader(in));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Declared read(ClassReader reader) {
    Map<String, Integer> members = new HashMap<>();
    ClassVisitor declarations =
        new ClassVisitor(Opcodes.ASM9) {
          @Override
          public FieldVisitor visitField(
              int access, String name, String descriptor, String signature, Object value) {
            members.put(name + ":" + descriptor, access);
            return null;
          }

          @Override
          public MethodVisitor visitMethod(
              int access, String name, String descriptor, String signature, String[] exceptions) {
            members.put(name + descriptor, access);
            return null;
          }
        };
    reader.accept(declarations, ClassReader.SKIP_CODE | ClassReader.SKIP_DEBUG);
    List<String> parents = new ArrayList<>(List.of(reader.getInterfaces()));
    if (reader.getSuperName() != null) {
      parents.add(0, reader.getSuperName());
    }
    return new Declared(reader.getAccess(), parents, members);
  }

  /** Whether a class declares or inherits a member. */
  boolean has(String type, String member) {
    return find(type)
        .map(
            declared ->
                declared.members().containsKey(member)
                    || declared.parents().stream().anyMatch(parent -> has(parent, member)))
        .orElse(false);
  }

  /** Whether a class declares or inherits a method that is not abstract. */
  boolean implementsMethod(String type, String method) {
    return find(type)
        .map(
            declared ->
                (declared.members().getOrDefault(method, Opcodes.ACC_ABSTRACT)
                            & Opcodes.ACC_ABSTRACT)
                        == 0
                    || declared.parents().stream()
                        .anyMatch(parent -> implementsMethod(parent, method)))
        .orElse(false);
  }

  @Override
  public void close() throws IOException {
    for (JarFile jar : jars) {
      jar.close();
    }
  }
}
