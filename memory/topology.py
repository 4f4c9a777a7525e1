"""Topology: what the shape of the map says. Pure functions over ids; an edge says *builds on*.

Rank flows from a concept to what it builds on, so a prerequisite that everything leans on is a hub.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

import networkx as nx
import numpy as np

DAMPING = 0.85  # Page, Brin, Motwani and Winograd, "The PageRank Citation Ranking", 1999
_TOLERANCE = 1e-10
_ROUNDS = 500

Node = TypeVar("Node", bound=str)


@dataclass(frozen=True, slots=True)
class Link:
    """``concept`` builds on ``needs``, with a weight in (0, 1]."""

    concept: str
    needs: str
    weight: float


@dataclass(frozen=True, slots=True)
class Order:
    """A teaching order: layers of ids, prerequisites first; and the edges that had to give way to have one."""

    layers: tuple[tuple[str, ...], ...] = ()
    broken: tuple[Link, ...] = ()

    @property
    def sequence(self) -> tuple[str, ...]:
        """All ids, in the order to teach them."""
        return tuple(node for layer in self.layers for node in layer)


def pagerank(nodes: Sequence[Node], links: Iterable[Link]) -> dict[Node, float]:
    """Weighted PageRank: one number a node, all of them summing to 1 (article, "La carte conceptuelle").

    Power iteration; a node that builds on nothing hands its rank to every node alike, as in networkx.
    """
    if not nodes:
        return {}
    place = {str(node): position for position, node in enumerate(nodes)}
    kept = [(place[link.concept], place[link.needs], link.weight) for link in _between(place, links)]
    source = np.array([link[0] for link in kept], dtype=np.intp)
    target = np.array([link[1] for link in kept], dtype=np.intp)
    weight = np.array([link[2] for link in kept], dtype=np.float64)
    out = np.bincount(source, weights=weight, minlength=len(nodes)) if kept else np.zeros(len(nodes))
    share = weight / out[source] if kept else weight
    dangling = out == 0.0
    rank = np.full(len(nodes), 1.0 / len(nodes))
    for _ in range(_ROUNDS):
        flow = np.zeros(len(nodes)) if not kept else np.bincount(target, rank[source] * share, minlength=len(nodes))
        following = DAMPING * (flow + rank[dangling].sum() / len(nodes)) + (1.0 - DAMPING) / len(nodes)
        moved = float(np.abs(following - rank).sum())
        rank = following
        if moved < _TOLERANCE:
            break
    rank /= rank.sum()
    return {node: float(rank[position]) for position, node in enumerate(nodes)}


def without_cycles(nodes: Iterable[str], links: Iterable[Link]) -> tuple[list[Link], list[Link]]:
    """The links that stay and the links taken out: each cycle is broken at its weakest edge, one at a time.

    Ties are broken by id, so that the same map always gives the same order. Self-links are dropped unreported.
    """
    known = {str(node): 0 for node in nodes}
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(known)
    for link in _between(known, links):
        if link.concept != link.needs:
            before = graph.get_edge_data(link.concept, link.needs, {"weight": 0.0})["weight"]
            graph.add_edge(link.concept, link.needs, weight=max(before, link.weight))
    broken: list[Link] = []
    knots = [knot for knot in nx.strongly_connected_components(graph) if len(knot) > 1]
    while knots:
        inside = graph.subgraph(knots.pop()).copy()
        weight, concept, needs = min((data["weight"], one, two) for one, two, data in inside.edges(data=True))
        graph.remove_edge(concept, needs)
        inside.remove_edge(concept, needs)
        broken.append(Link(concept, needs, weight))
        knots += [knot for knot in nx.strongly_connected_components(inside) if len(knot) > 1]
    kept = [Link(one, two, data["weight"]) for one, two, data in graph.edges(data=True)]
    return kept, sorted(broken, key=lambda link: (link.concept, link.needs))


def teaching_order(nodes: Sequence[str], links: Iterable[Link], centrality: Mapping[str, float]) -> Order:
    """Topological layers: what a concept builds on comes in an earlier layer, hubs first within a layer.

    Nodes of equal centrality keep the order in which they were given.
    """
    kept, broken = without_cycles(nodes, links)
    graph: nx.DiGraph[str] = nx.DiGraph()
    graph.add_nodes_from(nodes)
    graph.add_edges_from((link.needs, link.concept) for link in kept)
    given = {node: position for position, node in enumerate(nodes)}
    layers = tuple(
        tuple(sorted(layer, key=lambda node: (-centrality.get(node, 0.0), given[node])))
        for layer in nx.topological_generations(graph)
    )
    return Order(layers, tuple(broken))


def needed_by(concept: str, links: Iterable[Link]) -> set[str]:
    """Everything the concept builds on, directly or through others."""
    return _reach(concept, ((link.concept, link.needs) for link in links))


def built_on(concept: str, links: Iterable[Link]) -> set[str]:
    """Everything that builds on the concept, directly or through others."""
    return _reach(concept, ((link.needs, link.concept) for link in links))


def _reach(start: str, steps: Iterable[tuple[str, str]]) -> set[str]:
    following: dict[str, list[str]] = {}
    for one, two in steps:
        following.setdefault(one, []).append(two)
    seen: set[str] = set()
    waiting = list(following.get(start, ()))
    while waiting:
        node = waiting.pop()
        if node != start and node not in seen:
            seen.add(node)
            waiting += following.get(node, ())
    return seen


def _between(known: Mapping[str, int], links: Iterable[Link]) -> list[Link]:
    return [link for link in links if link.concept in known and link.needs in known and link.weight > 0.0]
