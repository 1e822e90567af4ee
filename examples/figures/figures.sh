#!/usr/bin/env bash
# The pictures of a first lecture, as SVG files in the folder given (default: here).
# usage: figures.sh DATA_FOLDER [OUTPUT_FOLDER]
set -euo pipefail
data=$1 out=${2:-.}
mkdir -p "$out"

for what in sigmoid family prior simplex em; do suffice plot --what "$what" -o "$out/$what.svg"; done
for model in lda qda gnb; do
    suffice fit "$data/iris.csv" --target species --model "$model" --exclude sepal_length,sepal_width --quiet -o "$out/$model.suf"
    suffice plot "$out/$model.suf" "$data/iris.csv" --what boundary --columns petal_length,petal_width -o "$out/$model.svg"
done
suffice plot "$out/gnb.suf" "$data/iris.csv" --what posterior --columns petal_length,petal_width -o "$out/posterior.svg"
suffice plot "$out/gnb.suf" "$data/iris.csv" --what calibration -o "$out/calibration.svg"
suffice plot "$out/gnb.suf" "$data/iris.csv" --what roc -o "$out/roc.svg"
echo "pictures in $out: $(ls "$out" | grep -c svg)"
