/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.compatibility;

import eu.maveniverse.maven.mima.context.Context;
import eu.maveniverse.maven.mima.context.ContextOverrides;
import eu.maveniverse.maven.mima.context.Runtimes;
import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.eclipse.aether.DefaultRepositorySystemSession;
import org.eclipse.aether.artifact.Artifact;
import org.eclipse.aether.artifact.DefaultArtifact;
import org.eclipse.aether.collection.CollectRequest;
import org.eclipse.aether.graph.Dependency;
import org.eclipse.aether.repository.WorkspaceReader;
import org.eclipse.aether.repository.WorkspaceRepository;
import org.eclipse.aether.resolution.ArtifactResult;
import org.eclipse.aether.resolution.DependencyRequest;
import org.eclipse.aether.resolution.DependencyResolutionException;
import org.jspecify.annotations.Nullable;

/**
 * A project outside the build that has some dependencies: Maven chooses the versions of what these
 * depend on as for any application, with none of the versions that this build sets.
 *
 * @param dependencies group, artifact and version of each, in the order of the project's file
 */
record FreshProject(List<String> dependencies) {
  private static final Path ROOT = Path.of("..", "..");
  private static final String GROUP = "io.evenkey";

  /** The modules of this build that an application can fetch. */
  private static final Map<String, Path> MODULES =
      Map.of(
          "evenkey", ROOT,
          "evenkey-libraries", ROOT.resolve("libraries"),
          "evenkey-layout", ROOT.resolve("layout"),
          "evenkey-protocol", ROOT.resolve("protocol"),
          "evenkey-client", ROOT.resolve("client"),
          "evenkey-shaded-client", ROOT.resolve("shaded-client"));

  /** The jars of its class path. */
  List<Path> classPath() throws DependencyResolutionException {
    ContextOverrides settings = ContextOverrides.create().withUserSettings(true).build();
    try (Context maven = Runtimes.INSTANCE.getRuntime().create(settings)) {
      DefaultRepositorySystemSession session =
          new DefaultRepositorySystemSession(maven.repositorySystemSession());
      session.setWorkspaceReader(new Build());
      CollectRequest wanted = new CollectRequest();
      wanted.setRepositories(maven.remoteRepositories());
      for (String dependency : dependencies) {
        wanted.addDependency(new Dependency(new DefaultArtifact(dependency), "compile"));
      }
      return maven
          .repositorySystem()
          .resolveDependencies(session, new DependencyRequest(wanted, null))
          .getArtifactResults()
          .stream()
          .map(ArtifactResult::getArtifact)
          .map(artifact -> artifact.getFile().toPath())
          .toList();
    }
  }

  /** Finds what this build has made, before any repository is asked. */
  private static final class Build implements WorkspaceReader {
    private final WorkspaceRepository repository = new WorkspaceRepository("build");

    @Override
    public WorkspaceRepository getRepository() {
      return repository;
    }

    @Override
    public @Nullable File findArtifact(Artifact artifact) {
      Path module = MODULES.get(artifact.getArtifactId());
      if (module == null || !artifact.getGroupId().equals(GROUP)) {
        return null;
      }
      return artifact.getExtension().equals("pom")
          ? module.resolve("pom.xml").toFile()
          : module
              .resolve("target")
              .resolve(artifact.getArtifactId() + "-" + artifact.getVersion() + ".jar")
              .toFile();
    }

    @Override
    public List<String> findVersions(Artifact artifact) {
      return List.of();
    }
  }
}
