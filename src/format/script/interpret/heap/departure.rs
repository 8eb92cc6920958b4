//! Ways on which a function, a loop or a round of it was left early: what is written afterwards did not happen on them.

use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};

use crate::format::script::interpret::heap::{Departure, Heap, ObjectKind, Place, Stretch, Writes};
use crate::format::script::interpret::value::{Val, Values};

/// So many ways out of one stretch are told apart; those beyond count as one that leaves anywhere.
const APART: usize = 8;

impl Heap<'_> {
    /// Begins what can be left early.
    pub fn begin_stretch(&mut self) -> Stretch {
        let stretch = Stretch(self.stretches);
        self.stretches += 1;
        stretch
    }

    /// Notes that a stretch may be left now, on a way that wrote this.
    pub fn depart(&mut self, stretch: Stretch, writes: &Writes) {
        let objects = self.objects.len();
        let own = self.departures.iter().filter(|departure| departure.stretch == stretch).count();
        if own < APART {
            self.branches += 1;
            let written = writes.iter().map(|(place, _)| *place).collect();
            let mark = self.trail.len();
            self.departures.push(Departure { stretch, mark, latest: mark, objects, written, held: Vec::new(), is_anywhere: false });
        } else if let Some(last) = self.departures.iter_mut().rfind(|departure| departure.stretch == stretch) {
            last.is_anywhere = true;
            last.latest = self.trail.len();
            last.objects = objects;
        }
    }

    /// Where the trail is cut, ways out that were noted behind that are as if they had been noted there, with what places held by then.
    pub(super) fn cut_departures(&mut self, mark: usize) {
        let mut departures = std::mem::take(&mut self.departures);
        for departure in departures.iter_mut().filter(|departure| mark < departure.latest) {
            self.keep_held(departure, mark);
            departure.mark = departure.mark.min(mark);
            departure.latest = mark;
        }
        self.departures = departures;
    }

    /// Notes what places held when a way out was taken, of those that were written since a mark.
    fn keep_held(&self, departure: &mut Departure, mark: usize) {
        if departure.is_anywhere {
            for (place, held) in self.trail.iter().skip(mark) {
                departure.held.extend([*held, self.get(*place)].into_iter().flatten().map(|held| (*place, held)));
            }
            return;
        }
        let mut afterwards: FxHashMap<Place, Option<Val>> = FxHashMap::default();
        for (place, held) in self.trail.iter().skip(departure.mark) {
            afterwards.entry(*place).or_insert(*held);
        }
        for (place, _) in self.trail.iter().take(departure.mark).skip(mark) {
            if departure.written.insert(*place) {
                let held = afterwards.get(place).copied().unwrap_or_else(|| self.get(*place));
                departure.held.extend(held.map(|held| (*place, held)));
            }
        }
    }

    /// Ends a stretch: what was written since it may have been left, may not have been.
    pub fn end_stretch(&mut self, stretch: Stretch, values: &mut Values) {
        self.stretches = stretch.0;
        if self.departures.is_empty() {
            return;
        }
        let (own, others) = std::mem::take(&mut self.departures).into_iter().partition(|departure| stretch <= departure.stretch);
        self.departures = others;
        let own: Vec<Departure> = own;
        let mut before: IndexMap<Place, Val, FxBuildHasher> = IndexMap::default();
        for departure in &own {
            for (place, held) in &departure.held {
                let known = before.entry(*place).or_insert(Val::NEVER);
                *known = values.join(*known, *held);
            }
            let mut seen: FxHashSet<Place> = FxHashSet::default();
            for (place, held) in self.trail.iter().skip(departure.mark) {
                let is_first = seen.insert(*place);
                if !departure.is_anywhere && (!is_first || departure.written.contains(place)) {
                    continue;
                }
                let Some(held) = held.or_else(|| self.without(*place, departure.objects)) else { continue };
                let known = before.entry(*place).or_insert(Val::NEVER);
                *known = values.join(*known, held);
            }
        }
        for (place, held) in before {
            let now = self.get(place).unwrap_or(Val::UNDEFINED);
            let joined = values.join(held, now);
            if joined.id != now.id {
                self.set(place, joined);
            }
        }
        self.branches = self.branches.saturating_sub(own.len());
        if self.branches == 0 {
            self.trail.clear();
        }
    }

    /// What places held in between since a mark, before they were written once more.
    pub fn held_between(&self, mark: usize) -> Writes {
        let mut seen: FxHashSet<Place> = FxHashSet::default();
        let entries = self.trail.iter().skip(mark);
        entries.filter_map(|(place, held)| (!seen.insert(*place)).then_some((*place, (*held)?))).collect()
    }

    /// What a place holds on a way on which nothing was written there; none, if nobody can look.
    fn without(&self, place: Place, objects: usize) -> Option<Val> {
        let Place::Field(object, _) = place else { return None };
        let is_there = (object.0 as usize) < objects;
        (is_there && !matches!(self.object(object).kind, ObjectKind::Environment { .. })).then_some(Val::UNDEFINED)
    }
}
