//! Words that name things: what is dear, what holds others, what nobody misses.

use std::cell::RefCell;

use rustc_hash::{FxHashMap, FxHashSet};

thread_local! {
    /// The words of each list, by where it stands: they are asked for again and again, for every name of a script.
    static LISTS: RefCell<FxHashMap<(usize, usize), FxHashSet<&'static str>>> = RefCell::default();
}

/// A set of words, written with spaces between them.
#[derive(Clone, Copy, Debug)]
pub struct Words(pub &'static str);

impl Words {
    /// Returns true if and only if the word is one of them.
    pub fn has(self, word: &str) -> bool {
        if word.bytes().any(|byte| byte.is_ascii_whitespace()) {
            return self.has_in_a_row(word);
        }
        let key = (self.0.as_ptr() as usize, self.0.len());
        LISTS.with_borrow_mut(|lists| lists.entry(key).or_insert_with(|| self.0.split_ascii_whitespace().collect()).contains(word))
    }

    /// Returns true if and only if several words stand there as they are written.
    fn has_in_a_row(self, words: &str) -> bool {
        let is_edge = |byte: Option<&u8>| byte.is_none_or(u8::is_ascii_whitespace);
        let bytes = self.0.as_bytes();
        let mut starts = memchr::memmem::find_iter(bytes, words);
        starts.any(|start| is_edge(start.checked_sub(1).and_then(|before| bytes.get(before))) && is_edge(bytes.get(start + words.len())))
    }

    /// Returns true if and only if one of the words is one of them.
    pub fn has_any<'w>(self, words: impl IntoIterator<Item = &'w str>) -> bool {
        words.into_iter().any(|word| self.has(word))
    }
}

/// Things that are made anew when they are needed, or matter to nobody.
pub const HARMLESS: Words = Words(
    "cache caches tmp temp temporary draft drafts preview previews sandbox test tests fixture fixtures demo mock scratch notification \
     notifications toast screenshot thumbnails label labels tag tags filter filters cart cursor trash spam form selection canvas timer \
     timers reaction reactions bookmark breakpoints listeners cdn ui clipboard whitespace duplicates badge search highlight highlights \
     memo typing context tab tabs cookies marker markers ephemeral staging",
);

/// Things that hold many others; losing one loses all in it.
pub const HOLDERS: Words = Words(
    "database databases schema schemas bucket buckets cluster clusters namespace namespaces zone zones domain domains repo repos \
     repository repositories vault vaults keyring tenant tenants organization organisation org stack stacks vpc filesystem partition \
     infrastructure keyspace infra datastore dataset",
);

/// Parts of infrastructure; one of them may go, several may not.
pub const PARTS: Words = Words(
    "table tables volume volumes disk disks drive snapshot snapshots backup backups instance instances server servers vm vms node nodes \
     project projects workspace workspaces environment environments collection collections topic replica droplet deployment deployments \
     device devices index indices service services machine machines loadbalancer certificate kms",
);

/// People and what belongs to them.
pub const PEOPLE: Words = Words(
    "user users account accounts customer customers member members employee employees patient patients contact contacts subscriber \
     subscribers student students profile profiles identity identities people persons \
     kunde kunden mitglied mitglieder nutzer benutzer patienten mitarbeiter cliente clientes usuario usuarios empleado empleados paciente pacientes \
     utilisateur utilisateurs client clients employés employes adhérents adherents utenti clienti",
);

/// What is missed when all of it is gone.
pub const PRECIOUS: Words = Words(
    "token tokens key keys session sessions permission permissions access credential credentials certificates secret secrets \
     subscription subscriptions order orders invoice invoices payment payments record records row rows document documents file files \
     message messages email emails mail mailbox inbox logs policy policies rule rules licenses data production prod s3 storage drive \
     dns history audit objects items events tickets issues db crm calendar photos notes roles role groups",
);

/// Words that mean all.
pub const ALL: Words =
    Words("all everyone everything mass every entire alle alles allen sämtliche todos todas todo tous toutes tout tutti tutte");

/// Values that mean all.
pub const ALL_VALUES: Words =
    Words("* ** **/* % all everything everyone .* any all_users all-users alle alles todos todas tous toutes tout tutti tutte");

/// Keys whose value says how, not what.
pub const MANNERS: Words = Words(
    "fields select columns include events returning format level headers origin reason message note comment description title log text \
     body subject",
);

/// Keys that choose what is acted on.
pub const FILTERS: Words = Words("filter filters where query match selector criteria conditions condition");

/// Words of names that tell a thing that is made to be thrown away.
pub const EPHEMERAL: Words =
    Words("tmp temp temporary test tests testing preview sandbox staging dev ephemeral ci pr scratch demo local playground feature old");
