//! How bad an effect is: the rows of `knowledge/effects.yaml`.

use crate::knowledge::effect::{Effect, EffectKind, Extent};
use crate::knowledge::reach::Reach;
use crate::knowledge::row::term::Side;
use crate::knowledge::sensitivity::Sensitivity;
use crate::value::severity::Severity;

/// How bad an effect is that looks like this; an empty list is not asked.
#[derive(Debug)]
pub struct SeverityRow {
    /// What is done.
    pub kind: EffectKind,
    /// To one of these.
    pub objects: &'static [&'static str],
    /// If its paths reach so far.
    pub reaches: &'static [Reach],
    /// To so much.
    pub extents: &'static [Extent],
    /// On one of these sides.
    pub places: &'static [Side],
    /// To data of one of these kinds.
    pub sensitivities: &'static [Sensitivity],
    /// So bad it is; none where it is nothing to speak of.
    pub severity: Option<Severity>,
}

static SEVERITIES: &[SeverityRow] = include!(concat!(env!("OUT_DIR"), "/severities.rs"));

/// How bad an effect is: as its own row says, or else as the first row of the table says that fits.
pub fn severity(effect: &Effect) -> Option<Severity> {
    effect.severity.or_else(|| SEVERITIES.iter().find(|row| fits(row, effect)).and_then(|row| row.severity))
}

fn fits(row: &SeverityRow, effect: &Effect) -> bool {
    // What is done to nobody knows what is nothing to speak of.
    let is_object = effect.object.as_deref().is_some_and(|object| row.objects.is_empty() || row.objects.contains(&object));
    row.kind == effect.kind
        && is_object
        && (row.extents.is_empty() || row.extents.contains(&effect.extent))
        && holds(row.reaches, effect.reach)
        && holds(row.places, effect.place)
        && holds(row.sensitivities, effect.sensitivity)
}

fn holds<T: Copy + PartialEq>(any: &[T], own: Option<T>) -> bool {
    any.is_empty() || own.is_some_and(|own| any.contains(&own))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_row_that_fits_decides() {
        let effect = |object, says| Effect::new(EffectKind::Pay, object, says);
        for (effect, expected) in [
            (effect("money", "").to(Extent::One), Some(Severity::Medium)),
            (effect("money", "").to(Extent::One).at(Side::Outside), Some(Severity::High)),
            (effect("money", "").to(Extent::Many).at(Side::Outside), Some(Severity::Critical)),
            (Effect { reach: Some(Reach::Disposable), ..Effect::new(EffectKind::Delete, "files", "") }, None),
            (Effect { severity: Some(Severity::Low), ..Effect::new(EffectKind::Delete, "database", "") }, Some(Severity::Low)),
            (Effect::told(EffectKind::Delete, crate::knowledge::effect::Said::Manifest, ""), None),
        ] {
            assert_eq!(severity(&effect), expected, "{effect:?}");
        }
    }
}
