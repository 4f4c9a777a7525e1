"""What the shape of the map says: centrality, teaching order, cycles."""

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory.topology import Link, built_on, needed_by, pagerank, teaching_order, without_cycles

NODES = [f"n{number}" for number in range(8)]
links = st.lists(
    st.builds(Link, st.sampled_from(NODES), st.sampled_from(NODES), st.floats(0.05, 1.0)),
    max_size=30,
    unique_by=lambda link: (link.concept, link.needs),
)


@settings(deadline=None)
@given(links)
def test_pagerank_sums_to_one_and_equals_networkx(found: list[Link]) -> None:
    ours = pagerank(NODES, found)
    graph = nx.DiGraph()
    graph.add_nodes_from(NODES)
    graph.add_weighted_edges_from((link.concept, link.needs, link.weight) for link in found)
    theirs = nx.pagerank(graph, alpha=0.85, tol=1e-12, max_iter=1000, weight="weight")
    assert sum(ours.values()) == pytest.approx(1.0)
    assert ours == pytest.approx(theirs, abs=1e-7)


def test_an_empty_map_has_no_centrality() -> None:
    assert pagerank([], []) == {}


def test_a_prerequisite_that_everything_leans_on_is_the_hub() -> None:
    ranks = pagerank(["cell", "a", "b", "c"], [Link(one, "cell", 1.0) for one in ("a", "b", "c")])
    assert max(ranks, key=lambda node: ranks[node]) == "cell"


def test_links_to_unknown_nodes_are_ignored() -> None:
    assert pagerank(["a", "b"], [Link("a", "ghost", 1.0)]) == {"a": 0.5, "b": 0.5}


@settings(deadline=None)
@given(links)
def test_no_cycle_survives_and_the_order_respects_every_kept_link(found: list[Link]) -> None:
    kept, broken = without_cycles(NODES, found)
    graph = nx.DiGraph([(link.concept, link.needs) for link in kept])
    assert nx.is_directed_acyclic_graph(graph)
    order = teaching_order(NODES, found, pagerank(NODES, found))
    assert sorted(order.sequence) == sorted(NODES)
    layer_of = {node: depth for depth, layer in enumerate(order.layers) for node in layer}
    assert all(layer_of[link.needs] < layer_of[link.concept] for link in kept)
    assert list(order.broken) == broken
    assert len(kept) + len(broken) == len([link for link in found if link.concept != link.needs])


@settings(deadline=None)
@given(links)
def test_what_had_no_cycle_is_left_whole(found: list[Link]) -> None:
    straight = [link for link in found if link.concept < link.needs]
    kept, broken = without_cycles(NODES, straight)
    assert not broken
    assert len(kept) == len(straight)


def test_a_cycle_gives_way_at_its_weakest_edge() -> None:
    circle = [Link("a", "b", 0.9), Link("b", "c", 0.2), Link("c", "a", 0.8)]
    kept, broken = without_cycles(["a", "b", "c"], circle)
    assert broken == [Link("b", "c", 0.2)]
    assert {(link.concept, link.needs) for link in kept} == {("a", "b"), ("c", "a")}


def test_hubs_come_first_within_a_layer() -> None:
    found = [Link("x", "hub", 1.0), Link("y", "hub", 1.0), Link("z", "leaf", 1.0)]
    nodes = ["leaf", "hub", "x", "y", "z"]
    assert teaching_order(nodes, found, pagerank(nodes, found)).layers[0] == ("hub", "leaf")


def test_reach_goes_through_others_and_never_includes_the_start() -> None:
    chain = [Link("c", "b", 1.0), Link("b", "a", 1.0), Link("a", "c", 1.0)]
    assert needed_by("c", chain) == {"a", "b"}
    assert built_on("a", chain[:2]) == {"b", "c"}
