"""The paths that are protected in every repository, whatever its policy says."""

from __future__ import annotations

# CI of the common forges
CI_FILES: tuple[str, ...] = (
    "/.github/workflows/**",
    "/.github/actions/**",
    "/action.yml",
    "/action.yaml",
    "/.gitlab-ci.yml",
    "/.gitlab/ci/**",
    "/.forgejo/workflows/**",
    "/.forgejo/actions/**",
    "/.gitea/workflows/**",
    "/.gitea/actions/**",
    "/.circleci/**",
    "/.buildkite/**",
    "/.woodpecker/**",
    "/.woodpecker.yml",
    "/.woodpecker.yaml",
    "/.drone.yml",
    "/.drone.yaml",
    "/.drone.star",
    "/.drone.jsonnet",
    "/.travis.yml",
    "/.cirrus.yml",
    "/.cirrus.star",
    "/.semaphore/**",
    "/.azure-pipelines/**",
    "/.pipelines/**",
    "/azure-pipelines.yml",
    "/azure-pipelines.yaml",
    "/bitbucket-pipelines.yml",
    "/appveyor.yml",
    "/.appveyor.yml",
    "/.build.yml",
    "/.builds/**",
    "Jenkinsfile",
    "/codemagic.yaml",
    "/buildspec.yml",
    "/buildspec.yaml",
    "/cloudbuild.yaml",
    "/cloudbuild.yml",
    "/cloudbuild.json",
    "/.zuul.yaml",
    "/zuul.yaml",
    "/.zuul.d/**",
    "/zuul.d/**",
    "/.teamcity/**",
    "/bamboo-specs/**",
    "/.tekton/**",
    "/.prow.yaml",
    "/.prow/**",
    "/.harness/**",
    "/.packit.yml",
    "/.packit.yaml",
)

# Gitignore-style, in three shapes only: a bare name (anywhere), `/a/b` (that file), `/a/b/**` (all below that folder).
BUILT_IN_PROTECTED: tuple[str, ...] = (
    # what git stores and checks out
    ".gitattributes",
    ".gitmodules",
    "/.lfsconfig",
    # hook managers; prek also reads configurations of nested projects
    ".pre-commit-config.yaml",
    ".pre-commit-config.yml",
    "prek.toml",
    ".prekignore",
    *(
        f"/{folder}{dot}lefthook{local}.{ending}"
        for folder, dot in (("", ""), ("", "."), (".config/", ""))
        for local in ("", "-local")
        for ending in ("yml", "yaml", "toml", "json", "jsonc")
    ),
    "/.lefthook/**",
    "/.lefthook-local/**",
    "/.husky/**",
    "/.githooks/**",
    "/.git-hooks/**",
    "/.overcommit.yml",
    # pytest
    "conftest.py",
    "pytest.ini",
    ".pytest.ini",
    "pytest.toml",
    ".pytest.toml",
    # what outweighs or extends the protected parts of the files below
    "tox.toml",
    ".coveragerc",
    ".coveragerc.toml",
    "hatch.toml",
    *CI_FILES,
)

# Of these, anywhere, only the parts that steer tests are protected.
PARTLY_PROTECTED: tuple[str, ...] = ("pyproject.toml", "tox.ini", "setup.cfg", "setup.py")
