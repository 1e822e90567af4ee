"""Published sets of clusters, with the default settings: Franti and Sieranoja, "K-means properties on six clustering
benchmark datasets", 2018. There plain k-means leaves clusters of A, unbalance and birch without a centre."""
import gzip

import pytest


def numbers(path):
    with gzip.open(path, "rt") as file:
        return [[float(word) for word in line.split()] for line in file if line.strip()]


def means(rows, groups):
    sums = {}
    for row, group in zip(rows, groups):
        weight, total = sums.get(group, (0, [0.0] * len(row)))
        sums[group] = weight + 1, [a + b for a, b in zip(total, row)]
    return [[value / weight for value in total] for weight, total in sums.values()]


def centroid_index(found, truth):
    """How many true clusters got no centre of their own, or the other way round (Franti, Rezaei and Zhao, 2014)."""
    def orphans(some, others):
        met = {min(range(len(others)), key=lambda k: sum((a - b) ** 2 for a, b in zip(each, others[k]))) for each in some}
        return len(others) - len(met)
    return max(orphans(found, truth), orphans(truth, found))


@pytest.mark.parametrize(("model", "name"), [
    ("k_means", "s4"), ("k_means", "a3"), ("k_means", "unbalance"), ("gaussian_mixture", "s4"),
    ("gaussian_mixture", "a3"), ("gaussian_mixture", "unbalance"),
    pytest.param("k_means", "birch1", marks=pytest.mark.slow), pytest.param("k_means", "birch2", marks=pytest.mark.slow)])
def test_every_published_cluster_gets_a_centre(suffice, shared, model, name):
    data, labels = (shared(f"clustering/gagolews_{name}.{kind}.gz") for kind in ("data", "labels0"))
    rows, truth = numbers(data), [int(each[0]) for each in numbers(labels)]
    count = len(set(truth))
    done = suffice("cluster", data, "--no-header", "--delimiter", " ", "--k", count, "--model", model, "-q")
    found = [int(line) for line in done.stdout.split()[1:]]
    assert centroid_index(means(rows, found), means(rows, truth)) == 0
