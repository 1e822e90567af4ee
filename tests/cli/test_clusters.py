"""Published sets of clusters, with the default settings: Franti and Sieranoja, "K-means properties on six clustering
benchmark datasets", 2018. There plain k-means leaves clusters of A, unbalance and birch without a centre."""
import gzip
import random

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
    # With covariances of their own the most likely mixture of s4 has one wide component under several clusters.
    words = ["--covariance", "tied"] if (model, name) == ("gaussian_mixture", "s4") else []
    done = suffice("cluster", data, "--no-header", "--delimiter", " ", "--k", count, "--model", model, "-q", *words)
    found = [int(line) for line in done.stdout.split()[1:]]
    assert centroid_index(means(rows, found), means(rows, truth)) == 0


def clouds(path, rows, shift=0.0, seed=1):
    """Two columns around -3 and 3, of which the first may wander."""
    draw = random.Random(seed).gauss
    lines = []
    for row in range(rows):
        centre = 3.0 if row % 3 == 0 else -3.0
        lines.append(f"{draw(centre + shift * row / rows, 1):.4f},{draw(centre, 1):.4f}")
    path.write_text("x,y\n" + "\n".join(lines) + "\n")
    return path


def components(suffice, model):
    """Means of the groups of a model, by drawing from it."""
    drawn = [line.split(",") for line in suffice("sample", model, "-n", 4000, "--seed", 1).stdout.split()[1:]]
    return sorted(means([[float(x), float(y)] for x, y, _ in drawn], [group for *_, group in drawn]))


def test_rows_from_a_pipe_are_grouped_as_they_come_and_the_model_goes_on(suffice, folder):
    data = clouds(folder / "rows.csv", 6000)
    done = suffice("cluster", "-", "--k", 2, "--online", "--batch", 500, "--save", "groups.suf", input=data.read_text())
    found = done.stdout.split()
    assert found[0] == "cluster" and len(found) == 6001 and "as they came" in done.stderr
    assert [int(group) for group in found[1:]].count(0) == pytest.approx(4000, abs=30)
    for mean, expected in zip(components(suffice, "groups.suf"), (-3.0, 3.0)):
        assert mean == pytest.approx([expected, expected], abs=0.15)
    predicted = suffice("predict", "groups.suf", data).stdout.split()[1:]
    assert sum(a == b for a, b in zip(predicted, found[1:])) > 5980
    told = suffice("update", "groups.suf", clouds(folder / "more.csv", 1000, seed=2), "--batch", 250)
    assert "1,000 rows added, 7,000 in the model now" in told.stderr
    assert "use update" in suffice("merge", "groups.suf", "groups.suf", "-o", "twice.suf", code=2).stderr


def test_one_pass_in_two_pieces_is_one_pass(suffice, folder):
    whole = clouds(folder / "whole.csv", 4000).read_text().splitlines(keepends=True)
    (folder / "first.csv").write_text("".join(whole[:2001]))
    (folder / "second.csv").write_text("".join(whole[:1] + whole[2001:]))
    suffice("cluster", "whole.csv", "--k", 2, "--online", "--batch", 400, "--save", "whole.suf", "-q", "-o", "g.csv")
    suffice("cluster", "first.csv", "--k", 2, "--online", "--batch", 400, "--save", "pieces.suf", "-q", "-o", "g.csv")
    suffice("update", "pieces.suf", "second.csv", "--batch", 400)
    one, other = (suffice("predict", model, "whole.csv", "--proba").stdout.split()[1:] for model in ("whole.suf", "pieces.suf"))
    for left, right in zip(one, other):
        assert [float(cell) for cell in left.split(",")] == pytest.approx([float(cell) for cell in right.split(",")], abs=1e-9)


@pytest.mark.parametrize("covariance", ["full", "tied", "diagonal", "spherical"])
def test_holes_that_come_late_are_summed_out(suffice, folder, covariance):
    lines = clouds(folder / "rows.csv", 2000).read_text().splitlines()
    lines[1001::7] = [line.partition(",")[0] + "," for line in lines[1001::7]]
    (folder / "late.csv").write_text("\n".join(lines) + "\n")
    suffice("cluster", "late.csv", "--k", 2, "--online", "--batch", 200, "--covariance", covariance, "--save", "m.suf",
            "-q", "-o", "g.csv")
    for mean, expected in zip(components(suffice, "m.suf"), (-3.0, 3.0)):
        assert mean == pytest.approx([expected, expected], abs=0.25)


def test_a_drift_is_followed_where_earlier_batches_count_less(suffice, folder):
    data = clouds(folder / "rows.csv", 12000, shift=9.0)
    last = {}
    for decay in (1, 0.5):
        suffice("cluster", data, "--k", 2, "--online", "--batch", 400, "--decay", decay, "--save", "m.suf", "-q", "-o", "g.csv")
        last[decay] = max(components(suffice, "m.suf"))[0]
    assert last[0.5] == pytest.approx(12.0, abs=0.7) and last[1] < 10.5


@pytest.mark.parametrize(("words", "told"), [
    (["--model", "k_means", "--online"], "--online is for --model gaussian_mixture and mixture"),
    (["--model", "variational_mixture", "--save", "m.suf"], "--save is for --model gaussian_mixture, mixture and k_means"),
    (["--model", "k_means", "--distance", "manhattan", "--save", "m.suf"], "leave --distance out"),
    (["--decay", "0.5"], "--decay is for --online"),
    (["--online", "--decay", "0"], "--decay takes a number above 0 and up to 1"),
    (["--online", "--batch", "0"], "--batch takes a number from 1"),
    (["--online", "--batch", "1"], "as many rows as there are groups"),
    (["--online", "--covariance", "any"], "k and the covariance are one each"),
    (["--prior", "degrees=9"], "--prior is for --estimate map"),
    (["--estimate", "map", "--prior", "degrees=-1"], "positive numbers"),
    (["--estimate", "map", "--prior", "weight=1"], "mean_weight=W and degrees=D"),
    (["--tolerance", "-1"], "tolerance must be zero or a positive number"),
    (["--model", "k_means", "--tolerance", "-1"], "tolerance must be zero or a positive number"),
    (["--model", "variational_mixture", "--tolerance", "-1"], "tolerance must be"),
    (["--starts", "0"], "starts must be at least 1"),
])
def test_settings_of_groups_that_mean_nothing_are_refused_in_a_sentence(suffice, folder, words, told):
    done = suffice("cluster", "iris.csv", "--exclude", "species", "--k", 2, *words, code=2)
    assert told in done.stderr and done.stdout == "" and done.stderr.count("\n") <= 3


def test_the_saved_centres_of_k_means_predict_the_groups(suffice, folder):
    suffice("cluster", "iris.csv", "--exclude", "species", "--k", 12, "--model", "k_means", "--save", "m.suf", "-q", "-o", "g.csv")
    found = suffice("predict", "m.suf", "iris.csv").stdout.splitlines()
    assert found[1:] == (folder / "g.csv").read_text().splitlines()[1:] and len(found) == 151


MODELS = [["--model", "gaussian_mixture"], ["--model", "gaussian_mixture", "--covariance", "diagonal"],
          ["--model", "gaussian_mixture", "--hard"], ["--model", "mixture"], ["--model", "variational_mixture"],
          ["--model", "k_means"], ["--model", "k_means", "--distance", "manhattan"],
          ["--model", "k_means", "--distance", "euclidean"], ["--model", "gaussian_mixture", "--online"]]


@pytest.mark.parametrize("words", MODELS)
def test_rows_that_hold_no_groups_are_told_of_or_grouped(suffice, folder, words):
    (folder / "few.csv").write_text("x,y\n1,2\n3,4\n5,7\n")
    done = suffice("cluster", "few.csv", "--k", 4, *words, code=2)
    assert "3 rows" in done.stderr and "4" in done.stderr and done.stdout == ""
    (folder / "infinite.csv").write_text("x,y\n" + "1,2\n3,4\n5,7\n2,inf\n" * 4)
    done = suffice("cluster", "infinite.csv", "--k", 2, *words, code=2)
    assert "infinit" in done.stderr and done.stdout == ""
    (folder / "equal.csv").write_text("x,y\n" + "1,2\n3,4\n" * 8)
    if words == ["--model", "k_means"]:  # centres without rows are told of
        done = suffice("cluster", "equal.csv", "--k", 3, *words)
        assert done.stdout.split()[1:] in (["0", "1"] * 8, ["1", "0"] * 8) and "fewer distinct rows than centres" in done.stderr
    else:
        done = suffice("cluster", "equal.csv", "--k", 3, *words, code=2)
        assert "only 2 distinct rows, too few for 3" in done.stderr and done.stdout == ""
    (folder / "constant.csv").write_text("x,y\n" + "5,5\n" * 16)
    assert suffice("cluster", "constant.csv", "--k", 1, *words).stdout.split()[1:] == ["0"] * 16


@pytest.mark.parametrize("words", MODELS[:-1])
def test_a_limit_of_steps_keeps_the_result_and_tells_the_last_change(suffice, folder, words):
    data = clouds(folder / "rows.csv", 300, shift=3)
    done = suffice("cluster", data, "--k", 5, "--steps", 2, "--tolerance", 0, *words)
    assert len(done.stdout.split()) == 301
    assert "limit of 2 steps, when" in done.stderr and ("rose by" in done.stderr or "fell by" in done.stderr)


@pytest.mark.parametrize(("words", "told"), [
    (["--bandwidth", "0"], "positive number"), (["--bandwidth", "-1"], "positive number"),
    (["--model", "nearest", "--neighbors", "151"], "151 neighbours were asked for"),
    (["--bandwidth", "sheather_jones"], "for one column"),
])
def test_densities_that_do_not_exist_are_refused_in_a_sentence(suffice, folder, words, told):
    done = suffice("density", "iris.csv", "--exclude", "species", *words, code=2)
    assert told in done.stderr and done.stdout == ""


@pytest.mark.parametrize("model", ["kernel_density", "histogram", "nearest"])
def test_densities_of_constant_single_and_infinite_rows_are_defined(suffice, folder, model):
    for name, lines in (("constant", "5,5\n" * 8), ("one", "1,2\n")):
        (folder / f"{name}.csv").write_text("x,y\n" + lines)
        values = [float(line) for line in suffice("density", f"{name}.csv", "--model", model).stdout.split()[1:]]
        assert len(values) == lines.count("\n") and len(set(values)) == 1
    (folder / "infinite.csv").write_text("x,y\n1,2\n3,inf\n5,5\n")
    done = suffice("density", "infinite.csv", "--model", model, code=2)
    assert "row 3" in done.stderr and "column y: infinity is not a value" in done.stderr


def test_hard_shares_and_skipped_rows_leave_a_line_for_each_row(suffice, folder):
    (folder / "ragged.csv").write_text("x,y\n1,2\n1\n1.5,2\n9,9\n8,9\n1,2,3\n1,1\n9,8\n0\n")
    for words in ([], ["--online"], ["--proba"]):
        done = suffice("cluster", "ragged.csv", "--k", 2, "--covariance", "spherical", "--ragged", "skip", *words)
        lines = done.stdout.split("\n")[1:-1]
        assert len(lines) == 9 and [k for k in range(9) if lines[k].strip(',"') == ""] == [1, 5, 8]
        assert "3 ragged rows were skipped" in done.stderr
    done = suffice("cluster", "iris.csv", "--exclude", "species", "--k", 3, "--hard", "--steps", 1)
    assert "classification likelihood" in done.stderr
