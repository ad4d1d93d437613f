"""What of a file decides whether one of its tests can fail."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from ledgergate.source.outline import Outline, is_made_by_hooks, outline_of
from ledgergate.source.syntax import Function, spellings
from ledgergate.source.text import Unreadable
from ledgergate.source.unasked import is_hook, is_read_from_modules, read_from_class
from ledgergate.source.units import Method, Suite, Unit
from ledgergate.source.uses import Uses


class Target(NamedTuple):
    """A test function, with the classes that it is looked up in: those of its path, and their bases in the file."""

    names: tuple[str, ...]
    node: Function
    classes: tuple[ast.ClassDef, ...]


class Cover(NamedTuple):
    """The covered pieces of a file in their order, and the numbers of their lines."""

    target: Target
    units: tuple[Unit, ...]
    lines: tuple[int, ...]


def cover(data: bytes, names: Sequence[str]) -> Cover | Unreadable:
    """What the contract of the test function at the end of `names` covers, or why it cannot be told."""
    outline = outline_of(data)
    if isinstance(outline, Unreadable):
        return outline
    target = find_target(outline, names)
    if isinstance(target, Unreadable):
        return target
    units = _covered(data, outline, target)
    lines = {line for unit in units for line in (*unit.heads, *range(unit.first, unit.last + 1))}
    if outline.source.cookie is not None:
        lines.add(outline.source.cookie)
    return Cover(target, units, tuple(sorted(lines)))


def find_target(outline: Outline, names: Sequence[str]) -> Target | Unreadable:
    """The function at the end of `names`, each name inside the class before it, inherited in the file if need be."""
    scope: ast.Module | ast.ClassDef = outline.source.tree
    classes: list[ast.ClassDef] = []
    for number, name in enumerate(names[:-1], 1):
        found = outline.defined_in(scope).get(name, ())
        path = "::".join(names[:number])
        if len(found) != 1 or not isinstance(found[0], ast.ClassDef):
            return Unreadable(f"it defines {_how_many(found)} of the name {path}")
        scope = found[0]
        classes.append(scope)
    lineage = [*classes, *outline.bases(classes)]
    for place in (scope, *outline.bases(classes[-1:])):
        functions = outline.defined_in(place).get(names[-1], ())
        if len(functions) > 1:
            return Unreadable(f"it defines {'::'.join(names)} {len(functions)} times, and only one of them can count")
        if functions:
            node = functions[0]
            if isinstance(node, ast.ClassDef):
                return Unreadable(f"{'::'.join(names)} is a class; name a test function in it")
            return Target(tuple(names), node, tuple(lineage))
    return Unreadable(f"it does not define the function {'::'.join(names)}")


def _how_many(found: Sequence[ast.stmt]) -> str:
    return "no class" if not found else f"{len(found)} things" if len(found) > 1 else "no class, but a function,"


class _Index(NamedTuple):
    """Where in a file names are bound or changed, and what is covered for each of its tests."""

    binders: Mapping[str, Sequence[Unit]]
    common: _Closure


@lru_cache(maxsize=64)
def _index(data: bytes) -> _Index:
    outline = outline_of(data)
    if isinstance(outline, Unreadable):
        raise TypeError("an unreadable file has no index")
    binders: dict[str, list[Unit]] = {}
    defined = [(method.name, method.whole) for method in outline.functions]
    for own_name, unit in [*defined, *((suite.name, suite.whole) for suite in outline.suites)]:
        for name in spellings(own_name):
            binders.setdefault(name, []).append(unit)
    for method in outline.all_functions:
        for name in _changed_by(outline, method):
            binders.setdefault(name, []).append(method.whole)
    common = _Closure(outline, binders)
    for suite in outline.all_suites:
        if suite.calls_itself or _is_hooked(outline, suite):
            common.add_members(suite)
    common.take(outline.always)
    common.take(_acting(outline))
    common.take(filter(partial(_reaches_the_module, outline), _whole(outline)), is_watched=False)
    return _Index(binders, common)


def _whole(outline: Outline) -> Iterator[Unit]:
    return (method.whole for method in outline.all_functions)


def _reaches_the_module(outline: Outline, unit: Unit) -> bool:
    """Whether a function may change any name of the module, or one that is looked up unasked."""
    uses = outline.uses(unit)
    return uses.is_dynamic or uses.writes_modules or any(map(is_read_from_modules, uses.rebinds))


def _changed_by(outline: Outline, method: Method) -> set[str]:
    """The names of the module that a function binds anew, or whose objects it changes.

    Of what was imported only attributes and items that it sets; but then all that comes from the same package.
    """
    uses = outline.uses(method.whole)
    writes = uses.writes | {name for callee, name in uses.passes if callee in outline.changing_arguments}
    packages = {outline.imported[name] for name in uses.stores if name in outline.imported}
    related = {name for name, package in outline.imported.items() if package in packages} if packages else set()
    return {*uses.rebinds, *(writes & outline.bound), *related}


def _is_hooked(outline: Outline, suite: Suite) -> bool:
    """Whether a class, or one of the file that it is made from, defines what is called unasked, or decides that."""
    return any(
        is_made_by_hooks(node) or any(is_hook(name) for name in outline.defined_in(node))
        for node in (suite.node, *outline.bases([suite.node]))
    )


def _acting(outline: Outline) -> Iterator[Unit]:
    """What of the functions and test classes runs, and acts, when the file is imported."""
    for method in outline.all_functions:
        if method.acting is not None:
            yield method.acting
    for suite in outline.all_suites:
        if any(isinstance(child, ast.Global) for child in suite.node.body):
            yield suite.whole
        if suite.calls_itself:
            yield from (unit for unit, _ in suite.statements if isinstance(unit.shape, ast.ClassDef))
        yield from (method.whole for method in suite.functions if is_hook(method.name))
        if suite.acts:
            yield suite.header
        for statement, acts in suite.statements:
            if acts:
                yield statement


class _Closure:
    """Grows a cover until nothing in it uses anything of the file that is outside."""

    def __init__(self, outline: Outline, binders: Mapping[str, Sequence[Unit]]) -> None:
        self._outline = outline
        self._binders = binders
        self._members: dict[str, list[Unit]] = {}
        self._helpers: list[Unit] = []
        self._partial: set[int] = set()
        self.units: dict[int, Unit] = {}
        self.names: set[str] = set()
        self.attributes: set[str] = set()
        self.is_whole = False
        self.any_attribute = False

    def within(self, classes: Sequence[Suite]) -> _Closure:
        """A copy that covers the set-up of these test classes, and their members where they are used."""
        copy = _Closure(self._outline, self._binders)
        copy.units, copy.names, copy.attributes = dict(self.units), set(self.names), set(self.attributes)
        copy.is_whole, copy.any_attribute = self.is_whole, self.any_attribute
        for suite in classes:
            copy._partial.add(suite.whole.number)
            copy.add_members(suite)
        copy.take(copy._helpers if copy.any_attribute else ())
        copy.take(unit for name in copy.names | copy.attributes for unit in copy._members.get(name, ()))
        for suite in classes:
            copy._take_set_up(suite)
        return copy

    def add_members(self, suite: Suite) -> None:
        """Let the methods and classes in it be covered where attributes of their names are used."""
        for method in suite.functions:
            for name in (*spellings(method.name), *self._outline.uses(method.whole).class_writes):
                self._members.setdefault(name, []).append(method.whole)
            if not method.is_free:
                self._helpers.append(method.whole)
        for inner in suite.inner:
            self._members.setdefault(inner.name, []).append(inner.whole)

    def _take_set_up(self, suite: Suite) -> None:
        unasked = read_from_class(self._outline.source.tree, suite.node)
        self.take([suite.header, *(statement for statement, _ in suite.statements)])
        self.take(inner.whole for inner in suite.inner if unasked.fullmatch(inner.name) is not None)
        self.take(
            method.whole
            for method in suite.functions
            if not method.is_free and (method.node.decorator_list or unasked.fullmatch(method.name) is not None)
        )

    def take(self, units: Iterable[Unit], *, is_watched: bool = True) -> None:
        """Cover the units and what they use. Watched ones that use computed names of the module cover all of it."""
        waiting = list(units)
        while waiting:
            unit = waiting.pop()
            if unit.number in self._partial:
                continue
            uses = self._outline.uses(unit)
            self.is_whole = self.is_whole or (is_watched and uses.is_dynamic)
            if unit.number in self.units:
                continue
            self.units[unit.number] = unit
            waiting += self._reached_by(uses)

    def reach(self, path: Sequence[str]) -> None:
        """Cover what binds or changes the first name in the module, and the further ones in the test's classes."""
        self.names.add(path[0])
        self.take(self._binders.get(path[0], ()))
        for name in path[1:]:
            self.attributes.add(name)
            self.take(self._members.get(name, ()))

    def _reached_by(self, uses: Uses) -> Iterator[Unit]:
        imported = self._outline.imported
        names = uses.names | {attribute for root, attribute in uses.members if root in imported}
        for name in names - self.names:
            self.names.add(name)
            yield from self._binders.get(name, ())
            yield from self._members.get(name, ())
        for attribute in uses.attributes - self.attributes:
            self.attributes.add(attribute)
            yield from self._members.get(attribute, ())
        if uses.any_attribute:
            self.any_attribute = True
        if self.any_attribute:
            yield from self._helpers


def _covered(data: bytes, outline: Outline, target: Target) -> tuple[Unit, ...]:
    classes = [suite for suite in outline.all_suites if suite.node in target.classes]
    closure = _index(data).common.within(classes)
    closure.reach(target.names)
    closure.take(method.whole for method in outline.all_functions if method.node is target.node)
    if closure.is_whole:
        return _everything(outline)
    return tuple(sorted(closure.units.values(), key=_place_in_file))


def _everything(outline: Outline) -> tuple[Unit, ...]:
    methods: Iterable[Method] = outline.functions
    units = [*outline.always, *(method.whole for method in methods), *(one.whole for one in outline.suites)]
    return tuple(sorted(dict.fromkeys(units), key=_place_in_file))


def _place_in_file(unit: Unit) -> tuple[int, int, int]:
    return unit.first, unit.column, unit.number
