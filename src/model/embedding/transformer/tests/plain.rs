//! The second way to compute an embedding: one number after the other, with 64 bits, without any library.

use super::tiny::{HEADS, LAYERS, Tiny, WIDTH, layer, part};
use crate::model::embedding::transformer::config::Family;

type Vector = Vec<f64>;

/// The unit vector of the mean over all tokens of all windows.
pub(super) fn expected(tiny: &Tiny, windows: &[Vec<usize>]) -> Vector {
    let rows: Vec<Vector> = windows.iter().flat_map(|ids| encoded(tiny, ids)).collect();
    let sum: Vector = (0..WIDTH).map(|column| rows.iter().map(|row| row[column]).sum()).collect();
    let length = sum.iter().map(|value| value * value).sum::<f64>().sqrt();
    sum.iter().map(|value| value / length).collect()
}

fn encoded(tiny: &Tiny, ids: &[usize]) -> Vec<Vector> {
    let first_place = match tiny.family {
        Family::Bert | Family::DistilBert => 0,
        Family::Roberta | Family::MpNet => 2,
    };
    let mut rows: Vec<Vector> = Vec::new();
    for (place, id) in ids.iter().enumerate() {
        let mut row = add(
            &at(tiny, "embeddings.word_embeddings.weight", *id),
            &at(tiny, "embeddings.position_embeddings.weight", first_place + place),
        );
        if matches!(tiny.family, Family::Bert | Family::Roberta) {
            row = add(&row, &at(tiny, "embeddings.token_type_embeddings.weight", 0));
        }
        rows.push(normed(tiny, &row, "embeddings.LayerNorm"));
    }
    for index in 0..LAYERS {
        rows = passed(tiny, &rows, index);
    }
    rows
}

fn passed(tiny: &Tiny, rows: &[Vector], index: usize) -> Vec<Vector> {
    let name = |name: &str| format!("{}.{}", layer(tiny.family, index), part(tiny.family, name));
    let all = |part: &str| -> Vec<Vector> { rows.iter().map(|row| linear(tiny, row, &name(part))).collect() };
    let (queries, keys, values) = (all("query"), all("key"), all("value"));
    let size = WIDTH / HEADS;
    let mut answer = Vec::new();
    for (from, row) in rows.iter().enumerate() {
        let mut mixed = vec![0.0; WIDTH];
        for head in 0..HEADS {
            let columns = head * size..(head + 1) * size;
            let scores: Vector = (0..rows.len())
                .map(|to| {
                    let product: f64 = columns.clone().map(|column| queries[from][column] * keys[to][column]).sum();
                    product / (size as f64).sqrt() + distance_bias(tiny, from, to, head)
                })
                .collect();
            let total: f64 = scores.iter().map(|score| score.exp()).sum();
            for column in columns {
                mixed[column] = scores.iter().zip(&values).map(|(score, value)| score.exp() / total * value[column]).sum();
            }
        }
        let attended = normed(tiny, &add(&linear(tiny, &mixed, &name("out")), row), &name("out norm"));
        let inner: Vector = linear(tiny, &attended, &name("widen")).into_iter().map(|value| value * normal_distribution(value)).collect();
        answer.push(normed(tiny, &add(&linear(tiny, &inner, &name("narrow")), &attended), &name("norm")));
    }
    answer
}

/// With eight buckets: for each direction 0 and 1 exactly, then those below and from √(2·128) = 16 on, all of them near.
fn distance_bias(tiny: &Tiny, from: usize, to: usize, head: usize) -> f64 {
    if tiny.family != Family::MpNet {
        return 0.0;
    }
    let bucket = match from.abs_diff(to) {
        near @ (0 | 1) => near,
        far => {
            assert!(far < 16, "windows of the tests are short");
            2
        }
    };
    let direction = if from < to { 4 } else { 0 };
    at(tiny, "encoder.relative_attention_bias.weight", bucket + direction)[head]
}

fn at(tiny: &Tiny, name: &str, row: usize) -> Vector {
    let (shape, values) = &tiny.weights[name];
    let width = shape[1];
    values[row * width..(row + 1) * width].iter().map(|value| f64::from(*value)).collect()
}

fn linear(tiny: &Tiny, row: &[f64], name: &str) -> Vector {
    let (_, biases) = &tiny.weights[&format!("{name}.bias")];
    let weight = format!("{name}.weight");
    let products = (0..biases.len()).map(|out| at(tiny, &weight, out).iter().zip(row).map(|(weight, value)| weight * value).sum::<f64>());
    products.zip(biases).map(|(product, bias)| product + f64::from(*bias)).collect()
}

fn normed(tiny: &Tiny, row: &[f64], name: &str) -> Vector {
    let mean = row.iter().sum::<f64>() / WIDTH as f64;
    let variance = row.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / WIDTH as f64;
    let epsilon = if matches!(tiny.family, Family::Bert | Family::DistilBert) { 1e-12 } else { 1e-5 };
    let (_, weights) = &tiny.weights[&format!("{name}.weight")];
    let (_, biases) = &tiny.weights[&format!("{name}.bias")];
    let scaled = row.iter().map(|value| (value - mean) / (variance + epsilon).sqrt());
    scaled.zip(weights.iter().zip(biases)).map(|(value, (weight, bias))| value * f64::from(*weight) + f64::from(*bias)).collect()
}

fn add(left: &[f64], right: &[f64]) -> Vector {
    left.iter().zip(right).map(|(left, right)| left + right).collect()
}

/// The share of a normal distribution below a value: a half, and the series of its density from 0 on.
fn normal_distribution(value: f64) -> f64 {
    let (mut term, mut sum) = (value, value);
    for index in 1..200 {
        term *= value * value / f64::from(2 * index + 1);
        sum += term;
    }
    0.5 + sum * (-value * value / 2.0).exp() / std::f64::consts::TAU.sqrt()
}
