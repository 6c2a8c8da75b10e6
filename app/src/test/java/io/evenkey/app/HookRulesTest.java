/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.app;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaFieldAccess;
import com.tngtech.archunit.core.domain.JavaMethod;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchCondition;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.lang.ConditionEvents;
import com.tngtech.archunit.lang.SimpleConditionEvent;
import io.evenkey.server.guard.LayoutGuard;
import io.evenkey.server.hooks.Hooks;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.junit.jupiter.api.Test;

/**
 * Every hook of a coprocessor does its work in {@link Hooks}, and nothing outside of it: HBase
 * stops a server of which a hook throws something else than an {@link IOException}. So does every
 * scanner that a hook gives to HBase.
 */
class HookRulesTest {
  private static final String HBASE = "org.apache.hadoop.hbase.";
  private static final String SCANNER = HBASE + "regionserver.InternalScanner";

  private static final ArchRule RULE =
      classes()
          .that(describe("HBase calls on its servers", type -> !contracts(type).isEmpty()))
          .should(workInHooks());

  /** The interfaces by which HBase's servers call a class. */
  private static List<JavaClass> contracts(JavaClass type) {
    return type.getAllRawInterfaces().stream()
        .filter(
            one ->
                one.getName().equals(HBASE + "Coprocessor")
                    || one.getPackageName().equals(HBASE + "coprocessor")
                    || one.isAssignableTo(SCANNER))
        .toList();
  }

  private static ArchCondition<JavaClass> workInHooks() {
    return new ArchCondition<>("do the work of their hooks in Hooks") {
      @Override
      public void check(JavaClass type, ConditionEvents events) {
        for (JavaMethod hook : hooks(type)) {
          problems(hook)
              .forEach(
                  problem ->
                      events.add(
                          SimpleConditionEvent.violated(hook, hook.getFullName() + problem)));
        }
      }
    };
  }

  /** The methods that may fail by HBase's interfaces, and those that are to give observers. */
  private static List<JavaMethod> hooks(JavaClass type) {
    List<JavaMethod> hooks = new ArrayList<>();
    for (JavaMethod method : type.getAllMethods()) {
      if (!method.getOwner().getPackageName().startsWith("io.evenkey")
          || method.getModifiers().contains(JavaModifier.SYNTHETIC)) {
        continue;
      }
      String[] parameters =
          method.getRawParameterTypes().stream().map(JavaClass::getName).toArray(String[]::new);
      boolean isScanner = type.isAssignableTo(SCANNER);
      contracts(type).stream()
          .map(contract -> contract.tryGetMethod(method.getName(), parameters))
          .flatMap(Optional::stream)
          // A getter of a scanner has no way to fail.
          .filter(of -> !isScanner || of.getThrowsClause().containsType(IOException.class))
          .findAny()
          .ifPresent(of -> hooks.add(method));
    }
    return hooks;
  }

  private static List<String> problems(JavaMethod hook) {
    boolean givesObserver = hook.getRawReturnType().isEquivalentTo(Optional.class);
    Class<?> allowed = givesObserver ? Optional.class : Hooks.class;
    Stream<String> calls =
        Stream.concat(
                hook.getMethodCallsFromSelf().stream(), hook.getConstructorCallsFromSelf().stream())
            .filter(call -> !call.isDeclaredInLambda())
            .filter(call -> !call.getTargetOwner().isEquivalentTo(allowed))
            .filter(call -> !isUnboxing(call.getName()))
            .map(call -> " calls " + call.getTarget().getFullName());
    Stream<String> fields =
        hook.getFieldAccesses().stream()
            .filter(access -> !access.isDeclaredInLambda())
            .filter(
                access ->
                    access.getAccessType() == JavaFieldAccess.AccessType.SET
                        || !access.getTargetOwner().equals(hook.getOwner()))
            .map(access -> " uses " + access.getTarget().getFullName());
    return Stream.concat(calls, fields).toList();
  }

  private static boolean isUnboxing(String method) {
    return Set.of("booleanValue", "intValue", "longValue").contains(method);
  }

  @Test
  void everyHookDoesItsWorkInHooks() {
    JavaClasses all =
        new ClassFileImporter().withImportOption(new OwnClasses()).importPackages("io.evenkey");
    RULE.check(all);
    assertThat(
            hooks(all.get(LayoutGuard.class)).stream()
                .map(JavaMethod::getName)
                .collect(Collectors.toSet()))
        .contains("start", "preGetOp", "preBatchMutate", "preEndpointInvocation");
  }

  /** With a hook that goes round. */
  static class Unguarded implements RegionCoprocessor, RegionObserver {
    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void preGetOp(
        ObserverContext<RegionCoprocessorEnvironment> c,
        Get get,
        List<org.apache.hadoop.hbase.Cell> result)
        throws IOException {
      Hooks.run("preGetOp", c, () -> result.clear());
      get.readVersions(1);
    }
  }

  /** Inherits it. */
  static final class Inheriting extends Unguarded {}

  @Test
  void aHookThatGoesRoundIsFound() {
    for (Class<?> type : List.of(Unguarded.class, Inheriting.class)) {
      assertThat(
              RULE.evaluate(new ClassFileImporter().importClasses(type, Unguarded.class))
                  .getFailureReport()
                  .getDetails())
          .isNotEmpty()
          .allMatch(detail -> detail.contains("preGetOp") && detail.contains("readVersions"));
    }
  }
}
