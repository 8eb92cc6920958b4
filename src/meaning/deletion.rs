//! Words of names that say that something is deleted, and how dear it is.

use crate::meaning::argument::{is_name, texts};
use crate::meaning::names::words;
use crate::meaning::tool_kind::ToolName;
use crate::meaning::vocabulary::Words;
use crate::subject::call::Value;

/// Verbs that destroy.
pub const HARD: Words = Words(
    "delete remove drop destroy purge truncate wipe erase terminate shred uninstall deprovision decommission nuke kill obliterate \
     teardown rm del unlink expunge format deletion kick expel \
     borrar borra eliminar elimina suprimir vaciar destruir expulsar löschen loeschen lösche loesche entfernen entferne vernichten ausschliessen \
     ausschließen supprimer supprime effacer efface détruire detruire exclure cancella eliminare cancellare rimuovere apagar excluir remover \
     verwijderen verwijder wissen usun skasuj",
);
/// Verbs that only look, plan or bring back; what stands behind them is an object.
pub const LOOKS: Words = Words(
    "get list find search count describe show read query check preview simulate validate plan restore undo undelete prevent is can \
     recover fetch protect soft create add send post notify log mark estimate confirm request",
);
/// So many turns of a loop are a few.
pub const FEW: u32 = 5;

/// Returns true if and only if the name of a tool says that it deletes, in one of several languages.
pub fn says_delete(tool: &str) -> bool {
    let name = ToolName::of(tool);
    name.verb.iter().map(String::as_str).find(|word| HARD.has(word) || LOOKS.has(word)).is_some_and(|verb| HARD.has(verb))
        || name.verb.iter().any(|word| word == "deletion")
}

/// Returns true if and only if a name in an argument is one of a thing to try things out on: `vm-lab-3`.
pub fn is_spare(argument: &Value) -> bool {
    texts(argument)
        .iter()
        .any(|text| is_name(text.text) && words(text.text).iter().any(|word| Words("lab trial spare throwaway").has(word)))
}
