/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.Architectures.layeredArchitecture;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** The dependencies between modules. {@link PackagePictureTest} checks the packages in each. */
@AnalyzeClasses(packages = "io.evenkey", importOptions = ImportOption.DoNotIncludeTests.class)
class ArchitectureTest {
  @ArchTest
  static final ArchRule MODULES =
      layeredArchitecture()
          .consideringOnlyDependenciesInLayers()
          .layer("layout")
          .definedBy("io.evenkey.layout..")
          .layer("server")
          .definedBy("io.evenkey.server..")
          .layer("embedded")
          .definedBy("io.evenkey.embedded..")
          .layer("cluster")
          .definedBy("io.evenkey.cluster..")
          .layer("client")
          .definedBy("io.evenkey.client..")
          .layer("advisor")
          .definedBy("io.evenkey.advisor..")
          .layer("jobs")
          .definedBy("io.evenkey.jobs..")
          .layer("app")
          .definedBy("io.evenkey.app..")
          .whereLayer("layout")
          .mayOnlyBeAccessedByLayers("server", "cluster", "advisor", "client", "jobs", "app")
          .whereLayer("server")
          .mayOnlyBeAccessedByLayers("embedded")
          .whereLayer("embedded")
          .mayOnlyBeAccessedByLayers("app")
          .whereLayer("cluster")
          .mayOnlyBeAccessedByLayers("app")
          .whereLayer("client")
          .mayOnlyBeAccessedByLayers("jobs", "app")
          .whereLayer("advisor")
          .mayOnlyBeAccessedByLayers("app")
          .whereLayer("jobs")
          .mayOnlyBeAccessedByLayers("app")
          .whereLayer("app")
          .mayNotBeAccessedByAnyLayer();

  @ArchTest
  static final ArchRule COMMANDS_AND_PAGES_APART =
      noClasses()
          .that()
          .resideInAPackage("io.evenkey.app.cli")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.evenkey.app.portal");

  @ArchTest
  static final ArchRule PAGES_AND_COMMANDS_APART =
      noClasses()
          .that()
          .resideInAPackage("io.evenkey.app.portal")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("io.evenkey.app.cli");

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
                  + "(ClusterConnection|ConnectionImplementation|AsyncConnectionImpl|Line2.)");

  @ArchTest
  static final ArchRule NO_CIRCLES = slices().matching("io.evenkey.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule LAYOUT_IS_PURE_JAVA =
      noClasses()
          .that()
          .resideInAPackage("io.evenkey.layout..")
          .should()
          .dependOnClassesThat()
          .resideOutsideOfPackages("io.evenkey.layout..", "java..", "org.jspecify..");
}
