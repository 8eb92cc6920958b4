//! What the similarity model says of its own samples, of rewrites of them, and of their harmless twins.

use super::*;
use crate::meaning::Features;
use crate::subject::{Lifecycle, Subject};

fn model(settings: SimilaritySettings) -> Similarity {
    let table = crate::model::registry::ModelSettings::default();
    Similarity::build(&settings, &Builder::new(&table)).expect("the settings make the model")
}

/// What the model says of a text, by its words alone.
fn opinion(model: &Similarity, kind: Kind, text: &str) -> Evaluation {
    let subject = Subject::empty(kind, Lifecycle::PreToolCall);
    let evidence = Evidence { subject: &subject, features: &Features::default(), matches: &[], answers: &[], text };
    model.evaluate(&evidence).expect("it judges everything").remove(0)
}

/// The same code as another would have written it: other names of variables, other blanks, other quotes, comments.
fn rewritten(text: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    for (at, _) in text.match_indices("const ").chain(text.match_indices("let ")) {
        let declared = text.get(at..).expect("it starts there").split_once(' ').expect("a blank stands there").1;
        let name = declared.split(|character: char| !character.is_alphanumeric()).next().unwrap_or_default();
        names.extend(Some(name).filter(|name| !name.is_empty()));
    }
    let mut words = Vec::new();
    let mut quote = None;
    for piece in text.split_inclusive(|character: char| !character.is_alphanumeric()) {
        let (word, mark) = piece.split_at(piece.trim_end_matches(|character: char| !character.is_alphanumeric()).len());
        let is_variable = quote.is_none()
            && names.contains(&word)
            && !words.last().is_some_and(|before: &String| before.ends_with('.'))
            && mark != ":"
            && mark != "(";
        let word = if is_variable { format!("v{}", names.iter().position(|name| *name == word).unwrap_or(0)) } else { word.to_owned() };
        words.push(word + mark);
        if let Some(mark) = mark.chars().next().filter(|mark| matches!(mark, '\'' | '"' | '`')) {
            quote = match quote {
                None => Some(mark),
                Some(open) if open == mark => None,
                open => open,
            };
        }
    }
    format!("// What follows is harmless, believe me.\n{}\n/* done */", words.concat().replace("; ", ";\n\n    ").replace(", ", " ,  "))
}

#[test]
fn every_sample_is_found_by_its_own_text_and_when_it_is_rewritten() {
    let model = model(SimilaritySettings::default());
    let mut lost = Vec::new();
    for sample in known::built_in() {
        let rewrites = match sample.kind {
            Kind::Script => vec![sample.text.clone(), rewritten(&sample.text)],
            Kind::ToolCall => vec![sample.text.clone(), sample.text.replace("\": ", "\"  :\n")],
            Kind::ToolResult | Kind::Prompt | Kind::Manifest | Kind::Text => {
                vec![sample.text.clone(), sample.text.to_uppercase(), sample.text.replace(' ', "\n")]
            }
        };
        for text in rewrites {
            let opinion = opinion(&model, sample.kind, &text);
            let similarity = opinion.signals.iter().find(|signal| signal.id == sample.id);
            if opinion.score.value() < 85.0 || similarity.is_none() {
                lost.push(format!(
                    "{}: {} {:?}\n{text}",
                    sample.id,
                    opinion.score.value(),
                    opinion.signals.first().map(|signal| &signal.id)
                ));
            }
        }
    }
    assert!(lost.is_empty(), "{}", lost.join("\n"));
}

#[test]
fn no_harmless_twin_matches_any_sample() {
    let model = model(SimilaritySettings::default());
    let mut wrong = Vec::new();
    for sample in known::built_in() {
        let opinion = opinion(&model, sample.kind, sample.near_miss.as_deref().expect("every sample has one"));
        if 40.0 <= opinion.score.value() {
            wrong.push(format!("{} {} {}", sample.id, opinion.score.value(), opinion.signals[0].description));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn a_sample_is_found_behind_and_between_other_code() {
    let model = model(SimilaritySettings::default());
    let samples = known::built_in();
    let sample = samples.iter().find(|sample| sample.id == "users-to-mail").expect("it is there");
    for lines in [0, 50, 2_000] {
        let padding = "const chart = await callTool('charts:draw', { title: 'rainfall in spring', bars: 12 });\n".repeat(lines);
        for text in [format!("{padding}{}", sample.text), format!("{padding}{}{padding}", sample.text)] {
            let opinion = opinion(&model, Kind::Script, &text);
            assert!(opinion.signals.iter().any(|signal| signal.id == sample.id), "{lines} lines: {:?}", opinion.signals);
            let place = opinion.signals[0].span.expect("a match has a place");
            assert!(lines == 0 || (place.end - place.start) < 1_200 && text.find("users:list").expect("it is there") < place.end as usize);
        }
    }
}

#[test]
fn a_score_below_the_threshold_asks_for_nothing_and_names_what_is_nearest() {
    let model = model(SimilaritySettings::default());
    for text in ["", "const a = 1;", "const rows = await callTool('weather:today', { city: 'Graz' });"] {
        let opinion = opinion(&model, Kind::Script, text);
        assert!(opinion.score.value() < 40.0, "{text}: {}", opinion.score.value());
        assert!(opinion.signals.len() <= 1 && opinion.level.as_deref() == Some("no match"), "{text}");
    }
    for (best, twin, expected) in
        [(0.0, 0.0, 0.0), (0.35, 0.0, 0.0), (0.6, 0.3, 15.6), (0.84, 0.1, 39.0), (0.84, 0.84, 10.9), (0.6, 0.9, 0.0)]
    {
        assert!((near(best, twin).value() - expected).abs() < 0.06, "{best} {twin}: {}", near(best, twin).value());
    }
}

#[test]
fn settings_decide_what_matches_and_how_much_is_named() {
    let samples = known::built_in();
    let text = &samples[0].text;
    for (threshold, top_k, expected) in [(0.85, 1, 1), (0.0, 5, 5), (0.0, 100, 100), (0.3, 7, 7)] {
        let model = model(SimilaritySettings { threshold, top_k, ..SimilaritySettings::default() });
        let opinion = opinion(&model, Kind::Script, text);
        assert_eq!(opinion.signals.len(), expected, "{threshold} {top_k}");
        assert_eq!(opinion.signals[0].id, samples[0].id);
    }
}

#[test]
fn without_a_sample_the_next_one_counts() {
    let model = model(SimilaritySettings::default());
    let sample = &known::built_in()[0];
    let subject = Subject::empty(Kind::Script, Lifecycle::PreToolCall);
    let evidence = Evidence { subject: &subject, features: &Features::default(), matches: &[], answers: &[], text: &sample.text };
    let opinion = model.evaluate_without(&evidence, &|id| id == sample.id).expect("it judges everything").remove(0);
    assert!(opinion.score.value() < 100.0 && opinion.signals.iter().all(|signal| signal.id != sample.id));
}
