/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.codeUnits;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The dependencies between modules. {@link PackagePictureTest} checks the packages in each. */
@AnalyzeClasses(packages = "io.evenkey", importOptions = OwnClasses.class)
class ArchitectureTest {
  private static final String INTERNALS = "io.evenkey.client.internal";

  /** HBase's mark of what is public only because Java has it so. */
  private static final String PRIVATE = "org.apache.yetus.audience.InterfaceAudience$Private";

  @ArchTest
  static final ArchRule MODULES =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("layout")
          .definedBy("io.evenkey.layout..")
          .layer("protocol")
          .definedBy("io.evenkey.protocol..")
          .layer("server")
          .definedBy("io.evenkey.server..")
          .layer("embedded")
          .definedBy("io.evenkey.embedded..")
          .layer("client")
          .definedBy("io.evenkey.client..")
          .layer("advisor")
          .definedBy("io.evenkey.advisor..")
          .layer("jobs")
          .definedBy("io.evenkey.jobs..")
          .layer("report")
          .definedBy("io.evenkey.report..")
          .layer("portal")
          .definedBy("io.evenkey.portal..")
          .layer("cli")
          .definedBy("io.evenkey.cli..")
          .layer("app")
          .definedBy("io.evenkey.app..")
          .whereLayer("layout")
          .mayOnlyBeAccessedByLayers(
              "protocol",
              "server",
              "embedded",
              "advisor",
              "client",
              "jobs",
              "report",
              "portal",
              "cli")
          .whereLayer("protocol")
          .mayOnlyBeAccessedByLayers(
              "server", "advisor", "client", "jobs", "report", "portal", "cli")
          .whereLayer("server")
          .mayOnlyBeAccessedByLayers("embedded")
          .whereLayer("embedded")
          .mayOnlyBeAccessedByLayers("cli")
          .whereLayer("client")
          .mayOnlyBeAccessedByLayers("jobs", "report", "portal", "cli")
          .whereLayer("advisor")
          .mayOnlyBeAccessedByLayers("report", "portal", "cli")
          .whereLayer("jobs")
          .mayOnlyBeAccessedByLayers("report", "portal", "cli")
          .whereLayer("report")
          .mayOnlyBeAccessedByLayers("portal", "cli")
          .whereLayer("portal")
          .mayOnlyBeAccessedByLayers("app")
          .whereLayer("cli")
          .mayOnlyBeAccessedByLayers("app")
          .whereLayer("app")
          .mayNotBeAccessedByAnyLayer();

  @ArchTest
  static final ArchRule WEB_SERVER_OF_THE_PORTAL_ALONE =
      noClasses()
          .that()
          .resideOutsideOfPackage("io.evenkey.portal")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("io.javalin..", "org.eclipse.jetty..");

  /** These differ between releases of HBase: only {@code HBaseLine} and its package use them. */
  @ArchTest
  static final ArchRule HBASES_CONNECTIONS_IN_ONE_PACKAGE =
      noClasses()
          .that()
          .resideInAPackage("io.evenkey..")
          .should()
          .dependOnClassesThat()
          .haveNameMatching(
              "org\\.apache\\.hadoop\\.hbase\\.client\\."
                  + "(ClusterConnection|ConnectionImplementation|AsyncConnectionImpl|ClusterLine|Line..)");

  @ArchTest
  static final ArchRule NO_CIRCLES = slices().matching("io.evenkey.(**)").should().beFreeOfCycles();

  /** See {@code docs/stability.md}. */
  @ArchTest
  static final ArchRule INTERFACE_OF_THE_CLIENT_WITHOUT_INTERNALS =
      codeUnits()
          .that()
          .areDeclaredInClassesThat(
              describe(
                  "are of the interface",
                  type ->
                      type.getPackageName().startsWith("io.evenkey.client")
                          && !type.getPackageName().startsWith(INTERNALS)
                          && type.getModifiers().contains(JavaModifier.PUBLIC)
                          && !type.isAnnotatedWith(PRIVATE)))
          .and(
              describe(
                  "are public or protected",
                  unit ->
                      (unit.getModifiers().contains(JavaModifier.PUBLIC)
                              || unit.getModifiers().contains(JavaModifier.PROTECTED))
                          && !unit.isAnnotatedWith(PRIVATE)))
          .should(notNameTypesOf(INTERNALS));

  @ArchTest
  static final ArchRule LAYOUT_IS_PURE_JAVA =
      noClasses()
          .that()
          .resideInAPackage("io.evenkey.layout..")
          .should()
          .dependOnClassesThat()
          .resideOutsideOfPackages("io.evenkey.layout..", "java..", "org.jspecify..");

  private static final String FUTURES = INTERNALS + ".future.Futures";

  /** What a callback that is set by these throws is lost, and its result is waited for for ever. */
  private static final Set<String> CALLBACKS =
      Set.of(
          "addListener",
          "whenComplete",
          "handle",
          "exceptionally",
          "exceptionallyCompose",
          "thenAccept",
          "thenAcceptBoth",
          "thenRun",
          "thenApply",
          "thenCompose",
          "thenCombine",
          "acceptEither",
          "applyToEither",
          "runAfterBoth",
          "runAfterEither");

  /** These use threads of a pool, by default those of Java's common pool. */
  private static final Set<String> POOLS =
      Set.of("supplyAsync", "runAsync", "delayedExecutor", "commonPool", "execute", "submit");

  @ArchTest
  static final ArchRule CALLBACKS_OF_THE_CLIENT_IN_ONE_CLASS =
      classes()
          .that()
          .resideInAPackage("io.evenkey.client..")
          .and()
          .doNotHaveFullyQualifiedName(FUTURES)
          .should(
              notUse(
                  "callbacks of futures",
                  used ->
                      CALLBACKS.contains(used.getName().replaceFirst("Async$", ""))
                          && (used.getOwner().isAssignableTo(CompletionStage.class)
                              || used.getOwner().getName().endsWith(".FutureUtils"))));

  @ArchTest
  static final ArchRule POOLS_OF_THE_CLIENT_IN_ONE_CLASS =
      classes()
          .that()
          .resideInAPackage("io.evenkey.client..")
          .and()
          .doNotHaveFullyQualifiedName(FUTURES)
          .and()
          .doNotHaveFullyQualifiedName(INTERNALS + ".future.BlockingCallThreads")
          .should(
              notUse(
                  "pools",
                  used ->
                      POOLS.contains(used.getName())
                          && (used.getOwner().isAssignableTo(Executor.class)
                              || used.getOwner().isAssignableTo(CompletionStage.class))));

  /** Applications may be without these: only the classes that are named use them. */
  @ArchTest
  static final ArchRule OPTIONAL_LIBRARIES_IN_ONE_CLASS_EACH =
      noClasses()
          .that()
          .resideInAPackage("io.evenkey.client..")
          .and()
          .haveNameNotMatching(
              "io\\.evenkey\\.client\\."
                  + "(ClientMeters|internal\\.metrics\\.(MeterHome|MicrometerMeters)"
                  + "|internal\\.(registry|zookeeper)\\..*)(\\$.*)?")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "io.micrometer..",
              "io.evenkey.shaded..",
              "org.apache.curator..",
              "com.fasterxml.jackson..");

  private static ArchCondition<JavaClass> notUse(
      String what, Predicate<AccessTarget.CodeUnitAccessTarget> forbidden) {
    return new ArchCondition<>("not use " + what) {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        Stream.concat(
                type.getCodeUnitCallsFromSelf().stream(),
                type.getCodeUnitReferencesFromSelf().stream())
            .filter(access -> forbidden.test(access.getTarget()))
            .forEach(
                access -> events.add(SimpleConditionEvent.violated(type, access.getDescription())));
      }
    };
  }

  private static ArchCondition<JavaCodeUnit> notNameTypesOf(String root) {
    return new ArchCondition<>("not name types of " + root) {
      @Override
      public void check(JavaCodeUnit unit, ConditionEvents events) {
        Stream.concat(Stream.of(unit.getReturnType()), unit.getParameterTypes().stream())
            .flatMap(type -> type.getAllInvolvedRawTypes().stream())
            .filter(type -> type.getPackageName().startsWith(root))
            .forEach(
                type ->
                    events.add(
                        SimpleConditionEvent.violated(
                            unit, unit.getFullName() + " names " + type.getName())));
      }
    };
  }
}
