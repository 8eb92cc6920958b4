//! Which function each variable belongs to, and which variables functions inside that one use.

use oxc_semantic::Scoping;
use oxc_syntax::scope::ScopeId;
use oxc_syntax::symbol::SymbolId;
use rustc_hash::FxHashMap;

/// The innermost function scope of each variable; 0 is the program.
pub fn homes(scoping: &Scoping) -> Vec<u32> {
    let mut functions = vec![0_u32; scoping.scopes_len()];
    for scope in scoping.scope_descendants_from_root() {
        let own = u32::try_from(scope.index()).unwrap_or(0);
        let around = scoping.scope_parent_id(scope).and_then(|parent| functions.get(parent.index())).copied().unwrap_or(0);
        if let Some(entry) = functions.get_mut(scope.index()) {
            *entry = if scoping.scope_flags(scope).is_function() { own } else { around };
        }
    }
    let home = |scope: ScopeId| functions.get(scope.index()).copied().unwrap_or(0);
    scoping.symbol_ids().map(|symbol| home(scoping.symbol_scope_id(symbol))).collect()
}

/// For each variable of a function, whether a function inside that one uses it.
pub fn captured(scoping: &Scoping, homes: &[u32]) -> Vec<bool> {
    let mut functions: FxHashMap<usize, u32> = FxHashMap::default();
    let mut home_of = |scope: ScopeId| -> u32 {
        if let Some(known) = functions.get(&scope.index()) {
            return *known;
        }
        let mut ancestors = scoping.scope_ancestors(scope);
        let found = ancestors.find(|scope| scoping.scope_flags(*scope).is_function()).map_or(0, ScopeId::index);
        let found = u32::try_from(found).unwrap_or(0);
        functions.insert(scope.index(), found);
        found
    };
    let mut is_captured = |symbol: SymbolId, home: u32| {
        home != 0 && scoping.get_resolved_references(symbol).any(|reference| home_of(reference.scope_id()) != home)
    };
    scoping.symbol_ids().zip(homes).map(|(symbol, home)| is_captured(symbol, *home)).collect()
}
