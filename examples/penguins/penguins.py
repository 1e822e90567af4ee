"""Notebook style: mixed columns with holes, two seasons merged, one taken out again, answers explained, mistakes priced."""
# %% Data as they come: numbers, words and holes
import sys

import numpy as np
import pandas as pd

import suffice

penguins = pd.read_csv(sys.argv[1] if len(sys.argv) > 1 else "data/penguins.csv")
columns = ["island", "bill_length_mm", "bill_depth_mm", "flipper_length_mm", "body_mass_g", "sex"]
print(penguins[columns].isna().any(axis=1).sum(), "of", len(penguins), "rows have a hole")

# %% One model per season, added up
seasons = [season for _, season in penguins.groupby("year")]
models = [suffice.NaiveBayes().fit(season[columns], season["species"]) for season in seasons]
together = models[0] + models[1] + models[2]
whole = suffice.NaiveBayes().fit(penguins[columns], penguins["species"])
same = np.allclose(together.predict_proba(penguins[columns]), whole.predict_proba(penguins[columns]))
print("three seasons added up are the whole:", same)

# %% A season taken out again
rest = together - models[2]
two = models[0] + models[1]
print("a season taken out was never there:",
      np.allclose(rest.predict_proba(penguins[columns]), two.predict_proba(penguins[columns])))

# %% Why this penguin?
doubtful = penguins[columns].iloc[[np.argmin(whole.predict_proba(penguins[columns]).max(axis=1))]]
explained = whole.explain(doubtful)
first, second = np.argsort(-whole.predict_proba(doubtful)[0])[:2]
print(f"the most doubtful of all: {whole.classes_[first]} rather than {whole.classes_[second]}, because of")
for name, by in zip(columns, explained.contributions[0, first] - explained.contributions[0, second]):
    print(f"  {name:18} {by:+.2f}")
prior = explained.intercepts[0, first] - explained.intercepts[0, second]
odds = prior + (explained.contributions[0, first] - explained.contributions[0, second]).sum()
print(f"  {'more common':18} {prior:+.2f}\n  {'in all (log odds)':18} {odds:+.2f}")

# %% A mistake that costs ten times as much
proba = whole.predict_proba(penguins[columns])
cost = np.ones((3, 3)) - np.eye(3)
cost[list(whole.classes_).index("Chinstrap"), list(whole.classes_).index("Adelie")] = 10
changed = suffice.decide(proba, cost=cost) != proba.argmax(axis=1)
print(int(changed.sum()), "decisions change when missing a Chinstrap costs ten")
